"""The memory cap stops a claim that uses much memory, but not one that reserves addresses; it is removed afterwards."""

import gc
import re
import subprocess
import sys
from ctypes import CDLL
from textwrap import dedent

import pytest

from checks.execution import limits as memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to the limit")

START = """
import resource
from checks.execution import limits as memory

def find_limit():
    return resource.getrlimit(resource.RLIMIT_DATA)[0]
"""


def run(script: str) -> str:
    command = [sys.executable, "-c", START + dedent(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_the_kernel_runs_in_a_process_that_is_capped() -> None:
    found = run("""
        memory.cap_memory()
        assert find_limit() == memory.MOST
        from encoders.kernel.machine import Machine
        machine = Machine()
        print(machine.reserve((1000, 1000)).sum())
    """)
    assert found == "0"


@pytest.mark.slow
def test_a_claim_that_needs_too_much_ends_with_what_was_covered() -> None:
    found = run("""
        import checks.execution.settle, encoders.compute.exhaustive  # memory for imports does not count
        from checks.execution.execute import execute
        from checks.judgement.scopes import Options
        from claims.language.files.library import select
        before = find_limit()
        options = Options(routes=("exhaustive",), overrides=(("s.heaps", "0..4"), ("s.size", "1..200")))
        (result,) = execute(select(("nim/bouton",)), options, 1, lambda *_: None, memory=100 << 20).results
        assert find_limit() == before
        print(result.verdict, result.finding.cases > 100_000, result.finding.not_established, result.finding.error)
    """)
    assert re.fullmatch(
        r"Verdict\.INCONCLUSIVE True anything beyond s: at most 4 heaps of 1\.\.(\d+), in which there is no "
        r"counterexample: (out of memory in the route exhaustive after [\d ]+ of about 70 058 751 cases"
        r"|too large: the WebAssembly kernel cannot reserve \d+ MiB of memory: [^;]+); this fits: "
        r"--set s\.size=1\.\.\1",
        found.replace("\u00a0", " ").replace("\u202f", " "),
    ), found


def test_a_limit_that_is_lower_already_is_kept() -> None:
    found = run("""
        most = memory.MOST - (512 << 20)
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))
        with memory.capping_memory():
            print(find_limit() == most)
    """)
    assert found == "True"


def test_where_there_is_no_cap_an_error_within_is_told_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def count_used() -> int:
        raise OSError

    monkeypatch.setattr(memory, "_count_used", count_used)
    with pytest.raises(KeyError) as error, memory.capping_memory():
        raise KeyError
    assert error.value.__context__ is None


def test_where_all_is_kept_nothing_is_looked_for_and_afterwards_again() -> None:
    with memory.pausing_garbage_collection():
        with memory.pausing_garbage_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(KeyError), memory.pausing_garbage_collection():
        raise KeyError
    assert gc.isenabled()


@pytest.mark.skipif(not hasattr(CDLL(None), "mallopt"), reason="another C library")
@pytest.mark.parametrize(("asked", "few"), [("", False), ("memory.reuse_freed()", True)])
@pytest.mark.slow
def test_freed_memory_is_used_again_where_that_is_asked_for(
    asked: str, few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment is as for Dask workers. The test counts the pages that the system provides."""
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    found = run(f"""
        {asked}
        sizes = [len(bytearray(b"x") * (8 << 20)) for _ in range(50)]
        print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
    """)
    assert (int(found) < 50 * 2000) is few
