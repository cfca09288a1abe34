"""Compare two reports claim by claim, as text and as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from checks.results.shown import Json
from checks.results.verdicts import Verdict, passes
from checks.results.wording import clip, count, value_text
from claims.language.errors import NimChecksError, escape_invisible
from reports.markdown import code_cell, escape, table
from reports.model.json_report import FORMAT

# == reading ==========================================================================================================
# Reading a report.json of this version or an older one: its claims by id.
Claim = dict[str, Json]
WORDS = {verdict.value for verdict in Verdict}


class NotAReport(NimChecksError):
    """An error: the text is not a report.json. The message states the reason."""


@dataclass(frozen=True)
class Report:
    """A report.json, read for a comparison.

    `profile`: the name of its scope profile, such as "quick".
    `claims`: the JSON object of each claim, by the id of the claim.
    `keys`: all keys that occur in these objects.
    """

    profile: str
    claims: dict[str, Claim]
    keys: frozenset[str]


def load_report(path: Path) -> Report:
    """Read a report from a file. Raises NotAReport, which names the file."""
    if path.is_dir():
        raise NotAReport(f"{path}: this is a folder; expected a file, such as {path / 'report.json'}")
    try:
        return read_report(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, NotAReport) as error:
        raise NotAReport(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def read_report(text: str) -> Report:
    """Read a report from its text. Raises NotAReport.

    >>> read_report('{"format": 1, "claims": [{"id": "a", "verdict": "proved"}]}').claims["a"]["verdict"]
    'proved'
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAReport(f"not JSON: {error}") from None
    claims = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(claims, list):
        raise NotAReport("not a report; expected an object with a list of claims")
    if data.get("format") != FORMAT:
        raise NotAReport(f"unknown format {data.get('format')!r}; expected {FORMAT}")
    by_id: dict[str, Claim] = {}
    for claim in claims:
        id = claim.get("id") if isinstance(claim, dict) else None
        if not isinstance(id, str) or id in by_id:
            raise NotAReport(
                f"not a report, because the claim id {id!r} is invalid or repeated; expected different ids"
            )
        if claim.get("verdict") not in WORDS:
            raise NotAReport(f"not a report, because {id} has the unknown verdict {claim.get('verdict')!r}")
        by_id[id] = claim
    keys = frozenset(key for claim in by_id.values() for key in claim)
    return Report(str(data.get("scope_profile", "")), by_id, keys)


def is_ordered(claim: Claim) -> bool:
    """Return whether a claim of a report passes: whether a run of only this claim would have the exit code 0."""
    expected = claim.get("as_expected")
    return passes(Verdict(claim["verdict"]), expected if isinstance(expected, bool) else None)


def count_of(value: Json) -> int:
    """Return an integer of a report, or 0 if the value is not an integer. Reports store large integers as strings.

    >>> count_of("18014398509481984"), count_of(True), count_of(None)
    (18014398509481984, 0, 0)
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 1000 else 0


# == worse ============================================================================================================
# Whether a claim is worse than in an older report: `--fail-on worse` fails if one is.
#
# A claim is worse if it passed and fails now, if its verdict is further from *proved*, if its scope is smaller, if its
# proof trusts more, or if it is gone. A claim that failed before and fails now is not worse, unless there is a new
# counterexample.
def find_worse(old: Claim | None, new: Claim | None) -> str:
    """Return the reason why a claim is worse in the newer report than in the older one; "" if it is not worse.

    `old`, `new`: the claim in the older and in the newer report; None if the report does not contain it.

    >>> proved, verified = ({"verdict": word, "as_expected": None, "cases": 9} for word in ("proved", "verified"))
    >>> find_worse(proved, verified), find_worse(verified, proved), find_worse(proved, None)
    ('verified is weaker than proved', '', 'gone')
    """
    if new is None:
        return "gone"
    verdict, ordered = Verdict(new["verdict"]), is_ordered(new)
    if old is None:
        return "" if ordered else "new, and it fails"
    before, was_ordered = Verdict(old["verdict"]), is_ordered(old)
    if was_ordered and not ordered:
        return "passed before and fails now"
    if ordered and not was_ordered:
        return ""
    if verdict.rank > before.rank:
        return f"{verdict.value} is weaker than {before.value}"
    if verdict is not before:
        return "a new counterexample" if verdict is Verdict.REFUTED and not ordered else ""
    return _find_less(old, new, verdict)


def _find_less(old: Claim, new: Claim, verdict: Verdict) -> str:
    """Return the reason why a claim is worse in the newer report although both verdicts are `verdict`, or "".

    A verified claim is worse if its scope changed and contains fewer cases. Every claim is worse if its proof trusts
    solvers for more obligations.
    """
    if verdict is Verdict.VERIFIED and old.get("scope") != new.get("scope"):
        cases, were = count_of(new.get("cases")), count_of(old.get("cases"))
        return f"{cases} cases; previously {were}" if cases < were else ""
    trusts, trusted = _count_trusted(new), _count_trusted(old)
    return f"its proof trusts solvers for {trusts} obligations; previously for {trusted}" if trusts > trusted else ""


def _count_trusted(claim: Claim) -> int:
    rests = claim.get("rests_on")
    trusted = rests.get("trusted") if isinstance(rests, dict) else None
    return len(trusted) if isinstance(trusted, list) else 0


# == changes ==========================================================================================================
# The differences between two reports, claim by claim, except times, places in files, hints and facts of the run.
#
# The verdict, the scope, the counterexample and the proof are compared in words, every other value by its key. So two
# reports without a difference are equal.
NOT_FINDINGS = frozenset({"id", "seconds", "file", "line", "hints", "cached"})
TOLD = ("verdict", "scope", "counterexample", "obligations", "routes")
NONE = "none"


@dataclass(frozen=True)
class ClaimChange:
    """A difference between the results for one claim in two reports.

    `what`: the key that differs, such as "verdict" or "scope", or "route" or "obligation" followed by its name.
    `old`, `new`: the values in the older and in the newer report, as text.
    """

    what: str
    old: str
    new: str


@dataclass(frozen=True)
class ChangedClaim:
    """A claim whose results in two reports differ, or that only one of the reports contains.

    `old`, `new`: the verdicts in the older and in the newer report; "" if the report does not contain the claim.
    `worse`: the reason why the claim is worse than before; "" if it is not worse.
    """

    id: str
    old: str
    new: str
    changes: tuple[ClaimChange, ...] = ()
    worse: str = ""


@dataclass(frozen=True)
class Comparison:
    """The result of comparing two reports.

    `claims`: the changed claims. `same`: the number of unchanged claims. `unknown`: the keys that occur in only one
    report; they are not compared.
    """

    claims: tuple[ChangedClaim, ...]
    same: int
    unknown: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether there is no difference."""
        return not self.claims

    @property
    def worse(self) -> tuple[ChangedClaim, ...]:
        """The claims that are worse in the newer report, or gone."""
        return tuple(claim for claim in self.claims if claim.worse)


def compare(old: Report, new: Report, renamed: Mapping[str, str] | None = None) -> Comparison:
    """Return the comparison of two reports.

    The changed claims are in the order of the newer report. Claims that only the older report contains come last.
    `renamed`: maps old names of routes to new names.
    """
    unknown = old.keys ^ new.keys if old.claims and new.claims else frozenset[str]()
    found = []
    for id in dict.fromkeys((*new.claims, *old.claims)):
        before, after = old.claims.get(id), new.claims.get(id)
        changes, worse = tuple[ClaimChange, ...](), find_worse(before, after)
        if before is not None and after is not None:
            changes = tuple(_compare(before, after, unknown, renamed or {}))
        if changes or before is None or after is None:
            found.append(ChangedClaim(id, _verdict(before), _verdict(after), changes, worse))
    total = len(old.claims.keys() | new.claims.keys())
    return Comparison(tuple(found), total - len(found), tuple(sorted(unknown - NOT_FINDINGS)))


def _verdict(claim: Claim | None) -> str:
    return "" if claim is None else str(claim["verdict"])


def _compare(old: Claim, new: Claim, unknown: frozenset[str], renamed: Mapping[str, str]) -> Iterator[ClaimChange]:
    keys = [key for key in dict.fromkeys((*TOLD, *old, *new)) if key not in unknown | NOT_FINDINGS]
    for key in keys:
        before, after = old.get(key), new.get(key)
        if key == "routes":
            yield from _compare_named(
                "route", _index_by_name(before, "encoder", renamed), _index_by_name(after, "encoder", {})
            )
        elif key == "obligations":
            yield from _compare_named(
                "obligation", _index_by_name(before, "name", {}), _index_by_name(after, "name", {})
            )
        elif not _equal(before, after):
            shown = tuple(say_case(x) if key == "counterexample" else say(x) for x in (before, after))
            if shown[0] == shown[1]:  # equal in short form: a value inside differs
                yield from _compare_values(key, before, after)
            else:
                yield ClaimChange(key, *shown)


def _compare_named(what: str, old: dict[str, Json], new: dict[str, Json]) -> Iterator[ClaimChange]:
    """Yield a change for each name whose value differs, or that only one report contains.

    `what`: "route" or "obligation". `old`, `new`: the results of `_index_by_name` for the two reports.
    """
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        if before is None or after is None or not _equal(before, after):
            one, other = (NONE if part is None else _say_part(part) for part in (before, after))
            if one == other:
                yield from _compare_values(f"{what} {name}", before, after)
            else:
                yield ClaimChange(f"{what} {name}", one, other)


def _index_by_name(parts: Json, key: str, renamed: Mapping[str, str]) -> dict[str, Json]:
    """Return the routes or obligations of a claim by name, without the name and without the time in seconds.

    `parts`: the list in the report. `key`: the key whose value is the name. `renamed`: maps old names to new names.
    If a name occurs several times, the later ones are numbered: "folds (2)".
    """
    found: dict[str, Json] = {}
    for part in parts if isinstance(parts, list) else ():
        if not isinstance(part, dict):
            continue
        name = str(part.get(key))
        name, number = renamed.get(name, name), 1
        unique = name
        while unique in found:
            number += 1
            unique = f"{name} ({number})"
        found[unique] = {k: v for k, v in part.items() if k not in ("seconds", key)}
    return found


def _say_part(part: Json) -> str:
    """Return the result of an obligation or the answer of a route, then the detail if there is one."""
    if not isinstance(part, dict):
        return say(part)
    result = str(part.get("result", part.get("answer", "")))
    return f"{result}, {part['detail']}" if part.get("detail") else result


def _compare_values(key: str, old: Json, new: Json) -> Iterator[ClaimChange]:
    """Yield the differences inside two values of `key`. Each has a dotted path such as "closed_form.period"."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*old, *new)):
            if name != "seconds" and not _equal(old.get(name), new.get(name)):
                yield from _compare_values(f"{key}.{name}", old.get(name), new.get(name))
    else:
        yield ClaimChange(key, say(old), say(new))


def _equal(old: Json, new: Json) -> bool:
    """Return whether two JSON values are equal. The keys `seconds` are ignored. 1, 1.0 and true are different."""
    if isinstance(old, dict) and isinstance(new, dict):
        names = (old.keys() | new.keys()) - {"seconds"}
        return all(name in old and name in new and _equal(old[name], new[name]) for name in names)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(_equal(x, y) for x, y in zip(old, new, strict=True))
    return type(old) is type(new) and old == new


def say_case(found: Json) -> str:
    """Return a counterexample of a report as text: the value of each variable.

    >>> say_case({"variables": {"k": 3, "s": [2, 2, 4]}}), say_case(None)
    ('k = 3, s = (2, 2, 4)', 'none')
    """
    variables = found.get("variables") if isinstance(found, dict) else None
    if not isinstance(variables, dict):
        return say(found)
    return ", ".join(f"{name} = {_say_value(value)}" for name, value in variables.items()) or "without variables"


def _say_value(value: Json) -> str:
    return value_text(_tuples(value), "()") if isinstance(value, list) else say(value)


def _tuples(value: Json) -> tuple[int | str, ...]:
    return tuple(x if isinstance(x, int | str) else say(x) for x in value) if isinstance(value, list) else ()


def say(value: Json) -> str:
    """Return a value of a report in words, for example a scope as `k 1..6, s.heaps 0..4`.

    >>> say({"k": "1..6"}), say(None), say(["a", "b"]), say(True)
    ('k 1..6', 'none', 'a, b', 'true')
    """
    if value is None or value in ("", [], {}):
        return NONE
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return ", ".join(f"{name} {say(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return ", ".join(say(inner) for inner in value)
    return str(value)


# == telling ==========================================================================================================
# A comparison as text for a terminal, and as Markdown for a comment in a review.
LENGTH = 200  # characters of a value
ROWS = 100  # rows of the table, so that it fits into a comment


def to_text(found: Comparison) -> str:
    r"""Return the changes claim by claim, then the numbers of changed and unchanged claims.

    >>> to_text(Comparison((ChangedClaim("a", "proved", ""),), 3, ()))
    'a: gone, was proved\n\n1 claim gone; 3 claims unchanged\n'
    """
    lines = [line for claim in found.claims for line in _tell(claim)]
    return "\n".join([*lines, "", *_conclusion(found)] if lines else list(_conclusion(found))) + "\n"


def _tell(claim: ChangedClaim) -> Iterator[str]:
    id = _line(claim.id)
    if not claim.old:
        yield f"{id}: new, {claim.new}"
    elif not claim.new:
        yield f"{id}: gone, was {claim.old}"
    else:
        yield id
        yield from (f"  {_line(c.what)}: {_line(c.old)} -> {_line(c.new)}" for c in claim.changes)


def to_brief(found: Comparison) -> str:
    r"""Return a line for each claim that is worse, new, gone or has another verdict, then the numbers of claims.

    >>> to_brief(Comparison((ChangedClaim("a", "proved", "verified", (), "verified is weaker than proved"),), 3, ()))
    'a: proved -> verified; worse: verified is weaker than proved\n1 claim with another verdict; 3 claims unchanged\n'
    """
    told = [claim for claim in found.claims if claim.worse or claim.old != claim.new]
    return "\n".join([*map(_tell_briefly, told), *_conclusion(found)]) + "\n"


def _tell_briefly(claim: ChangedClaim) -> str:
    id = _line(claim.id)
    if not claim.new:
        return f"{id}: gone, was {claim.old}"
    said = (
        f"new, {claim.new}" if not claim.old else claim.new if claim.old == claim.new else f"{claim.old} -> {claim.new}"
    )
    return f"{id}: {said}" + (f"; worse: {_line(claim.worse)}" if claim.worse else "")


def to_table(found: Comparison) -> str:
    """Return the comparison as Markdown: the numbers of claims, then a table of the changes.

    The rows of claims with changed verdicts come first. The table has at most ROWS rows.
    """
    parts = [f"**{line}**" if i == 0 else line for i, line in enumerate(map(escape, _conclusion(found)))]
    ordered = sorted(found.claims, key=lambda c: c.old == c.new)
    rows = [row for claim in ordered for row in _rows(claim)]
    if rows:
        parts.append(table(["claim", "what", "old", "new"], rows[:ROWS]))
    if len(rows) > ROWS:
        parts.append(f"{count(len(rows) - ROWS, 'more line')}; `checks diff` shows all lines.")
    return "\n\n".join(parts) + "\n"


def _rows(claim: ChangedClaim) -> Iterator[list[str]]:
    id = code_cell(claim.id)
    if not (claim.old and claim.new):
        yield [id, "gone" if claim.old else "new", claim.old, claim.new]
    for change in claim.changes:
        new = escape(clip(change.new, LENGTH))
        worse = change.what == "verdict" and Verdict(claim.new).rank > Verdict(claim.old).rank
        yield [id, escape(clip(change.what, LENGTH)), escape(clip(change.old, LENGTH)), f"**{new}**" if worse else new]


def _conclusion(found: Comparison) -> Iterator[str]:
    both = [c for c in found.claims if c.old and c.new]
    numbers = [
        ("with another verdict", sum(c.old != c.new for c in both)),
        ("changed otherwise", sum(c.old == c.new for c in both)),
        ("new", sum(not c.old for c in found.claims)),
        ("gone", sum(not c.new for c in found.claims)),
    ]
    told = [f"{count(number, 'claim')} {words}" for words, number in numbers if number]
    same = f"{count(found.same, 'claim')} unchanged"
    yield "; ".join([", ".join(told), same] if told else [same])
    if found.unknown:
        yield f"not compared, because only one of the reports has these keys: {', '.join(found.unknown)}"


def _line(text: str) -> str:
    return clip(" ".join(escape_invisible(text).split()), LENGTH)
