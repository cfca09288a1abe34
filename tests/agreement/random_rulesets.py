"""Random small rulesets, as the text of their files, with values of their parameters."""

from dataclasses import dataclass

from hypothesis import strategies as st

_BELOW = [st.integers(0, max(n - 1, 0)) for n in range(32)]
_MEASURES = ("sum(s)", "2 * sum(s) + 1", "sum(h * h for h in s)", "sum(s) + len(s)")


@dataclass(frozen=True)
class Written:
    """A ruleset file, and values of its parameters: one tuple for each choice."""

    text: str
    names: tuple[str, ...]
    parameters: tuple[tuple[object, ...], ...]


class Writer:
    """The writer of one random ruleset. `bad`: it may have moves that cannot be played."""

    def __init__(self, draw, bad: bool) -> None:
        self.draw, self.bad = draw, bad

    def below(self, n: int) -> int:
        return self.draw(_BELOW[n])

    def one_of(self, *choices):
        return choices[self.below(len(choices))]

    def ruleset(self) -> Written:
        players = self.one_of('["P1", "P2"]', '["P1", "P2"]', '["P1", "P2"]', '["A", "B", "C"]', '"n"')
        self.movers = {'["P1", "P2"]': ("P1", "P2"), '["A", "B", "C"]': ("A", "C")}.get(players, ("0", "n - 1"))
        kinds = {"k": '"0.."', "S": '"set"', "D": '"list"'}
        used = [x for x in kinds if self.below(2)]
        self.numbers = ["k"] if "k" in used else []
        self.sets, self.lists = "S" in used, "D" in used
        if players == '"n"':
            used.append("n")
            kinds["n"] = '"2.."'
        measure = f'measure = "{self.one_of(*_MEASURES)}"\n' if self.below(5) == 0 else ""
        moves = "".join(self.move() for _ in range(self.one_of(1, 1, 2, 3)))
        parameters = ", ".join(f"{x} = {kinds[x]}" for x in used)
        text = (
            f'format = 1\ntitle = "t"\nplayers = {players}\nparameters = {{ {parameters} }}\n'
            f'stuck = "{self.one_of("loses", "loses", "wins")}"\n{measure}{moves}'
        )
        choices = tuple(dict.fromkeys(tuple(self.value(x) for x in used) for _ in range(3)))
        return Written(text, tuple(used), choices)

    def value(self, name: str):
        match name:
            case "k":
                return self.below(4)
            case "n":
                return 2 + self.below(3)
            case "S":
                return tuple(i for i in range(1, 5) if self.below(2))
        return tuple(self.below(4) for _ in range(6))

    def move(self) -> str:
        shape = self.below(8)
        pick, heap = {}, "h"
        if shape <= 3:
            choose = self.one_of("any heap h", "any heap h", "a largest heap h", "a smallest heap h")
            pick["m"], become = self.picks("h"), ["h - m"]
        elif shape == 4:
            choose, heap = "any two heaps g, h", "min(g, h)"
            pick["m"] = self.picks("min(g, h)")
            become = self.one_of(["g - m", "h - m"], ["g - m", "h"], ["h - m"], ["g - m", "h - min(m, 1)"])
        elif shape == 5:
            choose = (
                f"each of {self.one_of('1..2', '2..3', '1..len(s)', '1..k + 1' if self.numbers else '1..1')} heaps h"
            )
            pick["m"], become = self.one_of("1..h", "1..min(h, 2)"), ["h - m"]
        elif shape == 6:
            choose = "any heap h"
            pick["m"], pick["a"] = self.picks("h"), "0..h - m"
            become = ["a", "h - m - a"]
        else:
            choose, become = "any heap h", self.one_of(["h - 1"], ["h // 2"], ["h - 1", "0"])
        if self.bad and self.below(2):
            broken = [["h"], ["h + 1"], ["h - 3"], ["h // (h - 2)"], ["h - 1", "h - 1"]]
            become = broken[self.below(len(broken))]
        where = "" if self.below(2) else f'where = "{self.where(heap, list(pick))}"\n'
        picks = ", ".join(f'{name} = "{text}"' for name, text in pick.items())
        picks = f"pick = {{ {picks} }}\n" if pick else ""
        sizes = ", ".join(f'"{x}"' for x in become)
        return f'[[moves]]\nchoose = "{choose}"\n{picks}{where}become = [{sizes}]\n'

    def picks(self, top: str) -> str:
        if self.sets and self.below(2):
            return f"{{m for m in S if m <= {top}}}"
        if self.lists and self.below(3) == 0:
            return f"[m for m in D if 1 <= m <= {top}]"
        return self.one_of(f"1..{top}", f"1..min({top}, 3)", f"1..{top}", "1..1")

    def where(self, heap: str, picks: list[str]) -> str:
        """Return a condition on heap, picks, mover, parameters, and sometimes the whole position."""
        x = self.one_of(heap, *picks)
        number = self.one_of("2", "3", *self.numbers)
        atoms = [
            f"{x} != {number}",
            f"{x} % 2 == {self.below(2)}",
            f"{heap} > {number}",
            f"mover != {self.movers[0]} or {x} != {number}",
            f"{x} != ({number} if mover == {self.movers[1]} else 2)",
            f"{x} ^ 1 > {number} - 2",
        ]
        if self.sets:
            atoms.append(f"{x} in S")
        if self.lists:
            atoms.append(f"D[{x} % 6] != 1")
        if self.below(4) == 0:
            atoms += ["len(s) > 1", f"nim_sum(s) != {number}", f"max(s) > {x}", "s.count(min(s)) == 1"]
        first = atoms[self.below(len(atoms))]
        if self.below(3):
            return first
        return f"({first}) {self.one_of('and', 'or')} ({atoms[self.below(len(atoms))]})"


@st.composite
def rulesets(draw, bad: bool = False) -> Written:
    """Return a random ruleset file with parameters."""
    return Writer(draw, bad).ruleset()
