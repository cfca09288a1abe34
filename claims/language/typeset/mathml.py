"""Terms as presentation MathML, with the minimum of parentheses."""

from __future__ import annotations

from dataclasses import dataclass, field

from claims.language.builtins.notations import Relation, before
from claims.language.builtins.table import BUILTINS
from claims.language.expressions.questions import QUESTIONS
from claims.language.terms import terms as t
from claims.language.terms.markup import (
    SPACE,
    Binding,
    MarkupFragment,
    Words,
    fence,
    make_element,
    mi,
    mn,
    mo,
    mrow,
    mtext,
    separate,
    tell,
)
from claims.language.terms.types import BOOL, OUTCOME, PLAYER, POSITION
from claims.language.typeset.names import is_adjective, typeset_name
from claims.language.typeset.shapes import implication, is_chain, is_difference, items_are_shown, may_touch, selects

B = Binding
CONVENTIONS = {"normal": "normal play", "misere": "misère play"}
OUTCOMES = ("P-position", "N-position", "first player wins", "second player wins")


def typeset_math(term: t.Term, players: tuple[str, ...] = (), named_games: bool = False) -> str:
    """The inside of a `math` element. `named_games`: each question says which game it is about.

    >>> from claims.language.terms.types import INT
    >>> typeset_math(t.Variable(INT, 0, 0, "k"))
    '<mi>k</mi>'
    """
    return MathMLWriter(players, named_games).show(term, last=True)


@dataclass(frozen=True)
class MathMLWriter:
    """Typesets terms, as `builtins.notations.Typesetter` asks; players by name where `players` gives them.

    A term that stands in several places is typeset once: `_known` holds it beside what it came to, so that its id stays
    its own.
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
                implied = implication(term)
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
        """A brace with a line for each case; it is closed by parentheses unless nothing follows."""
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
        """What stands before and after the bar of a set or a list."""
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
            end = before(high)
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
        """In words where it is called by its convention of play."""
        if not self.named_games:
            return ""
        return mtext(CONVENTIONS[game]) if game in CONVENTIONS else typeset_name(game)

    def deny(self, term: t.Term) -> MarkupFragment | None:
        if isinstance(term, t.GameCall):
            shown = QUESTIONS[term.function].shown
            denies = shown.denies_endless if term.endless and shown.denies_endless else shown.denies
            return denies(self, term.written, self.name_game(term.game)) if denies else None
        return self._describe(term, " is not ") if isinstance(term, t.Apply) else None

    def _describe(self, term: t.Apply, verb: str) -> MarkupFragment | None:
        """That s is defective for P2, of a definition whose name is an adjective."""
        types = tuple(x.type for x in term.args)
        if term.type != BOOL or types not in ((POSITION,), (POSITION, PLAYER)) or not is_adjective(term.function.name):
            return None
        mover = (Words(" for "), self.show(term.args[1], B.SUM)) if len(types) > 1 else ()
        return tell(self.show(term.args[0], B.SUM), Words(verb + term.function.name), *mover)

    def may_touch(self, left: t.Term, right: t.Term) -> bool:
        return may_touch(left, right)


def _line(value: str, condition: str) -> str:
    return make_element("mtr", make_element("mtd", value) + make_element("mtd", mrow(condition)))
