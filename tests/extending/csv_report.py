"""The report format report.csv: one line for each claim, for spreadsheets."""

from __future__ import annotations

import csv
import io
import json

from checks.results.model import RunResult
from reports.model.json_report import to_json

COLUMNS = ("id", "locator", "verdict", "expected", "cases", "not_established")


def to_csv(run: RunResult) -> str:
    """Return report.csv of a run. A text that a spreadsheet would read as a formula gets the prefix '."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(COLUMNS)
    for claim in json.loads(to_json(run))["claims"]:
        cells = ("" if claim[key] is None else str(claim[key]) for key in COLUMNS)
        lines.writerow(f"'{cell}" if cell.startswith(("=", "+", "-", "@")) else cell for cell in cells)
    return text.getvalue()
