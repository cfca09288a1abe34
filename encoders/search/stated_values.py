"""Proofs by rule "grundy" for statements that the value of a heap x is x % P // B.

In these formulas, blocks of B successive heaps have equal values, and the blocks repeat with the period P.
"""

from __future__ import annotations

from collections.abc import Iterator

from claims.language.files.claim import Claim, unfold_claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term
from encoders.logic.sequents import integer, sub
from encoders.search.formulas import wrap
from encoders.search.stated_forms import formulas_of_heaps
from encoders.search.statement import make_names
from encoders.search.writing import quote, write_section


def list_block_proofs(claim: Claim) -> Iterator[str]:
    """Yield proofs that a heap x has the value x % P // B, if a move takes at least B and at most P - B objects.

    The claim is about a single heap, or about the nim-sum of the values of several heaps. A heap is written as P*k +
    B*i + r. The proof obtains the digits k, i, r of a heap from the digits of the preceding heap.
    """
    plain = unfold_claim(claim)
    stated = formulas_of_heaps(plain)
    if not stated or len(plain.games) != 1:
        return
    blocks: dict[tuple[str, str], tuple[t.Term, t.Term]] = {}
    for heap, term in stated:
        match term:
            case t.Operation(op="floordiv", args=(t.Operation(op="mod", args=(x, period)), block)) if print_term(
                x
            ) == print_term(heap) and not set(find_free_names(heap)) & {
                *find_free_names(period),
                *find_free_names(block),
            }:
                blocks[print_term(period), print_term(block)] = period, block
            case _:
                return
    if len(blocks) != 1:
        return
    ((period, block),) = blocks.values()
    picks = {tuple(p.name for p in move.picks) for move in plain.games[0].ruleset.moves}
    if len(picks) != 1 or len(words := picks.pop()) != 1:
        return
    k, i, r, v = make_names(claim, ("k", "i", "r", "v"))
    p, b, rest = (_put_in_parentheses(x) for x in (period, block, _subtract(period, block)))
    inside = f"{b}*{i} + {r}"

    def take(when: str, digit: str, last_digit: str, number: str) -> list[str]:
        digits = f'{{ {k} = "{k}", {i} = {quote(digit)}, {r} = {quote(last_digit)} }}'
        return [
            "",
            "[[proof.options]]",
            f"when = {quote(when)}",
            f"digits = {digits}",
            f"take = {{ {words[0]} = {quote(number)} }}",
        ]

    last = f"{inside} >= {p} - 1"
    lines = ["[proof]", 'rule = "grundy"', f"heap = {quote(f'{p}*{k} + {inside}')}"]
    lines += [f"value = {quote(f'0 if {inside} >= {p} else {i}')}", f"below = {quote(v)}"]
    lines += write_section("digits", {k: "0..", i: f"0..({rest} - 1) // {b} + 1", r: f"0..{b} - 1"})
    lines += write_section("below_digits", {v: "0.."}) + write_section("apart", {k: "0..1"})
    lines += ["", "[[proof.arise]]", 'when = "h == 0"', f'digits = {{ {k} = "0", {i} = "0", {r} = "0" }}']
    lines += ["", "[[proof.arise]]", 'when = "h > 0"', 'from = "h - 1"']
    lines += [f"digits.{k} = {quote(f'{k} + 1 if {last} else {k}')}"]
    lines += [f"digits.{i} = {quote(f'0 if {last} else {i} if {r} < {b} - 1 else {i} + 1')}"]
    lines += [f"digits.{r} = {quote(f'{inside} + 1 - {p} if {last} else {r} + 1 if {r} < {b} - 1 else 0')}"]
    lines += take(f"{v} == 0 and {inside} >= {rest}", "0", f"{inside} - {rest}", rest)
    lines += take(f"{v} == 0 and {inside} < {rest}", "0", "0", inside)
    lines += take(f"{v} > 0", v, r, f"{b}*{i} - {b}*{v}")
    for text in dict.fromkeys(print_term(heap) for heap, _ in stated):
        own_heap = wrap(text)
        own = {k: f"{own_heap} // {p}", i: f"{own_heap} % {p} // {b}", r: f"{own_heap} % {p} % {b}"}
        lines += ["", "[[proof.at]]", f"heap = {quote(text)}"]
        lines += [f"digits = {{ {', '.join(f'{name} = {quote(value)}' for name, value in own.items())} }}"]
    yield "\n".join(lines) + "\n"


def _put_in_parentheses(term: t.Term) -> str:
    """Return the text of a term, in parentheses unless it is a variable or a number."""
    text = print_term(term)
    return text if isinstance(term, t.Variable | t.Literal) else f"({text})"


def _subtract(period: t.Term, block: t.Term) -> t.Term:
    """Return the difference period - block, simplified if the block is a summand or both are numbers."""
    match period, block:
        case t.Operation(op="add", args=(a, c)), _ if print_term(a) == print_term(block):
            return c
        case t.Operation(op="add", args=(a, c)), _ if print_term(c) == print_term(block):
            return a
        case t.Literal(value=x), t.Literal(value=y):
            return integer(x - y)
    return sub(period, block)
