"""docs/proving.md says what the tool says: its tables are made from the kinds of obligations and from causes.

`pytest --renew-golden` writes them anew.
"""

import re
from pathlib import Path

from checks.results.model import OPEN
from encoders.proving.registry import RULES
from encoders.trust import FAULT, OpenReason

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
    rows += [(f.shape, f'`rule = "{name}"`', f.write) for name, rule in RULES.items() for f in rule.suggested_for]
    return table(rows, ("the claim is about", "begin with", "and"))


def remedies():
    parts, told = [], {}  # a kind that rules share, by its identity: the rule that it is told at
    for name, rule in RULES.items():
        usual = [kind for kind in rule.kinds if kind.change != FAULT]
        rows = [(f"*{kind.row}*", kind.means, kind.change) for kind in usual if kind not in told]
        part = f"\n### Rule `{name}`\n\n" + table(rows, ("obligation", "if it fails", "what to do"))
        for other in dict.fromkeys(told[kind] for kind in usual if kind in told):
            shared = [f"*{kind.row}*" for kind in usual if told.get(kind) == other]
            part += f"\nAs for `{other}`: {', '.join(shared)}.\n"
        own = [kind for kind in rule.kinds if kind not in told]
        if faults := [f"*{kind.row}*" for kind in own if kind.change == FAULT]:
            part += f"\nNothing in a file makes these fail; report it if one does: {', '.join(faults)}.\n"
        told |= dict.fromkeys(own, name)
        parts.append(part)
    return "".join(parts) + "\n"


def situations():
    rows = [(f"*{x.value.row}*", x.value.means, x.value.change) for x in OpenReason]
    rows += [(f"*rests on …, which is {kind.row}*", kind.means, kind.change) for kind in OPEN.values()]
    return table(rows, ("message", "what it means", "what to do"))


def generated(text):
    for name, part in {"shapes": shapes(), "remedies": remedies(), "situations": situations()}.items():
        mark = f"<!-- {name} -->"
        assert text.count(mark) == 1, name
        text = re.sub(rf"({mark}\n).*?(?=<!-- end -->)", lambda m, part=part: m[1] + part, text, flags=re.DOTALL)
    return text


def test_the_tables_are_those_of_the_rules(golden):
    golden("../../docs/proving.md", generated(PAGE.read_text("utf-8")))
