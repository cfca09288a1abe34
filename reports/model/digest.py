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
    """The claims of one work (a paper or other source), in the order of the run.

    `statements`: the claims that the work itself makes. The other claims are variants, corrections or guesses.
    """

    work: Work
    claims: tuple[ClaimResult, ...]
    statements: tuple[ClaimResult, ...]

    @property
    def main_claims(self) -> tuple[ClaimResult, ...]:
        """The claims of the group that are not variants of another claim."""
        return drop_variants(self.claims)


@dataclass(frozen=True)
class ReportView:
    """A run with its claims sorted, grouped and linked. Every report is written from this data.

    `exit_code`: the exit code of the run.
    `counts`: pairs (verdict, number of statements of works with this verdict), the best verdict first.
    `groups`: the claims of each work.
    `kinds`: the kind of each claim, by id.
    `refuted`: the refuted claims, without guesses and without variants whose file expects the refutation.
    `guesses`: the conjectures that are refuted, as their files expect.
    `unsettled`: the claims whose verdict is neither true nor false, the worst verdict first.
    `unexpected`: the claims that hold although their file expects another verdict.
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
    """Return the data of a run that every report uses."""
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
"""The roles of statements in a work, from the most to the least important."""


def sort_by_weight(claims: Iterable[ClaimResult]) -> tuple[ClaimResult, ...]:
    """Return the claims sorted by their roles in the work, in the order of WEIGHTS: theorems first, then lemmas.

    Claims with other roles come last. Claims with the same role keep their order.
    """
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
    """Return pairs (verdict, number of these claims with this verdict) for all verdicts, the best verdict first."""
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
    """Return the inverse of a relation: for each key of `named`, the keys whose tuples contain it.

    `{"a": ("b",), "b": ()}` gives `{"a": (), "b": ("a",)}`. Names that are not keys are ignored.
    """
    found: dict[str, tuple[str, ...]] = dict.fromkeys(named, ())
    for id, others in named.items():
        for other in others:
            if other in found:
                found[other] += (id,)
    return found


def describe_survival(result: ClaimResult, view: ReportView) -> str:
    """Return in words whether a claim is established although its published proof uses refuted claims.

    The text says that the proof in the claim file does not use them, or that the published proof is not sufficient.
    Return "" if the claim does not hold, or if its published proof does not use a refuted claim.
    """
    if not result.verdict.holds or not find_refuted_uses(result, view):
        return ""
    if result.finding.obligations:
        return "our proof does not use the refuted statements"
    return "the published proof, as printed, does not establish the claim"


@dataclass(frozen=True)
class OutlineNode:
    """A line of an explanation in a report. `children`: the lines that explain it, one level deeper."""

    text: str
    children: tuple[OutlineNode, ...] = ()


def outline(lines: tuple[ExplanationLine, ...]) -> tuple[OutlineNode, ...]:
    """Return the trees that the depths of the lines describe: a line contains the deeper lines that follow it.

    A line that is several levels deeper than the line above it counts as one level deeper.

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
