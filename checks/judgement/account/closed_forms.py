"""The closed form of a claim, with the referee as the one who evaluates formulas."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from html import escape

from checks.judgement.faults import Exhausted, InternalFault, guard
from checks.referee.meaning import RefereeSteps, TermEvaluator, as_integer, no_games
from checks.results.phrases import period_phrase
from claims.language.expressions.printing import print_term
from claims.language.ground.errors import ClaimError, escape_invisible
from claims.language.library.entries import find_shipped
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from encoders.answer import ClosedForm
from encoders.closed.stated import StatedFormula, formula_of
from encoders.ground.refusals import Unsupported
from encoders.proving.reading import load_claim, rule_name

STEPS = 20_000_000
SECONDS = 20.0  # for all that sympy may think about: its simplification has no bound of its own


def closed_form_of(claim: Claim) -> ClosedForm | None:
    """What is to be said of the formula for single heaps that the claim states; None where it states none."""
    formula = formula_of(claim)
    if formula is None and rule_name(claim) != "grundy":
        return None  # spares loading sympy, and the rule
    try:
        return guard("in the closed form", lambda: _within(SECONDS, lambda: _closed_form(claim, formula)))
    except (Exhausted, InternalFault) as error:  # it illustrates the claim and is no part of the verdict
        return None if formula is None else unread(formula, f"nothing was made of the formula: {error}")


def _closed_form(claim: Claim, formula: StatedFormula | None) -> ClosedForm | None:
    """As `closed_form_of`; sympy, which is foreign code, may raise anything in it."""
    from encoders.closed.forms import closed_form, find_same_heaps, form_of_digits

    meanings = TermEvaluator(no_games, RefereeSteps(STEPS))

    def value(term: t.Term, case: dict[str, int]) -> int:
        return as_integer(meanings.evaluate(term, case))

    try:
        found = form_of_digits(claim) if formula is None else closed_form(formula, value)
        if found is None:
            return None
        return replace(
            found, steps=(*found.steps, *(x for other in _used(claim) for x in find_same_heaps(claim, other)))
        )
    except Unsupported:
        return None


def _within(seconds: float, work: Callable[[], ClosedForm | None]) -> ClosedForm | None:
    """The result of `work`. Raises TimeoutError after so many seconds, as far as signals can reach it.

    The signal comes again and again, should sympy swallow the error.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return work()
    running = True

    def over(*_: object) -> None:
        if running:
            raise TimeoutError(f"more than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        return work()
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def unread(formula: StatedFormula, why: str) -> ClosedForm:
    """The formula as the claim writes it, and why nothing more is said of it."""
    written = print_term(formula.term)
    return ClosedForm(
        variable=formula.variable,
        written=written,
        simplified=written,
        latex=rf"\text{{{written}}}",
        mathml=f"<mtext>{escape(escape_invisible(written))}</mtext>",
        period="",
        saltus="",
        steps=(),
        checks=(why,),
    )


def lines(form: ClosedForm) -> Iterator[str]:
    """The closed form for a person, line by line."""
    yield f"value of a heap {form.variable}: {form.simplified}"
    if form.period:
        yield period_phrase(form)
    yield from form.steps
    yield from form.checks


def _used(claim: Claim) -> Iterator[Claim]:
    """The claims of the library that its argument rests on, as far as they can be read."""
    for id in claim.uses:
        entry = find_shipped(id)
        if entry is not None:
            with suppress(ClaimError):
                yield load_claim(entry.path, id)
