"""`checks new`: claims and rulesets that are valid at once, and false siblings that are false."""

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from commands import ROOT, Done, run_within

from checks.command.cli import main
from claims.language.files.library import LIBRARY

VALIDATOR = jsonschema.Draft7Validator(json.loads((LIBRARY / "schemas/claim.schema.json").read_text("utf-8")))
GIVEN = {
    "octal": '(code = "0.77")',
    "misere-octal": '(code = "0.77")',
    "hexadecimal": '(code = "0.3F")',
    "digit-sum": "",
    "n-player-subtraction": "(S = {1, 2})",
}
THREE = ("--rules", "my-nim", "--take", "1..min(h, 3)", "--then", "iff(wins(s), nim_sum(h % 4 for h in s) > 0)")


def new(folder: Path, *words: str) -> Done:
    return run_within("new", *words, *(() if "--false" in words else ("--no-ask",)), cwd=folder)


def settle(folder: Path, *words: str) -> dict[str, str]:
    done = run_within("run", *words, "--json", "--no-report", "--no-cache", cwd=folder)
    return {claim["id"]: claim["verdict"] for claim in json.loads(done.stdout)["claims"]}


@pytest.mark.slow
def test_the_sessions_are_those_of_the_documentation(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    """A claim from scratch, a claim about a local game, its false sibling, and invalid requests."""
    told = []
    for words in (
        ("first",),
        ("mine", *THREE),
        ("--false", "mine.toml"),
        ("first",),
        ("odd/second",),
        ("bad", "--then", "winz(s)"),
        ("bad", "--forall", "k"),
        ("bad", "--rules", "bad"),
        ("--false", "nowhere.toml"),
        ("--false", "first.toml", "--title", "x"),
    ):
        done = new(tmp_path, *words)
        quoted = " ".join(word if word.replace("-", "").isalnum() or "." in word else f"'{word}'" for word in words)
        told.append(f"$ checks new {quoted}\n{done.stdout}{done.stderr}[{done.returncode}]\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.toml", "mine.toml", "my-nim.toml", "schemas"]
    told += [f"-- {name}.toml\n{(tmp_path / f'{name}.toml').read_text('utf-8')}" for name in ("mine", "my-nim")]
    golden("new/sessions.txt", "\n".join(told))


@pytest.mark.parametrize("game", sorted(path.stem for path in (LIBRARY / "rulesets").glob("*.toml")))
@pytest.mark.slow
def test_a_claim_about_each_game_is_valid_at_once(game: str, tmp_path: Path) -> None:
    done = new(tmp_path, "c", "--game", game + GIVEN.get(game, ""), "--no-schemas")
    assert (done.returncode, done.stderr) == (0, "")
    done = run_within("check", "c.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    VALIDATOR.validate(tomllib.loads((tmp_path / "c.toml").read_text("utf-8")))


def test_everything_can_be_said_by_options(tmp_path: Path) -> None:
    words = ("c", "--title", 'A "title" with \\', "--statement", "S.", "--work", "w", "--locator", "Lemma 2")
    words += ("--role", "lemma", "--expect", "proved", "--game", "kl-nim(k = 3, l = n)", "--forall", "n=4..6")
    words += ("--forall", "s=position", "--if", "len(s) == 1", "--then", "wins(s, P1) or max(s) > 2")
    words += ("--scope", "s.heaps=0..2", "--scope", "n=4..5")
    assert new(tmp_path, *words).returncode == 0
    data = tomllib.loads((tmp_path / "c.toml").read_text("utf-8"))
    assert data == {
        "format": 1,
        "title": 'A "title" with \\',
        "statement": "S.",
        "work": "w",
        "locator": "Lemma 2",
        "role": "lemma",
        "expect": "proved",
        "ruleset": "kl-nim(k = 3, l = n)",
        "forall": {"n": "4..6", "s": "position"},
        "claim": {"if": "len(s) == 1", "then": "wins(s, P1) or max(s) > 2"},
        "scope": {"n": "4..5", "s": {"heaps": "0..2", "size": "1..8"}},
    }


def test_numbers_alone_need_no_game(tmp_path: Path) -> None:
    assert new(tmp_path, "c", "--forall", "n=2..", "--then", "n * n > n", "--no-schemas").returncode == 0
    assert settle(tmp_path, "c.toml") == {"c": "verified"}
    assert [path.name for path in tmp_path.iterdir()] == ["c.toml"]


def test_questions_are_asked_of_what_no_option_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(
        main,
        ["new", "c", "--ask", "--if", "len(s) == 1"],
        input="Single heaps\nbash-nim(k = 3)\nwins(s) or s[0] % 4 == 0\n",
    )
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("written: c.toml"), "questions are asked where errors go"
    assert "[nim]: " in done.stderr
    data = tomllib.loads((tmp_path / "c.toml").read_text("utf-8"))
    assert (data["title"], data["ruleset"]) == ("Single heaps", "bash-nim(k = 3)")
    assert data["claim"] == {"if": "len(s) == 1", "then": "wins(s) or s[0] % 4 == 0"}


def test_a_ruleset_may_say_more(tmp_path: Path) -> None:
    words = (
        "--rules",
        "odd",
        "--players",
        "L, R",
        "--where",
        "m % 2 == 1",
        "--misere",
        "--then",
        "wins(s) or len(s) > 0",
    )
    assert new(tmp_path, "c", "--title", "t", *words).returncode == 0
    rules = tomllib.loads((tmp_path / "odd.toml").read_text("utf-8"))
    assert (rules["players"], rules["stuck"], rules["moves"][0]["where"]) == (["L", "R"], "wins", "m % 2 == 1")
    assert settle(tmp_path, "c.toml") == {"c": "verified"}


def test_schemas_are_found_and_renewed_and_others_are_left(tmp_path: Path) -> None:
    """The first line names a schema next to the file. An older schema is replaced, but not a foreign file."""
    folder = tmp_path / "schemas"
    folder.mkdir()
    older = folder / "claim.schema.json"
    older.write_text('{"title": "A claim"}', "utf-8")
    (folder / "works.schema.json").write_text('{"title": "Mine"}', "utf-8")
    assert new(tmp_path, "c").returncode == 0
    named = (tmp_path / "c.toml").read_text("utf-8").splitlines()[0].removeprefix("#:schema ")
    assert (tmp_path / named).read_bytes() == (ROOT / "claims/schemas/claim.schema.json").read_bytes()
    assert (folder / "works.schema.json").read_text("utf-8") == '{"title": "Mine"}'


# -- false siblings ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["examples/odd-heaps", "claims/nim/bouton"])
@pytest.mark.slow
def test_a_false_sibling_is_false_and_the_claim_as_it_was(name: str, tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    shutil.copy(ROOT / f"{name}.toml", path)
    for ruleset in ROOT.glob("examples/*-nim.toml"):
        shutil.copy(ruleset, tmp_path)
    before = path.read_text("utf-8")
    for number in (1, 2):
        done = new(tmp_path, "--false", "c.toml")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("written: c@")
        text = path.read_text("utf-8")
        assert text.startswith(before.rstrip("\n"))
        variants = tomllib.loads(text)["variants"]
        assert [variant["expect"] for variant in variants] == ["refuted"] * number
        assert len({json.dumps({**x, "name": ""}) for x in variants}) == number, "another one each time"
        id = f"c@{variants[-1]['name']}"
        assert settle(tmp_path, f"./{id}") == {id: "refuted"}


def test_no_sibling_is_written_of_what_is_false(tmp_path: Path) -> None:
    assert new(tmp_path, "f", "--forall", "n=0..", "--then", "n < 4", "--no-schemas").returncode == 0
    before = (tmp_path / "f.toml").read_bytes()
    done = new(tmp_path, "--false", "f.toml")
    assert (done.returncode, (tmp_path / "f.toml").read_bytes()) == (2, before)
    assert "this claim is refuted" in done.stderr


def test_a_sibling_is_nearest_to_the_claim(tmp_path: Path) -> None:
    """Most changes of n < 9 or n * n > 80 fail at 0 or at 8; the change that fails at 9 is kept."""
    words = ("c", "--forall", "n=0..", "--then", "n < 9 or n * n > 80", "--scope", "n=0..30", "--no-schemas")
    assert new(tmp_path, *words).returncode == 0
    assert new(tmp_path, "--false", "c.toml").stdout == "written: c@other-then, false at n = 9\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("",), "'.': this is not a file name"),
        (("..",), "'..': this is not a file name"),
        (("c", "--rules", "a/b"), "'a/b' cannot name a ruleset"),
        (("c", "--rules", "../up"), "cannot name a ruleset"),
        (("c", "--rules", "mine", "--game", "nim"), "--rules cannot be combined with --game"),
        (("c", "--title", "\udcff"), "surrogates not allowed"),
        (("c", "--title", "\x7f"), "this character is not allowed here"),
        (("c", "--role", "guess"), "'role' is \"guess\""),
        (("c", "--scope", "s.heap=1..2"), "unknown key 'heap'"),
    ],
)
def test_what_cannot_be_written_is_refused_and_nothing_is(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = new(tmp_path, *words)
    assert (done.returncode, done.stdout, list(tmp_path.rglob("*"))) == (2, "", [])
    assert said in done.stderr


def test_an_unknown_game_is_named(tmp_path: Path) -> None:
    done = new(tmp_path, "c", "--game", "nimm")
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert done.stderr.startswith("--game: no ruleset 'nimm'")
    assert "did you mean 'nim'?" in done.stderr
