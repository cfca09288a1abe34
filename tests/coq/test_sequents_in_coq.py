"""Obligations as sequents for Coq: Coq accepts them with their certificates, and refuses everything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from coq_compiler import needs_coq, run_coq
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from random_terms import NATURALS, TRUTHS, names, numbers, truths

from claims.language.files.library import find_shipped
from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.coq.library import Certified, write_library, write_whole
from encoders.coq.sequents import PREAMBLE, Statement, write_closing, write_module, write_obligation, write_sequent
from encoders.logic.sequents import (
    ONE,
    ZERO,
    Sequent,
    Symbol,
    Symbols,
    add,
    at_least,
    at_most,
    bit_and,
    choose,
    compare,
    conjunction,
    disjunction,
    equal,
    iff,
    integer,
    largest,
    less_than,
    mul,
    neg,
    negation,
    nim,
    smallest,
    sub,
)
from encoders.proving.obligations import list_certified
from encoders.proving.reading import Prover, load_claim, rule_name
from encoders.proving.registry import RULES
from encoders.refusals import Unsupported


def divide(op: str, a: t.Term, by: int) -> t.Term:
    return t.Operation(INT, 0, 0, op, (a, integer(by)))


def made() -> Iterator[Sequent]:
    """Yield true sequents that together contain every kind of term, and integers of both signs."""
    s = Symbols()
    x, y, z = s.integer("x"), s.integer("y", 0), s.integer("z", 0, 20)
    b, c = s.truth("b"), s.truth("c")
    half, rest = divide("floordiv", x, 2), divide("mod", x, 2)
    yield s.sequent("division of any integer", (), equal(add(mul(integer(2), half), rest), x))
    yield s.sequent("a remainder is small", (at_least(x, integer(-7)),), less_than(divide("mod", x, 3), integer(3)))
    quarter = divide("floordiv", divide("floordiv", y, 2), 2)
    yield s.sequent("divisions of divisions", (), equal(quarter, divide("floordiv", y, 4)))
    yield s.sequent("a lower bound from an assumption", (at_least(x, ONE),), equal(nim(nim(x, y), y), x))
    yield s.sequent("a lower bound from another", (at_least(x, z),), equal(nim(x, x), ZERO))
    either = disjunction(conjunction(at_least(x, ONE), at_least(x, z)), equal(x, add(y, ONE)))
    yield s.sequent("a lower bound in each case", (either,), at_most(bit_and(x, y), x))
    yield s.sequent("nim-sums and ands", (), equal(add(nim(y, z), mul(integer(2), bit_and(y, z))), add(y, z)))
    cased = choose(less_than(y, z), z, add(y, ONE))
    yield s.sequent("a nim-sum with an integer by cases", (), equal(nim(nim(cased, y), y), cased))
    yield s.sequent("extremes of three", (), at_least(largest(x, y, z), smallest(z, neg(x), y)))
    yield s.sequent("products", (), at_least(add(mul(y, y), mul(z, z)), mul(integer(2), mul(y, z))))
    yield s.sequent("a bound from above", (), at_least(nim(sub(integer(20), z), y), sub(sub(integer(20), z), y)))
    yield s.sequent("truth values", (iff(b, negation(c)), b), compare("ne", b, c))
    picked = choose(b, at_least(x, ONE), at_most(x, neg(ONE)))
    yield s.sequent("a condition by cases", (picked,), compare("ne", x, ZERO))
    yield s.sequent("an integer by a truth value", (), compare("le", choose(conjunction(b, c), y, ZERO), y))
    yield s.sequent("contradictory assumptions", (equal(x, ONE), compare("ne", x, ONE)), equal(y, z))
    yield s.sequent("nothing to show", (), conjunction())
    shared = [less_than(choose(b, add(y, integer(i)), z), choose(c, z, add(x, integer(i)))) for i in range(4)]
    parts = conjunction(*shared)
    yield s.sequent("a part that occurs often", (disjunction(parts, b), disjunction(parts, negation(b))), parts)


MADE = {s.name: s for s in made()}
CLAIMS = {
    "folds": "nim/zero-sum-moves",
    "definition": "kl-nim/outcome-properties",
    "grundy": "classics/whole-heaps",
    "value": "large-nim/theorem-1",
    "few heaps": "classics/slow-nim-two-heaps",
    "equal games": "kl-nim/small-heaps",
    "periodic": "heaps/misere-subtraction-2-4-7",
}


def list_library() -> Iterator[tuple[str, Sequent]]:
    """Yield obligations of a claim for each rule, with the rule."""
    for rule, id in CLAIMS.items():
        entry = find_shipped(id)
        assert entry is not None
        claim = load_claim(entry.path, entry.id)
        assert rule_name(claim) == rule
        yield from ((rule, s) for s in RULES[rule].obligations(claim, Prover()) if s.table is None)


def pair(sequent: Sequent, other: Sequent | None = None) -> str:
    """Return a sequent with the closing of its certificate; or of the certificate of another sequent."""
    closed = other or sequent
    return f"({write_sequent(sequent)},\n  {write_closing(closed, Prover().find_certificate(closed))})"


def drop(sequent: Sequent, place: int) -> Sequent:
    return replace(sequent, assume=sequent.assume[:place] + sequent.assume[place + 1 :])


def attacks() -> Iterator[tuple[str, str]]:
    """Yield descriptions of attacks, with a false sequent and a closing, or a true one and the closing of another."""
    dropped = {
        "a lower bound from an assumption": 0,
        "a lower bound from another": 0,
        "truth values": 0,
        "a condition by cases": 0,
        "contradictory assumptions": 1,
        "a part that occurs often": 1,
    }
    for name, place in dropped.items():
        yield f"{name}: an assumption removed", pair(drop(MADE[name], place), MADE[name])
    changed: dict[str, Callable[[str], str]] = {
        "division of any integer": lambda text: text.replace("(nLit 2)", "(nLit 3)"),
        "a remainder is small": lambda text: text.replace("(nLit 3)", "(nLit 2)"),
        "divisions of divisions": lambda text: text.replace("(nQuot (nVar 1) 4)", "(nQuot (nVar 1) 3)"),
        "nim-sums and ands": lambda text: text.replace("nNim", "nAnd"),
        "a nim-sum with an integer by cases": lambda text: text.replace("(cLt (nVar 1) (nVar 2))", "(cBe true)", 1),
        "extremes of three": lambda text: text.replace("nMax", "nMin"),
        "products": lambda text: text.replace("cLe", "cLt"),
        "a bound from above": lambda text: text.replace("(Some 20)", "None"),
        "truth values": lambda text: text.replace("cNot", "cAll (cBe true)", 1),
        "an integer by a truth value": lambda text: text.replace("Range 1 (Some 0)", "Range 1 (Some (-1))"),
    }
    for name, change in changed.items():
        text, closing = write_sequent(MADE[name]), write_closing(MADE[name], Prover().find_certificate(MADE[name]))
        assert change(text) != text
        yield f"{name}: changed", f"({change(text)},\n  {closing})"
    # Coq needs no tree for some of them, whose parts obviously exclude each other: they are closed by every closing.
    closed = [name for name, x in MADE.items() if Prover().find_certificate(x).letters]
    for name, other in zip(closed, closed[1:], strict=False):
        yield f"{name}: the closing of {other}", pair(MADE[name], MADE[other])


def wrong_closings() -> Iterator[tuple[str, str]]:
    """Yield false sequents, each with a closing that would prove it if Coq believed the closing; with a description."""
    below_0 = "(Sequent [] [] (cLe (nLit 0) (nVar 1)))"
    atom = "[(1%positive, at_most_0 [((-1), Var 1)] 0)]"
    leaf = "(Split 1 False_ False_)"
    yield "a natural that may be negative", f"({below_0}, Closing {atom} [] [] [Natural 1 1] [] [] {leaf})"
    lower = "[(1%positive, 0)]"
    yield "a lower bound that nothing states", f"({below_0}, Closing {atom} [] [] [Natural 1 1] {lower} [] {leaf})"
    equal_ = "(Sequent [Range 1 (Some 0) None; Range 2 (Some 0) None] [] (cEq (nVar 1) (nVar 2)))"
    yield "one stream for two variables", f"({equal_}, Closing [] [] [] [Natural 1 1; Natural 2 1] [] [] False_)"
    truth = "(Sequent [] [cBool 1] (cBool 2))"
    letters = "[(1, 1)%positive; (2, 1)%positive]"
    yield "one letter for two truth values", f"({truth}, Closing [] {letters} [] [] [] [] {leaf})"
    named = "[(1%positive, Letter 2); (2%positive, Not (Letter 1))]"
    nothing = "(Sequent [] [] (cBe false))"
    tree = f"(Split 1 (Split 2 False_ False_) {leaf})"
    yield "names that define each other", f"({nothing}, Closing [] [] {named} [] [] [] {tree})"
    used = "[(1%positive, Not (Letter 1))]"
    yield "a name for its negation", f"({nothing}, Closing [] [] {used} [] [] [] {leaf})"
    zero = "(Sequent [Range 1 (Some 0) None] [] (cEq (nVar 1) (nLit 0)))"
    letters = "[(1%positive, zero [(1, Var 1)] 0); (1%positive, zero [(1, Var 1)] (-1))]"
    yield "one letter for two atoms", f"({zero}, Closing {letters} [] [] [Natural 1 1] [] [] {leaf})"
    below = "(Sequent [] [] (cLe (nLit 0) (nQuot (nVar 1) 2)))"
    entries = "[Integer 1 1 2; Division (nVar 1) 2 3 None 4]"
    letters = "[(1%positive, at_most_0 [((-1), Var 3)] 0)]"
    yield "a quotient that may be negative", f"({below}, Closing {letters} [] [] {entries} [] [] {leaf})"


@needs_coq
def test_coq_accepts_every_kind_of_term(checker: Path) -> None:
    lemmas = [write_obligation(f"made_{i}", s, Prover().find_certificate(s)) for i, s in enumerate(MADE.values())]
    (checker / "Made.v").write_text(write_module("Made", lemmas) + "Print Assumptions Made.made_0.\n")
    assert run_coq(checker, "Made.v") == ""


@needs_coq
def test_coq_accepts_the_obligations_of_each_rule(checker: Path) -> None:
    found = [write_obligation(f"o_{i}", s, Prover().find_certificate(s)) for i, (_, s) in enumerate(list_library())]
    (checker / "Of_rules.v").write_text(PREAMBLE + "\n".join(found))
    assert run_coq(checker, "Of_rules.v") == ""


@needs_coq
def test_coq_refuses_other_sequents_and_wrong_closings(checker: Path) -> None:
    found = [*attacks(), *wrong_closings()]
    asked = ";\n".join(f"(* {name} *) {text}" for name, text in found)
    stated = f"Example refused : map (fun x => check_sequent (fst x) (snd x)) [{asked}] = repeat false {len(found)}.\n"
    (checker / "Refused.v").write_text(f"{PREAMBLE}{stated}Proof. vm_compute. reflexivity. Qed.\n")
    assert run_coq(checker, "Refused.v") == ""


@needs_coq
@pytest.mark.parametrize(
    ("name", "part", "other"),
    [
        ("truth values", "b = true <-> ~ c = true", "b = true <-> c = true"),
        ("truth values", "b = true -> ", ""),
        ("a bound from above", "z <= 20 -> ", ""),
        ("products", "2 * (y * z)", "3 * (y * z)"),
    ],
)
def test_coq_refuses_another_statement(name: str, part: str, other: str, checker: Path) -> None:
    sequent = MADE[name]
    said = Statement(sequent, {}).text
    assert part in said
    text = write_obligation("other", sequent, Prover().find_certificate(sequent))
    (checker / "Other.v").write_text(PREAMBLE + text.replace(said, said.replace(part, other, 1)))
    assert "Error" in run_coq(checker, "Other.v")


def pose(kind: int, condition: t.Term, a: t.Term, b: t.Term, c: t.Term, m: t.Term, n: t.Term) -> Sequent:
    """Return a true sequent about any integers a, b and c, and any integers m and n that are not negative."""
    sum_, third = add(a, b), [divide("floordiv", x, 3) for x in (a, b)]
    assume, show = (
        ([compare("le", a, b), less_than(b, c)], less_than(a, c)),
        ([equal(a, b)], equal(largest(a, c), largest(b, c))),
        ([condition], equal(nim(m, nim(n, m)), n)),
        ([condition, at_least(m, n)], at_least(add(m, bit_and(m, n)), nim(n, bit_and(m, n)))),
        ([compare("le", a, b)], compare("le", *third)),
        ([iff(condition, less_than(a, b)), condition], compare("ne", a, b)),
        ([], equal(choose(condition, a, b), sub(sum_, choose(condition, b, a)))),
        ([], equal(mul(a, add(b, c)), add(mul(a, b), mul(a, c)))),
    )[kind]
    found = names(*assume, show)
    symbols = (Symbol(x, BOOL) if x in TRUTHS else Symbol(x, INT, 0 if x in NATURALS else None) for x in found)
    return Sequent("random", tuple(symbols), tuple(assume), show)


ANY, NOT_NEGATIVE = numbers(2, words=True), numbers(2, words=True, natural=True)
POSED = st.builds(pose, st.integers(0, 7), truths(2, words=True), ANY, ANY, ANY, NOT_NEGATIVE, NOT_NEGATIVE)


@needs_coq
@settings(max_examples=2, deadline=None, phases=[Phase.generate])
@given(st.lists(POSED, min_size=60, max_size=60))
def test_coq_accepts_random_obligations_that_have_certificates(checker: Path, posed: list[Sequent]) -> None:
    lemmas = []
    for i, sequent in enumerate(posed):
        with suppress(Unsupported):  # no certificate
            lemmas.append(write_obligation(f"random_{i}", sequent, Prover().find_certificate(sequent)))
    (checker / "Random.v").write_text(PREAMBLE + "\n".join(lemmas))
    assert len(lemmas) > 30
    assert run_coq(checker, "Random.v") == ""


def describe(*names: str) -> list[Certified]:
    """Return the sequents with these names and their certificates, described by a claim."""
    return [(f"a/b: {name}", MADE[name], Prover().find_certificate(MADE[name])) for name in names]


@needs_coq
def test_a_library_of_files_becomes_one_theorem(checker: Path) -> None:
    found = describe("truth values", "products", "a bound from above", "products")
    assert write_library(found, checker / "library", files=2) == 3
    files = {path.name: path.read_text("utf-8") for path in (checker / "library").iterdir()}
    assert files.keys() == {"Obligations_1.v", "Obligations_2.v", "Library.v"}
    assert sum(text.count("Definition obligation_") for text in files.values()) == 3
    assert sum("(* a/b: products *)" in text for text in files.values()) == 1
    for name in sorted(files, reverse=True):
        if name != "Library.v":
            assert run_coq(checker, f"library/{name}") == ""
    assert run_coq(checker, "library/Library.v") == ""
    assert files["Library.v"].endswith("Print Assumptions all_obligations_hold.\n")


@needs_coq
def test_a_file_with_an_obligation_that_is_not_closed_does_not_compile(checker: Path) -> None:
    (name, _, certificate), *_ = describe("products")
    other = replace(MADE["products"], show=compare("lt", *MADE["products"].show.args))
    write_library([(name, other, certificate)], checker / "wrong", files=1)
    assert "forallb closes_sequent proved = true" in run_coq(checker, "wrong/Obligations_1.v")


def test_another_obligation_changes_no_file_but_its_own(tmp_path: Path) -> None:
    texts, found = [], describe("truth values", "products", "extremes of three")
    for some in (found[1:], found):
        write_library(some, out := tmp_path / f"{len(some)}", files=64)
        texts.append({path.name: path.read_text("utf-8") for path in out.glob("Obligations_*.v")})
    assert [len(files) for files in texts] == [2, 3]
    assert texts[0].items() < texts[1].items()


def test_the_file_of_all_says_nothing_of_a_file_that_is_left_out(tmp_path: Path) -> None:
    write_library(describe("truth values", "products", "extremes of three"), tmp_path / "out", files=64)
    first, *others = sorted(path.stem for path in (tmp_path / "out").glob("Obligations_*.v"))
    (tmp_path / "out" / f"{first}.v").unlink()
    write_whole(tmp_path / "out")
    text = (tmp_path / "out" / "Library.v").read_text("utf-8")
    assert others and all(f"{other}.obligations" in text and f"{other}.all_hold" in text for other in others)
    assert first not in text


def test_a_description_cannot_end_its_comment(tmp_path: Path) -> None:
    evil = ('evil *) Axiom a: False. (* "x', *describe("products")[0][1:])
    write_library([evil], tmp_path / "out", files=1)
    assert "(* evil * ) Axiom a: False. ( * 'x *)" in (tmp_path / "out" / "Obligations_1.v").read_text("utf-8")


def test_the_library_lists_the_obligations_of_claims_and_those_without_certificates() -> None:
    entries = [entry for id in ("nim/zero-sum-moves", "heaps/misere-kayles") if (entry := find_shipped(id))]
    first, second = list_certified(entries)
    assert [s.name for s, _ in first.certified] == [s.name for rule, s in list_library() if rule == "folds"]
    assert (first.claim, first.without) == ("nim/zero-sum-moves", ())
    assert second.certified and all(s.table is None for s, _ in second.certified)


# -- what a printed sequent means -------------------------------------------------------------------------------------
Tree = str | list["Tree"]
NUMBERS: dict[str, Callable[[int, int], int]] = {
    "nAdd": lambda a, b: a + b,
    "nSub": lambda a, b: a - b,
    "nMul": lambda a, b: a * b,
    "nQuot": lambda a, b: a // b,
    "nRem": lambda a, b: a % b,
    "nNim": lambda a, b: a ^ b,
    "nAnd": lambda a, b: a & b,
    "nMax": max,
    "nMin": min,
    "cLe": lambda a, b: a <= b,
    "cLt": lambda a, b: a < b,
    "cEq": lambda a, b: a == b,
    "cIff": lambda a, b: a == b,
    "cAll": lambda a, b: a and b,
    "cAny": lambda a, b: a or b,
}


def parse(text: str) -> Tree:
    """Return Coq text as nested lists of words; a list in brackets begins with "["."""
    stack: list[list[Tree]] = [[]]
    for word in re.findall(r"[()\[\];]|[^()\[\];\s]+", text):
        if word in "([":
            stack.append(["["] if word == "[" else [])
            if word == "[":
                stack.append([])
        elif word == ";":
            done = stack.pop()
            stack[-1].append(done)
            stack.append([])
        elif word == "]":
            done = stack.pop()
            if done:
                stack[-1].append(done)
            whole = stack.pop()
            stack[-1].append(whole)
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    return stack[0]


def value(tree: Tree, integers: list[int], truths: list[bool]) -> int:
    """Return the value of a parsed term."""
    if isinstance(tree, str):
        return int(tree)
    if len(tree) == 1:
        return value(tree[0], integers, truths)
    op, *args = tree
    assert isinstance(op, str)
    match op:
        case "nVar":
            return integers[int(str(args[0])) - 1]
        case "cBool":
            return truths[int(str(args[0])) - 1]
        case "cBe":
            return args[0] == "true"
        case "nLit":
            return value(args[0], integers, truths)
        case "nNeg":
            return -value(args[0], integers, truths)
        case "cNot":
            return not value(args[0], integers, truths)
        case "nPick" | "cIf":
            return value(args[1 if value(args[0], integers, truths) else 2], integers, truths)
    return NUMBERS[op](value(args[0], integers, truths), value(args[1], integers, truths))


def list_printed() -> Mapping[str, Sequent]:
    return MADE | {f"{rule} {s.name}": s for rule, s in list_library()}


def test_a_printed_sequent_means_what_its_terms_mean() -> None:
    random = np.random.default_rng(5)
    for name, sequent in list_printed().items():
        whole = parse(write_sequent(sequent))[0]
        assert isinstance(whole, list) and whole[0] == "Sequent"
        _, ranges, assumed, shown = whole
        symbols = [x for x in sequent.variables if x.type == INT]
        bounds = {i: (x.lo, x.hi) for i, x in enumerate(symbols, 1) if (x.lo, x.hi) != (None, None)}
        read = {int(str(r[1])): tuple(bound(x) for x in r[2:]) for r in ranges[1:] if isinstance(r, list)}
        assert read == bounds, name
        columns = {
            x.name: random.integers(0, 2, 50).astype(bool) if x.type == BOOL else random.integers(-3, 9, 50)
            for x in sequent.variables
        }
        table = ColumnTable(columns)
        for term, tree in zip((*sequent.premises, sequent.show), (*assumed[1:], shown), strict=True):
            found = table.evaluate(term)
            for row in range(50 if columns else 1):
                integers = [int(columns[x.name][row]) for x in symbols]
                truths = [bool(columns[x.name][row]) for x in sequent.variables if x.type == BOOL]
                if not found.undefined[row]:
                    assert bool(value(tree, integers, truths)) == bool(found.values[row]), (name, term)


def bound(tree: Tree) -> int | None:
    return None if tree == "None" else value(tree[1], [], [])


def test_names_in_a_statement_are_chosen_or_distinct() -> None:
    s = Symbols()
    x, y = s.integer("x y"), s.integer("x-y")
    sequent = s.sequent("names", (), less_than(x, add(y, s.integer("fst"))))
    assert Statement(sequent, {"x y": "h"}).binders == ("h", "x_y", "fst_")
    assert Statement(sequent, {"x-y": "fst_"}).binders == ("xu20y", "fst_", "fst__")


def test_a_term_without_a_form_in_coq_is_refused() -> None:
    s = Symbols()
    x, y = s.integer("x", 0), s.integer("y", 1)
    sequent = s.sequent("a divisor", (), equal(t.Operation(INT, 0, 0, "mod", (x, y)), ZERO))
    with pytest.raises(Unsupported, match="x % y has no form in the sequents of Coq"):
        write_sequent(sequent)
