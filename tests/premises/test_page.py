"""The tables of premises in docs/rules/ match the files in this folder.

The table of facts that an obligation may assume matches the code. `pytest --renew-golden` writes the tables again.
"""

import re
import tomllib
from pathlib import Path

import pytest

from encoders.trust import Reason

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
PAGES = {
    "folds": "folds",
    "several": "several-heaps",
    "grundy": "grundy",
    "value": "value",
    "few": "few-heaps",
    "one": "one-heap",
    "places": "places",
    "definition": "definition",
    "equal": "equal-games",
    "periodic": "periodic",
    "quotient": "quotient",
    "cases": "cases",
    "arithmetic": "arithmetic",
}
"""The premises of a file in this folder, and the page of docs/rules/ that lists them."""


def table(head, rows):
    rows = [[cell.replace("misere ", "misère ") for cell in row] for row in rows]  # names are test ids, in ASCII
    cells = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in cells) + "\n"


def premises(rule):
    rows = tomllib.loads((HERE / f"{rule}.toml").read_text("utf-8"))["premise"]
    return table(["premise", "why", "shown by"], [[r["name"], r["why"], f"*{r['by']}*"] for r in rows])


def refusals():
    rows = tomllib.loads((HERE / "refused.toml").read_text("utf-8"))["refusal"]
    return table(["premise", "why", "the rule says"], [[r["name"], r["why"], f"*{r['words']}*"] for r in rows])


def reasons():
    """The facts with links from docs/rules/common.md to the sections that argue them."""
    rows = []
    for reason in Reason:
        page = reason.value.section.partition("#")[0]
        title = re.search(r"^# (.*)$", (DOCS / page).read_text("utf-8"), re.MULTILINE)[1]
        link = f"[{title}]({reason.value.section.removeprefix('rules/')})"
        rows.append((reason.value.words, link, reason.value.pick))
    return table(["fact", "argued in", "name in reports"], rows)


def fill(page, mark, part):
    text = (DOCS / "rules" / page).read_text("utf-8")
    assert text.count(mark) == 1, (page, mark)
    return re.sub(rf"({mark}\n).*?(?=<!-- end -->)", lambda m: m[1] + part, text, flags=re.DOTALL)


@pytest.mark.parametrize("rule", PAGES)
def test_the_table_of_premises_is_up_to_date(rule, golden):
    page = f"{PAGES[rule]}.md"
    golden(f"../../docs/rules/{page}", fill(page, f"<!-- premises: {rule} -->", premises(rule)))


def test_the_table_of_refusals_is_up_to_date(golden):
    golden("../../docs/rules/refused.md", fill("refused.md", "<!-- premises: refused -->", refusals()))


def test_the_table_of_facts_is_up_to_date(golden):
    golden("../../docs/rules/common.md", fill("common.md", "<!-- reasons -->", reasons()))
