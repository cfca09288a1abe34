"""The claims from which a proof is taken: determined by the parsed [proof], not by its text."""

from __future__ import annotations

import pytest

from checks.command.catalogue import page
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.presentation.account import make_unsettled_result
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from claims.language.files.library import select
from encoders.proving.reading import load_claim


def read(id: str) -> Claim:
    (entry,) = select((id,))
    return load_claim(entry.path, entry.id)


@pytest.mark.parametrize(
    ("id", "taken", "lemmas"),
    [
        ("kl-nim/theorem-14", (), ()),
        ("kl-nim/lemma-11", (), ()),
        ("kl-nim/theorem-12", (), ("kl-nim/theorem-14",)),
        ("kl-nim/lemma-11-move-two-heaps", ("kl-nim/lemma-11-two-heaps",), ()),
        (
            "kl-nim/complete-solution",
            ("kl-nim/sums", "kl-nim/theorem-12", "kl-nim/corollary-15"),
            ("kl-nim/theorem-14",),  # theorem-12 is proved by it
        ),
        ("large-nim/theorem-2", ("large-nim/theorem-3",), ()),
    ],
)
def test_what_a_proof_takes_over(id: str, taken: tuple[str, ...], lemmas: tuple[str, ...]) -> None:
    claim = read(id)
    assert claim.proof_uses == (*taken, *lemmas)
    assert [line for line in page(claim).splitlines() if line.startswith("our proof includes")] == (
        [f"our proof includes the proof of: {', '.join(taken)}"] if taken else []
    )


def test_a_result_says_what_its_proof_takes_over_and_has_a_short_name() -> None:
    (entry,) = select(("nim/table-n-n-normal",))
    result = settle_entry(entry, Options(routes=("exhaustive",)))
    assert result.statement.proof_uses == ("nim/bouton",)
    assert result.statement.short == "Row n n, normal"
    assert make_unsettled_result(entry, Verdict.ERROR, error="no").statement.short == "table-n-n-normal"
