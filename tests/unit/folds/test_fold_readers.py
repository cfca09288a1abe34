"""Numbers and positions in a proof by folds: their allowed forms, and the position that a claim's question is about."""

from pathlib import Path

import pytest
from proofs import ANY_MOVE, FOLDS, asked, written
from random_terms import values_of

from claims.language.syntax import terms as t
from encoders.logic.sequents import ONE, ZERO, Symbol, add, integer, neg, sub
from encoders.refusals import Unsupported
from encoders.rules.folds.reader import FoldReader
from encoders.rules.folds.section import FoldsProof


@pytest.fixture
def reader(tmp_path: Path) -> FoldReader:
    """Return a reader for a claim with k and j from 1 to 9 and a position s, in a proof for sizes below 2^8."""
    claim = written(tmp_path, FOLDS, "len(s) >= 0")
    assert isinstance(claim.proof, FoldsProof)
    return FoldReader(claim, claim.proof)


def symbol(reader: FoldReader, x: t.Variable) -> Symbol:
    return reader.symbols.by_name[x.name]


def test_sizes_and_the_numbers_of_a_claim(reader: FoldReader) -> None:
    found = symbol(reader, reader.size("h", low=1))
    assert (found.lo, found.hi) == (1, 255)
    found = symbol(reader, reader.size("h"))
    assert (found.lo, found.hi) == (0, 255)
    k = reader.root["k"]
    assert isinstance(k, t.Variable)
    assert (symbol(reader, k).lo, symbol(reader, k).hi) == (1, 255)
    inside = values_of(*(x.term for x in reader.known), rows=[{"k": x, "j": 5} for x in range(12)])
    assert [x for x, row in enumerate(inside) if all(row)] == list(range(1, 10))


def test_a_number_between_others_may_be_any_of_them(reader: FoldReader) -> None:
    heap, small = reader.size("heap", low=1), reader.symbols.integer("small", 2, 4)
    for low, high, lo, hi in (
        (ONE, heap, 1, 255),
        (small, integer(3), 2, 3),
        (small, heap, 2, 255),
        (sub(small, integer(5)), small, -3, 4),
        (neg(heap), sub(ZERO, heap), -255, -1),
        (integer(7), small, 7, 7),
    ):
        x, inside = reader.make_number("m", low, high)
        found = symbol(reader, x)
        assert (found.lo, found.hi) == (lo, hi)
        for value in range(-4, 9):
            row = {x.name: value, "heap": 6, "small": 3}
            ((least, most, met),) = values_of(low, high, inside, rows=[row])
            assert least is not None
            assert most is not None
            assert bool(met) is (least <= value <= most)
    with pytest.raises(Unsupported, match="m ranges up to a number of heaps"):
        reader.make_number("m", ONE, reader.symbols.integer("heaps", 0))
    with pytest.raises(Unsupported, match="m ranges up to a number of heaps"):
        reader.make_number("m", reader.symbols.integer("heaps", 0), integer(9))


def test_what_is_known_to_be_a_size(reader: FoldReader) -> None:
    heap = reader.size("heap")
    assert reader.is_size(heap)
    assert reader.is_size(integer(255))
    for other in (add(heap, ONE), neg(heap), sub(heap, ONE), integer(256), reader.symbols.integer("heaps", 0)):
        assert not reader.is_size(other)


# -- a nonexistent object proves nothing ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "then",
    ["k >= 5 and len(position([k - 5])) >= 0", "k <= 5 and len(position([k + 250])) >= 0"],
)
def test_a_heap_that_nobody_looks_at_proves_nothing(tmp_path: Path, then: str) -> None:
    found = asked(written(tmp_path, FOLDS, then))
    assert found.detail.startswith("claim: fails at")


@pytest.mark.parametrize(
    "question",
    [
        "any(len(t) > 9 for t in options(s))",
        "{t for t in options(s) if len(t) > 9} == {replace(s, h, 0) for h in s}",
    ],
)
def test_a_named_move_that_is_not_legal_proves_nothing(tmp_path: Path, question: str) -> None:
    facts = '[proof.folds]\nX = "nim_sum(s)"\nN = "len(s)"\n[proof.facts]\n"none" = "N > 0 or X == 0"\n'
    move = ANY_MOVE.replace('m = "1"', 'm = "k"')
    then = f"len(s) != 1 or nim_sum(s) >= k or {question}"
    found = asked(written(tmp_path, FOLDS + facts + move, then))
    assert found.decision == "unknown"
    assert found.detail.startswith("claim: ")


@pytest.mark.parametrize("name", ["xor", "distinct", "true", "false"])
def test_a_variable_may_be_called_what_smt_lib_has_a_use_for(tmp_path: Path, name: str) -> None:
    body = FOLDS.replace('j = "1..9"', f'{name} = "1..9"')
    assert asked(written(tmp_path, body, f"k + {name} >= 2")).decision == "holds"
