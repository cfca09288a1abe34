"""The command line starts fast: heavy packages are imported only where they are used.

benchmarks/measurements.md has the times; these tests check the imports.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from claim_texts import HEAD

ROOT = Path(__file__).parents[2]
HEAVY = {"numpy", "z3", "cvc5", "sympy", "rich", "jinja2", "tree_sitter", "wasmtime", "distributed", "sqlite3", "mcp"}
BASE = "encoders.rules.base"  # the definition of rules, and the suggestion of one
RULES = ("encoders.rules.", "encoders.logic.natural_formulas", "encoders.logic.smt")
RESULTS = "checks.results.model"  # it imports the answers of encoders and the terms of proofs
CLAIM = (
    HEAD
    + """ruleset = "nim"
[forall]
n = "1.."
[claim]
then = "wins(position([n, n]))"
[scope]
n = "1..30"
"""
)
SOLVE = ["solve", "kl-nim", "(2, 2, 4)", "--set", "k=3", "--set", "l=4"]
CLAIMS = "claims.language.files.claim"  # it imports the language of terms
ENTRIES = "claims.language.files.library"


def list_imported(words: list[str]) -> set[str]:
    command = [sys.executable, "-X", "importtime", "-m", "checks", *words]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60)
    return {line.rsplit("|", 1)[-1].strip() for line in run.stderr.splitlines() if line.startswith("import time:")}


@pytest.mark.parametrize(
    ("words", "absent"),
    [
        (["--help"], {CLAIMS, ENTRIES}),
        (["run", "--help"], {CLAIMS, ENTRIES}),
        (["new", "--help"], {CLAIMS}),
        (["show"], {RESULTS}),
        (["show", "nim/bouton"], set()),
        (SOLVE, {RESULTS}),
    ],
)
@pytest.mark.slow
def test_nothing_is_imported_that_the_command_does_not_need(words: list[str], absent: set[str]) -> None:
    """Heavy packages, the library, the claim language, and results."""
    imported = list_imported(words)
    assert "click" in imported
    assert not {name.split(".")[0] for name in imported} & HEAVY
    assert not imported & absent
    assert (CLAIMS in imported) or words[0] != "show", "the module has another name"


@pytest.mark.slow
def test_a_claim_without_a_proof_needs_no_rule_of_proof(tmp_path: Path) -> None:
    """It also needs neither sympy, nor a solver, nor workers and shards; the page of the run is still written."""
    claim = tmp_path / "claim.toml"
    claim.write_text(CLAIM)
    options = ["--no-cache", "--jobs", "2", "--report", str(tmp_path / "out")]
    command = [sys.executable, "-X", "importtime", "-m", "checks", "run", str(claim), *options]
    run = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    assert (tmp_path / "out" / "index.html").is_file()
    imported = {line.rsplit("|", 1)[-1].strip() for line in run.stderr.splitlines() if line.startswith("import time:")}
    assert "numpy" in imported
    assert not imported & {
        "z3",
        "cvc5",
        "sympy",
        "rich",
        "wasmtime",
        "distributed",
        "multiprocessing",
        "jsonschema",
        "email",
    }
    assert not [name for name in imported if name.startswith(RULES) and not name.startswith(BASE)]
    assert not imported & {"checks.execution.shards", "encoders.compute.arrays.bit_search", "concurrent.futures"}


@pytest.mark.slow
def test_the_end_of_a_process_looks_for_no_garbage_and_its_start_begins_no_threads_for_matrices() -> None:
    code = (
        "import atexit, gc, os, checks.__main__; atexit._run_exitfuncs(); "
        "print(gc.get_freeze_count() > 1000, os.environ['OPENBLAS_NUM_THREADS'])"
    )
    for given, expected in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")):
        ours = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | given
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, check=True, env=ours, capture_output=True, text=True, timeout=60
        )
        assert (run.stdout.split(), run.stderr) == (["True", expected], "")
