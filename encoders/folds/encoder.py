"""The fold route: a claim about positions of any number of heaps, proved by obligations that Z3 discharges one by one.

The rule and why it is sound: docs/proof-rules.md.  Its obligations, in order: parameters (the games' parameters are
legal), measure (a move makes its heap smaller), each fact (no heap; one more heap), and where [proof.loses] is given:
closed (no move from a loss to a loss of the next player), cases (the named moves cover every position that is not a
loss), each reply (its heap exists; it is legal; it leads to a loss), stuck (misere play: who loses can move); and last
the claim itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import z3

from claims.domains import Scope
from claims.model import Claim, Game
from claims.proofs import NamedMove, Proof
from encoders.answer import Answer, Obligation
from encoders.folds.positions import Position
from encoders.folds.symbols import Unsupported
from encoders.folds.theory import Theory, playable

NAME = "folds"
RESOURCES = 60_000_000  # Z3's own count of steps for one obligation: reproducible, unlike seconds
SEED = 17

Query = Callable[[Theory], tuple[list[Any], Any]]  # -> (assumptions, goal), before what the theory itself knows


def settle(claim: Claim, scope: Scope, budget: float | None = None) -> Answer:
    """Prove the claim by its [proof] section. "holds" only if every obligation is discharged; never "fails"."""
    started = time.monotonic()
    proof = claim.proof
    assert isinstance(proof, Proof)
    done: list[Obligation] = []
    detail = ""
    try:
        for name, query in _obligations(claim, proof):
            left = None if budget is None else budget - (time.monotonic() - started)
            found = _discharge(claim, proof, name, query, left)
            done.append(found)
            if found.result != "proved":
                detail = f"{found.name}: {found.detail}"
                break
    except Unsupported as error:
        return Answer(
            NAME, "unsupported", detail=str(error), obligations=tuple(done), seconds=time.monotonic() - started
        )
    answer = "holds" if not detail else "unknown"
    trusted = _trusted(proof)
    return Answer(
        NAME,
        answer,
        detail=detail,
        trusted=trusted,
        obligations=tuple(done),
        seconds=time.monotonic() - started,
        proved=_bounds(claim, proof),
    )


def _bounds(claim: Claim, proof: Proof) -> tuple[tuple[str, str], ...]:
    """Any number of heaps; sizes and parameters below a power of two."""
    found: list[tuple[str, str]] = []
    for v in claim.variables:
        bound = f"< 2^{proof.bits}"
        found += (
            [(f"{v.name}.heaps", "all"), (f"{v.name}.size", bound)] if v.name == proof.position else [(v.name, bound)]
        )
    return tuple(found)


def _trusted(proof: Proof) -> tuple[str, ...]:
    found = {"rule: folds (docs/proof-rules.md)", "Z3"}
    if proof.loses:
        found.add("rule: outcome, by induction on the measure (docs/proof-rules.md)")
    for move in proof.moves:
        found.add("pick: top bit" if move.top_bit else "pick: a heap with the counted property")
    return tuple(sorted(found))


def _discharge(claim: Claim, proof: Proof, name: str, query: Query, budget: float | None) -> Obligation:
    started = time.monotonic()
    if budget is not None and budget <= 0:
        return Obligation(name, "unknown", "out of time")
    theory = Theory(claim, proof)
    assumptions, goal = query(theory)
    solver = z3.Solver(ctx=theory.context)
    solver.set("random_seed", SEED)
    solver.set("rlimit", RESOURCES)
    if budget is not None:
        solver.set("timeout", max(1, int(1000 * budget)))
    facts = not name.startswith("fact ") or name.endswith("one more heap")
    solver.add(*assumptions, z3.Not(goal))
    solver.add(*theory.closed(facts))
    result = solver.check()
    seconds = time.monotonic() - started
    if result == z3.unsat:
        return Obligation(name, "proved", "", seconds)
    if result == z3.sat:
        return Obligation(name, "failed", _shown(solver.model(), theory), seconds, solver.to_smt2())
    return Obligation(name, "unknown", f"the solver gave up: {solver.reason_unknown()}", seconds, solver.to_smt2())


def _shown(model: Any, theory: Theory) -> str:
    """The values at which an obligation fails: variables and folds, those of fresh rests left out."""
    values = {}
    for declaration in model.decls():
        name, value = declaration.name(), model[declaration]
        plain = name.split("!")[0]
        if "rest" in plain or plain in ("some option", "by this move"):
            continue
        label = next((n for n, f in theory.named.items() if plain.startswith(f.key)), plain)
        values[label] = value.as_signed_long() if z3.is_bv_value(value) else value
    return "fails at " + ", ".join(f"{n} = {v}" for n, v in sorted(values.items()))


# -- the obligations --------------------------------------------------------------------------------------------------
def _obligations(claim: Claim, proof: Proof) -> Iterator[tuple[str, Query]]:
    for game in claim.games:
        yield from _rules(game)
    for name, _ in proof.facts:
        yield f"fact {name!r}, no heap", _fact_base(name)
        yield f"fact {name!r}, one more heap", _fact_step(name)
    if proof.loses:
        if len(claim.games) != 1:
            raise Unsupported("an invariant of one game, in a claim about several")
        yield from _outcome(claim.games[0], proof)
    yield "claim", _claim(claim, proof)


def _rules(game: Game) -> Iterator[tuple[str, Query]]:
    def legal_parameters(theory: Theory) -> tuple[list[Any], Any]:
        tests = [z3.BoolVal(True, theory.context)]
        bound = dict(game.arguments)
        for p in game.ruleset.parameters:
            number = theory.number(bound[p.name], theory.root)
            tests.append(theory.symbols.relation("ge", number, theory.symbols.literal(p.lo)))
            if p.hi is not None:
                tests.append(theory.symbols.relation("le", number, theory.symbols.literal(p.hi)))
        return [], z3.And(*tests)

    if game.ruleset.parameters:
        yield f"parameters of {game.ruleset.id}", legal_parameters

    def measure(theory: Theory) -> tuple[list[Any], Any]:
        goals = []
        for move in playable(game):
            for mover in range(len(game.ruleset.players)):
                heap, legal, new = theory.become(game, move, mover)
                smaller = theory.symbols.relation("lt", new, heap)
                goals.append(
                    z3.Implies(legal, z3.And(smaller, theory.symbols.relation("ge", new, theory.symbols.literal(0))))
                )
        return [], z3.And(*goals)

    yield f"measure of {game.ruleset.id}", measure


def _fact_base(name: str) -> Query:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        empty = Position("no heap", theory.symbols, empty=True)
        return [], theory.fact(dict(theory.proof.facts)[name], empty)

    return query


def _fact_step(name: str) -> Query:
    """All facts of the rest may be used: they are proved together, by induction on the number of heaps."""

    def query(theory: Theory) -> tuple[list[Any], Any]:
        rest = theory.position("rest")
        heap, bound = theory.symbols.size("heap", low=1)
        whole = Position("whole", theory.symbols, (heap, z3.BoolVal(True, theory.context), rest))
        return [bound], theory.fact(dict(theory.proof.facts)[name], whole)

    return query


def _outcome(game: Game, proof: Proof) -> Iterator[tuple[str, Query]]:
    ruleset = game.ruleset
    if len(ruleset.players) != 2:
        raise Unsupported("the outcome rule is about two players")
    movers = [0] if ruleset.impartial else [0, 1]
    for mover in movers:
        who = "" if ruleset.impartial else f" ({ruleset.players[mover]} to move)"
        following = 0 if ruleset.impartial else 1 - mover
        yield f"closed{who}", _closed(game, mover, following)
        replies = [m for m in proof.moves if m.player in (None, mover) and m.to_loss]
        yield f"cases cover{who}", _cases(mover, replies, ruleset.stuck_wins)
        for number, named in enumerate(replies, 1):
            for part in ("heap", "legal", "leads to a loss"):
                yield f"reply {number}{who}: {part}", _reply(game, mover, following, named, part)
        if ruleset.stuck_wins:
            others = [m for m in proof.moves if m.player in (None, mover) and not m.to_loss]
            yield f"stuck{who}: the cases cover every loss", _movable(mover, others)
            for number, named in enumerate(others, 1):
                for part in ("heap", "legal"):
                    yield f"stuck {number}{who}: {part}", _can_move(game, mover, named, part)


def _closed(game: Game, mover: int, following: int) -> Query:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        rest = theory.position("rest")
        heap, bound = theory.symbols.size("heap", low=1)
        before = Position("before", theory.symbols, (heap, z3.BoolVal(True, theory.context), rest))
        goals = []
        for move in playable(game):
            legal, size, made = theory.played(game, move, mover, heap, None)
            goals.append(z3.Implies(z3.And(legal, made), z3.Not(theory.loses(theory.after(rest, size), following))))
        return [bound, theory.loses(before, mover)], z3.And(*goals)

    return query


def _open(theory: Theory, mover: int, stuck_wins: bool) -> tuple[Position, list[Any]]:
    """A position that the mover does not lose; under misere play one with a heap, for without he wins at once."""
    s = theory.position("s")
    known = [z3.Not(theory.loses(s, mover))]
    if stuck_wins:
        known.append(theory.symbols.relation("ge", s.fold(theory.len), theory.symbols.literal(1)))
    return s, known


def _cases(mover: int, replies: list[NamedMove], stuck_wins: bool) -> Query:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        s, known = _open(theory, mover, stuck_wins)
        return known, z3.Or(*(theory.truth(m.when, theory.seen(s)) for m in replies), z3.BoolVal(False, theory.context))

    return query


def _reply(game: Game, mover: int, following: int, named: NamedMove, part: str) -> Query:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        s, known = _open(theory, mover, game.ruleset.stuck_wins)
        known.append(theory.truth(named.when, theory.seen(s)))
        premise, where, legal, made, after = theory.reply(named, game, mover, s)
        if part == "heap":
            return known, premise
        if part == "legal":
            return [*known, where], legal
        return [*known, where, legal, made], theory.loses(after, following)

    return query


def _movable(mover: int, others: list[NamedMove]) -> Query:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        s = theory.position("s")
        cases = [theory.truth(m.when, theory.seen(s)) for m in others]
        return [theory.loses(s, mover)], z3.Or(*cases, z3.BoolVal(False, theory.context))

    return query


def _can_move(game: Game, mover: int, named: NamedMove, part: str) -> Query:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        s = theory.position("s")
        known = [theory.loses(s, mover), theory.truth(named.when, theory.seen(s))]
        premise, where, legal, _, _ = theory.reply(named, game, mover, s)
        return (known, premise) if part == "heap" else ([*known, where], legal)

    return query


def _claim(claim: Claim, proof: Proof) -> Query:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        env = theory.root | {proof.position: theory.position(proof.position)}
        known = [] if claim.hypothesis is None else [theory.truth(claim.hypothesis, env)]
        return known, theory.truth(claim.conclusion, env)

    return query
