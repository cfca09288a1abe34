"""From a sequent to a result: the same in every process, and returned only if it is valid."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from random_terms import apply, variable

from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT
from encoders.logic.sequents import ONE, ZERO, Hypothesis, Sequent, Symbol, add, at_least, at_most, negation
from encoders.solvers import automaton
from encoders.solvers.automaton import settle

X, H = variable("x"), variable("h")


def over_naturals(show: t.Term, *assume: t.Term) -> Sequent:
    return Sequent("o", (Symbol("x", INT, 0), Symbol("h", INT, 0)), assume, show)


TRUE = over_naturals(at_most(apply("nim", X, H), add(X, H)))


# -- reproducibility --------------------------------------------------------------------------------------------------
WRITE = """
import json, sys
sys.path[:0] = ["tests/shared"]
from library import ENTRIES
from encoders.solvers.automaton import settle
from encoders.proving.reading import Prover
from encoders.proving.reading import load_claim, rule_name
from encoders.proving.registry import RULES
claim = load_claim(ENTRIES["nim/bouton"].path, "nim/bouton")
for sequent in RULES[rule_name(claim)].obligations(claim, Prover()):
    found = settle(sequent)
    print(sequent.name, json.dumps(found.certificate.to_json()), sorted(found.used))
"""


@pytest.mark.slow
def test_a_certificate_is_the_same_byte_by_byte_in_every_process() -> None:
    root = Path(__file__).parents[4]
    texts = set[bytes]()
    for seed in ("1", "2"):
        own = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", WRITE], cwd=root, env=own, capture_output=True, check=True)
        texts.add(done.stdout)
    assert len(texts) == 1
    assert texts.pop().count(b'"tree"') > 5


# -- returned results -------------------------------------------------------------------------------------------------
def test_a_certificate_that_does_not_hold_is_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "find_problem", lambda certificate: "a leaf is open")
    found = settle(TRUE)
    assert (found.certificate, found.reason) == (None, "the certificate is invalid: a leaf is open")


def test_what_a_certificate_makes_use_of_is_told_by_its_place() -> None:
    """Hypotheses come first, then lemmas with all their instances."""
    h, x = Hypothesis("h", at_least(H, ONE)), Hypothesis("x", at_least(X, ONE))
    both = (at_least(H, X), at_least(X, ZERO))
    for told, lemmas, used in (
        ((h, x), (), {1}),
        ((x, h), (), {0}),
        ((h, h), (("l", both), ("m", (at_least(X, ONE),))), {3}),
        ((h,), (("l", (at_least(X, ONE), at_least(H, X))),), {1}),
        ((h,), (), set()),
    ):
        shown = at_least(X, ONE) if used else at_least(X, ZERO)
        found = settle(Sequent("o", TRUE.variables, (), shown, told, lemmas))
        assert found.certificate is not None
        assert found.used == used


def test_of_what_is_false_at_a_glance_only_a_contradiction_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """No solver is used. A contradiction in the unconditional premises is preferred, because it needs least."""
    monkeypatch.setattr(automaton, "_CertificateSearch", None)
    low, high, other = at_most(X, ONE), negation(at_most(X, ONE)), at_most(H, ONE)
    by_two = replace(over_naturals(other), hypotheses=tuple(map(Hypothesis, "abcd", (low, other, high, low))))
    assert settle(replace(by_two, show=low)).used == {0}
    never = replace(over_naturals(at_most(add(X, H), ONE)), hypotheses=by_two.hypotheses)
    assert settle(never).used == {0, 2}
    assert settle(replace(never, assume=(low, high))).used == set()
    found = settle(never).certificate
    assert found is not None and found.formula is False
