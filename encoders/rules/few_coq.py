"""The Coq text of proofs by the rule "few heaps": definitions and sequents for the theorem in coq/theory/Few.v.

A proof is supported for two heaps, normal play, and a game in which both players have the same moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import permutations

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import substitute
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.coq import sequents
from encoders.coq.propositions import RULES, Statements, type_in_coq
from encoders.coq.sequents import write_module
from encoders.coq.statement import Binder, state
from encoders.coq.writing import BINDER, Text
from encoders.logic.moves import WHOLE, OpenMove, open_choices
from encoders.logic.sequents import NO, YES, ZERO, add, at_most, choose, equal, less_than, smallest
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.few_heaps import FewHeapsMove, FewProof
from encoders.rules.folds.ahead import (
    Both,
    Form,
    FormReader,
    Is,
    Not,
    Sizes,
    Some,
    deny,
    join_forms,
    list_bounds,
    write_form,
)


@dataclass
class _Reader(FormReader):
    """A translation of the conditions of a claim and its proof into forms."""

    proof: FewProof = field(kw_only=True)

    def read(self, term: t.Term, known: Mapping[str, Sizes]) -> Form:
        match term:
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == BOOL:
                first, second = self.read(a, known), self.read(b, known)
                both = Both("fAll", Both("fImp", first, second), Both("fImp", second, first))
                return both if op == "eq" else Not(both)
            case t.GameCall(function="wins", args=(t.Operation(op="position", args=(t.Collection(items=(a, b)),)), _)):
                return Not(self.lost((a, b)))
            case t.Operation(op="in", args=(x, s)) if s.type == POSITION:
                item = self.number(x, known)
                each = [Is(equal(heap, item)) for heap in self.sizes(s, known)]
                return Both("fAll", Is(less_than(ZERO, item)), join_forms("fAny", [*each, Is(NO)]))
        return super().read(term, known)

    def number(self, term: t.Term, known: Mapping[str, Sizes]) -> t.Term:
        match term:
            case t.Operation(op="min", args=(s,)) if s.type == POSITION:
                first, *others = self.sizes(s, known)  # a move chooses the first heap, so it is not 0
                return reduce(lambda made, x: choose(less_than(ZERO, x), smallest(made, x), made), others, first)
        return super().number(term, known)

    def loses(self, sizes: Sizes) -> Form:
        """Return the form which says that the mover loses from these heaps, which are in ascending order."""
        return self.read(substitute(self.proof.loses[0][1], dict(zip(self.proof.heaps, sizes, strict=True))), {})

    def lost(self, sizes: Sizes) -> Form:
        """Return the form which says that the mover loses from these heaps, which may be in any order."""
        ways = permutations(sizes)
        return join_forms("fAny", [Both("fAll", Is(at_most(a, b)), self.loses((a, b))) for a, b in ways])

    def leaves_loss(self, sizes: Sizes) -> Form:
        """Return the form which says that some option is lost. The named moves of the proof leave such options."""
        ways = list[Form]()
        for move in open_choices(self.game, 0):
            for places in permutations(range(len(sizes)), len(move.heaps)):
                named = [x for x in self.proof.moves if x.heaps == places and x.number in (None, move.number)]
                ways.append(self._way(move, sizes, places, [x for x in named if move.picks_by(dict(x.take))]))
        return join_forms("fAny", [*ways, Is(NO)])

    def _way(self, move: OpenMove, sizes: Sizes, places: tuple[int, ...], named: Sequence[FewHeapsMove]) -> Form:
        """Return the form which says that the move, on the heaps at these indices, can leave a lost position."""
        chosen = tuple(sizes[i] for i in places)
        others = tuple(x for i, x in enumerate(sizes) if i not in places)
        known = {WHOLE: (*chosen, *others)}
        values: dict[str, t.Term] = dict(zip(move.heaps, chosen, strict=True))
        given = [dict(values) for _ in named]
        for made, by in zip(given, named, strict=True):
            for pick in move.picks:
                made[pick.name] = dict(by.take).get(pick.word, substitute(pick.lo, made))
        picked = [self.bind("picked") for _ in move.picks]
        values |= {pick.name: x for pick, x in zip(move.picks, picked, strict=True)}
        left = [self.bind("left") for _ in move.becomes]
        conditions = [substitute(x, values) for x in (*move.ranges(), *(() if move.where is None else (move.where,)))]
        sizes_left = [Is(equal(y, substitute(size, values))) for y, size in zip(left, move.becomes, strict=True)]
        form = join_forms(
            "fAll", [*(self.read(x, known) for x in conditions), *sizes_left, self.lost((*left, *others))]
        )
        most = reduce(add, chosen)
        for y, size in reversed(list(zip(left, move.becomes, strict=True))):
            form = Some(y.name, most, form, {i: substitute(size, made) for i, made in enumerate(given)})
        for x, pick in reversed(list(zip(picked, move.picks, strict=True))):
            form = Some(x.name, most, form, {i: made[pick.name] for i, made in enumerate(given)})
        there = join_forms("fAll", [*(Is(less_than(ZERO, x)) for x in chosen), Is(YES)])
        return Both("fAll", there, form)


def write_few(claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices) -> Iterator[str]:
    """Yield the Coq text of the proof, which ends with the lemma `claim`.

    Raises Unsupported for a proof or a game that the Coq theory does not support.
    """
    proof = claim.proof
    assert isinstance(proof, FewProof)
    _refuse(claim, proof)
    (game,) = claim.games
    reader = _Reader(game, proof=proof)
    a, b = pair = tuple(t.Variable(INT, 0, 0, name) for name in proof.heaps)
    ordered, lost = Is(at_most(a, b)), reader.loses(pair)
    of_pair = tuple(proof.heaps)
    closed = Both("fImp", ordered, Both("fImp", lost, Not(reader.leaves_loss(pair))))
    replies = Both("fImp", ordered, Both("fImp", Not(lost), reader.leaves_loss(pair)))
    says = reader.read(claim.conclusion, {})
    if claim.hypothesis is not None:
        says = Both("fImp", reader.read(claim.hypothesis, {}), says)
    for bound in reversed([x for v in claim.variables for x in list_bounds(v)]):
        says = Both("fImp", Is(bound), says)
    of_claim = tuple(v.name for v in claim.variables)
    lemmas = [f"Definition lost : form := {write_form(lost, of_pair)}.\n"]
    for name, form, scope in (("closed", closed, of_pair), ("replies", replies, of_pair), ("claim", says, of_claim)):
        lemmas.append(_write_closed(name, form, scope, services))
    written = numbers.games[game.name].argument
    inner = numbers.bind({name: Text(x) for name, x in zip(proof.heaps, ("a0", "b0"), strict=True)})
    given = "".join(
        f" ({x.name} : N)" + "".join(f" ({h.name} : {h.says.at(BINDER)})" for h in x.bounds) for x in binders
    )
    bounds = " ".join(h.name for x in binders for h in x.bounds)
    names = "; ".join(x.name for x in binders)
    yield f"From NimChecks Require Import Ahead Few.\nOpen Scope N_scope.\n{write_module('Forms', lemmas)}"
    yield f"""\
Definition lost (a0 b0 : N) : Prop := {inner.says(proof.loses[0][1]).at(BINDER)}.
#[local] Instance ordered : orderly {written}.
Proof. ordered. Qed.
Lemma fewer k p s hs ys : In k (all_kinds {written}) -> length hs = chosen k -> occupied hs -> makes k p s hs ys ->
  length ys = length hs /\\ total ys < total hs.
Proof. leaves_fewer. Qed.
Lemma lost_or_not a0 b0 : lost a0 b0 \\/ ~ lost a0 b0.
Proof. unfold lost. decide_by_form Forms.lost [a0; b0]. Qed.
Lemma closed p a0 b0 : a0 <= b0 -> lost a0 b0 -> ~ (exists t, step {written} p [a0; b0] t /\\ lost_at lost t).
Proof. unfold lost at 1. look_ahead Forms.closed Forms.closed_hints [a0; b0] Forms.closed_ok. Qed.
Lemma replies p a0 b0 : a0 <= b0 -> ~ lost a0 b0 -> exists t, step {written} p [a0; b0] t /\\ lost_at lost t.
Proof. unfold lost at 1. look_ahead Forms.replies Forms.replies_hints [a0; b0] Forms.replies_ok. Qed.
Lemma who_wins p a0 b0 : rules_wins {written} p [a0; b0] <-> ~ either_way lost a0 b0.
Proof. exact (few_wins_if {written} lost eq_refl fewer lost_or_not closed replies p a0 b0). Qed.
Lemma claim{given} : {state(claim, numbers).at(BINDER)}.
Proof.
  rewrite !who_wins.
  {f"revert {bounds}. " if bounds else ""}look_ahead Forms.claim Forms.claim_hints [{names}] Forms.claim_ok.
Qed.
"""


def _write_closed(name: str, form: Form, scope: tuple[str, ...], services: ProofServices) -> str:
    """Return the Coq text of a form with its hints, and the proof that a certificate proves its sequent."""
    sequent, hints = deny(form, scope)
    closing = sequents.write_closing(sequent, services.find_certificate(sequent))
    return f"""\
Definition {name} : form := {write_form(form, scope)}.
Definition {name}_hints : hints := {hints}.
Lemma {name}_ok : check_sequent (denied_claim {name} {name}_hints {len(scope) + 1}) {closing} = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
"""


def _refuse(claim: Claim, proof: FewProof) -> None:
    """Raise Unsupported for a proof or a game that the Coq theory does not support."""
    (game,) = claim.games
    if type_in_coq(game.ruleset) != RULES or game.ruleset.parameters:
        raise Unsupported("for the rule few heaps, no Coq text is generated for this game")
    if len(proof.heaps) != 2 or any(v.type != INT for v in claim.variables):
        raise Unsupported("for the rule few heaps, Coq text is generated only for claims about two written heaps")
    if not game.ruleset.impartial or game.ruleset.stuck_wins or proof.value is not None:
        words = "who wins in normal play, if both players have the same moves"
        raise Unsupported(f"for the rule few heaps, Coq text is generated only for {words}")
    if proof.lemmas or proof.numbers:
        raise Unsupported("for the rule few heaps, no Coq text is generated for a proof with lemmas or numbers")
