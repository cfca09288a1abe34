"""Theorems of Coq about options of written positions, values of options, few heaps, equal games, and definitions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from coq_compiler import compile_lemmas, needs_coq, refused_after, refused_at, spoil, write
from coq_meaning import compare, some
from proofs import LIBRARY

from encoders.coq import sequents
from encoders.logic.certificates import Certificate
from encoders.logic.sequents import Sequent
from encoders.proving.reading import Prover, load_claim
from encoders.refusals import Unsupported

THEOREMS = {
    "kl-nim/lemma-11-two-heaps": "exists t : position, move (kl_nim k l) P2 [a; b] t /\\ nim_sum t <> 0",
    "kl-nim/theorem-12-reply-two-heaps": "a < b -> (exists t : position, move (kl_nim k l) P2 [a; b] t",
    "kl-nim/lemma-13-two-heaps": "exists t : position, move (kl_nim k l) P2 [a; a] t",
    "kl-nim/lemma-13-move-two-heaps": "move (kl_nim k l) P2 [a; a] [a; a - k]",
    "nim/two-heaps-equalise": "(forall t : position, move nim P1 s t /\\ ~ wins nim P1 t <-> t ≡ [least s; least s])",
    "large-nim/theorem-2-case-a": "(forall t : position, move (large_nim n) First s t <-> t ≡ map (fun j => 1) (range",
    "large-nim/theorem-3-case-b21": "winner (large_nim n) n (replace s (largest s) (least s)) v /\\ v + 1 = number s)",
    "large-nim/theorem-3-case-c": "(forall y : N, 2 <= y /\\ y < least s -> (exists v : N, winner (large_nim n) n",
    "large-nim/analysis-1": "<-> number s = 0 \\/ (exists t : position, move (large_nim n) First s t /\\ (exists v",
    "large-nim/equation-5-cases": "(if (1 <=? heap_at s 0) && (heap_at s 0 <? heap_at s 1) && ",
    "kl-nim/small-heaps": "(forall t : position, move (kl_nim k l) p s t <-> move nim p s t)",
    "kl-nim/outcome-properties": "(forall t : position, move nim P1 s t -> wins nim P1 t) -> ~ wins nim P1 s",
    "classics/slow-nim-two-heaps": "~ rules_wins slow_nim P1 [x; y_] <-> x mod 2 = 0",
    "classics/antonim-two-heaps": "~ rules_wins antonim P1 [x; y_] <-> x mod 2 = 1 /\\ y_ = x + 1",
    "classics/wythoff-doubled": "rules_wins wythoff P1 [x; 2 * x] <-> x <> 1",
    "classics/wythoff-fibonacci-repaired": "y_ * y_ = 1 + x * y_ + x * x -> ~ rules_wins wythoff P1 [x; y_]",
    "classics/digit-sum": "~ wins digit_sum_ P1 [n] <-> n mod 9 = 0",
    "classics/mark-3": "~ wins (mark 3) P1 [n] <-> valuation n 3 mod 2 = 1",
    "classics/upmark": "<-> ~ (valuation (n - 1) 2 mod 2 = 1 <-> popcount (n - 1) = 1)",
}
# file, old text, new text, the lemma at which Coq stops although it gets the certificates of the true claim
FALSE = {
    "Lemma 11 for every k and l": ("kl-nim/lemma-11-two-heaps", 'l = "k+1.."', 'l = "1.."', "closed"),
    "a position that is not defective": (
        "kl-nim/lemma-11-two-heaps",
        'if = "defective(position([a, b]), P2)"\n',
        "",
        "closed",
    ),
    "moves of the other player": (
        "kl-nim/lemma-11-two-heaps",
        "options(position([a, b]), P2))",
        "options(position([a, b]), P1))",
        "closed",
    ),
    "Theorem 12 with equal heaps": ("kl-nim/theorem-12-reply-two-heaps", 'if = "a < b"', 'if = "a <= b"', "closed"),
    "Lemma 13 for smaller heaps": ("kl-nim/lemma-13-two-heaps", 'a = "k.."', 'a = "1.."', "closed"),
    "a position that the move does not leave": (
        "kl-nim/lemma-13-move-two-heaps",
        "position([a, a - k])",
        "position([a, a - 1])",
        "closed",
    ),
    "heaps that are not level": ("nim/two-heaps-equalise", "([min(s), min(s)])", "([min(s), max(s)])", "closed"),
    "the winner of two heaps": ("nim/two-heaps-equalise", "wins(s), min(s) != max", "wins(s), min(s) == max", "closed"),
    "a move that makes no level heaps": ("nim/two-heaps-equalise", 'm = "b - a"', 'm = "a"', "closed"),
    "any number of heaps in Nim": ("nim/two-heaps-equalise", "len(s) == 2", "len(s) >= 1", "claim"),
    "the value of N ones": (
        "large-nim/theorem-2-case-b-repaired",
        "(N if b == N - 1 else N - 2 - b)",
        "N - 2 - b",
        "closed_2",
    ),
    "an option of N ones": ("large-nim/theorem-2-case-a", "{ones(N - 1)}", "{ones(N)}", "closed_2"),
    "the value of fewer ones": ("large-nim/theorem-2-case-a", "ones(N - 1)) == N - 1", "ones(N - 1)) == N", "closed_3"),
    "heaps of one": ("large-nim/theorem-3-case-c", " and min(s) > 1", "", "closed_1"),
    "a heap that is made as large as before": (
        "large-nim/theorem-3-case-c",
        "range(2, min(s))",
        "range(2, min(s) + 1)",
        "closed_3",
    ),
    "a formula outside its region": (
        "large-nim/theorem-3-case-b21",
        """\
if = "n == N >= 3 and min(s) > 1 and b == N - 1"
then = "value(lowered(s, min(s))) == N - 1 == n - 1 and value(s) == 0 == N - 1 - b"
""",
        'if = "n == N - 1 >= 3 and min(s) > 1"\nthen = "value(s) == (N - 1 if b == N else N - 1 - b)"\n',
        "claim_1",
    ),
    "an option of value n - 2": ("large-nim/analysis-1", "value(t) == n - 1", "value(t) == n - 2", "follows"),
    "a value below 1": ("large-nim/analysis-2", 'i = "1..n-2"', 'i = "0..n-2"', "follows"),
    "options of a position without heaps": (
        "large-nim/analysis-3",
        'if = "len(s) >= 1"',
        'if = "n >= 2"',
        "follows",
    ),
    "another move than the named one": (
        "large-nim/analysis-1",
        'take = { m = "h" }',
        'take = { m = "h + 1" }',
        "can_move",
    ),
    "two lines": ("large-nim/equation-5-cases", "line_of_1(s)]) == 1", "line_of_1(s)]) == 2", "follows"),
    "any number of heaps": ("large-nim/equation-5-cases", "len(s) == 4", "len(s) >= 1", "claim"),
    "heaps as large as k": ("kl-nim/small-heaps", "all(h < min(k, l)", "all(h <= min(k, l)", "obligation_3"),
    "a region that is left out": ("kl-nim/small-heaps", 'if = "all(h < min(k, l) for h in s)"\n', "", "claim"),
    "outcomes exchanged": (
        "kl-nim/outcome-properties",
        "implies(terminal(s), outcome(s) == P",
        "implies(terminal(s), outcome(s) == N",
        "claim",
    ),
    "too few lost heaps": ("classics/slow-nim-two-heaps", "y])), x % 2 == 0", "y])), x == 0", "obligation_9"),
    "the set of another game": ("classics/slow-nim-two-heaps", 'mover = "a % 2', 'mover = "b % 2', "obligation_1"),
    "heaps further apart": ("classics/antonim-two-heaps", "b <= a + 1", "b <= a + 2", "obligation_1"),
    "a move that does not lead to a loss": (
        "classics/antonim-two-heaps",
        '"b - (a - 1)"',
        '"b - a"',
        "obligation_9",
    ),
    "a lemma without its induction": (
        "classics/digit-sum",
        'measure = "x"\nsmaller = [{ x = "x // 10" }]\n',
        "",
        "obligation_1",
    ),
    "a measure that does not decrease": ("classics/digit-sum", 'measure = "x"', 'measure = "0"', "obligation_1"),
    "another lemma": ("classics/wythoff", "norm(u, v) == 0, u == 0", "norm(u, v) == 1, u == 0", "obligation_1"),
    "a number that need not exist": ("classics/wythoff", 'least = "1..a"', 'least = "1..1"', "obligation_5"),
    "powers of two as other heaps": (
        "classics/upmark",
        "n])), (valuation(n - 1, 2) % 2 == 1) != (popcount(n - 1) == 1)",
        "n])), valuation(n - 1, 2) % 2 == 0",
        "obligation_16",
    ),
}


@pytest.mark.parametrize("id", THEOREMS)
def test_the_theorem_states_the_claim(id: str) -> None:
    text = write(LIBRARY, id)
    assert THEOREMS[id] in text[text.index("Definition claimed") : text.index("End Statement.")]
    claim = load_claim(LIBRARY / f"{id}.toml", id)
    assert compare(claim, text, some(claim, 64))["holds"]


@cache
def closings_of(id: str) -> tuple[str, ...]:
    """Return the certificates of the obligations of a claim of the library, in their order, as Coq texts."""
    found, original = list[str](), sequents.write_closing

    def note(sequent: Sequent, certificate: Certificate) -> str:
        found.append(original(sequent, certificate))
        return found[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequents, "write_closing", note)
        write(LIBRARY, id)
    return tuple(found)


@needs_coq
@pytest.mark.parametrize("false", FALSE)
def test_a_false_claim_is_no_theorem(theory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, false: str) -> None:
    id, old, new, at = FALSE[false]
    work, _, _ = id.partition("/")
    ruleset = "nim" if work == "classics" else work
    spoil(tmp_path, ruleset, [work], (f"{id}.toml", old, new))
    if at not in ("claim", "claim_1", "can_move"):
        with pytest.raises(Unsupported, match="no certificate"):
            write(tmp_path, id)
    compile_lemmas(theory, id)
    lies = iter(closings_of(id))
    monkeypatch.setattr(sequents, "write_closing", lambda sequent, certificate: next(lies))
    monkeypatch.setattr(Prover, "find_certificate", lambda self, sequent: None)
    assert refused_at(theory, write(tmp_path, id), at) == at


# id, text of the statement, the text in its place, the lemma that Coq refuses
OTHER_GAMES = {
    "misere play": ("classics/mark-3", "stuck_wins := false", "stuck_wins := true", "who_wins"),
    "moves that take nothing": ("classics/mark-3", "(exists m, 1 <= m /\\", "(exists m, 0 <= m /\\", "fewer"),
    "heaps that differ": ("classics/wythoff", "= g /\\ y__ + m = h", "= g /\\ y__ + m = h + 1", "closed"),
    "half a heap, rounded down": ("classics/upmark", "y = (h + 1) / 2", "y = h / 2", "closed"),
    "other digit sums": ("classics/digit-sum", "m 10 mod 9 <> 0 /\\", "m 10 mod 9 <> 1 /\\", "closed"),
    "multiples of 3": ("classics/digit-sum", "<-> n mod 9 = 0.\nEnd", "<-> n mod 3 = 0.\nEnd", "digit_sum_"),
    "another exponent": ("classics/mark-3", "valuation n 3 mod 2 = 1.\nEnd", "valuation n 2 mod 2 = 1.\nEnd", "mark_3"),
}


@needs_coq
@pytest.mark.parametrize("name", OTHER_GAMES)
def test_a_proof_by_few_heaps_is_for_its_own_game(theory: Path, name: str) -> None:
    assert refused_after(theory, *OTHER_GAMES[name]) == OTHER_GAMES[name][-1]
