"""The tables about obligations in the documentation agree with the rules of proof.

`docs/prove-a-claim.md` has the claims for which a rule is suggested and the messages that name no obligation. The page
of each rule in `docs/rules/` has its obligations. `pytest --renew-golden` writes the tables again.
"""

import re
from pathlib import Path

import pytest

from checks.results.model import OPEN
from encoders.proving.registry import RULES
from encoders.trust import FAULT, OpenReason

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = DOCS / "prove-a-claim.md"
HEADINGS = ["Proves", "Example", "Keys", "Obligations", "Why it is sound", "Limits"]

INTERNAL = ("The tool contains an error: no claim file should make this obligation fail", "Report the claim file")

LEMMAS = (
    "a consequence of a theorem about the same game, in another form or at certain positions",
    '`by = ["nim/bouton"]`',
    "nothing more, or a named move for each `any` over options",
)


def page_of(rule):
    return DOCS / "rules" / f"{rule.replace(' ', '-')}.md"


def table(rows, head):
    cells = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n" for row in cells)


def shapes():
    rows = [LEMMAS]
    rows += [
        (f.shape, f"[`{name}`](rules/{page_of(name).name})", f.write)
        for name, rule in RULES.items()
        for f in rule.suggested_for
    ]
    return table(rows, ("the claim is about", "begin with", "and"))


def list_obligations():
    """The generated part of the page of each rule. A kind that rules share is explained on the page of the first."""
    parts, explained = {}, {}  # a kind, by its identity: the rule on whose page it is explained
    for name, rule in RULES.items():
        usual = [kind for kind in rule.kinds if kind.change != FAULT]
        own = [kind for kind in rule.kinds if kind not in explained]
        rows = [(f"*{kind.row}*", kind.means, kind.change) for kind in usual if kind not in explained]
        for other in dict.fromkeys(explained[kind] for kind in usual if kind in explained):
            page = f"see the page [{other}]({page_of(other).name}#obligations)"
            rows += [(f"*{kind.row}*", page, "see the same page") for kind in usual if explained.get(kind) == other]
        rows += [(f"*{kind.row}*", *INTERNAL) for kind in own if kind.change == FAULT]
        part = table(rows, ("obligation", "if it fails", "what to do"))
        explained |= dict.fromkeys(own, name)
        parts[name] = part
    return parts


def situations():
    rows = [(f"*{x.value.row}*", x.value.means, x.value.change) for x in OpenReason]
    rows += [(f"*rests on …, which is {kind.row}*", kind.means, kind.change) for kind in OPEN.values()]
    return table(rows, ("message", "what it means", "what to do"))


def fill(text, name, part):
    mark = f"<!-- {name} -->"
    assert text.count(mark) == 1, name
    return re.sub(rf"({mark}\n).*?(?=<!-- end -->)", lambda m: m[1] + part, text, flags=re.DOTALL)


def test_the_guide_lists_the_rules_and_the_messages(golden):
    text = fill(fill(GUIDE.read_text("utf-8"), "shapes", shapes()), "situations", situations())
    golden(f"../../docs/{GUIDE.name}", text)


@pytest.mark.parametrize("rule", list(RULES))
def test_the_page_of_a_rule_lists_its_obligations(rule, golden):
    text = page_of(rule).read_text("utf-8")
    golden(f"../../docs/rules/{page_of(rule).name}", fill(text, f"obligations: {rule}", list_obligations()[rule]))


@pytest.mark.parametrize("rule", [*RULES, "several heaps", "lemmas"])
def test_the_pages_of_rules_have_the_same_headings(rule):
    assert re.findall(r"^## (.*)$", page_of(rule).read_text("utf-8"), re.MULTILINE) == HEADINGS


def test_the_index_links_the_page_of_each_rule():
    index = (DOCS / "proof-rules.md").read_text("utf-8")
    for rule in RULES:
        assert f'| `rule = "{rule}"`' in index
        assert f"](rules/{page_of(rule).name})" in index
