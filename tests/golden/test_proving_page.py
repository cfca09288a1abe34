"""docs/proving.md says what the tool says: its tables are made from the advice of the rules.

`pytest --renew-golden` writes them anew.
"""

import re
from pathlib import Path

from encoders.rules.advice.common import FAULT
from encoders.rules.advice.situations import SITUATIONS
from encoders.rules.registry import RULES

PAGE = Path(__file__).parents[2] / "docs" / "proving.md"

LEMMAS = (
    "what a theorem about the same game says, in another form or at certain positions",
    '`by = ["nim/bouton"]`',
    "nothing more, or a named move for each `any` over options",
)


def table(rows, head=()):
    cells = [*([head, ["---"] * len(head)] if head else []), *rows]
    return "".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n" for row in cells)


def shapes():
    rows = [LEMMAS]
    rows += [(f.shape, f'`rule = "{name}"`', f.write) for name, rule in RULES.items() for f in rule.advice.fits]
    return table(rows, ("the claim is about", "begin with", "and"))


def remedies():
    parts, told = [], {}  # a row that rules share, by its identity: the rule that it is told at
    for name, rule in RULES.items():
        usual = [row for row in rule.advice.remedies if row.change != FAULT]
        rows = [(f"*{row.name}*", row.means, row.change) for row in usual if id(row) not in told]
        part = f"\n### Rule `{name}`\n\n" + table(rows, ("obligation", "if it fails", "what to do"))
        for other in dict.fromkeys(told[id(row)] for row in usual if id(row) in told):
            shared = [f"*{row.name}*" for row in usual if told.get(id(row)) == other]
            part += f"\nAs for `{other}`: {', '.join(shared)}.\n"
        own = [row for row in rule.advice.remedies if id(row) not in told]
        if faults := [f"*{row.name}*" for row in own if row.change == FAULT]:
            part += f"\nNothing in a file makes these fail; report it if one does: {', '.join(faults)}.\n"
        told |= {id(row): name for row in own}
        parts.append(part)
    return "".join(parts) + "\n"


def situations():
    rows = [(f"*{row.name}*", row.means, row.change) for row in SITUATIONS.remedies]
    return table(rows, ("message", "what it means", "what to do"))


def generated(text):
    for name, part in {"shapes": shapes(), "remedies": remedies(), "situations": situations()}.items():
        mark = f"<!-- {name} -->"
        assert text.count(mark) == 1, name
        text = re.sub(rf"({mark}\n).*?(?=<!-- end -->)", lambda m, part=part: m[1] + part, text, flags=re.DOTALL)
    return text


def test_the_tables_are_those_of_the_rules(golden):
    golden("../../docs/proving.md", generated(PAGE.read_text("utf-8")))
