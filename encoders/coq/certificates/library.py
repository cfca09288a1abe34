"""The certificates of a run as files for Coq, and one file whose theorem says that all of them hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from encoders.coq.certificates.text import Named, write_certificate, write_file
from encoders.logic.naturals.certificates.certificate import read_certificate

FORMAT = 1
WHOLE = "Library"


@dataclass(frozen=True)
class Certified:
    """The certificates of a claim, and the obligations that have none."""

    claim: str
    certificates: tuple[Named, ...]
    trusted: tuple[str, ...]

    @property
    def module(self) -> str:
        """What its file is called in Coq.

        >>> Certified("kl-nim/theorem-14", (), ()).module
        'Certificates_kl_nim__theorem_14'
        """
        letters = self.claim.replace("/", "__")
        return "Certificates_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in letters)


def read_certified(path: Path) -> Certified:
    """The file of certificates of one claim. Raises ValueError, with the file and the obligation."""
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
            continue
        try:
            found.append((name, read_certificate(obligation)))
        except ValueError as error:
            raise _fault(path, f"{name}: {error}") from None
    return Certified(data["claim"], tuple(found), tuple(trusted))


def _fault(path: Path, words: str) -> ValueError:
    return ValueError(f"{path}: {words}")


def keep_each_once(found: Sequence[Certified]) -> list[Certified]:
    """Each certificate with the first claim that has it: many proofs share obligations, and Coq checks none twice."""
    written = set[str]()
    kept: list[Certified] = []
    for c in found:
        texts = [(named, write_certificate(named[1])) for named in c.certificates]
        new = {text: named for named, text in texts if text not in written}
        written |= new.keys()
        kept.append(replace(c, certificates=tuple(new.values())))
    return kept


def write_library(folder: Path, out: Path) -> list[Certified]:
    """Write each certificate in the folder, once, by claims, and the file of all. Raises ValueError, OSError.

    `out` is made; nothing may be in it yet.  The certificates of each claim, repeated ones included, are returned.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_symlink() or path.suffix == ".json")
    for path in (folder, *paths):
        if path.is_symlink():
            raise _fault(path, "a symbolic link, which is not followed")
    if not paths:
        raise ValueError(f"{folder}: expected certificates, *.json, as a run writes them")
    found = [read_certified(path) for path in paths]
    out.mkdir(parents=True)
    certified = [c for c in keep_each_once(found) if c.certificates]
    for c in certified:
        path = out / f"{c.module}.v"
        if path.exists():
            raise ValueError(f"{path}: two claims would have this file; {c.claim} is one of them")
        path.write_text(write_file(c.claim, c.certificates), "utf-8")
    (out / f"{WHOLE}.v").write_text(_write_whole([c.module for c in certified]), "utf-8")
    return found


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
