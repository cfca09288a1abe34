"""The shape of a claim (its questions about games), the proof rules that may apply, and drafts of a [proof]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import chain, count

from claims.language.files.claim import Claim, Game, unfold_claim
from claims.language.files.domains import ClaimVariable, IntervalDomain, ListedDomain, Players, Positions
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, structural_key, substitute, walk
from claims.language.syntax.terms import INT, POSITION, Term
from encoders.logic.moves import has_own_measure
from encoders.logic.sequents import ONE, ZERO, at_least, conjunction, negation
from encoders.refusals import Unsupported
from encoders.trust import ObligationKind

# == drafts ===========================================================================================================
# Drafts: possible beginnings of a [proof] for a claim of a given shape. They need not be true.
#
# A rule is suggested only if it can read one of its drafts for the claim and its games: see
# `encoders.proving.suggestions`.
Draft = Mapping[str, object]
BOUNDED = {"sizes": "< 2^62"}


def empty_draft(claim: Claim, beside: Iterable[str]) -> Iterator[Draft]:
    """Yield one empty draft of [proof], to which the caller adds the name of the rule. `beside` is not used."""
    yield {}


def vary_bound(claim: Claim, beside: Iterable[str]) -> Iterator[Draft]:
    """Yield five drafts of [proof]: an empty one, one with a bound on sizes, and three that name the heaps.

    These three name two, three and four heaps. `beside` is not used.
    """
    yield from ({}, BOUNDED)
    for heaps in ("ab", "abc", "abcd"):
        yield {"heaps": [*make_unused_names(claim, heaps)]}


def draft_losses(claim: Claim, beside: Iterable[str]) -> Iterator[Draft]:
    """Yield the drafts of `vary_bound`, each with the invariant that the mover always loses."""
    for draft in vary_bound(claim, beside):
        yield {"loses": lose_everywhere(claim), **draft}


def lose_everywhere(claim: Claim) -> dict[str, str]:
    """Return a table [proof.loses] with the invariant that the mover always loses, for the first game of a claim."""
    ruleset = claim.games[0].ruleset
    return dict.fromkeys(("mover",) if ruleset.impartial else ruleset.players, "True")


def make_unused_names(claim: Claim, wanted: Iterable[str]) -> Iterator[str]:
    """Yield the wanted names. A number is appended to a name that already occurs in the file of the claim."""
    written = claim.source.text
    for name in wanted:
        yield next(x for x in chain((name,), (f"{name}{i}" for i in count(1))) if x not in written)


def divisions(claim: Claim, any_heap: str) -> tuple[tuple[str, str], ...]:
    """Return (dividend, divisor), as text, of each quotient or remainder whose divisor is not a literal.

    Variables that run over the heaps of a position are renamed to `any_heap`.
    """
    found: dict[tuple[str, str], None] = {}
    running: dict[str, t.Term] = {}
    for x in walk((claim.hypothesis, claim.conclusion)):
        match x:
            case t.Comprehension(clauses=clauses):
                heap = t.Variable(INT, 0, 0, any_heap)
                running |= {c.variable: heap for c in clauses if c.source.type == POSITION}
            case t.Operation(op="floordiv" | "mod", args=(a, b)) if not isinstance(b, t.Literal):
                found[print_term(substitute(a, running)), print_term(substitute(b, running))] = None
    return tuple(found)


# == shape ============================================================================================================
# The shape of a claim: its questions about games, at which positions, and the functions that it uses.
WHO_WINS = frozenset({"wins", "outcome"})
VALUES = frozenset({"value", "grundy"})


class QueryTarget(Enum):
    """The kind of position that is the argument of a question such as `wins(s)`."""

    VARIABLE = "a position of the claim"
    OPTION = "an option"
    HEAP = "a single heap"
    HEAPS = "explicit heaps"
    MADE = "a position made from another"


@dataclass(frozen=True)
class GameQuery:
    """A question about a game in a claim, such as `wins(s)`.

    `function`: wins, value, options and so on.
    `game`: the name of the game in the claim.
    `place`: the kind of position that the question is about.
    """

    function: str
    game: str
    place: QueryTarget


@dataclass(frozen=True)
class ClaimShape:
    """The properties of a claim that decide which rules are suggested.

    `games`, `questions`: the games of the claim, and the questions of the claim about the games.
    `operations`: the names of operations and of reducers of comprehensions in the claim.
    `positions`: the number of position variables.
    `heaps`: the largest number of heaps of a position in the claim; None if the claim does not bound this number.
    `cases`: whether the claim contains a conditional whose condition is about integer variables of the claim only.
    `quantifier`: "forall" or "exists".
    """

    games: tuple[Game, ...]
    questions: frozenset[GameQuery]
    operations: frozenset[str]
    positions: int
    heaps: int | None
    cases: bool
    quantifier: str

    def asks(self, functions: frozenset[str]) -> bool:
        """Whether the claim contains a question with one of these functions, such as `wins` or `grundy`."""
        return any(q.function in functions for q in self.questions)

    def places(self, functions: frozenset[str]) -> frozenset[QueryTarget]:
        """Return the kinds of positions to which the claim applies one of these functions."""
        return frozenset(q.place for q in self.questions if q.function in functions)

    @property
    def two_players(self) -> bool:
        """Whether the claim has a game, and all its games have two players."""
        return bool(self.games) and all(len(g.ruleset.players) == 2 for g in self.games)

    @property
    def one_heap(self) -> bool:
        """Whether every move of the claim's games makes a single heap smaller, and no ruleset has a `measure`."""
        return all(g.ruleset.single_heap and g.ruleset.measure is None for g in self.games)

    @property
    def shrinking(self) -> bool:
        """Whether no move of the claim's games increases the number of heaps, and no ruleset has a `measure`."""
        moves = [m for g in self.games for m in g.ruleset.moves]
        return all(g.ruleset.measure is None for g in self.games) and all(len(m.become) <= len(m.heaps) for m in moves)

    @property
    def splitting(self) -> bool:
        """Whether every move of the claim's games is on arbitrary heaps and does not decrease the number of heaps.

        The games must also have the default measure, and moves that do not depend on the other heaps of the position.
        """
        moves = [m for g in self.games for m in g.ruleset.moves]
        counted = not any(has_own_measure(g.ruleset) or g.ruleset.sees_position for g in self.games)
        return counted and all(m.choose == "any" and len(m.become) >= len(m.heaps) for m in moves)

    @property
    def any_heap(self) -> bool:
        """Whether every move of the claim's games makes a single, arbitrary heap smaller."""
        return self.one_heap and all(m.choose == "any" for g in self.games for m in g.ruleset.moves)

    @property
    def normal_play(self) -> bool:
        """Whether a player without a move loses, in each game of the claim."""
        return not any(g.ruleset.stuck_wins for g in self.games)


@dataclass(frozen=True)
class RuleSuggestion:
    """A kind of claims for which a rule is suggested.

    `shape`: the kind in words.
    `meets`: whether a claim is of this kind.
    `write`: the first thing to write in [proof].
    `begin`: a function that yields drafts of [proof] without the name of the rule. Its arguments are a claim, and the
    names of neighbouring claims with a [proof]. If the rule supports the claim and its games, it supports one of the
    drafts.
    """

    shape: str
    meets: Callable[[ClaimShape], bool]
    write: str
    begin: Callable[[Claim, Iterable[str]], Iterator[Draft]] = empty_draft


def shape_of(claim: Claim) -> ClaimShape:
    """Return the shape of a claim, after its definitions are expanded.

    Raises TooLong if the expanded claim has too many terms.
    """
    plain = unfold_claim(claim)
    parts = (plain.conclusion,) if plain.hypothesis is None else (plain.hypothesis, plain.conclusion)
    terms = [x for part in parts for x in walk(part)]
    questions = frozenset(q for part in parts for q in _questions(part, frozenset()))
    positions = [v for v in plain.variables if v.type == POSITION]
    return ClaimShape(
        plain.games,
        questions,
        frozenset(_operations(terms)),
        len(positions),
        _most_heaps(plain, terms),
        any(isinstance(x, t.IfElse) and _is_about_integers(x.condition, plain) for x in terms),
        plain.quantifier,
    )


def _operations(terms: list[t.Term]) -> Iterator[str]:
    for x in terms:
        match x:
            case t.Operation(op=name) | t.Comprehension(reducer=name):
                yield name


def _is_about_integers(term: t.Term, claim: Claim) -> bool:
    names = {v.name for v in claim.variables if v.type == INT}
    found = set(find_free_names(term))
    return bool(found) and found <= names and not any(isinstance(x, t.GameCall) for x in walk(term))


# -- questions --------------------------------------------------------------------------------------------------------
def _questions(term: t.Term, options: frozenset[str]) -> Iterator[GameQuery]:
    """Yield the questions about games in a term.

    `options`: the variables that denote options of a position in this term.
    """
    if isinstance(term, t.GameCall):
        yield GameQuery(term.function, term.game, _place(term.args[0], options))
    if not isinstance(term, t.Comprehension):
        for part in t.subterms(term):
            yield from _questions(part, options)
        return
    for clause in term.clauses:
        yield from _questions(clause.source, options)
        if any(isinstance(x, t.GameCall) and x.function == "options" for x in walk(clause.source)):
            options |= {clause.variable}
        for condition in clause.conditions:
            yield from _questions(condition, options)
    yield from _questions(term.body, options)


def _place(s: t.Term, options: frozenset[str]) -> QueryTarget:
    match s:
        case t.Variable(name=name):
            return QueryTarget.OPTION if name in options else QueryTarget.VARIABLE
        case t.Operation(op="position", args=(t.Collection(items=items),)):
            return QueryTarget.HEAP if len(items) == 1 else QueryTarget.HEAPS
    return QueryTarget.MADE


# -- how many heaps ---------------------------------------------------------------------------------------------------
def _most_heaps(claim: Claim, terms: list[t.Term]) -> int | None:
    """Return the largest number of heaps of a position in the claim; None if there is no bound.

    A position variable is bounded by its domain or by a hypothesis such as len(s) == 2. An explicit position is bounded
    by its length.
    """
    found = [
        _find_heap_bound(claim, v.name)
        for v in claim.variables
        if v.type == POSITION and not isinstance(v.domain, ListedDomain)
    ]
    for term in terms:
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                found.append(len(items))
            case t.Operation(op="position"):
                return None
    numbers = [n for n in found if n is not None]
    return max(numbers, default=0) if len(numbers) == len(found) else None


def _find_heap_bound(claim: Claim, position: str) -> int | None:
    """Return the largest number of heaps that the hypotheses allow for a position variable; None without a bound."""
    for x in () if claim.hypothesis is None else t.conjuncts(claim.hypothesis):
        match x:
            case t.Operation(
                op="eq" | "le" | "lt" as op,
                args=(t.Operation(op="len", args=(t.Variable(name=name),)), t.Literal(value=n)),
            ) if name == position:
                return n - 1 if op == "lt" else n
    return None


# == common ===========================================================================================================
# Shared by several rules: kinds of obligations, requirements on games and variables, outcomes.
PARAMETERS = ObligationKind(
    "parameters{of}",
    "Some value of the claim's variables is not a legal parameter of the game",
    "Narrow the variable in [forall], or change the argument in `ruleset`",
)
RULES = ObligationKind(
    "{part} is defined: {words}",
    "The rules of the game are undefined for some heap, or for some number that is picked",
    "Guard the operation in the ruleset's file, as by `len(h.c) == 0 or ...`, or narrow the range of a number",
    "defined everywhere",
)
MEASURE = ObligationKind(
    "measure{of}",
    "Some legal move does not decrease the measure, or leaves a heap below 0",
    "Restrict the numbers picked, or the `where` of the move, in the ruleset's file",
)
DEFINED = ObligationKind(
    "defined: {words}",
    "Some part of the claim is undefined in this case, or mentions heaps beyond the bound of the proof",
    "Exclude the case, by the domain of a variable or under `if`. For a heap h of a position write "
    "all(h >= 2 for h in s) under `if`, or `for h in s if h >= 2` in the comprehension. If the proof has a bound "
    "`sizes`, bound the heaps of explicit positions in the claim, or remove `sizes`",
)


def claim_follows(means: str, change: str) -> ObligationKind:
    """Return the kind of the last obligation of a proof, which states that the claim follows.

    `means`, `change`: the meaning of a failure, and what to change then.
    """
    return ObligationKind("claim{where}", means, change, "it follows")


def require_one_game(claim: Claim) -> Game:
    """Return the only game of a claim. Raises Unsupported if the claim has no game or several games."""
    if len(claim.games) != 1:
        instead = 'write a claim about each game, and name these claims in `by` of a proof with rule = "definition"'
        raise Unsupported(
            f"the rule needs a claim about exactly one game, and this claim has {len(claim.games)}", instead=instead
        )
    return claim.games[0]


def refuse_variable(v: ClaimVariable) -> Unsupported:
    """Return the error for a variable that a rule does not support."""
    if isinstance(v.domain, Players):
        instead = "state the claim for each player by name, as in wins(s, P1) and wins(s, P2)"
    else:
        instead = (
            "" if v.type == INT else "use integer variables, and write positions heap by heap, as in position([x, y])"
        )
    written = f"{{ {v.text.replace('in ', 'in = ', 1)} }}" if v.text.startswith("in ") else f'"{v.text}"'
    return Unsupported(f"the rule does not support the variable {v.name} = {written}", instead=instead)


def refuse_others(claim: Claim) -> None:
    """Raise Unsupported if a variable is neither an integer nor a position."""
    for v in claim.variables:
        if not (
            isinstance(v.domain, Positions) or (v.type == INT and isinstance(v.domain, IntervalDomain | ListedDomain))
        ):
            raise refuse_variable(v)


def has_outcome(outcome: str, first: Term, second: Term) -> Term:
    """Return the condition that a position has the outcome.

    `outcome`: "P_position", "N_position", "first_wins" or "second_wins".
    `first`: the condition that the first player loses if the first player is to move.
    `second`: the condition that the second player loses if the second player is to move.
    """
    return {
        "P_position": conjunction(first, second),
        "N_position": conjunction(negation(first), negation(second)),
        "first_wins": conjunction(negation(first), second),
        "second_wins": conjunction(first, negation(second)),
    }[outcome]


# == extremes =========================================================================================================
# The largest and the smallest heap, and their multiplicities, as terms of a claim or a proof.
LEAST, LARGEST = "min", "max"


@dataclass(frozen=True, eq=False)
class ExtremeTerm:
    """An extreme heap of a position, or its multiplicity, as the number that a term denotes.

    `which`: LEAST for the smallest heap, LARGEST for the largest heap.
    `times`: whether the number is the multiplicity of this heap.
    `source`: the position.
    """

    which: str
    times: bool
    source: t.Term


def extreme_of(term: t.Term) -> ExtremeTerm | None:
    """Return which extreme heap, or multiplicity of an extreme heap, a term denotes; None for another term.

    Examples of such terms are `max(s)`, `s.count(max(s))` and `count(h == max(s) for h in s)`.
    """
    match term:
        case t.Operation(op="min" | "max" as op, args=(source,)) if source.type == POSITION:
            return ExtremeTerm(op, False, source)
        case t.Operation(op="occurrences", args=(source, item)) if source.type == POSITION:
            found = extreme_of(item)
            return _count_extreme(found, source)
        case t.Comprehension(
            reducer="count",
            body=t.Operation(op="eq", args=(a, b)),
            clauses=(t.Clause(variable=heap, source=source, conditions=()),),
        ) if source.type == POSITION:
            for one, other in ((a, b), (b, a)):
                if isinstance(one, t.Variable) and one.name == heap and heap not in find_free_names(other):
                    return _count_extreme(extreme_of(other), source)
    return None


def _count_extreme(found: ExtremeTerm | None, source: t.Term) -> ExtremeTerm | None:
    """Return the multiplicity of `found` in `source`, if `found` is an extreme heap of `source`; else None."""
    if found is None or found.times or structural_key(found.source) != structural_key(source):
        return None
    return ExtremeTerm(found.which, True, source)


def is_extreme(term: t.Term) -> ExtremeTerm | None:
    """Return the result of `extreme_of`, but also accept guarded terms such as `max(s) if len(s) >= 1 else 0`."""
    match term:
        case t.IfElse(condition=condition, then=then, other=t.Literal(value=0)):
            found = extreme_of(then)
            if found is not None and structural_key(condition) == structural_key(has_heap(found.source)):
                return found
    return extreme_of(term)


def has_heap(s: t.Term) -> t.Term:
    """Return the condition len(s) >= 1."""
    return at_least(t.Operation(INT, 0, 0, "len", (s,)), ONE)


def guard_extreme(term: t.Term) -> t.Term:
    """Return `max(s) if len(s) >= 1 else 0` for `max(s)`, and do the same with every term that `extreme_of` recognizes.

    Return every other term unchanged.
    """
    found = extreme_of(term)
    return term if found is None else t.IfElse(INT, term.start, term.end, has_heap(found.source), term, ZERO)
