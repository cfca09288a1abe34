"""`checks check` for a user: all faults of a file at once, warnings about a valid file, `--fix`."""

import json
import re
import shutil
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from itertools import count
from pathlib import Path

import pytest
from commands import run_within

from checks.command import files
from checks.command.files import put_in_form
from checks.results.model import KINDS, FaultKind
from claims.language.files.library import LIBRARY
from encoders.proving.reading import find_faults, load_claim

HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "l"\nrole = "conjecture"\n'
NIM = f'{HEAD}ruleset = "nim"\n'
POSITION = '\n[forall]\ns = "position"\n\n[claim]\n{claim}\n\n[scope]\ns = {{ heaps = "0..3", size = "1..5" }}\n'
SOUND = NIM + POSITION.format(claim='then = "iff(wins(s), nim_sum(s) != 0)"')
FIVE = """format = 1
title = "T"
statment = "S."
work = "w"
locator = "l"
role = "conjectur"
ruleset = "nim"

[forall]
s = "position"
n = "1.."

[define]
"f(x)" = "nim_sm(x) + 1"

[claim]
then = "f(n) > 0 and wins(t)"

[scope]
n = "10..1"
s = { heaps = "0..3", size = "1..5" }
"""
ODD = f"""{HEAD.replace('"T"', '"No position is won"')}ruleset = "bash-nim"
expect = "refuted"
uses = ["nim/bouton", "nim/nowhere"]

[forall]
k = "1.."
s = "position"
unused = "1..3"

[define]
"f(x)" = "x + 1"
"g(x)" = "f(x)"
"popcount(x)" = "x"

[claim]
if = "popcount(len(s)) == 3 and max(s) == 1"
then = "wins(s)"

[scope]
k = "1..1"
s = {{ heaps = "0..4", size = "1..7" }}
"""
FILES = {
    "five": FIVE,
    "toml": SOUND.replace('"T"', "T").replace('"w"', "w"),
    "defined": SOUND.replace("[claim]", '[define]\n"f(x" = "1"\n"g(x)" = "x +"\nh = 3\n\n[claim]').replace(
        "iff(", "f(1) == g(2) and h == missing and iff("
    ),
    "one-expression": SOUND.replace("nim_sum(s) != 0", "nimsum(s) != zero and q(s) > x"),
    "ruleset-missing": SOUND.replace('"nim"', '"nimm"').replace("nim_sum(s)", "nim_sum(s"),
    "ruleset-misspelt": SOUND.replace("ruleset", "rulset"),
    "scope": SOUND.replace("heaps =", "heap =").replace('"1..5"', "five"),
    "proof": f'{SOUND}\n[proof]\nrul = "folds"\n\n[proof.loses]\nmover = "nim_sum(s) = 0"\n',
    "variants": f'{SOUND}\n[[variants]]\nname = "a"\nclaim.then = "win(s)"\n[[variants]]\nname = "b"\nclaim.if = "y"\n',
    "odd": ODD,
    "rules": 'format = 2\nplayers = ["A"]\nstuck = "losses"\nsatte = 1\n[[moves]]\nchoose = "any heap h"\npick = '
    '{ m = "1..k", p = "1.." }\nwhere = "m odd"\nbecome = ["h - m", "n"]\n[[moves]]\nchoose = "a heap h"\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_all_faults_of_a_file_are_told_at_once(name: str, folder: Path, golden: Callable[[str, str], None]) -> None:
    done = run_within("check", f"{name}.toml", cwd=folder)
    assert (done.returncode, done.stderr) == (1 if name == "odd" else 2, "")
    told = re.sub(r"(next to the claim, or one of )[^;]*", r"\1...", done.stdout)  # shipped names do not matter
    golden("check.txt", f"$ checks check {name}.toml\n{told}", name)


def test_a_file_with_five_faults_shows_five(folder: Path) -> None:
    found = json.loads(run_within("check", "five.toml", "--json", cwd=folder).stdout)["faults"]
    assert [(x["file"], x["line"], x["column"], x["key"]) for x in found] == [
        ("five.toml", 3, 1, "statment"),
        ("five.toml", 6, 8, "role"),
        ("five.toml", 14, 11, "define.f(x)"),
        ("five.toml", 17, 27, "claim.then"),
        ("five.toml", 20, 5, "scope.n"),
    ]
    assert [x["suggested"] for x in found] == ["statement", "conjecture", "nim_sum", "", ""]


def test_a_run_tells_all_of_them_too(folder: Path) -> None:
    done = run_within("run", "five.toml", "--report", "out", "--format", "github", cwd=folder)
    assert done.returncode == 2
    told = json.loads(run_within("check", "five.toml", "--json", cwd=folder).stdout)["faults"]
    (claim,) = json.loads((folder / "out/report.json").read_text("utf-8"))["claims"]
    assert claim["faults"] == told
    assert done.stdout.count("::error file=five.toml,line=") == 5
    for fault in told:
        assert f"five.toml:{fault['line']}:{fault['column']}: {fault['message']}" in done.stdout


BROKEN = FIVE.replace('n = "10..1"', 'n = = "10..1"')
SYNTAX = ("not TOML: this is not a value", 20, 5)
IN_A_RULESET = {
    "claim": SOUND.replace('"nim"', '"rules"').replace("statement", "statment"),
    "rules": 'format = 1\nname = "rules"\nnonsense = 3\n[[moves]\n',
}


@pytest.mark.parametrize("command", ["check", "run"])
@pytest.mark.parametrize(
    ("files", "file", "first"),
    [
        ({"claim": BROKEN}, "claim.toml", SYNTAX),
        (IN_A_RULESET, "rules.toml", ("not TOML: the name of the table is not closed", 4, 8)),
    ],
)
def test_a_syntax_error_is_told_before_what_stands_above_it(
    files: dict[str, str], file: str, first: tuple[str, int, int], command: str, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
    more = ("--no-cache", "--report", "out") if command == "run" else ()
    message, line, column = first
    place = f"{file}:{line}:{column}: {message}"

    def told(form: str) -> str:
        return run_within(command, "claim.toml", *more, "--format", form, cwd=tmp_path).stdout

    faults = [x for x in told("text").splitlines() if re.match(r" *[\w.]+:\d+:\d+: ", x)]
    assert len(faults) > 1 and faults[0].strip() == place
    annotations = [x for x in told("github").splitlines() if x.startswith("::error ")]
    assert annotations[0].startswith(f"::error file={file},line={line},col={column},")
    data = json.loads(told("json"))
    found = (data if command == "check" else data["claims"][0])["faults"][0]
    assert (found["file"], found["message"], found["line"], found["column"]) == (file, *first)
    if command == "run":
        (result,) = json.loads((tmp_path / "out/report.sarif").read_text("utf-8"))["runs"][0]["results"]
        assert place in result["message"]["text"]
        where = result["locations"][0]["physicalLocation"]
        assert where["artifactLocation"]["uri"] == file
        assert where["region"] == {"startLine": line, "startColumn": column, "endColumn": column + 1}
        assert f"error: {place}" in (tmp_path / "out/junit.xml").read_text("utf-8")


def test_the_first_fault_is_the_one_that_is_raised(folder: Path) -> None:
    """A claim with faults is never accepted, whether the faults are collected or not."""
    for name in FILES:
        if name not in ("odd", "rules", "variants"):
            faults = [str(x) for x in find_faults(folder / f"{name}.toml", name)]
            with pytest.raises(Exception) as caught:  # noqa: PT011 - the exception is compared below
                load_claim(folder / f"{name}.toml", name)
            assert str(caught.value).split("\n")[0] in [x.split("\n")[0] for x in faults], name


def test_a_sound_file_has_no_faults_and_nothing_is_settled(tmp_path: Path) -> None:
    (tmp_path / "sound.toml").write_text(SOUND.replace('"1..5"', '"1..100000000"'), "utf-8")
    done = run_within("check", "sound.toml", "--json", cwd=tmp_path)
    assert done.returncode == 0
    assert {x["kind"] for x in json.loads(done.stdout)["faults"]} <= {"provable"}


ODD = [
    k
    for k in FaultKind
    if k not in (FaultKind.UNREADABLE, FaultKind.MISSPELT, FaultKind.CIRCULAR_USES, FaultKind.NOT_CHECKED)
]


@pytest.mark.parametrize("kind", ODD)
def test_each_oddity_is_met_in_the_odd_file_or_a_sound_one(kind: FaultKind, folder: Path) -> None:
    (folder / "sound.toml").write_text(SOUND, "utf-8")
    name = "sound" if kind is FaultKind.PROVABLE else "odd"
    found = json.loads(run_within("check", f"{name}.toml", "--json", cwd=folder).stdout)["faults"]
    assert [x["severity"] for x in found if x["kind"] == kind] != []
    assert {x["severity"] for x in found if x["kind"] == kind} == {KINDS[kind][0].value}


def test_an_argument_in_a_circle(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        text = SOUND.replace('role = "conjecture"', f'role = "lemma"\nuses = ["w/{other}"]')
        (tmp_path / "w").mkdir(exist_ok=True)
        (tmp_path / f"w/{name}.toml").write_text(text, "utf-8")
    done = run_within("check", "w", "--json", cwd=tmp_path)
    assert done.returncode == 1
    (fault,) = (x for x in json.loads(done.stdout)["faults"] if x["kind"] != "provable")
    assert (fault["kind"], fault["line"]) == ("circular-uses", 7)


def test_of_a_lemma_the_first_fault_is_told_with_who_names_it(tmp_path: Path) -> None:
    (tmp_path / "lemma.toml").write_text(FIVE, "utf-8")
    (tmp_path / "c.toml").write_text(f'{SOUND}\n[proof]\nby = ["lemma"]\n', "utf-8")
    found = json.loads(run_within("check", "c.toml", "--json", cwd=tmp_path).stdout)["faults"]
    assert [(x["file"], x["line"], x["calls"][-1]["line"]) for x in found if x["severity"] == "error"] == [
        ("lemma.toml", 3, 19)
    ]


def test_a_file_that_takes_too_long_is_named_and_the_exit_code_is_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load_for_ever(*_: object) -> None:
        for _ in count():
            pass

    monkeypatch.setattr(files, "load_claim", load_for_ever)
    (tmp_path / "sound.toml").write_text(SOUND, "utf-8")
    done = run_within("check", "sound.toml", "--budget", "100ms", "--json", cwd=tmp_path)
    (fault,) = json.loads(done.stdout)["faults"]
    assert (done.returncode, fault["kind"], fault["severity"]) == (3, "not-checked", "error")
    assert "the budget of 0.1 s is used up" in fault["message"]


def test_other_files_of_a_folder_are_checked_too(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(SOUND, "utf-8")
    (tmp_path / "works.toml").write_text('format = 1\n[works.w]\ntitle = "W"\nordr = []\norder = ["d", "e"]\n', "utf-8")
    (tmp_path / "definitions.toml").write_text('format = 1\n[define]\n"f(x)" = "x +"\n', "utf-8")
    (tmp_path / "g.toml").write_text(FILES["rules"], "utf-8")
    done = run_within("check", ".", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (2, "")
    assert found["files"] == 4
    count = {
        name: sum(x["file"] == name for x in found["faults"]) for name in ("works.toml", "definitions.toml", "g.toml")
    }
    assert count["works.toml"] == 3
    assert count["definitions.toml"] == 1
    assert count["g.toml"] > 5


def test_what_is_misspelt_is_written_right_and_the_form_is_that_of_the_library(folder: Path) -> None:
    path = folder / "five.toml"
    path.write_text(FIVE.replace("title = ", "title=").replace("[claim]", "\n\n\n[claim]   "), "utf-8")
    run_within("check", "--fix", "five.toml", cwd=folder)
    text = path.read_text("utf-8")
    assert text == FIVE.replace("statment", "statement").replace("conjectur", "conjecture")
    left = json.loads(run_within("check", "five.toml", "--json", cwd=folder).stdout)["faults"]
    assert [x["kind"] for x in left] == ["unreadable"] * 3  # names in expressions are left to the author


def test_a_word_is_left_that_is_only_a_little_like_another(tmp_path: Path) -> None:
    text = SOUND.replace('title = "T"', 'satte = "T"')
    (tmp_path / "c.toml").write_text(text, "utf-8")
    run_within("check", "--fix", "c.toml", cwd=tmp_path)
    assert (tmp_path / "c.toml").read_text("utf-8") == text


def test_a_word_is_left_that_would_take_the_place_of_another(tmp_path: Path) -> None:
    text = SOUND.replace('title = "T"', 'title = "T"\ntitel = "U"')
    (tmp_path / "c.toml").write_text(text, "utf-8")
    run_within("check", "--fix", "c.toml", cwd=tmp_path)
    assert (tmp_path / "c.toml").read_text("utf-8") == text


@pytest.mark.slow
def test_no_file_of_the_library_has_another_form() -> None:
    for path in sorted(LIBRARY.rglob("*.toml")):
        text = path.read_text("utf-8")
        assert put_in_form(text) == text, path


@pytest.mark.parametrize(
    "text",
    [
        'a = """\nx  \n\n\n[b]\n  """\n',
        "a = '''x=1'''\r\nb='y'\r\n",
        'a = { b="1" , c = [ 1,2 ] } # =\n',
        "[a]\n[b]\n# c\n[d]\n",
    ],
)
def test_a_form_says_the_same(text: str) -> None:
    import tomllib

    formed = put_in_form(text)
    assert tomllib.loads(formed) == tomllib.loads(text)
    assert put_in_form(formed) == formed


def test_a_claim_on_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def give(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))

    give(FIVE)
    done = run_within("check", "-", "--json", cwd=tmp_path)
    assert (done.returncode, {x["file"] for x in json.loads(done.stdout)["faults"]}) == (2, {"stdin.toml"})
    give(SOUND)
    done = run_within("run", "-", "--report", "out", "--no-cache", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "verified" in done.stdout
    give("x" * 300_000)
    done = run_within("check", "-", cwd=tmp_path)
    assert (done.returncode, "more than 256 KiB" in done.stderr) == (2, True)


def test_annotations_have_line_and_column(folder: Path) -> None:
    done = run_within("check", "five.toml", "odd.toml", "--format", "github", cwd=folder)
    assert "::error file=five.toml,line=3,col=1,endColumn=9,title=misspelt::unknown key 'statment'%0A" in done.stdout
    assert re.search(r"^::warning file=odd.toml,line=\d+", done.stdout, re.MULTILINE)
    assert re.search(r"^::notice file=odd.toml,line=\d+", done.stdout, re.MULTILINE)


def test_notes_are_told_of_many_files_only_when_asked(folder: Path) -> None:
    shutil.copy(folder / "odd.toml", folder / "again.toml")
    words = ["odd.toml", "again.toml", "scope.toml", "toml.toml"]
    assert "note: " not in run_within("check", *words, cwd=folder).stdout
    assert "note: " in run_within("check", *words, "--notes", cwd=folder).stdout
