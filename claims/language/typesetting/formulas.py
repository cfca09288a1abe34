"""Terms as presentation MathML with few parentheses, inside HTML that can break lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from html import escape, unescape
from itertools import pairwise

from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.game_values import typeset_game
from claims.language.syntax.notation import (
    LAST_COMMA,
    SPACE,
    Binding,
    MarkupFragment,
    Relation,
    Words,
    fence,
    make_element,
    mi,
    mn,
    mo,
    mrow,
    mtext,
    separate,
    subscript,
    tell,
    write_predecessor,
)
from claims.language.syntax.printing import display
from claims.language.syntax.questions import QUESTIONS
from claims.language.syntax.terms import BOOL, OUTCOME, PLAYER, POSITION

# == names ============================================================================================================
# Names of claim files as mathematics: x, x₁, α, piles, "stays above 1".
NAMED = 'class="name"'  # the style of names with several letters, which the author of the claim chose

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
    """Return the name of a variable or definition as MathML. A mark that makes the name unique is not shown.

    >>> typeset_name("t'3"), typeset_name("x1")
    ('<mi>t</mi>', '<msub><mi>x</mi><mn>1</mn></msub>')
    """
    name = (display(name) or name).replace("misere", "misère")
    match = re.fullmatch(r"([^\W\d_]+)(?:_?(0|[1-9][0-9]{0,3})|_([^\W\d_]+))?", name)
    if not match or ("_" in name and not is_short(match[1])):
        words = name.replace("_", " ") if re.fullmatch(r"[^\W_]+(_[^\W_]+)+", name) else name
        return make_element("mi", escape(words).replace(" ", SPACE), NAMED)  # mtext would drop the space before it
    letter, number, word = match.groups()
    base = mi(GREEK.get(letter, letter), "" if is_short(letter) else NAMED)
    if number:
        return subscript(base, mn(int(number)))
    return subscript(base, mi(word, NAMED)) if word else base


def is_short(name: str) -> bool:
    """Return whether a name is shown as one letter, perhaps with a number as a subscript: k, x1, alpha.

    A product of two such names needs no sign.
    """
    name = display(name)
    return re.fullmatch(r"[^\W\d_](_?[0-9]{1,4})?", name) is not None or name in GREEK


def is_adjective(name: str) -> bool:
    """Return whether the name of a definition looks like an adjective, so that "s is NAME" reads well.

    >>> is_adjective("defective"), is_adjective("wins_all")
    (True, False)
    """
    return (
        re.fullmatch(r"[a-z]{2,}(ive|ed|able|ible|ous|ful|less|ic)|lost|won|safe|cold|hot|even|odd|empty|small", name)
        is not None
    )


# == shapes ===========================================================================================================
# Tests for the shape of terms that are typeset in special ways.
def selects(term: t.Comprehension) -> bool:
    """Return whether a comprehension has the form `{x for x in c if ...}`, so that it only selects elements of c."""
    body = term.body
    one = len(term.clauses) == 1 and isinstance(body, t.Variable) and body.name == term.clauses[0].variable
    return one and term.reducer == "set"


def is_difference(term: t.Term) -> bool:
    return isinstance(term, t.Operation) and term.op == "sub"


def items_are_shown(source: t.Term) -> bool:
    """Return whether a collection is typeset with its elements: a written list or set, or a range `{a, …, b − 1}`."""
    return isinstance(source, t.Collection) or (isinstance(source, t.Operation) and source.op == "range")


def match_implication(term: t.AnyOf) -> tuple[t.Term, t.Term] | None:
    """Return A and B if the file contains `implies(A, B)` for this term; otherwise None.

    The term of `implies(A, B)` is `not A or B`. It differs from a written `not A or B` by its `not`, which begins and
    ends in the text where A does.
    """
    match term.args:
        case (t.Operation(op="not", args=(x,)) as denied, y) if (denied.start, denied.end) == (x.start, x.end):
            return x, y
    return None


def is_chain(args: tuple[t.Term, ...]) -> bool:
    """Return whether these conditions, joined by `and`, were written as one chain of comparisons: `a <= b < c`."""
    found = [x for x in args if isinstance(x, t.Operation) and isinstance(BUILTINS[x.op].shown, Relation)]
    if len(args) < 2 or len(found) < len(args) or any(x.args[0].type == BOOL for x in found):
        return False
    return all(_is_same(x.args[1], y.args[0]) for x, y in pairwise(found))


def _is_same(x: t.Term, y: t.Term) -> bool:
    """Return whether two terms are equal and come from the same place in the text."""
    if x is y:
        return True
    alike = type(x) is type(y) and (x.start, x.end) == (y.start, y.end) and _call(x) == _call(y)
    parts, others = t.subterms(x), t.subterms(y)
    return alike and len(parts) == len(others) and all(map(_is_same, parts, others))


def _call(term: t.Term) -> object:
    """Return a value for comparing two terms apart from their subterms: for example, the name of an operation.

    Running variables have the names of the file.
    """
    match term:
        case t.Literal(value=value):
            return value
        case t.Quotation(text=text):
            return text
        case t.Variable(name=name):
            return display(name)
        case t.Operation(op=op):
            return op
        case t.GameCall(function=name, game=game):
            return name, game
        case t.Apply(function=function):
            return function.name
        case t.Comprehension(reducer=reducer, clauses=clauses):
            return reducer, [(display(c.variable), len(c.conditions)) for c in clauses]
    return None


# -- products ---------------------------------------------------------------------------------------------------------
def may_touch(left: t.Term, right: t.Term) -> bool:
    """Return whether a product of these factors needs no sign, such as `2k`, `kq` or `2(k + 1)`.

    `k(q + 1)` needs a sign, because it could be a call, and so does `k·k`.
    """
    end, beginning = _ends(left), _begins(right)
    neighbour = left.args[1] if isinstance(left, t.Operation) and left.op == "mul" else left
    if isinstance(neighbour, t.Variable) and isinstance(right, t.Variable) and neighbour.name == right.name:
        return False
    return end != "" and (beginning == "letter" or (beginning == "parenthesis" and end == "digit"))


def _begins(term: t.Term) -> str:
    """Return "letter" or "parenthesis" if a typeset right factor begins with one; otherwise ""."""
    match term:
        case t.Variable(name=name) | t.Apply(function=t.Function(name=name), args=()):
            return "letter" if is_short(name) else ""
        case t.Operation(op="pow", args=(x, _)):
            return _begins(x)
        case t.Operation(op="add" | "sub" | "nim"):
            return "parenthesis"
    return ""


def _ends(term: t.Term) -> str:
    """Return "digit", "letter" or "parenthesis" if a typeset left factor ends with one; otherwise ""."""
    match term:
        case t.Literal(value=v):
            return "digit" if v >= 0 else "parenthesis"
        case t.Operation(op="mul", args=(_, y)):
            return _begins(y)
    return _begins(term)


# == mathml ===========================================================================================================
# Terms as presentation MathML, with as few parentheses as possible.
B = Binding
CONVENTIONS = {"normal": "normal play", "misere": "misère play"}
OUTCOMES = ("P-position", "N-position", "first player wins", "second player wins")


def typeset_math(term: t.Term, players: tuple[str, ...] = (), named_games: bool = False) -> str:
    """Return a term as MathML, without the `math` element around it.

    `players`: the names to show for players.
    `named_games`: whether each question about a game shows the name of the game.

    >>> from claims.language.syntax.terms import INT
    >>> typeset_math(t.Variable(INT, 0, 0, "k"))
    '<mi>k</mi>'
    """
    return MathMLWriter(players, named_games).show(term, last=True)


@dataclass(frozen=True)
class MathMLWriter:
    """An object that typesets terms as MathML (see `notation.Typesetter`).

    `players`: the names to show for players.
    `named_games`: whether each question about a game shows the name of the game.
    `_known`: the markup of the terms that were typeset before, by the id of the term and by `last`. It also contains
    the term, so that no other object gets the same id.
    """

    players: tuple[str, ...] = ()
    named_games: bool = False
    _known: dict[tuple[int, bool], tuple[t.Term, MarkupFragment]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def show(self, term: t.Term, binding: Binding = B.ANYTHING, last: bool = False) -> str:
        piece = self.typeset(term, last)
        return fence(piece.markup) if piece.binding < binding else piece.markup

    def typeset(self, term: t.Term, last: bool = False) -> MarkupFragment:
        found = self._known.get((id(term), last))
        if found is None:
            found = self._known[id(term), last] = term, self._typeset(term, last)
        return found[1]

    def _typeset(self, term: t.Term, last: bool) -> MarkupFragment:
        match term:
            case t.Literal():
                return self._show_literal(term)
            case t.Variable(name=name):
                return MarkupFragment(typeset_name(name))
            case t.AllOf(args=(x,)) | t.AnyOf(args=(x,)):
                return self.typeset(x, last)
            case t.AllOf(args=()) | t.AnyOf(args=()):
                return MarkupFragment(mtext("true" if isinstance(term, t.AllOf) else "false"))
            case t.AllOf(args=args):
                return self._show_chain(args) if is_chain(args) else self._join("∧", args, B.NOT, B.AND, last)
            case t.AnyOf(args=args):
                implied = match_implication(term)
                return (
                    self._join("⟹", implied, B.OR, B.ANYTHING, last)
                    if implied
                    else (self._join("∨", args, B.AND, B.OR, last))
                )
            case t.IfElse():
                return self._show_cases(term, last)
            case t.Collection(items=items):
                if not items and term.type.kind == "set":
                    return MarkupFragment(mi("∅"))
                return MarkupFragment(fence(self._show_items(items), *("{}" if term.type.kind == "set" else "()")))
            case t.Comprehension():
                return self._show_running(term, last)
            case t.Apply(function=function, args=args):
                return self._describe(term, " is ") or MarkupFragment(self.show_call(typeset_name(function.name), args))
            case t.Quotation(text=text):
                return MarkupFragment(mi(typeset_game(text), 'mathvariant="normal"'))
            case t.GameCall(function=name, game=game):
                return QUESTIONS[name].shown.says(self, term.written, self.name_game(game))
            case t.Operation(op=op, args=args):
                row = BUILTINS[op]
                return (
                    row.shown(self, args, last)
                    if row.shown
                    else MarkupFragment(self.show_call(mi(row.called.replace("_", SPACE)), args))
                )
        raise AssertionError(term)

    def _show_literal(self, term: t.Literal) -> MarkupFragment:
        v = term.value
        if term.type == OUTCOME:
            return MarkupFragment(mtext(OUTCOMES[v]))
        if term.type == BOOL:
            return MarkupFragment(mtext("true" if v else "false"))
        if term.type == PLAYER and v < len(self.players):
            return MarkupFragment(mtext(self.players[v]))
        return MarkupFragment(mn(v)) if v >= 0 else MarkupFragment(mrow(mo("−", 'form="prefix"'), mn(-v)), B.SUM)

    def _join(self, sign: str, args: tuple[t.Term, ...], part: Binding, whole: Binding, last: bool) -> MarkupFragment:
        *first, end = args
        return MarkupFragment(
            mrow(mo(sign).join([*(self.show(x, part) for x in first), self.show(end, part, last)])), whole
        )

    def _show_chain(self, args: tuple[t.Term, ...]) -> MarkupFragment:
        whole = ""
        for x in args:
            assert isinstance(x, t.Operation)
            relation = BUILTINS[x.op].shown
            assert isinstance(relation, Relation)
            whole = (whole or self.show(x.args[0], B.MOD)) + mo(relation.sign) + self.show(x.args[1], B.MOD)
        return MarkupFragment(mrow(whole), B.RELATION)

    def _show_cases(self, term: t.IfElse, last: bool) -> MarkupFragment:
        """Return a conditional expression as a brace with a line for each case.

        It needs parentheses unless it is `last`, that is, nothing follows it in the formula.
        """
        lines, rest = list[str](), term.other
        condition, then = term.condition, term.then
        while True:
            lines.append(_line(self.show(then), mtext("if ") + self.show(condition)))
            if not isinstance(rest, t.IfElse):
                break
            condition, then, rest = rest.condition, rest.then, rest.other
        lines.append(_line(self.show(rest), mtext("otherwise")))
        brace = mo("{", 'form="prefix"')
        return MarkupFragment(mrow(brace, make_element("mtable", "".join(lines))), B.ATOM if last else B.ANYTHING)

    def _show_running(self, term: t.Comprehension, last: bool) -> MarkupFragment:
        reducer, clauses = term.reducer, term.clauses
        if reducer not in ("list", "set"):
            row = BUILTINS[reducer]
            assert row.runs is not None
            return row.runs(self, term, last)
        if selects(term) and not clauses[0].conditions and items_are_shown(clauses[0].source):
            return MarkupFragment(self.show_source(clauses[0].source))
        left, right = self.show_members(term)
        inside = mrow(left, mo("∣"), right) if right else left
        return MarkupFragment(fence(inside, *("{}" if reducer == "set" else "()")))

    def show_members(self, term: t.Comprehension) -> tuple[str, str]:
        """Return the two sides of the bar in `{g(x) ∣ x ∈ c}` or `{x ∈ c ∣ A}`. The right side is "" without A."""
        first = term.clauses[0]
        if selects(term):
            where = self._show_clause(t.Clause(first.variable, first.source, ()), braces=True)
            return where, separate([self.show(x, B.OR) for x in first.conditions])
        return self.show(term.body), self.show_clauses(term.clauses)

    def show_source(self, source: t.Term, braces: bool = True) -> str:
        if braces and isinstance(source, t.Collection) and source.items:
            return fence(self._show_items(source.items), "{", "}")
        return self.show(source, B.MOD)

    def show_clauses(self, clauses: tuple[t.Clause, ...], braces: bool = False) -> str:
        return separate([self._show_clause(c, braces) for c in clauses])

    def _show_clause(self, clause: t.Clause, braces: bool) -> str:
        name, source = typeset_name(clause.variable), clause.source
        if isinstance(source, t.Operation) and source.op == "range":
            low, high = source.args
            end = write_predecessor(high)
            upper = mo("<") + self.show(high, B.MOD) if is_difference(end) else mo("≤") + self.show(end, B.MOD)
            where = mrow(self.show(low, B.MOD), mo("≤"), name, upper)
        else:
            where = mrow(name, mo("∈"), self.show_source(source, braces))
        return separate([where, *(self.show(x, B.OR) for x in clause.conditions)])

    def show_call(self, name: str, args: tuple[t.Term, ...]) -> str:
        return mrow(name, fence(self._show_items(args))) if args else name

    def _show_items(self, items: tuple[t.Term, ...]) -> str:
        return separate([self.show(x, B.OR if len(items) > 1 else B.ANYTHING) for x in items])

    def name_game(self, game: str) -> str:
        """Return the name of a game as MathML; "" unless `named_games`, and for the name "".

        For the names "normal" and "misere", return the words "normal play" and "misère play".
        """
        if not self.named_games or not game:
            return ""
        return mtext(CONVENTIONS[game]) if game in CONVENTIONS else typeset_name(game)

    def deny(self, term: t.Term) -> MarkupFragment | None:
        if isinstance(term, t.GameCall):
            shown = QUESTIONS[term.function].shown
            denies = shown.denies_with_draws if term.may_draw and shown.denies_with_draws else shown.denies
            return denies(self, term.written, self.name_game(term.game)) if denies else None
        return self._describe(term, " is not ") if isinstance(term, t.Apply) else None

    def _describe(self, term: t.Apply, verb: str) -> MarkupFragment | None:
        """Return the call of a definition as a sentence such as "s is defective for P2".

        Return None unless the name is an adjective, and the arguments are a position and perhaps a player.

        `verb`: " is " or " is not ".
        """
        types = tuple(x.type for x in term.args)
        if term.type != BOOL or types not in ((POSITION,), (POSITION, PLAYER)) or not is_adjective(term.function.name):
            return None
        mover = (Words(" for "), self.show(term.args[1], B.SUM)) if len(types) > 1 else ()
        return tell(self.show(term.args[0], B.SUM), Words(verb + term.function.name), *mover)

    def may_touch(self, left: t.Term, right: t.Term) -> bool:
        return may_touch(left, right)


def _line(value: str, condition: str) -> str:
    return make_element("mtr", make_element("mtd", value) + make_element("mtd", mrow(condition)))


# == breaking =========================================================================================================
# Line breaks in long formulas: before a sign, outside as many brackets as possible.
LONG = 16  # characters; a longer piece is also broken inside its brackets
_BEFORE = frozenset("+ − ⊕ · = ≠ < ≤ > ≥ ∈ ∉ ⊆ ∧ ∨ ⟹ ⟺ ⇎".split())
_TAG = re.compile(r"<(/?)(\w+)[^>]*>")
_OPERATOR = re.compile(r"<mo([^>]*)>([^<]*)</mo>")
_INFIX = 'form="infix" lspace="0"'  # a space in the text precedes it
_Atom = tuple[int, str]
"""(the number of rows and brackets around an element, its markup); no line breaks inside an element."""


def break_up(markup: str) -> list[str]:
    """Split the MathML of a formula into pieces, between which a line may break. A short formula is one piece.

    A line may break before an operator such as +. It never breaks between brackets that grow with their content, such
    as the brace of a conditional.

    >>> sign, name = "<mo>+</mo>", "<mi>{}</mi>".format
    >>> break_up(f"<mrow>{name('long' * 4)}{sign}{name('x')}</mrow>")
    ['<mi>longlonglonglong</mi>', '<mo form="infix" lspace="0">+</mo><mi>x</mi>']
    """
    return list(_break(list(_list_atoms(markup, 0))))


def width(markup: str) -> int:
    """Return the approximate number of characters that the markup shows."""
    return len(unescape(re.sub(r"<[^>]*>", "", markup)))


def _break(atoms: list[_Atom]) -> Iterator[str]:
    """Yield pieces of a formula. It is split before the operators that are inside the fewest brackets.

    A piece that is longer than LONG is split again, and so on.
    """
    whole = "".join(markup for _, markup in atoms)
    depths = [depth for depth, markup in atoms[1:] if _is_sign(markup)]
    if width(whole) <= LONG or not depths:
        yield _join(atoms)
        return
    least = min(depths)
    starts = [0, *(i for i, (depth, x) in enumerate(atoms) if i and depth == least and _is_sign(x)), len(atoms)]
    for start, end in zip(starts, starts[1:], strict=False):
        yield from _break(atoms[start:end])


def _join(atoms: list[_Atom]) -> str:
    (_, first), *rest = atoms
    if _is_sign(first):
        first = _OPERATOR.sub(rf"<mo {_INFIX}>\2</mo>", first)
    return "".join([first, *(markup for _, markup in rest)])


def _is_sign(markup: str) -> bool:
    found = _OPERATOR.fullmatch(markup)
    return found is not None and "prefix" not in found[1] and unescape(found[2]) in _BEFORE


def _list_atoms(markup: str, depth: int) -> Iterator[_Atom]:
    """Yield the XML elements of a formula, each preceded by the number of rows and brackets around it.

    A row is replaced by its elements, unless it begins with a bracket that grows with its content.

    `depth`: the number of rows and brackets around `markup`.
    """
    inside = 0
    for element in _list_elements(markup):
        if element.startswith("<mrow>") and not _grows(element):
            yield from _list_atoms(element[len("<mrow>") : -len("</mrow>")], depth + inside + 1)
            continue
        found = _OPERATOR.fullmatch(element)
        closes = found is not None and "postfix" in found[1]
        inside -= closes
        yield depth + inside, element
        inside += found is not None and "prefix" in found[1] and found[2] in "({["


def _grows(row: str) -> bool:
    first = next(_list_elements(row[len("<mrow>") : -len("</mrow>")]), "")
    found = _OPERATOR.fullmatch(first)
    return found is not None and "prefix" in found[1] and "stretchy" not in found[1] and found[2] in "({[⌊|"


def _list_elements(markup: str) -> Iterator[str]:
    """Yield the outermost XML elements in the markup."""
    start, depth = 0, 0
    for tag in _TAG.finditer(markup):
        depth += -1 if tag[1] else 1
        if depth == 0:
            yield markup[start : tag.end()]
            start = tag.end()


# == flowing ==========================================================================================================
# A formula as HTML with line breaks: several `math` elements joined by words at the top connectives.
WIDE = 22  # characters; a longer equation may break before its sign


def flow(term: t.Term, players: tuple[str, ...] = (), named_games: bool = False) -> str:
    """Return a condition as HTML: formulas, joined by words such as "and". Text from the claim file is escaped.

    `players`: the names to show for players.
    `named_games`: whether each question about a game shows the name of the game.

    >>> a, b = (t.Variable(BOOL, 0, 0, name) for name in "ab")
    >>> flow(t.AllOf(BOOL, 0, 0, (a, b)))
    '<math><mi>a</mi></math> <span class="conn">and</span> <math><mi>b</mi></math>'
    """
    return make_flow(players, named_games)(term)


def make_flow(players: tuple[str, ...] = (), named_games: bool = False) -> Callable[[t.Term], str]:
    """Return a function like `flow` that is faster for several terms, because it stores the markup of each part."""
    made = _Flow(MathMLWriter(players, named_games))
    return lambda term: made.show(term, _Level.NOTHING, True)


def math(markup: str) -> str:
    """Return the HTML element `math` around MathML."""
    return f"<math>{markup}</math>"


def word(text: str) -> str:
    """Return a connective between formulas, such as "and", as an HTML element."""
    return f'<span class="conn">{escape(text)}</span>'


class _Level(IntEnum):
    """The binding strength of a connective in words, such as "and".

    A part needs parentheses unless it binds more tightly than its context.
    """

    NOTHING = 0
    EQUIVALENCE = 1
    OR = 2
    AND = 3
    TIGHT = 4


@dataclass(frozen=True)
class _Flow:
    writer: MathMLWriter

    def show(self, term: t.Term, around: _Level, last: bool) -> str:
        """Return the HTML of a condition, in parentheses unless it binds more tightly than `around`.

        `around`: the binding strength of the connective around the condition.
        `last`: whether nothing follows the condition, so that "for every" needs no parentheses.
        """
        if isinstance(term, t.AllOf | t.AnyOf) and len(term.args) == 1:
            return self.show(term.args[0], around, last)
        level = self._find_level(term, last)
        if level is None:
            return self._lay_out(term, around, last)
        return self._join_parts(term, last) if level > around else f"({self._join_parts(term, True)})"

    def _find_level(self, term: t.Term, last: bool) -> _Level | None:
        """Return the binding strength of a condition's words; None if it has no connective and no quantifier."""
        match term:
            case t.AllOf(args=(x,)) | t.AnyOf(args=(x,)):
                return self._find_level(x, last)
            case t.Operation(op="eq", args=(x, _)) if x.type == BOOL:
                return _Level.EQUIVALENCE
            case t.AnyOf(args=(_, _, *_)):
                return _Level.EQUIVALENCE if match_implication(term) else _Level.OR
            case t.AllOf(args=(_, _, *_) as args) if not is_chain(args):
                return _Level.AND
            case t.Comprehension(reducer="all" | "any"):
                return _Level.TIGHT if last else _Level.NOTHING
            case t.Operation(op="not", args=(t.Comprehension(reducer="any") as x,)):
                return self._find_level(x, last)
            case t.Operation(op="not", args=(x,)) if self._find_level(x, True) is not None:
                return _Level.TIGHT
        return None

    def _join_parts(self, term: t.Term, last: bool) -> str:
        """Return the HTML of a condition with a connective or a quantifier: its parts, joined by words.

        It is not in parentheses. `last`: whether nothing follows the condition.
        """
        match term:
            case t.Operation(op="eq", args=args):
                return self._join("exactly when", args, _Level.EQUIVALENCE, last)
            case t.AnyOf(args=args):
                implied = match_implication(term)
                if implied:
                    return self._join("implies", implied, _Level.EQUIVALENCE, last)
                long = any(isinstance(x, t.AllOf) and not is_chain(x.args) for x in args)
                return self._join(", or" if long else "or", args, _Level.OR, last)
            case t.AllOf(args=args):
                return self._join("and", args, _Level.AND, last)
            case t.Comprehension(reducer="all"):
                return self._quantify(term, "for every")
            case t.Comprehension():
                return self._quantify(term, "there is")
            case t.Operation(args=(t.Comprehension(reducer="any") as found,)):
                return self._quantify(found, "there is no")
            case t.Operation(args=(x,)):
                return f"{word('not')} ({self.show(x, _Level.NOTHING, True)})"
        raise AssertionError(term)

    def _join(self, connective: str, args: tuple[t.Term, ...], around: _Level, last: bool) -> str:
        *first, end = args
        sign = f"{word(connective)} " if connective.startswith(",") else f" {word(connective)} "
        return sign.join([*(self.show(x, around, False) for x in first), self.show(end, around, last)])

    def _quantify(self, term: t.Comprehension, head: str) -> str:
        """Return the HTML of "for every ...", "there is ..." or "there is no ...".

        The condition after the quantifier extends to the end of the result.

        `head`: the words for the quantifier.
        """
        where = math(separate([self.writer.show_clauses((c,), braces=True) for c in term.clauses]))
        link = ":" if head == "for every" else f" {word('such that' if self._is_told(term.body) else 'with')}"
        return f"{word(head)} {where}{link} {self.show(term.body, _Level.EQUIVALENCE, True)}"

    def _is_told(self, term: t.Term) -> bool:
        """Return whether a condition is shown as text that begins with words, not with a symbol."""
        if isinstance(term, t.AllOf | t.AnyOf) and not is_chain(term.args):
            return self._is_told(term.args[0])
        return (
            self._find_level(term, True) is not None
            or isinstance(term, t.GameCall | t.Apply)
            or (isinstance(term, t.Operation) and self.writer.typeset(term).sentence != ())
        )

    def _lay_out(self, term: t.Term, around: _Level, last: bool) -> str:
        """Return the HTML of a condition without connectives: a sentence, a formula, or the pieces of a wide formula.

        `around`: the binding strength of the connective around the condition.
        `last`: whether nothing follows the condition.
        """
        piece = self.writer.typeset(term, last)
        if piece.sentence:
            return "".join(escape(x.text) if isinstance(x, Words) else _show_part(x) for x in piece.sentence)
        whole = self.writer.show(term, _BINDINGS[around], last)
        if width(piece.markup) <= WIDE:
            return math(whole)
        pieces = [x for part in self._divide(term, last) or [whole] for x in break_up(part)]
        return " ".join(math(mrow(x)) for x in pieces) if len(pieces) > 1 else math(whole)

    def _divide(self, term: t.Term, last: bool) -> list[str]:
        """Split a wide formula into pieces of MathML, between which a line may break; return [] if this is impossible.

        A relation is split before its sign, a list or a set between its elements.
        """
        match term:
            case t.AllOf(args=(t.Operation() as first, *_) as args) if is_chain(args):
                links = [(x, last and x is args[-1]) for x in args if isinstance(x, t.Operation)]
                return [self.writer.show(first.args[0], Binding.MOD), *(y for x in links for y in self._link(*x))]
            case t.Operation(args=(x, _)) if isinstance(BUILTINS[term.op].shown, Relation) and x.type != BOOL:
                return [self.writer.show(x, Binding.MOD), *self._link(term, last)]
            case t.Operation(op="max" | "min" | "position" as op, args=(t.Collection(items=(_, _, _, *_)) as listed,)):
                head, *rest = self._divide(listed, last)
                return [head if op == "position" else mi(op) + head, *rest]
            case t.Collection(items=(_, _, _, *_) as items):
                *shown, end = [self.writer.show(x, Binding.OR) for x in items]
                opening, closing = _brackets(term)
                return [(opening if i == 0 else "") + x + LAST_COMMA for i, x in enumerate(shown)] + [end + closing]
            case t.Comprehension(reducer="set" | "list"):
                left, right = self.writer.show_members(term)
                start, end = _brackets(term)
                return [start + left + mo("∣", 'rspace="0"'), right + end] if right else []
        return []

    def _link(self, term: t.Operation, last: bool) -> list[str]:
        """Return the sign of a relation with its right side, as one piece of MathML or several if it is wide."""
        relation, right = BUILTINS[term.op].shown, term.args[1]
        assert isinstance(relation, Relation)
        wide = width(self.writer.show(right)) > WIDE
        first, *rest = (self._divide(right, last) if wide else []) or [self.writer.show(right, Binding.MOD, last)]
        return [mo(relation.sign, 'form="infix" lspace="0"') + first, *rest]


_BINDINGS = {
    _Level.NOTHING: Binding.ANYTHING,
    _Level.EQUIVALENCE: Binding.OR,
    _Level.OR: Binding.AND,
    _Level.AND: Binding.NOT,
}


def _brackets(term: t.Term) -> tuple[str, str]:
    """Return the opening and the closing bracket of a set or a list as MathML. A list is shown in parentheses."""
    opening, closing = "{}" if term.type.kind == "set" else "()"
    return mo(opening, 'form="prefix" stretchy="false"'), mo(closing, 'form="postfix" stretchy="false"')


def _show_part(markup: str) -> str:
    """Return a formula for use in an English sentence, as HTML. Markup that only contains words becomes plain text."""
    found = re.fullmatch(r"<mtext>([^<]*)</mtext>", markup)
    return found[1] if found else math(markup)
