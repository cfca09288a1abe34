"""False claims that names, signs or undefined values could turn into theorems: none may become one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import random_terms
from claims_in_coq import BOUTON, written
from coq_compiler import SOURCES, THEORY, needs_coq, objection, write
from coq_meaning import compare, some
from coq_terms import VOCABULARY, read_statement
from hypothesis import given
from proofs import LIBRARY
from random_terms import RANGES, names, values_of

from checks.command.theorem_text import WrittenTheorem, write_all
from checks.referee.judge import Referee
from claims.language.errors import ClaimError
from claims.language.files.library import Entry, list_library
from claims.language.syntax import terms as t
from encoders.coq import writing
from encoders.coq.numbers import range_of
from encoders.coq.statement import write_stated
from encoders.coq.writing import GLOBAL, RESERVED, comment
from encoders.logic.intervals import Interval
from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate
from encoders.refusals import Unsupported

# -- names -------------------------------------------------------------------------------------------------------------
_DECLARED = re.compile(
    r"(?:#\[[^]]*\]\s*)?(?:Definition|Fixpoint|Lemma|Theorem|Inductive|Record|Class|Instance|Ltac)\s+([\w']+)"
)


def declared(text: str) -> set[str]:
    """Return the names that a file of the theory declares, by a separate parser."""
    while (shorter := re.sub(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", "", text, flags=re.DOTALL)) != text:
        text = shorter
    found = set[str]()
    for sentence in re.split(r"\.(?=\s)", text):
        if not (match := _DECLARED.match(sentence.strip())):
            continue
        found.add(match[1])
        kind = re.sub(r"#\[[^]]*\]", "", sentence).split()[0]
        if kind == "Inductive":
            found |= set(re.findall(r"(?:\||:=|\bwith)\s*([\w']+)", sentence))
        elif kind == "Record":
            found |= set(re.findall(r"[{;]\s*([\w']+)\s*:", sentence))
        elif kind == "Class":
            found |= set(re.findall(r":=\s*([\w']+)\s*:", sentence))
        elif kind in ("Ltac", "Fixpoint"):
            found |= set(re.findall(r"\nwith\s+([\w']+)", sentence))
    return found - {"Zify"}


def test_all_that_the_theory_declares_is_reserved(golden: Callable[..., None]) -> None:
    found = set[str]().union(*(declared(p.read_text("utf-8")) for p in (SOURCES / "theory").glob("*.v")))
    assert {"least", "times", "wins", "becomes", "mex", "meaningful", "stuck_wins", "same_equivalence"} < found
    golden(writing.__file__.replace("writing.py", "theory.txt"), "".join(f"{x}\n" for x in sorted(found)))


@needs_coq
def test_all_that_coq_says_the_theory_declares_is_reserved(theory: Path) -> None:
    found = set[str]()
    for name in THEORY:
        lines = (theory / "theory" / f"{name}.glob").read_text("utf-8").splitlines()
        rows = [x.split() for x in lines]
        found |= {r[-1] for r in rows if r[0] in ("def", "prf", "constr", "proj", "rec", "ind", "inst")}
    assert "least" in found
    assert {x for x in found if re.fullmatch(r"[\w']+", x)} - GLOBAL == set()


def test_all_that_a_statement_says_by_name_is_reserved() -> None:
    assert {x.split(".")[0] for x in VOCABULARY} <= GLOBAL < RESERVED


@needs_coq
@pytest.mark.parametrize("shadow", ["Definition nim_sum (s : position) : N := 1.", "Definition wins := loses."])
def test_the_proof_cannot_reach_the_statement(theory: Path, shadow: str) -> None:
    text = write(LIBRARY, "nim/bouton")
    assert text.count("\nLemma claim ") == 1
    assert objection(theory, text.replace("\nLemma claim ", f"\n{shadow}\nLemma claim "))


@pytest.mark.parametrize("names", list(itertools.permutations(["t", "t_", "t__"], 2)))
def test_no_two_parameters_have_one_name(tmp_path: Path, names: tuple[str, str]) -> None:
    a, b = names
    parameters = f'parameters = {{ {a} = "0..", {b} = "0.." }}'
    where = f'where = "m != {a} and m != {b} + 1"'
    claim = written(
        tmp_path,
        parameters=parameters,
        where=where,
        games=f'ruleset = "own({a} = {a}, {b} = {b})"',
        variables=f'{a} = "0.."\n{b} = "0.."\ns = "position"',
        scope=f'{a} = "0..2"\n{b} = "0..2"\ns = {{ heaps = "0..2", size = "1..3" }}',
    )
    (game,) = read_statement(write_stated(claim).text).games.values()
    assert len(set(game.parameters)) == 2
    assert compare(claim, write_stated(claim).text, some(claim, 60, 2))["fails"]


@pytest.mark.parametrize("players", ['"First", "Second"', '"Second", "First"', '"least", "wins"', '"s_", "own"'])
def test_players_have_names_of_their_own(tmp_path: Path, players: str) -> None:
    first, second = players.replace('"', "").split(", ")
    loses = f'{first} = "X == 0"\n{second} = "X == 0"'
    claim = written(
        tmp_path,
        players=players,
        where=f'where = "mover == {first} or m == 1"',
        claim=f'then = "iff(not wins(s, {first}), nim_sum(s) == 0)"',
        proof=BOUTON.format(X="X").replace('mover = "X == 0"', loses),
    )
    assert compare(claim, write_stated(claim).text, some(claim, 10))["fails"]


@pytest.mark.parametrize(
    "name", ["least", "nim_sum_of", "wins", "own", "number", "value", "grundy", "N", "t_", "First"]
)
def test_what_runs_stands_for_nothing_of_the_theory(tmp_path: Path, name: str) -> None:
    try:
        claim = written(tmp_path, claim=f'then = "all({name} <= 2 or wins(s) for {name} in s)"')
    except ClaimError:
        assert name in ("wins", "value", "grundy", "own")  # the language has it
        return
    assert compare(claim, write_stated(claim).text, some(claim, 10))["holds"]


def test_an_element_of_two_sets_is_no_variable_of_the_claim(tmp_path: Path) -> None:
    says = "{u for u in options(t) if nim_sum(u) == 0} == {u for u in options(t) if nim_sum(u) == 1}"
    scope = 't = { heaps = "0..2", size = "1..3" }'
    proof = BOUTON.format(X="X").replace("(s)", "(t)")
    claim = written(tmp_path, variables='t = "position"', scope=scope, claim=f'then = "{says}"', proof=proof)
    assert compare(claim, write_stated(claim).text, some(claim, 10))["fails"]


# -- a bound variable is identified by its binder, not by its printed name ---------------------------------------------
def claimed(text: str) -> str:
    return text[text.index("Definition claimed") : text.index("End Statement.")]


def test_an_inner_variable_is_not_an_outer_one_of_the_same_name(tmp_path: Path) -> None:
    entry = next(e for e in list_library() if e.id == "large-nim/theorem-1")
    text = entry.path.read_text("utf-8")
    (tmp_path / "large-nim").mkdir()
    path = tmp_path / "large-nim" / "claim.toml"

    def stated(then: str) -> str:
        head = text[: text.index("[forall]")]
        path.write_text(
            f'{head}[forall]\nn = "3.."\nh = "0.."\n[claim]\nthen = "{then}"\n[scope]\nn = "3..4"\nh = "0..2"\n',
            "utf-8",
        )
        return claimed(write_stated(load_claim(path, "large-nim/claim")).text)

    with pytest.raises(Unsupported, match="depends on the bound variable h"):
        stated("nim_sum(value(position([h])) for h in position([5])) == value(position([h]))")
    inner = stated(
        "any(value(position([h])) == 1 for h in position([5])) and value(position([h])) == value(position([h]))"
    )
    assert inner.count("winner (large_nim n) n [h_] v") == 1
    assert inner.count("winner (large_nim n) n [h] v") == 1


# -- negative numbers --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("low", "refused"),
    [
        ("(0-1)*3..", True),
        ("0-1..", True),
        ("(0-2)*(0-1)..", False),
        ("k-1..", False),
        ("k-2..", True),
        ("(1-k)*(k+1)..", True),
        ("k*k..", False),
        ("min(k, 0-1)..", True),
        ("max(k, 0-1)..", False),
        ("min(k, 0-k)..", True),
        ("min(k, 3)..", False),
        ("(0-k) // 2..", True),
        ("(k if k > 2 else 0-1)..", True),
    ],
)
def test_a_variable_that_may_be_negative_is_refused(tmp_path: Path, low: str, refused: bool) -> None:
    claim = written(
        tmp_path,
        variables=f'k = "1.."\nx = "{low}"\ns = "position"',
        claim='then = "iff(not wins(s), nim_sum(s) == 0) and x >= 0"',
        scope='k = "1..3"\nx = "0..3"\ns = { heaps = "0..2", size = "1..3" }',
    )
    if refused:
        with pytest.raises(Unsupported, match="negative"):
            write_stated(claim)
    else:
        assert compare(claim, write_stated(claim).text, some(claim, 40, 3))["holds"]


def test_a_difference_in_a_bound_cannot_empty_a_domain(tmp_path: Path) -> None:
    # (k - 5) // 1 is -5 at k = 0, where x runs over 4..8; cut off at 0, there is no x at all.
    claim = written(
        tmp_path,
        variables='k = "0.."\nx = "4..3 - (k - 5) // 1"\ns = "position"',
        claim='then = "x < 4"',
        scope='k = "0..2"\nx = "0..8"\ns = { heaps = "0..1", size = "1..2" }',
    )
    assert Referee(claim).judge({"k": 0, "x": 4, "s": ()}) == "fails"
    with pytest.raises(Unsupported, match="may be negative"):
        write_stated(claim)


@pytest.mark.parametrize("pick", ["0-1..h", "(0-1)*1..1", "(0-1)*h..h", "h-2..h"])
def test_a_pick_that_may_be_negative_is_refused(tmp_path: Path, pick: str) -> None:
    become = "h - (m if m >= 0 else (2 if h >= 2 else 1))"
    claim = written(tmp_path, pick=f'm = "{pick}"', where='where = "m != 0"', become=become)
    with pytest.raises(Unsupported, match="m may be negative"):
        write_stated(claim)


@pytest.mark.parametrize(
    "source", ["[0 - 1, 1]", "range(0 - 1, 2)", "{h - 2 for h in s}", "[x - 1 for x in range(0, 2)]"]
)
def test_what_runs_over_negative_numbers_is_refused(tmp_path: Path, source: str) -> None:
    claim = written(tmp_path, claim=f'then = "all(z >= 0 for z in {source}) or wins(s)"')
    with pytest.raises(Unsupported, match="elements other than natural numbers"):
        write_stated(claim)


@pytest.mark.parametrize("name", ["staircase-odd-steps", "white-knight-mod-4"])
def test_heaps_with_parts_are_refused_by_name(name: str) -> None:
    claim = load_claim(SOURCES.parent / "examples" / "boards" / f"{name}.toml", name)
    with pytest.raises(Unsupported, match=f"the heaps of {claim.games[0].ruleset.id} have parts"):
        generate(claim)


KNOWN = {name: Interval(min(values)) for name, values in RANGES.items()}
BOTH = {name: Interval(min(values), max(values)) for name, values in RANGES.items()}


@given(random_terms.numbers(3, words=False))
@pytest.mark.slow
def test_every_value_lies_in_the_range(term: t.Term) -> None:
    for known in ({}, KNOWN, BOTH):
        told = range_of(term, known)
        for (value,) in values_of(term) if names(term) else values_of(term, rows=[{"h": 0}]):
            assert value is None or told.lo is None or told.lo <= value
            assert value is None or told.hi is None or value <= told.hi


def test_ends_that_are_not_known_are_not_0() -> None:
    k = t.Variable(random_terms.INT, 0, 0, "k")
    minus = random_terms.apply("neg", k)
    told = {
        op: range_of(random_terms.apply(op, k, minus), {"k": Interval(1)})
        for op in ("smallest", "largest", "mul", "add", "floordiv", "mod")
    }
    assert {op: (x.lo, x.hi) for op, x in told.items()} == {
        "smallest": (None, -1),
        "largest": (1, None),
        "mul": (None, None),
        "add": (None, None),
        "floordiv": (None, None),
        "mod": (None, None),
    }


# -- undefined claims -------------------------------------------------------------------------------------------------
IN_ERROR = {
    "the largest of no heap": (
        {"claim": 'then = "iff(not wins(s), nim_sum(s) == 0) and max(s) >= 0"'},
        "1 <= number s",
    ),
    "a move to less than nothing": (
        {"pick": 'm = "1..h + 1"', "where": 'where = "m <= h or m == h + 1"'},
        "picked <= heap",
    ),
    "a parameter outside its domain": (
        {
            "parameters": 'parameters = { k = "2.." }',
            "games": 'ruleset = "own(k = k)"',
            "variables": 'k = "1.."\ns = "position"',
            "scope": 'k = "1..2"\ns = { heaps = "0..2", size = "1..3" }',
        },
        "2 <= k",
    ),
    "a division by nothing": (
        {
            "claim": 'then = "iff(not wins(s), nim_sum(s) == 0) and 1 % k <= 1"',
            "variables": 'k = "0.."\ns = "position"',
            "scope": 'k = "0..1"\ns = { heaps = "0..2", size = "1..3" }',
        },
        "",
    ),
}


@pytest.mark.parametrize("what", IN_ERROR)
def test_what_a_claim_needs_is_part_of_its_theorem(tmp_path: Path, what: str) -> None:
    given, need = IN_ERROR[what]
    if not need:
        with pytest.raises(Unsupported, match="divisor"):
            write_stated(written(tmp_path, **given))
        return
    claim = written(tmp_path, **given)
    text = write_stated(claim).text
    assert need in text[text.index("Definition defined") : text.index("Definition claimed")]
    found = compare(claim, text, some(claim, 40))
    assert found["ill-defined"]
    assert found["said to be undefined"]


@pytest.mark.parametrize("what", [x for x, (_, need) in IN_ERROR.items() if need])
def test_a_claim_that_is_in_error_is_no_theorem(tmp_path: Path, what: str) -> None:
    with pytest.raises(Unsupported, match=r"no certificate of the obligation '(defined|measure|parameters)"):
        generate(written(tmp_path, **IN_ERROR[what][0]))


# -- text of files -----------------------------------------------------------------------------------------------------
def test_a_title_can_neither_end_its_comment_nor_hide_what_follows(tmp_path: Path) -> None:
    title = "a *) Axiom b : False. (* \\u001b[2J \\u202e c"
    text = generate(written(tmp_path, title=title)).text
    first = text.splitlines()[0]
    assert first.count("(*") == first.count("*)") == 1
    assert "\x1b" not in text and "\u202e" not in text
    assert comment("(*)") == "(* ( * ) *)"


def test_two_claims_are_not_written_into_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theorem = generate(written(tmp_path))
    entries = [Entry(id, tmp_path / "claim.toml") for id in ("a-b/c", "a_b/c")]
    same = replace(theorem, module="a_b.c")
    monkeypatch.setattr("checks.command.theorem_text.write_theorem", lambda e: WrittenTheorem(e.id, same))
    with pytest.raises(FileExistsError, match="the theorems of a-b/c and a_b/c would have the same file"):
        list(write_all(entries, tmp_path / "out"))
