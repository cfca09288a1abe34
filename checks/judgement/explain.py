"""Why a claim fails at a case, in lines that a mathematician can follow without the tool.

The hypotheses are evaluated, each part with its values; where the conclusion says that some move does something, every
legal move is listed with the reason why it does not; where it says so of every move, the one that does not is named.
All values come from the referee.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from checks.referee.judge import Referee
from checks.referee.meaning import LimitReached
from checks.results.values import Line
from claims.language.builtins.meanings import is_compound, write_heap
from claims.language.expressions.powers import say_power
from claims.language.expressions.printing import display, text
from claims.language.grammar.numerals import MAX_SHOWN_BITS, digits
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, OUTCOME, PLAYER, POSITION, Type

if TYPE_CHECKING:
    from checks.tables.given import HeapTables
    from claims.language.builtins.meanings import Position
    from claims.language.statement.claim import Claim
    from encoders.answer import Case

Env = dict[str, Any]  # the values that names stand for; what a value is, the type of its term says
MAX_ITEMS = 60  # options or elements listed one by one
MAX_DEPTH = 7
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_OPPOSITE = {"eq": "!=", "ne": "=", "lt": ">=", "le": ">", "gt": "<=", "ge": "<"}


def write_value(value: Any, kind: Type, players: tuple[str, ...]) -> str:
    """A value as a person writes it: positions as (2, 2, 4), players by name, sets in braces."""
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
        with suppress(OverflowError):  # a float ends before 2^1024
            return f"{float(value):.12g} (an exact fraction of {len(str(value.denominator))} digits)"
    return written


def players_of(claim: Claim) -> tuple[str, ...]:
    """The names of the players of the claim's games, by index."""
    return max((g.ruleset.players for g in claim.games), key=len, default=())


def explain(claim: Claim, case: Case, sums: bool = False, tables: HeapTables | None = None) -> tuple[Line, ...]:
    """Why the claim fails at a case. Where a limit is met the explanation says so. Raises WrongTable."""
    values = say_values(claim, case)
    taken = [Line(f"Take {values}.")] if values else []
    return (*taken, *evaluate(Explainer(claim, sums, tables=tables), case))


def evaluate(explainer: Explainer, case: Case) -> tuple[Line, ...]:
    """Whether the hypotheses hold at a case and, if they do, the conclusion, and why. Raises IllDefined, WrongTable."""
    claim, lines = explainer.claim, list[Line]()
    parts = [
        ("The hypotheses", "hold", "fail", claim.hypothesis),
        ("The conclusion", "holds", "fails", claim.conclusion),
    ]
    try:
        for part, holds, fails, term in parts:
            if term is not None:
                truth = bool(explainer.value(term, case))
                lines += [Line(f"{part} {holds if truth else fails}:"), *explainer.why(term, case, 1)]
                if not truth:
                    break
    except (LimitReached, RecursionError):
        lines.append(Line("(The rest is too long to be written out.)"))
    lines += [Line(sentence) for sentence in explainer.referee.tell_tables()]
    return tuple(_joined(lines))


def _joined(lines: list[Line]) -> list[Line]:
    """A line that ends in a colon and has a single line below it is written together with that one."""
    found: list[Line] = []
    for line in reversed(lines):
        below = _below(found, line.depth)
        if line.text.endswith(":") and line.depth > 0 and len(below) == 1 and len(line.text) + len(below[0].text) < 230:
            found[-1] = Line(f"{line.text} {below[0].text}", line.depth)
        else:
            found.append(line)
    return found[::-1]


def _below(reversed_lines: list[Line], depth: int) -> list[Line]:
    """The lines that belong to one of `depth` standing before them; `reversed_lines` runs backwards."""
    found = []
    for line in reversed(reversed_lines):
        if line.depth <= depth:
            break
        found.append(line)
    return found


def explain_fault(claim: Claim, case: Case, fault: str) -> str:
    """One sentence for a case at which the claim has no truth value."""
    values, meant = say_values(claim, case), say_power(claim.hypothesis, claim.conclusion)
    fault += f"; {meant}" if meant else ""
    return f"ill-defined at {values}: {fault}" if values else f"ill-defined: {fault}"


def explain_limit(claim: Claim, case: Case, limit: str) -> str:
    """One sentence for a case whose truth value is too much to compute."""
    values = say_values(claim, case)
    return f"a limit is met at {values}: {limit}" if values else f"a limit is met: {limit}"


def say_values(claim: Claim, case: Case) -> str:
    """The case in words: `k = 3, s = (2, 2, 4)`."""
    players, kinds = players_of(claim), {v.name: v.type for v in claim.variables}
    return ", ".join(f"{n} = {write_value(v, kinds[n], players)}" for n, v in case.items())


class Explainer:
    """Lines about the terms of one claim, by a referee of its own. `thorough`: also why two conditions agree."""

    def __init__(
        self,
        claim: Claim,
        sums: bool,
        steps: int = 5_000_000,
        tables: HeapTables | None = None,
        thorough: bool = False,
    ) -> None:
        self.claim, self.referee = claim, Referee(claim, steps, sums, tables)
        self.players, self.thorough = players_of(claim), thorough

    def value(self, term: t.Term, env: Env) -> Any:
        return self.referee.evaluate(term, env)

    def show(self, term: t.Term, env: Env) -> str:
        return write_value(self.value(term, env), term.type, self.players)

    def write(self, term: t.Term) -> str:
        return text(term, self.players)

    # -- truth -----------------------------------------------------------------------------------------------------
    def why(self, term: t.Term, env: Env, depth: int) -> list[Line]:
        """Lines that say whether `term`, a Bool, holds, and why."""
        truth = bool(self.value(term, env))
        verb = "holds" if truth else "fails"
        if depth > MAX_DEPTH:
            return [Line(f"{self.write(term)} {verb}", depth)]
        match term:
            case t.AllOf(args=args):
                return self._parts(args, env, depth, truth, decisive=False)
            case t.AnyOf(args=args):
                return self._parts(args, env, depth, truth, decisive=True)
            case t.Operation(op=op, args=args) if op in _SIGNS:
                meant = "" if truth else say_power(term)
                line = Line(self._relation(op, args, env, truth, self.write(term)), depth)
                sides = (
                    []
                    if (truth and not self.thorough) or args[0].type != BOOL
                    else [x for x in args if not self._plain(x)]
                )
                told = [self.why(x, env, depth + 1) for x in sides]
                said = [[Line(self._briefly(x, env), depth + 1)] for x in sides]
                below = [under for lines, brief in zip(told, said, strict=True) if lines != brief for under in lines]
                return [line, *([Line(f"({meant})", depth)] if meant else []), *below]
            case t.Operation(op="in", args=(item, group)):
                no = "" if truth else "not "
                return [Line(f"{self._valued(item, env)} is {no}in {self._valued(group, env)}", depth)]
            case t.Operation(op="not", args=(t.Operation(op="in"),)):
                return self.why(term.args[0], env, depth)
            case t.Operation(op="not", args=(inner,)):
                return self.why(inner, env, depth)
            case t.IfElse(condition=c, then=x, other=y):
                branch = x if self.value(c, env) else y
                return [*self.why(c, env, depth), *self.why(branch, env, depth)]
            case t.Apply(function=f, args=args):
                inner_env = {**env, **dict(zip(f.parameters, [self.value(x, env) for x in args], strict=True))}
                given = ", ".join(
                    f"{display(p)} = {self.show(x, env)}" for p, x in zip(f.parameters, args, strict=True)
                )
                head = f"{self.write(term)} {verb}" + (f" ({given})" if given else "")
                return [Line(head + ":", depth), *self.why(f.body, inner_env, depth + 1)]
            case t.Comprehension(reducer="any" | "all"):
                return self._quantified(term, env, depth, truth)
            case t.GameCall():
                return self._game(term, env, depth, truth)
        return [Line(f"{self.write(term)} {verb}", depth)]

    def _parts(self, args: tuple[t.Term, ...], env: Env, depth: int, truth: bool, decisive: bool) -> list[Line]:
        """`and` fails, and `or` holds, by one part, the first; else every part counts."""
        lines: list[Line] = []
        for x in args:
            if truth is decisive:
                if bool(self.value(x, env)) is decisive:
                    return self.why(x, env, depth)
            else:
                lines += self.why(x, env, depth)
        return lines

    def _relation(self, op: str, args: tuple[t.Term, ...], env: Env, truth: bool, written: str) -> str:
        left, right = args
        if self._plain(right):
            if op == "eq" and not truth:
                return f"{self._valued(left, env)}, not {self.write(right)}"
            if op == "eq" or (op == "ne" and not truth):
                return self._valued(left, env)
            return f"{self._valued(left, env)} {_SIGNS[op] if truth else _OPPOSITE[op]} {self.write(right)}"
        sign = "=" if op == "eq" and truth else _SIGNS[op] if truth else _OPPOSITE[op]
        if left.type == BOOL:
            same = bool(self.value(left, env)) is bool(self.value(right, env))
            values = f"{self._briefly(left, env)}, {'and' if same else 'but'} {self._briefly(right, env)}"
        elif isinstance(left, t.GameCall) or isinstance(right, t.GameCall):
            values = ", ".join(f"{self._asked(x, env)} = {self.show(x, env)}" for x in (left, right))
        else:
            values = f"{self.show(left, env)} {sign} {self.show(right, env)}"
        return f"{written} {'holds' if truth else 'fails'}: {values}"

    def _briefly(self, term: t.Term, env: Env) -> str:
        """Whether a condition holds, in a few words: `P1 loses at (1, 2, 2)`, `nim_sum(s) = 1, not 0`."""
        truth = bool(self.value(term, env))
        match term:
            case t.Operation(op="not", args=(inner,)):
                return self._briefly(inner, env)
            case t.GameCall(function="wins", args=(s, *_)):
                return (
                    f"{self._player(term, env)} {'wins' if truth else 'loses'} at {show_position(self.value(s, env))}"
                )
            case t.Operation(op=op, args=args) if op in _SIGNS and args[0].type != BOOL and self._plain(args[1]):
                return self._relation(op, args, env, truth, self.write(term))
        return f"{self.write(term)} {'holds' if truth else 'fails'}"

    def _plain(self, term: t.Term) -> bool:
        return isinstance(term, t.Literal)

    def _valued(self, term: t.Term, env: Env) -> str:
        """A term with its value: `nim_sum(s) = 4`; a literal alone."""
        if self._plain(term):
            return self.write(term)
        written, value = self.write(term), self.show(term, env)
        return written if written == value else f"{written} = {value}"

    def _asked(self, term: t.Term, env: Env) -> str:
        """A term as it is written; of a question about a game, what that is asked of: `value((3, 4), P2)`."""
        if not isinstance(term, t.GameCall):
            return self.write(term)
        given = [self.show(x, env) for x in term.written]
        return term.called + (given[0] if len(given) == 1 else f"({', '.join(given)})")

    # -- any, all ----------------------------------------------------------------------------------------------------
    def _quantified(self, term: t.Comprehension, env: Env, depth: int, truth: bool) -> list[Line]:
        clause = term.clauses[0]
        rest: t.Term = term.body
        if len(term.clauses) > 1:
            rest = t.Comprehension(term.type, term.start, term.end, term.reducer, term.body, term.clauses[1:])
        items = self.value(clause.source, env)
        kind = clause.source.type.element
        cases: list[tuple[Any, Env]] = []
        for item in items:
            inner = {**env, clause.variable: item}
            if all(self.value(c, inner) for c in clause.conditions):
                cases.append((item, inner))
        wanted = term.reducer == "any"
        among = self._among(clause, env)
        decisive = next(((i, e) for i, e in cases if bool(self.value(rest, e)) is wanted), None)
        if decisive is not None:
            item, inner = decisive
            return [Line(f"{self._chosen(clause, env, item, kind)}:", depth), *self.why(rest, inner, depth + 1)]
        if not cases:
            return [Line(f"there is no {among}", depth)]
        if not wanted:
            return [Line(f"it holds for every {among} ({len(cases)} of them)", depth)]
        lines = [Line(f"it fails for every {among}:", depth)]
        for item, inner in cases[:MAX_ITEMS]:
            lines.append(Line(f"{self._label(clause, env, item, kind)}:", depth + 1))
            lines += self.why(rest, inner, depth + 2)
        if len(cases) > MAX_ITEMS:
            lines.append(Line(f"and {len(cases) - MAX_ITEMS} more, checked alike", depth + 1))
        return lines

    def _among(self, clause: t.Clause, env: Env) -> str:
        """`move of P2 from (2, 2, 4)` or `h in s with h >= k`."""
        source, such = clause.source, "".join(f" with {self.write(c)}" for c in clause.conditions)
        if isinstance(source, t.GameCall) and source.function == "options":
            who = self._mover(source, env).replace(" for ", " of ")
            return f"move{who} from {self.show(source.args[0], env)}{such}"
        return f"{display(clause.variable)} in {self.write(source)}{such}"

    def _chosen(self, clause: t.Clause, env: Env, item: Any, kind: Type | None) -> str:
        source = clause.source
        if isinstance(source, t.GameCall) and source.function == "options":
            return f"{self._player(source, env)} can play {self._label(clause, env, item, kind)}"
        return f"for {self._label(clause, env, item, kind)}"

    def _mover(self, call: t.GameCall, env: Env) -> str:
        if self.claim.game(call.game).ruleset.impartial or len(call.args) < 2:
            return ""
        return f" for {self.show(call.args[-1], env)}"

    def _player(self, call: t.GameCall, env: Env) -> str:
        """Who is to move: the name of a player where it matters who."""
        return self._mover(call, env).removeprefix(" for ") or "the mover"

    def _label(self, clause: t.Clause, env: Env, item: Any, element: Type | None) -> str:
        source = clause.source
        if isinstance(source, t.GameCall) and source.function == "options":
            return describe_move(self.value(source.args[0], env), item)
        written = write_value(item, element, self.players) if element is not None else str(item)
        return f"{display(clause.variable)} = {written}"

    # -- games -------------------------------------------------------------------------------------------------------
    def _game(self, term: t.GameCall, env: Env, depth: int, truth: bool) -> list[Line]:
        s = self.value(term.args[0], env)
        if term.function == "legal":
            option = self.value(term.args[1], env)
            word = "is" if truth else "is not"
            return [Line(f"{describe_move(s, option)} {word} a legal move{self._mover(term, env)}", depth)]
        who = self._player(term, env)
        if term.function == "terminal":
            return [Line(f"{show_position(s)} has {'no' if truth else 'a'} legal move{self._mover(term, env)}", depth)]
        if term.function != "wins":
            return [Line(f"{self.write(term)} {'holds' if truth else 'fails'}", depth)]
        mover = self.value(term.args[1], env)
        game = self.referee.game(term.game, env)
        title = game.ruleset.title
        options = game.options(s, mover)
        if not options:
            end = "wins" if truth else "loses"
            return [Line(f"at {show_position(s)} {who} cannot move and so {end} ({title})", depth)]
        following = (mover + 1) % game.players
        if truth:
            good = next(o for o in options if not game.wins(o, following))
            move = describe_move(s, good)
            return [Line(f"{who} wins at {show_position(s)} ({title}), by {move}", depth)]
        lines = [Line(f"{who} loses at {show_position(s)} ({title}); each move has a winning reply:", depth)]
        for o in options[:MAX_ITEMS]:
            replies = game.options(o, following)
            reply = next((r for r in replies if not game.wins(r, (following + 1) % game.players)), None)
            then = "there the other cannot move and wins" if reply is None else f"then {describe_move(o, reply)}"
            lines.append(Line(f"{describe_move(s, o)}: {then}", depth + 1))
        if len(options) > MAX_ITEMS:
            lines.append(Line(f"and {len(options) - MAX_ITEMS} more", depth + 1))
        return lines


def show_position(s: Position) -> str:
    """(2, 2, 4), or `the empty position ()`."""
    return write_value(s, POSITION, ()) if s else "the empty position ()"


def describe_move(s: Position, option: Position) -> str:
    """What a move does to the heaps.

    >>> describe_move((2, 2, 4), (1, 2, 4))
    '(2, 2, 4) -> (1, 2, 4), the heap 2 becoming 1'
    """
    gone, new = Counter(s), Counter(option)
    lost, made = sorted((gone - new).elements()), sorted((new - gone).elements())
    arrow = f"{write_value(s, POSITION, ())} -> {write_value(option, POSITION, ())}"
    if len(lost) != 1 or (len(s) == 1 and is_compound(s[0])):
        return arrow  # a heap with parts is not written twice
    if not made:
        return f"{arrow}, the heap {write_heap(lost[0])} removed"
    return f"{arrow}, the heap {write_heap(lost[0])} becoming {' and '.join(map(write_heap, made))}"
