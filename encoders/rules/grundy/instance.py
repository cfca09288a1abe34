"""A proof by the rule "grundy" as an instance of the Coq theorem about the rule, coq/theory/Formula.v.

The instance defines the digits of a heap and the formulas of the proof over the integers. Each obligation is a Coq
lemma, which its certificate proves. The instance applies this lemma to the numbers that the obligation is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.coq.instances import (
    PosedObligation,
    RuleInstance,
    Values,
    name_obligations,
    terms_over,
    write_condition,
    write_divisions,
    write_number,
    write_pattern,
)
from encoders.coq.numbers import GRUNDY
from encoders.coq.propositions import GAME, Statements, type_in_coq
from encoders.coq.statement import Binder, asks_for_values, state, write_section
from encoders.coq.writing import AND, BINDER, Text, name_in_coq
from encoders.logic.definedness import needs_of_claim
from encoders.logic.moves import OpenMove, open_moves
from encoders.logic.sequents import YES, names_in
from encoders.refusals import Unsupported
from encoders.rules.base.lemmas import VariableRange
from encoders.rules.base.normal_form import normal_game
from encoders.rules.base.rule import ProofServices, build_with_reader
from encoders.rules.base.shape import DEFINED, MEASURE, PARAMETERS, RULES
from encoders.rules.grundy import section as kinds
from encoders.rules.grundy.digits import HeapReader
from encoders.rules.grundy.rule import obligations
from encoders.rules.grundy.section import Arising, At, GrundyProof, Option, PowerDigit, PowerPick, Witness
from encoders.rules.grundy.statement import SUMMAND, ClaimReading, names_several_heaps, stands_for_any_heap
from encoders.trust import ObligationKind

_OF_THEORY = {PARAMETERS, RULES, MEASURE, kinds.AGREE, kinds.FROM_ZERO, kinds.ODD, kinds.LOWERED, kinds.TO_ZERO}
"""Obligations that the theorem about the rule, or the proposition `defined`, does not take from the proof."""
_NAMES = "I J E F S O W L A Value G Sum One Wins Values Digits Legal Large Beyond Cover".split()
"""Names of hypotheses in the instance. Its variables are t, o, R, h and y, which no statement uses."""


_Posed: TypeAlias = PosedObligation[HeapReader]


def _list_posed(claim: Claim, proof: GrundyProof) -> list[_Posed]:
    """Return the obligations of the proof that its Coq text uses. Raises Unsupported."""
    asks = (x for x in obligations(claim, proof, needs_of_claim(claim)) if x[0].kind not in _OF_THEORY)
    return list(name_obligations(build_with_reader(*x, lambda: HeapReader(claim, proof, {})) for x in asks))


@dataclass(eq=False)
class _Instance(RuleInstance[GrundyProof, _Posed]):
    """A writer of the Coq instance of one proof. Its game is in normal form."""

    theory: ClassVar[str] = "Formula"
    called: ClassVar[str] = "a proof of Grundy values"
    scope: ClassVar[str] = ""

    def __post_init__(self) -> None:
        self.digits = [d.name for d in self.proof.digits]
        self.below = [d.name for d in self.proof.below_digits]
        taken = [*_NAMES, *self.numbers.used_names]
        self.names: dict[str, str] = {}
        for word in dict.fromkeys([*self.digits, *self.below, *self.powers]):
            self.names[word] = name_in_coq(word, (*taken, *self.names.values()))

    @property
    def move(self) -> OpenMove:
        return open_moves(self.game, 0)[0]

    @property
    def powers(self) -> list[str]:
        """The names of the powers that the options pick."""
        return [pick.name for option in self.proof.options for pick in option.picks]

    # -- terms --------------------------------------------------------------------------------------------------------
    def term(self, term: t.Term, values: Values) -> str:
        """Return the Coq text, of type Z, of a number in the proof. `values`: the Coq text of the names in it."""
        return self._write(term, values).argument

    def holds(self, term: t.Term | None, values: Values, computed: bool = False) -> str:
        """Return the Coq text of a condition in the proof: a proposition, or of type `bool` if `computed`."""
        return self._write(YES if term is None else term, values, computed).at(AND - 1)

    def _write(self, term: t.Term, values: Values, computed: bool = False) -> Text:
        reader = HeapReader(self.claim, self.proof, {})
        for name in values:
            if name not in reader.env:
                reader.env[name] = reader.fresh(name)
        number = term.type == INT
        made = reader.number(term, reader.env) if number else reader.truth(term, reader.env)
        stated = terms_over(self.define(reader, {**self.integers, **values}))
        if missing := names_in(made) - stated.names.keys():
            raise Unsupported(f"no Coq text is generated for {min(missing)} in a proof of Grundy values")
        return stated.number(made) if number else stated.computed(made) if computed else stated.says(made)

    def define(self, reader: HeapReader, values: Values) -> dict[str, str]:
        """Return `values` with values for the variables that the reader itself has introduced."""
        found, known = dict(values), -1
        while len(found) > known:
            known = len(found)
            for base, exponent, power in reader.raised:
                if names_in(exponent) <= found.keys() and isinstance(power, t.Variable):
                    found.setdefault(power.name, f"({base} ^ {write_number(exponent, found)})")
            found = write_divisions(reader.divided, found)
            for k, base, x, y in reader.powers.multiples:
                if names_in(x, y) <= found.keys():
                    ends = f"{write_number(x, found)} {write_number(y, found)}"
                    found.setdefault(k.name, f"(factor_between {base} {ends})")
        return found

    def inside(self, digits: Sequence[VariableRange | PowerDigit], values: Values) -> list[str]:
        """Return the Coq propositions that these digits are in their ranges, or are powers."""
        found: list[str] = []
        for d in digits:
            if isinstance(d, PowerDigit):
                found.append(f"is_power {d.base} {values[d.name]}")
                continue
            low = t.Operation(BOOL, 0, 0, "ge", (_variable(d.name), d.lo))
            found.append(self.holds(low, values))
            if d.hi is not None:
                found.append(self.holds(t.Operation(BOOL, 0, 0, "le", (_variable(d.name), d.hi)), values))
        return found

    # -- obligations --------------------------------------------------------------------------------------------------
    def obligations(self) -> str:
        """Return the Coq module with the obligations, and what the lemmas of the instance need."""
        return f"{super().obligations()}Open Scope N_scope.\nLtac Zify.zify_post_hook ::= divisions_by_numbers.\n"

    def of_kind(self, kind: ObligationKind, **told: object) -> _Posed:
        return self.find(kind.make_label(**told).name)

    def use(self, o: _Posed, *groups: tuple[Sequence[str], Sequence[str]], name: str = "O") -> str:
        """Return the Coq tactic that adds to the context, as O, an obligation about some numbers.

        `groups`: pairs (names, texts). The reader has created variables with these names, in this order.
        Raises Unsupported if the obligation is about a number for which no value is given.
        """
        renamed = "" if name == "O" else f" rename O into {name}."
        return f"pose proof ({self.apply(o, self._find_values(o, *groups))}) as O; give O.{renamed}"

    def _find_values(self, o: _Posed, *groups: tuple[Sequence[str], Sequence[str]]) -> dict[str, str]:
        """Return the Coq text for the variables of an obligation. `groups`: as for `use`."""
        left = [x for x in o.reader.symbols.by_name if x not in self.integers]
        values = dict(self.integers)
        for words, texts in groups:
            for word, text in zip(words, texts, strict=True):
                values[_take_name(left, word)] = text
        return self.define(o.reader, values)

    # -- definitions --------------------------------------------------------------------------------------------------
    def lemmas(self) -> Iterator[str]:
        """Yield the definitions of the instance and its lemmas, the last of them the lemma `claim`."""
        heap, below = self._pattern(self.digits), self._pattern(self.below)
        ours = {x: self.names[x] for x in self.digits}
        theirs = {x: self.names[x] for x in self.below}
        inside, inside_below = self.inside(self.proof.digits, ours), self.inside(self.proof.below_digits, theirs)
        yield f"""\
Notation G := {self.numbers.games[self.game.name].argument}.
Open Scope Z_scope.

(* Heaps in digits, their values, and smaller values. *)
Definition digits : Type := {" * ".join("Z" for _ in self.digits)}.
Definition inside (t : digits) : Prop := let {heap} := t in {_conjoin(inside)}.
Definition heap (t : digits) : Z := let {heap} := t in {self.term(self.proof.heap, ours)}.
Definition formula (t : digits) : Z := let {heap} := t in {self.term(self.proof.value, ours)}.
Definition digits_below : Type := {" * ".join("Z" for _ in self.below)}.
Definition inside_below (t : digits_below) : Prop := let {below} := t in {_conjoin(inside_below)}.
Definition below (t : digits_below) : Z := let {below} := t in {self.term(self.proof.below, theirs)}.
Ltac see := cbv beta iota zeta delta [inside heap formula inside_below below] in *.

Lemma fair : impartial G.
Proof. alike. Qed."""
        if self.proof.arising:
            yield self._arise()
        else:
            yield self._count("", kinds.HEAP, self.digits)
        yield self._count("_below", kinds.BELOW, self.below)
        yield f"""\
Lemma natural t : inside t -> 0 <= formula t.
Proof.
  intros I. {self._open("t", self.digits)} see. by_parts.
  {self.use(self.of_kind(kinds.NATURAL), self._digits())} conclude_from O.
Qed.
Lemma empty t : inside t -> heap t = 0 -> formula t = 0.
Proof.
  intros I E. {self._open("t", self.digits)} see. by_parts.
  {self.use(self.of_kind(kinds.EMPTY), self._digits())} conclude_from O.
Qed."""
        yield self._avoided()
        yield self._reached()
        yield """\
Lemma value_of_all : exists t o, solves G digits inside heap formula t o.
Proof. exact (solved G fair _ _ _ _ _ _ _ written written_below natural empty avoided reached). Qed.
"""
        yield self._claim()

    def _pattern(self, words: Sequence[str], mark: str = "") -> str:
        names = [self.names[x] + mark for x in words]
        return f"'({', '.join(names)})" if len(names) > 1 else names[0]

    def _open(self, name: str, words: Sequence[str], mark: str = "") -> str:
        """Return the Coq tactic that replaces a tuple by the digits in it."""
        names = [self.names[x] + mark for x in words]
        return f"rename {name} into {names[0]}." if len(names) == 1 else f"destruct {name} as {write_pattern(names)}."

    def _digits(self, mark: str = "") -> tuple[list[str], list[str]]:
        return self.digits, [self.names[x] + mark for x in self.digits]

    def _below(self) -> tuple[list[str], list[str]]:
        return self.below, [self.names[x] for x in self.below]

    # -- digits -------------------------------------------------------------------------------------------------------
    def _count(self, suffix: str, what: str, words: Sequence[str]) -> str:
        """Return the Coq lemma that every number has digits, because 0 has, and x + 1 has if x has."""
        number = "below" if suffix else "heap"
        own = self.proof.below_digits if suffix else self.proof.digits
        names = {x: self.names[x] for x in words}
        group = (list(words), list(names.values()))
        zeros = _tuple(["0" for _ in words])
        lines = [
            f"Lemma written{suffix} h : {{t | inside{suffix} t /\\ {number} t = Z.of_N h}}.",
            "Proof.",
            f"  revert h. apply (count_up _ (fun t y => inside{suffix} t /\\ {number} t = y)).",
            f"  - {self.use(self.of_kind(kinds.ZERO_DIGITS, what=what))} exists {zeros}; see; in_ranges.",
            f"  - intros t y [I E]. {self._open('t', words)} see. by_parts.",
            f"    {self.use(self.of_kind(kinds.NEXT_DIGITS, what=what), group)}",
        ]
        term = self.proof.below if suffix else self.proof.heap
        for i in reversed(range(len(words))):
            after = {**names, words[i]: f"({names[words[i]]} + 1)", **dict.fromkeys(words[i + 1 :], "0")}
            made = _tuple([after[x] for x in words])
            if i:
                test = [self._computed_inside(d, after) for d in own]
                same = f"({self.term(term, after)} =? {self.term(term, names)} + 1)"
                joined = " && ".join([*(x for x in test if x), same])
                lines.append(f"    destruct ({joined})%bool eqn:?; [exists {made}; clear O; see; in_ranges|].")
            else:
                lines.append(f"    exists {made}; see; in_ranges.")
        return "\n".join([*lines, "Qed."])

    def _computed_inside(self, digit: VariableRange | PowerDigit, values: Values) -> str:
        assert not isinstance(digit, PowerDigit)
        low = self.holds(t.Operation(BOOL, 0, 0, "ge", (_variable(digit.name), digit.lo)), values, computed=True)
        if digit.hi is None:
            return f"({low})"
        high = self.holds(t.Operation(BOOL, 0, 0, "le", (_variable(digit.name), digit.hi)), values, computed=True)
        return f"({low}) && ({high})"

    def _arise(self) -> str:
        """Return the Coq lemma that every heap has digits, by the cases of [[proof.arise]]."""
        lines = [
            "Lemma written h : {t | inside t /\\ heap t = Z.of_N h}.",
            "Proof.",
            "  revert h. apply (from_smaller _ (fun t y => inside t /\\ heap t = y)). intros h IH.",
            f"  {self.use(self.of_kind(kinds.ARISING_COVERS), _SIZE, name='Cover')}",
        ]
        for number, case in enumerate(self.proof.arising, 1):
            last = number == len(self.proof.arising)
            size = {SUMMAND: "(Z.of_N h)"}
            if last:
                lines.append(f"  assert (W{number} : {self.holds(case.when, size)}) by (clear IH; lia).")
            else:
                lines.append(f"  destruct ({self.holds(case.when, size, computed=True)}) eqn:W{number}. {{")
            lines.append(f"  {self._case(number, case, size)}{'' if last else ' }'}")
        return "\n".join([*lines, "Qed."])

    def _case(self, number: int, case: Arising, size: Values) -> str:
        values = dict(size)
        steps: list[str] = []
        groups: list[tuple[Sequence[str], Sequence[str]]] = [_SIZE]
        if case.smaller is None:
            steps.append("clear IH.")
        else:
            smaller = self.term(case.smaller, size)
            steps += [
                self.use(self.of_kind(kinds.ARISING_SMALLER, number=number), _SIZE),
                f"destruct (IH (Z.to_N {smaller}) ltac:(clear IH; lia)) as (t & I & E). clear IH.",
                "rewrite Z2N.id in E by lia. clear O.",
                f"{self._open('t', self.digits)} see. by_parts.",
            ]
            groups.append(self._digits())
            values |= {x: self.names[x] for x in self.digits}
        given = dict(case.digits)
        made = _tuple([self.term(given[x], values) for x in self.digits])
        steps.append(f"{self.use(self.of_kind(kinds.ARISING, number=number), *groups)} exists {made}; see; in_ranges.")
        return "\n  ".join(steps)

    # -- values -------------------------------------------------------------------------------------------------------
    def _avoided(self) -> str:
        """Return the Coq lemma that no option of a heap has the value of the heap."""
        ways = list(self.proof.distances)
        picks = self._picks()
        lines = [
            "Lemma avoided t o h y : inside t -> inside o -> heap t = Z.of_N h -> heap o = Z.of_N y ->",
            "  becomes G First h y -> formula t <> formula o.",
            "Proof.",
            f"  intros I J E F S. {self._open('t', self.digits)} {self._open('o', self.digits, '_')}",
            f"  open_move S. destruct S as ({' & '.join([*picks[1], 'S'])}). see. by_parts.",
        ]
        move = (picks[0], [f"(Z.of_N {x})" for x in picks[1]])
        groups = (self._digits(), self._digits("_"), move)
        if self.proof.apart:
            said, apart = [], self.find(kinds.make_apart_label(self.proof.apart).name)
            for by in ways:
                each = [f"{self.names[x]}_ = {self.names[x]} - {v if v >= 0 else f'({v})'}" for x, v in by.items()]
                said.append(" /\\ ".join(each))
            joined = ") \\/ (".join(said)
            lines += [
                f"  assert (A : ({joined})).",
                f"  {{ {self.use(apart, *groups)} clear - O; lia. }}",
            ]
        for i, by in enumerate(ways):
            more = i < len(ways) - 1
            opened = "destruct A as [A|A]. { " if more else ""
            if by:
                opened += "by_parts; subst. "
            o = self.find(kinds.avoid(by).name)
            none, given = self._none_of_range(o, groups, "no_natural z")
            lines.append(f"  {opened}{none}{self.use(o, *groups, *given)} conclude_from O.{' }' if more else ''}")
        return "\n".join([*lines, "Qed."])

    def _none_of_range(
        self, o: _Posed, groups: Sequence[tuple[Sequence[str], Sequence[str]]], refutes: str
    ) -> tuple[str, list[tuple[list[str], list[str]]]]:
        """Return (tactics, group): that no number of a range meets a condition, and the values that say this in `o`.

        Both are empty if `o` has no such condition. `refutes`: the tactics that refute that z is such a number.
        """
        if not o.reader.ranges.found:
            return "", []
        if len(o.reader.ranges.found) > 1:
            raise Unsupported("no Coq text is generated for a move with several conditions that contain a `for`")
        ((_, _, low, after, met),) = o.reader.ranges.found
        values = self._find_values(o, *groups, (["some", "number"], ["true", "z"]))
        first, last = write_number(low, values), write_number(after, values)
        says = write_condition(met, values, BINDER)
        lines = [
            f"assert (None : forall z, {first} <= z -> z < {last} -> ~ ({says})).",
            f"{{ destruct (some_of_range (fun z => {says}) {first} {last}) as [(z & ? & ? & ?)|None];",
            f"    [intros ?; lia | exfalso; {refutes} | exact None]. }}",
            "",
        ]
        return "\n  ".join(lines), [(["some", "number"], ["false", first])]

    def _picks(self) -> tuple[list[str], list[str]]:
        """Return the names of the picks in the ruleset, and in Coq."""
        words = [p.word for p in self.move.picks]
        return words, [name_in_coq(f"m{i}", self.numbers.used_names) for i in range(1, len(words) + 1)]

    def _reached(self) -> str:
        """Return the Coq lemma that some option of a heap has any given smaller value."""
        both = self._digits(), self._below()
        lines = [
            "Lemma reached t R h : inside t -> inside_below R -> heap t = Z.of_N h -> 1 <= heap t ->",
            "  below R < formula t ->",
            "  exists o y, (inside o /\\ heap o = Z.of_N y) /\\ becomes G First h y /\\ formula o = below R.",
            "Proof.",
            f"  intros I J E P L. {self._open('t', self.digits)} {self._open('R', self.below)} see. by_parts.",
        ]
        for i, (name, _) in enumerate(self.proof.lemmas, 1):
            lines.append(f"  {self.use(self.of_kind(kinds.LEMMA, name=name), *both, name=f'L{i}')}")
        options = list(enumerate(self.proof.options, 1))
        always = [x for x in options if x[1].when is None]
        options = always[:1] or options
        if not always:
            lines.append(f"  {self.use(self.of_kind(kinds.COVER), *both, name='W')}")
        for i, (number, option) in enumerate(options):
            more = i < len(options) - 1
            lines.append(f"  {'destruct W as [W|W]. {' if more else ''}")
            lines += [f"  {x}" for x in self._option(number, option)]
            lines.append("  }" if more else "")
        return "\n".join([*filter(str.strip, lines), "Qed."])

    def _option(self, number: int, option: Option) -> Iterator[str]:
        values = {x: self.names[x] for x in (*self.digits, *self.below)}
        values[SUMMAND] = self.term(self.proof.heap, values)
        groups = [self._digits(), self._below()]
        for pick in option.picks:
            yield from self._pick(number, pick, values, groups)
            values[pick.name] = self.names[pick.name]
            groups.append(([pick.name], [self.names[pick.name]]))
        given = dict(option.digits)
        left = {x: self.term(given[x], values) for x in self.digits}
        new = self.term(self.proof.heap, left)
        taken = dict(option.take)
        inner = {**values, "y": new}
        yield self.use(self.of_kind(kinds.OPTION_DIGITS, number=number), *groups, name="Digits")
        o = self.of_kind(kinds.OPTION_LEGAL, number=number)
        some = (["some", "number"], ["true", "z"])
        refuted = self.use(o, *groups, some).rstrip(".") if o.reader.ranges.found else ""
        none, chosen = self._none_of_range(o, groups, f"{refuted}; by_parts; congruence")
        yield none + self.use(o, *groups, *chosen, name="Legal")
        yield self.use(self.of_kind(kinds.OPTION_VALUE, number=number), *groups)
        yield "by_parts."
        names = self._picks()[1]
        for own, name in zip(self.move.picks, names, strict=True):
            if own.word not in taken:
                raise Unsupported("an option of the proof does not give every number that the move picks")
            yield f"name_pick {self.term(taken[own.word], inner)} {name}."
        yield f"name_pick {new} y. exists {_tuple([left[x] for x in self.digits])}, y."
        picked = "".join(f" exists {x};" for x in names)
        yield "split; [split; [see; clear O; in_ranges | symmetry; assumption] |]."
        legal = "made_legal_or_none" if o.reader.ranges.found else "made_legal"
        yield f"split; [hnf;{picked} {legal} | exact O]."

    def _pick(
        self, number: int, pick: PowerPick, values: Values, groups: Sequence[tuple[Sequence[str], Sequence[str]]]
    ) -> Iterator[str]:
        """Yield the Coq tactics that pick the largest power with a property."""
        name, told = self.names[pick.name], {"number": number, "name": pick.name}

        def meets(power: str) -> str:
            return self.holds(pick.condition, {**values, pick.name: power})

        bound = self.term(pick.bound, values)
        large = self.use(self.of_kind(kinds.PICK_BOUNDED, **told), *groups, ([pick.name], [name]))
        after = meets(f"({pick.base} * {name})")
        yield f"assert (Q : exists {name}, is_power {pick.base} {name} /\\ ({meets(name)}) /\\ ~ ({after}))."
        yield f"{{ apply (largest_power {pick.base} (fun {name} => {meets(name)}) {bound}); [lia | intros ?; lia | |]."
        yield f"  - {self.use(self.of_kind(kinds.PICK_THERE, **told), *groups)} conclude_from O."
        yield f"  - intros {name} Large Beyond. {large} conclude_from O. }}"
        yield f"destruct Q as ({name} & ? & ? & ?)."

    # -- the claim ----------------------------------------------------------------------------------------------------
    def _claim(self) -> str:
        rest = [b for b in self.binders if not b.is_number]
        typed = "".join(f" ({b.name} : {b.type})" for b in rest)
        position = next((b.name for b in rest if b.type == "position"), None)
        o = self.of_kind(kinds.CLAIM)
        reading = o.reader.questions
        assert isinstance(reading, ClaimReading)
        lines = [
            f"Lemma claim{typed} :",
            f"  ({state(self.claim, self.numbers).at(BINDER)})%N.",
            "Proof.",
            "  destruct value_of_all as (t & o & Value & Values & One & Wins & Sum).",
        ]
        if asks_for_values(self.claim):
            lines.append("  exists o. split; [exact Values|].")
        if self.proof.witness is not None:
            return "\n".join([*lines, *self._sets(self.proof.witness, o, reading), "Qed."])
        lines += self._sums()
        lines.append("  intros. repeat setoid_rewrite Wins. repeat setoid_rewrite One.")
        lines += self._defined()
        groups: list[tuple[Sequence[str], Sequence[str]]] = []
        for i, at in enumerate(self.proof.at, 1):
            if at.digits:
                lines.append(f"  {self._heap_with_digits(i, at)}")
                continue
            known = not stands_for_any_heap(self.claim, at)
            heap = self.numbers.natural(at.heap).argument if known else "1"
            lines.append(f"  {self._heap_with_some_digits(f'({heap})%N', '', known)}")
            groups.append(self._digits())
            if not known:
                groups.append(([SUMMAND], ["1"]))
            elif self.proof.divisions:
                lines.append(f"  {self._divide(self.numbers)} see.")
                groups[-1] = self.digits, [f"(Z.of_N {self.names[x]}_n)" for x in self.digits]
        for i, asked in enumerate(reading.heaps, 1):
            size = f"(Z.to_N {write_number(asked, self.integers)})"
            lines.append(f"  {self._heap_with_some_digits(size, f'_{i}', True)}")
            groups.append(self._digits(f"_{i}"))
        if position is not None and reading.asks_for_whole:
            groups.append((["nim-sum"], [f"(Z.of_N (o {position}))"]))
        lines.append(f"  clear Value Values One Wins Sum. see. {self.use(o, *groups)} conclude_formula O.")
        return "\n".join([*lines, "Qed."])

    def _sets(self, witness: Witness, o: _Posed, reading: ClaimReading) -> Iterator[str]:
        """Yield the Coq tactics that prove the equality of a set of values of heaps and a set of numbers.

        `o`: the obligation *claim*, as `reading` has translated it. It is used for both inclusions.
        """
        match self.claim.conclusion:
            case t.Operation(
                op="eq",
                args=(
                    t.Comprehension(body=t.GameCall(function="grundy"), clauses=(t.Clause(conditions=()),)),
                    t.Comprehension(body=t.Variable(), clauses=(t.Clause(conditions=()),)),
                ),
            ) if self.claim.hypothesis is None and len(reading.sets.met) == 2:
                pass
            case _:
                raise Unsupported("no Coq text is generated for this claim about sets of Grundy values")
        words = ["the sets are equal", *["an element of one set alone"] * 2, *["what runs in the set"] * 2]

        def group(first: bool, runs: str, also: str) -> tuple[list[str], list[str]]:
            ways = ["true", "false"] if first else ["false", "true"]
            return words, ["false", *ways, *([runs, also] if first else [also, runs])]

        no_heap, no_value = (self.digits, ["0" for _ in self.digits]), (self.below, ["0" for _ in self.below])
        of_heap = group(True, "(Z.of_N h)", "0"), self._digits(), no_value
        of_value = group(False, "(Z.of_N y)", "(-1)"), no_heap, self._below()
        yield "  intros y. split."
        yield "  - intros (h & ? & ->). rewrite One. destruct (written h) as (R & I & E)."
        yield "    pose proof (Value _ _ I E) as V."
        yield f"    {self._open('R', self.digits)} clear Value Values One Wins Sum. see. by_parts."
        yield f"    by_contradiction. {self.use(o, *of_heap)} discriminate O."
        yield "  - intros In. destruct (written_below y) as (R & I & E)."
        yield f"    {self._open('R', self.below)} see. by_parts."
        if witness.lemma is not None:
            yield f"    {self.use(self.of_kind(kinds.WITNESS), *of_value, name='Lemma_of_value')}"
        values = self._find_values(o, *of_value)
        met = write_condition(reading.sets.met[1], self.define(o.reader, values))
        theirs = {x: self.names[x] for x in self.below}
        given = dict(witness.digits)
        made = {x: self.term(given[x], theirs) for x in self.digits}
        yield f"    assert (C : {met})."
        yield f"    {{ clear Value Values One Wins Sum. by_contradiction. {self.use(o, *of_value)} discriminate O. }}"
        yield f"    by_parts. name_pick {self.term(self.proof.heap, made)} h. exists h. rewrite One."
        digits = _tuple([made[x] for x in self.digits])
        yield f"    pose proof (Value h {digits} ltac:(see; in_ranges) ltac:(see; in_ranges)) as V."
        yield "    clear Value Values One Wins Sum. see. split; [split|]; lia."

    def _heap_with_digits(self, number: int, at: At) -> str:
        given = dict(at.digits)
        made = _tuple([self.term(given[x], {}) for x in self.digits])
        heap = self.numbers.natural(at.heap).at(BINDER)
        return (
            f"assert (V{number} : Z.of_N (t ({heap})%N) = formula {made}).\n"
            f"  {{ {self.use(self.of_kind(kinds.HEAP_DIGITS, number=number))} apply Value; see; in_ranges. }}"
        )

    def _heap_with_some_digits(self, heap: str, mark: str, known: bool) -> str:
        value = f" pose proof (Value _ _ I E) as V{mark}." if known else ""
        return f"destruct (written {heap}) as (R & I & E).{value} {self._open('R', self.digits, mark)} see. by_parts."

    def _defined(self) -> Iterator[str]:
        """Yield the Coq tactics that add the conditions, about integers, under which the claim is defined."""
        for i, o in enumerate((o for o in self.posed if o.kind is DEFINED), 1):
            known = self.define(o.reader, self.integers)
            if all(x.name in known for x in o.sequent.variables):
                yield f"  {self.use(o, name=f'D{i}')}"

    def _divide(self, numbers: Statements) -> str:
        """Return Coq tactics that replace the divisions of the claim by the quotients and remainders in the proof.

        The digits become natural numbers, because the divisions are divisions of natural numbers.
        """
        made, names = list[str](), dict[str, Text]()
        for word in self.digits:
            own = self.names[word]
            names[word] = Text(f"{own}_n")
            made.append(f"name_pick {own} {own}_n. subst {own}.")
        inner = numbers.bind(names)
        group = self.digits, [f"(Z.of_N {x.text})" for x in names.values()]
        for i, x in enumerate(self.proof.divisions, 1):
            a, b, c, d = (inner.natural(y).argument for y in (x.dividend, x.divisor, x.quotient, x.remainder))
            o = self.of_kind(kinds.DIVISION, number=i)
            arbitrary = any(stands_for_any_heap(self.claim, at) for at in self.proof.at)
            made.append(self.use(o, group, *([_SIZE] if arbitrary else [])))
            made.append(f"destruct (divided {a}%N {b}%N {c}%N {d}%N) as [?Q ?R]; [lia | lia |]. clear O.")
            made.append("try rewrite Q in *; try rewrite R in *.")
        return "\n    ".join(made)

    def _sums(self) -> Iterator[str]:
        """Yield the Coq tactics that replace each nim-sum over all heaps of a position by the value of the position."""
        inner = self.numbers.bind({GRUNDY: Text("o")})
        found = dict[str, str]()
        for term in walk((self.claim.hypothesis or (), self.claim.conclusion)):
            match term:
                case t.Comprehension(reducer="nim_sum", clauses=(t.Clause(source=source, conditions=()) as clause,)):
                    if source.type == POSITION:
                        body = inner.bind({clause.variable: Text("h")}).natural(term.body).at(BINDER)
                        found[body] = _name_of(source, inner)
        for i, (body, s) in enumerate(found.items(), 1):
            o = self.of_kind(kinds.TERMS)
            yield f"  assert (S{i} : nim_sum_of (fun h => {body})%N {s} = o {s})."
            yield "  { apply Sum. intros h R P I E. pose proof (Value _ _ I E) as Vh."
            yield f"    {self._open('R', self.digits)} see. by_parts."
            digits = self._digits()
            if self.proof.divisions:
                yield f"    {self._divide(self.numbers.bind({SUMMAND: Text('h')}))}"
                digits = self.digits, [f"(Z.of_N {self.names[x]}_n)" for x in self.digits]
            yield f"    {self.use(o, digits, ([SUMMAND], ['(Z.of_N h)']))} rewrite ?One; conclude_formula O. }}"
            yield f"  rewrite S{i}."


def write_formula(
    claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices
) -> Iterator[str]:
    """Yield the Coq text of the proof, which ends with the lemma `claim`. Raises Unsupported."""
    proof = claim.proof
    assert isinstance(proof, GrundyProof)
    plain = replace(claim, games=tuple(map(normal_game, claim.games)))
    ruleset = plain.games[0].ruleset
    if type_in_coq(ruleset) != GAME or len(ruleset.moves) != 1 or ruleset.moves[0].choose != "any":
        words = "a Coq proof of Grundy values needs one kind of move, which leaves one heap"
        raise Unsupported(f"{ruleset.id}: {words}")
    if names_several_heaps(plain):
        raise Unsupported("no Coq proof of Grundy values is generated for a claim that names several heaps")
    made = _Instance(plain, proof, binders, numbers, services, _list_posed(plain, proof))
    yield made.obligations()
    yield from write_section(binders, made.lemmas())


_SIZE = ([SUMMAND], ["(Z.of_N h)"])


def _name_of(position: t.Term, numbers: Statements) -> str:
    assert isinstance(position, t.Variable)
    return numbers.names[position.name].text


def _variable(name: str) -> t.Variable:
    return t.Variable(INT, 0, 0, name)


def _tuple(parts: Sequence[str]) -> str:
    return f"({', '.join(parts)})"


def _conjoin(parts: Sequence[str]) -> str:
    return " /\\ ".join(parts) or "True"


def _take_name(names: list[str], word: str) -> str:
    """Remove the first of the names that is `word`, or `word` with a number; return it."""
    name = next(x for x in names if re.fullmatch(rf"{re.escape(word)}( \(\d+\))?", x))
    names.remove(name)
    return name
