"""The values of operations on plain Python values, and the conditions under which they are defined."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

from claims.language.syntax.grammar import digits

# == meanings =========================================================================================================
# The values of operations, on plain Python values.
#
# An Int is an int, a Rational a Fraction, a Bool a bool. A position is the ascending tuple of its heap sizes. A list is
# a tuple, a set the ascending tuple of its distinct elements. A player is a 0-based index. A function here is only
# called with arguments at which the row of its operation promises a value.
Value: TypeAlias = "int | Fraction | tuple[Value, ...]"
Heap = tuple["int | tuple[int, ...]", ...]
"""A heap with parts, in the order of the ruleset; each part is a number or a list."""
Position = tuple[int, ...]
Setting = tuple[str, tuple[tuple[str, Value], ...]]
"""The name of a game of a claim, and its parameters with their values, in the order of the ruleset."""

# Size limits for every interpretation of an operation. Exceeding one is a limit, never "ill-defined".
MAX_RANGE = 10_000_000  # integers in one range(a, b)
MAX_PLAYERS = 10_000  # of one game
MAX_PRIME_BITS = 81  # of the argument of is_prime
MAX_NIM_BITS = 1_024  # of a factor of a nim-product
MAX_POWER_BITS, MAX_PRODUCT_BITS = 100_000, 1_000_000  # of a power; of both factors of a product together


def mex(values: Iterable[int]) -> int:
    """Return the least natural number that is not among `values`.

    >>> mex([0, 1, 3]), mex([])
    (2, 0)
    """
    present = set(values)
    return next(i for i in range(len(present) + 1) if i not in present)


def nim_sum(values: Iterable[int]) -> int:
    """Return the nim-sum of natural numbers: their binary digits added without carries.

    >>> nim_sum([1, 2, 3]), nim_sum([])
    (0, 0)
    """
    return functools.reduce(operator.xor, values, 0)


def nim_product(a: int, b: int) -> int:
    """Return the product of two natural numbers as nimbers.

    Source: Conway, On Numbers and Games (1976), chapter 6. For F = 2 ** (2 ** k), the nim-product of F with a smaller
    number is their ordinary product, and F times F is F + F // 2.

    >>> nim_product(2, 2), nim_product(4, 4), nim_product(8, 8), nim_product(4, 3)
    (3, 6, 13, 12)
    """
    if a < 2 or b < 2:
        return a * b
    width = 1 << (max(a, b).bit_length() - 1).bit_length() - 1  # F = 2 ** width is at most the larger factor
    mask = (1 << width) - 1
    (a1, a0), (b1, b0) = (a >> width, a & mask), (b >> width, b & mask)
    high, low = nim_product(a1, b1), nim_product(a0, b0)
    crossed = nim_product(a1 ^ a0, b1 ^ b0)  # the sum of all four products
    return (crossed ^ low) << width ^ low ^ nim_product(high, 1 << width - 1)


def columns(values: tuple[int, ...], modulus: int, remainder: int) -> int:
    """Return the number whose bit i is 1 if and only if n % modulus == remainder.

    Here n is the number of values whose bit i is 1. Bits above the longest value are 0.

    >>> columns((1, 1, 3), 3, 1), columns((1, 1, 2), 3, 2), columns((), 3, 1)
    (2, 1, 0)
    """
    width = max((x.bit_length() for x in values), default=0)
    ones = (sum(x >> i & 1 for x in values) for i in range(width))
    return sum(1 << i for i, count in enumerate(ones) if count % modulus == remainder)


def count_digits(values: tuple[int, ...], modulus: int, remainder: int) -> int:
    """Return the cost of `columns`: the number of binary digits that it examines."""
    return len(values) * max((x.bit_length() for x in values), default=0)


_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
"""Bases that prove every composite number of at most 81 bits composite: Sorenson and Webster, Strong pseudoprimes to
twelve prime bases, Math. Comp. 86 (2017), 985-1003. The least strong pseudoprime to all of these bases is above 2**81.
"""


def is_prime(x: int) -> bool:
    """Return whether x is prime. The result is correct for numbers of at most 81 bits.

    The test is a strong-pseudoprime test for each of the first thirteen primes as base.

    >>> [x for x in range(-3, 30) if is_prime(x)], is_prime(2**61 - 1), is_prime(3215031751)
    ([2, 3, 5, 7, 11, 13, 17, 19, 23, 29], True, False)
    """
    if x < 2 or any(x % p == 0 for p in _WITNESSES):
        return x in _WITNESSES
    twos = valuation(x - 1, 2)
    return all(_is_strong_pseudoprime(x, base, twos) for base in _WITNESSES)


def _is_strong_pseudoprime(x: int, base: int, twos: int) -> bool:
    """Return whether x passes the strong-pseudoprime test to `base`. `twos`: the exponent of 2 in x - 1."""
    y = pow(base, (x - 1) >> twos, x)
    if y in (1, x - 1):
        return True
    for _ in range(twos - 1):
        y = y * y % x
        if y == x - 1:
            return True
    return False


def valuation(x: int, p: int) -> int:
    """Return the largest e such that p ** e divides x, for p >= 2 and x != 0.

    >>> valuation(48, 2), valuation(-48, 4), valuation(1, 3)
    (4, 2, 0)
    """
    found = 0
    while x % p == 0:
        x, found = x // p, found + 1
    return found


def digit_sum(x: int, base: int) -> int:
    """Return the sum of the digits of a natural number in a base of at least 2.

    >>> digit_sum(1984, 10), digit_sum(11, 2), digit_sum(0, 2)
    (22, 3, 0)
    """
    total = 0
    while x:
        x, digit = divmod(x, base)
        total += digit
    return total


def count_divisions(x: int, p: int) -> int:
    """Return the cost of `valuation` and `digit_sum`: an upper bound for the number of their divisions."""
    return x.bit_length() // (p.bit_length() - 1)


def reachable(edges: Iterable[tuple[int, int]], start: int) -> tuple[int, ...]:
    """Return the vertices to which a path from `start` leads, ascending, with `start` itself.

    Each edge (a, b) leads from a to b.

    >>> reachable([(0, 1), (1, 2), (3, 0)], 0), reachable([], 7)
    ((0, 1, 2), (7,))
    """
    following: dict[int, list[int]] = {}
    for a, b in edges:
        following.setdefault(a, []).append(b)
    found, waiting = {start}, [start]
    while waiting:
        for b in following.pop(waiting.pop(), ()):
            if b not in found:
                found.add(b)
                waiting.append(b)
    return tuple(sorted(found))


def component(edges: Sequence[tuple[int, int]], start: int) -> tuple[int, ...]:
    """Return the vertices to which a path from `start` leads, if each edge (a, b) leads in both directions.

    The vertices are ascending and contain `start`.

    >>> component([(0, 1), (2, 1), (3, 4)], 0)
    (0, 1, 2)
    """
    return reachable([*edges, *((b, a) for a, b in edges)], start)


def count_edges(edges: Sequence[Value], start: int) -> int:
    """Return an estimate of the cost of `reachable` and `component`: the number of edges."""
    return len(edges)


def position(sizes: Iterable[int]) -> Position:
    """Return the position with heaps of these sizes, which are not negative, as a sorted tuple without zeros."""
    return tuple(sorted(filter(None, sizes)))


def measure_heap(heap: int | tuple[Value, ...]) -> int:
    """Return the size of a heap: a number itself, or the sum of the absolute values of all integers in its parts.

    >>> measure_heap(5), measure_heap(((1, 4), -2))
    (5, 7)
    """
    return abs(heap) if isinstance(heap, int) else sum(measure_heap(x) for x in heap if not isinstance(x, Fraction))


def is_compound(heap: object) -> bool:
    """Return whether a heap has parts, instead of being a number."""
    return isinstance(heap, tuple)


def write_heap(heap: Value) -> str:
    """Return the text of a heap: its size; the part alone if the heap has one part; otherwise `heap(...)`.

    >>> write_heap(5), write_heap(((1, 4),)), write_heap(((1, 4), 2))
    ('5', '[1, 4]', 'heap([1, 4], 2)')
    """
    if not isinstance(heap, tuple):
        return digits(cast(int, heap))
    parts = [f"[{', '.join(map(write_heap, x))}]" if isinstance(x, tuple) else write_heap(x) for x in heap]
    return parts[0] if len(parts) == 1 else f"heap({', '.join(parts)})"


def gather(heaps: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the position of these heaps, without heaps of size 0.

    Heaps with parts are all kept. They are ordered by size, then by their parts.

    >>> gather((3, 0, 2)), gather((((2, 0),), ((1, 1),)))
    ((2, 3), (((1, 1),), ((2, 0),)))
    """
    if heaps and isinstance(heaps[0], tuple):
        return tuple(sorted(cast(tuple[Heap, ...], heaps), key=lambda h: (measure_heap(h), h)))
    return position(cast(Position, heaps))


def join(s: Position, t: Position) -> Position:
    """Return the sum of two positions: the heaps of both."""
    return cast(Position, gather(s + t))


def replace_heaps(s: Position, chosen: Position, sizes: Position) -> Position:
    """Return the position s with the heaps `chosen` replaced by heaps of the given sizes.

    s must contain the chosen heaps. The sizes must not be negative; 0 means no heap.
    """
    return position((*take_out(s, chosen), *sizes))


def take_out(s: Position, chosen: Position) -> list[int]:
    """Return the heaps of s, in order, after removing the heaps `chosen`. Raises ValueError if one is missing."""
    rest = list(s)
    for h in chosen:
        rest.remove(h)
    return rest


def nim_sum_ways(weights: tuple[int, ...], draws: int) -> tuple[int, ...]:
    """Return the tuple v in which v[x] is the number of ways to draw `draws` numbers with nim-sum x.

    Each draw is independent and gives the number i in weights[i] ways. The length of v is the least power of 2 that is
    at least len(weights).

    >>> nim_sum_ways((1, 1), 2)
    (2, 2)
    """
    size = _size(weights)
    ways = [1] + [0] * (size - 1)
    for _ in range(draws):
        ways = [sum(w * ways[x ^ i] for i, w in enumerate(weights)) for x in range(size)]
    return tuple(ways)


def count_ways(weights: tuple[int, ...], draws: int) -> int:
    """Return the cost of `nim_sum_ways`: the number of its multiplications."""
    return draws * _size(weights) * len(weights)


def _size(weights: tuple[int, ...]) -> int:
    return 1 << max(0, len(weights) - 1).bit_length()


# -- limits: a description of the excess, or "" ------------------------------------------------------------------------
def limit_product(x: int | Fraction, y: int | Fraction) -> str:
    over = _bits(x) + _bits(y) > MAX_PRODUCT_BITS
    return f"a product of more than {MAX_PRODUCT_BITS:_} bits" if over else ""


def limit_nim_product(x: int, y: int) -> str:
    over = max(x, y).bit_length() > MAX_NIM_BITS
    return f"a nim-product of a number of more than {MAX_NIM_BITS:_} bits" if over else ""


def count_nim_products(x: int, y: int) -> int:
    """Return an estimate of the cost of `nim_product(x, y)`: the number of its recursive calls.

    Each call makes four calls with half the digits, so the cost is the square of the number of digits.
    """
    return max(x, y).bit_length() ** 2


def limit_power(x: int | Fraction, y: int) -> str:
    over = (_bits(x) - 1) * y >= MAX_POWER_BITS  # a lower bound for the bits of the power
    return f"a power of more than {MAX_POWER_BITS:_} bits" if over else ""


def limit_prime(x: int) -> str:
    return f"the primality of a number of more than {MAX_PRIME_BITS} bits" if x.bit_length() > MAX_PRIME_BITS else ""


def limit_players(n: int) -> str:
    return f"a game of {digits(n)} players; at most {MAX_PLAYERS:_} are supported" if n > MAX_PLAYERS else ""


def limit_range(a: int, b: int) -> str:
    return f"a range of more than {MAX_RANGE:_} integers" if b - a > MAX_RANGE else ""


def _bits(x: int | Fraction) -> int:
    if isinstance(x, int):  # much faster than its numerator and denominator
        return x.bit_length() or 1
    return max(x.numerator.bit_length(), x.denominator.bit_length())


# == conditions =======================================================================================================
# When an operation has a value: the conditions that its arguments, counted from 0, must meet.
#
# The referee calls `fault` at the values of a case. A proof shows a condition for all cases at once
# (`encoders/logic/definedness.py`).
@dataclass(frozen=True)
class NotZero:
    """The condition that argument number `at` of an operation, counted from 0, is not 0.

    `words`: the reason to report if the condition fails.
    """

    at: int
    words: str

    def fault(self, args: Sequence[Value]) -> str:
        """Return the reason why the operation has no value at these arguments, or ""."""
        return self.words if args[self.at] == 0 else ""


@dataclass(frozen=True)
class AtLeast:
    """The condition that argument number `at` of an operation, counted from 0, is at least `least`.

    If the argument is a list, set or position, the condition applies to each element.

    `words`: the reason to report if the condition fails; "{}" is replaced by the smallest value.
    """

    at: int
    words: str
    least: int = 0

    def fault(self, args: Sequence[Value]) -> str:
        """Return the reason why the operation has no value at these arguments, or ""."""
        value = args[self.at]
        group = value if isinstance(value, tuple) else (value,)
        least = min((x for x in group if not isinstance(x, tuple)), default=self.least)
        return self.words.format(digits(least)) if least < self.least else ""


@dataclass(frozen=True)
class NotEmpty:
    """The condition that argument number `at` of an operation, a list, set or position, is not empty.

    Arguments are counted from 0. `words`: the reason to report if the condition fails.
    """

    at: int
    words: str

    def fault(self, args: Sequence[Value]) -> str:
        """Return the reason why the operation has no value at these arguments, or ""."""
        return "" if args[self.at] else self.words


@dataclass(frozen=True)
class Inside:
    """The condition that argument `at` of an operation is a valid index of argument `of`, a list or a position.

    The numbers of the arguments and the index count from 0.
    """

    of: int
    at: int

    def fault(self, args: Sequence[Value]) -> str:
        """Return the reason why the operation has no value at these arguments, or ""."""
        group, at = args[self.of], args[self.at]
        assert isinstance(group, tuple) and isinstance(at, int)
        return "" if 0 <= at < len(group) else f"index {digits(at)} of {len(group)} elements"


@dataclass(frozen=True)
class Pairs:
    """The condition that each element of argument number `at` of an operation, counted from 0, is a list of length 2.

    `words`: the reason to report if the condition fails; "{}" is replaced by the length.
    """

    at: int
    words: str

    def fault(self, args: Sequence[Value]) -> str:
        """Return the reason why the operation has no value at these arguments, or ""."""
        pairs = cast(tuple[tuple[Value, ...], ...], args[self.at])
        length = next((len(pair) for pair in pairs if len(pair) != 2), 2)
        return "" if length == 2 else self.words.format(digits(length))


@dataclass(frozen=True)
class HeapOf:
    """The condition that argument `at` of an operation is the size of a heap of argument `of`, a position.

    The arguments are counted from 0.
    """

    of: int
    at: int

    def fault(self, args: Sequence[Value]) -> str:
        """Return the reason why the operation has no value at these arguments, or ""."""
        s, heap = args[self.of], args[self.at]
        assert isinstance(s, tuple) and isinstance(heap, int)
        return "" if heap in s else f"no heap of {digits(heap)} in {s}"


def two_naturals(name: str) -> tuple[AtLeast, AtLeast]:
    """Return the two conditions that the two operands of the operation `name` are not negative."""
    return AtLeast(0, f"a negative operand of {name}"), AtLeast(1, f"a negative operand of {name}")


Condition: TypeAlias = NotZero | AtLeast | NotEmpty | Inside | Pairs | HeapOf
