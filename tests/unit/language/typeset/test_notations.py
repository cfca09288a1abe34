"""The appearance of formulas: the expected notation for the text of a file."""

from __future__ import annotations

import pytest
from linear import linear

from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.names import read_definition
from claims.language.syntax.printing import make_printer, walk
from claims.language.syntax.questions import QUESTIONS, GameFacts
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, RATIONAL, Type, heap_of, list_of, set_of
from claims.language.typesetting.formulas import flow, make_flow, math, typeset_math

VARIABLES: dict[str, Type] = {
    **dict.fromkeys(["k", "l", "m", "x", "y", "alpha", "x1", "n_max", "piles", "b"], INT),
    **dict.fromkeys(["s", "t"], POSITION),
    "p": PLAYER,
    "S": set_of(INT),
    "c": list_of(INT),
    "h": heap_of(("c", list_of(INT)), ("q", INT)),
    "q": RATIONAL,
    "ready": BOOL,
    "stays_above_1": BOOL,
}
IMPARTIAL = GameFacts("nim", ("A", "B"), impartial=True, normal=True)
ENDLESS = GameFacts("loop", ("P1", "P2"), impartial=False, normal=False, endless=True)
DRAWN = "draws(s, P1) and not draws(t, P1) and not wins(s, P2)"
PARTISAN = GameFacts("kl", ("P1", "P2"), impartial=False, normal=True, scored=True)
DEFINITIONS = {
    "defective": read_definition("defective(s, p)", "wins(s, p)", ()),
    "lost": read_definition("lost(s)", "len(s) == 0", ()),
    "smaller": read_definition("smaller(h)", "h < k", ()),
    "winning_moves": read_definition("winning_moves(s)", "{t for t in options(s, P1) if wins(t, P1)}", ()),
    "row": read_definition("row(i)", "position([i, i])", ()),
}
ELABORATOR = Elaborator(VARIABLES, {"kl": PARTISAN}, DEFINITIONS, heap=VARIABLES["h"])


def term_of(text: str, **games: GameFacts) -> t.Term:
    return (Elaborator(VARIABLES, games, {}) if games else ELABORATOR).term(text)


FORMULAS = {
    # names
    "k + alpha + x1 - n_max": "k + α + x_{1} − n_{max}",
    "piles * k": "piles·k",
    "stays_above_1": "stays above 1",
    # heaps with parts
    "h.q + h.c[k] == 0": "h . q + h . c_{k} = 0",
    "put(h.c, k, 0) == sorted(c)": "put(h . c, k, 0) = sorted(c)",
    "c[1:k] + c[:x] == [m]": "c_{1: k} + c_{0: x} = (m)",
    "h == heap(c, k)": "h = heap(c, k)",
    # arithmetic
    "2*k*m + 3*(x + 1)": "2km + 3(x + 1)",
    "k*(x + 1)": "k·(x + 1)",
    "2*3": "2·3",
    "x // (2*k) * k": "⌊{x}/{2k}⌋·k",
    "x % (k + 1) - 1": "(x mod (k + 1)) − 1",
    "x % (2*k) == 0": "x mod 2k = 0",
    "k - (x - 1)": "k − (x − 1)",
    "k - x - 1": "k − x − 1",
    "x - (x ^ y)": "x − (x ⊕ y)",
    "(x ^ y ^ 1) ** 2": "(x ⊕ y ⊕ 1)^{2}",
    "x ^ (y + 1)": "x ⊕ (y + 1)",
    "-x ** 2": "−x^{2}",
    "q / 2 < 1 / 3": "{q}/{2} < {1}/{3}",
    "isqrt(5*x*x)": "⌊√{5x·x}⌋",
    "abs(x - y)": "|x − y|",
    "bit_and(x, y) == 0": "bitand(x, y) = 0",
    "bit_or(x, y) == gcd(x, y)": "bitor(x, y) = gcd(x, y)",
    "x in reachable([(x, y), (y, k)], k + 1)": "x ∈ reachable(((x, y), (y, k)), k + 1)",
    "len(component([(x, y)], k)) == 1": "|component(((x, y)), k)| = 1",
    "nim_product(x + 1, k) ^ 2 * k": "(x + 1) ⊗ k ⊕ 2k",
    "popcount(x) == valuation(x + 1, y)": "popcount(x) = ν_{y} (x + 1)",
    "is_prime(x)": "prime(x)",
    "digit_sum(x + 1, 10)": "digit sum(x + 1, 10)",
    "columns(s, 3, 1)": "columns_{1 mod 3} (s)",
    "bit(x, top_bit(y))": "bit_{⌊log_{2} y⌋} (x)",
    "max(k, l) + min(s)": "max(k, l) + min s",
    "min([k, l - 1, 0])": "min(k, l − 1, 0)",
    # comparisons and connectives
    "0 <= x < k != l": "0 ≤ x < k ≠ l",
    "x == 0 and y >= 1 or not ready": "x = 0 ∧ y ≥ 1 ∨ ¬ready",
    "not (x == 0 and ready)": "¬(x = 0 ∧ ready)",
    "(x == 0 or ready) and y > 1": "(x = 0 ∨ ready) ∧ y > 1",
    "implies(x > 0, iff(ready, y > 0))": "x > 0 ⟹ (ready ⟺ y > 0)",
    "(x == 0) != ready": "x = 0 ⇎ ready",
    "x in {1, 2} and y not in [3, 4] and 2 in s": "x ∈ {1, 2} ∧ y ∉ {3, 4} ∧ 2 ∈ s",
    "x if x < k else x - k if x < 2*k else 0": "{x if x < k; x − k if x < 2k; 0 otherwise",
    "(x if ready else y) + 1": "({x if ready; y otherwise) + 1",
    "1 + (x if ready else y)": "1 + {x if ready; y otherwise",
    # collections and bound variables
    "s == position([k, x + 1])": "s = (k, x + 1)",
    "position(c) == s": "position(c) = s",
    "s + [k] == position([k]) + s": "s + (k) = (k) + s",
    "replace(s, max(s), max(s) - k)": "s[max s ↦ max s − k]",
    "nim_sum(s) == 0": "⨁s = 0",
    "nim_sum(h % (k + 1) for h in s)": "⨁_{h ∈ s} (h mod (k + 1))",
    "sum(h for h in s if h > 1) - 1": "∑_{h ∈ s, h > 1} h − 1",
    "count(h >= k for h in s) >= 2": "#{h ∈ s: h ≥ k} ≥ 2",
    "s.count(1) + c[0] + s[x]": "#(1 in s) + c_{0} + s_{x}",
    "len(s) + len(S)": "|s| + |S|",
    "any([ready, x == 0]) and all([ready]) or count([ready]) == min(k, l)": (
        "any(ready, x = 0) ∧ all(ready) ∨ count(ready) = min(k, l)"
    ),
    "nim_sum_ways(c, 2)[0] == max(h * h for h in s)": "nim sum ways(c, 2)_{0} = max {h·h ∣ h ∈ s}",
    "sum(s) + nim_sum([x, y]) > max({x, y})": "∑s + ⨁(x, y) > max {x, y}",
    "mex(c) == mex(h // 2 for h in s)": "mex c = mex {⌊{h}/{2}⌋ ∣ h ∈ s}",
    "range(2, x + 1) == range(x)": "{2, …, x} = {0, …, x − 1}",
    "any(h >= k for h in s) and all(h < l for h in s)": "(∃h ∈ s: h ≥ k) ∧ ∀h ∈ s: h < l",
    "not any(h >= k for h in s if h > 1)": "∄h ∈ s, h > 1: h ≥ k",
    "all(iff(ready, x == y) for x in range(1, k) for y in s)": "∀1 ≤ x < k, y ∈ s: (ready ⟺ x = y)",
    "{x for x in range(0, k)} == {h + 1 for h in s}": "{0, …, k − 1} = {h + 1 ∣ h ∈ s}",
    "[h for h in s] == []": "(h ∣ h ∈ s) = ()",
    # games
    "wins(s, P2) and not wins(t, p)": "P2 wins at s ∧ p loses at t",
    "{t for t in options(s, P1) if not wins(t, P2)}": "{t ∈ Opt_{P1} (s) ∣ P2 loses at t}",
    "legal(s, t, P2) and not legal(t, s, P2)": "s →^{P2} t ∧ t ↛^{P2} s",
    "terminal(s, P1) or not terminal(t, p)": "s is terminal for P1 ∨ t is not terminal for p",
    "grundy(position([x])) == grundy(s)": "𝒢(x) = 𝒢(s)",
    "grundy(position([k for i in range(0, x)])) == 1": "𝒢(x heaps of k) = 1",
    "wins(position([1 for i in range(x + 1)]), p)": "p wins at ((x + 1) heaps of 1)",
    "grundy(position([i for i in range(0, x)])) == 1": "𝒢(i ∣ 0 ≤ i < x) = 1",
    "grundy(position([h for h in s if h > 1])) == grundy(position([]))": "𝒢(h ∣ h ∈ s, h > 1) = 𝒢(())",
    "value(row(x), P1) == 1": "value_{P1} (row(x)) = 1",
    "outcome(s) == P_position and outcome(t) != N_position": "s is a P-position ∧ t is not an N-position",
    "outcome(s) == first_wins": "outcome(s) = first player wins",
    "le(s, t) and not le(t, row(x))": "s ≤ t ∧ t ≰ row(x)",
    "equals(s, '^^*2') and not equals('{1|+-1, vv*}', row(x))": "s equals ⇑*2 ∧ {1|±1, ⇓*} does not equal row(x)",
    "equals(cool(s, x), row(x)) and le('1', atomic_weight(t))": "cool_{x} (s) equals row(x) ∧ 1 ≤ atomic weight(t)",
    "equals(heat('*', x), overheat(cool(s, 1), '1*', x))": "heat_{x} (*) equals overheat_{1*, x} (cool_{1} (s))",
    "le('v3 + miny(1)', s)": "↓3 + miny(1) ≤ s",
    "number(position([3, x])) == 1 / 2": "number(3, x) = {1}/{2}",
    "mean(s) <= temperature(s) + x": "mean(s) ≤ temperature(s) + x",
    "left_stop(s) - right_stop(position([x])) < birthday(t)": "left stop(s) − right stop(x) < birthday(t)",
    "remoteness(s, p) > suspense(position([x]), P2)": "remoteness_{p} (s) > suspense_{P2} (x)",
    "score(s, p) == -score(position([x]), P2)": "score_{p} (s) = −score_{P2} (x)",
    # definitions
    "defective(s, P2) and not defective(t, p)": "s is defective for P2 ∧ t is not defective for p",
    "not lost(s) or smaller(x)": "s is not lost ∨ smaller(x)",
    "winning_moves(s) == {t}": "winning moves(s) = {t}",
    # games as values
    "equals(-game(s) + '^*', game(t) - ordinal_sum(game(s), game(t) + '1'))": (
        "−game(s) + ↑* equals game(t) − game(s): (game(t) + 1)"
    ),
    "grundy((game(s) + game(t)) * game(s)) == k": "𝒢((game(s) + game(t)) × game(s)) = k",
    "wins(game(s) + '*', P2) and outcome(game(s)) == P_position": ("P2 wins at game(s) + * ∧ game(s) is a P-position"),
}


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_shows(text: str) -> None:
    assert linear(math(typeset_math(term_of(text), ("P1", "P2")))) == FORMULAS[text]


FLOWING = {
    "iff(not wins(s, P2), nim_sum(s) == 0 and all(h < k for h in s))": (
        "P2 loses at s exactly when ⨁s = 0 and for every h ∈ s: h < k"
    ),
    "any(h >= k for h in s) and (defective(s, P1) or nim_sum(s) == 0)": (
        "(there is h ∈ s with h ≥ k) and (s is defective for P1 or ⨁s = 0)"
    ),
    "not any(nim_sum(t) == 0 or defective(t, P1) for t in options(s, P2))": (
        "there is no t ∈ Opt_{P2} (s) with ⨁t = 0 or t is defective for P1"
    ),
    "any(outcome(t) == N_position for t in options(s, P1))": "there is t ∈ Opt_{P1} (s) such that t is an N-position",
    "x == 0 and ready or x == 1": "x = 0 and ready, or x = 1",
    "1 <= x < y or 1 <= y": "1 ≤ x < y or 1 ≤ y",
    "not (x == 0 and ready)": "not (x = 0 and ready)",
    "implies(ready, x == 0) and implies(x == 0, ready)": "(ready implies x = 0) and (x = 0 implies ready)",
    "all(iff(h == 1, ready) for h in s)": "for every h ∈ s: (h = 1 exactly when ready)",
    "x == (y if ready else 0)": "x = {y if ready; 0 otherwise",
}


@pytest.mark.parametrize("text", FLOWING)
def test_a_formula_flows(text: str) -> None:
    assert linear(flow(term_of(text), ("P1", "P2"))) == FLOWING[text]


def test_a_line_may_break_at_each_connective_and_before_the_signs_of_a_long_equation() -> None:
    assert flow(term_of("x == 0 and ready")).count("<math>") == 2
    assert flow(term_of("x == y")).count("<math>") == 1
    long = "value(s, P1) == min([k, l - 1 - x, l - x, l - 2, k - 2]) == k - 2"
    assert flow(term_of(long)).count("<math>") == 7
    shown = "value_{P1} (s) = min(k, l − 1 − x, l − x, l − 2, k − 2) = k − 2"
    assert linear(flow(term_of(long), ("P1", "P2"))) == shown


def test_who_moves_is_left_out_where_the_file_leaves_it_out() -> None:
    term = term_of("not wins(s) and terminal(t) and s in options(t) and legal(s, t)", nim=IMPARTIAL)
    shown = "the mover loses at s ∧ t is terminal ∧ s ∈ Opt(t) ∧ s → t"
    assert linear(math(typeset_math(term, ("A", "B")))) == shown


def test_among_several_games_each_question_says_of_which_it_is() -> None:
    text = "nim.wins(s) and kl.options(s, P1) == {t} and nim.outcome(s) == P_position and not kl.legal(s, t, P2)"
    text += " and not nim.le(s, t)"
    term = term_of(text, nim=IMPARTIAL, kl=PARTISAN)
    shown = (
        "the mover wins at s in nim ∧ Opt_{kl, P1} (s) = {t} ∧ s is a P-position in nim ∧ s ↛^{kl, P2} t ∧ s ≰_{nim} t"
    )
    assert linear(math(typeset_math(term, ("P1", "P2"), named_games=True))) == shown


def test_a_position_as_a_game_shows_its_game() -> None:
    text = "grundy(nim.game(s) + kl.game(t)) == 2 or equals(nim.game(position([k, 2])), '*')"
    term = term_of(text, nim=IMPARTIAL, kl=PARTISAN)
    shown = "𝒢(nim(s) + kl(t)) = 2 ∨ nim(k, 2) equals *"
    assert linear(math(typeset_math(term, ("P1", "P2"), named_games=True))) == shown


def test_where_play_may_go_on_for_ever_who_does_not_win_does_not_lose() -> None:
    shown = linear(math(typeset_math(term_of(DRAWN, loop=ENDLESS), ("P1", "P2"))))
    assert shown == "P1 draws at s ∧ P1 does not draw at t ∧ P2 does not win at s"


def test_a_chain_that_nobody_wrote_is_not_shown() -> None:
    assert linear(math(typeset_math(term_of("x < y and y < k")))) == "x < y ∧ y < k"


def test_what_demands_one_thing_or_nothing_is_shown_as_that() -> None:
    one = t.AnyOf(BOOL, 0, 0, (t.AllOf(BOOL, 0, 0, (term_of("not (ready and stays_above_1) or x == y"),)),))
    assert linear(flow(one)) == "not (ready and stays above 1) or x = y"
    denied = t.AllOf(BOOL, 0, 0, (t.Operation(BOOL, 0, 0, "not", (term_of("stays_above_1 == (piles < x * k)"),)),))
    assert linear(flow(denied)) == "not (stays above 1 exactly when piles < xk)"
    assert linear(flow(t.AllOf(BOOL, 0, 0, ()))) == "true"
    assert linear(flow(t.AnyOf(BOOL, 0, 0, ()))) == "false"


def test_every_operation_and_question_is_tried() -> None:
    terms = [*(term_of(text) for text in (*FORMULAS, *FLOWING)), term_of(DRAWN, loop=ENDLESS)]
    found = {x.op for term in terms for x in walk(term) if isinstance(x, t.Operation)}
    found |= {x.reducer for term in terms for x in walk(term) if isinstance(x, t.Comprehension)}
    assert BUILTINS.keys() - found == set()
    assert {x.function for term in terms for x in walk(term) if isinstance(x, t.GameCall)} == set(QUESTIONS)


def test_a_part_that_stands_in_several_places_is_typeset_as_each_of_them_asks() -> None:
    chosen = term_of("y if ready else 0")
    same = t.Operation(BOOL, 0, 0, "eq", (chosen, chosen))
    assert linear(flow(same)) == "({y if ready; 0 otherwise) = {y if ready; 0 otherwise"
    assert (
        make_printer()(t.Operation(INT, 0, 0, "add", (chosen, chosen))) == "(y if ready else 0) + (y if ready else 0)"
    )


def test_terms_that_nobody_keeps_are_not_taken_for_each_other() -> None:
    typeset, printed = make_flow(), make_printer()
    names = [f"x{number}" for number in range(50)]
    assert [typeset(t.Variable(INT, 0, 0, name)) for name in names] == [flow(t.Variable(INT, 0, 0, n)) for n in names]
    assert [printed(t.Variable(INT, 0, 0, name)) for name in names] == names


def test_deep_formulas_take_no_longer_than_they_are_large() -> None:
    text = "ready"
    for _ in range(12):
        text = f"not (x == y and (ready or not ({text})))"
    assert len(flow(term_of(text))) < 20_000
    text = "x"
    for _ in range(15):
        text = f"(1 if 0 <= {text} < k <= 9 else 0)"
    assert len(math(typeset_math(term_of(text)))) < 40_000
