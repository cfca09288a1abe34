"""Certificates as Coq text: the checkers in Coq and in Python agree on valid and on damaged ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from coq_compiler import needs_coq, run_coq

from encoders.coq.certificates import names_in, write_atom, write_formula, write_lemma, write_tree
from encoders.coq.sequents import PREAMBLE
from encoders.logic.certificates import Atom, Certificate, CertificateLemma, Summand, problem

# X ^ h == 0, m >= 1, h == m + y, X ^ y == 0: Bouton's "closed".
BOUTON = Certificate(
    6,
    (
        Atom("eq", ((1, "h"), (-1, "m"), (-1, "y")), 0),
        Atom("eq", ((1, ("xor", "X", "h")),), 0),
        Atom("eq", ((1, ("xor", "X", "y")),), 0),
        Atom("le", ((1, "m"),), 0),
    ),
    ("and", 1, 2, ("or", 3, False), ("not", 4), ("iff", 5, ("not", 6))),
    (CertificateLemma((1, 2, -4, 3), ((0, 0, -1, 0),)),),
    (2, (4, 0, (3, (1, -1, 0), 0)), 0),
)
# (x - y)^2 < 0, and x == y + 1 with x*y == x*x.
SQUARE = Atom("le", ((1, ("times", "x", "x")), (-2, ("times", "x", "y")), (1, ("times", "y", "y"))), 1)
BY_SUM = Certificate(
    2,
    (SQUARE, Atom("eq", ((1, "x"), (-1, "y")), 0)),
    ("and", 1, 2),
    (CertificateLemma((1, 2), summands=(Summand(1, (0,), ()), Summand(1, (1, 1), ()))),),
    (1, (2, -1, 0), 0),
)
# A product is one natural for the automaton: x*y + 1 <= 0 never holds; the other lemma has a tree that refers to it.
BY_TREE = Certificate(
    3,
    (Atom("le", ((1, ("times", "x", "y")), (2, ("and", "x", "z"))), 1),),
    ("and", ("or", 1, 2), ("or", 1, ("not", 2), 3), ("not", 3)),
    (CertificateLemma((1,), ((0,), (1,), (2,))), CertificateLemma((2,), tree=(1, -1, (3, 0, 0)))),
    (2, -2, (1, -1, 0)),
)
SOUND = {"Bouton": BOUTON, "by a sum": BY_SUM, "by a tree": BY_TREE}


def damaged() -> Iterator[tuple[str, Certificate]]:
    """Yield invalid certificates, and the reason."""
    lemma = BOUTON.lemmas[0]
    yield "no state", replace(BOUTON, lemmas=(replace(lemma, states=()),))
    yield "another state", replace(BOUTON, lemmas=(replace(lemma, states=((0, 0, 0, 0),)),))
    yield "a state that accepts", replace(BOUTON, lemmas=(replace(lemma, states=(*lemma.states, (0, 0, 0, 0))),))
    yield "no lemma", replace(BOUTON, lemmas=())
    yield "too few literals", replace(BOUTON, lemmas=(CertificateLemma((1, 2, 3), ((0, 0, 0),)),))
    yield "a literal the other way", replace(BOUTON, lemmas=(replace(lemma, literals=(1, 2, 4, 3)),))
    yield "a leaf changed", replace(BOUTON, tree=(2, (4, 0, (3, (1, 0, 0), 0)), 0))
    yield "a leaf of no lemma", replace(BOUTON, tree=(2, (4, 0, (3, (1, -2, 0), 0)), 0))
    yield "the lemma too early", replace(BOUTON, tree=(2, (4, 0, (3, -1, 0)), 0))
    yield "a weaker formula", replace(BOUTON, formula=("and", 1, 2, ("or", 3, 5), ("not", 4)))
    yield (
        "a larger coefficient",
        replace(BOUTON, atoms=(Atom("eq", ((1, "h"), (-2, "m"), (-1, "y")), 2), *BOUTON.atoms[1:])),
    )
    yield (
        "and for xor",
        replace(BOUTON, atoms=(BOUTON.atoms[0], Atom("eq", ((1, ("and", "X", "h")),), 0), *BOUTON.atoms[2:])),
    )
    first, second = BY_SUM.lemmas[0].summands
    for what, summands in {
        "a summand is missing": (first,),
        "a negative coefficient": (replace(first, coefficient=-1), second),
        "a place that is no literal": (replace(first, places=(2,)), second),
        "a product too many": (first, replace(second, streams=("x",))),
        "an equation once": (first, replace(second, places=(1,))),
        "no place": (replace(first, places=()), second),
    }.items():
        yield what, replace(BY_SUM, lemmas=(replace(BY_SUM.lemmas[0], summands=summands),))
    yield (
        "an equation that is false",
        replace(
            BY_SUM,
            formula=("and", 1, ("not", 2)),
            lemmas=(replace(BY_SUM.lemmas[0], literals=(1, -2)),),
            tree=(1, (2, 0, -1), 0),
        ),
    )
    yield "not below 0", replace(BY_SUM, atoms=(replace(SQUARE, constant=0), BY_SUM.atoms[1]))
    one, two = BY_TREE.lemmas
    yield "a lemma that names itself", replace(BY_TREE, lemmas=(one, replace(two, tree=-2)))
    yield "a lemma that names a later one", replace(BY_TREE, lemmas=(two, one), tree=(2, -1, (1, -2, 0)))
    yield "a lemma's leaf that is open", replace(BY_TREE, lemmas=(one, replace(two, tree=(1, -1, 0))))
    yield "a lemma of other literals", replace(BY_TREE, lemmas=(one, replace(two, literals=(-2,))), tree=-2)
    yield "a product that may be 0", replace(BY_TREE, atoms=(replace(BY_TREE.atoms[0], constant=0),))


def test_sound_ones_hold_in_python_and_damaged_ones_do_not() -> None:
    assert {name: problem(c) for name, c in SOUND.items()} == dict.fromkeys(SOUND, "")
    assert [name for name, c in damaged() if problem(c) == ""] == []


def write(certificate: Certificate) -> str:
    """Return the Coq term that says whether the certificate closes its formula."""
    found = [s for a in certificate.atoms for _, s in a.terms]
    found += [s for x in certificate.lemmas for part in x.summands for s in part.streams]
    numbers = {name: i for i, name in enumerate(dict.fromkeys(n for s in found for n in names_in(s)), 1)}
    atoms = "; ".join(f"({i}%positive, {write_atom(a, numbers)})" for i, a in enumerate(certificate.atoms, 1))
    lemmas = "; ".join(write_lemma(x, numbers) for x in certificate.lemmas)
    formula, tree = write_formula(certificate.formula), write_tree(certificate.tree)
    return f"closed_by (atom_map [{atoms}]) {formula} [{lemmas}] {tree}"


@needs_coq
def test_coq_says_the_same(checker: Path) -> None:
    checked = [*((c, "true") for c in SOUND.values()), *((c, "false") for _, c in damaged())]
    terms = ";\n".join(write(c) for c, _ in checked)
    said = "; ".join(wanted for _, wanted in checked)
    stated = f"Example as_expected : [{terms}] = [{said}].\nProof. vm_compute. reflexivity. Qed.\n"
    (checker / "Said.v").write_text(PREAMBLE + stated)
    assert run_coq(checker, "Said.v") == ""
