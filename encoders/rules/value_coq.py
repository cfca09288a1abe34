"""A proof by the rule "value" as an instance of the Coq theorem about the rule, coq/theory/Values.v.

The instance defines the region, the formula and the options over the integers of a shape. Each obligation is a Coq
lemma, which its certificate proves. The instance applies this lemma to the numbers that the obligation is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar, TypeAlias

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, walk
from claims.language.syntax.terms import BOOL
from encoders.coq.instances import (
    PosedObligation,
    RuleInstance,
    name_obligations,
    write_condition,
    write_divisions,
    write_list_pattern,
    write_number,
    write_pattern,
)
from encoders.coq.propositions import Statements
from encoders.coq.statement import Binder, state, write_section
from encoders.coq.writing import BINDER, name_in_coq
from encoders.logic.integers import PRODUCT, REMAINDERS
from encoders.logic.moves import open_moves
from encoders.refusals import Unsupported
from encoders.rules import value as kinds
from encoders.rules.base.rule import ProofServices, build_with_reader
from encoders.rules.base.shape import DEFINED, PARAMETERS, RULES
from encoders.rules.shapes_coq import find_values, match_copies
from encoders.rules.value import PositionShape, ShapeReader, ValueProof, list_obligations, names
from encoders.trust import ObligationKind

_OF_THEORY = {PARAMETERS, RULES, DEFINED, kinds.FORMULA, PRODUCT, REMAINDERS}
"""Obligations that the theorem about the rule, or the proposition `defined`, does not take from the proof."""
_NAMES = "R t h y m O I V W".split()
"""Names of variables and hypotheses in the instance."""
_OF_SHAPES = (
    "no_shape no_sizes copies_of with_heap with_rest sizes_with size_with choose_sizes top_of shape_of sizes_from "
    "some_option next_turn Z.of_nat N.of_nat Pos.of_succ_nat Pos.succ"
)
"""The definitions of the theory that the instance unfolds."""


class _Recorder(ShapeReader):
    """A reader that records its variables in `made`, in the order in which they were made."""

    def __init__(self, claim: Claim, proof: ValueProof) -> None:
        self.made: list[str] = []
        super().__init__(claim, proof)

    def fresh(self, name: str) -> t.Variable:
        found = super().fresh(name)
        self.made.append(found.name)
        return found

    @property
    def given(self) -> list[str]:
        """The variables, except for quotients and remainders."""
        results = {x.name for *_, q, r in self.divided for x in (q, r) if isinstance(x, t.Variable)}
        return [name for name in self.made if name not in results]


_Posed: TypeAlias = PosedObligation[_Recorder]


def _list_posed(claim: Claim, proof: ValueProof) -> Iterator[_Posed]:
    """Return the obligations of the proof that its Coq text uses. Raises Unsupported."""
    asks = (x for x in list_obligations(claim, proof, iter(())) if x[0].kind not in _OF_THEORY)
    return name_obligations(build_with_reader(*x, lambda: _Recorder(claim, proof)) for x in asks)


@dataclass(eq=False)
class _Instance(RuleInstance[ValueProof, _Posed]):
    """A writer of the Coq instance of one proof."""

    theory: ClassVar[str] = "Values"
    called: ClassVar[str] = "a proof of values"
    scope: ClassVar[str] = ""

    def __post_init__(self) -> None:
        self.parts: list[str] = []
        for word in names(self.proof.ordered):
            self.parts.append(name_in_coq(word, (*_NAMES, *self.numbers.used_names, *self.parts)))
        self.folds, self.sizes = self.parts[: len(kinds.FOLDS)], self.parts[len(kinds.FOLDS) :]

    @cached_property
    def count(self) -> str:
        """The Coq text, of type Z, for the number of players."""
        return write_number(_Recorder(self.claim, self.proof).players, self.integers)

    # -- obligations --------------------------------------------------------------------------------------------------
    def obligations(self) -> str:
        """Return the Coq module with the obligations, and what the lemmas of the instance need."""
        return f"{super().obligations()}Open Scope N_scope.\nLtac Zify.zify_post_hook ::= divisions_by_numbers.\n"

    def of_kind(self, kind: ObligationKind) -> _Posed:
        return self.find(kind.make_label().name)

    def use(self, o: _Posed, *given: str) -> str:
        """Return the Coq tactic that adds to the context, as O, an obligation about some numbers.

        `given`: the Coq text of type Z for the variables that the reader has made, in their order. Raises Unsupported
        if the obligation is about a number for which no value is given.
        """
        values = self.integers | dict(zip(o.reader.given, given, strict=True))
        return f"pose proof ({self.apply(o, write_divisions(o.reader.divided, values))}) as O; give O."

    # -- definitions --------------------------------------------------------------------------------------------------
    def lemmas(self) -> Iterator[str]:
        """Yield the definitions of the instance and its lemmas, the last of them the lemma `claim`."""
        yield from self._definitions()
        yield from self._about_shapes()
        yield self._moves()
        yield from self._winners()
        yield from self._claim()

    def _definitions(self) -> Iterator[str]:
        """Yield the definitions over the integers of a shape, and the tactic that unfolds them."""
        size = self.proof.ordered
        yield f"""\
Notation G := {self.numbers.games[self.game.name].argument}.
Open Scope Z_scope.

(* Shapes of positions, the region, the formula, and the options. *)
Definition possible_shape {self._of_shape(lambda _, s: kinds.possible(s))}
Definition in_region {self._of_shape(ShapeReader.region)}
Definition worth {self._of_shape(ShapeReader.value)}"""
        for i, x in enumerate(self.proof.options, 1):
            yield f"Definition fits_{i} {self._of_shape(partial(_read_condition, x.when))}"
            yield f"Definition size_{i} {self._of_shape(partial(_read_number, x.becomes))}"
        several = range(1, len(self.proof.options) + 1)
        own = " ".join(["possible_shape in_region worth options region", *(f"fits_{i} size_{i}" for i in several)])
        yield f"""\
Definition options : list ((shape -> Prop) * (shape -> Z)) := [{"; ".join(f"(fits_{i}, size_{i})" for i in several)}].
Definition region (t : position) : Prop := in_region (shape_of {size} t).
Definition formula (t : position) : N := Z.to_N (worth (shape_of {size} t)).
Ltac see := cbv beta iota zeta delta [{own}
  {_OF_SHAPES}] in *.
"""

    def _of_shape(self, read: Callable[[ShapeReader, PositionShape], t.Term]) -> str:
        """Return the Coq text of a function of a shape, over the integers.

        `read`: returns the number or condition that the reader makes of a shape.
        """
        reader = _Recorder(self.claim, self.proof)
        made = read(reader, reader.shape("s"))
        values = self.integers | dict(zip(reader.given, self.parts, strict=True))
        values = write_divisions(reader.divided, values)
        write, kind, other = (write_condition, "Prop", "False") if made.type == BOOL else (write_number, "Z", "0")
        shape = f"({', '.join(self.folds)}, [{'; '.join(self.sizes)}])"
        return f"(R : shape) : {kind} := match R with {shape} => {write(made, values)} | _ => {other} end."

    # -- the rule -----------------------------------------------------------------------------------------------------
    def _about_shapes(self) -> Iterator[str]:
        """Yield a Coq lemma for each obligation about shapes, in the words of the theorem."""
        size = self.proof.ordered
        heap, rest, none = f"(with_heap {size} R h)", f"(with_rest {size} R y)", f"(no_shape {size})"
        known = f"possible_shape R -> 1 <= h -> top_of R <= h -> in_region {heap} ->"
        for name, kind, says in (
            ("possible_none", kinds.SHAPE_NONE, f"possible_shape {none}"),
            ("empty", kinds.EMPTY, f"in_region {none} -> worth {none} = 0"),
        ):
            yield f"Lemma {name} : {says}.\nProof. intros. see. {self.use(self.of_kind(kind))} exact O. Qed."
        for name, kind, given, says in (
            ("possible_more", kinds.SHAPE_MORE, "h", f"possible_shape R -> 1 <= h -> possible_shape {heap}"),
            ("closed", kinds.CLOSED, "h y", f"{known} 0 <= y -> y < h -> in_region {rest}"),
            (
                "within",
                kinds.RANGE,
                "",
                f"possible_shape R -> in_region R -> 0 <= worth R /\\ worth R < {self.count}",
            ),
            (
                "no_less",
                kinds.LEAST,
                "h y",
                f"{known} 0 <= y -> y < h ->\n  worth {heap} <= next_turn {self.count} (worth {rest})",
            ),
            ("covered", kinds.COVER, "h", f"{known} some_option shape {heap} options"),
        ):
            yield f"Lemma {name} R {given} : {says}.\nProof.\n  intros. {self._prove(self.of_kind(kind), given)}\nQed."
        functions = f"shape (with_heap {size}) (with_rest {size}) top_of possible_shape in_region worth"
        for i, o in enumerate((o for o in self.posed if o.kind is kinds.ATTAINS), 1):
            yield f"Lemma attained_{i} : attains {self.count} {functions} (fits_{i}, size_{i})."
            yield f"Proof.\n  intros R h ? ? ? ? ?. {self._prove(o, 'h')}\nQed."

    def _prove(self, o: _Posed, given: str) -> str:
        """Return the Coq tactics that prove what an obligation says of a possible shape R and the integers `given`."""
        opened = (
            f"destruct R as [{write_pattern(self.folds)} {write_list_pattern(self.sizes)}]; see; try contradiction."
        )
        return f"{opened}\n  {self.use(o, *self.parts, *given.split())} exact O."

    def _moves(self) -> str:
        """Return the Coq lemma that a move makes anything smaller of a largest heap."""
        o, heap, size = self.of_kind(kinds.MOVES), "(Z.of_N h)", "(Z.of_N y)"
        (move,) = open_moves(self.game, 0)
        (pick,) = move.picks
        m = name_in_coq(pick.word, (*_NAMES, *self.numbers.used_names))
        return f"""\
Lemma moves h y : (0 < h)%N -> becomes G First h y <-> (y < h)%N.
Proof.
  intros. split; intros I.
  - open_move I. destruct I as ({m} & I). {self.use(o, heap, size, f"(Z.of_N {m})")} by_parts. lia.
  - {self.use(o, heap, size, heap)} by_parts. name_pick (Z.of_N h - Z.of_N y) {m}. exists {m}. made_legal.
Qed."""

    def _winners(self) -> Iterator[str]:
        """Yield the Coq theorem that the formula gives the value of each position of the region."""
        size = self.proof.ordered
        players = self.numbers.natural(dict(self.game.arguments)[self.game.ruleset.player_count]).argument
        attained = "Forall_nil _"
        for i in range(len(self.proof.options), 0, -1):
            attained = f"Forall_cons _ attained_{i} ({attained})"
        of_shapes = " ".join(f"({name} {size})" for name in ("shape_same", "shape_of_none", "shape_more"))
        yield f"""\
Lemma is_possible t : possible_shape (shape_of {size} t).
Proof. exact (shape_is_possible _ _ _ _ {of_shapes} _ possible_none possible_more t). Qed.
Lemma formula_is t : region t -> Z.of_N (formula t) = worth (shape_of {size} t).
Proof. intros I. apply Z2N.id, (within _ (is_possible t) I). Qed.
Lemma so_many : Z.of_N {players} = {self.count}.
Proof. lia. Qed.
Theorem winners t : region t -> winner G {players} t (formula t).
Proof.
  exact (winner_by_formula G {players} _ eq_refl eq_refl so_many _ _ _ _ _ _ {of_shapes}
    (shape_beside {size}) (shape_top {size}) _ in_region worth options possible_none possible_more moves closed within
    empty no_less covered ({attained}) t).
Qed.
"""

    # -- the claim ----------------------------------------------------------------------------------------------------
    def _claim(self) -> Iterator[str]:
        """Yield the Coq lemma `claim`, which follows from the values and from the obligation about the claim."""
        positions = [b.name for b in self.binders if b.type == "position"]
        typed = "".join(f" ({name} : position)" for name in positions)
        smaller, _ = self.numbers.about_moves(self.game)
        yield f"Lemma claim{typed} :\n  ({state(self.claim, self.numbers).at(BINDER)})%N.\nProof.\n  intros. by_parts."
        yield from (f"  pose proof (is_possible {name})." for name in positions)
        yield f"  see. {self.use(self.of_kind(kinds.CLAIM), *(x for name in positions for x in self._shape(name)))}"
        asked = [self.numbers.position(x.args[0]).text for x in find_values(self.claim.conclusion).values()]
        for position in dict.fromkeys("@nil N" if x == "[]" else x for x in asked):
            yield f"  know_value formula_is winners O ({position})%N {smaller} ltac:(fun _ => see)."
        yield f"  {'destruct O as [O _]. ' if asked else ''}conclude_value O.\nQed."

    def _shape(self, position: str) -> Iterator[str]:
        """Yield the Coq text of the numbers in the shape of a position."""
        yield from (f"(Z.of_N ({x} {position}))" for x in ("number", "least", "times", "largest"))
        yield from (f"(size_at {self.proof.ordered} {position} {i})" for i in range(self.proof.ordered))


def _read_condition(term: t.Term, reader: ShapeReader, s: PositionShape) -> t.Term:
    return reader.truth(term, {**reader.env, **s.env()})


def _read_number(term: t.Term, reader: ShapeReader, s: PositionShape) -> t.Term:
    return reader.number(term, {**reader.env, **s.env()})


def write_instance(
    claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices
) -> Iterator[str]:
    """Yield the Coq text of a proof by the rule "value", which ends with the lemma `claim`. Raises Unsupported."""
    proof = claim.proof
    assert isinstance(proof, ValueProof)
    said = list(walk((claim.hypothesis or (), claim.conclusion)))
    copies = [x.args[0] for x in said if isinstance(x, t.Operation) and match_copies(x)]
    for term in said:
        if isinstance(term, t.Comprehension) and not any(term is x for x in copies):
            words = "from a formula for values, no Coq text is generated for a claim with this `for`"
            raise Unsupported(f"{print_term(term)}: {words}")
    made = _Instance(claim, proof, binders, numbers, services, list(_list_posed(claim, proof)))
    yield made.obligations()
    yield from write_section(binders, made.lemmas())
