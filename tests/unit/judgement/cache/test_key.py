"""The key contains everything on which a result depends: if one part changes, the result is not found."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import get_type_hints

import pytest
from small import PROGRAM, open_results, write_claim

from checks.cache import keys as identity
from checks.cache import results as caching
from checks.cache.keys import Program, ResultKey, TrailKey, digest_source, list_versions
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.model import SettledLemma, SettledLemmas
from checks.results.verdicts import Verdict
from claims.language.files.library import Entry
from encoders.solvers.effort import Effort

LEMMA = SettledLemma("a/lemma", "digest", Verdict.PROVED)


@dataclass
class Asked:
    """A question to the cache, with its origin."""

    entry: Entry
    options: Options
    settled: SettledLemmas
    program: Program
    patch: pytest.MonkeyPatch


def leaves(kind: type, where: str = "") -> list[str]:
    """Return the fields of a key, with the fields of its parts by path: program.source."""
    hints = get_type_hints(kind)
    return [
        name
        for f in fields(kind)
        for name in (leaves(hints[f.name], f"{where}{f.name}.") if is_dataclass(hints[f.name]) else [where + f.name])
    ]


def options(**changes: object) -> Callable[[Asked], None]:
    def change(asked: Asked) -> None:
        asked.options = replace(asked.options, **changes)

    return change


def effort(**changes: object) -> Callable[[Asked], None]:
    return lambda asked: options(effort=replace(asked.options.effort, **changes))(asked)


def program(**changes: object) -> Callable[[Asked], None]:
    def change(asked: Asked) -> None:
        asked.program = replace(asked.program, **changes)

    return change


def rename(asked: Asked) -> None:
    asked.entry = replace(asked.entry, id="another")


def move(asked: Asked) -> None:
    asked.entry = replace(asked.entry, path=asked.entry.path.rename(asked.entry.path.with_name("moved.toml")))


def lemmas(asked: Asked) -> None:
    asked.settled = {Path("lemma.toml"): LEMMA}


def edit(asked: Asked) -> None:
    file = asked.entry.path.with_name("half-nim.toml")
    file.write_text(file.read_text().replace("1..h // 2", "1..h"))


CHANGES: dict[str, Callable[[Asked], None]] = {
    "format": lambda asked: asked.patch.setattr(caching, "FORMAT", 0),
    "program.source": program(source="edited"),
    "program.versions": program(versions=("Python", "numpy 3")),
    "question.id": rename,
    "question.file": move,
    "question.library": lambda asked: asked.patch.setattr(caching, "LIBRARY", Path("elsewhere")),
    "question.profile": options(profile="deep"),
    "question.overrides": options(overrides=(("n", "1..30"),)),
    "question.budget": options(budget=None),
    "question.routes": options(routes=("exhaustive",)),
    "question.mutants": options(mutants=True),
    "question.effort.steps": effort(steps=1000),
    "question.effort.seeds": effort(seeds=(1,)),
    "question.effort.second": effort(second=True),
    "question.lemmas": lemmas,
    "seen": edit,
}


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(write_claim(tmp_path / "claims"), Options(), {}, PROGRAM, monkeypatch)


def find(asked: Asked, folder: Path) -> bool:
    return open_results(folder, asked.program).find(asked.entry, asked.options, asked.settled) is not None


def test_each_field_of_the_key_has_its_test() -> None:
    assert list(CHANGES) == leaves(ResultKey)
    assert set(leaves(Effort, "question.effort.")) <= set(CHANGES)


def test_what_is_known_at_first_stands_in_the_key_too() -> None:
    assert {name.rpartition(".")[2] for name in leaves(TrailKey)} <= {x.rpartition(".")[2] for x in leaves(ResultKey)}


@pytest.mark.parametrize("field", CHANGES)
def test_another_value_alone_is_a_miss(asked: Asked, field: str, tmp_path: Path) -> None:
    result = settle_entry(asked.entry, asked.options, asked.settled)
    open_results(tmp_path / "cache").keep(asked.entry, asked.options, asked.settled, result)
    assert find(asked, tmp_path / "cache")
    before = replace(asked)
    CHANGES[field](asked)
    assert (asked != before) or field in ("format", "question.library", "seen")
    assert not find(asked, tmp_path / "cache")


LEMMAS = {
    "id": "a/other",
    "digest": "of another text",
    "verdict": Verdict.VERIFIED,
    "by_proof": True,
    "scope": (("x", None),),
    "below": 1 << 62,
    "trusted": ("Z3",),
    "needed": False,
}


@pytest.mark.parametrize("field", [f.name for f in fields(SettledLemma)])
def test_whatever_is_found_of_a_lemma_counts(asked: Asked, field: str, tmp_path: Path) -> None:
    settled = {Path("lemma.toml"): LEMMA}
    result = settle_entry(asked.entry, asked.options)
    open_results(tmp_path / "cache").keep(asked.entry, asked.options, settled, result)
    asked.settled = settled
    assert find(asked, tmp_path / "cache")
    asked.settled = {Path("lemma.toml"): replace(LEMMA, **{field: LEMMAS[field]})}
    assert not find(asked, tmp_path / "cache")
    asked.settled = {Path("other.toml"): LEMMA}
    assert not find(asked, tmp_path / "cache")


def test_overrides_of_other_variables_do_not_count(asked: Asked, tmp_path: Path) -> None:
    result = settle_entry(asked.entry, asked.options)
    open_results(tmp_path / "cache").keep(asked.entry, asked.options, {}, result)
    asked.options = replace(asked.options, overrides=(("k", "1..3"),))
    assert find(asked, tmp_path / "cache")


# -- the program ------------------------------------------------------------------------------------------------------
@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    (folder / "inside").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "inside" / "rules.py").write_text("x = 1")
    (folder / "kernel.wasm").write_bytes(b"\0asm")
    return folder


@pytest.mark.parametrize(
    "change",
    [
        lambda p: (p / "inside" / "rules.py").write_text("x = 2"),
        lambda p: (p / "inside" / "rules.py").rename(p / "inside" / "rule.py"),
        lambda p: (p / "inside" / "rules.py").rename(p / "rules.py"),
        lambda p: (p / "kernel.wasm").write_bytes(b"\0asn"),
        lambda p: (p / "new.py").write_text(""),
        lambda p: (p / "__init__.py").unlink(),
        lambda p: ((p / "__init__.py").write_text("x = 1"), (p / "inside" / "rules.py").write_text("")),
    ],
    ids=["edited", "renamed", "moved", "kernel", "added", "removed", "exchanged"],
)
def test_any_change_of_the_source_is_another_program(package: Path, change: Callable[[Path], object]) -> None:
    before = digest_source((package,))
    assert digest_source((package,)) == before
    change(package)
    assert digest_source((package,)) != before


def test_what_counts_where_it_is_read_is_not_source(package: Path) -> None:
    before = digest_source((package,))
    (package / "claim.toml").write_text("")
    (package / "inside" / "rules.cpython-311.pyc").write_bytes(b"")
    assert digest_source((package,)) == before


def test_all_packages_that_settle_claims_are_among_the_source() -> None:
    root = Path(identity.__file__).parents[2]
    assert {path.parent.name for path in root.glob("*/py.typed")} - {"reports"} == set(identity.PACKAGES)


def test_another_version_of_any_package_is_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    before = list_versions()
    for name in identity.DISTRIBUTIONS:
        with monkeypatch.context() as patch:
            real = identity.find_version
            patch.setattr(identity, "find_version", lambda x, name=name, real=real: "0" if x == name else real(x))
            assert list_versions() != before, name
    with monkeypatch.context() as patch:
        patch.setattr(identity.sys, "version", "3.99.0 (default, Jan 1 2030, 00:00:00) [GCC 1.0]")
        assert list_versions() != before


APART = {"click", "jinja2", "rich", "platformdirs"}  # used for input and output only


def test_every_package_that_we_need_counts_or_is_known_not_to() -> None:
    project = tomllib.loads((Path(identity.__file__).parents[2] / "pyproject.toml").read_text())["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["cvc5"]]
    names = {re.split(r"[><=~! ]", x)[0] for x in needed}
    assert names - APART <= set(identity.DISTRIBUTIONS)
