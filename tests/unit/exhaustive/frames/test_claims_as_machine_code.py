"""Claims about heaps with parts as machine code: the result agrees with Python, or there is none."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from claims.language.files import domains as d
from claims.language.files.claim import Claim, Judgement
from encoders.compute.arrays.cases import Tally
from encoders.compute.arrays.limits import Deadline, OutOfTime
from encoders.compute.compound import search
from encoders.compute.exhaustive import decide_by_search
from encoders.compute.native import entry
from encoders.compute.native import search as machine
from encoders.compute.native.pieces import NotNative, Stopped
from encoders.compute.native.search import CompiledSearch, NativeSearchResult
from encoders.logic.answer import Decision
from encoders.proving.reading import load_claim
from encoders.trust import Trust

BOARDS = Path(__file__).parents[4] / "examples" / "boards"
HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "l"\nrole = "conjecture"\n'
NUMBERS = 'n = "0.."\nq = "0.."\n'
TAKE = 'pick = { m = "1..min(h.n, h.q)" }\nbecome = [{ n = "h.n - m", q = "2 * m" }]'
BOX = 's = { n = "0..9", q = "0..9" }'
STEPS = 'c = "list of 0.."\n'
LOWER = 'pick = { i = "0..len(h.c) - 1", m = "1..h.c[i]" }\nbecome = [{ c = "put(h.c, i, h.c[i] - m)" }]'
LIST = 's = { heaps = "0..2", c = { length = "0..2", each = "0..3" } }'
NIM = "nim_sum(x for h in s for x in h.c)"

SEVERAL = (
    "coin-on-a-tree-heights",
    "col-cold",
    "cram-strips",
    "geography-matchings",
    "nim-or-odd-heaps",
    "kayles-products",
    "no-repeat-multiples",
    "node-kayles-graphs",
    "preference-nim-misere",
    "same-amount-wythoff",
    "snort-complete",
    "square-and-stalk",
)
"""The claims with a game for each value of a variable, or with several games."""
NOT_READ = {
    "clobber-ups": "equals is not supported",
    "clobber-weights": "equals is not supported",
    "coin-row-even": "score is not supported",
    "cram-even-sides": "position is not supported",
    "cutcake-numbers": "a heap may split",
    "cutcake-squares": "a heap may split",
    "domineering-cooled": "equals is not supported",
    "domineering-heated": "equals is not supported",
    "domineering-means": "mean is not supported",
    "domineering-shapes": "equals is not supported",
    "domineering-stops": "left_stop is not supported",
    "edge-geography-kernels": "the domain of g, graph on 0..n-1 up to isomorphism, is not supported",
    "equal-division-values": "a move of equal-division leaves a number of heaps that varies",
    "ending-partizan-neighbours": "in ending-partizan the last position determines the winner",
    "hackenbush-coloured-trees": "the domain of t, rooted tree on 0..n-1 up to isomorphism, is not supported",
    "hackenbush-cycles": "a value of type list of list of Int is not supported",
    "hackenbush-half": "number is not supported",
    "hackenbush-numbers": "the domain of g, graph on 0..n-1, is not supported",
    "hackenbush-trees": "the domain of t, rooted tree on 0..n-1, is not supported",
    "pass-two-heaps": "a move depends on the whole position",
    "preference-nim-podium": "the players of preference-nim have preferences",
    "sorting-inversions": "the domain of p, permutation of 1..n, is not supported",
    "stalks-ordinal-sums": "the domain of c, list of -1..1, is not supported",
    "stalks-numbers": "number is not supported",
    "tic-tac-toe-replies": "play in tic-tac-toe may end in a draw",
    "toads-and-frogs-star": "le is not supported",
    "token-on-a-triangle": "play in token-on-a-graph may be infinite",
    "top-entails-one": "a move depends on the whole position",
    "turning-corners-products": "nim_product is not supported",
}


def write(
    folder: Path,
    then: str,
    parts: str = NUMBERS,
    move: str = TAKE,
    scope: str = BOX,
    measure: str = "sum(h.n for h in s)",
    stuck: str = "loses",
    players: str = '["A", "B"]',
    quantifier: str = "forall",
    more: str = "",
    game: str = "mine",
) -> Claim:
    (folder / "rulesets").mkdir(exist_ok=True)
    rules = f'format = 1\ntitle = "G"\nplayers = {players}\nstuck = "{stuck}"\nmeasure = "{measure}"\n{more}'
    rules += f'[heap]\n{parts}[[moves]]\nchoose = "any heap h"\n{move}\n'
    (folder / "rulesets" / "mine.toml").write_text(rules, "utf-8")
    variables = "".join(
        f'{line.split(" = ")[0]} = "{"position" if "{" in line else line.split(chr(34))[1].split("..")[0] + ".."}"\n'
        for line in scope.splitlines()
    )
    claim = f'ruleset = "{game}"\n[{quantifier}]\n{variables}[claim]\nthen = "{then}"\n[scope]\n{scope}\n'
    (folder / "claim.toml").write_text(HEAD + claim, "utf-8")
    return load_claim(folder / "claim.toml", "claim")


def by_python(claim: Claim, sums: bool) -> tuple[object, ...]:
    walk, tally = search.CaseEvaluator(claim, claim.scope("quick"), Deadline(None)), Tally()
    walk.sums = sums
    search._look(walk, Judgement.HOLDS if claim.quantifier == "exists" else Judgement.FAILS, tally)
    assert tally.best is None or not tally.best.ill
    best, witness = (None if x is None else x.case for x in (tally.best, tally.witness))
    return tally.cases, tally.met, best, witness


def by_machine(claim: Claim, sums: bool = True) -> NativeSearchResult | None:
    scope = claim.scope("quick")
    game = search.CaseEvaluator(claim, scope, Deadline(None)).find_only_game()
    assert game is not None
    try:
        return CompiledSearch(claim, scope, game.parameters, game.players, sums).search(Deadline(None))
    except Stopped:
        return None


def compare(claim: Claim, sums: bool = True) -> NativeSearchResult:
    found = by_machine(claim, sums)
    assert found is not None
    assert (found.cases, found.met, found.decided, found.witness) == by_python(claim, sums)
    walk = search.CaseEvaluator(claim, claim.scope("quick"), Deadline(None))
    assert all(walk.judge(case) is judged for case, judged in found.kept)
    return found


@pytest.mark.parametrize("path", sorted(BOARDS.glob("*.toml")), ids=lambda path: path.stem)
def test_claims_about_boards(path: Path) -> None:
    claim = load_claim(path, path.stem)
    if search.CaseEvaluator(claim, claim.scope("quick"), Deadline(None)).find_only_game() is None:
        assert path.stem in SEVERAL
    elif path.stem in NOT_READ:
        with pytest.raises(NotNative, match=f"^{NOT_READ[path.stem]}$"):
            by_machine(claim)
    else:
        compare(claim)


# -- false claims -----------------------------------------------------------------------------------------------------
FALSE = {
    "who wins": {"then": "iff(wins(s), s[0].n % 3 != 0)"},
    "a mover": {
        "then": "implies(wins(s, A), wins(s, B))",
        "move": TAKE + '\nwhere = "m % 2 == 1 if mover == A else m > 1"',
    },
    "the second mover": {
        "then": "implies(wins(s, B), wins(s, A))",
        "move": TAKE + '\nwhere = "m % 2 == 1 if mover == B else m > 1"',
    },
    "an outcome": {
        "then": "outcome(s) != first_wins",
        "move": TAKE + '\nwhere = "m <= 2 if mover == A else m % 2 == 0"',
    },
    "misere play": {"then": "iff(wins(s), s[0].n != 3 and s[0].n > 0)", "stuck": "wins"},
    "values": {"then": "grundy(s) <= 2"},
    "a heap that vanishes": {
        "then": "wins(s)",
        "parts": 'n = "0.."\nq = "1.."\ngone = "h.n == 0"\n',
        "move": 'pick = { m = "1..min(h.n, h.q)" }\nwhere = "h.n != 2"\nbecome = [{ n = "h.n - m" }]',
    },
    "a heap that vanishes, with moves and a large measure": {
        "then": "s[0].n < 3 or wins(s) or s[0].q == 0",
        "parts": f'{NUMBERS}gone = "h.n == 2"\n',
        "measure": "sum(100 if h.n == 2 else h.n for h in s)",
    },
    "a heap that vanishes in a position": {
        "then": "wins(position([heap(2, s[0].q)])) or s[0].q < 2",
        "parts": f'{NUMBERS}gone = "h.n == 2"\n',
    },
    "what is no heap": {
        "then": "s[0].n != 4 or s[0].q < 8",
        "parts": f'{NUMBERS}where = "h.q > h.n + 1"\n',
        "move": 'pick = { m = "1..h.n" }\nbecome = [{ n = "h.n - m" }]',
    },
    "a last case": {"then": "s[0].n < 9 or s[0].q < 9"},
    "numbers below 0": {
        "then": "s[0].n + s[0].q != -5",
        "parts": 'n = "-9..9"\nq = "-9..9"\n',
        "scope": 's = { n = "-4..3", q = "-3..4" }',
        "measure": "sum(h.n + 9 for h in s)",
        "move": 'where = "h.n > -9"\nbecome = [{ n = "h.n - 1" }]',
    },
    "lists": {"then": f"iff(wins(s), {NIM} > 1)", "parts": STEPS, "move": LOWER, "scope": LIST},
    "the order of lists": {
        "then": "len(s) != 1 or len(s[0].c) != 2 or s[0].c[0] != 1 or s[0].c[1] != 2",
        "parts": STEPS,
        "move": LOWER,
        "scope": LIST,
    },
    "a total": {
        "then": "len(s) < 2 or sum(s[0].c) * sum(s[1].c) < 4",
        "parts": STEPS,
        "move": LOWER,
        "scope": LIST,
    },
    "two heaps": {
        "then": "len(s) < 2 or s[0] != s[1] or wins(s)",
        "parts": STEPS,
        "move": LOWER,
        "scope": LIST,
    },
    "an integer": {
        "then": "wins(position([heap(n, m)])) or m < 3 or n < m",
        "scope": 'n = "2..30"\nm = "1..9"',
    },
    "a witness": {"then": "s[0].n > 2 and s[0].q > 1 and not wins(s)", "quantifier": "exists"},
}
MEASURES = {"lists": "sum(x for h in s for x in h.c)", "the order of lists": "sum(x for h in s for x in h.c)"}
MEASURES["two heaps"] = MEASURES["a total"] = MEASURES["lists"]


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_refuted_at_the_smallest_case(tmp_path: Path, name: str) -> None:
    given = {"measure": MEASURES[name]} if name in MEASURES else {}
    found = compare(write(tmp_path, **(given | FALSE[name])))
    assert found.decided is not None
    assert found.added == (name == "two heaps")
    assert all(judged is not Judgement.FAILS for _, judged in found.kept) or name == "a witness"


@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_players_with_moves_of_their_own(tmp_path: Path, count: int) -> None:
    """The last player may take two objects only from every third heap."""
    last, players = "ABCDEFGH"[count - 1], str(list("ABCDEFGH"[:count])).replace("'", '"')
    move = 'pick = { m = "1..min(h.n, 2)" }\nbecome = [{ n = "h.n - m" }]'
    move += f'\nwhere = "m == 1 or mover != {last} or h.n % 3 == 0"'
    given = {"parts": 'n = "0.."\n', "move": move, "scope": 's = { n = "0..40" }', "players": players}
    for mover in "A", last:
        thens = [f"value(s, {mover}) != {winner} or s[0].n < 12" for winner in range(count)]
        found = [compare(write(tmp_path, then, **given)).decided for then in thens]
        assert any(case is not None for case in found)


def test_more_players_with_moves_of_their_own_are_left_to_python(tmp_path: Path) -> None:
    move, players = f'{TAKE}\nwhere = "m > 1 or mover == A"', '["A", "B", "C", "D", "E", "F", "G", "H", "I"]'
    with pytest.raises(NotNative, match=r"^more than 8 players have different moves$"):
        by_machine(write(tmp_path, "value(s, A) == 0", move=move, players=players))


@pytest.mark.parametrize(("players", "refused"), [(200, False), (201, True)])
def test_a_winner_among_very_many_players(tmp_path: Path, players: int, refused: bool) -> None:
    parts, more = NUMBERS.replace("n =", "a ="), 'parameters = { n = "2.." }\n'
    move, scope = TAKE.replace("h.n", "h.a").replace("n =", "a ="), BOX.replace("n =", "a =")
    given = {"parts": parts, "move": move, "scope": scope, "measure": "sum(h.a for h in s)", "players": '"n"'}
    claim = write(tmp_path, f"value(s) != {players - 1}", more=more, game=f"mine(n = {players})", **given)
    if refused:
        with pytest.raises(NotNative, match=r"^there are more than 200 players$"):
            by_machine(claim)
    else:
        assert compare(claim).decided is not None


@pytest.mark.parametrize("players", [2, 3, 5])
def test_values_of_many_players(tmp_path: Path, players: int) -> None:
    then = f"value(s) != {players - 1} or s[0].n < 4"
    parts, move = NUMBERS.replace("n =", "a ="), TAKE.replace("h.n", "h.a").replace("n =", "a =")
    more = 'parameters = { n = "2.." }\n'
    given = {"parts": parts, "move": move, "measure": "sum(h.a for h in s)", "players": '"n"', "more": more}
    compare(
        write(tmp_path, then.replace(".n", ".a"), scope=BOX.replace("n =", "a ="), game=f"mine(n = {players})", **given)
    )


# -- unsupported claims -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "changed",
    [
        {"then": "s[0].n // (s[0].q - 4) < 99"},  # no value at some case
        {"then": "s[1].n > 0"},
        {"then": "(s[0].n + 1) ** 40 > 0"},  # past 2^62
        {"then": "wins(s) or True", "measure": "sum(h.q for h in s)"},  # does not decrease
        {"then": "wins(s) or True", "measure": "sum(h.n - 5 for h in s)"},  # negative
        {"then": "wins(s) or True", "measure": "sum(max(h.n, 4) for h in s)"},  # the same for some moves
        {"then": "grundy(s) >= 0", "measure": "sum(max(h.n, 4) for h in s)"},
        {"then": "wins(s) or True", "parts": 'n = "0.."\nq = "0..6"\n'},  # a move to a list that is not a heap
        {"then": "wins(s) or True", "parts": f'{NUMBERS}where = "h.n != 4"\n'},
        {"then": "wins(position([heap(3, 12)])) or True", "parts": 'n = "0.."\nq = "0..10"\n'},  # not a heap
        {"then": "s[0].n * 2 ** 61 >= 0"},
        {"then": "wins(s) or True", "move": TAKE + '\nwhere = "h.n // (h.q - 5) < 99"'},  # an ill-defined move
        {"then": "wins(s)", "scope": 's = { n = "0..9", q = "2000000000..2000000001" }'},
    ],
    ids=str,
)
def test_what_has_no_value_or_is_no_proper_move_is_left_to_python(tmp_path: Path, changed: dict[str, str]) -> None:
    try:
        assert by_machine(write(tmp_path, **changed)) is None
    except NotNative as reason:
        assert str(reason) in ("the scope contains too many heaps", "a constant is too large")  # noqa: PT017


@pytest.mark.parametrize("sums", [False, True])
def test_values_are_added_only_where_they_may_be(tmp_path: Path, sums: bool) -> None:
    claim = write(tmp_path, f"iff(wins(s), {NIM} != 0)", STEPS, LOWER, LIST, MEASURES["lists"])
    found = by_machine(claim, sums)
    assert found is None if not sums else compare(claim).added
    misere = write(tmp_path, "wins(s) or not wins(s)", STEPS, LOWER, LIST, MEASURES["lists"], "wins")
    assert by_machine(misere) is None
    alone = write(tmp_path, "wins(s) or not wins(s)", STEPS, LOWER, LIST.replace("0..2", "0..1", 1), MEASURES["lists"])
    assert not compare(alone, sums).added


def test_a_heap_that_falls_apart_is_told_by_values(tmp_path: Path) -> None:
    split = 'pick = { a = "1..h.n - 1" }\nbecome = [{ n = "a" }, { n = "h.n - a - 1" }]'
    claim = write(tmp_path, "grundy(s) < 3", f'{NUMBERS}gone = "h.n == 0"\n', split)
    assert compare(claim).added


# -- lists that differ in a few places --------------------------------------------------------------------------------
TOTAL = "sum(x for h in s for x in h.c)"
PLACES, TENTH = 'pick = { i = "0..len(h.c) - 1", j = "0..len(h.c) - 1" }', 'pick = { i = "0..len(h.c) - 2" }'
BOTH, LESS = "h.c[i] > 0 and h.c[j] > 0", "put(put(h.c, i, h.c[i] - 1), j, h.c[j] - 1)"
PUTS = {
    "one place twice": (
        f'{PLACES}\nwhere = "{BOTH}"\nbecome = [{{ c = "{LESS}" }}]',
        STEPS,
        's = { heaps = "0..1", c = { length = "0..3", each = "0..4" } }',
        TOTAL,
    ),
    "numbers that are not in the map": (
        f'{TENTH}\nwhere = "h.c[i] > 0"\nbecome = [{{ c = "put(put(h.c, i, 0), 10, h.c[10] + 3 * h.c[i])" }}]',
        f'{STEPS}where = "sum(h.c[:10]) <= 3"\n',
        's = { c = { length = "11", each = "0..1" } }',
        "sum(x for h in s for x in h.c[:10])",
    ),
    "numbers below 0": (
        'pick = { i = "0..len(h.c) - 1", m = "1..h.c[i] + 2" }\nbecome = [{ c = "put(h.c, i, h.c[i] - m)" }]',
        'c = "list of -2..2"\n',
        's = { heaps = "0..1", c = { length = "0..3", each = "-2..2" } }',
        "sum(x + 2 for h in s for x in h.c)",
    ),
    "a list that is not the heap's": (
        'pick = { i = "0..len(h.c) - 2", m = "1..h.c[i]" }\nbecome = [{ c = "put(h.c[1:], i, h.c[i] - m)" }]',
        STEPS,
        's = { heaps = "0..1", c = { length = "0..3", each = "0..3" } }',
        "sum(len(h.c) for h in s)",
    ),
}


# -- heaps of numbers that may be outside the map ---------------------------------------------------------------------
EDGES = {"two numbers": (2048, ""), "three numbers": (128, "r"), "five numbers": (16, "rtu")}


@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("asked", ["wins(s)", "grundy(s) == 1"])
def test_moves_between_small_and_large_numbers(tmp_path: Path, name: str, asked: str) -> None:
    """The map for two numbers contains numbers below 2048, that for three numbers those below 128."""
    edge, others = EDGES[name]
    parts = NUMBERS + "".join(f'{x} = "0.."\n' for x in others)
    kept, bounds = ("".join(text.format(x=x) for x in others) for text in (', {x} = "h.{x}"', ', {x} = "0..1"'))
    large = f"h.q + {edge} if m == 2 else max(h.q - m, 0)"
    move = f'pick = {{ m = "1..min(h.n, 3)" }}\nbecome = [{{ n = "h.n - m", q = "{large}"{kept} }}]'
    move += '\nwhere = "m != 1 or h.q % 3 != 1"'
    scope = f's = {{ n = "0..7", q = "0..4"{bounds} }}'
    then = f"implies({asked}, s[0].q < 3 or s[0].n < 7)"
    assert compare(write(tmp_path, then, parts, move, scope)).decided is not None


def test_lists_in_the_numbers_of_a_new_heap_are_freed(tmp_path: Path) -> None:
    """A heap has 500 000 moves, and the numbers after each move take 64 bytes; there is room for 16 MB."""
    move = 'pick = { m = "1..h.n" }\nbecome = [{ n = "sum([0, 0, 0, 0 * m])" }]'
    claim = write(tmp_path, "wins(s)", 'n = "0.."\n', move, 's = { n = "500000..500000" }')
    found = by_machine(claim)
    assert found is not None
    assert (found.cases, found.decided) == (1, None)


def test_scopes_are_copied_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "BLOCK", 7)
    compare(write(tmp_path, "wins(s) or s[0].n < 8", scope=BOX))
    found = compare(write(tmp_path, f"{NIM} < 3 or len(s) < 2", STEPS, LOWER, LIST, MEASURES["lists"]))
    assert found.decided is not None


# -- the heaps of a scope ---------------------------------------------------------------------------------------------
NEGATIVE = "numbers below 0"
SCOPES = {
    "numbers": {"scope": 's = { n = "2..4", q = "0..3" }'},
    "numbers of more than 16 bits": {"scope": 's = { n = "0..3", q = "69998..70000" }'},
    NEGATIVE: {"parts": 'n = "-9..9"\nq = "-9..9"\n', "scope": 's = { heaps = "1..2", n = "-2..1", q = "-1..2" }'},
    "lists": {
        "parts": STEPS,
        "move": LOWER,
        "scope": LIST.replace('"0..2"', '"1..2"', 1),
        "measure": MEASURES["lists"],
    },
}


def read_scope(folder: Path, name: str) -> tuple[machine.ScopeHeaps, d.PositionRange]:
    given = {"move": 'where = "h.n > -9"\nbecome = [{ n = "h.n - 1" }]'} if name == NEGATIVE else {}
    claim = write(folder, "len(s) < 9", **(given | SCOPES[name]))
    bound = claim.scope("quick")["s"]
    assert isinstance(bound, d.PositionRange)
    return machine.ScopeHeaps(bound), bound


def weigh(part: int | tuple[int, ...]) -> int:
    return sum(map(abs, part)) if isinstance(part, tuple) else abs(part)


@pytest.mark.parametrize("name", SCOPES)
def test_heaps_are_sorted_by_size_and_then_by_parts(tmp_path: Path, name: str) -> None:
    heaps, _ = read_scope(tmp_path, name)
    found = [heaps.read(i) for i in range(len(heaps))]
    sizes = [sum(map(weigh, heap)) for heap in found]
    assert len(set(found)) == len(found) in (12, 16, 21)
    assert list(zip(sizes, found, strict=True)) == sorted(zip(sizes, found, strict=True))
    assert heaps.weights.tolist() == sizes


@pytest.mark.parametrize("name", SCOPES)
@pytest.mark.parametrize("step", [1, 2, 5])
def test_the_sample_contains_positions_with_extreme_heaps(tmp_path: Path, name: str, step: int) -> None:
    """Only every `step`th heap may occur."""
    heaps, bound = read_scope(tmp_path, name)
    there = np.arange(1, len(heaps), step) if step > 1 else np.arange(len(heaps))
    for number in range(bound.heaps.lo, bound.heaps.hi + 1):
        places = heaps.list_positions(number, there)
        ends = {0, len(places) - 1}
        rows = [[measure_parts(heaps.read(i)) for i in row] for row in places.tolist()]
        for k, column in enumerate(zip(*(measure_parts(heaps.read(i)) for i in there.tolist()), strict=True)):
            for end in (min(column), max(column)):
                hit = [i for i, row in enumerate(rows) if any(heap[k] == end for heap in row)]
                ends |= {hit[0], hit[-1]}
        assert heaps.find_ends(places, there, heaps.columns) == ends


def measure_parts(heap: tuple[int | tuple[int, ...], ...]) -> list[int]:
    """Return the numbers of a heap, and the length, the minimum and the maximum of each list."""
    found = []
    for part in heap:
        found += [len(part), min(part, default=0), max(part, default=0)] if isinstance(part, tuple) else [part]
    return found


@pytest.mark.parametrize("name", PUTS)
@pytest.mark.slow
def test_lists_that_differ_in_a_few_places_are_those_of_python(tmp_path: Path, name: str) -> None:
    move, parts, scope, measure = PUTS[name]
    for most in range(4):
        compare(write(tmp_path, f"grundy(s) <= {most}", parts, move, scope, measure))


@pytest.mark.parametrize(
    ("put", "parts"),
    [
        ("put(put(h.c, i, h.c[i] - m), len(h.c), 0)", STEPS),  # this place does not exist
        ("put(put(h.c, i, h.c[i] - m), m - m - 1, 0)", STEPS),
        ("put(put(h.c, i, h.c[i] - m), m - m - 1, len(h.c))", STEPS),  # the length of a list precedes its numbers
        ("put(h.c, i, h.c[i] - m)", f'{STEPS}where = "sum(h.c) != 1"\n'),  # not a heap, and in the scope
    ],
)
def test_a_list_that_is_no_heap_is_left_to_python(tmp_path: Path, put: str, parts: str) -> None:
    move = LOWER.replace("put(h.c, i, h.c[i] - m)", put)
    then = f"{TOTAL} > 2 or wins(s) or not wins(s)"  # the last list is followed by other data
    assert by_machine(write(tmp_path, then, parts, move, LIST, TOTAL)) is None


def make(claim: Claim) -> CompiledSearch:
    game = search.CaseEvaluator(claim, claim.scope("quick"), Deadline(None)).find_only_game()
    assert game is not None
    return CompiledSearch(claim, claim.scope("quick"), game.parameters, game.players, True)


def test_the_clock_is_looked_at(tmp_path: Path) -> None:
    with pytest.raises(OutOfTime):
        make(write(tmp_path, "wins(s)")).search(Deadline(-1))


def test_a_long_run_at_one_case_looks_at_the_clock_now_and_then(tmp_path: Path) -> None:
    looks = []
    native = make(write(tmp_path, "sum(x for x in range(0, 2000000)) < 0"))
    native.search(Deadline(1e9, now=lambda: looks.append(1) or 0.0))
    assert len(looks) > 20


# -- large numbers ----------------------------------------------------------------------------------------------------
WHOLE = 'pick = { m = "1..h.n" }\nbecome = [{ n = "h.n - m" }]'
FAR = "max(c * s[0].n for c in [2147483648, 0])"


def square(text: str) -> str:
    """Return an expression that is a nonzero multiple of 2^64 if `text` is a multiple of 2^31."""
    return f"{text} * {text} * 4 == 0"


OVERFLOWS = {
    "a rule": ("wins(s)", f'{WHOLE}\nwhere = "h.n != 3 or {square(FAR.replace("s[0]", "h"))}"'),
    "max": (f"{square(FAR)} or s[0].n != 3", WHOLE),
    "min": (f"{square(FAR.replace('max', 'min').replace('[21', '[-21'))} or s[0].n != 3", WHOLE),
    "nim_sum": (f"{square(FAR.replace('max', 'nim_sum'))} or s[0].n != 3", WHOLE),
    "a list": (f"{square('[c * s[0].n for c in [2147483648, 0]][0]')} or s[0].n != 3", WHOLE),
    "a sum": (f"{square('(s[0].n * 2147483648 + 0)')} or s[0].n != 3", WHOLE),
}


@pytest.mark.parametrize("name", OVERFLOWS)
def test_a_claim_that_holds_only_modulo_2_to_the_64_is_refuted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(entry, "FEW", 1)
    then, move = OVERFLOWS[name]
    claim = write(tmp_path, then, 'n = "0.."\n', move, 's = { n = "1..9" }')
    assert by_machine(claim) is None
    answer = decide_by_search(claim, claim.scope("quick"))
    assert (answer.decision, answer.counterexample) == (Decision.FAILS, {"s": ((3,),)})


# -- within the route -------------------------------------------------------------------------------------------------
def test_large_scopes_go_by_it_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "FEW", 50)
    claim = write(tmp_path, "iff(wins(s), s[0].n % 3 != 0)")
    answer = decide_by_search(claim, claim.scope("quick"))
    assert answer.decision is Decision.FAILS
    assert answer.engines.names == (entry.NAME,)
    (case,) = (answer.counterexample,)
    monkeypatch.setattr(entry, "FEW", 5000)
    again = decide_by_search(claim, claim.scope("quick"))
    assert again.engines.names == (search.ENGINE,)
    assert (again.counterexample, again.cases, again.witness) == (case, answer.cases, answer.witness)


def test_what_it_takes_on_trust_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "FEW", 50)
    monkeypatch.setattr(search, "PLAYED", 50)
    claim = write(tmp_path, f"iff(wins(s), {NIM} != 0)", STEPS, LOWER, LIST, MEASURES["lists"])
    answer = decide_by_search(claim, claim.scope("quick"))
    assert answer.decision is Decision.HOLDS
    assert (answer.engines.names, answer.trusted) == ((entry.NAME,), {Trust.SPRAGUE_GRUNDY})
    assert answer.audited
    assert 64 < len(answer.sample) <= 120


def test_the_log_is_read_as_often_as_it_is_full(tmp_path: Path) -> None:
    claim = write(tmp_path, "n < 299990 or m < 1", scope='n = "0..300000"\nm = "0..1"')
    found = by_machine(claim)
    assert found is not None
    assert (found.cases, found.decided) == (599982, {"n": 299990, "m": 1})
    numbers = [case["n"] for case, _ in found.kept]
    assert all(isinstance(a, int) and isinstance(b, int) and a <= b for a, b in pairwise(numbers))
