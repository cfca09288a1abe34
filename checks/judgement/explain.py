"""The explanation of a claim at a case, such as a counterexample: each term in words, with its value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from checks.referee.judge import Referee
from checks.referee.meaning import LimitReached
from checks.results.shown import ExplanationLine, write_plain
from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS, OperatorSyntax
from claims.language.syntax.game_values import typeset_game
from claims.language.syntax.grammar import MAX_SHOWN_BITS, digits
from claims.language.syntax.meanings import is_compound, write_heap
from claims.language.syntax.names import say_power
from claims.language.syntax.printing import display, print_term
from claims.language.syntax.terms import BOOL, GAME, OUTCOME, PLAYER, POSITION, Type
from claims.language.typesetting.formulas import flow
from claims.language.typesetting.neat import simplify_term

if TYPE_CHECKING:
    from claims.language.syntax.meanings import Position
    from encoders.logic.answer import Case


# == saying ===========================================================================================================
# Terms of a claim in words, with their values, for explanations and boards.
def write_signs(term: t.Term, players: tuple[str, ...] = ()) -> str:
    """Return the term in mathematical notation, such as `n mod 3` for `n % 3`.

    `players`: the names of the players, or () to write players as numbers.
    Terms that are not of type Bool are simplified. Conditions are not, because an explanation shows them as in the
    file.
    """
    return write_plain(flow(term if term.type == BOOL else simplify_term(term), players))


Show = Callable[[t.Term], str]
"""A function that returns the value of a term as text, or the term itself if there is no case."""

_SUM = 6  # the binding strength of a sum
_ORDINAL = OperatorSyntax("{} : {}", 5, (10, 10))  # how explanations show an ordinal sum
_OUTCOMES = ("a P-position", "an N-position", "won by its first player", "won by its second player")  # of t.OUTCOMES


def write_value(value: Any, kind: Type, players: tuple[str, ...]) -> str:
    """Return a value as text: positions as (2, 2, 4), players by name, sets in braces, lists in brackets.

    At most 24 elements of a set or list are written.
    """
    if kind.is_position:
        return f"({', '.join(map(write_heap, value))})"
    if kind.parts:
        return write_heap(value)
    if kind == PLAYER and value < len(players):
        return str(players[value])
    if kind == OUTCOME:
        return str(t.OUTCOMES[value])
    if kind.element is not None:
        inside = [write_value(v, kind.element, players) for v in value[:24]]
        more = f", ... ({len(value)} in all)" if len(value) > 24 else ""
        opening, closing = "{}" if kind.kind == "set" else "[]"
        return opening + ", ".join(inside) + more + closing
    if isinstance(value, bool):
        return str(value)
    written = digits(value)
    if isinstance(value, Fraction) and len(written) > 40 and value.denominator.bit_length() <= MAX_SHOWN_BITS:
        with suppress(OverflowError):  # a float cannot represent 2^1024
            return f"{float(value):.12g} (an exact fraction of {len(str(value.denominator))} digits)"
    return written


def players_of(claim: Claim) -> tuple[str, ...]:
    """Return the names of the players of the game with the most players; () for a claim without games."""
    return max((g.ruleset.players for g in claim.games), key=len, default=())


def show_position(s: Position) -> str:
    """Return a position as text: `(2, 2, 4)`, or `the empty position ()`."""
    return write_value(s, POSITION, ()) if s else "the empty position ()"


def describe_move(s: Position, option: Position) -> str:
    """Return a move as text: both positions and, if exactly one heap changes, the change of this heap.

    If this is a heap with parts, and the position has no other heap, the positions already show the change.

    >>> describe_move((2, 2, 4), (1, 2, 4))
    '(2, 2, 4) -> (1, 2, 4), the heap 2 becoming 1'
    """
    gone, new = Counter(s), Counter(option)
    lost, made = sorted((gone - new).elements()), sorted((new - gone).elements())
    arrow = f"{write_value(s, POSITION, ())} -> {write_value(option, POSITION, ())}"
    if len(lost) != 1 or (len(s) == 1 and is_compound(s[0])):
        return arrow  # the arrow already shows a single heap with parts
    if not made:
        return f"{arrow}, the heap {write_heap(lost[0])} removed"
    return f"{arrow}, the heap {write_heap(lost[0])} becoming {' and '.join(map(write_heap, made))}"


def describe(term: t.Term, truth: bool, show: Show) -> tuple[t.Term, str] | None:
    """Return the position in a condition and the predicate about it, such as `(2, 4)` and `is not defective for P1`.

    `truth`: true for a predicate that states the condition, false for a predicate that states its negation.
    Return None if the condition cannot be written in this way, or is about different positions.
    """
    match term:
        case t.Apply(function=t.Function(name=word), args=(of, *players)) if is_adjective(term):
            whom = "".join(f" for {show(x)}" for x in players)
            return of, f"is {'' if truth else 'not '}{word}{whom}"
        case t.Operation(op="eq" | "ne" as op, args=(t.Operation(op="nim_sum", args=(of,)), t.Literal() as right)):
            has = "has" if truth == (op == "eq") else "does not have"
            return (of, f"{has} nim-sum {show(right)}") if of.type == POSITION else None
        case t.AnyOf(args=args) | t.AllOf(args=args) if args:
            found = [x for x in (describe(x, truth, show) for x in args) if x is not None]
            if len(found) < len(args) or any(show(of) != show(found[0][0]) for of, _ in found):
                return None
            join = " or " if isinstance(term, t.AnyOf) == truth else " and "
            return found[0][0], join.join(said for _, said in found)
    return None


def is_adjective(term: t.Apply) -> bool:
    """Return whether a definition can serve as an adjective, such as `defective(s, p)`: *s is defective for p*."""
    kinds = tuple(x.type for x in term.args)
    word = term.function.name
    return kinds in ((POSITION,), (POSITION, PLAYER)) and len(word) > 1 and word.isalpha() and word.islower()


def name_value(term: t.Term, claim: Claim, show: Show) -> str:
    """Return a phrase for a value of a position, such as `the nim-sum of (2, 4)`; "" for all other terms."""
    match term:
        case t.Operation(op="nim_sum", args=(of,)) if of.type == POSITION:
            return f"the nim-sum of {show(of)}"
        case t.GameCall(function=function, game=game, args=(of, *_)) if function in _CALLED:
            whom = f" for {show(term.written[1])}" if len(term.written) > 1 else ""
            where = _place(game, claim) if game else ""
            return f"the {_CALLED[function]} of {show(of)}{whom}{where}"
    return ""


_CALLED = {
    "grundy": "Grundy value",
    "value": "value",
    "number": "number",
    "mean": "mean value",
    "temperature": "temperature",
    "left_stop": "left stop",
    "right_stop": "right stop",
    "birthday": "birthday",
    "remoteness": "remoteness",
    "suspense": "suspense",
    "score": "best score",
}


def say_outcome(op: str, call: t.Term, right: t.Term, found: int, wanted: int, show: Show) -> str:
    """Return a comparison of outcomes in words, such as `(1, 1) is a P-position, not an N-position`.

    `op`: the comparison, eq or ne. `call`, `right`: its two sides.
    `found`, `wanted`: the values of the sides, as indices of `t.OUTCOMES`.
    Return "" if the condition does not compare `outcome(...)` with a literal outcome.
    """
    if op not in ("eq", "ne") or not isinstance(call, t.GameCall) or call.function != "outcome":
        return ""
    if not isinstance(right, t.Literal):
        return ""
    said = f"{show(call.args[0])} is {_OUTCOMES[found]}"
    return said + (f", not {_OUTCOMES[wanted]}" if found != wanted else "")


def _place(game: str, claim: Claim) -> str:
    """Return ` in TITLE` for a claim about several games, or "" for a claim about one game.

    If two of the games have the same title, use ` in the game NAME`, with the name of the game in the claim.
    """
    titles = [g.ruleset.title for g in claim.games]
    if len(titles) < 2:
        return ""
    return f" in the game {game}" if len(set(titles)) < len(titles) else f" in {claim.game(game).ruleset.title}"


# == explain ==========================================================================================================
# The reasons why a claim fails at a case, in lines that a mathematician can follow without this program.
#
# Each condition of the hypotheses is evaluated and shown with its values. If the conclusion states that some move has a
# property, the explanation gives for every legal move the reason why the move does not have it. If the conclusion
# states that every move has a property, the explanation names one move without the property. The referee computes all
# values.
Env = dict[str, Any]  # the values of names; the type of the term determines the Python type of its value
MAX_ITEMS = 60  # the number of options or elements listed one by one
MAX_DEPTH = 7
_WORD = re.compile(r"\w+")
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_COMPARED = {"lt": "less than", "le": "at most", "gt": "greater than", "ge": "at least"}
_OPPOSITE = {"eq": "!=", "ne": "=", "lt": ">=", "le": ">", "gt": "<=", "ge": "<"}


EXPLANATION_STEPS = 5_000_000  # for the explanation of one case


def explain(referee: Referee, case: Case) -> tuple[ExplanationLine, ...]:
    """Return the lines that explain why the claim of a referee fails at a case.

    The explanation may take EXPLANATION_STEPS steps. If the referee has judged the case before, it has solved the
    positions of the case, and solves none of them again. If a limit is reached, the last line states that the
    explanation is not complete. Raises WrongTable if a table of single heaps is wrong.
    """
    values = say_values(referee.claim, case)
    taken = [ExplanationLine(f"Take {values}.")] if values else []
    referee.steps.left = EXPLANATION_STEPS
    return (*taken, *evaluate(Explainer(referee), case))


def evaluate(explainer: Explainer, case: Case) -> tuple[ExplanationLine, ...]:
    """Return lines that explain whether the hypotheses hold at a case and, if they hold, whether the conclusion holds.

    Raises IllDefined if the claim is undefined at this case, and WrongTable if a table of single heaps is wrong.
    """
    claim, lines = explainer.claim, list[ExplanationLine]()
    parts = [
        ("The hypotheses", "hold", "fail", claim.hypothesis),
        ("The conclusion", "holds", "fails", claim.conclusion),
    ]
    try:
        for part, holds, fails, term in parts:
            if term is not None:
                truth = bool(explainer.value(term, case))
                lines += [ExplanationLine(f"{part} {holds if truth else fails}:"), *explainer.why(term, case, 1)]
                if not truth:
                    break
    except (LimitReached, RecursionError):
        lines.append(ExplanationLine("(The rest of the explanation is too long to print.)"))
    lines += [ExplanationLine(sentence) for sentence in explainer.referee.tell_tables()]
    return tuple(map(explainer.finish, _join_lines(lines)))


def _join_lines(lines: list[ExplanationLine]) -> list[ExplanationLine]:
    """Return the lines, but join each line that ends in a colon with the line below it.

    This is done only if one line is below it, and the joined line is not too long.
    """
    found: list[ExplanationLine] = []
    for line in reversed(lines):
        below = _select_below(found, line.depth)
        if line.text.endswith(":") and line.depth > 0 and len(below) == 1 and len(line.text) + len(below[0].text) < 230:
            found[-1] = ExplanationLine(f"{line.text} {below[0].text}", line.depth)
        else:
            found.append(line)
    return found[::-1]


def _select_below(reversed_lines: list[ExplanationLine], depth: int) -> list[ExplanationLine]:
    """Return the lines below a line with this depth. `reversed_lines`: all later lines, last line first."""
    found = []
    for line in reversed(reversed_lines):
        if line.depth <= depth:
            break
        found.append(line)
    return found


def explain_fault(claim: Claim, case: Case, fault: str) -> str:
    """Return a sentence about a case at which the claim is undefined. `fault`: the reason."""
    values, meant = say_values(claim, case), say_power(claim.hypothesis, claim.conclusion)
    fault += f"; {meant}" if meant else ""
    return f"ill-defined at {values}: {fault}" if values else f"ill-defined: {fault}"


def explain_limit(claim: Claim, case: Case, limit: str) -> str:
    """Return a sentence about a case whose evaluation reached a limit. `limit`: a description of the limit."""
    values = say_values(claim, case)
    return f"a limit was reached at {values}: {limit}" if values else f"a limit was reached: {limit}"


def say_values(claim: Claim, case: Case) -> str:
    """Return a case as text: `k = 3, s = (2, 2, 4)`."""
    players, kinds = players_of(claim), {v.name: v.type for v in claim.variables}
    return ", ".join(f"{n} = {write_value(v, kinds[n], players)}" for n, v in case.items())


class Explainer:
    """A writer of explanations for the terms of the claim of a referee, which computes their values.

    `thorough`: whether to explain also the two sides of a *true* comparison of two conditions. The two sides of a false
    comparison are always explained.
    """

    def __init__(self, referee: Referee, thorough: bool = False) -> None:
        self.claim, self.referee = referee.claim, referee
        self.players, self.thorough = players_of(self.claim), thorough
        self.written: dict[str, t.Term] = {}  # the terms in the lines, by their text in the claim language

    def value(self, term: t.Term, env: Env) -> Any:
        return self.referee.evaluate(term, env)

    def show(self, term: t.Term, env: Env) -> str:
        if term.type == GAME:
            return self._show_game(term, env)
        return write_value(self.value(term, env), term.type, self.players)

    def write(self, term: t.Term) -> str:
        written = print_term(term, self.players)
        self.written.setdefault(written, term)
        return written

    def finish(self, line: ExplanationLine) -> ExplanationLine:
        """Return the line with its field `shown`: the text in mathematical notation, or "" if this is the same text."""
        long = sorted((x for x in self.written if not _WORD.fullmatch(x) or "_" in x), key=len, reverse=True)
        if not long:
            return line
        found = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, long))})(?!\w)")
        shown = found.sub(lambda match: self._write_signs(self.written[match[0]]), line.text)
        return line if shown == line.text else replace(line, shown=shown)

    def _write_signs(self, term: t.Term) -> str:
        """Return the term in mathematical notation.

        The name of a constant is in quotation marks if it has several words.
        """
        shown = write_signs(term, self.players)
        return f'"{shown}"' if " " in shown and isinstance(term, t.Apply) and not term.args else shown

    # -- truth -----------------------------------------------------------------------------------------------------
    def why(self, term: t.Term, env: Env, depth: int) -> list[ExplanationLine]:
        """Return lines that explain whether the condition `term` holds, and why.

        `env`: the values of the variables. `depth`: the depth of the first line.
        """
        truth = bool(self.value(term, env))
        verb = "holds" if truth else "fails"
        if depth > MAX_DEPTH:
            return [ExplanationLine(f"{self.write(term)} {verb}", depth)]
        match term:
            case t.AllOf(args=args):
                return self._parts(args, env, depth, truth, decisive=False)
            case t.AnyOf(args=args):
                return self._parts(args, env, depth, truth, decisive=True)
            case t.Operation(op=op, args=args) if op in _SIGNS:
                meant = "" if truth else say_power(term)
                line = ExplanationLine(self._relation(op, args, env, truth, self.write(term)), depth)
                sides = (
                    []
                    if (truth and not self.thorough) or args[0].type != BOOL
                    else [x for x in args if not self._plain(x)]
                )
                told = [self.why(x, env, depth + 1) for x in sides]
                said = [[ExplanationLine(self._briefly(x, env), depth + 1)] for x in sides]
                below = [under for lines, brief in zip(told, said, strict=True) if lines != brief for under in lines]
                return [line, *([ExplanationLine(f"({meant})", depth)] if meant else []), *below]
            case t.Operation(op="in", args=(item, group)):
                no = "" if truth else "not "
                return [ExplanationLine(f"{self._equate(item, env)} is {no}in {self._equate(group, env)}", depth)]
            case t.Operation(op="not", args=(t.Operation(op="in"),)):
                return self.why(term.args[0], env, depth)
            case t.Operation(op="not", args=(inner,)):
                return self.why(inner, env, depth)
            case t.IfElse(condition=c, then=x, other=y):
                branch = x if self.value(c, env) else y
                return [*self.why(c, env, depth), *self.why(branch, env, depth)]
            case t.Apply(function=f, args=args):
                inner_env = {**env, **dict(zip(f.parameters, [self.value(x, env) for x in args], strict=True))}
                below = self.why(f.body, inner_env, depth + 1)
                return [ExplanationLine(f"{self._explain_call(term, env, truth, below)}:", depth), *below]
            case t.Comprehension(reducer="any" | "all"):
                return self._explain_quantifier(term, env, depth, truth)
            case t.GameCall():
                return self._game(term, env, depth, truth)
        return [ExplanationLine(f"{self.write(term)} {verb}", depth)]

    def _explain_call(self, term: t.Apply, env: Env, truth: bool, below: list[ExplanationLine]) -> str:
        """Return the statement that a definition holds or fails, such as `(2, 4) is not defective for P1`.

        `below`: the lines that explain the statement. The values of the parameters are added in parentheses. In a
        statement as in the example, only the parameters that `below` mentions are added.
        """
        given = {display(p): self.show(x, env) for p, x in zip(term.function.parameters, term.args, strict=True)}
        if found := describe(term, truth, lambda x: self.show(x, env)):
            head = f"{self.show(found[0], env)} {found[1]}"
            used = {word for line in below for word in _WORD.findall(line.text)}
            given = {name: value for name, value in given.items() if name in used}
        else:
            head = f"{self.write(term)} {'holds' if truth else 'fails'}"
        return head + (f" ({', '.join(f'{name} = {value}' for name, value in given.items())})" if given else "")

    def _parts(
        self, args: tuple[t.Term, ...], env: Env, depth: int, truth: bool, decisive: bool
    ) -> list[ExplanationLine]:
        """Return the lines that explain `and` or `or`: for the first deciding part, or for all parts if none decides.

        `truth`: the truth value of the condition.
        `decisive`: the truth value of a deciding part: False for `and`, True for `or`.
        """
        lines: list[ExplanationLine] = []
        for x in args:
            if truth is decisive:
                if bool(self.value(x, env)) is decisive:
                    return self.why(x, env, depth)
            else:
                lines += self.why(x, env, depth)
        return lines

    def _relation(self, op: str, args: tuple[t.Term, ...], env: Env, truth: bool, written: str) -> str:
        left, right = args
        sign = _SIGNS[op] if truth else _OPPOSITE[op]
        if left.type == BOOL:
            same = bool(self.value(left, env)) is bool(self.value(right, env))
            return f"{self._briefly(left, env)}, {'and' if same else 'but'} {self._briefly(right, env, left)}"
        if left.type == OUTCOME:
            values = self.value(left, env), self.value(right, env)
            if said := say_outcome(op, left, right, *values, lambda x: self.show(x, env)):
                return said
        if op in ("eq", "ne"):
            return self._equality(left, right, env)
        if self._name_value(left, env):
            named = self._name_value(right, env)
            limit = f"{named}, {self.show(right, env)}" if named else self._equate(right, env)
            return f"{self._equate(left, env)}, {'' if truth else 'not '}{_COMPARED[op]} {limit}"
        if self._name_value(right, env):
            return f"{self._equate(left, env)}, {'and' if truth else 'but'} {self._equate(right, env)}"
        if self._plain(right):
            return f"{self._equate(left, env)} {sign} {self.write(right)}"
        return f"{written} {'holds' if truth else 'fails'}: {self.show(left, env)} {sign} {self.show(right, env)}"

    def _equality(self, left: t.Term, right: t.Term, env: Env) -> str:
        """Return the comparison of two values as text, such as `the nim-sum of (2, 4) is 6, not 0`."""
        if self._plain(left):
            left, right = right, left
        said, same = self._equate(left, env), self.value(left, env) == self.value(right, env)
        if self._plain(right):
            return said if same else f"{said}, not {self.write(right)}"
        return f"{said}, {'and' if same else 'but'} {self._equate(right, env)}"

    def _briefly(self, term: t.Term, env: Env, after: t.Term | None = None) -> str:
        """Return a short text that a condition holds or fails, such as `P1 loses at (1, 2, 2)` or `its nim-sum is 1`.

        `after`: the condition in the first half of the sentence; the word "its" refers to the position in `after`.
        """
        truth = bool(self.value(term, env))
        match term:
            case t.Operation(op="not", args=(inner,)):
                return self._briefly(inner, env, after)
            case t.GameCall(function="wins", args=(s, *_)):
                ends = "wins" if truth else "does not win" if term.may_draw else "loses"
                where = self.show(s, env) if s.type == GAME else show_position(self.value(s, env))
                return f"{self._player(term, env)} {ends} at {where}"
            case t.Operation(op=op, args=args) if op in _SIGNS and args[0].type != BOOL and self._plain(args[1]):
                return self._refer(self._relation(op, args, env, truth, self.write(term)), after, env)
        return f"{self.write(term)} {'holds' if truth else 'fails'}"

    def _refer(self, said: str, after: t.Term | None, env: Env) -> str:
        """Return the text `said`.

        If `after` states who wins from a position, write `its nim-sum` for the nim-sum of this position.
        """
        while isinstance(after, t.Operation) and after.op == "not":
            (after,) = after.args
        if not isinstance(after, t.GameCall) or after.function != "wins":
            return said
        start = f"the nim-sum of {self.show(after.args[0], env)} is "
        return f"its nim-sum is {said[len(start) :].partition(', not ')[0]}" if said.startswith(start) else said

    def _plain(self, term: t.Term) -> bool:
        """Return whether the term is a literal, possibly converted to a fraction."""
        if isinstance(term, t.Operation) and term.op == "rational":
            return self._plain(term.args[0])
        return isinstance(term, t.Literal)

    def _equate(self, term: t.Term, env: Env) -> str:
        """Return a term with its value, such as `the nim-sum of (2, 4) is 6` or `h = 4`. Return a literal unchanged."""
        if self._plain(term):
            return self.write(term)
        named, written, value = self._name_value(term, env), self.write(term), self.show(term, env)
        if named:
            return f"{named} is {value}"
        return written if written == value else f"{written} = {value}"

    def _name_value(self, term: t.Term, env: Env) -> str:
        return name_value(term, self.claim, lambda x: self.show(x, env))

    # -- any, all ----------------------------------------------------------------------------------------------------
    def _explain_quantifier(self, term: t.Comprehension, env: Env, depth: int, truth: bool) -> list[ExplanationLine]:
        clause = term.clauses[0]
        rest: t.Term = term.body
        if len(term.clauses) > 1:
            rest = t.Comprehension(term.type, term.start, term.end, term.reducer, term.body, term.clauses[1:])
        items = self.value(clause.source, env)
        kind = clause.source.type.element
        cases: list[tuple[object, Env]] = []
        for item in items:
            inner = {**env, clause.variable: item}
            if all(self.value(c, inner) for c in clause.conditions):
                cases.append((item, inner))
        wanted = term.reducer == "any"
        among = self._write_clause(clause, env)
        decisive = next(((i, e) for i, e in cases if bool(self.value(rest, e)) is wanted), None)
        if decisive is not None:
            item, inner = decisive
            return [
                ExplanationLine(f"{self._introduce_item(clause, env, item, kind)}:", depth),
                *self.why(rest, inner, depth + 1),
            ]
        if not cases:
            return [ExplanationLine(f"there is no {among}", depth)]
        if not wanted:
            return [ExplanationLine(f"it holds for every {among} ({len(cases)} of them)", depth)]
        lines = [ExplanationLine(f"it fails for every {among}:", depth)]
        for item, inner in cases[:MAX_ITEMS]:
            lines.append(ExplanationLine(f"{self._label(clause, env, item, kind)}:", depth + 1))
            lines += self.why(rest, inner, depth + 2)
        if len(cases) > MAX_ITEMS:
            lines.append(ExplanationLine(f"and {len(cases) - MAX_ITEMS} more, checked in the same way", depth + 1))
        return lines

    def _write_clause(self, clause: t.Clause, env: Env) -> str:
        """Return a description of the elements of a clause: `move of P2 from (2, 2, 4)` or `h in s with h >= k`."""
        source, such = clause.source, "".join(f" with {self.write(c)}" for c in clause.conditions)
        if isinstance(source, t.GameCall) and source.function == "options":
            who = self._mover(source, env).replace(" for ", " of ")
            return f"move{who} from {self.show(source.args[0], env)}{such}"
        return f"{display(clause.variable)} in {self.write(source)}{such}"

    def _introduce_item(self, clause: t.Clause, env: Env, item: object, kind: Type | None) -> str:
        source = clause.source
        if isinstance(source, t.GameCall) and source.function == "options":
            return f"{self._player(source, env)} can play {self._label(clause, env, item, kind)}"
        return f"for {self._label(clause, env, item, kind)}"

    def _mover(self, call: t.GameCall, env: Env) -> str:
        if len(call.args) < 2 or (call.game and self.claim.game(call.game).ruleset.impartial):
            return ""
        if call.written != call.args:
            return ""
        return f" for {self.show(call.args[-1], env)}"

    def _player(self, call: t.GameCall, env: Env) -> str:
        """Return the name of the player to move, or `the mover` in an impartial game."""
        return self._mover(call, env).removeprefix(" for ") or "the mover"

    def _label(self, clause: t.Clause, env: Env, item: Any, element: Type | None) -> str:
        source = clause.source
        if isinstance(source, t.GameCall) and source.function == "options":
            return describe_move(self.value(source.args[0], env), item)
        written = write_value(item, element, self.players) if element is not None else str(item)
        return f"{display(clause.variable)} = {written}"

    def _show_game(self, term: t.Term, env: Env, power: int = 0) -> str:
        """Return a game as text: `(2, 3)`, `↑*`, `cool((2, 3), 1)`, `nim(3) + kayles(2)`.

        `power`: the least binding strength, as in `OperatorSyntax`, with which the game is shown without parentheses.
        """
        match term:
            case t.Quotation(text=text):
                shown = typeset_game(text)
                return f"({shown})" if power and set(text) & set("+- ") else shown
            case t.GameCall(function="game", args=(s,)):
                return f"{term.game if term.named else ''}{self.show(s, env)}"
            case t.GameCall(args=args):
                return f"{term.called}({', '.join(self.show(x, env) for x in args)})"
            case t.Comprehension(body=body, clauses=clauses):
                parts = [self._show_game(body, inner, _SUM + 1) for inner in self._list_values(clauses, env)]
                shown = " + ".join(parts) or "0"
                return f"({shown})" if power > _SUM and len(parts) > 1 else shown
            case t.IfElse(condition=c, then=x, other=y):
                return self._show_game(x if self.value(c, env) else y, env, power)
            case t.Apply(function=f, args=args) if not any(x.type == GAME for x in args):
                given = zip(f.parameters, (self.value(x, env) for x in args), strict=True)
                return self._show_game(f.body, {**env, **dict(given)}, power)
            case t.Apply(function=f, args=args):
                return f"{f.name}({', '.join(self.show(x, env) for x in args)})"
            case t.Operation(op=op, args=args):
                form = BUILTINS[op].form or _ORDINAL
                sides = (self._show_game(x, env, least) for x, least in zip(args, form.parts, strict=True))
                shown = form.pattern.replace("*", "×").format(*sides)
                return f"({shown})" if form.power < power else shown
        return self.write(term)

    def _list_values(self, clauses: tuple[t.Clause, ...], env: Env) -> Iterator[Env]:
        """Yield the values of all variables for each element that the clauses of a comprehension run over."""
        if not clauses:
            yield env
            return
        for item in self.value(clauses[0].source, env):
            inner = {**env, clauses[0].variable: item}
            if all(self.value(x, inner) for x in clauses[0].conditions):
                yield from self._list_values(clauses[1:], inner)

    # -- games -------------------------------------------------------------------------------------------------------
    def _game(self, term: t.GameCall, env: Env, depth: int, truth: bool) -> list[ExplanationLine]:
        if term.function in ("le", "equals"):
            left, right = (self.show(x, env) for x in term.args)
            sign = {("le", True): "≤", ("le", False): "≰", ("equals", True): "=", ("equals", False): "≠"}
            return [ExplanationLine(f"{left} {sign[term.function, truth]} {right} as games", depth)]
        if not term.game:
            return [ExplanationLine(self._briefly(term, env), depth)]
        s = self.value(term.args[0], env)
        if term.function == "legal":
            option = self.value(term.args[1], env)
            word = "is" if truth else "is not"
            return [ExplanationLine(f"{describe_move(s, option)} {word} a legal move{self._mover(term, env)}", depth)]
        who = self._player(term, env)
        if term.function == "terminal":
            return [
                ExplanationLine(
                    f"{show_position(s)} has {'no' if truth else 'a'} legal move{self._mover(term, env)}", depth
                )
            ]
        if term.function not in ("wins", "draws"):
            return [ExplanationLine(f"{self.write(term)} {'holds' if truth else 'fails'}", depth)]
        mover = self.value(term.args[1], env)
        game = self.referee.game(term.game, env)
        title = game.ruleset.title
        options = game.options(s, mover)
        wins, loses = game.wins(s, mover), game.loses(s, mover)
        if not options:
            end = "wins" if wins else "loses" if loses else "draws"
            return [ExplanationLine(f"at {show_position(s)} {who} cannot move and so {end} ({title})", depth)]
        following = (mover + 1) % game.players
        if wins or not loses:
            good = next(o for o in options if (game.loses if wins else game.draws)(o, following))
            way = f"wins at {show_position(s)} ({title}), by" if wins else f"draws at {show_position(s)} ({title}), by"
            return [ExplanationLine(f"{who} {way} {describe_move(s, good)}", depth)]
        lines = [ExplanationLine(f"{who} loses at {show_position(s)} ({title}); each move has a winning reply:", depth)]
        for o in options[:MAX_ITEMS]:
            replies = game.options(o, following)
            reply = next((r for r in replies if game.loses(r, (following + 1) % game.players)), None)
            then = "there the opponent cannot move and wins" if reply is None else f"then {describe_move(o, reply)}"
            lines.append(ExplanationLine(f"{describe_move(s, o)}: {then}", depth + 1))
        if len(options) > MAX_ITEMS:
            lines.append(ExplanationLine(f"and {len(options) - MAX_ITEMS} more", depth + 1))
        return lines
