"""Conditions of the claim language as propositions in Coq: winners, options, heaps, sets of positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from claims.language.files.claim import Game
from claims.language.files.rulesets import Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.printing import display, find_free_names, print_term, structural_key, substitute, walk
from claims.language.syntax.terms import BOOL, INT, OUTCOME, PLAYER, POSITION, RATIONAL, items_of, list_of
from encoders.coq.numbers import (
    GRUNDY,
    CoqNumberWriter,
    holds_naturals,
    range_of_elements,
    total,
)
from encoders.coq.writing import (
    AND,
    ARROW,
    BINDER,
    COMPARISON,
    IFF,
    NOT,
    OR,
    PRODUCT,
    SUM,
    Text,
    apply,
    infix,
    join_texts,
)
from encoders.logic.sequents import compare
from encoders.refusals import Unsupported

# == types of games ===================================================================================================
# The Coq theory has three types of games. The simplest one in which a ruleset can be written is used.
GAME, SPLITTING, RULES = "game", "splitting", "rules"
NOTIONS = {
    GAME: {},
    SPLITTING: {word: f"split_{word}" for word in ("wins", "move", "value", "values")},
    RULES: {"move": "step", **{word: f"rules_{word}" for word in ("wins", "value", "values", "winner")}},
}
"""The Coq names of notions such as "wins" for each type of games, if they differ from the words."""


def type_in_coq(ruleset: Ruleset) -> str:
    """Return the Coq type of the games of a ruleset.

    It is "game" if each move replaces any heap, or each a largest heap, by one heap; "splitting" if each move replaces
    any heap by any number of heaps; and "rules" otherwise: if a move chooses several heaps or a smallest heap, depends
    on other heaps, or may leave as many objects as before.
    """
    chosen = {"each" if len(move.heaps) > 1 else move.choose for move in ruleset.moves}
    if ruleset.sees_position or ruleset.measure is not None or chosen not in ({"any"}, {"largest"}):
        return RULES
    if not may_split(ruleset):
        return GAME
    return SPLITTING if chosen == {"any"} else RULES


def may_split(ruleset: Ruleset) -> bool:
    """Return whether some move replaces its heap by several heaps or by none."""
    return any(not isinstance(move.result, tuple) or len(move.result) != 1 for move in ruleset.moves)


# == statements =======================================================================================================
# Conditions of the claim language as propositions in Coq: winners, options, heaps, sets of positions.
#
# A position is a list of heaps. The order of the heaps and zeros do not matter, so `==` of the claim language becomes
# `≡`. A set of positions is a predicate, and two sets are equal if they have the same elements.
_SIGNS = {"eq": ("=", False), "ne": ("<>", False), "lt": ("<", False)}
_SIGNS |= {"le": ("<=", False), "gt": ("<", True), "ge": ("<=", True)}
KINDS = {INT: "N", POSITION: "position", PLAYER: "player"}
"""The Coq types of variables, by their types in the claim language."""


@dataclass
class Statements(CoqNumberWriter):
    """A writer of conditions of the claim language as Coq propositions.

    `games`: the Coq text of each game of the claim, by its name in the claim.
    `rules`: each game with its ruleset and arguments, by the same name.

    `names` also contains the Coq names of rulesets, players, and calls such as `value(s, m)` that have a name. Their
    keys are the results of `key_of_ruleset`, `key_of_player` and `key_of_question`.
    """

    games: Mapping[str, Text] = field(default_factory=dict)
    rules: Mapping[str, Game] = field(default_factory=dict)

    def bind(self, more: Mapping[str, Text]) -> Statements:
        return Statements({**self.names, **more}, self.folds, self.ranges, self.cuts, self.games, self.rules)

    def remainder(self, dividend: t.Term, divisor: Text) -> Text:
        """Return the remainder of an integer that may be negative, which Coq computes with integers.

        As in the claim language, the remainder has the sign of the divisor, which is positive.
        """
        found = self.number(dividend).cancel_common()
        plus, minus, by = (apply("Z.of_N", x) for x in (total(found.plus), total(found.minus), divisor))
        left = infix(infix(plus, "-", minus, SUM, "left"), "mod", by, PRODUCT)
        return apply("Z.to_N", Text(f"({left.text})%Z"))

    def says(self, term: t.Term) -> Text:
        """Return a condition as a Coq proposition. Raises Unsupported if it has no translation."""
        match term:
            case t.Operation(op=op, args=(t.Term(type=kind), t.Term(type=other))) if (
                op in _SIGNS and kind == other == INT
            ):
                calls = self._find_values(term)
                return self._compare_winners(term, calls) if calls else self._compare_numbers(term)
            case t.Operation(op="lt" | "le" | "gt" | "ge" as op, args=(a, b)) if RATIONAL in (a.type, b.type):
                sign, turned = _SIGNS[op]
                return self._compare_rationals(sign, *((b, a) if turned else (a, b)))
            case t.Literal(value=value) if term.type == BOOL:
                return Text("True" if value else "False")
            case t.AllOf(args=args):
                return join_texts(map(self.says, args), "/\\", AND, "True", "right")
            case t.AnyOf(args=(t.Operation(op="not", args=(condition,)), then)):
                return infix(self.says(condition), "->", self.says(then), ARROW, "right")
            case t.AnyOf(args=args):
                return join_texts(map(self.says, args), "\\/", OR, "False", "right")
            case t.IfElse(condition=c, then=a, other=b) if term.type == BOOL:
                met, unmet = self.says(c), negation(self.says(c))
                parts = (infix(met, "->", self.says(a), ARROW), infix(unmet, "->", self.says(b), ARROW))
                return join_texts(parts, "/\\", AND, "True", "right")
            case t.Operation(op="not", args=(a,)):
                return negation(self.says(a))
            case t.Operation(op="eq" | "ne" as op, args=(a, b)):
                found = self._equal(a, b)
                return found if op == "eq" else negation(found)
            case t.Operation(op="in", args=(x, source)):
                return self.element(x, source)
            case t.Comprehension(reducer="any" | "all" as reducer, body=body, clauses=clauses):
                return self._quantify(reducer, body, clauses)
            case t.GameCall(function=function, game=game, args=args):
                return self._ask(function, game, args)
        raise Unsupported(f"{print_term(term)} has no translation into a proposition of Coq")

    def _compare_numbers(self, term: t.Operation) -> Text:
        if split := self.split(term):
            return self.says(split)
        (sign, turned), (a, b) = _SIGNS[term.op], term.args
        return self.compare(term.op, sign, *((b, a) if turned else (a, b)))

    def _compare_rationals(self, sign: str, a: t.Term, b: t.Term) -> Text:
        return Text(f"({infix(self.rational(a), sign, self.rational(b), COMPARISON).text})%Q")

    def _equal(self, a: t.Term, b: t.Term) -> Text:
        if RATIONAL in (a.type, b.type):
            return self._compare_rationals("==", a, b)
        if a.type == INT:
            return self.says(compare("eq", a, b))
        if a.type == BOOL:
            return infix(self.says(a), "<->", self.says(b), IFF)
        if a.type == PLAYER:
            return infix(self.player(a), "=", self.player(b), COMPARISON)
        if a.type == POSITION:
            return infix(self.position(a), "≡", self.position(b), COMPARISON)
        if a.type == OUTCOME:
            return self._outcome(a, b)
        if a.type == list_of(INT):
            return infix(self.list(a), "=", self.list(b), COMPARISON)
        if a.type.kind == "set":
            return self._equal_sets(a, b)
        raise Unsupported(f"{print_term(a)} has no translation into Coq")

    def _equal_sets(self, a: t.Term, b: t.Term) -> Text:
        kind = items_of(a.type) or INT
        if kind not in KINDS or (kind == INT and not all(holds_naturals(x, self.known_ranges) for x in (a, b))):
            raise Unsupported(f"{print_term(a)} has no translation into Coq")
        name = self.free("t" if kind == POSITION else "x")
        one = t.Variable(kind, 0, 0, f"element {name}")  # not a name of a variable
        inner = self.bind({one.name: Text(name)})
        both = infix(inner.element(one, a), "<->", inner.element(one, b), IFF)
        return Text(f"forall {name} : {KINDS[kind]}, {both.at(BINDER)}", BINDER)

    def _outcome(self, a: t.Term, b: t.Term) -> Text:
        """Return the equality of two outcomes. The outcome of a position says of each player whether he wins there."""
        if isinstance(a, t.Literal):
            a, b = b, a
        match a, b:
            case t.GameCall(function="outcome", game=game), t.Literal(value=value):
                first, second = self._winners(a)
                word = t.OUTCOMES[value]
                if self.rules[game].ruleset.impartial and word in ("P_position", "N_position"):
                    return first if word == "N_position" else negation(first)
                both = (
                    first if word in ("N_position", "first_wins") else negation(first),
                    second if word in ("N_position", "second_wins") else negation(second),
                )
                return join_texts(both, "/\\", AND, "True", "right")
            case t.GameCall(function="outcome"), t.GameCall(function="outcome"):
                parts = (infix(x, "<->", y, IFF) for x, y in zip(self._winners(a), self._winners(b), strict=True))
                return join_texts(parts, "/\\", AND, "True", "right")
        raise Unsupported(f"{print_term(a)} == {print_term(b)} has no translation into Coq")

    def _winners(self, call: t.GameCall) -> tuple[Text, Text]:
        """Return two Coq propositions: the first player wins if he moves first, and the second one if he does."""
        game, s = call.game, self.position(call.args[0])
        wins = self.word("wins", game)
        first, second = (apply(wins, self.games[game], self._player_of(game, i), s) for i in range(2))
        return first, second

    def definition(self, game: Game) -> Text:
        """Return the Coq name of the definition of a game: it belongs to the ruleset, or to this game alone."""
        own = key_of_ruleset(f"{game.ruleset.id} {game.name}")
        return self.names[own if own in self.names else key_of_ruleset(game.ruleset.id)]

    def about_moves(self, game: Game) -> tuple[str, str]:
        """Return the Coq terms for the two lemmas about the moves of a game of the type `game`.

        The first one states that a move makes its heap smaller, the second one that it is decided what a move makes.
        """
        name, of = self.definition(game).text, self.games[game.name]
        smaller, decided = (f"{name}_{what}{of.text.removeprefix(name)}" for what in ("smaller", "decided"))
        return replace(of, text=smaller).argument, replace(of, text=decided).argument

    def word(self, word: str, game: str) -> str:
        """Return the Coq name of a notion such as "wins" for a game of the claim: "wins", "split_wins", "rules_wins".

        It depends on the type of the game in Coq.
        """
        return NOTIONS[type_in_coq(self.rules[game].ruleset)].get(word, word)

    def _player_of(self, game: str, index: int) -> Text:
        """Return the Coq name of the player with this index. Raises Unsupported unless the game has two players.

        In an impartial game with a given number of players, every player has the moves of the first one.
        """
        ruleset = self.rules[game].ruleset
        if ruleset.player_count and ruleset.impartial and index == 0:
            return Text("First")
        if len(self.rules[game].ruleset.players) != 2:
            raise Unsupported(f"{self.rules[game].ruleset.id}: the Coq theory supports only games of two players")
        return self.names[key_of_player(index)]

    def _find_values(self, term: t.Operation) -> list[t.GameCall]:
        """Return the different calls of `value` in a term that have no Coq name yet."""
        calls = (x for x in walk(term) if isinstance(x, t.GameCall) and x.function == "value")
        found = {key_of_question(x): x for x in calls}
        return [x for key, x in found.items() if key not in self.names]

    def _compare_winners(self, term: t.Operation, calls: list[t.GameCall]) -> Text:
        """Return a comparison that contains calls of `value`, the winner counted in turns, as a Coq proposition.

        In Coq, winners are given by a relation. So `value(s, m) < 2` becomes: there is a v that is the winner from s,
        and v < 2. `calls`: the different calls in the comparison. Raises Unsupported if one has no translation.
        """
        inner, known = self, list[tuple[str, Text]]()
        for call in calls:
            name, rules = inner.free("v"), self.rules[call.game]
            players = dict(rules.arguments).get(rules.ruleset.player_count)
            if players is None or not rules.ruleset.impartial or type_in_coq(rules.ruleset) == SPLITTING:
                raise Unsupported(f"{print_term(call)} has no translation into Coq")
            if unknown := [x for x in find_free_names(call) if x not in self.names]:
                # A variable bound inside the comparison is unknown at the place where the value gets its name.
                raise Unsupported(
                    f"{print_term(call)} has no translation into Coq, because it depends on the bound variable "
                    f"{display(unknown[0])}"
                )
            winner, position = self.word("winner", call.game), self.position(call.args[0])
            known.append((name, apply(winner, self.games[call.game], self.natural(players), position, Text(name))))
            inner = inner.bind({key_of_question(call): Text(name)})
        says = inner.says(term)  # in which each call has a name
        for name, wins in reversed(known):
            both = join_texts((wins, says), "/\\", AND, "True", "right")
            says = Text(f"exists {name} : N, {both.at(BINDER)}", BINDER)
        return says

    def number_of_position(self, term: t.Term) -> Text:
        match term:
            case t.GameCall(function="grundy", game=game, args=(s,)):
                for key in (key_of_values(game), GRUNDY):
                    if key in self.names:
                        return apply(self.names[key].text, self.position(s))
            case t.GameCall(function="value") if key_of_question(term) in self.names:
                return self.names[key_of_question(term)]
        return super().number_of_position(term)

    def player(self, term: t.Term) -> Text:
        if isinstance(term, t.Literal) and self.rules:
            return self._player_of(next(iter(self.rules)), term.value)
        return super().player(term)

    def _ask(self, function: str, game: str, args: tuple[t.Term, ...]) -> Text:
        if function == "wins":
            self._player_of(game, 1)  # raises Unsupported unless there are two players
            return apply(self.word("wins", game), self.games[game], self.player(args[1]), self.position(args[0]))
        if function == "legal":
            s, left, mover = args
            move = self.word("move", game)
            return apply(move, self.games[game], self.player(mover), self.position(s), self.position(left))
        if function == "terminal":
            name, move = self.free("t"), self.word("move", game)
            some = apply(move, self.games[game], self.player(args[1]), self.position(args[0]), Text(name))
            return Text(f"forall {name} : position, {negation(some).text}", BINDER)
        raise Unsupported(f"{function} of {game} has no translation into Coq")

    # -- what runs ----------------------------------------------------------------------------------------------------
    def _quantify(self, reducer: str, body: t.Term, clauses: tuple[t.Clause, ...]) -> Text:
        clause, *others = clauses
        if isinstance(clause.source, t.Collection) and t.get_element_type(clause.source) == BOOL:
            return self.says(expand_quantifier(reducer, body, clause, others))
        kind, name, inner, there = self.run(clause)
        met = (there, *(inner.says(x) for x in clause.conditions))
        then = inner._quantify(reducer, body, tuple(others)) if others else inner.says(body)  # noqa: SLF001
        which = f": {kind}"
        if reducer == "any":
            inside = join_texts((*met, then), "/\\", AND, "True", "right")
            return Text(f"exists {name} {which}, {inside.at(BINDER)}", BINDER)
        inside = join_texts((*met, then), "->", ARROW, "True", "right")
        return Text(f"forall {name} {which}, {inside.at(BINDER)}", BINDER)

    def run(self, clause: t.Clause) -> tuple[str, str, Statements, Text]:
        """Return the parts that a quantifier over a clause `x in source` needs.

        They are: the Coq type of x, its Coq name, a writer that knows x, and the condition that x is in the source.
        Raises Unsupported if the elements may be other than natural numbers, positions and players.
        """
        of = t.get_element_type(clause.source)
        kind = KINDS.get(of)
        if kind is None or (of == INT and not holds_naturals(clause.source, self.known_ranges)):
            raise Unsupported(
                f"{print_term(clause.source)} may contain elements other than natural numbers, positions and players"
            )
        name = self.free(display(clause.variable))
        inner = self.bind({clause.variable: Text(name)})
        if of == INT:
            inner.ranges = {**self.ranges, clause.variable: range_of_elements(clause.source, self.known_ranges)}
        return kind, name, inner, inner.element(t.Variable(of, 0, 0, clause.variable), clause.source)

    def element(self, x: t.Term, source: t.Term) -> Text:
        """Return the condition that x is an element of a position, a set or a list, as a Coq proposition.

        Raises Unsupported if the source has no translation.
        """
        match source:
            case _ if source.type == POSITION:
                return infix(self.natural(x, True), "∈", self.position(source), COMPARISON)
            case t.GameCall(function="options", game=game, args=(s, mover)):
                move = self.word("move", game)
                return apply(move, self.games[game], self.player(mover), self.position(s), self.position(x))
            case t.Operation(op="range", args=(a, b)):
                low, high = self.says(compare("le", a, x)), self.says(compare("lt", x, b))
                return join_texts((low, high), "/\\", AND, "True", "right")
            case t.Collection(items=items):
                return join_texts((self._equal(x, y) for y in items), "\\/", OR, "False", "right")
            case t.Comprehension(reducer="set" | "list", body=t.Variable(name=name), clauses=(clause,)) if (
                name == clause.variable
            ):
                inner = self.bind({name: self._element_name(x)})
                parts = (self.element(x, clause.source), *(inner.says(c) for c in clause.conditions))
                return join_texts(parts, "/\\", AND, "True", "right")
            case t.Comprehension(reducer="set" | "list", body=body, clauses=(clause,)):
                kind, name, inner, there = self.run(clause)
                parts = (there, *(inner.says(c) for c in clause.conditions), inner._equal(x, body))  # noqa: SLF001
                inside = join_texts(parts, "/\\", AND, "True", "right")
                return Text(f"exists {name} : {kind}, {inside.at(BINDER)}", BINDER)
        if source.type == list_of(INT):
            return apply("In", self.natural(x), self.list(source))
        raise Unsupported(f"{print_term(source)} has no translation into Coq")

    def _element_name(self, x: t.Term) -> Text:
        return self.position(x) if x.type == POSITION else self.natural(x)


def key_of_ruleset(id: str) -> str:
    """Return the key in `Statements.names` for a definition with this id, which is a ruleset or a game of the claim.

    No variable can have this name.
    """
    return f"ruleset {id}"


def key_of_player(index: int) -> str:
    """Return the key for a player in `Statements.names`. No variable can have this name."""
    return f"player {index}"


def key_of_values(game: str) -> str:
    """Return the key in `Statements.names` for the function that gives the Grundy values of a game of the claim.

    If the claim has only one game, its key may be GRUNDY instead.
    """
    return f"{GRUNDY} in {game}"


def key_of_question(call: t.GameCall) -> str:
    """Return the key for a game call such as `value(s, m)` in `Statements.names`.

    Two calls have the same key if and only if they are equal. Variables in them are compared by their internal names,
    which differ even where printed names are equal.
    """
    return f"question {structural_key(call)!r}"


def expand_quantifier(reducer: str, body: t.Term, clause: t.Clause, others: Sequence[t.Clause]) -> t.Term:
    """Return an `any` or `all` over a list whose items are written as a condition about each item.

    `others`: the clauses after `clause`.
    """
    assert isinstance(clause.source, t.Collection)
    made = list[t.Term]()
    for item in clause.source.items:
        inner = t.Comprehension(BOOL, 0, 0, reducer, body, tuple(others)) if others else body
        *conditions, last = (substitute(x, {clause.variable: item}) for x in (*clause.conditions, inner))
        if reducer == "any":
            made.append(t.AllOf(BOOL, 0, 0, (*conditions, last)))
        else:
            denied = (t.Operation(BOOL, 0, 0, "not", (x,)) for x in conditions)
            made.append(t.AnyOf(BOOL, 0, 0, (*denied, last)))
    return (t.AnyOf if reducer == "any" else t.AllOf)(BOOL, 0, 0, tuple(made))


def negation(stated: Text) -> Text:
    """Return the negation of a Coq proposition."""
    return Text(f"~ {stated.at(NOT)}", NOT)
