"""Names of claim files as mathematics: x, x₁, α, piles, "stays above 1"."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from claims.language.expressions.printing import display
from claims.language.terms.markup import SPACE, make_element, mi, mn, subscript

NAMED = 'class="name"'  # of several letters, chosen by whoever wrote the claim

GREEK = dict(
    zip(
        (
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon "
            "phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
        ).split(),
        "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        strict=True,
    )
)


@lru_cache(maxsize=1_000)
def typeset_name(name: str) -> str:
    """The markup of a variable or definition; what runs is shown as the file writes it.

    >>> typeset_name("t'3"), typeset_name("x1")
    ('<mi>t</mi>', '<msub><mi>x</mi><mn>1</mn></msub>')
    """
    name = (display(name) or name).replace("misere", "misère")
    match = re.fullmatch(r"([^\W\d_]+)(?:_?(0|[1-9][0-9]{0,3})|_([^\W\d_]+))?", name)
    if not match or ("_" in name and not is_short(match[1])):
        words = name.replace("_", " ") if re.fullmatch(r"[^\W_]+(_[^\W_]+)+", name) else name
        return make_element("mi", escape(words).replace(" ", SPACE), NAMED)  # an mtext would lose the space before it
    letter, number, word = match.groups()
    base = mi(GREEK.get(letter, letter), "" if is_short(letter) else NAMED)
    if number:
        return subscript(base, mn(int(number)))
    return subscript(base, mi(word, NAMED)) if word else base


def is_short(name: str) -> bool:
    """Whether a name is one letter, perhaps with a number below it, so that it may touch another in a product."""
    name = display(name)
    return re.fullmatch(r"[^\W\d_](_?[0-9]{1,4})?", name) is not None or name in GREEK


def is_adjective(name: str) -> bool:
    """Whether "s is NAME" reads well.

    >>> is_adjective("defective"), is_adjective("wins_all")
    (True, False)
    """
    return (
        re.fullmatch(r"[a-z]{2,}(ive|ed|able|ible|ous|ful|less|ic)|lost|won|safe|cold|hot|even|odd|empty|small", name)
        is not None
    )
