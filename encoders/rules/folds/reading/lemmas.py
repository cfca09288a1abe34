"""What lemmas say of a claim's games: each lemma whole, its domains and hypothesis included, in the claim's own terms.

A lemma is true whatever its variables are within their domains.  So an instance, "if its integers lie in their domains
and its games are played with the claim's arguments, and its hypothesis holds, then its conclusion", is true of every
position and every value of the claim's integers: it may be assumed wherever it stands, and nothing is owed for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from claims.language.expressions.walk import rebuild, structural_key, substitute
from claims.language.statement.claim import Claim, Game, Lemma
from claims.language.statement.domains import IntervalDomain, Players, Positions
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from claims.language.terms.types import INT, PLAYER, POSITION
from encoders.ground.kinds import OpenReason
from encoders.ground.refusals import Unsupported
from encoders.logic.terms import compare, conjunction, equal, implies, integer, less_than
from encoders.rules.folds.statement.section import FoldsProof
from encoders.rules.kit.common import refuse_variable
from encoders.rules.kit.rule import ProofServices

PLACE = "position'"  # what an instance calls its position: no name of a file has this mark in it


@dataclass(frozen=True, eq=False)
class Bounded:
    """A lemma with the power of 2 that all its numbers must lie below for its proof to cover them; None: no bound."""

    lemma: Lemma
    below: int | None


@dataclass(frozen=True, eq=False)
class LemmaInstance:
    """A lemma with its games taken for some of the claim's.

    `games`: the names of those; `statements`: terms over the claim's integers and games and, `placed`, over PLACE; one
    for each choice of its players.  `facts` of its proof, under their conditions, over its `folds` by their names here.
    """

    id: str
    games: frozenset[str]
    placed: bool
    statements: tuple[t.Term, ...]
    folds: tuple[tuple[str, t.Term], ...]
    facts: tuple[t.Term, ...]


def instances(claim: Claim, bounded: Bounded, highest: int | None) -> Iterator[LemmaInstance]:
    """The lemma with its games taken for the claim's games of the same rules, in every way.

    `highest`: of all sizes.  Raises Unsupported for a lemma that cannot be read so.
    """
    lemma, limit = bounded.lemma, bounded.below
    if limit is not None and (highest is None or highest >= limit):
        bound = f"2^{limit.bit_length() - 1}"
        raise Unsupported(OpenReason.LEMMA_BELOW.says(lemma=lemma.id, bound=bound), OpenReason.LEMMA_BELOW)
    plain = unfolded_claim(lemma.claim)
    if plain.quantifier == "exists":
        raise Unsupported(f"the lemma {lemma.id} says that something exists, and not what holds of all")
    alike = [[g for g in claim.games if _same_rules(g, game)] for game in plain.games]
    for chosen in product(*alike):
        yield _instance(claim, lemma, plain, limit, dict(zip(plain.games, chosen, strict=True)))


def all_instances(
    claim: Claim, lemmas: Iterable[Lemma], surroundings: ProofServices, highest: int | None
) -> tuple[LemmaInstance, ...]:
    """Those of some lemmas, each as far as its own proof reaches; one that is settled without a proof has no bound.

    Raises Unsupported.
    """
    bounded = (Bounded(lemma, _bound_of(lemma, surroundings)) for lemma in lemmas)
    return tuple(x for lemma in bounded for x in instances(claim, lemma, highest))


def _bound_of(lemma: Lemma, surroundings: ProofServices) -> int | None:
    if lemma.claim.proof is None:
        return None
    try:
        return surroundings.rule_of(lemma.claim).reach(lemma.claim, surroundings).bound
    except Unsupported as error:
        raise Unsupported(f"the lemma {lemma.id}: {error}") from error


def _same_rules(a: Game, b: Game) -> bool:
    return a.ruleset.id == b.ruleset.id and a.ruleset.source.text == b.ruleset.source.text


def _instance(claim: Claim, lemma: Lemma, plain: Claim, limit: int | None, games: Mapping[Game, Game]) -> LemmaInstance:
    integers = _integers(claim, lemma, plain, games)
    places = [v.name for v in plain.variables if isinstance(v.domain, Positions)]
    if len(places) > 1:
        raise Unsupported(f"the lemma {lemma.id} is about several positions")
    place = t.Variable(POSITION, 0, 0, PLACE)
    values: dict[str, t.Term] = {**integers, **dict.fromkeys(places, place)}
    condition = conjunction(*_conditions(plain, integers, limit), *_arguments(games, integers))
    stated = plain.conclusion if plain.hypothesis is None else implies(plain.hypothesis, plain.conclusion)
    names = {theirs.name: ours.name for theirs, ours in games.items()}
    statements = tuple(
        implies(condition, _asking(substitute(stated, {**values, **players}), names)) for players in _players(plain)
    )
    folds, facts = _facts(plain, lemma, values)
    facts = tuple(implies(condition, x) for x in facts)
    return LemmaInstance(lemma.id, frozenset(names.values()), bool(places), statements, folds, facts)


def _asking(term: t.Term, names: Mapping[str, str]) -> t.Term:
    """The term with its questions put to the games that the lemma's are taken for."""
    made = rebuild(term, lambda x: _asking(x, names))
    return replace(made, game=names[made.game]) if isinstance(made, t.GameCall) else made


def _integers(claim: Claim, lemma: Lemma, plain: Claim, games: Mapping[Game, Game]) -> dict[str, t.Term]:
    """The lemma's integers as terms of the claim: arguments of its games, or else the claim's of the same names."""
    names = {v.name for v in plain.variables if v.type == INT}
    found: dict[str, t.Term] = {}
    for theirs, ours in games.items():
        given = dict(ours.arguments)
        for parameter, argument in theirs.arguments:
            if isinstance(argument, t.Variable) and argument.name in names and argument.name not in found:
                found[argument.name] = given[parameter]
    own = {v.name for v in claim.variables if v.type == INT}
    for name in sorted(names - found.keys()):
        if name not in own:
            words = f"the lemma {lemma.id} has a variable {name}, and the claim has no integer of that name"
            raise Unsupported(words, instead=f"give the claim one, in [forall]: {name} = ...")
        found[name] = t.Variable(INT, 0, 0, name)
    return found


def _conditions(plain: Claim, integers: Mapping[str, t.Term], limit: int | None) -> Iterator[t.Term]:
    """That the integers lie in their domains, and where the lemma's proof reaches."""
    for v in plain.variables:
        match v.domain:
            case IntervalDomain(lo=lo, hi=hi):
                yield compare("ge", integers[v.name], substitute(lo, integers))
                if hi is not None:
                    yield compare("le", integers[v.name], substitute(hi, integers))
                if limit is not None:
                    yield less_than(integers[v.name], integer(limit))
            case Positions() | Players():
                pass
            case _:
                raise refuse_variable(v)


def _arguments(games: Mapping[Game, Game], integers: Mapping[str, t.Term]) -> Iterator[t.Term]:
    """That the games are played with the same arguments."""
    for theirs, ours in games.items():
        given = dict(ours.arguments)
        for parameter, argument in theirs.arguments:
            if argument.type == given[parameter].type != INT and structural_key(argument) == structural_key(
                given[parameter]
            ):
                continue
            if argument.type != INT:
                raise Unsupported(f"{theirs.ruleset.id}: the parameter {parameter} is no integer")
            yield equal(substitute(argument, integers), given[parameter])


def _players(plain: Claim) -> Iterator[dict[str, t.Term]]:
    """Every choice of the lemma's players."""
    variables = [v for v in plain.variables if isinstance(v.domain, Players)]
    counts = [v.domain.count for v in variables if isinstance(v.domain, Players)]
    for chosen in product(*map(range, counts)):
        yield {v.name: t.Literal(PLAYER, 0, 0, who) for v, who in zip(variables, chosen, strict=True)}


def _facts(
    plain: Claim, lemma: Lemma, values: Mapping[str, t.Term]
) -> tuple[tuple[tuple[str, t.Term], ...], tuple[t.Term, ...]]:
    """The folds of the lemma's proof and its facts, under names of their own."""
    proof = plain.proof
    if not isinstance(proof, FoldsProof) or not proof.facts:
        return (), ()
    own = {fold.name: t.Variable(INT, 0, 0, f"{fold.name} of {lemma.id}") for fold in proof.folds}
    place = {proof.position: t.Variable(POSITION, 0, 0, PLACE)}
    folds = tuple((own[fold.name].name, substitute(fold.term, {**values, **place})) for fold in proof.folds)
    return folds, tuple(substitute(term, {**values, **own}) for _, term in proof.facts)
