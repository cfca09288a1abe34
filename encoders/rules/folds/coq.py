"""The Coq text of proofs by folds: folds, facts, losing positions, named moves, and the claim.

A fold is a number that is computed heap by heap, such as the nim-sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from claims.language.files.claim import Claim, Game, Lemma, unfold_claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, substitute, walk
from claims.language.syntax.terms import POSITION
from encoders.coq.numbers import CoqNumberWriter, total
from encoders.coq.propositions import Statements, key_of_player, key_of_ruleset
from encoders.coq.statement import Binder, write_variables
from encoders.coq.writing import (
    AND,
    ARROW,
    BINDER,
    COMPARISON,
    OR,
    PRODUCT,
    SUM,
    Text,
    apply,
    comment,
    infix,
    join_texts,
    name_in_coq,
)
from encoders.logic.sequents import conjunction, implies, opposite
from encoders.refusals import Unsupported
from encoders.rules.base.shape import is_extreme
from encoders.rules.folds.section import BESIDE, PICKED_HEAP, FoldDefinition, FoldsMove, FoldsProof

# == folds ============================================================================================================
# The folds of a proof as functions of a position. For each fold, a lemma gives its value after one heap is added.
_GONE = "(if {} then {} else 0)"


@dataclass(frozen=True)
class WrittenFold:
    """A fold, that is, a number computed heap by heap, as Coq text.

    `name`: the name of the fold in Coq.
    `term`: the term that defines the fold in the proof.
    `is_`: the definition of the fold for a position s.
    `beside`: the fold of the position h :: R, in terms of h and R.
    """

    name: str
    term: t.Term
    is_: str
    beside: str


def write_folds(folds: Iterable[FoldDefinition], numbers: CoqNumberWriter, position: str) -> list[WrittenFold]:
    """Return the folds of a proof as Coq text. Raises Unsupported.

    `position`: the name of the position in the terms of the folds.
    """
    made: list[WrittenFold] = []
    for fold in folds:
        name = name_in_coq(fold.name, (*(f.name for f in made), *numbers.used_names))
        inner = numbers.bind({position: Text("s")})
        is_ = inner.natural(fold.term).text
        made.append(WrittenFold(name, fold.term, is_, _write_fold_step(fold.term, name, inner, made)))
    return made


def _write_fold_step(term: t.Term, name: str, numbers: CoqNumberWriter, before: Sequence[WrittenFold]) -> str:
    """Return the fold `name` of h :: R in terms of h and the folds of R. `before`: the folds that precede it."""
    rest = f"{name} R"
    extreme = is_extreme(term)
    if extreme is not None and extreme.which == "max":
        if not extreme.times:
            return f"N.max h ({rest})"
        largest = next((f"{f.name} R" for f in before if f.is_ == "largest s"), "largest R")
        return f"if h =? 0 then {rest} else if {largest} <? h then 1 else if h =? {largest} then 1 + {rest} else {rest}"
    match term:
        case t.Operation(op="nim_sum"):
            return f"h ⊕ {rest}"
        case t.Operation(op="len"):
            return f"{_GONE.format('0 <? h', '1')} + {rest}"
        case t.Operation(op="occurrences", args=(_, item)):
            same = infix(Text("h"), "=?", numbers.natural(item), COMPARISON)
            return f"{_GONE.format(_there(same), '1')} + {rest}"
        case t.Comprehension(reducer="nim_sum" | "count" as reducer, body=body, clauses=(clause,)):
            if clause.source.type == POSITION:
                inner = numbers.bind({clause.variable: Text("h")})
                where = [inner.truth(x) for x in clause.conditions]
                if reducer == "count":
                    return f"{_GONE.format(_there(*where, inner.truth(body)), '1')} + {rest}"
                return f"{_GONE.format(_there(*where), inner.natural(body).at(BINDER))} ⊕ {rest}"
    raise Unsupported(f"the Coq theory does not have the fold {print_term(term)}")


def _there(*conditions: Text) -> str:
    """Return the Coq condition that the heap h is present and satisfies the conditions."""
    found = [x for x in conditions if x.text != "true"]
    if len(found) > 1:
        found = [join_texts(found, "&&", PRODUCT, "true", "left")]
    return join_texts((Text("0 <? h", COMPARISON), *found), "&&", PRODUCT, "true", "left").text


def show_folds(folds: Sequence[WrittenFold], comments: Sequence[str]) -> str:
    """Return the definitions of the folds, their lemmas for one more heap, and the tactics that apply these lemmas.

    `comments`: the comment for each definition.
    """
    lines = ["(* The folds. *)"]
    for fold, says in zip(folds, comments, strict=True):
        lines.append(f"Definition {fold.name} (s : position) : N := {fold.is_}.  {says}")
    lines.append("")
    for f in folds:
        lines += [
            f"#[local] Instance {f.name}_same : Proper (same ==> eq) {f.name}.",
            f"Proof. intros s t E. unfold {f.name}. rewrite E. reflexivity. Qed.",
            f"Lemma {f.name}_none : {f.name} [] = 0.",
            "Proof. reflexivity. Qed.",
            f"Lemma {f.name}_beside h R : {f.name} (h :: R) = {f.beside}.",
            f"Proof. unfold {', '.join(x.name for x in folds)}. beside h. Qed.",
        ]
    rewrites = "".join(f", ?{f.name}_none, ?{f.name}_beside" for f in folds)[2:]
    lines.append(f"Ltac see := rewrite {rewrites} in *." if folds else "Ltac see := idtac.")
    same = "".join(f", ?({f.name}_same _ _ E)" for f in folds)[2:]
    lines.append(f"Ltac same E := rewrite {same} in *." if folds else "Ltac same E := idtac.")
    forgotten = "; ".join(f"generalize dependent ({f.name} s)" for f in folds)
    lines.append(f"Ltac forget s := {forgotten}; intros." if folds else "Ltac forget s := intros.")
    return "\n".join(lines)


# == invariant ========================================================================================================
# The facts of a proof, its losing positions and named moves, and the theorem about who wins.
S, HEAP_AND_REST = Text("s"), Text("(h :: R)")


@dataclass(frozen=True)
class Mover:
    """The player to move.

    `word`: the player's name in Coq, or p if the rules do not distinguish the players.
    `index`: the player's index in the invariant.
    `other`: the opponent's name in Coq.
    """

    word: str
    index: int
    other: str

    @property
    def given(self) -> str:
        """Return " p", the variable for the player in lemmas about both players; "" in lemmas about a named player."""
        return " p" if self.word == "p" else ""

    @property
    def suffix(self) -> str:
        return "" if self.word == "p" else f"_{self.word}"


@dataclass
class Invariant:
    """A writer of the Coq definitions and lemmas of one proof by folds.

    `proof`, `game`: the proof, and the game that it is about.
    `called`: the game as a Coq term.
    `folds`: the folds of the proof as Coq text.
    `numbers`: a writer of terms over the variables of the claim, except the position.
    """

    proof: FoldsProof
    game: Game
    called: Text
    folds: Sequence[WrittenFold]
    numbers: Statements

    @property
    def movers(self) -> list[Mover]:
        """Return the players that the rules distinguish; for an impartial game only `p`, which stands for both."""
        if self.game.ruleset.impartial:
            return [Mover("p", 0, "other p")]
        a, b = (self.numbers.names[key_of_player(i)].text for i in range(len(self.game.ruleset.players)))
        return [Mover(a, 0, b), Mover(b, 1, a)]

    @property
    def misere(self) -> bool:
        return self.game.ruleset.stuck_wins

    def bind_position(self, position: Text, rest: Text | None = None) -> Statements:
        """Return a writer of terms that may contain the folds of a position, such as X, and the picked heap h.

        X is the fold X of `position`. If `rest` is given, rest_X is the fold X of `rest`, the heaps that are not
        picked.
        """
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
        """Yield the definitions of the folds, and the facts about every position."""
        yield show_folds(self.folds, [comment(print_term(f.term)) for f in self.proof.folds])
        facts = [self.bind_position(S).says(x) for _, x in self.proof.facts]
        inside = join_texts(facts, "/\\", AND, "True", "right").text
        names = comment("Facts about every position: " + "; ".join(n for n, _ in self.proof.facts) + ".")
        yield f"""{names if facts else "(* The proof states no facts about every position. *)"}
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
        """Yield the definition of the lost positions, and the lemmas that no move leads from a lost to a lost position.

        A position is lost if the invariant says that the player to move loses.
        """
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
        """Return the Coq text of the condition that the player p, to move at s, loses."""
        says = {i: self.bind_position(S).says(x) for i, x in self.proof.loses}
        if self.game.ruleset.impartial:
            return says[0].text
        arms = "".join(f"\n  | {m.word} => {says[m.index].at(BINDER)}" for m in self.movers)
        return f"match p with{arms}\n  end"

    @property
    def of_largest(self) -> bool:
        return self.game.ruleset.moves[0].choose == "largest"

    def play(self) -> Iterator[str]:
        """Yield the lemmas about lost positions, named moves and who wins; none if the proof has no invariant."""
        if not self.proof.loses:
            return
        yield from self.losses()
        for number, move in enumerate(self.proof.moves, 1):
            for mover in self.movers_of(move):
                yield self.write_named_move(number, move, mover)
                yield self.reply(number, move, mover)
        for mover in self.movers:
            yield self.cover(mover, leads=True)
            if self.misere:
                yield self.cover(mover, leads=False)
        yield self.write_winner_theorem()

    def movers_of(self, move: FoldsMove) -> list[Mover]:
        """Return the players who may make the named move."""
        return [m for m in self.movers if move.player in (None, m.index)]

    def cover(self, mover: Mover, leads: bool) -> str:
        """Return two lemmas about the positions that the mover does not lose (`leads`), or loses (not `leads`).

        The first lemma: at each of these positions, the condition of some named move holds. The second lemma: at each
        of these positions, the mover has a legal move, which with `leads` leads to a loss of the next player.
        Raises Unsupported if the mover has no named move for these positions.
        """
        moves = [(i, m) for i, m in enumerate(self.proof.moves, 1) if m.to_loss is leads and mover in self.movers_of(m)]
        if not moves:
            raise Unsupported(
                f"no named move of {mover.word} {'leads to a loss' if leads else 'shows that this player can move'}"
            )
        whens = join_texts((self.write_condition(m) for _, m in moves), "\\/", OR, "False", "right").text
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

    def write_winner_theorem(self) -> str:
        """Return the theorem that the mover wins if and only if the position does not satisfy the invariant."""
        game, name = self.called.argument, self.numbers.names[key_of_ruleset(self.game.ruleset.id)].text
        largest = " specialize (A eq_refl)." if self.of_largest else ""

        def write_case(lemma: str, arguments: str) -> str:
            if self.movers[0].given:
                return f"exact ({lemma} q{arguments})"
            return f"destruct q; [{' | '.join(f'exact ({lemma}{m.suffix}{arguments})' for m in self.movers)}]"

        some = " (Some eq_refl)" if self.misere else ""
        stuck = (
            f"intros _ q t L. {write_case('able_move', ' t L (lost_some _ t L)')}." if self.misere else "discriminate."
        )
        return f"""{self._write_lost_some() if self.misere else ""}Lemma who_wins p s : wins {game} p s <-> ~ lost p s.
Proof.
  apply wins_by_invariant.
  - apply {name}_smaller.
  - exact lost_same.
  - intros q h y R Pos B A.{largest} {write_case("closed", f" h y R Pos B{' A' if self.of_largest else ''}")}.
  - intros q t N Some. {write_case("cover_move", f" t N{some}")}.
  - {stuck}
Qed."""

    def _write_lost_some(self) -> str:
        return """Lemma lost_some p s : lost p s -> exists h, h ∈ s.
Proof.
  intros L. destruct (some_heap_or_none s) as [Some|None]; [exact Some | exfalso].
  apply (lost_same p s [] (nothing s None)) in L. unfold lost in L. destruct p; see; cbn in L; lia.
Qed.
"""

    # -- named moves --------------------------------------------------------------------------------------------------
    def write_named_move(self, number: int, move: FoldsMove, mover: Mover) -> str:
        """Return the lemma about a named move: if `when` holds, there is a heap to pick, and the move is legal.

        Under misère play, the lemma assumes that the position has a heap.
        """
        name = f"named_{number}{mover.suffix}"
        made = self.becomes(move, HEAP_AND_REST, Text("R"))
        pick = self.pick(move, HEAP_AND_REST)
        some = "(exists h, h ∈ s) -> " if self.misere else ""
        largest = " /\\ largest R <= h" if self.of_largest else ""
        conditions = f"{pick.at(AND - 1)} /\\ becomes {self.called.argument} {mover.word} h {made.argument}{largest}"
        numbers = ", ".join(x.argument for x in self.write_picks(move, HEAP_AND_REST, Text("R")))
        return f"""Lemma {name}{mover.given} s : {some}{self.write_condition(move).at(ARROW - 1)} ->
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
        """Return the lemma that there is a heap to pick, and a tactic that makes the named move at a position u."""
        some = "(exists h, h ∈ s) -> " if self.misere else ""
        at = Text("u")
        made = self.becomes(move, at, Text("R")).argument
        numbers = ", ".join(x.argument for x in self.write_picks(move, at, Text("R")))
        legal = f"legal; {self._choose_kind(move).replace('. ', '; ')}exists {numbers}; show_numbers"
        return f"""Lemma picked_{number} s : {some}{self.write_condition(move).at(ARROW - 1)} ->
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
        """Return the lemma that the named move leads to a position that the next player loses.

        For a move with `to = "anywhere"`, the lemma states only that there is a legal move.
        """
        some, given = ("(exists h, h ∈ s) -> ", "Some ") if self.misere else ("", "")
        made = self.becomes(move, HEAP_AND_REST, Text("R")).argument
        leads = f"move {self.called.argument} {mover.word} s t"
        lost = f" /\\ lost {_argument(mover.other)} t" if move.to_loss else ""
        name = f"{'reply' if move.to_loss else 'there_is'}_{number}{mover.suffix}"
        arguments = f"{' p' if mover.given else ''} s{' Some' if some else ''} W"
        known, why = ("B & A", "auto") if self.of_largest else ("B", "discriminate")
        asked = f"~ lost {mover.word} s -> " if move.to_loss else ""
        head = f"""Lemma {name}{mover.given} s : {some}{asked}{self.write_condition(move).at(ARROW - 1)} ->
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

    def write_condition(self, move: FoldsMove) -> Text:
        return self.bind_position(S).says(move.when)

    def pick(self, move: FoldsMove, position: Text) -> Text:
        """Return the Coq text of the condition that the named move picks the heap h of the position."""
        writer = self.bind_position(position)
        if move.top_bit:
            fold = next(w for f, w in zip(self.proof.folds, self.folds, strict=True) if f.name == move.top_bit)
            term = self._top_term(move)
            left = infix(term, "⊕", apply(fold.name, position), 45, "left")
            return infix(left, "<", term, COMPARISON)
        if move.extreme:
            return infix(Text("h"), "=", apply("largest", position), COMPARISON)
        return Text("True") if move.having is None else writer.says(move.having)

    def _top_term(self, move: FoldsMove) -> Text:
        """Return the Coq text of the number that a heap h contributes to the nim-sum X, for a pick "top bit of X".

        Raises Unsupported if X is not a nim-sum.
        """
        fold = next(f for f in self.proof.folds if f.name == move.top_bit)
        match fold.term:
            case t.Operation(op="nim_sum"):
                return Text("h")
            case t.Comprehension(reducer="nim_sum", body=body, clauses=(clause,)):
                inner = self.numbers.bind({clause.variable: Text("h")})
                value = inner.natural(body)
                if not clause.conditions:
                    return value
                where = join_texts((inner.truth(x) for x in clause.conditions), "&&", 40, "true", "left")
                return Text(f"(if {where.at(BINDER)} then {value.text} else 0)")
        raise Unsupported(
            f"no Coq proof is generated if a heap is chosen at the top bit of {move.top_bit}, which is not a nim-sum"
        )

    def _find(self, move: FoldsMove) -> str:
        """Return the Coq tactics that prove that there is a heap to pick."""
        if move.top_bit:
            fold = next(w for f, w in zip(self.proof.folds, self.folds, strict=True) if f.name == move.top_bit)
            lemma = "top_bit" if fold.is_ == "nim_sum s" else "top_bit_of"
            return f"apply {lemma}. change ({fold.name} s <> 0). unfold facts in F. forget s. settle."
        found = "some_heap_by ltac:(fun _ => see) W."
        if move.extreme:
            return "clear F. exists (largest s). split; [|reflexivity]. apply some_largest. " + found
        if move.having is None:
            return "clear F. enough (exists h, h ∈ s) as (h & I) by (exists h; auto). " + found
        inner = self.bind_position(S)
        asked, counted = inner.says(move.having), inner.truth(move.having)
        is_ = f"count (fun h => {counted.at(BINDER)}) s"
        same = next((f.name for f in self.folds if f.is_ == is_), None)
        change = f"change (0 < {same} s); " if same else ""
        return (
            f"apply (some_heap (fun h => {asked.at(BINDER)}) (fun h => {counted.at(BINDER)})); "
            f"[intros; lia | {change}unfold facts in F; forget s; settle]."
        )

    def write_picks(self, move: FoldsMove, position: Text, rest: Text) -> list[Text]:
        """Return the numbers that the named move picks, in the order in which the rules of the game list the picks."""
        writer = self.bind_position(position, rest)
        take = dict(move.take)
        kind = self._kind(move)
        found = []
        for pick in self.game.ruleset.moves[kind].picks:
            found.append(_natural(writer, take[pick.name]))
        return found

    def _kind(self, move: FoldsMove) -> int:
        """Return the index, in the ruleset, of the kind of move whose picks have the names in `take`.

        Raises Unsupported if there is none.
        """
        wanted = {name for name, _ in move.take}
        for i, kind in enumerate(self.game.ruleset.moves):
            if {p.name for p in kind.picks} == wanted:
                return i
        raise Unsupported(f"no move of {self.game.ruleset.id} picks {', '.join(sorted(wanted))}")

    def _choose_kind(self, move: FoldsMove) -> str:
        kind, last = self._kind(move), len(self.game.ruleset.moves) - 1
        return "right. " * kind + ("left. " if kind < last else "")

    def becomes(self, move: FoldsMove, position: Text, rest: Text) -> Text:
        """Return the size to which the named move changes the picked heap h."""
        writer = self.bind_position(position, rest)
        kind = self.game.ruleset.moves[self._kind(move)]
        (heap,), (size,) = kind.heaps, kind.become
        terms = {heap: t.Variable(size.type, 0, 0, PICKED_HEAP), **dict(move.take)}
        return _natural(writer, substitute(size, terms))


def _natural(writer: Statements, term: t.Term) -> Text:
    """Translate an integer term of a named move into a Coq term for a natural number; a negative number becomes 0.

    Summands that would be added and subtracted again are cancelled first.
    """
    match _lift(term):
        case t.IfElse(condition=c, then=a, other=b):
            then, other = _natural(writer, a), _natural(writer, b)
            return Text(f"(if {writer.truth(c).at(BINDER)} then {then.text} else {other.text})")
        case lifted:
            number = writer.number(lifted).cancel_common()
            given = total(number.plus)
            return infix(given, "-", total(number.minus), SUM, "left") if number.minus else given


def _lift(term: t.Term) -> t.Term:
    """Move a conditional out of a sum or difference: a + (x if c else y) becomes a + x if c else a + y."""
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


# == argument =========================================================================================================
# The claim itself, from the invariant, the facts and the named moves of a proof.
# -- lemmas -----------------------------------------------------------------------------------------------------------
# A claim uses the generated files of its lemmas: their theorems about losing positions, and their facts.


def module_of(id: str) -> str:
    """Return the Coq module of a claim's file, relative to the folder of all generated files.

    >>> module_of("kl-nim/theorem-14")
    'kl_nim.theorem_14'
    """
    return ".".join(name_in_coq(part) for part in id.split("/"))


@dataclass(frozen=True)
class ImportedInvariant:
    """The invariant of a lemma, for use in the Coq file of a claim.

    `id`: the id of the lemma.
    `module`: the Coq module of its file.
    `wins`: the name, in the file of the claim, of the Coq lemma about who wins. `text` is this Coq lemma.
    `facts`: the Coq term of the facts of the lemma.
    `unfolds`: the definitions of the lemma that proofs unfold.
    `game`: the name of the game in the claim.
    """

    id: str
    module: str
    wins: str
    text: str
    facts: str
    unfolds: tuple[str, ...]
    game: str


def write_known(lemma: Lemma, claim: Claim, binders: Sequence[Binder], numbers: Statements) -> ImportedInvariant:
    """Return the invariant that proves a lemma, restated for the game of the claim with the same ruleset.

    Raises Unsupported if the lemma is not proved by an invariant, is about another game, or uses an integer that is not
    a variable of the claim.
    """
    other = unfold_claim(lemma.claim)
    proof = other.proof
    if not isinstance(proof, FoldsProof) or not proof.loses or proof.by:
        raise Unsupported(f"the lemma {lemma.id} is not proved by an invariant")
    theirs, inner = write_variables(other)
    ours = {b.word: b.name for b in binders if b.is_number}
    integers = [b for b in theirs if b.is_number]
    if missing := [b.word for b in integers if b.word not in ours]:
        raise Unsupported(
            f"the lemma {lemma.id} uses integers that are not variables of the claim: {', '.join(missing)}"
        )
    game = other.games[0]
    here = next((g for g in claim.games if g.ruleset.id == game.ruleset.id), None)
    if here is None:
        raise Unsupported(f"the lemma {lemma.id} is about another game")
    module, short = module_of(lemma.id), name_in_coq(lemma.id.rpartition("/")[2])
    folds = write_folds(proof.folds, inner, proof.position)
    invariant = Invariant(proof, game, inner.games[game.name], folds, inner)
    lost = _parameters([invariant.loss, *(f.is_ for f in folds if _mentions(invariant.loss, f.name))], integers)
    given = "".join(f" {ours[b.word]}" for b in lost)
    name = f"wins_by_{short}"
    facts = "".join(f" {ours[b.word]}" + " ltac:(lia)" * len(b.bounds) for b in integers)
    text = f"""{comment(f"The winner, by {lemma.id}.")}
Lemma {name} p s : wins {numbers.games[here.name].argument} p s <-> ~ {short}.lost{given} p s.
Proof. apply {short}.who_wins; lia. Qed."""
    unfolds = tuple(f"{short}.{x}" for x in ("lost", "facts", *(f.name for f in folds)))
    return ImportedInvariant(lemma.id, module, name, text, f"{short}.facts_hold{facts}", unfolds, here.name)


def import_known(known: Sequence[ImportedInvariant]) -> str:
    """Return the Coq lines that load the files of the lemmas."""
    return "".join(f"From NimChecks Require {k.module}.\n" for k in known)


def _mentions(text: str, name: str) -> bool:
    return name in re.findall(r"[\w']+", text)


def _parameters(texts: Sequence[str], binders: Sequence[Binder]) -> list[Binder]:
    """Return the section variables that occur in one of these Coq texts, in the order of their declarations."""
    return [b for b in binders if any(_mentions(text, b.name) for text in texts)]


# -- argument ---------------------------------------------------------------------------------------------------------
def write_argument(
    claim: Claim,
    proof: FoldsProof,
    invariant: Invariant,
    binders: Sequence[Binder],
    numbers: Statements,
    known: Sequence[ImportedInvariant],
) -> Iterator[str]:
    """Yield the Coq lemma `claim` and its auxiliary lemmas.

    The lemma `claim` quantifies over the variables of the claim that are not integers. Integers are section variables.
    `known`: the invariants of the lemmas that the proof uses.
    """
    quantifiers = list(rewrite_heap_counts(claim, numbers))
    yield "(* Quantifiers over heaps, as counts. *)" if quantifiers else ""
    for number, lemma in enumerate(quantifiers, 1):
        yield f"Lemma of_heaps_{number} {lemma}"
    rest = [b for b in binders if not b.is_number]
    typed = "".join(f" ({b.name} : {b.type})" for b in rest)
    says = numbers.says(claim.conclusion).at(BINDER)
    if claim.hypothesis is not None:
        says = f"{numbers.says(claim.hypothesis).at(ARROW - 1)} ->\n  {says}"
    rewrites = [f"of_heaps_{i}" for i in range(1, len(quantifiers) + 1)]
    opened = list(_unfold_wins(claim, numbers)) if proof.unfold else []
    rewrites += [*(["who_wins"] if proof.loses else []), *(k.wins for k in known)]
    names = ["facts", *(["lost"] if proof.loses else []), *(f.name for f in invariant.folds)]
    unfolds = ", ".join([*names, *(x for k in known for x in k.unfolds)])
    facts = ["facts_hold", *(k.facts for k in known)]
    positions = [b.name for b in rest if b.type == "position"]
    yield f"""Ltac see_through := unfold {unfolds} in *.
Ltac know u := {"; ".join(f"pose proof ({fact} u)" for fact in facts)}; see_through.
Ltac show_numbers := see_through; about_numbers."""
    for number, move in enumerate(proof.moves, 1):
        yield invariant.witness(number, move)
    moves = " | ".join(f"witness_{i} u" for i in range(1, len(proof.moves) + 1))
    yield f"Ltac witness u := {f'first [ {moves} ]' if moves else 'fail'}."
    yield f"""Lemma claim{typed} :
  {says}.
Proof.
  {"".join(f"rewrite {x}. " for x in opened)}{"".join(f"repeat setoid_rewrite {x}. " for x in rewrites)}
  {"".join(f"know {x}. " for x in positions)}
  see_through. argue_by ltac:(fun u => know u) ltac:(fun u => witness u).
Qed."""


def _unfold_wins(claim: Claim, numbers: Statements) -> Iterator[str]:
    """Yield the equations that expand `wins` at the position variables of the claim, without repetitions.

    Raises Unsupported for misère play.
    """
    seen = set[str]()
    for term in walk((claim.hypothesis or (), claim.conclusion)):
        match term:
            case t.GameCall(function="wins", game=game, args=(t.Variable(name=s), mover)) if s in numbers.names:
                rules = numbers.rules[game].ruleset
                if rules.stuck_wins:
                    raise Unsupported(f"{rules.id}: the definition of winning is expanded only for normal play")
                name = numbers.names[key_of_ruleset(rules.id)].text
                called = numbers.games[game].argument
                given = "".join(
                    f" {x.argument}" for x in map(numbers.natural, dict(numbers.rules[game].arguments).values())
                )
                player = numbers.player(mover).argument
                lemma = f"(wins_normal {called} ({name}_smaller{given}) ({name}_decided{given}) {player} {s} eq_refl)"
                if lemma not in seen:
                    seen.add(lemma)
                    yield lemma


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
