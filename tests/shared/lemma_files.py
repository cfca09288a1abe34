"""Claims about Nim that rest on each other, as files."""

from pathlib import Path

from checks.execute import execute
from checks.judgement.options import Options
from checks.results.model import ClaimResult
from claims.language.library import Entry, with_lemmas
from encoders.logic.solvers.effort import USUAL

QUICK = Options(effort=USUAL)
TRUE = "iff(not wins(s), nim_sum(s) == 0)"
FALSE = "wins(s)"
STATED = """format = 1
title = "T"
statement = "S."
work = "mine"
locator = "L"
role = "lemma"
ruleset = "nim"

[forall]
s = "position"

[claim]
then = "{then}"

[scope]
s = {{ heaps = "0..2", size = "1..3" }}
"""
PROOF = """
[proof]
{by}sizes = "< 2^{bits}"

[proof.folds]
X = "nim_sum(s)"

[proof.loses]
mover = "X == 0"

[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = {{ m = "h - (h ^ X)" }}
"""


def listed(*names: str) -> str:
    named = ", ".join(f'"{name}"' for name in names)
    return f"by = [{named}]\n" if names else ""


def put_claim(path: Path, *by: str, then: str = TRUE, bits: int = 62) -> Path:
    """Write the file of a claim with Bouton's proof, which needs no lemma, and these lemmas; the path."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(STATED.format(then=then) + PROOF.format(by=listed(*by), bits=bits), "utf-8")
    return path


def put_plain(path: Path, then: str = TRUE, proof: str = "") -> Path:
    """Write the file of a claim with another [proof], or without one; the path."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(STATED.format(then=then) + proof, "utf-8")
    return path


def settle_whole(entry: Entry, options: Options = QUICK) -> ClaimResult:
    """The result of a claim in a run of its own, its lemmas settled before it."""
    return execute(with_lemmas((entry,)), options, 1, lambda *_: None).results[0]
