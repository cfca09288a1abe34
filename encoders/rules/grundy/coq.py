"""The Coq text of proofs by the rule "grundy": heaps written with digits, the values of heaps, and sums of heaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import substitute, walk
from claims.language.syntax.terms import INT, POSITION
from encoders.coq.numbers import GRUNDY, total
from encoders.coq.propositions import Statements
from encoders.coq.statement import Binder, asks_for_values, state
from encoders.coq.writing import AND, BINDER, COMPARISON, SUM, Text, infix, join_texts, name_in_coq
from encoders.logic.sequents import ONE, ZERO, add, polynomial, sub
from encoders.refusals import Unsupported
from encoders.rules.base.lemmas import VariableRange
from encoders.rules.grundy.section import Apart, Arising, GrundyProof, Option, PowerDigit
from encoders.rules.grundy.statement import names_several_heaps

# == grundy ===========================================================================================================
# Digits that count up: definitions, values of heaps, and sums.
# -- digits -----------------------------------------------------------------------------------------------------------
# The number with given digits, and the digits of the next number.


@dataclass(frozen=True)
class System:
    """The digits with which heaps, or smaller values, are written in Coq. Each digit has a range of its own.

    `kind`: the prefix of the names of the Coq definitions: "" for heaps, and "below_" for smaller values.
    `digits`, `names`: the digits with their ranges, and the names of the digits in Coq.
    `numbers`: a writer of terms over the digits as Coq text.
    """

    kind: str
    digits: tuple[VariableRange, ...]
    names: tuple[str, ...]
    numbers: Statements

    @property
    def pattern(self) -> str:
        return f"'({', '.join(self.names)})" if len(self.names) > 1 else self.names[0]

    def tuple(self, values: Sequence[str]) -> str:
        return f"({', '.join(values)})" if len(values) > 1 else values[0]

    def inside(self) -> Text:
        """Return the Coq proposition that all digits are in their ranges."""
        parts: list[Text] = []
        for d in self.digits:
            this = _variable(d.name)
            if not (isinstance(d.lo, t.Literal) and d.lo.value == 0):
                parts.append(self.numbers.compare("le", "<=", d.lo, this))
            if d.hi is not None:
                parts.append(self.numbers.compare("le", "<=", this, d.hi))
        return join_texts(parts, "/\\", AND, "True", "right")

    def definitions(self, numbers: Mapping[str, t.Term]) -> Iterator[str]:
        """Yield the Coq definitions of the type of digits, of the proposition `inside`, and of functions of the digits.

        `numbers`: the name of each function, with its value as a term over the digits.
        """
        k, let = self.kind, f"let {self.pattern} := d0 in"
        yield f"Definition {k}digits : Type := {' * '.join('N' for _ in self.names)}."
        yield f"Definition {k}inside (d0 : {k}digits) : Prop := {let} {self.inside().at(BINDER)}."
        for name, term in numbers.items():
            yield f"Definition {name} (d0 : {k}digits) : N := {let} {self.numbers.natural(term).at(BINDER)}."

    def successors(self) -> Iterator[str]:
        """Yield the Coq definitions of the digits of 0, and of the digits of x + 1 as a function of the digits of x."""
        k, let = self.kind, f"let {self.pattern} := d0 in"
        yield f"Definition {k}first : {k}digits := {self.tuple([self._low(d).at(SUM) for d in self.digits])}."
        yield f"Definition {k}next (d0 : {k}digits) : {k}digits := {let} {self._next(len(self.digits) - 1)}."

    def write_counting(self, of: str) -> Iterator[str]:
        """Yield the Coq lemmas that the definitions of `successors` are correct.

        `of`: the name of the Coq function that gives the number with given digits.
        """
        k, seen = self.kind, f"{self.kind}inside, {of}, {self.kind}first, {self.kind}next"
        yield f"Lemma {k}digits_of_0 : {k}inside {k}first /\\ {of} {k}first = 0."
        yield f"Proof. unfold {seen}. settle_digits. Qed."
        yield (
            f"Lemma {k}digits_of_next d0 : {k}inside d0 -> {k}inside ({k}next d0) /\\ {of} ({k}next d0) = {of} d0 + 1."
        )
        yield f"Proof. {self.open('d0')} unfold {seen}. intros I. settle_digits. Qed."

    def open(self, name: str, mark: str = "") -> str:
        """Return the Coq tactic that replaces the tuple of digits `name` by its digits.

        `mark`: a suffix for the names of the digits.
        """
        made = self.names[0] + mark
        if len(self.names) == 1:
            return f"rename {name} into {made}."
        for digit in self.names[1:]:
            made = f"[{made} {digit}{mark}]"
        return f"destruct {name} as {made}."

    def _low(self, digit: VariableRange) -> Text:
        return self.numbers.natural(digit.lo)

    def _next(self, place: int) -> str:
        digit = self.digits[place]
        up = self.numbers.natural(add(_variable(digit.name), ONE)).at(SUM)
        low = [self._low(d).at(SUM) for d in self.digits[place + 1 :]]
        made = self.tuple([*self.names[:place], up, *low])
        if digit.hi is None:
            return made
        room = self.numbers.compare("lt", "<?", _variable(digit.name), digit.hi)
        return f"if {room.text} then {made} else {self._next(place - 1)}"


def _variable(name: str) -> t.Variable:
    return t.Variable(INT, 0, 0, name)


# -- grundy -----------------------------------------------------------------------------------------------------------
TAKEN = "heap value first next digits below grundy who_wins v w e".split()


def write_grundy(claim: Claim, proof: GrundyProof, binders: Sequence[Binder], numbers: Statements) -> Iterator[str]:
    """Yield the Coq definitions and lemmas of a proof without [[proof.arise]]. The last lemma, `claim`, is the claim.

    Raises Unsupported for a claim, game or proof that the Coq text does not cover.
    """
    if any(isinstance(x, t.IfElse) for x in walk(proof.value)):
        raise Unsupported("no Coq proof is generated for a formula for Grundy values that contains `if`")
    return GrundyWriter(claim, proof, binders, numbers).lines()


class GrundyWriter:
    """A writer of Coq proofs in which the digits of the heap h + 1 are computed from the digits of the heap h.

    The subclass supports [[proof.arise]], where they are computed from another smaller heap.
    """

    arithmetic = "arithmetic"  # tactics for statements about digits
    in_ranges = "settle_digits"
    conclude = "conclude_values"

    def __init__(self, claim: Claim, proof: GrundyProof, binders: Sequence[Binder], numbers: Statements) -> None:
        if names_several_heaps(claim):
            raise Unsupported("no Coq proof of Grundy values is generated for a claim that names several heaps")
        self.claim, self.proof, self.binders, self.numbers = claim, proof, binders, numbers
        (game,) = claim.games
        self.game = numbers.games[game.name]
        ruleset = game.ruleset
        if len(ruleset.moves) != 1 or ruleset.stuck_wins or ruleset.moves[0].choose != "any":
            raise Unsupported(
                f"{ruleset.id}: a Coq proof of Grundy values needs normal play, and one kind of move, on any heap"
            )
        self.picks = tuple(p.name for p in ruleset.moves[0].picks)
        self.rewrites: list[str] = []
        self.opened: list[str] = []
        self.heap = self._system("", proof.digits)
        self.below = self._system("below_", proof.below_digits)

    def _system(self, kind: str, digits: Sequence[VariableRange | PowerDigit]) -> System:
        plain = tuple(d for d in digits if isinstance(d, VariableRange))
        names: list[str] = []
        for d in plain:
            names.append(name_in_coq(d.name, (*TAKEN, *names, *self.numbers.used_names)))
        bound = self.numbers.bind({d.name: Text(n) for d, n in zip(plain, names, strict=True)})
        return System(kind, plain, tuple(names), bound)

    def lines(self) -> Iterator[str]:
        game = self.game.argument
        yield "(* Heaps in digits, their values, and smaller values. *)"
        yield from self.heap.definitions({"heap": self.proof.heap, "value_of": self.proof.value})
        yield from self.write_successors()
        yield from self.below.definitions({"below": self.proof.below})
        yield from self.below.successors()
        yield ""
        yield f"Lemma fair : impartial {game}.\nProof. alike. Qed."
        yield from self.write_digits_exist()
        yield from self.below.write_counting("below")
        yield from self.write_avoided()
        yield from self._write_reached()
        yield f"""
(* The Grundy value of any heap, and of any position. *)
{self.values(game)}
Definition grundy_of : position -> N := nim_sum_of heap_value.
Lemma grundy_values : values {game} grundy_of.
Proof. exact (values_of_sums {game} fair heap_value heap_value_is). Qed.
Lemma grundy_of_heap h0 : grundy_of [h0] = heap_value h0.
Proof. exact (sum_of_one {game} heap_value heap_value_is h0). Qed.
Lemma who_wins p0 s0 : wins {game} p0 s0 <-> grundy_of s0 <> 0.
Proof. exact (wins_sum {game} fair heap_value heap_value_is p0 s0). Qed.
"""
        yield from self._write_sums()
        yield from self._write_heap_values()
        yield from self._claim()

    def write_successors(self) -> Iterator[str]:
        """Yield the Coq definitions of the digits of the heap 0, and of the next heap."""
        yield from self.heap.successors()

    def write_digits_exist(self) -> Iterator[str]:
        """Yield the Coq lemmas from which it follows that every heap has digits."""
        yield from self.heap.write_counting("heap")

    def values(self, game: str) -> str:
        """Return the Coq definition of `heap_value`, the value of a heap by the formula of the proof, and three lemmas.

        The lemmas state that `heap_value` is the Grundy value of the heap, that the formula gives this value for any
        digits of the heap, and that every heap has digits. `game`: the game as Coq text.
        """
        shown = """below_inside below below_first below_next
  digits_of_0 digits_of_next below_digits_of_0 below_digits_of_next avoided reached"""
        return f"""\
Definition heap_value : N -> N := value_by_digits digits value_of first next.
Lemma heap_value_is h0 : value {game} [h0] (heap_value h0).
Proof. exact (value_by_digits_ok {game} fair _ _ inside heap value_of first next {shown} h0). Qed.
Lemma heap_value_with d0 : inside d0 -> heap_value (heap d0) = value_of d0.
Proof. exact (value_by_digits_of {game} fair _ _ inside heap value_of first next {shown} d0). Qed.
Lemma digits_are h0 : exists d0, inside d0 /\\ heap d0 = h0.
Proof. eexists. exact (digits_of_ok _ inside heap first next digits_of_0 digits_of_next h0). Qed."""

    def write_avoided(self) -> Iterator[str]:
        """Yield the Coq lemma that no option of a heap has the same value as the heap."""
        lead = self.heap.names[0]
        yield f"""\
Lemma avoided d0 e0 : inside d0 -> inside e0 ->
  becomes {self.game.argument} First (heap d0) (heap e0) -> value_of e0 <> value_of d0.
Proof.
  {self.heap.open("d0")} {self.heap.open("e0", "'")} unfold inside, heap, value_of. intros I J M E. open_move M.
  take_apart. by_digits {lead} {lead}'.
Qed."""

    def digit_tactic(self) -> str:
        """Return the Coq tactic that proves statements about the digits of a heap and of a smaller value."""
        return f"by_leading {self.heap.names[0]} {self.below.names[0]}"

    def _write_reached(self) -> Iterator[str]:
        both = self.heap.numbers.bind(self.below.numbers.names)
        lemmas = "".join(
            f"  assert (L_{i} : {both.says(term).at(BINDER)}) by {self.digit_tactic()}.\n"
            for i, (_, term) in enumerate(self.proof.lemmas, 1)
        )
        yield f"""\
Lemma reached d0 b0 : inside d0 -> below_inside b0 -> below b0 < value_of d0 ->
  exists e0, inside e0 /\\ becomes {self.game.argument} First (heap d0) (heap e0) /\\ value_of e0 = below b0.
Proof.
  {self.heap.open("d0")} {self.below.open("b0")}
  unfold inside, heap, value_of, below_inside, below. intros I J L. take_apart.
{lemmas}{self._options(list(self.proof.options), both)}
Qed."""

    def _options(self, options: list[Option], both: Statements) -> str:
        """Return the Coq proof that some option reaches the smaller value, by cases over the conditions of the options.

        The last option is used without its condition.
        `both`: a writer of terms over the digits of the heap and of the smaller value.
        """
        option, *others = options
        shown = self._option(option, both)
        if option.when is None or not others:
            return f"  {shown}."
        when = both.bind({"h": self.heap.numbers.natural(self.proof.heap)}).truth(option.when)
        return f"  destruct ({when.at(BINDER)}) eqn:?; [{shown} |].\n{self._options(others, both)}"

    def _option(self, option: Option, both: Statements) -> str:
        if option.picks:
            raise Unsupported("no Coq proof is generated if an option picks a power")
        values = dict(option.digits)
        written = {d.name: both.natural(values[d.name]) for d in self.heap.digits}
        made = self.heap.tuple([x.at(SUM) for x in written.values()])
        old = self.heap.numbers.natural(self.proof.heap)
        new = both.bind(written).natural(self.proof.heap)
        inner = both.bind({"h": old, "y": new})
        taken = dict(option.take)
        if set(taken) != set(self.picks):
            raise Unsupported("an option of the proof does not give every number that the move picks")
        picked = "".join(f" exists ({_difference(inner, taken[name])});" for name in self.picks)
        by = self.digit_tactic()
        return f"exists {made}; split; [{by} | split; [hnf;{picked} {by} | {by}]]"

    # -- the claim ----------------------------------------------------------------------------------------------------
    def _divide(self, numbers: Statements) -> str:
        """Return Coq tactics that prove the divisions in [[proof.divide]]. `numbers`: a writer of terms over digits."""
        made = ""
        for x in self.proof.divisions:
            a, b, c, d = (numbers.natural(y).argument for y in (x.dividend, x.divisor, x.quotient, x.remainder))
            made += f"  destruct (divided {a} {b} {c} {d}) as [?Q ?R]; [arithmetic | arithmetic |].\n"
        return made

    def _write_sums(self) -> Iterator[str]:
        """Yield a Coq lemma for each nim-sum over all heaps of a position in the claim.

        It states that the nim-sum is the Grundy value of the position.
        """
        inner = self.numbers.bind({GRUNDY: Text("grundy_of")})
        sums = set[str]()
        for term in walk((self.claim.hypothesis or (), self.claim.conclusion)):
            match term:
                case t.Comprehension(reducer="nim_sum", clauses=(t.Clause(variable=word, source=s, conditions=()),)):
                    if s.type == POSITION:
                        sums.add(inner.bind({word: Text("h")}).natural(term.body).at(BINDER))
        numbers = self.heap.numbers.bind({"h": Text("(" + self.heap.numbers.natural(self.proof.heap).text + ")")})
        for i, body in enumerate(sorted(sums), 1):
            yield f"""\
Lemma sum_{i} s0 : nim_sum_of (fun h => {body}) s0 = grundy_of s0.
Proof.
  apply nim_sum_of_ext. intros h Pos. rewrite ?grundy_of_heap. destruct (digits_are h) as (d0 & I & <-).
  rewrite heap_value_with by exact I. {self.heap.open("d0")} unfold inside, heap, value_of in *. take_apart.
{self._divide(numbers)}  conclude_values.
Qed."""
            self.rewrites.append(f"sum_{i}")

    def _write_heap_values(self) -> Iterator[str]:
        """Yield a Coq lemma about the value of each heap in [[proof.at]].

        If the table gives digits, the lemma uses them. Otherwise it states that suitable digits exist.
        """
        for i, at in enumerate(self.proof.at, 1):
            if isinstance(at.heap, t.Variable) and at.heap.name not in self.numbers.names:
                continue  # an arbitrary heap of the claim's position
            heap = self.numbers.natural(at.heap).argument
            if at.digits:
                values = dict(at.digits)
                written = {d.name: self.numbers.natural(values[d.name]) for d in self.heap.digits}
                made = self.heap.tuple([x.at(SUM) for x in written.values()])
                value = self.numbers.bind(written).natural(self.proof.value).at(SUM)
                yield f"""\
Lemma heap_{i} : heap_value {heap} = {value}.
Proof.
  assert (I : inside {made}) by (unfold inside; {self.in_ranges}).
  transitivity (value_of {made}); [|unfold value_of; {self.arithmetic}].
  rewrite <- (heap_value_with {made} I). f_equal. unfold heap. {self.arithmetic}.
Qed."""
                self.rewrites.append(f"heap_{i}")
                continue
            names = " ".join(self.heap.names)
            inside = self.heap.inside().at(AND - 1)
            same = infix(Text(heap), "=", self.heap.numbers.natural(self.proof.heap), COMPARISON).text
            value = self.heap.numbers.natural(self.proof.value).at(SUM)
            yield f"""\
Lemma heap_{i} : exists {names}, {inside} /\\ {same} /\\ heap_value {heap} = {value}.
Proof.
  destruct (digits_are {heap}) as (d0 & I & E). pose proof (heap_value_with d0 I) as V. rewrite E in V.
  {self.heap.open("d0")} exists {", ".join(self.heap.names)}. split; [exact I|]. split; [symmetry; exact E | exact V].
Qed."""
            opened = " & ".join(self.heap.names)
            shown = f"  destruct heap_{i} as ({opened} & I_{i} & E_{i} & V_{i}). take_apart.\n"
            self.opened.append(shown + self._divide(self.heap.numbers))

    def _claim(self) -> Iterator[str]:
        rest = [b for b in self.binders if not b.is_number]
        typed = "".join(f" ({b.name} : {b.type})" for b in rest)
        asks = asks_for_values(self.claim)
        given = "  exists grundy_of. split; [exact grundy_values|].\n" if asks else ""
        rewrites = "".join(f" repeat setoid_rewrite {x}." for x in ("who_wins", "grundy_of_heap"))
        sums = "".join(f" rewrite ?{x}." for x in self.rewrites)
        yield f"""\
Lemma claim{typed} :
  {state(self.claim, self.numbers).at(BINDER)}.
Proof.
{given}{"".join(self.opened)} {sums}{rewrites}{sums} {self.conclude}.
Qed."""


def _difference(numbers: Statements, term: t.Term) -> str:
    """Return the Coq text of a number as a truncated difference of natural numbers; a negative number becomes 0."""
    found = numbers.number(term).cancel_common()
    plus, minus = total(found.plus), total(found.minus)
    return f"{plus.at(SUM)} - {minus.argument}" if found.minus else plus.at(SUM)


# == arising ==========================================================================================================
# Digits of a heap that are defined by the digits of a smaller heap ([[proof.arise]]).
SIZE = "h"


def write_arising(claim: Claim, proof: GrundyProof, binders: Sequence[Binder], numbers: Statements) -> Iterator[str]:
    """Yield the Coq definitions and lemmas of a proof with [[proof.arise]]. The last lemma, `claim`, is the claim.

    Raises Unsupported for a claim, game or proof that the Coq text does not cover.
    """
    return _ArisingDigitsWriter(claim, proof, binders, numbers).lines()


class _ArisingDigitsWriter(GrundyWriter):
    """A writer of Coq proofs with [[proof.arise]]. They compare the digits of a heap and of an option one by one."""

    arithmetic = in_ranges = conclude = "settle_written"

    def __init__(self, claim: Claim, proof: GrundyProof, binders: Sequence[Binder], numbers: Statements) -> None:
        super().__init__(claim, proof, binders, numbers)
        said = {x.name for x in proof.apart}
        names = {d.name: n for d, n in zip(self.heap.digits, self.heap.names, strict=True)}
        self.names = names
        self.heavy = [names[d.name] for d in self.heap.digits if d.name not in said and not self._has_number(d)]

    def _has_number(self, digit: VariableRange) -> bool:
        """Whether the digit has a constant coefficient in the formula for the heap, as q has in `3*q + r`."""
        others = {d.name: ZERO for d in self.heap.digits}
        with_one = substitute(self.proof.heap, {**others, digit.name: ONE})
        return polynomial(sub(with_one, substitute(self.proof.heap, others))).constant is not None

    # -- digits -------------------------------------------------------------------------------------------------------
    def write_successors(self) -> Iterator[str]:
        return iter(())

    def write_digits_exist(self) -> Iterator[str]:
        yield f"""\
Lemma written h0 : {{d0 | inside d0 /\\ heap d0 = h0}}.
Proof.
  induction h0 as [h0 IH] using (well_founded_induction_type N.lt_wf_0).
{self._cases(list(self.proof.arising))}
Qed."""

    def _cases(self, cases: list[Arising]) -> str:
        """Return the Coq proof that a heap has digits, by the cases of [[proof.arise]] in order."""
        if not cases:
            return "  exfalso; clear IH; settle_written."
        case, *others = cases
        size = self.numbers.bind({SIZE: Text("h0")})
        if case.when is None:
            return f"  {self._arises(case)}"
        when = size.truth(case.when).at(BINDER)
        return f"  destruct ({when}) eqn:?; [{self._arises(case)} |].\n{self._cases(others)}"

    def _arises(self, case: Arising) -> str:
        known = self.heap.numbers if case.smaller is not None else self.numbers
        inner = known.bind({SIZE: Text("h0")})
        values = dict(case.digits)
        made = self.heap.tuple([inner.natural(values[d.name]).at(SUM) for d in self.heap.digits])
        shown = f"unfold inside, heap in *; exists {made}; settle_written"
        if case.smaller is None:
            return f"clear IH; {shown}"
        smaller = self.numbers.bind({SIZE: Text("h0")}).natural(case.smaller).argument
        opened = self.heap.open("d0").rstrip(".")
        return f"destruct (IH {smaller}) as [d0 [I E]]; clear IH; [settle_written | {opened}; {shown}]"

    def values(self, game: str) -> str:
        below = "below_inside below below_first below_next below_digits_of_0 below_digits_of_next"
        shown = f"below_inside below\n  digits_with_ok (below_all _ {below}) avoided reached"
        return f"""\
Definition digits_with (h0 : N) : digits := proj1_sig (written h0).
Lemma digits_with_ok h0 : inside (digits_with h0) /\\ heap (digits_with h0) = h0.
Proof. exact (proj2_sig (written h0)). Qed.
Definition heap_value (h0 : N) : N := value_of (digits_with h0).
Lemma heap_value_is h0 : value {game} [h0] (heap_value h0).
Proof. exact (value_written {game} fair _ _ inside heap value_of digits_with {shown} h0). Qed.
Lemma heap_value_with d0 : inside d0 -> heap_value (heap d0) = value_of d0.
Proof. exact (value_written_of {game} fair _ _ inside heap value_of digits_with {shown} d0). Qed.
Lemma digits_are h0 : exists d0, inside d0 /\\ heap d0 = h0.
Proof. eexists. exact (digits_with_ok h0). Qed."""

    # -- options ------------------------------------------------------------------------------------------------------
    def digit_tactic(self) -> str:
        return f"({''.join(f'by_size {x}; ' for x in self.heavy)}settle_written)"

    def write_avoided(self) -> Iterator[str]:
        far = "".join(self._apart(i, x) for i, x in enumerate(self.proof.apart, 1))
        near = "".join(f"by_distance {x} {x}'; try by_size {x}; try by_size {x}'; " for x in self.heavy)
        yield f"""\
Lemma avoided d0 e0 : inside d0 -> inside e0 ->
  becomes {self.game.argument} First (heap d0) (heap e0) -> value_of e0 <> value_of d0.
Proof.
  {self.heap.open("d0")} {self.heap.open("e0", "'")} unfold inside, heap, value_of. intros I J M. open_move M.
  take_apart. bounds_by_quotients.
{far}  each_way; products; {near}settle_written.
Qed."""

    def _apart(self, number: int, apart: Apart) -> str:
        """Return the Coq assertion that a move changes a digit by one of the numbers in [proof.apart].

        `number`: the number in the name of the assertion.
        """
        here, there = self.names[apart.name], f"{self.names[apart.name]}'"
        ways = " \\/ ".join(_lies(here, there, by) for by in apart.values)
        return f"  assert (A_{number} : {ways}) by (compare_numbers {here} {there}; products; first [lia | nia]).\n"


def _lies(here: str, there: str, by: int) -> str:
    return f"{here} = {there} + {by}" if by > 0 else f"{there} = {here}{f' + {-by}' if by else ''}"
