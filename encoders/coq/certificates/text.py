"""Certificates as Coq text, for the checker in coq/certificates, which Coq has proved right.

Nothing is left out and nothing added: variables get numbers in the order in which they occur, and the rest stands as in
the certificate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from encoders.logic.naturals.certificates.certificate import (  # fmt: skip
    AND,
    EQ,
    TIMES,
    XOR,
    Atom,
    Certificate,
    Formula,
    Lemma,
    State,
    Stream,
    Summand,
    Tree,
)

PREAMBLE = """\
From Coq Require Import List NArith ZArith.
From NimChecks Require Import Certificates Written.
Import ListNotations.
Open Scope Z_scope.
"""
_STREAMS = {XOR: "Xor", AND: "And", TIMES: "Times"}
_FORMULAS = {"not": "Not", "iff": "Same"}
_MANY = {"and": "all_of", "or": "one_of"}

Named = tuple[str, Certificate]
"""What the certificate shows, for people, and the certificate."""


def write_file(about: str, certificates: Sequence[Named]) -> str:
    """A Coq file whose last theorem says that none of the certified formulas has a model among the naturals.

    `about`: a line of text.
    """
    parts = [f"{_comment(f'{about}: the certificates of its obligations, checked.')}\n{PREAMBLE}"]
    for number, (name, certificate) in enumerate(certificates, 1):
        parts.append(f"{_comment(name)}\nDefinition certificate_{number} := {write_certificate(certificate)}.\n")
    names = "; ".join(f"certificate_{n}" for n in range(1, len(certificates) + 1))
    parts.append(f"Definition certificates := [{names}].\n{_THEOREM}")
    return "\n".join(parts)


_THEOREM = """\
Lemma checked : forallb check certificates = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem no_models c : In c certificates -> has_no_model c.
Proof. exact (all_checked certificates checked c). Qed.
"""


def write_certificate(certificate: Certificate) -> str:
    """The certificate as a term of type `certificate`."""
    numbers = {name: i for i, name in enumerate(variables(certificate), 1)}
    atoms = ";\n    ".join(_atom(a, numbers) for a in certificate.atoms)
    lemmas = ";\n    ".join(_lemma(x, numbers) for x in certificate.lemmas)
    return (
        f"{{|\n  atoms := [{atoms}];\n  negated := {_formula(certificate.formula)};\n  lemmas := [{lemmas}];\n"
        f"  cases := {_tree(certificate.tree)} |}}"
    )


def variables(certificate: Certificate) -> list[str]:
    """The names of its variables, in the order in which they occur: Coq has the first as 1."""
    streams = [s for a in certificate.atoms for _, s in a.terms]
    streams += [s for x in certificate.lemmas for part in x.summands for s in part.streams]
    return list(dict.fromkeys(name for s in streams for name in _names(s)))


def _names(stream: Stream) -> Iterator[str]:
    if isinstance(stream, str):
        yield stream
    else:
        for part in stream[1:]:
            yield from _names(part)


def _comment(text: str) -> str:
    """The text as a comment, which nothing in it can end."""
    return f"(* {text.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"


def _integer(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"


def _listed(parts: Iterable[str]) -> str:
    return f"[{'; '.join(parts)}]"


def _stream(stream: Stream, numbers: dict[str, int]) -> str:
    if isinstance(stream, str):
        return f"(Var {numbers[stream]})"
    op, *parts = stream
    assert isinstance(op, str)
    written = [_stream(part, numbers) for part in parts]
    return _nested(_STREAMS[op], written)


def _nested(op: str, parts: Sequence[str]) -> str:
    """op of the first and op of the others."""
    made = parts[-1]
    for part in reversed(parts[:-1]):
        made = f"({op} {part} {made})"
    return made


def _atom(atom: Atom, numbers: dict[str, int]) -> str:
    terms = _listed(f"({_integer(k)}, {_stream(s, numbers)})" for k, s in atom.terms)
    return f"{'zero' if atom.kind == EQ else 'at_most_0'} {terms} {_integer(atom.constant)}"


def _formula(formula: Formula) -> str:
    if isinstance(formula, bool):
        return "Yes" if formula else "No"
    if isinstance(formula, int):
        return f"(Letter {formula})"
    op, *parts = formula
    assert isinstance(op, str)
    written = [_formula(part) for part in parts if not isinstance(part, str)]
    if op in _MANY:
        return f"({_MANY[op]} {_listed(written)})"
    return f"({_FORMULAS[op]} {' '.join(written)})"


def _lemma(lemma: Lemma, numbers: dict[str, int]) -> str:
    literals = _listed(f"{'yes' if x > 0 else 'no'} {abs(x)}" for x in lemma.literals)
    if lemma.tree is not None:
        return f"by_cases {literals} {_tree(lemma.tree)}"
    if lemma.summands:
        return f"by_sum {literals} {_listed(_summand(s, numbers) for s in lemma.summands)}"
    return f"by_states {literals} {_listed(map(_state, lemma.states))}"


def _state(state: State) -> str:
    return _listed("None" if c is None else f"Some {_integer(c)}" for c in state)


def _summand(summand: Summand, numbers: dict[str, int]) -> str:
    places = _listed(f"{p}%nat" for p in summand.places)
    streams = _listed(_stream(s, numbers) for s in summand.streams)
    return f"part {_integer(summand.coefficient)} {places} {streams}"


def _tree(tree: Tree) -> str:
    if isinstance(tree, int):
        return f"(Violated {-tree})" if tree else "False_"
    letter, yes, no = tree
    return f"(Split {letter} {_tree(yes)} {_tree(no)})"
