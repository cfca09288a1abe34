"""Reading a claim file: from TOML to a frozen, typed `Claim`. See docs/claim-language.md for the format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from claims.language.expressions.definitions import Definition
from claims.language.ground.errors import ClaimError
from claims.language.ground.gathering import (
    ANYTHING,
    FaultCollector,
    FollowOnFault,
    attempt,
    collect_faults,
    conclude,
    is_unreadable,
    is_whole,
    mark_unreadable,
)
from claims.language.library.pictures import read_pictures
from claims.language.library.works import LIBRARY, is_definition, read_label
from claims.language.proofs.lemmas import LemmaLoader
from claims.language.proofs.locations import Location
from claims.language.proofs.sections import ProofSection, ReadSection, read_proof
from claims.language.statement.claim import EXPECTATIONS, ROLES, Claim
from claims.language.statement.context import ExpressionContext
from claims.language.statement.definitions import (
    FORMAT,
    find_mentioned,
    make_basis,
    read_borrowed_proofs,
    read_definitions,
)
from claims.language.statement.games import NamedRuleset, bind, read_rulesets
from claims.language.statement.scopes import PROFILES, needs_scope, read_scopes, scope_of
from claims.language.statement.variables import check_games_are_known, declare
from claims.language.statement.variants import KEY, named_variant, offering_none, take_variant
from claims.language.terms.types import BOOL
from claims.language.toml.reader import TomlTable
from claims.language.toml.source import Read, SourceCache, SourceFile, parse, read_on

__all__ = [
    "FORMAT",
    "KEYS",
    "LIBRARY",
    "PROFILES",
    "find_faults",
    "is_definition",
    "needs_scope",
    "read_claim",
    "read_with_proof",
    "scope_of",
]

TEXTS = ("title", "statement", "work", "locator")
OPTIONAL_TEXTS = ("repairs", "notes", "caveat")
NAMING = ("ruleset", "games", "forall", "exists", "define")  # what they hold gives names to the rest
KEYS = (
    *("format", "title", "statement", "work", "locator", "short", "role", "uses", "repairs", "expect", "notes"),
    *("caveat", "ruleset", "games", "forall", "exists", "define", "claim", "scope", "proof", "pictures", KEY),
)
_CONDITION = "a condition in quotes"


def read_claim(path: Path, id: str, rules: Mapping[str, ReadSection], text: str | None = None) -> Claim:
    """Read the claim file at `path`, and once each file that it needs, those of its lemmas included.

    Raises ClaimError with place and expectation.  `rules`: by the name of each rule of proof, what reads its [proof].
    `text`: what is read as if it stood in the file.
    """
    read = SourceCache() if text is None else SourceCache({path: parse(path, text)})
    lemmas = LemmaLoader(lambda location: _read_claim(location, rules, read, lemmas))
    return lemmas.start(Location(id, path, LIBRARY))


def read_with_proof(claim: Claim, path: Path, proof: Mapping[str, object], rules: Mapping[str, ReadSection]) -> Claim:
    """The claim of the file at `path` with this [proof] in place of its own, as if it were there. Raises ClaimError."""
    read = SourceCache()
    own = Location(claim.id, path, LIBRARY)
    source = replace(claim.source, data={**claim.source.data, "proof": proof})
    lemmas = LemmaLoader(lambda at: read_own() if at == own else _read_claim(at, rules, read, lemmas))

    def read_own() -> Claim:
        definitions, files = read_definitions(source, path.parent, read)
        types = {v.name: v.type for v in claim.variables}
        facts = {game.name: game.ruleset.facts for game in claim.games}
        section = ProofSection(source, types, definitions, files, facts, claim.games)
        return replace(claim, proof=read_proof(section, rules, own, read, lemmas))

    return lemmas.start(own)


def _read_claim(location: Location, rules: Mapping[str, ReadSection], read: Read, lemmas: LemmaLoader) -> Claim:
    source = take_variant(read(location.path), location.variant)
    with named_variant(source, location.variant):
        return _read_source(location, source, rules, read, lemmas)


def _read_source(
    location: Location, source: SourceFile, rules: Mapping[str, ReadSection], read: Read, lemmas: LemmaLoader
) -> Claim:
    path, top = location.path, TomlTable(source, (), source.data)
    if "moves" in source.data:
        raise source.fault(("moves",), "this is a ruleset file", 'a claim file, which names it: ruleset = "..."')
    attempt(lambda: top.format(FORMAT), None)
    top.only(*KEYS)
    if any(map(is_unreadable, NAMING)):
        mark_unreadable(ANYTHING)
    title, statement, work, locator = (attempt(partial(top.text, key), "") for key in TEXTS)
    short = attempt(lambda: read_label(top, locator), "")
    role = attempt(lambda: top.choice("role", ROLES), "")
    uses = attempt(lambda: top.texts("uses") if "uses" in source.data else (), ())
    repairs, notes, caveat = (attempt(partial(top.optional_text, key), "") for key in OPTIONAL_TEXTS)
    expect = attempt(lambda: top.choice("expect", EXPECTATIONS) if "expect" in source.data else "", "")

    named = attempt(lambda: read_rulesets(source, path.parent, LIBRARY, read), dict[str, NamedRuleset](), ANYTHING)
    undefined = dict[str, Definition](), dict[str, SourceFile]()
    definitions, files = attempt(lambda: read_definitions(source, path.parent, read), undefined, ANYTHING)
    facts = {name: found.ruleset.facts for name, found in named.items()}
    context = ExpressionContext(source, facts, definitions, files)
    context.check_definitions()
    quantifier, variables = attempt(lambda: declare(context, named), ("", ()), ANYTHING)
    bound = [attempt(partial(bind, name, x, context), None, name) for name, x in named.items()]
    games = tuple(game for game in bound if game is not None)
    attempt(lambda: check_games_are_known(context, quantifier, variables, games), None)

    texts = attempt(lambda: _read_texts(top), list[tuple[str, str]](), "then")
    readers = [(key, partial(context.term, ("claim", key), text, BOOL)) for key, text in texts]
    terms = {key: attempt(read_term, None) for key, read_term in readers}
    scopes = attempt(lambda: read_scopes(source, top.optional_table("scope"), variables, quantifier), (), "scope")
    if not is_whole():
        context.check_uncalled(find_mentioned([source.data.get("proof", {})], definitions))
        conclude()
    section = ProofSection(source, context.types, definitions, files, facts, games)
    with offering_none(source):
        proof = attempt(lambda: read_proof(section, rules, location, read, lemmas), None, "proof")
    borrowed = attempt(lambda: read_borrowed_proofs(source, path.parent, read), ()) if is_whole() else ()
    proofs = [other.data.get("proof", {}) for other in (source, *(other for _, other in borrowed))]
    drawing = ExpressionContext(source, facts, definitions, files)
    drawing.types.update(context.types)
    pictures = attempt(lambda: read_pictures(drawing, variables, games), ())
    context.check_uncalled([*find_mentioned(proofs, definitions), *drawing.called])
    conclude()
    conclusion = terms["then"]
    assert conclusion is not None
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
        conclusion=conclusion,
        texts=(*texts, *((d.head, d.text) for d in context.called)),
        scopes=scopes,
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


def _read_texts(top: TomlTable) -> list[tuple[str, str]]:
    """The hypotheses, if there are any, and the conclusion, as the file writes them."""
    claim = TomlTable(top.source, ("claim",), top.optional_table("claim"))
    if "claim" not in top.data:
        if is_unreadable("claim"):
            raise FollowOnFault(top.source.place(()), "[claim] is at fault itself")
        raise top.source.fault(("claim",), "the file has no [claim]", '[claim], and under it a line then = "..."')
    claim.only("if", "then")
    keys = [key for key in ("if", "then") if key == "then" or key in claim.data]
    texts = [(key, attempt(partial(claim.text, key, _CONDITION), "", key)) for key in keys]
    return [(key, text) for key, text in texts if text]


def find_faults(path: Path, id: str, rules: Mapping[str, ReadSection]) -> tuple[ClaimError, ...]:
    """All that `read_claim` could refuse in the file, as `Gathered.faults` orders it; () for a claim that can be read.

    Of a ruleset and a lemma, the first fault; what is a fault only because of another one is left out.
    """
    found = FaultCollector()
    with collect_faults(found):
        try:
            read = SourceCache({path: read_on(path)})
            lemmas = LemmaLoader(lambda location: _read_claim(location, rules, read, lemmas))
            lemmas.start(Location(id, path, LIBRARY))
        except ClaimError as error:
            found.add(error)
    return found.faults
