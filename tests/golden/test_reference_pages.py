"""The reference pages agree with the code: tables are generated, and examples are parsed and evaluated.

`pytest --renew-golden` writes the generated parts again.
"""

import re
from pathlib import Path

import pytest
from case_files import read_cases
from settling import settled

from checks.boards.illustrate import read_case
from checks.boards.positions import draw_case
from checks.boards.solver import solve
from checks.command.position_text import tell_solution
from checks.execution.settle import settle_entry
from checks.judgement.explain import show_position
from checks.judgement.scopes import Options
from checks.referee.meaning import RefereeSteps, TermEvaluator, refuse_game
from checks.referee.play import RefereeGame
from checks.results.model import KINDS, FaultKind
from checks.results.shown import DrawnAs, Undrawn
from claims.language.errors import LanguageError
from claims.language.files import definitions
from claims.language.files import games as variables
from claims.language.files import toml as source
from claims.language.files.claim import EXPECTATIONS, ROLES
from claims.language.files.library import KEYS, LIBRARY, Entry, read_works, select
from claims.language.files.rulesets import load_ruleset
from claims.language.syntax import elaborate, grammar
from claims.language.syntax.builtins import BUILTINS, REDUCERS, list_functions
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.meanings import MAX_PLAYERS, MAX_POWER_BITS, MAX_PRODUCT_BITS, MAX_RANGE
from claims.language.syntax.questions import QUESTIONS, TAKEN
from claims.language.syntax.terms import POSITION
from encoders.proving.reading import load_claim
from reports.page.heaps import draw_alone

DOCS = Path(__file__).parents[2] / "docs"
CLAIMS, RULESETS, PARTS = DOCS / "claim-language.md", DOCS / "rulesets.md", DOCS / "heaps-with-parts.md"
PICTURES = DOCS / "pictures-of-a-claim.md"
EVALUATION = DOCS / "evaluation.md"
WRITING, GAMES = DOCS / "write-a-claim.md", DOCS / "describe-a-game.md"


def table(head, rows):
    cells = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in cells) + "\n"


def meanings(pairs):
    """Return rows from "notation: meaning"."""
    return [[f"`{form}`", meaning] for form, meaning in pairs]


FORMS = [tuple(row.says.split(": ", 1)) for op, row in BUILTINS.items() if op != "rational"]
FORMS += [("implies(a, b)", "b, or not a"), ("iff(a, b)", "both true or both false")]
LIMITS = [
    ("a file", f"{source.MAX_BYTES // 1024} KiB"),
    ("tables and lists inside each other, in a file", str(source.MAX_DEPTH)),
    ("an expression", f"{grammar.MAX_LENGTH} characters"),
    ("a number in an expression", f"{grammar.MAX_DIGITS} digits"),
    ("brackets inside each other, in an expression", str(grammar.MAX_NESTING)),
    ("operators and calls inside each other, called definitions included", f"{elaborate.MAX_DEPTH} levels"),
    ("variables that run inside each other, in the comprehensions of an expression", str(elaborate.MAX_RUNNING)),
    ("definitions, counted once for each choice of argument types", str(elaborate.MAX_INSTANCES)),
    ("the integers of `subsets of`", str(variables.MAX_SUBSET_RANGE)),
]
REACH = [
    ("the length of a `range`", f"{MAX_RANGE} integers"),
    ("the players of a game", f"{MAX_PLAYERS}"),
    ("the value of a power", f"{MAX_POWER_BITS} bits"),
    ("the factors of a product, together", f"{MAX_PRODUCT_BITS} bits"),
]
TABLES = {
    "functions": table(["written", "meaning"], meanings(FORMS)),
    "questions": table(["written", "gives", "meaning"],
                       [[f"`{q.head}`", str(q.result), q.meaning] for q in QUESTIONS.values()]),
    "limits": table(["what", "at most"], LIMITS),
    "reach": table(["what", "at most"], REACH),
}  # fmt: skip


def listed(words, last):
    found = [f"`{w}`" for w in words]
    return f"{', '.join(found[:-1])}{last}{found[-1]}"


BAD = sorted((Path(__file__).parent / "bad").glob("*.txt"))
LISTS = {
    "roles": listed([f'"{r}"' for r in ROLES], " or "),
    "expectations": listed([f'"{e}"' for e in EXPECTATIONS], " or "),
    "reducers": listed(REDUCERS, ", "),
    "taken": listed(TAKEN, " or "),
}


def generated(text):
    """Return the page with its generated parts renewed."""
    for name, content in TABLES.items():
        text = re.sub(
            rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", lambda m, c=content: m[1] + c + m[2], text, flags=re.DOTALL
        )
    for name, content in LISTS.items():
        text = re.sub(
            rf"(<!-- list: {name} -->).*?(<!-- end -->)", lambda m, c=content: m[1] + c + m[2], text, flags=re.DOTALL
        )

    def ruleset(match):
        file = (LIBRARY / "rulesets" / f"{match[2]}.toml").read_text("utf-8")
        return f"{match[1]}```toml\n{file.rstrip()}\n```"

    text = re.sub(r"(<!-- ruleset: ([\w-]+) -->\n)```toml\n.*?```", ruleset, text, flags=re.DOTALL)

    def refusal(match):
        (text,) = {
            case.expected for topic in BAD for case in read_cases(topic)[1] if f"{topic.stem}/{case.name}" == match[2]
        }
        return f"{match[1]}```\n{text.rstrip()}\n```"

    return re.sub(r"(<!-- refusal: ([\w/-]+) -->\n)```\n.*?```", refusal, text, flags=re.DOTALL)


def test_the_kinds_of_faults_are_listed(golden):
    rows = "| kind | severity | meaning |\n|---|---|---|\n"
    rows += "".join(f"| `{kind}` | {severity} | {words} |\n" for kind, (severity, words) in KINDS.items())
    page = (DOCS / "checking.md").read_text("utf-8")
    page = re.sub(
        r"(<!-- kinds -->\n).*?(<!-- end -->)", lambda found: found[1] + rows + found[2], page, flags=re.DOTALL
    )
    golden("../../docs/checking.md", page)
    assert set(KINDS) == set(FaultKind)


@pytest.mark.parametrize("page", [CLAIMS, EVALUATION, GAMES], ids=lambda p: p.name)
def test_generated_parts_are_up_to_date(page, golden):
    golden(f"../../docs/{page.name}", generated(page.read_text("utf-8")))


def test_every_generated_part_has_its_place():
    text = "".join(page.read_text("utf-8") for page in (CLAIMS, EVALUATION, GAMES))
    assert set(re.findall(r"<!-- table: (\w+) -->", text)) == set(TABLES)
    assert set(re.findall(r"<!-- list: (\w+) -->", text)) == set(LISTS)
    assert len(re.findall(r"<!-- ruleset: ", text)) == 6
    assert len(re.findall(r"<!-- refusal: ", text)) == 2


def test_every_function_and_question_is_documented():
    text = CLAIMS.read_text("utf-8")
    for name in (*list_functions(), *QUESTIONS):
        assert re.search(rf"^\| `(c\.)?{name}\(", text, re.MULTILINE), name
    for form, _ in FORMS:
        assert f"| `{form}` |" in text


def test_every_key_is_documented():
    text = CLAIMS.read_text("utf-8")
    for key in KEYS:
        assert re.search(rf"^\|.*`\[{{0,2}}{key}\]{{0,2}}`.*\|.*\|", text, re.MULTILINE), key
    text = RULESETS.read_text("utf-8")
    for key in (
        "format",
        "title",
        "players",
        "parameters",
        "stuck",
        "notes",
        "measure",
        "heap",
        "choose",
        "pick",
        "where",
        "become",
    ):
        assert f"| `{key}` |" in text, key


# -- the examples ----------------------------------------------------------------------------------------------------
def blocks(*pages):
    text = "\n".join(page.read_text("utf-8") for page in pages)
    return re.findall(r"^```toml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def find_rules(title):
    """The ruleset of that title on one of the pages."""
    return next(b for b in blocks(GAMES, RULESETS, PARTS) if f'title = "{title}"' in b)


HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "l"\nrole = "example"\n'
KL = 'ruleset = "{}"\n[forall]\nk = "1.."\nl = "k.."\nt = "1..2"\ns = "position"\n'
SCOPE = '[scope]\nk = "1..3"\nl = "1..4"\ns = {{ heaps = "{}", size = "1..4" }}\n'
SIDES = '[claim]\nthen = "wins(s, P1) or not wins(s, P1)"\n' + SCOPE.format("0..2")
AROUND = {
    "[games]\n": ("", '[claim]\nthen = "normal.wins(position([1])) == misere.wins(position([1]))"\n', ["refuted"]),
    "[forall]\n": ("", '[claim]\nthen = "len(g) >= n - 1"\n', ["proved"]),
    "[define]\n": (
        '[forall]\nk = "1.."\ns = "position"\n[claim]\nthen = "G(s) <= sum(s)"\n',
        '[scope]\nk = "1..3"\ns = { heaps = "0..2", size = "1..4" }\n',
        ["verified"],
    ),
    "[claim]\nif ": (KL.format("kl-nim"), SCOPE.format("1..2"), ["refuted"]),
    "[scope]\n": (
        'ruleset = "nim"\n[forall]\nk = "1.."\ns = "position"\n[claim]\nthen = "wins(s + [k, k]) == wins(s)"\n',
        "",
        ["verified"],
    ),
    '[[pictures]]\nkind = "outcomes"': (KL.format("kl-nim"), SIDES, ["verified"]),
    '[[pictures]]\nkind = "values"': (KL.format("kl-nim(k = k, l = k)"), SIDES, ["verified"]),
    "[claim]\nthen ": (
        'ruleset = "subtraction(S = {1})"\n[forall]\nn = "0.."\n',
        '\n[scope]\nn = "0..9"\n',
        ["verified", "refuted", "verified"],
    ),
    "then = ": (
        'ruleset = "nim"\n[forall]\ns = "position"\n[claim]\n',
        '[scope]\ns = { heaps = "0..2", size = "1..4" }\n',
        ["refuted"],
    ),
}
"""The beginning of an example -> (the text before it, the text after it, the results of the claim and its variants)."""


def completed(text):
    """Yield claims that contain an example of the language reference, each with the expected results."""
    if text.startswith("format = 1"):
        return [(text, ["refuted" if 'expect = "refuted"' in text else "verified"])]
    if text.startswith("ruleset = "):
        named = [re.match(r'ruleset = "(.*?)"', line)[1] for line in text.splitlines()]
        impartial = SIDES.replace("s, P1", "s")
        return [(KL.format(x) + (SIDES if x.startswith("kl-nim") else impartial), ["verified"]) for x in named]
    parts = re.split(r"(?m)^(?=\[\[pictures)", text) if text.startswith("[[pictures]]") else ["", text]
    found = [(next(x for x in AROUND if part.startswith(x)), part) for part in parts[1:]]
    return [(f"{before}{part}{behind}", said) for key, part in found for before, behind, said in [AROUND[key]]]


def test_every_example_of_the_language_is_settled_in_a_claim(tmp_path):
    works, pieces = tmp_path / "my-paper", [x for x in blocks(WRITING, CLAIMS, PICTURES) if "[works." not in x]
    (text,) = set(blocks(WRITING)) - set(pieces)
    works.mkdir()
    (tmp_path / "works.toml").write_text(text, "utf-8")
    for name in ("theorem-3", "lemma-2", "definition-1"):
        body = pieces[0] if name == "theorem-3" else f'{HEAD}[claim]\nthen = "True"\n'
        (works / f"{name}.toml").write_text(re.sub('work = ".*"', 'work = "my-paper"', body), "utf-8")
    assert read_works(tmp_path)["my-paper"].order == ("definition-1", "lemma-2", "theorem-3")
    assert [x.id for x in select((str(tmp_path),))] == [
        f"{tmp_path}/my-paper/{x}" for x in ("definition-1", "lemma-2", "theorem-3")
    ]
    said = 0
    for number, (text, verdicts) in enumerate(x for piece in pieces for x in completed(piece)):
        path = tmp_path / f"example-{number}.toml"
        path.write_text(text if text.startswith("format") else HEAD + text, "utf-8")
        results = [settled(load_claim(entry.path, entry.id)) for entry in select((str(path),))]
        assert [x.verdict.value for x in results] == verdicts, (text, results[0].finding.error)
        said += len(results)
    assert said == 19


@pytest.mark.slow
def test_the_pictures_of_the_examples_are_drawn(tmp_path):
    (piece,) = [x for x in blocks(PICTURES) if x.startswith("[[pictures]]")]
    for text, _ in completed(piece):
        (tmp_path / "c.toml").write_text(HEAD + text, "utf-8")
        (picture,) = settle_entry(Entry("c", tmp_path / "c.toml"), Options(budget=20.0)).presentation.pictures
        assert not isinstance(picture, Undrawn), picture


def test_every_example_of_a_ruleset_can_be_read(tmp_path):
    texts = blocks(GAMES, RULESETS, PARTS)
    whole = [text for text in texts if text.startswith("format = 1")]
    parts = [text for text in texts if not text.startswith(("format = 1", "ruleset = ", "then = "))]
    (part,) = parts
    whole.append(whole[0].replace("[[moves]]", f"{part}\n[[moves]]"))
    for number, text in enumerate(whole):
        path = tmp_path / f"example-{number}.toml"
        path.write_text(text, "utf-8")
        ruleset = load_ruleset(path)
    assert len(whole) == 21
    assert [(x.name, x.kind) for x in ruleset.parameters] == [("k", "int"), ("l", "int"), ("S", "set"), ("L", "list")]


TAUGHT = re.compile(r"<!-- ([\w-]+): (refuted|verified)(?: at (.*?))? -->\n```toml\n(.*?)```", re.DOTALL)


TAUGHT_ON = {"staircase": "Staircase Nim", "fibonacci-nim": "Fibonacci Nim", "nim-with-a-pass": "Nim with a pass"}


@pytest.mark.parametrize("name", TAUGHT_ON)
def test_the_claims_that_teach_heaps_with_parts_come_out_as_the_page_says(name, tmp_path):
    """The page shows a false guess, and the corrected claim."""
    rules = find_rules(TAUGHT_ON[name])
    (tmp_path / f"{name}.toml").write_text(rules, "utf-8")
    guess, better = (x[1:] for x in TAUGHT.findall(PARTS.read_text("utf-8")) if x[0] == name)
    assert (guess[0], better[0]) == ("refuted", "verified")
    changed = re.sub("then = .*\n", lambda _: better[2], guess[2])
    for verdict, case, text in (guess, (*better[:2], changed)):
        (tmp_path / "claim.toml").write_text(HEAD + text, "utf-8")
        result = settled(load_claim(tmp_path / "claim.toml", "claim"))
        assert result.verdict.value == verdict
        found = result.finding.counterexample.variables if case else ()
        assert ", ".join(f"{x} = {show_position(v) if isinstance(v, tuple) else v}" for x, v in found) == case


@pytest.mark.parametrize("name", TAUGHT_ON)
@pytest.mark.slow
def test_the_pictures_on_the_page_are_of_the_counterexamples(name, tmp_path, request):
    rules = find_rules(TAUGHT_ON[name])
    (tmp_path / f"{name}.toml").write_text(rules, "utf-8")
    guess = next(x[3] for x in TAUGHT.findall(PARTS.read_text("utf-8")) if x[0] == name)
    (tmp_path / "claim.toml").write_text(HEAD + guess, "utf-8")
    claim = load_claim(tmp_path / "claim.toml", "claim")
    drawn = draw_case(claim, read_case(claim, settled(claim).finding.counterexample.variables))
    text = draw_alone(drawn.drawing, drawn.positions[0][1])
    picture = DOCS / "pictures" / f"{name}.svg"
    if request.config.getoption("--renew-golden"):
        picture.parent.mkdir(exist_ok=True)
        picture.write_text(text, "utf-8", newline="\n")
    assert f"](pictures/{name}.svg)" in PARTS.read_text("utf-8")
    assert text == picture.read_text("utf-8"), f"{picture.name} differs; if it is meant, run pytest --renew-golden"


def test_every_kind_of_picture_stands_in_the_table_of_the_page():
    told = re.findall(r'^\| `"(.*?) of ', PARTS.read_text("utf-8").partition("## Pictures\n")[2], re.MULTILINE)
    assert sorted(told) == sorted(kind.value for kind in DrawnAs if kind is not DrawnAs.PARTS)


def test_what_solve_tells_is_what_the_page_shows(tmp_path, monkeypatch):
    shown = r"```console\n\$ checks solve (\S+) \"(\(\[.*?\]\))\"\n(.*?)```"
    ((file, position, text),) = re.findall(shown, PARTS.read_text("utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(find_rules("Staircase Nim"), "utf-8")
    assert "\n".join(tell_solution(solve(file, position))) == text.rstrip("\n")


@pytest.mark.parametrize(
    ("title", "position", "mover", "parameters", "expected"),
    [
        ("Nim", (1, 2), 0, {}, {(2,), (1,), (1, 1)}),
        ("Staircase Nim", (((1, 2),),), 0, {}, {(((0, 2),),), (((2, 1),),), (((3, 0),),)}),
        ("Fibonacci Nim", ((3, 2),), 0, {}, {((2, 2),), ((1, 4),)}),
        ("Nim with a pass", ((0, 1), (1, 0)), 0, {}, {((0, 1),), ((1, 0),)}),
        ("Grundy's game", (2, 5), 0, {}, {(1, 2, 4), (2, 2, 3)}),
        ("Lasker's Nim", (3,), 0, {}, {(), (1,), (2,), (1, 2)}),
        ("An octal game", (5,), 0, {"d": (0, 0, 7)}, {(2,), (1, 1)}),
        ("An octal game", (3,), 0, {"d": (1, 3, 7)}, {(1,), ()}),
        ("Left takes few, Right takes evenly", (4,), 0, {}, {(2,), (3,)}),
        ("Left takes few, Right takes evenly", (4,), 1, {}, {(2,), ()}),
        ("Wythoff's game", (1, 2), 0, {}, {(2,), (1,), (1, 1)}),
        ("Moore's Nim", (1, 1, 2), 0, {"w": 2}, {(1, 2), (1, 1), (1, 1, 1), (2,), (1,)}),
        ("Kayles", (4,), 0, {}, {(3,), (1, 2), (2,), (1, 1)}),
    ],
)
def test_the_examples_are_the_games_they_say(title, position, mover, parameters, expected, tmp_path):
    path = tmp_path / "example.toml"
    path.write_text(find_rules(title), "utf-8")
    game = RefereeGame(load_ruleset(path), parameters, RefereeSteps(10_000))
    assert set(game.options(position, mover)) == expected


def examples():
    text = re.search(r"<!-- examples: .*?-->\n```\n(.*?)```", CLAIMS.read_text("utf-8"), re.DOTALL)[1]
    return [re.split(r"  +|(?<=\}) (?=\[)", line) for line in text.strip().splitlines()]


def values(text):
    env = {"s": (2, 2, 5)}
    found = []
    depth = start = 0
    for at, char in enumerate(text + ","):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and not depth:
            term = Elaborator({"s": POSITION}).term(text[start:at])
            found.append(
                (TermEvaluator(refuse_game, RefereeSteps(1000)).evaluate(term, env), str(term.type).split()[0])
            )
            start = at + 1
    return found


def test_the_expressions_have_the_values_that_stand_beside_them():
    assert len(examples()) == 17
    for text, value in examples():
        if value.startswith("refused"):
            with pytest.raises(LanguageError):
                Elaborator({"s": POSITION}).term(text)
        else:
            assert values(text) == values(value), text


def test_shared_definitions_are_named_as_the_page_names_them():
    assert f"`{definitions.SHARED}`" in CLAIMS.read_text("utf-8")
