"""The groups of `--help`, the commands under their old names, and `verify`, which replaces two of them."""

import json
import re
from pathlib import Path

import pytest
from claim_texts import HEAD
from commands import run_within as within

from checks.command.cli import main
from checks.command.commands import CODES, GROUPS

FALSE = HEAD + '[forall]\nx = "1.."\n[claim]\nthen = "x < 3"\n[scope]\nx = "1..9"\n'
OLD = {"list": "show", "mutate": "run --mutants", "replay": "verify", "certify": "verify", "merge": "run --merge"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "false.toml").write_text(FALSE, "utf-8")
    return tmp_path


@pytest.fixture
def report(folder: Path) -> Path:
    assert within("run", "false.toml", "nim/bouton", "--no-cache", "--report", "out", cwd=folder).returncode == 1
    return folder / "out"


# -- help -------------------------------------------------------------------------------------------------------------
def test_help_lists_each_command_in_its_group_and_no_old_name() -> None:
    text = within("--help").stdout
    for heading, names in GROUPS.items():
        section = re.search(rf"^{heading}:\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
        assert section is not None, heading
        shown = re.findall(r"^  (\w+) ", section[1], re.MULTILINE)
        assert shown == [name for name in names if not main.commands[name].hidden]
    assert "Other:" not in text
    assert not [name for name in OLD if re.search(rf"^  {name} ", text, re.MULTILINE)]


def test_the_help_of_run_lists_eight_common_options_first() -> None:
    common, _, advanced = within("run", "--help").stdout.partition("\nAdvanced:\n")
    options = re.findall(r"^  (?:-\w, )?--([\w-]+)", common.partition("\nOptions:\n")[2], re.MULTILINE)
    assert options == ["scope", "set", "mutants", "library", "budget", "jobs", "report", "open", "help"]
    assert "--solver-steps" in advanced and "--help" not in advanced


@pytest.mark.parametrize("command", CODES)
def test_the_help_of_a_command_has_its_row_of_the_table_of_exit_codes(command: str) -> None:
    text = within(command, "--help").stdout
    for code, meaning in CODES[command].items():
        assert f"    {code}  {meaning}" in text


# -- old names --------------------------------------------------------------------------------------------------------
def told(old: str, new: str) -> str:
    return f"deprecated: `checks {old}` will be removed in version 1.0; use `checks {new}`\n"


def test_list_works_until_1_0(folder: Path) -> None:
    done = within("list", "false.toml", cwd=folder)
    assert (done.returncode, done.stderr) == (0, told("list", "show"))
    assert done.stdout.split()[0] == "false" and done.stdout.count("\n") == 1


def test_mutate_works_until_1_0(folder: Path) -> None:
    words = ("false.toml", "--set", "x=1..2", "--no-cache", "--report", "out")
    old, new = within("mutate", *words, cwd=folder), within("run", "--mutants", *words, cwd=folder)
    assert (old.returncode, old.stderr) == (0, told("mutate", "run --mutants"))
    assert (new.returncode, new.stderr) == (0, "")
    assert re.search(r"kills \d of [1-9] mutants", old.stdout)
    assert re.sub(r"[0-9.]+ s", "", old.stdout) == re.sub(r"[0-9.]+ s", "", new.stdout)
    command = json.loads((folder / "out/report.json").read_text("utf-8"))["run"]["command"]
    assert command == "python -m checks run false.toml --mutants --set x=1..2"


def test_replay_works_until_1_0(report: Path, folder: Path) -> None:
    done = within("replay", "out/receipts/false.json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, told("replay", "verify"))
    assert done.stdout.startswith("false: refuted, confirmed\n")
    assert within("replay", "nothing.json", cwd=folder).returncode == 2


def test_certify_works_until_1_0(report: Path, folder: Path) -> None:
    done = within("certify", "--report", "out", cwd=folder)
    assert (done.returncode, done.stderr) == (0, told("certify", "verify"))
    assert "nim/bouton: 9 obligations certified\n" in done.stdout
    assert within("certify", "--report", "nowhere", cwd=folder).returncode == 2


@pytest.mark.parametrize("option", ["weaken", "shorten"])
@pytest.mark.slow
def test_options_of_find_work_until_1_0(option: str, folder: Path) -> None:
    old = within("find", "nim/bouton", f"--{option}", "--budget", "2s", cwd=folder)
    new = within(option, "nim/bouton", "--budget", "2s", cwd=folder)
    assert old.stderr.startswith(told(f"find --{option}", option))
    assert (old.returncode, old.stdout) == (new.returncode, new.stdout)
    done = within(option, "nim", cwd=folder)
    assert (done.returncode, "nim is not a claim" in done.stderr) == (2, True)


# -- show -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (("nim/bout*",), ["nim/bouton  theorem"]),
        ((".",), ["false  conjecture"]),
        (("false.toml", "--long"), ["false  conjecture"]),
        (("nim/bouton",), ["nim/bouton: "]),
        (("false.toml",), ["false: T"]),
        (("false", "nim/bouton"), ["false: T", "nim/bouton: "]),
    ],
)
def test_an_id_or_a_file_is_shown_and_a_glob_or_a_folder_listed(
    words: tuple[str, ...], lines: list[str], folder: Path
) -> None:
    shown = re.sub(r" +", "  ", within("show", *words, cwd=folder).stdout)
    for line in lines:
        assert re.search(rf"^{re.escape(line)}", shown.replace(":  ", ": "), re.MULTILINE), shown


def test_obligations_need_a_claim(folder: Path) -> None:
    for words in (("--obligations",), ("--smt2", "closed")):
        done = within("show", *words, cwd=folder)
        assert (done.returncode, f"{words[0]} needs a claim" in done.stderr) == (2, True)


# -- verify -----------------------------------------------------------------------------------------------------------
def test_a_report_is_verified_with_its_receipts_and_certificates(report: Path, folder: Path) -> None:
    done = within("verify", "out", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "false: refuted; confirmed\n" in done.stdout
    assert "nim/bouton: proved; confirmed; 9 obligations certified\n" in done.stdout
    assert "of the proof" not in done.stdout, "the certificates show the obligations"
    assert done.stdout.endswith("2 receipts, 2 confirmed; 9 obligations certified, 0 only trusted\n")
    same = within("verify", "out/report.json", cwd=folder)
    assert same.stdout == done.stdout
    parts = [within("verify", f"out/{name}", cwd=folder) for name in ("receipts", "certificates")]
    assert [part.returncode for part in parts] == [0, 0]
    assert parts[0].stdout == done.stdout
    assert parts[1].stdout.startswith("nim/bouton: 9 obligations certified; there is no receipt\n")
    (report / "certificates/nim/bouton.json").rename(folder / "moved.json")
    alone = within("verify", "out/receipts/nim/bouton.json", cwd=folder)
    assert alone.returncode == 0
    assert "nim/bouton: proved; nothing contradicts the receipt\n" in alone.stdout
    assert "    the 9 obligations of the proof\n" in alone.stdout.partition("not checked again:")[2]
    assert "9 obligations certified; there is no receipt" in within("verify", "moved.json", cwd=folder).stdout
    done = within("verify", "out", cwd=folder)
    assert (
        done.returncode,
        "REFUSED nim/bouton: the claim is proved, but its certificates are missing" in done.stderr,
    ) == (1, True)


LEMMA = """[forall]
a = "0.."
b = "0.."
[claim]
then = "iff(wins(position([a, b])), a != b)"
[scope]
a = "0..4"
b = "0..4"
[proof]
by = ["nim/bouton"]
"""


def test_a_proof_by_a_lemma_is_confirmed_only_with_the_lemma(folder: Path) -> None:
    (folder / "by.toml").write_text(HEAD + 'ruleset = "nim"\n' + LEMMA, "utf-8")
    assert within("run", "by.toml", "--no-cache", "--report", "out", cwd=folder).returncode == 0
    alone = within("verify", "out/receipts/by.json", cwd=folder)
    assert "by: proved; nothing contradicts the receipt; " in alone.stdout
    assert "that the lemma nim/bouton is proved" in alone.stdout.partition("not checked again:")[2]
    for words in (("out",), ("out/receipts/by.json", "out/receipts/nim/bouton.json")):
        done = within("verify", *words, cwd=folder)
        assert done.returncode == 0
        assert "by: proved; confirmed; " in done.stdout
        assert "    the lemma nim/bouton, which is confirmed too\n" in done.stdout
    (folder / "out/certificates/nim/bouton.json").unlink()
    done = within("verify", "out", cwd=folder)
    assert (done.returncode, "by: proved; nothing contradicts the receipt; " in done.stdout) == (1, True)


def test_a_report_with_a_forged_receipt_is_contradicted_and_the_rest_is_verified(report: Path, folder: Path) -> None:
    from checks.receipts.receipt import seal

    path = report / "receipts/false.json"
    data = json.loads(path.read_text("utf-8"))
    data["replay"][0]["variables"] = {"x": 2}
    path.write_text(json.dumps({**data, "seal": seal(data)}), "utf-8")
    done = within("verify", "out", "--json", cwd=folder)
    assert done.returncode == 4
    found = json.loads(done.stdout)
    assert [(x["code"], x["confirmed"]) for x in found["claims"]] == [(4, False), (0, True)]
    assert (found["refused"], found["confirmed"]) == (1, 1)
    done = within("verify", "out", cwd=folder)
    assert "INCONSISTENT out/receipts/false.json: " in done.stderr and "nim/bouton: proved" in done.stdout


def test_a_changed_claim_is_named_once_and_not_confirmed(report: Path, folder: Path) -> None:
    (folder / "false.toml").write_text(FALSE.replace("x < 3", "x < 4"), "utf-8")
    (report / "sources/false.toml").unlink(missing_ok=True)
    done = within("verify", "out", cwd=folder)
    assert (done.returncode, done.stderr.count("has changed")) == (2, 1)


def test_without_evidence_nothing_is_confirmed(folder: Path) -> None:
    (folder / "empty").mkdir()
    for words in ((), ("empty",), ("false.toml",), ("--report", "empty")):
        done = within("verify", *words, cwd=folder)
        assert (done.returncode, done.stdout) == (2, ""), words
        assert "expected" in done.stderr


@pytest.mark.slow
def test_settling_again_is_part_of_verifying(report: Path, folder: Path) -> None:
    done = within("verify", "out", "--rerun", cwd=folder)
    assert done.returncode == 0
    assert done.stdout.count("the claim was settled again") == 2
    assert within("verify", "out", "--rerun", "--budget", "0s", cwd=folder).returncode == 3
