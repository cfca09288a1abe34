"""Which rule or lemma might reach a claim that is not proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from claims.language.statement.claim import Claim, Lemma
from claims.language.statement.unfolding import TooLong
from encoders.ground.refusals import Unsupported
from encoders.proving.prover import Prover
from encoders.proving.registry import RULES
from encoders.rules.folds.reading.lemmas import Bounded, instances
from encoders.rules.kit.shape import VALUES, WHO_WINS, Place, shape_of
from encoders.rules.normal.rule import normal_claim

MOST = 6  # lemmas in one hint


@dataclass(frozen=True)
class Suggestion:
    """`rule`: by its name; `words`: what to write, and for what."""

    rule: str
    words: str


def suggest(claim: Claim) -> tuple[Suggestion, ...]:
    """The rules that claims of this shape are for, in the order of the registry; nothing for what is no [forall]."""
    if claim.quantifier != "forall":
        return ()
    try:
        shape = shape_of(normal_claim(claim))
    except TooLong:
        return ()
    return tuple(
        Suggestion(name, f'rule = "{name}" in [proof], for claims about {fit.shape}: {fit.write}')
        for name, rule in RULES.items()
        for fit in rule.fits
        if fit.meets(shape)
    )


def suggest_lemmas(claim: Claim, found: Iterable[Lemma]) -> Suggestion | None:
    """Those of the claims found that may be lemmas of this one: they say who wins, or a value, in the same game."""
    kinds = _kinds(claim) if claim.quantifier == "forall" else frozenset()
    lemmas = [lemma for lemma in found if _is_lemma(claim, kinds, lemma)][:MOST] if kinds else []
    if not lemmas:
        return None
    folder = claim.id.rpartition("/")[0]
    names = [lemma.id.removeprefix(f"{folder}/") if folder else lemma.id for lemma in lemmas]
    by = "by = [" + ", ".join(f'"{name}"' for name in names) + "]"
    below = min((x for x in map(_below, lemmas) if x is not None), default=None)
    sizes = "" if below is None else f' and sizes = "< 2^{below.bit_length() - 1}"'
    return Suggestion("folds", f"lemmas: {by}{sizes} in [proof], theorems about the same game")


def _kinds(claim: Claim, *places: Place) -> frozenset[frozenset[str]]:
    """The kinds of questions that the claim asks, at such places or anywhere: who wins, and each kind of values."""
    try:
        shape = shape_of(claim)
    except TooLong:
        return frozenset()
    kinds = (WHO_WINS, *(frozenset({x}) for x in VALUES))
    return frozenset(kind for kind in kinds if shape.places(kind) & frozenset(places or Place))


def _is_lemma(claim: Claim, kinds: frozenset[frozenset[str]], lemma: Lemma) -> bool:
    """Whether it answers one of these kinds for all positions, folds can read it, and it does not rest on the claim."""
    if lemma.claim.proof is None or claim.id in _resting(lemma.claim):
        return False
    if not kinds & _kinds(lemma.claim, Place.VARIABLE):
        return False
    with suppress(Unsupported, TooLong):
        return any(True for _ in instances(claim, Bounded(lemma, None), None))
    return False


def _resting(claim: Claim) -> Iterator[str]:
    """The ids of the claim and of all that it rests on."""
    yield claim.id
    yield from claim.proof_uses
    for lemma in claim.lemmas:
        yield from _resting(lemma.claim)


def _below(lemma: Lemma) -> int | None:
    with suppress(Unsupported, TooLong):
        prover = Prover()
        return prover.rule_of(lemma.claim).reach(lemma.claim, prover).below
    return None
