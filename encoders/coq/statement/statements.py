"""Conditions of the claim language as propositions of Coq: who wins, options, heaps, sets of positions.

A position is a list of heaps of which the order and the zeros mean nothing: `≡` where the language has `==`.  A set of
positions is what holds of its elements, so two of them are equal if the same positions are in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from claims.language.expressions.printing import display, print_term
from claims.language.expressions.walk import free_names, structural_key, walk
from claims.language.statement.claim import Game
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, OUTCOME, PLAYER, POSITION, items_of
from encoders.coq.statement.numbers import GRUNDY, CoqInteger, CoqNumberWriter, total
from encoders.coq.statement.ranges import holds_naturals
from encoders.coq.statement.writing import AND, ARROW, BINDER, COMPARISON, IFF, NOT, OR, SUM, Text, apply, chain, infix
from encoders.ground.refusals import Unsupported

_SIGNS = {"eq": ("=", False), "ne": ("<>", False), "lt": ("<", False)}
_SIGNS |= {"le": ("<=", False), "gt": ("<", True), "ge": ("<=", True)}


@dataclass
class Statements(CoqNumberWriter):
    """Writes propositions.  `games`: each game of the claim as Coq text; `rules`: those games.

    `differences`: what must be shown so that no difference that is written is cut off at 0; None: none is written.
    In `names` are rulesets, players and questions that have a name as well, by `key_of_ruleset`, `key_of_player` and
    `key_of_question`, so that nothing else is called as they are.
    """

    games: Mapping[str, Text] = field(default_factory=dict)
    rules: Mapping[str, Game] = field(default_factory=dict)
    differences: dict[str, None] | None = None

    def bind(self, more: Mapping[str, Text]) -> Statements:
        return Statements({**self.names, **more}, self.folds, self.ranges, self.games, self.rules, self.differences)

    def difference(self, found: CoqInteger, term: t.Term) -> Text:
        """Coq's difference of natural numbers, which is cut off at 0; that it is not is noted, to be shown."""
        if self.differences is None:
            return super().difference(found, term)
        plus, minus = total(found.plus), total(found.minus)
        self.differences[f"{minus.at(COMPARISON - 1)} <= {plus.at(COMPARISON - 1)}"] = None
        return infix(plus, "-", minus, SUM, "left")

    def says(self, term: t.Term) -> Text:
        """The condition. Raises Unsupported."""
        if isinstance(term, t.Operation) and term.op in _SIGNS and (calls := self._find_values(term)):
            return self._of_winners(term, calls)
        match term:
            case t.Literal(value=value) if term.type == BOOL:
                return Text("True" if value else "False")
            case t.AllOf(args=args):
                return chain(map(self.says, args), "/\\", AND, "True", "right")
            case t.AnyOf(args=(t.Operation(op="not", args=(condition,)), then)):
                return infix(self.says(condition), "->", self.says(then), ARROW, "right")
            case t.AnyOf(args=args):
                return chain(map(self.says, args), "\\/", OR, "False", "right")
            case t.IfElse(condition=c, then=a, other=b) if term.type == BOOL:
                met, unmet = self.says(c), negation(self.says(c))
                parts = (infix(met, "->", self.says(a), ARROW), infix(unmet, "->", self.says(b), ARROW))
                return chain(parts, "/\\", AND, "True", "right")
            case t.Operation(op="not", args=(a,)):
                return negation(self.says(a))
            case t.Operation(op="eq" | "ne" as op, args=(a, b)):
                found = self._equal(op, a, b)
                return found if op == "eq" or a.type == INT else negation(found)
            case t.Operation(op=op, args=(a, b)) if op in _SIGNS and a.type == INT:
                sign, turned = _SIGNS[op]
                return self.compare(op, sign, *((b, a) if turned else (a, b)))
            case t.Operation(op="in", args=(x, source)):
                return self.element(x, source)
            case t.Comprehension(reducer="any" | "all" as reducer, body=body, clauses=clauses):
                return self._quantify(reducer, body, clauses)
            case t.GameCall(function=function, game=game, args=args):
                return self._ask(function, game, args)
        raise Unsupported(f"{print_term(term)} has no translation into a proposition of Coq")

    def _equal(self, op: str, a: t.Term, b: t.Term) -> Text:
        if a.type == INT:
            return self.compare(op, _SIGNS[op][0], a, b)
        if a.type == BOOL:
            return infix(self.says(a), "<->", self.says(b), IFF)
        if a.type == PLAYER:
            return infix(self.player(a), "=", self.player(b), COMPARISON)
        if a.type == POSITION:
            return infix(self.position(a), "≡", self.position(b), COMPARISON)
        if a.type == OUTCOME:
            return self._outcome(a, b)
        if a.type.kind == "set" and items_of(a.type) == POSITION:
            name = self.free("t")
            one = t.Variable(POSITION, 0, 0, f"element {name}")  # no variable of the claim has a name like this
            inner = self.bind({one.name: Text(name)})
            both = infix(inner.element(one, a), "<->", inner.element(one, b), IFF)
            return Text(f"forall {name} : position, {both.at(BINDER)}", BINDER)
        raise Unsupported(f"{print_term(a)} has no translation into Coq")

    def _outcome(self, a: t.Term, b: t.Term) -> Text:
        match (a, b) if isinstance(b, t.Literal) else (b, a):
            case (t.GameCall(function="outcome", game=game, args=(s,)), t.Literal(value=value)):
                if self.rules[game].ruleset.impartial and t.OUTCOMES[value] in ("P_position", "N_position"):
                    wins = apply(self.word("wins", game), self.games[game], self._player_of(game, 0), self.position(s))
                    return wins if t.OUTCOMES[value] == "N_position" else negation(wins)
        raise Unsupported(f"{print_term(a)} == {print_term(b)} has no translation into Coq")

    def word(self, word: str, game: str) -> str:
        """What the theory calls it for a game of this type."""
        splits = any(len(move.become) != 1 for move in self.rules[game].ruleset.moves)
        return f"split_{word}" if splits else word

    def _player_of(self, game: str, index: int) -> Text:
        """A player of a game of two players by his name. Raises Unsupported."""
        if len(self.rules[game].ruleset.players) != 2:
            raise Unsupported(f"{self.rules[game].ruleset.id}: the theory has games of two players")
        return self.names[key_of_player(index)]

    def _find_values(self, term: t.Operation) -> list[t.GameCall]:
        """The values of n players that a comparison of numbers asks for and that have no name yet, each once."""
        calls = (x for x in walk(term) if isinstance(x, t.GameCall) and x.function == "value")
        found = {key_of_question(x): x for x in calls}
        return [x for key, x in found.items() if key not in self.names]

    def _of_winners(self, term: t.Operation, calls: list[t.GameCall]) -> Text:
        """The comparison, of numbers that are the values; there is just one each. Raises Unsupported."""
        inner, known = self, list[tuple[str, Text]]()
        for call in calls:
            name, rules = inner.free("v"), self.rules[call.game]
            players = dict(rules.arguments).get(rules.ruleset.player_count)
            if players is None or not rules.ruleset.impartial or self.word("winner", call.game) != "winner":
                raise Unsupported(f"{print_term(call)} has no translation into Coq")
            if unknown := [x for x in free_names(call) if x not in self.names]:
                # What runs inside the comparison is not known where the value gets its name.
                raise Unsupported(
                    f"{print_term(call)} runs with {display(unknown[0])}, which has no translation into Coq"
                )
            position, number = self.position(call.args[0]), self.natural(players)
            known.append((name, apply("winner", self.games[call.game], number, position, Text(name))))
            inner = inner.bind({key_of_question(call): Text(name)})
        says = inner.says(term)
        for name, winner in reversed(known):
            both = chain((winner, says), "/\\", AND, "True", "right")
            says = Text(f"exists {name} : N, {both.at(BINDER)}", BINDER)
        return says

    def of_position(self, term: t.Term) -> Text:
        match term:
            case t.GameCall(function="grundy", args=(s,)) if GRUNDY in self.names:
                return apply(self.names[GRUNDY].text, self.position(s))
            case t.GameCall(function="value") if key_of_question(term) in self.names:
                return self.names[key_of_question(term)]
        return super().of_position(term)

    def player(self, term: t.Term) -> Text:
        if isinstance(term, t.Literal) and self.rules:
            return self._player_of(next(iter(self.rules)), term.value)
        return super().player(term)

    def _ask(self, function: str, game: str, args: tuple[t.Term, ...]) -> Text:
        if function == "wins":
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
        kind, name, inner, there = self.run(clause)
        met = (there, *(inner.says(x) for x in clause.conditions))
        then = inner._quantify(reducer, body, tuple(others)) if others else inner.says(body)  # noqa: SLF001
        which = f": {kind}"
        if reducer == "any":
            inside = chain((*met, then), "/\\", AND, "True", "right")
            return Text(f"exists {name} {which}, {inside.at(BINDER)}", BINDER)
        inside = chain((*met, then), "->", ARROW, "True", "right")
        return Text(f"forall {name} {which}, {inside.at(BINDER)}", BINDER)

    def run(self, clause: t.Clause) -> tuple[str, str, Statements, Text]:
        """What runs there: its type and name in Coq, what knows it, and that it is an element. Raises Unsupported."""
        kind = {INT: "N", POSITION: "position", PLAYER: "player"}.get(t.running_type(clause.source))
        if kind is None or (kind == "N" and not holds_naturals(clause.source, self.known_ranges)):
            raise Unsupported(
                f"{print_term(clause.source)} may hold something else than natural numbers, positions, players"
            )
        name = self.free(display(clause.variable))
        inner = self.bind({clause.variable: Text(name)})
        this = t.Variable(t.running_type(clause.source), 0, 0, clause.variable)
        return kind, name, inner, inner.element(this, clause.source)

    def element(self, x: t.Term, source: t.Term) -> Text:
        """That x is in a position, a set or a list. Raises Unsupported."""
        match source:
            case _ if source.type == POSITION:
                return infix(self.natural(x), "∈", self.position(source), COMPARISON)
            case t.GameCall(function="options", game=game, args=(s, mover)):
                move = self.word("move", game)
                return apply(move, self.games[game], self.player(mover), self.position(s), self.position(x))
            case t.Operation(op="range", args=(a, b)):
                low, high = self.compare("le", "<=", a, x), self.compare("lt", "<", x, b)
                return chain((low, high), "/\\", AND, "True", "right")
            case t.Collection(items=items):
                return chain((self._equal("eq", x, y) for y in items), "\\/", OR, "False", "right")
            case t.Comprehension(reducer="set" | "list", body=t.Variable(name=name), clauses=(clause,)) if (
                name == clause.variable
            ):
                inner = self.bind({name: self._element_name(x)})
                parts = (self.element(x, clause.source), *(inner.says(c) for c in clause.conditions))
                return chain(parts, "/\\", AND, "True", "right")
            case t.Comprehension(reducer="set" | "list", body=body, clauses=(clause,)):
                kind, name, inner, there = self.run(clause)
                parts = (there, *(inner.says(c) for c in clause.conditions), inner._equal("eq", x, body))  # noqa: SLF001
                inside = chain(parts, "/\\", AND, "True", "right")
                return Text(f"exists {name} : {kind}, {inside.at(BINDER)}", BINDER)
        raise Unsupported(f"{print_term(source)} has no translation into Coq")

    def _element_name(self, x: t.Term) -> Text:
        return self.position(x) if x.type == POSITION else self.natural(x)


def key_of_ruleset(id: str) -> str:
    """The key of a ruleset among names, none of a variable."""
    return f"ruleset {id}"


def key_of_player(index: int) -> str:
    """The key of a player among names, none of a variable."""
    return f"player {index}"


def key_of_question(call: t.GameCall) -> str:
    """The key of what a question asks for among names: the same for two exactly if they ask the same.

    A name that runs around it counts as itself, not by how it is printed.
    """
    return f"question {structural_key(call)!r}"


def negation(stated: Text) -> Text:
    """Not that."""
    return Text(f"~ {stated.at(NOT)}", NOT)
