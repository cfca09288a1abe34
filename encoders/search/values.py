"""Closed forms of the Grundy values of one heap, guessed for all parameters at once, and claims from them.

A guess has to be right at every heap and choice of the parameters that is looked at.  It becomes a claim about one heap
and one about who wins from any number of heaps, each with a [proof] by values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION
from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.evaluate.columns import ColumnTable
from encoders.search.question import GAME, HEAP, POSITION_NAME, Question
from encoders.search.tables import Box, Table, Way, find_way
from encoders.search.writing import head, quote

SIZE = 48  # heaps that are looked at, of all parameters; more of a game without
LONG = 200
MOST = 6
_BLOCKS = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Form:
    """A closed form. `value`: of a heap h, as a claim says it; `proof`: the lines of the [proof].

    `stated`: where the value of h is not said in h, the heap, its value and, for the proof, its digits, by e and g.
    """

    value: str
    proof: tuple[str, ...]
    stated: tuple[str, str, str] | None = None

    @property
    def told(self) -> str:
        """The heap and its value in words."""
        heap, value = ("h", self.value) if self.stated is None else self.stated[:2]
        return f"{heap} has the value {value}"


class Values:
    """The Grundy values of single heaps: `values[q, h]`, and the parameters by name, (choices,)."""

    def __init__(self, question: Question, clock: Clock) -> None:
        self.question, self.clock = question, clock
        size = SIZE if question.free else LONG
        table = Table(question, Box(1, size, MOST), clock)
        s = t.Variable(POSITION, 0, 0, POSITION_NAME)
        self.values = table.evaluate(t.GameCall(INT, 0, 0, "grundy", GAME, (s,)))
        self.parameters = table.parameters
        self.heaps = np.arange(size + 1)[None, :]
        self._columns = ColumnTable(self.parameters or {"row'": np.zeros(1, dtype=np.int64)})

    def column(self, words: str) -> Array:
        """An expression in the parameters, (choices, 1)."""
        return self._columns.evaluate(self.question.elaborator().term(words, INT)).values[:, None]


def guess(question: Question, clock: Clock) -> Iterator[Form]:
    """Closed forms that are right at all heaps looked at, the plainest first. Only of games with values."""
    way = find_way(question.ruleset.moves)
    if question.ruleset.stuck_wins or way is None:
        return
    found = Values(question, clock)
    yield from _guess_digits(found, way)
    yield from _guess_pieces(found, way)
    if not question.free:
        yield from _guess_period(found, way)
        yield from _guess_odd_part(found, way)


def _bases(names: tuple[str, ...]) -> list[str]:
    found = ["1", "2", "3", "4", "5"]
    for name in names:
        found += [name, f"{name} + 1", f"2*{name}", f"2*{name} + 1", f"{name} - 1"]
    return [*found, *(f"{a} + {b}" for a, b in combinations(names, 2))]


def _wrap(words: str) -> str:
    return words if words.isalnum() or words.isidentifier() else f"({words})"


def _times(words: str, factor: str) -> str:
    return factor if words == "1" else f"{_wrap(words)}*{factor}"


def _moves(way: Way, digits: dict[str, str], when: str = "", left: str = "y") -> list[str]:
    number = left if way.leaves else f"h - {left}"
    told = ", ".join(f"{x} = {quote(value)}" for x, value in digits.items())
    condition = [f"when = {quote(when)}"] if when else []
    return ["", "[[proof.options]]", *condition, f"digits = {{ {told} }}", f"take = {{ {way.pick} = {quote(number)} }}"]


def _divide(dividend: str, divisor: str, quotient: str, remainder: str) -> list[str]:
    parts = {"dividend": dividend, "divisor": divisor, "quotient": quotient, "remainder": remainder}
    return ["", "[[proof.divide]]", *(f"{x} = {quote(value)}" for x, value in parts.items())]


AT = ["", "[[proof.at]]", 'heap = "h"']


# -- digits of a mixed radix ------------------------------------------------------------------------------------------
def _guess_digits(found: Values, way: Way) -> Iterator[Form]:
    """c (h // E B) + d (h // B % E) + f (h % B), of which f is 0 or 1."""
    h, values = found.heaps, found.values
    bases = sorted(_bases(found.question.names), key=len)
    columns = {words: found.column(words) for words in bases}
    for base in bases:
        block = columns[base]
        if int(block.min()) < 1:
            continue
        for blocks in _BLOCKS:
            found.clock.check()
            for rest in ("1", "0") if base != "1" else ("0",):
                for high in dict.fromkeys(("0", "1", base, *bases)):
                    for middle in ("0",) if blocks == 1 else dict.fromkeys(("0", "1", base)):
                        if high == middle == rest == "0":
                            continue
                        a = 0 if high == "0" else columns[high]
                        b = 0 if middle == "0" else columns[middle]
                        told = a * (h // (blocks * block)) + b * (h // block % blocks) + int(rest) * (h % block)
                        if (told == values).all():
                            yield from _write_digits(way, base, blocks, high, middle, rest)


def _write_digits(way: Way, base: str, blocks: int, high: str, middle: str, rest: str) -> Iterator[Form]:
    if middle not in ("0", "1") or (middle == "1" and (high, rest) != ("0", "0")):
        return
    one_digit = [high, middle, rest].count("0") == 2
    if one_digit and high not in ("0", "1"):
        return
    whole = _times(str(blocks), _wrap(base)) if base != "1" else str(blocks)
    whole = base if blocks == 1 else whole
    parts = []
    if high != "0":
        parts.append(_times(high, f"(h // {_wrap(whole)})") if whole != "1" else "h")
    if middle != "0":
        parts.append(f"h % {_wrap(whole)} // {_wrap(base)}" if base != "1" else f"h % {blocks}")
    if rest != "0":
        parts.append(f"h % {_wrap(base)}")
    domains = {"q": "0.."} | ({"e": f"0..{blocks - 1}"} if blocks > 1 else {})
    domains |= {"r": f"0..{base} - 1"} if base != "1" else {}
    lower = ([_times(base, "e")] if blocks > 1 else []) + (["r"] if base != "1" else [])
    value = ([_times(high, "q")] if high != "0" else []) + (["e"] if middle != "0" else [])
    value += ["r"] if rest != "0" else []
    digits = {name: name for name in domains}
    if one_digit:
        below, below_domains = "v", {"v": "0.."}
        digits["q" if high != "0" else "e" if middle != "0" else "r"] = "v"
    else:
        below, below_domains = f"{_times(high, 'a')} + b", {"a": "0..", "b": f"0..{base} - 1"}
        digits |= {"q": "a", "r": "b"} | ({"e": "0"} if blocks > 1 else {})
    lines = [
        f"heap = {quote(' + '.join([_times(whole, 'q'), *lower]))}",
        f"value = {quote(' + '.join(value))}",
        f"below = {quote(below)}",
        *_section("digits", domains),
        *_section("below_digits", below_domains),
    ]
    if not one_digit:
        lines += ["", "[proof.lemmas]", '"the block of a value below" = "a <= q"']
    lines += [*_moves(way, digits), *AT]
    if high != "0" and whole != "1":
        lines += _divide("h", whole, "q", " + ".join(lower) or "0")
    if middle != "0" and base != "1":
        lines += _divide("h", whole, "q", " + ".join(lower)) + _divide(f"h % {_wrap(whole)}", base, "e", "r")
    elif middle != "0":
        lines += _divide("h", str(blocks), "q", "e")
    if rest != "0" and not (high != "0" and blocks == 1):
        lines += _divide("h", base, "q" if blocks == 1 else f"{blocks}*q + e", "r")
    yield Form(" + ".join(parts), tuple(lines))


def _section(name: str, entries: dict[str, str]) -> list[str]:
    return ["", f"[proof.{name}]", *(f"{x} = {quote(value)}" for x, value in entries.items())]


# -- pieces -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Piece:
    """From the heap `first` on the value is h + shift, or shift if it is `flat`."""

    first: str
    flat: bool
    shift: str

    def at(self, heap: str) -> str:
        """The value of such a heap."""
        if self.flat:
            return self.shift
        if self.shift == "0":
            return heap
        sign = "-" if self.shift.startswith("-") else "+"
        return f"{heap} {sign} {_wrap(self.shift.removeprefix('-'))}"

    def back(self, value: str) -> str:
        """The heap of a value, of a piece that is not flat."""
        if self.shift == "0":
            return value
        sign = "+" if self.shift.startswith("-") else "-"
        return f"{value} {sign} {_wrap(self.shift.removeprefix('-'))}"


def _guess_pieces(found: Values, way: Way) -> Iterator[Form]:
    """Slopes 0 and 1 between at most two thresholds."""
    names = found.question.names
    ends = ["1", "2", *names, *(f"{x} + 1" for x in names), *(f"2*{x}" for x in names)]
    ends = list(dict.fromkeys([*ends, *(str(n) for n in range(3, 8) if not names)]))
    shifts = ["0", "1", "-1", "2", "-2"]
    for name in names:
        shifts += [name, f"-{name}", f"{name} - 1", f"{name} + 1", f"1 - {name}"]
    columns = {words: found.column(words) for words in dict.fromkeys((*ends, *shifts, "0"))}
    h, values = found.heaps, found.values

    def piece(low: str, high: str | None) -> _Piece | None:
        inside = (h >= columns[low]) & (True if high is None else h < columns[high])
        for flat in (False, True):
            for shift in shifts:
                told = columns[shift] + (0 if flat else h)
                if ((told == values) | ~inside).all():
                    return _Piece(low, flat, shift)
        return None

    cuts: list[tuple[str, ...]] = [(), *((x,) for x in ends)]
    cuts += [x for x in permutations(ends, 2) if (columns[x[0]] < columns[x[1]]).all()]
    for cut in cuts:
        found.clock.check()
        pieces: list[_Piece] = []
        for low, high in zip(("0", *cut), (*cut, None), strict=True):
            one = piece(low, high)
            if one is None:
                break
            pieces.append(one)
        else:
            yield _write_pieces(way, pieces, below=False)
            if len(pieces) > 1:
                yield _write_pieces(way, pieces, below=True)
            return


def _write_pieces(way: Way, pieces: list[_Piece], below: bool) -> Form:
    """The proof leaves a value at the last piece that has it; `below`: at the last that has it below the heap."""

    def chain(heap: str) -> str:
        told = [f"{p.at(heap)} if {heap} < {after.first} else " for p, after in zip(pieces, pieces[1:], strict=False)]
        return "".join(told) + pieces[-1].at(heap)

    lines = ['heap = "q"', f"value = {quote(chain('q'))}", 'below = "v"']
    lines += [*_section("digits", {"q": "0.."}), *_section("below_digits", {"v": "0.."})]
    later: list[str] = []
    for number in reversed(range(len(pieces))):
        piece = pieces[number]
        high = pieces[number + 1].first if number + 1 < len(pieces) else None
        if piece.flat:
            heap = f"{_wrap(high)} - 1" if high and number else piece.first
            mine = [f"v == {_wrap(piece.shift)}"]
        else:
            heap = piece.back("v")
            mine = [f"{heap} >= {piece.first}", *([f"{heap} < {high}"] if high else [])]
        if below and number:
            mine.append(f"{heap} < q")
        lines += _moves(way, {"q": heap}, " and ".join([*mine, *later]))
        later.append(f"not ({' and '.join(mine)})")
    value = chain("h")
    return Form(f"({value})" if len(pieces) > 1 else value, (*lines, *AT, 'digits = { q = "h" }'))


# -- without parameters -----------------------------------------------------------------------------------------------
def _guess_period(found: Values, way: Way) -> Iterator[Form]:
    """A table by the remainder, for games that bound what is taken."""
    values = found.values[0]
    period = next((p for p in range(1, len(values) // 4) if (values[p:] == values[:-p]).all()), None)
    if period is None:
        return
    legal = Table(found.question, Box(1, 4 * period + 8, MOST), found.clock).legal[0][0]
    largest = len(legal) - 1
    takes = [m for m in range(1, largest + 1) if legal[largest, largest - m]]
    if takes and max(takes) > largest // 2:
        return
    told = [int(x) for x in values[:period]]
    if period == 1:
        return

    def chain(remainder: str) -> str:
        return " ".join(f"{x} if {remainder} == {r} else" for r, x in enumerate(told[:-1])) + f" {told[-1]}"

    lines = [f'heap = "{period}*q + r"', f"value = {quote(chain('r'))}", 'below = "v"']
    lines += _section("digits", {"q": "0..", "r": f"0..{period - 1}"}) + _section("below_digits", {"v": "0.."})
    for r, value in enumerate(told):
        for v in range(value):
            fitting = [m for m in takes if told[(r - m) % period] == v]
            if not fitting:
                return
            m = next((m for m in fitting if m <= r), fitting[0])
            y = (r - m) % period
            back = (m + y - r) // period
            lines += _moves(
                way, {"q": f"q - {back}" if back else "q", "r": str(y)}, f"r == {r} and v == {v}", f"(h - {m})"
            )
    divided = _divide("h", str(period), "q", "r")
    yield Form(f"({chain(f'h % {period}')})", (*lines, *AT, *divided))


def _guess_odd_part(found: Values, way: Way) -> Iterator[Form]:
    """h + 1 is a power of 2 times 2 g + 1, and g is the value: what half of a heap leaves."""
    numbers = np.arange(found.values.shape[1]) + 1
    if not ((numbers // (numbers & -numbers) - 1) // 2 == found.values[0]).all():
        return
    lines = ['heap = "d*(2*q + 1) - 1"', 'value = "q"', 'below = "w"']
    lines += _section("digits", {"d": "power of 2", "q": "0.."}) + _section("below_digits", {"w": "0.."})
    lines += ["", "[[proof.arise]]", 'when = "h % 2 == 0"', 'digits = { d = "1", q = "h // 2" }']
    lines += ["", "[[proof.arise]]", 'when = "h % 2 == 1"', 'from = "h // 2"', 'digits = { d = "2*d", q = "q" }']
    moves = _moves(way, {"d": "t", "q": "w"})
    moves.insert(2, 'pick = { t = "largest power of 2 with t*(2*w + 1) <= h + 1" }')
    stated = "2**e * (2*g + 1) - 1", "g", '{ d = "2**e", q = "g" }'
    yield Form("grundy(position([h]))", (*lines, *moves, *AT), stated)


# -- claims -----------------------------------------------------------------------------------------------------------
def write_values(question: Question, form: Form, proof: bool = True) -> str:
    """The claim about the values of one heap."""
    if form.stated is not None:
        heap, value, digits = form.stated
        words, then = f"one heap of {heap} has the Grundy value {value}", f"grundy(position([{heap}])) == {value}"
        names, scope = {"e": "0..", "g": "0.."}, {"e": "0..5", "g": "0..12"}
        lines = head(question, "Grundy values of one heap", words, then, names, scope)
        at = [f"heap = {quote(heap)}" if x == AT[-1] else x for x in form.proof]
        proved = Form(value, (*at, f"digits = {digits}"))
        return "\n".join([*lines, *(_proof(proved) if proof else ())]) + "\n"
    words = f"one heap of h has the Grundy value {form.value}"
    then = f"grundy(position([h])) == {form.value}"
    lines = head(question, "Grundy values of one heap", words, then, {"h": "0.."}, {"h": "0..40"})
    return "\n".join([*lines, *(_proof(form) if proof else ())]) + "\n"


def write_sums(question: Question, form: Form, proof: bool = True) -> str:
    """The claim about who wins from any number of heaps."""
    value = form.value
    words = f"the player to move loses exactly where the nim-sum of {value} over the heaps h is 0"
    mover = "" if question.ruleset.impartial else ", p"
    then = f"iff(not wins(s{mover}), nim_sum({value} for {HEAP} in s) == 0)"
    variables = {POSITION_NAME: "position"} | ({} if question.ruleset.impartial else {"p": "player"})
    lines = head(question, "who wins", words, then, variables, {})
    proof_lines = [x for x in form.proof if not x.startswith('digits = { q = "h"')]
    return "\n".join([*lines, *(_proof(Form(value, tuple(proof_lines))) if proof else ())]) + "\n"


def _proof(form: Form) -> list[str]:
    return ["", "[proof]", 'rule = "grundy"', *form.proof]


# -- two heaps --------------------------------------------------------------------------------------------------------
PAIRS = Box(2, 60, MOST)
_APART = range(1, 6)


def guess_pairs(question: Question, clock: Clock) -> int | None:
    """r where x <= y lose exactly if x is floor(n a), y is x + r n, and a the positive root of a a + (r - 2) a = r.

    So it is in Wythoff's game, with r = 1 and the golden ratio.  None where there is no such r up to 5.
    """
    if question.free or not question.ruleset.impartial:
        return None
    table = Table(question, PAIRS, clock)
    x, y = (table.rows.T[i] for i in range(2))

    def norm(x: Array, n: Array, r: int) -> Array:
        return np.asarray(x * x + (r - 2) * x * n - r * n * n)

    for r in _APART:
        n = (y - x) // r
        told = ((y - x) % r == 0) & (norm(x, n, r) <= 0) & (norm(x + 1, n, r) > 0)
        if (told == table.lost[0][0]).all():
            return r
    return None


def write_pairs(question: Question, r: int) -> str:
    """The claim about the positions of two heaps that are lost; it has no proof."""
    norm = {1: "x*x - x*n - n*n", 2: "x*x - 2*n*n"}.get(r, f"x*x + {r - 2}*x*n - {r}*n*n")
    n = "y - x" if r == 1 else f"(y - x) // {r}"
    apart = [] if r == 1 else [f"(y - x) % {r} == 0"]
    lost = " and ".join([*apart, f"norm(x, {n}) <= 0", f"norm(x + 1, {n}) > 0"])
    square = "a*a" if r == 2 else f"a*a + {r - 2}*a"
    root = "a is the golden ratio" if r == 1 else f"a is the positive root of {square} = {r}"
    words = (
        f"with two heaps x <= y the player to move loses exactly where x is the whole part of n*a and "
        f"y = x + {'n' if r == 1 else f'{r}*n'} for some n, where {root}"
    )
    then = f"iff(not wins(position([x, y])), {lost})"
    lines = head(question, "two heaps", words, then, {"x": "0..", "y": "x.."}, {"x": "0..60", "y": "0..100"})
    return "\n".join([*lines, "", "[define]", f'"norm(x, n)" = {quote(norm)}']) + "\n"
