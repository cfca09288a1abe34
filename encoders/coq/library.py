"""Coq files with the obligations of many claims, and one file whose theorem says that all of them hold.

Each obligation is printed as a sequent over the integers. Its certificate is printed as a closing, with which Coq
proves the sequent. Many proofs have obligations in common, and each sequent is printed once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from encoders.coq.sequents import PREAMBLE, write_closing, write_sequent
from encoders.coq.writing import comment
from encoders.logic.certificates import Certificate
from encoders.logic.sequents import Sequent

WHOLE = "Library"
PART = "Obligations_"

Certified = tuple[str, Sequent, Certificate]
"""A description of an obligation, the obligation, and a certificate of it."""


def write_library(found: Iterable[Certified], out: Path, files: int = 8) -> int:
    """Write obligations with their certificates as Coq files into the new folder `out`.

    `files`: the largest number of files with obligations. It is small, because Coq often needs more time to load the
    imports of a file than to check its certificates. The sequent of an obligation determines its file, so a new
    obligation changes only one file.

    Return the number of different sequents. Raises Unsupported if a term has no translation into Coq, or if a
    certificate has too few letters. Raises OSError if `out` exists or cannot be written.
    """
    parts: dict[int, dict[str, str]] = {}  # for each file, the definitions by the text of the sequent
    for name, sequent, certificate in found:
        text = write_sequent(sequent)
        part = parts.setdefault(1 + hashlib.sha256(text.encode()).digest()[0] % files, {})
        if text not in part:
            part[text] = _define(len(part) + 1, name, text, write_closing(sequent, certificate))
    out.mkdir(parents=True)
    for number, part in parts.items():
        (out / f"{PART}{number}.v").write_text(_write_part(list(part.values())), "utf-8")
    write_whole(out)
    return sum(map(len, parts.values()))


def _define(number: int, name: str, sequent: str, closing: str) -> str:
    return (
        f"{comment(name)}\nDefinition obligation_{number} : sequent :=\n  {sequent}.\n"
        f"Definition closing_{number} : closing :=\n  {closing}.\n"
    )


def _write_part(definitions: Sequence[str]) -> str:
    pairs = "; ".join(f"(obligation_{n}, closing_{n})" for n in range(1, len(definitions) + 1))
    return "\n".join((PREAMBLE, *definitions, f"Definition proved := [{pairs}].\n{_THEOREM}"))


_THEOREM = """\
Definition obligations := map fst proved.
Lemma checked : forallb closes_sequent proved = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Theorem all_hold s : In s obligations -> forall e, stated s e.
Proof. exact (all_stated proved checked s). Qed.
"""


def write_whole(out: Path) -> None:
    """Write the file that imports all Coq files with obligations in `out`. Its theorem covers all obligations."""
    modules = sorted(path.stem for path in out.glob(f"{PART}*.v"))
    (out / f"{WHOLE}.v").write_text(_write_whole(modules), "utf-8")


def _write_whole(modules: Sequence[str]) -> str:
    required = "".join(f"From NimChecks Require {module}.\n" for module in modules)
    lists = " ++\n  ".join(f"{module}.obligations" for module in modules) or "[]"
    cases = "".join(
        f"  apply in_app_or in I; destruct I as [I|I]; [exact ({m}.all_hold s I)|].\n" for m in modules[:-1]
    )
    last = f"  exact ({modules[-1]}.all_hold s I)." if modules else "  destruct I."
    return (
        "(* All obligations of the library: each of these sequents holds for all integers and truth values. *)\n"
        "From Coq Require Import List.\nFrom NimChecks Require Import Sequents.\n"
        f"{required}Import ListNotations.\n\nDefinition obligations : list sequent :=\n  {lists}.\n\n"
        "Theorem all_obligations_hold s : In s obligations -> forall e, stated s e.\n"
        f"Proof.\n  intros I. unfold obligations in I.\n{cases}{last}\nQed.\n"
        "Print Assumptions all_obligations_hold.\n"
    )
