"""The certificate that a formula over natural numbers of any size has no model: docs/certificates.md has the format.

What stands here is plain data, to be written as JSON and read again; whether it proves anything says `verify`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeGuard

from claims.language.ground.errors import NimChecksError

Stream = str | tuple["str | Stream", ...]
"""A natural number: a variable by its name, or ("xor" | "and" | "times", stream, stream, ...)."""

Terms = tuple[tuple[int, Stream], ...]
"""A sum: each stream with its coefficient, which is not 0; no stream twice."""

Formula = bool | int | tuple["str | Formula", ...]
"""A truth value, a letter from 1, or ("not", f), ("and", f...), ("or", f...), ("iff", f, g)."""

Tree = int | tuple[int, "Tree", "Tree"]
"""0: the formula is false; -j: lemma j, from 1, is violated; or a letter, the tree if it is true, and if it is not."""

State = tuple[int | None, ...]
"""For each literal of a lemma the carry; None of an equation that has failed for good."""

LE, EQ = "le", "eq"
TREE = "tree: expected 0, -lemma, or [letter, tree, tree]"
XOR, AND, TIMES = "xor", "and", "times"


class Malformed(NimChecksError, ValueError):
    """What is no certificate, in words that say what was expected."""


@dataclass(frozen=True, slots=True)
class Atom:
    """sum of `terms` + `constant` <= 0 (kind LE) or == 0 (EQ)."""

    kind: str
    terms: Terms
    constant: int


@dataclass(frozen=True, slots=True)
class Summand:
    """`coefficient` * the product of the literals at these `places` of the lemma * the product of these streams."""

    coefficient: int
    places: tuple[int, ...]
    streams: tuple[Stream, ...]


@dataclass(frozen=True, slots=True)
class CertificateLemma:
    """Literals, +-letter, that exclude each other, where the formula is true.

    It has one of three: `states`, those of the automaton of the literals, an inductive invariant without an accepting
    one; `summands`, which add up to a negative constant although each of them is at least 0; or a `tree` that starts
    from the literals and names none but earlier lemmas.
    """

    literals: tuple[int, ...]
    states: tuple[State, ...] = ()
    summands: tuple[Summand, ...] = ()
    tree: Tree | None = None


@dataclass(frozen=True, slots=True)
class Certificate:
    """Letters 1..len(atoms) are the atoms, those after them up to `letters` are free truth values.

    `formula`: what has no model.
    """

    letters: int
    atoms: tuple[Atom, ...]
    formula: Formula
    lemmas: tuple[CertificateLemma, ...]
    tree: Tree

    def to_json(self) -> dict[str, object]:
        """The fields as they stand in a file, all of it lists, integers, texts and null."""
        return {
            "letters": self.letters,
            "atoms": [[a.kind, _listed(a.terms), a.constant] for a in self.atoms],
            "formula": _listed(self.formula),
            "lemmas": [_lemma(x) for x in self.lemmas],
            "tree": _listed(self.tree),
        }


@dataclass(frozen=True, slots=True)
class CertificateText:
    """A certificate as text, the JSON of `Certificate.to_json` without spaces, for whoever keeps it or hands it on."""

    text: str


def write(certificate: Certificate) -> CertificateText:
    """The certificate as text."""
    return CertificateText(json.dumps(certificate.to_json(), separators=(",", ":")))


def _lemma(lemma: CertificateLemma) -> dict[str, object]:
    made: dict[str, object] = {"literals": list(lemma.literals)}
    if lemma.tree is not None:
        made["tree"] = _listed(lemma.tree)
    elif lemma.summands:
        made["sum"] = [[s.coefficient, list(s.places), _listed(s.streams)] for s in lemma.summands]
    else:
        made["states"] = _listed(lemma.states)
    return made


def _listed(x: object) -> object:
    return [_listed(y) for y in x] if isinstance(x, tuple) else x


# -- reading ----------------------------------------------------------------------------------------------------------
def read_certificate(fields: object) -> Certificate:
    """What `to_json` has written, or a file says. Raises Malformed for anything else."""
    if not isinstance(fields, dict):
        raise Malformed("a certificate is a table of letters, atoms, formula, lemmas and tree")
    atoms = tuple(_atom(x) for x in _items(fields.get("atoms"), "atoms"))
    lemmas = tuple(_read_lemma(x) for x in _items(fields.get("lemmas"), "lemmas"))
    formula, tree = _tuples(fields.get("formula")), _tuples(fields.get("tree"))
    if not _is_formula(formula):
        raise Malformed("formula: expected a letter, a truth value, or not, and, or, iff of formulas")
    if not _is_tree(tree):
        raise Malformed(TREE)
    return Certificate(_integer(fields.get("letters"), "letters"), atoms, formula, lemmas, tree)


def _atom(x: object) -> Atom:
    kind, terms, constant = _items(x, "an atom", 3)
    if kind not in (LE, EQ):
        raise Malformed(f"an atom: expected le or eq, got {kind!r}")
    return Atom(str(kind), tuple(_term(y) for y in _items(terms, "a sum")), _integer(constant, "a constant"))


def _term(x: object) -> tuple[int, Stream]:
    coefficient, stream = _items(x, "a summand", 2)
    return _integer(coefficient, "a coefficient"), _stream(stream)


def _stream(x: object) -> Stream:
    made = _tuples(x)
    if not _is_stream(made):
        raise Malformed("expected the name of a variable, or xor, and, times of at least two streams")
    return made


def _read_lemma(x: object) -> CertificateLemma:
    if not isinstance(x, dict) or len(x) != 2 or "literals" not in x or not set(x) & {"states", "sum", "tree"}:
        raise Malformed("a lemma has literals, and states, a sum or a tree")
    literals = tuple(_integer(y, "a literal") for y in _items(x["literals"], "literals"))
    if "tree" in x:
        tree = _tuples(x["tree"])
        if not _is_tree(tree):
            raise Malformed(TREE)
        return CertificateLemma(literals, tree=tree)
    if "sum" in x:
        return CertificateLemma(literals, summands=tuple(_summand(y) for y in _items(x["sum"], "a sum")))
    states = (_items(s, "a state") for s in _items(x["states"], "states"))
    return CertificateLemma(
        literals, tuple(tuple(None if c is None else _integer(c, "a carry") for c in s) for s in states)
    )


def _summand(x: object) -> Summand:
    coefficient, places, streams = _items(x, "a product", 3)
    read = tuple(_integer(p, "a place") for p in _items(places, "places"))
    return Summand(_integer(coefficient, "a coefficient"), read, tuple(map(_stream, _items(streams, "streams"))))


def _items(x: object, what: str, length: int | None = None) -> list[object]:
    if not isinstance(x, list) or (length is not None and len(x) != length):
        raise Malformed(f"{what}: expected a list{'' if length is None else f' of {length}'}")
    return x


def _integer(x: object, what: str) -> int:
    if not isinstance(x, int) or isinstance(x, bool):
        raise Malformed(f"{what}: expected an integer")
    return x


def _tuples(x: object) -> object:
    return tuple(map(_tuples, x)) if isinstance(x, list) else x


def _is_stream(x: object) -> TypeGuard[Stream]:
    if isinstance(x, tuple):
        return len(x) >= 3 and x[0] in (XOR, AND, TIMES) and all(map(_is_stream, x[1:]))
    return isinstance(x, str)


def _is_formula(x: object) -> TypeGuard[Formula]:
    if not isinstance(x, tuple):
        return isinstance(x, int)
    takes = {"not": (1,), "iff": (2,), "and": range(len(x)), "or": range(len(x))}
    return bool(x) and isinstance(x[0], str) and len(x) - 1 in takes.get(x[0], ()) and all(map(_is_formula, x[1:]))


def _is_tree(x: object) -> TypeGuard[Tree]:
    if isinstance(x, tuple):
        return len(x) == 3 and not isinstance(x[0], tuple) and all(map(_is_tree, x))
    return isinstance(x, int) and not isinstance(x, bool)
