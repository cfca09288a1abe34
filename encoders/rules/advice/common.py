"""What obligations ask for that several rules have."""

from __future__ import annotations

from encoders.rules.advice.tables import Remedy

NUMBERS = "It says nothing of the claim, only of numbers"
FAULT = "If it fails the tool is at fault: please report it"


def parameters(name: str) -> Remedy:
    """That the games' parameters are legal."""
    means = "Some value of the claim's variables is no legal parameter of the game"
    return Remedy(name, means, "Narrow the variable in [forall], or change the argument in `ruleset`")


def rules_defined(name: str) -> Remedy:
    """That the rules of the game have a value."""
    return Remedy(name, "The rules of the game have no value at some heap", "Guard the operation in the ruleset's file")


def measure(name: str) -> Remedy:
    """That moves leave less."""
    means = "Some legal move leaves no less than it finds, or a heap below 0"
    return Remedy(name, means, "Bound the numbers picked, or the `where` of the move, in the ruleset's file")


def defined(name: str = "defined: …") -> Remedy:
    """That the claim has a value."""
    means = "Some part of the claim has no value in this case, or speaks of heaps beyond the bound of the proof"
    change = (
        "Exclude the case, by the domain of a variable or in `if`; under a bound `sizes` the heaps of a position that "
        "is written down need a bound in the claim, or the proof none"
    )
    return Remedy(name, means, change)


def about_numbers(name: str) -> Remedy:
    """A fact about numbers alone, which nothing in a file could make false."""
    return Remedy(name, NUMBERS, FAULT)


def found_so(name: str) -> Remedy:
    """What the tool itself found to be so, and asks about to be sure."""
    return Remedy(name, "The tool found it to be so before it asked, and the rest of the proof rests on it", FAULT)


def who_wins(heap: str, legal: str, to_loss: str, stuck_heap: str, stuck_legal: str) -> tuple[Remedy, ...]:
    """Those of a proof of who wins, but *closed*, which names the heaps where they are few; by their names."""
    return (
        Remedy(
            "cases cover",
            "The invariant does not call some position lost, and no `when` holds there",
            "Name the move that wins there, by another [[proof.moves]]; it may be a position of more heaps than the "
            "scope has. If there is no such position, say so by a fact",
        ),
        Remedy(
            heap,
            "Where `when` holds there need be no such heap",
            "Let `when` count the heaps that are picked, or for the top bit of X say that X is not 0; a fact may say "
            "that there is one",
        ),
        Remedy(
            legal,
            "The move is not legal on every heap that the pick may give",
            "Change `take`, or ask more of the heap or of the position: a reply may become two",
        ),
        Remedy(
            to_loss,
            "What the move leaves need not be lost for the next player",
            "Work out what it does to the folds: to each fold without the heap, and to the heap. Where it goes wrong "
            "another move is needed, or another invariant",
        ),
        Remedy(
            "stuck: the cases cover every loss",
            "Under misère play a player who cannot move wins, and at some lost position no named move is known to be "
            "there",
            'Name one for every loss, by a [[proof.moves]] with to = "anywhere"',
        ),
        Remedy(
            stuck_heap,
            "At a lost position where its `when` holds there need be no such heap",
            "Let the invariant say that there is a heap, or narrow the pick",
        ),
        Remedy(
            stuck_legal,
            "At a lost position the move need not be legal",
            "Name a move that is: it may lead anywhere",
        ),
    )


CLOSED = (
    "Some legal move leads from one position that the invariant calls lost to another",
    (
        "Look at the values: if positions have them, the invariant is wrong there. If none has, the folds forget "
        "something: name it as one more fold, or state as a fact what cannot be"
    ),
)
