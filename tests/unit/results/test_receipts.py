"""Receipts: genuine ones are replayed, and edited ones are not trusted."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from forgeries import NOTICED, REAL, UNCONFIRMED, Edit, forged, put, real

from checks.command.replay import BadReceipt, Disagreement, replay, rerun
from checks.execution.settle import settle_entry
from checks.judgement.conclusion import decide_verdict, lies_below
from checks.judgement.scopes import Options
from checks.receipts.receipt import make_receipt, make_receipt_schema, seal, store
from checks.results.model import Evidence
from checks.results.verdicts import Verdict
from claims.language.errors import quote
from claims.language.files.claim import Judgement
from claims.language.files.library import select
from encoders.logic.answer import Decision, ObligationStatus

SCHEMA: Any = make_receipt_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
CONFIRMED = {"hypotheses", "refuted", "computation", "exists", "finite", "small"}


def untouched(data: object) -> None:
    """Change nothing."""


def test_the_schema_that_is_shipped_is_made_from_the_record(golden: Callable[[str, str], None]) -> None:
    VALIDATOR.check_schema(SCHEMA)
    golden("../../checks/receipts/receipt.schema.json", json.dumps(SCHEMA, indent=2, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("kind", REAL)
def test_a_receipt_has_the_form_of_its_schema(kind: str) -> None:
    VALIDATOR.validate(real(kind))
    assert list(real(kind)) == list(SCHEMA["properties"])
    assert [key for key in SCHEMA["properties"] if key not in ("lemmas", "board")] == SCHEMA["required"]


@pytest.mark.parametrize("kind", REAL)
def test_what_is_not_edited_is_replayed(kind: str, tmp_path: Path) -> None:
    found = replay(forged(kind, untouched, tmp_path / "x.json", False))
    assert found.confirmed is (kind in CONFIRMED)
    assert ("the receipt says" in found.lines[0]) is not found.confirmed
    assert found.settled is (real(kind)["verdict"] not in ("inconclusive", "inconsistent"))


def test_a_replay_of_a_proof_says_once_what_it_checked_and_what_not(tmp_path: Path) -> None:
    head, *lines = replay(forged("folds", untouched, tmp_path / "x.json", False)).lines
    assert head.endswith(": the receipt says proved; nothing contradicts it")
    checked, left = lines.index("  checked again:"), lines.index("  not checked again:")
    assert checked == 0 and [line for line in lines if not line.startswith("    ")][:-1] == [lines[0], lines[left]]
    assert lines[left + 1 : -1] == [
        "    the 2 obligations of the proof",
        "    the 3876 cases of the scope",
    ]
    first, second = lines[-1].split(", and ")
    assert first == "  `checks verify` also checks the certificates of the proof"
    assert second == "`checks verify --rerun` settles the claim again"
    assert not any("proved" in line for line in lines)


@pytest.mark.parametrize(("what", "kind", "edit"), NOTICED)
@pytest.mark.parametrize("sealed", [False, True], ids=["old seal", "new seal"])
@pytest.mark.slow
def test_an_edit_is_noticed(what: str, kind: str, edit: Edit, sealed: bool, tmp_path: Path) -> None:
    with pytest.raises((BadReceipt, Disagreement)):
        replay(forged(kind, edit, tmp_path / "x.json", sealed))


@pytest.mark.slow
def test_fifty_edits_and_more_are_noticed() -> None:
    assert len(NOTICED) >= 50
    for what, kind, edit in (*NOTICED, *UNCONFIRMED):
        data = real(kind)
        edit(data)
        assert json.dumps(data) != json.dumps(real(kind)), what


@pytest.mark.parametrize(("what", "kind", "edit"), [pytest.param(*row, id=row[0]) for row in UNCONFIRMED])
def test_what_only_a_run_finds_out_is_not_confirmed_by_a_replay(
    what: str, kind: str, edit: Edit, tmp_path: Path
) -> None:
    with pytest.raises(Disagreement, match="seal"):
        replay(forged(kind, edit, tmp_path / "x.json", False))
    assert not replay(forged(kind, edit, tmp_path / "x.json", True)).confirmed
    with pytest.raises(Disagreement, match="the result of settling the claim again"):
        rerun(tmp_path / "x.json", 60.0)


@pytest.mark.parametrize("kind", ["folds", "verified", "exists"])
def test_settling_again_confirms_a_receipt(kind: str, tmp_path: Path) -> None:
    found = rerun(forged(kind, untouched, tmp_path / "x.json", False), 60.0)
    assert found.confirmed
    assert "confirmed: settled again" in found.lines[0]


def list_leaves(value: Any, *keys: str | int) -> Iterator[tuple[str | int, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [leaf for key, part in parts for leaf in list_leaves(part, *keys, key)]
    yield from found or [keys]


def change(value: Any) -> Any:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}x"
        case None:
            return "5"
        case list():
            return [*value, "bounded"]
        case _:
            return {"k": "1..9"}


@pytest.mark.parametrize("kind", ["small", "folds", pytest.param("lemmas", marks=pytest.mark.slow)])
@pytest.mark.slow
def test_settling_again_confirms_no_value_that_it_has_not_compared(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each value of a receipt is changed in turn, with a new seal: the change is detected or left unconfirmed."""
    from checks.command import replay as replaying

    results: dict[Options, Any] = {}

    def execute(entries: Any, options: Options, *rest: Any) -> Any:
        if options not in results:
            results[options] = settled(entries, options, *rest)
        return results[options]

    settled = replaying.execute
    monkeypatch.setattr(replaying, "execute", execute)
    path, passed = tmp_path / "x.json", set()
    for keys in list_leaves(real(kind)):
        value = real(kind)
        for key in keys:
            value = value[key]
        if keys[0] in ("seal", "board"):
            continue
        try:
            found = rerun(forged(kind, put(change(value), *keys), path, True), 60.0)
        except (BadReceipt, Disagreement):
            continue
        told = json.dumps({keys[-1]: change(value)})[1:-1] if keys[0] == "asked" else quote(change(value))
        assert found.lines[1:2] == ("  not checked again:",)
        assert found.lines[2].startswith("    the version and the options of the earlier run: nim-checks '")
        assert told in "".join(found.lines[1:]), keys
        passed.add(".".join(map(str, keys)))
    assert {"tool.version", "asked.steps"} <= passed <= UNTOLD_VALUES


UNTOLD_VALUES = {f"asked.{x}" for x in ("profile", "overrides", "routes", "steps", "second")} | {"tool.version"}


@pytest.mark.slow
def test_a_file_that_a_run_does_not_read_is_not_confirmed(tmp_path: Path) -> None:
    file = "elsewhere/nim/table-n-n-misere.toml"
    found = rerun(forged("small", put(file, "file"), tmp_path / "x.json", True), 60.0)
    assert found.lines[3].startswith(f"    the name of its file, '{file}': the same text is now in '")
    assert len(rerun(forged("small", untouched, tmp_path / "x.json", True), 60.0).lines) == 3


def test_a_counterexample_that_is_not_called_the_smallest_need_not_be(tmp_path: Path) -> None:
    """If the scope was too large, only its first cases were searched, and nothing is known about the others."""
    (tmp_path / "two.toml").write_text(
        'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "conjecture"\n'
        '[forall]\nx = "1.."\ny = "1.."\n[claim]\nthen = "not (x == 3 and y == 3) and not (x == 2 and y == 9)"\n'
        '[scope]\nx = "1..9"\ny = "1..9"\n',
        "utf-8",
    )
    (entry,) = select((str(tmp_path / "two.toml"),))
    data: Any = make_receipt(settle_entry(entry, Options()), entry, Options(), "0")
    assert "smallest" not in data["replay"][0] and data["replay"][0]["variables"] == {"x": 2, "y": 9}
    data["replay"][0]["variables"] = {"x": 3, "y": 3}
    path = tmp_path / "x.json"
    for smallest in ({}, {"smallest": False}):
        data["replay"][0] = {key: x for key, x in data["replay"][0].items() if key != "smallest"} | smallest
        path.write_text(json.dumps(data | {"seal": seal(data)}), "utf-8")
        VALIDATOR.validate(data)
        if smallest:
            assert replay(path).confirmed
        else:
            with pytest.raises(Disagreement, match="expected the smallest"):
                replay(path)


def test_a_proof_of_a_small_scope_is_not_confirmed_by_its_cases(tmp_path: Path) -> None:
    path, small = tmp_path / "x.json", (("s.heaps", "0..2"), ("s.size", "1..3"))
    (entry,), options = select(("nim/bouton",)), Options(overrides=small)
    path.write_text(json.dumps(make_receipt(settle_entry(entry, options), entry, options, "0")), "utf-8")
    found = replay(path)
    assert any("all 10 cases of the scope" in line for line in found.lines)
    assert not found.confirmed


def test_a_run_that_comes_to_no_end_confirms_nothing(tmp_path: Path) -> None:
    found = rerun(forged("verified", untouched, tmp_path / "x.json", False), 0.0)
    assert not found.confirmed and not found.settled
    assert "not confirmed" in found.lines[0]


def test_mutants_and_closed_forms_are_not_confirmed_by_a_replay(tmp_path: Path) -> None:
    mutant = {"kind": "number", "description": "then: 3  (was 2)", "outcome": "killed", "detail": ""}
    found = replay(forged("refuted", put([mutant], "mutants"), tmp_path / "x.json", True))
    assert "    the mutants" in found.lines[found.lines.index("  not checked again:") :]


LARGE = """
from dataclasses import replace
from pathlib import Path
from typing import Any
import resource, sys
from checks.command.replay import BadReceipt, Disagreement, replay
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20), used + (200 << 20)))
for path in sys.argv[1:]:
    try:
        found = replay(Path(path))
    except (BadReceipt, Disagreement) as error:
        print("refused", " ".join(str(error).split()))
    else:
        print("confirmed" if found.confirmed else "not confirmed")
"""
LARGE_POSITIONS = [
    *(([5] * 400, "0..4", "1..10"), ([5] * 400, "0..400", "1..10"), ([5] * 60, "0..60", "1..9")),
    *(([10**15], "0..4", f"1..{10**16}"), ([19_000], "0..4", "1..19000"), ([3_000] * 4, "0..4", "1..3000")),
]


def a_wide_scope(data: dict[str, object], *, heaps: str, size: str) -> None:
    put({"k": "1..9", "l": "2..10", "s.heaps": heaps, "s.size": size}, "scope")(data)
    put(dict(data["scope"]), "routes", 0, "scope")(data)  # type: ignore[call-overload]
    put({"s.heaps": heaps, "s.size": size}, "asked", "overrides")(data)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no way to limit memory")
@pytest.mark.slow
def test_a_large_position_costs_little(tmp_path: Path) -> None:
    """One process with 200 MB replays all of them."""
    paths = []
    for number, (position, heaps, size) in enumerate(LARGE_POSITIONS):

        def edit(data: dict[str, object], position: list[int] = position, heaps: str = heaps, size: str = size) -> None:
            put(position, "replay", 0, "variables", "s")(data)
            a_wide_scope(data, heaps=heaps, size=size)

        paths.append(str(forged("refuted", edit, tmp_path / f"{number}.json", True)))
    command = [sys.executable, "-c", LARGE, *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    found = done.stdout.splitlines()
    assert len(found) == len(paths), done.stderr
    assert all(line.startswith(("refused", "not confirmed")) for line in found)


def test_a_seal_covers_every_value_and_the_order_of_the_keys() -> None:
    data = real("folds")
    for key in data:
        if key != "seal":
            assert seal({**data, key: "x"}) != data["seal"], key
    assert seal(dict(reversed(data.items()))) != data["seal"]


@pytest.mark.parametrize(
    ("case", "below", "expected"),
    [
        ({"k": 3, "s": (1, 5)}, 6, True),
        ({"k": 3, "s": [1, 6]}, 6, False),
        ({"k": 6}, 6, False),
        ({"p": "P1", "k": "9007199254740993"}, 2**53, False),
        ({}, 1, True),
        (None, 6, False),
        (None, None, True),
        ({"k": 9}, None, True),
    ],
)
def test_a_proof_reaches_a_case_that_lies_below_its_bound(case: object, below: int | None, expected: bool) -> None:
    assert lies_below(case, below) is expected  # type: ignore[arg-type]


HOLDS = Evidence("forall", False, (("exhaustive", Decision.HOLDS),), 9, 4, 3)
TWO = (("exhaustive", "holds"), ("folds", "holds"))


@pytest.mark.parametrize(("changes", "verdict"),
[
        ({}, "verified"),
        ({"complete": True}, "proved"),
        ({"complete": True, "confirmed": 0}, "verified"),
        ({"met": 0}, "vacuous"),
        ({"met": 0, "complete": True}, "vacuous"),
        ({"differs": True}, "inconsistent"),
        ({"answers": (("exhaustive", "unknown"),)}, "inconclusive"),
        ({"answers": (("exhaustive", "unsupported"),)}, "error"),
        ({"answers": (("exhaustive", "contradiction"),)}, "inconsistent"),
        ({"answers": (("exhaustive", "fails"),)}, "inconsistent"),
        ({"answers": (("exhaustive", "fails"),), "replays": (("fails", "fails"),)}, "refuted"),
        ({"answers": (("exhaustive", "fails"),), "replays": (("fails", "holds"),)}, "inconsistent"),
        ({"answers": (("exhaustive", "fails"),), "replays": (("fails", "too large"),)}, "inconclusive"),
        ({"answers": (("exhaustive", "unknown"),), "replays": (("ill-defined", "ill-defined"),)}, "error"),
        ({"answers": TWO}, "inconsistent"),
        ({"answers": TWO, "obligations": ("proved", "proved")}, "proved"),
        ({"answers": TWO, "obligations": ("proved", "proved"), "reached": False}, "inconclusive"),
        ({"answers": TWO, "obligations": ("proved", "unknown")}, "inconsistent"),
        ({"answers": TWO, "obligations": ("proved",), "met": 0}, "vacuous"),
        ({"answers": (("exhaustive", "holds"), ("folds", "unknown")), "obligations": ("failed",)}, "inconclusive"),
        ({"answers": (("exhaustive", "holds"), ("folds", "unsupported"))}, "inconclusive"),
        ({"answers": (("exhaustive", "holds"), ("folds", "contradiction"))}, "inconsistent"),
        ({"answers": (("exhaustive", "holds"), ("bounded", "fails"))}, "inconsistent"),
        ({"answers": (("exhaustive", "holds"), ("bounded", "holds"))}, "verified"),
        ({"answers": (("exhaustive", "fails"), ("folds", "holds")), "replays": (("fails", "fails"),),
          "obligations": ("proved",)}, "inconsistent"),
        ({"quantifier": "exists"}, "inconsistent"),
        ({"quantifier": "exists", "replays": (("holds", "holds"),)}, "proved"),
        ({"quantifier": "exists", "replays": (("holds", "fails"),)}, "inconsistent"),
        ({"quantifier": "exists", "answers": (("exhaustive", "fails"),)}, "inconclusive"),
        ({"quantifier": "exists", "answers": (("exhaustive", "fails"),), "complete": True}, "refuted"),
    ],
)  # fmt: skip
def test_what_verdict_follows_from_what_evidence(changes: dict[str, Any], verdict: str) -> None:
    assert decide_verdict(replace(HOLDS, **typed(**changes))) is Verdict(verdict)


def typed(answers: Any = None, obligations: Any = None, replays: Any = None, **others: Any) -> dict[str, Any]:
    """Return parts of evidence, with their words as members of the enums."""
    if answers is not None:
        others["answers"] = tuple((route, Decision(answer)) for route, answer in answers)
    if obligations is not None:
        others["obligations"] = tuple(map(ObligationStatus, obligations))
    if replays is not None:
        others["replays"] = tuple((Judgement(said), Judgement(found)) for said, found in replays)
    return others


def test_a_small_scope_without_a_witness_is_searched_again(tmp_path: Path) -> None:
    claim = tmp_path / "some.toml"
    claim.write_text(
        'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "conjecture"\n'
        '[exists]\nn = { in = [1, 2, 3] }\n[claim]\nthen = "n == 2"\n',
        "utf-8",
    )
    (entry,) = select((str(claim),))
    data = make_receipt(settle_entry(entry, Options()), entry, Options(), "0")
    assert data["verdict"] == "proved"
    data |= {"verdict": "refuted", "replay": []}
    data["routes"][0]["answer"] = "fails"
    data["referee"] |= {"replays": [], "rechecked": 0}
    data["cases"] = data["routes"][0]["cases"] = data["cases_with_hypotheses"] = 3
    path = tmp_path / "x.json"
    path.write_text(json.dumps(data | {"seal": seal(data)}), "utf-8")
    with pytest.raises(Disagreement, match="'fails', but the referee finds 'holds'"):
        replay(path)


def test_a_file_that_says_it_already_is_left_and_any_other_replaced(tmp_path: Path) -> None:
    path, other = tmp_path / "a" / "b.json", tmp_path / "other"
    store(path, "é\n")
    first = path.stat()
    store(path, "é\n")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (first.st_ino, first.st_mtime_ns)
    for content in (b"", b"\xc3\xa9", b"\xc3\xa8\n", b"\xc3\xa9\n\n"):
        path.write_bytes(content)
        store(path, "é\n")
        assert path.read_bytes() == "é\n".encode()
    other.write_text("é\n", "utf-8")
    for make in (path.symlink_to, path.hardlink_to):  # writing to the other file would change this one
        path.unlink()
        make(other)
        store(path, "é\n")
        assert not path.is_symlink() and not path.samefile(other) and path.read_bytes() == other.read_bytes()
    assert [x.name for x in path.parent.iterdir()] == ["b.json"]
