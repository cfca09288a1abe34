"""Z3 says which literals seem to exclude each other: a proposal, of which nothing is taken on trust.

It is asked twice: of sums of integers, which is quick and knows nothing of binary digits, and of small words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from math import prod
from operator import and_, xor

from encoders.logic.naturals.certificates.certificate import EQ, TIMES, XOR, Atom, Stream
from encoders.logic.naturals.certificates.verify import Literal, natural
from encoders.logic.naturals.search.proposer import Proposer, ProposerSession, Unsure, applied, integer

STEPS_OF_SUMS = 1_000_000  # Z3's own count, for one question; words are asked where that does not do
STEPS_OF_WORDS = 20_000_000


class Oracle(ABC):
    """Literals are told to Z3 as they are asked for, each with a mark of its own."""

    def __init__(self, logic: str, steps: int, session: ProposerSession | None) -> None:
        self.solver = Proposer(logic, steps, session)
        self._streams: dict[Stream, str] = {}
        self._marks: dict[Literal, str] = {}

    def find_core(self, literals: Sequence[Literal]) -> list[Literal] | None:
        """Some of them that exclude each other, none to spare that Z3 can tell; None if all hold at some numbers.

        Raises Unsure.
        """
        core = self._core(literals)
        if core is None:
            return None
        for x in list(core):
            if len(core) > 1 and x in core:
                with suppress(Unsure):
                    core = self._core([y for y in core if y != x]) or core
        return core

    def values(self, streams: Sequence[Stream]) -> dict[Stream, int]:
        """Of streams that stand for themselves, the numbers at which the literals hold that had no core."""
        found = self.solver.numbers(self._streams.get(s, "") for s in streams)
        return {s: int(x) for s, x in zip(streams, found, strict=True)}

    def _core(self, literals: Sequence[Literal]) -> list[Literal] | None:
        if self.solver.is_possible([self._mark(x) for x in literals]):
            return None
        named = self.solver.core()
        return [x for x in literals if self._mark(x) in named]

    def _mark(self, literal: Literal) -> str:
        """A truth value by which the literal is asked for; the literal is told to Z3 the first time."""
        if literal not in self._marks:
            atom, wanted = literal
            told = self._read(atom)
            self._marks[literal] = self.solver.mark(told if wanted else f"(not {told})")
        return self._marks[literal]

    @abstractmethod
    def _read(self, atom: Atom) -> str:
        """The atom, in SMT-LIB."""


class Sums(Oracle):
    """Every stream is an integer from 0 on, whatever it is made of."""

    def __init__(self, session: ProposerSession | None = None) -> None:
        super().__init__("QF_LIA", STEPS_OF_SUMS, session)

    def _read(self, atom: Atom) -> str:
        terms = (f"(* {integer(k)} {self._number(s)})" for k, s in atom.terms)
        return f"({'=' if atom.kind == EQ else '<='} {applied('+', terms, '0')} {integer(-atom.constant)})"

    def _number(self, stream: Stream) -> str:
        if stream not in self._streams:
            name = self._streams[stream] = self.solver.declare("Int")
            self.solver.say(f"(>= {name} 0)")
        return self._streams[stream]


class WordOracle(Oracle):
    """Numbers below 2^bits, in words wide enough that no sum of `atoms` leaves them."""

    def __init__(self, atoms: Iterable[Atom], bits: int, session: ProposerSession | None = None) -> None:
        super().__init__("QF_BV", STEPS_OF_WORDS, session)
        self.bits = bits
        reached = max((self._reach(a) for a in atoms), default=1)
        self.width = (2 * reached).bit_length() + 2

    def _reach(self, atom: Atom) -> int:
        """What the sum of an atom stays below, apart from its constant."""
        return sum(abs(k) for k, _ in atom.terms) << self.bits

    def _read(self, atom: Atom) -> str:
        if abs(atom.constant) > self._reach(atom):  # the numbers are too small to decide it
            return "true" if atom.kind != EQ and atom.constant < 0 else "false"
        parts = [self._literal(atom.constant)]
        for k, stream in atom.terms:
            word = self._stream(stream)
            parts.append(word if k == 1 else f"(bvneg {word})" if k == -1 else f"(bvmul {self._literal(k)} {word})")
        op = "=" if atom.kind == EQ else "bvsle"
        return f"({op} {applied('bvadd', parts, '')} {self._literal(0)})"

    def _literal(self, value: int) -> str:
        return f"(_ bv{value % (1 << self.width)} {self.width})"

    def _stream(self, stream: Stream) -> str:
        if isinstance(stream, str) or stream[0] == TIMES:
            return self._word(stream)
        return applied("bvxor" if stream[0] == XOR else "bvand", map(self._stream, stream[1:]), "")

    def _word(self, stream: Stream) -> str:
        if stream not in self._streams:
            word = self._streams[stream] = self.solver.declare(f"(_ BitVec {self.width})")
            self.solver.say(f"(bvult {word} {self._literal(1 << self.bits)})")
        return self._streams[stream]


# -- numbers at which literals hold -----------------------------------------------------------------------------------
# Numbers at which literals with products hold, as Z3 finds them; or which literals seem to exclude each other.


STEPS = 2_000_000  # Z3's own count, for one question


def find_numbers(
    literals: Sequence[Literal], session: ProposerSession | None = None
) -> dict[Stream, int] | list[Literal]:
    """Variables with numbers at which the literals hold; else literals that seem to exclude each other, a proposal.

    What is no product is a number of its own here.  Raises Unsure.
    """
    solver = Proposer("QF_NIA", STEPS, session)
    unknown: dict[Stream, str] = {}

    def name(s: Stream) -> str:
        if s not in unknown:
            unknown[s] = solver.declare("Int")
            solver.say(f"(>= {unknown[s]} 0)")
        return unknown[s]

    marks: dict[str, Literal] = {}
    for atom, wanted in literals:
        polynomial = natural((atom, wanted)).items()
        total = applied("+", (applied("*", (integer(k), *map(name, m)), "") for m, k in polynomial), "0")
        op = ">=" if atom.kind != EQ else "="
        told = f"({op} {total} 0)"
        marks[solver.mark(told if atom.kind != EQ or wanted else f"(not {told})")] = atom, wanted
    if not solver.is_possible(marks):
        return [marks[x] for x in marks if x in solver.core()]
    return {s: int(x) for s, x in zip(unknown, solver.numbers(unknown.values()), strict=True)}


def are_right(values: Mapping[Stream, int], literals: Sequence[Literal]) -> bool:
    """Whether the literals hold at the values of the variables."""
    return all(_holds(literal, values) for literal in literals)


def _holds(literal: Literal, values: Mapping[Stream, int]) -> bool:
    atom, wanted = literal
    total = atom.constant + sum(k * _value(s, values) for k, s in atom.terms)
    return (total == 0 if atom.kind == EQ else total <= 0) is wanted


def _value(stream: Stream, values: Mapping[Stream, int]) -> int:
    if isinstance(stream, str):
        return values.get(stream, 0)
    parts = [_value(x, values) for x in stream[1:]]
    if stream[0] == TIMES:
        return prod(parts)
    return reduce(xor if stream[0] == XOR else and_, parts)
