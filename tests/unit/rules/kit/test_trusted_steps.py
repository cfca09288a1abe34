"""The lemmas that every proof by a rule shows again: each is stated, and for all cases.

If one were missing, or stated for fewer cases than the rule needs, every true claim would still be proved.
"""

from functools import cache
from itertools import combinations_with_replacement, product

from proofs import LIBRARY
from random_terms import values_of

from encoders.logic.sequents import Sequent
from encoders.proving.reading import Prover, load_claim

VALUES = range(9)
PLACE = (0, 1)  # the digits at one binary place


@cache
def asked_for(id: str) -> dict[str, Sequent]:
    """Return the obligations of a shipped claim, by their names."""
    claim = load_claim(LIBRARY / f"{id}.toml", id)
    return {x.name: x for x in Prover().rule_of(claim).obligations(claim, Prover())}


def named(sequent: Sequent) -> list[str]:
    """Return its variables, without the claim's own integers."""
    return [s.name for s in sequent.variables if s.name not in ("k", "n")]


def said(sequent: Sequent, rows: list[dict[str, int]]) -> list[tuple[bool, bool]]:
    """Return for each row whether the conclusion is true, and whether all premises are."""
    found = values_of(sequent.show, *sequent.premises, rows=[{**row, "k": 5, "n": 5} for row in rows])
    return [(bool(shown), all(premises)) for shown, *premises in found]


def held(sequent: Sequent) -> set[tuple[int, ...]]:
    """Return the values of its variables, in their order, that satisfy all premises; the conclusion holds there."""
    symbols = [s for s in sequent.variables if s.name in named(sequent)]
    rows = [
        dict(zip(named(sequent), row, strict=True))
        for row in product(*((False, True) if s.lo is None else range(s.lo, len(VALUES)) for s in symbols))
    ]
    found = said(sequent, rows)
    assert all(shown for shown, met in found if met)
    return {tuple(map(int, row.values())) for row, (_, met) in zip(rows, found, strict=True) if met}


# -- all are stated ---------------------------------------------------------------------------------------------------
def test_folds_ask_for_all_their_lemmas() -> None:
    names = [x.partition(":")[0].partition(", ")[0] for x in asked_for("nim/misere")]
    assert list(dict.fromkeys(names)) == [
        "measure of misere-nim",
        "pick top bit",
        "fact 'the two parts make the nim-sum'",
        "fact 'no large heap'",
        "fact 'one large heap'",
        "closed",
        "cases cover",
        "reply 1",
        "reply 2",
        "reply 3",
        "stuck",
        "stuck 1",
        "stuck 2",
        "claim",
    ]
    assert len(names) == 26


def test_grundy_values_ask_for_all_their_lemmas() -> None:
    assert [x for x in asked_for("bash-nim/theorem") if not x.startswith("defined")] == [
        "parameters",
        "measure",
        "digits of 0 as a heap",
        "digits of the next heap",
        "digits of 0 as a value below",
        "digits of the next value below",
        "product of naturals",
        "value is natural",
        "no heap has the value 0",
        "avoid",
        "options cover",
        "option 1: digits",
        "option 1: legal",
        "option 1: value",
        "division 1",
        "sum: the terms are Grundy values",
        "sum: from nim-sum 0 a move changes it",
        "sum: a 1 in the nim-sum is an odd number of ones",
        "sum: a value with a 1 at its highest place is lowered",
        "sum: from another the top bit's heap restores it",
        "claim",
    ]


def test_values_ask_for_all_their_lemmas() -> None:
    assert [x for x in asked_for("large-nim/theorem-3") if not x.startswith("defined")] == [
        "parameters",
        "product of naturals",
        "remainders",
        "shape of no heap",
        "shape of one more heap",
        "moves: a largest heap becomes anything smaller, and nothing else",
        "region closed",
        "range",
        "empty",
        "least",
        "options cover",
        "option 1: attains",
        "option 2: attains",
        "option 3: attains",
        "claim",
    ]


# -- for all cases ----------------------------------------------------------------------------------------------------
def test_every_place_is_looked_at() -> None:
    (column,) = (x for name, x in asked_for("nim/bouton").items() if "odd number" in name)
    assert [s.name for s in column.variables] == [
        "place", "nim-sum of the rest", "term", "an odd number of the rest",
    ]  # fmt: skip
    assert held(column) == {
        (place, rest, term, int(bool(rest & place))) for place in (1, 2, 4, 8) for rest in VALUES for term in VALUES
    }


def test_the_highest_place_is_looked_at() -> None:
    (lowered,) = (x for name, x in asked_for("nim/bouton").items() if "lowered" in name)
    assert [s.name for s in lowered.variables] == ["place", "nim-sum", "term"]
    assert held(lowered) == {
        (place, whole, term)
        for place in (1, 2, 4, 8)
        for whole in VALUES
        for term in VALUES
        if place <= whole < 2 * place and term & place
    }


def test_sums_are_looked_at_for_all_digits() -> None:
    sums = asked_for("bash-nim/theorem")
    away, back = sums["sum: from nim-sum 0 a move changes it"], sums["sum: from another the top bit's heap restores it"]
    assert named(away) == ["g", "g after", "rest"]
    assert held(away) == {(g, g, g) for g in PLACE}
    assert named(back) == ["g", "rest"]
    assert held(back) == set(product(PLACE, repeat=2))
    odd = sums["sum: a 1 in the nim-sum is an odd number of ones"]
    assert named(odd) == ["nim-sum of the rest", "value", "an odd number"]
    assert held(odd) == {(rest, value, rest) for rest in PLACE for value in PLACE}
    lowered = sums["sum: a value with a 1 at its highest place is lowered"]
    assert named(lowered) == ["above the highest place", "the highest place", "nim-sum", "value"]
    assert held(lowered) == {
        *((0, 0, whole, value) for whole in PLACE for value in PLACE),
        *((1, 0, 0, value) for value in PLACE),
        (0, 1, 1, 1),
    }


def test_naturals_are_looked_at_for_all_values() -> None:
    for id in ("large-nim/theorem-3", "bash-nim/theorem"):
        natural = asked_for(id)["product of naturals"]
        rows = [dict(zip(named(natural), row, strict=True)) for row in product(range(-3, 4), repeat=2)]
        assert said(natural, rows) == [(True, True)] * len(rows)


def test_remainders_are_looked_at_for_all_values() -> None:
    remainders = asked_for("large-nim/theorem-3")["remainders"]
    assert named(remainders) == ["divisor", "quotient", "another", "r", "s"]
    rows = [
        dict(zip(named(remainders), (d, a // d, c // d, a % d, c % d), strict=True))
        for d, a, c in product(range(1, 5), range(-5, 9), range(-5, 9))
    ]
    assert said(remainders, rows) == [(True, True)] * len(rows)


def test_shapes_are_looked_at_for_all_positions() -> None:
    values = asked_for("large-nim/theorem-3")
    grown = values["shape of one more heap"]
    rows = []
    for n in range(4):
        for heaps in combinations_with_replacement((1, 2, 3), n):
            least, largest = min(heaps, default=0), max(heaps, default=0)
            shape = (n, least, heaps.count(least), largest)
            rows += [dict(zip(named(grown), (*shape, h), strict=True)) for h in range(1, 5)]
    assert said(grown, rows) == [(True, True)] * len(rows)
    assert said(values["shape of no heap"], [{}]) == [(True, True)]
