"""The certificates of a run as Coq files, and one file whose theorem states that all of them are valid.

A certificate proves that no natural numbers satisfy a formula, such as the negation of an obligation.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from encoders.logic.certificates import (
    AND,
    EQ,
    TIMES,
    XOR,
    Atom,
    Certificate,
    CertificateLemma,
    Formula,
    State,
    Stream,
    Summand,
    Tree,
    read_certificate,
)

# -- certificates as text ---------------------------------------------------------------------------------------------
# Certificates as Coq text, for the checker in coq/certificates. This checker is proved correct in Coq.
#
# The text is complete and adds nothing. Variables are numbered in order of occurrence; everything else is as in the
# certificate.

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
"""A description of a proved obligation, and the certificate of the obligation."""


def write_file(certificates: Sequence[Named]) -> str:
    """Return a Coq file with these certificates.

    Its last theorem states that no natural numbers satisfy any of their formulas.
    """
    parts = [f"{_comment('Certificates of obligations, checked.')}\n{PREAMBLE}"]
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
    """Return the certificate as the text of a Coq term. Its type is `certificate`, from the Coq theory."""
    numbers = {name: i for i, name in enumerate(variables(certificate), 1)}
    atoms = ";\n    ".join(write_atom(a, numbers) for a in certificate.atoms)
    lemmas = ";\n    ".join(write_lemma(x, numbers) for x in certificate.lemmas)
    return (
        f"{{|\n  atoms := [{atoms}];\n  negated := {write_formula(certificate.formula)};\n  lemmas := [{lemmas}];\n"
        f"  cases := {write_tree(certificate.tree)} |}}"
    )


def variables(certificate: Certificate) -> list[str]:
    """Return the names of the variables in order of occurrence. In Coq, variable n is the n-th name, from 1."""
    streams = [s for a in certificate.atoms for _, s in a.terms]
    streams += [s for x in certificate.lemmas for part in x.summands for s in part.streams]
    return list(dict.fromkeys(name for s in streams for name in names_in(s)))


def names_in(stream: Stream) -> Iterator[str]:
    if isinstance(stream, str):
        yield stream
    else:
        for part in stream[1:]:
            yield from names_in(part)


def _comment(text: str) -> str:
    """Return the text as a Coq comment. The text cannot close the comment."""
    return f"(* {text.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"


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


# -- library ----------------------------------------------------------------------------------------------------------
FORMAT = 1
WHOLE = "Library"
PART = "Certificates_"
_NO_FORMULAS = frozenset({"trusted", "table", "quotient"})  # keys of obligations without a formula to refute


@dataclass(frozen=True)
class Certified:
    """The contents of the certificate file of one claim.

    `claim`: the id of the claim. `certificates`: the certificates, each with the name of its obligation.
    `trusted`: the names of the obligations that have no certificate, so that a solver is trusted.
    """

    claim: str
    certificates: tuple[Named, ...]
    trusted: tuple[str, ...]


def read_certified(path: Path) -> Certified:
    """Return the contents of the certificate file of one claim.

    Raises ValueError if the file cannot be read or has another form. The message names the file and the obligation.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _fault(path, str(error)) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("claim"), str):
        raise _fault(path, f"expected certificates of a claim, format {FORMAT}")
    obligations = data.get("obligations")
    if not isinstance(obligations, list):
        raise _fault(path, "expected a list of obligations")
    found: list[Named] = []
    trusted: list[str] = []
    for i, obligation in enumerate(obligations, 1):
        if not isinstance(obligation, dict) or not isinstance(obligation.get("name"), str):
            raise _fault(path, f"obligation {i} has no name")
        name = obligation["name"]
        if "trusted" in obligation:
            trusted.append(name)
        if _NO_FORMULAS & obligation.keys():
            continue
        try:
            found.append((name, read_certificate(obligation)))
        except ValueError as error:
            raise _fault(path, f"{name}: {error}") from None
    return Certified(data["claim"], tuple(found), tuple(trusted))


def _fault(path: Path, words: str) -> ValueError:
    return ValueError(f"{path}: {words}")


def keep_each_once(found: Sequence[Certified]) -> list[Certified]:
    """Return the certificates of the claims, each certificate only for the first claim that contains it.

    Many proofs have obligations in common. Coq then checks each certificate only once.
    """
    written = set[str]()
    kept: list[Certified] = []
    for c in found:
        texts = [(named, write_certificate(named[1])) for named in c.certificates]
        new = {text: named for named, text in texts if text not in written}
        written |= new.keys()
        kept.append(replace(c, certificates=tuple(new.values())))
    return kept


def write_library(folder: Path, out: Path, files: int = 8) -> list[Certified]:
    """Read all certificate files in `folder` and write them as Coq files into the new folder `out`.

    Equal certificates are written once. A last file states that all certificates are valid.
    `files`: the number of files among which the certificates are divided. It is small, because Coq often needs more
    time to load the imports of a file than to check the certificates. The file of a certificate depends only on the
    certificate, so a new certificate changes only one file.

    Return the contents of each file in `folder`. Raises ValueError if one of them is invalid or a symbolic link, or if
    there are none. Raises OSError if `out` exists or cannot be written.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_symlink() or path.suffix == ".json")
    for path in (folder, *paths):
        if path.is_symlink():
            raise _fault(path, "a symbolic link, which is not followed")
    if not paths:
        raise ValueError(f"{folder}: expected certificates (*.json) written by a run")
    found = [read_certified(path) for path in paths]
    out.mkdir(parents=True)
    for number, part in _divide(keep_each_once(found), files).items():
        (out / f"{PART}{number}.v").write_text(write_file(part), "utf-8")
    write_whole(out)
    return found


def _divide(kept: Sequence[Certified], files: int) -> dict[int, list[Named]]:
    """Divide the certificates among `files` files. Return the certificates of each file by its number, from 1."""
    parts: dict[int, list[Named]] = {}
    for c in kept:
        for name, certificate in c.certificates:
            drawn = hashlib.sha256(write_certificate(certificate).encode()).digest()
            parts.setdefault(1 + drawn[0] % files, []).append((f"{c.claim}: {name}", certificate))
    return parts


def write_whole(out: Path) -> None:
    """Write the file that imports all Coq files with certificates in `out`. Its theorem covers all certificates."""
    modules = sorted(path.stem for path in out.glob(f"{PART}*.v"))
    (out / f"{WHOLE}.v").write_text(_write_whole(modules), "utf-8")


def _write_whole(modules: Sequence[str]) -> str:
    required = "".join(f"From NimChecks Require {module}.\n" for module in modules)
    lists = " ++\n  ".join(f"{module}.certificates" for module in modules) or "[]"
    cases = "".join(
        f"  apply in_app_or in I; destruct I as [I|I]; [exact ({m}.no_models c I)|].\n" for m in modules[:-1]
    )
    last = f"  exact ({modules[-1]}.no_models c I)." if modules else "  destruct I."
    return (
        "(* All certificates of the library: none of the formulas has a model among the naturals. *)\n"
        "From Coq Require Import List.\nFrom NimChecks Require Import Written.\n"
        f"{required}Import ListNotations.\n\nDefinition certificates : list certificate :=\n  {lists}.\n\n"
        "Theorem all_certificates_hold c : In c certificates -> has_no_model c.\n"
        f"Proof.\n  intros I. unfold certificates in I.\n{cases}{last}\nQed.\n"
        "Print Assumptions all_certificates_hold.\n"
    )
