"""The statement of a claim about who wins, in the form from which a search for its proof starts.

A statement gives the condition under which the player to move loses. The position has one to four explicit heaps, or
one heap with parts. The search uses this condition as the invariant of a proof by rule "few heaps" or "one heap". The
names of variables do not matter.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import count
from pathlib import Path

from claims.language.files.claim import Claim, unfold_claim
from claims.language.files.domains import ClaimVariable, IntervalDomain
from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, rebuild, substitute, walk
from claims.language.syntax.terms import BOOL, INT, PLAYER
from encoders.logic.moves import WHOLE, OpenMove, movers, open_choices
from encoders.logic.sequents import (
    ONE,
    ZERO,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    holds,
    integer,
    less_than,
    negation,
    opposite,
)
from encoders.proving.reading import load_with_proof
from encoders.rules.base.normal_form import normal_game
from encoders.rules.few_heaps import MOST_HEAPS, choices, is_ascending, may_choose
from encoders.rules.one_heap import OneHeapGame
from encoders.rules.one_heap_terms import Flattener, Value, explore
from encoders.search.question import variable
from encoders.search.writing import quote

PICK = "pick'"  # names in files cannot contain this mark
_NAMES_OF_HEAPS = ("x", "y", "z", "w")
_FORMAL = ("forall", "define", "claim", "ruleset", "games")  # the parts of a claim file with names
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, eq=False)
class StatedPick:
    """A pick of a move: a choice of the mover that consists of one or more numbers.

    `word`: the name of the pick in the rules.
    `names`: the names of the numbers.
    `is_list`: whether the numbers are the elements of a list.
    `fixed`: the only number that can be picked; None if there is a choice.
    """

    word: str
    names: tuple[str, ...]
    is_list: bool = False
    fixed: int | None = None


@dataclass(frozen=True, eq=False)
class StatedMove:
    """A kind of move on certain heaps. The terms use the names of the statement and of the picks.

    `side`: the number of the player who moves.
    `lines`: the lines in [[proof.moves]] that name the move.
    `legal`: the condition under which the move is legal.
    `after`: the numbers of the resulting position.
    `lost`: the condition that the next player loses after the move; None stands for the invariant at `after`.
    """

    side: int
    lines: tuple[str, ...]
    picks: tuple[StatedPick, ...]
    legal: t.Term
    after: tuple[t.Term, ...]
    lost: t.Term | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the numbers that are picked."""
        return tuple(name for pick in self.picks for name in pick.names)


@dataclass(frozen=True, eq=False)
class Statement:
    """A claim about who wins in certain positions, or about their Grundy values, with the moves of the game.

    `rule`: the rule that can prove the claim.
    `head`: the lines of the [proof] that name the numbers of a position.
    `names`: the numbers of a position.
    `valid`: the condition under which these numbers are a position.
    `parameters`: the other integers of the claim, with their domains.
    `assumed`: the condition on the parameters alone.
    `loses`: for each side, the condition under which it loses when it is to move.
    `inside`: the condition on a position under which the claim applies to it.
    `moves`: all kinds of moves of all sides.
    `sides`: the names of the sides.
    `sorted`: whether the numbers of a position are in ascending order.
    `misere`: whether a player who cannot move wins.
    `spoken`: further terms of the claim; an invariant may use their divisors.
    `value`: the Grundy value of a position; None in a statement about who loses.
    `below`: the last of `names` if there is a `value`; otherwise "". It names an arbitrary number below `value`. A
    reply must then lead to a position whose Grundy value is this number.
    """

    rule: str
    head: tuple[str, ...]
    names: tuple[str, ...]
    valid: t.Term
    parameters: tuple[ClaimVariable, ...]
    assumed: t.Term
    loses: tuple[t.Term, ...]
    inside: t.Term
    moves: tuple[StatedMove, ...]
    sides: tuple[str, ...]
    sorted: bool
    misere: bool = False
    spoken: tuple[t.Term, ...] = ()
    value: t.Term | None = None
    below: str = ""

    @property
    def own(self) -> tuple[str, ...]:
        """The numbers of a position: `names` without `below`."""
        return tuple(x for x in self.names if x != self.below)

    def write_losses(self, loses: tuple[t.Term, ...]) -> tuple[str, ...]:
        """Return the lines of a [proof] that state the invariant `loses`, or the value in a claim about values."""
        if self.value is not None:
            return (f"value = {quote(print_term(self.value))}", f"below = {quote(self.below)}")
        texts = [quote(print_term(x)) for x in loses]
        if self.sorted:
            own = (f"{side} = {text}" for side, text in zip(self.sides, texts, strict=True))
            return ("", "[proof.loses]", *own)
        return ("", "[[proof.heaps]]", *self.head, f"loses = {texts[0]}")


@dataclass(frozen=True, eq=False)
class _Answer:
    """A part of a conclusion: if `player` is to move at `position`, this player loses if and only if `loses` holds.

    `player`: the number of the player; None if the statement holds for every player.
    """

    position: t.Term
    player: int | None
    loses: t.Term


@dataclass(frozen=True, eq=False)
class Answers:
    """A conclusion about who wins at `position`.

    `loses`: for each side, the condition under which it loses when it is to move.
    """

    position: t.Term
    loses: tuple[t.Term, ...]


def read_answers(plain: Claim) -> Answers | None:
    """Return the position of a claim about who wins, and for each side the condition under which this side loses.

    Return None for a claim of another form. The definitions in the claim must be expanded.
    """
    if plain.quantifier == "exists" or len(plain.games) != 1 or plain.unusual:
        return None
    ruleset = plain.games[0].ruleset
    if ruleset.player_count or len(ruleset.players) != 2 or ruleset.unusual:
        return None
    answers = [_read_answer(x) for x in t.conjuncts(plain.conclusion)]
    found = [x for x in answers if x is not None]
    if len(found) != len(answers) or len({print_term(x.position) for x in found}) != 1:
        return None
    sides = (0,) if ruleset.impartial else (0, 1)
    by = {0 if ruleset.impartial or x.player is None else x.player: x.loses for x in found}
    if set(by) != set(sides) or len(found) != len(sides):
        return None
    return Answers(found[0].position, tuple(by[side] for side in sides))


def state_as_hypothesis(plain: Claim) -> Claim:
    """Return the claim "if H and A, then B" for a claim "if H, then implies(A, B)"; other claims are unchanged."""
    match plain.conclusion:
        case t.AnyOf(args=(t.Operation(op="not", args=(condition,)), then)):
            known = () if plain.hypothesis is None else (plain.hypothesis,)
            return replace(plain, hypothesis=conjunction(*known, condition), conclusion=then)
    return plain


def read_statement(claim: Claim, path: Path) -> Statement | None:
    """Return the statement of a claim about who wins from explicit heaps, or from one heap with parts.

    Return None for another claim. For heaps with parts, the game must be impartial and under normal play. Raises
    Unsupported.
    """
    plain = state_as_hypothesis(unfold_claim(claim))
    found = read_answers(plain)
    if found is None:
        return None
    ruleset = plain.games[0].ruleset
    if ruleset.heap is None:
        return _read_few_heaps(plain, found.position, found.loses)
    if len(found.loses) > 1 or ruleset.stuck_wins:
        return None
    return _read_one_heap(plain, path, found.position, found.loses)


def read_value_statement(claim: Claim) -> Statement | None:
    """Return the statement of a claim about the Grundy values of explicit heaps; None for another claim.

    The numbers of the statement are the heaps and a number v below their Grundy value. Heaps whose Grundy value is v
    count as a loss of the mover. Thus a winning reply is a move to heaps with the Grundy value v. Raises Unsupported.
    """
    plain = state_as_hypothesis(unfold_claim(claim))
    if plain.quantifier == "exists" or len(plain.games) != 1 or plain.unusual:
        return None
    ruleset = plain.games[0].ruleset
    if ruleset.heap is not None or ruleset.player_count or not ruleset.facts.normal or not ruleset.impartial:
        return None
    match plain.conclusion:
        case t.Operation(op="eq", args=(t.GameCall(function="grundy", args=(position,)), value)):
            pass
        case t.Operation(op="eq", args=(value, t.GameCall(function="grundy", args=(position,)))):
            pass
        case _:
            return None
    if any(isinstance(x, t.GameCall) or (isinstance(x, t.Operation) and x.op == "nim") for x in walk(value)):
        return None
    found = _read_few_heaps(plain, position, (value,))
    if found is None:
        return None
    (value,) = found.loses
    below = next(name for name in make_names(claim, ("v", "u")) if name not in found.names)
    own = variable(below)
    valid = conjunction(found.valid, at_least(own, ZERO), less_than(own, value))
    names, loses = (*found.names, below), (equal(value, own),)
    return replace(found, names=names, valid=valid, loses=loses, inside=conjunction(), value=value, below=below)


def read_open_statement(claim: Claim, path: Path) -> Statement | None:
    """Return a statement for a search that has to find the formula itself; None for an unsupported claim.

    The statement has as many heap sizes as the largest position in the claim, such as position([n, n + 1]). Its
    `inside` is false, so the claim itself applies to no position.
    A supported claim has [forall] and asks only who wins. It has one game, for two players, in which a player without a
    move loses or wins. Raises Unsupported.
    """
    plain = unfold_claim(claim)
    asked = [x for x in walk((plain.hypothesis, plain.conclusion)) if isinstance(x, t.GameCall)]
    if plain.quantifier == "exists" or len(plain.games) != 1 or plain.unusual or not asked:
        return None
    ruleset = plain.games[0].ruleset
    if ruleset.player_count or len(ruleset.players) != 2 or ruleset.unusual:
        return None
    if any(x.function not in ("wins", "outcome") for x in asked):
        return None
    names = {name for _, x in plain.games[0].arguments for name in find_free_names(x)}
    fixed = tuple(v for v in plain.variables if v.name in names)
    hypotheses = [] if plain.hypothesis is None else list(t.conjuncts(plain.hypothesis))
    known = [x for x in hypotheses if set(find_free_names(x)) <= names and not any(y in asked for y in walk(x))]
    opened = [_open_position(x.args[0]) for x in asked]
    if None in opened:
        return None
    position, new = max((x for x in opened if x is not None), key=lambda x: len(x[1]))
    domain = IntervalDomain(ZERO, None)
    free = tuple(ClaimVariable(name, INT, domain, "0..") for name in new)
    about = replace(plain, variables=(*fixed, *free), hypothesis=conjunction(*known) if known else None)
    loses = (holds(False),) * (1 if ruleset.impartial else 2)
    found = (
        _read_few_heaps(about, position, loses)
        if ruleset.heap is None
        else _read_one_heap(about, path, position, loses)
        if ruleset.impartial and not ruleset.stuck_wins
        else None
    )
    return None if found is None else replace(found, inside=holds(False), spoken=(plain.conclusion,))


def _open_position(position: t.Term) -> tuple[t.Term, tuple[str, ...]] | None:
    """Return the position with a new variable for each number in it, and the names of these variables.

    For example, position([n, n + 1]) becomes a position of two variables. Return None for an unsupported position.
    """
    match position:
        case t.Operation(op="position", args=(t.Collection(items=items) as heaps,)) if items:
            pass
        case _:
            return None
    new: list[str] = []

    def open_(term: t.Term) -> t.Term:
        match term:
            case t.Operation(op="heap", args=args):
                return replace(term, args=tuple(map(open_, args)))
            case t.Collection(items=parts):
                return replace(term, items=tuple(map(open_, parts)))
        new.append(f"number'{len(new)}")
        return variable(new[-1])

    opened = replace(position, args=(open_(heaps),))
    return opened, tuple(new)


def _read_answer(term: t.Term) -> _Answer | None:
    """Return the answer that a condition states: a question about who wins, or its equivalence with a formula.

    Return None for another term.
    """
    if (alone := _read_question(term)) is not None:
        position, player, lost = alone
        return _Answer(position, player, holds(lost))
    match term:
        case t.Operation(op="eq", args=(a, b)) if a.type == BOOL:
            for x, formula in ((a, b), (b, a)):
                question = _read_question(x)
                if question is not None and not any(isinstance(y, t.GameCall) for y in walk(formula)):
                    position, player, lost = question
                    return _Answer(position, player, formula if lost else opposite(formula))
    return None


def _read_question(term: t.Term) -> tuple[t.Term, int | None, bool] | None:
    """Return (position, player, lost) for a question about who wins; None for another term.

    `player`: None for a question whether the position is a P-position or an N-position.
    `lost`: whether the question states that the player to move loses. Otherwise it states that this player wins.
    """
    match term:
        case t.Operation(op="not", args=(inner,)):
            found = _read_question(inner)
            return None if found is None else (found[0], found[1], not found[2])
        case t.GameCall(function="wins", args=(position, t.Literal(value=player))):
            return position, player, False
        case t.Operation(op="eq" | "ne" as op, args=(t.GameCall(function="outcome", args=(s,)), t.Literal(value=v))):
            if t.OUTCOMES[v] in ("P_position", "N_position"):
                return s, None, (t.OUTCOMES[v] == "P_position") is (op == "eq")
    return None


def make_names(claim: Claim, wanted: Iterable[str]) -> Iterator[str]:
    """Yield the wanted names. A number is appended to a name that the claim already uses."""
    data = claim.source.data
    taken = {word for key in _FORMAL for word in _WORD.findall(str(data.get(key, "")))}
    for name in wanted:
        own = name if name not in taken else next(x for n in count(1) if (x := f"{name}{n}") not in taken)
        taken.add(own)
        yield own


def _list_conditions(claim: Claim, names: Mapping[str, str]) -> Iterator[t.Term]:
    """Yield the conditions that these variables of the claim are within the bounds of their domains."""
    for v in claim.variables:
        if v.name in names and isinstance(v.domain, IntervalDomain):
            yield at_least(variable(v.name), v.domain.lo)
            if v.domain.hi is not None:
                yield at_most(variable(v.name), v.domain.hi)


def divide(
    claim: Claim, names: Mapping[str, str], hypotheses: list[t.Term]
) -> tuple[tuple[ClaimVariable, ...], t.Term, t.Term] | None:
    """Divide the integer variables and conditions of a claim into parameters and numbers of the position.

    Return (1) the parameters, (2) the condition on the parameters alone, and (3) the condition on the position. Return
    None if a domain is not an interval, or if the domain of a parameter depends on the position.
    `names`: for each variable of the claim that is a number of the position, the name of this number.
    """
    integers = [v for v in claim.variables if v.type == INT]
    if any(not isinstance(v.domain, IntervalDomain) for v in integers):
        return None
    others = {v.name: v.name for v in integers if v.name not in names}
    own = [x for x in hypotheses if set(find_free_names(x)) <= set(others)]
    domains, rest = list(_list_conditions(claim, others)), [x for x in hypotheses if x not in own]
    if any(set(find_free_names(x)) & set(names) for x in domains):
        return None
    renamed = {old: variable(new) for old, new in names.items()}
    inside = conjunction(*(substitute(x, renamed) for x in (*_list_conditions(claim, names), *rest)))
    parameters = tuple(v for v in integers if v.name in others)
    return parameters, conjunction(*domains, *own), inside


# == few heaps ========================================================================================================
def _read_few_heaps(claim: Claim, position: t.Term, loses: tuple[t.Term, ...]) -> Statement | None:
    """Return a statement about few heaps; None for another statement.

    The position has the form position([x, y]) with different variables, or the hypotheses fix its number of heaps.
    """
    hypotheses = [] if claim.hypothesis is None else list(t.conjuncts(claim.hypothesis))
    old: list[str] = []
    match position:
        case t.Operation(op="position", args=(t.Collection(items=items),)) if 1 <= len(items) <= MOST_HEAPS:
            old = [x.name for x in items if isinstance(x, t.Variable)]
            if len(set(old)) != len(items):
                return None
            heaps = tuple(make_names(claim, _NAMES_OF_HEAPS[: len(old)]))
        case t.Variable(name=asked):
            number = next((n for x in hypotheses if (n := _read_count(x, asked)) is not None), 0)
            if not 1 <= number <= MOST_HEAPS:
                return None
            heaps = tuple(make_names(claim, _NAMES_OF_HEAPS[:number]))
            put = partial(_put_heaps, position=asked, sizes=tuple(map(variable, heaps)))
            rest = [put(x) for x in hypotheses if _read_count(x, asked) is None]
            hypotheses = [at_least(variable(heaps[0]), ONE), *rest]
            loses = tuple(map(put, loses))
            if any(asked in find_free_names(x) for x in (*loses, *hypotheses)):
                return None
        case _:
            return None
    names = dict(zip(old, heaps, strict=True)) if old else {}
    divided = divide(claim, names, hypotheses)
    if divided is None:
        return None
    parameters, assumed, inside = divided
    renamed = {a: variable(b) for a, b in names.items()}
    sizes = tuple(map(variable, heaps))
    valid = conjunction(at_least(sizes[0], ZERO), is_ascending(sizes))
    game = normal_game(claim.games[0], len(heaps))
    ruleset = game.ruleset
    sides = ("mover",) if ruleset.impartial else tuple(ruleset.players)
    moves = tuple(
        made
        for side in movers(game)
        for kinds in (open_choices(game, side),)
        for move in kinds
        for places in choices(move, len(heaps))
        if (made := _make_few_heaps_move(move, side, heaps, places, sides, kinds)) is not None
    )
    head = (f"heaps = [{', '.join(map(quote, heaps))}]",)
    stated = tuple(substitute(x, renamed) for x in loses)
    misere = ruleset.stuck_wins
    return Statement("few heaps", head, heaps, valid, parameters, assumed, stated, inside, moves, sides, True, misere)


def _read_count(term: t.Term, position: str) -> int | None:
    """Return n for the term len(s) == n, where s is the position; None for another term."""
    match term:
        case t.Operation(op="eq", args=(t.Operation(op="len", args=(t.Variable(name=name),)), t.Literal(value=n))) if (
            name == position
        ):
            return n
    return None


def _put_heaps(term: t.Term, position: str, sizes: tuple[t.Term, ...]) -> t.Term:
    """Return the term with the sizes of the heaps, in ascending order, instead of the position.

    The terms s[i], sum(s), max(s), min(s) and len(s) of the position s are replaced.
    """
    match term:
        case t.Operation(op="index", args=(t.Variable(name=name), t.Literal(value=i))) if name == position:
            if 0 <= i < len(sizes):
                return sizes[i]
        case t.Operation(op="sum", args=(t.Variable(name=name),)) if name == position:
            return reduce(add, sizes)
        case t.Operation(op="max", args=(t.Variable(name=name),)) if name == position:
            return sizes[-1]
        case t.Operation(op="min", args=(t.Variable(name=name),)) if name == position:
            return sizes[0]
        case t.Operation(op="len", args=(t.Variable(name=name),)) if name == position:
            return integer(len(sizes))
    return rebuild(term, partial(_put_heaps, position=position, sizes=sizes))


def _put_present_heaps(term: t.Term, sizes: tuple[t.Term, ...]) -> t.Term:
    """Return a term of the rules with the sizes of the heaps, in ascending order, instead of the position.

    A size of 0 is not a heap of the position.
    """
    there = [at_least(x, ONE) for x in sizes]
    match term:
        case t.Operation(op="in", args=(size, t.Variable(name=name))) if name == WHOLE:
            own = _put_present_heaps(size, sizes)
            return disjunction(*(conjunction(y, equal(own, x)) for x, y in zip(sizes, there, strict=True)))
        case t.Operation(op="min", args=(t.Variable(name=name),)) if name == WHOLE:
            return reduce(lambda rest, x: choose(at_least(x, ONE), x, rest), reversed(sizes[:-1]), sizes[-1])
        case t.Operation(op="len", args=(t.Variable(name=name),)) if name == WHOLE:
            return reduce(add, (choose(y, ONE, ZERO) for y in there))
        case t.Operation(op="sum" | "max", args=(t.Variable(name=name),)) if name == WHOLE:
            return _put_heaps(term, WHOLE, sizes)
    return rebuild(term, partial(_put_present_heaps, sizes=sizes))


def _make_few_heaps_move(
    move: OpenMove,
    side: int,
    heaps: tuple[str, ...],
    places: tuple[int, ...],
    sides: tuple[str, ...],
    kinds: tuple[OpenMove, ...],
) -> StatedMove | None:
    sizes = tuple(map(variable, heaps))
    values: dict[str, t.Term] = {name: sizes[i] for name, i in zip(move.heaps, places, strict=True)}
    values |= {p.name: variable(f"{PICK}{p.name}") for p in move.picks}
    left = [sizes[i] for i in range(len(heaps)) if i not in places]
    becomes = [substitute(x, values) for x in move.becomes]
    after = (*becomes, *left, *(ZERO,) * (len(heaps) - len(left) - len(becomes)))
    own = substitute(_put_present_heaps(move.legal, sizes), values)
    legal = conjunction(may_choose(move, sizes, places), own)
    if not set(find_free_names(legal)).isdisjoint({"s", "position'"}):
        return None
    player = (f"player = {quote(sides[side])}",) if len(sides) > 1 else ()
    words, number = {p.word for p in move.picks}, len(move.heaps)
    alike = [x for x in kinds if len(x.heaps) == number and {p.word for p in x.picks} == words]
    chosen = (f"move = {move.number}",) if len({x.number for x in alike}) > 1 else ()
    lines = (*player, *chosen, f"heaps = [{', '.join(quote(heaps[i]) for i in places)}]")
    picks = tuple(StatedPick(p.word, (f"{PICK}{p.name}",)) for p in move.picks)
    return StatedMove(side, lines, picks, legal, after)


# == one heap =========================================================================================================
def _read_one_heap(claim: Claim, path: Path, position: t.Term, loses: tuple[t.Term, ...]) -> Statement | None:
    """Return a statement about one heap with parts; None for another statement.

    Either the claim states each part of the heap, or its hypotheses fix the number of heaps as 1 and the lengths of
    lists.
    """
    shape = claim.games[0].ruleset.heap
    assert shape is not None
    hypotheses = [] if claim.hypothesis is None else list(t.conjuncts(claim.hypothesis))
    old: list[str] = []
    lengths: list[int | None] = []
    asked = ""
    match position:
        case t.Operation(op="position", args=(t.Collection(items=(t.Operation(op="heap", args=parts),)),)):
            for x in parts:
                items = x.items if isinstance(x, t.Collection) else (x,)
                old += [item.name for item in items if isinstance(item, t.Variable)]
                lengths.append(len(items) if isinstance(x, t.Collection) else None)
                if len(set(old)) != sum(n or 1 for n in lengths):
                    return None
        case t.Variable(name=asked):
            heading = 1 + sum(part.is_list for part in shape.parts)
            told = [_read_number(x) for x in hypotheses[:heading]]
            if len(told) < heading or None in told or told[0] != 1:
                return None
            given = iter(told[1:])
            lengths = [next(given) if part.is_list else None for part in shape.parts]
            hypotheses = hypotheses[heading:]
        case _:
            return None
    wanted = [
        f"{part.name}{i + 1}" if n is not None else part.name
        for part, n in zip(shape.parts, lengths, strict=True)
        for i in range(1 if n is None else n)
    ]
    names = tuple(make_names(claim, wanted))
    left = iter(names)
    head = []
    for part, n in zip(shape.parts, lengths, strict=True):
        own = [quote(next(left)) for _ in range(1 if n is None else n)]
        head.append(f"{part.name} = {own[0] if n is None else '[' + ', '.join(own) + ']'}")
    draft = "\n".join(["[proof]", 'rule = "one heap"', "[[proof.heaps]]", *head, 'loses = "True"'])
    play = OneHeapGame(unfold_claim(load_with_proof(claim, path, tomllib.loads(draft)["proof"])))
    (form,) = play.forms
    if asked:
        read = partial(_flatten, play=play, env={asked: (form.heap,)})
        loses = tuple(map(read, loses))
        hypotheses = list(map(read, hypotheses))
    renamed = dict(zip(old, names, strict=True)) if old else {}
    divided = divide(claim, renamed, hypotheses)
    if divided is None:
        return None
    parameters, assumed, inside = divided
    stated = tuple(substitute(x, {a: variable(b) for a, b in renamed.items()}) for x in loses)
    (valid,) = explore(lambda flat: play.is_heap(flat, form.heap))
    moves = [
        move
        for number, rule in enumerate(play.game.ruleset.moves)
        for move in explore(partial(_make_one_heap_move, play=play, number=number, move=rule))
        if move is not None
    ]
    return Statement(
        "one heap", tuple(head), names, valid, parameters, assumed, stated, inside, tuple(moves), ("mover",), False
    )


def _read_number(term: t.Term) -> int | None:
    """Return n for a term of the form len(...) == n; None for another term."""
    match term:
        case t.Operation(op="eq", args=(t.Operation(op="len"), t.Literal(value=n))):
            return n
    return None


def _flatten(term: t.Term, play: OneHeapGame, env: Mapping[str, Value]) -> t.Term:
    """Return a condition on a heap with parts, rewritten as a condition on the single numbers in the heap.

    Raises Unsupported.
    """
    integers = {v.name: variable(v.name) for v in play.claim.variables if v.type == INT}
    found = list(explore(lambda flat: (flat.truth(term, {**integers, **env}), tuple(flat.met))))
    return conjunction(*(t.AnyOf(BOOL, 0, 0, (negation(conjunction(*met)), x)) if met else x for x, met in found))


def _make_one_heap_move(flat: Flattener, play: OneHeapGame, number: int, move: Move) -> StatedMove | None:
    (form,) = play.forms
    env: dict[str, Value] = {**play.list_parameters(flat), "s": (form.heap,), move.heaps[0]: form.heap}
    env["mover"] = t.Literal(PLAYER, 0, 0, 0)
    picks, legal = list[StatedPick](), list[t.Term]()
    for pick in move.picks:
        if not isinstance(pick.domain, IntervalDomain) or pick.domain.hi is None:
            return None
        low, high = flat.read(pick.domain.lo, env), flat.read(pick.domain.hi, env)
        if isinstance(low, tuple) and isinstance(high, tuple):
            own = tuple(f"{PICK}{pick.name}{i}" for i in range(len(low)))
            each = tuple(map(variable, own))
            for x, a, b in zip(each, low, high, strict=True):
                assert isinstance(a, t.Term) and isinstance(b, t.Term)
                legal += [at_least(x, a), at_most(x, b)]
            picks.append(StatedPick(pick.name, own, True))
            env[pick.name] = each
        elif isinstance(low, t.Literal) and isinstance(high, t.Literal):
            if low.value > high.value:
                return None
            value = low.value + flat.choose(high.value - low.value + 1)
            picks.append(StatedPick(pick.name, (), False, value))
            env[pick.name] = integer(value)
        else:
            assert isinstance(low, t.Term) and isinstance(high, t.Term)
            x = variable(f"{PICK}{pick.name}")
            legal += [at_least(x, low), at_most(x, high)]
            picks.append(StatedPick(pick.name, (x.name,)))
            env[pick.name] = x
    if move.where is not None:
        legal.append(flat.truth(move.where, env))
    left = flat.items(move.become[0], env)
    if play.find_form(left) is not form:
        return None
    after = tuple(x for part in left for x in (part if isinstance(part, tuple) else (part,)))
    lines = (f"move = {number + 1}",)
    return StatedMove(0, lines, tuple(picks), conjunction(*flat.met, *legal), after)
