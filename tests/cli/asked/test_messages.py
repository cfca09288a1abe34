"""Mistakes of beginners and the messages: the place, the meaning, and what to write instead."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import run_within

HEAD = (
    'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "l"\nrole = "conjecture"\nruleset = "{ruleset}"\n'
)
SCOPED = '\n[scope]\ns = {{ heaps = "0..3", size = "1..5" }}\n'
CLAIM = f'{HEAD}\n[forall]\ns = "position"\n\n[claim]\nthen = "{{then}}"\n{SCOPED}'
ALONE = f'{HEAD}\n[claim]\nthen = "{{then}}"\n'
RULES = 'format = 1\ntitle = "G"\nplayers = ["A", "B"]\nstuck = "loses"\n\n[[moves]]\nchoose = "any heap h"\n'
GAMES = {
    "pass": f'{RULES}pick = {{ m = "0..h" }}\nbecome = ["h - m"]\n',
    "below": f'{RULES}pick = {{ m = "1..3" }}\nbecome = ["h - m"]\n',
    "remainder": f'{RULES}pick = {{ m = "1..h" }}\nwhere = "6 % (h - 2) == 0"\nbecome = ["h - m"]\n',
    "none": RULES.replace("any heap h", "each of 0..2 heaps h") + 'pick = { m = "1..h" }\nbecome = ["h - m"]\n',
    "look": f'{RULES}pick = {{ m = "1..h" }}\nwhere = "m <= len(s)"\nbecome = ["h - m"]\n',
}
SESSIONS = {
    "wins-of-a-number": ("wins(5)", "nim"),
    "wins-of-two-numbers": ("wins(3, 4)", "nim"),
    "a-word": ("len(s) even", "nim"),
    "a-word-between": ("len(s) mod 2 == 0", "nim"),
    "positions-added": ("wins(s + 3)", "nim"),
    "positions-subtracted": ("wins(s - s)", "nim"),
    "half-a-heap": ("wins(position([len(s) / 2]))", "nim"),
    "condition-and-number": ("wins(s) == nim_sum(s) != 0", "nim"),
    "index": ("s[0] >= 1", "nim"),
    "nothing": ("max(s) >= 1", "nim"),
    "division": ("sum(s) // len(s) >= 0", "nim"),
    "heap-below-nothing": ("wins(position([len(s) - 1]))", "nim"),
    "pass": ("wins(s) or True", "pass"),
    "below": ("wins(s) or True", "below"),
    "a-rule-without-value": ("wins(s) or True", "remainder"),
    "no-heap-chosen": ("wins(s) or True", "none"),
}
FOLDS = 'rule = "folds"\n'
PROOFS = {  # the claim, its game, and its [proof]
    "proof-fold-mentions-s": ("len(s) >= 0", "nim", f'{FOLDS}[proof.folds]\nX = "sum(h * len(s) for h in s)"\n'),
    "proof-of-a-look-at-s": (
        "wins(s) or True",
        "look",
        f'{FOLDS}[proof.loses]\nmover = "True"\n',
    ),
    "proof-another-fold": ("count(h >= 7 for h in s) == count(h >= 8 for h in s)", "nim", FOLDS),
    "proof-heap-of-a-position": ("nim_sum(h - 2 for h in s if h != 1 or len(s) > 9) >= 0", "nim", FOLDS),
    "proof-lemma-of-another-game": (
        "wins(s) or True",
        "bash-nim(k = 2)",
        f'{FOLDS}by = ["nim/bouton"]\n[proof.loses]\nmover = "True"\n',
    ),
    "proof-wrong-invariant": (
        "iff(not wins(s), nim_sum(s) == 0)",
        "nim",
        f'{FOLDS}[proof.folds]\nX = "nim_sum(s)"\n[proof.loses]\nmover = "X <= 1"\n',
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in GAMES.items():
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", SESSIONS)
def test_a_message_says_what_to_write_instead(name: str, folder: Path, golden: Callable[[str, str], None]) -> None:
    then, ruleset = SESSIONS[name]
    (folder / "c.toml").write_text(CLAIM.format(then=then, ruleset=ruleset), "utf-8")
    done = run_within("run", "c.toml", "--report", "out", "--no-cache", cwd=folder)
    assert (done.returncode, done.stderr) == (2, "")
    told = re.sub(r"\n(report|exit 2|1 claim).*", "", done.stdout)
    golden("messages.txt", f'then = "{then}"\n\n{told.rstrip()}\n', name)


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_that_does_not_go_through_is_told_why(
    name: str, folder: Path, golden: Callable[[str, str], None]
) -> None:
    then, ruleset, proof = PROOFS[name]
    text = CLAIM.format(then=then, ruleset=ruleset) + f"\n[proof]\n{proof}"
    (folder / "c.toml").write_text(text, "utf-8")
    done = run_within("run", "c.toml", "--report", "out", "--no-cache", cwd=folder)
    assert (done.returncode, done.stderr) == (3, "")
    told = re.sub(r"\n(report|exit 3|[12] claims?|\d+ of).*", "", done.stdout)
    golden("messages.txt", f"{text[len(HEAD.format(ruleset=ruleset)) :].lstrip()}\n{told.rstrip()}\n", name)


def test_words_of_the_command_line(folder: Path, golden: Callable[[str, str], None]) -> None:
    (folder / "c.toml").write_text(CLAIM.format(then="wins(s) or True", ruleset="nim"), "utf-8")
    told = []
    (folder / "old").mkdir()
    for words in (["run", "d"], ["c.toml"], ["run", "c.toml", "--report", "report.html"], ["diff", "old", "old"]):
        done = run_within(*words, cwd=folder)
        assert (done.returncode, done.stdout) == (2, "")
        told.append(f"$ checks {' '.join(words)}\n{done.stderr}")
    golden("messages.txt", "\n".join(told), "command-line")
    assert not (folder / "report.html").exists()


def test_a_folder_with_the_name_of_a_file_is_one(folder: Path) -> None:
    (folder / "c.toml").write_text(ALONE.format(then="wins(position([3]))", ruleset="nim"), "utf-8")
    (folder / "report.html").mkdir()
    done = run_within("run", "c.toml", "--report", "report.html", "--no-cache", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unreadable_claim_stands_among_those_of_its_work(folder: Path) -> None:
    (folder / "a.toml").write_text(ALONE.format(then="wins(position([3]))", ruleset="nim"), "utf-8")
    (folder / "b.toml").write_text(ALONE.format(then="wins(3)", ruleset="nim"), "utf-8")
    run_within("run", "a.toml", "b.toml", "--report", "out", "--no-cache", cwd=folder)
    junit = (folder / "out/junit.xml").read_text("utf-8")
    assert junit.count("<testsuite ") == 1
    assert re.search(r'timestamp="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]', junit)


def test_a_claim_that_lost_its_proof_is_not_what_its_file_expects(folder: Path) -> None:
    text = CLAIM.format(then="iff(wins(s), nim_sum(s) != 0)", ruleset="nim")
    (folder / "c.toml").write_text(text.replace("\n\n", '\nexpect = "proved"\n\n', 1), "utf-8")
    done = run_within("run", "c.toml", "--report", "out", "--no-cache", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")
    assert "verified" in done.stdout
    assert "NOT AS EXPECTED" in done.stdout
    assert "but its file expects a proof" in (folder / "out/report.md").read_text("utf-8")


def test_an_error_of_a_claim_is_not_repeated_for_its_variants(folder: Path) -> None:
    """A variant with another error shows it. A variant that is settled alone shows all errors."""
    variants = [
        '[[variants]]\nname = "same"\nclaim.if = "len(s) > 0"',
        '[[variants]]\nname = "other"\nclaim.if = "len(s) + nothing > 0"',
        '[[variants]]\nname = "corrected"\nclaim.then = "s[0] >= 1"\nclaim.if = "len(s) > 0"',
    ]
    text = CLAIM.format(then="s[-1] > 0", ruleset="nim") + "\n" + "\n".join(variants)
    (folder / "c.toml").write_text(text, "utf-8")
    done = run_within("run", "c.toml", "--report", "out", "--no-cache", cwd=folder)
    assert done.returncode == 2
    for told in (done.stdout, (folder / "out/report.md").read_text("utf-8").partition('<a id="c">')[2]):
        assert told.count("expected: s[len(s) - 1]") == 1
        assert told.count("unknown name 'nothing'") == told.count("expected: one of s, P1") > 0
        assert told.count("the same error as c\n") == 2
    assert re.search("c@corrected +verified", done.stdout)
    done = run_within("run", "c.toml@same", "--report", "out", "--no-cache", cwd=folder)
    assert "expected: s[len(s) - 1]" in done.stdout and "the same error" not in done.stdout


def test_an_undefined_case_of_a_claim_is_not_repeated_for_its_variants(folder: Path) -> None:
    text = (
        CLAIM.format(then="s[5] > 0", ruleset="nim")
        + '\n[[variants]]\nname = "same"\nscope.s = { heaps = "0..2", size = "1..5" }\n'
    )
    (folder / "c.toml").write_text(text, "utf-8")
    done = run_within("run", "c.toml", "--report", "out", "--no-cache", cwd=folder)
    assert done.returncode == 2
    assert done.stdout.count("index 5 of 0 elements") == done.stdout.count("the same error as c\n") == 1


def test_an_error_of_a_variant_alone_is_shown(folder: Path) -> None:
    text = CLAIM.format(then="len(s) >= 0", ruleset="nim")
    text += '\n[[variants]]\nname = "negative"\nclaim.then = "s[-1] > 0"\n'
    (folder / "c.toml").write_text(text, "utf-8")
    done = run_within("run", "c.toml", "--report", "out", "--no-cache", cwd=folder)
    assert done.returncode == 2
    assert "expected: s[len(s) - 1]" in done.stdout and "the same" not in done.stdout
