"""`checks new`: claims and rulesets that are valid at once, and false siblings that are false."""

import json
import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from commands import ROOT, Done, run_within

from checks.command.cli import main
from checks.command.examples import list_examples, rename_ruleset
from claims.language.files.library import LIBRARY, select
from claims.language.files.toml import parse
from encoders.proving.reading import load_claim

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
    asks = {"--false", "--from"}.isdisjoint(words)
    return run_within("new", *words, *(("--no-ask",) if asks else ()), cwd=folder)


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
        ("copied", "--from", "two-staircases", "--rules", "stairs"),
        ("--from", "one-heap", "--title", "x"),
    ):
        done = new(tmp_path, *words)
        quoted = " ".join(word if word.replace("-", "").isalnum() or "." in word else f"'{word}'" for word in words)
        told.append(f"$ checks new {quoted}\n{done.stdout}{done.stderr}[{done.returncode}]\n")
    written = ("copied", "first", "mine", "my-nim", "staircase-odd-steps", "stairs")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["schemas", *(f"{x}.toml" for x in written)])
    shown = ("mine", "my-nim", "copied")
    told += [f"-- {name}.toml\n{(tmp_path / f'{name}.toml').read_text('utf-8')}" for name in shown]
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


# -- copies of examples -----------------------------------------------------------------------------------------------
EXAMPLES = list_examples()
CLAIM_FILES = {entries[0].path for entries in EXAMPLES.values()}
OWN_GAMES = {path.stem: path for path in (ROOT / "examples").rglob("*.toml") if path not in CLAIM_FILES}


def files_of(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (("--from", "one-heap"), {"one-heap", "half-nim"}),
        (("c", "--from", "lists"), {"c"}),
        (("c", "--from", "parity", "--rules", "odd"), {"c", "odd"}),
        (("c.toml", "--from", "two-staircases", "--rules", "r"), {"c", "r", "staircase-odd-steps"}),
        (("c", "--from", "preference-nim-misere", "--rules", "likes"), {"c", "likes"}),
        (("c", "--from", "no-repeat-multiples", "--rules", "r"), {"c", "r"}),
    ],
)
def test_a_copy_of_an_example_is_complete(words: tuple[str, ...], files: set[str], tmp_path: Path) -> None:
    done = new(tmp_path, *words, "--no-schemas")
    assert (done.returncode, done.stderr) == (0, "")
    assert files_of(tmp_path) == {f"{name}.toml" for name in files}
    checked = run_within("check", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    example = words[words.index("--from") + 1]
    name = example if words[0] == "--from" else "c"
    found, expected = settle(tmp_path, f"{name}.toml"), settle(ROOT, str(EXAMPLES[example][0].path))
    assert next(iter(found)) == name
    assert list(found.values()) == list(expected.values())


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.slow
def test_each_example_can_be_copied(name: str, tmp_path: Path) -> None:
    """The copies have the texts of the files. The claim and its variants are about the ruleset with the new name."""
    games = {g.ruleset.id for x in EXAMPLES[name] for g in load_claim(x.path, x.id).games} & OWN_GAMES.keys()
    names = dict.fromkeys(games, "new-name") if len(games) == 1 else {game: game for game in games}
    done = new(tmp_path, "c", "--from", name, "--no-schemas", *(("--rules", "new-name") if len(games) == 1 else ()))
    assert done.returncode == 0, done.stderr
    before, copy = (path.read_text("utf-8") for path in (EXAMPLES[name][0].path, tmp_path / "c.toml"))
    assert re.sub(r"(?<=['\"])new-name(?=['\"(])", "".join(games), copy) == before
    for game, copied in names.items():
        assert (tmp_path / f"{copied}.toml").read_bytes() == OWN_GAMES[game].read_bytes()
    entries = select((str(tmp_path / "c.toml"),))
    assert [x.id.partition("@")[2] for x in entries] == [x.id.partition("@")[2] for x in EXAMPLES[name]]
    rulesets = {game.ruleset.id for x in entries for game in load_claim(x.path, x.id).games}
    assert rulesets & {"new-name", *OWN_GAMES} == set(names.values())


def test_the_examples_are_listed_with_their_titles(tmp_path: Path) -> None:
    listed = new(tmp_path, "--from")
    assert (listed.returncode, listed.stderr, files_of(tmp_path)) == (0, "", set())
    lines = listed.stdout.splitlines()
    assert [line.split()[0] for line in lines] == sorted(EXAMPLES)
    title = "A single heap is lost if and only if its size is one less than a power of two"
    assert any(line.split(maxsplit=1) == ["one-heap", title] for line in lines)
    assert new(tmp_path, "c", "--from").stdout == listed.stdout
    unknown = new(tmp_path, "c", "--from", "one-heaps")
    assert (unknown.returncode, unknown.stdout, files_of(tmp_path)) == (2, "", set())
    first, second, *rest = unknown.stderr.splitlines()
    assert first == "--from: there is no example 'one-heaps'; did you mean 'one-heap'?"
    assert (second, rest) == ("expected: one of", [f"  {line}" for line in lines])


def test_no_two_examples_have_one_name() -> None:
    """Only rulesets have names that are not in the list."""
    assert all("[[moves]]" in path.read_text("utf-8") for path in OWN_GAMES.values())


def test_a_file_that_is_there_is_used_if_it_is_the_same_and_never_overwritten(tmp_path: Path) -> None:
    assert new(tmp_path, "--from", "one-heap").returncode == 0
    second = new(tmp_path, "--from", "unbalanced")
    assert (second.returncode, second.stdout.splitlines()[0]) == (0, "written: unbalanced.toml")
    game = tmp_path / "half-nim.toml"
    game.write_text(game.read_text("utf-8").replace("h // 2", "h // 3"), "utf-8")
    before = {path: path.read_bytes() for path in tmp_path.glob("*.toml")}
    elsewhere = "another folder, or for a ruleset --rules with another name"
    for words, file, expected in (
        (("--from", "one-heap"), "one-heap", "another name"),
        (("c", "--from", "one-heap"), "half-nim", elsewhere),
        (("c", "--from", "one-heap", "--rules", "unbalanced"), "unbalanced", elsewhere),
    ):
        done = new(tmp_path, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"{file}.toml: already exists\nexpected: {expected}\n"
        assert {path: path.read_bytes() for path in tmp_path.glob("*.toml")} == before


def test_only_references_to_the_ruleset_are_renamed(tmp_path: Path) -> None:
    """Another ruleset may have a longer name, and two references may be on one line."""
    text = 'games = { a = "nim(k = 1)", b = "nim-x", c = \'nim\' }\nnotes = "nim"\n[[variants]]\nruleset = "nim"\n'
    renamed = rename_ruleset(parse(tmp_path / "c.toml", text), "nim", "my-nim")
    names = ('"nim(', "'nim'", 'ruleset = "nim"')
    for name in names:
        text = text.replace(name, name.replace("nim", "my-nim"))
    assert renamed == text


def test_a_copy_that_would_be_invalid_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "definitions.toml").write_text('format = 1\n[define]\npair = "2"\n', "utf-8")
    done = new(tmp_path, "--from", "length-of-play")
    assert (done.returncode, files_of(tmp_path)) == (2, {"definitions.toml"})
    assert "nothing is written" in done.stderr


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
        (("half-nim", "--from", "one-heap"), "half-nim.toml: two files of the example would have this name"),
        (("c", "--from", "one-heap", "--rules", "C"), "C.toml: two files of the example would have this name"),
        (("c", "--from", "one-heap", "--rules", "a/b"), "'a/b' cannot name a ruleset"),
        (("c", "--from", "preference-nim-misere", "--rules", "misere-nim"), "the library has a ruleset 'misere-nim'"),
        (("c", "--from", "lists", "--rules", "r"), "the example 'lists' contains no ruleset"),
        (("odd/c", "--from", "one-heap"), "c.toml: the file cannot be written, because its folder does not exist"),
        (("c", "--from", "one-heap", "--if", "True"), "--from cannot be combined with --if"),
        (("c", "--from", "one-heap", "--false"), "--false cannot be combined with --from"),
        ((), "Missing argument 'FILE'"),
        (("--false",), "Missing argument 'FILE'"),
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
