"""The whole library at deep scope: every claim still comes out as its file expects."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_library_at_deep_scope(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "checks", "run", "--scope", "deep", "--budget", "15m", "--report", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
    report = json.loads((tmp_path / "report.json").read_text())
    surprises = [c["id"] for c in report["claims"] if c["as_expected"] is not True]
    assert not surprises, run.stdout
    assert run.returncode == 0
    assert report["scope_profile"] == "deep"
