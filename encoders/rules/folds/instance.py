"""A proof of who wins by folds as an instance of the Coq theorem about the rule, coq/theory/Folded.v.

The instance defines the folds, the facts and the lost positions over the integers. Each obligation is a Coq lemma,
which its certificate proves. The instance applies this lemma to the values that the obligation is about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.coq.instances import (
    MODULE,
    PosedObligation,
    RuleInstance,
    Values,
    write_condition,
    write_number,
    write_pattern,
    write_test,
)
from encoders.coq.propositions import Statements
from encoders.coq.statement import state
from encoders.coq.writing import BINDER, Text
from encoders.logic.definedness import needs_of_claim
from encoders.logic.moves import OpenMove
from encoders.logic.sequents import (
    YES,
    ZERO,
    Sequent,
    Symbol,
    compare,
    conjunction,
    implies,
    names_in,
    opposite,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ObligationBuilder, ProofServices, build_with_reader
from encoders.rules.base.shape import LARGEST, LEAST, is_extreme
from encoders.rules.base.turns import MoveNames, MoverPair, turns_of
from encoders.rules.folds import kinds
from encoders.rules.folds.folding import match_mapping
from encoders.rules.folds.moves import kinds_of, nim_sum_of, pick_of, playable
from encoders.rules.folds.obligations import (
    find_cuts,
    list_extreme_obligations,
    list_fact_obligations,
    name_nim_sums,
    obligations,
    pose_change,
    pose_claim,
    pose_effect,
)
from encoders.rules.folds.positions import NIM_SUM, AnyFold, ColumnFold, Fold, Key, OptionalHeap, Position
from encoders.rules.folds.reader import FoldReader
from encoders.rules.folds.rule import find_lemma_instances, find_size_bound, find_stuck_of
from encoders.rules.folds.section import FoldsMove, FoldsProof, HeapChoice, LongMove
from encoders.trust import ObligationKind

# == obligations ======================================================================================================
# The obligations of the proof, each with the reader that built it. The reader knows what its variables stand for.
_OF_THEORY = {
    ("extreme", LARGEST): "largest",
    ("extreme", LEAST): "least",
    ("times", LARGEST): "times_of_largest",
    ("times", LEAST): "times",
}
NamedMove = FoldsMove | LongMove
CHANGES = "no Coq text is generated for a fold that changes by a fold that no obligation mentions"


@dataclass(frozen=True, eq=False)
class FoldsObligation(PosedObligation[FoldReader]):
    """An obligation of the proof.

    `sums`: the nim-sums, as terms of the reader, that some variables stand for, by their names.
    `move`: for a fact about the effect of a named move, that move; None for a fact about every move.
    """

    sums: Mapping[str, t.Term] = field(default_factory=dict)
    move: FoldsMove | None = None


def list_posed(claim: Claim, proof: FoldsProof, surroundings: ProofServices) -> list[FoldsObligation]:
    """Return the obligations of a proof that states an invariant. Raises Unsupported.

    `claim`, `proof`: the claim and its proof with definitions expanded.
    """
    lemmas = find_lemma_instances(claim, proof, surroundings)
    readers: list[FoldReader] = []

    def begin() -> FoldReader:
        readers.append(FoldReader(claim, proof, lemmas))
        return readers[-1]

    cuts, _ = find_cuts(claim, proof, begin, surroundings)
    found: list[FoldsObligation] = []

    def keep(
        sequent: Sequent, reader: FoldReader, sums: Mapping[str, t.Term] | None = None, move: FoldsMove | None = None
    ) -> None:
        name = f"{MODULE}.obligation_{len(found) + 1}"
        found.append(FoldsObligation(name, sequent, reader, sums or {}, move))

    for changing in cuts.changing:
        sequent, sums = name_nim_sums(pose_change(claim, begin, changing))
        keep(sequent, readers[-1], sums)
    for move, nim_sum, effect in cuts.doing:
        number = proof.moves.index(move) + 1
        sequent, sums = name_nim_sums(pose_effect(claim, begin, number, move, nim_sum, effect))
        keep(sequent, readers[-1], sums, move)

    def start() -> FoldReader:
        made = FoldReader(claim, proof, lemmas, cuts)
        made.extremes_shown = True
        return made

    stuck = find_stuck_of(claim, proof, start, surroundings) if proof.loses else None
    if stuck:
        raise Unsupported("no theorem is generated for games in which a player can be stuck with heaps left")
    asked = obligations(claim, proof, needs_of_claim(claim, find_size_bound(proof)), stuck, kinds.FOLLOWS)

    def pose(asks: Iterable[ObligationBuilder[FoldReader]]) -> None:
        for label, ask in asks:
            keep(*build_with_reader(label, ask, start))

    pose(asked)
    if any(x.reader.folding.knows_extremes for x in found):
        pose(list_extreme_obligations())
    return found


def list_posed_facts(claim: Claim, proof: FoldsProof) -> list[FoldsObligation]:
    """Return the obligations about the facts of a proof, and about the smallest and largest heap if folds use them."""
    asked = [*list_fact_obligations(claim, proof)]
    if FoldReader(claim, proof).folding.knows_extremes:
        asked += list_extreme_obligations()

    def start() -> FoldReader:
        made = FoldReader(claim, proof)
        made.extremes_shown = True
        return made

    used = (kinds.FACT_OF_NONE, kinds.FACT_OF_MORE, kinds.EXTREMES_NONE, kinds.EXTREMES_MORE)
    built = (build_with_reader(label, ask, start) for label, ask in asked if label.kind in used)
    return [FoldsObligation(f"{MODULE}.obligation_{i}", *x) for i, x in enumerate(built, 1)]


def pose_claim_alone(claim: Claim, proof: FoldsProof) -> FoldsObligation:
    """Return the obligation that the claim follows from who wins. Raises Unsupported."""
    built = build_with_reader(
        kinds.FOLLOWS.make_label(), lambda reader: pose_claim(reader, None), lambda: FoldReader(claim, proof)
    )
    return FoldsObligation(f"{MODULE}.obligation_1", *built)


# == instance =========================================================================================================
@dataclass(frozen=True, eq=False)
class InstanceFold:
    """A fold of the instance, from `reader`.

    `joined`: its value after a heap h is added, as Coq text about h and the values x1, x2 and so on of all folds.
    """

    key: Key
    fold: AnyFold
    reader: FoldReader
    joined: str = ""


@dataclass(eq=False)
class Instance(RuleInstance[FoldsProof, FoldsObligation]):
    """A writer of the Coq instance of one proof.

    `theorem`: the theorem about the rule. `opens`: the tactics which show that each move makes the heaps fewer.
    """

    theory: ClassVar[str] = "Folded"
    called: ClassVar[str] = "a proof by folds"
    theorem: ClassVar[str] = "game_by_folds"
    opens: ClassVar[str] = "left. open_game O S. opened_smaller S"

    def __post_init__(self) -> None:
        found: dict[Key, InstanceFold] = {}
        for each in self.posed:
            occurring = {s.name for s in each.sequent.variables}
            for position in each.reader.free:
                for key, value in position.values.items():
                    fold = each.reader.folding.made.get(key)
                    if fold is None or (isinstance(fold, Fold) and fold.fixed):
                        continue
                    if isinstance(value, t.Variable) and value.name in occurring:
                        found.setdefault(key, InstanceFold(key, fold, each.reader))
        self.folds = list(found.values())
        self.folds = [replace(x, joined=self._join(x)) for x in self.folds]

    def places(self, letter: str) -> list[str]:
        """Return the names of the values of all folds at a position: x1, x2 and so on for the letter x."""
        return [f"{letter}{i}" for i in range(1, len(self.folds) + 1)]

    def pattern(self, letter: str) -> str:
        """Return the Coq pattern by which `destruct` names the values of all folds."""
        return write_pattern(self.places(letter))

    @property
    def position(self) -> str:
        """The position variable of the claim. Raises Unsupported if the claim does not have exactly one."""
        found = [v.name for v in self.claim.variables if v.type == POSITION]
        if len(found) != 1:
            raise Unsupported("no Coq text is generated for a proof by folds unless the claim is about one position")
        return found[0]

    @property
    def follows(self) -> FoldsObligation:
        """The obligation *claim*."""
        return next(o for o in self.posed if o.kind is kinds.FOLLOWS)

    def open_folds(self, position: str, letter: str, facts: str, values: str, equation: str = "") -> str:
        """Return the tactics that name the values of all folds at a position, and state what is known of them.

        `position`: its name in Coq. `letter`: the letter of the names.
        `facts`, `values`, `equation`: the names of what is added to the context; without `equation`, that is not added.
        """
        named = f"{self.pattern(letter)} eqn:{equation}" if equation else self.pattern(letter)
        return f"""\
pose proof (facts_of_all F none join fact fact_of_none fact_of_more {position}) as {facts}.
  pose proof (values {position}) as {values}. destruct (value {position}) as {named}. split_values {values}."""

    # -- values -------------------------------------------------------------------------------------------------------
    def values(
        self,
        reader: FoldReader,
        positions: Mapping[str, Sequence[str]],
        others: Values,
        placed: Mapping[int, Sequence[str]] | None = None,
    ) -> dict[str, str]:
        """Return the Coq text for the variables of a reader: folds, integers of the claim, remainders and `others`.

        `positions`: the values of all folds at a position, by its name. `placed`: the same, by the id of the position.
        """
        found = self.integers | dict(others)
        for position in reader.free:
            texts = (placed or {}).get(id(position), positions.get(position.name, ()))
            for fold, text in zip(self.folds, texts, strict=False):
                value = position.values.get(fold.key)
                if isinstance(value, t.Variable):
                    found[value.name] = text
        known = -1
        while len(found) > known:
            known = len(found)
            self._define(reader, found)
        return found

    def _define(self, reader: FoldReader, found: dict[str, str]) -> None:
        """Add the variables that assumptions of the reader define by variables that are in `found`."""
        for x in reader.known:
            match x.term:
                case t.Operation(op="eq", args=(t.Variable(name=name), term)) if names_in(term) <= found.keys():
                    found.setdefault(name, write_number(term, found))
        reduced = dict[str, str]()
        for d in reader.multiples.list_divisions():
            if names_in(d.dividend, d.divisor) <= found.keys():
                a, b = write_number(d.dividend, found), write_number(d.divisor, found)
                again = isinstance(d.dividend, t.Variable) and reduced.get(d.dividend.name) == b
                reduced[d.remainder.name] = b
                found.setdefault(d.remainder.name, a if again else f"({a} mod {b})")
                found.setdefault(d.multiple.name, "0" if again else f"({a} - {a} mod {b})")
                if d.quotient is not None:
                    found.setdefault(d.quotient.name, f"({a} / {b})")
        places = [("highest_at", *x) for x in reader.places.list_highest()]
        for function, of, variable in (*places, *(("place_at", *x) for x in reader.places.list_powers())):
            if names_in(of) <= found.keys():
                found.setdefault(variable.name, f"({function} {write_number(of, found)})")

    def _join(self, fold: InstanceFold, absent: bool = False) -> str:
        """Return the value of a fold after a heap h is added, as for InstanceFold. `absent`: whether h may be 0."""
        rest, heap = self.new_position(fold.reader), fold.reader.size("heap", low=0 if absent else 1)
        term = fold.fold.combine(OptionalHeap(heap, compare("gt", heap, ZERO) if absent else YES), rest)
        values = self.values(fold.reader, {rest.name: self.places("x")}, {heap.name: "(Z.of_N h)"})
        if not names_in(term) <= values.keys():
            raise Unsupported(CHANGES)
        return write_number(term, values)

    @staticmethod
    def new_position(reader: FoldReader) -> Position:
        """Return a new position of the reader, the only one with its name."""
        return reader.position(f"position {len(reader.free)}")

    def word(self, notion: str) -> str:
        """Return the Coq name of a notion such as "wins", as `Statements.word` does."""
        return self.numbers.word(notion, self.game.name)

    def says(self, reader: FoldReader, term: Callable[[Position], t.Term]) -> str:
        """Return a condition on the folds of a position as Coq text about the values x1, x2 and so on of all folds."""
        position = self.new_position(reader)
        return write_condition(term(position), self.values(reader, {position.name: self.places("x")}, {}))

    # -- parts --------------------------------------------------------------------------------------------------------
    def shown(self) -> Iterator[str]:
        """Yield the definitions of the instance, its lemmas about the folds, and who wins. Raises Unsupported."""
        yield "Open Scope Z_scope."
        yield from self.definitions()
        yield from self.structure()
        if self.proof.loses:
            yield from self.winner()
        yield "\nOpen Scope N_scope."

    def lemmas(self) -> Iterator[str]:
        """Yield the definitions of the instance and its lemmas, of which the last is the lemma `claim`.

        Raises Unsupported.
        """
        yield from self.shown()
        quantifiers = list(rewrite_heap_counts(self.claim, self.numbers))
        yield from (f"Lemma of_heaps_{i} {lemma}" for i, lemma in enumerate(quantifiers, 1))
        yield self.conclusion(state(self.claim, self.numbers), len(quantifiers))

    # -- definitions --------------------------------------------------------------------------------------------------
    def definitions(self) -> Iterator[str]:
        """Yield the Coq definitions of the folds, the facts and the lost positions."""
        x = self.places("x")
        of = f"let '({', '.join(x)}) := x in" if len(x) > 1 else "let x1 := x in"
        reader = self.posed[0].reader
        natural = [f"0 <= {name}" for name, fold in zip(x, self.folds, strict=True) if fold.fold.natural]
        joined = ",\n   ".join(fold.joined for fold in self.folds)
        yield f"""\
(* The folds: {", ".join(fold.fold.label for fold in self.folds)}. *)
Definition F : Type := {" * ".join("Z" for _ in x)}.
Definition none : F := ({", ".join("0" for _ in x)}).
Definition join (h : N) (x : F) : F := {of}
  ({joined}).
Notation value := (folded F none join).
Notation G := {self.numbers.games[self.game.name].argument}.

(* What is known of the folds of every position. *)
Definition natural (x : F) : Prop := {of}
  {_conjoin(natural)}.
Definition special (x : F) : Prop := {of}
  {_conjoin(list(self._facts()))}.
Definition fact (x : F) : Prop := natural x /\\ special x.
Ltac open_facts ::= cbv beta iota zeta delta [special] in *.
Ltac is_fact ::= match goal with F : special _ |- _ => is_part_of F end."""
        if not self.proof.loses:
            return
        if self.game.ruleset.impartial:
            lost = self.says(reader, partial(reader.loses, player=0))
        else:
            arms = (f"| {self.players[i]} => {self.says(reader, partial(reader.loses, player=i))}" for i in (0, 1))
            lost = f"match p with {' '.join(arms)} end"
        yield f"""
(* Where the player p, to move, loses. *)
Definition lost (p : player) (x : F) : Prop := {of}
  {lost}."""

    def _facts(self) -> Iterator[str]:
        """Yield the facts about the values x1, x2 and so on of all folds, except that they are natural numbers."""
        reader = self.posed[0].reader
        number = next((x for x in self.folds if x.key == x.reader.heaps.key), None)
        for fold in self.folds:
            if number is not None and isinstance(fold.fold, Fold | ColumnFold) and fold is not number:
                none, count = (self.places("x")[self.folds.index(x)] for x in (fold, number))
                yield f"(~ {count} = 0 \\/ {none} = 0)"
        for o in self.posed:
            if o.kind is kinds.EXTREMES_MORE:
                yield self.says(o.reader, partial(_extremes, o.reader))
        for _, term in self.proof.facts:
            yield self.says(reader, partial(reader.fact, term))

    # -- uses of obligations ------------------------------------------------------------------------------------------
    def use(self, o: FoldsObligation, values: Values, first: str = "") -> str:
        """Return the Coq tactics that add to the context, as O, what the obligation says about these values.

        `first`: tactics that simplify O before its premises are proved.
        A variable without a value must be a pick, or the size that is left, of a move that is not used: its value does
        not matter. Raises Unsupported for any other variable without a value.
        """
        return f"pose proof ({self.apply(o, values)}) as O; {first}give O"

    def any_value(self, variable: Symbol) -> str | None:
        words = ("new size", *(p.name for m in self.game.ruleset.moves for p in m.picks))
        if not re.fullmatch(rf"({'|'.join(map(re.escape, words))})( \(\d+\))?", variable.name):
            return None
        if variable.type == BOOL:
            return "false"
        return str(next((x for x in (variable.lo, variable.hi) if x is not None), 0))

    def use_cuts(
        self,
        moves: Sequence[OpenMove],
        kind: int,
        picks: Sequence[str],
        heap: str,
        size: str,
        rest: Sequence[str],
        named: tuple[FoldsMove, Sequence[str]] | None = None,
        label: str = "C",
        first: str = "",
    ) -> str:
        """Return the tactics that add what is shown without nim-sums about a move of this kind.

        `picks`, `heap`, `size`, `rest`: the numbers picked, the heap, the size left, and the folds of the other heaps.
        `named`: for a named move, the move and the folds of the whole position.
        `label`: the beginning of the names of what is added. `first`: tactics that simplify it.
        """
        made = ""
        for i, o in enumerate((o for o in self.posed if o.kind in (kinds.CHANGING, kinds.DOING)), 1):
            if o.kind is kinds.CHANGING:
                others = {"heap": heap} | self.picked(o, moves, kind, picks, size)
                values = self.values(o.reader, {"rest": rest}, others)
            elif named is not None and named[0] is o.move:
                others = {"heap of s": heap, "new size": size}
                values = self.values(o.reader, {"s": named[1], "rest of s": rest}, others)
            else:
                continue
            values |= {
                name: write_number(term, values) for name, term in o.sums.items() if names_in(term) <= values.keys()
            }
            made += f"{self.use(o, values, first)}; rename O into {label}{len(self.posed) if size == '0' else ''}{i}. "
        return made

    def total(self, fold: InstanceFold) -> str:
        """Return a Coq term that computes only this fold of a position s."""
        if isinstance(fold.fold, Fold):
            name = self.places("x")[self.folds.index(fold)]
            joined = re.sub(rf"\b{name}\b", "x", fold.joined)
            return f"gather (fun h x => {joined}) 0 s"
        if isinstance(fold.fold, ColumnFold):
            return f"Z.of_N (columns s {fold.fold.modulus} {fold.fold.of})"
        if fold.key in _OF_THEORY:
            return f"Z.of_N ({_OF_THEORY[fold.key]} s)"
        raise Unsupported(f"the Coq theory does not have the fold {fold.fold.label}")

    def structure(self) -> Iterator[str]:
        """Yield the Coq lemmas about the folds and the facts."""
        x = self.pattern("x")
        yield f"""\
Lemma in_any_order g h u : (0 < g)%N -> (0 < h)%N -> join g (join h u) = join h (join g u).
Proof. in_any_order join u ltac:(fun _ => destruct u as {x}). Qed.
Lemma values s : value s = ({", ".join(map(self.total, self.folds))}).
Proof. by_one_more. Qed.
Lemma fact_of_none : fact none.
Proof.
  split; cbv beta iota zeta delta [natural special none]; [facts_kept|].
{self._use_all({kinds.FACT_OF_NONE, kinds.EXTREMES_NONE})}  facts_kept.
Qed.
Lemma fact_of_more h u : (0 < h)%N -> fact u -> fact (join h u).
Proof.
  intros P [Nx Fx]. destruct u as {x}. cbv beta iota zeta delta [natural] in Nx. by_parts.
  split; cbv beta iota zeta delta [natural special join]; [facts_kept|].
{self._use_all({kinds.FACT_OF_MORE, kinds.EXTREMES_MORE})}  facts_kept.
Qed."""

    def _use_all(self, wanted: set[ObligationKind]) -> str:
        """Return the tactics that add the obligations of these kinds, about the values x1, x2 and so on, and a heap."""
        used = [o for o in self.posed if o.kind in wanted]
        at = [self.values(o.reader, {"rest": self.places("x")}, {"heap": "(Z.of_N h)"}) for o in used]
        parts = zip(used, at, strict=True)
        return "".join(f"  {self.use(o, x)}; rename O into O{i}.\n" for i, (o, x) in enumerate(parts, 1))

    # -- who wins -----------------------------------------------------------------------------------------------------
    def winner(self) -> Iterator[str]:
        """Yield the Coq lemmas about moves, and the theorem about who wins."""
        moves: Sequence[NamedMove] = self.proof.several or self.proof.moves
        for turn in turns_of(self.game):
            yield self._closed(turn)
            groups = turn.label_moves(moves)
            for (label, named), to_loss in zip(groups, (True, False), strict=False):
                yield "\n".join(self._named_moves(turn, label.name, named, to_loss))

        x = ", ".join(map(self.total, self.folds))
        wins, loses = self.word("wins"), self.word("wins").replace("wins", "loses")
        yield f"""\
Theorem settled p s : ({wins} G p s <-> ~ lost p (value s)) /\\ (lost p (value s) -> {loses} G p s) /\\
  ({loses} G p s -> ~ {wins} G p s).
Proof.
  apply ({self.theorem} G F none join in_any_order fact fact_of_none fact_of_more).
  - intros q hs ys R O S. {self.opens}.
  - {self.by_turns("closed", "q hs ys R O S Fx L")}.
  - {self.by_turns("reply", "q t Fs L Some")}.
  - {self.by_turns("movable", "_ q t Fs L") if self.game.ruleset.stuck_wins else "discriminate"}.
Qed.
Lemma who_wins p s : {wins} G p s <-> ~ lost p (value s).
Proof. apply settled. Qed.
(* What other files use. *)
Lemma known s : (forall p, ({wins} G p s <-> ~ lost p ({x})) /\\
    (lost p ({x}) -> {loses} G p s) /\\ ({loses} G p s -> ~ {wins} G p s)) /\\
  natural ({x}) /\\ special ({x}).
Proof.
  rewrite <- (values s). split; [intros p; exact (settled p s)|].
  exact (facts_of_all F none join fact fact_of_none fact_of_more s).
Qed."""

    def _closed(self, turn: MoverPair) -> str:
        """Return the Coq lemma which states that no move leads from a lost position to a lost position."""
        who, other, name = self.name_turn(turn)
        o = self.find(f"closed{turn.who}")
        lines = [
            f"Lemma closed{name} hs ys R : occupied hs -> swaps_of_game G {who} hs ys R ->",
            f"  fact (value R) -> lost {who} (joins F join hs (value R)) ->",
            f"  ~ lost {other} (joins F join ys (value R)).",
            "Proof.",
            "  intros O S Fx L L'. open_game O S. pose proof (values R) as E.",
            f"  destruct (value R) as {self.pattern('x')}. split_values E. rewrite joins_one in L by exact P.",
            "  destruct Fx as [Nx Fx]. cbv beta iota zeta delta [natural lost join] in L, Nx. by_parts.",
        ]
        moves = playable(self.game, turn.mover)
        for i, move in enumerate(moves):
            more = i < len(moves) - 1
            names = [f"p{j}" for j in range(1, len(move.picks) + 1)]
            picks = [f"(Z.of_N {name})" for name in names]
            at = {"heap": "(Z.of_N h)"} | self.picked(o, moves, i, picks, "(Z.of_N y)")
            cuts = self.use_cuts(moves, i, picks, "(Z.of_N h)", "(Z.of_N y)", self.places("x"))
            lines += [
                *(["  destruct S as [S|S]. {"] if more else []),
                f"  destruct S as ({' & '.join([*names, 'S'])}). by_parts.",
                f"  {cuts}{self.use(o, self.values(o.reader, {'rest': self.places('x')}, at))}. by_parts.",
                "  gone_or_there y; [rewrite joins_gone in L'; is_gone O |",
                "    rewrite joins_one in L' by assumption; is_there y O];",
                f"  cbv beta iota zeta delta [lost join] in L'; refute_with O L'.{' }' if more else ''}",
            ]
        return "\n".join([*lines, "Qed."])

    def picked(
        self, o: FoldsObligation, moves: Sequence[OpenMove], used: int, picks: Sequence[str], size: str
    ) -> dict[str, str]:
        """Return the picks, and the size that is left, of a move of the kind `used` in an obligation about all moves.

        `used`: the index of the kind of move in `moves`. `picks`, `size`: the Coq text of the picks, and of the size.
        """
        made, left = dict[str, str](), list(o.reader.symbols.by_name)
        own = {b.word for b in self.binders}
        for i, move in enumerate(moves):
            texts = [*picks, size] if i == used else []
            words = [*(pick.word for pick in move.picks), "new size"]
            found = [take_name(left, word, own) for word in words]
            made |= dict(zip(found, texts, strict=False))
        return made

    def _named_moves(
        self, turn: MoverPair, label: str, named: Sequence[tuple[MoveNames, NamedMove]], to_loss: bool
    ) -> Iterator[str]:
        """Yield the Coq lemma which states that some named move is legal and, if `to_loss`, leads to a lost position.

        `label`: the name of the obligation which states that the named moves cover the positions.
        """
        who, other, name = self.name_turn(turn)
        some = to_loss and self.game.ruleset.stuck_wins
        lost = f" /\\ lost {other} (value t)" if to_loss else ""
        yield f"""\
Lemma {"reply" if to_loss else "movable"}{name} s : fact (value s) ->
  {"~ " if to_loss else ""}lost {who} (value s) -> {"(exists h, h ∈ s) -> " if some else ""}
  exists t, {self.word("move")} G {who} s t{lost}.
Proof.
  intros Fs L{" Some; apply some_heaps in Some" if some else ""}. pose proof (values s) as E.
  destruct (value s) as {self.pattern("s")} eqn:V. split_values E.
  destruct Fs as [Ns Fs]. cbv beta iota zeta delta [natural lost] in L, Ns. by_parts."""
        o = self.find(label)
        yield f"  {self.use(o, self.values(o.reader, {'s': self.places('s')}, {}))}."
        for i, (names, move) in enumerate(named):
            more = i < len(named) - 1
            yield f"  {'destruct O as [O|O]. { ' if more else ''}rename O into W."
            yield from self._named_move(turn, names, move, to_loss)
            if more:
                yield "  }"
        yield "Qed."

    def _named_move(self, turn: MoverPair, names: MoveNames, move: NamedMove, to_loss: bool) -> Iterator[str]:
        """Yield the Coq tactics that make the named move at s, and show where it leads."""
        assert isinstance(move, FoldsMove)
        found = kinds_of(move, self.game, turn.mover)
        if len(found) != 1:
            raise Unsupported("no Coq text is generated for a named move that may be of several kinds")
        (kind,) = found
        heap, legal = self.find(names.heap.name), self.find(names.legal.name)
        s, x, h = self.places("s"), self.places("x"), {"heap of s": "(Z.of_N h)"}
        premise, _ = pick_of(heap.reader, move, next(p for p in heap.reader.free if p.name == "s"))
        zeros, moves = ["0"] * len(s), playable(self.game, turn.mover)
        none, _ = self._take(heap.reader, kind, move)
        no_heap = self.values(heap.reader, {"s": s, "rest of s": zeros}, {"heap of s": "1", "new size": "0"})
        none_taken = [write_number(x, no_heap) for x in none]
        at_none = self.use_cuts(moves, index_of(moves, kind), none_taken, "1", "0", zeros, (move, s))
        yield f"""\
  assert (W' : {write_condition(premise, self.values(heap.reader, {"s": s}, {}))}).
  {{ by_contradiction. {at_none}{self.use(heap, no_heap)}. conclude_from O. }}
  pose proof ({self.pick(move, heap.reader, "s")}) as Pick. cbv beta in Pick.
  destruct Pick as (h & R & P & E' & Pick). told Pick.
  pose proof (folded_same F none join in_any_order s (h :: R) E') as V'.
  change (value (h :: R)) with (joins F join [h] (value R)) in V'. rewrite joins_one in V' by exact P. rewrite V in V'.
  {self.open_folds("R", "x", "Fx", "ER", "VR")}
  destruct Fx as [Nx Fx]. cbv beta iota zeta delta [natural join] in Nx, V'. by_parts. split_values V'."""
        at, (texts, size) = {"s": s, "rest of s": x}, self._take(legal.reader, kind, move)
        values = self.values(legal.reader, at, h | {"new size": "0"})
        taken = [write_number(x, values) for x in texts]
        cuts = partial(self.use_cuts, moves, index_of(moves, kind), taken, "(Z.of_N h)", rest=x, named=(move, s))
        yield f"  {cuts('0')}{self.use(legal, values)}. rename O into Legal. by_parts."
        for j, term in enumerate(texts, 1):
            yield f"  name_pick {write_number(term, values)} p{j}."
        side = "right. " * (kind.number - 1) + ("left. " if kind.number < len(self.game.ruleset.moves) else "")
        picks = "".join(f"exists p{j}. " for j in range(1, len(texts) + 1))
        yield f"""\
  name_pick {write_number(size, values)} y.
  exists (y :: R).{" split." if to_loss else ""}
  {{ exists h, y, R. split; [exact P|]. split; [exact E'|]. split; [reflexivity|].
    split; [hnf; cbn [same_player]; {side.replace(". ", "; ")}{picks.replace(". ", "; ")}made_legal | cbn; lia]. }}"""
        if to_loss:
            o = self.find(names.to_loss.name)
            yield f"""\
  {cuts("(Z.of_N y)")}{self.use(o, self.values(o.reader, at, h | {"new size": "(Z.of_N y)"}))}.
  change (value (y :: R)) with (joins F join [y] (value R)). rewrite VR.
  gone_or_there y; [rewrite joins_gone; is_gone O | rewrite joins_one by assumption; is_there y O];
  cbv beta iota zeta delta [lost join]; conclude_from O."""

    @staticmethod
    def _take(reader: FoldReader, kind: OpenMove, move: FoldsMove) -> tuple[list[t.Term], t.Term]:
        """Return the picks of a named move, and the size that it leaves, as terms of the reader."""
        s, rest = (next(p for p in reader.free if p.name == name) for name in ("s", "rest of s"))
        heap, take = t.Variable(INT, 0, 0, "heap of s"), dict(move.take)
        env = reader.bind_pick(s, heap, rest)
        made = dict(reader.root) | {kind.heaps[0]: heap}
        found = []
        for pick in kind.picks:
            term = reader.number(take[pick.word], env) if pick.word in take else reader.number(pick.lo, made)
            made[pick.name] = term
            found.append(term)
        return found, reader.number(kind.become, made)

    def pick(self, choice: HeapChoice, reader: FoldReader, s: str = "s", premise: str = "W'") -> str:
        """Return the Coq term which proves that there is a heap of s that is chosen, from the premise."""
        met = f"ltac:(met_premise E {premise})"
        heap = reader.size("heap", low=1)
        h = {heap.name: "(Z.of_N h)"}
        if choice.top_bit:
            if choice.aim is not None:
                raise Unsupported("no Coq text is generated for a heap that is chosen at the top bit of X ^ k")
            term = nim_sum_of(reader, choice.top_bit).term(heap, YES)
            text = write_number(term, self.values(reader, {}, h))
            return f"pick_top_bit (fun h => {text}) {s} ltac:(intros h P; cbv beta; naturals) {met}"
        if choice.extreme:
            return f"pick_{'largest' if choice.extreme == LARGEST else 'least'} {s} (pick_any {s} {met})"
        fold = reader.heaps if choice.having is None else reader.count(choice.having, "h")
        counted = fold.contributes(heap)
        return self.pick_counted(fold, write_test(counted, self.values(reader, {}, h)), s, premise)

    def pick_counted(self, fold: Fold, test: str, position: str, premise: str) -> str:
        """Return the Coq term which proves that the position has one of the heaps that the fold counts.

        `test`: whether the fold counts the heap h, as Coq text of type bool. `premise`: that there is such a heap.
        """
        met = f"ltac:(met_premise E {premise})"
        if fold.key == self.posed[0].reader.heaps.key:
            return f"pick_any {position} {met}"
        return f"pick_counted (fun h => {test}) {position} {met}"

    # -- the claim ----------------------------------------------------------------------------------------------------
    def conclusion(self, says: Text, quantifiers: int) -> str:
        """Return the Coq lemma `claim`, which follows from who wins and from the obligation about the claim.

        `says`: the claim as a Coq proposition, without the integers of the claim.
        `quantifiers`: the number of the lemmas `of_heaps_1` and so on about quantifiers over heaps.
        """
        if all(v.type != POSITION for v in self.claim.variables):
            return self.about_written(says, "(fun s => conj (fun p => settled p s) I)", "lost join none")
        position = self.position
        o = self.follows
        terms = (self.claim.hypothesis or (), self.claim.conclusion)
        links = self.link(o.reader, position, terms, self.numbers, self.places("s"))
        told = [f"K{i}" for i in range(1, len(links) + 1)]
        name = self.numbers.names[position].text
        rewrites = "".join(f" try setoid_rewrite of_heaps_{i}." for i in range(1, quantifiers + 1))
        opened = "natural lost" if self.proof.loses else "natural"
        images = list(self._write_images(terms))
        equal = re.findall(r"assert [(](\w+)", " ".join(images))
        return "\n".join(
            [
                f"Lemma claim ({name} : position) : {says.text}.",
                f"Proof.\n {rewrites} rewrite ?some_is{', ?who_wins' if self.proof.loses else ''}.",
                f"  {self.open_folds(name, 's', 'Fs', 'E')}",
                *images,
                f"  destruct Fs as [Ns Fs]. cbv beta iota zeta delta [{opened}] in *. by_parts.",
                f"  {self.use(o, self.values(o.reader, {position: self.places('s')}, {}))}.",
                *(
                    f"  assert ({k} : Z.of_N ({text}) = {name}) by same_fold."
                    for k, (text, name) in zip(told, links.items(), strict=True)
                ),
                f"  forget_all_but O ltac:(fun _ => clear - O {' '.join(told + equal)}). subst. conclude_from O.\nQed.",
            ]
        )

    def _write_images(self, terms: object) -> Iterator[str]:
        """Yield the tactics that replace nim-sums of images of the position by nim-sums of the position."""
        o = self.follows
        for i, image in enumerate(x for x in walk(terms) if match_mapping(x) is not None):
            made, source = match_mapping(image), self.numbers.position(image).argument
            assert made is not None
            mapping = o.reader.folding.read_mapping(made, o.reader.root)
            places = self.places(f"i{i}x")
            yield f"  pose proof (facts_of_all F none join fact fact_of_none fact_of_more {source}) as [_ F{i}']."
            yield f"  pose proof (values {source}) as I. destruct (value {source}) as {self.pattern(f'i{i}x')}."
            yield "  split_values I."
            keys = {x.key: place for x, place in zip(self.folds, self.places("s"), strict=True)}
            for fold, place in zip(self.folds, places, strict=True):
                if (own := keys.get(("image", mapping.key, fold.key))) is not None:
                    if not isinstance(fold.fold, Fold) or fold.fold.reducer != NIM_SUM:
                        raise Unsupported(f"no Coq text is generated for {fold.fold.label} of an image of the position")
                    yield f"  assert (J{place} : {place} = {own}) by image_fold."

    def about_written(self, says: Text, known: str, unfolds: str) -> str:
        """Return the Coq lemma `claim` for a claim about positions whose heaps are written.

        `known`: the Coq lemma about who wins. `unfolds`: the Coq definitions that it mentions.
        """
        o = self.follows
        game = self.numbers.games[self.game.name].argument
        return f"""\
Lemma claim : {says.text}.
Proof.
  {self.use(o, self.values(o.reader, {}, {}))}.
  written_heaps {known} {game}; cbv beta iota zeta delta [{unfolds}]; know_written O; conclude_from O.
Qed."""

    def link(
        self, reader: FoldReader, position: str, terms: object, writer: Statements, places: Sequence[str]
    ) -> dict[str, str]:
        """Return the names in `places` of the folds of a position that occur in some terms, by their Coq text.

        `position`: the variable for the position in the terms. `writer`: writes terms over this variable.
        """
        links = dict[str, str]()
        for term, text in folds_in(terms, position, writer):
            fold = reader.folding.fold_of_term(term, reader.root)
            for name, own in zip(places, self.folds, strict=True):
                if own.key == fold.key:
                    links[text] = name
        return links


def folds_in(terms: object, position: str, writer: Statements) -> Iterator[tuple[t.Term, str]]:
    """Yield the folds of a position in some terms, each as a term and as Coq text of type N."""
    for x in walk(terms):
        match x:
            case t.Comprehension(reducer="any" | "all" as reducer, body=body, clauses=(clause,)):
                given = conjunction(*clause.conditions)
                asked = conjunction(given, body) if reducer == "any" else opposite(implies(given, body))
                x = t.Comprehension(INT, x.start, x.end, "count", asked, (replace(clause, conditions=()),))
                source = clause.source
            case t.Comprehension(clauses=(clause,)) if x.type == INT:
                source = clause.source
            case t.Operation(args=(source, *_)) if x.type == INT:
                pass
            case _:
                source = x
        if (extreme := is_extreme(x)) is not None:
            source = extreme.source
        if x.type == INT and isinstance(source, t.Variable) and source.name == position:
            yield x, writer.natural(x).text


def index_of(moves: Sequence[OpenMove], kind: OpenMove) -> int:
    return next(i for i, move in enumerate(moves) if move.number == kind.number)


def _extremes(reader: FoldReader, position: Position) -> t.Term:
    return conjunction(*reader.extremes_of(position))


def _conjoin(parts: Sequence[str]) -> str:
    return " /\\\n  ".join(parts) or "True"


def take_name(names: list[str], word: str, other: set[str]) -> str:
    """Remove the first of the names that is `word`, or `word` with a number, and is not in `other`; return it."""
    name = next(x for x in names if x not in other and re.fullmatch(rf"{re.escape(word)}( \(\d+\))?", x))
    names.remove(name)
    return name


# -- quantifiers over heaps ------------------------------------------------------------------------------------------
def rewrite_heap_counts(claim: Claim, numbers: Statements) -> Iterator[str]:
    """Yield a Coq lemma for each `any` or `all` over a position variable, which states the same with a count.

    For example, `any(h >= 2 for h in s)` holds if and only if `count(h >= 2 for h in s)` is above 0.
    """
    seen = set[str]()
    for term in walk((claim.hypothesis or (), claim.conclusion)):
        match term:
            case t.Comprehension(reducer="any" | "all" as reducer, body=body, clauses=(clause,)):
                if clause.source.type != POSITION or not isinstance(clause.source, t.Variable):
                    continue
                inner = numbers.bind({clause.source.name: Text("s"), clause.variable: Text("h")})
                asked = (
                    conjunction(*clause.conditions, body)
                    if reducer == "any"
                    else implies(conjunction(*clause.conditions), body)
                )
                counted = asked if reducer == "any" else opposite(asked)
                says, count = inner.says(asked).at(BINDER), inner.truth(counted).at(BINDER)
                if (lemma := _lemma(reducer, says, count)) not in seen:
                    seen.add(lemma)
                    yield lemma


def _lemma(reducer: str, says: str, counted: str) -> str:
    lemma = f"(fun h => {says}) (fun h => {counted}) s ltac:(intros; cbv beta; lia)"
    said = f"exists h, h ∈ s /\\ {says}" if reducer == "any" else f"forall h, h ∈ s -> {says}"
    counts = f"0 < count (fun h => {counted}) s" if reducer == "any" else f"count (fun h => {counted}) s = 0"
    name = "some_heap" if reducer == "any" else "all_heaps"
    return f"s : ({said}) <-> {counts}.\nProof. exact ({name} {lemma}). Qed."
