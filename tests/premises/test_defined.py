"""A claim is proved only if each expression of it and of its games is defined, whatever rule proves it.

The table puts an operation that is undefined at 50 into each expression of a claim, for each rule. The claim is then
ill-defined at 50, far outside its scope. The terms of a proof itself are not in the table: they may be any functions of
the position, so an undefined one implies no false claim (docs/decisions/0031-what-must-be-natural.md).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from proofs import BOUTON, FEW_HEAPS, HEAD, HEAP_BY_HEAP, MISERE, N_PLAYERS, NIM, QUICK, RULES, TWO_HEAPS
from settling import settle_whole

from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from claims.language.files.library import select
from claims.language.syntax.builtins import BUILTINS
from encoders.logic import definedness
from encoders.logic.answer import Decision, Obligation, ObligationStatus
from encoders.logic.sequents import Sequent
from encoders.proving import prove as proving
from encoders.proving import registry
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim
from encoders.rules.base import rule as rule_of_proof
from encoders.rules.base.rule import ProofServices, ShowsAllValues
from encoders.rules.base.shape import DEFINED
from encoders.rules.base.shape import RULES as RULES_DEFINED
from encoders.rules.folds.rule import FOLDS, FoldsRule
from encoders.rules.one_heap import PLAYED as ONE_PLAYED
from encoders.rules.places import PLAYED, SMALLER


def settled(folder: Path, rules: str, claim: str, scope: tuple[tuple[str, str], ...] = ()) -> ClaimResult:
    """Return the result for a claim about the game `own` of these rules. `scope`: replaces bounds of the file."""
    (folder / "own.toml").write_text(RULES + rules, "utf-8")
    path = folder / "claim.toml"
    path.write_text(HEAD + claim, "utf-8")
    options = replace(QUICK, overrides=scope, routes=("exhaustive",)) if scope else QUICK
    return settle_whole(select((str(path),))[0], options)


# -- the definition of a heap -----------------------------------------------------------------------------------------
LISTS = """
measure = "sum(sum(h.c) for h in s)"
[heap]
c = "list of 0.."
{key} = "len(h.c) == 0 or 1 // (h.c[0] - 30) < {than}"
[[moves]]
choose = "any heap h"
pick = {{ i = "0..len(h.c) - 1", m = "1..h.c[i]" }}
where = "1 == 2"
become = [{{ c = "put(h.c, i, h.c[i] - m)" }}]
"""
OF_LISTS = """
ruleset = "own"
[forall]
s = "position"
[claim]
then = "{then}"
[scope]
s = {{ heaps = "0..2", c = {{ length = "0..2", each = "0..2" }} }}
"""
FAR = (("s.heaps", "1..1"), ("s.c.length", "1..1"), ("s.c.each", "29..31"))


@pytest.mark.parametrize("then", ["not wins(s)", "len(s) >= 0"])
@pytest.mark.parametrize(("key", "than"), [("where", 9), ("gone", -9)])
def test_a_heap_of_which_the_ruleset_says_nothing_is_ill_defined_and_named(
    tmp_path: Path, key: str, than: int, then: str
) -> None:
    found = settled(tmp_path, LISTS.format(key=key, than=than), OF_LISTS.format(then=then), FAR)
    assert found.verdict is Verdict.ERROR
    words = f"ill-defined at s = ([30]): `{key}` of [heap] of own has no value at [30]: division by zero"
    assert words in found.finding.error


# -- rules that forget ------------------------------------------------------------------------------------------------
class Forgetful(FoldsRule):
    """The rule of folds without the obligations of one expression."""

    def __init__(self, part: str) -> None:
        self.part = part

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        return (x for x in FOLDS.obligations(claim, surroundings) if self.part not in x.defines)


OF_NIM = """
ruleset = "own"
[forall]
s = "position"
[claim]
if = "{given}"
then = "iff(wins(s), nim_sum(s) != 0) and {then}"
[scope]
s = {{ heaps = "0..2", size = "1..2" }}
[proof]
rule = "folds"
"""


@pytest.mark.parametrize(
    ("part", "where", "given", "then"),
    [
        ("the hypothesis", "True", "1 // (len(s) + 1) <= 1", "True"),
        ("the conclusion", "True", "True", "1 // (len(s) + 1) <= 1"),
        ("`where` of move 1 of own", "1 // h <= 1", "True", "True"),
    ],
)
def test_a_rule_that_forgets_where_an_expression_has_a_value_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, where: str, given: str, then: str
) -> None:
    (tmp_path / "own.toml").write_text(RULES + NIM.replace("become", f'where = "{where}"\nbecome'), "utf-8")
    path = tmp_path / "claim.toml"
    path.write_text(HEAD + OF_NIM.format(given=given, then=then) + BOUTON, "utf-8")
    claim = load_claim(path, "claim")
    assert prove(claim).decision is Decision.HOLDS
    monkeypatch.setitem(registry.RULES, "folds", ShowsAllValues(Forgetful(part)))
    found = prove(claim)
    assert found.decision is Decision.UNSUPPORTED
    assert found.detail.startswith(f"{part} may be undefined, and the rule 'folds' does not show that it is defined")


OF_VALUES = {DEFINED, RULES_DEFINED, ONE_PLAYED, PLAYED, SMALLER}
"""The kinds of obligations that terms are defined, and for moves also what they leave, which is correct here."""


# -- false claims -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Base:
    """A claim that its rule proves. `far`: a scope in which it is undefined once an expression is undefined at 50."""

    rule: str
    rules: str
    claim: str
    far: tuple[tuple[str, str], ...]
    head: str = RULES
    sibling: str = ""


MOVES = """
parameters = { k = "0.." }
[[moves]]
choose = "any heap h"
pick = { m = "1..h" }
where = "True"
become = ["h - m"]
"""
WITH_PARTS = """
parameters = { k = "0.." }
measure = "sum(h.n for h in s)"
[heap]
n = "0.."
where = "True"
[[moves]]
choose = "any heap h"
pick = { m = "1..h.n" }
where = "True"
become = [{ n = "h.n - m" }]
"""
WITH_LISTS = """
parameters = { k = "0.." }
measure = "sum(sum(h.c) for h in s)"
[heap]
c = "list of 0.."
where = "True"
[[moves]]
choose = "any heap h"
pick = { i = "0..len(h.c) - 1", m = "1..h.c[i]" }
where = "True"
become = [{ c = "put(h.c, i, h.c[i] - m)" }]
"""
POSITION = 's = "position"'
TWO = 'x = "0.."\ny = "0.."'
FAR_HEAP = (("k", "50..50"), ("j", "0..0"), ("s.heaps", "1..1"), ("s.size", "50..50"))
FAR_TWO = (("k", "50..50"), ("j", "0..0"), ("x", "50..50"), ("y", "50..50"))
FAR_LIST = (("k", "50..50"), ("j", "0..0"), ("s.heaps", "1..1"), ("s.c.length", "1..1"), ("s.c.each", "50..50"))


def stated(variables: str, then: str, scope: str, ruleset: str = 'ruleset = "own(k = k)"') -> str:
    """Return a claim with a slot for each kind of expression."""
    return f"""{ruleset}
[forall]
k = "0.."
j = "0.."
{variables}
[define]
"f(x)" = "6 // (x - 50)"
[claim]
if = "True"
then = "{then}"
[scope]
k = "0..1"
j = "0..1"
{scope}
[proof]
"""


SMALL = 's = { heaps = "0..2", size = "1..2" }'
SMALL_LISTS = 's = { heaps = "0..2", c = { length = "0..2", each = "0..2" } }'

ARITHMETIC = stated("", "k * k >= k", "", "") + 'rule = "arithmetic"\n'
NUMBERS = stated(POSITION, "iff(wins(s), nim_sum(s) != 0)", SMALL)
BASES = [
    Base("folds", MOVES, NUMBERS + 'rule = "folds"\n' + BOUTON, FAR_HEAP),
    Base(
        "definition",
        MOVES,
        stated(POSITION, "iff(wins(s), any(not wins(t) for t in options(s)))", SMALL) + 'rule = "definition"\n',
        FAR_HEAP,
    ),
    Base(
        "equal games",
        MOVES,
        stated(
            POSITION,
            "iff(one.wins(s), other.wins(s))",
            SMALL,
            '[games]\none = "own(k = k)"\nother = "own(k = k + 1)"',
        )
        + 'rule = "equal games"\nregion = "True"\n',
        FAR_HEAP,
    ),
    Base(
        "few heaps",
        MOVES,
        stated(TWO, "iff(wins(position([x, y])), x != y)", 'x = "0..2"\ny = "0..2"')
        + TWO_HEAPS.replace("[proof]\n", "", 1),
        FAR_TWO,
    ),
    Base(
        "one heap",
        WITH_PARTS,
        stated('a = "0.."', "iff(wins(position([heap(a)])), a > 0)", 'a = "1..3"')
        + 'rule = "one heap"\n[[proof.heaps]]\nn = "x"\nloses = "x == 0"\n[[proof.moves]]\nwhen = "True"\n'
        + 'take = { m = "x" }\n',
        (("k", "50..50"), ("j", "0..0"), ("a", "50..50")),
    ),
    Base(
        "places",
        WITH_LISTS,
        stated(POSITION, "iff(wins(s), nim_sum(h.c[i] for h in s for i in range(len(h.c))) != 0)", SMALL_LISTS)
        + 'rule = "places"\nloses = "X == 0"\nplace = "top bit of X"\n[proof.folds]\n'
        + 'X = "nim_sum(h.c[i] for h in s for i in range(len(h.c)))"\n[[proof.moves]]\nwhen = "True"\n'
        + 'take = { i = "i", m = "h.c[i] - (h.c[i] ^ X)" }\n',
        FAR_LIST,
    ),
    Base(
        "grundy",
        MOVES,
        stated('a = "0.."', "grundy(position([a])) == a", 'a = "0..3"')
        + HEAP_BY_HEAP.replace("[proof]\n", "", 1)
        + 'heap = "a"\n',
        (("k", "50..50"), ("j", "0..0"), ("a", "50..50")),
    ),
    Base(
        "value",
        MOVES.replace("any heap", "a largest heap").replace("{ k =", '{ n = "2..", k ='),
        stated(
            'n = "2.."\ns = "position"',
            "value(s) == len(s)",
            SMALL + '\nn = "4..5"',
            'ruleset = "own(n = n, k = k)"',
        ).replace('if = "True"', 'if = "n > len(s) + 1"')
        + FEW_HEAPS.replace("[proof]\n", "", 1),
        (*FAR_HEAP, ("n", "4..4")),
        N_PLAYERS.replace('parameters = { n = "2.." }\n', ""),
    ),
    Base("arithmetic", "", ARITHMETIC, (("k", "50..50"), ("j", "0..0"))),
    Base(
        "cases",
        MOVES,
        NUMBERS.replace("[proof]\n", "") + '[[proof.cases]]\nwhen = "True"\nfrom = "sibling"\n',
        FAR_HEAP,
        sibling=NUMBERS + 'rule = "folds"\n' + BOUTON,
    ),
    Base(
        "periodic",
        MOVES.replace("1..h", "1..min(2, h)"),
        stated('a = "0.."', "iff(wins(position([a])), a % 3 != 0)", 'a = "0..5"', 'ruleset = "own(k = 1)"')
        + 'rule = "periodic"\n',
        (("k", "50..50"), ("j", "0..0"), ("a", "50..50")),
    ),
    Base(
        "quotient",
        MOVES.replace("1..h", "1..min(2, h)"),
        stated('a = "0.."', "iff(wins(position([a])), a % 3 != 1)", 'a = "0..5"', 'ruleset = "own(k = 1)"')
        + 'rule = "quotient"\n',
        (("k", "50..50"), ("j", "0..0"), ("a", "50..50")),
        MISERE,
    ),
]


@dataclass(frozen=True)
class Slot:
    """An expression, and its replacement, which is undefined at 50. `H`: the number of objects in a heap."""

    name: str
    old: str
    new: str
    only: str = ""  # a rule, if the slot exists only in its claims

    def of(self, base: Base) -> tuple[str, str]:
        """Return the text in the files of a claim, and its replacement."""
        heap = {"one heap": "h.n", "places": "h.c[i]"}.get(base.rule, "h")
        most = "min(2, h)" if "min(2, h)" in base.rules else heap
        old, new = (x.replace("MOST", most).replace("HEAP", heap) for x in (self.old, self.new))
        return old, new

    def words(self, rule: str) -> str:
        """Return the words of the message."""
        if self.name == "domain":
            return "the domain of j may be undefined: 6 // (k - 50) needs k - 50 != 0"
        if self.name in ("pick", "where", "become") and rule in ("periodic", "quotient"):
            return "the numbers that may be taken from a heap cannot be derived"
        if rule in ("one heap", "places") and (rule, self.name) not in OF_PLACES:
            return OF_PARTS.get((rule, self.name), OF_PARTS[self.name])
        of = "own (one)" if rule == "equal games" else "own"
        part = {
            "argument": f"the argument k of {of.removeprefix('own (').removesuffix(')')} is ",
            "pick": f"`pick m` of move 1 of {of} is ",
            "where": f"`where` of move 1 of {of} is ",
            "become": f"`become` of move 1 of {of} is ",
            "where of [heap]": "`where` of [heap] of own is ",
            "a bound of [heap]": "`c` of [heap] of own is ",
        }.get(self.name, "")
        return f"{part}defined: 6 // ("


OF_PLACES = {("places", "where of [heap]"), ("places", "a bound of [heap]")}
_PLAYED = dict.fromkeys(("pick", "where", "become", "argument", "where of [heap]", "a bound of [heap]", "measure"))
OF_PARTS = {
    **dict.fromkeys(_PLAYED, "move 1 leaves a heap: fails at"),
    **dict.fromkeys(("hypothesis", "conclusion", "definition"), "defined: the claim: fails at"),
    ("places", "measure"): "the measure: each place adds a number: fails at",
    ("places", "argument"): "X: each place adds a number: fails at",
}


LIST = "len(h.c) == 0 or 6 // (h.c[0] - 50) == 6 // (h.c[0] - 50)"
SLOTS = [
    Slot(
        "where of [heap]",
        'where = "True"\n[[moves]]',
        'where = "6 // (h.n - 50) == 6 // (h.n - 50)"\n[[moves]]',
        "one heap",
    ),
    Slot("where of [heap]", 'where = "True"\n[[moves]]', f'where = "{LIST}"\n[[moves]]', "places"),
    Slot("a bound of [heap]", 'n = "0.."', 'n = "0 * (6 // (k - 50)).."', "one heap"),
    Slot("a bound of [heap]", '"list of 0.."', '"list of 0 * (6 // (k - 50)).."', "places"),
    Slot("measure", "sum(h.n for", "sum(h.n + 0 * (6 // (h.n - 50)) for", "one heap"),
    Slot("measure", "sum(sum(h.c) for h in s)", "sum(x + 0 * (6 // (x - 50)) for h in s for x in h.c)", "places"),
    Slot("pick", '"1..MOST"', '"1..MOST + 0 * (6 // (HEAP - 50))"'),
    Slot("where", 'where = "True"\nbecome', 'where = "6 // (HEAP - 50) == 6 // (HEAP - 50)"\nbecome'),
    Slot("become", "HEAP - m", "HEAP - m + 0 * (6 // (HEAP - 50))"),
    Slot("where", 'where = "True"\nbecome', 'where = "m != 40 or h.c[i + 1] == h.c[i + 1]"\nbecome', "places"),
    Slot("become", "put(h.c, i, h.c[i] - m)", "put(put(h.c, i, h.c[i] - m), i + m // 40, h.c[i] - m)", "places"),
    Slot("argument", "k = k)", "k = k + 0 * (6 // (k - 50)))"),
    Slot("domain", 'j = "0.."', 'j = "0 * (6 // (k - 50)).."'),
    Slot("hypothesis", 'if = "', 'if = "6 // (k - 50) == 6 // (k - 50) and '),
    Slot("conclusion", 'then = "', 'then = "6 // (k - 50) == 6 // (k - 50) and '),
    Slot("definition", 'then = "', 'then = "f(k) == f(k) and '),
]
ROWS = [
    pytest.param(base, slot, id=f"{base.rule}: {slot.name}")
    for base in BASES
    for slot in SLOTS
    if slot.only in ("", base.rule) and slot.of(base)[0] in base.rules + base.claim
]


READ = [row for row in ROWS if row.values[0].rule not in ("periodic", "quotient")]
"""The rows without the rules that refuse every division by a term that is not a number, defined or not."""


def settle_base(base: Base, folder: Path, *changes: tuple[str, str], far: bool = False) -> ClaimResult:
    rules, claim = base.rules, base.claim
    for old, new in changes:
        assert (rules + claim).count(old) == 1, old
        rules, claim = rules.replace(old, new), claim.replace(old, new)
    (folder / "own.toml").write_text(base.head + rules, "utf-8")
    if base.sibling:
        (folder / "sibling.toml").write_text(HEAD + base.sibling, "utf-8")
    path = folder / "claim.toml"
    path.write_text(HEAD + claim, "utf-8")
    options = replace(QUICK, overrides=base.far, routes=("exhaustive",)) if far else QUICK
    return settle_whole(select((str(path),))[0], options)


def assert_ill_defined_or_open(found: ClaimResult) -> None:
    """Check that the claim is ill-defined at a confirmed case, or open if the obligation gives no case."""
    assert found.verdict in (Verdict.ERROR, Verdict.INCONCLUSIVE)
    assert ("ill-defined at " in found.finding.error) is (found.verdict is Verdict.ERROR), found.finding.error


@pytest.mark.parametrize("base", BASES, ids=lambda base: base.rule)
def test_what_the_table_changes_is_proved(base: Base, tmp_path: Path) -> None:
    found = settle_base(base, tmp_path)
    assert found.verdict is Verdict.PROVED, found.finding.not_established or found.finding.error


@pytest.mark.parametrize(("base", "slot"), ROWS)
def test_a_claim_that_has_no_value_somewhere_is_not_proved(base: Base, slot: Slot, tmp_path: Path) -> None:
    found = settle_base(base, tmp_path, slot.of(base))
    assert_ill_defined_or_open(found)
    assert slot.words(base.rule) in found.finding.not_established


@pytest.mark.parametrize(("base", "slot"), ROWS)
@pytest.mark.slow
def test_it_has_no_value_at_50(base: Base, slot: Slot, tmp_path: Path) -> None:
    found = settle_base(base, tmp_path, slot.of(base), far=True)
    assert found.verdict is Verdict.ERROR
    assert "ill-defined" in found.finding.error


SAME_PLAY = [row for row in READ if (row.values[1].name, row.values[1].only) != ("become", "places")]
"""The rows whose change leaves all defined moves as they were; the excluded change also alters a number."""


@pytest.mark.parametrize(("base", "slot"), SAME_PLAY)
@pytest.mark.slow
def test_it_would_be_proved_if_nobody_asked_for_values(
    base: Base, slot: Slot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = proving.discharge

    def forgetful(sequent: Sequent, *rest: Any) -> Obligation:
        granted = sequent.kind in OF_VALUES or sequent.name.endswith(": each place adds a number")
        return Obligation(sequent.name, ObligationStatus.PROVED) if granted else ask(sequent, *rest)

    monkeypatch.setattr(proving, "discharge", forgetful)
    monkeypatch.setattr(definedness, "refuse_partial_domains", lambda *_: None)
    monkeypatch.setattr(rule_of_proof, "refuse_partial_domains", lambda *_: None)
    found = settle_base(base, tmp_path, slot.of(base))
    assert found.verdict is Verdict.PROVED, found.finding.not_established or found.finding.error


# -- terms around the undefined one -----------------------------------------------------------------------------------
E = "6 // (k - 50)"
AROUND = {
    "behind and": f"k >= 0 and {E} == {E}",
    "behind or": f"(k < 50 or {E} == {E})",
    "in a condition": f"(1 if {E} == {E} else 1) == 1",
    "in a branch": f"({E} if k >= 50 else 1) == ({E} if k >= 50 else 1)",
    "in the other branch": f"(1 if k < 50 else {E}) == (1 if k < 50 else {E})",
    "in what an unused parameter stands for": f"one({E}) == 1",
    "in the elements of any": "not any(6 // (h - 50) != 6 // (h - 50) for h in s)",
    "in the elements of a sum": "sum(6 // (h - 50) for h in s) == sum(6 // (h - 50) for h in s)",
    "in a condition on elements": "all(h >= 1 for h in s if 6 // (h - 50) == 6 // (h - 50))",
    "in what elements run over": f"all(i >= 0 for i in range(0, 0 * ({E})))",
    "in an operand": f"1 + 0 * ({E}) == 1",
    "in a position": f"position([0 * ({E})]) == position([0 * ({E})])",
    "in the position that is asked about": f"implies(wins(position([k + 0 * ({E})])), k + 0 * ({E}) > 0)",
}
"""Conditions that hold wherever they are defined."""
MOST_OF_NONE, PUT, CUT = "max(x for x in range(0, 0))", "put([7], 1, 1)", "[7][0:0 - 1]"
SUM = "nim_sum(50 - k for h in s for i in range(len(h.c)))"
OF_OTHERS = [
    ("folds", "k < 50 or max(s) == max(s)", "defined: max(s) needs len(s) >= 1"),
    ("folds", "k < 50 or nim_sum(h - k for h in s) == nim_sum(h - k for h in s)", "needs h - k >= 0"),
    ("one heap", "k < 50 or 6 // (1 - 1) == 6 // (1 - 1)", "defined: the claim: fails at"),
    ("one heap", f"k < 50 or {MOST_OF_NONE} == {MOST_OF_NONE}", "defined: the claim: fails at"),
    ("one heap", f"k < 50 or {PUT} == {PUT}", "defined: the claim: fails at"),
    ("one heap", f"k < 50 or {CUT} == {CUT}", "defined: the claim: fails at"),
    ("places", f"{SUM} == {SUM}", "the claim: each place adds a number: fails at"),
]


@pytest.mark.parametrize(
    ("rule", "term", "words"), [*(("folds", term, "defined: 6 // (") for term in AROUND.values()), *OF_OTHERS]
)
def test_a_part_without_a_value_is_found_wherever_it_stands(tmp_path: Path, rule: str, term: str, words: str) -> None:
    base = next(base for base in BASES if base.rule == rule)
    changes = ("[claim]", '"one(x)" = "1"\n[claim]'), ('then = "', f'then = "({term}) and ')
    found = settle_base(base, tmp_path, *changes)
    assert_ill_defined_or_open(found)
    assert words in found.finding.not_established


# -- operations -------------------------------------------------------------------------------------------------------
OPERATIONS = {
    "floordiv": "6 // (k - 53)",
    "mod": "6 % (k - 53)",
    "div": "6 / (k - 53)",
    "pow": "2 ** (50 - k)",
    "nim": "(50 - k) ^ 1",
    "nim_product": "nim_product(50 - k, 1)",
    "isqrt": "isqrt(50 - k)",
    "bit": "bit(50 - k, 0)",
    "top_bit": "top_bit(50 - k)",
    "bit_and": "bit_and(50 - k, 1)",
    "bit_or": "bit_or(1, 50 - k)",
    "popcount": "popcount(50 - k)",
    "digit_sum": "digit_sum(5, 52 - k)",
    "valuation": "valuation(k - 53, 2)",
    "max": "max(x for x in range(0, 50 - k))",
    "min": "min(x for x in range(0, 50 - k))",
    "nim_sum": "nim_sum([50 - k])",
    "columns": "columns([1, 1], 50 - k, 1)",
    "index": "[7] [k // 53]",
    "position": "position([50 - k])",
    "replace": "replace(position([1]), 1 + k // 53, 0)",
    "nim_sum_ways": "nim_sum_ways([1], 50 - k)",
    "put": "put([7], k // 53, 1)",
    "slice": "[7][0:50 - k]",
    "reachable": "len(reachable([[0, 1][k // 53:]], 0))",
    "component": "len(component([[0, 1][k // 53:]], 0))",
}
"""For each operation that may be undefined, a term that is undefined at k = 53 and defined at 0 and 1."""


def test_every_operation_that_may_have_no_value_is_in_the_table() -> None:
    assert {name for name, row in BUILTINS.items() if row.needs} == OPERATIONS.keys()


@pytest.mark.parametrize("rule", ["folds", "arithmetic", "grundy", "few heaps", "places", "one heap", "periodic"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_without_a_value_proves_nothing(tmp_path: Path, rule: str, operation: str) -> None:
    base = next(base for base in BASES if base.rule == rule)
    term = OPERATIONS[operation]
    found = settle_base(base, tmp_path, ('then = "', f'then = "{term} == {term} and '))
    assert_ill_defined_or_open(found)
    words = (
        "defined: ",
        "no translation into",
        "is not supported by ",
        "is no ",
        "is not a ",
        "a rational",
        "the rule ",
        "lists of lists",
    )
    assert any(x in found.finding.not_established for x in words), found.finding.not_established
