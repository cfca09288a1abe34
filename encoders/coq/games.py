"""Rulesets as games of the Coq theory: the moves of each player, and the conditions under which they are defined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from claims.language.files.claim import Claim, Game, expand_definitions
from claims.language.files.domains import IntervalDomain
from claims.language.files.games import state_bounds
from claims.language.files.rulesets import Move, Pick, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, structural_key, substitute
from claims.language.syntax.terms import INT, POSITION
from encoders.coq.numbers import holds_naturals, total
from encoders.coq.propositions import GAME, RULES, SPLITTING, Statements, key_of_player, type_in_coq
from encoders.coq.writing import (
    AND,
    BINDER,
    COMPARISON,
    CONCAT,
    OR,
    Text,
    apply,
    comment,
    infix,
    join_texts,
    name_in_coq,
)
from encoders.logic.definedness import DefinednessCondition, Over, measure, needs, needs_of_game
from encoders.logic.intervals import Interval
from encoders.logic.moves import WHOLE, has_own_measure, open_all, open_moves, open_several
from encoders.logic.sequents import at_least, compare, integer
from encoders.refusals import Unsupported
from encoders.rules.base.normal_form import evaluate_members, map_terms, name_members, normal_game

PLAYERS = ("First", "Second")
KINDS_OF_MOVES = {1: "on_one", 2: "on_two", 3: "on_three", 4: "on_four"}
"""The Coq functions that make a kind of move on so many heaps."""


@dataclass(frozen=True)
class WrittenGame:
    """A ruleset in Coq.

    `text`: its definition. `shown`: lemmas about its moves, with proofs, that some proofs of claims need; "" if none.
    """

    text: str
    shown: str = ""


def write_players(numbers: Statements, players: Sequence[str]) -> str:
    """Return Coq text that gives the two players the names of the claim. Raises Unsupported unless there are two."""
    if len(players) != 2:
        raise Unsupported("the Coq theory supports only games of two players")
    return "".join(f"Notation {numbers.names[key_of_player(i)].text} := {x}.\n" for i, x in enumerate(PLAYERS))


# == definitions ======================================================================================================
def spell_out(game: Game) -> Ruleset:
    """Return the ruleset of a game, with the given sets and lists in its moves instead of parameters for them.

    A member of a set or list that is not a literal number becomes a separate integer parameter. Raises Unsupported if
    the members of a set or list are not given one by one.
    """
    written = dict(game.arguments)
    game = name_members(game)
    ruleset, given = game.ruleset, dict(game.arguments)
    known = {p.name: given[p.name] for p in ruleset.parameters if p.kind != "int"}
    for name, x in known.items():
        named = isinstance(x, t.Collection) and all(isinstance(i, t.Variable | t.Literal) for i in x.items)
        if not named and evaluate_members(x) is None:
            words = f"{ruleset.id}: the parameter {name} is {print_term(written[name])}"
            raise Unsupported(f"{words}; write its members one by one, such as {{1, 2}}")
    moves = tuple(map_terms(move, partial(substitute, values=known)) for move in ruleset.moves)
    return replace(ruleset, moves=moves, parameters=tuple(p for p in ruleset.parameters if p.name not in known))


def list_definitions(games: Sequence[Game]) -> dict[str, str]:
    """Return for each game of a claim the id of its definition in Coq: the id of its ruleset, or the name of the game.

    Sets and lists are part of a definition. If two games of one ruleset have different ones, each of its games has a
    separate definition.
    """
    by_ruleset = dict[str, list[Game]]()
    for game in games:
        by_ruleset.setdefault(game.ruleset.id, []).append(game)
    found = dict[str, str]()
    for id, group in by_ruleset.items():
        same = all(_sets(game) == _sets(group[0]) for game in group)
        found |= {game.name: id if same else f"{id} {game.name}" for game in group}
    return found


def _sets(game: Game) -> list[object]:
    return [structural_key(x) for _, x in game.arguments if x.type != INT]


def write_game(game: Game, name: str) -> WrittenGame:
    """Return the definition of a game's ruleset in Coq, with lemmas about its moves.

    `name`: the Coq name of the definition. Raises Unsupported for rules outside the Coq theory.
    """
    ruleset, kind = spell_out(game), type_in_coq(game.ruleset)
    if has_own_measure(ruleset):
        raise Unsupported(f"{ruleset.id}: no Coq text is generated for rulesets that state a `measure`")
    if unusual := ruleset.unusual:
        raise Unsupported(f"{unusual}, which the Coq theory does not support")
    numbers = Statements({})
    for p in ruleset.parameters:
        if p.lo < 0:
            raise Unsupported(f"{ruleset.id}: the parameter {p.name} is not a natural number")
        numbers.ranges = {**numbers.ranges, p.name: Interval(p.lo, p.hi)}
        word = p.name.replace("[", "_").replace("]", "")  # of a member, such as S[0]
        numbers = numbers.bind({p.name: Text(name_in_coq(word, numbers.used_names))})
    given = "".join(f" {numbers.names[p.name].text}" for p in ruleset.parameters)
    typed = f" ({given.strip()} : N)" if given else ""
    wins = "true" if ruleset.stuck_wins else "false"
    head = comment(f"The game, by the ruleset {ruleset.id}: {ruleset.title}.")
    if kind == RULES:
        return WrittenGame(f"""\
{head}
Definition {name}{typed} : rules := {{|
  all_kinds := {_list_kinds(ruleset, numbers)};
  rules_stuck_wins := {wins} |}}.
""")
    kinds = [_write_on_one(ruleset, move, numbers, kind == SPLITTING) for move in ruleset.moves]
    moves = join_texts(kinds, "\\/", OR, "False", "right").text
    if kind == SPLITTING:
        return WrittenGame(f"""\
{head}
Definition {name}{typed} : splitting := {{|
  parts mover h o :=
    {moves};
  split_stuck_wins := {wins} |}}.
""")
    assert kind == GAME
    shown_text = f"""\
{head}
Definition {name}{typed} : game := {{|
  of_largest := {"true" if ruleset.moves[0].choose == "largest" else "false"};
  becomes mover h y :=
    {moves};
  stuck_wins := {wins} |}}.
"""
    called = f"({name}{given})" if given else name
    shown = f"""\
Lemma {name}_smaller{given} p h y : becomes {called} p h y -> y < h.
Proof. smaller. Qed.
Lemma {name}_decided{given} p h y : becomes {called} p h y \\/ ~ becomes {called} p h y.
Proof. unfold {name}. decided p h y. Qed.
"""
    return WrittenGame(shown_text, shown)


def game_text(game: Game, numbers: Statements) -> Text:
    """Return a game as Coq text: the name of its definition, applied to the arguments that are numbers.

    Raises Unsupported if an argument may be negative.
    """
    name = numbers.definition(game).text
    game = name_members(game)
    kinds = {p.name: p.kind for p in game.ruleset.parameters}
    return apply(name, *(numbers.natural(x, True) for key, x in game.arguments if kinds[key] == "int"))


def _write_on_one(ruleset: Ruleset, move: Move, known: Statements, splits: bool) -> Text:
    """Return the Coq condition that a move changes the heap h to the heap y.

    `known`: a writer that knows the parameters of the ruleset.
    `splits`: if true, return the condition that the move changes h to the list of heaps o.
    """
    (heap,) = move.heaps
    made = "o" if splits else "y"
    inner = known.bind({"mover": Text("mover"), heap: Text("h"), "what is made": Text(made)})
    return _write_move(ruleset, move, inner, made, [])


def _list_kinds(ruleset: Ruleset, known: Statements) -> str:
    """Return the kinds of moves of a ruleset as a Coq list. `known`: a writer that knows the parameters."""
    kinds, more = list[str](), list[str]()
    inner = known.bind({"mover": Text("mover"), "s": Text("s"), "what is made": Text("o")})
    for move in ruleset.moves:
        bound, names = inner, list[str]()
        for heap in move.heaps:
            names.append(bound.free(heap))
            bound = bound.bind({heap: Text(names[-1])})
            bound.ranges = {**bound.ranges, heap: Interval(1)}
        conditions = list[Text]()
        if move.choose in ("largest", "smallest"):
            chosen = apply("largest" if move.choose == "largest" else "least", Text("s"))
            conditions.append(infix(Text(names[0]), "=", chosen, COMPARISON))
        says = _write_move(ruleset, move, bound, "o", conditions)
        made = f"(fun mover s {' '.join(names)} o =>\n      {says.at(BINDER)})"
        if move.choose != "each":
            kinds.append(f"{KINDS_OF_MOVES[len(move.heaps)]} {made}")
            continue
        bounds = [x for x in (move.at_least, move.at_most) if x is not None]
        if any({"s", "mover"} & set(find_free_names(x)) for x in bounds):
            raise Unsupported(f"{ruleset.id}: the number of heaps that a move chooses depends on the position or mover")
        more.append(f"map (on_each {made}) ({apply('from_to', *(known.natural(x) for x in bounds)).text})")
    fixed = [f"[\n    {(';' + chr(10) + '    ').join(kinds)}]"] if kinds else []
    return join_texts(map(Text, (*fixed, *more)), "++", CONCAT, "[]", "right").text


def _write_move(ruleset: Ruleset, move: Move, numbers: Statements, made: str, conditions: list[Text]) -> Text:
    """Return the Coq condition that a move replaces the chosen heaps by `made`: the heap `y` or the heaps `o`.

    `numbers`: a writer that knows what the move chooses. `conditions`: conditions on the choice.
    """
    picked = list[str]()
    for pick in move.picks:
        used = numbers.used_names
        name = "m" if pick.name == "m" and "m" not in used else name_in_coq(pick.name, used)
        inner = numbers.bind({pick.name: Text(name)})
        conditions = [*conditions, *_range(ruleset, pick, numbers, inner)]
        numbers = inner
        picked.append(name)
    if move.where is not None:
        conditions.append(numbers.says(move.where))
    left = [numbers.number(size).cancel_common() for size in move.become]
    if made == "o":
        heaps = list[Text]()
        for size in left:  # a difference gets a name, so that it is not cut off at 0
            name = name_in_coq("y", (*numbers.used_names, *picked)) if size.minus else ""
            heaps.append(Text(name) if name else total(size.plus))
            if name:
                picked.append(name)
                conditions.append(infix(total((Text(name), *size.minus)), "=", total(size.plus), COMPARISON))
        conditions.append(infix(Text("o"), "=", Text(f"[{'; '.join(x.text for x in heaps)}]"), COMPARISON))
    else:
        (one,) = (numbers.number(size) for size in move.become)
        conditions.append(infix(total((Text("y"), *one.minus)), "=", total(one.plus), COMPARISON))
    inside = join_texts(conditions, "/\\", AND, "True", "right")
    for name in reversed(picked):
        inside = Text(f"exists {name}, {inside.at(BINDER)}", BINDER)
    return inside


def _range(ruleset: Ruleset, pick: Pick, outside: Statements, inside: Statements) -> list[Text]:
    """Return the Coq conditions that a number picked by the mover is in its range or set.

    `outside`, `inside`: a writer that does not know the name of the pick, and one that does. Raises Unsupported if the
    number may be negative or has no upper bound.
    """
    this = t.Variable(INT, 0, 0, pick.name)
    if isinstance(pick.domain, IntervalDomain):
        low, high = pick.domain.lo, pick.domain.hi
        if high is None:
            raise Unsupported(f"{ruleset.id}: the pick {pick.name} has no upper bound")
        if not outside.range(low).natural:
            raise Unsupported(f"{ruleset.id}: {pick.name} may be negative")
        return [inside.says(compare("le", low, this)), inside.says(compare("le", this, high))]
    if not holds_naturals(pick.domain, inside.known_ranges):
        raise Unsupported(f"{ruleset.id}: {pick.name} may be negative")
    return [inside.element(this, pick.domain)]


# == definedness ======================================================================================================
def needs_of_rules(claim: Claim, game: Game) -> Iterator[DefinednessCondition]:
    """Yield the conditions under which the parameters and the moves of a game are defined, and play is finite.

    Play is finite because every move decreases a measure. If a parameter is a set or list, or if heaps may split, the
    conditions are about the game's normal form. Raises Unsupported.
    """
    for parameter in game.ruleset.parameters:
        if parameter.kind == "int":
            for holds in state_bounds(game, parameter):
                yield DefinednessCondition(f"the parameter {parameter.name}", (), expand_definitions(holds))
    own = {p.name for p in game.ruleset.parameters}
    for name, member in name_members(game).arguments:
        if name not in own:  # Coq has natural numbers as members of sets
            natural = at_least(expand_definitions(member), integer(0))
            yield DefinednessCondition(f"the member {name} is not negative", (), natural)
    plain, kind = all(p.kind == "int" for p in game.ruleset.parameters), type_in_coq(game.ruleset)
    moves = open_moves if plain and kind == GAME else open_all if kind == RULES else open_several
    same = game if plain and kind != SPLITTING else normal_game(game)
    expanded = replace(same, arguments=tuple((name, expand_definitions(x)) for name, x in same.arguments))
    for need in (*needs_of_game(claim, same, moves), *measure(expanded, moves)):
        yield _within_position(need) if kind == RULES else need
    if kind == RULES:
        for move in game.ruleset.moves:
            given = {name: expand_definitions(x) for name, x in game.arguments}
            for bound in (x for x in (move.at_least, move.at_most) if x is not None):
                yield from needs(substitute(bound, given), (), claim)
            if move.at_least is not None:
                some = at_least(substitute(move.at_least, given), integer(1))
                yield DefinednessCondition("a move chooses a heap", (), some)


def _within_position(need: DefinednessCondition) -> DefinednessCondition:
    """Return a condition about the chosen heaps; if it mentions the position, for all heaps of all positions."""
    terms = [x.source if isinstance(x, Over) else x.term for x in need.path]
    if not any(WHOLE in find_free_names(x) for x in (need.holds, *terms) if x is not None):
        return need
    whole = t.Variable(POSITION, 0, 0, WHOLE)
    path = (replace(x, source=whole) if isinstance(x, Over) and x.source is None else x for x in need.path)
    return replace(need, path=(Over(WHOLE, None), *path))
