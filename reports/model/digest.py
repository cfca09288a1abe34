"""A run put in order for a reader: by verdict and by work, with the links between claims in both directions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from checks.results.model import ClaimResult, Kind, RunResult, Work, drop_variants
from checks.results.shown import ExplanationLine
from checks.results.verdicts import Verdict, exit_code


@dataclass(frozen=True)
class Group:
    """The claims of one work, in the order of the run; `statements`: those that are counted as statements of it."""

    work: Work
    claims: tuple[ClaimResult, ...]
    statements: tuple[ClaimResult, ...]

    @property
    def main_claims(self) -> tuple[ClaimResult, ...]:
        """The claims that are no variants."""
        return drop_variants(self.claims)


@dataclass(frozen=True)
class ReportView:
    """What every rendering starts from.

    `counts` has every verdict, best first, and how many statements have it; `kinds`: what each claim is counted as, by
    id.  `refuted` (without guesses and the variants of which the file expects that), `guesses` (that are refuted),
    `unsettled` (neither true nor false; worst first) and `unexpected` (holds, and the claim's file expects otherwise)
    are lists for the top of a page.  `claims`: by id.
    `works`: by key, every one that a claim names.  `used_by`: id -> ids in this run whose argument rests on it.
    `repaired_by`: id -> ids of what is stated in its place.  `variants`: id -> ids of the variants of its file.
    """

    run: RunResult
    exit_code: int
    counts: tuple[tuple[Verdict, int], ...]
    groups: tuple[Group, ...]
    kinds: dict[str, Kind]
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
    """Everything that the renderings derive from a run."""
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
"""Roles, from what carries a work to what its argument stands without."""


def sort_by_weight(claims: Iterable[ClaimResult]) -> tuple[ClaimResult, ...]:
    """The claims by the weight of their roles, unknown ones last, and otherwise as they come."""
    weight = {role: i for i, role in enumerate(WEIGHTS)}
    return tuple(sorted(claims, key=lambda c: weight.get(c.statement.role, len(weight))))


RESULTS = ("theorem", "lemma", "corollary")
"""The roles of what a work is about."""


def is_alone(claim: ClaimResult, view: ReportView) -> bool:
    """Whether it is neither one in place of a refuted claim of this run nor a variant of a claim of this run."""
    return claim.statement.repairs not in view.claims and claim.statement.variant_of not in view.claims


def _is_false_sibling(claim: ClaimResult) -> bool:
    """Whether it is a variant that is as false as its file says."""
    as_expected = claim.verdict is Verdict.REFUTED and claim.finding.as_expected is True
    return bool(claim.statement.variant_of) and as_expected


def find_refuted_uses(claim: ClaimResult, view: ReportView) -> tuple[str, ...]:
    """The refuted claims of this run that the published proof of a claim rests on, each once."""
    refuted = (id for id in claim.statement.uses if id in view.claims and view.claims[id].verdict.holds is False)
    return tuple(dict.fromkeys(refuted))


def is_green(result: ClaimResult) -> bool:
    """It holds, and its file does not expect otherwise."""
    return result.verdict.holds is True and result.finding.as_expected is not False


def count_verdicts(claims: tuple[ClaimResult, ...]) -> tuple[tuple[Verdict, int], ...]:
    """Every verdict with its count, best first."""
    found = Counter(c.verdict for c in claims)
    return tuple((verdict, found[verdict]) for verdict in Verdict)


def _groups(run: RunResult, kinds: dict[str, Kind]) -> tuple[Group, ...]:
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
    """For each key the keys that name it."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys(named, ())
    for id, others in named.items():
        for other in others:
            if other in found:
                found[other] += (id,)
    return found


def describe_survival(result: ClaimResult, view: ReportView) -> str:
    """What it means for a claim that holds that its published proof rests on refuted claims; else nothing."""
    if not result.verdict.holds or not find_refuted_uses(result, view):
        return ""
    if result.finding.obligations:
        return "it is proved here another way, without what is refuted"
    return "as printed, that proof does not establish the claim"


@dataclass(frozen=True)
class OutlineNode:
    """A line of an explanation, as a report shows it, with the lines that belong to it."""

    text: str
    children: tuple[OutlineNode, ...] = ()


def outline(lines: tuple[ExplanationLine, ...]) -> tuple[OutlineNode, ...]:
    """The tree that the depths of the lines describe; a depth that skips a level counts as one level.

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
