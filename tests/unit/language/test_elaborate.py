"""Names, types and definitions: the meaning of an expression before its evaluation."""

from dataclasses import replace

import pytest

from checks.referee.meaning import IllDefined, RefereeSteps, TermEvaluator, refuse_game
from claims.language.errors import LanguageError
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS, REDUCERS, list_functions
from claims.language.syntax.elaborate import MAX_DEPTH, MAX_RUNNING, Elaborator
from claims.language.syntax.grammar import parse
from claims.language.syntax.names import read_definition
from claims.language.syntax.printing import print_term
from claims.language.syntax.questions import QUESTIONS, GameFacts
from claims.language.syntax.terms import (
    BOOL,
    INT,
    OUTCOME,
    PLAYER,
    POSITION,
    RATIONAL,
    heap_of,
    list_of,
    position_of,
    set_of,
)

IMPARTIAL = GameFacts("nim", ("P1", "P2"), impartial=True, normal=True)
PARTIZAN = GameFacts("kl-nim", ("P1", "P2"), impartial=False, normal=True)
MANY = GameFacts("large-nim", (), impartial=True, normal=False)
MISERE = GameFacts("misere-nim", ("P1", "P2"), impartial=True, normal=False)
ENDLESS = GameFacts("loop", ("P1", "P2"), impartial=True, normal=False, endless=True)
LIKED = GameFacts("liked", ("P1", "P2"), impartial=True, normal=False, prefers=True)
THREE = GameFacts("three", ("A", "B", "C"), impartial=True, normal=True)
VARIABLES = {"s": POSITION, "n": INT, "b": BOOL, "p": PLAYER, "r": RATIONAL, "S": set_of(INT), "L": list_of(INT)}


def elaborator(games=None, **definitions):
    """Return an elaborator; `f__x="..."` defines f(x)."""
    made = {}
    for key, text in definitions.items():
        name, *parameters = key.split("__")
        made[name] = read_definition(f"{name}({', '.join(parameters)})" if parameters else name, text, ("define", name))
    return Elaborator(VARIABLES, {"game": IMPARTIAL} if games is None else games, made)


def value(text, env=None, **definitions):
    """Return the referee's value of the text."""
    term = elaborator({}, **definitions).term(text)
    return TermEvaluator(refuse_game, RefereeSteps(100_000)).evaluate(term, env or {})


def refusal(text, games=None, expected=None, **definitions):
    with pytest.raises(LanguageError) as caught:
        elaborator(games, **definitions).term(text, expected)
    return caught.value


# -- types -----------------------------------------------------------------------------------------------------------
TYPED = [
    ("n + 1", INT),
    ("n / 2", RATIONAL),
    ("n // 2", INT),
    ("r * n", RATIONAL),
    ("n ** 3", INT),
    ("r ** 2", RATIONAL),
    ("-r", RATIONAL),
    ("n ^ 3", INT),
    ("n < r <= 4", BOOL),
    ("1 if b else 1 / 2", RATIONAL),
    ("[1, 2]", list_of(INT)),
    ("{s, s}", set_of(POSITION)),
    ("[h + 1 for h in s]", list_of(INT)),
    ("{wins(t) for t in options(s)}", set_of(BOOL)),
    ("s[0]", INT),
    ("[p][0]", PLAYER),
    ("s.count(2)", INT),
    ("options(s).count(s)", INT),
    ("3 in s", BOOL),
    ("s not in options(s)", BOOL),
    ("1 in []", BOOL),
    ("1 in [1 / 2]", BOOL),
    ("[] == [1]", BOOL),
    ("S == {}", BOOL),
    ("max(1, 2, r)", RATIONAL),
    ("max(s)", INT),
    ("min(h for h in s)", INT),
    ("sum(1 / h for h in s)", RATIONAL),
    ("sum([])", INT),
    ("any([])", BOOL),
    ("count(h > 1 for h in s)", INT),
    ("mex(grundy(t) for t in options(s))", INT),
    ("nim_sum(s)", INT),
    ("len(options(s))", INT),
    ("abs(r)", RATIONAL),
    ("range(3)", list_of(INT)),
    ("position([1, 2])", POSITION),
    ("position([])", POSITION),
    ("replace(s, 1, 0)", POSITION),
    ("s + s", POSITION),
    ("s + [1, n]", POSITION),
    ("[] + s + [1]", POSITION),
    ("[1] + [2]", list_of(INT)),
    ("s + 1", None),
    ("s + {1}", None),
    ("s + [b]", None),
    ("s - s", None),
    ("nim_sum_ways([1, 1], 2)", list_of(INT)),
    ("columns({1, 2}, 3, 1)", INT),
    ("columns([], 3, 1)", INT),
    ("columns(1, 3, 1)", None),
    ("columns([b], 3, 1)", None),
    ("columns([1 / 2], 3, 1)", None),
    ("columns(s, 3)", None),
    ("implies(b, not b)", BOOL),
    ("iff(b, n > 0)", BOOL),
    ("P1", PLAYER),
    ("P_position", OUTCOME),
    ("options(s)", set_of(POSITION)),
    ("options(s, p)", set_of(POSITION)),
    ("legal(s, s)", BOOL),
    ("terminal(s)", BOOL),
    ("value(s)", INT),
    ("outcome(s)", OUTCOME),
    ("(1, n)", list_of(INT)),
    ("[[1], []]", list_of(list_of(INT))),
    ("[[], [[]], [[n]]][2]", list_of(list_of(INT))),
    ("{(1, 2), (2, 1)}", set_of(list_of(INT))),
    ("[] in [[1]] and [1] in [[1]] and [1] in []", BOOL),
    ("put([[1]], 0, [])", list_of(list_of(INT))),
    ("[[1]].count([1])", INT),
    ("[x + y for x, y in [(1, n)]]", list_of(INT)),
    ("{x or y for (x, y) in [(b, b)]}", set_of(BOOL)),
    ("[x for x, y, z in [(s, s, s)]]", list_of(POSITION)),
    ("[x for x, y in [([1], [2])]]", list_of(list_of(INT))),
    ("[x for x, y in [(1, n, n)]]", None),
    ("[x for x, y, z in [(1, n)]]", None),
    ("[x for x, y in s]", None),
    ("[x for x, y in L]", None),
    ("[x for x, y in []]", None),
    ("[x for x, y in options(s)]", None),
    ("[n, r / 1][0]", None),
    ("b + 1", None),
    ("n and b", None),
    ("r // 2", None),
    ("2 ** r", None),
    ("r ^ 1", None),
    ("s < s", None),
    ("p == 0", None),
    ("s == [1]", None),
    ("S == [1]", None),
    ("r in S", None),
    ("b in s", None),
    ("S[0]", None),
    ("[{1}]", None),
    ("[[1], 2]", None),
    ("[[1 / 2], [1]]", None),
    ("sum([[1]])", None),
    ("[1] in [1]", None),
    ("[S for h in s]", None),
    ("[1, True]", None),
    ("any(h for h in s)", None),
    ("sum(t for t in options(s))", None),
    ("mex([b])", None),
    ("max(n)", None),
    ("max([b])", None),
    ("position(s)", None),
    ("replace(s, 1)", None),
    ("n.count(1)", None),
    ("s.sort()", None),
    ("[h for h in n]", None),
    ("implies(n, b)", None),
    ("range(1, 2, 3)", None),
    ("1 if n else 2", None),
    ("grundy", None),
    ("s(1)", None),
    ("nim_sum(x / 2 for x in L)", None),
    ("mex(x / 2 for x in L)", None),
    ("nim_sum([r])", None),
    ("2 // r", None),
    ("r % 2", None),
    ("2 ^ r", None),
    ("bit(r, 0)", None),
    ("range(r)", None),
    ("position([r])", None),
    ("s in s", None),
    ("r in L", None),
    ("[1, b]", None),
    ("[s, 1]", None),
    ("b == 1", None),
    ("L == [1 / 2]", None),
    ("[r] == [1]", None),
    ("b < b", None),
    ("[b] < [b]", None),
    ("max(s, s)", None),
    ("sum([s])", None),
    ("1 if r else 2", None),
    ("not n", None),
]


@pytest.mark.parametrize(("text", "kind"), TYPED)
def test_types(text, kind):
    if kind is None:
        refusal(text)
    else:
        assert elaborator().term(text).type == kind


def test_an_expected_type_is_enforced_and_integers_become_fractions():
    assert elaborator().term("n", RATIONAL).type == RATIONAL
    assert refusal("n", expected=BOOL).expected == "a Bool, such as a comparison"
    assert "use // to divide" in refusal("n / 2", expected=INT).expected
    for kind in (INT, BOOL, POSITION):
        refusal("1 / 2", expected=kind)
    assert refusal("[1]", expected=POSITION).expected == "a Position: position([...]) turns a list into a position"


def operations_of(term):
    if isinstance(term, t.Operation):
        yield term.op
    if isinstance(term, t.Apply):
        yield from operations_of(term.function.body)
    for part in t.subterms(term):
        yield from operations_of(part)


def test_every_operation_can_be_written_and_every_one_that_is_made_is_listed():
    texts = [text for text, kind in TYPED if kind] + [
        "n - 1 * n % 2 == n", "n != 1", "n > 1", "n >= 1", "isqrt(n) + bit(n, 0) + top_bit(n)", "min(1, 2)", "min(s)",
        "all([b])", "count([b])", "mex(s)", "bit_and(n, 1)", "columns(s, 3, 1)",
        "nim_sum(S)", "sum(s)", "abs(n)", "max([1])",
        "put([n], 0, 1)", "sorted([n])", "[n][0:1]", "[n] + [1]",
        "gcd(n, 2)", "bit_or(n, 1)", "popcount(n)", "digit_sum(n, 10)", "valuation(n, 2)", "is_prime(n)",
        "nim_product(n, 2)", "reachable([(n, 1)], n)", "component([], n)",
    ]  # fmt: skip
    made = {op for text in texts for op in operations_of(elaborator().term(text))}
    heap = heap_of(("c", list_of(INT)), ("q", INT))
    made |= set(operations_of(Elaborator({"h": heap}, heap=heap).term("heap(h.c, 0) == h")))
    games = Elaborator({"s": POSITION}, {"nim": GameFacts("nim", ("A", "B"), impartial=True, normal=True)})
    made |= set(operations_of(games.term("equals(-game(s) + '*', ordinal_sum('^', game(s)) - game(s) * '1')")))
    assert made == set(BUILTINS)


# -- names -----------------------------------------------------------------------------------------------------------
def test_a_running_variable_hides_and_then_gives_back():
    assert value("sum(n for n in range(n)) + n", {"n": 4}) == 10


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[x * 10 + y for x, y in [(1, 2), (3, n)]]", (12, 34)),
        ("[x + y for (x, y) in pairs if x < y for x in range(x)]", (2, 3, 3, 4)),
        ("[n for n, m in [(1, 2)] for m in [m, n]] + [n]", (1, 1, 4)),
        ("[x_y + x for x_y in [7] for x, y in [(1, 2)]]", (8,)),
        ("[x + swap(x, n) for x, y in [(1, 2)]]", (42,)),
        ("[x + z for x, y, z in [sorted([3, 1, n])]]", (5,)),
        ("count(x == y for x, y in {(1, 2), (2, 2), (2, 2)})", 1),
        ("[x for x, y in [] + [(1, 2)]]", (1,)),
        ("[x[0] for x, y in [([1], []), ([2], [3])]]", (1, 2)),
        ("[x for x, y in [[[1], [2]]][0:1]][0][0]", 1),
    ],
)
def test_several_running_variables_are_the_elements_of_a_list(text, expected):
    definitions = {"pairs": "[(i, j) for i in [1, 2] for j in [2, 3]]", "swap__y__x": "10 * x + y"}
    assert value(text, {"n": 4}, **definitions) == expected


@pytest.mark.parametrize(
    ("source", "is_known"),
    [
        ("[(1, 2), (n, 3)]", True),
        ("pairs", True),
        ("[p for p in pairs]", False),
        ("[sorted([1, 2])]", False),
        ("[L, (1, 2)]", False),
    ],
)
def test_a_list_of_another_length_has_no_value_unless_the_text_shows_the_lengths(source, is_known):
    """The condition comes first, even if no variable is used. Otherwise, the elements of longer lists would be lost."""
    one = elaborator(pairs="[(i, j) for i in [1, 2] for j in [2, 3]]")
    (clause,) = one.term(f"count(True for x, y in {source} if False)").clauses
    assert len(clause.conditions) == (1 if is_known else 2)
    assert is_known or print_term(clause.conditions[0]) == "len(x_y) == 2 or x_y[len(x_y)] == 0"


@pytest.mark.parametrize("elements", ["(1,)", "(1, 2, 3)", "[]", "([1], [2], [3])", "(True, True, False)"])
def test_a_list_of_another_length_has_no_value(elements):
    with pytest.raises(IllDefined):
        value(f"count(True for x, y in [{elements}][0:1])")


def test_a_heap_or_a_position_is_not_divided_among_variables():
    heap = heap_of(("c", list_of(INT)), ("q", INT))
    one = Elaborator({"s": position_of(heap), "P": list_of(position_of(heap))}, heap=heap)
    with pytest.raises(LanguageError) as caught:
        one.term("[c for c, q in s]")
    assert caught.value.expected == "one variable h, and its parts h.c, h.q"
    with pytest.raises(LanguageError, match="cannot be divided among 2 variables"):
        one.term("[x for x, y in P]")


def test_a_definition_that_nothing_calls_may_have_several_running_variables():
    unknown = [list(elaborator().list_unknown(parse(f"[x + {y} for x, y in S if x < y]"))) for y in ("y", "z")]
    assert [[error.message for error in found] for found in unknown] == [[], ["unknown name 'z'"]]


def test_a_name_of_the_text_is_not_captured_by_the_list_of_several_variables():
    term = elaborator(a_b="7").term("[a_b + x_y + a + x for x_y in [1] for x, y in [(1, 2)] for a, b in [(3, 4)]]")
    assert print_term(term) == (
        "[a_b + x_y + a_b_[0] + x_y_[0] for x_y in [1] for x_y_ in [[1, 2]] for a_b_ in [[3, 4]]]"
    )


def test_a_source_is_read_before_its_variable_runs():
    assert value("[x for x in [1, 2] for x in range(x)]") == (0, 0, 1)


def test_unique_names_are_unique_in_a_context():
    one = elaborator()
    names = [c.variable for text in ("any(h > 0 for h in s)", "all(h > 0 for h in s)") for c in one.term(text).clauses]
    assert len(set(names)) == 2
    assert all(name.split("'")[0] == "h" for name in names)


def test_a_definition_sees_the_claims_variables_but_not_its_callers():
    assert value("f(2)", {"n": 5}, f__x="x + n") == 7
    error = refusal("any(f(1) > 0 for h in s)", f__x="x + h")
    assert error.message == "unknown name 'h'"
    assert error.where == ("define", "f")
    assert [step.head for step in error.trail] == ["f(Int)"]


def test_an_argument_is_not_captured_by_a_running_variable_of_the_definition():
    assert value("[below(h) for h in [3, 1]]", below__n="len([h for h in range(n) if h < n])") == (3, 1)


def test_a_parameter_hides_a_variable_and_a_definition():
    assert value("f(1)", {"n": 50}, f__n="n + 1") == 2
    assert value("f(1)", f__g="g + 1", g="50") == 2


def test_a_definition_without_arguments_is_a_constant():
    assert value("rows[1] + len(rows)", rows="[4, 5, 6]") == 8


# -- definitions -----------------------------------------------------------------------------------------------------
def test_a_definition_is_made_once_for_each_type_of_arguments():
    term = elaborator(size__x="len(x)").term("size(s) + size(S) + size(s) + size(L)")
    functions = []
    todo = [term]
    while todo:
        part = todo.pop()
        functions += [part.function] if isinstance(part, t.Apply) else []
        todo += t.subterms(part)
    assert len(functions) == 4
    assert len({id(f) for f in functions}) == 3


def test_the_called_definitions_are_known():
    one = elaborator(f__x="g(x)", g__x="x + 1", h__x="x")
    one.term("f(1)")
    assert one.called == {"f", "g"}


@pytest.mark.parametrize(
    "definitions",
    [{"f__x": "f(x)"}, {"f__x": "g(x)", "g__x": "f(x)"}, {"f__x": "g + x", "g": "f(1)"}, {"f__x": "1 if b else f(x)"}],
)
def test_a_circle_is_refused(definitions):
    assert "is circular: f -> " in refusal("f(1)", **definitions).message


def test_a_circle_that_the_first_definition_is_not_part_of_is_named():
    assert "is circular: g -> h -> g" in refusal("f(1)", f__x="g(x)", g__x="h(x)", h__x="g(x)").message


@pytest.mark.parametrize("arguments", ["", "1", "1, 2, 3"])
def test_a_definition_takes_as_many_arguments_as_it_has_parameters(arguments):
    assert refusal(f"f({arguments})", f__x__y="x + y").message.startswith("f is called with")


def test_a_definition_called_twice_is_no_circle():
    assert value("f(f(1)) + f(2)", f__x="x + g(x)", g__x="2 * x") == 15


# -- games -----------------------------------------------------------------------------------------------------------
def test_an_impartial_game_needs_no_mover():
    term = elaborator().term("wins(s)")
    assert isinstance(term, t.GameCall)
    assert [type(a) for a in term.args] == [t.Variable, t.Literal]
    assert term.args[1].value == 0
    assert len(elaborator().term("grundy(s)").args) == 1


@pytest.mark.parametrize("question", [q for q, asked in QUESTIONS.items() if asked.mover])
def test_a_partizan_game_needs_a_mover(question):
    arguments = ", ".join("s" for _ in QUESTIONS[question].parameters)
    facts = replace(PARTIZAN, endless=question == "draws", scored=True)
    assert "name the mover" in refusal(f"{question}({arguments})", {"game": facts}).expected
    assert elaborator({"game": facts}).term(f"{question}({arguments}, P2)").args[-1].value == 1


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("wins(s)", THREE),
        ("outcome(s)", THREE),
        ("grundy(s)", THREE),
        ("wins(s)", MANY),
        ("outcome(s)", MANY),
        ("grundy(s)", MANY),
        ("grundy(s)", MISERE),
        ("wins(s, 0)", IMPARTIAL),
        ("draws(s)", IMPARTIAL),
        ("draws(s)", replace(MANY, endless=True)),
        *((f"{question}(s)", ENDLESS) for question in ("value", "grundy", "outcome", "number", "mean", "temperature")),
        *((f"{question}(s)", LIKED) for question in ("wins", "grundy", "outcome", "number", "mean", "temperature")),
        *((f"{question}(s)", MISERE) for question in ("number", "mean", "temperature")),
        *(
            (f"{question}(s)", facts)
            for question in ("left_stop", "right_stop", "birthday", "atomic_weight")
            for facts in (ENDLESS, LIKED, MISERE, MANY, THREE)
        ),
        *(
            (text, facts)
            for text in ("le(cool(s, 1), s)", "le(heat(s, 1), s)", "le(overheat(s, 1, 1), s)")
            for facts in (ENDLESS, LIKED, MISERE, MANY, THREE)
        ),
        *(
            (f"{question}(s)", facts)
            for question in ("remoteness", "suspense")
            for facts in (ENDLESS, LIKED, MANY, THREE)
        ),
        ("score(s)", IMPARTIAL),
        *(("score(s)", replace(facts, scored=True)) for facts in (ENDLESS, MANY, THREE)),
        *((f"{x}(s, s)", facts) for x in ("le", "equals") for facts in (ENDLESS, LIKED, MISERE, MANY, THREE)),
    ],
)
def test_questions_without_a_meaning(text, facts):
    refusal(text, {"game": facts})


def test_players_of_n_player_games_are_integers():
    assert elaborator({"game": MANY}).term("value(s, 2)").args[1].type == INT


def test_several_games_are_told_apart_by_prefix():
    games = {"normal": IMPARTIAL, "misere": MISERE}
    both = elaborator(games).term("normal.wins(s) == misere.wins(s)")
    assert [a.game for a in both.args] == ["normal", "misere"]
    assert refusal("wins(s)", games).message == "wins does not name its game"
    assert refusal("other.wins(s)", games).message == "no game is named 'other'"
    assert refusal("wins(s)", {}).message.startswith("wins needs a game")


# -- laziness and limits ----------------------------------------------------------------------------------------------
def test_implies_and_chains_are_lazy():
    assert value("implies(1 > 2, 1 // 0 == 1)") is True
    assert value("1 > 2 > 1 // 0") is False
    assert value("3 > 1 < 2") is True
    assert value("any(x == 1 or 1 // 0 == 1 for x in [1, 2])") is True


def test_depth_is_limited_exactly():
    elaborator().term("+".join(["1"] * MAX_DEPTH))
    error = refusal("+".join(["1"] * (MAX_DEPTH + 1)))
    assert "nested deeper than" in error.message


def test_depth_counts_the_bodies_of_definitions_also_on_a_second_call():
    deep = {"f__x": "+".join(["x"] * (MAX_DEPTH - 10))}
    elaborator(**deep).term("f(1)")
    assert "nested deeper than" in refusal("f(1) + " + "-(" * 15 + "f(1)" + ")" * 15, **deep).message


def test_running_variables_are_limited_exactly():
    def nested(levels):
        return "any(" * levels + "b" + " for x in s)" * levels

    elaborator().term(nested(MAX_RUNNING))
    assert "nested running variables" in refusal(nested(MAX_RUNNING + 1)).message
    side_by_side = " and ".join(["any(b for x in s)"] * (MAX_RUNNING + 1))
    elaborator().term(side_by_side)


def test_functions_and_questions_do_not_share_names():
    assert not set(list_functions()) & set(QUESTIONS)
    assert set(REDUCERS) < set(list_functions())
