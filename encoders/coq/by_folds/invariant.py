"""A proof by folds in Coq: facts, where the mover loses, the named moves, and from them who wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import substitute
from claims.language.statement.claim import Game
from claims.language.terms import terms as t
from encoders.coq.by_folds.folds import WrittenFold, show_folds
from encoders.coq.statement.numbers import total
from encoders.coq.statement.statements import Statements, key_of_player, key_of_ruleset
from encoders.coq.statement.writing import AND, ARROW, BINDER, COMPARISON, OR, SUM, Text, apply, chain, comment, infix
from encoders.ground.refusals import Unsupported
from encoders.rules.folds.statement.section import BESIDE, PICKED_HEAP, FoldsMove, FoldsProof

S, HEAP_AND_REST = Text("s"), Text("(h :: R)")


@dataclass(frozen=True)
class Mover:
    """Who moves: a player by name, or p where the rules do not tell the players apart. `index`: of his invariant."""

    word: str
    index: int
    other: str

    @property
    def given(self) -> str:
        """The binder of lemmas about him."""
        return " p" if self.word == "p" else ""

    @property
    def suffix(self) -> str:
        return "" if self.word == "p" else f"_{self.word}"


@dataclass
class Invariant:
    """Writes the section of one proof. `numbers` know the claim's variables, not its position."""

    proof: FoldsProof
    game: Game
    called: Text
    folds: Sequence[WrittenFold]
    numbers: Statements

    @property
    def movers(self) -> list[Mover]:
        """The movers that the rules tell apart."""
        if self.game.ruleset.impartial:
            return [Mover("p", 0, "other p")]
        a, b = (self.numbers.names[key_of_player(i)].text for i in range(len(self.game.ruleset.players)))
        return [Mover(a, 0, b), Mover(b, 1, a)]

    @property
    def misere(self) -> bool:
        return self.game.ruleset.stuck_wins

    def at(self, position: Text, rest: Text | None = None) -> Statements:
        """What writes terms over the folds of that position, and of the rest beside a heap."""
        names = {f.name: Text(w.name) for f, w in zip(self.proof.folds, self.folds, strict=True)}
        seen = {f.name: position for f in self.proof.folds}
        if rest is not None:
            names |= {f"{BESIDE}{f.name}": Text(w.name) for f, w in zip(self.proof.folds, self.folds, strict=True)}
            seen |= {f"{BESIDE}{f.name}": rest for f in self.proof.folds}
        names[PICKED_HEAP] = Text("h")
        bound = self.numbers.bind(names)
        return replace(bound, folds=seen)

    # -- the parts ----------------------------------------------------------------------------------------------------
    def folds_and_facts(self) -> Iterator[str]:
        """The folds and what holds of them at every position."""
        yield show_folds(self.folds, [comment(print_term(f.term)) for f in self.proof.folds])
        facts = [self.at(S).says(x) for _, x in self.proof.facts]
        inside = chain(facts, "/\\", AND, "True", "right").text
        names = comment("What holds of every position: " + "; ".join(n for n, _ in self.proof.facts) + ".")
        yield f"""{names if facts else "(* Nothing more is known of every position. *)"}
Definition facts (s : position) : Prop := {inside}.
Lemma no_heap : facts [].
Proof. unfold facts. see. settle. Qed.
Lemma one_more_heap h R : 0 < h -> facts R -> facts (h :: R).
Proof. unfold facts. intros Pos F. see. forget R. settle. Qed.
Lemma facts_hold s : facts s.
Proof.
  revert s. apply by_heaps; [|exact no_heap | exact one_more_heap].
  intros s t E. unfold facts. same E. auto.
Qed."""

    def losses(self) -> Iterator[str]:
        """Where the mover loses, and that no move leads from there to where the next one does."""
        yield f"""(* Where the player p, to move, loses. *)
Definition lost (p : player) (s : position) : Prop := {self.loss}.
Lemma lost_same p s t : s ≡ t -> lost p s -> lost p t.
Proof. intros E. unfold lost. same E. auto. Qed."""
        largest = " largest R <= h ->" if self.of_largest else ""
        for m in self.movers:
            yield f"""Lemma closed{m.suffix}{m.given} h y R :
  0 < h -> becomes {self.called.argument} {m.word} h y ->{largest}
  lost {m.word} (h :: R) -> ~ lost {_argument(m.other)} (y :: R).
Proof.
  intros Pos B{" A" if largest else ""} L. open_move B.
  all: generalize (facts_hold R); unfold facts, lost in *; intros F.
  all: gone_or_there y; see; forget R; settle.
Qed."""

    @property
    def loss(self) -> str:
        """Where the player p, to move at s, loses."""
        says = {i: self.at(S).says(x) for i, x in self.proof.loses}
        if self.game.ruleset.impartial:
            return says[0].text
        arms = "".join(f"\n  | {m.word} => {says[m.index].at(BINDER)}" for m in self.movers)
        return f"match p with{arms}\n  end"

    @property
    def of_largest(self) -> bool:
        return self.game.ruleset.moves[0].choose == "largest"

    def play(self) -> Iterator[str]:
        """All about who wins, and the named moves."""
        if not self.proof.loses:
            return
        yield from self.losses()
        for number, move in enumerate(self.proof.moves, 1):
            for mover in self.movers_of(move):
                yield self.named(number, move, mover)
                yield self.reply(number, move, mover)
        for mover in self.movers:
            yield self.cover(mover, leads=True)
            if self.misere:
                yield self.cover(mover, leads=False)
        yield self.who_wins()

    def movers_of(self, move: FoldsMove) -> list[Mover]:
        """For whom the named move is."""
        return [m for m in self.movers if move.player in (None, m.index)]

    def cover(self, mover: Mover, leads: bool) -> str:
        """Lemma: where the mover does not lose some reply is for; or, where he does, some move."""
        moves = [(i, m) for i, m in enumerate(self.proof.moves, 1) if m.to_loss is leads and mover in self.movers_of(m)]
        if not moves:
            raise Unsupported(
                f"no named move of {mover.word} {'leads to a loss' if leads else 'shows that there is one'}"
            )
        whens = chain((self.when(m) for _, m in moves), "\\/", OR, "False", "right").text
        name, kind = ("cover", "reply") if leads else ("able", "there_is")
        lost = f"{'~ ' if leads else ''}lost {mover.word} s"
        some = "(exists h, h ∈ s) -> " if self.misere else ""
        shown = f"move {self.called.argument} {mover.word} s t"
        shown += f" /\\ lost {_argument(mover.other)} t" if leads else ""
        using = f"{mover.given} s{' Some' if some else ''}{' L' if leads else ''}"
        lemmas = " | ".join(f"apply ({kind}_{i}{mover.suffix}{using}); exact W" for i, _ in moves)
        split = " ".join("[W|" for _ in moves[1:]) + "W" + "]" * (len(moves) - 1)
        return f"""Lemma {name}{mover.suffix}{mover.given} s : {lost} -> {whens}.
Proof. intros L. generalize (facts_hold s). unfold facts, lost in *. intros F. forget s. take_apart. cover. Qed.
Lemma {name}_move{mover.suffix}{mover.given} s : {lost} -> {some}exists t, {shown}.
Proof.
  intros L{" Some" if some else ""}. generalize ({name}{mover.suffix}{mover.given} s L).
  intros {split}; [{lemmas}].
Qed."""

    def who_wins(self) -> str:
        """Theorem: the mover wins just where the invariant does not say that he loses."""
        game, name = self.called.argument, self.numbers.names[key_of_ruleset(self.game.ruleset.id)].text
        largest = " specialize (A eq_refl)." if self.of_largest else ""

        def each(lemma: str, arguments: str) -> str:
            if self.movers[0].given:
                return f"exact ({lemma} q{arguments})"
            return f"destruct q; [{' | '.join(f'exact ({lemma}{m.suffix}{arguments})' for m in self.movers)}]"

        some = " (Some eq_refl)" if self.misere else ""
        stuck = f"intros _ q t L. {each('able_move', ' t L (lost_some _ t L)')}." if self.misere else "discriminate."
        return f"""{self._lost_some() if self.misere else ""}Lemma who_wins p s : wins {game} p s <-> ~ lost p s.
Proof.
  apply wins_by_invariant.
  - apply {name}_smaller.
  - exact lost_same.
  - intros q h y R Pos B A.{largest} {each("closed", f" h y R Pos B{' A' if self.of_largest else ''}")}.
  - intros q t N Some. {each("cover_move", f" t N{some}")}.
  - {stuck}
Qed."""

    def _lost_some(self) -> str:
        return """Lemma lost_some p s : lost p s -> exists h, h ∈ s.
Proof.
  intros L. destruct (some_heap_or_none s) as [Some|None]; [exact Some | exfalso].
  apply (lost_same p s [] (nothing s None)) in L. unfold lost in L. destruct p; see; cbn in L; lia.
Qed.
"""

    # -- named moves --------------------------------------------------------------------------------------------------
    def named(self, number: int, move: FoldsMove, mover: Mover) -> str:
        """Lemma: where the named move is for, there is such a heap, and the move is legal."""
        name = f"named_{number}{mover.suffix}"
        made = self.becomes(move, HEAP_AND_REST, Text("R"))
        pick = self.pick(move, HEAP_AND_REST)
        some = "(exists h, h ∈ s) -> " if self.misere else ""
        largest = " /\\ largest R <= h" if self.of_largest else ""
        conditions = f"{pick.at(AND - 1)} /\\ becomes {self.called.argument} {mover.word} h {made.argument}{largest}"
        numbers = ", ".join(x.argument for x in self.taken(move, HEAP_AND_REST, Text("R")))
        return f"""Lemma {name}{mover.given} s : {some}{self.when(move).at(ARROW - 1)} ->
  exists h R, 0 < h /\\ s ≡ h :: R /\\ {conditions}.
Proof.
  intros {"Some " if some else ""}W.
  assert (Heap : exists h, h ∈ s /\\ {self.pick(move, S).at(AND)}).
  {{ pose proof (facts_hold s) as F. {self._find(move)} }}
  destruct Heap as (h & I & Pick). destruct (split_heap h s I) as (R & E). destruct I as [Pos _].
  exists h, R. split; [exact Pos|]. split; [exact E|]. same E. split; [exact Pick|].
  clear E. generalize (facts_hold R). unfold facts. intros F.
  {"split; [|rewrite largest_cons in Pick; lia]. " if largest else ""}legal.
  {self._choose_kind(move)}exists {numbers}. see. forget R. settle.
Qed."""

    def witness(self, number: int, move: FoldsMove) -> str:
        """Lemma: there is a heap for the named move; and a tactic that makes the move at a position u."""
        some = "(exists h, h ∈ s) -> " if self.misere else ""
        at = Text("u")
        made = self.becomes(move, at, Text("R")).argument
        numbers = ", ".join(x.argument for x in self.taken(move, at, Text("R")))
        legal = f"legal; {self._choose_kind(move).replace('. ', '; ')}exists {numbers}; show_numbers"
        return f"""Lemma picked_{number} s : {some}{self.when(move).at(ARROW - 1)} ->
  exists h R, 0 < h /\\ s ≡ h :: R /\\ {self.pick(move, S).at(AND)}.
Proof.
  intros {"Some " if some else ""}W.
  assert (Heap : exists h, h ∈ s /\\ {self.pick(move, S).at(AND)}).
  {{ pose proof (facts_hold s) as F. {self._find(move)} }}
  destruct Heap as (h & I & Pick). destruct (split_heap h s I) as (R & E). destruct I as [Pos _].
  exists h, R. auto.
Qed.
Ltac witness_{number} u :=
  let h := fresh "h" in let R := fresh "R" in let E := fresh "E" in
  destruct (picked_{number} u) as (h & R & ? & E & ?);
  [ {"try assumption; " if some else ""}show_numbers
  | know R; equate E; exists ({made} :: R); see_through;
    split; [apply (move_to _ _ _ h); [assumption | exact E | {legal} | {self._why}] |] ]."""

    @property
    def _why(self) -> str:
        return "intros _; show_numbers" if self.of_largest else "discriminate"

    def reply(self, number: int, move: FoldsMove, mover: Mover) -> str:
        """Lemma: the named move leads to where the next player loses; or there is a move."""
        some, given = ("(exists h, h ∈ s) -> ", "Some ") if self.misere else ("", "")
        made = self.becomes(move, HEAP_AND_REST, Text("R")).argument
        leads = f"move {self.called.argument} {mover.word} s t"
        lost = f" /\\ lost {_argument(mover.other)} t" if move.to_loss else ""
        name = f"{'reply' if move.to_loss else 'there_is'}_{number}{mover.suffix}"
        arguments = f"{' p' if mover.given else ''} s{' Some' if some else ''} W"
        known, why = ("B & A", "auto") if self.of_largest else ("B", "discriminate")
        asked = f"~ lost {mover.word} s -> " if move.to_loss else ""
        head = f"""Lemma {name}{mover.given} s : {some}{asked}{self.when(move).at(ARROW - 1)} ->
  exists t, {leads}{lost}.
Proof.
  intros {given}{"L " if asked else ""}W.
  destruct (named_{number}{mover.suffix}{arguments}) as (h & R & Pos & E & Pick & {known}).
  exists ({made} :: R)."""
        moved = f"apply (move_to _ _ _ h); [exact Pos | exact E | exact B | {why}]"
        if not move.to_loss:
            return f"{head} {moved}.\nQed."
        return f"""{head} split; [{moved}|].
  generalize (facts_hold R). unfold facts, lost in *. intros F. same E. clear B E. see.
  forget R. first [clear L; settle | settle].
Qed."""

    def when(self, move: FoldsMove) -> Text:
        return self.at(S).says(move.when)

    def pick(self, move: FoldsMove, position: Text) -> Text:
        """What is granted of the heap h that is picked, one of the position."""
        writer = self.at(position)
        if move.top_bit:
            fold = next(w for f, w in zip(self.proof.folds, self.folds, strict=True) if f.name == move.top_bit)
            term = self._top_term(move)
            left = infix(term, "⊕", apply(fold.name, position), 45, "left")
            return infix(left, "<", term, COMPARISON)
        if move.extreme:
            return infix(Text("h"), "=", apply("largest", position), COMPARISON)
        return Text("True") if move.having is None else writer.says(move.having)

    def _top_term(self, move: FoldsMove) -> Text:
        """What a heap h adds to the nim-sum."""
        fold = next(f for f in self.proof.folds if f.name == move.top_bit)
        match fold.term:
            case t.Operation(op="nim_sum"):
                return Text("h")
            case t.Comprehension(reducer="nim_sum", body=body, clauses=(clause,)):
                inner = self.numbers.bind({clause.variable: Text("h")})
                value = inner.natural(body)
                if not clause.conditions:
                    return value
                where = chain((inner.truth(x) for x in clause.conditions), "&&", 40, "true", "left")
                return Text(f"(if {where.at(BINDER)} then {value.text} else 0)")
        raise Unsupported(f"the top bit of {move.top_bit}, which is no nim-sum")

    def _find(self, move: FoldsMove) -> str:
        """Finds the heap."""
        if move.top_bit:
            fold = next(w for f, w in zip(self.proof.folds, self.folds, strict=True) if f.name == move.top_bit)
            lemma = "top_bit" if fold.is_ == "nim_sum s" else "top_bit_of"
            return f"apply {lemma}. change ({fold.name} s <> 0). unfold facts in F. forget s. settle."
        found = "some_heap_by ltac:(fun _ => see) W."
        if move.extreme:
            return "clear F. exists (largest s). split; [|reflexivity]. apply some_largest. " + found
        if move.having is None:
            return "clear F. enough (exists h, h ∈ s) as (h & I) by (exists h; auto). " + found
        inner = self.at(S)
        asked, counted = inner.says(move.having), inner.truth(move.having)
        is_ = f"count (fun h => {counted.at(BINDER)}) s"
        same = next((f.name for f in self.folds if f.is_ == is_), None)
        change = f"change (0 < {same} s); " if same else ""
        return (
            f"apply (some_heap (fun h => {asked.at(BINDER)}) (fun h => {counted.at(BINDER)})); "
            f"[intros; lia | {change}unfold facts in F; forget s; settle]."
        )

    def taken(self, move: FoldsMove, position: Text, rest: Text) -> list[Text]:
        """The numbers picked, in the order of the kind of move that picks them."""
        writer = self.at(position, rest)
        take = dict(move.take)
        kind = self._kind(move)
        found = []
        for pick in self.game.ruleset.moves[kind].picks:
            found.append(_natural(writer, take[pick.name]))
        return found

    def _kind(self, move: FoldsMove) -> int:
        """Which of the moves of the game picks these numbers."""
        wanted = {name for name, _ in move.take}
        for i, kind in enumerate(self.game.ruleset.moves):
            if {p.name for p in kind.picks} == wanted:
                return i
        raise Unsupported(f"no move of {self.game.ruleset.id} picks {', '.join(sorted(wanted))}")

    def _choose_kind(self, move: FoldsMove) -> str:
        kind, last = self._kind(move), len(self.game.ruleset.moves) - 1
        return "right. " * kind + ("left. " if kind < last else "")

    def becomes(self, move: FoldsMove, position: Text, rest: Text) -> Text:
        """What the heap h becomes."""
        writer = self.at(position, rest)
        kind = self.game.ruleset.moves[self._kind(move)]
        (heap,), (size,) = kind.heaps, kind.become
        terms = {heap: t.Variable(size.type, 0, 0, PICKED_HEAP), **dict(move.take)}
        return _natural(writer, substitute(size, terms))


def _natural(writer: Statements, term: t.Term) -> Text:
    """A natural number that a named move gives, what cancels left out; where it would be negative, 0."""
    match _lift(term):
        case t.IfElse(condition=c, then=a, other=b):
            then, other = _natural(writer, a), _natural(writer, b)
            return Text(f"(if {writer.truth(c).at(BINDER)} then {then.text} else {other.text})")
        case lifted:
            number = writer.number(lifted).without_common()
            given = total(number.plus)
            return infix(given, "-", total(number.minus), SUM, "left") if number.minus else given


def _lift(term: t.Term) -> t.Term:
    """The term with a case distinction in a sum or difference taken out of it."""
    if isinstance(term, t.Operation) and term.op in ("add", "sub"):
        a, b = (_lift(x) for x in term.args)
        if isinstance(b, t.IfElse):
            then, other = (replace(term, args=(a, x)) for x in (b.then, b.other))
            return replace(b, then=then, other=other)
        if isinstance(a, t.IfElse):
            then, other = (replace(term, args=(x, b)) for x in (a.then, a.other))
            return replace(a, then=then, other=other)
    return term


def _argument(word: str) -> str:
    return f"({word})" if " " in word else word
