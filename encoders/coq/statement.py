"""The statement of the Coq theorem for a claim, without its proof: games, variables, and the claim as a proposition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from claims.language.files.claim import Claim, Game, unfold_claim
from claims.language.files.domains import ElementsOf, IntervalDomain, Players, Positions
from claims.language.files.games import state_bounds
from claims.language.files.rulesets import Move, Pick, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.printing import display, find_free_names, print_term, structural_key, substitute, walk
from claims.language.syntax.terms import BOOL, INT, OUTCOME, PLAYER, POSITION, items_of
from encoders.coq.numbers import GRUNDY, GRUNDY_NAME, CoqInteger, CoqNumberWriter, holds_naturals, total
from encoders.coq.writing import (
    AND,
    ARROW,
    BINDER,
    COMPARISON,
    GLOBAL,
    IFF,
    NOT,
    OR,
    SUM,
    Text,
    apply,
    comment,
    infix,
    join_texts,
    name_in_coq,
)
from encoders.logic.definedness import DefinednessCondition, Guard, Over, Path, measure, needs_of_claim, needs_of_game
from encoders.logic.intervals import Interval as Between
from encoders.logic.moves import open_several
from encoders.logic.sequents import at_least, integer
from encoders.refusals import Unsupported
from encoders.rules.base.normal_form import evaluate_members, map_terms, name_members, normal_game

# == statements =======================================================================================================
# Conditions of the claim language as propositions in Coq: winners, options, heaps, sets of positions.
#
# A position is a list of heaps. The order of the heaps and zeros do not matter, so `==` of the claim language becomes
# `≡`. A set of positions is a predicate, and two sets are equal if they have the same elements.
_SIGNS = {"eq": ("=", False), "ne": ("<>", False), "lt": ("<", False)}
_SIGNS |= {"le": ("<=", False), "gt": ("<", True), "ge": ("<=", True)}


@dataclass
class Statements(CoqNumberWriter):
    """A writer of conditions of the claim language as Coq propositions.

    `games`: the Coq text of each game of the claim, by its name in the claim.
    `rules`: each game with its ruleset and arguments, by the same name.
    `differences`: collects conditions a <= b for the subtractions b - a in the text. In Coq, b - a is 0 if a > b, so
    the proof must show these conditions. None: subtractions are not allowed.

    `names` also contains the Coq names of rulesets, players, and calls such as `value(s, m)` that have a name. Their
    keys are the results of `key_of_ruleset`, `key_of_player` and `key_of_question`.
    """

    games: Mapping[str, Text] = field(default_factory=dict)
    rules: Mapping[str, Game] = field(default_factory=dict)
    differences: dict[str, None] | None = None

    def bind(self, more: Mapping[str, Text]) -> Statements:
        return Statements({**self.names, **more}, self.folds, self.ranges, self.games, self.rules, self.differences)

    def difference(self, found: CoqInteger, term: t.Term) -> Text:
        """Return a difference of two sums as a subtraction of natural numbers in Coq.

        Add to `differences` the condition that the result is not negative. Raises Unsupported if subtractions are not
        allowed. `term`: the term that is written, for the message.
        """
        if self.differences is None:
            return super().difference(found, term)
        plus, minus = total(found.plus), total(found.minus)
        self.differences[f"{minus.at(COMPARISON - 1)} <= {plus.at(COMPARISON - 1)}"] = None
        return infix(plus, "-", minus, SUM, "left")

    def says(self, term: t.Term) -> Text:
        """Return a condition as a Coq proposition. Raises Unsupported if it has no translation."""
        if isinstance(term, t.Operation) and term.op in _SIGNS and (calls := self._find_values(term)):
            return self._compare_winners(term, calls)
        match term:
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
            one = t.Variable(POSITION, 0, 0, f"element {name}")  # not a name of a variable
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
        """Return the Coq name of a notion such as "wins", for a game of the claim.

        The Coq theory has another notion for games in which a heap may become several heaps or none: "split_wins".
        """
        splits = any(len(move.become) != 1 for move in self.rules[game].ruleset.moves)
        return f"split_{word}" if splits else word

    def _player_of(self, game: str, index: int) -> Text:
        """Return the Coq name of the player with this index. Raises Unsupported unless the game has two players."""
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
            if players is None or not rules.ruleset.impartial or self.word("winner", call.game) != "winner":
                raise Unsupported(f"{print_term(call)} has no translation into Coq")
            if unknown := [x for x in find_free_names(call) if x not in self.names]:
                # A variable bound inside the comparison is unknown at the place where the value gets its name.
                raise Unsupported(
                    f"{print_term(call)} has no translation into Coq, because it depends on the bound variable "
                    f"{display(unknown[0])}"
                )
            position, number = self.position(call.args[0]), self.natural(players)
            known.append((name, apply("winner", self.games[call.game], number, position, Text(name))))
            inner = inner.bind({key_of_question(call): Text(name)})
        says = inner.says(term)
        for name, winner in reversed(known):
            both = join_texts((winner, says), "/\\", AND, "True", "right")
            says = Text(f"exists {name} : N, {both.at(BINDER)}", BINDER)
        return says

    def number_of_position(self, term: t.Term) -> Text:
        match term:
            case t.GameCall(function="grundy", args=(s,)) if GRUNDY in self.names:
                return apply(self.names[GRUNDY].text, self.position(s))
            case t.GameCall(function="value") if key_of_question(term) in self.names:
                return self.names[key_of_question(term)]
        return super().number_of_position(term)

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
            inside = join_texts((*met, then), "/\\", AND, "True", "right")
            return Text(f"exists {name} {which}, {inside.at(BINDER)}", BINDER)
        inside = join_texts((*met, then), "->", ARROW, "True", "right")
        return Text(f"forall {name} {which}, {inside.at(BINDER)}", BINDER)

    def run(self, clause: t.Clause) -> tuple[str, str, Statements, Text]:
        """Return the parts that a quantifier over a clause `x in source` needs.

        They are: the Coq type of x, its Coq name, a writer that knows x, and the condition that x is in the source.
        Raises Unsupported if the elements may be other than natural numbers, positions and players.
        """
        kind = {INT: "N", POSITION: "position", PLAYER: "player"}.get(t.get_element_type(clause.source))
        if kind is None or (kind == "N" and not holds_naturals(clause.source, self.known_ranges)):
            raise Unsupported(
                f"{print_term(clause.source)} may contain elements other than natural numbers, positions and players"
            )
        name = self.free(display(clause.variable))
        inner = self.bind({clause.variable: Text(name)})
        this = t.Variable(t.get_element_type(clause.source), 0, 0, clause.variable)
        return kind, name, inner, inner.element(this, clause.source)

    def element(self, x: t.Term, source: t.Term) -> Text:
        """Return the condition that x is an element of a position, a set or a list, as a Coq proposition.

        Raises Unsupported if the source has no translation.
        """
        match source:
            case _ if source.type == POSITION:
                return infix(self.natural(x), "∈", self.position(source), COMPARISON)
            case t.GameCall(function="options", game=game, args=(s, mover)):
                move = self.word("move", game)
                return apply(move, self.games[game], self.player(mover), self.position(s), self.position(x))
            case t.Operation(op="range", args=(a, b)):
                low, high = self.compare("le", "<=", a, x), self.compare("lt", "<", x, b)
                return join_texts((low, high), "/\\", AND, "True", "right")
            case t.Collection(items=items):
                return join_texts((self._equal("eq", x, y) for y in items), "\\/", OR, "False", "right")
            case t.Comprehension(reducer="set" | "list", body=t.Variable(name=name), clauses=(clause,)) if (
                name == clause.variable
            ):
                inner = self.bind({name: self._element_name(x)})
                parts = (self.element(x, clause.source), *(inner.says(c) for c in clause.conditions))
                return join_texts(parts, "/\\", AND, "True", "right")
            case t.Comprehension(reducer="set" | "list", body=body, clauses=(clause,)):
                kind, name, inner, there = self.run(clause)
                parts = (there, *(inner.says(c) for c in clause.conditions), inner._equal("eq", x, body))  # noqa: SLF001
                inside = join_texts(parts, "/\\", AND, "True", "right")
                return Text(f"exists {name} : {kind}, {inside.at(BINDER)}", BINDER)
        raise Unsupported(f"{print_term(source)} has no translation into Coq")

    def _element_name(self, x: t.Term) -> Text:
        return self.position(x) if x.type == POSITION else self.natural(x)


def key_of_ruleset(id: str) -> str:
    """Return the key for a ruleset in `Statements.names`. No variable can have this name."""
    return f"ruleset {id}"


def key_of_player(index: int) -> str:
    """Return the key for a player in `Statements.names`. No variable can have this name."""
    return f"player {index}"


def key_of_question(call: t.GameCall) -> str:
    """Return the key for a game call such as `value(s, m)` in `Statements.names`.

    Two calls have the same key if and only if they are equal. Variables in them are compared by their internal names,
    which differ even where printed names are equal.
    """
    return f"question {structural_key(call)!r}"


def negation(stated: Text) -> Text:
    """Return the negation of a Coq proposition."""
    return Text(f"~ {stated.at(NOT)}", NOT)


# == games ============================================================================================================
# Rulesets as games of the Coq theory: the legal moves of each player.
PLAYERS = ("First", "Second")


@dataclass(frozen=True)
class WrittenGame:
    """A ruleset in Coq.

    `text`: its definition. `shown`: lemmas about its moves that some proofs need, with their proofs, or "".
    """

    text: str
    shown: str = ""


def write_players(numbers: Statements, players: Sequence[str]) -> str:
    """Return Coq text that gives the two players the names of the claim. Raises Unsupported unless there are two."""
    if len(players) != 2:
        raise Unsupported("the Coq theory supports only games of two players")
    return "".join(f"Notation {numbers.names[key_of_player(i)].text} := {x}.\n" for i, x in enumerate(PLAYERS))


def may_split(ruleset: Ruleset) -> bool:
    """Return whether some move replaces its heap by several heaps or by none. In Coq, such games have another type."""
    return any(len(move.become) != 1 for move in ruleset.moves)


def spell_out(game: Game) -> Ruleset:
    """Return the ruleset of a game, with the given sets and lists in its moves instead of parameters for them.

    A member of a set or list that is not a literal number becomes a separate integer parameter. Raises Unsupported if
    the members of a set or list are not given one by one.
    """
    written = dict(game.arguments)
    game = name_members(game)
    ruleset, given = game.ruleset, dict(game.arguments)
    known = {p.name: given[p.name] for p in ruleset.parameters if p.kind != "int"}
    for name, x in known.items():
        named = isinstance(x, t.Collection) and all(isinstance(i, t.Variable | t.Literal) for i in x.items)
        if not named and evaluate_members(x) is None:
            words = f"{ruleset.id}: the parameter {name} is {print_term(written[name])}"
            raise Unsupported(f"{words}; write its members one by one, such as {{1, 2}}")
    moves = tuple(map_terms(move, partial(substitute, values=known)) for move in ruleset.moves)
    return replace(ruleset, moves=moves, parameters=tuple(p for p in ruleset.parameters if p.name not in known))


def write_game(game: Game, known: Statements) -> WrittenGame:
    """Return the definition of a game's ruleset in Coq, with lemmas about its moves.

    `known`: a writer that knows the Coq name of the ruleset. Raises Unsupported for rules outside the Coq theory.
    """
    ruleset = spell_out(game)
    splits = may_split(ruleset)
    alone = all(len(m.heaps) == 1 and m.choose != "each" for m in ruleset.moves)
    if ruleset.measure is not None:
        raise Unsupported(f"{ruleset.id}: the Coq theory supports only rulesets without `measure`")
    if ruleset.sees_position or not alone:
        raise Unsupported(f"{ruleset.id}: the Coq theory supports only moves on one heap that depend on no other heap")
    chosen = {move.choose for move in ruleset.moves}
    if chosen != {"any"} and (splits or chosen != {"largest"}):
        words = "only moves on any heap, or moves that are all on a largest heap and do not split the heap"
        raise Unsupported(f"{ruleset.id}: the Coq theory supports {words}")
    name = known.names[key_of_ruleset(ruleset.id)].text
    numbers = Statements({})
    for p in ruleset.parameters:
        if p.lo < 0:
            raise Unsupported(f"{ruleset.id}: the parameter {p.name} is not a natural number")
        numbers.ranges = {**numbers.ranges, p.name: Between(p.lo, p.hi)}
        word = p.name.replace("[", "_").replace("]", "")  # of a member, such as S[0]
        numbers = numbers.bind({p.name: Text(name_in_coq(word, numbers.used_names))})
    given = "".join(f" {numbers.names[p.name].text}" for p in ruleset.parameters)
    kinds = [_write_move(ruleset, move, numbers, splits) for move in ruleset.moves]
    moves = join_texts(kinds, "\\/", OR, "False", "right").text
    wins = "true" if ruleset.stuck_wins else "false"
    typed = f" ({given.strip()} : N)" if given else ""
    called = f"({name}{given})" if given else name
    head = comment(f"The game, by the ruleset {ruleset.id}: {ruleset.title}.")
    if splits:
        return WrittenGame(f"""\
{head}
Definition {name}{typed} : splitting := {{|
  parts mover h o :=
    {moves};
  split_stuck_wins := {wins} |}}.
""")
    shown_text = f"""\
{head}
Definition {name}{typed} : game := {{|
  of_largest := {"true" if chosen == {"largest"} else "false"};
  becomes mover h y :=
    {moves};
  stuck_wins := {wins} |}}.
"""
    shown = f"""\
Lemma {name}_smaller{given} p h y : becomes {called} p h y -> y < h.
Proof. smaller. Qed.
Lemma {name}_decided{given} p h y : becomes {called} p h y \\/ ~ becomes {called} p h y.
Proof. unfold {name}. decided p h y. Qed.
"""
    return WrittenGame(shown_text, shown)


def game_text(game: Game, numbers: Statements) -> Text:
    """Return a game as Coq text: the name of its ruleset, applied to the arguments that are numbers.

    Raises Unsupported if an argument may be negative.
    """
    name = numbers.names[key_of_ruleset(game.ruleset.id)].text
    game = name_members(game)
    kinds = {p.name: p.kind for p in game.ruleset.parameters}
    return apply(name, *(numbers.natural(x) for key, x in game.arguments if kinds[key] == "int"))


def _write_move(ruleset: Ruleset, move: Move, known: Statements, splits: bool) -> Text:
    """Return the Coq condition that a move changes the heap h to the heap y.

    `known`: a writer that knows the parameters of the ruleset.
    `splits`: if true, return the condition that the move changes h to the list of heaps o.
    """
    (heap,) = move.heaps
    numbers = known.bind({"mover": Text("mover"), heap: Text("h")})
    picked, conditions = [], list[Text]()
    for pick in move.picks:
        used = numbers.used_names
        name = "m" if pick.name == "m" and "m" not in used else name_in_coq(pick.name, used)
        inner = numbers.bind({pick.name: Text(name)})
        conditions += _range(ruleset, pick, numbers, inner)
        numbers = inner
        picked.append(name)
    if move.where is not None:
        conditions.append(numbers.says(move.where))
    left = [numbers.number(size).cancel_common() for size in move.become]
    if splits:
        heaps = list[Text]()
        for made in left:  # a difference gets a name, so that it is not cut off at 0
            name = name_in_coq("y", (*numbers.used_names, *picked)) if made.minus else ""
            heaps.append(Text(name) if name else total(made.plus))
            if name:
                picked.append(name)
                conditions.append(infix(total((Text(name), *made.minus)), "=", total(made.plus), COMPARISON))
        conditions.append(infix(Text("o"), "=", Text(f"[{'; '.join(x.text for x in heaps)}]"), COMPARISON))
    else:
        (one,) = (numbers.number(size) for size in move.become)
        conditions.append(infix(total((Text("y"), *one.minus)), "=", total(one.plus), COMPARISON))
    inside = join_texts(conditions, "/\\", AND, "True", "right")
    for name in reversed(picked):
        inside = Text(f"exists {name}, {inside.at(BINDER)}", BINDER)
    return inside


def _range(ruleset: Ruleset, pick: Pick, outside: Statements, inside: Statements) -> list[Text]:
    """Return the Coq conditions that a number picked by the mover is in its range or set.

    `outside`, `inside`: a writer that does not know the name of the pick, and one that does. Raises Unsupported if the
    number may be negative or has no upper bound.
    """
    this = t.Variable(INT, 0, 0, pick.name)
    if isinstance(pick.domain, IntervalDomain):
        if pick.domain.hi is None:
            raise Unsupported(f"{ruleset.id}: the pick {pick.name} has no upper bound")
        if not outside.range(pick.domain.lo).natural:
            raise Unsupported(f"{ruleset.id}: {pick.name} may be negative")
        return [inside.compare("le", "<=", pick.domain.lo, this), inside.compare("le", "<=", this, pick.domain.hi)]
    if not holds_naturals(pick.domain, inside.known_ranges):
        raise Unsupported(f"{ruleset.id}: {pick.name} may be negative")
    return [inside.element(this, pick.domain)]


# == domains ==========================================================================================================
# The variables of a claim in Coq: natural numbers with their bounds, positions, and players.
@dataclass(frozen=True)
class DomainHypothesis:
    """A hypothesis of the theorem that bounds a variable. `name`: its name in Coq. `says`: the proposition."""

    name: str
    says: Text


@dataclass(frozen=True)
class Binder:
    """A variable of the theorem.

    `word`: its name in the claim. `name`, `type`: its name and its type in Coq. `bounds`: the hypotheses that bound it.
    """

    word: str
    name: str
    type: str
    bounds: tuple[DomainHypothesis, ...]

    @property
    def is_number(self) -> bool:
        return self.type == "N"


def write_variables(claim: Claim) -> tuple[list[Binder], Statements]:
    """Return the variables of a claim in order, and a writer for terms that contain them.

    Players, rulesets and variables get distinct Coq names. Raises Unsupported for an [exists] claim, and if the domain
    of a variable has no translation.
    """
    if claim.quantifier == "exists":
        raise Unsupported("no theorem is generated for an [exists] claim")
    numbers = Statements({})  # Bounds contain no subtraction, because `differences` are conditions within these bounds.
    for game in claim.games:
        for index, player in enumerate(game.ruleset.players):
            numbers = _bind_name(key_of_player(index), player, numbers)
        numbers = _bind_name(key_of_ruleset(game.ruleset.id), game.ruleset.id, numbers)
    binders: list[Binder] = []
    for variable in claim.variables:
        bounds: list[DomainHypothesis] = []
        low: t.Term | None = None
        high: t.Term | None = None
        match variable.domain:
            case IntervalDomain(lo=lo, hi=hi) if variable.type == INT:
                kind, low, high, range_ = "N", lo, hi, numbers.range(lo)
                if not range_.natural:
                    raise Unsupported(f"{variable.name} in {variable.text} may be negative")
                numbers.ranges = {**numbers.ranges, variable.name: Between(range_.lo)}
            case Positions():
                kind = "position"
            case Players():
                kind = "player"
            case ElementsOf():
                raise Unsupported(
                    f"{variable.name} in {variable.text}: a variable for a heap of a position is not supported"
                )
            case _:
                raise Unsupported(f"{variable.name} in {variable.text} has a domain without a translation into Coq")
        numbers = _bind_name(variable.name, variable.name, numbers)
        name = numbers.names[variable.name].text
        this = t.Variable(variable.type, 0, 0, variable.name)
        if low is not None and not (isinstance(low, t.Literal) and low.value == 0):
            bounds.append(DomainHypothesis(f"{name}_from", numbers.compare("le", "<=", low, this)))
        if high is not None:
            bounds.append(DomainHypothesis(f"{name}_to", numbers.compare("le", "<=", this, high)))
        binders.append(Binder(variable.name, name, kind, tuple(bounds)))
    numbers.differences = {}
    numbers.rules = {g.name: g for g in claim.games}
    numbers.games = {g.name: game_text(g, numbers) for g in claim.games}
    return binders, numbers


def _bind_name(key: str, word: str, numbers: Statements) -> Statements:
    """Return a writer that has a Coq name for an object of the claim: `numbers` itself if it already has one.

    `key`: the key of the object in `names`. `word`: its name in the claim, to which the Coq name is similar.
    """
    if key in numbers.names:
        return numbers
    used = numbers.used_names
    stays = word in ("s", "p", "m", "n", "x") and word not in used
    return numbers.bind({key: Text(word if stays else name_in_coq(word, used))})


# == stated ===========================================================================================================
# The statement of the Coq theorem for a claim: a Coq module with the games, the conditions under which the claim is
# defined, and the claim.
#
# The names of the proof are declared only after this module, so they cannot change the meaning of the statement.
# -- the claim --------------------------------------------------------------------------------------------------------
# The claim as a proposition, which may mention Grundy values.


def asks_for_values(claim: Claim) -> bool:
    """Return whether the hypothesis or the conclusion of a claim contains `grundy(...)`."""
    found = walk((claim.hypothesis or (), claim.conclusion))
    return any(isinstance(x, t.GameCall) and x.function == "grundy" for x in found)


def state(claim: Claim, numbers: Statements) -> Text:
    """Return the claim as a Coq proposition about its variables.

    If the claim mentions Grundy values, the proposition says: there is a function that satisfies the definition of
    Grundy values, and the claim holds for this function. Raises Unsupported if the claim has no translation.
    """
    asks = asks_for_values(claim)
    if asks and len(claim.games) != 1:
        raise Unsupported("no theorem is generated for Grundy values in a claim about several games")
    inner = numbers.bind({GRUNDY: Text(GRUNDY_NAME)}) if asks else numbers
    says = inner.says(claim.conclusion)
    if claim.hypothesis is not None:
        says = infix(inner.says(claim.hypothesis), "->", says, ARROW, "right")
    if not asks:
        return says
    (game,) = claim.games
    known = apply(numbers.word("values", game.name), numbers.games[game.name], Text(GRUNDY_NAME))
    return Text(f"exists {GRUNDY_NAME} : position -> N, {infix(known, chr(47) + chr(92), says, AND).text}", BINDER)


# -- stated -----------------------------------------------------------------------------------------------------------
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_']*")


@dataclass(frozen=True)
class CoqStatement:
    """The statement of a claim in Coq.

    `claim`: the claim with its definitions expanded. `binders`: its variables. `games`: its rulesets.
    `numbers`: the writer with which further terms over these variables can be written.
    `text`: the Coq text of the module with the statement.
    """

    claim: Claim
    binders: Sequence[Binder]
    numbers: Statements
    games: tuple[WrittenGame, ...]
    text: str


def write_stated(claim: Claim) -> CoqStatement:
    """Return the statement of the Coq theorem for a claim.

    Raises Unsupported if a part of the claim has no translation, and TooLong if its expanded definitions are too long.
    """
    whole = unfold_claim(claim)
    binders, numbers = write_variables(whole)
    games = tuple(write_game(game, numbers) for game in _list_ruleset_games(whole))
    players = write_players(numbers, whole.games[0].ruleset.players) if _have_players(whole) else ""
    typed = "".join(f" ({b.name} : {b.type})" for b in binders)
    bounds = " ".join(f"{x.says.at(ARROW - 1)} ->" for b in binders for x in b.bounds)
    lines = [f"forall{typed},"] if typed else []
    says = "\n  ".join([*lines, *([bounds] if bounds else []), state(whole, numbers).at(BINDER)])
    needed = dict.fromkeys(_find_needs(claim, numbers))
    needed |= dict.fromkeys((_bind_unknown(says, binders), says) for says in numbers.differences or ())
    meaning = " /\\\n  ".join(f"({_write_for_all(typed + more, bounds, needs)})" for more, needs in needed) or "True"
    text = f"""\
(* What is claimed: of which games, where it has a meaning, and what it is.  Nothing of the proof has a name yet. *)
Module Statement.
{players}
{chr(10).join(g.text for g in games)}
Definition defined : Prop :=
  {meaning}.

Definition claimed : Prop :=
  {says}.
End Statement.
Import Statement.
"""
    return CoqStatement(whole, binders, numbers, games, text)


def _list_ruleset_games(claim: Claim) -> Iterator[Game]:
    """Yield the first game of each ruleset in the claim.

    Raises Unsupported if two games of one ruleset have different arguments that are sets or lists.
    """
    found: dict[str, Game] = {}
    for game in claim.games:
        first = found.setdefault(game.ruleset.id, game)
        if first is game:
            yield game
        elif _sets(first) != _sets(game):
            raise Unsupported(
                f"the claim has several games of {game.ruleset.id} whose arguments are different sets or lists"
            )


def _sets(game: Game) -> list[object]:
    return [structural_key(x) for _, x in game.arguments if x.type != INT]


def _have_players(claim: Claim) -> bool:
    return bool(claim.games) and bool(claim.games[0].ruleset.players)


def _write_for_all(typed: str, bounds: str, says: str) -> str:
    return " ".join(x for x in (f"forall{typed}," if typed else "", bounds, says) if x)


# -- definedness ------------------------------------------------------------------------------------------------------
def _find_needs(claim: Claim, numbers: Statements) -> Iterator[tuple[str, str]]:
    """Yield the conditions under which a claim is defined, each as (binders, Coq proposition).

    The binders are Coq text for additional variables; here they are always "". Raises Unsupported if a condition has no
    translation.
    """
    found = list(needs_of_claim(claim))
    for game in claim.games:
        for parameter in game.ruleset.parameters:
            if parameter.kind == "int":
                found += [
                    DefinednessCondition(f"the parameter {parameter.name}", (), x)
                    for x in state_bounds(game, parameter)
                ]
        found += _needs_of_moves(claim, game)
    for need in found:
        if says := _write(need.path, need.holds, numbers):
            yield "", says.at(BINDER)


def _needs_of_moves(claim: Claim, game: Game) -> Iterator[DefinednessCondition]:
    """Yield the conditions under which the moves of a game are defined, and play is finite because a measure decreases.

    If a parameter is a set or list, or if heaps may split, the conditions are about the game's normal form.
    """
    if all(p.kind == "int" for p in game.ruleset.parameters) and not may_split(game.ruleset):
        yield from (*needs_of_game(claim, game), *measure(game))
        return
    normal = normal_game(game)
    yield from (*needs_of_game(claim, normal, open_several), *measure(normal, open_several))


def _write(path: Path, holds: t.Term, numbers: Statements) -> Text | None:
    """Return the Coq proposition that `holds` is true whenever evaluation follows the path.

    Return None if it is obvious in Coq, as x >= 0 is for a natural number x. Raises Unsupported if it has no
    translation.
    """
    if not path:
        parts = [x for x in t.conjuncts(holds) if not _is_plain(x, numbers)]
        return join_texts(map(numbers.says, parts), "/\\", AND, "True", "right") if parts else None
    step, rest = path[0], path[1:]
    if isinstance(step, Guard):
        then = _write(rest, holds, numbers)
        try:
            return then and join_texts((numbers.says(step.term), then), "->", ARROW, "True", "right")
        except Unsupported:
            return then  # omitting a condition makes the requirement stronger
    kind, name, inner, there = _run(step, numbers)
    then = _write(rest, holds, inner)
    if then is None:
        return None
    return Text(f"forall {name} : {kind}, {join_texts((there, then), '->', ARROW, 'True', 'right').text}", BINDER)


def _run(step: Over, numbers: Statements) -> tuple[str, str, Statements, Text]:
    """Return the parts that a quantifier over the variable of a step needs, as in `Statements.run`.

    A variable without a source stands for every heap, that is, every number from 1 on.
    """
    if step.source is not None:
        return numbers.run(t.Clause(step.variable, step.source, ()))
    name = numbers.free(display(step.variable))
    inner = numbers.bind({step.variable: Text(name)})
    return "N", name, inner, inner.says(at_least(t.Variable(INT, 0, 0, step.variable), integer(1)))


def _is_plain(term: t.Term, numbers: Statements) -> bool:
    """Return whether a condition is obvious in Coq: it states x >= 0, and x is written without subtraction."""
    match term:
        case t.Operation(op="ge", args=(x, t.Literal(value=value))) if value <= 0:
            return not numbers.number(x).cancel_common().minus
    return False


def _bind_unknown(says: str, binders: Sequence[Binder]) -> str:
    """Return Coq binders, such as " (h : N)", for the names in a Coq text that are not variables of the claim.

    With these binders, the text is stated for all natural numbers as values of the names.
    """
    others = sorted(set(_NAME.findall(says)) - {b.name for b in binders} - GLOBAL)
    return "".join(f" ({name} : N)" for name in others)
