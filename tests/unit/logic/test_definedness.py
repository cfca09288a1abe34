"""The requirements of an expression, their guards, and the expression of a claim that contains them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from proofs import FOLDS, NIM, written

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term
from claims.language.syntax.terms import PLAYER
from encoders.logic.definedness import (
    DefinednessCondition,
    Guard,
    list_parts,
    measure,
    needs_of_claim,
    needs_of_game,
    needs_of_heaps,
    parts_of_heaps,
    parts_of_play,
    refuse_partial_domains,
    sizes,
)
from encoders.logic.moves import open_choices, open_moves, open_several
from encoders.logic.sequents import YES, Sequent
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofCoverage, ShowsAllValues, build_sequent
from encoders.rules.base.shape import DEFINED
from encoders.trust import All, Below, Limits, ObligationLabel


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    return partial(written, tmp_path)


def shown(needs: Iterable[DefinednessCondition]) -> list[str]:
    """Return each requirement as a sentence: its path and its condition. A mark ends invented names."""
    return [" ".join([*map(_step, need.path), print_term(need.holds)]) for need in needs]


def _step(step: Any) -> str:
    if isinstance(step, Guard):
        return f"if {print_term(step.term)}:"
    source = "all heaps" if step.source is None else print_term(step.source)
    return f"for {step.variable} in {source}:"


# -- a claim ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("then", "expected"),
    [
        # divisors, arguments, indices
        ("k // 2 >= 0", []),
        ("k // 0 >= 0", ["0 != 0"]),
        ("k // j % k >= 0", ["j != 0", "k != 0"]),
        ("top_bit(1) + isqrt(0) >= 0", []),
        ("top_bit(0) >= 0", ["0 >= 1"]),
        ("top_bit(k) >= 0", ["k >= 1"]),
        ("isqrt(popcount(7)) >= 0", []),
        ("isqrt(-7) >= 0", ["-7 >= 0"]),
        ("isqrt(k - 1) >= 0", ["k - 1 >= 0"]),
        (
            "isqrt(max(s) if len(s) > 0 else 0) >= 0",
            ["if len(s) > 0: len(s) >= 1", "(max(s) if len(s) > 0 else 0) >= 0"],
        ),
        ("isqrt(sum(s)) >= 0", []),
        ("isqrt(sum([k, 0 - 1])) >= 0", ["sum([k, 0 - 1]) >= 0"]),
        ("isqrt(sum(h - 1 for h in s)) >= 0", ["sum(h - 1 for h in s) >= 0"]),
        ("isqrt(count(h > 1 for h in s)) >= 0", []),
        ("isqrt(grundy(s)) >= 0", []),
        ("s[k] >= 0", ["k >= 0 and k < len(s)"]),
        ("isqrt(s[k]) >= 0", ["k >= 0 and k < len(s)"]),
        ("isqrt([4, 9][k]) >= 0", ["k >= 0 and k < len([4, 9])", "[4, 9][k] >= 0"]),
        # for empty groups
        ("max([k, j]) >= 0", []),
        ("max(s) >= 0", ["len(s) >= 1"]),
        ("max([]) >= 0", ["len([]) >= 1"]),
        ("min(h for h in s if h > k) >= 0", ["any(True for h in s if h > k)"]),
        # elements
        ("nim_sum(s) >= 0", []),
        ("nim_sum([k - 1, 4, j - 2]) >= 0", ["k - 1 >= 0", "j - 2 >= 0"]),
        ("nim_sum(h // 2 for h in s) >= 0", ["for h'1 in s: h // 2 >= 0"]),
        ("nim_sum(h for h in s) >= 0", []),
        ("k > 1 and nim_sum(h for h in s) >= 0", []),
        ("nim_sum(h for h in s for x in range(k)) >= 0", []),
        ("nim_sum(x for x in range(k) for h in s) >= 0", ["for x'1 in range(k): for h'2 in s: x >= 0"]),
        ("nim_sum(x for x in range(k)) >= 0", ["for x'1 in range(k): x >= 0"]),
        (
            "nim_sum(h - x for h in s for x in range(k) if x < h) >= 0",
            ["for h'1 in s: for x'2 in range(k): if x < h: h - x >= 0"],
        ),
        ("nim_sum([x - 5 for x in range(k) if x > 1]) >= 0", ["for x'1 in range(k): if x > 1: x - 5 >= 0"]),
        # heaps below the bound 256
        ("len(position([h for h in s])) >= 0", []),
        ("len(position([255])) >= 0", []),
        ("len(position([256])) >= 0", ["256 < 256"]),
        ("len(position([k])) >= 0", ["k >= 0", "k < 256"]),
        (
            "len(position(range(k))) >= 0",
            ["for element' in range(k): element >= 0", "for element' in range(k): element < 256"],
        ),
        ("all(len(replace(s, h, k)) > 0 for h in s)", ["for h'1 in s: k >= 0", "for h'1 in s: k < 256"]),
        ("all(len(replace(s, h, h)) > 0 for h in s)", []),
        ("len(replace(s, k, 5)) > 0", ["k in s"]),
        ("len(replace(s, k + 1, 5)) > 0", ["k + 1 in s"]),
        ("all(len(replace(s, h, 5)) > 0 for h in position([3]))", ["for h'1 in position([3]): h in s"]),
        # guards
        ("k > 1 and 1 // j > 0", ["if k > 1: j != 0"]),
        ("k > 1 or 1 // j > 0 or 1 // k > 0", ["if not k > 1: j != 0", "if not k > 1: if not 1 // j > 0: k != 0"]),
        ("(1 // j if 1 // k > 0 else 2 // j) > 0", ["k != 0", "if 1 // k > 0: j != 0", "if not 1 // k > 0: j != 0"]),
        (
            "all(1 // h > 0 for h in s if 2 // (h - 1) > 0)",
            ["for h'1 in s: h - 1 != 0", "for h'1 in s: if 2 // (h - 1) > 0: h != 0"],
        ),
        (
            "all(1 // j > 0 for t in options(position([k // 3])))",
            ["k // 3 >= 0", "k // 3 < 256", "for t'1 in options(position([k // 3])): j != 0"],
        ),
        ("all(low(h) >= 0 for h in s)", ["for h'1 in s: h - 5 >= 0", "for h'1 in s: h - 5 < 256"]),
        ("low(9 // k) >= 0", ["k != 0", "9 // k - 5 >= 0", "9 // k - 5 < 256"]),
        ("low(k) > 0 and 1 // j > 0", ["k - 5 >= 0", "k - 5 < 256", "if nim_sum(position([k - 5])) > 0: j != 0"]),
        (
            "all(h > 1 // j for h in (position([low(7)])))",
            [
                "7 - 5 >= 0",
                "7 - 5 < 256",
                "nim_sum(position([7 - 5])) >= 0",
                "nim_sum(position([7 - 5])) < 256",
                "for h'2 in position([nim_sum(position([7 - 5]))]): j != 0",
            ],
        ),
    ],
)
def test_what_a_claim_needs_and_where(claim: Any, then: str, expected: list[str]) -> None:
    assert shown(needs_of_claim(claim(FOLDS, then), 256)) == expected


@pytest.mark.parametrize(("bound", "shown"), [(64, "2^6"), (65, "65"), (100, "100"), (1, "2^0")])
def test_a_bound_is_told_as_a_power_of_2_if_it_is_one(claim: Any, bound: int, shown: str) -> None:
    words = [need.words for need in needs_of_claim(claim(FOLDS, "len(position([k])) > 0"), bound)]
    assert words[1] == f"position([k]) needs k < {shown}"


# -- a game -----------------------------------------------------------------------------------------------------------
UNSURE = """
parameters = { q = "0.." }
[[moves]]
choose = "any heap h"
pick = { m = "1 // h..6 // (h - 1)" }
where = "1 // m == 1"
become = ["h - m + 3 // (m - 1)"]
"""
OF_A_SET = """
parameters = { q = "0..", Q = "set" }
[[moves]]
choose = "any heap h"
pick = { m = "Q" }
become = ["h - m // h"]
"""
LISTS = """
parameters = { q = "0.." }
measure = "sum(6 // h.n for h in s)"
[heap]
n = "1 // q..2 // q"
m = "3 // q.."
where = "3 // h.n == 1"
gone = "4 // h.n == 1"
[[moves]]
choose = "any heap h"
pick = { x = "1..h.n" }
become = [{ n = "h.n - x", m = "5 // x" }]
"""
OF_LISTS = """
[forall]
k = "0.."
s = "position"
[scope]
k = "0..1"
s = { heaps = "0..1", n = "0..1", m = "0..1" }
"""
TWO = '[games]\none = "mine(q = 9 // k)"\ntwo = "mine(q = 1)"'
HEAP, PICKED = "for heap' in all heaps:", "for picked'0 in range(1 // heap, 6 // (heap - 1) + 1):"


def test_what_a_game_needs_and_in_which_expressions(claim: Any) -> None:
    """The bounds of a pick guard the condition of the move, and both guard the resulting heaps."""
    made = claim(FOLDS, "one.wins(s) or len(s) >= 0", rules=UNSURE, game=TWO)
    one, two = made.games
    needs = list(needs_of_game(made, one))
    assert shown(needs) == [
        "k != 0",
        f"{HEAP} heap != 0",
        f"{HEAP} heap - 1 != 0",
        f"{HEAP} {PICKED} picked != 0",
        f"{HEAP} {PICKED} if 1 // picked == 1: picked - 1 != 0",
    ]
    of_moves = [f"`{key}` of move 1 of mine (one)" for key in ("pick m", "pick m", "where", "become")]
    assert [need.part for need in needs] == ["the argument q of one", *of_moves]
    assert parts_of_play(one) == {need.part for need in needs} | {"`measure` of mine (one)"}
    assert parts_of_heaps(one) == frozenset()
    of_two = {part.replace("one", "two") for part in of_moves}
    assert list_parts(made) == {need.part for need in needs} | of_two
    assert list_parts(made, games=False) == frozenset()
    assert shown(needs_of_game(made, two)) == shown(needs)[1:]


def test_a_number_is_picked_from_a_set_after_the_heap(claim: Any) -> None:
    made = claim(FOLDS, "len(s) >= 0", rules=OF_A_SET, game='ruleset = "mine(q = 1, Q = {6 // k})"')
    assert list_parts(made) == {"the argument Q of mine", "`become` of move 1 of mine"}


def test_a_move_without_a_condition_has_no_guard(claim: Any) -> None:
    made = claim(FOLDS, "len(s) >= 0", rules=NIM.replace("h - m", "(h ^ 1) - m // h"))
    expected = ["for heap' in all heaps: for picked'0 in range(1, heap + 1): heap != 0"]
    assert shown(needs_of_game(made, made.games[0])) == expected


def test_the_moves_of_each_player_are_asked_about_once(claim: Any) -> None:
    rules = NIM.replace("become", 'where = "1 // h == 1"\nbecome')
    partisan = rules + rules.replace("1 // h == 1", "mover == A and 2 // h == 1")
    made = claim(FOLDS, "len(s) >= 0", rules=partisan)
    picked = "for heap' in all heaps: for picked'0 in range(1, heap + 1):"
    expected = [f"{picked} heap != 0", f"{picked} if 0 == 0: heap != 0", f"{picked} if 1 == 0: heap != 0"]
    assert shown(needs_of_game(made, made.games[0])) == expected


def test_what_heaps_with_parts_need_and_in_which_expressions(claim: Any) -> None:
    """The condition of a heap guards the condition under which it is gone. The bounds of parts guard nothing."""
    made = claim(OF_LISTS, "len(s) >= 0", rules=LISTS, game='ruleset = "mine(q = k)"')
    (game,) = made.games
    needs = list(needs_of_heaps(made, game))
    every = "for h' in all heaps:"
    assert shown(needs) == ["k != 0", "k != 0", "k != 0", f"{every} h.n != 0", f"{every} if 3 // h.n == 1: h.n != 0"]
    assert {name for need in needs[3:] for name in find_free_names(need.holds)} == {"h'"}
    keys = ("n", "n", "m", "where", "gone")
    assert [need.part for need in needs] == [f"`{key}` of [heap] of mine" for key in keys]
    of_play = {"`measure` of mine", "`become` of move 1 of mine"}
    assert list_parts(made) == {need.part for need in needs} | of_play
    assert parts_of_heaps(game) == {need.part for need in needs}
    assert of_play < parts_of_play(game)


def test_plain_parts_of_heaps_need_nothing(claim: Any) -> None:
    rules = LISTS.replace("1 // q..2 // q", "0..9").replace("3 // q", "0").replace("5 // x", "x")
    rules = rules.replace("6 // h.n", "h.n").replace("3 // h.n", "h.n").replace("4 // h.n", "h.n")
    made = claim(OF_LISTS, "len(s) >= 0", rules=rules, game='ruleset = "mine(q = k)"')
    assert list_parts(made) == frozenset()
    free = LISTS.replace('where = "3 // h.n == 1"\n', "")
    (game,) = claim(OF_LISTS, "len(s) >= 0", rules=free, game='ruleset = "mine(q = k)"').games
    assert shown(needs_of_heaps(made, game))[-1] == "for h' in all heaps: h.n != 0"
    bare = rules.replace('where = "h.n == 1"\ngone = "h.n == 1"\n', "")
    assert list_parts(claim(OF_LISTS, "len(s) >= 0", rules=bare, game='ruleset = "mine(q = k)"')) == frozenset()


# -- domains ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("domain", "need"),
    [
        ('"6 // k.."', "6 // k needs k != 0"),
        ('"0..6 // k"', "6 // k needs k != 0"),
        ('"1..2 * k"', ""),
        ('"2 * k.."', ""),
        ("{ in = [1, 6 // k] }", "6 // k needs k != 0"),
        ("{ in = [1, k] }", ""),
        ('"subsets of 1..6"', ""),
    ],
)
def test_a_domain_has_a_value_whatever_comes_before(claim: Any, domain: str, need: str) -> None:
    domain = domain.replace("[1, 6 // k]", '"[1, 6 // k]"').replace("[1, k]", '"[1, k]"')
    scope = '[scope]\nx = "0..1"\n' if '.."' in domain else ""
    made = claim(f'[forall]\nk = "0..9"\nx = {domain}\n{scope}', "k >= 0", game="")
    if not need:
        refuse_partial_domains(made)
        assert list(needs_of_claim(made)) == []
        return
    for ask in (refuse_partial_domains, lambda claim: list(needs_of_claim(claim))):
        with pytest.raises(Unsupported, match=f"the domain of x may be undefined: {need}"):
            ask(made)


def test_a_position_is_below_the_bound_in_a_domain_too(claim: Any) -> None:
    made = claim('[forall]\nk = "0..9"\nx = "0..len(position([9]))"\n', "k >= 0", game="")
    refuse_partial_domains(made, None)
    with pytest.raises(Unsupported, match="9 < 2\\^2"):
        list(needs_of_claim(made, 4))


# -- the end of a game ------------------------------------------------------------------------------------------------
def test_a_move_makes_its_heap_smaller(claim: Any) -> None:
    made = claim(FOLDS, "len(s) >= 0", rules=NIM.replace("become", 'where = "m != 2"\nbecome'))
    path = "for heap' in all heaps: for picked'0 in range(1, heap + 1): if picked != 2:"
    (game,) = made.games
    assert shown(measure(game)) == [f"{path} heap - picked >= 0 and heap - picked < heap"]
    assert shown(sizes(game, 256, open_moves)) == [f"{path} heap - picked < 256"]
    (nim,) = claim(FOLDS, "len(s) >= 0").games
    path = path.removesuffix(" if picked != 2:")
    assert shown(measure(nim)) == [f"{path} heap - picked >= 0 and heap - picked < heap"]
    assert shown(sizes(nim, 256, open_moves)) == [f"{path} heap - picked < 256"]


def test_a_move_that_leaves_no_heap_leaves_0(claim: Any) -> None:
    whole = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nbecome = []\n'
    (game,) = claim(FOLDS, "len(s) >= 0", rules=whole).games
    assert shown(measure(game, open_choices)) == [
        "for heap' in all heaps: for picked'0 in range(1, heap + 1): 0 < heap"
    ]


def test_what_a_split_leaves_counts_twice_less_one_for_each_heap(claim: Any) -> None:
    """A heap of h > 0 counts 2 * h - 1, so a split into heaps of total h reduces the sum by 1."""
    split = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h - 1" }\nbecome = ["m", "h - m"]\n'
    (game,) = claim(FOLDS, "len(s) >= 0", rules=split).games
    (line,) = shown(measure(game, open_several))
    path = "for heap' in all heaps: for picked'0 in range(1, heap - 1 + 1):"
    left = "(2 * picked - 1 if picked > 0 else 0) + (2 * (heap - picked) - 1 if heap - picked > 0 else 0)"
    assert line == f"{path} picked >= 0 and heap - picked >= 0 and {left} < (2 * heap - 1 if heap > 0 else 0)"


# -- movers -----------------------------------------------------------------------------------------------------------
MANY = 'format = 1\ntitle = "R"\nplayers = "n"\nparameters = { n = "2.." }\nstuck = "wins"\n'


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        ("value(s, k) >= 0", ["k >= 0 and k < n"]),
        ("value(position([9]), n - 1) >= 0", ["n - 1 >= 0 and n - 1 < n"]),
        ("value(s) >= 0", ["0 >= 0 and 0 < n"]),
        ("legal(s, position([2]), k)", ["k >= 0 and k < n"]),
    ],
)
def test_a_question_needs_a_player_of_the_game(claim: Any, then: str, expected: list[str]) -> None:
    body = FOLDS.replace('k = "1..9"', 'k = "1..9"\nn = "2.."').replace("[scope]\n", '[scope]\nn = "2..3"\n')
    made = claim(body, then, rules=NIM, game='ruleset = "mine(n = n)"', head=MANY)
    assert shown(needs_of_claim(made)) == expected


@pytest.mark.parametrize(("player", "expected"), [(0, []), (1, []), (2, ["False"])])
def test_a_question_needs_one_of_the_players_with_names(claim: Any, player: int, expected: list[str]) -> None:
    made = claim(FOLDS, "wins(s, B)")
    asked = replace(made.conclusion, args=(made.conclusion.args[0], t.Literal(PLAYER, 0, 0, player)))
    assert shown(needs_of_claim(replace(made, conclusion=asked))) == expected


def test_a_player_who_is_a_variable_is_one_of_the_game(claim: Any) -> None:
    body = FOLDS.replace("[forall]", '[forall]\np = "player"')
    assert shown(needs_of_claim(claim(body, "wins(s, p)"))) == []


# -- rules ------------------------------------------------------------------------------------------------------------
class Silent:
    """A rule with an obligation for each set of expressions, which it declares as defined."""

    name = "silent"

    def __init__(self, *defines: Iterable[str]) -> None:
        self.defines = defines

    def obligations(self, claim: Claim, surroundings: object) -> Iterator[Sequent]:
        for number, parts in enumerate(self.defines):
            yield Sequent(f"part {number}", (), (), YES, defines=frozenset(parts))


def silent(*defines: Iterable[str], games: bool = True) -> Any:
    """Return the rule as the registry wraps it."""
    rule: Any = Silent(*defines)
    return ShowsAllValues(rule) if games else ShowsAllValues(rule, games=False)


def test_a_rule_shows_the_values_of_all_expressions(claim: Any) -> None:
    made = claim(FOLDS, "1 // k > 0", "1 // j > 0", rules=UNSURE, game='ruleset = "mine(q = 9 // k)"')
    of_claim = ["the hypothesis", "the conclusion"]
    parts = sorted(list_parts(made))
    assert set(of_claim) < set(parts) and len(parts) == 6
    whole = silent(parts[:2], parts[2:])
    assert whole.name == "silent"
    assert len(list(whole.obligations(made, None))) == 2
    for part in parts:
        rest = [x for x in parts if x != part]
        with pytest.raises(Unsupported, match=f"^{part} may be undefined, and the rule 'silent' does not show"):
            list(silent(rest[:2], rest[2:]).obligations(made, None))
    by_tables = silent(of_claim, games=False)
    assert len(list(by_tables.obligations(made, None))) == 1
    with pytest.raises(Unsupported, match=r"^the conclusion may be undefined"):
        list(silent(of_claim[:1], games=False).obligations(made, None))


def test_a_rule_reads_no_domain_that_may_be_undefined(claim: Any) -> None:
    made = claim('[forall]\nk = "0..9"\nx = "0..6 // k"\n', "k >= 0", game="")
    with pytest.raises(Unsupported, match="the domain of x may be undefined"):
        next(silent([]).obligations(made, None))


@pytest.mark.parametrize(
    ("proved", "below", "bound"),
    [
        ((), None, None),
        ((("x", All()),), None, None),
        ((("x", Below(3)), ("y", Below(2)), ("z", All())), None, 4),
        ((("x", Below(3)),), 5, 5),
        ((("x", Below(3)),), 9, 8),
        ((), 7, 7),
    ],
)
def test_a_proof_reaches_to_the_least_of_its_bounds(proved: Limits, below: int | None, bound: int | None) -> None:
    assert ProofCoverage(proved, below=below).bound == bound


@pytest.mark.parametrize("error", [ValueError("wrong"), Unsupported("not read")])
def test_an_error_names_the_obligation_that_it_arises_in(error: Exception) -> None:
    def start() -> Any:
        raise error

    with pytest.raises(type(error)) as caught:
        build_sequent(ObligationLabel(DEFINED, "defined: k"), lambda reader: reader, start)
    noted = [] if isinstance(error, Unsupported) else ["in the obligation 'defined: k'"]
    assert getattr(caught.value, "__notes__", []) == noted
