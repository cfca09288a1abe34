"""Rulesets on one heap: loaded from text, answered heap by heap, and generated at random."""

from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from checks.referee.breaking import TakeSets
from checks.referee.meaning import IllDefined, RefereeSteps
from checks.referee.play import RefereeGame
from claims.language.files.rulesets import Ruleset, load_ruleset
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.heap_tables import SingleHeaps
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.moves import Moves, ParameterList
from encoders.compute.arrays.positions import Pool, PositionSet

HEAD = 'format = 1\ntitle = "R"\n'
ANY = '[[moves]]\nchoose = "any heap h"\n'
ILL = "ill-defined"


def written(moves: str, parameters: str = "", measure: str = "", stuck: str = "loses", players: str = '["A", "B"]'):
    """Return the text of a ruleset file."""
    more = f"parameters = {parameters}\n" if parameters else ""
    more += f'measure = "{measure}"\n' if measure else ""
    return f'{HEAD}players = {players}\nstuck = "{stuck}"\n{more}{moves}'


def taking(pick: str, where: str = "", become: str = '["h - m"]') -> str:
    condition = f'where = "{where}"\n' if where else ""
    return f'{ANY}pick = {{ m = "{pick}" }}\n{condition}become = {become}\n'


def splitting(pick: str, where: str = "", become: str = '["a", "h - a"]') -> str:
    condition = f'where = "{where}"\n' if where else ""
    return f"{ANY}pick = {{ {pick} }}\n{condition}become = {become}\n"


OCTAL = written(
    splitting(
        'i = "1..min(h, len(d))", a = "0..(h - i) // 2"',
        "d[i - 1] % 2 == 1 if h == i else (d[i - 1] // 2 % 2 == 1 if a == 0 else d[i - 1] // 4 == 1)",
        '["a", "h - i - a"]',
    ),
    '{ d = "list" }',
)


def loaded(text: str, folder: Path) -> Ruleset:
    path = folder / "rules.toml"
    path.write_text(text, "utf-8")
    return load_ruleset(path)


def heaps_of(ruleset: Ruleset) -> SingleHeaps:
    pool, clock = Pool(PositionSet(np.zeros((1, 1), dtype=np.int64))), Deadline(None)
    return SingleHeaps(Moves(ruleset, FrameEvaluator(pool, clock, {})))


def players_of(ruleset: Ruleset, choices) -> np.ndarray:
    known = ParameterList(ruleset)
    known.values = list(choices)
    return known.players


def by_engine(heaps: SingleHeaps, question: str, choices, size: int):
    """Return an array (Q, P, size + 1), or None if the engine does not apply. Raise BadRuleset."""
    table = heaps.tabulate(question, list(choices), players_of(heaps.ruleset, choices), size)
    return None if table is None else table[:, :, : size + 1].tolist()


def by_referee(ruleset: Ruleset, choice: tuple, question: str, size: int, mover: int, sums: bool = False) -> list:
    """Return the answers for the heaps 0..size, ILL where they are undefined. Raise LimitReached."""
    names = [p.name for p in ruleset.parameters]
    game = RefereeGame(ruleset, dict(zip(names, choice, strict=True)), RefereeSteps(2_000_000), sums)
    found = []
    for h in range(size + 1):
        s = (h,) if h else ()
        try:
            match question:
                case "grundy":
                    found.append(game.grundy(s))
                case "movable":
                    found.append(bool(game.options(s, mover)))
                case _:
                    value = game.value(s, mover)
                    found.append(value == 0 if question == "wins" else value)
        except IllDefined:
            found.append(ILL)
    return found


# -- at random --------------------------------------------------------------------------------------------------------
_MEASURES = ("", "", "", "sum(2 * h - 1 for h in s)", "2 * sum(s) + 1", "sum(h * h for h in s)", "sum(s) + len(s)")
_PICKS = (
    "1..h", "1..h", "1..min(h, 3)", "S", "{m for m in S if m <= h}", "2..h - 1", "1..h // 2", "1..max(1, h - 3)",
    "0..h",
)  # fmt: skip
_WHERES = (
    "", "", "m <= h", "m != k", "m != 2 and m <= h", "1 <= m <= h", "m % 2 == 1 and m <= h", "m in S or m == 1",
    "m < h", "h - m != 1", "m == 1 or m == 3 or m == h", "h >= m + k", "m != (2 if mover == A else 3)",
    "m <= 2 if mover == A else m % 2 == 0", "h % 2 == 0", "6 % m != 1", "not (m == 2 or h == m)", "k * m <= 6",
)  # fmt: skip
_SPLITS = (
    ('a = "1..(h - 1) // 2"', '["a", "h - a"]'),
    ('a = "1..h // 2"', '["a", "h - a"]'),
    ('a = "0..h - 1"', '["a", "h - 1 - a"]'),
    ('m = "1..min(2, h)", a = "0..(h - m) // 2"', '["a", "h - m - a"]'),
    ('m = "S", a = "0..h - m"', '["a", "h - m - a"]'),
    ('m = "1..min(h, k)", a = "1..h - m - 1"', '["h - m - a", "a"]'),
    ('a = "0..h", b = "0..h - a"', '["a", "b"]'),
    ('a = "1..h // 2"', '["a", "a"]'),
    ('m = "1..h", a = "0..(h - m) // 2"', '["a", "h - m - a"]'),
)
_CONDITIONS = (
    "", "", "a != h - a", "a != 1", "a > 0", "h > 3", "2 * a != h", "a == 0 or h - a > 2", "a + k > 2", "a % 2 == 1",
)  # fmt: skip


@st.composite
def rules(draw) -> tuple[str, tuple[tuple, ...]]:
    """Return the text of a ruleset on one heap, and choices of its parameters S and k."""
    moves = []
    for _ in range(draw(st.integers(1, 2))):
        if draw(st.booleans()):
            moves.append(taking(draw(st.sampled_from(_PICKS)), draw(st.sampled_from(_WHERES))))
        else:
            pick, become = draw(st.sampled_from(_SPLITS))
            moves.append(splitting(pick, draw(st.sampled_from(_CONDITIONS)), become))
    text = written(
        "".join(moves).replace("any heap", draw(st.sampled_from(("any heap", "any heap", "a largest heap")))),
        '{ S = "set", k = "0.." }',
        draw(st.sampled_from(_MEASURES)),
        draw(st.sampled_from(("loses", "loses", "wins"))),
        draw(st.sampled_from(('["A", "B"]', '["A", "B"]', '["A", "B", "C"]'))),
    )
    one = st.tuples(st.sets(st.integers(1, 6), max_size=4).map(lambda x: tuple(sorted(x))), st.integers(0, 4))
    return text, tuple(draw(st.lists(one, min_size=1, max_size=2, unique=True)))


def play(text: str, choice: tuple, folder: Path, sums: bool = True) -> RefereeGame:
    ruleset = loaded(text, folder)
    values = (tuple(x) if isinstance(x, list) else x for x in choice)
    return RefereeGame(
        ruleset, dict(zip((p.name for p in ruleset.parameters), values, strict=True)), RefereeSteps(10**8), sums
    )


def table_of(game: RefereeGame, size: int) -> list[int]:
    """Return the Grundy values by the referee's recursion."""
    return [game.grundy((h,) if h else ()) for h in range(size + 1)]


def list_options(moves: TakeSets, h: int) -> list[tuple[int, ...]]:
    """Return the options of a heap, from the documented meaning of the fields of `Breaking`."""
    found: list[tuple[int, ...]] = []
    for taken in range(h + 1):
        rest = h - taken
        if not rest and (taken in moves.end or (moves.all_end and taken >= moves.bound)):
            found.append(())
        if rest and (taken in moves.one or (moves.all_one and taken >= moves.bound)):
            found.append((rest,))
        for x in range(1, rest // 2 + 1):
            if taken in (moves.equal if 2 * x == rest else moves.two):
                found.append((x, rest - x))
    return found
