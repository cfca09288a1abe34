"""Proofs by cases, and equality of sets: true claims that they prove, and false ones that they do not."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from library import certificates
from proofs import RULES, asked, written

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.wording import limit_texts
from claims.language.errors import ClaimError
from claims.language.files.library import LIBRARY, Entry
from claims.language.syntax.printing import print_term
from encoders.logic.answer import RouteResult
from encoders.proving.prove import prove
from encoders.proving.reading import Prover, load_claim
from encoders.rules.cases import CasesProof, narrow
from encoders.solvers.effort import Effort, using_store
from encoders.trust import TrustedRule


@pytest.fixture
def altered(tmp_path: Path) -> Any:
    """Return a claim of the library with some of its text replaced, next to its unchanged siblings."""

    def make(id: str, *changes: tuple[str, str]) -> Path:
        folder, name = id.split("/")
        shutil.copytree(LIBRARY / folder, tmp_path / folder, dirs_exist_ok=True)
        path = tmp_path / folder / f"{name}.toml"
        content = path.read_text("utf-8")
        for old, new in changes:
            assert content.count(old) == 1, old
            content = content.replace(old, new)
        path.write_text(content, "utf-8")
        return path

    return make


def answer(path: Path) -> RouteResult:
    with using_store(certificates()):  # unchanged obligations are not searched for again
        return prove(load_claim(path, path.stem), 60.0, Effort(seeds=(17,)))


SOLUTION = "kl-nim/complete-solution"


@pytest.mark.slow
def test_the_complete_solution_is_proved_by_its_three_cases(altered: Any) -> None:
    found = answer(altered(SOLUTION))
    assert (found.decision, found.detail) == ("holds", "")
    assert limit_texts(found.reach.limits) == {"k": "all", "l": "all", "s.heaps": "all", "s.size": "all"}
    assert found.obligations[0].name == "cases cover"
    assert {o.name.split(":")[0] for o in found.obligations[1:]} == {"k == l", "k < l", "k > l"}
    assert TrustedRule("cases") in found.trusted


@pytest.mark.parametrize(
    ("old", "new", "case"),
    [
        ("k > l or good_first_move", "k >= l or good_first_move", None),  # k == l does not come here: the same claim
        ("k > l or good_first_move", "k > l + 1 or good_first_move", "k > l"),
        ("h < min(k, l) for h", "h <= min(k, l) for h", "k < l"),
        ("any(nim_sum(t) == 0 and all(h < k", "any(nim_sum(t) == 0 and all(h <= k", "k < l"),
        ("else x % (2*k) - k)", "else x % (2*k))", "k == l"),
        ("!= 0 if k == l else", "!= 0 if k <= l else", "k < l"),
    ],
)
@pytest.mark.slow
def test_a_changed_solution_is_proved_only_if_it_says_the_same(altered: Any, old: str, new: str, case: str) -> None:
    found = answer(altered(SOLUTION, (old, new)))
    if case is None:
        assert found.decision == "holds"
    else:
        assert found.decision != "holds"
        assert found.detail.startswith(f"{case}: ")


@pytest.mark.slow
def test_the_proof_of_another_case_does_not_do(altered: Any) -> None:
    found = answer(altered(SOLUTION, ('from = "corollary-15"', 'from = "theorem-14"')))
    assert found.decision != "holds"
    assert found.detail.startswith("k > l: ")


@pytest.mark.slow
def test_what_cannot_be_narrowed_is_unsupported_and_not_green(altered: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checks.execution.settle._give_hints", lambda *_: ())  # they try the proofs of all siblings
    found = answer(altered(SOLUTION, ('when = "k == l"', 'when = "k ^ l == 0"')))
    assert found.decision == "unsupported"
    path = altered(SOLUTION, ('when = "k == l"', 'when = "k ^ l == 0"'))
    few = Options(overrides=(("k", "1..2"), ("l", "1..2"), ("s.heaps", "0..2"), ("s.size", "1..3")))
    with using_store(certificates()):
        result = settle_entry(Entry("solution", path), few)
    assert result.verdict.value == "inconclusive"
    assert "k ^ l" in result.finding.not_established


@pytest.mark.slow
def test_a_claim_is_narrowed_by_what_is_certified_and_not_by_what_a_solver_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The proof of a case is about the narrowed claim, so a solver that always agrees would be trusted."""
    claim = load_claim(LIBRARY / "kl-nim" / "complete-solution.toml", "kl-nim/complete-solution")
    assert isinstance(claim.proof, CasesProof)
    honest = [print_term(narrow(claim, x.when, Prover()).conclusion) for x in claim.proof.cases]
    monkeypatch.setattr("encoders.solvers.discharge.decide", lambda _: True)
    assert [print_term(narrow(claim, x.when, Prover()).conclusion) for x in claim.proof.cases] == honest


def test_a_case_narrows_the_claim_to_what_it_leaves() -> None:
    claim = load_claim(LIBRARY / "kl-nim" / "complete-solution.toml", SOLUTION)
    assert isinstance(claim.proof, CasesProof)
    first, second, third = (
        print_term(narrow(claim, x.when, Prover()).conclusion, ("P1", "P2")) for x in claim.proof.cases
    )
    small = "nim_sum(s) != 0 if all(h < {} for h in s) else {}"
    move = "any(nim_sum(t) == 0 and all(h < k for h in t) for t in options(s, P1))"
    assert first == "wins(s, P1) == (nim_sum(g(h) for h in s) != 0)"
    assert second == f"wins(s, P1) == ({small.format('k', move)})"
    assert third == f"wins(s, P1) == ({small.format('l', True)})"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('from = "sums"', 'from = "no-such"', "there is no claim 'no-such' in this folder"),
        ('from = "sums"', 'from = "lemma-11"', "lemma-11 has no complete [proof]"),
        ('from = "sums"', 'from = "complete-solution"', "complete-solution has no complete [proof]"),
        ('when = "k == l"', 'when = "len(s) == 0"', "s"),
        ('when = "k == l"', 'when = "k"', "Bool"),
    ],
)
def test_a_bad_case_is_refused_at_its_place(altered: Any, old: str, new: str, expected: str) -> None:
    with pytest.raises(ClaimError) as error:
        load_claim(altered(SOLUTION, (old, new)), "solution")
    assert expected in str(error.value)
    assert new.split(" = ")[1].strip('"') in str(error.value)


WINNING = "nim/winning-moves"


def test_the_winning_moves_of_nim_are_proved_for_any_number_of_heaps(altered: Any) -> None:
    found = answer(altered(WINNING))
    assert found.decision == "holds"
    assert limit_texts(found.reach.limits) == {"s.heaps": "all", "s.size": "all"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if (h ^ X) < h}", "if (h ^ X) + 1 < h}"),  # lacks the moves of one object
        ("if (h ^ X) < h}", "if (h ^ X) != h}"),  # has "moves" that make a heap larger
        ("replace(s, h, h ^ X)", "replace(s, h, h ^ X ^ 1)"),
        ("winning_moves(s) ==", "{t for t in options(s) if wins(t)} =="),
        ("winning_moves(s) ==", "{t for t in options(s)} =="),
        ("winning_moves(s) ==", "winning_moves(s) !="),
    ],
)
def test_other_sets_of_moves_are_not_proved_to_be_the_winning_ones(altered: Any, old: str, new: str) -> None:
    assert answer(altered(WINNING, (old, new))).decision != "holds"


BELOW = "kl-nim/theorem-6-values-below"


@pytest.mark.slow
def test_the_set_of_values_below_is_proved_for_every_parameter(altered: Any) -> None:
    found = answer(altered(BELOW))
    assert (found.decision, found.detail) == ("holds", "")
    assert limit_texts(found.reach.limits) == {"t": "all", "s": "all"}
    assert "the witness's lemma" in [o.name for o in found.obligations]


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("range(0, s*t)}", "range(0, s*t + 1)}", "the witness's lemma"),
        ("range(0, s*t)}", "range(1, s*t)}", "claim"),
        ("range(0, s*t)}", "range(0, s*t) if v != s}", "claim"),
        ("2*(s - 1)*t + t)", "2*(s - 1)*t + t - 1)", "claim"),
        ("2*(s - 1)*t + t)", "2*(s - 1)*t + 2*t + 1)", "claim"),
        ("grundy(position([x]))", "grundy(position([x + 1]))", "claim"),
        ("grundy(position([x]))", "grundy(position([x - 1]))", "defined"),  # undefined at x = 0
        ('q = "a", e = "0", r = "b" }\nlemma', 'q = "a", e = "1", r = "b" }\nlemma', "claim"),  # names the wrong heap
        ('q = "a", e = "0", r = "b" }\nlemma', 'q = "a", e = "2", r = "b" }\nlemma', "claim"),  # names no heap
        ('lemma = "a <= s - 1"', 'lemma = "a <= s - 2"', "the witness's lemma"),  # a false lemma
        ('lemma = "a <= s - 1"', 'lemma = "False"', "the witness's lemma"),
    ],
)
def test_other_sets_of_values_and_wrong_witnesses_prove_nothing(altered: Any, old: str, new: str, where: str) -> None:
    found = answer(altered(BELOW, (old, new)))
    assert found.decision == "unknown"
    assert found.detail.startswith(f"{where}: ")


# -- integers that a case fixes ----------------------------------------------------------------------------------------
W_HEAPS = RULES + 'parameters = { w = "1.." }\n'
WHOLE = '[[moves]]\nchoose = "each of 1..w heaps h"\npick = { m = "h..h" }\nbecome = ["h - m"]\n'
SMALL = 's = { heaps = "0..0", size = "1..1" }\n'
ONE = '[[proof.moves]]\nwhen = "N % {d} == 1"\nheap = "any"\ntake = {{ m = "h" }}\n'
TWO = """[[proof.moves]]
when = "N % 3 == 2"
heap = "any"
[[proof.moves.then]]
when = "True"
heap = "any"
take = [{ m = "h" }, { m = "h2" }]
"""
BY = (("w == 1", 1), ("w == 2", 2))
LOST = "iff(not wins(s), len(s) % (w + 1) == 0)"


def whole_heaps(
    folder: Path, then: str, cases: tuple[tuple[str, int], ...], define: str = "", given: str = ""
) -> RouteResult:
    """Return the answer of a proof by cases on taking one or two whole heaps.

    Each case has the proof for that number.
    """
    for n in (1, 2):
        proof = f'[proof.folds]\nN = "len(s)"\n[proof.loses]\nmover = "N % {n + 1} == 0"\n{ONE.format(d=n + 1)}'
        body = f'[forall]\ns = "position"\n[scope]\n{SMALL}[proof]\nrule = "folds"\n{proof}{TWO * (n == 2)}'
        written(folder, body, "len(s) >= 0", rules=WHOLE, head=W_HEAPS, game=f'ruleset = "mine(w = {n})"')
        (folder / "claim.toml").rename(folder / f"of-{n}.toml")
    rows = "".join(f'[[proof.cases]]\nwhen = "{when}"\nfrom = "of-{n}"\n' for when, n in cases)
    body = f'[forall]\nw = "1..2"\ns = "position"\n{define}[scope]\nw = "1..1"\n{SMALL}{rows}'
    return asked(written(folder, body, then, given, rules=WHOLE, head=W_HEAPS))


@pytest.mark.slow
def test_a_number_of_heaps_is_a_parameter_where_each_case_fixes_it(tmp_path: Path) -> None:
    found = whole_heaps(tmp_path, LOST, BY)
    assert (found.decision, found.detail) == ("holds", "")
    assert limit_texts(found.reach.limits) == {"w": "all", "s.heaps": "all", "s.size": "all"}


def test_what_is_given_is_given_in_each_case(tmp_path: Path) -> None:
    assert whole_heaps(tmp_path, "wins(s)", BY, given="len(s) % (w + 1) != 0").decision == "holds"
    assert "claim" in whole_heaps(tmp_path, "wins(s)", BY, given="len(s) % (w + 1) != 1").detail


@pytest.mark.parametrize(
    ("then", "cases", "said"),
    [
        (LOST.replace("w + 1", "3"), BY, "w == 1: claim"),
        (LOST.replace("w + 1", "2"), BY, "w == 2: claim"),
        (LOST, (("w == 1", 1),), "cases cover"),
        (LOST, (("w == 1", 2), ("w == 2", 2)), ""),
        (LOST, (("w == 1", 1), ("w == 2", 1)), "w == 2: closed"),
        (LOST, (("w == 1 or w == 2", 1),), "a fixed number of heaps"),
        (LOST, (("w >= 1", 1),), "a fixed number of heaps"),
        (LOST, (("not w == 2", 1), ("w == 2", 2)), "a fixed number of heaps"),
        ("f(1 // (w - 2)) == 1", BY, "w == 2: defined"),  # in a definition that does not use it
        ("f(1 // (2 - 2 * w)) == 1", BY, "w == 1: defined"),
    ],
)
def test_other_cases_do_not_fix_it_and_false_siblings_are_not_proved(
    tmp_path: Path, then: str, cases: tuple[tuple[str, int], ...], said: str
) -> None:
    found = whole_heaps(tmp_path, then, cases, '[define]\n"f(x)" = "1"\n')
    assert found.decision != "holds"
    assert said in found.detail


@pytest.mark.slow
def test_a_short_range_is_written_out(tmp_path: Path) -> None:
    columns = "all(columns(s, w + 1, r) == 0 for r in range(1, w + 1)) or len(s) > 0"
    assert whole_heaps(tmp_path, columns, BY).decision == "holds"
    (tmp_path / "again").mkdir()
    wrong = "all(columns(s, w + 1, r) == 1 for r in range(1, w + 1)) or len(s) > 0"
    assert whole_heaps(tmp_path / "again", wrong, BY).decision == "unknown"
