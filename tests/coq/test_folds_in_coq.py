"""Claims by folds as theorems of Coq: claims of the library are accepted, and falsified ones are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from coq_compiler import needs_coq, refused_after, write
from coq_terms import last_theorem
from proofs import LIBRARY

from encoders.coq.statement import write_stated
from encoders.coq.writing import module_of
from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate
from encoders.refusals import Unsupported

# id, a part of the theorem in the file; `.ci/coq` compiles all of them
THEOREMS = {
    "nim/bouton": "~ wins nim P1 s <-> nim_sum s = 0",
    "nim/reachability": "exists t : position, move nim P1 s t /\\ nim_sum t = 0",
    "nim/zero-sum-moves": "forall t : position, move nim P1 s t -> nim_sum t <> 0",
    "kl-nim/theorem-12-after-p1": "move (kl_nim k l) P1 s t -> nim_sum t <> 0",
    "nim/misere": "count (fun h => h =? 1) s mod 2 = 1",
    "kl-nim/theorem-14": "~ wins (kl_nim k l) P2 s <-> nim_sum s = 0 /\\ (forall h : N, h ∈ s -> h < k)",
    "kl-nim/corollary-15": "(exists h : N, h ∈ s /\\ l <= h) -> wins (kl_nim k l) P1 s",
    # by the theorems of other files
    "nim/table-n-n-normal": "1 <= n ->\n  ~ wins nim P1 [n; n]",
    "nim/winning-moves": "h ∈ s /\\ h ⊕ nim_sum s < h /\\ t ≡ replace s h (h ⊕ nim_sum s)",
    "nim/misere-differs-only-at-ones": "wins nim P1 s /\\ ~ (forall t : position, move nim P1 s t /\\ ~ wins",
    "nim/one-large-heap": "~ wins misere_nim P1 t -> t ≡ replace s (largest s) 0 \\/ t ≡ replace s (largest s) 1)",
    "nim/last-move-only": "~ wins nim P1 s <-> ~ wins misere_nim P1 s",
    "nim/table-n-n-misere-repaired": "2 <= n ->\n  ~ wins misere_nim P1 [n; n]",
    "kl-nim/theorem-12": "-> ~ wins (kl_nim k l) P1 s",
    "kl-nim/complete-solution": "1 <= k -> 1 <= l ->\n  wins (kl_nim k l) P1 s <-> (k = l -> ",
}
REFUSED = {
    "heaps/hexadecimal-8": "the claim has no [proof]",
}


@pytest.mark.parametrize("id", THEOREMS)
def test_the_last_theorem_is_the_claim(id: str) -> None:
    text = write(LIBRARY, id)
    assert last_theorem(text) == "Statement.defined /\\ Statement.claimed"
    assert THEOREMS[id] in text[text.index("Definition claimed") : text.index("End Statement.")]


def test_the_domains_of_a_claim_are_hypotheses_of_its_theorem() -> None:
    text = write(LIBRARY, "kl-nim/theorem-14")
    assert "claimed : Prop :=\n  forall (k : N) (l : N) (s : position),\n  1 <= k -> k + 1 <= l ->\n" in text


def test_the_rules_of_a_game_are_those_of_its_ruleset() -> None:
    text = write(LIBRARY, "kl-nim/theorem-14")
    rules = "exists m, 1 <= m /\\ m <= h /\\ m <> (if same_player mover First then k else l) /\\ y + m = h;"
    assert f"becomes mover h y :=\n    {rules}\n  stuck_wins := false |}}." in text
    assert "stuck_wins := true |}." in write(LIBRARY, "nim/misere")


def test_a_claim_by_lemmas_imports_their_files() -> None:
    found = generate(load_claim(LIBRARY / "nim" / "last-move-only.toml", "nim/last-move-only"))
    assert found.rests_on == ("nim.bouton", "nim.misere")
    assert "From NimChecks Require nim.bouton.\nFrom NimChecks Require nim.misere.\n" in found.text


LEMMAS = {
    "classics/whole-heaps-small": ["classics/whole-heaps-sums"],
    "classics/misere-moore-large-heaps": ["classics/moore-two-heaps", "classics/misere-moore-two-heaps"],
}
# id, a text of the file, the text in its place, the lemma that Coq rejects
FROM_THEOREMS = {
    "another lemma": ("classics/whole-heaps-small", "P1 P <-> nim_sum_of",
        "P1 P <-> nim_sum_of (fun h => h) P = 0 /\\ nim_sum_of", "known_1"),
    "another game": ("classics/whole-heaps-small", "wins (whole_heaps t_) P1 P", "wins (whole_heaps (t_ + 1)) P1 P",
        "known_1"),
    "the other outcome": ("classics/whole-heaps-small", "~ wins (whole_heaps t_) P1 P", "wins (whole_heaps t_) P1 P",
        "known_1"),
    "larger heaps": ("classics/whole-heaps-small",
        "h <= t_) -> ~ wins (whole_heaps t_) P1 s <-> number s mod 2 = 0.\nEnd",
        "h <= t_ + 1) -> ~ wins (whole_heaps t_) P1 s <-> number s mod 2 = 0.\nEnd", "whole_heaps_small"),
    "no large heap": (
        "classics/misere-moore-large-heaps",
        "2 <= h) -> ~ rules_wins (moore 2) P1 s <-> ~ rules_wins (misere_moore 2) P1 s.\nEnd",
        "1 <= h) -> ~ rules_wins (moore 2) P1 s <-> ~ rules_wins (misere_moore 2) P1 s.\nEnd",
        "misere_moore_large_heaps"),
    "three heaps at once": ("classics/misere-moore-large-heaps", "<-> ~ rules_wins (misere_moore 2) P1 s.\nEnd",
        "<-> ~ rules_wins (misere_moore 3) P1 s.\nEnd", "misere_moore_large_heaps"),
}  # fmt: skip
BY_MOORE = ("no large heap", "three heaps at once")  # Coq takes half a minute to compile the lemmas


@pytest.mark.parametrize("id", LEMMAS)
def test_a_claim_from_theorems_imports_their_files(id: str) -> None:
    found = generate(load_claim(LIBRARY / f"{id}.toml", id))
    assert found.rests_on == tuple(map(module_of, LEMMAS[id]))


@needs_coq
@pytest.mark.parametrize("name", [pytest.param(x, marks=[pytest.mark.long] * (x in BY_MOORE)) for x in FROM_THEOREMS])
def test_a_false_claim_does_not_follow_from_theorems(theory: Path, name: str) -> None:
    assert refused_after(theory, *FROM_THEOREMS[name]) == FROM_THEOREMS[name][-1]


def test_that_a_difference_is_not_cut_off_at_0_is_part_of_the_theorem(tmp_path: Path) -> None:
    text = (LIBRARY / "nim" / "bouton.toml").read_text("utf-8")
    assert "nim_sum(s) == 0)" in text
    changed = text.replace("nim_sum(s) == 0)", "nim_sum(h - 2 for h in s) == 0)")
    (tmp_path / "nim").mkdir()
    (tmp_path / "nim" / "bouton.toml").write_text(changed, "utf-8")
    written = write_stated(load_claim(tmp_path / "nim" / "bouton.toml", "nim/bouton")).text
    assert (
        "(forall (s : position), forall h : N, h ∈ s -> 2 <= h) /\\\n" in written[: written.index("Definition claimed")]
    )


def test_a_fold_that_changes_by_a_fold_outside_the_obligations_is_refused(tmp_path: Path) -> None:
    text = (LIBRARY / "nim" / "bouton.toml").read_text("utf-8")
    condition = "count(s.count(40) == 1 for h in s) <= count(s.count(0) == 1 for h in s)"
    (tmp_path / "nim").mkdir()
    (tmp_path / "nim" / "bouton.toml").write_text(text.replace("[claim]\n", f'[claim]\nif = "{condition}"\n'), "utf-8")
    with pytest.raises(Unsupported, match="changes by a fold that no obligation mentions"):
        write(tmp_path, "nim/bouton")


@pytest.mark.parametrize("id", REFUSED)
def test_what_is_not_known_is_refused_in_words(id: str) -> None:
    with pytest.raises(Unsupported, match=REFUSED[id].replace("[", r"\[")):
        write(LIBRARY, id)


def test_the_file_of_a_claim(golden: Callable[[str, str], None]) -> None:
    golden("coq/bouton.v", write(LIBRARY, "nim/bouton"))


def test_a_file_is_the_same_each_time() -> None:
    assert write(LIBRARY, "kl-nim/theorem-14") == write(LIBRARY, "kl-nim/theorem-14")
