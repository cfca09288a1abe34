"""Instances of the Coq theorem about the rule folds for games of the type `rules`: their moves, and who wins.

The moves of these games choose several heaps or a smallest heap, or replace a heap by several heaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar

from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT
from encoders.coq.instances import Values, write_condition, write_list_pattern, write_number, write_test
from encoders.logic.moves import OpenMove, open_several
from encoders.logic.sequents import YES
from encoders.refusals import Unsupported
from encoders.rules.base.turns import MoveNames, MoverPair
from encoders.rules.folds.instance import FoldsObligation, Instance, NamedMove, take_name
from encoders.rules.folds.kinds import CLOSED, ONE_OF_A_HEAP
from encoders.rules.folds.moves import (
    PartialMove,
    Take,
    add_pick,
    digits_of,
    kinds_of,
    kinds_on,
    list_closed_labels,
    pick_of,
    playable,
    start_at,
    state_pick_condition,
    take_at,
    take_of,
    top_of,
)
from encoders.rules.folds.positions import REST, ColumnFold, Fold
from encoders.rules.folds.reader import FoldReader
from encoders.rules.folds.section import FoldsMove, LongMove, MoveCase, NextHeapChoice, heap_name
from encoders.trust import ObligationLabel


@dataclass(frozen=True, eq=False)
class KindOfMove:
    """A kind of moves in Coq: a move of the ruleset on a fixed number of heaps.

    `written`: the move in the file. `open`: the same move in an obligation. `number`: its place in Coq, from 0.
    """

    written: Move
    open: OpenMove
    number: int

    @property
    def heaps(self) -> list[str]:
        return [f"h{i}" for i, _ in enumerate(self.open.heaps, 1)]

    @property
    def sizes(self) -> list[str]:
        """The names of the heaps that are left."""
        return [f"y{i}" for i, _ in enumerate(self.open.becomes, 1)]

    @property
    def picks(self) -> list[str]:
        return [f"p{i}" for i, _ in enumerate(self.open.picks, 1)]

    def divide(self) -> list[tuple[list[str], list[str]]]:
        """Return the picks and the heaps that are left for each chosen heap; for a move on all heaps, once for all."""
        if self.written.choose != "each":
            return [(self.picks, self.sizes)]
        picks, sizes = len(self.written.picks), len(self.written.become)
        each = range(len(self.open.heaps))
        return [(self.picks[i * picks :][:picks], self.sizes[i * sizes :][:sizes]) for i in each]


@dataclass(eq=False)
class InstanceOfRules(Instance):
    """A writer of the Coq instance of a proof about a game of the type `rules`, in its normal form."""

    theorem: ClassVar[str] = "rules_by_folds"
    opens: ClassVar[str] = "leaves_less O S hs"

    def definitions(self) -> Iterator[str]:
        """Yield the Coq definitions of the folds, the facts and the lost positions."""
        yield from super().definitions()
        x = self.places("x")
        added = ",\n   ".join(self._join(fold, absent=True) for fold in self.folds)
        yield f"""\
(* What the folds become where a heap that may be 0 is added. *)
Definition extend (h : N) (x : F) : F := let '({", ".join(x)}) := x in
  ({added}).
Lemma added h x : join_heap F join h x = extend h x.
Proof. destruct x as {self.pattern("x")}. unfold extend, join. heap_added h. Qed."""

    def kinds(self, turn: MoverPair) -> list[KindOfMove]:
        """Return the kinds of moves in the order of the definition of the game in Coq.

        Raises Unsupported if the normal form of the game divides a kind of moves into cases.
        """
        found = (open_several if self.proof.several else playable)(self.game, turn.mover)
        made = []
        for written in self.numbers.rules[self.game.name].ruleset.moves:
            own = [x for x in found if x.number == written.number]
            counts = [len(x.heaps) for x in own]
            if not counts or counts != list(range(counts[0], counts[-1] + 1)):
                raise Unsupported("no Coq text is generated for a proof about moves that are given by cases")
            made += [KindOfMove(written, x, 0) for x in own]
        made.sort(key=lambda x: x.written.choose == "each")
        return [replace(x, number=i) for i, x in enumerate(made)]

    # -- no move from a lost position to a lost position --------------------------------------------------------------
    def _closed(self, turn: MoverPair) -> str:
        """Return the Coq lemma which states that no move leads from a lost position to a lost position."""
        who, other, name = self.name_turn(turn)
        labels = dict(list_closed_labels(turn)) if self.proof.several else {1: CLOSED.make_label(who=turn.who)}
        lines = [
            f"Lemma closed{name} hs ys R : occupied hs -> swaps_of_rules G {who} hs ys R ->",
            f"  fact (value R) -> lost {who} (joins F join hs (value R)) ->",
            f"  ~ lost {other} (joins F join ys (value R)).",
            "Proof.",
            "  intros O S Fx L L'. rewrite (joins_turn F join in_any_order) in L, L'. pose proof (values R) as E.",
            f"  destruct (value R) as {self.pattern('x')}. split_values E.",
            "  destruct Fx as [Nx Fx]. cbv beta iota zeta delta [natural] in Nx. by_parts. open_kinds S.",
        ]
        kinds = self.kinds(turn)
        for kind in kinds:
            lines += [f"  {{ {self._open(kind)}", *self._no_loss(kind, kinds, labels[len(kind.heaps)]), "  }"]
        return "\n".join([*lines, "Qed."])

    @staticmethod
    def _open(kind: KindOfMove) -> str:
        """Return the tactics that name the chosen heaps, the picks and the heaps that are left."""
        last = "S"
        parts = kind.divide()
        for i, (picks, _) in enumerate(reversed(parts), 1):
            own = f"({' & '.join([*picks, f'S{i}'])})" if picks else f"S{i}"
            if kind.written.choose != "each":
                last = own
            else:
                last = f"(o{i} & u{i} & {own} & {last} & Y{i})"
        found = f" destruct S as {last}." if last.startswith("(") else f" rename S into {last}."
        if kind.written.choose == "each":
            found = f" cbn [each_makes] in S.{found}"
        heaps, sizes = write_list_pattern(kind.heaps), write_list_pattern(kind.sizes)
        return (
            f"destruct hs as {heaps}; try discriminate C.{found} destruct ys as {sizes}; all_occupied O;\n"
            "    opened_lists. cbn [joins_in_turn] in L, L'. rewrite !heap_joined in L by assumption.\n"
            "    rewrite !added in L'. cbv beta iota zeta delta [lost join] in L."
            " cbv beta iota zeta delta [lost extend] in L'."
        )

    def _no_loss(self, kind: KindOfMove, kinds: Sequence[KindOfMove], label: ObligationLabel) -> Iterator[str]:
        """Yield the tactics which show that a move of this kind does not lead to a loss, by the obligation."""
        o = self.find(label.name)
        alike = sorted((x for x in kinds if len(x.heaps) == len(kind.heaps)), key=lambda x: x.open.number)
        values = dict[str, str]()
        heaps, names = list(o.reader.symbols.by_name), {b.word for b in self.binders}
        for name in kind.heaps:
            values[take_name(heaps, "heap", names)] = f"(Z.of_N {name})"
        for other in alike:
            texts = [f"(Z.of_N {x})" for x in (*kind.picks, *kind.sizes)] if other is kind else []
            words = [*(x.word for x in other.open.picks), *("new size" for _ in other.open.becomes)]
            found = [take_name(heaps, word, names) for word in words]
            values |= dict(zip(found, texts, strict=False))
        yield f"    {self.use(o, self.values(o.reader, {'rest': self.places('x')}, values))}."
        if len(alike) > 1:
            pattern = "O" if alike[-1] is kind else "_"
            for x in reversed(alike[:-1]):
                pattern = f"[{'O' if x is kind else '_'} {pattern}]"
            yield f"    destruct O as {pattern}."
        yield "    refute_with O L'."

    # -- named moves --------------------------------------------------------------------------------------------------
    def _named_move(self, turn: MoverPair, names: MoveNames, move: NamedMove, to_loss: bool) -> Iterator[str]:
        """Yield the Coq tactics that make the named move at s, and show where it leads."""
        written = _WrittenMove(self, turn, to_loss)
        yield from written.case(names, (move.case,)) if isinstance(move, LongMove) else written.plain(names, move)


_LETTERS = "sxzwv"
"""For each number of picked heaps, the letter of the names of all folds of the other heaps."""


@dataclass(eq=False)
class _WrittenMove:
    """A writer of the Coq tactics that make one named move at a position s. `to_loss`: whether to a lost position."""

    instance: InstanceOfRules
    turn: MoverPair
    to_loss: bool

    # -- names --------------------------------------------------------------------------------------------------------
    @staticmethod
    def _position(count: int) -> str:
        """Return the name in obligations of the position of the other heaps, after so many heaps are picked."""
        return REST * count + "s"

    @staticmethod
    def _rest(count: int) -> str:
        """Return the name in Coq of the position of the other heaps, after so many heaps are picked."""
        return f"R{count}" if count else "s"

    def _folds(self, count: int) -> list[str]:
        return self.instance.places(_LETTERS[count])

    def _values(self, o: FoldsObligation, count: int, others: Values = {}) -> dict[str, str]:  # noqa: B006
        """Return the values of the variables of an obligation, after so many heaps are picked."""
        at = {self._position(i): self._folds(i) for i in range(count + 1)}
        heaps = {f"heap of {self._position(i)}": f"(Z.of_N h{i + 1})" for i in range(count)}
        places = {f"place ({i})" if i > 1 else "place": f"q{i}" for i in range(1, count + 1)}
        return self.instance.values(o.reader, at, heaps | places | dict(others))

    def _stage(self, reader: FoldReader, path: Sequence[MoveCase]) -> PartialMove:
        """Return the stage of the named move after the heaps of these cases are picked, in terms of the reader."""
        positions = {p.name: p for p in reader.free}
        stage, places = start_at(reader, positions["s"]), 0
        for case in path:
            if case.pick is None:
                continue
            count, place = len(stage.heaps), None
            if case.pick.top is not None:
                places += 1
                place = t.Variable(INT, 0, 0, "place" if places == 1 else f"place ({places})")
            heap = t.Variable(INT, 0, 0, f"heap of {self._position(count)}")
            stage = add_pick(reader, stage, heap, positions[self._position(count + 1)], place)
        return stage

    # -- a move with cases --------------------------------------------------------------------------------------------
    def case(self, names: MoveNames, path: tuple[MoveCase, ...]) -> Iterator[str]:
        """Yield the tactics for the last case in `path`, and its inner cases.

        `names`: the labels of its obligations. `path`: the nested cases, from the outermost to this case.
        """
        last, find, use = path[-1], self.instance.find, self.instance.use
        count = sum(case.pick is not None for case in path[:-1])
        if last.pick is not None:
            o = find(names.heap.name)
            yield f"  {use(o, self._values(o, count))}. rename O into A{count}."
            places = sum(case.pick is not None and case.pick.top is not None for case in path)
            yield from self._pick(o, path, last.pick, count, places)
            yield from self._take_out(count)
            count += 1
        if not last.then:
            legal = find(names.legal.name)
            stage = self._stage(legal.reader, path)
            yield from self._make(names, stage.heaps, take_at(legal.reader, last, stage))
            return
        o = find(names.covered.name)
        yield f"  {use(o, self._values(o, count))}."
        for i, inner in enumerate(last.then, 1):
            more = i < len(last.then)
            yield f"  {'destruct O as [O|O]. { ' if more else ''}rename O into W{count}."
            yield from self.case(names.then(i), (*path, inner))
            if more:
                yield "  }"

    def _pick(
        self, o: FoldsObligation, path: tuple[MoveCase, ...], pick: NextHeapChoice, count: int, places: int
    ) -> Iterator[str]:
        """Yield the tactics that add to the context, as Pick, that there is a heap to pick.

        `o`: an obligation about the stage before. `count`, `places`: as in `case`, with this pick among the places.
        """
        reader, rest = o.reader, self._rest(count)
        stage = self._stage(reader, path[:-1])
        heap = reader.size("heap", low=1)
        if pick.top is None:
            fold = reader.heaps if pick.having is None else reader.count(pick.having, heap_name(count + 1))
            counted = fold.contributes(heap)
            test = write_test(counted, self._values(o, count) | {heap.name: "(Z.of_N h)"})
            yield f"  pose proof ({self.instance.pick_counted(fold, test, rest, f'A{count}')}) as Pick."
            return
        q, test = f"q{places}", f"c{places}"
        place = t.Variable(INT, 0, 0, "place of the pick")
        granted, top = state_pick_condition(reader, pick, count + 1, heap, place), top_of(reader, pick.top, stage.env)
        digits = [
            (x, x.term(heap, YES) if isinstance(x, Fold) else heap) for x in digits_of(reader, pick.top, count).values()
        ]
        values = self._values(o, count) | {heap.name: "(Z.of_N h)", place.name: q}
        yield f"""\
  destruct (top_place {write_number(top, values)} ltac:(naturals) A{count}) as ({q} & Q{places} & ? & ? & ? & ?).
  pose (fun h => {write_test(granted, values)}) as {test}."""
        for i, (whole, term) in enumerate(digits, 1):
            text, d = f"(fun h => {write_number(term, values)})", f"D{places}_{i}"
            named, natural = f"one_of_nim_sum {test} {text} {rest} {q}", "ltac:(intros h P; naturals)"
            if isinstance(whole, ColumnFold):
                named, natural = f"one_of_columns {test} {rest} {whole.modulus} {whole.of} {q}", "eq_refl eq_refl"
            yield f"  pose proof ({named} {natural} Q{places} ltac:(as_tested {test})) as {d}. told {d}."
        one = self.instance.find(ONE_OF_A_HEAP.make_label(words=pick.words).name)
        given = {"place": q, "some heap has a 1 there": f"(existsb {test} (heaps {rest}))"}
        given = self.instance.values(one.reader, {"s": self._folds(count)}, given)
        yield f"  {self.instance.use(one, given)}. apply pick_tested in O. rename O into Pick. unfold {test} in Pick."

    def _take_out(self, count: int) -> Iterator[str]:
        """Yield the tactics that divide the position into the picked heap and the other heaps."""
        rest, left, number = self._rest(count), self._rest(count + 1), count + 1
        after = _LETTERS[number]
        known, pattern = "V" if count == 0 else f"VR{count}", self.instance.pattern(after)
        yield f"""\
  destruct Pick as (h{number} & {left} & P{number} & At{number} & Pick). told Pick. rename Pick into B{number}.
  pose proof (folded_same F none join in_any_order {rest} (h{number} :: {left}) At{number}) as U{number}.
  change (value (h{number} :: {left})) with (joins F join [h{number}] (value {left})) in U{number}.
  rewrite joins_one in U{number} by exact P{number}. rewrite {known} in U{number}.
  pose proof (facts_of_all F none join fact fact_of_none fact_of_more {left}) as Facts.
  pose proof (values {left}) as ER{number}. destruct (value {left}) as {pattern} eqn:VR{number}.
  split_values ER{number}. destruct Facts as [N{after} F{after}].
  cbv beta iota zeta delta [natural join] in N{after}, U{number}. by_parts. split_values U{number}."""

    # -- a move without cases -----------------------------------------------------------------------------------------
    def plain(self, names: MoveNames, move: FoldsMove) -> Iterator[str]:
        """Yield the tactics for a named move on one heap that has no cases."""
        instance, find = self.instance, self.instance.find
        heap, legal = find(names.heap.name), find(names.legal.name)
        premise, _ = pick_of(heap.reader, move, next(p for p in heap.reader.free if p.name == "s"))
        nothing = {"s": self._folds(0), "rest of s": ["0" for _ in instance.folds]}
        no_heap = instance.values(heap.reader, nothing, {"heap of s": "1", "new size": "0"})
        yield f"""\
  assert (A0 : {write_condition(premise, self._values(heap, 0))}).
  {{ by_contradiction. {instance.use(heap, no_heap)}. conclude_from O. }}
  pose proof ({instance.pick(move, heap.reader, premise="A0")}) as Pick."""
        yield from self._take_out(0)
        at = {p.name: p for p in legal.reader.free}
        picked = t.Variable(INT, 0, 0, "heap of s")
        take = take_of(legal.reader, move, at["s"], picked, at["rest of s"])
        yield from self._make(names, (picked,), take, move)

    # -- making the move ----------------------------------------------------------------------------------------------
    def _kind(self, heaps: int, take: Take, move: FoldsMove | None) -> KindOfMove:
        game, mover = self.turn.game, self.turn.mover
        found = kinds_on(game, mover, heaps, take) if move is None else kinds_of(move, game, mover)
        if len(found) != 1:
            raise Unsupported("no Coq text is generated for a named move that may be of several kinds")
        number = (found[0].number, heaps)
        return next(x for x in self.instance.kinds(self.turn) if (x.open.number, len(x.heaps)) == number)

    def _make(
        self, names: MoveNames, heaps: tuple[t.Term, ...], take: Take, move: FoldsMove | None = None
    ) -> Iterator[str]:
        """Yield the tactics that make the move on the picked heaps.

        `take`: the numbers picked, in terms of the obligation that the move is legal. `move`: a move without cases.
        """
        instance, count = self.instance, len(heaps)
        kind, legal = self._kind(count, take, move), instance.find(names.legal.name)
        values = self._values(legal, count, {f"new size{f' ({i})' if i > 1 else ''}": "0" for i in range(1, 9)})
        env: dict[str, object] = {**legal.reader.root, **dict(zip(kind.open.heaps, heaps, strict=True))}
        yield f"  {instance.use(legal, values)}. rename O into Legal. by_parts."
        for pick, name in zip(kind.open.picks, kind.picks, strict=True):
            term = take.get(pick.word)
            env[pick.name] = term = legal.reader.number(pick.lo, env) if term is None else term
            yield f"  name_pick {write_number(term, values)} {name}."
        for size, name in zip(kind.open.becomes, kind.sizes, strict=True):
            yield f"  name_pick {write_number(legal.reader.number(size, env), values)} {name}."
        hs, ys, rest = f"[{'; '.join(kind.heaps)}]", f"[{'; '.join(kind.sizes)}]", self._rest(count)
        same = "".join(f"rewrite At{i}; " for i in range(1, count + 1))
        yield f"""\
  exists ({ys} ++ {rest}).{" split." if self.to_loss else ""}
  {{ eexists. exists {hs}, {ys}, {rest}. split; [listed_kinds; {"right; " * kind.number}left; reflexivity|].
    split; [reflexivity|].
    split; [repeat (constructor; [assumption|]); constructor|]. split; [{same}reflexivity|]. split; [reflexivity|].
    {self._exhibit(kind)} }}"""
        if self.to_loss:
            o = instance.find(names.to_loss.name)
            sizes = {f"new size{f' ({i})' if i > 1 else ''}": f"(Z.of_N y{i})" for i in range(1, len(kind.sizes) + 1)}
            yield f"""\
  {instance.use(o, self._values(o, count, sizes))}.
  rewrite (folded_app F none join), (joins_turn F join in_any_order), VR{count}. cbn [joins_in_turn]. rewrite !added.
  cbv beta iota zeta delta [lost extend]. conclude_from O."""

    @staticmethod
    def _exhibit(kind: KindOfMove) -> str:
        """Return the tactics which show that a move of this kind makes the heaps that are left."""
        opened = "cbn [makes on_one on_two on_three on_four on_each each_makes same_player]. "
        parts = kind.divide()
        if kind.written.choose != "each":
            ((picks, _),) = parts
            return opened + "".join(f"exists {x}. " for x in picks) + "make_heaps."
        made, sizes = "reflexivity", [own for _, own in parts]
        lasts = list(accumulate(reversed(sizes), lambda a, b: b + a))  # what is left of this heap and those after it
        for i, (picks, own) in enumerate(reversed(parts)):
            after = lasts[i - 1] if i else []
            shown = "".join(f"exists {x}; " for x in picks) + "make_heaps"
            some = f"exists [{'; '.join(own)}], [{'; '.join(after)}]"
            made = f"{some}; split; [{shown} | split; [{made} | reflexivity]]"
        return f"{opened}{made}."
