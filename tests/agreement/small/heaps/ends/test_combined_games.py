"""Games combined from positions of several rulesets: the referee, the engine and plain trees agree, and known values.

A tree is a pair of sets, the left and the right options. The functions on trees are the definitions of the literature.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from claim_texts import HEAD

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.referee.combined import RefereeCombinations
from checks.referee.meaning import IllDefined, RefereeSteps, ask, ask_about_games
from checks.referee.play import RefereeGame
from checks.results.shown import Undrawn
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.files.library import LIBRARY, select
from claims.language.files.rulesets import load_ruleset
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.game_values import GameTree, parse_game
from claims.language.syntax.meanings import mex
from encoders.bounded.encoder import decide_by_smt
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.combined import EngineCombinations
from encoders.compute.compound.meaning import Undefined
from encoders.compute.compound.play import EngineGame
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate
from encoders.refusals import Unsupported
from encoders.trust import Trust

BOARDS = Path(__file__).parents[5] / "examples" / "boards" / "rulesets"
BOUTON = (LIBRARY / "nim" / "bouton.toml").read_text("utf-8")
Tree = tuple[frozenset[Any], frozenset[Any]]
ZERO: Tree = (frozenset(), frozenset())


# -- trees ------------------------------------------------------------------------------------------------------------
@cache
def add(g: Tree, h: Tree) -> Tree:
    left, right = (frozenset({add(x, h) for x in g[i]} | {add(g, y) for y in h[i]}) for i in (0, 1))
    return left, right


@cache
def negative(g: Tree) -> Tree:
    return frozenset(map(negative, g[1])), frozenset(map(negative, g[0]))


@cache
def stack(g: Tree, h: Tree) -> Tree:
    return g[0] | {stack(g, y) for y in h[0]}, g[1] | {stack(g, y) for y in h[1]}


@cache
def times(g: Tree, h: Tree) -> Tree:
    def option(x: Tree, y: Tree) -> Tree:
        return add(add(times(x, h), times(g, y)), negative(times(x, y)))

    left = [*product(g[0], h[0]), *product(g[1], h[1])]
    right = [*product(g[0], h[1]), *product(g[1], h[0])]
    return frozenset(option(*pair) for pair in left), frozenset(option(*pair) for pair in right)


@cache
def at_most(g: Tree, h: Tree) -> bool:
    return not any(at_most(h, x) for x in g[0]) and not any(at_most(y, g) for y in h[1])


@cache
def wins(g: Tree, mover: int) -> bool:
    return any(not wins(x, 1 - mover) for x in g[mover])


@cache
def grundy(g: Tree) -> int | None:
    values = [grundy(x) for x in g[0]]
    return None if g[0] != g[1] or None in values else mex([x for x in values if x is not None])


def read(game: object) -> Tree:
    if isinstance(game, GameTree):
        return frozenset(map(read, game.left)), frozenset(map(read, game.right))
    assert isinstance(game, Fraction)
    if game.denominator > 1:
        step = Fraction(1, game.denominator)
        return frozenset({read(game - step)}), frozenset({read(game + step)})
    return frozenset({read(game - 1)} if game > 0 else ()), frozenset({read(game + 1)} if game < 0 else ())


OPERATIONS = {"add_games": add, "negate_game": negative, "ordinal_sum": stack, "multiply_games": times}
OPERATIONS["subtract_games"] = lambda g, h: add(g, negative(h))
QUOTES = ("0", "1", "-1", "1/2", "*", "*2", "^", "{1|-1}", "{0|}", "{|0}", "{1|1}")
GAMES = {
    "nim": (LIBRARY / "rulesets/nim.toml", {}, [(), (1,), (2,), (1, 1)]),
    "kayles": (LIBRARY / "rulesets/kayles.toml", {}, [(2,), (3,)]),
    "stalks": (BOARDS / "stalks.toml", {}, [(((1, -1),),), (((-1,),),), (((1,),), ((1,),))]),
    "subtraction": (LIBRARY / "rulesets/partizan-subtraction.toml", {"S": (1, 2), "T": (1,)}, [(2,), (3,)]),
}


class Made:
    """A combination of games as a tree, for the referee, and for the engine. `size`: the followers of the tree."""

    def __init__(self, tree: Tree, ours: object, theirs: object) -> None:
        self.tree, self.ours, self.theirs = tree, ours, theirs

    @property
    def size(self) -> int:
        found, todo = {self.tree}, [self.tree]
        while todo:
            for x in (x for side in todo.pop() for x in side if x not in found):
                found.add(x)
                todo.append(x)
        return len(found)


def list_parts() -> list[Made]:
    found = [Made(read(parse_game(x)), parse_game(x), parse_game(x)) for x in QUOTES]
    for path, parameters, positions in GAMES.values():
        ruleset = load_ruleset(path)
        referee, engine = RefereeGame(ruleset, parameters, RefereeSteps(10**8)), EngineGame(ruleset, parameters, CLOCK)

        def play(s: Any, referee: RefereeGame = referee) -> Tree:
            left, right = (frozenset(play(x, referee) for x in referee.options(s, i)) for i in (0, 1))
            return left, right

        found += [Made(play(s), ask(referee, "game", [s]), engine.answer("game", [s])) for s in positions]
    return found


CLOCK = Deadline(None)


def combine(random: Random, parts: list[Made], depth: int) -> Made:
    """Return a combination of at most 2 ** depth parts whose tree is small."""
    if depth == 0 or random.random() < 0.2:
        return random.choice(parts)
    op = random.choice(sorted(OPERATIONS))
    args = [combine(random, parts, depth - 1) for _ in range(1 if op == "negate_game" else 2)]
    if op == "multiply_games" and any(x.size > 4 for x in args):
        op = "ordinal_sum"
    if max(x.size for x in args) > 16:
        return args[0]
    evaluate = BUILTINS[op].evaluate
    tree = OPERATIONS[op](*(x.tree for x in args))
    return Made(tree, evaluate(*(x.ours for x in args)), evaluate(*(x.theirs for x in args)))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("sums", [False, True])
def test_referee_engine_and_trees_agree(seed: int, sums: bool) -> None:
    random, parts = Random(seed), list_parts()
    referee, engine = RefereeCombinations(RefereeSteps(10**8), sums), EngineCombinations(CLOCK, sums)
    made = [x for x in (combine(random, parts, 3) for _ in range(25)) if x.size <= 60]
    for g in made:
        for mover in (0, 1):
            args: Any = [g.ours, mover], [g.theirs, mover]
            assert ask_about_games(referee, "wins", args[0]) == wins(g.tree, mover)
            assert engine.answer("wins", args[1]) == wins(g.tree, mover)
        assert ask_about_games(referee, "outcome", [g.ours]) == engine.answer("outcome", [g.theirs])
        assert tell(lambda g=g: ask_about_games(referee, "grundy", [g.ours])) == grundy(g.tree)
        assert tell(lambda g=g: engine.answer("grundy", [g.theirs])) == grundy(g.tree)
        for question in ("number", "mean", "temperature", "left_stop", "right_stop", "birthday"):
            said = tell(lambda g=g, q=question: ask_about_games(referee, q, [g.ours]))
            assert said == tell(lambda g=g, q=question: engine.answer(q, [g.theirs])), question
    for g, h in zip(made, made[1:], strict=False):
        both: Any = [g.ours, h.ours], [g.theirs, h.theirs]
        equal = at_most(g.tree, h.tree) and at_most(h.tree, g.tree)
        for question, holds in (("le", at_most(g.tree, h.tree)), ("equals", equal)):
            assert ask_about_games(referee, question, both[0]) == engine.answer(question, both[1]) == holds


def tell(answer: Callable[[], object]) -> object:
    try:
        return answer()
    except (IllDefined, Undefined):
        return None


# -- claims -----------------------------------------------------------------------------------------------------------
PLAIN = '[games]\nnim = "nim"\nkayles = "kayles"\nhalf = "half-nim"\n'
PARTIZAN = '[games]\nstalks = "stalks"\nboard = "domineering"\nnim = "nim"\n'
NUMBERS = '[forall]\nn = "0..4"\nk = "0..4"\n'
DEFINED = (
    """[define]
heap_of(n) = "nim.game(position([n]))"
row(k) = "kayles.game(position([k]))"
stalk(c) = "stalks.game(position([stalks.heap(c)]))"
square = "board.game(position([board.heap([1, 1, 1, 1], 2)]))"
""".replace("heap_of(n)", '"heap_of(n)"')
    .replace("row(k)", '"row(k)"')
    .replace("stalk(c)", '"stalk(c)"')
)


@pytest.fixture
def settle(tmp_path: Path) -> Callable:
    for name in ("stalks", "domineering"):
        (tmp_path / f"{name}.toml").write_text((BOARDS / f"{name}.toml").read_text())

    def write(games: str, then: str, variables: str = "") -> Any:
        path, used = tmp_path / "claim.toml", "nim kayles stalks board half"
        defined = [x for x in DEFINED.splitlines() if all(f"{g}." not in x or f"{g} =" in games for g in used.split())]
        path.write_text(HEAD + games + variables + "\n".join(defined) + f'\n[claim]\nthen = "{then}"\n')
        (entry,) = select((str(path),))
        return settle_entry(entry, Options())

    return write


@pytest.mark.parametrize(
    ("games", "then", "holds"),
    [
        # sums of two impartial rulesets
        (PLAIN, "grundy(heap_of(n) + row(k)) == n ^ kayles.grundy(position([k]))", True),
        (PLAIN, "grundy(heap_of(n) + row(k)) == n + kayles.grundy(position([k]))", False),
        (PLAIN, "iff(wins(heap_of(n) + row(k)), n != kayles.grundy(position([k])))", True),
        (PLAIN, "iff(wins(heap_of(n) + row(k), P2), n != k)", False),
        (PLAIN, "iff(equals(heap_of(n), row(k)), outcome(heap_of(n) + row(k)) == P_position)", True),
        (PLAIN, "grundy(half.game(position([k])) - row(n)) == half.grundy(position([k])) ^ grundy(row(n))", True),
        # a sum of games is not a position with the heaps of both
        (PLAIN, "equals(heap_of(n) + row(n), nim.game(position([n, n])))", False),
        (PLAIN, "grundy(sum(row(i) for i in range(n))) == nim_sum(grundy(row(i)) for i in range(n))", True),
        (PLAIN, "grundy(sum(row(i) for i in range(n + 1))) == n", False),
        (PLAIN, "equals(sum('1/2' for i in range(n)), '2') == (n == 4)", True),
        # ordinal sums depend on the form of the lower game: a row of 4 equals a heap of 1
        (PLAIN, "grundy(ordinal_sum(heap_of(n), row(k))) == n + kayles.grundy(position([k]))", True),
        (PLAIN, "grundy(ordinal_sum(row(k), heap_of(n))) == n + kayles.grundy(position([k]))", False),
        (PLAIN, "equals(row(4), heap_of(1)) and equals(ordinal_sum(row(4), '*'), '*4')", True),
        (PLAIN, "equals(ordinal_sum(heap_of(1), '*'), ordinal_sum(row(4), '*'))", False),
        (PLAIN, "equals(ordinal_sum('*', heap_of(1)), ordinal_sum('*', row(4)))", True),
        # products
        (PLAIN, "grundy(heap_of(n) * row(k)) == nim_product(n, kayles.grundy(position([k])))", True),
        (PLAIN, "grundy(heap_of(n) * row(k)) == n * kayles.grundy(position([k]))", False),
        (PLAIN, "grundy(heap_of(n) * (heap_of(k) + row(1))) == nim_product(n, k ^ 1)", True),
        # the players have different moves in some part, so there is no Grundy value
        (PLAIN, "grundy(heap_of(n) + '^') >= 0", None),
        (PLAIN, "grundy(heap_of(n) + '1' - '1') >= 0", None),
        (PLAIN, "grundy('1' * '0') == 0 and grundy(ordinal_sum('*2', '*')) == 3", True),
        # partizan rulesets whose heaps have different parts
        (PARTIZAN, "equals(square, '+-1') and number(stalk([1, -1])) == 1 / 2", True),
        (PARTIZAN, "outcome(square + stalk([1])) == N_position", True),
        (PARTIZAN, "outcome(square + stalk([1, 1])) == first_wins and outcome(square - '2') == second_wins", True),
        (PARTIZAN, "mean(square + stalk([1, -1])) == 1 / 2 and temperature(square + heap_of(1)) == 1", True),
        (PARTIZAN, "left_stop(square + stalk([1])) == 2 and right_stop(square + stalk([1])) == 0", True),
        (PARTIZAN, "left_stop(square + stalk([1])) == 0", False),
        (PARTIZAN, "wins(square + stalk([1]), Right) and not wins(square + stalk([1, 1]), Right)", True),
        (PARTIZAN, "le(stalk([1, -1]), heap_of(2) + '1') and not le(stalk([1]), stalk([1, -1]))", True),
        (PARTIZAN, "equals(-stalk([1, -1]), stalk([-1, 1]))", True),
        (PARTIZAN, "equals(-stalk([1, -1]), stalk([1, -1]))", False),
        (PARTIZAN, "equals(cool(square + heap_of(1), 1), heap_of(1))", True),
        (PARTIZAN, "equals(cool(square + heap_of(1), 1), heap_of(0))", False),
        (PARTIZAN, "equals(atomic_weight('^' + heap_of(3)), '1') and birthday(square + heap_of(1)) == 3", True),
        # Conway's product of numbers
        (PARTIZAN, "number(stalk([1, -1]) * stalk([1, -1, 1])) == 3 / 8", True),
        (PARTIZAN, "number(stalk([1, -1]) * -stalk([1, -1])) == 1 / 4", False),
        # no value
        (PARTIZAN, "number(square + stalk([1])) == 1", None),
        (PARTIZAN, "equals(atomic_weight(square), '0')", None),
        (PARTIZAN, "equals(cool(square, 1 / 3), '0') or True", None),
    ],
)  # fmt: skip
def test_combined_games_have_these_values(settle: Callable, games: str, then: str, holds: bool | None) -> None:
    found = settle(games, then, NUMBERS if games == PLAIN else "")
    assert found.verdict is {True: Verdict.PROVED, False: Verdict.REFUTED, None: Verdict.ERROR}[holds], found.finding
    assert "ill-defined" in found.finding.error or holds is not None


def test_a_large_sum_is_computed_by_the_theorem_and_says_so(settle: Callable) -> None:
    then = "grundy(heap_of(n) * row(k) + heap_of(n)) == nim_product(n, kayles.grundy(position([k]))) ^ n"
    found = settle(PLAIN, then, '[forall]\nn = "0..7"\nk = "0..6"\n')
    assert found.verdict is Verdict.PROVED
    assert found.finding.trusted == (str(Trust.SPRAGUE_GRUNDY),)
    small = settle(PLAIN, "grundy(heap_of(n) + row(k)) == n ^ kayles.grundy(position([k]))", NUMBERS)
    assert small.finding.trusted == ()
    for compared in ("equals(heap_of(n), heap_of(n))", "not equals('^' + '0', '*')"):
        both = settle(PLAIN, f"{compared} and grundy(heap_of(n) + row(k)) >= 0", NUMBERS)
        assert both.finding.trusted == (str(Trust.CANONICAL_FORMS),)
    forms = settle(PLAIN, "equals(heap_of(n) + row(0), heap_of(n))", NUMBERS)
    assert forms.finding.trusted == (str(Trust.CANONICAL_FORMS),)


def test_no_other_route_is_asked(settle: Callable, tmp_path: Path) -> None:
    then = "grundy(heap_of(n) + row(k)) == n ^ kayles.grundy(position([k]))"
    settle(PLAIN, then, NUMBERS)
    claim = load_claim(tmp_path / "claim.toml", "claim")
    assert claim.goes_case_by_case
    assert "it combines games" in claim.unusual
    with pytest.raises(Unsupported, match="the claim combines games"):
        generate(claim)
    assert decide_by_smt(claim, claim.scope("quick")).decision is Decision.UNSUPPORTED
    text = (tmp_path / "claim.toml").read_text() + '[proof]\nrule = "arithmetic"\n'
    (tmp_path / "claim.toml").write_text(text)
    assert prove(load_claim(tmp_path / "claim.toml", "claim")).decision is Decision.UNSUPPORTED


@pytest.mark.parametrize(
    ("games", "then", "said"),
    [
        (PLAIN, "grundy(heap_of(1) + row(1)) == 1", "the Grundy value of nim(1) + kayles(1) is 0, not 1"),
        (PLAIN, "wins(heap_of(1) + row(1))", "the mover loses at nim(1) + kayles(1)"),
        (PLAIN, "wins(heap_of(1) + row(1), P2)", "P2 loses at nim(1) + kayles(1)"),
        (PLAIN, "not wins(heap_of(1) + row(2))", "the mover wins at nim(1) + kayles(2)"),
        (PLAIN, "outcome(-heap_of(1) - row(1)) == N_position",
         "-nim(1) - kayles(1) is a P-position, not an N-position"),
        (PLAIN, "equals(ordinal_sum(heap_of(1), row(1)) * '^*', '0')", "(nim(1) : kayles(1)) × ↑* ≠ 0 as games"),
        (PLAIN, "le('1' - (row(1) + '*2 + 1'), heap_of(2 if len([1]) == 1 else 3))",
         "1 - (kayles(1) + (*2 + 1)) ≰ nim(2) as games"),
        (PLAIN, "wins('1' - sum(row(i) for i in range(1, 4) if i != 2) + sum('*' for i in range(0)), P2)",
         "P2 loses at 1 - (kayles(1) + kayles(3)) + 0"),
        (PARTIZAN, "number(square + heap_of(1) + square) > 0",  None),
        (PARTIZAN, "mean(stalk([1]) + cool(square, 1)) < 1",
         "the mean value of stalks([1]) + cool(board(heap([1, 1, 1, 1], 2)), 1) is 1, not less than 1"),
    ],
)  # fmt: skip
def test_what_fails_is_told_in_words(settle: Callable, games: str, then: str, said: str | None) -> None:
    found = settle(games, then)
    assert found.verdict is (Verdict.REFUTED if said else Verdict.ERROR)
    if said:
        assert [line.text for line in found.finding.counterexample.explanation][-1] == said


def test_no_proof_uses_a_lemma_about_combined_games(tmp_path: Path) -> None:
    lemma = '[claim]\nthen = "not wins(game(position([1])) + game(position([1])), P1)"\n'
    (tmp_path / "lemma.toml").write_text(f'{HEAD}ruleset = "nim"\n{lemma}')
    proof = BOUTON[BOUTON.index("[proof]\n") : BOUTON.index("[[pictures]]")].replace(
        '"folds"\n', '"folds"\nby = ["lemma"]\n'
    )
    statement = '[forall]\ns = "position"\n[claim]\nthen = "iff(wins(s), nim_sum(s) != 0)"\n'
    scope = '[scope]\ns = { heaps = "0..2", size = "1..3" }\n'
    (tmp_path / "claim.toml").write_text(f'{HEAD}ruleset = "nim"\n{statement}{scope}{proof}')
    found = prove(load_claim(tmp_path / "claim.toml", "claim"))
    assert found.decision is Decision.UNSUPPORTED
    assert "lemma combines games" in found.detail


def test_a_picture_of_combined_games_says_why_it_is_not_drawn(tmp_path: Path) -> None:
    text = f'{HEAD}ruleset = "nim"\n[claim]\nthen = "wins(position([1]))"\n'
    text += (
        '[[pictures]]\nkind = "values"\ntitle = "V"\nheaps = "0..6"\nvalue = "grundy(game(position([x])) + \'*\')"\n'
    )
    (tmp_path / "claim.toml").write_text(text)
    (entry,) = select((str(tmp_path / "claim.toml"),))
    (undrawn,) = settle_entry(entry, Options()).presentation.pictures
    assert undrawn == Undrawn("V", "combined games are computed case by case, not on arrays")


def test_a_position_needs_no_game_where_it_has_one(settle: Callable) -> None:
    """In a claim about one game, and after its name, a position beside a game is a game itself."""
    one = 'ruleset = "nim"\n[forall]\nn = "0..3"\n'
    assert settle("", "equals(position([n]) + [1], game(position([n])) + '*')", one).verdict is Verdict.PROVED
    assert settle("", "grundy(game(position([n])) + '*2') == n ^ 2", one).verdict is Verdict.PROVED
    assert settle("", "wins(game(position([n])) + game(position([n]))) or n > 2", one).verdict is Verdict.REFUTED
    named = "nim.equals(nim.game(position([n])) + row(k), position([n, kayles.grundy(position([k]))]))"
    assert settle(PLAIN, named, NUMBERS).verdict is Verdict.PROVED


# -- refusals ---------------------------------------------------------------------------------------------------------
OTHERS = {
    "loop": 'players = ["P1", "P2"]\nstuck = "loses"\nmeasure = "none"\n[[moves]]\nchoose = "any heap h"\n'
    'become = ["h"]',
    "drawn": 'players = ["P1", "P2"]\nstuck = "draws"\n[[moves]]\nchoose = "any heap h"\nbecome = ["h - 1"]',
    "last": 'players = ["P1", "P2"]\nstuck = "P1"\n[[moves]]\nchoose = "any heap h"\nbecome = ["h - 1"]',
    "many": 'players = "n"\nparameters = { n = "2.." }\nstuck = "loses"\n[[moves]]\nchoose = "any heap h"\n'
    'become = ["h - 1"]',
    "three": 'players = ["P1", "P2", "P3"]\nstuck = "loses"\n[[moves]]\nchoose = "any heap h"\nbecome = ["h - 1"]',
    "renamed": 'players = ["Blue", "Red"]\nstuck = "loses"\n[[moves]]\nchoose = "any heap h"\nwhere = "mover == Blue"\n'
    'become = ["h - 1"]',
}
HEAPS = "game(position([2]))"


LEFT_OUT = "expected: wins(G, mover); not all games are impartial: name the mover"
COOLED = ("cool(position([2]), 1)", "heat(position([2]), 1)", "overheat(position([2]), 1, 1)")
REFUSED = [
    (f"equals(misere.{HEAPS} + nim.{HEAPS}, '0')", 'expected: a ruleset under normal play, stuck = "loses"'),
    (f"misere.equals(position([2]), nim.{HEAPS} + '*')", "a position of misere-nim cannot be added"),
    (
        f"loop.wins(position([2]), P1) or loop.le(nim.{HEAPS} + '*', position([2]))",
        "a position of loop cannot be added",
    ),
    (f"grundy(nim.{HEAPS} + loop.{HEAPS}) == 1", "expected: a ruleset whose play always ends"),
    (f"wins(drawn.{HEAPS} + nim.{HEAPS}, P1)", "expected: a ruleset without drawn endings"),
    (f"wins(last.{HEAPS} + nim.{HEAPS}, P1)", "expected: a ruleset under normal play"),
    (f"wins(many.{HEAPS} + nim.{HEAPS}, P1)", "expected: a ruleset of two players"),
    (f"wins(three.{HEAPS} + nim.{HEAPS}, P1)", "expected: a ruleset of two players"),
    (f"wins(renamed.{HEAPS} + part.{HEAPS}, P1)", "the players of renamed are Blue and Red, and those of part are"),
    (f"wins(renamed.{HEAPS} + nim.{HEAPS})", LEFT_OUT),
    (f"wins(nim.{HEAPS} + '*')", LEFT_OUT),
    *((f"wins(nim.{HEAPS} + nim.{x})", LEFT_OUT) for x in COOLED),
    (f"grundy(nim.{HEAPS}, P1) == 1", "grundy is called with 2 arguments"),
    (f"equals(nim.{HEAPS}) == 1", "expected: equals(G, H)"),
    (f"le(nim.{HEAPS}, position([1]))", "expected: one of nim.game(...), part.game(...)"),
    (f"le(nim.{HEAPS}, 1)", "expected: a game, such as '^*'"),
    (f"nim.{HEAPS} == part.{HEAPS}", "expected: equals(G, H) for equal values, or le(G, H) for the order of games"),
    (f"nim.{HEAPS} < '1'", "< does not compare games"),
    (f"nim.{HEAPS} in [1]", "a Game is never in a list of Int"),
    (f"len([nim.{HEAPS}]) == 1", "a Game cannot be an element"),
    (f"len({{nim.{HEAPS} for i in range(2)}}) == 1", "a Game cannot be an element"),
    (f"max(nim.{HEAPS} for i in [1]) == 1", "max cannot run over a Game"),
    (f"number(nim.{HEAPS} + 1) == 1", "expected: a game on each side of '+'; a number is in quotes: '1/2'"),
    (f"number(2 * nim.{HEAPS}) == 1", "expected: a game on each side of '*'; a number is in quotes: '1/2'"),
    (f"number(position([1]) - nim.{HEAPS}) == 1", "expected: a game on each side of '-'; game(...) is the position"),
    (f"nim.number(nim.{HEAPS} // nim.{HEAPS}) == 1", "this is a Game"),
    (f"number(ordinal_sum(nim.{HEAPS}, 1)) == 1", "game(s) is the position s as a game"),
    (f"nim.{HEAPS}", "this is a Game"),
    (f"len(options(nim.{HEAPS})) == 1", "options does not name its game"),
    (f"len(nim.options(nim.{HEAPS})) == 1", "this is a Game"),
    (f"equals(nim.{HEAPS} + '{{0|', '*')", "the game ends too early"),
    (f"equals(nim.{HEAPS} + 'red', '*')", "a text in quotes has no meaning here"),
    ("equals(nim.game(position([nim.heap(1)])), '*')", "the heaps of nim are numbers"),
]


@pytest.mark.parametrize(("then", "said"), REFUSED)
def test_what_is_no_combination_of_games_is_refused(tmp_path: Path, then: str, said: str) -> None:
    for name, rules in OTHERS.items():
        (tmp_path / f"{name}.toml").write_text(f'format = 1\ntitle = "G"\n{rules}\n')
    games = (
        'nim = "nim"\npart = "partizan-subtraction(S = {1}, T = {2})"\nmisere = "misere-nim"\nmany = "many(n = 2)"\n'
    )
    games += "".join(f'{name} = "{name}"\n' for name in OTHERS if name != "many")
    (tmp_path / "claim.toml").write_text(f'{HEAD}[games]\n{games}[claim]\nthen = "{then}"\n')
    with pytest.raises(ClaimError) as refused:
        load_claim(tmp_path / "claim.toml", "claim")
    assert said in str(refused.value)


def test_games_as_values_need_a_game(tmp_path: Path) -> None:
    for then in ("equals('1' + '1', '2')", "number('1/2') == 1 / 2"):
        (tmp_path / "claim.toml").write_text(f'{HEAD}[claim]\nthen = "{then}"\n')
        with pytest.raises(ClaimError) as refused:
            load_claim(tmp_path / "claim.toml", "claim")
        assert "needs a game, and none is declared" in str(refused.value)


def test_a_definition_that_nothing_calls_may_be_about_games(tmp_path: Path) -> None:
    body = '"half(g)" = "number(g + \'1/2\')"\n"of(g)" = "grundy(g)"\n"won(s)" = "wins(nim.game(s) + nim.game(s))"\n'
    body += '"all_of(s)" = "grundy(sum(nim.game(position([h])) for h in s))"\n'
    (tmp_path / "claim.toml").write_text(f'{HEAD}{PLAIN}[define]\n{body}[claim]\nthen = "True"\n')
    load_claim(tmp_path / "claim.toml", "claim")
    (tmp_path / "claim.toml").write_text(f'{HEAD}{PLAIN}[define]\nx = "wins(position([1]))"\n[claim]\nthen = "True"\n')
    with pytest.raises(ClaimError) as refused:
        load_claim(tmp_path / "claim.toml", "claim")
    assert "wins does not name its game" in str(refused.value)
