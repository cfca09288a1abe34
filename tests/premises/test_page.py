"""The tables of premises in docs/proof-rules.md are those that the tests beside this file go through.

That of what may be assumed is the one that the code goes by.

`pytest --renew-golden` writes them anew.
"""

import re
import tomllib
from pathlib import Path

import pytest

from encoders.trust import Reason

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "proof-rules.md"
RULES = (
    "folds",
    "several",
    "grundy",
    "value",
    "few",
    "one",
    "places",
    "definition",
    "equal",
    "periodic",
    "quotient",
    "cases",
)


def table(head, rows):
    rows = [[cell.replace("misere ", "misère ") for cell in row] for row in rows]  # names are ids of tests, in ASCII
    cells = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in cells) + "\n"


def premises(rule):
    rows = tomllib.loads((HERE / f"{rule}.toml").read_text("utf-8"))["premise"]
    return table(["premise", "why", "shown by"], [[r["name"], r["why"], f"*{r['by']}*"] for r in rows])


def refusals():
    rows = tomllib.loads((HERE / "refused.toml").read_text("utf-8"))["refusal"]
    return table(["premise", "why", "the rule says"], [[r["name"], r["why"], f"*{r['words']}*"] for r in rows])


def reasons():
    rows = [(x.value.words, f"[{headings()[x.value.section]}](#{x.value.section})", x.value.pick) for x in Reason]
    return table(["what is known", "argued in", "named in reports as"], rows)


def headings():
    """Those of the page by their anchors."""
    found = re.findall(r"^#+ (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", words.lower()).replace(" ", "-"): words for words in found}


def generated(text):
    text = re.sub(r"(<!-- reasons -->\n).*?(?=<!-- end -->)", lambda m: m[1] + reasons(), text, flags=re.DOTALL)
    parts = {rule: premises(rule) for rule in RULES} | {"refused": refusals()}
    for name, part in parts.items():
        mark = f"<!-- premises: {name} -->"
        assert text.count(mark) == 1, name
        text = re.sub(rf"({mark}\n).*?(?=<!-- end -->)", lambda m, part=part: m[1] + part, text, flags=re.DOTALL)
    return text


@pytest.mark.slow
def test_the_tables_of_premises_are_up_to_date(golden):
    golden("../../docs/proof-rules.md", generated(PAGE.read_text("utf-8")))
