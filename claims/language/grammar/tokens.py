"""The words of an expression: numbers, names, operators and brackets, each with its place in the text.

They are Python's, without strings and comments.  A character that begins no word is refused with what to write instead,
also for the signs of mathematics: claims are written by people who would rather write a ≤ b.

>>> [t.text for t in tokenize("2*k >= s[0]")]
['2', '*', 'k', '>=', 's', '[', '0', ']', '']
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from typing import NamedTuple

from claims.language.ground.errors import LanguageError

MAX_LENGTH = 20_000  # characters in one expression
MAX_DIGITS = 400  # digits in one number

QUANTIFIED = "all(... for x in ...) or any(... for x in ...); what [forall] declares is not said again"
KEYWORDS = frozenset(("and", "or", "not", "if", "else", "for", "in", "True", "False"))
FORBIDDEN = {
    "lambda": "a definition: functions are named in [define]",
    "is": "'==' for equality",
    "None": "a value: the language has no None",
    "import": "an expression: a claim file states, it cannot import",
    "elif": "'else': a choice is written A if C else B if D else E",
}
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)|(?P<number>[0-9][\w.]*)|(?P<name>[^\W\d]\w*)"
    r"|(?P<op>\*\*|//|==|!=|<=|>=|[-+*/%^<>()\[\]{},.:])"
)
_NUMBER = re.compile(r"[0-9]+(?:_[0-9]+)*")
_INSTEAD = {
    "'": "no quotes: the language has no strings",
    '"': "no quotes: the language has no strings",
    "&": "'and' between conditions",
    "|": "'or' between conditions",
    "=": "'==' for equality",
    "!": "'not', or '!=' for inequality",
    "~": "'not' before a condition",
    "#": "no comment here: comments stand outside the quotes",
    ";": "one expression; 'and' joins conditions",
    "≤": "'<='",
    "≥": "'>='",
    "≠": "'!='",
    "⊕": "'^' for nim-addition",
    "\N{MINUS SIGN}": "'-'",
    "\N{EN DASH}": "'-'",
    "\N{MULTIPLICATION SIGN}": "'*'",
    "·": "'*'",
    "⋅": "'*'",
    "÷": "'//' for the floor of a quotient, '/' for a fraction",
    "∧": "'and'",
    "\N{LOGICAL OR}": "'or'",
    "¬": "'not'",
    "⇒": "implies(a, b)",
    "→": "implies(a, b)",
    "⟹": "implies(a, b)",
    "⇔": "iff(a, b)",
    "↔": "iff(a, b)",
    "⟺": "iff(a, b)",
    "∈": "'in'",
    "∉": "'not in'",
    "∀": "all(... for x in ...)",
    "∃": "any(... for x in ...)",
    "∑": "sum(... for x in ...)",
    "²": "'** 2'",
    "³": "'** 3'",
    "∞": "no bound: 1.. goes on for ever",
    "\\": "no LaTeX: '<=' for \\leq, '^' for \\oplus, all(... for x in ...) for \\forall",
    "“": "no quotes: the language has no strings",
    "”": "no quotes: the language has no strings",
}
_QUANTIFIED = re.compile(r"\s*(for|forall|exists|there)\b")  # how a sentence begins, and no expression


class Token(NamedTuple):
    kind: str  # "number", "name", "keyword", "op", "end"
    text: str
    start: int
    end: int


def is_name(text: str) -> bool:
    """Whether `text` can name something: letters, digits and _, no digit first, and no word of Python's.

    >>> is_name("h"), is_name("2h"), is_name("in")
    (True, False, False)
    """
    return text.isidentifier() and not keyword.iskeyword(text)


def tokenize(text: str) -> list[Token]:
    """The tokens of `text` with an end mark. Raises LanguageError at the first character that begins none."""
    if len(text) > MAX_LENGTH:
        raise LanguageError(
            f"the expression has {len(text)} characters", f"at most {MAX_LENGTH}; name its parts in [define]", 0, 1
        )
    tokens: list[Token] = []
    at = last = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise LanguageError(f"{text[at]!r} is not in the language", _instead(text, at), at, at + 1)
        kind, word, at = match.lastgroup or "", match.group(), match.end()
        if kind == "space":
            continue
        if kind == "number":
            _check_number(word, match.start())
        elif kind == "name":
            _check_name(word, match.start())
        tokens.append(Token("keyword" if word in KEYWORDS else kind, word, match.start(), at))
        last = at
    tokens.append(Token("end", "", last, last + 1))
    return tokens


def _check_number(word: str, at: int) -> None:
    if ".." in word:
        raise LanguageError(
            f"{word!r} is a domain, not a value", "range(a, b), which is a, ..., b - 1", at, at + len(word)
        )
    if not _NUMBER.fullmatch(word):
        hint = (
            "a whole number in digits; a fraction is 3 / 4" if "." in word else "a whole number in digits, such as 12"
        )
        hint += "; a product needs its '*'" if re.fullmatch(r"[0-9]+[^\W\d_]\w*", word) else ""
        raise LanguageError(f"{word!r} is no number of the language", hint, at, at + len(word))
    if len(word) > MAX_DIGITS:
        raise LanguageError(f"a number of {len(word)} digits", f"at most {MAX_DIGITS}", at, at + len(word))


def _check_name(word: str, at: int) -> None:
    if keyword.iskeyword(word) and word not in KEYWORDS:
        expected = FORBIDDEN.get(word, "another name: this word belongs to Python")
        raise LanguageError(f"{word!r} is not in the language", expected, at, at + len(word))
    if not word.isidentifier():
        bad = next(i for i in range(len(word)) if not word[: i + 1].isidentifier())
        raise LanguageError(f"{word[bad]!r} is not in the language", _instead(word, bad), at + bad, at + bad + 1)


def _instead(text: str, at: int) -> str:
    char = text[at]
    if text.startswith("=>", at):
        return "implies(a, b), or '>='"
    if _QUANTIFIED.match(text):
        return QUANTIFIED
    if re.match(r"\|[^|]*\|(?!\|)", text[at:]) and not re.match(r"\s*\|", text[:at][::-1]):
        return "len(s) for the number of heaps, abs(x) for the size of a number; 'or' between conditions"
    if char in _INSTEAD:
        return _INSTEAD[char]
    plain = unicodedata.normalize("NFKC", char)
    if plain.isascii() and plain.isprintable():
        return f"the plain {plain!r}"
    return "a number, a name, an operator or a bracket"
