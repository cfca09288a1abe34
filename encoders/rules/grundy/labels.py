"""What the obligations about single heaps and their sums are called, where a line of the proof is shown by them."""

from __future__ import annotations

HEAP, BELOW = "heap", "value below"  # what has digits
NATURAL = "value is natural"
EMPTY = "no heap has the value 0"
AVOID = "avoid"
COVER = "options cover"
TERMS = "sum: the terms are Grundy values"
FROM_ZERO = "sum: from nim-sum 0 a move changes it"
ODD = "sum: a 1 in the nim-sum is an odd number of ones"
LOWERED = "sum: a value with a 1 at its highest place is lowered"
TO_ZERO = "sum: from another the top bit's heap restores it"
WITNESS = "the witness's lemma"
CLAIM = "claim"
EACH, TWO = "each", "any two"  # of powers
FACTOR = "a factor above 0 is left out on both sides"
FOLLOWS = "what follows of two"
ABOVE = "one above every number"


def zero(what: str) -> str:
    """That 0 has digits."""
    return f"digits of 0 as a {what}"


def following(what: str) -> str:
    """That the next number has digits."""
    return f"digits of the next {what}"


def lemma(name: str) -> str:
    """That a lemma holds."""
    return f"lemma {name!r}"


def option_digits(number: int) -> str:
    """That the digits of an option, numbered from 0, lie in their ranges."""
    return f"option {number + 1}: digits"


def option_legal(number: int) -> str:
    """That an option is reached by a legal move."""
    return f"option {number + 1}: legal"


def option_value(number: int) -> str:
    """That an option has the value below."""
    return f"option {number + 1}: value"


def heap_digits(number: int) -> str:
    """That a heap of the claim, numbered from 0, has the digits given."""
    return f"heap {number + 1} of the claim: its digits"


def heap_natural(number: int) -> str:
    """That a heap of the claim is not negative."""
    return f"heap {number + 1} of the claim: not negative"


def division(number: int) -> str:
    """That a division, numbered from 0, is what the proof says it is."""
    return f"division {number + 1}"


def arising_covers() -> str:
    """That every heap gets digits in some case."""
    return "digits of a heap: the cases cover"


def arising_smaller(number: int) -> str:
    """That the heap from whose digits others arise, in a case numbered from 0, is smaller."""
    return f"digits of a heap, case {number + 1}: from a smaller heap"


def arising(number: int) -> str:
    """That digits are those of the heap."""
    return f"digits of a heap, case {number + 1}"


def pick_there(number: int, name: str) -> str:
    """That 1 meets the condition of a power picked for an option."""
    return f"option {number + 1}: {name} can be 1"


def pick_bounded(number: int, name: str) -> str:
    """That large powers do not meet it."""
    return f"option {number + 1}: {name} is bounded"


def powers(base: int, what: str) -> str:
    """What is shown of all powers of the base."""
    return f"powers of {base}: {what}"
