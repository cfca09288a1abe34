"""A parser for generated Coq text: the module of a statement, with an independent grammar.

A term is a tuple whose first part is its kind. A name that is neither bound nor in VOCABULARY is rejected, and so is a
binder with a name in VOCABULARY. Hence no name of a claim can replace a name of the theory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

Term = tuple

VOCABULARY = frozenset(
    """
    First Second wins move values winner becomes split_wins split_move split_values parts
    step rules_wins rules_values rules_winner on_one on_two on_three on_four on_each from_to
    nim_sum nim_sum_of only count number largest times_of_largest least times total heaps
    replace same_player negb true false True False N.min N.max N.land N.lor N.log2 N.gcd N.sqrt Bool.eqb
    In map filter flat_map existsb forallb range item sorted heap_at how_many sum_over
    length_of nim_sum_ways rational rational_sum bit popcount digit_sum valuation columns Z.of_N Z.to_N
    """.split()
)
TYPES = ("N", "position", "player")
_TOKEN = re.compile(
    r"\s*(<=\?|<\?|=\?|<->|->|=>|<=|<>|:=|==|/\\|\\/|\{\||\|\}|&&|\|\||\+\+|(?:[A-Z]\w*\.)?[A-Za-z_][\w']*|\d+|[^\s\w])"
)
_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
# sign -> (level, level on its left, level on its right), as Coq numbers them
_INFIX = {
    "->": (99, 98, 99),
    "<->": (95, 94, 94),
    "\\/": (85, 84, 85),
    "/\\": (80, 79, 80),
    **dict.fromkeys(("=", "==", "<>", "<=", "<", "<=?", "<?", "=?", "≡", "∈"), (70, 69, 69)),
    "++": (60, 59, 60),
    **dict.fromkeys(("+", "-", "||"), (50, 50, 49)),
    "⊕": (45, 45, 44),
    **dict.fromkeys(("*", "/", "mod", "&&"), (40, 40, 39)),
    "^": (30, 29, 30),
}
_WORDS = frozenset("forall exists fun if then else mod".split())


class NotRead(ValueError):
    """The text does not match the grammar."""


@dataclass(frozen=True)
class Game:
    """A defined game: its parameters and its fields; `becomes` in terms of `mover`, `h`, `y`.

    `type`: "game"; "splitting", where heaps are split, and `becomes` is in terms of `mover`, `h` and the heaps `o`; or
    "rules", where `becomes` is the list of the kinds of moves.
    """

    parameters: tuple[str, ...]
    of_largest: bool
    becomes: Term
    stuck_wins: bool
    type: str


@dataclass(frozen=True)
class Statement:
    """The module of a statement. `players`: the names of the two players, if any."""

    players: tuple[str, ...]
    games: dict[str, Game]
    defined: Term
    claimed: Term


def read_statement(text: str) -> Statement:
    """Return the statement of a generated file. Raises NotRead."""
    if text.count("Module Statement.\n") != 1 or text.count("End Statement.\n") != 1:
        raise NotRead("there is not one module of a statement")
    before, rest = text.split("Module Statement.\n")
    if re.search(r"\b(Definition|Notation|Lemma|Theorem|Fixpoint|Ltac|Inductive)\b", _COMMENT.sub("", before)):
        raise NotRead("something is declared before the statement")
    module = _COMMENT.sub("", rest.split("End Statement.\n")[0])
    players, games, parts = list[str](), dict[str, Game](), dict[str, Term]()
    for sentence in re.split(r"\.(?=\s)", module):
        words = sentence.split()
        if not words:
            continue
        if words[0] == "Notation":
            players.append(_player(words, len(players)))
        elif words[:2] in (["Definition", "defined"], ["Definition", "claimed"]):
            reader = _Reader(sentence, frozenset((*players, *games)))
            reader.expect("Definition", words[1], ":", "Prop", ":=")
            parts[words[1]] = reader.whole()
        elif words[0] == "Definition":
            _new(words[1], (*players, *games))
            games[words[1]] = _game(_Reader(sentence, frozenset()))
        else:
            raise NotRead(f"a statement has no {words[0]}")
    return Statement(tuple(players), games, parts["defined"], parts["claimed"])


def last_theorem(text: str) -> str:
    """Return the statement of the last theorem of a file, as text."""
    return re.sub(
        r"\s+", " ", text[text.rindex("Theorem ") :].split(":", 1)[1].split(".\nProof.", maxsplit=1)[0]
    ).strip()


def _new(name: str, known: tuple[str, ...]) -> None:
    if name in known or name in VOCABULARY or name in _WORDS or name in TYPES:
        raise NotRead(f"{name} means something already")


def _player(words: list[str], index: int) -> str:
    _, name, *rest = words
    if rest != [":=", ("First", "Second")[index]]:
        raise NotRead(f"no name of a player: {' '.join(words)}")
    _new(name, ())
    return name


def _game(reader: _Reader) -> Game:
    reader.expect("Definition")
    reader.take()
    parameters = reader.binders(("N",)) if reader.next == "(" else []
    reader.expect(":")
    kind, largest = reader.take(), False
    reader.expect(":=", "{|")
    if kind == "rules":
        return _rules(reader, tuple(name for name, _ in parameters))
    if kind == "game":
        reader.expect("of_largest", ":=")
        largest = reader.take() == "true"
        reader.expect(";")
    made = "y" if kind == "game" else "o"
    reader.expect("becomes" if kind == "game" else "parts", "mover", "h", made, ":=")
    inner = reader.bound((*(name for name, _ in parameters), "mover", "h", made))
    becomes = reader.term(200, inner)
    reader.expect(";", "stuck_wins" if kind == "game" else "split_stuck_wins", ":=")
    wins = reader.take() == "true"
    reader.expect("|}")
    return Game(tuple(name for name, _ in parameters), largest, becomes, wins, kind)


def _rules(reader: _Reader, parameters: tuple[str, ...]) -> Game:
    reader.expect("all_kinds", ":=")
    kinds = reader.term(200, reader.bound(parameters))
    reader.expect(";", "rules_stuck_wins", ":=")
    wins = reader.take() == "true"
    reader.expect("|}")
    return Game(parameters, False, kinds, wins, "rules")


class _Reader:
    """A parser of terms. `known`: players and games, which are defined in an earlier module."""

    def __init__(self, text: str, known: frozenset[str]) -> None:
        self.tokens, self.at, self.known = _tokens(text), 0, known
        self.scope = "N"  # of the signs: in Z and Q a difference may be negative, and in Q a quotient is exact

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, *wanted: str) -> None:
        for token in wanted:
            if self.next != token:
                raise NotRead(f"{self.next!r} where {token!r} is expected, in {' '.join(self.tokens[: self.at + 1])}")
            self.at += 1

    def whole(self) -> Term:
        term = self.term(200, frozenset())
        if self.next:
            raise NotRead(f"{self.next!r} behind a term")
        return term

    def bound(self, names: tuple[str, ...], before: frozenset[str] = frozenset()) -> frozenset[str]:
        for name in names:
            _new(name, tuple(self.known))
        if len(set(names)) < len(names) or before & set(names):
            raise NotRead(f"a name is bound twice: {' '.join(names)}")
        return before | set(names)

    def binders(self, types: tuple[str, ...] = TYPES) -> list[tuple[str, str]]:
        """Parse (a b : N) (s : position)."""
        found = list[tuple[str, str]]()
        while self.next == "(":
            self.take()
            names = []
            while self.next != ":":
                names.append(self.take())
            self.take()
            kind = self.take()
            if kind not in types:
                raise NotRead(f"{kind} is not a type of variables")
            found += [(name, kind) for name in names]
            self.expect(")")
        return found

    # -- terms ---------------------------------------------------------------------------------------------------------
    def term(self, level: int, names: frozenset[str]) -> Term:
        """Return a term that binds at least as tightly as the level."""
        if self.next in ("forall", "exists", "fun"):
            return self._binding(names)
        if self.next == "~":
            self.take()
            left, reached = ("not", self.term(75, names)), 75
        else:
            left, reached = self._applied(names)
        while (found := _INFIX.get(self.next)) and found[0] <= level and reached <= found[1]:
            sign = self.take()
            written = f"{self.scope} {sign}" if sign in ("-", "/") and self.scope != "N" else sign
            left, reached = (written, left, self.term(found[2], names)), found[0]
        return left

    def _binding(self, names: frozenset[str]) -> Term:
        what = self.take()
        if what == "fun":
            bound = [self.take()]
            while self.next != "=>":
                bound.append(self.take())
            self.take()
            return "fun", tuple(bound), self.term(200, self.bound(tuple(bound), names))
        if self.next == "(":
            binders = self.binders()
        else:
            name, kind = self.take(), "N"
            if self.next == ":":
                self.take()
                kind = self.take()
                if kind == "position" and self.next == "->":
                    self.expect("->", "N")
                    kind = "position -> N"
            binders = [(name, kind)]
        self.expect(",")
        body = self.term(200, self.bound(tuple(name for name, _ in binders), names))
        for name, kind in reversed(binders):
            body = (what, name, kind, body)
        return body

    def _applied(self, names: frozenset[str]) -> tuple[Term, int]:
        head, args = self._atom(names), list[Term]()
        before = self.scope
        self.scope = "N" if head == ("name", "Z.of_N") else before
        while self._begins():
            args.append(self._atom(names))
        self.scope = before
        return (("apply", head, *args), 10) if args else (head, 0)

    def _begins(self) -> bool:
        token = self.next
        return token in ("(", "[") or bool(re.match(r"[A-Za-z_0-9]", token) and token not in _WORDS)

    def _atom(self, names: frozenset[str]) -> Term:
        token = self.take() if self.next else ""
        if token.isdigit():
            return "number", int(token)
        if token == "(":
            before = self.scope
            marked = self._find_scope()
            self.scope = marked or before
            inner = self._choice(names) if self.next == "if" else self.term(200, names)
            self.expect(")", *(("%", marked) if marked else ()))
            self.scope = before
            return inner
        if token == "if":
            self.at -= 1
            return self._choice(names)
        if token == "[":
            items = list[Term]()
            while self.next != "]":
                items.append(self.term(200, names))
                if self.next != "]":
                    self.expect(";")
            self.take()
            return "list", *items
        if token in names or token in self.known or token in VOCABULARY:
            return "name", token
        raise NotRead(f"{token!r} is nothing that is known here")

    def _find_scope(self) -> str:
        """Return Z if the parenthesis that has just been opened is closed by `)%Z`; so for N and Q; otherwise ""."""
        depth, at = 1, self.at
        while depth and at < len(self.tokens):
            depth += (self.tokens[at] == "(") - (self.tokens[at] == ")")
            at += 1
        percent, scope = (*self.tokens[at : at + 2], "", "")[:2]
        return scope if percent == "%" and scope in ("N", "Z", "Q") else ""

    def _choice(self, names: frozenset[str]) -> Term:
        self.expect("if")
        condition = self.term(200, names)
        self.expect("then")
        then = self.term(200, names)
        self.expect("else")
        return "if", condition, then, self.term(200, names)


def _tokens(text: str) -> list[str]:
    found, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise NotRead(f"no token: {text[at : at + 20]!r}")
        found.append(match[1])
        at = match.end()
    return found
