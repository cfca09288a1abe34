"""Conditions under which a claim is defined: for each partial operation in it, the condition that the operation needs.

`list_parts` lists the expressions of a claim and of its games that contain a partial operation. A proof rule must prove
the requirements of each of these expressions. `ShowsAllValues` (`encoders/rules/base/rule.py`) rejects a rule that
omits one.

Examples of requirements: the divisor of a division is not 0; an index is smaller than the length of the list; the heaps
of a position are not negative.

A proof shows each requirement in all cases in which evaluation reaches the operation. The conditions on the way are the
guards: `and`, `or` and `if` evaluate from left to right and stop early, and a hypothesis guards the conclusion. In
`any` and `all` an element does not guard a later one: every element must have a value. This is slightly stronger than
the semantics of the language requires.

The limits of the referee (the length of a range, the size of a power) are not part of the meaning of a claim.
Therefore they are not among the requirements.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce

from claims.language.files.claim import Claim, Game, expand_definitions
from claims.language.files.domains import ElementsOf, IntervalDomain
from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.meanings import AtLeast, HeapOf, Inside, NotEmpty, NotZero, Pairs
from claims.language.syntax.printing import print_term, structural_key, substitute
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, list_of
from encoders.logic.moves import OpenMove, OpenMoves, movers, open_moves
from encoders.logic.sequents import NO, YES, add, choose, compare, integer, mul, negation, sub
from encoders.refusals import Unsupported

ELEMENT, WITH_PARTS = "element'", "h'"


@dataclass(frozen=True, eq=False)
class Guard:
    """A step of a path: evaluation continues only if the condition `term` is true."""

    term: t.Term


@dataclass(frozen=True, eq=False)
class Over:
    """A step of a path: evaluation continues for each element of `source` as the value of `variable`.

    If `source` is None, the variable may be every heap of every position.
    """

    variable: str
    source: t.Term | None


Path = tuple[Guard | Over, ...]


@dataclass(frozen=True, eq=False)
class DefinednessCondition:
    """A condition that a partial operation needs: `holds` must be true whenever evaluation reaches the operation.

    `words`: the operation and the condition, as text: "a / b needs b != 0".
    `path`: the conditions and loop variables on the way from the root of the expression to the operation.
    `part`: the name of the expression that contains the operation, such as "the conclusion"; "" if no report needs it.
    """

    words: str
    path: Path
    holds: t.Term
    part: str = ""


def _expand_need(need: DefinednessCondition) -> DefinednessCondition:
    """Return the requirement with each call of a definition of the claim replaced by the body of the definition."""
    path = tuple(
        Guard(expand_definitions(x.term))
        if isinstance(x, Guard)
        else replace(x, source=None if x.source is None else expand_definitions(x.source))
        for x in need.path
    )
    return replace(need, path=path, holds=expand_definitions(need.holds))


HYPOTHESIS, CONCLUSION = "the hypothesis", "the conclusion"


def list_parts(claim: Claim, games: bool = True) -> frozenset[str]:
    """Return the names of the expressions of a claim that contain a partial operation, such as "the conclusion".

    `games`: whether to include the expressions in the rules and arguments of its games. Raises Unsupported if the
    domain of a variable may be undefined.
    """
    found = list(needs_of_claim(claim))
    for game in claim.games if games else ():
        found += _needs_of_arguments(claim, game)
        if game.ruleset.heap is not None:
            found += needs_of_heaps(claim, game)
        for move in game.ruleset.moves:
            found += _needs_of_move(claim, game, move)
        found += _set_part(_measure_of(game), needs(game.ruleset.measure, (), claim))
    return frozenset(need.part for need in found)


def needs_of_claim(claim: Claim, below: int | None = None) -> Iterator[DefinednessCondition]:
    """Yield the requirements under which the claim has a truth value in every case. Definitions are expanded.

    `below`: if given, also require that the claim mentions only heaps below this number.
    Raises Unsupported for domains that may be undefined, because no proof rule supports such domains.
    """
    refuse_partial_domains(claim, below)
    path: Path = ()
    found: list[DefinednessCondition] = []
    if claim.hypothesis is not None:
        found += _set_part(HYPOTHESIS, needs(claim.hypothesis, (), claim, below))
        path = (Guard(claim.hypothesis),)
    found += _set_part(CONCLUSION, needs(claim.conclusion, path, claim, below))
    yield from _once(found)


def refuse_partial_domains(claim: Claim, below: int | None = None) -> None:
    """Raise Unsupported if the domain of a variable may be undefined. `below`: as in `needs_of_claim`."""
    bounds: list[t.Term | None]
    for v in claim.variables:
        match v.domain:
            case IntervalDomain(lo=lo, hi=hi):
                bounds = [lo, hi]
            case ElementsOf(source=source):
                bounds = [source]
            case _:
                bounds = []
        for bound in bounds:
            for need in needs(bound, (), claim, below):
                instead = "restrict the domains of the variables before it"
                raise Unsupported(f"the domain of {v.name} may be undefined: {need.words}", instead=instead)


def _set_part(part: str, found: Iterable[DefinednessCondition]) -> Iterator[DefinednessCondition]:
    """Yield the requirements with the field `part` set to this name."""
    return (replace(need, part=part) for need in found)


def _once(found: list[DefinednessCondition]) -> Iterator[DefinednessCondition]:
    """Yield the requirements without repetitions, and with distinct words.

    A requirement is omitted if an earlier one has the same condition and words, and a path that is an initial part of
    its path. If two of the remaining requirements have the same words, the second one gets the words "... (place 2)".
    """
    seen: dict[Hashable, list[tuple[Hashable, ...]]] = {}
    places: Counter[str] = Counter()
    for need in found:
        steps = [(x.variable, x.source) if isinstance(x, Over) else ("", x.term) for x in need.path]
        path = tuple((name, None if term is None else structural_key(term)) for name, term in steps)
        before = seen.setdefault((need.words, structural_key(need.holds)), [])
        if not any(path[: len(other)] == other for other in before):
            before.append(path)
            places[need.words] += 1
            again = "" if places[need.words] == 1 else f" (place {places[need.words]})"
            yield replace(need, words=need.words + again)


def needs_of_game(claim: Claim, game: Game, moves: OpenMoves = open_moves) -> Iterator[DefinednessCondition]:
    """Yield the requirements under which the arguments and the moves of a game are defined, for heaps of every size.

    `moves`: a function that returns the moves of a game in the form that the proof rule supports. It raises Unsupported
    for a game with other moves.
    """
    found: dict[str, list[DefinednessCondition]] = defaultdict(list)
    for need in _needs_of_arguments(claim, game):
        found[need.part].append(need)
    for mover in movers(game):
        for move in moves(game, mover):
            for need in _needs_of_move(claim, game, move):
                found[need.part].append(need)
    for group in found.values():
        yield from _once(group)


def _needs_of_arguments(claim: Claim, game: Game) -> Iterator[DefinednessCondition]:
    for name, argument in game.arguments:
        yield from _set_part(_argument(game, name), needs(argument, (), claim))


def _needs_of_move(claim: Claim, game: Game, move: Move | OpenMove) -> Iterator[DefinednessCondition]:
    path: Path = tuple(Over(heap, None) for heap in move.heaps)
    for word, name, domain in _picks(move):
        of = _part_of(game, f"pick {word}", move.number)
        bounds = (domain.lo, domain.hi) if isinstance(domain, IntervalDomain) else (domain,)
        for bound in bounds:
            yield from _set_part(of, needs(bound, path, claim))
        path = (*path, Over(name, _convert_to_list(domain)))
    yield from _set_part(_part_of(game, "where", move.number), needs(move.where, path, claim))
    if move.where is not None:
        path = (*path, Guard(move.where))
    for size in move.becomes if isinstance(move, OpenMove) else move.become:
        yield from _set_part(_part_of(game, "become", move.number), needs(size, path, claim))


def _picks(move: Move | OpenMove) -> Iterator[tuple[str, str, IntervalDomain | t.Term]]:
    """Yield (name in the ruleset, name in terms, domain) for each number that the mover picks in a move."""
    if isinstance(move, OpenMove):
        yield from ((pick.word, pick.name, IntervalDomain(pick.lo, pick.hi)) for pick in move.picks)
    else:
        yield from ((pick.name, pick.name, pick.domain) for pick in move.picks)


def _convert_to_list(domain: IntervalDomain | t.Term) -> t.Term:
    """Return a term for the list of the numbers in a domain; an interval lo..hi gives range(lo, hi + 1)."""
    if not isinstance(domain, IntervalDomain):
        return domain
    assert domain.hi is not None
    return t.Operation(list_of(INT), 0, 0, "range", (domain.lo, add(domain.hi, integer(1))))


def parts_of_play(game: Game) -> frozenset[str]:
    """Return names for the expressions that define how a game is played: its arguments, moves and measure.

    The names are those in `DefinednessCondition.part`, such as "`where` of move 1 of nim".
    """
    moves = [
        _part_of(game, key, move.number)
        for move in game.ruleset.moves
        for key in (*(f"pick {pick.name}" for pick in move.picks), "where", "become")
    ]
    return frozenset({*moves, *(_argument(game, name) for name, _ in game.arguments), _measure_of(game)})


def parts_of_heaps(game: Game) -> frozenset[str]:
    """Return names for the expressions in the table [heap] of a ruleset whose heaps have parts; empty for others."""
    shape = game.ruleset.heap
    names = () if shape is None else (*(part.name for part in shape.parts), "where", "gone")
    return frozenset(_part_of_heap(game, name) for name in names)


def _part_of_heap(game: Game, key: str) -> str:
    return f"`{key}` of [heap] of {_name(game)}"


def _name(game: Game) -> str:
    """Return the id of the game's ruleset, followed by the name of the game in parentheses if the two differ."""
    return game.ruleset.id if game.name == game.ruleset.id else f"{game.ruleset.id} ({game.name})"


def _argument(game: Game, name: str) -> str:
    return f"the argument {name} of {game.name}"


def _measure_of(game: Game) -> str:
    return f"`measure` of {_name(game)}"


def _part_of(game: Game, key: str, move: int) -> str:
    return f"`{key}` of move {move} of {_name(game)}"


def needs_of_heaps(claim: Claim, game: Game) -> Iterator[DefinednessCondition]:
    """Yield the requirements under which the table [heap] of the ruleset is defined, for every heap.

    The game must have heaps with parts. The bounds of the parts may use the arguments of the game.
    """
    shape = game.ruleset.heap
    assert shape is not None
    values = {name: expand_definitions(x) for name, x in game.arguments}
    for part in shape.parts:
        for bound in (part.lo, *(() if part.hi is None else (part.hi,))):
            yield from _set_part(_part_of_heap(game, part.name), needs(substitute(bound, values), (), claim))
    values |= {"h": t.Variable(shape.type, 0, 0, WITH_PARTS)}
    path: Path = (Over(WITH_PARTS, None),)
    if shape.where is not None:
        where = substitute(shape.where, values)
        yield from _set_part(_part_of_heap(game, "where"), needs(where, path, claim))
        path = (*path, Guard(where))
    if shape.gone is not None:
        yield from _set_part(_part_of_heap(game, "gone"), needs(substitute(shape.gone, values), path, claim))


def measure(game: Game, moves: OpenMoves = open_moves) -> Iterator[DefinednessCondition]:
    """Yield, for each kind of move, the condition that it leaves no negative heap and reduces a measure.

    So play is finite. The measure is the total of the heaps. If `game.ruleset.measure` is not None, it is twice the
    total minus the number of nonempty heaps, which also decreases if a heap is only split.
    `moves`: as in `needs_of_game`. Raises Unsupported.
    """
    counts = game.ruleset.measure is not None
    for mover in movers(game):
        for move in moves(game, mover):
            guards = () if move.where is None else (Guard(move.where),)
            heaps = tuple(t.Variable(INT, 0, 0, h) for h in move.heaps)
            before, after = (_weight(sizes, counts) for sizes in (heaps, move.becomes))
            natural = (compare("ge", size, integer(0)) for size in move.becomes)
            smaller = t.AllOf(BOOL, 0, 0, (*natural, compare("lt", after, before)))
            words = f"a move of {game.ruleset.id} makes its heap smaller"
            yield DefinednessCondition(
                words, (*(Over(heap, None) for heap in move.heaps), *_list_picks(move), *guards), smaller
            )


def sizes(game: Game, bound: int, moves: OpenMoves) -> Iterator[DefinednessCondition]:
    """Yield, for each kind of move, the requirement that it leaves only heaps below `bound`.

    A proof of the requirement may assume that the heaps before the move are below `bound`.
    `moves`: as in `needs_of_game`. Raises Unsupported.
    """
    for mover in movers(game):
        for move in moves(game, mover):
            where = () if move.where is None else (Guard(move.where),)
            path = (*(Over(heap, None) for heap in move.heaps), *_list_picks(move), *where)
            inside = t.AllOf(BOOL, 0, 0, tuple(compare("lt", size, integer(bound)) for size in move.becomes))
            yield DefinednessCondition(f"a move of {game.ruleset.id} makes heaps below {_power(bound)}", path, inside)


def _weight(sizes: Iterable[t.Term], counts: bool) -> t.Term:
    """Return the measure of heaps of these sizes, as a term.

    It is the total. If `counts` is true, it is the sum of 2 * size - 1 over the sizes that are not 0.
    """
    if counts:
        sizes = [choose(compare("gt", x, integer(0)), sub(mul(integer(2), x), integer(1)), integer(0)) for x in sizes]
    first, *others = tuple(sizes) or (integer(0),)
    return reduce(add, others, first)


def _list_picks(move: OpenMove) -> Iterator[Over]:
    """Yield a step for each number that the mover picks: a variable that runs over the range of the pick."""
    return (Over(name, _convert_to_list(domain)) for _, name, domain in _picks(move))


def needs(term: t.Term | None, path: Path, claim: Claim, below: int | None = None) -> Iterator[DefinednessCondition]:
    """Yield the requirements under which a term is defined. Their paths begin with `path`.

    `term`: None stands for an expression that the file omits, which has no requirements.
    `below`: as in `needs_of_claim`.
    """
    return iter(()) if term is None else map(_expand_need, _needs(term, path, claim, below))


def _needs(term: t.Term, path: Path, claim: Claim, below: int | None = None) -> Iterator[DefinednessCondition]:
    match term:
        case t.AllOf(args=args) | t.AnyOf(args=args):
            for x in args:
                yield from _needs(x, path, claim, below)
                path = (*path, Guard(x if isinstance(term, t.AllOf) else negation(x)))
        case t.IfElse(condition=c, then=x, other=y):
            yield from _needs(c, path, claim, below)
            yield from _needs(x, (*path, Guard(c)), claim, below)
            yield from _needs(y, (*path, Guard(negation(c))), claim, below)
        case t.Comprehension():
            yield from _find_comprehension_needs(term, path, claim, below)
        case t.Apply(function=function, args=args):
            for x in args:  # evaluated before the body, even if the body does not use them
                yield from _needs(x, path, claim, below)
            values = dict(zip(function.parameters, map(expand_definitions, args), strict=True))
            yield from _needs(substitute(function.body, values), path, claim, below)
        case _:
            for x in t.subterms(term):
                yield from _needs(x, path, claim, below)
            if isinstance(term, t.GameCall):
                yield from _find_question_needs(term, path, claim)
            elif isinstance(term, t.Operation):
                yield from _find_operation_needs(term, path)
                if below is not None and term.op in ("position", "replace"):
                    yield from _require_each(term.args[-1], path, partial(_require_below, bound=below, of=term))


def _find_comprehension_needs(
    term: t.Comprehension, path: Path, claim: Claim, below: int | None
) -> Iterator[DefinednessCondition]:
    outside = path
    for clause in term.clauses:
        yield from _needs(clause.source, path, claim, below)
        path = (*path, Over(clause.variable, clause.source))
        for x in clause.conditions:
            yield from _needs(x, path, claim, below)
            path = (*path, Guard(x))
    yield from _needs(term.body, path, claim, below)
    for condition in BUILTINS[term.reducer].needs if term.reducer in BUILTINS else ():
        match condition:
            case AtLeast(least=least):
                yield from _at_least(term.body, path, least, term)
            case NotEmpty():
                some = t.Comprehension(BOOL, term.start, term.end, "any", YES, term.clauses)
                yield DefinednessCondition(f"{print_term(term)} needs an element", outside, some)


def _find_question_needs(term: t.GameCall, path: Path, claim: Claim) -> Iterator[DefinednessCondition]:
    """Yield the requirement that the player in a game call such as `wins(s, P)` is a player of the game.

    `needs_of_game` yields the requirements of the game itself. Raises Unsupported for a question about combined games.
    """
    if not term.game:
        raise Unsupported("the claim combines games: only the search of the scope supports this")
    game = claim.game(term.game)
    mover = term.args[-1]
    if mover.type == PLAYER:
        if isinstance(mover, t.Literal) and not 0 <= mover.value < len(game.ruleset.players):
            yield DefinednessCondition(f"{print_term(term)} needs a player of {game.ruleset.id}", path, NO)
    elif mover.type == INT:
        count = dict(game.arguments)[game.ruleset.player_count]
        inside = t.AllOf(BOOL, 0, 0, (compare("ge", mover, integer(0)), compare("lt", mover, count)))
        yield DefinednessCondition(f"{print_term(term)} needs a player from 0 to {print_term(count)} - 1", path, inside)


def _find_operation_needs(term: t.Operation, path: Path) -> Iterator[DefinednessCondition]:
    """Yield the requirements of an operation, such as a nonzero divisor. The table BUILTINS lists them."""
    for condition in BUILTINS[term.op].needs:
        match condition:
            case NotZero(at=at):
                yield from _require_nonzero(term.args[at], path, term)
            case AtLeast(at=at, least=least):
                yield from _require_each(term.args[at], path, partial(_at_least, least=least, of=term))
            case NotEmpty(at=at):
                yield from _require_nonempty(term.args[at], path, term)
            case Inside(of=of, at=at):
                yield from _require_inside(term.args[of], term.args[at], path, term)
            case Pairs(at=at):
                yield from _require_pairs(term.args[at], path, term)
            case HeapOf(of=of, at=at):
                yield from _heap_of(term.args[of], term.args[at], path, term)


def _require_nonzero(x: t.Term, path: Path, of: t.Term) -> Iterator[DefinednessCondition]:
    if not (isinstance(x, t.Literal) and x.value != 0):
        yield DefinednessCondition(f"{print_term(of)} needs {print_term(x)} != 0", path, compare("ne", x, integer(0)))


def _require_nonempty(group: t.Term, path: Path, of: t.Term) -> Iterator[DefinednessCondition]:
    if not (isinstance(group, t.Collection) and group.items):
        some = compare("ge", t.Operation(INT, 0, 0, "len", (group,)), integer(1))
        yield DefinednessCondition(f"{print_term(of)} needs {print_term(some)}", path, some)


def _require_pairs(group: t.Term, path: Path, of: t.Term) -> Iterator[DefinednessCondition]:
    if isinstance(group, t.Collection) and all(isinstance(x, t.Collection) and len(x.items) == 2 for x in group.items):
        return
    pair = t.Variable(list_of(INT), 0, 0, ELEMENT)
    two = compare("eq", t.Operation(INT, 0, 0, "len", (pair,)), integer(2))
    yield DefinednessCondition(f"{print_term(of)} needs pairs", (*path, Over(ELEMENT, group)), two)


def _require_inside(group: t.Term, at: t.Term, path: Path, of: t.Term) -> Iterator[DefinednessCondition]:
    length = t.Operation(INT, 0, 0, "len", (group,))
    inside = t.AllOf(BOOL, 0, 0, (compare("ge", at, integer(0)), compare("lt", at, length)))
    yield DefinednessCondition(f"{print_term(of)} needs 0 <= {print_term(at)} < {print_term(length)}", path, inside)


def _heap_of(s: t.Term, heap: t.Term, path: Path, of: t.Term) -> Iterator[DefinednessCondition]:
    if not _runs_over(path, heap, s):
        inside = t.Operation(BOOL, 0, 0, "in", (heap, s))
        yield DefinednessCondition(f"{print_term(of)} needs {print_term(inside)}", path, inside)


def _require_each(
    of: t.Term, path: Path, asks: Callable[[t.Term, Path], Iterator[DefinednessCondition]]
) -> Iterator[DefinednessCondition]:
    """Yield the requirements of every element of a collection of integers, or of a single integer.

    `of`: the collection or the integer. `asks`: a function that yields the requirements of one element, for the path on
    which evaluation reaches it.
    """
    if isinstance(of, t.Collection):
        for x in of.items:
            yield from asks(x, path)
    elif isinstance(of, t.Comprehension) and of.type.is_collection:
        for clause in of.clauses:
            path = (*path, Over(clause.variable, clause.source), *map(Guard, clause.conditions))
        yield from asks(of.body, path)
    elif of.type == INT:
        yield from asks(of, path)
    else:
        yield from asks(t.Variable(INT, 0, 0, ELEMENT), (*path, Over(ELEMENT, of)))


def _at_least(x: t.Term, path: Path, least: int, of: t.Term) -> Iterator[DefinednessCondition]:
    """Yield the requirement x >= `least`, unless it is obvious from the form of the term.

    `of`: the operation that requires it, for the words.
    """
    if isinstance(x, t.Literal) and x.value >= least:
        return
    if least > 0 or not _is_natural(x, path):
        yield DefinednessCondition(
            f"{print_term(of)} needs {print_term(x)} >= {least}", path, compare("ge", x, integer(least))
        )


def _is_natural(x: t.Term, path: Path) -> bool:
    """Return whether it is obvious from the form of a term that its value is not negative."""
    match x:
        case t.Operation(op=op) if BUILTINS[op].natural:
            return True
        case t.Operation(op="sum" | "max" | "min" | "index", args=(s, *_)) if s.type == POSITION:
            return True
        case t.Comprehension(reducer=reducer):
            return BUILTINS[reducer].natural
        case t.GameCall(function="grundy" | "value"):
            return True
        case t.Variable(name=name):
            return _is_heap(path, name)
    return False


def _require_below(x: t.Term, path: Path, bound: int, of: t.Term) -> Iterator[DefinednessCondition]:
    """Yield the requirement x < `bound`, unless x is a smaller literal or a variable for the heaps of a position.

    `of`: the operation that makes a heap of size x, for the words.
    """
    if isinstance(x, t.Literal) and x.value < bound:
        return
    if isinstance(x, t.Variable) and _is_heap(path, x.name):
        return
    yield DefinednessCondition(
        f"{print_term(of)} needs {print_term(x)} < {_power(bound)}", path, compare("lt", x, integer(bound))
    )


def _power(bound: int) -> str:
    exponent = bound.bit_length() - 1
    return f"2^{exponent}" if bound == 1 << exponent else str(bound)


def _is_heap(path: Path, name: str) -> bool:
    """Return whether the path contains the variable `name` and it runs over the heaps of a position."""
    runs = any(isinstance(step, Over) and step.variable == name for step in path)
    source = _source(path, name)
    return runs and (source is None or source.type == POSITION)


def _source(path: Path, name: str) -> t.Term | None:
    """Return the collection over which the variable `name` runs, according to its last step in the path.

    Return None if it runs over all heaps, or if the path has no such variable.
    """
    sources = [step.source for step in path if isinstance(step, Over) and step.variable == name]
    return sources[-1] if sources else None


def _runs_over(path: Path, heap: t.Term, s: t.Term) -> bool:
    """Return whether `heap` is a variable that, according to the path, runs over the heaps of s."""
    if not isinstance(heap, t.Variable):
        return False
    source = _source(path, heap.name)
    return source is not None and structural_key(expand_definitions(source)) == structural_key(expand_definitions(s))
