"""Whether two runs said the same: two report.json compared outside the times and the version of the tool.

    python -m benchmarks.compare_reports OLD NEW [--renamed heaps=grundy ...]

The exit code is 0 if they agree, 1 if they differ, 2 if a file is no report.  The first differences are
printed, each with the claim, the key and both values.  `--renamed`: a route of OLD has another name in NEW.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
SHOWN = 10  # differences
MISSING = "(missing)"


class NotAReport(Exception):
    """The file holds no report.json."""


@dataclass(frozen=True)
class Difference:
    """Where two reports differ. `claim`: its id, "" above the claims; `key`: the way there, "routes[1].cases"."""

    claim: str
    key: str
    old: Json
    new: Json

    def __str__(self) -> str:
        where = f"{self.claim}: {self.key}" if self.claim else self.key
        return f"{where}: {_shown(self.old)} -> {_shown(self.new)}"


def differences(old: Json, new: Json, renamed: Mapping[str, str]) -> Iterator[Difference]:
    """The differences of two reports, those above the claims first. Raises NotAReport.

    `renamed`: old name of a route -> new name.

    >>> one = {"claims": [{"id": "a", "seconds": 1.0, "routes": [{"encoder": "heaps", "cases": 3}]}]}
    >>> two = {"claims": [{"id": "a", "seconds": 2.0, "routes": [{"encoder": "grundy", "cases": 4}]}]}
    >>> [str(x) for x in differences(one, two, {"heaps": "grundy"})]
    ['a: routes[0].cases: 3 -> 4']
    """
    first, first_claims = _parts(old)
    second, second_claims = _parts(new)
    yield from _compared("", "", first, second, renamed)
    if list(first_claims) != list(second_claims) and set(first_claims) == set(second_claims):
        yield Difference("", "order of the claims", list(first_claims), list(second_claims))
    for id in dict.fromkeys((*first_claims, *second_claims)):
        yield from _compared(id, "", first_claims.get(id, MISSING), second_claims.get(id, MISSING), renamed)


def _parts(report: Json) -> tuple[dict[str, Json], dict[str, Json]]:
    """A report without its claims, and its claims by id. Raises NotAReport."""
    claims = report.get("claims") if isinstance(report, dict) else None
    if not isinstance(report, dict) or not isinstance(claims, list):
        raise NotAReport("not a report: expected an object with a list of claims")
    by_id: dict[str, Json] = {}
    for claim in claims:
        id = claim.get("id") if isinstance(claim, dict) else None
        if not isinstance(id, str) or id in by_id:
            raise NotAReport(f"not a report: a claim with the id {id!r}; expected claims with different ids")
        by_id[id] = claim
    rest = {key: value for key, value in report.items() if key != "claims"}
    if isinstance(tool := rest.get("tool"), dict):
        rest["tool"] = {key: value for key, value in tool.items() if key != "version"}
    return rest, by_id


def _compared(claim: str, key: str, old: Json, new: Json, renamed: Mapping[str, str]) -> Iterator[Difference]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*old, *new)):
            if name == "seconds":
                continue
            before = old.get(name, MISSING)
            if name == "encoder" and isinstance(before, str):
                before = renamed.get(before, before)
            yield from _compared(claim, f"{key}.{name}" if key else name, before, new.get(name, MISSING), renamed)
        if set(old) == set(new) and list(old) != list(new):
            yield Difference(claim, f"order of the keys of {key or 'the claim'}", list(old), list(new))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (x, y) in enumerate(zip(old, new, strict=True)):
            yield from _compared(claim, f"{key}[{i}]", x, y, renamed)
    elif type(old) is not type(new) or old != new:
        yield Difference(claim, key or "the claim", old, new)


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + "..."


def _renaming(text: str) -> tuple[str, str]:
    old, sign, new = text.partition("=")
    if not (old and sign and new):
        raise argparse.ArgumentTypeError(f"{text!r} renames nothing; expected OLD=NEW")
    return old, new


def main(words: Sequence[str] | None = None) -> int:
    """The command; its exit code. `words`: the arguments, None for those of the process."""
    parser = argparse.ArgumentParser(description="Compare two report.json outside times and version.")
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--renamed", type=_renaming, action="append", default=[], metavar="OLD=NEW")
    asked = parser.parse_args(words)
    try:
        old, new = (json.loads(path.read_text("utf-8")) for path in (asked.old, asked.new))
        found = list(islice(differences(old, new, dict(asked.renamed)), SHOWN + 1))
    except (NotAReport, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    for difference in found[:SHOWN]:
        print(difference)
    if len(found) > SHOWN:
        print("and more")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
