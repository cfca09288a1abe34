"""Real obligations without one premise: each is still certified, or fails at numbers that evaluation confirms."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from library import ENTRIES

from encoders.logic.certificates import problem
from encoders.logic.sequents import Sequent
from encoders.proving.reading import Prover, load_claim, rule_name
from encoders.proving.registry import RULES
from encoders.solvers.automaton import fails_at, settle
from encoders.solvers.discharge import check_on_box

NEEDED: dict[str, dict[str, set[int]]] = {  # for some obligations the places of the necessary premises
    "nim/bouton": {
        "measure of nim": set(),
        "pick top bit: a 1 in the nim-sum is an odd number of ones, one more heap": {1},
        "pick top bit: such a heap is lowered": {0, 1, 2},
        "closed": {0},
        "cases cover": {0},
        "reply 1: heap": set(),
        "reply 1: legal": {3},
        "reply 1: leads to a loss": {4, 6},
        "claim": set(),
    },
    "nim/misere": {
        "fact 'the two parts make the nim-sum', one more heap": {0},
        "fact 'no large heap', one more heap": {1},
        "fact 'one large heap', one more heap": {1, 2},
        "closed": {0, 1, 2},
        "stuck: the cases cover every loss": {0},
        "stuck 1: heap": {1},
    },
    "bash-nim/multiples": {  # with products
        "fact 'of multiples', one more heap": {1},
        "cases cover": {0},
        "closed": {0},
        "claim": {1, 2},
    },
}


@cache
def obligations(id: str) -> dict[str, Sequent]:
    claim = load_claim(ENTRIES[id].path, id)
    return {s.name: s for s in RULES[rule_name(claim)].obligations(claim, Prover())}


def weakened(sequent: Sequent) -> Iterator[Sequent]:
    """Yield the sequents without one premise, in the order of `premises`."""
    for i in range(len(sequent.assume)):
        yield replace(sequent, assume=sequent.assume[:i] + sequent.assume[i + 1 :])
    for i in range(len(sequent.hypotheses)):
        yield replace(sequent, hypotheses=sequent.hypotheses[:i] + sequent.hypotheses[i + 1 :])


@pytest.mark.parametrize(("id", "name"), [(id, name) for id, names in NEEDED.items() for name in names])
@pytest.mark.slow
def test_an_obligation_with_a_premise_less_is_certified_or_fails_at_numbers(id: str, name: str) -> None:
    whole = obligations(id)[name]
    assert not whole.lemmas
    assert settle(whole).certificate is not None
    failing = set[int]()
    for place, sequent in enumerate(weakened(whole)):
        assert len(sequent.premises) == len(whole.premises) - 1
        found = settle(sequent)
        if found.certificate is None:
            assert fails_at(sequent, found.values), found
            assert not fails_at(whole, found.values)
            failing.add(place)
        else:
            assert problem(found.certificate) == ""
            assert check_on_box(sequent).falsified is None
    assert failing == NEEDED[id][name]
