"""Hints for the author of a proof: a rule or lemma that may prove a claim, or the reason why a proof fails.

A hint may be wrong, and no verdict depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from checks.results.model import OPEN as OPEN_LEMMAS
from checks.results.model import ClaimResult
from checks.results.verdicts import OPEN, Verdict
from checks.results.wording import describe_open
from claims.language.errors import ClaimError
from claims.language.files.claim import Claim, Lemma
from claims.language.files.library import LIBRARY, is_definition
from claims.language.files.proofs import Location
from claims.language.files.toml import list_files, list_folders, note_file, read
from encoders.logic.answer import Decision, Obligation, ObligationStatus
from encoders.proving.reading import load_claim, rule_name
from encoders.proving.registry import PROVERS
from encoders.proving.suggestions import list_lemmas, list_unrelated, name_lemma, suggest, suggest_lemmas
from encoders.trust import OpenReason

REFUSED = (
    "The rule does not support the claim or its game: state the claim in terms that the rule supports, or use "
    "another rule."
)
REFUSED_PROOF = (
    "The rule supports the claim and its game, but not a part of the [proof]. Change that part, or use another rule."
)
MOST_FILES = 60  # claim files of one folder that are searched for lemmas
MOST_BESIDE = 6  # claims in the folder of the claim that are tried as the proof of a case
MOST_SIBLINGS = 20  # claims whose proofs are tried for this claim


def give_hints(claim: Claim, path: Path, result: ClaimResult) -> tuple[str, ...]:
    """Return hints of one or two sentences, the most promising first.

    Return () if the verdict leaves nothing to prove, that is, unless it is in OPEN.
    `path`: the claim file. Possible lemmas are searched for in its folder and in the library.
    """
    if result.verdict not in OPEN:
        return ()
    if claim.proof is None:
        return tuple(suggest_proofs(claim, path))
    route = next((r for r in result.finding.routes if r.encoder in PROVERS), None)
    if route is None:
        return (
            ("the [proof] was not checked; run the claim without --route",)
            if result.verdict is Verdict.VERIFIED
            else ()
        )
    if route.answer is Decision.UNSUPPORTED:
        if route.cause is not None:
            return (route.cause.value.words,)
        bare = replace(claim, proof=None)
        read = any(x.rule == rule_name(claim) for x in suggest(bare, path))
        return (REFUSED_PROOF if read else REFUSED, *suggest_proofs(claim, path, rule_name(claim)))
    open_ = next((o for o in result.finding.obligations if not o.proved), None)
    found = [_help(open_), *list_unrelated(claim)] if open_ is not None else []
    found += [f"{describe_open([x])}: {OPEN_LEMMAS[x.verdict].words}" for x in result.finding.lemmas if not x.is_usable]
    if not found and route.answer is Decision.HOLDS:
        found = [f"{OpenReason.NO_CASE_BELOW.says()}: {OpenReason.NO_CASE_BELOW.value.words}"]
    return tuple(x for x in found if x)


def _help(open_: Obligation) -> str:
    """Return a hint on how to prove an obligation that is open or false; "" if there is none."""
    kind = open_.of_kind if open_.result is ObligationStatus.FAILED else None
    if open_.cause is not None:
        kind = open_.cause.value
    return "" if kind is None else f"{open_.name}: {kind.words}"


def suggest_proofs(claim: Claim, path: Path, tried: str = "") -> Iterator[str]:
    """Yield suggestions of rules and lemmas for a proof of the claim, each as a sentence.

    The rule `tried` and the lemmas that the [proof] already uses are not suggested. Rules are before lemmas, unless
    a claim that the claim file names in `uses` may help as a lemma; then lemmas are first.
    """
    location = Location(claim.id, path, LIBRARY)
    own, others = _find_lemmas(claim, location)
    lemmas = suggest_lemmas(claim, chain(own, others))
    found = [] if lemmas is None else [lemmas]
    rules = [x for x in suggest(claim, path, _find_beside(claim, location)) if x.rule != tried]
    rested = suggest_lemmas(claim, own) is not None
    for suggestion in (*found, *rules) if rested else (*rules, *found):
        yield f"might be proved by {suggestion.words}"


def list_theorems(claim: Claim, path: Path) -> list[str]:
    """Return the names of theorems that may help to prove a claim, first those that the claim file names in `uses`.

    A name is written as in the key `by` of a [proof].
    """
    own, others = _find_lemmas(claim, Location(claim.id, path, LIBRARY))
    return [name_lemma(claim, lemma) for lemma in list_lemmas(claim, chain(own, others))]


def list_siblings(claim: Claim, path: Path) -> list[str]:
    """Return the names of claims in the same folder that have a [proof] and mention a ruleset of the given claim.

    A name is written as in the key `from` of a [proof]. At most MOST_SIBLINGS names are returned.
    """
    games = {game.ruleset.id for game in claim.games}
    beside = [x for x in list_files(path.parent)[:MOST_FILES] if x != path and b"[proof]" in _text_of(x)]
    return [x.stem for x in beside if _names_game(_text_of(x), games)][:MOST_SIBLINGS]


def _find_lemmas(claim: Claim, location: Location) -> tuple[list[Lemma], Iterator[Lemma]]:
    """Return two collections of possible lemmas: first the claims in `uses`, second other theorems.

    Lemmas that the [proof] of the claim already uses are omitted.
    """
    used = [x for name in claim.description.uses if (x := location.find(_make_relative_name(claim, name))) is not None]
    had = {location.file, *(lemma.path for lemma in claim.lemmas)}
    own = list(_read_lemmas(used, set(had)))
    return own, _read_lemmas(_find_theorems(claim, location), had | {x.file for x in used})


def _read_lemmas(locations: Iterable[Location], seen: set[Path]) -> Iterator[Lemma]:
    """Yield the claims at the locations, each once, as possible lemmas.

    Claims in the files `seen`, unreadable claims, and claims that should be refuted are omitted. The files of the
    other claims are added to `seen`.
    """
    for location in locations:
        if location.file in seen:
            continue
        seen.add(location.file)
        try:
            claim = load_claim(location.path, location.id)
        except ClaimError:
            continue  # a run of that file reports the error
        if claim.description.expect != "refuted":
            yield Lemma(location.id, claim, location.file)


def _find_beside(claim: Claim, location: Location) -> Iterator[str]:
    """Yield the names of up to MOST_BESIDE claims in the same folder, whose proofs may be used for this claim.

    First come the claims in `uses`, then other claims whose file contains the text "[proof]".
    """
    own = [name for use in claim.description.uses if (name := _make_relative_name(claim, use)) != use]
    files = list_files(location.path.parent)[:MOST_FILES]
    others = (x.stem for x in files if x.stem not in own and x != location.path and b"[proof]" in _text_of(x))
    yield from islice(chain(own, others), MOST_BESIDE)


def _make_relative_name(claim: Claim, name: str) -> str:
    """Return the name of a claim as in the key `by` of a [proof]: without its folder if it is the folder of `claim`."""
    folder = claim.id.rpartition("/")[0]
    return name.removeprefix(f"{folder}/") if folder else name


def _find_theorems(claim: Claim, location: Location) -> Iterator[Location]:
    """Yield the locations of theorems that have a [proof] and are about a game of the claim.

    Theorems in the folder of the claim are first, then come those in the library.
    """
    here = location.path.parent
    folders = [here, *(x for x in list_folders(LIBRARY) if x.resolve() != here.resolve())]
    games = {game.ruleset.id for game in claim.games}
    for path in [path for folder in folders for path in list_files(folder)[:MOST_FILES]]:
        if is_definition(path) or not _may_be_theorem(path, games):
            continue
        try:
            data = read(path).data
        except ClaimError:
            continue
        found = location.find(path.stem if path.parent == here else f"{path.parent.name}/{path.stem}")
        if found is not None and data.get("role") == "theorem" and "proof" in data:
            yield found


def _may_be_theorem(path: Path, games: set[str]) -> bool:
    """Return whether the text of a file contains "theorem" (in quotation marks), "proof" and one of these games.

    This is a fast test, without parsing: a file that fails it cannot contain a proved theorem about these games.
    """
    text = _text_of(path)
    return all(word in text for word in (b'"theorem"', b"proof")) and _names_game(text, games)


def _names_game(text: bytes, games: Iterable[str]) -> bool:
    """Return whether a text names one of the games: "nim" and "nim(k = 3)" name nim, but "bash-nim" does not."""
    return any(re.search(rb"""["'/]%s["'( ]""" % re.escape(game.encode()), text) for game in games)


def _text_of(path: Path) -> bytes:
    """Return the bytes of a file; b"" if the file cannot be read."""
    try:
        text = path.read_bytes()
    except OSError:
        return b""
    note_file(path, text)
    return text
