"""The mathematics that reports show: the typeset statement of a claim, its closed form, and its proof with examples."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from html import escape
from itertools import combinations_with_replacement, groupby, islice, product

from checks.judgement.explain import players_of
from checks.judgement.routes import Exhausted, InternalFault, guard
from checks.referee.judge import Referee
from checks.referee.meaning import (
    IllDefined,
    LimitReached,
    RefereeSteps,
    TermEvaluator,
    Values,
    as_integer,
    position_key,
    refuse_game,
)
from checks.results.shown import (
    ExampleMove,
    FormalStatement,
    ObligationText,
    ProofCell,
    ProofPresentation,
    ProofRow,
    ProofTable,
    Step,
    TypesetFormula,
)
from checks.results.wording import period_phrase
from claims.language.errors import ClaimError, escape_invisible
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.files.domains import IntervalDomain
from claims.language.files.library import find_shipped
from claims.language.syntax import terms as t
from claims.language.syntax.notation import LAST_COMMA, fence, mo, mrow, separate
from claims.language.syntax.printing import TooLong, print_term, walk
from claims.language.syntax.terms import BOOL, INT, POSITION, Term, list_of
from claims.language.typesetting.english import describe_term, fold_in_words
from claims.language.typesetting.formulas import flow, make_flow, math, typeset_math, typeset_name
from claims.language.typesetting.formulas import word as in_english
from claims.language.typesetting.neat import simplify_term
from encoders.logic.answer import ClosedForm, Obligation
from encoders.logic.sequents import Sequent, Symbol, power
from encoders.proving.reading import Prover, load_claim, rule_name
from encoders.proving.registry import RULES
from encoders.refusals import Unsupported
from encoders.rules.base.rule import MANY_HEAPS, NamedPlay, OutlineCell, OutlineTable, Rule, WordingKind
from encoders.search.stated_forms import StatedFormula, formula_of

# == closed_forms =====================================================================================================
# The closed form of a claim. The referee evaluates its formulas.
STEPS = 20_000_000
SECONDS = 20.0  # for sympy, whose simplification has no limit


def find_closed_form(claim: Claim) -> ClosedForm | None:
    """Return a simplified formula for the values of single heaps that the claim states.

    Return None if the claim states no formula. If the formula cannot be simplified, return it as in the claim file.
    """
    formula = formula_of(claim)
    if formula is None and rule_name(claim) != "grundy":
        return None  # without loading sympy and the rule
    try:
        return guard("in the closed form", lambda: _run_within(SECONDS, lambda: _find_closed_form(claim, formula)))
    except (
        Exhausted,
        InternalFault,
    ) as error:  # the closed form only illustrates the claim, and the verdict does not depend on it
        return None if formula is None else unread(formula, f"the formula was not simplified: {error}")


def _find_closed_form(claim: Claim, formula: StatedFormula | None) -> ClosedForm | None:
    """Return the closed form as `find_closed_form` does, but without catching exceptions.

    `formula`: the stated formula. If it is None, test whether the claim states the values by the digits of the heap
    size. This function calls sympy, which may raise any exception.
    """
    from encoders.search.closed_forms import derive_closed_form, find_same_heaps, form_of_digits

    meanings = TermEvaluator(refuse_game, RefereeSteps(STEPS))

    def value(term: t.Term, case: dict[str, int]) -> int:
        return as_integer(meanings.evaluate(term, case))

    try:
        found = form_of_digits(claim) if formula is None else derive_closed_form(formula, value)
        if found is None:
            return None
        return replace(
            found,
            steps=(*found.steps, *(x for other in _load_used_claims(claim) for x in find_same_heaps(claim, other))),
        )
    except Unsupported:
        return None


def _run_within(seconds: float, work: Callable[[], ClosedForm | None]) -> ClosedForm | None:
    """Return the result of `work`, or raise TimeoutError after `seconds`.

    The time limit applies only in the main thread and on systems with POSIX timers. After the limit, TimeoutError is
    raised again every second, because sympy may catch the first one.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return work()
    running = True

    def raise_timeout(*_: object) -> None:
        if running:
            raise TimeoutError(f"more than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, raise_timeout)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        return work()
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def unread(formula: StatedFormula, why: str) -> ClosedForm:
    """Return a closed form that contains the formula as in the claim file, and the reason why it is not simplified."""
    written = print_term(formula.term)
    return ClosedForm(
        variable=formula.variable,
        written=written,
        simplified=written,
        latex=rf"\text{{{written}}}",
        mathml=f"<mtext>{escape(escape_invisible(written))}</mtext>",
        period="",
        saltus="",
        steps=(),
        checks=(why,),
    )


def lines(form: ClosedForm) -> Iterator[str]:
    """Yield the lines of text that show a closed form: the formula, its period, and the steps and checks."""
    yield f"value of a heap {form.variable}: {form.simplified}"
    if form.period:
        yield period_phrase(form)
    yield from form.steps
    yield from form.checks


def _load_used_claims(claim: Claim) -> Iterator[Claim]:
    """Yield the claims of the library that the claim names in `uses`. Claims that cannot be read are omitted."""
    for id in claim.description.uses:
        entry = find_shipped(id)
        if entry is not None:
            with suppress(ClaimError):
                yield load_claim(entry.path, id)


# == instances ========================================================================================================
# An example of a move that a proof names: a small position where the move applies. The referee checks the move.
INSTANCE_STEPS = 400_000  # of the referee, for all moves of one proof: less than a second
HEAPS, SIZE = 3, 8  # largest number of heaps, and largest heap, of the positions that are tried
CHOICES = 12  # the number of choices of values for the integer variables of the claim that are tried
SPREAD = 4  # the number of values of each integer variable

Place = tuple[int, ...]


class ExampleMoveFinder:
    """A search for examples of the moves that one proof names.

    An example is a small position with a legal move from it, for fixed values of the claim's integer variables.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.referee = Referee(claim, INSTANCE_STEPS)
        sizes = (combinations_with_replacement(range(1, SIZE + 1), n) for n in range(HEAPS + 1))
        self.positions = sorted((s for some in sizes for s in some), key=position_key)

    def find(self, plays: tuple[NamedPlay, ...]) -> tuple[ExampleMove | None, ...]:
        """Return an example for each move, in the same order, or None for a move without an example.

        As many examples as possible have the same values of the integer variables.
        """
        found: list[ExampleMove | None] = [None] * len(plays)
        with suppress(LimitReached):
            while open_ := [i for i, x in enumerate(found) if x is None]:
                best = self._find_best([plays[i] for i in open_])
                if not any(best):
                    break
                for i, x in zip(open_, best, strict=True):
                    found[i] = x
        return tuple(found)

    def _find_best(self, plays: list[NamedPlay]) -> list[ExampleMove | None]:
        """Choose the values of the integer variables for which most moves have an example, and return the examples.

        The result has None for a move without an example. Raises LimitReached.
        """
        best: list[ExampleMove | None] = [None] * len(plays)
        for values in islice(self._choices(), CHOICES):
            found = [self._instance(play, values) for play in plays]
            if sum(map(bool, found)) > sum(map(bool, best)):
                best = found
            if all(best):
                break
        return best

    def _choices(self) -> Iterator[Values]:
        """Yield choices of values for the integer variables, inside their domains. The smallest sums are first.

        If there are one or two integer variables, all values are at least 2, because smaller ones are often trivial.
        """
        names = [v.name for v in self.claim.variables if v.type == INT]
        ranges = [range(2, 2 + SPREAD) if len(names) < 3 else range(1, 1 + SPREAD)] * len(names)
        for chosen in sorted(product(*ranges), key=lambda x: (sum(x), x)):
            values: Values = dict(zip(names, chosen, strict=True))
            if self._lie_inside(values):
                yield values

    def _lie_inside(self, values: Values) -> bool:
        for v in self.claim.variables:
            if v.type == INT:
                if not isinstance(v.domain, IntervalDomain):
                    return False
                x = as_integer(values[v.name])
                low = as_integer(self.referee.evaluate(v.domain.lo, values))
                if x < low or (v.domain.hi is not None and x > as_integer(self.referee.evaluate(v.domain.hi, values))):
                    return False
        return True

    def _instance(self, play: NamedPlay, values: Values) -> ExampleMove | None:
        """Return an example of a move for these values of the integer variables, or None.

        Prefer the smallest position with at least two heaps after which some heap is left. If there is none, use the
        smallest position from which the move can be made. Raises LimitReached.
        """
        first: ExampleMove | None = None
        for s in self.positions:
            found = self._try_position(play, values, s)
            if found is None:
                continue
            if len(found.before) > 1 and found.after:
                return found
            first = first or found
        return first

    def _try_position(self, play: NamedPlay, values: Values, s: Place) -> ExampleMove | None:
        """Return the example at the position `s` in which the move changes the largest suitable heap.

        Return None if there is no suitable heap, or the referee does not accept the move.
        """
        case: Values = {**values, play.position: s}
        try:
            if not self.referee.evaluate(play.when, case):
                return None
            for heap in reversed(dict.fromkeys(s)):
                inner = {**case, play.heap: heap}
                if self.referee.evaluate(play.fits, inner):
                    left = as_integer(self.referee.evaluate(play.leaves, inner))
                    return self._judge_move(play, values, s, heap, left)
        except IllDefined:
            pass
        return None

    def _judge_move(self, play: NamedPlay, values: Values, s: Place, heap: int, left: int) -> ExampleMove | None:
        """Return the example in which the move reduces the heap `heap` of the position `s` to `left`.

        Return None unless the referee finds that the move is legal and, if the proof states that it wins, that it wins.
        """
        rest = list(s)
        rest.remove(heap)
        after = tuple(sorted(x for x in (*rest, left) if x))
        game = self.referee.game(play.game, values)
        following = 0 if game.ruleset.impartial else 1 - play.mover
        if after not in game.options(s, play.mover) or (play.wins and game.wins(after, following)):
            return None
        players = players_of(self.claim)
        mover = "" if self.claim.game(play.game).ruleset.impartial else players[play.mover]
        return ExampleMove(self._select_relevant(play, values), mover, s, after, heap, left)

    def _select_relevant(self, play: NamedPlay, values: Values) -> tuple[tuple[str, int], ...]:
        """Return the values of those integer variables that the game or the move uses, as pairs (name, value)."""
        arguments = (x for _, x in self.claim.game(play.game).arguments)
        names, _ = t.names_of((play.when, play.fits, play.leaves, *arguments))
        return tuple((name, as_integer(x)) for name, x in values.items() if name in names)


# == mathematics ======================================================================================================
# The formal statement of a claim, typeset from its terms.
# -- terms ------------------------------------------------------------------------------------------------------------
# Terms as formulas of the result model: source text and markup.


def typeset(term: Term, players: tuple[str, ...] = (), named_games: bool = False) -> TypesetFormula:
    """Return a term as text in the claim language and as HTML.

    `players`: the names of the players. `named_games`: whether questions such as `wins(s)` show the name of the game,
    because the claim is about several games.
    """
    return TypesetFormula(print_term(term, players), flow(simplify_term(term), players, named_games))


def typesetter(claim: Claim) -> Callable[[Term], TypesetFormula]:
    """Return the function that typesets a term of this claim, that is, `typeset` with the claim's players and games."""
    return partial(typeset, players=players_of(claim), named_games=len(claim.games) > 1)


# -- domains ----------------------------------------------------------------------------------------------------------
# The domains of variables, typeset: `k ≥ 1`, "position s", `S ⊆ {1, …, 6}`.


FEW = 6  # a longer list of values may be broken between lines


def typeset_domain(variable: d.ClaimVariable, show: Callable[[t.Term], TypesetFormula]) -> TypesetFormula:
    """Return a variable with its domain, as text and as HTML, to be written after "for every" or "for some".

    For example, the HTML shows `k ≥ 1` or `position s`. `show`: the function that typesets a term.
    """
    name, domain = variable.name, variable.domain
    x = t.Variable(variable.type, 0, 0, name)
    match domain:
        case d.IntervalDomain(lo=lo, hi=None):
            markup = show(_compare(*_simplify_bound("ge", x, lo))).markup
        case d.IntervalDomain(lo=lo, hi=t.Term() as hi):
            op, _, low = _simplify_bound("ge", x, lo)
            below = _compare({"ge": "le", "gt": "lt"}[op], low, x)
            markup = show(t.AllOf(BOOL, 0, 0, (below, _compare(*_simplify_bound("le", x, hi))))).markup
        case d.ElementsOf(source=source):
            markup = show(_compare("in", x, source)).markup
        case d.Positions():
            markup = f"{in_english('position')} {math(typeset_name(name))}"
        case d.Players():
            markup = f"{in_english('player')} {math(typeset_name(name))}"
        case d.Subsets(lo=lo, hi=hi):
            numbers = t.Operation(list_of(INT), 0, 0, "range", (_number(lo), _number(hi + 1)))
            markup = math(mrow(typeset_name(name), mo("⊆"), typeset_math(numbers)))
        case d.Lists(lo=lo, hi=hi):
            element = typeset_domain(d.ClaimVariable("x", INT, d.IntervalDomain(lo, hi), ""), show)
            numbers_ = in_english("of numbers")
            markup = f"{in_english('list')} {math(typeset_name(name))} {numbers_} {element.markup}"
        case d.Permutations(lo=lo, hi=hi):
            one = t.Literal(INT, 0, 0, 1)
            numbers = t.Operation(list_of(INT), 0, 0, "range", (lo, t.Operation(INT, 0, 0, "add", (hi, one))))
            markup = f"{in_english('permutation')} {math(typeset_name(name))} {in_english('of')} {show(numbers).markup}"
        case d.Graphs(lo=lo, hi=hi, classes=classes) | d.Trees(lo=lo, hi=hi, classes=classes):
            kind = variable.text.partition(" on ")[0]
            one = t.Literal(INT, 0, 0, 1)
            numbers = t.Operation(list_of(INT), 0, 0, "range", (lo, t.Operation(INT, 0, 0, "add", (hi, one))))
            markup = f"{in_english(kind)} {math(typeset_name(name))} {in_english('on')} {show(numbers).markup}"
            markup += f" {in_english('up to isomorphism')}" if classes else ""
        case d.ListedDomain(values=values):
            markup = _list_values(name, [typeset_math(_value(v)) for v in values])
    separator = " " if variable.text.startswith("in ") else " : "
    return TypesetFormula(f"{name}{separator}{variable.text}", markup)


def _list_values(name: str, values: list[str]) -> str:
    """Return `x ∈ {1, 2, 3}` as HTML. If there are more than FEW values, lines may be broken between two values."""
    if len(values) <= FEW:
        return math(mrow(typeset_name(name), mo("∈"), fence(separate(values), "{", "}")))
    first, *middle, end = values
    pieces = [typeset_name(name) + mo("∈") + mo("{", 'form="prefix" stretchy="false"') + first + LAST_COMMA]
    pieces += [value + LAST_COMMA for value in middle]
    pieces += [end + mo("}", 'form="postfix" stretchy="false"')]
    return " ".join(math(mrow(piece)) for piece in pieces)


def _value(value: int | tuple[int, ...]) -> t.Term:
    if isinstance(value, int):
        return _number(value)
    heaps = t.Collection(list_of(INT), 0, 0, tuple(map(_number, value)))
    return t.Operation(POSITION, 0, 0, "position", (heaps,))


def _number(value: int) -> t.Term:
    return t.Literal(INT, 0, 0, value)


def _simplify_bound(op: str, x: t.Term, bound: t.Term) -> tuple[str, t.Term, t.Term]:
    """Simplify a bound `x >= bound` (`op` is "ge") or `x <= bound` (`op` is "le"). Return (operator, left, right).

    If possible, the result is strict: `l > k` instead of `l >= k + 1`, and `b < t` instead of `b <= t - 1`.
    """
    match op, bound:
        case "ge", t.Operation(op="add", args=(less, t.Literal(value=1))):
            return "gt", x, less
        case "le", t.Operation(op="sub", args=(more, t.Literal(value=1))):
            return "lt", x, more
    return op, x, bound


def _compare(op: str, x: t.Term, y: t.Term) -> t.Term:
    return t.Operation(BOOL, 0, 0, op, (x, y))


# -- the statement ----------------------------------------------------------------------------------------------------
def formal_of(claim: Claim) -> FormalStatement:
    """Return the formal statement of a claim, typeset, with all definitions that it uses, directly or indirectly."""
    sources = dict(claim.texts)
    names = {head.partition("(")[0]: head for head in sources}

    typeset_term = typesetter(claim)

    def show(term: t.Term, source: str = "") -> TypesetFormula:
        formula = typeset_term(term)
        return replace(formula, text=" ".join(source.split())) if source else formula

    definitions = []
    for call in list_calls(claim):
        head = names.get(call.function.name, "")
        left = show(_make_left_side(call), head)
        sign = in_english("means") if call.type == BOOL else math(mo("=", 'lspace="0.1em" rspace="0"'))
        left = replace(left, markup=f"{left.markup} {sign}")
        definitions.append((left, show(call.function.body, sources.get(head, ""))))
    return FormalStatement(
        quantified=tuple(typeset_domain(v, show) for v in claim.variables),
        hypothesis=None if claim.hypothesis is None else show(claim.hypothesis, sources["if"]),
        conclusion=show(claim.conclusion, sources["then"]),
        definitions=tuple(definitions),
    )


def list_calls(claim: Claim) -> tuple[t.Apply, ...]:
    """Return one call of each definition that the statement of a claim uses.

    First come definitions that the statement itself calls, then those that these definitions call, and so on.
    """
    found = dict[str, t.Apply]()
    terms: Iterable[object] = (
        claim.hypothesis,
        claim.conclusion,
        claim.variables,
        tuple(g.arguments for g in claim.games),
    )
    while True:
        new = dict[str, t.Apply]()
        for x in _find_calls(terms):
            if x.function.name not in found:
                new.setdefault(x.function.name, x)
        if not new:
            return tuple(found.values())
        found |= new
        terms = [x.function.body for x in new.values()]


def _find_calls(values: Iterable[object]) -> Iterator[t.Apply]:
    """Yield all calls of definitions in the given terms, or in tuples and dataclasses that contain terms."""
    return (x for value in values for x in walk(value) if isinstance(x, t.Apply))


def _make_left_side(call: t.Apply) -> t.Apply:
    """Return the left side `f(x, y)` of a definition: the call, with the parameters x and y as its arguments."""
    names = call.function.parameters
    return replace(call, args=tuple(t.Variable(x.type, 0, 0, n) for n, x in zip(names, call.args, strict=True)))


# == proofs ===========================================================================================================
# The presentation of a proof: the outline from its rule, typeset, and the text of its obligations.
TYPESET = 4_000  # characters; a longer obligation is not typeset, because this would not make it easier to read


def show_proof(claim: Claim, tried: tuple[Obligation, ...] = (), most_heaps: int = MANY_HEAPS) -> ProofPresentation:
    """Return the tables and texts that present the [proof] of a claim.

    `tried`: the obligations that the run has tried to prove, with their results.
    `most_heaps`: the largest number of heaps whose values are computed to find a period.
    If the rule does not support the claim, or an internal error occurs, there are no tables, and the summary contains
    the reason.
    """
    rule, prover = RULES[rule_name(claim)], Prover(most_heaps)
    try:
        summary, tables = guard("in the tables of the proof", lambda: _outline(claim, rule, prover))
    except (Exhausted, InternalFault) as error:  # the tables only explain the verdict
        summary, tables = f"The tables of the proof could not be made: {error}.", ()
    shown = {step.name for table in tables for row in table.rows for step in row.steps}
    asked = tuple(ask(o.sequent) for o in tried if o.sequent is not None)
    ground = tuple(name for name in _names(claim, prover, tried) if name not in shown)
    return ProofPresentation(rule.name, summary, tables, ground, asked)


def _outline(claim: Claim, rule: Rule, prover: Prover) -> tuple[str, tuple[ProofTable, ...]]:
    try:
        outline = rule.outline(claim, prover)
    except (Unsupported, TooLong) as error:
        return f"The rule does not support the claim: {error}.", ()
    named = [(id(line), line.play) for table in outline.tables for line in table.lines if line.play is not None]
    found = ExampleMoveFinder(claim).find(tuple(play for _, play in named)) if named else ()
    instances = {line: x for (line, _), x in zip(named, found, strict=True) if x is not None}
    return outline.summary, tuple(_table(claim, x, instances) for x in outline.tables)


def _names(claim: Claim, prover: Prover, tried: tuple[Obligation, ...]) -> Iterator[str]:
    """Yield the names of all obligations of the proof.

    First come those in `tried`. If the run stopped at an obligation that is not proved, the later ones follow.
    """
    for o in tried:
        yield o.name
    if tried and all(o.proved for o in tried):
        return
    met = {o.name for o in tried}
    with suppress(Unsupported, TooLong, Exhausted, InternalFault):
        posed = guard("in naming the obligations", lambda: list(RULES[rule_name(claim)].obligations(claim, prover)))
        yield from (sequent.name for sequent in posed if sequent.name not in met)


# -- tables -----------------------------------------------------------------------------------------------------------
def _table(claim: Claim, table: OutlineTable, instances: Mapping[int, ExampleMove]) -> ProofTable:
    show = typesetter(claim)
    rows = tuple(
        ProofRow(
            tuple(_cell(cell, table, show) for cell in line.cells),
            tuple(Step(label, name) for label, name in line.shown_by),
            instances.get(id(line)),
        )
        for line in table.lines
    )
    where = None if table.where is None else show(table.where)
    filled = [i for i in range(len(table.columns)) if i == 0 or any(row.cells[i].parts for row in rows)]
    rows = tuple(replace(row, cells=tuple(row.cells[i] for i in filled)) for row in rows)
    return ProofTable(table.kind, table.title, tuple(table.columns[i] for i in filled), rows, where)


def _cell(cell: OutlineCell, table: OutlineTable, show: Callable[[t.Term], TypesetFormula]) -> ProofCell:
    parts = tuple(x if isinstance(x, str) else show(x) for x in cell.parts)
    return ProofCell(parts, _read(cell, table))


def _read(cell: OutlineCell, table: OutlineTable) -> str:
    """Return the content of a table cell in words; "" if the table has no wording for it."""
    terms = [x for x in cell.parts if isinstance(x, t.Term)]
    match cell.also:
        case WordingKind.CONDITION if table.names:
            return describe_term(simplify_term(terms[0]), table.names)
        case WordingKind.FOLD:
            return fold_in_words(terms[0])
    return ""


# -- obligations ------------------------------------------------------------------------------------------------------
def ask(sequent: Sequent) -> ObligationText:
    """Return an obligation as text and as HTML. If the text is longer than TYPESET, the HTML is ""."""
    lines = "\n".join(sequent.lines())
    return ObligationText(sequent.name, lines, "" if len(lines) > TYPESET else _typeset(sequent))


def _typeset(sequent: Sequent) -> str:
    """Return an obligation as HTML: its variables, its assumptions, and its conclusion."""
    lines, flow = [], make_flow()
    for kind, symbols in groupby(sequent.variables, _range):
        names = ", ".join(flow(t.Variable(x.type, 0, 0, x.name)) for x in symbols)
        lines.append(f"for {names}{kind}")
    for word, *parts in sequent.render_lines():
        shown = [x if isinstance(x, str) else simplify_term(x) for x in parts]
        match word, shown[-1:]:
            case str(), [t.Literal(value=1)] if word != "show ":
                continue  # an assumption that is always true
        lines.append("".join(escape(x) if isinstance(x, str) else flow(x) for x in (word, *shown)))
    return "".join(f"<p>{line}</p>" for line in dict.fromkeys(lines))


def _range(symbol: Symbol) -> str:
    """Return the range of a variable as HTML, such as ` from 0 up`, to be written after its name."""
    if symbol.type == BOOL:
        return ", true or false"
    low, high = ("" if bound is None else power(bound) for bound in (symbol.lo, symbol.hi))
    words = f" from {low} to {high}" if low and high else f" from {low} up" if low else f" up to {high}" if high else ""
    return re.sub(r"2\^(\d+) - 1", r"2<sup>\1</sup> − 1", words) or ", integers"
