"""The JSON of `show`, `explain` and `coq`: frozen records, described in outputs.schema.json."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.results.shown import Json, encode
from claims.language.errors import ClaimError
from claims.language.files.claim import find_variant, take_variant
from claims.language.files.library import OWN_ROLE, Entry
from claims.language.files.toml import Read, display_path

if TYPE_CHECKING:
    from checks.results.shown import ExplanationLine
    from claims.language.files.claim import Claim

FORMAT = 1


@dataclass(frozen=True)
class ListedClaim:
    """A claim in a list, with some keys of its file. `error`: the reason why the file cannot be read, or ""."""

    id: str
    file: str
    variant_of: str
    role: str
    locator: str
    title: str
    expected: str
    error: str


@dataclass(frozen=True)
class ShownClaim:
    """A claim whose file was read and parsed.

    `formal`: the texts of `if`, `then` and the definitions, by name.
    `scopes`: for each profile (quick, deep), the bound of each variable.
    `rule`: the rule of its [proof], or "" if it has no [proof].
    """

    id: str
    file: str
    line: int
    variant_of: str
    title: str
    statement: str
    work: str
    locator: str
    role: str
    expected: str
    uses: tuple[str, ...]
    repairs: str
    notes: str
    quantifier: str
    variables: dict[str, str]
    games: dict[str, str]
    formal: dict[str, str]
    scopes: dict[str, dict[str, str]]
    rule: str
    lemmas: tuple[str, ...]


@dataclass(frozen=True)
class ExplainedCase:
    """A case: the reason why it is shown, its values in words, and the lines of its evaluation, indented by depth."""

    why: str
    values: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ConsideredEngine:
    """An engine that was considered for the search of the scope.

    `chosen`: whether `checks run` would try it first.
    `cost`: its estimated cost, in units of 0.2 microseconds; None if the engine cannot be used.
    `reason`: the reason why it is not chosen; "" if it is chosen.
    """

    name: str
    chosen: bool
    cost: int | None
    reason: str


@dataclass(frozen=True)
class ExplainedClaim:
    """A claim in words, and its evaluation at some cases. `formal`, `variables`, `games`: as in ShownClaim.

    `words`: the formal claim in words, or "" if some part of it cannot be put into words.
    `counts`: a sentence with the number of small cases at which the claim holds, fails, and so on.
    `engines`: the engines for the search of the quick scope, the chosen one first. The list is empty if no engine can
    be chosen, or if only one case is explained.
    """

    id: str
    title: str
    statement: str
    quantifier: str
    variables: dict[str, str]
    games: dict[str, str]
    formal: dict[str, str]
    words: str
    cases: tuple[ExplainedCase, ...]
    counts: str
    engines: tuple[ConsideredEngine, ...]


@dataclass(frozen=True)
class ListedTheorem:
    """The theorem of a claim for Coq, or the reason why there is none.

    `missing`: the reason; "" if the theorem is generated. `file`: the file with the theorem; "" if no file was written.
    `text`: the theorem; "" if the theorem was written into a file or is only listed.
    `refutes`: whether the theorem is the negation of the claim.
    """

    id: str
    generated: bool
    missing: str
    file: str = ""
    text: str = ""
    refutes: bool = False


def to_data(name: str, found: Iterable[Mapping[str, object]], **more: Json) -> dict[str, Json]:
    """Return the JSON of a command: the number of the format, the records as a list under `name`, and further keys."""
    return {"format": FORMAT, name: [encode(dict(one)) for one in found], **more}


def list_claims(entries: Sequence[Entry], read: Read) -> list[ListedClaim]:
    """Return the claims for a list. The claims are not parsed, so this is fast."""
    return [_list(entry, read) for entry in entries]


def _list(entry: Entry, read: Read) -> ListedClaim:
    try:
        data, error = take_variant(read(entry.path), find_variant(entry.id, entry.path)).data, ""
        data = {"role": OWN_ROLE, **data}
    except ClaimError as fault:
        data, error = {}, fault.message
    said = (data.get(key, "") for key in ("role", "locator", "title", "expect"))
    role, locator, title, expected = (value if isinstance(value, str) else "" for value in said)
    return ListedClaim(entry.id, display_path(entry.path), entry.variant_of, role, locator, title, expected, error)


def show_claim(claim: Claim, entry: Entry) -> ShownClaim:
    """Return the record of a claim with all its keys."""
    from checks.judgement.explain import players_of
    from checks.judgement.scopes import limits_of
    from claims.language.files.games import describe

    players = players_of(claim)
    return ShownClaim(
        id=claim.id,
        file=display_path(entry.path),
        line=claim.source.place(claim.source.pointed, at_key=True).line,
        variant_of=entry.variant_of,
        title=claim.description.title,
        statement=claim.description.statement,
        work=claim.description.work,
        locator=claim.description.locator,
        role=claim.description.role,
        expected=claim.description.expect,
        uses=claim.description.uses,
        repairs=claim.description.repairs,
        notes=claim.description.notes,
        quantifier=claim.quantifier,
        variables={v.name: v.text for v in claim.variables},
        games={game.name: describe(game, players) for game in claim.games},
        formal=dict(claim.texts),
        scopes={name: {x: str(bound) for x, bound in limits_of(claim, scope)} for name, scope in claim.scopes},
        rule="" if claim.proof is None else claim.proof.rule,
        lemmas=tuple(lemma.id for lemma in claim.lemmas),
    )


def explain_claim(
    claim: Claim,
    entry: Entry,
    words: str,
    cases: Iterable[tuple[str, str, Sequence[ExplanationLine]]],
    counts: str,
    engines: tuple[ConsideredEngine, ...],
) -> ExplainedClaim:
    """Return the record of an explained claim.

    `cases`: for each case, the reason why it is shown, its values in words, and its evaluation.
    `words`, `counts`, `engines`: as in the record.
    """
    told = tuple(ExplainedCase(why, at, tuple("  " * x.depth + x.text for x in lines)) for why, at, lines in cases)
    shown_claim = show_claim(claim, entry)
    same = {
        name: getattr(shown_claim, name)
        for name in ("title", "statement", "quantifier", "variables", "games", "formal")
    }
    return ExplainedClaim(id=claim.id, **same, words=words, cases=told, counts=counts, engines=engines)
