"""The facts that hold at a point of the argument for a claim, and the sequents that follow from them.

A scene consists of the position of the claim, the options that the argument has opened, and the conditions that hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from claims.language.files.claim import Claim, Game
from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from claims.language.syntax.terms import PLAYER, POSITION
from encoders.coq.instances import MODULE, write_condition, write_number
from encoders.coq.propositions import Statements
from encoders.coq.writing import Text
from encoders.logic.moves import OpenMove
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequents import YES, equal, negation
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.folds import kinds
from encoders.rules.folds.folding import HeapSplit
from encoders.rules.folds.instance import FoldsObligation, Instance, folds_in, rewrite_heap_counts
from encoders.rules.folds.moves import pick_freely, pick_of, play, take_of
from encoders.rules.folds.positions import Position
from encoders.rules.folds.reader import FoldReader
from encoders.rules.folds.section import FoldsMove, FoldsProof
from encoders.trust import Reason

# == invariants =======================================================================================================
# Who wins in the games of a claim: by the invariant of its own proof, or by the invariants of its lemmas.


@dataclass(frozen=True)
class Invariant:
    """Who loses in a game of the claim, by a Coq lemma `known`.

    `game`: the game. `loses`: the condition for each player. `folds`, `facts`: the folds in the conditions, and what is
    known of them; their names differ from all names of the claim.
    `module`: the Coq module of the file with the lemma; "" for this file. `known`: the lemma with its integers.
    """

    game: Game
    loses: tuple[tuple[int, t.Term], ...]
    folds: tuple[tuple[str, t.Term], ...]
    facts: tuple[t.Term, ...]
    module: str
    known: str

    @property
    def lost(self) -> str:
        """Return the Coq name of the condition under which a player loses."""
        return f"{self.module}lost"

    @property
    def unfolds(self) -> str:
        """Return the Coq definitions that the lemma mentions."""
        return f"{self.lost} {self.module}natural {self.module}special" if self.module else self.lost


class ClaimReader(FoldReader):
    """A translator of the terms of a claim, in which invariants tell who wins."""

    def __init__(self, claim: Claim, proof: FoldsProof, invariants: Sequence[Invariant]) -> None:
        super().__init__(claim, replace(proof, by=()))
        self.invariants = {x.game.name: x for x in invariants}
        for each in invariants:
            for name, term in each.folds:
                fold = self.named.setdefault(name, self.folding.fold_of_position(term))
                fold.label = name
            self.lemma_facts += [("", x) for x in each.facts]
        self.extremes_shown = True

    def wins(self, game: Game, s: Position, mover: int) -> t.Term:
        """Return the truth value of "the mover wins". Raises Unsupported if no invariant tells it."""
        found = self.invariants.get(game.name)
        table = dict(found.loses) if found else {}
        who = 0 if game.ruleset.impartial else mover
        if who not in table:
            raise Unsupported("no theorem tells who wins in this game")
        return negation(self.truth(table[who], self.fold_values(s)))

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        """Return the translation of a condition; `loses(s, p)` is the opposite of `wins(s, p)`."""
        match term:
            case t.GameCall(function="loses", game=name, args=(s, mover)):
                return negation(self.wins(self.claim.game(name), self.position_of(s, env), self.player(mover, env)))
        return super().about_truth(term, env)


# == scenes ===========================================================================================================
# A scene contains the facts that hold at a point of the argument. From it, the sequent of a step is made anew.
Ask = Callable[["ClaimReader", Env], t.Term]
"""A condition about a scene, as a function of a reader and of the values of all names."""
Line = str | Callable[[], str]
"""A line of Coq tactics. A function writes the line after all sequents are made, when the folds are known."""


@dataclass(frozen=True)
class Opened:
    """A heap h of the position `of`, the rest R, and the position after h is replaced by y.

    `number`: a number in the Coq names h1, y1 and R1. `variable`: the position after the change; "" before the move.
    `game`, `mover`, `kind`: the move, if a legal move makes the change. `named`: the named move of the proof.
    `heap`, `size`: if the claim replaces the heap, the variable for h and the term for y.
    """

    of: str
    number: int
    variable: str = ""
    game: str = ""
    mover: int = 0
    kind: OpenMove | None = None
    named: FoldsMove | None = None
    heap: str = ""
    size: t.Term | None = None


@dataclass(frozen=True)
class Universal:
    """A hypothesis about every option of a position. `body`: the condition on the option `variable`."""

    name: str
    of: str
    game: str
    mover: int
    variable: str
    body: t.Term
    denied: bool


@dataclass(frozen=True)
class Scene:
    """The facts that hold at a point of an argument.

    `names`: the Coq names of positions and heaps. `opened`: the changes of heaps. `known`: the conditions that hold.
    `universals`: the hypotheses about options. `denied`: the names of hypotheses which state that a condition about
    options does not hold, each with the condition. `used`: the pairs of a universal hypothesis and an option, and the
    pairs of a named move and a position, that the argument has used.
    """

    names: tuple[tuple[str, str], ...]
    opened: tuple[Opened, ...] = ()
    known: tuple[Ask, ...] = ()
    universals: tuple[Universal, ...] = ()
    denied: tuple[tuple[str, t.Term], ...] = ()
    used: frozenset[tuple[object, str]] = frozenset()


class Scenes:
    """A writer of Coq tactics about scenes.

    `steps`: the sequents that the argument needs. `instance`: the instance that knows all folds, set after the sequents
    are made.
    """

    instance: Instance

    def __init__(
        self,
        claim: Claim,
        proof: FoldsProof,
        invariants: Sequence[Invariant],
        numbers: Statements,
        services: ProofServices,
        before: int,
    ) -> None:
        self.claim, self.proof, self.invariants, self.numbers = claim, proof, invariants, numbers
        self.services, self.before = services, before
        self.steps: list[FoldsObligation] = []
        self.count = 0

    def _fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    # -- sequents -----------------------------------------------------------------------------------------------------
    def _read(self, scene: Scene) -> tuple[ClaimReader, Env, dict[str, str], dict[str, str]]:
        """Return a new reader, the values of all names of a scene, and their Coq text.

        The last two are the letters of the folds of each position, and the Coq text of other variables.
        """
        reader = ClaimReader(self.claim, self.proof, self.invariants)
        env: dict[str, object] = dict(reader.root)
        letters, others = dict[str, str](), dict[str, str]()
        for v in self.claim.variables:
            if v.type == POSITION:
                env[v.name] = reader.position(v.name)
                letters[v.name] = "s"
        for o in scene.opened:
            self._open(reader, o, env, letters, others)
        return reader, env, letters, others

    def _open(
        self, reader: ClaimReader, o: Opened, env: dict[str, object], letters: dict[str, str], others: dict[str, str]
    ) -> None:
        n, source = o.number, reader.position_of(t.Variable(POSITION, 0, 0, o.of), env)
        heap, rest = reader.size(f"heap {n}", low=1), reader.position(f"rest {n}")
        others[heap.name], letters[rest.name] = f"(Z.of_N h{n})", f"r{n}_"
        rest.without = source, heap
        reader.splits.append(HeapSplit(YES, source, heap, rest, reader.add_heap(source.name, rest, heap)))
        reader.written.draw(source, heap, rest)
        env[f"heap {n}"], env[f"rest {n}"] = heap, rest
        if o.heap:
            env[o.heap] = heap
        if o.named is not None:
            _, has_property = pick_of(reader, o.named, source)
            reader.assume(Reason.TOP_BIT, has_property(heap))
        if not o.variable:
            return
        if o.kind is None:
            assert o.size is not None
            size: t.Term = reader.size("new size")
            reader.assume(Reason.OPTION, equal(size, reader.number(o.size, env)))
        else:
            if o.named is None:
                take = dict(pick_freely(reader, o.kind, (heap,)))
                for i, pick in enumerate(o.kind.picks, 1):
                    x = take[pick.word]
                    assert isinstance(x, t.Variable)
                    others[x.name] = f"(Z.of_N p{n}_{i})"
                    env[f"pick {n} {pick.word}"] = x
            else:
                take = take_of(reader, o.named, source, heap, rest)
            legal, size, made = play(reader, o.kind, heap, rest, take)
            reader.assume(Reason.OPTION, legal, made)
        assert isinstance(size, t.Variable)
        others[size.name], env[f"size {n}"] = f"(Z.of_N y{n})", size
        env[o.variable] = reader.extend_rest(rest, size)

    def _values(self, reader: ClaimReader, letters: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
        positions = {name: self.instance.places(letter) for name, letter in letters.items()}
        return self.instance.values(reader, positions, others)

    def _text(self, scene: Scene, ask: Ask) -> Callable[[], str]:
        """Return a function that writes a condition about the scene, over the integers, as Coq text."""

        def write() -> str:
            reader, env, letters, others = self._read(scene)
            asked = ask(reader, env)
            return f"({write_condition(asked, self._values(reader, letters, others))})%Z"

        return write

    def _pose(self, scene: Scene, goal: Ask) -> Line | None:
        """Return the tactic that adds to the context, as O, that a condition holds; None if no proof of it is found."""
        reader, env, letters, others = self._read(scene)
        known = tuple(ask(reader, env) for ask in scene.known)
        number = self.before + len(self.steps) + 1
        sequent = reader.sequent(f"claim, step {len(self.steps) + 1}", Entailment(known, goal(reader, env)))
        sequent = replace(sequent, kind=kinds.FOLLOWS)
        if not self.services.decide(sequent):
            return None
        posed = FoldsObligation(f"{MODULE}.obligation_{number}", sequent, reader)
        self.steps.append(posed)
        return lambda: f"{self.instance.use(posed, self._values(reader, letters, others))}."

    # -- links --------------------------------------------------------------------------------------------------------
    def _in(self, scene: Scene) -> Statements:
        return self.numbers.bind({word: Text(name) for word, name in scene.names})

    def _links(self, scene: Scene, term: t.Term, of: str) -> Callable[[], str]:
        """Return a function that writes the tactics which translate a hypothesis or goal about natural numbers.

        `term`: the condition. `of`: the name of the hypothesis; "" for the goal, which then follows from O.
        """

        def write() -> str:
            reader, env, letters, others = self._read(scene)
            numbers = self._in(scene)
            inside, made, kept = f" in {of}" if of else "", list[str](), [of or "O"]
            for i, _ in enumerate(rewrite_heap_counts(self.claim, self.numbers), 1):
                made.append(f"try setoid_rewrite of_heaps_{i}{inside}.")
            for word, name in scene.names:
                position = env.get(word)
                if not isinstance(position, Position):
                    continue
                found = dict[str, str]()
                for x, text in folds_in(term, word, numbers):
                    number = position.fold(reader.folding.fold_of_term(x, env))
                    found[text] = write_number(number, self._values(reader, letters, others))
                for text, value in found.items():
                    kept.append(self._fresh("K"))
                    made.append(f"assert ({kept[-1]} : Z.of_N ({text}) = ({value})%Z) by same_fold.")
                for game, who in _find_asked(term, word):
                    player, w = numbers.player(t.Literal(PLAYER, 0, 0, who)).text, self._fresh("W")
                    made.append(f"destruct (wins_{self._index(game)}_{name} {player}) as ({w} & {w}l & {w}w).")
                    made.append(f"cbv iota in {w}, {w}l.")
                    if not isinstance(term, t.GameCall) or term.function != "loses":
                        made.append(f"rewrite ?{w}{inside}.")
                    else:
                        made.append(f"apply {w}w in {of}. rewrite {w} in {of}." if of else f"apply {w}l.")
            return f"{' '.join(made)} clear - {' '.join(kept)}. nim_sums_of_numbers. lia."

        return write

    def _index(self, game: str) -> int:
        return [x.game.name for x in self.invariants].index(game)

    # -- positions ----------------------------------------------------------------------------------------------------
    def _learn(self, name: str) -> Iterator[str]:
        """Yield the tactics that state the invariants for the position with this Coq name."""
        for i, each in enumerate(self.invariants):
            w, own = f"wins_{i}_{name}", not each.module
            yield f"pose proof (known_{i} {name}) as {w}."
            yield f"cbv beta iota zeta delta [{each.unfolds}] in {w}. of_values {w}."
            yield f"destruct {w} as [{w} {'_' if own else f'K_{w}'}]. {'' if own else f'parts_of K_{w}.'}"

    def begin(self, name: str) -> Iterator[Line]:
        """Yield the tactics that name the folds of a position, and state the facts about them."""
        for i, each in enumerate(self.invariants):
            yield f"pose proof {each.known} as known_{i}."
            if each.module:
                yield f"of_game {self.numbers.games[each.game.name].argument} known_{i}."
        yield lambda: self._name_folds(name, "s", f"V_{name}")
        yield from self._learn(name)

    def _name_folds(self, name: str, letter: str, equation: str) -> str:
        return (
            f"pose proof (values {name}) as E_{name}. "
            f"pose proof (facts_of_all F none join fact fact_of_none fact_of_more {name}) as Fs_{name}. "
            f"destruct (value {name}) as {self.instance.pattern(letter)} eqn:{equation}. split_values E_{name}. "
            f"destruct Fs_{name} as [Ns Fs_{name}]. cbv beta iota zeta delta [natural] in Ns. parts_of Ns."
        )

    def _draw(self, o: Opened, scene: Scene) -> Iterator[Line]:
        """Yield the tactics after a heap h of a position is chosen, so that the position is h and R."""
        n, u = o.number, dict(scene.names)[o.of]
        yield lambda: self._name_folds(f"R{n}", f"r{n}_", f"V_R{n}")
        yield (
            f"pose proof (folded_same F none join in_any_order {u} (h{n} :: R{n}) E{n}) as L{n}. "
            f"change (value (h{n} :: R{n})) with (joins F join [h{n}] (value R{n})) in L{n}. "
            f"rewrite joins_one in L{n} by exact P{n}. rewrite V_{u}, V_R{n} in L{n}. "
            f"cbv beta iota zeta delta [join] in L{n}. split_values L{n}."
        )
        yield from self._learn(f"R{n}")

    def _arrive(self, o: Opened, scene: Scene) -> Iterator[Line]:
        """Yield the tactics after a heap is changed: the folds of the new position."""
        n, name = o.number, dict(scene.names)[o.variable]

        def write() -> str:
            reader, env, letters, others = self._read(scene)
            position = position_at(env, o.variable)
            folds = [position.fold(reader.folding.made.get(x.key) or x.fold) for x in self.instance.folds]
            values = self._values(reader, letters, others)
            texts = ", ".join(write_number(x, values) for x in folds)
            return (
                f"assert (V_{name} : value {name} = ({texts})%Z).\n"
                f"  {{ rewrite (folded_same F none join in_any_order {name} (y{n} :: R{n}) F{n}). "
                f"change (value (y{n} :: R{n})) with (joins F join [y{n}] (value R{n})). rewrite V_R{n}. "
                f"folds_after y{n} ltac:(fun _ => cbv beta iota zeta delta [join]). }}"
            )

        yield write
        yield (
            f"pose proof (values {name}) as E_{name}. rewrite V_{name} in E_{name}. split_values E_{name}. "
            f"pose proof (facts_of_all F none join fact fact_of_none fact_of_more {name}) as Fs_{name}. "
            f"rewrite V_{name} in Fs_{name}. destruct Fs_{name} as [Ns Fs_{name}]. "
            "cbv beta iota zeta delta [natural] in Ns. parts_of Ns."
        )
        yield from self._learn(name)


def _find_asked(term: t.Term, position: str) -> Iterator[tuple[str, int]]:
    """Yield the games and players about which a condition asks who wins at the position, each once."""
    found = dict[tuple[str, int], None]()
    for x in walk(term):
        match x:
            case t.GameCall(function="wins" | "loses", game=game, args=(t.Variable(name=name), t.Literal(value=who))):
                if name == position:
                    found[game, who] = None
            case t.GameCall(function="outcome", game=game, args=(t.Variable(name=name),)) if name == position:
                found |= {(game, 0): None, (game, 1): None}
    yield from found


# -- terms ------------------------------------------------------------------------------------------------------------
def says(term: t.Term) -> Ask:
    """Return the condition that a term states."""
    return lambda q, env: q.truth(term, env)


def position_at(env: Env, name: str) -> Position:
    found = env[name]
    assert isinstance(found, Position)
    return found


def number_at(env: Env, what: str, number: int) -> t.Term:
    found = env[f"{what} {number}"]
    assert isinstance(found, t.Term)
    return found
