"""The Coq text of proofs by the rules "periodic" and "quotient": the moves, the check of the table, and the claim."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from claims.language.files.claim import Claim
from claims.language.files.domains import IntervalDomain
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, walk
from encoders.coq.propositions import Statements, may_split
from encoders.coq.statement import Binder, asks_for_values, state, write_section
from encoders.coq.writing import BINDER, COMPARISON, NIM, SUM, Text, apply, infix, join_texts
from encoders.logic.sequents import polynomial
from encoders.periods.tables import GRUNDY as VALUES
from encoders.periods.tables import PeriodicTable, QuotientTable, Takes, UnverifiedTable, find_bound
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.periodic.finding import find_table
from encoders.rules.periodic.quotient import QuotientReader, find_quotient
from encoders.rules.periodic.rule import ClassReader, list_classes

# == repeating ========================================================================================================
# Common to both: the moves of the table are the moves of the game, and the claim follows from the table.
_PART = 1000  # the longest list that is written as one literal

Told = TypeVar("Told", PeriodicTable, QuotientTable)


def heaps_of(s: t.Term) -> tuple[t.Term, ...]:
    """Return the heaps of a position that lists its heaps, as in position([n, m]). Raises Unsupported for others."""
    match s:
        case t.Operation(op="position", args=(t.Collection(items=items),)):
            return items
    raise Unsupported(f"{print_term(s)} is not an explicit position")


class RepeatingValuesWriter(ABC, Generic[Told]):
    """A writer of the Coq proof of a claim about one integer, by a table in which the values of heaps repeat.

    The Coq function `heap_value` gives the value of each heap by the table. The constructor raises Unsupported unless
    the claim has exactly one variable.
    """

    reader: type[ClassReader] = ClassReader
    unfold: str  # the names between `holds` and the row, and the place where they are unfolded
    given, tactic = "leaves taken h 0 y", "read_moves"  # for moves that leave at most one heap

    def __init__(self, claim: Claim, table: Told, binders: Sequence[Binder], numbers: Statements) -> None:
        self.table: Told = table
        self.claim, self.binders, self.numbers = claim, binders, numbers
        (game,) = claim.games
        self.game, self.splits = numbers.games[game.name].argument, may_split(game.ruleset)
        if len(binders) != 1 or not binders[0].is_number:
            raise Unsupported(
                "a Coq proof by periodic values needs a claim with exactly one variable, which is an integer"
            )

    def lines(self) -> Iterator[str]:
        """Yield the Coq definitions and lemmas, from the table up to the lemma `claim`. Raises Unsupported."""
        yield from self.write_table()
        yield from self._reads()
        yield from self.write_values()
        yield from self._write_all_numbers()
        yield from self._claim()

    @abstractmethod
    def write_table(self) -> Iterator[str]:
        """Yield the Coq definitions of `taken` (the moves), `row` (the first values) and `heap_value` (all values)."""

    @abstractmethod
    def write_values(self) -> Iterator[str]:
        """Yield the Coq lemma that checks the table by computation, and the theorem about the game that follows."""

    @abstractmethod
    def read_claim(self) -> str:
        """Return the Coq tactics that replace the claim's questions about the game by values from the table."""

    @abstractmethod
    def compute(self, names: Mapping[str, Text]) -> Statements:
        """Return a writer of conditions of the claim as Boolean Coq terms, which can be computed from the table.

        `names`: the Coq texts of the variables.
        """

    def step_of_heap(self, new: str, old: str, times: int) -> Iterator[str]:
        """Yield the Coq tactic that replaces the value of the heap `new` by the value of the heap `old`.

        `new`, `old`: the heaps as Coq text. `new` is `times` periods larger. If there is a saltus, `times` *
        saltus is added to the value.
        """
        yield f"rewrite (step_heap {self.table.preperiod} {self.table.period} row {new} {old} {times}) by lia."

    def _reads(self) -> Iterator[str]:
        """Yield the Coq lemmas that the moves of the game are exactly the moves in the table."""
        if self.splits:
            yield f"Lemma read q h o : parts {self.game} q h o -> exists a e, leaves taken h a e /\\ o ≡ [a; e]."
            yield "Proof. revert q h o. unfold taken. read_parts. Qed."
            yield f"Lemma read_back q h a e : leaves taken h a e -> exists o, parts {self.game} q h o /\\ o ≡ [a; e]."
            yield "Proof. revert q h a e. unfold taken. read_parts_back. Qed."
            return
        yield f"Lemma read q h y : becomes {self.game} q h y <-> {self.given}."
        yield f"Proof. revert q h y. unfold taken. {self.tactic}. Qed."

    def _bind_computed(self, name: str) -> Statements:
        return self.compute({**self.numbers.names, self.binders[0].word: Text(name, 0 if name.isalnum() else SUM)})

    def _write_all_numbers(self) -> Iterator[str]:
        """Yield the Coq definition of the claim as a Boolean function of its integer, and a proof that it is true.

        The first integers are checked by computation. The others follow by induction in steps of constant size, because
        the values repeat. Raises Unsupported if the domain of the integer is finite.
        """
        claim, (variable,) = self.claim, self.claim.variables
        assert isinstance(variable.domain, IntervalDomain)
        classes = list_classes(claim, self.table, self.reader)
        low = min(each[0].first for each in classes)
        step = max(each[0].step for each in classes)
        first = min((each[0].first for each in classes if each[0].step), default=0)
        if not step or variable.domain.hi is not None:
            raise Unsupported("no Coq proof is generated for a claim about finitely many numbers")
        says = self._says(self._bind_computed("x"))
        yield f"Definition holds (x : N) : bool := {says.at(BINDER)}."
        if (repeats := find_repetition(claim, self.table)) is not None:
            old, new, times = repeats
            smaller, larger = (self._bind_computed("x").natural(x).argument for x in (old, new))
            tactics = " ".join(self.step_of_heap(smaller, larger, times))
            yield f"Lemma all_numbers : forall x, {low} <= x -> holds x = true."
            yield f"Proof. intros x X. unfold holds, {self.unfold}. {tactics} apply N.eqb_refl. Qed."
            return
        rewritten = "".join(f"  {x}\n" for x in self._steps(step))
        yield f"""\
Lemma all_numbers : forall x, {low} <= x -> holds x = true.
Proof.
  apply (by_steps holds {low} {first} {step}); [reflexivity | lia | vm_compute; reflexivity |].
  intros x X H. unfold holds, {self.unfold}.
{rewritten}  by_values.
Qed.
"""

    def _says(self, computed: Statements) -> Text:
        conclusion = computed.truth(self.claim.conclusion)
        if self.claim.hypothesis is None:
            return conclusion
        return join_texts(
            (apply("negb", computed.truth(self.claim.hypothesis)), conclusion), "||", SUM, "false", "left"
        )

    def _steps(self, step: int) -> Iterator[str]:
        """Yield the Coq tactics for one step of the induction, from x to x + `step`; each tactic once.

        They rewrite the value of each heap, and each quotient and remainder. Smaller heaps come first, because a
        rewritten heap could look like a heap that is not yet rewritten.
        """
        now, then = self._bind_computed("x"), self._bind_computed(f"x + {step}")
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
        yield from dict.fromkeys(x for heap in heaps for x in self._write_heap_step(heap, step, now, then))
        yield from divisions

    def _write_heap_step(self, heap: t.Term, step: int, now: Statements, then: Statements) -> Iterator[str]:
        times = _slope(heap) * step // self.table.period
        if not times:
            return
        yield from self.step_of_heap(now.natural(heap).argument, then.natural(heap).argument, times)

    def _claim(self) -> Iterator[str]:
        (binder,) = self.binders
        low = binder.bounds[0].name if binder.bounds else "(N.le_0_l _)"
        yield f"""\
Lemma claim :
  {state(self.claim, self.numbers).at(BINDER)}.
Proof.
  pose proof (all_numbers {binder.name} {low}) as H. unfold holds in H.
{self.read_claim()}  unfold {self.unfold}. by_values.
Qed."""


def find_repetition(claim: Claim, table: PeriodicTable | QuotientTable) -> tuple[t.Term, t.Term, int] | None:
    """Return (smaller heap, larger heap, number of periods between them) if the claim says that their values are equal.

    Coq then computes no values. Return None for any other claim.
    """
    if len(claim.variables) != 1:
        return None
    match claim.conclusion:
        case t.Operation(
            op="eq", args=(t.GameCall(function="grundy", args=(a, *_)), t.GameCall(function="grundy", args=(b, *_)))
        ) if claim.hypothesis is None and isinstance(table, PeriodicTable) and not table.saltus and not table.beyond:
            heaps = (*heaps_of(a), *heaps_of(b))
            if len(heaps) == 2 and _slope(heaps[0]) == _slope(heaps[1]) == 1:
                old, new = sorted(heaps, key=_constant)
                apart = _constant(new) - _constant(old)
                (variable,) = claim.variables
                low = variable.domain.lo if isinstance(variable.domain, IntervalDomain) else None
                if not isinstance(low, t.Literal) or low.value + _constant(old) < max(table.preperiod, 1):
                    return None
                return (old, new, apart // table.period) if apart and apart % table.period == 0 else None
    return None


def _slope(term: t.Term) -> int:
    """Return the coefficient a of a term a * n + b, where n is the claim's integer; 0 for a constant.

    Raises Unsupported if the term is not linear.
    """
    found = polynomial(term)
    if any(len(m) > 1 for m in found.coefficients):
        raise Unsupported(f"{print_term(term)} is not linear")
    return sum(c for m, c in found.coefficients.items() if m)


def _constant(term: t.Term) -> int:
    return polynomial(term).coefficients.get((), 0)


def write_takes(x: Takes) -> str:
    """Return the moves of one player as the Coq text of a record."""
    kinds = (("leave_none", x.end), ("leave_one", x.one), ("leave_two", x.two), ("leave_equal", x.equal))
    return f"{{| {'; '.join(f'{kind} := {write_list(numbers)}' for kind, numbers in kinds)} |}}"


def write_list(numbers: Iterable[int]) -> str:
    """Return the Coq text of a list of numbers."""
    return f"[{'; '.join(map(str, numbers))}]"


def write_row(values: Sequence[int]) -> str:
    """Return the Coq text of a list of any length, as a concatenation of lists of at most _PART numbers.

    One long literal is not possible, because Coq parses the literal of a list recursively.
    """
    return " ++\n  ".join(write_list(values[i : i + _PART]) for i in range(0, len(values), _PART))


# == periodic =========================================================================================================
# Proofs by periodic values: the table, its moves, its check, and the claim.
MOST_SPLITS, MOST_HEAPS, MOST_REPEATED = 300_000_000, 100_000, 600_000
"""The most work for Coq: splits in which one heap has a rare value, heaps, and heaps if the claim is that they repeat.

Coq does not check larger tables.
"""
_DIGITS = 10  # the number of low binary digits of values among which a mask is chosen


def write_periodic(
    claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices
) -> Iterator[str]:
    """Yield the Coq text of a proof by the rule "periodic", which ends with the lemma `claim`.

    Raises Unsupported if the Coq theory does not cover the moves, or if the table is too large for Coq.
    """
    table, _ = find_table(claim)
    if table.beyond and (table.question != VALUES or any(x.end != x.one for x in table.moves)):
        raise Unsupported(
            "every large number may be taken; then a Coq proof needs Grundy values, and whether a number may be taken "
            "must not depend on whether objects are left"
        )
    if not any(x.end or x.one or x.two or x.equal for x in table.moves):
        raise Unsupported("no Coq proof is generated for a game in which nothing may be taken")
    try:
        bound = find_bound(table)
    except UnverifiedTable as error:
        raise Unsupported(str(error)) from None
    most = MOST_HEAPS if find_repetition(claim, table) is None else MOST_REPEATED
    if bound > most:
        raise Unsupported(f"the table is too large for Coq: its check needs {bound} heaps, more than {most}")
    splits = sum(len(x.two) for x in table.moves) * bound * choose_mask(table)[1]
    if splits > MOST_SPLITS:
        raise Unsupported(f"the table is too large for Coq: its check needs {splits} splits, more than {MOST_SPLITS}")
    return write_section(binders, _PeriodicWriter(claim, table, binders, numbers).lines())


def choose_mask(table: PeriodicTable) -> tuple[int, int]:
    """Return (mask, number of heaps with a rare value) for a table of Grundy values in a game in which heaps split.

    A value is rare if `value & mask` has an even number of ones. Of all masks with at most _DIGITS binary
    digits, the result is the one for which the fewest heaps have a rare value. Only splits with such a heap must then
    be checked one by one.
    """
    counts = Counter(table.value(h) for h in range(1, find_bound(table)))
    most = min(max(counts).bit_length(), _DIGITS)
    rare = {m: sum(n for v, n in counts.items() if (v & m).bit_count() % 2 == 0) for m in range(1, 1 << max(most, 1))}
    return min(rare.items(), key=lambda x: x[1])


@dataclass
class _PeriodicStatements(Statements):
    """A writer of conditions as Boolean Coq terms, in which values from the table answer questions about the game."""

    table: PeriodicTable | None = None

    def values_of(self, s: t.Term) -> list[Text]:
        """Return the Coq text of the value of each heap in a position, for players with the same moves.

        Raises Unsupported if the position does not list its heaps.
        """
        return [apply("heap_value", self.natural(x)) for x in heaps_of(s)]

    def number_of_position(self, term: t.Term) -> Text:
        match term:
            case t.GameCall(function="grundy", args=(s,)):
                return join_texts(self.values_of(s), "⊕", NIM, "0", "left")
            case t.GameCall(function="value", args=(s, *_)):
                return self._alone(s, "heap_value")
        return super().number_of_position(term)

    def _alone(self, s: t.Term, function: str) -> Text:
        heaps = heaps_of(s)
        if len(heaps) != 1:
            raise Unsupported(
                f"no Coq proof is generated for a question about several heaps, or none, as in {print_term(s)}"
            )
        return apply(function, self.natural(heaps[0]))

    def truth(self, term: t.Term) -> Text:
        match term:
            case t.GameCall(function="wins", args=(s, mover)):
                assert self.table is not None
                if self.table.question == VALUES:
                    lost = infix(join_texts(self.values_of(s), "⊕", NIM, "0", "left"), "=?", Text("0"), COMPARISON)
                    return apply("negb", lost)
                value = self._alone(s, f"heap_value_for {self.player(mover).argument}")
                return infix(value, "=?", Text("0"), COMPARISON)
        return super().truth(term)


class _PeriodicWriter(RepeatingValuesWriter[PeriodicTable]):
    unfold = "heap_value_for, heap_value in *"

    def __init__(self, claim: Claim, table: PeriodicTable, binders: Sequence[Binder], numbers: Statements) -> None:
        super().__init__(claim, table, binders, numbers)
        if len(table.moves) > 1 and table.players != 2:
            raise Unsupported("if the players have different moves, a Coq proof is generated only for two players")
        if table.splits != self.splits and table.question != VALUES:
            raise Unsupported("no Coq proof about the winner is generated if heaps may be split")
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
        yield "(* The moves, the values of the first heaps, and the value of every heap. *)"
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
            kind, check, given = self._choose_grundy_theorem()
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

    def _choose_grundy_theorem(self) -> tuple[str, str, str]:
        """Return (theorem, check, arguments) as Coq text, for a table of Grundy values and the moves of the game.

        theorem: its name with the numbers of the table. check: the computation that must be true. arguments: the other
        arguments of the theorem.
        """
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


# == quotient =========================================================================================================
# Proofs by a quotient: a monoid, its lost elements, the elements of the heaps, the check, and the claim.
def write_quotient(
    claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices
) -> Iterator[str]:
    """Yield the Coq text of a proof by the rule "quotient", which ends with the lemma `claim`.

    Raises Unsupported for a claim or game that the Coq theory does not cover.
    """
    table, _ = find_quotient(claim)
    return write_section(binders, _QuotientWriter(claim, table, binders, numbers).lines())


@dataclass
class _QuotientStatements(Statements):
    """A writer of conditions as Boolean Coq terms. The product of the elements of the heaps decides who wins."""

    def truth(self, term: t.Term) -> Text:
        match term:
            case t.GameCall(function="wins", args=(s, _)):
                heaps = "; ".join(self.natural(x).text for x in heaps_of(s))
                return apply("negb", apply("is_lost", Text(f"[{heaps}]")))
        return super().truth(term)


class _QuotientWriter(RepeatingValuesWriter[QuotientTable]):
    reader = QuotientReader
    unfold = "is_lost, element, heap_value in *; cbn [fold_right] in *"

    def compute(self, names: Mapping[str, Text]) -> Statements:
        return _QuotientStatements(names, ranges=self.numbers.ranges, rules=self.numbers.rules)

    def write_table(self) -> Iterator[str]:
        table = self.table
        yield "(* The moves, the products of a monoid, its lost elements, and the elements of the heaps. *)"
        yield f"Definition taken : takes := {write_takes(table.moves)}."
        rows = ";\n  ".join(write_list(row) for row in table.products)
        yield f"Definition products_of : list (list N) := [\n  {rows}]."
        yield f"Definition lost_elements : N := set_of {write_list(table.lost)}."
        yield f"Definition row : list N := {write_list(table.row)}."
        yield f"Definition heap_value : N -> N := at_heap {table.preperiod} {table.period} row."

    def write_values(self) -> Iterator[str]:
        table = self.table
        numbers = f"{table.preperiod} {table.period} {table.last} lost_elements products_of"
        stuck, wins = ("split_stuck_wins", "split_wins") if self.splits else ("stuck_wins", "wins")
        shown = f"table_of_quotient {numbers} taken row {self.game} read read_back checked"
        if not self.splits:
            shown = f"table_of_unsplit {numbers} {self.game} taken row read eq_refl (conj eq_refl eq_refl) checked"
        yield f"""\
Lemma checked : quotient_ok ({stuck} {self.game}) {numbers} taken row = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Definition is_lost (s : position) : bool := N.testbit lost_elements (element products_of heap_value s).
Lemma who_wins q s : {wins} {self.game} q s <-> is_lost s = false.
Proof. exact ({shown} q s). Qed.
"""

    def read_claim(self) -> str:
        return "  repeat setoid_rewrite who_wins.\n"
