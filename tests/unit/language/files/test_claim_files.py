"""A claim file as the frozen claim that all other code uses."""

import subprocess
import sys
from pathlib import Path

import pytest
import tree_sitter

from checks.command.files import check_all
from checks.referee.judge import Referee
from claims.language.errors import ClaimError
from claims.language.files import domains as d
from claims.language.files.library import LIBRARY, Entry
from claims.language.syntax.terms import INT, PLAYER, POSITION, Apply, names_of, set_of
from encoders.proving.reading import load_claim

HEAD = """format = 1
title = "Title"
statement = '''
A statement
of two lines.'''
work = "nim"
locator = "Lemma 1"
role = "lemma"
"""


@pytest.fixture
def claim(tmp_path):
    """Return a function that loads a claim file with this text below its head; `files` are next to it."""

    def load(text, **files):
        for name, content in files.items():
            (tmp_path / f"{name}.toml").write_text(content, "utf-8")
        path = tmp_path / "claim.toml"
        path.write_text(HEAD + text, "utf-8")
        return load_claim(path, "test")

    return load


def test_the_parts_of_a_claim(claim):
    found = claim("""
uses = ["nim/bouton"]
expect = "refuted"
notes = "a  note"
ruleset = "kl-nim(k = n, l = 2 * n)"
[forall]
n = "1.."
s = "position"
[define]
"zero(t)" = "nim_sum(t) == 0"
"unused(t)" = "t"
[claim]
if = "zero(s)"
then = "not wins(s, P1)"
[scope]
n = "1..3"
s = { heaps = "0..2", size = "1..5" }
[scope.deep]
n = "1..9"
""")
    said = found.description
    assert (found.id, said.title, said.statement) == ("test", "Title", "A statement of two lines.")
    assert (said.uses, said.expect, said.notes, said.caveat) == (("nim/bouton",), "refuted", "a note", "")
    assert found.quantifier == "forall"
    assert [(v.name, v.type, v.text) for v in found.variables] == [("n", INT, "1.."), ("s", POSITION, "position")]
    assert [name for name, _ in found.game("kl-nim").arguments] == ["k", "l"]
    assert found.texts == (("if", "zero(s)"), ("then", "not wins(s, P1)"), ("zero(t)", "nim_sum(t) == 0"))
    quick = {"n": d.Range(1, 3), "s": d.PositionRange(d.Range(0, 2), d.Range(1, 5))}
    assert found.scope("quick") == quick
    assert found.scope("deep") == quick | {"n": d.Range(1, 9)}


DOMAINS = [
    ('"2.."', INT, d.IntervalDomain),
    ('"0..n-1"', INT, d.IntervalDomain),
    ('" 1 .. max(n, 2) "', INT, d.IntervalDomain),
    ('"position"', POSITION, d.Positions),
    ('"player"', PLAYER, d.Players),
    ('"subsets of 1..3"', set_of(INT), d.Subsets),
    ("{ in = [3, 1, 3] }", INT, d.ListedDomain),
    ("{ in = [[3, 0, 1], [1, 3], []] }", POSITION, d.ListedDomain),
    ('{ in = "range(n)" }', INT, d.ElementsOf),
    ('{ in = "options(position([n]))" }', POSITION, d.ElementsOf),
    ('{ in = "position([n, n])" }', INT, d.ElementsOf),
]


@pytest.mark.parametrize(("text", "kind", "domain"), DOMAINS)
def test_domains(claim, text, kind, domain):
    scope = {d.Positions: '\nx = { heaps = "0..2", size = "1..2" }'}.get(domain, "\nx = 1" if text == '"2.."' else "")
    found = claim(f'ruleset = "nim"\n[forall]\nn = "1..3"\nx = {text}\n[claim]\nthen = "x == x"\n[scope]{scope}\n')
    x = found.variables[1]
    assert x.type == kind
    assert isinstance(x.domain, domain)


def test_listed_values_are_positions_each_once(claim):
    found = claim(
        '[forall]\ns = { in = [[3, 0, 1], [1, 3], []] }\nn = { in = [3, 1, 3] }\n[claim]\nthen = "len(s) < n"\n'
    )
    assert found.variables[0].domain == d.ListedDomain(((1, 3), ()))
    assert found.variables[1].domain == d.ListedDomain((3, 1))


def test_a_claim_without_variables_is_a_computation(claim):
    found = claim('[claim]\nthen = "nim_sum([1, 2]) == 3"\n')
    assert (found.quantifier, found.variables, found.games) == ("", (), ())
    assert Referee(found).judge({}) == "holds"


def test_definitions_that_only_a_domain_or_a_parameter_uses_are_shown(claim):
    found = claim("""
ruleset = "bash-nim(k = most)"
[forall]
n = "0..top(2)"
[define]
most = "3"
"top(x)" = "10 * x"
[claim]
then = "wins(position([n])) == (n % 4 != 0)"
""")
    assert [label for label, _ in found.texts] == ["then", "most", "top(x)"]


def test_shared_definitions_are_those_of_the_folder(claim):
    shared = 'format = 1\n[define]\n"rule(s)" = "nim_sum(s) != bound"\nunused = "not even typed"\n'
    broken = shared.replace("not even typed", "7 + no")
    for definitions in (shared.replace("not even typed", "7"), broken):
        found = claim(
            '[forall]\nbound = "0..3"\n[claim]\nthen = "rule(position([bound + 1]))"\n', definitions=definitions
        )
        assert isinstance(found.conclusion, Apply)
        assert names_of([found.conclusion])[0] >= {"bound"}


OWN = """
ruleset = "nim"
[forall]
k = "1..3"
[define]
"other(t)" = "len(t)"
"f(t)" = "TEXT"
[claim]
then = "k >= 1"
"""


@pytest.mark.parametrize(
    "text",
    [
        "len(t) + k",
        "f(t)",  # a circle, but its names are known
        "any(h > k for h in t if h != 3)",
        "sum(i * j for i in range(k) for j in range(i))",
        "[other(x) for x in options(t)][0] if P1 == P2 else -1",
        "nim.wins(t, P1) and outcome(t) == N_position and True",
        "t.count(k) ** 2",
    ],
)
def test_a_definition_that_nothing_calls_may_use_what_one_that_is_called_may_use(claim, text):
    claim(OWN.replace("TEXT", text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("any(h > k for h in t) and h > k", "h"),
        ("[i for i in range(j) for j in range(i)]", "j"),
        ("k in {1, -m}", "m"),
        ("t[k] if not n else 0", "n"),
        ("t.count(n)", "n"),
        ("1 <= k < n", "n"),
    ],
)
def test_a_definition_that_nothing_calls_cannot_use_more(claim, text, name):
    with pytest.raises(ClaimError, match=f"unknown name '{name}'") as caught:
        claim(OWN.replace("TEXT", text))
    assert (caught.value.place.line, caught.value.place.width) == (15, 1)
    assert caught.value.place.text[caught.value.place.column - 1] == name


def test_a_definition_that_only_the_proof_calls_may_use_the_names_of_the_proof(claim):
    body = OWN.replace("TEXT", "X + h + len(s)").replace("k >= 1", "wins(position([k]))")
    proof = """
[proof]
sizes = "< 2^8"
[proof.folds]
X = "nim_sum(s)"
[proof.loses]
mover = "X == 0"
[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = { m = "small + (h ^ X)" }
"""
    assert claim(body.replace("[claim]", 'small = "h - 2 * (h ^ X)"\n[claim]').replace("X + h + len(s)", "1") + proof)
    with pytest.raises(ClaimError, match="unknown name 'X'"):
        claim(body + proof.replace("small", "h"))


def test_unique_names_hold_across_the_whole_claim(claim):
    found = claim("""
ruleset = "subtraction(S = {2 * x for x in range(3)})"
[forall]
n = { in = "[x for x in range(4)]" }
[claim]
if = "all(x < 4 for x in [n])"
then = "any(x >= 0 for x in [n])"
""")
    terms = [found.variables[0].domain.source, found.games[0].arguments[0][1], found.hypothesis, found.conclusion]
    bound = [name for term in terms for name in names_of([term])[0] if "'" in name]
    assert len(bound) == len(set(bound)) == 4


def test_a_ruleset_beside_the_claim_goes_before_the_library(claim):
    ruleset = (LIBRARY / "rulesets" / "nim.toml").read_text("utf-8").replace('title = "Nim"', 'title = "Mine"')
    text = 'ruleset = "nim"\n[claim]\nthen = "wins(position([1]))"\n'
    assert claim(text).games[0].ruleset.title == "Nim"
    assert claim(text, nim=ruleset).games[0].ruleset.title == "Mine"


def test_a_game_may_follow_the_variables_it_depends_on(claim):
    text = 'ruleset = "bash-nim"\n[forall]\nk = "1..3"\ns = { in = [[5], [2, 2]] }\nt = { in = "options(s)" }\n'
    found = claim(text + '[claim]\nthen = "sum(s) - sum(t) <= k"\n')
    assert Referee(found).judge({"k": 3, "s": (5,), "t": (2,)}) == "holds"
    assert Referee(found).judge({"k": 2, "s": (5,), "t": (2,)}) == "outside"
    with pytest.raises(ClaimError, match="a line for the variable k above this domain"):
        claim(text.replace('k = "1..3"\n', "") + 'k = "1..3"\n[claim]\nthen = "sum(s) - sum(t) <= k"\n')


def test_a_parameter_may_ask_no_game_not_even_through_a_definition(claim):
    with pytest.raises(ClaimError, match="needs a game") as caught:
        claim(
            'ruleset = "bash-nim(k = f(1))"\n[define]\n"f(n)" = "1 + grundy(position([n]))"\n[claim]\nthen = "1 == 1"\n'
        )
    assert caught.value.calls[0][0] == "in f(Int), called at"


@pytest.mark.parametrize("name", ["quick", "deep", "P1", "N_position", "True", "lambda", "game", "2n", "constant"])
def test_names_that_no_variable_can_have(claim, name):
    head = '[games]\ngame = "nim"\n[define]\nconstant = "1"\n"function(n)" = "n"\n'
    text = head + '[forall]\nNAME = "1..3"\n[claim]\nthen = "1 == 1"\n'
    with pytest.raises(ClaimError, match=f"'{name}' (cannot name a variable|already names)"):
        claim(text.replace("NAME", name))
    assert claim(text.replace("NAME", "function")).variables[0].name == "function"


@pytest.mark.slow
def test_the_library_is_listed_and_read_without_heavy_imports():
    code = (
        "import sys; from encoders.proving.reading import load_claim\n"
        "from claims.language.files.library import list_library\n"
        "for e in list_library(): load_claim(e.path, e.id)\n"
        "print(*sorted({'numpy', 'tree_sitter', 'z3', 'sympy', 'jinja2', 'rich', 'difflib'} & set(sys.modules)))"
    )
    root = Path(__file__).parents[4]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_file_with_many_faults_is_parsed_once_to_place_them(tmp_path, monkeypatch):
    """With a thousand unused variables, a separate parse for each took minutes."""
    names = [f"unused{i}" for i in range(30)]
    variables, scope = ("".join(f'{name} = "{text}"\n' for name in names) for text in ("0..", "0..1"))
    path = tmp_path / "claim.toml"
    path.write_text(f'{HEAD}[forall]\n{variables}[claim]\nthen = "0 < 1"\n[scope]\n{scope}', "utf-8")
    parsed = []
    parser = tree_sitter.Parser
    monkeypatch.setattr(tree_sitter, "Parser", lambda language: parsed.append(language) or parser(language))
    faults = [fault for fault in check_all([Entry("claim", path)], ()) if "declared but never used" in fault.message]
    assert [fault.line for fault in faults] == [HEAD.count("\n") + 2 + i for i in range(len(names))]
    assert len(parsed) == 1
