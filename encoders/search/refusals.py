"""Why a search finds nothing, or does not begin: every reason that `find` gives in words of its own.

What a rule of proof refuses, and which obligation is open, is said in the words of the rule.
"""

from __future__ import annotations

from enum import Enum

from claims.language.errors import join_words
from claims.language.files.rulesets import Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from encoders.refusals import Unsupported


class Refusal(Enum):
    """The value is the message, with names in braces for what it is about."""

    # -- of a ruleset
    PLAYERS = (
        "{id} has {count} players; find follows two players, or n players where a parameter of the ruleset counts them"
    )
    UNUSUAL = "{told}; find follows games of two players that end when the mover has no move, who then loses or wins"
    PARTS = (
        "the heaps of {id} have parts, and find follows heaps that are numbers; "
        'write a claim with a [proof] by rule = "one heap" or rule = "places"'
    )
    NO_WINNER = "{id} is a game of n players, which has values and no winner of two; leave out who wins"
    REGION = "no values of the parameters up to {most} lie in the region; write another --where"
    LARGE = "a number of the rules or of the claim is 2^62 or more; find follows smaller ones"
    NO_FORMULA = "who wins has no formula in the folds that were tried"
    MOVES = "its moves are of a form for which no replies are searched; write the [proof] of the claim"
    # -- of Grundy values
    OF_PLAYERS = "{id} is a game of n players, whose values find searches without --values"
    MISERE = "in {id} who has no move wins, and Grundy values are of normal play; search who wins, without --values"
    PARTIZAN = (
        "the players of {id} have different moves, and Grundy values need the same; search who wins, without --values"
    )
    SEVERAL = "closed forms of Grundy values are searched where each move makes one heap smaller, and {why}"
    TAKING = (
        "closed forms of Grundy values are searched where a heap h becomes h - m or m, for one number m that is picked"
    )
    NO_FORM = "the values of single heaps have no closed form of the kinds tried"
    FEW_SHAPES = "values of n players are searched where the only kind of move is from a largest heap h, to h - m or m"
    NO_SHAPE = "the values of n players have no formula of the kinds tried"
    # -- of the [proof] of a claim
    NO_GAME = 'the claim has no game; write a [proof] by rule = "arithmetic"'
    GAMES = "the claim has {count} games, of which nothing is found but that they are equal; write its [proof]"
    PARAMETER = "the parameter {name} of {id} is {term}; find follows numbers, and variables whose domain is a range"
    BOUNDS = "{name}, a parameter of {id}, has the domain {domain}; find follows bounds by numbers and other parameters"
    QUESTIONS = (
        "the claim asks {asked} of {id}; find searches proofs of who wins, and of values of heaps or of n players"
    )
    NOT_ASKED = "the claim asks nothing of {id}, and no rule proves it by itself; write its [proof]"
    EXISTS = "the claim says that something exists; its proof is a case, which `run` searches in the scope"
    # -- of a [proof] that is to be shorter, of a claim that is to be weaker
    NO_PROOF = "the claim has no [proof] in tables of its own"
    NOT_PROVED = "its [proof] does not go through: {why}"
    NOT_SHORTER = "there is nothing in it that it does without"
    NOT_FORALL = "only a claim about all values of its variables is made weaker or stronger"

    def say(self, **names: object) -> str:
        """The message."""
        return self.value.format(**names)


def require_followed(ruleset: Ruleset) -> None:
    """Refuse a game that no search follows. Raises Unsupported."""
    if ruleset.unusual:
        raise Unsupported(Refusal.UNUSUAL.say(told=ruleset.unusual))
    if len(ruleset.players) != 2 and not ruleset.player_count:
        raise Unsupported(Refusal.PLAYERS.say(id=ruleset.id, count=len(ruleset.players)))
    if ruleset.heap is not None:
        raise Unsupported(Refusal.PARTS.say(id=ruleset.id))


def refuse_parameter(ruleset: Ruleset, name: str, term: t.Term) -> Unsupported:
    """The refusal of a parameter that depends on what is no parameter of the search."""
    return Unsupported(Refusal.PARAMETER.say(name=name, id=ruleset.id, term=print_term(term)))


def refuse_questions(ruleset: Ruleset, asked: set[str]) -> str:
    """Why no search is for the questions of a claim."""
    if not asked:
        return Refusal.NOT_ASKED.say(id=ruleset.id)
    return Refusal.QUESTIONS.say(asked=join_words(sorted(asked)), id=ruleset.id)


def tell_moves(ruleset: Ruleset) -> str:
    """What moves do beside making one heap smaller; "" if nothing."""
    if ruleset.sees_position:
        return f"a move of {ruleset.id} looks at the whole position"
    for move in ruleset.moves:
        if move.choose == "each":
            return f"a move of {ruleset.id} is made on each of several heaps"
        if len(move.heaps) > 1:
            return f"a move of {ruleset.id} is made on {len(move.heaps)} heaps"
        if len(move.become) != 1:
            return f"a move of {ruleset.id} leaves {len(move.become)} heaps of one"
    return f"{ruleset.id} has a measure of its own" if ruleset.measure is not None else ""
