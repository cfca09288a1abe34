"""Claims about positions of any number of heaps, as quantifier-free formulas over folds.

A quantifier over moves, `any(body for t in options(s, p))`, becomes a truth value B with what is known of it: if B,
some heap h of s has a legal move to a t with the body (h, the rest and the numbers picked are fresh); and each named
move of the proof that is legal and leads to a t with the body makes B true.  Both are facts whatever B stands under.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from claims.language.expressions import terms as t
from claims.language.expressions.printing import display, text
from claims.language.expressions.types import BOOL, INT, PLAYER, POSITION, set_of
from claims.language.proofs.folds import NamedMove, Proof
from claims.language.statement.claim import Claim, Game
from claims.language.statement.domains import Interval
from claims.language.statement.unfolding import free_names
from encoders.answer import Unsupported
from encoders.logic.moves import HEAP, OpenMove, open_moves
from encoders.logic.paths import Env
from encoders.logic.words import Number, Symbols
from encoders.rules.folds.keys import key_of, negated
from encoders.rules.folds.positions import Fold, Key, Position, alike, of_heaps, same
from encoders.rules.folds.questions import Questions
from encoders.rules.folds.sets import same_sets

# In an Env of this theory a variable stands for a Number, a Position, or an int (a player).
PICKED_HEAP = "h"  # what a named move calls its heap
ANY_HEAP = t.Variable(INT, 0, 0, HEAP)
TRUE = t.Literal(BOOL, 0, 0, 1)


class Theory:
    """One query's worth of symbols: the variables of a claim, its position, and everything derived from them."""

    def __init__(self, claim: Claim, proof: Proof) -> None:
        self.claim, self.proof = claim, proof
        self.context = z3.Context()
        self.symbols = Symbols(self.context, proof.bits)
        self.owed: list[Any] = []  # what is owed here is part of a claim's needs: heaps below the bound
        self.yes = z3.BoolVal(True, self.context)
        self.folds: dict[Key, Fold] = {}
        self.free: list[Position] = []
        self.axioms: list[Any] = []
        self.splits: list[tuple[Any, Position, Position]] = []  # where the first holds, the two positions are the same
        self.questions = Questions()
        self.positions: dict[tuple[str, ...], Position] = {}  # those written down, by their heaps
        self.root: Env = {}
        self.hypotheses: list[tuple[str, Any]] = []  # those of the claim, with their texts
        self.facts_known = True
        self.asked_who_wins = False
        self._declare()
        self.named = {f.name: self._fold_of_term(f.term) for f in proof.folds}
        for name, fold in self.named.items():
            fold.label = name
        self.len = self._fold("count", TRUE, (), HEAP)

    def _declare(self) -> None:
        highest = self.symbols.literal(self.symbols.bound - 1)
        for v in self.claim.variables:
            if v.type == INT and isinstance(v.domain, Interval):
                number, bound = self.symbols.within(v.name, self.number(v.domain.lo, self.root), highest)
                self.axioms.append(bound)
                if v.domain.hi is not None:
                    self.axioms.append(self.symbols.relation("le", number, self.number(v.domain.hi, self.root)))
                self.root[v.name] = number
            elif v.type == POSITION:
                pass  # made when asked for
            else:
                raise Unsupported(f"the variable {v.name} ranges over {v.text}")
        if self.proof.assume is not None:
            self.axioms.append(self.truth(self.proof.assume, self.root))

    # -- positions ----------------------------------------------------------------------------------------------------
    def position(self, name: str) -> Position:
        """A free position: any finite number of heaps, of which every fact of the proof holds."""
        made = Position(name, self.symbols)
        self.free.append(made)
        return made

    def split(self, s: Position, where: Any, name: str) -> tuple[Number, Position]:
        """A heap of s and the rest, where the condition `where` grants that there is one."""
        heap, bound = self.symbols.size(f"heap of {name}", low=1)
        rest = self.position(f"rest of {name}")
        whole = Position(name, self.symbols, (heap, z3.BoolVal(True, self.context), rest))
        self.axioms.append(z3.Implies(where, bound))
        self.splits.append((where, s, whole))
        return heap, rest

    def after(self, rest: Position, size: Number) -> Position:
        """The rest with a heap of `size` beside it; none if that is 0."""
        present = self.symbols.relation("gt", size, self.symbols.literal(0))
        listed = None if rest.listed is None else (*rest.listed, (size, present))
        return Position("after", self.symbols, (size, present, rest), listed=listed)

    def written(self, items: tuple[t.Term, ...], env: Env) -> Position:
        """The position of the heaps that a claim writes down one by one.

        That they are heaps below the bound is an obligation of its own wherever a claim writes one down.  Where it does
        not look at them, they need not be; then they are told as none, so that what is known stays true of positions.
        """
        numbers = [self.number(item, env) for item in items]
        key = tuple(h.as_kind("size").sexpr() for h in numbers)
        if key not in self.positions:
            heaps = [self._heap(h) for h in numbers]
            present = [self.symbols.relation("gt", h, self.symbols.literal(0)) for h in heaps]
            self.positions[key] = of_heaps(self.symbols, "written", tuple(zip(heaps, present, strict=True)))
        return self.positions[key]

    def _heap(self, heap: Number) -> Number:
        """The heap, or 0 where it is not from 0 to below the bound."""
        highest = self.symbols.bound - 1
        if heap.lo >= 0 and heap.hi <= highest:
            return Number("size", heap.as_kind("size"), heap.lo, heap.hi)
        low = self.symbols.relation("ge", heap, self.symbols.literal(0))
        inside = z3.And(low, self.symbols.relation("le", heap, self.symbols.literal(highest)))
        made = self.symbols.choose(inside, heap, self.symbols.literal(0))
        return Number("size", made.as_kind("size"), 0, highest)

    def taken_from(self, s: Position, where: Any) -> list[tuple[Any, Number, Position]]:
        """The ways to single out a heap of s: (whether it is there, the heap, the rest)."""
        if s.listed is None:
            return [(z3.BoolVal(True, self.context), *self.split(s, where, s.name))]
        listed = s.listed
        return [
            (present, heap, of_heaps(self.symbols, "rest", listed[:i] + listed[i + 1 :]))
            for i, (heap, present) in enumerate(listed)
        ]

    def closed(self) -> list[Any]:
        """All that is known: the axioms, the splits, the facts of every free position if known. To be called last."""
        answers = self.questions.answers()  # may name folds and splits of its own, so it comes first
        known = [*self.axioms, *answers]
        for where, s, whole in self.splits:
            equal = [same(self.symbols, s.fold(f), whole.fold(f)) for f in self.folds.values()]
            known.append(z3.Implies(where, z3.And(*equal)))
        for position in self.free:
            for fold in self.folds.values():
                position.fold(fold)
            known += position.bounds
            if self.facts_known:
                known += [self.fact(term, position) for _, term in self.proof.facts]
        return known

    def fact(self, term: t.Term, position: Position) -> Any:
        """A fact of the proof, said of a position."""
        return self.truth(term, self.seen(position))

    def loses(self, position: Position, player: int) -> Any:
        """The invariant: the player, to move at the position, loses. Raises Unsupported where the proof has none."""
        if len(self.claim.games) != 1:
            raise Unsupported("an invariant of one game, in a claim about several")
        (game,) = self.claim.games
        table = dict(self.proof.loses)
        who = 0 if game.ruleset.impartial else player
        if who not in table:
            raise Unsupported("the claim asks who wins, and the proof has no [proof.loses]")
        return self.truth(table[who], self.seen(position))

    def seen(self, position: Position) -> Env:
        """The names of the proof's folds, with their values at a position."""
        return self.root | {name: position.fold(fold) for name, fold in self.named.items()}

    # -- folds --------------------------------------------------------------------------------------------------------
    def _fold_of_term(self, term: t.Term) -> Fold:
        match term:
            case t.Comprehension(reducer="nim_sum" | "count" as reducer, body=body, clauses=(clause,)):
                if clause.source.type == POSITION:
                    return self._fold(reducer, body, clause.conditions, clause.variable)
            case t.Operation(op="nim_sum", args=(source,)) if source.type == POSITION:
                return self._fold("nim_sum", ANY_HEAP, (), HEAP)
            case t.Operation(op="len", args=(source,)) if source.type == POSITION:
                return self._fold("count", TRUE, (), HEAP)
            case t.Operation(op="occurrences", args=(source, item)) if source.type == POSITION:
                return self._fold("count", t.Operation(BOOL, 0, 0, "eq", (ANY_HEAP, item)), (), HEAP)
        raise Unsupported(f"{text(term)} is no fold that the proof rule knows")

    def _fold(self, reducer: str, body: t.Term, conditions: tuple[t.Term, ...], heap: str) -> Fold:
        """The fold of these terms, in which `heap` runs over the heaps.

        A fold is one number of a position: besides its heap it may mention the claim's integers alone, and all of it
        must have a meaning for any heap.  It is tried on one, for on a position whose heaps are not known nobody will.
        Raises Unsupported.
        """
        key = key_of(reducer, body, conditions, heap)
        if key in self.folds:
            return self.folds[key]
        for x in (*conditions, body):
            for name in free_names(x, frozenset((heap,))):
                if name not in self.root:
                    raise Unsupported(f"{text(x)} is no fold: it mentions {display(name)}")
        tests = [*conditions, body] if reducer == "count" else list(conditions)

        def contributes(h: Number) -> Any:
            env = self.root | {heap: h}
            return z3.And(*(self.truth(x, env) for x in tests), z3.BoolVal(True, self.context))

        def of(h: Number) -> Number:
            return self.number(body, self.root | {heap: h})

        probe, _ = self.symbols.size("probe", low=1)
        contributes(probe)
        if reducer == "nim_sum":
            value = of(probe)
            if value.kind == "count" or value.lo < 0 or value.hi >= self.symbols.bound:
                raise Unsupported(f"the nim-sum of {text(body)}: its terms may leave 0 .. 2^{self.proof.bits} - 1")
        plain = reducer == "nim_sum" and not conditions and isinstance(body, t.Variable) and body.name == heap
        self.folds[key] = Fold(key, f"fold {len(self.folds) + 1}", reducer, contributes, of, plain)
        return self.folds[key]

    # -- terms --------------------------------------------------------------------------------------------------------
    def number(self, term: t.Term, env: Env) -> Number:
        """An Int as a number."""
        match term:
            case t.Literal(value=value):
                return self.symbols.literal(value)
            case t.Variable(name=name):
                found = env.get(name)
                if isinstance(found, Number):
                    return found
            case t.IfElse(condition=c, then=x, other=y):
                return self.symbols.choose(self.truth(c, env), self.number(x, env), self.number(y, env))
            case t.Operation(op="add" | "sub" | "mul" | "mod" | "nim" as op, args=(a, b)):
                made: Number = getattr(self.symbols, op)(self.number(a, env), self.number(b, env))
                return made
            case t.Operation(op="neg", args=(a,)):
                return self.symbols.neg(self.number(a, env))
            case t.Operation(op="largest" | "smallest" as op, args=(first, *others)):
                best = self.number(first, env)
                for x in others:
                    other = self.number(x, env)
                    sign = "ge" if op == "largest" else "le"
                    best = self.symbols.choose(self.symbols.relation(sign, best, other), best, other)
                return best
            case t.Comprehension(clauses=(clause,)) if clause.source.type == POSITION:
                return self.position_of(clause.source, env).fold(self._fold_of_term(term))
            case t.Operation(op="nim_sum" | "len" | "occurrences", args=(source, *_)) if source.type == POSITION:
                return self.position_of(source, env).fold(self._fold_of_term(term))
        raise Unsupported(f"{text(term)} has no translation into folds")

    def truth(self, term: t.Term, env: Env) -> Any:
        """A Bool as a Z3 expression."""
        match term:
            case t.Literal(value=value):
                return z3.BoolVal(bool(value), self.context)
            case t.Variable(name=name) if z3.is_bool(env.get(name)):
                return env[name]
            case t.AllOf(args=args):
                return z3.And(*(self.truth(x, env) for x in args))
            case t.AnyOf(args=args):
                return z3.Or(*(self.truth(x, env) for x in args))
            case t.IfElse(condition=c, then=x, other=y):
                return z3.If(self.truth(c, env), self.truth(x, env), self.truth(y, env))
            case t.Operation(op="not", args=(x,)):
                return z3.Not(self.truth(x, env))
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == PLAYER:
                same_player = self.player(a, env) == self.player(b, env)
                return z3.BoolVal(same_player if op == "eq" else not same_player, self.context)
            case t.Operation(
                op="eq" | "ne" as op, args=(t.GameCall(function="outcome", args=(s,)), t.Literal(value=v))
            ):
                found = self._outcome(v, self.position_of(s, env))
                return found if op == "eq" else z3.Not(found)
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == BOOL:
                x, y = self.truth(a, env), self.truth(b, env)
                return x == y if op == "eq" else x != y
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == set_of(POSITION):
                equal = same_sets(self, a, b, env)
                return equal if op == "eq" else z3.Not(equal)
            case t.Operation(op="eq" | "ne" | "lt" | "le" | "gt" | "ge" as op, args=(a, b)) if a.type == INT:
                return self.symbols.relation(op, self.number(a, env), self.number(b, env))
            case t.Comprehension(reducer="any" | "all", clauses=(clause,)):
                return self._quantified(term, clause, env)
            case t.GameCall(function="legal", game=name, args=(s, after, mover)):
                wanted = self.position_of(after, env)
                return self._option_that(
                    self.claim.game(name), self.position_of(s, env), self.player(mover, env), lambda o: alike(o, wanted)
                )
            case t.GameCall(function="wins", args=(s, mover)):
                self.asked_who_wins = True
                return z3.Not(self.loses(self.position_of(s, env), self.player(mover, env)))
        raise Unsupported(f"{text(term)} has no translation into folds")

    def _outcome(self, outcome: int, s: Position) -> Any:
        """Whether s has that outcome: an index into OUTCOMES."""
        self.asked_who_wins = True
        first, second = (self.loses(s, player) for player in (0, 1))  # each with himself to move
        return {
            "P_position": z3.And(first, second),
            "N_position": z3.And(z3.Not(first), z3.Not(second)),
            "first_wins": z3.And(z3.Not(first), second),
            "second_wins": z3.And(first, z3.Not(second)),
        }[t.OUTCOMES[outcome]]

    def player(self, term: t.Term, env: Env) -> int:
        """A player's index; it must be known outright."""
        if isinstance(term, t.Literal):
            return term.value
        if isinstance(term, t.Variable) and isinstance(env.get(term.name), int):
            return int(env[term.name])
        raise Unsupported(f"the player {text(term)} is not named outright")

    def position_of(self, term: t.Term, env: Env) -> Position:
        if isinstance(term, t.Variable) and isinstance(env.get(term.name), Position):
            found: Position = env[term.name]
            return found
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                return self.written(items, env)
        raise Unsupported(f"{text(term)} is no position that the proof rule knows")

    # -- quantifiers --------------------------------------------------------------------------------------------------
    def _quantified(self, term: t.Comprehension, clause: t.Clause, env: Env) -> Any:
        universal = term.reducer == "all"
        body = negated(term.body) if universal else term.body
        if clause.source.type == POSITION:
            fold = self._fold("count", body, clause.conditions, clause.variable)
            found = self.symbols.relation(
                "ge", self.position_of(clause.source, env).fold(fold), self.symbols.literal(1)
            )
        elif isinstance(clause.source, t.GameCall) and clause.source.function == "options":
            found = self._some_option(clause, clause.source, body, env)
        else:
            raise Unsupported(f"{text(clause.source)} is neither a position nor the options of one")
        return z3.Not(found) if universal else found

    def _some_option(self, clause: t.Clause, source: t.GameCall, body: t.Term, env: Env) -> Any:
        def fits(option: Position) -> Any:
            inner = env | {clause.variable: option}
            return z3.And(*(self.truth(c, inner) for c in clause.conditions), self.truth(body, inner))

        s, mover = self.position_of(source.args[0], env), self.player(source.args[1], env)
        return self._option_that(self.claim.game(source.game), s, mover, fits)

    def _option_that(self, game: Game, s: Position, mover: int, fits: Callable[[Position], Any]) -> Any:
        """A truth value for: some option of s fits."""
        exists = self.symbols.truth("some option")
        moves = playable(game, mover)
        at, is_new = self.questions.about(s, mover, game.name)
        if is_new:
            for named in self.proof.moves:
                if named.player in (None, mover) and len(moves) == 1:
                    for where, heap, rest in self.picked(named, s):
                        legal, size, made = self.played(moves[0], heap, self.take(named, s, heap))
                        self.axioms.append(z3.Implies(z3.And(where, legal), made))
                        self.questions.name(at, z3.And(where, legal), self.after(rest, size))
        # If it holds, there is such an option, by one of the moves.
        ways = []
        for move in moves:
            whole = self.symbols.truth("by this move")
            for there, heap, rest in self.taken_from(s, whole):
                way = whole if s.listed is None else self.symbols.truth("by this heap")
                legal, size, made = self.played(move, heap, None)
                option = self.after(rest, size)
                self.axioms.append(z3.Implies(way, z3.And(there, legal, made, fits(option))))
                self.questions.name(at, way, option)
                ways.append(way)
        self.axioms.append(z3.Implies(exists, z3.Or(*ways, z3.BoolVal(False, self.context))))
        self.questions.ask(at, exists, fits)
        return exists

    # -- moves --------------------------------------------------------------------------------------------------------
    def picked(self, named: NamedMove, s: Position) -> list[tuple[Any, Number, Position]]:
        """The ways to make a named move at s: (where it may be made, the heap picked there, the rest)."""
        premise, property_ = self.pick(named, s)
        where = z3.And(self.truth(named.when, self.seen(s)), premise)
        found = self.taken_from(s, where)
        if s.listed is not None:
            return [(z3.And(where, there, property_(heap)), heap, rest) for there, heap, rest in found]
        ((_, heap, rest),) = found
        self.axioms.append(z3.Implies(where, property_(heap)))
        return [(where, heap, rest)]

    def pick(self, named: NamedMove, s: Position) -> tuple[Any, Any]:
        """The premise of the pick at s, and what it grants of the heap: trusted facts, see docs/proof-rules.md."""
        if named.top_bit:
            fold = self.named.get(named.top_bit)
            if fold is None or fold.reducer != "nim_sum":
                raise Unsupported(f"{named.top_bit} is no nim-sum")
            whole = s.fold(fold)

            def at_top_bit(h: Number) -> Any:
                lower = self.symbols.relation("lt", self.symbols.nim(fold.of(h), whole), fold.of(h))
                return z3.And(fold.contributes(h), lower)

            return self.symbols.relation("ne", whole, self.symbols.literal(0)), at_top_bit
        if named.having is None:
            count = self.len
        else:
            count = self._fold("count", named.having, (), PICKED_HEAP)
        premise = self.symbols.relation("ge", s.fold(count), self.symbols.literal(1))
        return premise, count.contributes

    def take(self, named: NamedMove, s: Position, heap: Number) -> dict[str, Number]:
        env = self.seen(s) | {PICKED_HEAP: heap}
        return {name: self.number(term, env) for name, term in named.take}

    def reply(self, named: NamedMove, game: Game, mover: int, s: Position) -> tuple[Any, Any, Any, Any, Position]:
        """A named move at s: (premise of its pick, where it is made, legal, size fact, position after)."""
        premise, _ = self.pick(named, s)
        ((where, heap, rest),) = self.picked(named, s)
        legal, size, made = self.played(playable(game, mover)[0], heap, self.take(named, s, heap))
        return premise, where, legal, made, self.after(rest, size)

    def played(self, move: OpenMove, heap: Number, take: dict[str, Number] | None) -> tuple[Any, Number, Any]:
        """A move on `heap`: (it is legal, the new size, the condition that the size is what the rules make of it).

        `take` None: the numbers picked are free within their ranges.  The new size is a fresh size; that a legal move
        leaves one, and none below 0, is an obligation of its own (measure).
        """
        env: Env = self.root | {HEAP: heap}
        legal = []
        for pick in move.picks:
            low, high = self.number(pick.lo, env), self.number(pick.hi, env)
            if take is None:
                env[pick.name], inside = self.symbols.within(pick.word, low, high)
                legal.append(inside)
                continue
            if pick.word not in take:
                raise Unsupported(f"a named move does not say what {pick.word} is")
            env[pick.name] = take[pick.word]
            legal.append(self.symbols.relation("ge", env[pick.name], low))
            legal.append(self.symbols.relation("le", env[pick.name], high))
        if move.where is not None:
            legal.append(self.truth(move.where, env))
        size, bound = self.symbols.size("new size")
        made = z3.And(bound, self.symbols.relation("eq", size, self.number(move.become, env)))
        return z3.And(*legal, z3.BoolVal(True, self.context)), size, made

    def element(self, source: t.Term | None, env: Env) -> tuple[Number | Position, Any]:
        """Something that runs over `source`, and that it does; over None, over all heaps. Raises Unsupported.

        The options of a position are told as any positions: what holds of all holds of them.
        """
        if source is None:
            return self.symbols.size("heap", low=1)
        if source.type == set_of(POSITION):
            return self.position("element"), self.yes
        match source:
            case t.Operation(op="range", args=(low, after)):
                last = self.symbols.sub(self.number(after, env), self.symbols.literal(1))
                return self.symbols.within("element", self.number(low, env), last)
        if source.type != POSITION:
            raise Unsupported(f"{text(source)} is no collection that the proof rule knows")
        s = self.position_of(source, env)
        if s.listed is None:
            return self.split(s, self.yes, s.name)[0], self.yes
        heap, bound = self.symbols.size("heap", low=1)
        some = (z3.And(present, self.symbols.relation("eq", heap, h)) for h, present in s.listed)
        return heap, z3.And(bound, z3.Or(*some, z3.BoolVal(False, self.context)))


def playable(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The moves of a game that the rule can follow. Raises Unsupported for others."""
    if any(m.choose != "any" for m in game.ruleset.moves):
        raise Unsupported(f"{game.ruleset.id}: the rule follows moves that take from any one heap")
    return open_moves(game, mover)
