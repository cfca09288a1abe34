"""What stands on the front of the page: what was found, in the order of its weight, and which run it was."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from checks.results.model import ClaimResult, RunResult, Work
from checks.results.verdicts import Verdict
from reports.ground import wording
from reports.ground.digest import RESULTS, Digest, is_guess, is_stated
from reports.page.meaning import find_above
from reports.page.typography import listed

WEIGHTY = (*RESULTS, "conjecture")  # what is told first where it fails
WEIGHT = ("theorem", "lemma", "corollary", "step", "table", "example", "remark", "definition", "conjecture")
CARDS = 4
_PLURALS = {
    "corollary": "corollaries",
    "step": "steps of proofs",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


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
    """`stated`: how many statements there are; `instead`: how many more hold instead of refuted ones.

    `cards`: refuted results, the heaviest first; `slips`: the other refuted ones by what they are, (heading, claims).
    `standing`: results that are proved although their published proof uses a refuted one.  `guesses`: conjectures
    of which nobody thought that they hold.  `proved`: whatever holds is proved.
    """

    stated: int
    holding: int
    refuted: int
    open: int
    instead: int
    strips: tuple[Strip, ...]
    cards: tuple[ClaimResult, ...]
    slips: tuple[tuple[str, tuple[ClaimResult, ...]], ...]
    standing: tuple[ClaimResult, ...]
    guesses: tuple[ClaimResult, ...] = ()
    proved: bool = False


def make_front(view: Digest) -> Front:
    """The front of a run."""
    stated = [c for c in view.run.claims if is_stated(c, view)]
    guesses = tuple(c for c in view.run.claims if is_guess(c))
    refuted = [c for c in stated if c.verdict.holds is False]
    heavy = sorted((c for c in refuted if c.statement.role in WEIGHTY), key=lambda c: _weight(c, view))
    cards, light = heavy[:CARDS], [c for c in refuted if c not in heavy[:CARDS]]
    above = {c.id for bad in heavy for c in find_above(bad.id, view)}
    standing = tuple(c for c in view.run.claims if c.id in above and c.statement.role in RESULTS and _stands(c))
    return Front(
        stated=len(stated),
        holding=sum(c.verdict.holds is True for c in stated),
        refuted=len(refuted),
        open=sum(c.verdict.holds is None for c in stated),
        instead=len(view.run.stated) - len(stated) - len(guesses),
        strips=tuple(Strip(g.work, tuple(c for c in g.claims if is_stated(c, view))) for g in view.groups),
        cards=tuple(cards),
        slips=tuple(_slips(light)),
        standing=standing,
        guesses=guesses,
        proved=all(c.verdict is Verdict.PROVED for c in stated if c.verdict.holds),
    )


def _stands(claim: ClaimResult) -> bool:
    return claim.verdict is Verdict.PROVED and bool(claim.finding.obligations)


def _weight(claim: ClaimResult, view: Digest) -> tuple[int, int]:
    return weigh_role(claim.statement.role), -len(find_above(claim.id, view))


def weigh_role(role: str) -> int:
    """The place of a role among the roles, the heaviest first."""
    return WEIGHT.index(role) if role in WEIGHT else len(WEIGHT)


def _slips(claims: list[ClaimResult]) -> list[tuple[str, tuple[ClaimResult, ...]]]:
    results = tuple(c for c in claims if c.statement.role in WEIGHTY)
    steps = tuple(c for c in claims if c.statement.role == "step")
    others = tuple(c for c in claims if c not in results and c not in steps)
    kinds = [_plural(role) for role in WEIGHT if any(c.statement.role == role for c in others)]
    rest = listed(kinds) if all(c.statement.role in WEIGHT for c in others) else "other statements"
    headings = (("Further results", results), ("Steps of proofs", steps), (wording.capitalise(rest), others))
    return [(heading, found) for heading, found in headings if found]


def headline(front: Front) -> tuple[str, str]:
    """What was found, in two parts; the second, said with emphasis, is what fails or is open, or "".

    >>> headline(Front(91, 74, 17, 0, 20, (), (), (), ()))
    ('Of 91 statements, 74 hold as far as checked and ', '17 are false as stated')
    >>> headline(Front(91, 74, 17, 0, 20, (), (), (), (), proved=True))
    ('Of 91 statements, 74 are proved and ', '17 are false as stated')
    >>> headline(Front(4, 2, 1, 1, 0, (), (), (), ()))
    ('Of 4 statements, 2 hold as far as checked, ', '1 is false as stated and 1 is not settled')
    >>> headline(Front(2, 0, 0, 2, 0, (), (), (), ()))
    ('Of 2 statements, none holds as far as checked and ', '2 are not settled')
    >>> headline(Front(3, 3, 0, 0, 0, (), (), (), ()))
    ('All 3 statements hold as far as checked', '')
    """
    if not front.stated:
        return "No statement was checked", ""
    if front.holding == front.stated:
        whole = f"All {front.stated} statements" if front.stated > 1 else "The statement"
        return f"{whole} {_holding(front)}", ""
    worse = [f"{front.refuted} {_are(front.refuted)} false as stated"] if front.refuted else []
    worse += [f"{front.open} {_are(front.open)} not settled"] if front.open else []
    if front.stated == 1:
        return "The statement is ", "false as stated" if front.refuted else "not settled"
    join = "," if len(worse) > 1 else " and"
    return f"Of {front.stated} statements, {front.holding or 'none'} {_holding(front)}{join} ", listed(worse)


def _holding(front: Front) -> str:
    """What is said of the statements that hold."""
    if front.proved and front.holding:
        return f"{_are(front.holding)} proved"
    return ("hold" if front.holding > 1 else "holds") + " as far as checked"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def count_false(cards: tuple[ClaimResult, ...], view: Digest) -> str:
    """Whose results fail: `Two lemmas of The K-L-Nim game are false`; "" if none does."""
    parts = []
    for (work, role), number in Counter((c.statement.work, c.statement.role) for c in cards).items():
        noun = role if number == 1 else _plural(role)
        title = wording.work_name(view.works[work]) if work else ""
        parts.append(f"{in_words(number)} {noun}" + (f" of {title}" if title else ""))
    text = listed(parts)
    return f"{wording.capitalise(text)} {_are(len(cards))} false" if text else ""


def _plural(role: str) -> str:
    return _PLURALS.get(role, role + "s")


def in_words(number: int) -> str:
    """A small number as a word.

    >>> in_words(2), in_words(40)
    ('two', '40')
    """
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def identity(run: RunResult) -> list[tuple[str, str]]:
    """Which run it was, (label, text): when, how long, with what, on which library, and the command."""
    facts = [
        ("Run", run.started.replace("T", ", ")),
        ("Took", ", ".join(x for x in (f"{run.seconds:.0f} s", wording.say_cached(run.claims)) if x)),
        ("With", ", ".join(f"{name} {number}" for name, number in run.versions) or f"{wording.TOOL} {run.version}"),
        ("Scope", run.profile + "".join(f", {key} {bound}" for key, bound in run.overrides)),
        ("Proofs", wording.say_certified(run.claims)),
        ("Library", f"sha256 {run.library[:12]}" if run.library else ""),
        ("Again", run.command),
    ]
    return [(label, text) for label, text in facts if text]
