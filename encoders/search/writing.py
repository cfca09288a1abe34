"""Claim files for the results of searches: the statement and, if a proof was found, the [proof], in a readable form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from claims.language.errors import escape_invisible
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, substitute
from claims.language.syntax.terms import INT
from encoders.logic.sequents import conjunction, opposite
from encoders.search.facts import Fact
from encoders.search.formulas import CandidateFold, LossFormula, Sort, wrap, write_term
from encoders.search.question import HEAP, POSITION_NAME, SearchProblem
from encoders.search.replies import ReplyCase
from encoders.search.tables import TakeParameter

_POSITIONS = 's = { heaps = "0..4", size = "1..12" }'
FOUND = "# Found by search from the rules of the game."  # `checks find` replaces it if there is no proof
MOST_SHORT = 28  # characters
MOST_PARAMETER = 8
_WIDTH = 118


def quote(words: str) -> str:
    """Return text as a TOML string."""
    return escape_invisible(json.dumps(words, ensure_ascii=False))


@dataclass(eq=False)
class Draft:
    """A claim about the winner, with a proof that may be incomplete.

    `formulas`, `cases`: the formula and the replies of each side.
    `way`: the pick that determines a move.
    `facts`: the facts that the proof states about folds (numbers computed heap by heap).
    `position`: the name of the position in an existing claim, if only the [proof] is written; None to write the claim
    too.
    `named`: folds that are listed even if no other part of the proof uses them.
    `two_heaps`: the folds columns(s, 3, 1) and columns(s, 3, 2), for moves on one or two heaps; otherwise None. These
    numbers mark the binary places at which the number of heaps with a 1 is 1, or 2, modulo 3. The reply makes both 0.
    """

    question: SearchProblem
    formulas: dict[int, LossFormula]
    cases: dict[int, list[ReplyCase]] = field(default_factory=dict)
    way: TakeParameter | None = None
    facts: list[Fact] = field(default_factory=list)
    position: str | None = None
    named: list[CandidateFold] = field(default_factory=list)
    two_heaps: tuple[CandidateFold, CandidateFold] | None = None

    @property
    def folds(self) -> list[CandidateFold]:
        """The folds (numbers computed heap by heap) that the proof uses.

        The folds of the formulas come first, then the folds of moves and facts.
        """
        in_cases = (f for cases in self.cases.values() for c in cases for f in c.folds)
        in_facts = (f for fact in self.facts for f in fact.folds)
        in_formulas = (f for x in self.formulas.values() for f in x.folds)
        found = dict.fromkeys((*in_formulas, *in_cases, *in_facts, *self.named))
        said_ = {*self._names(), *(f.name for f in self.named)}
        return [f for f in found if f.name in said_]

    def _names(self) -> Iterable[str]:
        """Yield the names of the folds (numbers computed heap by heap) in formulas, moves and facts."""
        terms = [x.loses for x in self.formulas.values()] + [f.term for f in self.facts]
        for side, cases in self.cases.items():
            for number, case in enumerate(cases):
                terms += [self.make_condition(side, number), case.reply.take]
                yield from (f.name for f in case.reply.pick.folds if f.sort is Sort.NIM_SUM)
        names, _ = t.names_of(terms)
        for name in names:
            yield name.removeprefix("rest_")

    @property
    def words(self) -> str:
        """The formulas in words: when each player wins or loses; only one formula if both have the same moves."""
        return _state(self.question, self.formulas)[1]

    def make_condition(self, side: int, number: int) -> t.Term:
        """Return the condition under which a side makes its reply with this number."""
        case = self.cases[side][number]
        parts = [] if case.plain or case.anywhere else [self.formulas[side].wins_where]
        parts += case.atoms
        parts += [opposite(conjunction(*self.cases[side][j].atoms)) for j in case.after]
        seen: dict[str, t.Term] = {}
        for part in parts:
            for x in t.conjuncts(part):
                seen.setdefault(write_term(x), x)
        return conjunction(*seen.values())

    # -- the file -----------------------------------------------------------------------------------------------------
    def write(self, proof: bool = True) -> str:
        """Return the text of the claim file; if `position` is set, return only the [proof].

        The [proof] is omitted if `proof` is false or there are no replies.
        """
        if self.position is not None:
            return "\n".join(self._write_proof()) + "\n" if proof and (self.cases or self.two_heaps) else ""
        claim, words = _state(self.question, self.formulas)
        lines = head(self.question, "who wins", words, claim, {POSITION_NAME: "position"}, {})
        if proof and (self.cases or self.two_heaps):
            lines += ["", *self._write_proof()]
        return "\n".join(lines) + "\n"

    def _write_mending(self, ones: CandidateFold, twos: CandidateFold) -> Iterable[str]:
        """Yield the lines of a proof with a reply on one or two heaps.

        Let `ones` mark the binary places at which the number of heaps with a 1 is 1 modulo 3, and `twos` the places at
        which it is 2. The first heap has a 1 at the highest marked place. The lower digits of the chosen heaps are
        changed so that no place is marked.
        """
        a, b = ones.name, twos.name
        assert self.way is not None
        pick = self.way.pick
        low = "bit_and({}, p2 - 1)"
        first = low.format(f"rest_{b} ^ rest2_{a} ^ rest2_{b}")
        second = low.format(f"h2 ^ rest2_{a}")
        yield from ("[proof]", 'rule = "folds"', "", "[proof.folds]")
        yield from (
            f"{f.name} = {quote(_rename_position(f.text, self.position or POSITION_NAME))}" for f in (ones, twos)
        )
        yield from ("", "[proof.facts]", f'"no column leaves both" = "bit_and({a}, {b}) == 0"', "", "[proof.loses]")
        yield f'mover = "{a} == 0 and {b} == 0"'
        yield from (
            "",
            f"# If rest_{a} == 0, the first heap becomes rest_{b}; otherwise a second heap changes too.",
        )
        yield from ("[[proof.moves]]", f'when = "{a} != 0 or {b} != 0"', f'heap = "top bit of {a} ^ {b}"')
        yield from ("", "[[proof.moves.then]]", f'when = "rest_{a} == 0"', f'take = {{ {pick} = "h - rest_{b}" }}')
        yield from ("", "[[proof.moves.then]]", f'when = "rest_{a} != 0"', f'heap = "top bit of rest_{a}"', "take = [")
        yield f'  {{ {pick} = "h - (rest_{b} ^ {first})" }},'
        yield f'  {{ {pick} = "h2 - (h2 ^ p2 ^ {second})" }},'
        yield "]"

    def _write_proof(self) -> Iterable[str]:
        if self.two_heaps is not None:
            yield from self._write_mending(*self.two_heaps)
            return
        yield from ("[proof]", 'rule = "folds"', "")
        if self.folds:
            yield "[proof.folds]"
            for f in self.folds:
                yield f"{f.name} = {quote(_rename_position(f.text, self.position or POSITION_NAME))}"
            yield ""
        if self.facts:
            yield "[proof.facts]"
            for fact in self.facts:
                yield f"{quote(fact.name)} = {quote(fact.text)}"
            yield ""
        yield "[proof.loses]"
        for side, formula in self.formulas.items():
            yield f"{self.question.side_name(side)} = {quote(write_term(formula.loses))}"
        for side, cases in self.cases.items():
            for number, case in enumerate(cases):
                yield ""
                yield f"# {_tell_split(case, self.way) if self.way and self.way.splits else _tell(case)}"
                yield "[[proof.moves]]"
                if not self.question.ruleset.impartial:
                    yield f"player = {quote(self.question.side_name(side))}"
                yield f"when = {quote(write_term(self.make_condition(side, number)))}"
                yield f"heap = {quote(case.reply.pick.words)}"
                assert self.way is not None
                picked = write_term(self.way.compute_picked_number(case.reply.take))
                yield f"take = {{ {self.way.pick} = {quote(picked)} }}"
                if case.anywhere:
                    yield 'to = "anywhere"'


def _rename_position(words: str, position: str) -> str:
    """Return the text of a formula with another name for the position s."""
    return re.sub(rf"\b{POSITION_NAME}\b", position, words)


def _state(question: SearchProblem, formulas: dict[int, LossFormula]) -> tuple[str, str]:
    """Return the conclusion of the claim (1) as an expression, with one line for each side, and (2) in words."""
    parts, words = [], []
    for side, formula in formulas.items():
        condition = formula.wins_where if formula.wins else formula.loses
        written = print_term(_spell(question, formula, condition))
        who = question.side_name(side)
        call = f"wins({POSITION_NAME})" if question.ruleset.impartial else f"wins({POSITION_NAME}, {who})"
        parts.append(f"iff({call if formula.wins else f'not {call}'}, {written})")
        player = "the player to move" if question.ruleset.impartial else f"{who}, to move,"
        if formula.constant:
            words.append(f"{player} {'always loses' if print_term(formula.loses) == 'True' else 'always wins'}")
        else:
            words.append(f"{player} {'wins' if formula.wins else 'loses'} if and only if {written}")
    return "\nand ".join(parts), "; ".join(words)


def _spell(question: SearchProblem, formula: LossFormula, condition: t.Term) -> t.Term:
    """Return the condition with each fold replaced by its definition, such as max(s).

    The result is also defined for the empty position, for which max(s) is replaced by 0.
    """
    reader = question.elaborator()
    spelled = {}
    for f in formula.folds:
        words = f.text
        for extreme in ("max(s)", "min(s)"):
            words = words.replace(f"s.count({extreme})", f"count({HEAP} == {extreme} for {HEAP} in s)")
        if words in ("max(s)", "min(s)"):
            words = f"({words} if len(s) > 0 else 0)"
        spelled[f.name] = reader.term(words, INT)
    return substitute(condition, spelled)


def _block(key: str, words: str) -> list[str]:
    if "\n" not in words and len(words) < _WIDTH - 10:
        return [f"{key} = {quote(words)}"]
    return [f'{key} = """', *words.split("\n"), '"""']


def head(
    question: SearchProblem,
    what: str,
    words: str,
    then: str,
    variables: dict[str, str],
    scope: dict[str, str],
    where: str = "",
) -> list[str]:
    """Return the lines of a claim file up to its proof.

    `what`: the subject of the title.
    `words`: the conclusion in words.
    `then`: the conclusion, for all parameters and `variables`.
    `scope`: the ranges of variables other than positions and players.
    `where`: a further hypothesis.
    """
    game, region = question.ruleset.title, f" where {question.where}" if question.where else ""
    fixed = ", ".join(f"{name} = {print_term(x)}" for name, x in question.bound if name not in question.where)
    region += f" ({fixed})" if fixed else ""
    short = f"{game}, {what}"
    hypotheses = [
        *([] if question.condition is None else [print_term(question.condition)]),
        *([where] if where else []),
    ]
    return [
        "format = 1",
        f"title = {quote(f'{game}{region}: {what}')}",
        f"statement = {quote(f'{game}{region}: {words}.')}",
        'work = "found"',
        'locator = "found from the rules"',
        *([f"short = {quote(short)}"] if len(short) <= MOST_SHORT else []),
        'role = "conjecture"',
        f"ruleset = {quote(question.call)}",
        FOUND,
        "",
        "[forall]",
        *(f"{x.name} = {quote(x.domain)}" for x in question.free),
        *(f"{name} = {quote(domain)}" for name, domain in variables.items()),
        "",
        "[claim]",
        *([f"if = {quote(' and '.join(hypotheses))}"] if hypotheses else []),
        *_block("then", then),
        "",
        "[scope]",
        *_bound_parameters(question),
        *(f"{name} = {quote(bound)}" for name, bound in scope.items()),
        *([_POSITIONS] if POSITION_NAME in variables else []),
    ]


def _bound_parameters(question: SearchProblem) -> Iterable[str]:
    for x in question.free:
        high = max(x.first + 2, MOST_PARAMETER)
        if x.parameter.hi is not None:
            high = min(high, x.parameter.hi)
        yield f'{x.name} = "{x.first}..{high}"'


# -- moves in words ---------------------------------------------------------------------------------------------------
def _tell(case: ReplyCase) -> str:
    """Return a reply in words, such as `A largest heap: take one.` for a comment in the proof."""
    pick, take = case.reply.pick, case.reply.take
    heap = {"any": "any heap", "largest": "a largest heap"}.get(pick.words)
    if heap is None:
        heap = f"at the {pick.words}" if pick.having is None else f"a heap with {pick.having}"
    words = _do(take)
    if isinstance(take, t.IfElse):
        words = f"{_do(take.then)} if {write_term(take.condition)}, else {_do(take.other)}"
    return f"{heap[0].upper()}{heap[1:]}: {words}{', so as to move' if case.anywhere else ''}."


def _tell_split(case: ReplyCase, way: TakeParameter) -> str:
    """Return a reply that splits a heap in words, for a comment in the proof.

    For example: `A heap with h >= 2: split with a = h // 2.`
    """
    pick = case.reply.pick
    heap = "any heap" if pick.having is None else f"a heap with {pick.having}"
    return f"{heap[0].upper()}{heap[1:]}: split with {way.pick} = {write_term(case.reply.take)}."


def _is_same(a: t.Term, b: t.Term) -> bool:
    return write_term(a) == write_term(b)


def _do(take: t.Term) -> str:
    match take:
        case t.Variable(name=name) if name == HEAP:
            return "take it whole"
        case t.Literal(value=1):
            return "take one"
        case t.Operation(op="sub", args=(a, t.Operation(op="nim", args=(b, t.Variable() as x)))) if _is_same(a, b):
            return f"make {write_term(x)} 0"
        case t.Operation(op="sub", args=(a, t.Operation(op="nim", args=(t.Operation(op="nim", args=(b, x)), aim)))) if (
            _is_same(a, b)
        ):
            return f"make {write_term(x)} {write_term(aim)}"
        case t.Operation(op="sub", args=(t.Variable(name=name), left)) if name == HEAP:
            return f"leave {write_term(left)}"
    return f"take {write_term(take)}"


# -- the lines of a proof by values ------------------------------------------------------------------------------------
def times(words: str, factor: str) -> str:
    return factor if words == "1" else f"{wrap(words)}*{factor}"


def write_moves(way: TakeParameter, digits: dict[str, str], when: str = "", left: str = "y") -> list[str]:
    number = left if way.leaves else f"h - {left}"
    told = ", ".join(f"{x} = {quote(value)}" for x, value in digits.items())
    condition = [f"when = {quote(when)}"] if when else []
    return ["", "[[proof.options]]", *condition, f"digits = {{ {told} }}", f"take = {{ {way.pick} = {quote(number)} }}"]


def write_division(dividend: str, divisor: str, quotient: str, remainder: str) -> list[str]:
    parts = {"dividend": dividend, "divisor": divisor, "quotient": quotient, "remainder": remainder}
    return ["", "[[proof.divide]]", *(f"{x} = {quote(value)}" for x, value in parts.items())]


AT = ["", "[[proof.at]]", 'heap = "h"']


def write_section(name: str, entries: dict[str, str]) -> list[str]:
    return ["", f"[proof.{name}]", *(f"{x} = {quote(value)}" for x, value in entries.items())]
