"""The Coq text of claims about the options of a position, as part of an instance of the rule of folds.

The obligation *claim* of such a proof contains truth values: whether some option satisfies a condition, and by which
move. coq/theory/Folded.v proves that each question has an answer. For each combination of answers, the text gives the
obligation the values that belong to these answers: the heap of the move, the numbers picked, and the other heaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from claims.language.syntax import terms as t
from encoders.coq.instances import write_condition, write_number
from encoders.coq.propositions import Statements
from encoders.coq.writing import BINDER, Text
from encoders.logic.sequents import ZERO, conjunction, largest, opposite
from encoders.refusals import Unsupported
from encoders.rules.folds.instance import FoldsObligation, Instance, index_of
from encoders.rules.folds.moves import pick_of, playable
from encoders.rules.folds.positions import Position
from encoders.rules.folds.questions import MoveTaken, OptionQuestion, match_chosen

_NO_HEAP, _NO_SIZE = "1", "2"
"""A heap, and a larger heap that would be left of it: no move does this. A move that is not made gets these values."""


_KNOW = "know_heaps O; "


@dataclass(frozen=True)
class Asked:
    """A part of a claim that asks about options, as Coq text.

    `question`: the question in the obligation. `says`: the part as a Coq proposition.
    `fits`: the condition on an option t; `body`: the same as a Coq proposition, written by `writer`.
    `some`: whether the part states that some option satisfies the condition; otherwise it states that none does.
    `mover`: the player to move. `option`: the variable of the claim for the option; None if there is none.
    """

    question: OptionQuestion
    says: str
    fits: t.Term
    writer: Statements
    some: bool
    mover: str
    option: str | None

    @property
    def body(self) -> str:
        return self.writer.says(self.fits).text


def read_question(question: OptionQuestion, numbers: Statements) -> Asked:
    """Return the Coq text of the part of the claim that asks the question. Raises Unsupported."""
    match question.term:
        case t.GameCall(function="terminal", args=(_, mover)) as term:
            yes = t.Literal(t.BOOL, 0, 0, True)
            return Asked(question, numbers.says(term).text, yes, numbers, False, numbers.player(mover).text, None)
        case t.Comprehension(reducer="any" | "all" as reducer, body=body, clauses=(clause,)) as asks:
            options, some = match_chosen(clause.source), reducer == "any"
            if options is not None and not options.clauses:
                inner = numbers.bind({clause.variable: Text("t")})
                fits = conjunction(*clause.conditions, body if some else opposite(body))
                who = numbers.player(options.call.args[1]).text
                return Asked(question, numbers.says(asks).text, fits, inner, some, who, clause.variable)
    raise Unsupported("no Coq text is generated for a proof by folds about sets of options")


@dataclass(frozen=True)
class _Case:
    """The arguments that one case of the proof gives to the obligation.

    `values`: the Coq text of variables. `placed`: the folds of positions, by the ids of the positions.
    `no`: the numbers of the questions whose answer is no.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    placed: Mapping[int, Sequence[str]] = field(default_factory=dict)
    no: tuple[int, ...] = ()

    def extend(self, values: Mapping[str, str], rest: Position, places: Sequence[str]) -> _Case:
        return replace(self, values={**self.values, **values}, placed={**self.placed, id(rest): places})

    def move(self, move: MoveTaken, heap: str, picks: Sequence[str], size: str, places: Sequence[str]) -> _Case:
        """Return the case in which the variables of the move have these values."""
        named = move.named is not None
        texts = [(move.heap, heap), (move.size, size)]
        texts += [] if named else [(move.take[p.word], x) for p, x in zip(move.move.picks, picks, strict=True)]
        values = {x.name: text for x, text in texts if isinstance(x, t.Variable)}
        return self.extend(values, move.rest, places)


class AskingInstance(Instance):
    """An instance whose obligation *claim* asks about the options of the position of the claim."""

    def conclusion(self, says: Text, quantifiers: int) -> str:
        """Return the Coq definitions and lemmas about the questions, and the lemma `claim`. Raises Unsupported."""
        of_heaps = "".join(f" try setoid_rewrite of_heaps_{i}." for i in range(1, quantifiers + 1))
        argument = _OptionsArgument(self, self.follows, self.position)
        return "\n".join([*argument.lemmas(of_heaps), *argument.claim(says.at(BINDER), of_heaps)])


class _OptionsArgument:
    """A writer of the Coq lemma `claim` for a claim about the options of its position.

    `instance`: the instance with the definitions of the folds. `posed`: the obligation *claim*.
    `position`: the name of the position in the claim.
    """

    def __init__(self, instance: AskingInstance, posed: FoldsObligation, position: str) -> None:
        self.instance, self.posed, self.position = instance, posed, position
        self.reader = posed.reader
        self.s = instance.numbers.names[position].text
        self.of = next(p for p in self.reader.free if p.name == position)
        self.asked = [read_question(x, instance.numbers) for x in self.reader.options.questions]
        self.moves = self.reader.options.moves
        positions = [x.of for x in self.reader.options.questions] + [x.of for x in self.moves]
        if any(x is not self.of for x in positions):
            raise Unsupported("no Coq text is generated for a proof by folds about the options of options")
        self.places = instance.places("s")

    # -- questions ----------------------------------------------------------------------------------------------------
    def lemmas(self, of_heaps: str) -> Iterator[str]:
        """Yield the definitions of the questions about options, and the lemmas about them.

        `of_heaps`: tactics that replace quantifiers over heaps by counts.
        """
        made, s, x = self.instance, self.places, self.instance.places("x")
        u, v = (f"let '({', '.join(names)}) := {of} in" if len(s) > 1 else f"let {names[0]} := {of} in"
                for names, of in ((s, "P"), (x, "Q")))  # fmt: skip
        for i, asked in enumerate(self.asked, 1):
            option = made.new_position(self.reader)
            fits = asked.question.fits(option)
            values = made.values(self.reader, {}, {}, {id(self.of): s, id(option): x})
            told = made.link(self.reader, self.position, (asked.fits,), asked.writer, s)
            if asked.option is not None:
                told |= made.link(self.reader, asked.option, (asked.fits,), asked.writer, x)
            shown = f"asked_{i}_is {self.s}"
            shown = f"ask_some ({shown})" if asked.some else f"ask_none ({shown}) asked_{i}_or_not"
            names = [f"K{j}" for j in range(1, len(told) + 1)]
            links = "".join(
                f"  assert ({k} : Z.of_N ({text}) = {place}) by same_fold.\n"
                for k, (text, place) in zip(names, told.items(), strict=True)
            )
            yield f"""\
Definition asked_{i} (P Q : F) : Prop := ({u} {v}
  {write_condition(fits, values)})%Z.
Lemma asked_{i}_or_not P Q : asked_{i} P Q \\/ ~ asked_{i} P Q.
Proof.
  destruct P as {made.pattern("s")}. destruct Q as {made.pattern("x")}.
  cbv beta iota zeta delta [asked_{i}]. decided_folds.
Qed.
Lemma asked_{i}_is ({self.s} t : position) : {asked.body} <-> asked_{i} (value {self.s}) (value t).
Proof.
 {of_heaps} rewrite ?some_is. pose proof (values {self.s}) as E. pose proof (values t) as E'.
  destruct (value {self.s}) as {made.pattern("s")}. destruct (value t) as {made.pattern("x")}.
  split_values E. split_values E'. cbv beta iota zeta delta [asked_{i}].
{links}  clear - {" ".join(names) or "k"}. subst. lia.
Qed.
Lemma options_{i} ({self.s} : position) : ({asked.says}) <->
  {"" if asked.some else "~ "}some_asked G F none join (asked_{i} (value {self.s})) {asked.mover} {self.s}.
Proof. {shown}. Qed."""

    # -- the claim ----------------------------------------------------------------------------------------------------
    def claim(self, says: str, of_heaps: str) -> Iterator[str]:
        """Yield the Coq lemma `claim`. `says`: the claim as a Coq proposition, without its integers."""
        made, claim = self.instance, self.instance.claim
        told = made.link(
            self.reader, self.position, (claim.hypothesis or (), claim.conclusion), made.numbers, self.places
        )
        yield f"Lemma claim ({self.s} : position) : {says}.\nProof.\n {of_heaps}"
        for i, asked in enumerate(self.asked, 1):
            moves, of = " ".join(made.numbers.about_moves(made.game)), f"{asked.mover} {self.s}"
            yield f"""\
  try rewrite (options_{i} {self.s}).
  pose proof (asked_answer G {moves} F none join in_any_order _ (asked_{i}_or_not (value {self.s})) {of}) as B.
  destruct B as (b{i} & B{i}). rewrite ?B{i}."""
        yield f"""\
  rewrite ?some_is{", ?who_wins" if made.proof.loses else ""}.
  {made.open_folds(self.s, "s", "Fs", "E", "V")}
  destruct Fs as [Ns Fs]. cbv beta iota zeta delta [natural{" lost" if made.proof.loses else ""}] in *. by_parts."""
        names = [f"K{j}" for j in range(1, len(told) + 1)]
        for k, (text, place) in zip(names, told.items(), strict=True):
            yield f"  assert ({k} : Z.of_N ({text}) = {place}) by same_fold."
        if claim.hypothesis is not None:
            yield "  intros Given."
        yield from self._answers(_Case({}, {id(self.of): self.places}), 0, "  ", names)
        yield "Qed."

    def _answers(self, case: _Case, i: int, indent: str, names: Sequence[str]) -> Iterator[str]:
        """Yield the tactics for each combination of answers to the questions from number i on, counted from 0."""
        if i == len(self.asked):
            yield from self._named(case, 0, indent, names)
            return
        n, answer = i + 1, self.asked[i].question.answer
        yield f"{indent}destruct b{n}; [destruct B{n} as [_ B{n}] | destruct B{n} as [N{n} _]]."
        for text, write in (("true", self._yes), ("false", self._no)):
            now = replace(case, values={**case.values, answer.name: text})
            if self._is_settled(now):
                yield f"{indent}{{ lia. }}"
            else:
                yield f"{indent}{{"
                yield from write(now, i, indent + "  ", names)
                yield f"{indent}}}"

    def _is_settled(self, case: _Case) -> bool:
        """Return whether the answers alone imply the claim."""
        known = {name: text == "true" for name, text in case.values.items() if text in ("true", "false")}
        given = [_evaluate(h.term, known) for h in self.posed.sequent.hypotheses]
        return False in given or _evaluate(self.posed.sequent.show, known) is True

    def _yes(self, case: _Case, i: int, indent: str, names: Sequence[str]) -> Iterator[str]:
        """Yield the tactics for the case that some option satisfies the condition of question i."""
        made, n, ways = self.instance, i + 1, self.asked[i].question.ways
        yield f"{indent}specialize (B{n} eq_refl). apply asked_move in B{n}; [|exact in_any_order]."
        yield f"{indent}destruct B{n} as (h{n} & y{n} & R{n} & P{n} & S{n} & M{n} & A{n} & Q{n})."
        yield from self._open_rest(f"{n}", indent)
        yield f"{indent}rewrite ?V, ?VR{n} in Q{n}. hnf in M{n}. cbn [same_player] in M{n}."
        for j, (this, way) in enumerate(ways):
            more = j < len(ways) - 1
            picks = [f"p{n}_{k}" for k in range(1, len(way.move.picks) + 1)]
            texts, places = [f"(Z.of_N {p})" for p in picks], made.places(f"r{n}x")
            yield f"""\
{indent}{f"destruct M{n} as [M{n}|M{n}]. {{ " if more else ""}destruct M{n} as ({" & ".join([*picks, f"M{n}"])}).
{indent}by_parts. gone_or_there y{n}; [rewrite join_heap_gone in Q{n} | rewrite join_heap_there in Q{n} by assumption];
{indent}cbv beta iota zeta delta [asked_{n} join] in Q{n}."""
            for size in ("(Z.of_N 0)", f"(Z.of_N y{n})"):
                taken = case
                for _, other in ways:
                    taken = taken if other is way else self._unused(taken, other)
                taken = taken.move(way, f"(Z.of_N h{n})", texts, size, places)
                made_by = {x.name: "true" if x is this else "false" for x, _ in ways}
                yield f"{indent}{{ {self._cuts(way, texts, f'(Z.of_N h{n})', size, places, f'C{n}x')}"
                yield from self._answers(
                    replace(taken, values={**taken.values, **made_by}), i + 1, indent + "  ", names
                )
                yield f"{indent}}}{' }' if more and size != '(Z.of_N 0)' else ''}"

    def _no(self, case: _Case, i: int, indent: str, names: Sequence[str]) -> Iterator[str]:
        """Yield the tactics for the case that no option satisfies the condition of question i."""
        for j, (this, way) in enumerate(self.asked[i].question.ways, 1):
            case = self._unused(case, way)
            case = replace(case, values={**case.values, this.name: "false"})
            picks, zeros = ["1"] * len(way.move.picks), ["0"] * len(self.places)
            yield f"{indent}{self._cuts(way, picks, _NO_HEAP, _NO_SIZE, zeros, f'C{i + 1}x{j}x')}"
        yield from self._answers(replace(case, no=(*case.no, i + 1)), i + 1, indent, names)

    def _unused(self, case: _Case, move: MoveTaken) -> _Case:
        """Return the case in which the move is not made."""
        return case.move(move, _NO_HEAP, ["1"] * len(move.move.picks), _NO_SIZE, ["0"] * len(self.places))

    def _open_rest(self, n: str, indent: str) -> Iterator[str]:
        """Yield the tactics that add the facts about the rest R, where S: the position is a heap h and R."""
        pattern = self.instance.pattern(f"r{n}x")
        yield f"""\
{indent}  pose proof (folded_heap F none join in_any_order {self.s} h{n} R{n} P{n} S{n}) as V{n}. rewrite ?V in V{n}.
{indent}  pose proof (facts_of_all F none join fact fact_of_none fact_of_more R{n}) as F{n}.
{indent}  pose proof (values R{n}) as ER{n}. destruct (value R{n}) as {pattern} eqn:VR{n}. split_values ER{n}.
{indent}  destruct F{n} as [N{n}' F{n}].
{indent}  cbv beta iota zeta delta [natural join] in N{n}', V{n}. by_parts. split_values V{n}."""

    def _cuts(
        self, move: MoveTaken, picks: Sequence[str], heap: str, size: str, rest: Sequence[str], label: str
    ) -> str:
        moves = playable(self.instance.game, move.mover)
        named = None if move.named is None else (move.named, self.places)
        return self.instance.use_cuts(moves, index_of(moves, move.move), picks, heap, size, rest, named, label, _KNOW)

    # -- named moves --------------------------------------------------------------------------------------------------
    def _named(self, case: _Case, j: int, indent: str, names: Sequence[str]) -> Iterator[str]:
        """Yield the tactics for the named moves from number j on, counted from 0: each is possible or not."""
        made = self.instance
        if j == len(self.moves):
            values = made.values(self.reader, {}, case.values, case.placed)
            told = " ".join([*(["Given"] if made.claim.hypothesis is not None else []), *names])
            end = f"{made.use(self.posed, values, _KNOW)}; clear - O {told}; subst; conclude_from O"
            yield f"{indent}first [exfalso; clear - {told}; lia | {end}]." if told else f"{indent}{end}."
            return
        move, n = self.moves[j], f"_{j + 1}"
        assert move.named is not None
        zeros, places = ["0"] * len(self.places), made.places(f"r{n}x")
        now = made.values(self.reader, {}, case.values, case.placed)
        premise, _ = pick_of(self.reader, move.named, self.of)
        when = write_condition(move.where, now)
        yield f"{indent}assert (W : ({when} \\/ ~ ({when}))%Z) by lia."
        yield f"{indent}destruct W as [W{n}|W{n}]."
        yield f"{indent}{{ assert (W' : ({write_condition(premise, now)})%Z) by lia."
        yield f"{indent}  pose proof ({made.pick(move.named, self.posed.reader, self.s)})%Z as Pick. cbv beta in Pick."
        yield f"{indent}  destruct Pick as (h{n} & R{n} & P{n} & S{n} & Pick). told Pick. rename Pick into Pick{n}."
        yield from self._open_rest(n, indent)
        taken = case.move(move, f"(Z.of_N h{n})", [], f"(Z.of_N y{n})", places)
        values = made.values(self.reader, {}, taken.values, taken.placed)
        picks = [write_number(move.take[p.word], values) for p in move.move.picks]
        leaves = write_number(largest(ZERO, move.leaves), values)
        yield f"{indent}  name_pick ({leaves})%Z y{n}."
        yield f"{indent}  {self._cuts(move, picks, f'(Z.of_N h{n})', f'(Z.of_N y{n})', places, f'C{n}')}"
        for i in case.no:
            yield from self._refuse(taken, move, picks, n, i, indent + "  ")
        yield from self._named(taken, j + 1, indent + "  ", names)
        yield f"{indent}}}"
        none = self._unused(case, move)
        values = made.values(self.reader, {}, none.values, none.placed)
        picks = [write_number(move.take[p.word], values) for p in move.move.picks]
        yield f"{indent}{{ {self._cuts(move, picks, _NO_HEAP, _NO_SIZE, zeros, f'C{n}')}"
        yield from self._named(none, j + 1, indent + "  ", [*names, f"W{n}"])
        yield f"{indent}}}"

    def _refuse(self, case: _Case, move: MoveTaken, picks: Sequence[str], n: str, i: int, indent: str) -> Iterator[str]:
        """Yield the tactics which show that the named move is not an answer to question i, whose answer is no."""
        made, asked = self.instance, self.asked[i - 1]
        fits = asked.question.fits(self.reader.extend_rest(move.rest, move.size))
        values = made.values(self.reader, {}, case.values, case.placed)
        names = [f"p{n}_{k}" for k in range(1, len(picks) + 1)]
        number = len(made.game.ruleset.moves)
        side = "right; " * (move.move.number - 1) + ("left; " if move.move.number < number else "")
        given = "".join(f"exists {p}; " for p in names)
        both = f"{write_condition(move.legal, values)} /\\ {write_condition(fits, values)}"
        answer = f"some_asked G F none join (asked_{i} ({', '.join(self.places)})) {asked.mover} {self.s}"
        yield f"{indent}assert (Z{n}_{i} : ~ ({both})%Z)."
        yield f"{indent}{{ intros [Z Q]. by_parts. assert (Z' : {answer})."
        for p, text in zip(names, picks, strict=True):
            yield f"{indent}  name_pick ({text})%Z {p}."
        yield f"""\
{indent}  apply (asked_by_move G F none join _ _ _ h{n} y{n} R{n} P{n} S{n});
{indent}    [hnf; cbn [same_player]; {side}{given}made_legal | cbn; lia |].
{indent}  rewrite ?V, ?VR{n}. gone_or_there y{n}; [rewrite join_heap_gone | rewrite join_heap_there by assumption];
{indent}  know_heaps Q; cbv beta iota zeta delta [asked_{i} join]; conclude_from Q.
{indent}  discriminate (N{i} Z'). }}"""


def _evaluate(term: t.Term, known: Mapping[str, bool]) -> bool | None:
    """Return the truth value of a condition in which some truth values are known; None if they do not determine it."""
    match term:
        case t.Literal(value=bool(value)):
            return value
        case t.Variable(name=name):
            return known.get(name)
        case t.Operation(op="not", args=(a,)):
            found = _evaluate(a, known)
            return None if found is None else not found
        case t.AllOf(args=args) | t.AnyOf(args=args):
            found_all, ends = [_evaluate(x, known) for x in args], isinstance(term, t.AnyOf)
            return ends if ends in found_all else None if None in found_all else not ends
        case t.Operation(op="eq", args=(a, b)) if a.type == t.BOOL:
            one, other = _evaluate(a, known), _evaluate(b, known)
            return None if one is None or other is None else one == other
    return None
