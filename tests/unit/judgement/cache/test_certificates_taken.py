"""Certificates without a search: from the cache, and from the library."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from commands import run_process
from small import list_certificates, run, write_claim

from checks.cache import certificates as proofs
from checks.cache import results as session
from checks.cache.certificates import (
    CertificateCache,
    CertificateSources,
    Partition,
    open_certificates,
    open_proofs,
)
from checks.cache.keys import Program, digest_source, list_versions
from checks.cache.store import find_place
from claims.language.files.library import LIBRARY
from encoders.logic.certificates import Certificate
from encoders.logic.natural_formulas import Problem
from encoders.solvers import automaton as engine
from encoders.solvers import discharge
from encoders.solvers.automaton import Refuted
from encoders.solvers.shipped import FILE, Shipped, read, write

PROOF = "nim/zero-sum-moves"  # two obligations and a lemma
NOTES = (LIBRARY / f"{PROOF}.toml").read_text("utf-8")  # the same, as a user's claim


def write_trivial(letters: int, atoms: int) -> bytes:
    """Return a certificate that claims a formula with up to this many letters is trivially false."""
    those = [["le", [[1, f"x{i}"]], 0] for i in range(atoms)]
    data = {"letters": letters, "atoms": those, "formula": False, "lemmas": [], "tree": 0}
    return json.dumps({"certificate": data, "used": []}).encode()


TRIVIAL = write_trivial(0, 0)


class Everything:
    """A store with an entry for every key, taken from some values in turn. `asked`: the number of requests."""

    def __init__(self, *values: bytes) -> None:
        self.asked, self._values = 0, values

    def get(self, key: bytes) -> bytes | None:
        self.asked += 1
        return self._values[self.asked % len(self._values)] if self._values else None

    def put(self, key: bytes, value: bytes) -> None:
        pass


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that clears the proofs of this process, to call between two runs."""

    def forget() -> None:
        monkeypatch.setattr(discharge, "_proved", {})

    forget()
    return forget


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Use a library without certificates. Return the file in which they would be."""
    monkeypatch.setattr(proofs, "FILE", tmp_path / "certificates.gz")
    return tmp_path / "certificates.gz"


def fail_to_build(*_: object) -> None:
    """Replace the last step of a search, which trivially false formulas do not reach."""
    raise AssertionError("it is searched again")


def open_drawer() -> CertificateCache:
    place = find_place()
    assert place is not None
    found = open_proofs(Partition(place, Program(digest_source(), list_versions())))
    assert found is not None
    return found


# -- from the cache ---------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("alone")
@pytest.mark.slow
def test_an_edited_claim_takes_its_certificates_from_the_cache(
    folder: Path, monkeypatch: pytest.MonkeyPatch, forget: Callable[[], None]
) -> None:
    """Nothing is searched: the certificates are loaded, verified, and byte for byte equal to a cold run."""
    first = run(folder, claim=PROOF)
    assert first.returncode == 0
    certificates = list_certificates(folder)
    assert certificates
    forget()
    monkeypatch.setattr(engine, "build_tree", fail_to_build)
    again = run(folder, "--budget", "61s", claim=PROOF)
    assert again.returncode == 0 and "[cached]" not in again.stdout
    assert certificates == list_certificates(folder)
    forget()
    assert "it is searched again" in run(folder, "--no-cache", claim=PROOF).stdout
    for word in ("--recheck", "--search-anew"):
        forget()
        assert "it is searched again" in run(folder, word, claim=PROOF).stdout


@pytest.mark.usefixtures("alone")
@pytest.mark.slow
def test_a_recheck_knows_nothing_of_what_another_program_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch, forget: Callable[[], None]
) -> None:
    """Its certificates are as valid, but a result with them would differ from the result of a search."""
    certify = engine.certify

    def certify_longer(problem: Problem, found: Refuted) -> Certificate:
        made = certify(problem, found)
        return replace(made, lemmas=(*made.lemmas, *made.lemmas[-1:]))  # one unused lemma more

    with monkeypatch.context() as other:
        other.setattr(session, "digest_source", lambda: "another")
        other.setattr(engine, "certify", certify_longer)
        assert run(folder, claim=PROOF).returncode == 0
    theirs = list_certificates(folder)
    assert open_drawer().read() == {}
    forget()
    assert run(folder, claim=PROOF).returncode == 0
    assert list_certificates(folder).keys() == theirs.keys() and list_certificates(folder) != theirs
    forget()
    done = run(folder, "--recheck", claim=PROOF)
    assert (done.returncode, done.stderr) == (0, "")
    assert "compared with the cache: 1 of 1 results" in done.stdout


@pytest.mark.slow
def test_workers_are_told_where_certificates_lie(folder: Path) -> None:
    words = ("run", PROOF, "nim/bouton", "-j", "2", "--search-anew")
    assert run_process(*words, cwd=folder).returncode == 0
    assert len(open_drawer().read()) > 5


# -- with the library -------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_what_comes_with_the_library_is_searched_for_only_on_demand(
    folder: Path, monkeypatch: pytest.MonkeyPatch, forget: Callable[[], None]
) -> None:
    assert run(folder, "--no-cache", claim=PROOF).returncode == 0
    certificates = list_certificates(folder)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "build_tree", fail_to_build)
        for words in ((), ("--no-cache",)):
            forget()
            done = run(folder, *words, claim=PROOF)
            assert done.returncode == 0 and "proved" in done.stdout and "[cached]" not in done.stdout
            assert certificates == list_certificates(folder)
        assert open_drawer().read() == {}
        for words in (("--search-anew",), ("--no-cache", "--search-anew")):
            forget()
            assert "it is searched again" in run(folder, *words, claim=PROOF).stdout
        monkeypatch.setenv("CHECKS_CACHE", "off")
        assert "it is searched again" in run(folder, "--search-anew", claim=PROOF).stdout
        patch.setattr(proofs, "FILE", folder / "none")
        assert "it is searched again" in run(folder, "--no-cache", claim=PROOF).stdout


@pytest.mark.slow
def test_a_recheck_takes_what_a_run_takes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, forget: Callable[[], None]
) -> None:
    """Otherwise each result would seem to differ if another version of Z3 led the search to other certificates."""
    assert run(folder, claim=PROOF).returncode == 0
    forget()
    monkeypatch.setattr(engine, "build_tree", fail_to_build)
    done = run(folder, "--recheck", claim=PROOF)
    assert done.returncode == 0 and "compared with the cache: 1 of 1 results" in done.stdout


@pytest.mark.slow
def test_what_was_searched_for_anew_is_no_result_for_others(folder: Path, forget: Callable[[], None]) -> None:
    """Others would use a certificate that may differ from theirs."""
    assert run(folder, claim=PROOF).returncode == 0
    for _ in range(2):
        forget()
        assert "[cached]" not in run(folder, "--search-anew", claim=PROOF).stdout
    (folder / "notes.toml").write_text(NOTES)
    forget()
    assert run(folder, "--search-anew", claim="notes.toml").returncode == 0
    forget()
    assert "[cached]" not in run(folder, claim="notes.toml").stdout
    assert "[cached]" in run(folder, claim="notes.toml").stdout


@pytest.mark.slow
def test_a_search_comes_to_no_others(folder: Path) -> None:
    """.ci/certificates checks this for all claims."""
    assert run(folder, "--search-anew", "nim/bouton", "bash-nim/lemma-[13]", claim=PROOF).returncode == 0
    found = open_drawer().read()
    assert found and found.keys() <= read(FILE).keys()


def test_what_is_written_is_read_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    found = {b"\x02" * 32: b'{"a": [1, 2]}', b"\x01\n" * 16: b"{}"}
    write(found, tmp_path / "a")
    write(dict(reversed(found.items())), tmp_path / "b")
    assert read(tmp_path / "a") == found
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert list(read(tmp_path / "a")) == sorted(found)


@pytest.mark.parametrize(
    "broken",
    [
        None,
        b"",
        b"certificates",
        FILE.read_bytes()[:-100],
        FILE.read_bytes()[:5] + b"\xff" + FILE.read_bytes()[6:2000],
        gzip.compress(b"00"),
        gzip.compress(b"no hexadecimal digits"),
        gzip.compress(b"\xff\xff {}"),
    ],
    ids=["no file", "empty", "not compressed", "cut short", "damaged", "too few digits", "no digits", "no text"],
)
def test_where_the_file_is_broken_all_is_searched_for(folder: Path, alone: Path, broken: bytes | None) -> None:
    if broken is not None:
        alone.write_bytes(broken)
    assert Shipped(alone).get(bytes(32)) is None
    done = run(folder, "--no-cache", claim=PROOF)
    assert done.returncode == 0 and "proved" in done.stdout and done.stderr == ""


@pytest.mark.slow
def test_nothing_that_comes_with_the_library_is_believed(folder: Path, alone: Path, forget: Callable[[], None]) -> None:
    """A certificate for another obligation, an invalid one and a malformed one are rejected."""
    assert run(folder, "--search-anew", claim=PROOF).returncode == 0
    ours, certificates = open_drawer().read(), list_certificates(folder)
    for value in (*ours.values(), TRIVIAL, b"[]", b"{}", b"\xff"):
        write(dict.fromkeys(ours, value), alone)
        forget()
        assert run(folder, "--no-cache", claim=PROOF).returncode == 0
        assert list_certificates(folder) == certificates


@pytest.mark.slow
def test_no_certificate_makes_what_is_false_beyond_a_scope_proved(folder: Path, forget: Callable[[], None]) -> None:
    """For every request, the store offers certificates of the library, a trivial one, and none."""
    (folder / "false.toml").write_text(NOTES.replace("!= 0 for", "!= 64 for"))
    known = list(read(FILE).values())
    offers = [Everything(*known[::100]), Everything(write_trivial(500, 200)), Everything()]
    for offer in offers:
        forget()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("checks.execution.work.open_certificates", lambda _, offer=offer: offer)
            done = run(folder, "--no-cache", claim="false.toml")
        assert "1 inconclusive in " in done.stdout and "claim: fails at " in done.stdout, done.stdout
        assert offer.asked


# -- sources ----------------------------------------------------------------------------------------------------------
def test_a_claim_of_ones_own_may_make_use_of_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch, forget: Callable[[], None]
) -> None:
    (folder / "notes.toml").write_text(NOTES)
    monkeypatch.setattr(engine, "build_tree", fail_to_build)
    assert "proved" in run(folder, "--no-cache", claim="notes.toml").stdout


def test_what_is_not_shipped_is_kept_in_the_drawer(folder: Path, alone: Path) -> None:
    write({b"1" * 32: b"shipped"}, alone)
    write_claim(folder)
    place = find_place()
    assert place is not None
    partition = Partition(place, Program("source", ()))
    store = open_certificates(CertificateSources(partition))
    assert store is not None
    store.put(b"1" * 32, b"other")
    store.put(b"2" * 32, b"found")
    assert [store.get(key * 32) for key in (b"1", b"2", b"3")] == [b"shipped", b"found", None]
    kept = open_proofs(partition)
    assert kept is not None and kept.read() == {b"1" * 32: b"other", b"2" * 32: b"found"}
    anew = open_certificates(CertificateSources(partition, anew=True))
    assert anew is not None
    assert [anew.get(key * 32) for key in (b"1", b"2", b"3")] == [None] * 3
    anew.put(b"3" * 32, b"new")
    assert kept.get(b"3" * 32) == b"new"
    assert open_certificates(CertificateSources(anew=True)) is None
    assert read(alone) == {b"1" * 32: b"shipped"}
