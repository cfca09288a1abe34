"""A run sorted for readers: by verdict and by work, with the links between claims in both directions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from checks.results.model import ClaimResult, Kind, RunResult, Work, drop_variants
from checks.results.shown import ExplanationLine
from checks.results.verdicts import Verdict, exit_code


@dataclass(frozen=True)
class Group:
    """The claims of one work, in the order of the run. `statements`: the claims that are statements of the work."""

    work: Work
    claims: tuple[ClaimResult, ...]
    statements: tuple[ClaimResult, ...]

    @property
    def main_claims(self) -> tuple[ClaimResult, ...]:
        """The claims without variants."""
        return drop_variants(self.claims)


@dataclass(frozen=True)
class ReportView:
    """The data that every report starts from.

    `counts`: every verdict, best first, with its number of statements.
    `kinds`: the kind of each claim, by id.
    `refuted`: the refuted claims, without guesses and without variants whose file expects the refutation.
    `guesses`: the refuted guesses.
    `unsettled`: the claims that neither hold nor fail, worst first.
    `unexpected`: the claims that hold although their file expects otherwise.
    `claims`: all claims, by id. `works`: all works that a claim names, by key.
    `used_by`: maps an id to the ids of the claims of this run whose published proof uses it.
    `repaired_by`: maps an id to the ids of its corrections. `variants`: maps an id to the ids of its variants.
    """

    run: RunResult
    exit_code: int
    counts: tuple[tuple[Verdict, int], ...]
    groups: tuple[Group, ...]
    kinds: Mapping[str, Kind]
    refuted: tuple[ClaimResult, ...]
    guesses: tuple[ClaimResult, ...]
    unsettled: tuple[ClaimResult, ...]
    unexpected: tuple[ClaimResult, ...]
    claims: dict[str, ClaimResult]
    works: dict[str, Work]
    used_by: dict[str, tuple[str, ...]]
    repaired_by: dict[str, tuple[str, ...]]
    variants: dict[str, tuple[str, ...]]


def make_view(run: RunResult) -> ReportView:
    """Derive from a run the data that every report uses."""
    claims, kinds = run.claims, run.kinds
    groups = _groups(run, kinds)
    refuted = [c for c in claims if c.verdict.holds is False and not _is_false_sibling(c)]
    code = exit_code((c.verdict, c.finding.as_expected) for c in claims) if run.code is None else run.code
    unsettled = [c for c in claims if c.verdict.holds is None]
    return ReportView(
        run=run,
        exit_code=code,
        counts=count_verdicts(run.statements),
        groups=groups,
        kinds=kinds,
        refuted=tuple(c for c in refuted if kinds[c.id] is not Kind.GUESS),
        guesses=tuple(c for c in refuted if kinds[c.id] is Kind.GUESS),
        unsettled=tuple(sorted(unsettled, key=lambda c: -c.verdict.rank)),
        unexpected=tuple(c for c in claims if c.verdict.holds and c.finding.as_expected is False),
        claims={c.id: c for c in claims},
        works={group.work.key: group.work for group in groups},
        used_by=_inverse({c.id: c.statement.uses for c in claims}),
        repaired_by=_inverse({c.id: (c.statement.repairs,) for c in claims}),
        variants=_inverse({c.id: (c.statement.variant_of,) for c in claims}),
    )


WEIGHTS = ("theorem", "lemma", "corollary", "conjecture", "step", "table", "remark", "example")
"""Roles, from the heaviest to the lightest."""


def sort_by_weight(claims: Iterable[ClaimResult]) -> tuple[ClaimResult, ...]:
    """Sort claims by the weight of their roles, unknown roles last. Equal weights keep their order."""
    weight = {role: i for i, role in enumerate(WEIGHTS)}
    return tuple(sorted(claims, key=lambda c: weight.get(c.statement.role, len(weight))))


RESULTS = ("theorem", "lemma", "corollary")
"""The roles of the main statements of a work."""


def is_alone(claim: ClaimResult, view: ReportView) -> bool:
    """Return whether the claim is neither a correction nor a variant of a claim of this run."""
    return claim.statement.repairs not in view.claims and claim.statement.variant_of not in view.claims


def _is_false_sibling(claim: ClaimResult) -> bool:
    """Return whether the claim is a variant that is refuted as its file expects."""
    as_expected = claim.verdict is Verdict.REFUTED and claim.finding.as_expected is True
    return bool(claim.statement.variant_of) and as_expected


def find_refuted_uses(claim: ClaimResult, view: ReportView) -> tuple[str, ...]:
    """Return the refuted claims of this run that the published proof of a claim uses, each once."""
    refuted = (id for id in claim.statement.uses if id in view.claims and view.claims[id].verdict.holds is False)
    return tuple(dict.fromkeys(refuted))


def is_green(result: ClaimResult) -> bool:
    """Return whether the claim holds and its file does not expect otherwise."""
    return result.verdict.holds is True and result.finding.as_expected is not False


def count_verdicts(claims: tuple[ClaimResult, ...]) -> tuple[tuple[Verdict, int], ...]:
    """Return every verdict with its count, best first."""
    found = Counter(c.verdict for c in claims)
    return tuple((verdict, found[verdict]) for verdict in Verdict)


def _groups(run: RunResult, kinds: Mapping[str, Kind]) -> tuple[Group, ...]:
    known = {work.key: work for work in run.works}
    claims: dict[str, list[ClaimResult]] = {}
    for claim in run.claims:
        claims.setdefault(claim.statement.work, []).append(claim)
    unknown = {key: Work(key, key or "Not from a work", "", "", "") for key in claims}
    return tuple(
        Group((unknown | known)[key], tuple(found), tuple(c for c in found if kinds[c.id] is Kind.STATEMENT))
        for key, found in claims.items()
    )


def _inverse(named: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return for each key the keys whose values contain it."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys(named, ())
    for id, others in named.items():
        for other in others:
            if other in found:
                found[other] += (id,)
    return found


def describe_survival(result: ClaimResult, view: ReportView) -> str:
    """State whether the proof in the claim file avoids the refuted claims that the published proof uses.

    Return "" if the claim does not hold, or if its published proof does not use a refuted claim.
    """
    if not result.verdict.holds or not find_refuted_uses(result, view):
        return ""
    if result.finding.obligations:
        return "our proof does not use the refuted statements"
    return "the published proof, as printed, does not establish the claim"


@dataclass(frozen=True)
class OutlineNode:
    """A line of an explanation in a report, with the lines below it."""

    text: str
    children: tuple[OutlineNode, ...] = ()


def outline(lines: tuple[ExplanationLine, ...]) -> tuple[OutlineNode, ...]:
    """Return the tree given by the depths of the lines. A depth that skips a level counts as one level.

    >>> lines = [ExplanationLine("a"), ExplanationLine("b", 1), ExplanationLine("c", 1), ExplanationLine("d")]
    >>> [len(node.children) for node in outline(tuple(lines))]
    [2, 0]
    """
    roots: list[OutlineNode] = []
    start = 0
    while start < len(lines):
        end = start + 1
        while end < len(lines) and lines[end].depth > lines[start].depth:
            end += 1
        roots.append(OutlineNode(lines[start].shown or lines[start].text, outline(lines[start + 1 : end])))
        start = end
    return tuple(roots)
