"""Sentences that state the result for each claim, and what it means for the other claims of the run."""

from __future__ import annotations

from collections.abc import Iterable

from checks.results.model import ClaimResult
from checks.results.shown import TypesetFormula
from checks.results.verdicts import Verdict
from checks.results.wording import PROOFS, capitalise, count, join_with_and, reason, short_name
from reports.model.digest import ReportView, find_refuted_uses

MANY = 4  # a sentence names at most this many statements


def describe_result(claim: ClaimResult, view: ReportView) -> str:
    """Return sentences that state the result of a claim and how it was found; "" if only the verdict is known."""
    match claim.verdict:
        case Verdict.PROVED:
            return _describe_proof(claim, view)
        case Verdict.VERIFIED:
            return _describe_search(claim, view)
        case Verdict.REFUTED:
            return " ".join(x for x in (_sentence(reason(claim)), consequence(claim, view)) if x)
        case Verdict.ERROR:
            return reason(claim)  # it begins with the name of a file
        case _:
            return _sentence(reason(claim))


def means_of_proof(claim: ClaimResult, view: ReportView) -> str:
    """Return how a claim was proved, in words that can follow "Proved".

    Examples are `by a witness` and `from Lemma 3 (5 conditions)`.
    """
    stated = claim.statement
    if stated.quantifier == "exists" and not claim.finding.obligations:
        return "by a witness"
    if not claim.finding.obligations:
        return "by checking every case" if claim.statement.quantifier else "by computation"
    steps = f" ({count(len(claim.finding.obligations), 'condition')})"
    if claim.statement.proof_uses:
        return "from " + name_each(claim.statement.proof_uses, view) + steps
    rule = claim.presentation.proof.rule if claim.presentation.proof is not None else ""
    return (f"by {PROOFS[rule][1]}" if rule in PROOFS else "by a proof") + steps


def _describe_proof(claim: ClaimResult, view: ReportView) -> str:
    broken = find_refuted_uses(claim, view)
    if not broken:
        return f"Proved {means_of_proof(claim, view)}."
    false = f"its published proof uses {name_each(broken, view)}, which {_is(broken)} false"
    if claim.finding.obligations:
        return f"True, although {false}. The claim is proved {means_of_proof(claim, view)}."
    return f"True, although {false}. The claim is settled {means_of_proof(claim, view)}."


def _describe_search(claim: ClaimResult, view: ReportView) -> str:
    cases = count(claim.finding.cases, "case")
    found = f"No counterexample in {cases}. The run does not decide the claim beyond these cases."
    broken = find_refuted_uses(claim, view)
    if broken:
        found += f" Its published proof uses {name_each(broken, view)}, which {_is(broken)} false."
    return found


def consequence(claim: ClaimResult, view: ReportView) -> str:
    """Return a sentence on the theorems and corollaries that are proved although their published proofs use this claim.

    `claim`: a refuted claim. If there are no such theorems, the sentence names the corrections of the claim that hold.
    If there are none of these either, return "".
    """
    above = [c for c in find_above(claim.id, view) if c.statement.role in ("theorem", "corollary")]
    standing = [c.id for c in above if stands_by_itself(c)]
    if standing:
        verb = "is" if len(standing) == 1 else "are"
        return f"{name_each(standing, view)} {verb} proved in another way."
    instead = [id for id in view.repaired_by.get(claim.id, ()) if view.claims[id].verdict.holds]
    if instead:
        label = "Correction" if len(instead) == 1 else "Corrections"
        return f"{label}: {join_with_and([view.claims[id].statement.title or id for id in instead])}."
    return ""


def list_changes(claim: ClaimResult, view: ReportView) -> list[tuple[str, tuple[TypesetFormula, ...]]]:
    """Return the formulas in which a variant differs from its main claim, each as (connective, formulas).

    The connective is "for", "if", "then" or "where". Return [] if the claim is not a variant of a claim of this run,
    or if its file states it in words.
    """
    stated, base = claim.statement, view.claims.get(claim.statement.variant_of)
    new, old = claim.presentation.mathematics, None if base is None else base.presentation.mathematics
    if new is None or old is None or "statement" not in stated.made:
        return []
    parts: list[tuple[str, tuple[TypesetFormula, ...]]] = [
        ("for", (x,)) for x in new.quantified if x not in old.quantified
    ]
    if new.hypothesis is not None and new.hypothesis != old.hypothesis:
        parts.append(("if", (new.hypothesis,)))
    if new.conclusion != old.conclusion:
        parts.append(("then", (new.conclusion,)))
    return parts + [("where", x) for x in new.definitions if x not in old.definitions]


def stands_by_itself(claim: ClaimResult) -> bool:
    """Return whether the proof in the claim file proves the claim. The published proof does not matter."""
    return claim.verdict is Verdict.PROVED and bool(claim.finding.obligations)


def find_above(id: str, view: ReportView) -> list[ClaimResult]:
    """Return the claims of a run whose published proofs use the claim `id`, directly or indirectly.

    The claims are in the order of the run, without the claim `id` itself.
    """
    seen: set[str] = set()
    todo = [id]
    while todo:
        new = [x for x in view.used_by.get(todo.pop(), ()) if x not in seen]
        seen.update(new)
        todo += new
    return [c for c in view.run.claims if c.id in seen and c.id != id]


def name_each(ids: Iterable[str], view: ReportView) -> str:
    """Return the names of claims in words, such as `Lemma 11 and Lemma 13`. Long lists end with `... and 5 more`."""
    names = [short_name(view.claims[id]) if id in view.claims else id for id in dict.fromkeys(ids)]
    return join_with_and(names if len(names) <= MANY else [*names[: MANY - 1], f"{len(names) - MANY + 1} more"])


def _is(ids: tuple[str, ...]) -> str:
    return "is" if len(ids) == 1 else "are"


def _sentence(text: str) -> str:
    text = text.strip()
    return capitalise(text) + ("" if not text or text.endswith((".", "!", "?", "…")) else ".")
