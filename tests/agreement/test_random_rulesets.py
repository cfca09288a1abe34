"""Random rulesets: options, outcomes, values and Grundy values are the same in the referee and in the engine."""

import tempfile
from pathlib import Path

from boards import ILL, Engine, asked, by_referee, loaded, positions
from hypothesis import HealthCheck, assume, event, given, settings
from random_rulesets import Written, rulesets

from checks.referee.meaning import LimitReached
from claims.language.errors import ClaimError
from claims.language.statement.rulesets import Ruleset
from encoders.exhaustive.arrays.limits import BadRuleset, TooLarge

FIXED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
HEAPS, SIZE = 3, 4


def movers(ruleset: Ruleset) -> range:
    """The players; one too many, at times, where their number is a parameter."""
    return range(len(ruleset.players) or 4)


def answers(written: Written, heaps: int = HEAPS, size: int = SIZE):
    """(question, mover, choice, position, what the referee says, what the engine says), for all of them."""
    with tempfile.TemporaryDirectory() as folder:
        ruleset = loaded(written.text, Path(folder))
    engine = Engine(ruleset, written.parameters, heaps, size)
    games: dict = {}
    for question in asked(ruleset):
        for mover in [None] if question in ("outcome", "grundy") else movers(ruleset):
            table = engine.table(question, mover)
            for i, choice in enumerate(written.parameters):
                for j, s in enumerate(positions(heaps, size)):
                    yield (
                        question,
                        mover,
                        choice,
                        s,
                        by_referee(ruleset, choice, question, s, mover, games),
                        table[i][j],
                    )


def test_random_rulesets() -> None:
    """Both agree; most can be read and played, and in most of them somebody wins somewhere and loses somewhere else."""
    undecided: list[bool] = []

    @settings(FIXED, max_examples=120)
    @given(rulesets())
    def agree(written: Written) -> None:
        said = set()
        try:
            for question, mover, choice, s, expected, found in answers(written):
                place = f"{question} of {s} for {mover} at {choice}"
                assert expected == found, f"{place}: {expected}, {found}\n{written.text}"
                assert type(expected) is type(found)
                said.add((question, str(expected)))
        except ClaimError:
            event("refused when read")
            assume(False)
        except BadRuleset:
            event("refused when played")
            assert (
                "measure" in written.text
            )  # of two smaller heaps that are as many objects and heaps as the one before
            assume(False)
        except (LimitReached, TooLarge):
            event("too large")
            assume(False)
        undecided.append({("wins", "True"), ("wins", "False")} <= said)

    agree()
    assert len(undecided) >= 80
    assert sum(undecided) >= 30


@settings(FIXED, max_examples=120)
@given(rulesets(bad=True))
def test_random_rulesets_that_may_be_unplayable(written: Written) -> None:
    """A move that cannot be played refuses the ruleset, or is ill-defined at the same positions for both."""
    try:
        for question, mover, choice, s, expected, found in answers(written):
            assert expected == found, f"{question} of {s} for {mover} at {choice}: {expected}, {found}\n{written.text}"
            event("ill-defined" if expected == ILL else "fine")
    except ClaimError:
        event("refused when read")
        assume(False)
    except BadRuleset:
        event("refused when played")
        assert unplayable_for_the_referee(written), f"refused, but the referee plays it:\n{written.text}"
    except (LimitReached, TooLarge):
        event("too large")
        assume(False)


def unplayable_for_the_referee(written: Written) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        ruleset = loaded(written.text, Path(folder))
    games: dict = {}
    return any(
        by_referee(ruleset, choice, "options", s, mover, games) == ILL
        for choice in written.parameters
        for s in positions(HEAPS + 1, SIZE)
        for mover in movers(ruleset)
    )
