"""Proofs by values that repeat in Coq: the table, that its moves are those of the game, its check, and the claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from claims.language.expressions.printing import print_term
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from encoders.coq.statement.domains import Binder
from encoders.coq.statement.stated import asks_for_values
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import COMPARISON, NIM, Text, apply, chain, infix
from encoders.coq.values.repeating import RepeatingValuesWriter, heaps_of, write_list, write_row, write_takes
from encoders.ground.refusals import Unsupported
from encoders.periods.table import GRUNDY as VALUES
from encoders.periods.table import PeriodicTable
from encoders.periods.verify import UnverifiedTable, find_bound
from encoders.rules.periodic.finding import find_table

MOST_SPLITS, MOST_HEAPS = 300_000_000, 100_000
"""That Coq looks at: splits in which one heap has a rare value. A table with more is left to the other checks."""
_DIGITS = 10  # of the values, the lowest ones, among which masks are chosen


def write_periodic(claim: Claim, binders: Sequence[Binder], numbers: Statements) -> Iterator[str]:
    """From the table to the lemma `claim`. Raises Unsupported."""
    table, _ = find_table(claim)
    if table.beyond and (table.question != VALUES or any(x.end != x.one for x in table.moves)):
        raise Unsupported(
            "where any large number may be taken, Grundy values of games are generated that leave any heap"
        )
    if not any(x.end or x.one or x.two or x.equal for x in table.moves):
        raise Unsupported("games in which nothing may be taken are not generated")
    try:
        bound = find_bound(table)
    except UnverifiedTable as error:
        raise Unsupported(str(error)) from None
    if bound > MOST_HEAPS:
        raise Unsupported(f"a table is generated if at most {MOST_HEAPS} heaps are looked at; it needs {bound}")
    splits = sum(len(x.two) for x in table.moves) * bound * choose_mask(table)[1]
    if splits > MOST_SPLITS:
        raise Unsupported(f"a table is generated if at most {MOST_SPLITS} splits are looked at; it needs {splits}")
    return _PeriodicWriter(claim, table, binders, numbers).lines()


def choose_mask(table: PeriodicTable) -> tuple[int, int]:
    """A mask under which few heaps of a table of heaps that split have a rare value, of even parity; and how many."""
    counts = Counter(table.value(h) for h in range(1, find_bound(table)))
    most = min(max(counts).bit_length(), _DIGITS)
    rare = {m: sum(n for v, n in counts.items() if (v & m).bit_count() % 2 == 0) for m in range(1, 1 << max(most, 1))}
    return min(rare.items(), key=lambda x: x[1])


@dataclass
class _PeriodicStatements(Statements):
    """Writes conditions as truth values, with the values of heaps by the table in the place of questions."""

    table: PeriodicTable | None = None

    def values_of(self, s: t.Term) -> list[Text]:
        """The value of each heap of a position that is written down, of the one mover. Raises Unsupported."""
        return [apply("heap_value", self.natural(x)) for x in heaps_of(s)]

    def of_position(self, term: t.Term) -> Text:
        match term:
            case t.GameCall(function="grundy", args=(s,)):
                return chain(self.values_of(s), "⊕", NIM, "0", "left")
            case t.GameCall(function="value", args=(s, *_)):
                return self._alone(s, "heap_value")
        return super().of_position(term)

    def _alone(self, s: t.Term, function: str) -> Text:
        heaps = heaps_of(s)
        if len(heaps) != 1:
            raise Unsupported(f"{print_term(s)}: who wins is told of one heap")
        return apply(function, self.natural(heaps[0]))

    def truth(self, term: t.Term) -> Text:
        match term:
            case t.GameCall(function="wins", args=(s, mover)):
                assert self.table is not None
                if self.table.question == VALUES:
                    lost = infix(chain(self.values_of(s), "⊕", NIM, "0", "left"), "=?", Text("0"), COMPARISON)
                    return apply("negb", lost)
                value = self._alone(s, f"heap_value_for {self.player(mover).argument}")
                return infix(value, "=?", Text("0"), COMPARISON)
        return super().truth(term)


class _PeriodicWriter(RepeatingValuesWriter[PeriodicTable]):
    unfold = "heap_value_for, heap_value in *"

    def __init__(self, claim: Claim, table: PeriodicTable, binders: Sequence[Binder], numbers: Statements) -> None:
        super().__init__(claim, table, binders, numbers)
        if len(table.moves) > 1 and table.players != 2:
            raise Unsupported("players with moves of their own are generated if they are two")
        if table.splits != self.splits and table.question != VALUES:
            raise Unsupported("who wins heaps that may be split is not generated")
        (game,) = claim.games
        self.players = dict(game.arguments).get(game.ruleset.player_count)
        if table.beyond:
            self.given, self.tactic = f"y < h /\\ all_from {table.last} taken (h - y) = true", "read_all_but"
        elif len(table.moves) > 1:
            self.given = "leaves (taken q) h 0 y"

    def compute(self, names: Mapping[str, Text]) -> Statements:
        return _PeriodicStatements(names, ranges=self.numbers.ranges, rules=self.numbers.rules, table=self.table)

    # -- the table -----------------------------------------------------------------------------------------------------
    def write_table(self) -> Iterator[str]:
        yield "(* What may be taken; the values below preperiod and period, and of all heaps. *)"
        n0, p = self.table.preperiod, self.table.period
        if self.table.beyond:
            yield f"Definition taken : list N := {write_list(self.table.moves[0].one)}."
            yield f"Definition row : list N := {write_row(self.table.rows[0])}."
            yield f"Definition heap_value : N -> N := rising {n0} {p} {self.table.saltus} row."
            yield "Definition heap_value_for (q : player) : N -> N := heap_value."
            return
        if len(self.table.moves) == 1:
            yield f"Definition taken : takes := {write_takes(self.table.moves[0])}."
            yield f"Definition row : list N := {write_row(self.table.rows[0])}."
            yield f"Definition heap_value : N -> N := at_heap {n0} {p} row."
            yield "Definition heap_value_for (q : player) : N -> N := heap_value."
            return
        first, second = map(write_takes, self.table.moves)
        yield f"Definition taken (q : player) : takes := match q with First => {first} | Second => {second} end."
        rows = " | ".join(
            f"{q} => {write_row(row)}" for q, row in zip(("First", "Second"), self.table.rows, strict=True)
        )
        yield f"Definition row (q : player) : list N := match q with {rows} end."
        yield "Definition heap_value : N -> N := at_heap 0 1 []."
        yield f"Definition heap_value_for (q : player) : N -> N := at_heap {n0} {p} (row q)."

    def write_values(self) -> Iterator[str]:
        n0, p, last = self.table.preperiod, self.table.period, self.table.last
        alike = len(self.table.moves) == 1
        rows = "taken row row" if alike else "(taken q) (row q) (row (other q))"
        if self.table.question == VALUES:
            values, wins = ("split_values", "split_wins") if self.splits else ("values", "wins")
            kind, check, given = self._of_grundy()
            yield f"""\
Lemma checked : {check} = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Definition grundy_of : position -> N := nim_sum_of heap_value.
Lemma known : {values} {self.game} grundy_of /\\ (forall q s, {wins} {self.game} q s <-> grundy_of s <> 0) /\\
  forall h, grundy_of [h] = heap_value h.
Proof. exact ({kind} {self.game} taken row {given} checked). Qed.
Lemma of_more a s : grundy_of (a :: s) = heap_value a ⊕ grundy_of s.
Proof.
  unfold grundy_of. rewrite nim_sum_of_cons. destruct (a =? 0) eqn:E; [|reflexivity]. replace a with 0 by lia.
  reflexivity.
Qed.
"""
            return
        if self.players is not None:
            n = self.numbers.natural(self.players).argument
            test = f"(best_test {n} (if stuck_wins {self.game} then 0 else {n} - 1))"
            yield f"""\
Lemma checked : few_ok {n0} {p} {last} {test} {rows} = true.
Proof. vm_compute. reflexivity. Qed.
Lemma who_wins h : winner {self.game} {n} [h] (heap_value h).
Proof. exact (table_of_winners {n0} {p} {last} {self.game} {n} taken row read eq_refl checked h). Qed.
"""
            return
        test = f"(best_test 2 (if stuck_wins {self.game} then 0 else 1))"
        given = "(fun _ => taken) (fun _ => row)" if alike else "taken row"
        each = "(fun _ => checked)" if alike else "checked"
        quantified = "" if alike else " q"
        yield f"""\
Lemma checked{quantified} : few_ok {n0} {p} {last} {test} {rows} = true.
Proof. {"" if alike else "destruct q; "}vm_compute; reflexivity. Qed.
Lemma who_wins q h : wins {self.game} q [h] <-> heap_value_for q h = 0.
Proof. exact (table_of_wins {n0} {p} {last} {self.game} {given} read eq_refl {each} q h). Qed.
"""

    def _of_grundy(self) -> tuple[str, str, str]:
        """The theorem for the kind of moves, the check of its table, and what else it is given."""
        table = self.table
        numbers = f"{table.preperiod} {table.period} {table.last}"
        if table.beyond:
            n1 = find_bound(table) - table.period - table.last
            all_ = f"{table.preperiod} {table.period} {table.saltus} {table.last} {n1} {1 + max(table.rows[0])}"
            return f"table_of_all_but {all_}", f"all_but_ok {all_} taken row", "read eq_refl eq_refl"
        if self.splits:
            sparse = f"{numbers} {choose_mask(table)[0]}"
            return f"table_of_splits {sparse}", f"split_ok {sparse} taken row", "read read_back eq_refl"
        return f"table_of_values {numbers}", f"few_ok {numbers} mex_test taken row row", "read eq_refl eq_refl"

    # -- the claim -----------------------------------------------------------------------------------------------------
    def step_of_heap(self, new: str, old: str, times: int) -> Iterator[str]:
        n0, p = self.table.preperiod, self.table.period
        if self.table.beyond:
            yield f"rewrite (step_rising {n0} {p} {self.table.saltus} row {new} {old} {times}) by lia."
            return
        for row in ("row",) if len(self.table.moves) == 1 else ("(row First)", "(row Second)"):
            yield f"rewrite (step_heap {n0} {p} {row} {new} {old} {times}) by lia."

    def read_claim(self) -> str:
        given = "  exists grundy_of. split; [exact (proj1 known)|].\n" if asks_for_values(self.claim) else ""
        if self.table.question == VALUES:
            given += "  repeat setoid_rewrite (proj1 (proj2 known)). rewrite ?of_more.\n"
            return given + "  rewrite ?(eq_refl : grundy_of [] = 0), ?N.lxor_0_r.\n"
        if self.players is None:
            return given + "  repeat setoid_rewrite who_wins.\n"
        return given + "  repeat (eexists; split; [exact (who_wins _)|]).\n"
