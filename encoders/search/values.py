"""Closed forms of the Grundy values of one heap, guessed for all parameters at once, and claims about them.

A guess must be correct for every sampled heap and every sampled choice of the parameters. It becomes two claims: one
about the values of one heap, and one about the winner for any number of heaps. Each has a [proof] by rule "grundy".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product

import numpy as np

from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT, POSITION
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.values import Array
from encoders.search.formulas import wrap
from encoders.search.question import GAME, POSITION_NAME, SearchProblem
from encoders.search.tables import OutcomeTable, SampleLimits, TakeParameter, find_way
from encoders.search.writing import AT, quote, times, write_division, write_moves, write_section

SIZE = 48  # the number of sampled heaps if there are free parameters; otherwise LONG
LONG = 200
MOST = 6
_BLOCKS = (1, 2, 3, 4, 5)
MOST_RESIDUES, MOST_SINGLE = 8, 3  # of growing values; numbers with separate moves


@dataclass(frozen=True)
class ClosedFormGuess:
    """A guess of a closed form of the Grundy value of a heap.

    `value`: the value of a heap h, as text for a claim.
    `proof`: the lines of the [proof].
    `stated`: None if the value is a formula in h. Otherwise the heap, its value and its digits are formulas in e and g,
    such as a heap 2**e * (2*g + 1) - 1 with the value g.
    `digits`: the digits of a heap h by name, as formulas in h; empty if there are no such formulas.
    """

    value: str
    proof: tuple[str, ...]
    stated: tuple[str, str, str] | None = None
    digits: tuple[tuple[str, str], ...] = ()

    @property
    def told(self) -> str:
        """The heap and its value as text, such as "h has the value h % 3"."""
        heap, value = ("h", self.value) if self.stated is None else self.stated[:2]
        return f"{heap} has the value {value}"


class GrundyTable:
    """The Grundy values of single heaps: `values[q, h]` is the value of the heap h for choice q of the parameters.

    `parameters`: for each parameter, its value in each choice.
    """

    def __init__(self, question: SearchProblem, clock: Deadline) -> None:
        self.question, self.clock = question, clock
        size = SIZE if question.free else LONG
        table = OutcomeTable(question, SampleLimits(1, size, MOST), clock)
        s = t.Variable(POSITION, 0, 0, POSITION_NAME)
        self.values = table.evaluate(t.GameCall(INT, 0, 0, "grundy", GAME, (s,)))
        self.parameters = table.parameters
        self.heaps = np.arange(size + 1)[None, :]
        self._columns = ColumnTable(self.parameters or {"row'": np.zeros(1, dtype=np.int64)})

    def column(self, words: str) -> Array:
        """Return the values of an expression over the parameters.

        Element [q, 0] is the value for choice q of the parameters.
        """
        return self._columns.evaluate(self.question.elaborator().term(words, INT)).values[:, None]


def guess(question: SearchProblem, clock: Deadline) -> Iterator[ClosedFormGuess]:
    """Yield closed forms that are correct at all sampled heaps, roughly the simplest first.

    The game must be impartial. Nothing is yielded for misère play, or for moves that a proof cannot name.
    """
    way = find_way(question.ruleset.moves)
    if question.ruleset.stuck_wins or way is None:
        return
    found = GrundyTable(question, clock)
    yield from _guess_digits(found, way)
    yield from _guess_pieces(found, way)
    if not question.free:
        yield from _guess_period(found, way)
        yield from _guess_odd_part(found, way)
        yield from _guess_growth(found, way)


def _bases(names: tuple[str, ...]) -> list[str]:
    found = ["1", "2", "3", "4", "5"]
    for name in names:
        found += [name, f"{name} + 1", f"2*{name}", f"2*{name} + 1", f"{name} - 1"]
    return [*found, *(f"{a} + {b}" for a, b in combinations(names, 2))]


# -- digits of a mixed radix ------------------------------------------------------------------------------------------
def _guess_digits(found: GrundyTable, way: TakeParameter) -> Iterator[ClosedFormGuess]:
    """Yield closed forms c (h // (E B)) + d (h // B % E) + f (h % B).

    B is a positive number or an expression in a parameter, and E is a number from 1 to 5. The coefficient f is 0 or 1,
    d is 0, 1 or B, and c is 0, a positive number or an expression in a parameter.
    """
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


def _write_digits(
    way: TakeParameter, base: str, blocks: int, high: str, middle: str, rest: str
) -> Iterator[ClosedFormGuess]:
    if middle not in ("0", "1") or (middle == "1" and (high, rest) != ("0", "0")):
        return
    one_digit = [high, middle, rest].count("0") == 2
    if one_digit and high not in ("0", "1"):
        return
    whole = times(str(blocks), wrap(base)) if base != "1" else str(blocks)
    whole = base if blocks == 1 else whole
    parts = []
    if high != "0":
        parts.append(times(high, f"(h // {wrap(whole)})") if whole != "1" else "h")
    if middle != "0":
        parts.append(f"h % {wrap(whole)} // {wrap(base)}" if base != "1" else f"h % {blocks}")
    if rest != "0":
        parts.append(f"h % {wrap(base)}")
    domains = {"q": "0.."} | ({"e": f"0..{blocks - 1}"} if blocks > 1 else {})
    domains |= {"r": f"0..{base} - 1"} if base != "1" else {}
    lower = ([times(base, "e")] if blocks > 1 else []) + (["r"] if base != "1" else [])
    value = ([times(high, "q")] if high != "0" else []) + (["e"] if middle != "0" else [])
    value += ["r"] if rest != "0" else []
    digits = {name: name for name in domains}
    if one_digit:
        below, below_domains = "v", {"v": "0.."}
        digits["q" if high != "0" else "e" if middle != "0" else "r"] = "v"
    else:
        below, below_domains = f"{times(high, 'a')} + b", {"a": "0..", "b": f"0..{base} - 1"}
        digits |= {"q": "a", "r": "b"} | ({"e": "0"} if blocks > 1 else {})
    lines = [
        f"heap = {quote(' + '.join([times(whole, 'q'), *lower]))}",
        f"value = {quote(' + '.join(value))}",
        f"below = {quote(below)}",
        *write_section("digits", domains),
        *write_section("below_digits", below_domains),
    ]
    if not one_digit:
        lines += ["", "[proof.lemmas]", '"the block of a value below" = "a <= q"']
    lines += [*write_moves(way, digits), *AT]
    if high != "0" and whole != "1":
        lines += write_division("h", whole, "q", " + ".join(lower) or "0")
    if middle != "0" and base != "1":
        lines += write_division("h", whole, "q", " + ".join(lower)) + write_division(
            f"h % {wrap(whole)}", base, "e", "r"
        )
    elif middle != "0":
        lines += write_division("h", str(blocks), "q", "e")
    if rest != "0" and not (high != "0" and blocks == 1):
        lines += write_division("h", base, "q" if blocks == 1 else f"{blocks}*q + e", "r")
    low = f"h % {wrap(whole)}"
    formulas = {"q": "h" if whole == "1" else f"h // {wrap(whole)}"}
    formulas |= {"e": low if base == "1" else f"{low} // {wrap(base)}"} if blocks > 1 else {}
    formulas |= {"r": low if blocks == 1 else f"{low} % {wrap(base)}"} if base != "1" else {}
    yield ClosedFormGuess(" + ".join(parts), tuple(lines), digits=tuple(formulas.items()))


# -- pieces -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Piece:
    """A piece of a closed form: it gives the values of the heaps from `first` to the beginning of the next piece.

    The value of a heap h is `shift` if `flat` is true; otherwise it is h + `shift`.
    """

    first: str
    flat: bool
    shift: str

    def write_value(self, heap: str) -> str:
        """Return the value of a heap in this piece, as text: for example `h - 2` for the heap `h`."""
        if self.flat:
            return self.shift
        if self.shift == "0":
            return heap
        sign = "-" if self.shift.startswith("-") else "+"
        return f"{heap} {sign} {wrap(self.shift.removeprefix('-'))}"

    def back(self, value: str) -> str:
        """Return the heap whose value in this piece is `value`, as text. The piece must not be flat."""
        if self.shift == "0":
            return value
        sign = "+" if self.shift.startswith("-") else "-"
        return f"{value} {sign} {wrap(self.shift.removeprefix('-'))}"


def _guess_pieces(found: GrundyTable, way: TakeParameter) -> Iterator[ClosedFormGuess]:
    """Yield closed forms that consist of at most three pieces.

    On each piece the value is constant, or h plus a constant. The first division of the heaps into such pieces is used.
    If there are several pieces, the second result has the same formula and another proof.
    """
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


def _write_pieces(way: TakeParameter, pieces: list[_Piece], below: bool) -> ClosedFormGuess:
    """Return the closed form with these pieces, together with its proof.

    For each smaller value, the proof names an option: the heap with this value in the last piece that contains such a
    heap. The options must be smaller than the heap h itself.
    `below`: whether the proof skips a piece if its heap with the smaller value is not smaller than h.
    """

    def chain(heap: str) -> str:
        told = [
            f"{p.write_value(heap)} if {heap} < {after.first} else "
            for p, after in zip(pieces, pieces[1:], strict=False)
        ]
        return "".join(told) + pieces[-1].write_value(heap)

    lines = ['heap = "q"', f"value = {quote(chain('q'))}", 'below = "v"']
    lines += [*write_section("digits", {"q": "0.."}), *write_section("below_digits", {"v": "0.."})]
    later: list[str] = []
    for number in reversed(range(len(pieces))):
        piece = pieces[number]
        high = pieces[number + 1].first if number + 1 < len(pieces) else None
        if piece.flat:
            heap = f"{wrap(high)} - 1" if high and number else piece.first
            mine = [f"v == {wrap(piece.shift)}"]
        else:
            heap = piece.back("v")
            mine = [f"{heap} >= {piece.first}", *([f"{heap} < {high}"] if high else [])]
        if below and number:
            mine.append(f"{heap} < q")
        lines += write_moves(way, {"q": heap}, " and ".join([*mine, *later]))
        later.append(f"not ({' and '.join(mine)})")
    value = chain("h")
    proof = (*lines, *AT, 'digits = { q = "h" }')
    return ClosedFormGuess(f"({value})" if len(pieces) > 1 else value, proof, digits=(("q", "h"),))


# -- without parameters -----------------------------------------------------------------------------------------------
def _guess_period(found: GrundyTable, way: TakeParameter) -> Iterator[ClosedFormGuess]:
    """Yield a closed form that gives the value for each remainder of the heap modulo a period.

    Nothing is yielded if no period is found, or if the game does not bound the number taken.
    """
    values = found.values[0]
    period = next((p for p in range(1, len(values) // 4) if (values[p:] == values[:-p]).all()), None)
    if period is None:
        return
    legal = OutcomeTable(found.question, SampleLimits(1, 4 * period + 8, MOST), found.clock).legal[0][0]
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
    lines += write_section("digits", {"q": "0..", "r": f"0..{period - 1}"}) + write_section(
        "below_digits", {"v": "0.."}
    )
    for r, value in enumerate(told):
        for v in range(value):
            fitting = [m for m in takes if told[(r - m) % period] == v]
            if not fitting:
                return
            m = next((m for m in fitting if m <= r), fitting[0])
            y = (r - m) % period
            back = (m + y - r) // period
            lines += write_moves(
                way, {"q": f"q - {back}" if back else "q", "r": str(y)}, f"r == {r} and v == {v}", f"(h - {m})"
            )
    divided = write_division("h", str(period), "q", "r")
    yield ClosedFormGuess(f"({chain(f'h % {period}')})", (*lines, *AT, *divided), digits=_divide(period))


def _guess_odd_part(found: GrundyTable, way: TakeParameter) -> Iterator[ClosedFormGuess]:
    """Yield the closed form g for heaps h with h + 1 = 2^e (2 g + 1).

    Such values occur in games in which a move leaves at least half of a heap.
    """
    numbers = np.arange(found.values.shape[1]) + 1
    if not ((numbers // (numbers & -numbers) - 1) // 2 == found.values[0]).all():
        return
    lines = ['heap = "d*(2*q + 1) - 1"', 'value = "q"', 'below = "w"']
    lines += write_section("digits", {"d": "power of 2", "q": "0.."}) + write_section("below_digits", {"w": "0.."})
    lines += ["", "[[proof.arise]]", 'when = "h % 2 == 0"', 'digits = { d = "1", q = "h // 2" }']
    lines += ["", "[[proof.arise]]", 'when = "h % 2 == 1"', 'from = "h // 2"', 'digits = { d = "2*d", q = "q" }']
    moves = write_moves(way, {"d": "t", "q": "w"})
    moves.insert(2, 'pick = { t = "largest power of 2 with t*(2*w + 1) <= h + 1" }')
    stated = "2**e * (2*g + 1) - 1", "g", '{ d = "2**e", q = "g" }'
    yield ClosedFormGuess("grundy(position([h]))", (*lines, *moves, *AT), stated)


def _guess_growth(found: GrundyTable, way: TakeParameter) -> Iterator[ClosedFormGuess]:
    """Yield a closed form that increases by c whenever the heap increases by p, for the first suitable p and c.

    The value of a heap p*q + r is c*q + t, where t depends only on r.
    """
    values = found.values[0]
    for p, c in product(range(2, MOST_RESIDUES + 1), range(1, MOST_RESIDUES + 1)):
        if (values[p:] == values[:-p] + c).all():
            options = _leave_each(found, p, c)
            if options is not None:
                yield _write_growth(way, [int(x) for x in values[:p]], c, options)
            return


_Options = list[tuple[str, dict[str, str]]]  # condition, and the digits of the remaining heap


def _leave_each(found: GrundyTable, p: int, c: int) -> _Options | None:
    """Return options of a heap h = p*q + r which show that every smaller value occurs; None if some are not found.

    A smaller value is written as c*w + u with 0 <= u < c. For each r and u, there is one form of option for all w, or
    one form for w < q and another form for w >= q; a few small w may have separate options.
    """
    size, values, w = 8 * p, found.values[0], "w" if c > 1 else "v"
    legal = OutcomeTable(found.question, SampleLimits(1, size, MOST), found.clock).legal[0][0]
    told: _Options = []
    for r, u in product(range(p), range(c)):
        wanted = [(x, h) for h in range(r, size + 1, p) for x in range(int(values[h])) if c * x + u < values[h]]
        below, above = ([pair for pair in wanted if (pair[0] < pair[1] // p) is less] for less in (True, False))
        failing = {  # by the remaining heap: the w and h for which it is impossible
            (y, shift): {(x, h) for x, h in wanted if not (0 <= (z := p * (x + shift) + y) < h and legal[h, z])}
            for y in range(p)
            for shift, rest in [divmod(u - int(values[y]), c)]
            if not rest
        }
        here = f"r == {r} and u == {u}" if c > 1 else f"r == {r}"
        chosen = _choose(failing, wanted, here, w)
        if chosen is None:
            parts = [_choose(failing, x, f"{here} and {w} {op} q", w) for x, op in ((below, "<"), (above, ">="))]
            chosen = [x for part in parts if part is not None for x in part] if None not in parts else None
        if chosen is None:
            return None
        told += chosen
    return told


def _choose(
    failing: dict[tuple[int, int], set[tuple[int, int]]], wanted: list[tuple[int, int]], here: str, w: str
) -> _Options | None:
    """Return options with their conditions, so that each needed option is legal; None if there are no such options.

    The last option has the same form for all large w, namely the heap p*(w + shift) + remainder. At most MOST_SINGLE
    smaller w have separate options.
    `failing`: for each form (remainder, shift), the pairs (w, h) for which it is not a legal option of the heap h.
    `wanted`: the pairs (w, h) for which an option is needed.
    `here`: the condition of all these options, as text. `w`: the name of the number w in the proof.
    """
    if not wanted:
        return []
    tops = {kind: max((x for x, h in fails & {*wanted}), default=-1) for kind, fails in failing.items()}
    (y, shift), least = min(tops.items(), key=lambda item: item[1], default=((0, 0), MOST_SINGLE))
    told: _Options = []
    for x in sorted({x for x, _ in wanted if x <= least}):
        way = next((k for k, fails in failing.items() if not any((x, h) in fails for z, h in wanted if z == x)), None)
        if way is None or len(told) == MOST_SINGLE:
            return None
        told.append((f"{here} and {w} == {x}", {"q": str(x + way[1]), "r": str(way[0])}))
    shifted = f"{w} {'-' if shift < 0 else '+'} {abs(shift)}" if shift else w
    return [*told, (here + (f" and {w} > {least}" if least >= 0 else ""), {"q": shifted, "r": str(y)})]


def _write_growth(way: TakeParameter, first: list[int], c: int, options: _Options) -> ClosedFormGuess:
    p = len(first)

    def total(q: str, r: str) -> str:
        told = " ".join(f"{x} if {r} == {i} else" for i, x in enumerate(first[:-1])) + f" {first[-1]}"
        return f"{times(str(c), q)} + ({told})"

    lines = [f'heap = "{p}*q + r"', f"value = {quote(total('q', 'r'))}", f'below = "{"v" if c == 1 else f"{c}*w + u"}"']
    lines += write_section("digits", {"q": "0..", "r": f"0..{p - 1}"})
    lines += write_section("below_digits", {"v": "0.."} if c == 1 else {"w": "0..", "u": f"0..{c - 1}"})
    for when, digits in options:
        lines += write_moves(way, digits, when)
    lines += [*AT, *write_division("h", str(p), "q", "r")]
    value = total(f"(h // {p})", f"h % {p}")
    if c == 1:
        value = next((f"(h + {e}) // {p}" for e in range(p) if first == [(i + e) // p for i in range(p)]), value)
    if c < p and p % c == 0 and first == [i % c for i in range(p)]:
        value = f"{c}*(h // {p}) + h % {c}"
        lines += write_division("h", str(c), f"{p // c}*q + r // {c}", f"r % {c}")
    return ClosedFormGuess(value, tuple(lines), digits=_divide(p))


def _divide(period: int) -> tuple[tuple[str, str], ...]:
    """Return the digits q and r of a heap h = period*q + r, as formulas in h."""
    return ("q", f"h // {period}"), ("r", f"h % {period}")
