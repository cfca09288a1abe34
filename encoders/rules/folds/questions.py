"""Questions about games of any number of heaps: options, outcomes, sets, and lemmas."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import product

from claims.language.files.claim import Claim, Game, Lemma, unfold_claim
from claims.language.files.domains import IntervalDomain, Players, Positions
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, rebuild, structural_key, substitute
from claims.language.syntax.terms import INT, PLAYER, POSITION
from encoders.logic.moves import HEAP, OpenMove, open_several
from encoders.logic.reader import Env
from encoders.logic.sequents import (
    ONE,
    YES,
    ZERO,
    Polynomial,
    add,
    choose,
    compare,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    integer,
    less_than,
    names_in,
    negation,
    polynomial,
    sub,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.base.shape import refuse_variable
from encoders.rules.folds.folding import FoldsTheory
from encoders.rules.folds.moves import (
    Take,
    kinds_of,
    kinds_on,
    outcome_of,
    pick_freely,
    picks_of,
    play,
    play_named,
    play_on,
    playable,
    put_back,
    take_of,
    take_out,
    ways_of,
)
from encoders.rules.folds.numbers import NO_SIZES
from encoders.rules.folds.positions import HeapReplacement, Position
from encoders.rules.folds.section import FoldsMove, FoldsProof
from encoders.trust import OpenReason, Reason

# == lemmas ===========================================================================================================
# The statements of lemmas about a claim's games, in the claim's own terms, with all domains and hypotheses.
#
# A lemma is true for all values of its variables within their domains.  An instance reads: if the lemma's integers are
# in their domains, its games have the arguments of the claim's games, and its hypothesis holds, then its conclusion
# holds.  An instance is true for every position and all values of the claim's integers.  So it may be assumed anywhere,
# without an obligation.
PLACE = "position'"  # the name of the position in an instance: no name in a file contains this mark


@dataclass(frozen=True, eq=False)
class Bounded:
    """A lemma (a claim that the proof assumes) and the range of its proof.

    `below`: the power of 2 below which the lemma is proved; None for no bound.
    """

    lemma: Lemma
    below: int | None


@dataclass(frozen=True, eq=False)
class LemmaInstance:
    """A lemma, restated about games of the claim instead of its own games.

    `games`: the names of these games of the claim.
    `placed`: whether the lemma is about a position. In the terms, this position is the variable PLACE.
    `statements`: the lemma over the claim's integers and games, one term for each choice of the lemma's players.
    `folds`: the folds of the lemma's proof, renamed so that they do not clash with names of the claim.
    `facts`: the facts of the lemma's proof over these folds, if the integers are in the range of the lemma.
    """

    id: str
    games: frozenset[str]
    placed: bool
    statements: tuple[t.Term, ...]
    folds: tuple[tuple[str, t.Term], ...]
    facts: tuple[t.Term, ...]


def instances(claim: Claim, bounded: Bounded, highest: int | None) -> Iterator[LemmaInstance]:
    """Yield an instance of a lemma for each way to replace the lemma's games by games of the claim with equal rules.

    `highest`: the largest size in the proof; None for no bound. Raises Unsupported for a lemma that cannot be used.
    """
    lemma, limit = bounded.lemma, bounded.below
    if limit is not None and (highest is None or highest >= limit):
        bound = f"2^{limit.bit_length() - 1}"
        raise Unsupported(OpenReason.LEMMA_BELOW.says(lemma=lemma.id, bound=bound), OpenReason.LEMMA_BELOW)
    plain = unfold_claim(lemma.claim)
    if plain.quantifier == "exists":
        raise Unsupported(
            f"the lemma {lemma.id} states that something exists; a lemma must hold for all values of its variables"
        )
    alike = [[g for g in claim.games if _has_same_rules(g, game)] for game in plain.games]
    for chosen in product(*alike):
        yield _instance(claim, lemma, plain, limit, dict(zip(plain.games, chosen, strict=True)))


def instantiate_lemmas(
    claim: Claim, lemmas: Iterable[Lemma], surroundings: ProofServices, highest: int | None
) -> tuple[LemmaInstance, ...]:
    """Return all instances of the lemmas. An instance states its lemma only in the range in which the lemma is proved.

    A lemma without a [proof] has no bound. Raises Unsupported.
    """
    bounded = (Bounded(lemma, _find_lemma_bound(lemma, surroundings)) for lemma in lemmas)
    return tuple(x for lemma in bounded for x in instances(claim, lemma, highest))


def _find_lemma_bound(lemma: Lemma, surroundings: ProofServices) -> int | None:
    if lemma.claim.proof is None:
        return None
    try:
        return surroundings.rule_of(lemma.claim).coverage(lemma.claim, surroundings).bound
    except Unsupported as error:
        raise Unsupported(f"the lemma {lemma.id}: {error}") from error


def _has_same_rules(a: Game, b: Game) -> bool:
    return a.ruleset.id == b.ruleset.id and a.ruleset.source.text == b.ruleset.source.text


def _instance(claim: Claim, lemma: Lemma, plain: Claim, limit: int | None, games: Mapping[Game, Game]) -> LemmaInstance:
    integers = _integers(claim, lemma, plain, games)
    places = [v.name for v in plain.variables if isinstance(v.domain, Positions)]
    if len(places) > 1:
        raise Unsupported(
            f"the lemma {lemma.id} is about several positions; a lemma may have only one position variable"
        )
    place = t.Variable(POSITION, 0, 0, PLACE)
    values: dict[str, t.Term] = {**integers, **dict.fromkeys(places, place)}
    condition = conjunction(*_conditions(plain, integers, limit), *_arguments(games, integers))
    stated = plain.conclusion if plain.hypothesis is None else implies(plain.hypothesis, plain.conclusion)
    names = {theirs.name: ours.name for theirs, ours in games.items()}
    statements = tuple(
        implies(condition, _redirect_questions(substitute(stated, {**values, **players}), names))
        for players in _players(plain)
    )
    folds, facts = _facts(plain, lemma, values)
    facts = tuple(implies(condition, x) for x in facts)
    return LemmaInstance(lemma.id, frozenset(names.values()), bool(places), statements, folds, facts)


def _redirect_questions(term: t.Term, names: Mapping[str, str]) -> t.Term:
    """Return the term with the lemma's games replaced by the claim's games."""
    made = rebuild(term, lambda x: _redirect_questions(x, names))
    return replace(made, game=names[made.game]) if isinstance(made, t.GameCall) else made


def _integers(claim: Claim, lemma: Lemma, plain: Claim, games: Mapping[Game, Game]) -> dict[str, t.Term]:
    """Return the lemma's integers as terms of the claim: arguments of its games, or integers with the same name.

    Raises Unsupported if there is no such term.
    """
    names = {v.name for v in plain.variables if v.type == INT}
    found: dict[str, t.Term] = {}
    for theirs, ours in games.items():
        given = dict(ours.arguments)
        for parameter, argument in theirs.arguments:
            if isinstance(argument, t.Variable) and argument.name in names and argument.name not in found:
                found[argument.name] = given[parameter]
    own = {v.name for v in claim.variables if v.type == INT}
    for name in sorted(names - found.keys()):
        if name not in own:
            words = f"the lemma {lemma.id} has a variable {name}, and the claim has no integer of that name"
            raise Unsupported(words, instead=f"declare it in [forall] of the claim: {name} = ...")
        found[name] = t.Variable(INT, 0, 0, name)
    return found


def _conditions(plain: Claim, integers: Mapping[str, t.Term], limit: int | None) -> Iterator[t.Term]:
    """Yield the conditions that the lemma's integers are in their domains and, if `limit` is given, below `limit`."""
    for v in plain.variables:
        match v.domain:
            case IntervalDomain(lo=lo, hi=hi):
                yield compare("ge", integers[v.name], substitute(lo, integers))
                if hi is not None:
                    yield compare("le", integers[v.name], substitute(hi, integers))
                if limit is not None:
                    yield less_than(integers[v.name], integer(limit))
            case Positions() | Players():
                pass
            case _:
                raise refuse_variable(v)


def _arguments(games: Mapping[Game, Game], integers: Mapping[str, t.Term]) -> Iterator[t.Term]:
    """Yield the equations between the arguments of the lemma's games and the arguments of the claim's games.

    Raises Unsupported for unequal arguments that are not integers.
    """
    for theirs, ours in games.items():
        given = dict(ours.arguments)
        for parameter, argument in theirs.arguments:
            if argument.type == given[parameter].type != INT and structural_key(argument) == structural_key(
                given[parameter]
            ):
                continue
            if argument.type != INT:
                raise Unsupported(f"{theirs.ruleset.id}: the parameter {parameter} is not an integer")
            yield equal(substitute(argument, integers), given[parameter])


def _players(plain: Claim) -> Iterator[dict[str, t.Term]]:
    """Yield a player for each player variable of the lemma, in every combination."""
    variables = [v for v in plain.variables if isinstance(v.domain, Players)]
    counts = [v.domain.count for v in variables if isinstance(v.domain, Players)]
    for chosen in product(*map(range, counts)):
        yield {v.name: t.Literal(PLAYER, 0, 0, who) for v, who in zip(variables, chosen, strict=True)}


def _facts(
    plain: Claim, lemma: Lemma, values: Mapping[str, t.Term]
) -> tuple[tuple[tuple[str, t.Term], ...], tuple[t.Term, ...]]:
    """Return the folds of the lemma's proof, as pairs (name, term), and its facts; ((), ()) if it has no facts.

    The names cannot clash with names of the claim. `plain`: the lemma with definitions expanded.
    """
    proof = plain.proof
    if not isinstance(proof, FoldsProof) or not proof.facts:
        return (), ()
    own = {fold.name: t.Variable(INT, 0, 0, f"{fold.name} of {lemma.id}") for fold in proof.folds}
    place = {proof.position: t.Variable(POSITION, 0, 0, PLACE)}
    folds = tuple((own[fold.name].name, substitute(fold.term, {**values, **place})) for fold in proof.folds)
    return folds, tuple(substitute(term, {**values, **own}) for _, term in proof.facts)


# == options ==========================================================================================================
# Whether some option of a position fits, as a truth value B with axioms:
# - If B, then some heap h of s has a legal move to a position t that fits (h, the rest and the picks are fresh).
# - If a named move of the proof is legal and leads to a position t that fits, then B.
#
# Both axioms are true in any context.  `ask_played` gives axioms of the same kind for the question whether a position
# with one heap of s replaced is an option.
At = tuple[int, int, str]  # the id of a position, a mover and the name of a game
Fits = Callable[[Position], t.Term]


@dataclass(frozen=True, eq=False)
class MoveTaken:
    """A move of a player on one heap of a position, which the assumptions of a sequent mention.

    `where`: for a named move, the condition under which it picks the heap; otherwise a truth value which states that
    the move is made. `named`: the named move; None for an arbitrary move.
    `legal`: the condition that the move is legal. `take`: the numbers picked, by the ruleset's names.
    `size`, `leaves`: the variable for the new size, and its term.
    """

    of: Position
    mover: int
    where: t.Term
    legal: t.Term
    move: OpenMove
    heap: t.Term
    rest: Position
    take: Take
    size: t.Term
    leaves: t.Term
    named: FoldsMove | None = None


@dataclass(frozen=True, eq=False)
class OptionQuestion:
    """The question whether some option of a position satisfies a condition, with its answer.

    `term`: the part of the claim that asks. `fits`: the condition on an option. `answer`: a truth value.
    `ways`: the moves of which one is made if the answer is yes, each with a truth value for "this move is made".
    """

    term: t.Term | None
    of: Position
    fits: Fits
    answer: t.Variable
    ways: Sequence[tuple[t.Variable, MoveTaken]]


class NamedOptions:
    """The options that a sequent mentions, and the questions whether some option satisfies a condition.

    Both are stored for each position, mover and game. `questions`, `moves`: the questions, and the named moves on one
    heap, in the order in which the sequent mentions them.
    """

    def __init__(self, theory: FoldsTheory) -> None:
        self.theory = theory
        self.questions: list[OptionQuestion] = []
        self.moves: list[MoveTaken] = []
        self._named: dict[At, list[tuple[t.Term, Position]]] = {}
        self._asked: dict[At, list[tuple[t.Term, Fits]]] = {}
        self._kept: list[Position] = []  # keeps positions alive, because their ids are keys

    def some(self, game: Game, s: Position, mover: int, fits: Fits) -> t.Term:
        """Return a truth value for "some option x of s satisfies `fits(x)`".

        Raises Unsupported for a game with unsupported moves.
        """
        term, exists = self.theory.asking, self.theory.symbols.truth("some option")
        at, made = (id(s), mover, game.name), list[tuple[t.Variable, MoveTaken]]()
        if at not in self._named:
            self._kept.append(s)
            self._named[at], self._asked[at] = list(self._list_options(game, s, mover)), []
        ways = list(self._ways(game, s, mover, made))
        self.questions.append(OptionQuestion(term, s, fits, exists, made))
        for way, there, option in ways:
            self.theory.assume(Reason.OPTION, implies(way, conjunction(there, fits(option))))
            self._named[at].append((way, option))
        self.theory.assume(Reason.OPTION, implies(exists, disjunction(*(way for way, _, _ in ways))))
        self._asked[at].append((exists, fits))
        return exists

    def _list_options(self, game: Game, s: Position, mover: int) -> Iterator[tuple[t.Term, Position]]:
        """Yield (condition, option) for each named move of the proof.

        `condition`: the named move is legal at s. `option`: the position that the move leads to.
        """
        if self.theory.proof.uses_cases(game.ruleset):
            yield from self._list_options_on_several(game, s, mover)
            return
        for named in self.theory.proof.moves:
            for move in kinds_of(named, game, mover):
                for where, heap, rest in picks_of(self.theory, named, s):
                    legal, size, made = play_named(self.theory, named, move, s, where, heap, rest)
                    self.theory.assume(Reason.OPTION, implies(conjunction(where, legal), made))
                    take, leaves = take_of(self.theory, named, s, heap, rest), t.subterms(made)[1]
                    self.moves.append(MoveTaken(s, mover, where, legal, move, heap, rest, take, size, leaves, named))
                    yield conjunction(where, legal), self.theory.extend_rest(rest, size)

    def _ways(
        self, game: Game, s: Position, mover: int, played: list[tuple[t.Variable, MoveTaken]]
    ) -> Iterator[tuple[t.Term, t.Term, Position]]:
        """Yield (made, implied, option) for each kind of move and, if s lists its heaps, each heap.

        `made`: a truth value for "such a move is made".
        `implied`: a condition that is then true: the heap is present, and the move is legal.
        `option`: the position after the move.
        The method adds each move on one heap to `played`.
        """
        if self.theory.proof.uses_cases(game.ruleset):
            yield from self._ways_on_several(game, s, mover)
            return
        for move in playable(game, mover):
            whole = self.theory.symbols.truth("by this move")
            for taken, rest in self.theory.take_from(s, whole):
                way = whole if s.listed is None else self.theory.symbols.truth("by this heap")
                take = pick_freely(self.theory, move, (taken.heap,))
                legal, size, made = play(self.theory, move, taken.heap, rest, take)
                played.append(
                    (way, MoveTaken(s, mover, way, legal, move, taken.heap, rest, take, size, t.subterms(made)[1]))
                )
                yield way, conjunction(taken.present, legal, made), self.theory.extend_rest(rest, size)

    # -- moves that choose several heaps ------------------------------------------------------------------------------
    def _list_options_on_several(self, game: Game, s: Position, mover: int) -> Iterator[tuple[t.Term, Position]]:
        for named in self.theory.proof.several:
            if named.player not in (None, mover):
                continue
            for stage, take in ways_of(self.theory, named, s):
                for move in kinds_on(game, mover, len(stage.heaps), take):
                    legal, sizes, made = play_on(self.theory, move, stage.heaps, take)
                    self.theory.assume(Reason.OPTION, implies(conjunction(stage.where, legal), made))
                    yield conjunction(stage.where, legal), put_back(self.theory, stage.rest, sizes)

    def _ways_on_several(self, game: Game, s: Position, mover: int) -> Iterator[tuple[t.Term, t.Term, Position]]:
        for move in open_several(game, mover):
            whole = self.theory.symbols.truth("by this move")
            for there, heaps, rest in take_out(self.theory, s, whole, len(move.heaps)):
                way = whole if s.listed is None else self.theory.symbols.truth("by these heaps")
                legal, sizes, made = play_on(self.theory, move, heaps, None)
                yield way, conjunction(there, legal, made), put_back(self.theory, rest, sizes)

    def answers(self) -> Iterable[t.Term]:
        """Return an implication for each question and each named option: if the option fits, the answer is "yes".

        A question is whether some option satisfies a condition. This condition may contain a question about the options
        of the option. The method ends, because each such question is one level deeper in the claim.
        """
        known: list[t.Term] = []
        done: set[tuple[At, int, int]] = set()
        while todo := [x for x in self._pairs() if x not in done]:
            for at, i, j in todo:
                done.add((at, i, j))
                (exists, fits), (where, option) = self._asked[at][i], self._named[at][j]
                known.append(implies(conjunction(where, fits(option)), exists))
        return known

    def _pairs(self) -> list[tuple[At, int, int]]:
        return [
            (at, i, j)
            for at, asked in self._asked.items()
            for i in range(len(asked))
            for j in range(len(self._named[at]))
        ]


# -- positions in which one heap is replaced --------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class ChangePlayed:
    """The question whether a legal move makes a change of one heap.

    `answer`: the answer. `made`: the change. `picked`: for each kind of moves, the variables for the picks and the new
    size. `guessed`: for each guess of the picks, the kind of moves, the picks, the condition that they are legal, and
    the variable for the new size.
    """

    answer: t.Variable
    made: HeapReplacement
    picked: tuple[tuple[OpenMove, Take, t.Term], ...]
    guessed: tuple[tuple[OpenMove, Take, t.Term, t.Term], ...]


def ask_played(theory: FoldsTheory, game: Game, mover: int, made: HeapReplacement) -> ChangePlayed:
    """Return the question whether a legal move makes the change `made` to one heap, and add the assumptions about it.

    Such a move is on the replaced heap, or on a heap of equal size. A move on another heap would make that heap
    smaller, and the replaced heap would keep its size.

    If the answer is yes, some legal picks leave the new size of the heap. Conversely, it is yes if this holds for
    the picks of a named move, or for the pick that the new size determines.
    Raises Unsupported for unsupported moves.
    """
    answer = theory.symbols.truth("a legal move")
    moves = playable(game, mover)
    picked, reached, guessed = list[tuple[OpenMove, Take, t.Term]](), list[t.Term](), list[_Guessed]()
    for move in moves:
        take = pick_freely(theory, move, (made.heap,))
        legal, size, done = play(theory, move, made.heap, made.rest, take)
        picked.append((move, take, size))
        reached.append(conjunction(legal, done, equal(size, made.size)))
    theory.assume(Reason.OPTION, implies(answer, disjunction(*reached)))
    for move in moves:
        for take in _guess_picks(theory, move, made):
            legal, size, done = play(theory, move, made.heap, made.rest, take)
            theory.assume(Reason.OPTION, implies(legal, done))  # a legal move leaves a heap size: obligation `measure`
            theory.assume(Reason.OPTION, implies(conjunction(legal, equal(size, made.size)), answer))
            guessed.append((move, take, legal, size))
    return ChangePlayed(answer, made, tuple(picked), tuple(guessed))


_Guessed = tuple[OpenMove, Take, t.Term, t.Term]


def _guess_picks(theory: FoldsTheory, move: OpenMove, made: HeapReplacement) -> Iterator[dict[str, t.Term]]:
    """Yield tables of numbers that a move may pick to make this change, by their names in the ruleset.

    They are the picks of each named move, and the pick that the new size determines.
    """
    for named in theory.proof.moves:
        take = take_of(theory, named, made.of, made.heap, made.rest)
        if all(pick.word in take or pick.is_known for pick in move.picks):
            yield take
    if len(move.picks) == 1:
        (pick,) = move.picks
        rest = polynomial(move.become)
        sign = rest.coefficients.pop((pick.name,), None)
        if sign in (1, -1) and not _mentions(rest, pick.name):
            left = theory.number(rest.term(), {**theory.root, HEAP: made.heap})
            yield {pick.word: sub(left, made.size) if sign == -1 else sub(made.size, left)}


def _mentions(number: Polynomial, name: str) -> bool:
    """Whether a name occurs in an atom of a polynomial, that is, in a part that is not a sum or product."""
    return any(name in names_in(x) for m in number.coefficients for x in (number.atoms[key] for key in m))


# == questions ========================================================================================================
# Questions about a claim's games at positions, if no invariant of the proof answers them.
#
# Each answer is a free variable: a truth value for who wins, an integer for a value.  The assumptions about it are the
# lemmas, at every position in a question.  At the `unfolded` positions there is also the definition of winning and of
# values, in terms of the options.
class GameAnswers:
    """The answers to the questions about games in one sequent, such as who wins at a position.

    Unsupported questions raise Unsupported.
    """

    def __init__(self, theory: FoldsTheory, known: tuple[LemmaInstance, ...]) -> None:
        self.theory, self.known = theory, known
        self._answers: dict[Hashable, t.Term] = {}
        self._unfolded: set[int] = set()
        self._told: set[tuple[int, int]] = set()
        self.within = False  # whether a lemma is being read at present
        self._kept: list[Position] = []  # keeps positions alive, because their ids are keys

    def meet(self, s: Position, unfold: bool) -> None:
        """Register a position of the claim itself, and assume the lemmas without games at this position.

        `unfold`: whether a question at this position also assumes the definition of winning or of values.
        """
        if unfold:
            self._unfolded.add(id(s))
        self._kept.append(s)
        self._tell(s, lambda x: not x.games)

    def wins(self, game: Game, s: Position, mover: int) -> t.Term:
        """Return the truth value of "`mover`, to move at s, wins".

        Raises Unsupported unless the game has two players.
        """
        who = 0 if game.ruleset.impartial else mover
        if len(game.ruleset.players) != 2:
            raise Unsupported(f"{game.ruleset.id}: 'wins' needs a game of two players")
        name = "the mover" if game.ruleset.impartial else game.ruleset.players[who]

        def define(answer: t.Term) -> None:
            following = 0 if game.ruleset.impartial else 1 - who
            good = self.theory.some_option(game, s, who, lambda option: negation(self.wins(game, option, following)))
            stuck = negation(self.theory.some_option(game, s, who, lambda _: YES)) if game.ruleset.stuck_wins else None
            self.theory.assume(Reason.MEANING, iff(answer, good if stuck is None else disjunction(good, stuck)))

        return self._answer(
            "wins",
            game,
            s,
            who,
            lambda: self.theory.symbols.truth(self._make_name(name, "wins", game, s), False),
            define,
        )

    def value(self, game: Game, s: Position) -> t.Term:
        """Return the value of s for n players: the winner, counted in turns from the player to move.

        Raises Unsupported unless the game has n players with the same moves, and a player who cannot move wins.
        """
        ruleset = game.ruleset
        if not (ruleset.player_count and ruleset.impartial and ruleset.stuck_wins):
            words = "values are defined only for n players with the same moves, if a player who cannot move wins"
            raise Unsupported(f"{ruleset.id}: {words}")
        players = self.theory.number(dict(game.arguments)[ruleset.player_count], self.theory.root)

        def make() -> t.Term:
            made = self.theory.size(self._make_name("value", "", game, s))
            self.theory.assume(Reason.MEANING, less_than(made, players))
            return made

        def add_turn(option: Position) -> t.Term:
            there = self.value(game, option)
            return choose(equal(add(there, ONE), players), ZERO, add(there, ONE))

        def define(answer: t.Term) -> None:
            some = self.theory.some_option
            moves = some(game, s, 0, lambda _: YES)
            reached = some(game, s, 0, lambda option: equal(add_turn(option), answer))
            less = some(game, s, 0, lambda option: less_than(add_turn(option), answer))
            none = conjunction(negation(moves), equal(answer, ZERO))
            self.theory.assume(Reason.MEANING, disjunction(none, conjunction(moves, reached, negation(less))))

        return self._answer("value", game, s, 0, make, define)

    def _make_name(self, who: str, what: str, game: Game, s: Position) -> str:
        of = "" if len(self.theory.claim.games) == 1 else f" in {game.name}"
        return f"{who} {what}{of} at {s.name}" if what else f"{who}{of} of {s.name}"

    def _answer(
        self,
        function: str,
        game: Game,
        s: Position,
        who: int,
        make: Callable[[], t.Term],
        define: Callable[[t.Term], None],
    ) -> t.Term:
        """Return the variable for the answer to a question, such as who wins at s.

        The first request creates the variable with `make`. At positions where definitions are applied, `define` then
        assumes the definition of the answer. In all cases, the lemmas about the game are assumed at s.
        `function`, `who`: the function in the question, and the player.
        """
        key = function, game.name, id(s), who
        if key not in self._answers:
            self._kept.append(s)
            self._answers[key] = make()
            if id(s) in self._unfolded:
                define(self._answers[key])
        self._tell(s, lambda x: game.name in x.games)
        return self._answers[key]

    def _tell(self, s: Position, concerns: Callable[[LemmaInstance], bool]) -> None:
        """Assume the lemmas that satisfy `concerns` at a position, each only once.

        While the terms of a lemma are translated, assume nothing, so that the answers in the lemma stay free variables.
        """
        if self.within:
            return
        for number, lemma in enumerate(self.known):
            at = (number, id(s) if lemma.placed else 0)
            if at in self._told or not concerns(lemma):
                continue
            self._told.add(at)
            env = {**self.theory.root, PLACE: s}
            with self.marking_lemma(True):
                self.theory.lemmas.setdefault(lemma.id, []).extend(_read(lemma, self.theory, env))

    @contextmanager
    def marking_lemma(self, within: bool) -> Iterator[None]:
        """Set `self.within` inside a `with` block: whether the terms that are translated there belong to a lemma."""
        before, self.within = self.within, within
        try:
            yield
        finally:
            self.within = before


def _read(lemma: LemmaInstance, theory: FoldsTheory, env: Env) -> list[t.Term]:
    try:
        return [theory.truth(statement, env) for statement in lemma.statements]
    except Unsupported as error:
        raise Unsupported(f"the lemma {lemma.id}: {error}") from error


# == sets =============================================================================================================
# Sets of positions: their equality, and their elements, for positions of any number of heaps.
#
# A set has one of three forms: the options of a position, perhaps with conditions; {replace(s, h, ...) for h in s if
# ...}; positions written one by one.
#
# If two sets differ, one has an element that is not in the other.  This is the only axiom: an arbitrary element of the
# first set is not among the elements that the second set is known to have.  The axiom is true.  If the second set has
# an element for another reason, the axiom is too weak, and the proof fails.
OF_POSITIONS = "use the options of a position, perhaps with a condition, or positions written one by one"


@dataclass(frozen=True, eq=False)
class _Element:
    """A position that may be in a set.

    `take`: for an option, the numbers picked in a move to the option, by name.
    """

    position: Position
    take: Mapping[str, t.Term] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Elements:
    """The elements of a set of positions, as far as they are known.

    `some(way)`: pairs (condition, element) that contain new variables, such as the heap of a move. Every element of the
    set is the element of some pair with a true condition, for some values of the variables. `way` is a truth value that
    implies that the set has an element.
    `has(x)`: a condition that implies that x is in the set.
    """

    some: Callable[[t.Term], Iterator[tuple[t.Term, _Element]]]
    has: Callable[[_Element], t.Term]


def compare_sets(theory: FoldsTheory, a: t.Term, b: t.Term, env: Env) -> t.Term:
    """Return a truth value for `a == b`, for two sets of positions. Raises Unsupported for unsupported sets."""
    first, second = _elements(theory, a, env), _elements(theory, b, env)
    same = theory.symbols.truth("the sets are equal")
    theory.assume(
        Reason.SETS,
        disjunction(same, _has_outside_element(theory, first, second), _has_outside_element(theory, second, first)),
    )
    return same


def _has_outside_element(theory: FoldsTheory, a: _Elements, b: _Elements) -> t.Term:
    """Return a truth value that implies that `a` has an element which is not among the known elements of `b`."""
    way = theory.symbols.truth("an element of one set alone")
    alone = [conjunction(where, negation(b.has(x))) for where, x in a.some(way)]
    theory.assume(Reason.SETS, implies(way, disjunction(*alone)))
    return way


@dataclass(frozen=True, eq=False)
class Chosen:
    """A set of options, perhaps with conditions, such as `{x for x in options(s, P1) if len(x) == 1}`.

    `call`: the call of `options`.
    `clauses`: the clauses of the comprehensions around the call; the elements satisfy their conditions.
    """

    call: t.GameCall
    clauses: tuple[t.Clause, ...] = ()

    def fits(self, theory: FoldsTheory, env: Env, option: Position) -> t.Term:
        """Return the condition that an option satisfies the conditions of all clauses."""
        return conjunction(*(theory.truth(x, {**env, c.variable: option}) for c in self.clauses for x in c.conditions))

    def has(self, theory: FoldsTheory, env: Env, fits: Callable[[Position], t.Term]) -> t.Term:
        """Return the truth value of "some option in this set satisfies `fits`". Raises Unsupported."""
        s, mover = theory.position_of(self.call.args[0], env), theory.player(self.call.args[1], env)

        def meets(option: Position) -> t.Term:
            return conjunction(self.fits(theory, env, option), fits(option))

        return theory.some_option(theory.claim.game(self.call.game), s, mover, meets)


def match_chosen(source: t.Term) -> Chosen | None:
    """Return the set of options that a term denotes, perhaps restricted by conditions; None for another set."""
    match source:
        case t.GameCall(function="options"):
            return Chosen(source)
        case t.Comprehension(reducer="set", body=body, clauses=(clause,)) if _is(body, clause.variable):
            inner = match_chosen(clause.source)
            return inner and Chosen(inner.call, (*inner.clauses, clause))
    return None


def is_among(theory: FoldsTheory, x: t.Term, group: t.Term, env: Env) -> t.Term:
    """Return the condition that a position is in a set of options or in an explicit set. Raises Unsupported."""
    wanted = theory.position_of(x, env)
    if isinstance(group, t.Collection):
        return disjunction(*(theory.same_position(wanted, theory.position_of(item, env)) for item in group.items))
    if options := match_chosen(group):
        return options.has(theory, env, lambda option: theory.same_position(option, wanted))
    raise Unsupported(f"{print_term(x)} in {print_term(group)} is not supported", instead=OF_POSITIONS)


# -- the sets ---------------------------------------------------------------------------------------------------------
def _elements(theory: FoldsTheory, term: t.Term, env: Env) -> _Elements:
    if options := match_chosen(term):
        return _options(theory, options, env)
    match term:
        case t.Collection(items=items):
            return _make_listed_elements(theory, items, env)
        case t.Comprehension(
            reducer="set", body=t.Operation(op="replace", args=(whole, heap, becomes)), clauses=(clause,)
        ) if isinstance(clause.source, t.Variable) and clause.source.type == POSITION:
            if _is(whole, clause.source.name) and _is(heap, clause.variable):
                return _make_replaced_elements(theory, clause, becomes, env)
    instead = f"{OF_POSITIONS}, or a set such as {{replace(s, h, h - 1) for h in s}}"
    raise Unsupported(f"{print_term(term)} is not a supported set of positions", instead=instead)


def _is(term: t.Term, name: str) -> bool:
    return isinstance(term, t.Variable) and term.name == name


def _options(theory: FoldsTheory, options: Chosen, env: Env) -> _Elements:
    """Return the elements of a set of options of a position s.

    A position that differs from s in one heap is known to be in the set if a legal move on that heap leads to it. The
    code tries the picks that are stored with this position, and the picks of the named moves.
    """
    source = options.call
    s, mover = theory.position_of(source.args[0], env), theory.player(source.args[1], env)
    game = theory.claim.game(source.game)
    moves = playable(game, mover)

    def some(way: t.Term) -> Iterator[tuple[t.Term, _Element]]:
        for taken, rest in theory.take_from(s, way):
            for move in moves:
                take = pick_freely(theory, move, (taken.heap,))
                legal, size, made = play(theory, move, taken.heap, rest, take)
                option = theory.extend_rest(rest, size)
                yield conjunction(taken.present, legal, made, options.fits(theory, env, option)), _Element(option, take)

    def has(x: _Element) -> t.Term:
        change = x.position.change
        if change is None or change.of is not s:
            return options.has(theory, env, lambda option: theory.same_position(option, x.position))
        by_x = [_reaches(theory, move, change, x.take) for move in moves if move.picks_by(x.take)]
        ways = disjunction(*by_x, *(_reaches(theory, move, change, take) for move, take in list_named_moves(change)))
        return conjunction(ways, options.fits(theory, env, x.position))

    def list_named_moves(change: HeapReplacement) -> Iterator[tuple[OpenMove, Take]]:
        for one in theory.proof.moves:
            for move in kinds_of(one, game, mover):
                yield move, take_of(theory, one, s, change.heap, change.rest)

    return _Elements(some, has)


def _reaches(theory: FoldsTheory, move: OpenMove, change: HeapReplacement, take: Mapping[str, t.Term]) -> t.Term:
    """Return the condition that the move with these picks is legal and changes the heap as `change` states."""
    legal, (becomes,) = outcome_of(theory, move, (change.heap,), take, change.rest)
    return conjunction(legal, equal(change.size, becomes))


def _make_replaced_elements(theory: FoldsTheory, clause: t.Clause, becomes: t.Term, env: Env) -> _Elements:
    """Return the elements of the set {replace(s, h, becomes) for h in s if conditions}."""
    s = theory.position_of(clause.source, env)

    def read_replacement(heap: t.Term) -> tuple[t.Term, t.Term]:
        """Return the condition that the comprehension contains `heap`, and the new size of the heap."""
        inner = {**env, clause.variable: heap}
        size = theory.natural(theory.number(becomes, inner))
        if not theory.is_size(size):
            words = f"a heap is replaced by {print_term(becomes)}, which may be outside {theory.sizes}"
            raise Unsupported(words, instead=NO_SIZES)
        return conjunction(*(theory.truth(c, inner) for c in clause.conditions)), size

    def some(way: t.Term) -> Iterator[tuple[t.Term, _Element]]:
        for taken, rest in theory.take_from(s, way):
            where, size = read_replacement(taken.heap)
            yield conjunction(taken.present, where), _Element(theory.extend_rest(rest, size))

    def has(x: _Element) -> t.Term:
        change = x.position.change
        if change is not None and change.of is s:
            where, size = read_replacement(change.heap)
            return conjunction(where, equal(change.size, size))
        if s.listed is None:
            words = (
                f"{{replace({s.name}, ...)}} cannot be compared with positions that do not result from {s.name} by a "
                "change of one heap"
            )
            raise Unsupported(words, instead=f"compare the set with options of {s.name}")
        return disjunction(
            *(conjunction(where, theory.same_position(x.position, other.position)) for where, other in some(YES))
        )

    return _Elements(some, has)


def _make_listed_elements(theory: FoldsTheory, items: tuple[t.Term, ...], env: Env) -> _Elements:
    """Return the elements of {a, b}, a set that lists its positions."""
    positions = [theory.position_of(item, env) for item in items]

    def some(way: t.Term) -> Iterator[tuple[t.Term, _Element]]:
        yield from ((YES, _Element(p)) for p in positions)

    return _Elements(some, lambda x: disjunction(*(theory.same_position(x.position, p) for p in positions)))
