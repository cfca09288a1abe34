"""The proof rule "folds", for claims about positions of any number of heaps, and the outline of its proofs.

A fold is a number that is computed from a position heap by heap, such as the nim-sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeVar

from claims.language.files.claim import Claim, expand_definitions, unfold_claim
from claims.language.files.proofs import ProofSection
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, substitute, walk
from claims.language.syntax.terms import INT, POSITION
from encoders.logic.definedness import needs_of_claim
from encoders.logic.integers import PRODUCT, bounds_of, pose_product
from encoders.logic.moves import HEAP, OpenMove, open_moves
from encoders.logic.reader import SequentReader
from encoders.logic.sequents import YES, Sequent, conjunction, equal, less_than, nim
from encoders.refusals import Unsupported
from encoders.rules.base.rule import (
    NamedPlay,
    ObligationBuilder,
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    Parts,
    ProofCoverage,
    ProofServices,
    WordingKind,
    build_sequents,
    name_of,
    say,
    say_assignments,
    say_condition,
)
from encoders.rules.base.shape import LARGEST, RuleSuggestion
from encoders.rules.base.turns import MoveNames, MoverPair, find_stuck, show_loss, show_moves, turns_of
from encoders.rules.folds.folding import match_mapping
from encoders.rules.folds.kinds import (
    APART,
    BY_DEFINITION,
    CLOSED,
    FACT_OF_MORE,
    FACT_OF_NONE,
    FIRST_PLACE,
    FITS,
    FOLLOWS,
    FOLLOWS_BY_DEFINITION,
    KINDS,
    NEXT_PLACE,
    NUMBER_OF_HEAPS,
    OF_POSITIONS,
    SPLIT,
    STEP,
)
from encoders.rules.folds.moves import build_cover, kinds_of, list_closed_labels
from encoders.rules.folds.numbers import pose_apart, pose_first, pose_next
from encoders.rules.folds.obligations import find_cuts, list_extreme_obligations, obligations, pose_claim
from encoders.rules.folds.questions import LemmaInstance, instantiate_lemmas
from encoders.rules.folds.reader import FoldReader
from encoders.rules.folds.section import (
    PICKED_HEAP,
    DefinitionProof,
    FoldsMove,
    FoldsProof,
    HeapChoice,
    LongMove,
    MoveCase,
    heap_name,
    read_definition,
    read_folds,
)
from encoders.rules.folds.section import NextHeapChoice as LongPick
from encoders.trust import All, Below, ObligationKind, TrustedRule

# == outline ==========================================================================================================
# The outline of a proof through folds: who loses, numbers computed from the heaps, facts, named moves, the claim.
WHO_WINS = (
    "It names the losing positions, shows that no move leads from one of them to another, and gives a move to a losing "
    "position from every other position."
)
OF_NUMBERS = (
    "It describes positions by numbers computed from their heaps, and shows the claim for all values of those numbers."
)
BY_LEMMAS = "It assumes theorems, each at every position that the claim asks about, and shows that the claim follows."
ARGUED_BY_DEFINITION = (
    "It applies the definition of winning, or of values, once, and shows the claim for all possible options."
)
SHORT = 200  # characters of a theorem that is written out
HEAP_VARIABLE = name_of(PICKED_HEAP)


def outline(claim: Claim, proof: FoldsProof, asks_who_wins: bool) -> Outline:
    """Return the outline of the proof, without empty tables. Raises Unsupported for unsupported named moves.

    `asks_who_wins`: whether the claim asks who wins, so that the outline must state who loses.
    """
    turns = list(turns_of(claim.games[0])) if asks_who_wins else []
    folds = proof.seen
    tables = [
        OutlineTable("loses", "Who loses", ("Who", "Loses when"), tuple(_loses(proof, turn) for turn in turns)),
        OutlineTable("folds", "Numbers computed from the heaps", ("Name", "Definition"), tuple(_folds(proof))),
        OutlineTable(
            "facts",
            "Facts about these numbers, by induction on the number of heaps",
            ("Fact", "In full"),
            tuple(_facts(proof)),
        ),
        *(table for turn in turns for table in _moves(proof, turn, folds)),
        OutlineTable("lemmas", "Theorems that it assumes", ("Theorem", "Statement"), tuple(_lemmas(proof))),
        OutlineTable("claim", "Conclusion", ("Statement", "Where"), tuple(_claim(claim, proof))),
    ]
    if not turns and proof.moves:
        named = tuple(OutlineRow(_cells(claim, 0 if m.player is None else m.player, m)) for m in proof.moves)
        tables.insert(-1, OutlineTable("moves", "The moves that it names", COLUMNS, named))
    looked_at = tuple(OutlineRow((say_condition(pick.when), _heap(pick))) for pick in proof.picks)
    tables.insert(-1, OutlineTable("picks", "The heaps that it considers", COLUMNS[:2], looked_at))
    shown = (replace(x, names=folds) for x in tables if x.lines)
    argued = WHO_WINS if turns else ARGUED_BY_DEFINITION if proof.unfold else BY_LEMMAS if proof.by else OF_NUMBERS
    return Outline(argued, tuple(shown))


def _loses(proof: FoldsProof, turn: MoverPair) -> OutlineRow:
    several = proof.uses_cases(turn.game.ruleset)
    closed = _list_closed_shown(turn) if several else (CLOSED.make_label(who=turn.who).shown,)
    return show_loss(turn, dict(proof.loses).get(turn.mover), closed)


def _folds(proof: FoldsProof) -> Iterator[OutlineRow]:
    for fold in proof.folds:
        yield OutlineRow((say(fold.name), OutlineCell((fold.term,), WordingKind.FOLD)))


def _facts(proof: FoldsProof) -> Iterator[OutlineRow]:
    for name, term in proof.facts:
        shown = tuple(kind.make_label(name=name).shown for kind in (FACT_OF_NONE, FACT_OF_MORE))
        yield OutlineRow((say(name), OutlineCell((term,))), shown)


def _lemmas(proof: FoldsProof) -> Iterator[OutlineRow]:
    for lemma in proof.by:
        claim = lemma.claim
        where = () if claim.hypothesis is None else (", where ", claim.hypothesis)
        yield OutlineRow((say(lemma.id), say(_expand_definitions(claim.conclusion), *where)))


def _expand_definitions(term: t.Term) -> t.Term:
    """Return the term with its definitions expanded, unless the result is long.

    The report explains only the definitions of its own claim, and a lemma may use other definitions.
    """
    full = expand_definitions(term)
    return full if len(print_term(full)) <= SHORT else term


def _claim(claim: Claim, proof: FoldsProof) -> Iterator[OutlineRow]:
    if proof.heaps:
        words = f"{proof.position} has the heaps {' <= '.join(proof.heaps)}"
        shown = NUMBER_OF_HEAPS.make_label(position=proof.position, heaps=len(proof.heaps)).shown
        yield OutlineRow((say(words), OutlineCell()), (shown,))
    for name, term in proof.steps:
        yield OutlineRow((say(term), OutlineCell()), (STEP.make_label(name=name).shown,))
    if not proof.split:
        yield OutlineRow((say(claim.conclusion), OutlineCell()), (FOLLOWS.make_label().shown,))
        return
    for words, case in proof.split:
        yield OutlineRow(
            (say(claim.conclusion), say_condition(case)), (FOLLOWS.make_label(where=f", where {words}").shown,)
        )
    yield OutlineRow((say("there is no other case"), OutlineCell()), (SPLIT.make_label().shown,))


# -- moves ------------------------------------------------------------------------------------------------------------
COLUMNS = ("When", "Heap", "Move")


def _moves(proof: FoldsProof, turn: MoverPair, folds: dict[str, t.Term]) -> Iterator[OutlineTable]:
    if proof.uses_cases(turn.game.ruleset):
        return show_moves(turn, ("When", "Heaps", "Move"), proof.several, _ways)
    return show_moves(turn, COLUMNS, proof.moves, partial(_lines, proof, turn, folds))


def _lines(
    proof: FoldsProof, turn: MoverPair, folds: dict[str, t.Term], names: MoveNames, named: FoldsMove
) -> Iterator[OutlineRow]:
    shown = (names.heap.shown, names.legal.shown, *((names.to_loss.shown,) if named.to_loss else ()))
    (move, *_) = kinds_of(named, turn.game, turn.mover) or open_moves(turn.game, turn.mover)
    cells = (say_condition(named.when), _heap(named), OutlineCell(tuple(_describe_picks(move, named))))
    yield OutlineRow(cells, shown, _play(proof, turn, folds, named, move))


def _cells(claim: Claim, mover: int, named: FoldsMove) -> tuple[OutlineCell, ...]:
    (move, *_) = kinds_of(named, claim.games[0], mover) or open_moves(claim.games[0], mover)
    return say_condition(named.when), _heap(named), OutlineCell(tuple(_describe_picks(move, named)))


def _heap(named: HeapChoice) -> OutlineCell:
    if named.top_bit:
        return say("a heap with the top bit of", _find_aimed_sum(named))
    if named.extreme:
        return say("a largest" if named.extreme == LARGEST else "a smallest")
    return say("any") if named.having is None else say("any with", named.having)


def _describe_picks(move: OpenMove, named: FoldsMove) -> Iterator[str | t.Term]:
    """Yield the words and terms that describe the picks of a named move.

    For a single pick m that is subtracted from the heap h, the words are "take all of it" if m is h, "leave y" if m is
    h - y, and "take m" otherwise.
    """
    taken_away = isinstance(move.become, t.Operation) and move.become.op == "sub" and len(move.picks) == 1
    for i, (name, term) in enumerate(named.take):
        if not taken_away:
            yield from (*((", ",) if i else ()), *say_assignments([(name, term)]))
        elif _is_heap(term):
            yield "take all of it"
        elif isinstance(term, t.Operation) and term.op == "sub" and _is_heap(term.args[0]):
            yield from ("leave", term.args[1])
        else:
            yield from ("take", term)


def _is_heap(term: t.Term) -> bool:
    return isinstance(term, t.Variable) and term.name == PICKED_HEAP


def _play(
    proof: FoldsProof, turn: MoverPair, folds: dict[str, t.Term], named: FoldsMove, move: OpenMove
) -> NamedPlay | None:
    """Return the named move, for an example in the report.

    Return None if the game has several kinds of moves, or if `take` does not determine the move.
    """
    take = dict(named.take)
    if len(turn.game.ruleset.moves) != 1 or any(pick.word not in take for pick in move.picks):
        return None
    values: dict[str, t.Term] = {HEAP: HEAP_VARIABLE, **{pick.name: take[pick.word] for pick in move.picks}}
    fits = YES if named.having is None else named.having
    if named.top_bit:
        fits = _changes_top_bit(folds[named.top_bit], _find_aimed_sum(named))
    if named.extreme:
        s = t.Variable(POSITION, 0, 0, proof.position)
        fits = equal(HEAP_VARIABLE, t.Operation(INT, 0, 0, named.extreme, (s,)))
    return NamedPlay(
        turn.game.name,
        turn.mover,
        proof.position,
        PICKED_HEAP,
        substitute(conjunction(*(() if proof.assume is None else (proof.assume,)), named.when), folds),
        substitute(fits, folds),
        substitute(substitute(move.become, values), proof.seen_beside),
        named.to_loss,
    )


def _find_aimed_sum(named: HeapChoice) -> t.Term:
    """Return the number at whose top bit the heap is picked: the nim-sum X, or X ^ k."""
    whole = name_of(named.top_bit)
    return whole if named.aim is None else nim(whole, named.aim)


def _changes_top_bit(fold: t.Term, whole: t.Term) -> t.Term:
    """Return the condition that the heap contributes a term t to the nim-sum `fold`, and that t ^ `whole` < t."""
    if isinstance(fold, t.Comprehension):
        (clause,) = fold.clauses
        here = {clause.variable: HEAP_VARIABLE}
        value = substitute(fold.body, here)
        return conjunction(*(substitute(x, here) for x in clause.conditions), less_than(nim(value, whole), value))
    return less_than(nim(HEAP_VARIABLE, whole), HEAP_VARIABLE)


# -- moves on several heaps -------------------------------------------------------------------------------------------
Shown = tuple[tuple[str, str], ...]


def _list_closed_shown(turn: MoverPair) -> Shown:
    """Return, for each obligation "closed", a description for the outline and the name of the obligation."""
    heaps = {1: "one heap", 2: "two heaps", 3: "three heaps"}
    found = list_closed_labels(turn)
    return tuple((f"no move on {heaps.get(n, f'{n} heaps')} leads to a loss", label.name) for n, label in found)


def _ways(called: MoveNames, move: LongMove) -> Iterator[OutlineRow]:
    """Yield the outline rows of a named move on several heaps, one for each innermost case."""
    yield from _way(called, move.case, move.to_loss, (), (), ())


def _way(
    called: MoveNames,
    case: MoveCase,
    to_loss: bool,
    whens: tuple[t.Term, ...],
    picks: tuple[LongPick, ...],
    shown: Shown,
) -> Iterator[OutlineRow]:
    """Yield the outline rows for a case of a named move, one for each innermost case in it.

    `whens`, `picks`: the conditions of the outer cases, and the heaps that they pick.
    `shown`: the obligations of the outer cases. The first row lists them, the other rows do not repeat them.
    """
    whens = (*whens, case.when)
    if case.pick is not None:
        picks, shown = (*picks, case.pick), (*shown, called.heap.shown)
    if not case.then:
        shown = (*shown, called.legal.shown, *((called.to_loss.shown,) if to_loss else ()))
        yield OutlineRow((say_condition(conjunction(*whens)), _describe_long_picks(picks), _takes(case)), shown)
        return
    shown = (*shown, called.covered.shown)
    for number, inner in enumerate(case.then, 1):
        yield from _way(called.then(number), inner, to_loss, whens, picks, shown)
        shown = ()


def _describe_long_picks(picks: tuple[LongPick, ...]) -> OutlineCell:
    parts: Parts = []
    for number, pick in enumerate(picks, 1):
        parts += ["and then" if parts else "", name_of(heap_name(number))]
        if pick.top is not None:
            parts += ["with the top bit of", pick.top]
        elif pick.having is not None:
            parts += ["with", pick.having]
        else:
            parts.append("any")
    return say(*parts)


def _takes(case: MoveCase) -> OutlineCell:
    parts: Parts = []
    for number, take in enumerate(case.takes, 1):
        for name, term in take:
            and_ = "and " if parts else ""
            if len(case.takes) > 1:
                parts += [f"{and_}", name_of(name), "of", name_of(heap_name(number)), "=", term]
            else:
                parts += [f"{and_}", *say_assignments([(name, term)])]
    return say(*parts) if parts else say("determined by the heaps")


# == rule =============================================================================================================
# The rule of folds: positions of any number of heaps, and who wins from them, for all sizes below a bound.
#
# docs/rules/folds.md describes the rule and why it is sound.
OUTCOME = TrustedRule("outcome, by induction on the measure")
R = TypeVar("R", bound=FoldReader)


class FoldsRule:
    """The rule "folds", which describes positions of any number of heaps by folds; see docs/rules/folds.md."""

    name = "folds"
    suggested_for: tuple[RuleSuggestion, ...] = FITS
    kinds: tuple[ObligationKind, ...] = KINDS
    follows = FOLLOWS
    trusted = TrustedRule("folds")

    def read(self, section: ProofSection) -> FoldsProof:
        return read_folds(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain, proof = _read(claim)
        refuse_written(proof)
        lemmas = find_lemma_instances(plain, proof, surroundings)
        ground = BackgroundObligations()
        cuts, shown = find_cuts(plain, proof, ground.watch(partial(FoldReader, plain, proof, lemmas)), surroundings)
        yield from shown
        reader = partial(FoldReader, plain, proof, lemmas, cuts)
        stuck = find_stuck_of(plain, proof, ground.watch(reader), surroundings) if _asks_who_wins(claim) else None
        asked = obligations(plain, proof, needs_of_claim(claim, find_size_bound(proof)), stuck, self.follows)
        yield from ground.pose(asked, reader)
        yield from ground.show(reader)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return outline(claim, _proof(claim), _asks_who_wins(claim))

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """Return the cases that the proof covers: any number of heaps, and all numbers below the bound, if any."""
        _, proof = _read(claim)
        rules = (self.trusted, OUTCOME) if _asks_who_wins(claim) else (self.trusted,)
        return reach_of(claim, proof, rules)


class DefinitionRule(FoldsRule):
    """The rule "definition", which applies the definition of winning or of values once.

    See docs/rules/definition.md.
    """

    name = "definition"
    suggested_for = (BY_DEFINITION,)
    kinds = (*OF_POSITIONS, FOLLOWS_BY_DEFINITION)
    follows = FOLLOWS_BY_DEFINITION
    trusted = TrustedRule("what winning and values mean, at one position")

    def read(self, section: ProofSection) -> DefinitionProof:
        return read_definition(section)


class BackgroundObligations:
    """A collector of the facts that obligations assume without a proof of their own.

    These are facts about the smallest and largest heap, remainders and binary places. `watch` records the translator of
    each obligation, and so the kinds of facts that it assumes. `show` yields the obligations that prove these facts.
    """

    def __init__(self) -> None:
        self._readers: list[FoldReader] = []

    def pose(self, asks: Iterable[ObligationBuilder[R]], start: Callable[[], R]) -> Iterator[Sequent]:
        """Yield a sequent for each obligation, and record the background facts that it uses. Raises Unsupported."""
        yield from build_sequents(asks, self.watch(start))

    def watch(self, start: Callable[[], R]) -> Callable[[], R]:
        """Return a function that makes translators with `start` and records them.

        Use it for obligations that other code builds.
        """

        def begin() -> R:
            reader = start()
            reader.extremes_shown = True
            self._readers.append(reader)
            return reader

        return begin

    def show(self, start: Callable[[], FoldReader]) -> Iterator[Sequent]:
        """Yield the obligations that prove the background facts that were used.

        Call this method last, when the translators of all other obligations are known.
        """
        if any(reader.folding.knows_extremes for reader in self._readers):
            yield from self.pose(list_extreme_obligations(), start)
        yield from build_sequents(_list_number_obligations(self._readers), SequentReader)


def _list_number_obligations(readers: Iterable[FoldReader]) -> Iterator[ObligationBuilder[SequentReader]]:
    """List the obligations that prove the facts about remainders and binary places that these translators use."""
    found = tuple(readers)
    if any(q.multiples.used for q in found):
        yield PRODUCT.make_label(), pose_product
        yield APART.make_label(), lambda q: pose_apart(q.symbols)
    if placed := [q for q in found if q.places.used]:
        bounded = placed[0].bits is not None
        yield FIRST_PLACE.make_label(), lambda _: pose_first()
        yield NEXT_PLACE.make_label(), lambda q: pose_next(q.symbols, bounded)


def find_lemma_instances(claim: Claim, proof: FoldsProof, surroundings: ProofServices) -> tuple[LemmaInstance, ...]:
    """Return the proof's lemmas, restated for the games and integers of the claim. Raises Unsupported."""
    bound = find_size_bound(proof)
    return instantiate_lemmas(claim, proof.by, surroundings, None if bound is None else bound - 1)


def reach_of(claim: Claim, proof: FoldsProof, rules: Iterable[TrustedRule]) -> ProofCoverage:
    """Return the cases that a proof by folds covers: any number of heaps, with sizes and parameters below the bound.

    `rules`: the trusted rules that the proof uses.
    """
    numbers = All() if proof.bits is None else Below(proof.bits)
    return ProofCoverage(bounds_of(claim, numbers), frozenset(rules), find_size_bound(proof))


def refuse_written(proof: FoldsProof) -> None:
    """Raise Unsupported if a proof contains an explicit position, such as position([1, k]).

    Images of a position, such as position([h - 1 for h in s]), are allowed. Steps and lemmas are exempt: steps are
    terms of the claim, and lemmas are separate claims.
    """
    for x in walk(replace(proof, steps=(), by=())):
        if isinstance(x, t.Operation) and x.type == POSITION and match_mapping(x) is None:
            words = f"{print_term(x)} in a proof: only the claim may contain an explicit position"
            raise Unsupported(words, instead="use the folds of s")


def find_stuck_movers(claim: Claim, surroundings: ProofServices) -> frozenset[int]:
    """Return the players who may be unable to move, in misère play, although heaps are left; see `find_stuck`.

    The claim must ask who wins. Raises Unsupported.
    """
    plain, proof = _read(claim)
    lemmas = find_lemma_instances(plain, proof, surroundings)
    return find_stuck_of(plain, proof, partial(FoldReader, plain, proof, lemmas), surroundings)


def find_stuck_of(
    claim: Claim, proof: FoldsProof, start: Callable[[], FoldReader], surroundings: ProofServices
) -> frozenset[int]:
    """Return the same as `find_stuck_movers`, for a claim and a proof whose definitions are expanded.

    `start`: makes the translator of an obligation.
    """
    (game,) = claim.games
    if proof.uses_cases(game.ruleset):
        return find_stuck(game, proof.several, build_cover, start, surroundings.decide)
    return find_stuck(game, proof.moves, build_cover, start, surroundings.decide)


def find_size_bound(proof: FoldsProof) -> int | None:
    """Return 2**bits, the power of 2 that exceeds all sizes in the proof; None for no bound."""
    return None if proof.bits is None else 1 << proof.bits


def _proof(claim: Claim) -> FoldsProof:
    assert isinstance(claim.proof, FoldsProof)
    return claim.proof


def _read(claim: Claim) -> tuple[Claim, FoldsProof]:
    """Return the claim and its proof with definitions expanded."""
    plain = unfold_claim(claim)
    assert isinstance(plain.proof, FoldsProof)
    return plain, plain.proof


@lru_cache(maxsize=8)
def _asks_who_wins(claim: Claim) -> bool:
    """Whether the claim depends on the invariant, so that the proof must show who wins."""
    if _proof(claim).tells_who_wins:
        return False
    reader = FoldReader(*_read(claim))
    reader.sequent("claim", pose_claim(reader))
    return reader.asked_who_wins


FOLDS, DEFINITION = FoldsRule(), DefinitionRule()
