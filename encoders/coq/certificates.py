"""The parts of certificates as Coq text, for the checker in coq/certificates. This checker is proved correct in Coq.

The text is as in the certificate, except that the variables are numbered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from encoders.logic.certificates import (
    AND,
    EQ,
    TIMES,
    XOR,
    Atom,
    CertificateLemma,
    Formula,
    State,
    Stream,
    Summand,
    Tree,
)

_STREAMS = {XOR: "Xor", AND: "And", TIMES: "Times"}
_FORMULAS = {"not": "Not", "iff": "Same"}
_MANY = {"and": "all_of", "or": "one_of"}


def names_in(stream: Stream) -> Iterator[str]:
    if isinstance(stream, str):
        yield stream
    else:
        for part in stream[1:]:
            yield from names_in(part)


def write_integer(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"


def write_list(parts: Iterable[str]) -> str:
    return f"[{'; '.join(parts)}]"


def write_stream(stream: Stream, numbers: dict[str, int]) -> str:
    if isinstance(stream, str):
        return f"(Var {numbers[stream]})"
    op, *parts = stream
    assert isinstance(op, str)
    written = [write_stream(part, numbers) for part in parts]
    return _nest_operation(_STREAMS[op], written)


def _nest_operation(op: str, parts: Sequence[str]) -> str:
    """Return the Coq term for a binary operation on several parts, nested to the right: `(Xor a (Xor b c))`."""
    made = parts[-1]
    for part in reversed(parts[:-1]):
        made = f"({op} {part} {made})"
    return made


def write_atom(atom: Atom, numbers: dict[str, int]) -> str:
    terms = write_list(f"({write_integer(k)}, {write_stream(s, numbers)})" for k, s in atom.terms)
    return f"{'zero' if atom.kind == EQ else 'at_most_0'} {terms} {write_integer(atom.constant)}"


def write_formula(formula: Formula) -> str:
    if isinstance(formula, bool):
        return "Yes" if formula else "No"
    if isinstance(formula, int):
        return f"(Letter {formula})"
    op, *parts = formula
    assert isinstance(op, str)
    written = [write_formula(part) for part in parts if not isinstance(part, str)]
    if op in _MANY:
        return f"({_MANY[op]} {write_list(written)})"
    return f"({_FORMULAS[op]} {' '.join(written)})"


def write_lemma(lemma: CertificateLemma, numbers: dict[str, int]) -> str:
    literals = write_list(f"{'yes' if x > 0 else 'no'} {abs(x)}" for x in lemma.literals)
    if lemma.tree is not None:
        return f"by_cases {literals} {write_tree(lemma.tree)}"
    if lemma.summands:
        return f"by_sum {literals} {write_list(_summand(s, numbers) for s in lemma.summands)}"
    return f"by_states {literals} {write_list(map(_state, lemma.states))}"


def _state(state: State) -> str:
    return write_list("None" if c is None else f"Some {write_integer(c)}" for c in state)


def _summand(summand: Summand, numbers: dict[str, int]) -> str:
    places = write_list(f"{p}%nat" for p in summand.places)
    streams = write_list(write_stream(s, numbers) for s in summand.streams)
    return f"part {write_integer(summand.coefficient)} {places} {streams}"


def write_tree(tree: Tree) -> str:
    if isinstance(tree, int):
        return f"(Violated {-tree})" if tree else "False_"
    letter, yes, no = tree
    return f"(Split {letter} {write_tree(yes)} {write_tree(no)})"
