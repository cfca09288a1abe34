"""Settling one suspect: what the tool says of it, and whether what it calls proved survives without the proof."""

from __future__ import annotations

import re
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from checks.cache.certificates import CertificateSources, open_certificates
from checks.execution.queue import make_plan
from checks.execution.settle import settle_claim, settle_entry
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from checks.results.wording import values_phrase
from claims.language.files.claim import Claim
from claims.language.files.library import Entry, add_lemmas
from encoders.compute.exhaustive import decide_by_search as exhaustive
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim
from encoders.solvers.effort import USUAL, Effort, using_store
from encoders.trust import Limits

from .bundle import Bundle
from .scopes import wide_scopes

STEPS = 1_500_000  # of the solver for one obligation
BUDGET = 30.0  # seconds for the proof, on a machine that may be busy
WIDE_SECONDS = 1.2  # for looking at a proved suspect beyond its scope
BUSY = 8  # seconds of the clock that one of CPU may take
GLANCE_SECONDS = 0.1  # for finding out whether one that is not proved is false
CERTIFICATES = open_certificates(CertificateSources())  # those that come with the library, as in a plain run
_FALSE = (Verdict.REFUTED, Verdict.ERROR, Verdict.INCONSISTENT)


class OutOfTime(BaseException):
    """A suspect takes too long. No Exception, so that nobody but the workshop takes it for a fault."""


@dataclass
class Judgement:
    """What came of a suspect.

    `finding`: why it is a lie (a false green, an inconsistency, a traceback), or "".  `refusing`: the obligation that
    was not proved, or what the route did not read; "" where the proof went through.  `truth`: "false" with the `case`
    if some scope refutes it, "survived" where it was looked for, "unknown".
    """

    verdict: str
    finding: str = ""
    refusing: str = ""
    detail: str = ""
    truth: str = "unknown"
    case: str = ""
    seconds: float = 0.0
    more: dict[str, Any] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


class Judge:
    """Judges suspects. What is known of a statement without its proof is kept, under the statement's whole text."""

    def __init__(self, wide: float = WIDE_SECONDS, glance: float = GLANCE_SECONDS) -> None:
        self.wide, self.glance = wide, glance
        self.known: dict[tuple[str, Limits, float], tuple[str, str]] = {}

    def judge(self, bundle: Bundle, steps: int = STEPS, whole: bool = True) -> Judgement:
        """The judgement on a suspect. Nothing but a signal's exception is raised.

        `whole`: settle it whatever comes of its proof; else only where that goes through, since nothing else can lie.
        """
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found = None if whole else self._unproved(bundle, Path(folder), steps)
            found = found or self._judged(bundle, Path(folder), steps)
        found.seconds = round(time.monotonic() - started, 3)
        return found

    def _unproved(self, bundle: Bundle, folder: Path, steps: int) -> Judgement | None:
        """That the proof does not go through, with what refuses it; None where it does, or breaks."""
        entry = bundle.written(folder)
        try:
            with using_store(CERTIFICATES):
                answer = prove(load_claim(entry.path, entry.id), BUDGET, effort_of(steps))
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - settled whole, where it is a finding
            return None
        if answer.decision in (Decision.HOLDS, Decision.CONTRADICTION):
            return None
        return Judgement("not proved", refusing=refused_by(answer), detail=answer.detail[:400])

    def _judged(self, bundle: Bundle, folder: Path, steps: int) -> Judgement:
        entry = bundle.written(folder)
        effort = effort_of(steps)
        try:
            result = settle_whole(entry, Options(effort=effort, budget=BUDGET))
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - a traceback is a finding of its own
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(last.filename).name}, {last.name}: {last.line}"
            return Judgement("traceback", f"traceback: {type(error).__name__}: {error} in {where}")
        found = Judgement(result.verdict.value, refusing=refusing(result), detail=detail(result))
        match result.verdict:
            case Verdict.PROVED if result.finding.obligations:
                found.truth, found.case = self._survival(bundle, entry, result.finding.scope, self.wide)
                if found.truth == "false":
                    found.finding = f"false green: {found.case}"
            case Verdict.INCONSISTENT if "Traceback" in result.finding.error:
                found.finding = f"traceback: {' '.join(result.finding.error.split()[-40:])}"
            case Verdict.INCONSISTENT:
                found.truth, found.finding = "false", f"inconsistent: {result.finding.error}"
            case Verdict.REFUTED | Verdict.ERROR:
                found.truth, found.case = "false", detail(result)
            case Verdict.INCONCLUSIVE | Verdict.VACUOUS if self.glance:
                found.truth, found.case = self._survival(bundle, entry, (), self.glance)
        return found

    def _survival(self, bundle: Bundle, entry: Any, limits: Limits, seconds: float) -> tuple[str, str]:
        key = (bundle.stated(), limits, seconds)
        if key not in self.known:
            claim = replace(load_claim(entry.path, entry.id), proof=None)
            self.known[key] = survival(claim, limits, seconds)
        return self.known[key]


def settle_whole(entry: Entry, options: Options) -> ClaimResult:
    """The result of a claim, its lemmas settled before it. Of the library's certificates none is searched for again."""
    plan, found = make_plan(add_lemmas((entry,))), dict[int, ClaimResult]()
    with using_store(CERTIFICATES):
        for number in plan.order:
            found[number] = settle_entry(plan.entries[number], options, plan.collect_settled_lemmas(number, found))
    return found[0]


def survival(claim: Claim, limits: Limits, seconds: float) -> tuple[str, str]:
    """("false", the case) if the exhaustive route alone refutes a claim within the limits, else ("survived", "").

    ("unknown", "") if it could look at nothing.  `seconds`: of CPU, about.
    """
    started, looked = time.process_time(), False
    for scope in wide_scopes(claim, limits):
        left = seconds - (time.process_time() - started)
        if left <= 0:
            break
        result = settle_claim(claim, scope, without_sample, BUSY * min(left, max(0.5, seconds / 3)))
        if result.verdict in _FALSE and "more than" not in result.finding.error:
            return "false", detail(result)
        if " was found" in result.finding.not_established:  # a case, but not yet the smallest
            return "false", result.finding.not_established
        looked = looked or result.verdict.holds is True
    return ("survived" if looked else "unknown"), ""


def without_sample(claim: Claim, scope: Any, budget: float | None) -> RouteResult:
    """The exhaustive route; the referee, who would judge some of its cases again, is left the counterexample."""
    return replace(exhaustive(claim, scope, budget), sample=())


def detail(result: ClaimResult) -> str:
    """What a result says beyond its verdict, on one line."""
    if result.finding.counterexample is not None:
        return f"refuted at {values_phrase(result.finding.counterexample.variables)}"
    return " ".join((result.finding.error or result.finding.not_established).split())[:400]


def effort_of(steps: int) -> Effort:
    """One seed, and so many steps of a solver."""
    return replace(USUAL, seeds=(17,), steps=steps)


def refused_by(answer: RouteResult) -> str:
    """What refused a proof, as `refusing` says it."""
    for o in answer.obligations:
        if not o.proved:
            return f"{general(o.name)} ({o.result.value})"
    return f"not translated: {general(answer.detail)}"


def refusing(result: ClaimResult) -> str:
    """The obligation that refused a proof, without its numbers and names; or why there was none."""
    proofs = [r for r in result.finding.routes if r.encoder != "exhaustive"]
    if not proofs or proofs[-1].answer == "holds":
        return ""
    for o in result.finding.obligations:
        if o.result != "proved":
            return f"{general(o.name)} ({o.result})"
    return f"not translated: {general(proofs[-1].detail)}"


def general(words: str) -> str:
    """
    >>> general("reply 3 (P2 to move): legal"), general("fact 'one large heap', no heap")
    ('reply #: legal', 'fact ..., no heap')
    """
    words = re.sub(r"'[^']*'", "...", words)
    words = re.sub(r" \([^()]* to move\)| of [\w-]+$", "", words)
    return re.sub(r"\d+", "#", words)[:60]


Ask = Callable[[Bundle], Judgement]
