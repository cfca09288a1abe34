"""Reading a claim file: from TOML to a frozen, typed `Claim`. See docs/claim-language.md for the format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from claims.language.library.pictures import read_pictures
from claims.language.library.works import LIBRARY, is_definition, read_label
from claims.language.proofs.lemmas import Lemmas
from claims.language.proofs.locations import Location
from claims.language.proofs.sections import ReadSection, Section, read_proof
from claims.language.statement.claim import EXPECTATIONS, ROLES, Claim
from claims.language.statement.context import Context
from claims.language.statement.definitions import (
    FORMAT,
    find_mentioned,
    make_basis,
    read_borrowed_proofs,
    read_definitions,
)
from claims.language.statement.games import bind, read_rulesets
from claims.language.statement.scopes import PROFILES, needs_scope, read_scopes, scope_of
from claims.language.statement.variables import check_games_are_known, declare
from claims.language.statement.variants import KEY, named_variant, offering_none, take_variant
from claims.language.terms.types import BOOL
from claims.language.toml.reader import Table
from claims.language.toml.source import Read, Reading, Source

__all__ = ["FORMAT", "LIBRARY", "PROFILES", "is_definition", "needs_scope", "read_claim", "read_with_proof", "scope_of"]

_KEYS = (
    *("format", "title", "statement", "work", "locator", "short", "role", "uses", "repairs", "expect", "notes"),
    *("caveat", "ruleset", "games", "forall", "exists", "define", "claim", "scope", "proof", "pictures", KEY),
)
_CONDITION = "a condition in quotes"


def read_claim(path: Path, id: str, rules: Mapping[str, ReadSection]) -> Claim:
    """Read the claim file at `path`, and once each file that it needs, those of its lemmas included.

    Raises ClaimError with place and expectation.  `rules`: by the name of each rule of proof, what reads its [proof].
    """
    read = Reading()
    lemmas = Lemmas(lambda location: _read_claim(location, rules, read, lemmas))
    return lemmas.start(Location(id, path, LIBRARY))


def read_with_proof(claim: Claim, path: Path, proof: Mapping[str, object], rules: Mapping[str, ReadSection]) -> Claim:
    """The claim of the file at `path` with this [proof] in place of its own, as if it were there. Raises ClaimError."""
    read = Reading()
    own = Location(claim.id, path, LIBRARY)
    source = replace(claim.source, data={**claim.source.data, "proof": proof})
    lemmas = Lemmas(lambda at: read_own() if at == own else _read_claim(at, rules, read, lemmas))

    def read_own() -> Claim:
        definitions, files = read_definitions(source, path.parent, read)
        types = {v.name: v.type for v in claim.variables}
        facts = {game.name: game.ruleset.facts for game in claim.games}
        section = Section(source, types, definitions, files, facts, claim.games)
        return replace(claim, proof=read_proof(section, rules, own, read, lemmas))

    return lemmas.start(own)


def _read_claim(location: Location, rules: Mapping[str, ReadSection], read: Read, lemmas: Lemmas) -> Claim:
    source = take_variant(read(location.path), location.variant)
    with named_variant(source, location.variant):
        return _read_source(location, source, rules, read, lemmas)


def _read_source(
    location: Location, source: Source, rules: Mapping[str, ReadSection], read: Read, lemmas: Lemmas
) -> Claim:
    path, top = location.path, Table(source, (), source.data)
    if "moves" in source.data:
        raise source.fault(("moves",), "this is a ruleset file", 'a claim file, which names it: ruleset = "..."')
    top.format(FORMAT)
    top.only(*_KEYS)
    title, statement = top.text("title"), top.text("statement")
    work, locator = top.text("work"), top.text("locator")
    short, role = read_label(top, locator), top.choice("role", ROLES)
    uses = top.texts("uses") if "uses" in source.data else ()
    repairs = top.optional_text("repairs")
    expect = top.choice("expect", tuple(EXPECTATIONS)) if "expect" in source.data else ""
    notes, caveat = top.optional_text("notes"), top.optional_text("caveat")

    named = read_rulesets(source, path.parent, LIBRARY, read)
    definitions, files = read_definitions(source, path.parent, read)
    context = Context(source, {n: x.ruleset.facts for n, x in named.items()}, definitions, files)
    context.check_definitions()
    quantifier, variables = declare(context, named)
    games = tuple(bind(name, x, context) for name, x in named.items())
    check_games_are_known(context, quantifier, variables, games)

    claim = Table(source, ("claim",), top.optional_table("claim"))
    if "claim" not in source.data:
        raise source.fault(("claim",), "the file has no [claim]", '[claim], and under it a line then = "..."')
    claim.only("if", "then")
    texts = [(k, claim.text(k, _CONDITION)) for k in ("if", "then") if k == "then" or k in claim.data]
    terms = {key: context.term(("claim", key), text, BOOL) for key, text in texts}
    facts = {n: x.ruleset.facts for n, x in named.items()}
    section = Section(source, context.types, definitions, files, facts, games)
    with offering_none(source):
        proof = read_proof(section, rules, location, read, lemmas)
    borrowed = read_borrowed_proofs(source, path.parent, read)
    proofs = [other.data.get("proof", {}) for other in (source, *(other for _, other in borrowed))]
    drawing = Context(source, facts, definitions, files)
    drawing.types.update(context.types)
    pictures = read_pictures(drawing, variables, games)
    context.check_uncalled([*find_mentioned(proofs, definitions), *drawing.called])
    return Claim(
        id=location.id,
        title=title,
        statement=" ".join(statement.split()),
        work=work,
        locator=locator,
        short=short,
        role=role,
        uses=uses,
        repairs=repairs,
        expect=expect,
        notes=" ".join(notes.split()),
        caveat=" ".join(caveat.split()),
        quantifier=quantifier,
        variables=variables,
        games=games,
        hypothesis=terms.get("if"),
        conclusion=terms["then"],
        texts=(*texts, *((d.head, d.text) for d in context.called)),
        scopes=read_scopes(source, top.optional_table("scope"), variables, quantifier),
        source=source,
        proof=proof,
        basis=make_basis(
            source,
            tuple((g.name, g.ruleset.source) for g in games),
            definitions,
            files,
            borrowed,
            tuple((lemma.path.stem, lemma.claim.basis) for lemma in (proof.citations if proof else ())),
            location.variant,
        ),
        variant=location.variant,
        pictures=pictures,
    )
