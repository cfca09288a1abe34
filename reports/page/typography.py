"""Functions that typeset text as HTML: variables in italics, powers raised, digits in groups of three."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from markupsafe import Markup, escape

from checks.results.model import ClaimResult
from claims.language.errors import escape_invisible

LONGEST_PRODUCT = 3
_TOKEN = re.compile(
    r"(?P<square>\b(?P<base>[A-Za-z]) \* (?P=base)\b(?! \*))|(?P<minus>(?<=[ (\u00a0])-(?=\d))"
    r"|(?P<power>\b2\^(?P<exponent>\d+|[a-z]\b))|(?P<dots>(?<=, )\.\.\.(?=,))"
    r"|(?P<range>(?<=\w)\.\.(?=[\w-]))|(?P<nim>(?<= )\^(?= ))"
    r"|(?P<below>(?:\b[A-Za-zν]|\blog)_(?:[A-Za-z]\b|\d+\b))|(?P<greek>\bbeta\b)|(?P<root>\bsqrt (?=\d))"
    r"|(?P<between>(?<=[\w)] )[-*](?= [\w(]))|(?P<tight>(?<=\b[A-Za-z])-(?=\d))"
    r"|(?P<sign>>=|<=|!=|->)"
    rf"|(?P<rest>(?:[\s,;:()]|(?!\bbeta\b|\bsqrt \d)['’]?[^\W\d_]{{{LONGEST_PRODUCT + 1},}}(?:'+(?!\w))?)+)"
    r"|(?P<word>['’]?[^\W\d_]+(?:'+(?!\w))?)|.",
    re.DOTALL,
)
"""`rest`: longer words, which are not typeset, with their separators. `between`: a sign between two possible terms."""
_BINDING = re.compile(
    r"(?:\b[A-Za-z] = )?\((?:\d+(?:, \d+){0,5})?,?\)|\b[A-Za-z] = \d+(?![\w^*]| [-+*^/%])"
    r"|\b[A-Za-z] \+ (?:[A-Za-z]|\d+)\b"
)
"""A position, a value of a variable, or a short sum: no line breaks within it."""
_MINUS = re.compile(
    r"(?:(?<=[^A-Za-z][A-Za-z])|(?<=^[A-Za-z])|(?<=\))) - (?=\d|[A-Za-z](?![\w'])|\()"
    r"|(?<=\d) - (?=[A-Za-z](?![\w'])|\()"
)
"""A minus sign: between a letter or a bracket and a number, a letter or a bracket; or between a number and a letter."""
_RANGE = re.compile(r"-?\d+\.\.\d")
_SHOWN = {">=": "≥", "<=": "≤", "!=": "≠", "->": "→"}
_SIGNS = {*"=<>≤≥≠+-*^⊕%/∈"}
_BEFORE, _AFTER = _SIGNS | {"("}, _SIGNS | {",", ")"}  # next to these a letter is not an article


def set_text(text: str, names: Collection[str] = ()) -> Markup:
    r"""Return a plain text as HTML, with its formulas typeset.

    `names`: one-letter variables, which are set in italics. 2ks is a product if k and s are in `names`.
    2^62 becomes a power, x ^ y a nim-sum, and x_N gets an index. 1..9 gets an ellipsis. beta, sqrt 5, differences and
    products get their signs. Lines do not break within `k = 3`.

    The letter a is usually an article. It is a variable in three places: next to a sign or a range, before a word that
    is not a singular noun, and in `a or b`.

    >>> set_text("a heap h < 2^62 & k 1..9", {"a", "h", "k"})
    Markup('a heap <i>h</i> &lt; 2<sup>62</sup> &amp; <i>k</i> 1…9')
    >>> set_text("a 1..4, a 3-heap game", {"a"})
    Markup('<i>a</i> 1…4, a 3-heap game')
    >>> set_text("a < b", {"a", "b"}), set_text("s ^ 1, P1's", {"s"})
    (Markup('<i>a</i> &lt; <i>b</i>'), Markup('<i>s</i> ⊕ 1, P1&#39;s'))
    >>> set_text("at k = 3, s = (2, 4)", {"k", "s"}) == Markup("at <i>k</i>\xa0=\xa03, <i>s</i>\xa0=\xa0(2,\xa04)")
    True
    >>> set_text("Where a or b objects, a loss, a zeros, the sum of a and b", {"a", "b"})
    Markup('Where <i>a</i> or <i>b</i> objects, a loss, <i>a</i> zeros, the sum of <i>a</i> and <i>b</i>')
    >>> set_text("2ks >= i is ks + i", {"k", "s", "i"})
    Markup('2<i>ks</i> ≥ <i>i</i> is <i>ks</i> + <i>i</i>')
    >>> set_text("N - 1 - beta, n * p, x_N, sqrt 5", {"N", "n", "p"})
    Markup('<i>N</i> − 1 − β, <i>n</i> · <i>p</i>, <i>x</i><sub>N</sub>, √5')
    >>> set_text("0, ..., x_N - 1, 2^e, 2(s-1)t", {"e", "s"})
    Markup('0, …, <i>x</i><sub>N</sub> − 1, 2<sup><i>e</i></sup>, 2(<i>s</i>−1)t')
    >>> set_text("a heap - not a pile - of 2 * 5, h - 5", {"h"})
    Markup('a heap - not a pile - of 2 * 5, <i>h</i> − 5')
    >>> set_text("taking t - 1, a trick - in 2 - 3 moves - with max(h - t, 0) - 1")
    Markup('taking t − 1, a trick - in 2 - 3 moves - with max(h − t, 0) − 1')
    >>> set_text("y * y - x * y = -1, 2 * 2 - 1", {"x", "y"})
    Markup('<i>y</i><sup>2</sup> − <i>x</i> · <i>y</i> = −1, 2 * 2 - 1')
    >>> set_text("Moore's 1s and 2s", {"s"})
    Markup('Moore&#39;s 1s and 2<i>s</i>')
    >>> set_text("skis = ski, sis'", {"k", "s", "i"})
    Markup('skis = <i>ski</i>, sis&#39;')
    >>> set_text("in pairs, no move keeps it, 2it + 1", {"i", "n", "t"})
    Markup('in pairs, no move keeps it, 2<i>it</i> + 1')
    """
    signed = _MINUS.sub(" − ", thin(escape_invisible(text)))
    shown = _BINDING.sub(lambda found: found[0].replace(" ", "\u00a0"), signed)
    known = frozenset(names)
    parts, done = [], 0
    for found in _TOKEN.finditer(shown):
        if (markup := _set_token(found, shown, known)) is not None:
            parts += [escape(shown[done : found.start()]), markup]
            done = found.end()
    return Markup("".join((*parts, escape(shown[done:]))))  # noqa: S704 - each is escaped


def _set_token(found: re.Match[str], text: str, names: frozenset[str]) -> str | None:
    """Return the HTML of a token of the text; None if the token is shown as it is written.

    `found`: the match of the token in `text`. Its last group names the kind of the token.
    """
    kind = found.lastgroup
    if kind is None or kind == "rest":
        return None
    if kind == "word":
        return f"<i>{escape(found[0])}</i>" if _is_name(found[0], found, text, names) else None
    if kind == "square":
        return f"<i>{found['base']}</i><sup>2</sup>" if found["base"] in names else None
    if kind == "power":
        exponent = found["exponent"]
        return f"2<sup>{exponent if exponent.isdigit() else f'<i>{exponent}</i>'}</sup>"
    if kind in ("range", "dots"):
        return "…"
    if kind in ("tight", "minus"):
        return "−" if kind == "minus" or text[found.start() - 1] in names else None
    if kind == "below":
        letter, _, index = found[0].partition("_")
        return f"{letter if letter == 'log' else f'<i>{letter}</i>'}<sub>{index}</sub>"
    if kind in ("greek", "root"):
        return "β" if kind == "greek" else "√"
    if kind == "between":
        return _set_between(found, text, names)
    return "⊕" if kind == "nim" else escape(_SHOWN[found[0]])


_FACTORS = re.compile(r"(?<=[\d\w)]) \* (?=[A-Za-z(])")


def set_rules(text: str, names: Collection[str]) -> Markup:
    """Return the name of a game and its rules as HTML, typeset as by `set_text`.

    Single letters are variables, also if they are not in `names`. Products are shown without signs.

    >>> set_rules("Mark (t = 2 * c): from h objects", {"c", "t"})
    Markup('Mark (<i>t</i> = 2<i>c</i>): from <i>h</i> objects')
    """
    return set_text(_FACTORS.sub("", text), {*names, *_ALONE.findall(text)})


_LETTERS = re.compile(r"(?<![\w'])[b-zB-Z](?!\w)")


def _set_nim_sum(found: re.Match[str]) -> str:
    body, variable, source, condition = found.groups()
    return f"⊕({body} : {variable} ∈ {source}{f', {condition}' if condition else ''})"


_SOURCE: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\bcount\(([^()]*) for (\w) in (\w)\)"), r"#{\2 ∈ \3: \1}"),
    (re.compile(r"\bnim_sum\(([^()]*(?:\([^()]*\)[^()]*)*) for (\w) in (\w)(?: if ([^()]*))?\)"), _set_nim_sum),
    (re.compile(r"\bnim_sum\((\w)\)"), "⊕\u2009\\1"),
    (re.compile(r"\blen\((\w)\)"), r"#\1"),
    (re.compile(r"\bposition\(\[([^][]*)\]\)"), r"(\1)"),
    (re.compile(r"(?<=[\d\w)]) [*·] (?=[A-Za-z(])"), ""),
    (re.compile(r"(?<= )%(?= )"), "mod"),
    (re.compile(r"(?<= )//(?= )"), "div"),
    (re.compile(r"(?<= )==(?= )"), "="),
    (re.compile(r" \*\* "), "^"),
    (re.compile(r"\b([a-z])\[(\d{1,3})\]"), r"\1_\2"),
    (re.compile(r"(?<=\d) - (?=\d)"), " − "),
    (re.compile(r"\b(nim|top)_(sum|bit)(?=\()"), r"\1-\2"),
    (re.compile(r"\b([a-z]{2,})_(?=\w)"), r"\1 "),
)


def set_source(text: str, names: Collection[str] = ()) -> Markup:
    """Return a sentence with terms of the claim language as HTML, in mathematical notation.

    `names`: the one-letter variables. If it is empty, every single letter except a and A is a variable.

    >>> set_source("s[0].c[0] needs 0 <= 3 - 1", {"s", "c"})
    Markup('<i>s</i><sub>0</sub>.<i>c</i><sub>0</sub> needs 0 ≤ 3 − 1')
    >>> set_source("position([2 * k]) needs k % 2 == 0", {"k"})
    Markup('(2<i>k</i>) needs <i>k</i> mod 2 = 0')
    >>> set_source("nim_sum(h for h in s if h <= k) == 0 or count(h > k for h in s) == 1").striptags()
    '⊕(h : h ∈ s, h ≤ k) = 0 or #{h ∈ s: h > k} = 1'
    """
    signs = text
    for source, sign in _SOURCE:
        signs = source.sub(sign, signs)
    return set_text(signs, names or set(_LETTERS.findall(text)))


def set_sum(text: str) -> Markup:
    """Return a sum of products of numbers and one-letter names as HTML. The text is in the claim language.

    >>> set_sum("e * t + 2 * q * (k - 1)")
    Markup('<i>et</i> + 2<i>q</i>(<i>k</i> − 1)')
    """
    return set_text(_FACTORS.sub("", text), set(re.findall(r"\b[A-Za-z]\b", text)))


_LAST, _NEXT, _INDEXED = re.compile(r"[\w)]+$"), re.compile(r"[\w(]+"), re.compile(r"[A-Za-z]_\w")


def _set_between(found: re.Match[str], text: str, names: frozenset[str]) -> str | None:
    """Return the typeset sign for a hyphen or an asterisk between two terms: "−" or "·".

    Return None unless both terms are numbers or names, and at least one is a name. The sign is then shown as it is.
    """
    sides = _LAST.search(text[: found.start() - 1]), _NEXT.match(text, found.end() + 1)
    terms = [x[0].strip("()") for x in sides if x is not None]
    named = [x == "beta" or _INDEXED.fullmatch(x) is not None or (x != "" and names.issuperset(x)) for x in terms]
    if len(terms) < 2 or not any(named) or not all(n or x.isdigit() for n, x in zip(named, terms, strict=True)):
        return None
    return "−" if found[0] == "-" else "·"


def _is_name(word: str, found: re.Match[str], text: str, names: frozenset[str]) -> bool:
    if not names.issuperset(word) or len(word) > LONGEST_PRODUCT:
        return False
    if word in _ENGLISH and not text[: found.start()][-1:].isdigit():
        return False
    if word == "s" and _ONES.search(text[: found.start()]):
        return False
    return (len(word) == 1 and word != "a") or _stands_at_a_sign(found, text) or _is_no_article(found, text, names)


_ENGLISH = frozenset(
    (
        "all am an and any are as at be but by can do few for go has he if in is it its let lie may me met my no nor "
        "not now of off on one or out own per put run set she six so sum ten the to too top two up us use was way we "
        "who why win won yet"
    ).split()
)
"""Short words that are not products, even if each of their letters is a name."""
_ONES = re.compile(r"(?<![\w.])[01]$")  # 0s and 1s are digits
_AFTERWARDS = re.compile(r" (?:(?:or|and) (?P<other>[A-Za-z])\b|(?!series\b|means\b)[a-z]+s\b(?<![sui]s))|[,.;:)]|$")
_BESIDE = re.compile(r"\b(?P<other>[b-zA-Z]) (?:or|and) $")


def _is_no_article(found: re.Match[str], text: str, names: frozenset[str]) -> bool:
    """Return whether a letter a must be a variable, not the article, as in `a or b`, `a zeros` and `the period a.`."""
    after = _AFTERWARDS.match(text, found.end())
    other = after["other"] if after else None
    if after and (other is None or other in names):
        return True
    before = _BESIDE.search(text[: found.start()])
    return before is not None and before["other"] in names


def _stands_at_a_sign(found: re.Match[str], text: str) -> bool:
    before, after = text[: found.start()], text[found.end() :].lstrip()
    beside = before[-1:].isdigit() or before.rstrip()[-1:] in _BEFORE or after[:1] in _AFTER
    return beside or _RANGE.match(after) is not None


_ALONE = re.compile(r"(?<!\S)[b-z](?=[,.:;]?(?:\s|$))")


_HELD = re.compile(r"\(*<math>(?:(?!</math>).)*</math>[),;:.]*", re.DOTALL)


def hold(markup: str) -> Markup:
    """Return HTML that does not break a line between a formula and the brackets or punctuation that touch it.

    >>> k, m = "<math><mi>k</mi></math>", "<math><mi>m</mi></math>"
    >>> hold(f"({k} or {m}), {m}").replace(k, "k").replace(m, "m")
    Markup('<span class="held">(k</span> or <span class="held">m),</span> m')
    """

    def wrap(found: re.Match[str]) -> str:
        alone = found[0].startswith("<") and found[0].endswith(">")
        return found[0] if alone else f'<span class="held">{found[0]}</span>'

    return Markup(_HELD.sub(wrap, markup))  # noqa: S704 - our own markup


def names_of(claim: ClaimResult) -> frozenset[str]:
    """Return the one-letter names of a claim: its variables, its definitions, and the parameters of its games.

    Each lower-case letter other than a that is a word of the statement is also included.
    """
    parameters = (name for _, game in claim.statement.games for name in re.findall(r"\b([^\W\d_]) = ", game))
    defined = (*claim.statement.domains, *claim.statement.formal)
    alone = _ALONE.findall(claim.statement.text)
    return frozenset((*(name for name, _ in defined if len(name) == 1), *parameters, *alone))


def thin(text: str) -> str:
    r"""Replace the spaces between groups of three digits by narrow no-break spaces. The text must not contain markup.

    >>> thin("812 340 cases") == "812\u202f340 cases"
    True
    """
    return re.sub(r"(?<=\d) (?=\d{3}(?!\d))", "\u202f", text)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, which are separated by empty lines."""
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
