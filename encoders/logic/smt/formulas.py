"""Formulas of SMT-LIB, as we write them ourselves: no solver ever reads what another has printed.

Sorts: Bool, Int, and words, which are bit-vectors of WIDTH bits read as signed integers.  Formulas that are shared are
written once.  SMT-LIB 2.6: https://smt-lib.org/papers/smt-lib-reference-v2.6-r2021-05-12.pdf
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

WIDTH = 64
BOOLEAN, INTEGER, WORD = "Bool", "Int", f"(_ BitVec {WIDTH})"
_SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RESERVED = frozenset("and or not let forall exists as par assert true false ite xor distinct div mod abs".split())


@dataclass(frozen=True, slots=True, eq=False)
class SmtFormula:
    """`op` applied to `args`; a constant or a variable where there are none. `sort` is one of the three above."""

    op: str
    args: tuple[SmtFormula, ...]
    sort: str


@dataclass(frozen=True)
class Declaration:
    """A variable; a function, if it takes arguments of sorts `takes`. The name is unquoted."""

    name: str
    sort: str
    takes: tuple[str, ...] = ()

    def text(self) -> str:
        """In SMT-LIB.

        >>> Declaration("k", INTEGER).text(), Declaration("value of s", BOOLEAN, (INTEGER,)).text()
        ('(declare-const k Int)', '(declare-fun |value of s| (Int) Bool)')
        """
        if self.takes:
            return f"(declare-fun {quoted(self.name)} ({' '.join(self.takes)}) {self.sort})"
        return f"(declare-const {quoted(self.name)} {self.sort})"

    def variable(self) -> SmtFormula:
        """The variable."""
        return SmtFormula(quoted(self.name), (), self.sort)

    def apply(self, *args: SmtFormula) -> SmtFormula:
        """The function at arguments."""
        return SmtFormula(quoted(self.name), args, self.sort)


TRUE = SmtFormula("true", (), BOOLEAN)
FALSE = SmtFormula("false", (), BOOLEAN)


def quoted(name: str) -> str:
    """A symbol of SMT-LIB for any name of ours: quoted, with what quotes cannot hold written otherwise.

    A name that SMT-LIB has a use for gets a mark that no claim can write: some solvers read it as that in quotes too.

    >>> quoted("k"), quoted("rest of s (2)"), quoted("xor")
    ('k', '|rest of s (2)|', "|xor'|")
    """
    if name in _RESERVED:
        return f"|{name}'|"
    if _SIMPLE.fullmatch(name):
        return name
    return "|" + name.replace("\\", "/").replace("|", "!") + "|"


def variable(name: str, sort: str) -> SmtFormula:
    return SmtFormula(quoted(name), (), sort)


def whole(value: int) -> SmtFormula:
    """A constant of sort Int."""
    return SmtFormula(str(value) if value >= 0 else f"(- {-value})", (), INTEGER)


def word(value: int) -> SmtFormula:
    """A constant word, -2**63 <= value < 2**63."""
    return SmtFormula(f"(_ bv{value % (1 << WIDTH)} {WIDTH})", (), WORD)


def apply(op: str, sort: str, *args: SmtFormula) -> SmtFormula:
    return SmtFormula(op, args, sort)


def conjunction(parts: Iterable[SmtFormula]) -> SmtFormula:
    """All of them, without those that are true; false if one of them is.

    >>> p = variable("p", BOOLEAN)
    >>> conjunction(()) is TRUE, conjunction((p, TRUE)) is p, conjunction((p, FALSE)) is FALSE
    (True, True, True)
    """
    return _join("and", TRUE, FALSE, parts)


def disjunction(parts: Iterable[SmtFormula]) -> SmtFormula:
    """One of them, without those that are false; true if one of them is."""
    return _join("or", FALSE, TRUE, parts)


def _join(op: str, neutral: SmtFormula, settled: SmtFormula, parts: Iterable[SmtFormula]) -> SmtFormula:
    kept: list[SmtFormula] = []
    for x in parts:
        if x is settled:
            return settled
        if x is not neutral:
            kept.append(x)
    if len(kept) == 1:
        return kept[0]
    return SmtFormula(op, tuple(kept), BOOLEAN) if kept else neutral


def negated(x: SmtFormula) -> SmtFormula:
    """`not x`, said outright of what is true or false.

    >>> negated(FALSE) is TRUE, negated(negated(variable("p", BOOLEAN))).op
    (True, 'p')
    """
    if x is TRUE or x is FALSE:
        return FALSE if x is TRUE else TRUE
    return x.args[0] if x.op == "not" else SmtFormula("not", (x,), BOOLEAN)


def implies(condition: SmtFormula, then: SmtFormula) -> SmtFormula:
    """`then` wherever the condition holds.

    >>> p = variable("p", BOOLEAN)
    >>> implies(FALSE, p) is TRUE, implies(TRUE, p) is p, implies(p, FALSE).op
    (True, True, 'not')
    """
    return disjunction((negated(condition), then))


def are_equal(a: SmtFormula, b: SmtFormula) -> SmtFormula:
    """Whether both are the same, of one sort.

    >>> p = variable("p", BOOLEAN)
    >>> are_equal(p, p) is TRUE, are_equal(p, TRUE) is p, are_equal(FALSE, p).op
    (True, True, 'not')
    """
    if a is b:
        return TRUE
    for x, y in ((a, b), (b, a)):
        if x is TRUE or x is FALSE:
            return y if x is TRUE else negated(y)
    return SmtFormula("=", (a, b), BOOLEAN)


def conditional(condition: SmtFormula, a: SmtFormula, b: SmtFormula) -> SmtFormula:
    """a where the condition holds, else b; both are of one sort."""
    if condition is TRUE or condition is FALSE:
        return a if condition is TRUE else b
    if a is b:
        return a
    return SmtFormula("ite", (condition, a, b), a.sort)


def script(declared: Iterable[Declaration], asserted: tuple[SmtFormula, ...]) -> str:
    """Declarations and assertions, for `check-sat`."""
    lines = [x.text() for x in declared]
    written = _FormulaPrinter(asserted)
    for x in asserted:
        made = written.text(x)
        lines += written.definitions
        written.definitions.clear()
        lines.append(f"(assert {made})")
    return "\n".join(lines) + "\n"


class _FormulaPrinter:
    """Texts of formulas; one that occurs more than once is defined by a name of its own."""

    def __init__(self, roots: tuple[SmtFormula, ...]) -> None:
        self.definitions: list[str] = []
        self._texts: dict[int, str] = {}
        self._occurs: Counter[int] = Counter()
        todo = list(roots)
        while todo:
            x = todo.pop()
            self._occurs[id(x)] += 1
            if self._occurs[id(x)] == 1:
                todo += x.args

    def text(self, root: SmtFormula) -> str:
        """The text, with the definitions it needs put before."""
        todo = [root]
        while todo:
            x = todo[-1]
            if id(x) in self._texts:
                todo.pop()
                continue
            missing = [a for a in x.args if id(a) not in self._texts]
            if missing:
                todo += reversed(missing)
                continue
            todo.pop()
            self._texts[id(x)] = self._name(x)
        return self._texts[id(root)]

    def _name(self, x: SmtFormula) -> str:
        made = f"({x.op} {' '.join(self._texts[id(a)] for a in x.args)})" if x.args else x.op
        if not x.args or self._occurs[id(x)] == 1:
            return made
        name = f"|shared {len(self._texts)}|"
        self.definitions.append(f"(define-fun {name} () {x.sort} {made})")
        return name
