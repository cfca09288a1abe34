"""Why a proof failed, where the scope can tell: the first position at which what the proof says of positions is wrong.

An obligation fails at values of folds or digits, which may be those of no position at all.  So the proof's formulas are
made claims of their own, and the exhaustive route looks for positions of the scope that contradict them: the invariant
(or the closed form), then each named reply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from checks.judgement.scopes import limits_of
from checks.results.phrases import scope_phrase, values_phrase
from claims.language.expressions import terms as t
from claims.language.expressions.elaborate import Elaborator
from claims.language.expressions.types import BOOL, INT, PLAYER, POSITION, list_of
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from encoders.answer import Decision
from encoders.exhaustive.encoder import settle as exhaustive
from encoders.rules.cases import CasesProof
from encoders.rules.few.section import FewProof
from encoders.rules.folds.section import FoldsProof, NamedMove
from encoders.rules.grundy.section import Digit, GrundyProof, PowerDigit
from encoders.rules.value.section import ValueProof

DIGITS = d.Range(0, 4)  # where a digit without bound is looked at
FEW, SIZES = d.Range(0, 12), d.Range(0, 6)  # one or two heaps in a proof about few; three or four
POWERS = 4  # and so many powers, where a digit is one
POSITIONS = d.PositionRange(d.Range(0, 4), d.Range(1, 6))  # what is looked at for a formula about all positions
SHAPES = {
    "heaps": "len(s)",
    "least": "min(s) if len(s) > 0 else 0",
    "times": "s.count(min(s)) if len(s) > 0 else 0",
    "largest": "max(s) if len(s) > 0 else 0",
}


def diagnose(claim: Claim, scope: d.Scope, budget: float | None) -> str:
    """One sentence: what the proof says that is wrong, and where; or that it is right in the scope."""
    said = 0
    for what, made, within in _said(claim, scope):
        answer = exhaustive(made, within, budget)
        if answer.answer is Decision.FAILS and answer.counterexample is not None:
            case = tuple((n, v) for n, v in answer.counterexample.items())
            return f"the exhaustive route confirms that {what} is wrong, first at {values_phrase(case)}"
        if answer.answer is not Decision.HOLDS:
            return f"whether {what} is right is open: {answer.detail}"
        said += 1
        last = scope_phrase(limits_of(made, within))
    if not said:
        return ""
    return f"what the proof says of positions is right for {last}: the argument fails, not its formulas"


def _said(claim: Claim, scope: d.Scope) -> Iterator[tuple[str, Claim, d.Scope]]:
    """What the claim's proof says of positions: (in words, as a claim, the scope to look at)."""
    match claim.proof:
        case FoldsProof() as proof:
            yield from _folds(claim, proof, scope)
        case FewProof() as proof:
            yield from _few_heaps(claim, proof, scope)
        case GrundyProof() as proof:
            yield _values(claim, proof, scope)
        case ValueProof() as proof:
            yield _formula(claim, proof, scope)
        case CasesProof(cases=cases):
            for case in cases:
                for what, made, within in _said(replace(claim, proof=case.proof), scope):
                    yield f"{what} for {case.text}", made, within


def _integers(claim: Claim) -> tuple[d.Variable, ...]:
    return tuple(v for v in claim.variables if v.type == INT and isinstance(v.domain, d.Interval | d.Listed))


def _stated(
    claim: Claim, variables: tuple[d.Variable, ...], hypotheses: list[t.Term], conclusion: t.Term, scope: d.Scope
) -> tuple[Claim, d.Scope]:
    hypothesis = t.AllOf(BOOL, 0, 0, tuple(hypotheses)) if hypotheses else None
    made = replace(
        claim,
        quantifier="forall",
        variables=variables,
        hypothesis=hypothesis,
        conclusion=conclusion,
        texts=(),
        proof=None,
    )
    return made, {v.name: scope[v.name] for v in variables if v.name in scope}


def _call(name: str, arguments: dict[str, t.Term], body: t.Term) -> t.Term:
    """A call of the function with this body: whatever it mentions besides its parameters is the claim's."""
    return t.Apply(body.type, 0, 0, t.Function(name, tuple(arguments), body), tuple(arguments.values()))


# -- folds ------------------------------------------------------------------------------------------------------------
def _folds(claim: Claim, proof: FoldsProof, scope: d.Scope) -> Iterator[tuple[str, Claim, d.Scope]]:
    if len(claim.games) != 1 or not proof.loses or len(claim.games[0].ruleset.players) != 2:
        return
    usual = d.Variable(proof.position, POSITION, d.Positions(), "position")
    position = next((v for v in claim.variables if v.name == proof.position), usual)
    scope = {position.name: POSITIONS, **scope}
    variables = (*_integers(claim), position)
    assumed = [] if proof.assume is None else [proof.assume]
    game = claim.games[0]
    players = game.ruleset.players
    for player, _ in proof.loses:
        s, mover = t.Variable(POSITION, 0, 0, proof.position), t.Literal(PLAYER, 0, 0, player)
        wins = t.GameCall(BOOL, 0, 0, "wins", game.name, (s, mover))
        right = t.Operation(BOOL, 0, 0, "ne", (wins, _lost(proof, player, s)))
        who = "" if game.ruleset.impartial else f" of {players[player]}"
        yield f"the invariant{who}", *_stated(claim, variables, assumed, right, scope)
    for number, named in enumerate(proof.moves, 1):
        for player, _ in proof.loses:
            answered = game.ruleset.impartial or 1 - player in dict(proof.loses)
            if answered and named.to_loss and named.player in (None, player) and len(game.ruleset.moves) == 1:
                hypotheses, conclusion = _reply(claim, proof, named, player)
                made = _stated(claim, variables, [*assumed, *hypotheses], conclusion, scope)
                yield f"[[proof.moves]] number {number}", *made


def _seen(proof: FoldsProof, term: t.Term) -> t.Term:
    """A term over the names of the folds, as one of the claim."""
    return _call("seen", proof.seen, term)


def _lost(proof: FoldsProof, player: int, s: t.Term) -> t.Term:
    return _call("lost", {proof.position: s}, _seen(proof, dict(proof.loses)[player]))


def _reply(claim: Claim, proof: FoldsProof, named: NamedMove, player: int) -> tuple[list[t.Term], t.Term]:
    """Hypotheses and conclusion of: from a position not lost where `when` holds, it is legal and leads to a loss."""
    game = claim.games[0]
    (move,) = game.ruleset.moves
    following = 0 if game.ruleset.impartial else 1 - player
    s, h = t.Variable(POSITION, 0, 0, proof.position), t.Variable(INT, 0, 0, "h")
    takes = {name: _call("seen", proof.seen_beside, term) for name, term in named.take}
    mover = t.Literal(PLAYER, 0, 0, player)
    size = _call("size", {**dict(game.arguments), "mover": mover, move.heaps[0]: h, **takes}, move.become[0])
    after = t.Operation(POSITION, 0, 0, "replace", (s, h, size))
    natural = t.Operation(BOOL, 0, 0, "ge", (size, t.Literal(INT, 0, 0, 0)))
    legal = t.GameCall(BOOL, 0, 0, "legal", game.name, (s, after, mover))
    reached = t.AllOf(BOOL, 0, 0, (natural, legal, _lost(proof, following, after)))
    clause = t.Clause("h", s, _picked(proof, named))
    terminal = t.GameCall(BOOL, 0, 0, "terminal", game.name, (s, mover))
    hypotheses = [t.Operation(BOOL, 0, 0, "not", (_lost(proof, player, s),)), _seen(proof, named.when)]
    if game.ruleset.stuck_wins:
        hypotheses.append(t.Operation(BOOL, 0, 0, "not", (terminal,)))
    return hypotheses, t.Comprehension(BOOL, 0, 0, "all", reached, (clause,))


def _picked(proof: FoldsProof, named: NamedMove) -> tuple[t.Term, ...]:
    """What the pick grants of the heap h."""
    h = t.Variable(INT, 0, 0, "h")
    if named.largest:
        s = t.Variable(POSITION, 0, 0, proof.position)
        return (t.Operation(BOOL, 0, 0, "eq", (h, t.Operation(INT, 0, 0, "max", (s,)))),)
    if not named.top_bit:
        return () if named.having is None else (_seen(proof, named.having),)
    fold = next(f.term for f in proof.folds if f.name == named.top_bit)
    if isinstance(fold, t.Comprehension):
        (clause,) = fold.clauses
        of = _call("of", {clause.variable: h}, fold.body)
        conditions = tuple(_call("meets", {clause.variable: h}, c) for c in clause.conditions)
    else:
        of, conditions = h, ()
    lowered = t.Operation(INT, 0, 0, "nim", (of, fold))
    return *conditions, t.Operation(BOOL, 0, 0, "lt", (lowered, of))


# -- few heaps --------------------------------------------------------------------------------------------------------
def _few_heaps(claim: Claim, proof: FewProof, scope: d.Scope) -> Iterator[tuple[str, Claim, d.Scope]]:
    """The invariant, at all positions of few heaps; the moves named may need numbers that only the proof knows."""
    (game,) = claim.games
    heaps = tuple(t.Variable(INT, 0, 0, name) for name in proof.heaps)
    least = (t.Literal(INT, 0, 0, 0), *heaps)  # in ascending order
    ranges = [
        d.Variable(h.name, INT, d.Interval(low, None), "") for h, low in zip(heaps, least[: len(heaps)], strict=True)
    ]
    position = t.Operation(POSITION, 0, 0, "position", (t.Collection(list_of(INT), 0, 0, heaps),))
    sizes = dict.fromkeys(proof.heaps, FEW if len(heaps) <= 2 else SIZES)
    assumed = [] if proof.assume is None else [proof.assume]
    for player, lost in proof.loses:
        wins = t.GameCall(BOOL, 0, 0, "wins", game.name, (position, t.Literal(PLAYER, 0, 0, player)))
        right = t.Operation(BOOL, 0, 0, "ne", (wins, lost))
        who = "" if game.ruleset.impartial else f" of {game.ruleset.players[player]}"
        integers = _needed(claim, [right, *assumed, *(x for _, x in game.arguments)])
        yield f"the invariant{who}", *_stated(claim, (*integers, *ranges), assumed, right, {**scope, **sizes})


def _needed(claim: Claim, terms: list[t.Term]) -> tuple[d.Variable, ...]:
    """The claim's integers that the terms mention, and those by which these are bounded."""
    found: list[d.Variable] = []
    for v in reversed(_integers(claim)):
        if v.name in t.names_of(terms)[0]:
            found.insert(0, v)
            if isinstance(v.domain, d.Interval):
                terms = [*terms, v.domain.lo, *(() if v.domain.hi is None else (v.domain.hi,))]
    return tuple(found)


# -- closed forms -----------------------------------------------------------------------------------------------------
def _values(claim: Claim, proof: GrundyProof, scope: d.Scope) -> tuple[str, Claim, d.Scope]:
    integers = _integers(claim)
    free = {x.name for x in integers}
    digits = tuple(_digit(x) for x in proof.digits if x.name not in free)
    heap = t.Collection(list_of(INT), 0, 0, (proof.heap,))
    position = t.Operation(POSITION, 0, 0, "position", (heap,))
    value = t.GameCall(INT, 0, 0, "grundy", claim.games[0].name, (position,))
    right = t.Operation(BOOL, 0, 0, "eq", (value, proof.value))
    natural = t.Operation(BOOL, 0, 0, "ge", (proof.heap, t.Literal(INT, 0, 0, 0)))
    assumed: list[t.Term] = [natural] if proof.assume is None else [proof.assume, natural]
    within = dict(scope) | {x.name: DIGITS for x in proof.digits if isinstance(x, Digit) and x.hi is None}
    return "the closed form", *_stated(claim, (*integers, *digits), assumed, right, within)


def _digit(digit: Digit | PowerDigit) -> d.Variable:
    if isinstance(digit, PowerDigit):
        return d.Variable(digit.name, INT, d.Listed(tuple(digit.base**e for e in range(POWERS))), "")
    return d.Variable(digit.name, INT, d.Interval(digit.lo, digit.hi), "")


def _formula(claim: Claim, proof: ValueProof, scope: d.Scope) -> tuple[str, Claim, d.Scope]:
    game = claim.games[0]
    position = d.Variable("s", POSITION, d.Positions(), "position")
    variables = (*(v for v in _integers(claim) if v.name != "s"), position)
    terms = Elaborator({"s": POSITION}, {"game": game.ruleset.facts})
    heaps = {f"x{i + 1}": f"s[{i}] if {i} < len(s) <= {proof.ordered} else 0" for i in range(proof.ordered)}
    shape = {name: terms.term(text, INT) for name, text in (SHAPES | heaps).items()}
    value = replace(cast(t.GameCall, terms.term("game.value(s)", INT)), game=game.name)
    right = t.Operation(BOOL, 0, 0, "eq", (value, _call("formula", shape, proof.value)))
    hypotheses = [_call("region", shape, proof.region), *([] if proof.assume is None else [proof.assume])]
    bound = next((b for b in scope.values() if isinstance(b, d.PositionRange)), POSITIONS)
    bound = replace(bound, heaps=d.Range(0, bound.heaps.hi))  # the formula speaks of those below as well
    return "the formula", *_stated(claim, variables, hypotheses, right, dict(scope) | {"s": bound})
