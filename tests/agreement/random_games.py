"""Random small games of every kind: the text of a ruleset file, and the parts of a claim about small positions."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

MOVERS = ("A", "B")
KINDS = (
    "numbers", "partizan numbers", "splits", "several heaps", "equal amounts", "players", "ending", "parts",
    "partizan parts",
)  # fmt: skip
SCOPES = ("positions", "parameters", "one integer", "two integers", "equal heaps")


@dataclass(frozen=True)
class RandomGame:
    """A ruleset, and a claim about it.

    `kind`, `shape`: elements of KINDS and SCOPES. `misere`: whether a player who cannot move wins.
    `game`: the game of the claim, with the values of its parameters.
    `variables`, `scope`: the tables [forall] and [scope] of the claim.
    `code`: a term that is a different natural number for each case.
    `answer`: a term about the game, a natural number below 64 or a truth value.
    """

    kind: str
    shape: str
    misere: bool
    ruleset: str
    game: str
    variables: str
    scope: str
    code: str
    answer: str


def draw_game(seed: int) -> RandomGame:
    """Return the game with a number. Equal numbers give equal games."""
    return _Drawer(Random(seed)).draw()


class _Drawer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.kind = random.choice(KINDS)
        self.shape = random.choice(SCOPES)
        self.partizan = self.kind.startswith("partizan")
        self.parts = self.kind.endswith("parts")
        self.misere = self.kind != "ending" and random.random() < 0.3
        self.with_parameter = self.shape == "parameters"

    def draw(self) -> RandomGame:
        query, variables, scope, code = self.write_position()
        game = "mine(k = k)" if self.with_parameter else "mine"
        rules = self.write_rules()
        return RandomGame(
            self.kind, self.shape, self.misere, rules, game, variables, scope, code, self.write_answer(query)
        )

    # -- ruleset --------------------------------------------------------------------------------------------------
    def write_rules(self) -> str:
        stuck = "A if sum(s) % 2 == 0 else B" if self.kind == "ending" else "wins" if self.misere else "loses"
        players = '["A", "B", "C"]' if self.kind == "players" else '["A", "B"]'
        text = f'format = 1\ntitle = "t"\nplayers = {players}\nstuck = "{stuck}"\n'
        text += 'parameters = { k = "0.." }\n' if self.with_parameter else ""
        if self.parts:
            text += 'measure = "sum(h.x + 2 * h.y for h in s)"\n[heap]\nx = "0.."\ny = "0.."\n'
            text += 'gone = "h.x == 0 and h.y == 0"\n' if self.random.random() < 0.7 else ""
        if self.kind == "equal amounts":
            return text + self.write_equal_amounts()
        return text + "".join(self.write_move() for _ in range(self.random.choice((1, 1, 2))))

    def write_equal_amounts(self) -> str:
        """Return the moves of a game like Wythoff's: any number from one heap, or equal numbers from two heaps."""
        choice, text = self.random.choice, ""
        pick, left = choice((("1..h", "h - m"), ("0..h - 1", "m")))
        text += f'[[moves]]\nchoose = "any heap h"\npick = {{ m = "{pick}" }}\nbecome = ["{left}"]\n'
        for _ in range(choice((1, 1, 2))):
            most = choice(("min(g, h)", "min(h, g, 2)", "min(3, g, h)", "min(g, min(h, 1))"))
            left = choice(('"g - m", "h - m"', '"h - m", "g - m"'))
            text += f'[[moves]]\nchoose = "any two heaps g, h"\npick = {{ m = "1..{most}" }}\nbecome = [{left}]\n'
        return text

    def write_move(self) -> str:
        return self.write_move_of_parts() if self.parts else self.write_move_of_numbers()

    def write_move_of_numbers(self) -> str:
        choice = self.random.choice
        choose, top, become = "any heap h", "h", '"h - m"'
        pick = choice(("1..h", "1..min(h, 2)", "1..min(h, 3)", "[m for m in [1, 2, 4] if m <= h]"))
        if self.kind == "splits" and choice((True, False, True)):
            pick, become = f'1..min(h, 2)", a = "0..{choice(("h - m", "(h - m) // 2"))}', '"a", "h - m - a"'
        elif self.kind == "several heaps":
            shape = choice(("two", "two", "largest", "smallest", "each"))
            if shape == "two":
                choose, top = "any two heaps g, h", "min(g, h)"
                pick = choice(("1..min(g, h)", "1..min(g, h, 2)"))
                become = choice(('"g - m", "h - m"', '"g - m", "h"', '"g - m", "h - 1"'))
            elif shape == "each":
                choose = "each of 1..2 heaps h"
                pick = choice(("1..h", "1..min(h, 2)"))
            else:
                choose = f"a {shape} heap h"
        conditions = [f"m != {choice('123')}", f"({top}) % 2 == {choice('01')}", f"{top} > m", "m % 2 == 1"]
        conditions += ["m != k", f"{top} > k"] if self.with_parameter else []
        if self.kind == "several heaps" and choose.startswith("any"):
            conditions.append("len(s) > 1")
        return self.finish(choose, f'm = "{pick}"', conditions, become)

    def write_move_of_parts(self) -> str:
        choice = self.random.choice
        pick, become = choice(
            (
                ("1..h.x", '{ x = "h.x - m", y = "h.y" }'),
                ("1..min(h.x, 2)", '{ x = "h.x - m", y = "h.y" }'),
                ("1..h.y", '{ x = "h.x", y = "h.y - m" }'),
                ("1..min(h.y, 1)", '{ x = "h.x + 1", y = "h.y - m" }'),
                ("1..min(h.x, h.y)", '{ x = "h.x - m", y = "h.y - m" }'),
                ("1..min(h.x, 2)", '{ x = "h.x - m", y = "0" }, { x = "0", y = "h.y" }'),
            )
        )
        conditions = [f"m != {choice('12')}", f"(h.x + h.y) % 2 == {choice('01')}", "h.x != 1"]
        conditions += ["m != k", "h.x > k"] if self.with_parameter else []
        return self.finish("any heap h", f'm = "{pick}"', conditions, become)

    def finish(self, choose: str, pick: str, conditions: list[str], become: str) -> str:
        where = self.random.choice(conditions) if self.random.random() < 0.5 else ""
        if self.partizan:
            own = f"mover != {self.random.choice(MOVERS)} or {self.random.choice(conditions)}"
            where = f"({where}) and ({own})" if where else own
        line = f'where = "{where}"\n' if where else ""
        return f'[[moves]]\nchoose = "{choose}"\npick = {{ {pick} }}\n{line}become = [{become}]\n'

    # -- claim ------------------------------------------------------------------------------------------------------
    def write_position(self) -> tuple[str, str, str, str]:
        """Return the position of the claim, its variables, its scope, and the code of a case."""
        choice = self.random.choice
        if self.shape in ("positions", "parameters"):
            value = "(h.x + 3 * h.y + 1)" if self.parts else "h"
            # the sum and the sum of squares determine at most two positive numbers
            variables, code = 's = "position"\n', f"sum({value} + 32 * {value} * {value} for h in s)"
            bound = 'x = "0..2", y = "0..2"' if self.parts else f'size = "1..{choice("345")}"'
            total = choice(("", "", ', total = "2..6"')) if not self.parts else ""
            scope = f's = {{ heaps = "0..2", {bound}{total} }}\n'
            if self.with_parameter:
                return "s", 'k = "0.."\n' + variables, 'k = "0..3"\n' + scope, f"({code}) * 4 + k"
            return "s", variables, scope, code

        def heap(x: str, y: str) -> str:
            return f"heap({x}, {y})" if self.parts else x

        if self.shape == "one integer":
            return f"position([{heap('n', 'n % 3')}])", 'n = "0.."\n', f'n = "0..{choice((9, 12, 20))}"\n', "n"
        if self.shape == "two integers":
            third = f", {heap('n + m', 'm')}" if choice((True, False)) else ""
            query = f"position([{heap('n', '1')}, {heap('m', 'n')}{third}])"
            return query, 'n = "0.."\nm = "0.."\n', 'n = "0..3"\nm = "0..2"\n', "4 * m + n"
        size = choice((1, 2))
        query = f"position([{heap(str(size), '1')} for i in range(n)])"
        return query, 'n = "0.."\n', f'n = "0..{6 if self.parts else 10}"\n', "n"

    def write_answer(self, query: str) -> str:
        normal = not self.misere and self.kind not in ("players", "ending") and not self.partizan
        if self.kind == "players":
            return f"value({query}, {self.random.choice('ABC')})"
        kind = self.random.random()
        if normal and kind < 0.25:
            return f"grundy({query})"
        if kind > 0.75:
            return " + ".join(f"{2**i} * (1 if wins({query}, {p}) else 0)" for i, p in enumerate(MOVERS))
        return f"wins({query}, {self.random.choice(MOVERS)})"
