"""Conditions and folds of proofs in short English, where good words are known."""

from __future__ import annotations

from collections.abc import Mapping

from claims.language.expressions import terms as t


def in_words(term: t.Term, folds: Mapping[str, t.Term]) -> str:
    """A condition in plain English, the folds by what they mean, no full stop; "" where no good words are known.

    `folds`: name -> the term of the fold.
    """
    return ""


def fold_in_words(term: t.Term) -> str:
    """What a fold is, such as "the nim-sum of the heaps below k" or "the number of heaps at least k"; "" if unknown."""
    return ""
