"""Check the files of a folder without settling a claim: report all errors, and fix some."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path

from checks.judgement.routes import Exhausted, guard, run_within_budget
from checks.judgement.scopes import limits_of
from checks.presentation.account import ONE_IN, find_denials, find_hidden, find_single
from checks.presentation.hints import suggest_proofs
from checks.receipts.enumeration import list_cases
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached
from checks.results.model import Fault, FaultKind, deduplicate, fault_of, find_rings, make_fault
from checks.results.wording import scope_phrase
from claims.language.errors import (
    ClaimError,
    FaultCollector,
    LanguageError,
    Misspelt,
    SourceLocation,
    collect_faults,
    describe_circle,
    format_count,
)
from claims.language.file_writing import write_file
from claims.language.files import domains as d
from claims.language.files.claim import KEY, Claim
from claims.language.files.definitions import SHARED, find_mentioned, read_shared
from claims.language.files.domains import needs_scope
from claims.language.files.library import (
    BIBLIOGRAPHY,
    LIBRARY,
    Entry,
    find_shipped,
    is_claim,
    is_definition,
    read_works,
    select,
)
from claims.language.files.proofs import Location
from claims.language.files.rulesets import load_ruleset
from claims.language.files.toml import Keys, SourceFile, display_path, list_continued, list_pairs, read, read_on
from claims.language.syntax.names import Definition, read_definition
from claims.language.syntax.terms import names_of
from encoders.proving.reading import find_faults, load_claim


# == reading ==========================================================================================================
# The kinds of files in a folder of claims, and the errors of each.
def is_other(path: Path) -> bool:
    """Return whether a file is a ruleset, shared definitions, or the list of works, and not a claim.

    An unreadable file counts as a claim.
    """
    if is_definition(path):
        return True
    try:
        return "moves" in read(path).data
    except ClaimError:
        return False


def list_faults(path: Path) -> tuple[ClaimError, ...]:
    """Return all errors of a file, without the errors of its variants."""
    if not is_other(path):
        return find_faults(path, display_path(path))
    found = FaultCollector()
    with collect_faults(found):
        try:
            if path.name == BIBLIOGRAPHY:
                read_works(path.parent)
            elif path.name == SHARED:
                read_shared(path, read_on)
            else:
                load_ruleset(path, read_on)
        except ClaimError as error:
            found.add(error)
    return found.faults


def select_changed(words: tuple[str, ...]) -> tuple[tuple[Entry, ...], tuple[Path, ...]]:
    """Return the claims and the other files among `words`, as `select_files` does.

    A word is ignored if it is not an existing `.toml` file, or if `check` cannot check this file.
    """
    there = [path for path in map(Path, words) if path.is_file() and path.suffix == ".toml"]
    kept = tuple(str(path) for path in there if is_other(path) or is_claim(path))
    return select_files(kept) if kept else ((), ())


def select_files(words: tuple[str, ...]) -> tuple[tuple[Entry, ...], tuple[Path, ...]]:
    """Return the claims that the arguments `words` name, and the other files that they name.

    The other files are rulesets, shared definitions and lists of works. A folder names all *.toml files below it.
    Without words, return the whole library. Raises ClaimError for a word that does not name a file or a claim.
    """
    claims, others = list[str](), dict[Path, None]()
    for word in words or (str(LIBRARY),):
        path = Path(word)
        if path.is_dir():
            files = [p for p in sorted(path.rglob("*.toml")) if p.is_file()]
            found = [p for p in files if is_other(p)]
            others |= dict.fromkeys(found)
            if len(found) < len(files) or not files:
                claims.append(word)
        elif path.is_file() and is_other(path):
            others[path] = None
        else:
            claims.append(word)
    with collect_faults(FaultCollector()):  # errors of a works.toml are reported when that file is checked
        entries = select(tuple(claims) if words else ()) if claims else ()
    return entries, tuple(others)


# == claims ===========================================================================================================
# Warnings and notes: parts of a readable claim that probably do not say what the author means.
STEPS = 400_000  # of the referee, to count the cases where the hypotheses hold
MOST_CASES = 20_000
SPEAKING = ("ruleset", "games", "forall", "exists", "claim", "proof", "pictures", KEY)
"""The keys of a claim file whose texts can call a definition."""


def inspect(claim: Claim, entry: Entry, is_known: Callable[[str], bool]) -> Iterator[Fault]:
    """Yield the warnings about a claim, grouped by kind.

    `is_known`: returns whether an id belongs to a claim that is checked in the same command.
    """
    place = claim.source.place
    for key in ("uses", "repairs"):
        for keys, name in _list_ids(claim, key):
            if not _is_there(name, entry) and not is_known(name):
                yield make_fault(
                    FaultKind.UNKNOWN_USES,
                    place(keys),
                    f"{key!r} names {name!r}, which is not a claim",
                    "the id of a claim",
                )
    for name in _list_unused(claim):
        message = f"{name!r} is declared but never used: the claim is the same for each of its values"
        yield make_fault(FaultKind.UNUSED_VARIABLE, _place_variable(claim, name), message)
    for bound in find_single(limits_of(claim, claim.scope("quick"))):
        variable = bound[0][0].partition(".")[0]
        message = f"the scope has only one value of {variable}: {scope_phrase(bound)}"
        if any(v.name == variable and needs_scope(v) for v in claim.variables):
            yield make_fault(FaultKind.ONE_VALUE, place(("scope", variable)), message, "several values")
    met, cases = _count_hypotheses(claim) if claim.proof is None else (0, 0)
    if met * ONE_IN < cases:
        message = f"the hypotheses hold at {met} of the scope's {format_count(cases, 'case')}"
        yield make_fault(
            FaultKind.FEW_CASES,
            place(("claim", "if")),
            message,
            f"hypotheses that hold in at least one of {ONE_IN} cases, or a larger scope",
        )
    for word in find_denials(claim)[:1] if claim.description.expect == "refuted" else []:
        message = f"the title says {word!r}, but the statement does not"
        yield make_fault(
            FaultKind.NEGATED_TITLE,
            place(("title",)),
            message,
            "a title that says the same as the claim, even if the claim is false",
        )
    for name in find_hidden(claim):
        message = f"the definition {name} hides the function {name} of the language"
        keys = next((found.where for found in _read_definitions(claim.source) if found.name == name), ("define",))
        yield make_fault(FaultKind.HIDDEN_FUNCTION, place(keys, at_key=True), message, "another name")


def note(claim: Claim, entry: Entry) -> Iterator[Fault]:
    """Yield the notes about a claim: variables that also set a parameter of a game, and applicable proof rules."""
    for game in claim.games:
        for name in sorted(game.captured & {v.name for v in claim.variables}):
            message = f"{name!r} is also the parameter {name!r} of {game.ruleset.id}"
            expected = f'"{game.ruleset.id}({name} = {name})" if that is meant, or another name for the variable'
            yield make_fault(FaultKind.CAPTURED_PARAMETER, _place_variable(claim, name), message, expected)
    if claim.proof is None and claim.description.expect != "refuted":
        for words in suggest_proofs(claim, entry.path):
            yield make_fault(FaultKind.PROVABLE, claim.source.place(claim.source.pointed, at_key=True), words)


def _place_variable(claim: Claim, name: str) -> SourceLocation:
    return claim.source.place((claim.quantifier, name), at_key=True)


# -- names ------------------------------------------------------------------------------------------------------------
def _list_ids(claim: Claim, key: str) -> list[tuple[Keys, str]]:
    if key == "repairs":
        return [((key,), claim.description.repairs)] if claim.description.repairs else []
    return [((key, i), name) for i, name in enumerate(claim.description.uses)]


def _is_there(name: str, entry: Entry) -> bool:
    """Return whether the library contains the claim `name`, or `entry` can refer to a claim file of this name."""
    own = name.partition("@")[0]
    return find_shipped(name) is not None or Location(entry.id, entry.path, LIBRARY).find(own) is not None


def _list_unused(claim: Claim) -> Iterator[str]:
    """Yield the variables that occur in no condition of the claim, no argument of a game, and no domain."""
    terms = [claim.conclusion, *([] if claim.hypothesis is None else [claim.hypothesis])]
    terms += [term for game in claim.games for _, term in game.arguments]
    terms += [term for v in claim.variables for term in d.list_bounds(v.domain)]
    used = names_of(terms)[0]
    for variable in claim.variables:
        if variable.name not in used:
            yield variable.name


def list_definitions(claim: Claim, path: Path) -> Iterator[Fault]:
    """Yield a warning for each definition of a claim file that neither the claim nor a variant uses."""
    source, whole, captured = claim.source, read(path), {name for game in claim.games for name in game.captured}
    definitions = {found.name: found for found in _read_definitions(source)}
    mentioned = find_mentioned([whole.data.get(key, {}) for key in SPEAKING], definitions)
    for found in definitions.values():
        if found not in mentioned and found.name not in captured:
            place = source.place(found.where, at_key=True)
            yield make_fault(FaultKind.UNUSED_DEFINITION, place, f"the definition {found.head} is never used")


def _read_definitions(source: SourceFile) -> Iterator[Definition]:
    """Yield the definitions of a claim file, without the invalid ones."""
    own = source.data.get("define", {})
    for key, text in own.items() if isinstance(own, dict) else ():
        with suppress(LanguageError):
            yield read_definition(key, text if isinstance(text, str) else "", ("define", key))


# -- hypotheses -------------------------------------------------------------------------------------------------------
def _count_hypotheses(claim: Claim) -> tuple[int, int]:
    """Return how many cases of the quick scope satisfy the hypotheses, and how many cases the scope has.

    Return (0, 0) if the claim has no hypotheses or no variables, if a case is undefined, or if there are too many
    cases.
    """
    if claim.hypothesis is None or not claim.variables:
        return 0, 0
    referee, met, cases = Referee(claim, STEPS), 0, 0
    try:
        for case in list_cases(claim, claim.scope("quick"), referee):
            cases += 1
            if cases > MOST_CASES:
                return 0, 0
            met += bool(referee.evaluate(claim.hypothesis, case))
    except (IllDefined, LimitReached):
        return 0, 0
    return met, cases


# == files ============================================================================================================
# All faults of each file of a folder of claims, in the order of its lines.
BUDGET = 10.0  # seconds of CPU time for each file


def check_all(
    entries: Sequence[Entry], others: Iterable[Path], notes: bool = False, budget: float | None = BUDGET
) -> list[Fault]:
    """Return the faults of the claims, then the faults of the other files.

    `notes`: whether notes are included. `budget`: seconds of CPU time for each file, or None for no limit.
    """
    found = [*check_claims(entries, notes, budget)]
    for path in others:
        found += _check_within_budget(budget, path, str(path), partial(_list_other, path))
    return list(deduplicate(found))


def _list_other(path: Path) -> list[Fault]:
    return [fault_of(error) for error in list_faults(path)]


def _check_within_budget(budget: float | None, path: Path, name: str, work: Callable[[], list[Fault]]) -> list[Fault]:
    """Return the faults that `work` finds; if time or memory runs out, return only a fault that states the limit."""
    try:
        return run_within_budget(budget, lambda: guard(f"while checking {name}", work))
    except Exhausted as limit:
        return [make_fault(FaultKind.NOT_CHECKED, SourceLocation(display_path(path)), f"not checked: {limit}")]


def check_claims(entries: Sequence[Entry], notes: bool = False, budget: float | None = BUDGET) -> Iterator[Fault]:
    """Yield the faults of the claims and variants, file by file.

    Then yield the circles of `uses` among readable claims.
    `notes`, `budget`: as in `check_all`. Raises only InternalFault.
    """
    known = {entry.id for entry in entries}
    found, claims = list[Fault](), dict[str, Claim]()
    for entry in entries:
        found += _check_within_budget(budget, entry.path, entry.id, partial(_check, entry, known, claims, notes))
    yield from deduplicate(found)
    for ring in find_rings({id: claim.description.uses for id, claim in claims.items()}):
        claim = claims[ring[0]]
        number = next(i for i, name in enumerate(claim.description.uses) if name == ring[1 % len(ring)])
        yield make_fault(FaultKind.CIRCULAR_USES, claim.source.place(("uses", number)), describe_circle(ring))


def _check(entry: Entry, known: set[str], claims: dict[str, Claim], notes: bool) -> list[Fault]:
    """Return the faults of one claim. If the claim is valid, also add it to `claims`."""
    try:
        claim = load_claim(entry.path, entry.id)
    except ClaimError:
        return [fault_of(error) for error in find_faults(entry.path, entry.id)]
    claims[entry.id] = claim
    found = [*inspect(claim, entry, known.__contains__)]
    if not claim.variant:
        found += list_definitions(claim, entry.path)
    return [*sorted(found, key=lambda x: (x.line, x.column)), *(note(claim, entry) if notes else ())]


# == mending ==========================================================================================================
# Corrections that cannot be wrong: misspelled keys, misspelled words of closed lists, and the format of a file.
#
# All other data of the file stay the same.
LIKE = 0.8  # least similarity of a misspelled word and its correction; 1 means equal
MOST = 50  # corrections in one file


def mend_file(path: Path) -> bool:
    """Correct and format a file, and return whether it changed. A file that is not valid TOML is not changed.

    Raises ClaimError if the file cannot be written.
    """
    try:
        before = read(path).text
    except ClaimError:
        return False
    try:
        for _ in range(MOST):
            if not _spell_one(path):
                break
        after = put_in_form(text := read(path).text)
        if after != text:
            write_file(path, after)
    except OSError as error:
        raise ClaimError(SourceLocation(str(path)), f"cannot be written: {error.strerror}") from None
    return read(path).text != before


def _spell_one(path: Path) -> bool:
    """Correct one misspelled word in a file, and return whether this was possible.

    A correction that does not reduce the number of errors is undone.
    """
    faults = list_faults(path)
    for fault in faults:
        if not (isinstance(fault, Misspelt) and fault.near and fault.place.line):
            continue
        text = read(path).text
        lines, place = text.split("\n"), fault.place
        line, start = lines[place.line - 1], place.column - 1
        old = line[start : start + place.width]
        quote = old[0] if old[:1] in ("'", '"') else ""
        if SequenceMatcher(None, old.strip(quote or None), fault.near).ratio() < LIKE:
            continue
        lines[place.line - 1] = line[:start] + quote + fault.near + quote + line[start + place.width :]
        write_file(path, "\n".join(lines))
        if len(list_faults(path)) < len(faults):
            return True
        write_file(path, text)
    return False


def put_in_form(text: str) -> str:
    r"""Return the TOML text in the format of the library, or the same text if formatting would change its data.

    >>> put_in_form('a=1  \n\n\n[b]\nc ="x"')
    'a = 1\n\n[b]\nc = "x"\n'
    """
    found = text.replace("\r\n", "\n")
    for end, start in reversed(list_pairs(found)):
        if not re.search(r"\s=\s", found[end:start]):
            found = f"{found[:end]} = {found[start:]}"
    continued, lines = list_continued(found), list[str]()
    for number, line in enumerate(found.split("\n"), 1):
        lines.append(line if number in continued else line.rstrip())
    found = _set_apart(lines, continued)
    return found if _read(found) == _read(text) else text


def _set_apart(lines: list[str], continued: set[int]) -> str:
    """Put an empty line before each table that does not follow a comment, and remove repeated empty lines.

    The result ends with one line break.
    """
    kept = list[str]()
    for number, line in enumerate(lines, 1):
        inside = number - 1 in continued  # the line begins within a text
        if not inside and not line and (not kept or not kept[-1]):
            continue
        if not inside and line.startswith("[") and kept and kept[-1] and not kept[-1].startswith("#"):
            kept.append("")
        kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return "\n".join([*kept, ""])


def _read(text: str) -> object:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None
