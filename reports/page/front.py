"""What stands on the front of the page: what was found, in the order of its weight, and which run it was."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from checks.results.model import ClaimResult, RunResult, Work
from checks.results.verdicts import Verdict
from reports.ground import wording
from reports.ground.digest import RESULTS, ReportView
from reports.ground.meaning import find_above, stands_by_itself
from reports.page.story import FEW, Refutation, choose_saved, find_refutation, what_rests_on

MOST_NAMED, SOURCES = 12, "sources"  # copies of claim files that a command names; of more it names their folder
WEIGHTY = (*RESULTS, "conjecture")  # what is told first where it fails
WEIGHT = ("theorem", "lemma", "corollary", "step", "table", "example", "remark", "definition", "conjecture")
_PLURALS = {
    "corollary": "corollaries",
    "step": "steps of proofs",
}


@dataclass(frozen=True)
class Strip:
    """The statements of a work, in its order, without what holds instead of a refuted one."""

    work: Work
    claims: tuple[ClaimResult, ...]

    @property
    def refuted(self) -> int:
        return sum(c.verdict.holds is False for c in self.claims)


@dataclass(frozen=True)
class Front:
    """`stated`: how many statements there are, of which so many hold, are refuted, are open.

    `costs`: the refuted ones by what they are, the heaviest first, (heading, what rests on them, claims).  `standing`:
    results that are proved although their published proof uses a refuted one.  `guesses`: those that are refuted.
    `proved`: whatever holds is proved.  `lead`, `saved`: the false result that is told first,
    and the theorem whose published proof uses it and that is proved here; none while something is open.
    """

    stated: int
    holding: int
    refuted: int
    open: int
    strips: tuple[Strip, ...]
    costs: tuple[tuple[str, str, tuple[ClaimResult, ...]], ...] = ()
    standing: tuple[ClaimResult, ...] = ()
    guesses: tuple[ClaimResult, ...] = ()
    proved: bool = False
    lead: ClaimResult | None = None
    saved: ClaimResult | None = None
    refutation: Refutation | None = None


def make_front(view: ReportView) -> Front:
    """The front of a run."""
    stated = list(view.run.statements)
    refuted = [c for c in stated if c.verdict.holds is False]
    heavy = sorted((c for c in refuted if c.statement.role in WEIGHTY), key=lambda c: _weight(c, view))
    above = {c.id for bad in heavy for c in find_above(bad.id, view)}
    unclear = bool(view.unsettled or view.unexpected)
    lead = heavy[0] if heavy and not unclear and len(view.run.claims) > FEW else None
    return Front(
        stated=len(stated),
        holding=sum(c.verdict.holds is True for c in stated),
        refuted=len(refuted),
        open=sum(c.verdict.holds is None for c in stated),
        strips=tuple(Strip(g.work, g.statements) for g in view.groups if g.statements),
        costs=tuple((heading, what_rests_on(claims, view), claims) for heading, claims in _sort(refuted, heavy)),
        standing=tuple(
            c for c in view.run.stated if c.id in above and c.statement.role in RESULTS and stands_by_itself(c)
        ),
        guesses=view.guesses,
        proved=all(c.verdict is Verdict.PROVED for c in stated if c.verdict.holds),
        lead=lead,
        saved=None if lead is None else choose_saved(lead, view),
        refutation=find_refutation((*heavy, *(c for c in refuted if c not in heavy), *view.guesses)),
    )


def _weight(claim: ClaimResult, view: ReportView) -> tuple[int, int]:
    return weigh_role(claim.statement.role), -len(find_above(claim.id, view))


def weigh_role(role: str) -> int:
    """The place of a role among the roles, the heaviest first."""
    return WEIGHT.index(role) if role in WEIGHT else len(WEIGHT)


def _sort(refuted: list[ClaimResult], heavy: list[ClaimResult]) -> Iterator[tuple[str, tuple[ClaimResult, ...]]]:
    """Refuted statements as results, steps of proofs and all else, under headings without their number."""
    steps = tuple(c for c in refuted if c.statement.role == "step")
    others = tuple(c for c in refuted if c not in heavy and c not in steps)
    for claims in (tuple(heavy), steps, others):
        if claims:
            kinds = [r for r in WEIGHT if any(c.statement.role == r for c in claims)]
            named = kinds and all(c.statement.role in WEIGHT for c in claims)
            text = (
                wording.join_with_and([r if len(claims) == 1 else _plural(r) for r in kinds])
                if named
                else "statements of other kinds"
            )
            yield f"refuted {text}", claims


def headline(front: Front) -> tuple[tuple[str, str], ...]:
    """What was found, in parts: (text, "false" or "true" where it is said with emphasis, else "").

    >>> headline(Front(91, 74, 17, 0, ()))
    (('Of 91 statements, 74 hold as far as checked and ', ''), ('17 are refuted', 'false'))
    >>> headline(Front(91, 74, 17, 0, (), proved=True))
    (('Of 91 statements, 74 are proved and ', ''), ('17 are refuted', 'false'))
    >>> headline(Front(4, 2, 1, 1, ()))
    (('Of 4 statements, 2 hold as far as checked, ', ''), ('1 is refuted and 1 is not settled', 'false'))
    >>> headline(Front(2, 0, 0, 2, ()))
    (('Of 2 statements, none holds as far as checked and ', ''), ('2 are not settled', 'false'))
    >>> headline(Front(3, 3, 0, 0, ()))
    (('All 3 statements hold as far as checked', ''),)
    """
    if front.lead is not None:
        told: list[tuple[str, str]] = [(f"{wording.short_name(front.lead)} is false.", "false")]
        if front.saved is not None:
            told += [(" ", ""), (f"{wording.short_name(front.saved)}, proved from it, is true.", "true")]
        return tuple(told)
    if not front.stated:
        return (("No statement was checked", ""),)
    if front.holding == front.stated:
        whole = f"All {front.stated} statements" if front.stated > 1 else "The statement"
        return ((f"{whole} {_holding(front)}", ""),)
    worse = [f"{front.refuted} {_are(front.refuted)} refuted"] if front.refuted else []
    worse += [f"{front.open} {_are(front.open)} not settled"] if front.open else []
    if front.stated == 1:
        return (("The statement is ", ""), ("refuted" if front.refuted else "not settled", "false"))
    join = "," if len(worse) > 1 else " and"
    plain = f"Of {front.stated} statements, {front.holding or 'none'} {_holding(front)}{join} "
    return ((plain, ""), (wording.join_with_and(worse), "false"))


def count_statements(front: Front) -> str:
    """How many statements are refuted, in which works, and what becomes of the others, where a story leads.

    The works without a refuted statement are told apart, in a sentence of their own.
    """
    bad = [s for s in front.strips if s.refuted]
    rest = [s for s in front.strips if s.claims and not s.refuted]
    total = sum(len(s.claims) for s in bad)
    named = ", ".join(wording.work_name(s.work) for s in bad)
    where = f"in {wording.spell(len(bad))} works ({named})" if len(bad) > 1 else f"of {named}"
    smallest = all(
        c.finding.counterexample is not None and c.finding.counterexample.smallest
        for s in bad
        for c in s.claims
        if c.verdict.holds is False
    )
    each = ", each with its smallest counterexample in the range searched" if smallest else ""
    others = [c for s in bad for c in s.claims if c.verdict.holds]
    text = f"Of the {total} statements {where}, {front.refuted} {_are(front.refuted)} refuted{each}; "
    text += f"{_tell_how_sure(f'the other {len(others)}', others)}." if others else "none of them holds."
    if not rest:
        return text
    more = [c for s in rest for c in s.claims]
    names = wording.join_with_and([wording.work_name(s.work) for s in rest])
    return f"{text} {wording.capitalise(_tell_how_sure(f'the {len(more)} of {names}', more))}."


def _tell_how_sure(which: str, claims: Sequence[ClaimResult]) -> str:
    """How these statements hold, which `which` names."""
    proved = sum(c.verdict is Verdict.PROVED for c in claims)
    counts = [(proved, "proved"), (len(claims) - proved, "verified in a scope")]
    told = [(n, f"{_are(n)} {word}") for n, word in counts if n]
    if len(told) == 1:
        return f"{which} {told[0][1]}"
    return f"of {which}, {wording.join_with_and([f'{n} {said}' for n, said in told])}"


def describe_run(run: RunResult, front: Front) -> str:
    """The run in a sentence or two, for whoever is shown a link to it."""
    found = "".join(text for text, _ in headline(front))
    told = f"{found}." if front.lead is None else count_statements(front)
    return f"{told} {wording.capitalise(wording.headline(run))}, checked by {wording.TOOL_NAME}."


def _holding(front: Front) -> str:
    """What is said of the statements that hold."""
    if front.proved and front.holding:
        return f"{_are(front.holding)} proved"
    return ("hold" if front.holding > 1 else "holds") + " as far as checked"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _plural(role: str) -> str:
    return _PLURALS.get(role, role + "s")


def list_checks(run: RunResult, view: ReportView, front: Front) -> Iterator[tuple[str, str]]:
    """Commands by which a reader checks the run in the folder of the page, each after what it does."""
    own, command = [c for c in run.claims if _is_own(c)], run.command or "python -m checks run"
    if not own:
        yield "settle every claim again", f"{command} --no-report"
    elif all(c.provenance.source for c in own):
        yield "settle every claim again", _settle_copies(run, own)
    else:
        yield "settle every claim again, in the folder of the run", command
    candidates = ([front.lead] if front.lead else []) + [*view.refuted, *run.claims]
    if shown := next((c for c in candidates if c.provenance.receipt), None):
        refuted = shown.verdict is Verdict.REFUTED
        what = "one counterexample, by the rules alone" if refuted else "the evidence of a claim"
        yield f"replay {what}", shlex.join(["python", "-m", "checks", "replay", shown.provenance.receipt])
    if any(c.provenance.certificate for c in run.claims):
        yield "check the proofs: one page of Python, no solver", "python certificates/check.py certificates"
        yield "check that they are the proofs of these claims", "python -m checks certify --report ."


def _settle_copies(run: RunResult, own: Sequence[ClaimResult]) -> str:
    """The command that settles claims again by the copies of their files in the folder of the reports."""
    verb = "mutate" if run.command.startswith("python -m checks mutate") else "run"
    sources = dict.fromkeys(c.provenance.source for c in own)
    words = ["python", "-m", "checks", verb, *(sources if len(sources) <= MOST_NAMED else [SOURCES])]
    words += [c.id for c in run.stated if c not in own]
    words += [] if run.profile == "quick" else ["--scope", run.profile]
    words += [word for key, bound in run.overrides for word in ("--set", f"{key}={bound}")]
    return shlex.join([*words, "--no-report"])


def _is_own(claim: ClaimResult) -> bool:
    """Whether the file of a claim is known to lie outside the library."""
    id = claim.statement.variant_of or claim.id
    return bool(claim.provenance.source) or claim.provenance.file in (id, f"{id}.toml")


def identity(run: RunResult) -> list[tuple[str, str]]:
    """Which run it was, (label, text): when, how long, with what, on which library, and the command."""
    facts = [
        ("Run", run.started.replace("T", ", ")),
        ("Took", ", ".join(x for x in (f"{run.seconds:.0f} s", wording.say_cached(run.claims)) if x)),
        ("With", ", ".join(f"{name} {number}" for name, number in run.versions) or f"{wording.TOOL} {run.version}"),
        ("Scope", run.profile + "".join(f", {key} {bound}" for key, bound in run.overrides)),
        ("Library", f"sha256 {run.library[:12]}" if run.library else ""),
        ("Again", run.command),
    ]
    return [(label, text) for label, text in facts if text]
