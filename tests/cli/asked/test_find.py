"""`checks find`: its files, its output, and its exit codes."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from claim_texts import HEAD, NIM_FILE
from commands import run_process, run_within

from checks.execution import found
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from encoders.search import find, pairs, proofs
from encoders.search.find import SearchProgress, SearchStage

MORE = HEAD + 'ruleset = "nim"\n'
MORE += '[forall]\ns = "position"\n[claim]\nthen = "wins(s)"\n[scope]\ns = { heaps = "0..3", size = "1..6" }\n'


@pytest.mark.parametrize("words", [("find", "rules.toml"), ("weaken", "more.toml")], ids=["rules", "weaken"])
@pytest.mark.slow
def test_the_same_bytes_on_one_core_and_on_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Also in processes that iterate over sets in another order."""
    (tmp_path / "rules.toml").write_text(NIM_FILE.replace('"loses"', '"wins"'), "utf-8")
    (tmp_path / "more.toml").write_text(MORE, "utf-8")
    told = []
    for threads in "12":
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", threads)
        monkeypatch.setenv("PYTHONHASHSEED", threads)
        told.append(run_process(*words, cwd=tmp_path))
    assert told[0].returncode == 0
    assert told[0].stdout.startswith("format = 1\n")
    assert told[0] == told[1]


@pytest.mark.slow
def test_a_theorem_is_written_and_settled(tmp_path: Path) -> None:
    done = run_within("find", "nim", "-o", "found.toml", cwd=tmp_path)
    assert (done.returncode, done.stdout.split(" ")[0]) == (0, "proved")
    assert "replies: 1" in done.stderr
    again = run_within("run", "found.toml", "--no-cache", "--report", "out", cwd=tmp_path)
    assert again.returncode == 0
    assert "1 proved" in again.stdout


@pytest.mark.slow
def test_without_a_file_the_claim_is_printed_and_nothing_else(tmp_path: Path) -> None:
    done = run_within("find", "nim", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("format = 1\n")
    assert done.stderr.splitlines()[-1].startswith("proved (all values)")


@pytest.mark.slow
def test_a_formula_without_a_proof_is_verified(tmp_path: Path) -> None:
    (tmp_path / "far.toml").write_text(NIM_FILE.replace("become", 'where = "h < 40 or m == 1"\nbecome'), "utf-8")
    done = run_within("find", "far.toml", "-o", "found.toml", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("verified (")
    assert "no proof: reply 1: legal: fails at" in done.stdout
    assert "[proof]" not in (tmp_path / "found.toml").read_text("utf-8")


@pytest.mark.slow
def test_what_the_checker_refutes_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "far.toml").write_text(NIM_FILE.replace("become", 'where = "h < 11 or m == 1"\nbecome'), "utf-8")
    monkeypatch.setattr(find, "choose_box", lambda _: replace(find.SMALL, heaps=4))
    done = run_within("find", "far.toml", "-o", "found.toml", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.startswith("nothing found: the checker reports refuted at s = (")
    assert not (tmp_path / "found.toml").exists()


def test_nothing_found_says_what_stands_in_the_way(tmp_path: Path) -> None:
    done = run_within("find", "nim", "--budget", "0ms", "-o", "found.toml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "nothing found: the budget ran out\n")
    assert not (tmp_path / "found.toml").exists()


def test_who_interrupts_it_keeps_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(question: object, clock: object, tell: object, outcome: SearchProgress) -> None:
        outcome.stage, outcome.text = SearchStage.FORMULA, "what was found\n"
        raise KeyboardInterrupt

    monkeypatch.setattr(pairs, "find_winners", stop)
    done = run_within("find", "nim", "-o", "found.toml", cwd=tmp_path)
    assert done.returncode == 3
    assert "nothing was settled" in done.stdout
    assert (tmp_path / "found.toml").read_text("utf-8") == "what was found\n"


CLAIM = HEAD + (
    'ruleset = "nim"\n'
    '[forall]\na = "0.."\nb = "0.."\n[claim]\nthen = "iff(not wins(position([a, b])), a == b)"\n'
    '[scope]\na = "0..9"\nb = "0..9"\n[proof]\nrule = "definition"\n'
)


@pytest.mark.slow
def test_the_proof_of_a_claim_is_shown_as_a_patch_or_written(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(CLAIM, "utf-8")
    done = run_within("find", "claim.toml", cwd=tmp_path)
    assert done.returncode == 0
    assert '\n-rule = "definition"\n' in done.stdout
    assert '\n+by = ["nim/bouton"]\n' in done.stdout
    assert path.read_text("utf-8") == CLAIM
    done = run_within("find", "claim.toml", "--write", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "proved (all values)\n")
    assert path.read_text("utf-8").endswith('[proof]\nby = ["nim/bouton"]\n')


@pytest.mark.slow
def test_a_false_claim_gets_no_proof_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(CLAIM.replace("a == b)", "a == b or a == 99)"), "utf-8")
    before = path.read_text("utf-8")
    done = run_within("find", "claim.toml", "--write", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.startswith("no proof found: ")
    assert path.read_text("utf-8") == before


def test_a_proof_that_only_the_search_believes_is_no_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def believe(*given: object) -> None:
        outcome = given[-1]
        assert isinstance(outcome, SearchProgress)
        outcome.stage, outcome.text = (
            SearchStage.PROOF,
            '[proof]\nrule = "definition"\n\n[proof.folds]\nX = "nim_sum(s)"\n',
        )

    monkeypatch.setattr(proofs, "find_proof", believe)
    path = tmp_path / "claim.toml"
    path.write_text(CLAIM, "utf-8")
    done = run_within("find", "claim.toml", "--write", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.startswith("no proof found: with it, the claim is inconclusive")
    assert path.read_text("utf-8") == CLAIM


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nimm",), "no ruleset"),
        (("kl-nim", "--where", "k <"), "--where"),
        (("kl-nim", "--set", "n=3"), "no parameter 'n'"),
        (("subtraction",), "must be given"),
        (("large-nim", "--values"), "omit --values"),
        (("misere-nim", "--values"), "normal play"),
        (("nim/bouton", "--where", "k < l"), "need a RULESET"),
        (("nim", "--write"), "--write needs a CLAIM"),
        (("nim", "--weaken"), "nim is not a claim"),
        (("nim/bouton", "--json"), "use `checks weaken CLAIM --json`"),
        (("nim/bouton", "--weaken", "--write"), "--weaken cannot be combined with --write"),
        (("nim", "--shorten"), "nim is not a claim"),
        (("nim/bouton", "--weaken", "-o", "none/found.toml"), "no such folder"),
        (("nim", "-o", "none/found.toml"), "no such folder"),
        (("sub/mine.toml", "-o", "found.toml"), "means no ruleset"),
        (("sub/mine.toml", "-o", "sub/mine.toml"), "is a ruleset"),
        (("sub/half-nim.toml", "-o", "found.toml"), "means another ruleset"),
    ],
)
def test_what_cannot_be_searched_is_refused(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("mine", "half-nim"):
        (tmp_path / f"sub/{name}.toml").write_text(NIM_FILE, "utf-8")
    done = run_within("find", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert (tmp_path / "sub/mine.toml").read_text("utf-8") == NIM_FILE


def test_a_search_that_does_not_stop_by_itself_is_ended_after_its_budget(tmp_path: Path) -> None:
    (tmp_path / "claim.toml").write_text(CLAIM, "utf-8")
    program = (
        "import sys; from checks.command import find; from encoders.search import proofs\n"
        "find.GRACE = 0.1\n"
        "def work(*given):\n    while True: pass\n"
        "proofs.find_proof = work\n"
        "sys.argv = ['checks', 'find', 'claim.toml', '--budget', '1s']\n"
        "from checks.__main__ import main; main()"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 3, done.stderr
    assert "no proof found: the budget ran out during the work of a solver" in done.stdout


EXACT = NIM_FILE.replace('"any heap h"', '"any two heaps g, h"').replace('["h - m"]', '["g - m", "h - n"]')
EXACT = EXACT.replace('{ m = "1..h" }', '{ m = "1..g", n = "1..h" }')


def test_a_formula_that_fits_only_small_positions_is_not_written(tmp_path: Path) -> None:
    """Exact Nim on two heaps: a formula fits all positions of four heaps, and fails at five heaps of one."""
    (tmp_path / "exact.toml").write_text(EXACT, "utf-8")
    done = run_within("find", "exact.toml", "-o", "claim.toml", cwd=tmp_path)
    assert done.returncode == 3, done
    assert "a formula that fits small positions is refuted at s = (1, 1, 1, 1, 1)" in done.stdout
    assert not (tmp_path / "claim.toml").exists()


@pytest.mark.parametrize(
    ("beyond", "tested"),
    [(Verdict.VERIFIED, " It was tested beyond them: "), (Verdict.INCONCLUSIVE, "")],
)
def test_a_formula_without_a_proof_is_marked_as_a_guess(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beyond: Verdict, tested: str
) -> None:
    settle = found.settle_text

    def settle_without_proof(*given: Any) -> ClaimResult:
        result = settle(*given)
        return replace(result, verdict=beyond if len(given) > 2 else Verdict.VERIFIED)

    monkeypatch.setattr(found, "settle_text", settle_without_proof)
    (tmp_path / "mine.toml").write_text(NIM_FILE, "utf-8")
    done = run_within("find", "mine.toml", "-o", "claim.toml", cwd=tmp_path)
    assert done.returncode == 1, done
    guess = f"# A guess: this formula was fitted to small positions, and has no proof.{tested or chr(10)}"
    assert guess in (tmp_path / "claim.toml").read_text("utf-8")
