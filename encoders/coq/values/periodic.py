"""Proofs by values that repeat in Coq: the table, that its moves are those of the game, its check, and the claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims.language.expressions.printing import text
from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Interval
from claims.language.terms import terms as t
from encoders.coq.statement.domains import Binder
from encoders.coq.statement.games import may_split
from encoders.coq.statement.stated import asks_for_values, state
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import BINDER, COMPARISON, NIM, SUM, Text, apply, chain, infix
from encoders.ground.refusals import Unsupported
from encoders.logic.polynomials import polynomial
from encoders.periods.table import GRUNDY as VALUES
from encoders.periods.table import PeriodicTable, Takes
from encoders.periods.verify import WrongTable, find_bound
from encoders.rules.periodic.classes import list_classes
from encoders.rules.periodic.finding import find_table

MOST_SPLITS, MOST_HEAPS = 45_000_000, 100_000
"""That Coq looks at: splits in which one heap has a rare value. A table with more is left to the other checks."""
_DIGITS = 10  # of the values, the lowest ones, among which masks are chosen


def write_periodic(claim: Claim, binders: Sequence[Binder], numbers: Statements) -> Iterator[str]:
    """From the table to the lemma `claim`. Raises Unsupported."""
    table, _ = find_table(claim)
    if table.beyond and (table.question != VALUES or any(x.end != x.one for x in table.moves)):
        raise Unsupported(
            "where any large number may be taken, Grundy values of games are generated that leave any heap"
        )
    try:
        bound = find_bound(table)
    except WrongTable as error:
        raise Unsupported(str(error)) from None
    if bound > MOST_HEAPS:
        raise Unsupported(f"a table is generated if at most {MOST_HEAPS} heaps are looked at; it needs {bound}")
    splits = sum(len(x.two) for x in table.moves) * bound * choose_mask(table)[1]
    if splits > MOST_SPLITS:
        raise Unsupported(f"a table is generated if at most {MOST_SPLITS} splits are looked at; it needs {splits}")
    return _Writer(claim, table, binders, numbers).lines()


def choose_mask(table: PeriodicTable) -> tuple[int, int]:
    """A mask under which few heaps of a table of heaps that split have a rare value, of even parity; and how many."""
    counts = Counter(table.value(h) for h in range(1, find_bound(table)))
    most = min(max(counts).bit_length(), _DIGITS)
    rare = {m: sum(n for v, n in counts.items() if (v & m).bit_count() % 2 == 0) for m in range(1, 1 << max(most, 1))}
    return min(rare.items(), key=lambda x: x[1])


@dataclass
class _Computed(Statements):
    """Writes conditions as truth values, with the values of heaps by the table in the place of questions."""

    table: PeriodicTable | None = None

    def values_of(self, s: t.Term) -> list[Text]:
        """The value of each heap of a position that is written down, of the one mover. Raises Unsupported."""
        return [apply("heap_value", self.natural(x)) for x in _heaps(s)]

    def of_position(self, term: t.Term) -> Text:
        match term:
            case t.GameCall(function="grundy", args=(s,)):
                return chain(self.values_of(s), "⊕", NIM, "0", "left")
            case t.GameCall(function="value", args=(s, *_)):
                return self._alone(s, "heap_value")
        return super().of_position(term)

    def _alone(self, s: t.Term, function: str) -> Text:
        heaps = _heaps(s)
        if len(heaps) != 1:
            raise Unsupported(f"{text(s)}: who wins is told of one heap")
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


def _heaps(s: t.Term) -> tuple[t.Term, ...]:
    match s:
        case t.Operation(op="position", args=(t.Collection(items=items),)):
            return items
    raise Unsupported(f"{text(s)} is no position that is written down")


class _Writer:
    def __init__(self, claim: Claim, table: PeriodicTable, binders: Sequence[Binder], numbers: Statements) -> None:
        self.claim, self.table, self.binders, self.numbers = claim, table, binders, numbers
        (game,) = claim.games
        self.game, self.splits = numbers.games[game.name].argument, may_split(game.ruleset)
        if len(binders) != 1 or not binders[0].is_number:
            raise Unsupported("a claim by values that repeat is generated if it has one variable, an integer")
        if len(table.moves) > 1 and table.players != 2:
            raise Unsupported("players with moves of their own are generated if they are two")
        if table.splits != self.splits and table.question != VALUES:
            raise Unsupported("who wins heaps that may be split is not generated")
        self.players = dict(game.arguments).get(game.ruleset.player_count)

    def lines(self) -> Iterator[str]:
        yield "(* What may be taken; the values below preperiod and period, and of all heaps. *)"
        yield from self._table()
        yield from self._reads()
        yield from self._values()
        yield from self._all_numbers()
        yield from self._claim()

    # -- the table -----------------------------------------------------------------------------------------------------
    def _table(self) -> Iterator[str]:
        n0, p = self.table.preperiod, self.table.period
        if self.table.beyond:
            yield f"Definition taken : list N := {_list(self.table.moves[0].one)}."
            yield f"Definition row : list N := {_list(self.table.rows[0])}."
            yield f"Definition heap_value : N -> N := rising {n0} {p} {self.table.saltus} row."
            yield "Definition heap_value_for (q : player) : N -> N := heap_value."
            return
        if len(self.table.moves) == 1:
            yield f"Definition taken : takes := {_takes(self.table.moves[0])}."
            yield f"Definition row : list N := {_list(self.table.rows[0])}."
            yield f"Definition heap_value : N -> N := at_heap {n0} {p} row."
            yield "Definition heap_value_for (q : player) : N -> N := heap_value."
            return
        first, second = map(_takes, self.table.moves)
        yield f"Definition taken (q : player) : takes := match q with First => {first} | Second => {second} end."
        rows = " | ".join(f"{q} => {_list(row)}" for q, row in zip(("First", "Second"), self.table.rows, strict=True))
        yield f"Definition row (q : player) : list N := match q with {rows} end."
        yield "Definition heap_value : N -> N := at_heap 0 1 []."
        yield f"Definition heap_value_for (q : player) : N -> N := at_heap {n0} {p} (row q)."

    def _reads(self) -> Iterator[str]:
        if self.splits:
            yield f"Lemma read q h o : parts {self.game} q h o -> exists a e, leaves taken h a e /\\ o ≡ [a; e]."
            yield "Proof. revert q h o. unfold taken. read_parts. Qed."
            yield f"Lemma read_back q h a e : leaves taken h a e -> exists o, parts {self.game} q h o /\\ o ≡ [a; e]."
            yield "Proof. revert q h a e. unfold taken. read_parts_back. Qed."
            return
        if self.table.beyond:
            given = f"all_from {self.table.last} taken (h - y) = true"
            yield f"Lemma read q h y : becomes {self.game} q h y <-> y < h /\\ {given}."
            yield "Proof. revert q h y. unfold taken. read_all_but. Qed."
            return
        taken = "taken" if len(self.table.moves) == 1 else "(taken q)"
        yield f"Lemma read q h y : becomes {self.game} q h y <-> leaves {taken} h 0 y."
        yield "Proof. revert q h y. unfold taken. read_moves. Qed."

    def _values(self) -> Iterator[str]:
        n0, p, last = self.table.preperiod, self.table.period, self.table.last
        alike = len(self.table.moves) == 1
        rows = "taken row row" if alike else "(taken q) (row q) (row (other q))"
        if self.table.question == VALUES:
            values, wins = ("split_values", "split_wins") if self.splits else ("values", "wins")
            kind, check, given = self._of_grundy()
            yield f"""\
Lemma checked : {check} = true.
Proof. vm_compute. reflexivity. Qed.
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
    def _computed(self, name: str) -> _Computed:
        names = {**self.numbers.names, self.binders[0].word: Text(name) if name.isalnum() else Text(name, SUM)}
        return _Computed(names, ranges=self.numbers.ranges, rules=self.numbers.rules, table=self.table)

    def _all_numbers(self) -> Iterator[str]:
        """The claim as a truth value, at the first numbers by computation, and then step by step."""
        claim, (variable,) = self.claim, self.claim.variables
        assert isinstance(variable.domain, Interval)
        classes = list_classes(claim, self.table)
        low = min(each[0].first for each in classes)
        step = max(each[0].step for each in classes)
        first = min((each[0].first for each in classes if each[0].step), default=0)
        if not step or variable.domain.hi is not None:
            raise Unsupported("a claim about finitely many numbers is not generated")
        says = self._says(self._computed("x"))
        yield f"Definition holds (x : N) : bool := {says.at(BINDER)}."
        rewritten = "".join(f"  {x}\n" for x in self._steps(step))
        yield f"""\
Lemma all_numbers : forall x, {low} <= x -> holds x = true.
Proof.
  apply (by_steps holds {low} {first} {step}); [reflexivity | lia | vm_compute; reflexivity |].
  intros x X H. unfold holds, heap_value_for, heap_value in *.
{rewritten}  by_values.
Qed.
"""

    def _says(self, computed: _Computed) -> Text:
        conclusion = computed.truth(self.claim.conclusion)
        if self.claim.hypothesis is None:
            return conclusion
        return chain((apply("negb", computed.truth(self.claim.hypothesis)), conclusion), "||", SUM, "false", "left")

    def _steps(self, step: int) -> Iterator[str]:
        """What each heap, quotient and remainder becomes by a step, each once.

        Smaller heaps come first, so that what one has become is not taken for another.
        """
        now, then = self._computed("x"), self._computed(f"x + {step}")
        heaps, divisions = list[t.Term](), dict[str, None]()
        for term in walk((self.claim.hypothesis or (), self.claim.conclusion)):
            match term:
                case t.Operation(op="position", args=(t.Collection(items=items),)):
                    heaps += items
                case t.Operation(op="mod" | "floordiv" as op, args=(a, t.Literal(value=d))) if _slope(a):
                    more, new, old = _slope(a) * step // d, now.natural(a), then.natural(a)
                    lemma = f"step_{op} {new.argument} {old.argument} {more} {d}"
                    divisions[f"rewrite ({lemma}) by lia."] = None
        heaps.sort(key=lambda x: (_slope(x), _constant(x)))
        yield from dict.fromkeys(x for heap in heaps for x in self._of_heap(heap, step, now, then))
        yield from divisions

    def _of_heap(self, heap: t.Term, step: int, now: Statements, then: Statements) -> Iterator[str]:
        times = _slope(heap) * step // self.table.period
        if not times:
            return
        n0, p = self.table.preperiod, self.table.period
        old, new = then.natural(heap).argument, now.natural(heap).argument
        if self.table.beyond:
            yield f"rewrite (step_rising {n0} {p} {self.table.saltus} row {new} {old} {times}) by lia."
            return
        for row in ("row",) if len(self.table.moves) == 1 else ("(row First)", "(row Second)"):
            yield f"rewrite (step_heap {n0} {p} {row} {new} {old} {times}) by lia."

    def _claim(self) -> Iterator[str]:
        (binder,) = self.binders
        low = binder.bounds[0].name if binder.bounds else "(N.le_0_l _)"
        given = "  exists grundy_of. split; [exact (proj1 known)|].\n" if asks_for_values(self.claim) else ""
        if self.table.question == VALUES:
            given += "  repeat setoid_rewrite (proj1 (proj2 known)). rewrite ?of_more.\n"
            given += "  rewrite ?(eq_refl : grundy_of [] = 0), ?N.lxor_0_r.\n"
        elif self.players is None:
            given += "  repeat setoid_rewrite who_wins.\n"
        else:
            given += "  repeat (eexists; split; [exact (who_wins _)|]).\n"
        yield f"""\
Lemma claim :
  {state(self.claim, self.numbers).at(BINDER)}.
Proof.
  pose proof (all_numbers {binder.name} {low}) as H. unfold holds in H.
{given}  unfold heap_value_for, heap_value in *. by_values.
Qed."""


def _slope(term: t.Term) -> int:
    """By how much it grows with the one variable. Raises Unsupported where it is not linear."""
    found = polynomial(term)
    if any(len(m) > 1 for m in found.coefficients):
        raise Unsupported(f"{text(term)} is not linear")
    return sum(c for m, c in found.coefficients.items() if m)


def _constant(term: t.Term) -> int:
    return polynomial(term).coefficients.get((), 0)


def _takes(x: Takes) -> str:
    kinds = (("leave_none", x.end), ("leave_one", x.one), ("leave_two", x.two), ("leave_equal", x.equal))
    return f"{{| {'; '.join(f'{kind} := {_list(numbers)}' for kind, numbers in kinds)} |}}"


def _list(numbers: Sequence[int]) -> str:
    return f"[{'; '.join(map(str, numbers))}]"
