"""Routes and solvers whose answers a test chooses, claims that are settled with them, and claims with lemmas."""

from pathlib import Path
from textwrap import dedent
from typing import Any

from claim_texts import HEAD

from checks.execution.queue import make_plan
from checks.execution.settle import settle_claim, settle_entry
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from claims.language.files.claim import Claim, Judgement
from claims.language.files.library import Entry, add_lemmas
from encoders.compute.exhaustive import decide_by_search as exhaustive
from encoders.logic.answer import Decision, RouteResult
from encoders.logic.sequents import Sequent
from encoders.proving.reading import load_claim
from encoders.refusals import Unsupported
from encoders.solvers.automaton import NaturalsSolver
from encoders.solvers.solver import Capability, Limits, SolverResult, SolverStatus


def written(folder: Path, body: str) -> Claim:
    """Write a claim with this body to the folder, and load the claim."""
    path = folder / "claim.toml"
    path.write_text(HEAD + dedent(body), "utf-8")
    return load_claim(path, "claim")


def settled(claim: Claim, encoder: Any = exhaustive, **routes: Any) -> Any:
    """Return the result of a claim within its quick scope. `routes`: the prover and the other route."""
    return settle_claim(claim, claim.scope("quick"), encoder, 20.0, **routes)


def answering(name: str = "exhaustive", **fields: Any) -> Any:
    """Return a route that gives this answer. Members of enums may be given as words."""
    answer = Decision(fields.pop("answer"))
    sample = tuple((case, Judgement(word)) for case, word in fields.pop("sample", ()))
    return lambda claim, scope, budget: RouteResult(name, answer, sample=sample, **fields)


# -- replaced solvers --------------------------------------------------------------------------------------------------
class Beyond(NaturalsSolver):
    """A solver that finds no certificates, so that the first other solver is called."""

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        return SolverResult(self.name, SolverStatus.UNKNOWN, limits, reason="beyond certificates", incomplete=True)


class Told:
    """A solver that gives a chosen answer, or refuses. It records its calls."""

    name = "told"
    capabilities = frozenset(Capability)

    def __init__(self, answer: SolverStatus | Unsupported, bits: int | None = None) -> None:
        self.answer, self.bits = answer, bits
        self.asked = list[tuple[Sequent, Limits]]()

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        self.asked.append((sequent, limits))
        if isinstance(self.answer, Unsupported):
            raise self.answer
        return SolverResult(self.name, self.answer, limits, bounded_to=self.bits)

    def find_used_premises(self, sequent: Sequent, limits: Limits) -> None:
        """Return None, because this solver does not find the used premises."""


# -- claims that use each other ---------------------------------------------------------------------------------------
def settle_whole(entry: Entry, options: Options) -> ClaimResult:
    """Return the result of a claim whose lemmas are settled first, as in a run.

    Internal errors are raised.
    """
    plan = make_plan(add_lemmas((entry,)))
    found: dict[int, ClaimResult] = {}
    for number in plan.order:
        found[number] = settle_entry(plan.entries[number], options, plan.collect_settled_lemmas(number, found))
    return found[0]


TRUE = "iff(not wins(s), nim_sum(s) == 0)"
FALSE = "wins(s)"
STATED = (
    HEAD
    + """ruleset = "nim"

[forall]
s = "position"

[claim]
then = "{then}"

[scope]
s = {{ heaps = "0..2", size = "1..3" }}
"""
)
PROOF = """
[proof]
{by}sizes = "< 2^{bits}"

[proof.folds]
X = "nim_sum(s)"

[proof.loses]
mover = "X == 0"

[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = {{ m = "h - (h ^ X)" }}
"""


def listed(*names: str) -> str:
    named = ", ".join(f'"{name}"' for name in names)
    return f"by = [{named}]\n" if names else ""


def put_claim(path: Path, *by: str, then: str = TRUE, bits: int = 62) -> Path:
    """Write the file of a claim with the proof of Bouton's theorem and these lemmas. Return the path.

    The proof does not need any lemma.
    """
    path.parent.mkdir(exist_ok=True)
    path.write_text(STATED.format(then=then) + PROOF.format(by=listed(*by), bits=bits), "utf-8")
    return path


def put_plain(path: Path, then: str = TRUE, proof: str = "") -> Path:
    """Write the file of a claim with another [proof], or without a [proof]. Return the path."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(STATED.format(then=then) + proof, "utf-8")
    return path
