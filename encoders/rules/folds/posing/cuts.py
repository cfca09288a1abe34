"""What moves do to remainders, shown apart from nim-sums: a solver that has to see both at once sees neither.

Of a nim-sum X of terms with a remainder by a symbol some things are tried, as arithmetic without bound: that no legal
move leaves the term of its heap as it was; of a named move at the top bit of X, that it adds X to that term; of others,
that they lower it by what they take, or leave 0 or 1 of it.  What goes through is an obligation of the proof, and known
from there on.

Each is posed as a sequent that says more: over integers instead of words, of nim-sums only that they are natural
numbers.  Whoever proves it has proved the sequent it was made from; of the sequents as they are some are not seen to
hold, and the search takes longer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace

from claims.language.expressions.walk import rebuild, structural_key, walk
from claims.language.statement.claim import Claim, Game
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL
from encoders.logic.moves import movers
from encoders.logic.reader import Entailment
from encoders.logic.sequent import Hypothesis, Sequent, Symbols
from encoders.logic.terms import at_most, conjunction, implies, integer
from encoders.rules.folds.positions.effects import ADDED, EFFECTS, Cuts, changes
from encoders.rules.folds.reading.moves import done_to, kinds_of, nim_sum_of, picks_of, play, play_named, playable
from encoders.rules.folds.reading.reader import FoldReader
from encoders.rules.folds.statement.kinds import CHANGING, DOING
from encoders.rules.folds.statement.section import FoldsMove, FoldsProof
from encoders.rules.kit.rule import ProofServices, build_sequent


def find_cuts(
    claim: Claim, proof: FoldsProof, start: Callable[[], FoldReader], surroundings: ProofServices
) -> tuple[Cuts, list[Sequent]]:
    """Those that are plainly so, and the obligations that show them, read from `start`. Raises Unsupported."""
    names = [fold.name for fold in proof.folds if _divides(fold.term)]
    changing = {name: _change(claim, start, name) for name in names}
    doing = {
        (named, name, effect): _effect(claim, start, number, named, name, effect)
        for number, named in enumerate(proof.moves, 1)
        for name in names
        for effect in EFFECTS
        if (effect == ADDED) is (named.top_bit == name and named.aim is None)
    }
    shown = [s for s in (*changing.values(), *doing.values()) if surroundings.decide(s)]
    return Cuts(
        tuple(name for name, s in changing.items() if s in shown),
        tuple(what for what, s in doing.items() if s in shown),
    ), shown


def _divides(fold: t.Term) -> bool:
    """Whether a nim-sum has terms with a remainder by a symbol."""
    if not isinstance(fold, t.Comprehension) or fold.reducer != "nim_sum":
        return False
    return any(
        isinstance(x, t.Operation) and x.op == "mod" and not isinstance(x.args[1], t.Literal) for x in walk(fold)
    )


def _turns(claim: Claim) -> Iterator[tuple[Game, int]]:
    for game in claim.games:
        for mover in movers(game):
            yield game, mover


def _change(claim: Claim, start: Callable[[], FoldReader], name: str) -> Sequent:
    """Whichever legal move is made, in whichever of the claim's games."""

    def ask(q: FoldReader) -> Entailment:
        rest, heap, goals = q.position("rest"), q.size("heap", low=1), []
        for game, mover in _turns(claim):
            for move in playable(game, mover):
                legal, size, made = play(q, move, heap, rest, None)
                goals.append(implies(conjunction(legal, made), changes(nim_sum_of(q, name), heap, size)))
        return Entailment((), conjunction(*goals))

    return forget_nim_sums(build_sequent(CHANGING.of(name=name), ask, start))


def _effect(
    claim: Claim, start: Callable[[], FoldReader], number: int, named: FoldsMove, name: str, effect: str
) -> Sequent:
    """Whoever may make the named move, in whichever of the claim's games."""

    def ask(q: FoldReader) -> Entailment:
        s, goals = q.position("s"), []
        for game, mover in _turns(claim):
            for move in kinds_of(named, game, mover):
                for where, heap, rest in picks_of(q, named, s):
                    legal, size, made = play_named(q, named, move, s, where, heap, rest)
                    goals.append(implies(conjunction(where, legal, made), done_to(q, s, name, effect, heap, size)))
        return Entailment((), conjunction(*goals))

    return forget_nim_sums(build_sequent(DOING.of(number=number, effect=effect, name=name), ask, start))


# -- without nim-sums -------------------------------------------------------------------------------------------------
def forget_nim_sums(sequent: Sequent) -> Sequent:
    """The same with a natural number for each nim-sum; the greatest values of integers are assumed as anything else."""
    symbols = Symbols()
    ranges: list[t.Term] = []
    for s in sequent.variables:
        if s.type == BOOL:
            symbols.truth(s.name, s.aside)
        else:
            x = symbols.integer(s.name, s.lo, None, s.aside)
            ranges += () if s.hi is None else (at_most(x, integer(s.hi)),)
    sums: dict[Hashable, t.Term] = {}
    done: dict[int, t.Term] = {}

    def change(term: t.Term) -> t.Term:
        if id(term) not in done:
            if isinstance(term, t.Operation) and term.op == "nim":
                key = structural_key(term)
                if key not in sums:
                    sums[key] = symbols.integer("nim-sum", 0, aside=True)
                done[id(term)] = sums[key]
            else:
                done[id(term)] = rebuild(term, change)
        return done[id(term)]

    hypotheses = tuple(Hypothesis(h.words, change(h.term)) for h in sequent.hypotheses)
    assume = (*ranges, *(change(x) for x in sequent.assume))
    lemmas = tuple((id, tuple(map(change, said))) for id, said in sequent.lemmas)
    made = symbols.sequent(sequent.name, assume, change(sequent.show), hypotheses, lemmas)
    return replace(made, kind=sequent.kind, by=sequent.by)
