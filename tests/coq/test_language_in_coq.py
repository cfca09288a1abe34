"""The Coq functions for operations of the claim language have the values that the language gives them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from coq_compiler import needs_coq, run_coq

from claims.language.syntax.builtins import BUILTINS
from encoders.coq.numbers import FUNCTIONS

NUMBERS = (0, 1, 2, 3, 5, 8, 12, 13, 48, 63, 64)
LISTS = ((), (1,), (3, 1), (2, 2, 2), (1, 2, 3), (5, 4, 6, 1), (7, 7, 1, 3, 12))
POSITIONS = tuple(tuple(sorted(s)) for s in LISTS)


def _is_defined(op: str, args: tuple) -> bool:
    return not any(condition.fault(args) for condition in BUILTINS[op].needs)


def _write(value: object) -> str:
    return f"[{'; '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)


def _equations() -> list[str]:
    """Return equations between a Coq function, applied to numbers and lists, and the value in the claim language."""
    asked = [(op, FUNCTIONS[op], args) for op in FUNCTIONS for args in product(NUMBERS, repeat=_count(op))]
    asked += [("range", "range", args) for args in product((0, 2, 5), repeat=2)]
    asked += [("sorted", "sorted", (c,)) for c in LISTS]
    asked += [("index", "item", (c, i)) for c in LISTS for i in range(4)]
    asked += [("index", "heap_at", (s, i)) for s in POSITIONS for i in range(4)]
    asked += [("columns", "columns", (s, m, r)) for s in POSITIONS for m in (1, 2, 3) for r in (1, 2)]
    asked += [("nim_sum_ways", "nim_sum_ways", (c, n)) for c in LISTS if c for n in (0, 1, 3)]
    asked += [("len", "length_of", (c,)) for c in LISTS]
    asked += [("sum", "sum_over (fun x => x)", (c,)) for c in LISTS]
    asked += [("count", "how_many (fun x => 1 <? x)", (c,)) for c in LISTS]
    found = []
    for op, called, args in asked:
        values = (tuple(x > 1 for x in args[0]),) if op == "count" else args
        if _is_defined(op, values):
            value = BUILTINS[op].evaluate(*values)
            found.append(f"{called} {' '.join(map(_write, args))} = {_write(value)}")
    return found


def _count(op: str) -> int:
    return 1 if op in ("isqrt", "popcount", "top_bit") else 2


def test_each_function_has_equations() -> None:
    heads = {x.split(" ")[0] for x in _equations()}
    assert {
        *FUNCTIONS.values(),
        "range",
        "sorted",
        "item",
        "heap_at",
        "columns",
        "sum_over",
        "how_many",
        "nim_sum_ways",
        "length_of",
    } == heads


@needs_coq
def test_each_function_has_the_value_of_the_language(theory: Path) -> None:
    start = "From NimChecks Require Import Language.\nOpen Scope N_scope.\n"
    proofs = "".join(f"Goal {x}.\nProof. reflexivity. Qed.\n" for x in _equations())
    (theory / "Functions.v").write_text(start + proofs, "utf-8")
    assert run_coq(theory, "Functions.v") == ""
