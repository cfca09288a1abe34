"""Which claims the rule of equal games is for, and what its obligations ask for if they fail."""

from __future__ import annotations

from encoders.rules.advice.common import defined
from encoders.rules.advice.shape import WHO_WINS, Shape
from encoders.rules.advice.tables import Advice, Fit, Remedy
from encoders.rules.equal import labels
from encoders.rules.folds import turns
from encoders.rules.folds.advice import OF_POSITIONS

TWO = 2  # games


def _compares_games(shape: Shape) -> bool:
    """Whether who wins is asked of two games that end alike."""
    asked = {q.game for q in shape.questions if q.function in WHO_WINS}
    alike = len({g.ruleset.stuck_wins for g in shape.games}) == 1
    return len(shape.games) == TWO == len(asked) and alike and shape.two_players and shape.one_heap


def _claimed(name: str) -> Remedy:
    return Remedy(
        name,
        "The claim does not follow from the games being equal in the region",
        "Let the hypotheses of the claim say that its positions lie in the region; what else it says needs folds, "
        "facts or lemmas as in a proof by folds",
    )


ADVICE = Advice(
    (
        Fit(
            "who wins in one game as in another, where their moves are the same",
            _compares_games,
            "say in `region` where they are: no move may lead out of it",
        ),
    ),
    (
        *OF_POSITIONS,
        Remedy(
            labels.defined("…"),
            "The region has no value at some position",
            "Guard the operation, as by `len(s) == 0 or ...`",
        ),
        Remedy(
            labels.closed(""),
            "Some move leads out of the region, where the games may differ",
            "Widen the region to what moves leave, or say less of it: what smaller heaps meet as well",
        ),
        Remedy(
            labels.same("", "…", "…"),
            "In the region one game has a move that the other has not",
            "Narrow the region until it has",
        ),
        _claimed(turns.CLAIM),
        _claimed(labels.of_player("…", turns.CLAIM)),
        defined(labels.of_player("…", "defined: …")),
    ),
)
