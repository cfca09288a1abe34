"""A walk over terms: a new object if a part changes, the same object otherwise."""

import pytest

from claims.language.syntax import terms as t
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.names import read_definition
from claims.language.syntax.printing import (
    find_free_names,
    print_term,
    rebuild,
    rebuild_all,
    structural_key,
    substitute,
    walk,
)
from claims.language.syntax.questions import GameFacts
from claims.language.syntax.terms import INT, POSITION

TEXTS = [
    "k + 1",
    "k > 1 and j > 2",
    "k > 1 or j > 2",
    "k if j > 2 else j",
    "[k, j]",
    "{h + k for h in s if h > j for i in range(h) if i > k}",
    "any(wins(t) for t in options(s))",
    "nim.terminal(s, A)",
    "f(k) + f(j)",
]


def term(written: str) -> t.Term:
    made = {"f": read_definition("f(x)", "x * k", ("define", "f(x)"))}
    games = {"nim": GameFacts("nim", ("A", "B"), impartial=True, normal=True)}
    return Elaborator({"k": INT, "j": INT, "s": POSITION}, games, made).term(written)


def renamed(x: t.Term) -> t.Term:
    if isinstance(x, t.Variable) and x.name == "k":
        return t.Variable(x.type, x.start, x.end, "z")
    return rebuild(x, renamed)


@pytest.mark.parametrize("written", TEXTS)
def test_what_does_not_change_is_shared(written: str) -> None:
    made = term(written)
    assert rebuild(made, lambda x: x) is made
    parts = t.subterms(made)
    assert rebuild_all(parts, lambda x: x) is parts


@pytest.mark.parametrize("written", TEXTS)
def test_what_changes_is_made_anew_everywhere_and_nothing_else_is(written: str) -> None:
    made = term(written)
    new = renamed(made)
    assert print_term(new) == print_term(made).replace("k", "z")
    assert (new is made) == ("k" not in written)
    assert structural_key(substitute(new, {})) == structural_key(substitute(renamed(new), {}))
    for x in walk(new):
        if "z" not in print_term(x):
            assert any(x is y for y in walk(made))


@pytest.mark.parametrize("written", TEXTS)
def test_each_part_is_changed_once_in_the_order_of_evaluation(written: str) -> None:
    made, seen = term(written), list[t.Term]()
    rebuild(made, lambda x: seen.append(x) or x)
    assert tuple(seen) == t.subterms(made)


def test_the_names_that_a_term_is_about() -> None:
    assert set(find_free_names(term(TEXTS[5]))) == {"k", "j", "s"}
    assert set(find_free_names(substitute(term("f(j)"), {}))) == {"k", "j"}
    assert print_term(substitute(term("f(j)"), {"j": term("k + 1")})) == "(k + 1) * k"


def test_identity_forgets_the_names_that_run() -> None:
    one, two, other = (term(f"[{n} + k for {n} in s]") for n in ("h", "i", "s"))
    assert structural_key(one) == structural_key(two) == structural_key(other)
    assert structural_key(one) != structural_key(term("[h + j for h in s]"))
