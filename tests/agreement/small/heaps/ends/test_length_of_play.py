"""Remoteness and suspense: the referee, the search case by case, and the rules of Winning Ways, chapter 9."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from claim_texts import HEAD

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.referee.meaning import IllDefined, RefereeSteps, ask
from checks.referee.play import RefereeGame
from checks.results.verdicts import Verdict
from claims.language.files.library import LIBRARY, select
from claims.language.files.rulesets import load_ruleset
from encoders.bounded.encoder import decide_by_smt
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.meaning import Undefined
from encoders.compute.compound.play import EngineGame
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim

BOARDS = Path(__file__).parents[5] / "examples" / "boards" / "rulesets"
GAMES = {
    "nim": (LIBRARY / "rulesets/nim.toml", {}),
    "misere-nim": (LIBRARY / "rulesets/misere-nim.toml", {}),
    "kl-nim": (LIBRARY / "rulesets/kl-nim.toml", {"k": 2, "l": 3}),
    "partizan-subtraction": (LIBRARY / "rulesets/partizan-subtraction.toml", {"S": (1, 3), "T": (2, 3)}),
    "ending-partizan": (BOARDS / "ending-partizan.toml", {"S": (2, 3)}),
}
FUNCTIONS = ("remoteness", "suspense")
POSITIONS = [s for n in (0, 1, 2, 3) for s in combinations_with_replacement(range(1, 6), n)]


def load(name: str) -> tuple[RefereeGame, EngineGame]:
    path, parameters = GAMES[name]
    ruleset = load_ruleset(path)
    return RefereeGame(ruleset, parameters, RefereeSteps(10**8)), EngineGame(ruleset, parameters, Deadline(None))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_referee_and_search_agree(name: str, function: str) -> None:
    referee, engine = load(name)
    for s in POSITIONS:
        for mover in (0, 1):
            assert ask(referee, function, [s, mover]) == engine.answer(function, [s, mover]), (s, mover)


@pytest.mark.parametrize("name", ["nim", "kl-nim", "partizan-subtraction"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_parity_determines_the_length(name: str, function: str) -> None:
    """Under normal play, a position is lost if and only if its remoteness is even, and the same holds for suspense.

    The remoteness is 1 plus the least even remoteness of an option, or 1 plus the largest odd one if all are odd. For
    the suspense, exchange least and largest.
    """
    referee, engine = load(name)
    winner, loser = (min, max) if function == "remoteness" else (max, min)
    known: dict[tuple, int] = {}

    def measure(s: tuple, mover: int) -> int:
        if (s, mover) not in known:
            after = [measure(x, 1 - mover) for x in referee.options(s, mover)]
            even = [x for x in after if x % 2 == 0]
            known[s, mover] = 1 + winner(even) if even else 1 + loser(after) if after else 0
        return known[s, mover]

    for s in POSITIONS:
        for mover in (0, 1):
            assert engine.answer(function, [s, mover]) == measure(s, mover), (s, mover)
            assert engine.answer("wins", [s, mover]) == measure(s, mover) % 2, (s, mover)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_length_needs_a_player_and_heaps(function: str) -> None:
    referee, engine = load("partizan-subtraction")
    with pytest.raises(IllDefined):
        ask(referee, function, [(1,), 2])
    with pytest.raises(Undefined):
        engine.answer(function, [(1,), 2])
    cake = load_ruleset(BOARDS / "cutcake.toml")
    bad = ((0, 1),)
    with pytest.raises(IllDefined):
        ask(RefereeGame(cake, {}, RefereeSteps(10**6)), function, [bad, 0])
    with pytest.raises(Undefined):
        EngineGame(cake, {}, Deadline(None)).answer(function, [bad, 0])


# -- claims -----------------------------------------------------------------------------------------------------------
STATED = (
    HEAD
    + """ruleset = "nim"
[forall]
s = "position"
[claim]
then = "THEN"
[scope]
s = { heaps = "0..2", size = "1..4" }
"""
)


@pytest.fixture
def stated(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        (tmp_path / "claim.toml").write_text(text)
        return str(tmp_path / "claim.toml")

    return write


@pytest.mark.parametrize(
    ("then", "smallest"),
    [
        ("remoteness(s) == suspense(s)", (2, 2)),
        ("remoteness(s) <= suspense(s)", (2, 2)),
        ("remoteness(s) <= sum(s) - 1 or len(s) == 0", (1,)),
        ("suspense(s) <= 2", (1, 2)),
        ("iff(remoteness(s) % 2 == 1, wins(s)) and suspense(s) <= remoteness(s) <= sum(s)", None),
    ],
)
def test_claims_about_the_length_of_play(stated: Callable[[str], str], then: str, smallest: tuple | None) -> None:
    (entry,) = select((stated(STATED.replace("THEN", then)),))
    result = settle_entry(entry, Options())
    if smallest is None:
        assert result.verdict is Verdict.VERIFIED
    else:
        assert result.verdict is Verdict.REFUTED
        assert dict(result.finding.counterexample.variables) == {"s": smallest}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_other_route_is_asked(stated: Callable[[str], str], function: str) -> None:
    claim = load_claim(Path(stated(STATED.replace("THEN", f"{function}(s) >= 0"))), "claim")
    assert claim.goes_case_by_case
    assert decide_by_smt(claim, claim.scope("quick")).decision is Decision.UNSUPPORTED
    text = STATED.replace("THEN", f"iff(wins(s), {function}(s) % 2 == 1)")
    text += '[proof]\nrule = "folds"\n[proof.folds]\nX = "nim_sum(s)"\n'
    assert prove(load_claim(Path(stated(text)), "claim")).decision is Decision.UNSUPPORTED
