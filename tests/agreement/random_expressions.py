"""Random well-typed expressions of the whole claim language, as texts, to test parser and elaborator too.

The texts use the variables of `TYPES` and the games of `GAMES`. Any part may be ill-defined.
"""

from hypothesis import strategies as st

from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, RATIONAL, set_of

# The variables of the tests' frame. Definitions (DEFINITIONS) and the variables of comprehensions come in addition.
TYPES = {"k": INT, "l": INT, "b": BOOL, "p": PLAYER, "s": POSITION, "q": RATIONAL, "A": set_of(INT)}

# Game -> (ruleset, arguments, whether the mover is left out). Parameters leave their domains for some k, which is
# ill-defined.
GAMES = {
    "nim": ("nim", "", True),
    "kl": ("kl-nim", "k = k, l = 2", False),
    "mis": ("misere-nim", "", True),
    "wyt": ("wythoff", "", True),
    "sub": ("subtraction", "S = A", True),
    "large": ("large-nim", "n = k + 1", True),
    "kay": ("kayles", "", True),
    "moo": ("moore", "w = k", True),
}
TWO_PLAYERS = [g for g in GAMES if g != "large"]
NORMAL = [g for g in TWO_PLAYERS if g != "mis"]

DEFINITIONS = {
    "f(x)": "x * x - 1",
    "late(x, y)": "x if x > y else x // (y - 1)",
    "best(t)": "max(t) if len(t) > 0 else 0",
    "same(x)": "x",
    "c": "k + 1",
    "reach(t, m)": "any(not nim.wins(u) for u in nim.options(t) if sum(u) > m)",
    "strict(x)": "5",
    "near(t)": "{u for u in kl.options(t, p) if c > 1}",
}

_BELOW = [st.integers(0, max(n - 1, 0)) for n in range(64)]
_LITERALS = (
    "0 1 2 3 5 7 64 1 2 0 3 4294967296 4611686018427387904 9223372036854775807 1267650600228229401496703205376".split()
)
ELEMENTS = ("int", "bool", "rational", "player", "position", "outcome")
SORTS = {"int": "Int", "bool": "Bool", "rational": "Rational", "player": "Player", "position": "Position"}


class Writer:
    """The writer of one random expression. `scope`: sort -> names; a list or set of a sort is ("list", sort)."""

    def __init__(self, draw) -> None:
        self.draw, self.bound = draw, 0
        self.scope: dict[object, list[str]] = {
            "int": ["k", "l", "c"],
            "bool": ["b"],
            "player": ["p"],
            "position": ["s"],
            "rational": ["q"],
            ("set", "int"): ["A"],
        }

    def below(self, n: int) -> int:
        return self.draw(_BELOW[n])

    def one_of(self, *choices):
        return choices[self.below(len(choices))]

    def write(self, sort, depth: int) -> str:
        """Return an expression of the sort, in brackets if they may be needed."""
        if isinstance(sort, tuple):
            return self.collection(*sort, depth)
        return getattr(self, sort)(depth)

    def known(self, sort) -> list[str]:
        return self.scope.get(sort, [])

    # -- forms of every sort ---------------------------------------------------------------------------------------
    def shared(self, sort, depth: int) -> str:
        d = depth - 1
        match self.below(5):
            case 0:
                return f"({self.write(sort, d)} if {self.bool(d)} else {self.write(sort, d)})"
            case 1:
                return f"{self.collection('list', sort, d)}[{self.small(d)}]"
            case 2:
                return f"same({self.write(sort, d)})"
            case 3 if sort in ("int", "rational"):
                reducer = self.one_of("sum", "max", "min")
                return f"{reducer}({self.comprehension(sort, d)})"
            case 3 if sort == "position":
                return f"replace({self.position(d)}, {self.int(d)}, {self.small(d)})"
            case _:
                return self.write(sort, d)

    # -- numbers ---------------------------------------------------------------------------------------------------
    def small(self, depth: int) -> str:
        """Return a small integer for a size, an index or a count."""
        match self.below(5):
            case 0:
                return self.one_of("0", "1", "2", "-1", "3")
            case 1:
                return self.one_of(*self.known("int"))
            case 2 if depth > 0:
                return f"{self.int(depth - 1)} % {self.one_of('3', '4', 'l')}"
            case 3:
                return f"len({self.collection_or_position(depth - 1)})"
            case _:
                return self.one_of("0", "1", "2")

    def int(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of(*self.known("int")) if self.below(2) else self.one_of(*_LITERALS)
        d = depth - 1
        match self.below(20):
            case 0 | 1 | 2:
                op = self.one_of("+", "-", "*", "//", "%", "^", "+", "//")
                return f"({self.int(d)} {op} {self.int(d)})"
            case 3:
                return f"({self.int(d)} ** {self.small(d)})"
            case 4:
                return f"(-{self.int(d)})"
            case 5:
                name = self.one_of("abs", "isqrt", "top_bit", "popcount", "f", "strict")
                return f"{name}({self.int(d)})"
            case 6:
                name = self.one_of("bit", "bit_and", "bit_or", "gcd", "valuation", "digit_sum", "max", "min", "late")
                return f"{name}({self.int(d)}, {self.int(d)})"
            case 7:
                return f"{self.one_of('max', 'min')}({self.int(d)}, {self.int(d)}, {self.int(d)})"
            case 8 | 9:
                name = self.one_of("len", "sum", "max", "min", "mex", "nim_sum")
                return f"{name}({self.collection_or_position(d)})"
            case 10 if self.below(3) == 0:
                return f"columns({self.collection_or_position(d)}, {self.small(d)}, {self.small(d)})"
            case 10 | 11:
                reducer = self.one_of("sum", "max", "min", "mex", "nim_sum")
                return f"{reducer}({self.comprehension('int', d)})"
            case 12:
                return f"count({self.comprehension('bool', d)})"
            case 13:
                return f"count({self.collection(self.one_of('list', 'set'), 'bool', d)})"
            case 14:
                element = self.one_of(*ELEMENTS)
                if element == "int" and self.below(2):
                    return f"{self.position(d)}.count({self.small(d)})"
                return f"{self.collection(self.one_of('list', 'set'), element, d)}.count({self.write(element, d)})"
            case 15:
                return f"{self.position(d)}[{self.small(d)}]"
            case 16:
                return f"{self.one_of(*NORMAL)}.grundy({self.board(d)})"
            case 17:
                return self.question("value", self.one_of(*GAMES), d)
            case 18:
                return f"best({self.position(d)})"
            case _:
                return self.shared("int", depth)

    def rational(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of("q", "1 / 2", "-3 / 4")
        d = depth - 1
        match self.below(8):
            case 0 | 1:
                return f"({self.int(d)} / {self.int(d)})"
            case 2:
                return f"({self.rational(d)} {self.one_of('+', '-', '*', '/')} {self.rational(d)})"
            case 3:
                return f"({self.int(d)} {self.one_of('+', '-', '*')} {self.rational(d)})"
            case 4:
                return f"({self.rational(d)} ** {self.small(d)})"
            case 5:
                return f"{self.one_of('abs', '-')}({self.rational(d)})"
            case 6:
                name = self.one_of("max", "min")
                return f"{name}({self.rational(d)}, {self.one_of(self.int(d), self.rational(d))})"
            case _:
                return self.shared("rational", depth)

    # -- truth -----------------------------------------------------------------------------------------------------
    def bool(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of("b", "True", "False", "k < 2", "l == 1")
        d = depth - 1
        match self.below(20):
            case 0 | 1:
                op = self.one_of("<", "<=", "==", "!=", ">", ">=")
                return f"({self.int(d)} {op} {self.int(d)})"
            case 2:
                parts = [self.int(d) for _ in range(3)]
                return f"({parts[0]} {self.one_of('<=', '<')} {parts[1]} {self.one_of('<', '!=')} {parts[2]})"
            case 3 | 4 | 5:
                word = self.one_of("and", "or")
                return "(" + f" {word} ".join(self.bool(d) for _ in range(self.one_of(2, 2, 3))) + ")"
            case 6:
                return f"(not {self.bool(d)})"
            case 7:
                return f"{self.one_of('implies', 'iff')}({self.bool(d)}, {self.bool(d)})"
            case 8 | 9 | 10:
                return f"{self.one_of('any', 'all')}({self.comprehension('bool', d)})"
            case 11:
                return f"{self.one_of('any', 'all')}({self.collection(self.one_of('list', 'set'), 'bool', d)})"
            case 12:
                sort = self.one_of("player", "position", "outcome", "rational", "bool")
                return f"({self.write(sort, d)} {self.one_of('==', '!=')} {self.write(sort, d)})"
            case 13:
                sort = (self.one_of("list", "set"), self.one_of(*ELEMENTS))
                return f"({self.write(sort, d)} {self.one_of('==', '!=')} {self.write(sort, d)})"
            case 14:
                element = self.one_of(*ELEMENTS)
                source = self.collection(self.one_of("list", "set"), element, d)
                if element == "int" and self.below(2):
                    source = self.position(d)
                return f"({self.write(element, d)} {self.one_of('in', 'not in')} {source})"
            case 15:
                return f"({self.rational(d)} {self.one_of('<', '<=', '>', '>=')} {self.rational(d)})"
            case 16:
                return self.question(self.one_of("wins", "terminal"), self.one_of(*TWO_PLAYERS), d)
            case 17:
                return self.question("legal", self.one_of(*GAMES), d)
            case 18:
                return f"reach({self.board(d)}, {self.small(d)})"
            case _:
                return self.shared("bool", depth)

    # -- the rest --------------------------------------------------------------------------------------------------
    def player(self, depth: int) -> str:
        if depth <= 0 or self.below(2):
            return self.one_of(*self.known("player"), "P1", "P2")
        return self.shared("player", depth)

    def outcome(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of("P_position", "N_position", "first_wins", "second_wins")
        if self.below(2):
            return f"{self.one_of(*TWO_PLAYERS)}.outcome({self.board(depth - 1)})"
        return self.shared("outcome", depth)

    def position(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of(*self.known("position"))
        d = depth - 1
        match self.below(5):
            case 0:
                return self.one_of(*self.known("position"))
            case 3:
                one = self.position(d)
                other = self.one_of(self.position(d), f"[{self.int(d)}]", f"[{self.small(d)}, 1]")
                return f"({one} + {other})" if self.below(2) else f"({other} + {one})"
            case 1:
                return f"position({self.collection('list', 'int', d)})"
            case 2:
                return f"replace({self.position(d)}, {self.int(d)}, {self.int(d)})"
            case _:
                return self.shared("position", depth)

    def board(self, depth: int) -> str:
        """Return a position small enough for a game call."""
        match self.below(5):
            case 0 if depth > 0:
                return f"position([{self.int(depth - 1)} % 4, {self.int(depth - 1)} % {self.one_of('3', '4')}])"
            case 1 if depth > 0:
                return f"replace({self.board(depth - 1)}, {self.small(depth - 1)}, {self.small(depth - 1)} % 5)"
            case _:
                return self.one_of(*[n for n in self.known("position") if n == "s" or n.startswith("o")])

    def question(self, name: str, game: str, depth: int) -> str:
        args = [self.board(depth)]
        if name == "legal":
            args.append(self.position(depth))
        if not GAMES[game][2]:
            args.append(self.player(depth))
        elif self.below(4) == 0:
            args.append(self.small(depth) if game == "large" else self.player(depth))
        return f"{game}.{name}({', '.join(args)})"

    # -- collections -----------------------------------------------------------------------------------------------
    def collection_or_position(self, depth: int) -> str:
        if depth <= 0 or self.below(2):
            return self.position(depth)
        return self.collection(self.one_of("list", "set"), "int", depth)

    def collection(self, kind: str, element: str, depth: int) -> str:
        left, right = "[]" if kind == "list" else "{}"
        known = self.known((kind, element))
        d = depth - 1
        if depth <= 0:
            if known and self.below(2):
                return self.one_of(*known)
            return f"{left}{', '.join(self.write(element, 0) for _ in range(1 + self.below(2)))}{right}"
        match self.below(7):
            case 0 if element in ("int", "position"):
                return left + right if self.below(3) == 0 else f"{left}{self.comprehension(element, d)}{right}"
            case 1 | 2:
                return f"{left}{self.comprehension(element, d)}{right}"
            case 3 if kind == "list" and element == "int":
                if self.below(3) == 0:
                    return f"nim_sum_ways({self.collection('list', 'int', d)}, {self.small(d)})"
                return f"range({self.small(d)}, {self.small(d)})" if self.below(2) else f"range({self.small(d)})"
            case 3 if kind == "set" and element == "position":
                return self.options(d)
            case 4:
                return (
                    f"({self.collection(kind, element, d)} if {self.bool(d)} else {self.collection(kind, element, d)})"
                )
            case 5:
                return f"same({self.collection(kind, element, d)})"
            case _:
                return f"{left}{', '.join(self.write(element, d) for _ in range(1 + self.below(3)))}{right}"

    def options(self, depth: int) -> str:
        if self.below(6) == 0:
            return f"near({self.board(depth)})"
        return self.question("options", self.one_of(*GAMES), depth)

    def comprehension(self, element, depth: int) -> str:
        """Return `body for x in source if condition ...`; its names are in scope only in the body."""
        added: list[tuple[object, str]] = []
        clauses = []
        for _ in range(self.one_of(1, 1, 1, 2)):
            sort, source, prefix = self.source(depth)
            self.bound += 1
            name = f"{prefix}{self.bound}"
            self.scope.setdefault(sort, []).append(name)
            added.append((sort, name))
            conditions = "".join(f" if {self.bool(depth - 1)}" for _ in range(self.one_of(0, 0, 1, 1, 2)))
            clauses.append(f"for {name} in {source}{conditions}")
        body = self.write(element, depth)
        for sort, name in reversed(added):
            self.scope[sort].remove(name)
        return " ".join([body, *clauses])

    def source(self, depth: int) -> tuple[str, str, str]:
        """Return (sort of the elements, source, first letter of the variable); only options are positions of a game."""
        match self.below(5):
            case 0 | 1:
                return "position", self.options(depth), "o"
            case 2:
                return "int", f"range({self.one_of('', '-1, ', 'k, ')}{self.one_of('3', '2', 'l', 'len(s)')})", "i"
            case 3:
                return "int", self.position(depth), "h"
            case _:
                element = self.one_of(*ELEMENTS)
                return element, self.collection(self.one_of("list", "set"), element, depth - 1), "x"


@st.composite
def expressions(draw, sorts, depth: int = 3) -> str:
    """Return the text of an expression of one of the sorts."""
    writer = Writer(draw)
    sort = sorts[writer.below(len(sorts))]
    return writer.write(sort, depth)


EVERY_SORT = (*ELEMENTS, "bool", "bool", "int", *((kind, element) for kind in ("list", "set") for element in ELEMENTS))
