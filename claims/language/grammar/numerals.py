"""Numbers as a person reads them."""

from __future__ import annotations

from fractions import Fraction

MAX_SHOWN_BITS = 1400  # of a number that is written out: 400 digits, as many as one in an expression may have


def digits(x: int | Fraction) -> str:
    """The number in decimal digits; of a very long one, how long it is: Python writes none of more than 4300 digits.

    >>> digits(-12), digits(Fraction(1, 3)), digits(2**4000), digits(Fraction(1, 3**4000))
    ('-12', '1/3', 'an integer of 4001 bits', 'a fraction of 6340 bits')
    """
    size = max(x.numerator.bit_length(), x.denominator.bit_length())
    if size <= MAX_SHOWN_BITS:
        return str(x)
    return f"{'an integer' if x.denominator == 1 else 'a fraction'} of {size} bits"
