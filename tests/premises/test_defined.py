"""A claim is proved only where each expression of it and of its games has a value, whatever rule proves it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from proofs import BOUTON, HEAD, NIM, QUICK, RULES
from settling import settle_whole

from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.library.entries import select
from claims.language.statement.claim import Claim
from encoders.answer import Decision
from encoders.logic.sequent import Sequent
from encoders.proving import registry
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim
from encoders.rules.folds.rule import FOLDS, Folds
from encoders.rules.kit.rule import ShowsAllValues, Surroundings


def settled(folder: Path, rules: str, claim: str, scope: tuple[tuple[str, str], ...] = ()) -> ClaimResult:
    """The result for a claim about the game `own` of these rules; `scope`: other bounds than those of the file."""
    (folder / "own.toml").write_text(RULES + rules, "utf-8")
    path = folder / "claim.toml"
    path.write_text(HEAD + claim, "utf-8")
    options = replace(QUICK, overrides=scope, routes=("exhaustive",)) if scope else QUICK
    return settle_whole(select((str(path),))[0], options)


# -- what a heap is ---------------------------------------------------------------------------------------------------
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
class Forgetful(Folds):
    """The rule of folds without the obligations of one expression."""

    def __init__(self, part: str) -> None:
        self.part = part

    def obligations(self, claim: Claim, surroundings: Surroundings) -> Iterator[Sequent]:
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
    assert prove(claim).answer is Decision.HOLDS
    monkeypatch.setitem(registry.RULES, "folds", ShowsAllValues(Forgetful(part)))
    found = prove(claim)
    assert found.answer is Decision.UNSUPPORTED
    assert found.detail.startswith(f"{part} may have no value, and the rule 'folds' does not show that it has one")
