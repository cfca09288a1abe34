"""The messages of `find` about searches that had no result or could not begin.

Two kinds of messages are not in this module: the refusals of the proof rules, and the reasons of open obligations.
"""

from __future__ import annotations

from enum import Enum

from claims.language.errors import join_words
from claims.language.files.rulesets import Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from encoders.refusals import Unsupported


class Refusal(Enum):
    """The messages of `find`. The text of a message contains the names of its arguments in braces."""

    # -- of a ruleset
    PLAYERS = "{id} has {count} players; find supports two players, or n players counted by a parameter of the ruleset"
    UNUSUAL = "{told}; find supports two-player games that end when the mover has no move and then loses or wins"
    PARTS = (
        "the heaps of {id} have parts, and find supports only heaps that are numbers; "
        'write a claim with a [proof] by rule = "one heap" or rule = "places"'
    )
    NO_WINNER = "{id} is a game of n players, which has values instead of a winner; ask for a value"
    REGION = "the region contains no values of the parameters up to {most}; write another --where"
    LARGE = "a number of the rules or of the claim is 2^62 or more; find supports only smaller numbers"
    NO_FORMULA = "no formula that was tried describes the positions from which the mover loses"
    MOVES = "find has no method for replies in games with such moves; write the [proof] of the claim"
    # -- of Grundy values
    OF_PLAYERS = "{id} is a game of n players; omit --values"
    MISERE = "{id} has misère play, and Grundy values need normal play; omit --values to search for the winner"
    PARTIZAN = "{id} is partizan, and Grundy values need an impartial game; omit --values to search for the winner"
    SEVERAL = "closed forms of Grundy values require that each move makes one heap smaller, but {why}"
    TAKING = (
        "closed forms of Grundy values require that a move picks one number m, and changes a heap h to h - m "
        "(in every move) or to m (in every move)"
    )
    NO_FORM = "no closed form that was tried gives the Grundy values of single heaps"
    FEW_SHAPES = (
        "for values of n players, find supports only games with one kind of move, which changes a largest heap h "
        "to h - m or to m"
    )
    NO_SHAPE = "no formula that was tried gives the values of n players"
    # -- of the [proof] of a claim
    NO_GAME = 'the claim has no game; write a [proof] by rule = "arithmetic"'
    GAMES = (
        "the claim has {count} games, and find can then only use the rule equal games; write the [proof] of the claim"
    )
    PARAMETER = "the parameter {name} of {id} is {term}; find supports numbers, and variables whose domain is a range"
    BOUNDS = "the parameter {name} of {id} has the domain {domain}; find supports bounds that are numbers or parameters"
    QUESTIONS = (
        "the claim uses {asked} of {id}; find supports only claims about the winner, Grundy values, and values of "
        "n players"
    )
    NOT_ASKED = "the claim asks no question about {id}, and no proof without further keys proves it; write the [proof]"
    EXISTS = "an [exists] claim is proved by a witness; `run` searches for one in the scope"
    # -- of a [proof] to shorten, of a claim to weaken
    NO_PROOF = "the claim has no [proof] in separate tables"
    NOT_PROVED = "the [proof] of the claim fails: {why}"
    NOT_SHORTER = "every part of the proof is needed"
    NOT_FORALL = "only a [forall] claim can be made weaker or stronger"

    def say(self, **names: object) -> str:
        """Return the message with these values of its arguments."""
        return self.value.format(**names)


def require_followed(ruleset: Ruleset) -> None:
    """Raise Unsupported for a game that no search supports."""
    if ruleset.unusual:
        raise Unsupported(Refusal.UNUSUAL.say(told=ruleset.unusual))
    if len(ruleset.players) != 2 and not ruleset.player_count:
        raise Unsupported(Refusal.PLAYERS.say(id=ruleset.id, count=len(ruleset.players)))
    if ruleset.heap is not None:
        raise Unsupported(Refusal.PARTS.say(id=ruleset.id))


def refuse_parameter(ruleset: Ruleset, name: str, term: t.Term) -> Unsupported:
    """Return the error for a parameter whose value depends on a variable that is not a free parameter."""
    return Unsupported(Refusal.PARAMETER.say(name=name, id=ruleset.id, term=print_term(term)))


def refuse_questions(ruleset: Ruleset, asked: set[str]) -> str:
    """Return the reason why `find` has no search for a claim that asks these questions about the game.

    `asked`: the builtins that the claim uses, such as `legal`; empty if it asks no question.
    """
    if not asked:
        return Refusal.NOT_ASKED.say(id=ruleset.id)
    return Refusal.QUESTIONS.say(asked=join_words(sorted(asked)), id=ruleset.id)


def tell_moves(ruleset: Ruleset) -> str:
    """Return the reason why some move does not make a single heap smaller, as a sentence; "" if there is no reason."""
    if ruleset.sees_position:
        return f"a move of {ruleset.id} depends on the whole position"
    for move in ruleset.moves:
        if move.choose == "each":
            return f"a move of {ruleset.id} is made on each of several heaps"
        if len(move.heaps) > 1:
            return f"a move of {ruleset.id} is made on {len(move.heaps)} heaps"
        if len(move.become) != 1:
            return f"a move of {ruleset.id} turns one heap into {len(move.become)} heaps"
    return f"{ruleset.id} has a separate measure" if ruleset.measure is not None else ""
