"""The statement of the Coq theorem for a claim, without its proof: games, variables, and the claim as a proposition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from claims.language.files.claim import Claim, unfold_claim
from claims.language.files.domains import ClaimVariable, ElementsOf, IntervalDomain, ListedDomain, Players, Positions
from claims.language.syntax import terms as t
from claims.language.syntax.printing import display, walk
from claims.language.syntax.terms import INT, POSITION
from encoders.coq.games import WrittenGame, game_text, list_definitions, needs_of_rules, write_game, write_players
from encoders.coq.numbers import GRUNDY, GRUNDY_NAME, holds_naturals, range_of_elements
from encoders.coq.propositions import (
    GAME,
    KINDS,
    RULES,
    Statements,
    key_of_player,
    key_of_ruleset,
    key_of_values,
    type_in_coq,
)
from encoders.coq.writing import AND, ARROW, BINDER, Text, apply, infix, join_texts, name_in_coq
from encoders.logic.definedness import Guard, Over, Path, needs_of_claim
from encoders.logic.intervals import Interval as Between
from encoders.logic.moves import WHOLE
from encoders.logic.sequents import at_least, integer
from encoders.refusals import Unsupported


# == domains ==========================================================================================================
# The variables of a claim in Coq: natural numbers with their bounds, positions, and players.
@dataclass(frozen=True)
class DomainHypothesis:
    """A hypothesis of the theorem that bounds a variable. `name`: its name in Coq. `says`: the proposition."""

    name: str
    says: Text


@dataclass(frozen=True)
class Binder:
    """A variable of the theorem.

    `word`: its name in the claim. `name`, `type`: its name and its type in Coq. `bounds`: the hypotheses that bound it.
    `is_heap`: whether it is a heap of a position of the claim.
    """

    word: str
    name: str
    type: str
    bounds: tuple[DomainHypothesis, ...]
    is_heap: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is a number that does not depend on a position."""
        return self.type == "N" and not self.is_heap


def write_variables(claim: Claim) -> tuple[list[Binder], Statements]:
    """Return the variables of a claim in order, and a writer for terms that contain them.

    Players, games and variables get distinct Coq names. Raises Unsupported if the domain of a variable has no
    translation.
    """
    numbers, definitions = Statements({}), list_definitions(claim.games)
    for game in claim.games:
        for index, player in enumerate(game.ruleset.players):
            numbers = _bind_name(key_of_player(index), player, numbers)
        id = definitions[game.name]
        numbers = _bind_name(key_of_ruleset(id), id if id == game.ruleset.id else game.name, numbers)
    binders: list[Binder] = []
    for variable in claim.variables:
        bounds: list[DomainHypothesis] = []
        low: t.Term | None = None
        high: t.Term | None = None
        match variable.domain:
            case IntervalDomain(lo=lo, hi=hi) if variable.type == INT:
                kind, low, high, range_ = "N", lo, hi, numbers.range(lo)
                if not range_.natural:
                    raise Unsupported(f"{variable.name} in {variable.text} may be negative")
                numbers.ranges = {**numbers.ranges, variable.name: Between(range_.lo)}
            case Positions():
                kind = "position"
            case Players():
                kind = "player"
            case ListedDomain() if variable.type in KINDS and not _has_negative(variable.domain):
                kind = KINDS[variable.type]
            case ElementsOf(source=source) if variable.type in KINDS:
                kind = KINDS[variable.type]
                if kind == "N" and not holds_naturals(source, numbers.known_ranges):
                    raise Unsupported(f"{variable.name} in {variable.text} may be negative")
                if kind == "N":
                    range_ = range_of_elements(source, numbers.known_ranges)
                    numbers.ranges = {**numbers.ranges, variable.name: Between(range_.lo)}
            case _:
                raise Unsupported(f"{variable.name} in {variable.text} has a domain without a translation into Coq")
        numbers = _bind_name(variable.name, variable.name, numbers)
        name = numbers.names[variable.name].text
        this = t.Variable(variable.type, 0, 0, variable.name)
        if low is not None and not (isinstance(low, t.Literal) and low.value == 0):
            bounds.append(DomainHypothesis(f"{name}_from", numbers.compare("le", "<=", low, this)))
        if isinstance(variable.domain, ElementsOf):
            bounds.append(DomainHypothesis(f"{name}_in", numbers.element(this, variable.domain.source)))
        if isinstance(variable.domain, ListedDomain):
            listed = t.Collection(t.set_of(variable.type), 0, 0, tuple(_write_values(variable)))
            bounds.append(DomainHypothesis(f"{name}_in", numbers.element(this, listed)))
        if high is not None:
            bounds.append(DomainHypothesis(f"{name}_to", numbers.compare("le", "<=", this, high)))
        is_heap = isinstance(variable.domain, ElementsOf) and variable.domain.source.type == POSITION
        binders.append(Binder(variable.name, name, kind, tuple(bounds), is_heap))
    numbers.rules = {g.name: g for g in claim.games}
    numbers.games = {g.name: game_text(g, numbers) for g in claim.games}
    return binders, numbers


def _has_negative(domain: ListedDomain) -> bool:
    return any(isinstance(x, int) and x < 0 for x in domain.values)


def _write_values(variable: ClaimVariable) -> Iterator[t.Term]:
    """Yield the values of a variable with a listed domain, as terms."""
    assert isinstance(variable.domain, ListedDomain)
    for value in variable.domain.values:
        if variable.type == POSITION:
            assert isinstance(value, tuple)
            heaps = t.Collection(t.list_of(INT), 0, 0, tuple(map(integer, value)))
            yield t.Operation(POSITION, 0, 0, "position", (heaps,))
        else:
            assert isinstance(value, int)
            yield t.Literal(variable.type, 0, 0, value)


def _bind_name(key: str, word: str, numbers: Statements) -> Statements:
    """Return a writer that has a Coq name for an object of the claim: `numbers` itself if it already has one.

    `key`: the key of the object in `names`. `word`: its name in the claim, to which the Coq name is similar.
    """
    if key in numbers.names:
        return numbers
    used = numbers.used_names
    stays = word in ("s", "p", "m", "n", "x") and word not in used
    return numbers.bind({key: Text(word if stays else name_in_coq(word, used))})


# == stated ===========================================================================================================
# The statement of the Coq theorem for a claim: a Coq module with the games, the conditions under which the claim is
# defined, and the claim.
#
# The names of the proof are declared only after this module, so they cannot change the meaning of the statement.
# -- the claim --------------------------------------------------------------------------------------------------------
# The claim as a proposition, which may mention Grundy values.


def asks_for_values(claim: Claim) -> bool:
    """Return whether the hypothesis or the conclusion of a claim contains `grundy(...)`."""
    return bool(list_games_with_values(claim))


def state(claim: Claim, numbers: Statements) -> Text:
    """Return the claim as a Coq proposition about its variables.

    If the claim mentions Grundy values, the proposition says: there is a function that satisfies the definition of
    Grundy values, and the claim holds for this function. Raises Unsupported if the claim has no translation.
    """
    inner = name_values(claim, numbers)
    says = inner.says(claim.conclusion)
    if claim.hypothesis is not None:
        says = infix(inner.says(claim.hypothesis), "->", says, ARROW, "right")
    for game in reversed(list_games_with_values(claim)):
        word = (inner.names.get(key_of_values(game)) or inner.names[GRUNDY]).text
        known = apply(numbers.word("values", game), numbers.games[game], Text(word))
        both = infix(known, "/\\", says, AND)
        says = Text(f"exists {word} : position -> N, {both.at(BINDER)}", BINDER)
    return says


def list_games_with_values(claim: Claim) -> list[str]:
    """Return the names of the games about whose Grundy values a claim asks, in the order of the claim."""
    calls = (x for x in walk((claim.hypothesis or (), claim.conclusion)) if isinstance(x, t.GameCall))
    asked = {x.game for x in calls if x.function == "grundy"}
    return [game.name for game in claim.games if game.name in asked]


def name_values(claim: Claim, numbers: Statements) -> Statements:
    """Return a writer with a Coq name for the Grundy function of each game about whose values the claim asks."""
    games = list_games_with_values(claim)
    if len(claim.games) == 1:
        return numbers.bind({GRUNDY: Text(GRUNDY_NAME)}) if games else numbers
    for game in games:
        name = name_in_coq(f"{GRUNDY_NAME}_{game}", numbers.used_names)
        numbers = numbers.bind({key_of_values(game): Text(name)})
    return numbers


def open_section(binders: Sequence[Binder]) -> Iterator[str]:
    """Yield the beginning of the Coq section of a proof: the integer variables of the claim, and their bounds."""
    yield 'Section Proof.\nSet Default Proof Using "All".'
    for b in (b for b in binders if b.is_number):
        yield f"Variable {b.name} : N."
        for bound in b.bounds:
            yield f"Hypothesis {bound.name} : {bound.says.at(BINDER)}."


def write_section(binders: Sequence[Binder], lemmas: Iterable[str]) -> Iterator[str]:
    """Yield the Coq section of a proof."""
    yield from open_section(binders)
    yield ""
    yield from lemmas
    yield "End Proof.\n"


# -- stated -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class CoqStatement:
    """The statement of a claim in Coq.

    `claim`: the claim with its definitions expanded. `binders`: its variables. `games`: its rulesets.
    `numbers`: the writer with which further terms over these variables can be written.
    `declarations`: the Coq text that defines the games, the condition `defined`, and the claim `claimed`.
    """

    claim: Claim
    binders: Sequence[Binder]
    numbers: Statements
    games: tuple[WrittenGame, ...]
    declarations: str

    @property
    def text(self) -> str:
        """The Coq text of the module with the statement."""
        return f"""\
(* What is claimed: of which games, where it has a meaning, and what it is.  Nothing of the proof has a name yet. *)
Module Statement.
{self.declarations}\
End Statement.
Import Statement.
"""


def write_stated(claim: Claim) -> CoqStatement:
    """Return the statement of the Coq theorem for a claim.

    Raises Unsupported if a part of the claim has no translation, and TooLong if its expanded definitions are too long.
    """
    whole = unfold_claim(claim)
    binders, numbers = write_variables(whole)
    defined = {numbers.definition(game).text: game for game in reversed(whole.games)}
    games = tuple(write_game(game, name) for name, game in reversed(defined.items()))
    players = write_players(numbers, whole.games[0].ruleset.players) if _have_players(whole) else ""
    typed = "".join(f" ({b.name} : {b.type})" for b in binders)
    bounds = " ".join(f"{x.says.at(ARROW - 1)} ->" for b in binders for x in b.bounds)
    needed = dict.fromkeys(_find_needs(claim, numbers))
    meaning = " /\\\n  ".join(f"({_write_for_all(typed, bounds, needs)})" for needs in needed) or "True"
    says = _write_claimed(whole, binders, numbers)
    declarations = f"""\
{players}
{chr(10).join(g.text for g in games)}
Definition defined : Prop :=
  {meaning}.

Definition claimed : Prop :=
  {says}.
"""
    return CoqStatement(whole, binders, replace(numbers, cuts=True), games, declarations)


def _write_claimed(claim: Claim, binders: Sequence[Binder], numbers: Statements) -> str:
    """Return the claim as a Coq proposition. The variables of an [exists] claim are bound by `exists`."""
    says = state(claim, numbers)
    bounds = [x.says for b in binders for x in b.bounds]
    if claim.quantifier == "exists":
        says = join_texts((*bounds, says), "/\\", AND, "True", "right")
        for b in reversed(binders):
            says = Text(f"exists {b.name} : {b.type}, {says.at(BINDER)}", BINDER)
        return says.text
    typed = "".join(f" ({b.name} : {b.type})" for b in binders)
    lines = [f"forall{typed},"] if typed else []
    given = [" ".join(f"{x.at(ARROW - 1)} ->" for x in bounds)] if bounds else []
    return "\n  ".join([*lines, *given, says.at(BINDER)])


def _have_players(claim: Claim) -> bool:
    return bool(claim.games) and bool(claim.games[0].ruleset.players)


def _write_for_all(typed: str, bounds: str, says: str) -> str:
    return " ".join(x for x in (f"forall{typed}," if typed else "", bounds, says) if x)


# -- definedness ------------------------------------------------------------------------------------------------------
def _find_needs(claim: Claim, numbers: Statements) -> Iterator[str]:
    """Yield the conditions under which a claim is defined, as Coq propositions.

    Raises Unsupported if a condition has no translation.
    """
    found = list(needs_of_claim(claim))
    for game in claim.games:
        found += needs_of_rules(claim, game)
    for need in found:
        if says := _write(need.path, need.holds, numbers):
            yield says.at(BINDER)
    asked = list_games_with_values(unfold_claim(claim))
    for game in claim.games:
        if game.name in asked and not game.ruleset.impartial:
            yield _same_moves(type_in_coq(game.ruleset), numbers.games[game.name])


def _same_moves(kind: str, game: Text) -> str:
    """Return the Coq proposition that both players have the same moves. Grundy values are defined only then."""
    moves, types = "step", "(s t : position)"
    if kind != RULES:
        moves, types = ("becomes", "(h y : N)") if kind == GAME else ("parts", "(h : N) (o : position)")
    names = [Text(x) for x in types.replace("(", "").replace(")", "").split() if x in ("s", "t", "h", "y", "o")]
    first, second = (apply(moves, game, Text(player), *names) for player in ("First", "Second"))
    return f"forall {types}, {first.text} <-> {second.text}"


def _write(path: Path, holds: t.Term, numbers: Statements) -> Text | None:
    """Return the Coq proposition that `holds` is true whenever evaluation follows the path.

    Return None if it is obvious in Coq, as x >= 0 is for a natural number x. Raises Unsupported if it has no
    translation.
    """
    if not path:
        parts = [x for x in t.conjuncts(holds) if not _is_plain(x, numbers)]
        return join_texts(map(numbers.says, parts), "/\\", AND, "True", "right") if parts else None
    step, rest = path[0], path[1:]
    if isinstance(step, Guard):
        then = _write(rest, holds, numbers)
        try:
            return then and join_texts((numbers.says(step.term), then), "->", ARROW, "True", "right")
        except Unsupported:
            return then  # omitting a condition makes the requirement stronger
    kind, name, inner, there = _run(step, numbers)
    then = _write(rest, holds, inner)
    if then is None:
        return None
    if there is not None:
        then = infix(there, "->", then, ARROW, "right")
    return Text(f"forall {name} : {kind}, {then.at(BINDER)}", BINDER)


def _run(step: Over, numbers: Statements) -> tuple[str, str, Statements, Text | None]:
    """Return the parts that a quantifier over the variable of a step needs, as in `Statements.run`.

    The condition is None if there is none.

    A variable without a source stands for every heap, that is, every number from 1 on; WHOLE for every position.
    """
    if step.source is not None:
        return numbers.run(t.Clause(step.variable, step.source, ()))
    if step.variable == WHOLE:
        name = numbers.free("s")
        return "position", name, numbers.bind({WHOLE: Text(name)}), None
    name = numbers.free(display(step.variable))
    inner = numbers.bind({step.variable: Text(name)})
    return "N", name, inner, inner.says(at_least(t.Variable(INT, 0, 0, step.variable), integer(1)))


def _is_plain(term: t.Term, numbers: Statements) -> bool:
    """Return whether a condition is obvious in Coq: it states x >= 0, and x is written without subtraction."""
    match term:
        case t.Operation(op="ge", args=(x, t.Literal(value=value))) if value <= 0:
            return not numbers.number(x).cancel_common().minus
    return False
