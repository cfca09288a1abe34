"""Z3 says which literals seem to exclude each other: a proposal, of which nothing is taken on trust.

It is asked twice: of sums of integers, which is quick and knows nothing of binary digits, and of small words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

import z3

from encoders.logic.naturals.certificate import EQ, TIMES, XOR, Atom, Stream
from encoders.logic.naturals.verify import Literal

STEPS = 20_000_000  # Z3's own count, for one question


class Unsure(Exception):
    """Z3 gave up."""


class Oracle(ABC):
    """Literals are told to Z3 as they are asked for, each with a mark of its own."""

    def __init__(self, logic: str) -> None:
        self.context = z3.Context()
        self.solver = z3.SolverFor(logic, ctx=self.context)
        self.solver.set("random_seed", 1)
        self.solver.set("rlimit", STEPS)
        self._marks: dict[Literal, z3.BoolRef] = {}

    def find_core(self, literals: Sequence[Literal]) -> list[Literal] | None:
        """Some of them that exclude each other, none to spare; None if all hold at some numbers. Raises Unsure."""
        core = self._core(literals)
        if core is None:
            return None
        for x in list(core):
            if len(core) > 1 and x in core:
                smaller = self._core([y for y in core if y != x])
                core = core if smaller is None else smaller
        return core

    def _core(self, literals: Sequence[Literal]) -> list[Literal] | None:
        answer = self.solver.check(*map(self._mark, literals))
        if answer == z3.unknown:
            raise Unsure(self.solver.reason_unknown())
        if answer == z3.sat:
            return None
        named = {x.get_id() for x in self.solver.unsat_core()}
        return [x for x in literals if self._mark(x).get_id() in named]

    def _mark(self, literal: Literal) -> z3.BoolRef:
        """A truth value by which the literal is asked for; the literal is told to Z3 the first time."""
        if literal not in self._marks:
            atom, wanted = literal
            mark = self._marks[literal] = z3.Bool(f"literal {len(self._marks)}", self.context)
            told = self._read(atom)
            self.solver.add(z3.Implies(mark, told if wanted else z3.Not(told)))
        return self._marks[literal]

    @abstractmethod
    def _read(self, atom: Atom) -> z3.BoolRef:
        """The atom, for Z3."""


class Sums(Oracle):
    """Every stream is an integer from 0 on, whatever it is made of."""

    def __init__(self) -> None:
        super().__init__("QF_LIA")
        self._numbers: dict[Stream, z3.ArithRef] = {}

    def _read(self, atom: Atom) -> z3.BoolRef:
        total = z3.IntVal(atom.constant, self.context) + sum(k * self._number(s) for k, s in atom.terms)
        return total == 0 if atom.kind == EQ else total <= 0

    def _number(self, stream: Stream) -> z3.ArithRef:
        if stream not in self._numbers:
            number = self._numbers[stream] = z3.Int(repr(stream), self.context)
            self.solver.add(number >= 0)
        return self._numbers[stream]


class Words(Oracle):
    """Numbers below 2^bits, in words wide enough that no sum of `atoms` leaves them."""

    def __init__(self, atoms: Iterable[Atom], bits: int) -> None:
        super().__init__("QF_BV")
        self.bits = bits
        reached = max((self._reach(a) for a in atoms), default=1)
        self.width = (2 * reached).bit_length() + 2
        self._words: dict[str, z3.BitVecRef] = {}

    def values(self, streams: Iterable[Stream]) -> dict[Stream, int]:
        """The numbers at which the literals hold that had no core; streams are variables and products."""
        model = self.solver.model()
        return {s: model.eval(self._word(s), model_completion=True).as_long() for s in streams}

    def _reach(self, atom: Atom) -> int:
        """What the sum of an atom stays below, apart from its constant."""
        return sum(abs(k) for k, _ in atom.terms) << self.bits

    def _read(self, atom: Atom) -> z3.BoolRef:
        if abs(atom.constant) > self._reach(atom):  # the numbers are too small to decide it
            return z3.BoolVal(atom.kind != EQ and atom.constant < 0, self.context)
        total = z3.BitVecVal(atom.constant, self.width, self.context)
        for coefficient, stream in atom.terms:
            total = total + coefficient * self._stream(stream)
        return total == 0 if atom.kind == EQ else total <= 0

    def _stream(self, stream: Stream) -> z3.BitVecRef:
        if isinstance(stream, str) or stream[0] == TIMES:
            return self._word(stream)
        first, *others = map(self._stream, stream[1:])
        for x in others:
            first = first ^ x if stream[0] == XOR else first & x
        return first

    def _word(self, stream: Stream) -> z3.BitVecRef:
        key = repr(stream)
        if key not in self._words:
            word = self._words[key] = z3.BitVec(key, self.width, self.context)
            self.solver.add(z3.ULT(word, 1 << self.bits))
        return self._words[key]
