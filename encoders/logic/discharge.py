"""Discharging an obligation, the same for every rule: looked at on a box, then given to solvers.

An obligation is proved if its negation has no model.  That answer is not taken from one run of one solver alone: the
query is put again with other seeds, and to other solvers where they are wanted; an answer that one of them contradicts
makes the whole proof worthless and is reported as such.  What is assumed must have a model, or it would prove anything.

What was proved is remembered: claims about one game share most of what has to be shown, and nothing is asked twice.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Mapping
from dataclasses import replace

from encoders.answer import Obligation, Result, Unsupported
from encoders.logic.box import look_at
from encoders.logic.sequent import Sequent
from encoders.logic.smt.scripts import script_of
from encoders.logic.solvers import first, others
from encoders.logic.solvers.effort import USUAL, Effort
from encoders.logic.solvers.solver import Found, Limits, Outcome, Solver, refuse_unless_capable
from encoders.logic.terms import NO

SHARE = 20  # the checks beside the proof itself may take a twentieth of its steps
STEPS_OF_A_DECISION = 2_000_000  # what is not decided within so many stays undecided
REMEMBERED = 5_000  # obligations, about a kilobyte each

PLAIN = "plain"  # its negation is false as soon as it is simplified, so that what it asks deserves a look
BOX = "evaluation"  # who says so where a box of small values shows it
Heard = tuple[list[str], list[str]]  # who confirms, by name, and what is to be noted

_proved: dict[Hashable, Obligation] = {}


def discharge(sequent: Sequent, effort: Effort, seconds: float | None) -> Obligation:
    """One obligation. `seconds`: those that are left. Raises Unsupported."""
    started = time.monotonic()
    if seconds is not None and seconds <= 0:
        return Obligation(sequent.name, Result.UNKNOWN, "out of time", sequent=sequent)
    try:
        found = _discharge(sequent, effort, None if seconds is None else started + seconds)
    except Unsupported:
        raise
    except Exception as error:
        error.add_note(f"in the obligation {sequent.name!r}")
        raise
    return replace(found, sequent=sequent)


def _discharge(sequent: Sequent, effort: Effort, deadline: float | None) -> Obligation:
    """What was proved before, with the time that it took then, else what is found now; only proofs are remembered."""
    started = time.monotonic()
    apart = tuple(h.words for h in sequent.hypotheses), tuple((id, len(said)) for id, said in sequent.lemmas)
    asked = script_of(sequent).digest(), apart, effort, look_at, first, others
    found = _proved.get(asked)
    if found is None:
        found = replace(_settle(sequent, effort, deadline), seconds=time.monotonic() - started)
        if found.proved:
            if len(_proved) == REMEMBERED:
                _proved.clear()
            _proved[asked] = found
    return replace(found, name=sequent.name)


def _settle(sequent: Sequent, effort: Effort, deadline: float | None) -> Obligation:
    name, script = sequent.name, script_of(sequent)
    formula = script.digest()
    look = look_at(sequent)
    if look.falsified is not None:
        found = Obligation(name, Result.FAILED, shown(sequent, look.falsified), smt2=script.text, formula=formula)
        return replace(found, solvers=(BOX,), values=kept(sequent, look.falsified))
    solver = first()
    refuse_unless_capable(solver, sequent)
    outcome = solver.check(sequent, _limits(effort, effort.seeds[0], deadline))
    if outcome.found is Found.FAILS:
        found = Obligation(name, Result.FAILED, shown(sequent, outcome.values), smt2=script.text, formula=formula)
        return replace(found, solvers=(solver.name,), values=kept(sequent, outcome.values))
    if outcome.found is Found.UNKNOWN:
        limit = f" (limit: {effort.steps} steps)" if outcome.out_of_steps else ""
        reason = f"the solver gave up: {outcome.reason}{limit}"
        return Obligation(name, Result.UNKNOWN, reason, smt2=script.text, formula=formula, solvers=(solver.name,))
    proved = Obligation(name, Result.PROVED, formula=formula, solvers=(solver.name,))
    contradiction = _contradiction(sequent, solver, effort, deadline)
    if isinstance(contradiction, str):
        detail = f"two solvers disagree: {contradiction} has a counterexample to what {solver.name} proves"
        return replace(proved, result=Result.CONTRADICTION, detail=detail, smt2=script.text)
    confirmed, notes = contradiction
    if outcome.plain:
        notes.append(PLAIN)
    proved = replace(proved, solvers=(*proved.solvers, *confirmed), lemmas=tuple(id for id, _ in sequent.lemmas))
    aside = replace(effort, steps=max(1, effort.steps // SHARE))
    if not look.cases and _is_vacuous(sequent, solver, aside, deadline):
        alone = not sequent.lemmas or _is_vacuous(replace(sequent, lemmas=()), solver, aside, deadline)
        if sequent.hypotheses:
            whom = "each other" if alone else "the lemmas"
            return replace(proved, result=Result.FAILED, detail=f"the hypotheses contradict {whom}: nothing is claimed")
        notes.append(f"never needed: its premises are never met{'' if alone else ', by the lemmas'}")
    elif (used := _find_used(sequent, solver, aside, deadline)) is not None:
        unused = [h.words for i, h in enumerate(sequent.hypotheses) if i not in used]
        notes += [f"does without: {', '.join(unused)}"] if unused else []
        ids = enumerate((id for id, _ in sequent.lemmas), len(sequent.hypotheses))
        proved = replace(proved, lemmas=tuple(id for i, id in ids if i in used))
    return replace(proved, note="; ".join(notes))


def _limits(effort: Effort, seed: int, deadline: float | None) -> Limits:
    return Limits(effort.steps, seed, None if deadline is None else max(0.001, deadline - time.monotonic()))


def shown(sequent: Sequent, values: Mapping[str, int | bool]) -> str:
    """The values at which an obligation fails, in words."""
    return "fails at " + (", ".join(f"{n} = {v}" for n, v in kept(sequent, values)) or "all values")


def kept(sequent: Sequent, values: Mapping[str, int | bool]) -> tuple[tuple[str, int | bool], ...]:
    """The values of the variables by name, those apart that were made on the way."""
    return tuple(sorted((s.name, values[s.name]) for s in sequent.variables if not s.aside and s.name in values))


def _contradiction(sequent: Sequent, solver: Solver, effort: Effort, deadline: float | None) -> str | Heard:
    """Who has a counterexample to what the solver proves; else what was heard of those who were asked."""
    unstable, confirmed = [], []
    for seed in effort.seeds[1:]:
        outcome = solver.check(sequent, _limits(effort, seed, deadline))
        if outcome.found is Found.FAILS:
            return f"{solver.name} with the seed {seed}"
        if outcome.found is Found.UNKNOWN:
            unstable.append(str(seed))
    notes = [f"unstable: {solver.name} gives up with seed {', '.join(unstable)}"] if unstable else []
    for other in others() if effort.second else ():
        refuse_unless_capable(other, sequent)
        outcome = other.check(sequent, _limits(effort, effort.seeds[0], deadline))
        if outcome.found is Found.FAILS:
            return other.name
        if outcome.found is Found.PROVED:
            confirmed.append(other.name)
        notes.append(_heard(other, outcome))
    return confirmed, notes


def _heard(other: Solver, outcome: Outcome) -> str:
    confirmed = outcome.found is Found.PROVED
    return f"confirmed by {other.name}" if confirmed else f"not confirmed by {other.name}: {outcome.reason}"


def _is_vacuous(sequent: Sequent, solver: Solver, effort: Effort, deadline: float | None) -> bool:
    """Whether what is assumed can be shown never to hold."""
    never = replace(sequent, show=NO)
    return solver.check(never, _limits(effort, effort.seeds[0], deadline)).found is Found.PROVED


def _find_used(sequent: Sequent, solver: Solver, effort: Effort, deadline: float | None) -> frozenset[int] | None:
    """What of the hypotheses and lemmas the proof makes use of, by their places in `apart`; None: not known."""
    return solver.used(sequent, _limits(effort, effort.seeds[0], deadline)) if sequent.apart else None


def decide(sequent: Sequent, steps: int = STEPS_OF_A_DECISION) -> bool:
    """Whether a sequent is plainly so, by one run with little effort; what solvers cannot read is not."""
    return first().check(sequent, Limits(steps, USUAL.seeds[0])).found is Found.PROVED
