"""Rows outlive a run, and only rows that this program wrote; other contents of a database are ignored."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import ROOT
from small import SECRET

from checks.cache import store as storing
from checks.cache.store import MAGIC, SCHEMA, VERSION, Store, StoreFault


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache.sqlite"


def put(file: Path, **rows: bytes) -> None:
    with closing(Store(file, SECRET)) as store:
        for key, value in rows.items():
            store.put("space", key.encode(), value)


def get(file: Path, key: str = "a", secret: bytes = SECRET, space: str = "space") -> bytes | None:
    with closing(Store(file, secret)) as store:
        return store.get(space, key.encode())


def change(file: Path, *statements: str, **values: Any) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement, values)


def test_what_was_put_is_found_by_its_space_and_key(file: Path) -> None:
    put(file, a=b"one", b=b"")
    assert (get(file), get(file, "b"), get(file, "c"), get(file, space="other")) == (b"one", b"", None, None)
    put(file, a=b"two")
    assert get(file) == b"two"
    with closing(Store(file, SECRET)) as store:
        assert store.measure()[0] == 2
        store.drop("space", b"a")
        assert (store.get("space", b"a"), store.measure()[0]) == (None, 1)
        store.clear()
        assert store.measure() == (0, 0)


@pytest.mark.skipif(os.name != "posix", reason="rights of another kind")
def test_nobody_else_may_read_it(file: Path) -> None:
    put(file, a=b"one")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


# -- a hostile or broken database -------------------------------------------------------------------------------------
CHANGES = {
    "another value": "UPDATE rows SET value = (SELECT value FROM rows WHERE key = x'62') WHERE key = x'61'",
    "another value with its seal": "UPDATE rows SET value = o.value, seal = o.seal FROM rows o "
    "WHERE o.key = x'62' AND rows.key = x'61'",
    "another key": "DELETE FROM rows WHERE key = x'61'; UPDATE rows SET key = x'61' WHERE key = x'62'",
    "another space": "UPDATE rows SET space = 'elsewhere'; UPDATE rows SET space = 'space'||'' WHERE key = x'62'",
    "no seal": "UPDATE rows SET seal = x''",
    "a seal that is text": "UPDATE rows SET seal = 'seal'",
    "a value that is text": "UPDATE rows SET value = 'value'",
    "a value that is a number": "UPDATE rows SET value = 1",
    "a use that is text": "UPDATE rows SET used = 'lately'",
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_row_that_was_changed_is_not_there(file: Path, name: str) -> None:
    put(file, a=b"one", b=b"two")
    change(file, *CHANGES[name].split("; "))
    assert get(file) is None


def test_a_row_sealed_by_another_is_not_there(file: Path) -> None:
    put(file, a=b"one")
    assert get(file, secret=bytes(32)) is None
    assert get(file) == b"one"


def test_the_seal_tells_where_space_key_and_value_part(file: Path) -> None:
    with closing(Store(file, SECRET)) as store:
        store.put("space", b"ab", b"one")
    change(file, "UPDATE rows SET space = 'spacea', key = x'62'")
    assert get(file, "b", space="spacea") is None


SCHEMAS = {
    "an older version": f"PRAGMA user_version = {VERSION - 1}",
    "a later version": f"PRAGMA user_version = {VERSION + 1}",
    "of another program": f"PRAGMA application_id = {MAGIC + 1}",
    "with a view beside it": "CREATE VIEW more AS SELECT * FROM rows",
    "with a trigger": "CREATE TRIGGER t AFTER INSERT ON rows BEGIN DELETE FROM rows; END",
    "with an index": "CREATE INDEX i ON rows (used)",
    "with another column": "ALTER TABLE rows ADD COLUMN more TEXT",
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_database_of_another_form_is_begun_anew(file: Path, name: str) -> None:
    put(file, a=b"one")
    change(file, SCHEMAS[name])
    assert get(file) is None
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL").fetchall() == [(SCHEMA,)]
    put(file, a=b"two")
    assert get(file) == b"two"


def test_a_view_in_place_of_the_table_is_no_table(file: Path) -> None:
    put(file, a=b"one")
    change(file, "ALTER TABLE rows RENAME TO old", "CREATE VIEW rows AS SELECT * FROM old")
    assert get(file) is None


@pytest.mark.parametrize("keep", [0, 1, 50, 100, 1000, 4096, 5000, -1])
def test_a_truncated_database_is_never_believed(file: Path, keep: int) -> None:
    value = os.urandom(20_000)
    put(file, a=value, b=b"two")
    file.write_bytes(file.read_bytes()[:keep])
    assert get(file) in ((None, value) if keep == -1 else (None,))
    put(file, a=b"again")
    assert get(file) == b"again"


def test_whatever_bytes_are_changed_no_other_value_comes_out(file: Path) -> None:
    put(file, a=b"one" * 100, b=b"two" * 100)
    whole = file.read_bytes()
    for place in range(0, len(whole), 97):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with suppress(StoreFault):  # then there is no cache, with a message
            assert get(file) in (b"one" * 100, None), place
        for beside in file.parent.glob(f"{file.name}-*"):
            beside.unlink()


def test_no_database_at_all_is_begun_anew(file: Path) -> None:
    file.write_text("this is no database, however long it goes on\n" * 100)
    assert get(file) is None
    put(file, a=b"one")
    assert get(file) == b"one"


def test_one_that_breaks_while_it_is_used_is_begun_anew(file: Path) -> None:
    with closing(Store(file, SECRET)) as store:
        store.put("space", b"a", b"one")
        file.write_bytes(b"no longer a database" * 1000)
        assert store.get("space", b"a") is None
        store.put("space", b"a", b"two")
        assert store.get("space", b"a") == b"two"


# -- an impossible store ----------------------------------------------------------------------------------------------
def test_a_folder_in_its_place_is_a_fault(file: Path) -> None:
    file.mkdir()
    with pytest.raises(StoreFault, match=file.name):
        Store(file, SECRET)


def test_no_folder_is_a_fault(file: Path) -> None:
    with pytest.raises(StoreFault, match="No such file"):
        Store(file.parent / "missing" / "x.sqlite", SECRET)


class Refusing:
    """A connection on which every statement with this beginning raises this error."""

    def __init__(self, connection: sqlite3.Connection, words: str, error: Exception) -> None:
        self.connection, self.words, self.error = connection, words, error

    def execute(self, statement: str, *values: Any) -> Any:
        if statement.startswith(self.words):
            raise self.error
        return self.connection.execute(statement, *values)

    def close(self) -> None:
        self.connection.close()


@pytest.mark.parametrize("words", ["SELECT", "INSERT", "BEGIN", "COMMIT"])
@pytest.mark.parametrize(
    "error", [sqlite3.OperationalError("database or disk is full"), OSError(28, "No space left on device")]
)
def test_a_full_disk_is_a_fault(file: Path, words: str, error: Exception) -> None:
    put(file, a=b"one")
    store = Store(file, SECRET)
    store._connection = Refusing(store._connection, words, error)
    work = partial(store.get, "space", b"a") if words == "SELECT" else partial(store.put, "space", b"b", b"two")
    with pytest.raises(StoreFault, match=r"full|No space"):
        work()
    store.close()
    assert (get(file), get(file, "b")) == (b"one", None)


def test_one_that_somebody_holds_is_a_fault_in_the_end(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "PATIENCE", 0.05)
    put(file, a=b"one")
    with closing(sqlite3.connect(file, isolation_level=None)) as other, closing(Store(file, SECRET)) as store:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreFault, match="locked"):
            store.get("space", b"a")
        other.execute("COMMIT")
        assert store.get("space", b"a") == b"one"


# -- size -------------------------------------------------------------------------------------------------------------
def test_what_was_not_used_for_longest_goes(file: Path) -> None:
    days = [0.0]
    values = {name: os.urandom(600) for name in "abcdef"}

    def store() -> Store:
        return Store(file, SECRET, most_bytes=3500, now=lambda: days[0] * 86_401)

    for name in "abcde":
        days[0] += 1
        with closing(store()) as opened:
            opened.put("space", name.encode(), values[name])
    days[0] += 1
    with closing(store()) as opened:
        assert opened.get("space", b"a") == values["a"]  # so that b is the oldest
        opened.put("space", b"f", values["f"])
    assert [name for name in "abcdef" if get(file, name)] == ["a", "c", "d", "e", "f"]
    assert file.stat().st_size < 30_000


def test_a_value_that_would_push_out_all_others_is_not_kept(file: Path) -> None:
    with closing(Store(file, SECRET, most_bytes=2000)) as store:
        store.put("space", b"a", os.urandom(600))
        assert store.get("space", b"a") is None
        store.put("space", b"a", os.urandom(400))
        assert store.get("space", b"a") is not None


def test_a_small_row_that_unpacks_to_a_huge_value_is_not_unpacked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(file, a=bytes(100_000))
    monkeypatch.setattr(storing, "LARGEST", 50_000)
    assert get(file) is None


# -- processes --------------------------------------------------------------------------------------------------------
WRITER = """
import sys
from pathlib import Path
from checks.cache.store import Store
store = Store(Path(sys.argv[1]), bytes(range(32)))
print("ready", flush=True)
for n in range(int(sys.argv[3])):
    store.put("space", f"{sys.argv[2]}{n % 50}".encode(), f"{sys.argv[2]} {n}".encode() * 500)
"""


def writer(file: Path, name: str, number: int) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WRITER, str(file), name, str(number)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_two_processes_write_at_once_and_nothing_is_lost(file: Path) -> None:
    both = [writer(file, name, 100) for name in "ab"]
    for process in both:
        process.communicate(timeout=60)
    assert [process.returncode for process in both] == [0, 0]
    for name in "ab":
        for n in range(50):
            assert get(file, f"{name}{n}") == f"{name} {n + 50}".encode() * 500


@pytest.mark.slow
def test_a_process_that_is_killed_while_it_writes_leaves_whole_rows(file: Path) -> None:
    for _ in range(3):
        process = writer(file, "a", 1_000_000)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        while get(file, "a3") is None:
            pass
        process.kill()
        process.communicate(timeout=60)
        for n in range(50):
            found = get(file, f"a{n}")
            if found is not None:
                times = found.decode()[: len(found) // 500]
                assert int(times.split()[1]) % 50 == n and found == times.encode() * 500
