"""Conditions and folds of proofs in English; no text instead of a misleading one."""

from __future__ import annotations

import pytest

from claims.language.syntax import terms as t
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.terms import BOOL, INT, POSITION
from claims.language.typesetting.english import describe_term, fold_in_words

FOLDS = {
    "X": "nim_sum(s)",
    "c": "count(h >= k for h in s)",
    "bigger": "count(h > k for h in s)",
    "small": "count(h < k for h in s)",
    "odd": "count(h % 2 == 1 for h in s)",
    "ones": "s.count(1)",
    "n": "len(s)",
    "g": "nim_sum(h for h in s if h >= k)",
    "r": "nim_sum(h for h in s if h < k)",
    "strange": "nim_sum(h % k for h in s)",
}
INNER = Elaborator(dict.fromkeys([*FOLDS, "k", "l", "h"], INT) | {"s": POSITION, "ready": BOOL})
FOLD_TERMS = {name: INNER.term(text) for name, text in FOLDS.items()}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nim_sum(s)", "the nim-sum"),
        ("count(h >= k for h in s)", "the number of heaps that are at least k"),
        ("count(k < h for h in s)", "the number of heaps that are above k"),
        ("count(h == 1 for h in s)", "the number of heaps of size 1"),
        ("count(h % 2 == 1 for h in s)", "the number of odd heaps"),
        ("count(h >= k and h < l for h in s)", "the number of heaps that are at least k and below l"),
        ("s.count(k + 1)", "the number of heaps of size k + 1"),
        ("len(s)", "the number of heaps"),
        ("sum(s)", "the total of the heaps"),
        ("nim_sum(h for h in s if h < k)", "the nim-sum of the heaps below k"),
        ("nim_sum(h for h in s if h % 2 == 0)", "the nim-sum of even heaps"),
        ("nim_sum(h % k for h in s)", ""),
        ("nim_sum(h for h in s if (h ^ k) < h)", ""),
        ("count(h > k for h in [1, 2])", ""),
        ("nim_sum(h for h in s if h < h)", ""),
    ],
)
def test_a_fold_is_called(text: str, words: str) -> None:
    assert fold_in_words(INNER.term(text)) == words


CONDITIONS = {
    "c == 0 and X != 0": "no heap is at least k and the nim-sum is not 0",
    "c == 1": "exactly one heap is at least k",
    "c >= 3": "three or more heaps are at least k",
    "c > 1": "two or more heaps are at least k",
    "c <= 1": "at most one heap is at least k",
    "c < 3": "at most two heaps are at least k",
    "c < 1": "no heap is at least k",
    "0 < c": "some heap is at least k",
    "c != 0": "some heap is at least k",
    "c != 2": "the number of heaps that are at least k is not 2",
    "c == 12": "the number of heaps that are at least k is 12",
    "c == 2 and bigger == 0 and small > 0": (
        "exactly two heaps are at least k, no heap is above k and some heap is below k"
    ),
    "r < k": "the nim-sum of the heaps below k is below k",
    "g - r != k": "the nim-sum of the heaps at least k less that of the heaps below k is not k",
    "c == 1 and r < k and g - r == l": (
        "exactly one heap is at least k, the nim-sum of the others is below k and that heap less that nim-sum is l"
    ),
    "odd % 2 == 1": "the number of odd heaps is odd",
    "odd % 2 != 1": "the number of odd heaps is even",
    "X % k == 0": "the nim-sum is a multiple of k",
    "ones >= 2 or n == 1": "two or more heaps are of size 1 or there is exactly one heap",
    "implies(c == 0, g == 0)": "if no heap is at least k, then the nim-sum of the heaps at least k is 0",
    "iff(X == 0, small == 0)": "the nim-sum is 0 exactly when no heap is below k",
    "not X == 0": "the nim-sum is not 0",
    "not (c == 0 and X != 0 or c == 1 and bigger == 0)": (
        "neither of these holds: no heap is at least k and the nim-sum is not 0; "
        "exactly one heap is at least k and no heap is above k"
    ),
    "all(h < k for h in s) and nim_sum(s) == 0": "every heap is below k and the nim-sum is 0",
    "h >= k": "h is at least k",
    "len(s) == 2": "there are exactly two heaps",
    # No text instead of a misleading one.
    "X == g ^ r": "",
    "ready": "",
    "strange == 0": "",
    "c == 0 and strange == 0": "",
    "c == 0 and (X == 0 or r < k)": "",
    "c == 0 and not (X == 0 and r < k)": "",
    "c == 0 and iff(X == 0, r == 0)": "",
    "X == (1 if c == 0 else 0)": "",
    "k * k * k * k * k * k > l": "",
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_a_condition_says(text: str) -> None:
    assert describe_term(INNER.term(text), FOLD_TERMS) == CONDITIONS[text]


def test_that_heap_and_that_nim_sum_are_what_was_spoken_of_last() -> None:
    def say(text: str) -> str:
        return describe_term(INNER.term(text), FOLD_TERMS)

    other = say("r < k and g > 2 and r != l")
    assert other.endswith("and the nim-sum of the heaps below k is not l")
    assert say("c == 1 and bigger == 1 and g == l").endswith("and the nim-sum of the heaps at least k is l")
    assert say("r < k and X == 0 and r != l").endswith("the nim-sum is 0 and the nim-sum of the heaps below k is not l")
    assert say("c == 1 and len(s) == 3 and g == l").endswith("and the nim-sum of the heaps at least k is l")


def test_a_fold_without_words_silences_what_mentions_it() -> None:
    term = t.AllOf(BOOL, 0, 0, (INNER.term("c == 0"), INNER.term("strange >= k")))
    assert describe_term(term, FOLD_TERMS) == ""
    assert describe_term(INNER.term("strange >= k"), {}) == "strange is at least k"
