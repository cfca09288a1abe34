"""Theorems of Coq about options of written positions, about equal games, and by the definition of winning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from coq_compiler import needs_coq, objection, refused_at, spoil, write
from coq_meaning import compare, some
from proofs import LIBRARY

from encoders.coq import sequents
from encoders.logic.certificates import Certificate
from encoders.logic.sequents import Sequent
from encoders.proving.reading import Prover, load_claim
from encoders.refusals import Unsupported

THEOREMS = {
    "lemma-11-two-heaps": "exists t : position, move (kl_nim k l) P2 [a; b] t /\\ nim_sum t <> 0",
    "theorem-12-reply-two-heaps": "a < b -> (exists t : position, move (kl_nim k l) P2 [a; b] t",
    "lemma-13-two-heaps": "exists t : position, move (kl_nim k l) P2 [a; a] t",
    "lemma-13-move-two-heaps": "move (kl_nim k l) P2 [a; a] [a; a - k]",
    "small-heaps": "(forall t : position, move (kl_nim k l) p s t <-> move nim p s t)",
    "outcome-properties": "(forall t : position, move nim P1 s t -> wins nim P1 t) -> ~ wins nim P1 s",
}
# file, old text, new text, the lemma at which Coq stops although it gets the certificates of the true claim
FALSE = {
    "Lemma 11 for every k and l": ("lemma-11-two-heaps", 'l = "k+1.."', 'l = "1.."', "closed"),
    "a position that is not defective": (
        "lemma-11-two-heaps",
        'if = "defective(position([a, b]), P2)"\n',
        "",
        "closed",
    ),
    "moves of the other player": (
        "lemma-11-two-heaps",
        "options(position([a, b]), P2))",
        "options(position([a, b]), P1))",
        "closed",
    ),
    "Theorem 12 with equal heaps": ("theorem-12-reply-two-heaps", 'if = "a < b"', 'if = "a <= b"', "closed"),
    "Lemma 13 for smaller heaps": ("lemma-13-two-heaps", 'a = "k.."', 'a = "1.."', "closed"),
    "a position that the move does not leave": (
        "lemma-13-move-two-heaps",
        "position([a, a - k])",
        "position([a, a - 1])",
        "closed",
    ),
    "heaps as large as k": ("small-heaps", "all(h < min(k, l)", "all(h <= min(k, l)", "obligation_3"),
    "a region that is left out": ("small-heaps", 'if = "all(h < min(k, l) for h in s)"\n', "", "claim"),
    "outcomes exchanged": (
        "outcome-properties",
        "implies(terminal(s), outcome(s) == P",
        "implies(terminal(s), outcome(s) == N",
        "claim",
    ),
}


@pytest.mark.parametrize("id", THEOREMS)
def test_the_theorem_states_the_claim(id: str) -> None:
    text = write(LIBRARY, f"kl-nim/{id}")
    assert THEOREMS[id] in text[text.index("Definition claimed") : text.index("End Statement.")]
    claim = load_claim(LIBRARY / "kl-nim" / f"{id}.toml", f"kl-nim/{id}")
    assert compare(claim, text, some(claim, 64))["holds"]


@needs_coq
@pytest.mark.parametrize("id", THEOREMS)
def test_coq_accepts_it(theory: Path, id: str) -> None:
    assert objection(theory, write(LIBRARY, f"kl-nim/{id}")) == ""


@needs_coq
@pytest.mark.parametrize("false", FALSE)
def test_a_false_claim_is_no_theorem(theory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, false: str) -> None:
    id, old, new, at = FALSE[false]
    spoil(tmp_path, "kl-nim", ["kl-nim"], (f"kl-nim/{id}.toml", old, new))
    if at != "claim":
        with pytest.raises(Unsupported, match="no certificate"):
            write(tmp_path, f"kl-nim/{id}")
    closings = list[str]()
    original = sequents.write_closing

    def note(sequent: Sequent, certificate: Certificate) -> str:
        closings.append(original(sequent, certificate))
        return closings[-1]

    monkeypatch.setattr(sequents, "write_closing", note)
    write(LIBRARY, f"kl-nim/{id}")
    lies: Iterator[str] = iter(closings)
    monkeypatch.setattr(sequents, "write_closing", lambda sequent, certificate: next(lies))
    monkeypatch.setattr(Prover, "find_certificate", lambda self, sequent: None)
    assert refused_at(theory, write(tmp_path, f"kl-nim/{id}"), at) == at
