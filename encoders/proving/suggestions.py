"""Suggestions of proof rules or lemmas for a claim that is not proved."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from claims.language.errors import ClaimError
from claims.language.files.claim import Claim, Lemma
from claims.language.files.library import LIBRARY
from claims.language.syntax.printing import TooLong
from encoders.logic.answer import Decision
from encoders.logic.sequents import Sequent
from encoders.proving.reading import Prover, load_with_proof
from encoders.proving.registry import RULES
from encoders.refusals import Unsupported
from encoders.rules.base.rule import FEW_HEAPS
from encoders.rules.base.shape import VALUES, WHO_WINS, Draft, QueryTarget, shape_of
from encoders.rules.folds.questions import Bounded, instances
from encoders.rules.normal import normal_claim
from encoders.solvers.effort import USUAL

MOST = 6  # lemmas in one hint
MOST_TRIED = 12  # the limit for the number of lemmas that are examined for a hint
LITTLE = replace(USUAL, steps=USUAL.steps // 20, seeds=USUAL.seeds[:1])


@dataclass(frozen=True)
class Suggestion:
    """A hint for the author of a claim: a proof rule to try, or theorems to use as lemmas.

    `rule`: the name of the rule.
    `words`: the hint as shown: what to write in [proof], and for which claims the rule is suitable.
    `draft`: the keys of a [proof] that the rule accepts, to be completed by the author; empty if lemmas are suggested.
    """

    rule: str
    words: str
    draft: Draft = field(default_factory=dict)


def suggest(claim: Claim, path: Path, beside: Iterable[str] = ()) -> Iterator[Suggestion]:
    """Yield a suggestion for each rule that is meant for claims of this form and accepts the claim and its games.

    The order is that of the registry. Nothing is yielded for a claim without [forall], or for a claim that can only be
    evaluated case by case.
    `path`: the file of the claim.
    `beside`: the names of the other claims in the folder that have a [proof], which a proof by cases can use.
    """
    if claim.quantifier != "forall" or claim.goes_case_by_case:
        return
    try:
        plain = normal_claim(claim)
        shape = shape_of(plain)
    except TooLong:
        return
    for name, rule in RULES.items():
        for fit in rule.suggested_for:
            if not fit.meets(shape):
                continue
            drafts = tuple(fit.begin(plain, beside))
            found = next((x for x in drafts if reads(claim, path, {"rule": name, **x})), None)
            if found is not None:
                needed = " and ".join(f"`{key}`" for key in found if key not in drafts[0])
                more = f"; this claim needs {needed}" if needed else ""
                words = f'rule = "{name}" in [proof], for claims about {fit.shape}: {fit.write}{more}'
                yield Suggestion(name, words, {"rule": name, **found})


def reads(claim: Claim, path: Path, draft: Draft) -> bool:
    """Whether `draft` is a valid [proof] of the claim, so that its rule can state all obligations.

    The obligations are not proved.
    """
    dry = _Dry()
    try:
        made = load_with_proof(claim, path, draft)
        dry.rule_of(made).coverage(made, dry)
        for _ in dry.rule_of(made).obligations(made, dry):
            pass
    except (ClaimError, Unsupported, TooLong):
        return False
    return True


class _Dry(Prover):
    """The services for a rule whose obligations are only listed.

    Each question to a solver has the answer "no", and only a short period is found.
    """

    def __init__(self) -> None:
        super().__init__(FEW_HEAPS)

    def decide(self, sequent: Sequent) -> bool:
        return False

    def is_certain(self, sequent: Sequent) -> bool:
        return False


def suggest_lemmas(claim: Claim, found: Iterable[Lemma]) -> Suggestion | None:
    """Return a suggestion to use some of the claims in `found` as lemmas of this claim; None if none is suitable.

    A suitable lemma is about the winner or a value in the same game. It is in the library, or its [proof] succeeds
    quickly.
    """
    lemmas = list_lemmas(claim, found)
    if not lemmas:
        return None
    by = "by = [" + ", ".join(f'"{name_lemma(claim, lemma)}"' for lemma in lemmas) + "]"
    below = min((x for x in map(_find_bound, lemmas) if x is not None), default=None)
    sizes = "" if below is None else f' and sizes = "< 2^{below.bit_length() - 1}"'
    return Suggestion("folds", f"lemmas: {by}{sizes} in [proof], theorems about the same game")


def list_lemmas(claim: Claim, found: Iterable[Lemma]) -> list[Lemma]:
    """Return the claims in `found` that `suggest_lemmas` suggests as lemmas: at most MOST, in the given order."""
    kinds = _kinds(claim) if claim.quantifier == "forall" and not claim.unusual else frozenset()
    fitting = (lemma for lemma in found if _is_lemma(claim, kinds, lemma)) if kinds else ()
    proved = (lemma for lemma in islice(fitting, MOST_TRIED) if _is_proved(lemma))
    return list(islice(proved, MOST))  # `islice` stops early, so no further lemma is loaded


def name_lemma(claim: Claim, lemma: Lemma) -> str:
    """Return the name of a lemma in the key `by` of the claim: its id, without the folder if both are in one folder."""
    folder = claim.id.rpartition("/")[0]
    return lemma.id.removeprefix(f"{folder}/") if folder else lemma.id


def list_unrelated(claim: Claim) -> Iterator[str]:
    """Yield a message for each lemma in the claim's [proof] that is about other games, so that it does not apply."""
    for lemma in claim.lemmas:
        theirs = ", ".join(game.ruleset.id for game in lemma.claim.games)
        with suppress(Unsupported, TooLong):
            if theirs and not any(True for _ in instances(claim, Bounded(lemma, None), None)):
                ours = ", ".join(game.ruleset.id for game in claim.games) or "no game"
                yield f"the lemma {lemma.id} is about {theirs}; it does not apply to this claim, which is about {ours}"


def _kinds(claim: Claim, *places: QueryTarget) -> frozenset[frozenset[str]]:
    """Return the kinds of questions about games in the claim: who wins, or one kind of value, such as Grundy values.

    Each kind is the set of the functions that ask it, such as {"grundy"}.
    `places`: if given, only questions about these positions count, such as a position variable.
    """
    try:
        shape = shape_of(claim)
    except TooLong:
        return frozenset()
    kinds = (WHO_WINS, *(frozenset({x}) for x in VALUES))
    return frozenset(kind for kind in kinds if shape.places(kind) & frozenset(places or QueryTarget))


def _is_lemma(claim: Claim, kinds: frozenset[frozenset[str]], lemma: Lemma) -> bool:
    """Whether a lemma may help to prove the claim.

    This requires: the lemma has a [proof] and does not depend on the claim; it answers one of the questions in `kinds`
    for a position variable; and the rule "folds" can apply it to the games of the claim.
    """
    if lemma.claim.proof is None or claim.id in _list_dependencies(lemma.claim):
        return False
    if not kinds & _kinds(lemma.claim, QueryTarget.VARIABLE):
        return False
    with suppress(Unsupported, TooLong):
        return any(True for _ in instances(claim, Bounded(lemma, None), None))
    return False


def _is_proved(lemma: Lemma) -> bool:
    """Whether a lemma is in the library, or can be proved with little effort, together with its own lemmas."""
    if lemma.path.is_relative_to(os.path.realpath(LIBRARY)):
        return True
    from encoders.proving.prove import prove

    if lemma.claim.proof is None or not all(map(_is_proved, lemma.claim.lemmas)):
        return False
    return prove(lemma.claim, effort=LITTLE).decision is Decision.HOLDS


def _list_dependencies(claim: Claim) -> Iterator[str]:
    """Yield the ids of the claim and of all claims on which its proof depends."""
    yield claim.id
    yield from claim.proof_uses
    for lemma in claim.lemmas:
        yield from _list_dependencies(lemma.claim)


def _find_bound(lemma: Lemma) -> int | None:
    with suppress(Unsupported, TooLong):
        prover = Prover()
        return prover.rule_of(lemma.claim).coverage(lemma.claim, prover).below
    return None
