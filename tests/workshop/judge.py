"""Settle one suspect: record the tool's answer, and whether a proved claim survives without its proof."""

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

STEPS = 1_500_000  # for one obligation, of the solver
BUDGET = 30.0  # seconds for the proof, on a machine that may be busy
WIDE_SECONDS = 1.2  # seconds of search beyond the scope of a proved suspect
BUSY = 8  # wall-clock seconds per second of CPU
GLANCE_SECONDS = 0.1  # seconds to find out whether an unproved suspect is false
CERTIFICATES = open_certificates(CertificateSources())  # the certificates of the library, as in a plain run
_FALSE = (Verdict.REFUTED, Verdict.ERROR, Verdict.INCONSISTENT)


class OutOfTime(BaseException):
    """A suspect takes too long. It is not an Exception, so that only the workshop catches it."""


@dataclass
class Judgement:
    """The judgement on a suspect.

    `finding`: why it is an error of the tool (a false proof, an inconsistency, a traceback), or "".
    `refusing`: the obligation that was not proved, or the unsupported construct; "" if the proof was accepted.
    `truth`: "false", with the `case`, if some scope refutes it; "survived" after a search; otherwise "unknown".
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
    """The judge of suspects.

    Its results about statements without proof are stored under the full text of the statement.
    """

    def __init__(self, wide: float = WIDE_SECONDS, glance: float = GLANCE_SECONDS) -> None:
        self.wide, self.glance = wide, glance
        self.known: dict[tuple[str, Limits, float], tuple[str, str]] = {}

    def judge(self, bundle: Bundle, steps: int = STEPS, whole: bool = True) -> Judgement:
        """Return the judgement on a suspect. Only the exception of a signal may be raised.

        `whole`: settle it even if its proof fails; otherwise only if the proof is accepted, because nothing else can be
        a lie.
        """
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found = None if whole else self._unproved(bundle, Path(folder), steps)
            found = found or self._judged(bundle, Path(folder), steps)
        found.seconds = round(time.monotonic() - started, 3)
        return found

    def _unproved(self, bundle: Bundle, folder: Path, steps: int) -> Judgement | None:
        """Return the refusal of the proof; None if it is accepted or crashes."""
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
        except Exception as error:  # noqa: BLE001 - a traceback is a separate finding
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
    """Return the result of a claim, with its lemmas settled first. Certificates of the library are reused."""
    plan, found = make_plan(add_lemmas((entry,))), dict[int, ClaimResult]()
    with using_store(CERTIFICATES):
        for number in plan.order:
            found[number] = settle_entry(plan.entries[number], options, plan.collect_settled_lemmas(number, found))
    return found[0]


def survival(claim: Claim, limits: Limits, seconds: float) -> tuple[str, str]:
    """Return ("false", the case) if the exhaustive route refutes a claim within the limits, else ("survived", "").

    Return ("unknown", "") if no case could be searched. `seconds`: approximate CPU time.
    """
    started, looked = time.process_time(), False
    for scope in wide_scopes(claim, limits):
        left = seconds - (time.process_time() - started)
        if left <= 0:
            break
        result = settle_claim(claim, scope, without_sample, BUSY * min(left, max(0.5, seconds / 3)))
        if result.verdict in _FALSE and "more than" not in result.finding.error:
            return "false", detail(result)
        if " was found" in result.finding.not_established:  # a counterexample, but perhaps not the smallest
            return "false", result.finding.not_established
        looked = looked or result.verdict.holds is True
    return ("survived" if looked else "unknown"), ""


def without_sample(claim: Claim, scope: Any, budget: float | None) -> RouteResult:
    """Run the exhaustive route; the referee evaluates only the counterexample, not a sample of cases."""
    return replace(exhaustive(claim, scope, budget), sample=())


def detail(result: ClaimResult) -> str:
    """Return the details of a result on one line, without its verdict."""
    if result.finding.counterexample is not None:
        return f"refuted at {values_phrase(result.finding.counterexample.variables)}"
    return " ".join((result.finding.error or result.finding.not_established).split())[:400]


def effort_of(steps: int) -> Effort:
    """Return the effort with one seed and this number of solver steps."""
    return replace(USUAL, seeds=(17,), steps=steps)


def refused_by(answer: RouteResult) -> str:
    """Return what refused a proof, in the form of `refusing`."""
    for o in answer.obligations:
        if not o.proved:
            return f"{general(o.name)} ({o.result.value})"
    return f"not translated: {general(answer.detail)}"


def refusing(result: ClaimResult) -> str:
    """Return the obligation that refused a proof, without numbers and names; or the reason why there was none."""
    proofs = [r for r in result.finding.routes if r.encoder != "exhaustive"]
    if not proofs or proofs[-1].answer == "holds":
        return ""
    for o in result.finding.obligations:
        if o.result != "proved":
            return f"{general(o.name)} ({o.result})"
    return f"not translated: {general(proofs[-1].detail)}"


def general(words: str) -> str:
    """Return a message without its numbers and names, for statistics.

    >>> general("reply 3 (P2 to move): legal"), general("fact 'one large heap', no heap")
    ('reply #: legal', 'fact ..., no heap')
    """
    words = re.sub(r"'[^']*'", "...", words)
    words = re.sub(r" \([^()]* to move\)| of [\w-]+$", "", words)
    return re.sub(r"\d+", "#", words)[:60]


Ask = Callable[[Bundle], Judgement]
