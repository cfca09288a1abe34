"""The folds of a proof as functions of a position, and how each is put together heap by heap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claims.language.expressions.printing import print_term
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.coq.statement.numbers import CoqNumberWriter
from encoders.coq.statement.writing import BINDER, COMPARISON, PRODUCT, Text, chain, infix, name_in_coq
from encoders.ground.refusals import Unsupported
from encoders.rules.folds.statement.extremes import is_extreme
from encoders.rules.folds.statement.section import FoldDefinition

_GONE = "(if {} then {} else 0)"


@dataclass(frozen=True)
class WrittenFold:
    """A fold `name` of a position s: `is_` it, and what it is of a heap h beside R."""

    name: str
    term: t.Term
    is_: str
    beside: str


def write_folds(folds: Iterable[FoldDefinition], numbers: CoqNumberWriter, position: str) -> list[WrittenFold]:
    """The folds of a proof, `position` being what they call the position. Raises Unsupported."""
    made: list[WrittenFold] = []
    for fold in folds:
        name = name_in_coq(fold.name, (*(f.name for f in made), *numbers.used_names))
        inner = numbers.bind({position: Text("s")})
        is_ = inner.natural(fold.term).text
        made.append(WrittenFold(name, fold.term, is_, _beside(fold.term, name, inner, made)))
    return made


def _beside(term: t.Term, name: str, numbers: CoqNumberWriter, before: Sequence[WrittenFold]) -> str:
    """The fold of a heap h beside R, in terms of h and the folds of R."""
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
    raise Unsupported(f"the fold {print_term(term)} is not one of the theory")


def _there(*conditions: Text) -> str:
    """That the heap h is one, and meets the conditions."""
    found = [x for x in conditions if x.text != "true"]
    if len(found) > 1:
        found = [chain(found, "&&", PRODUCT, "true", "left")]
    return chain((Text("0 <? h", COMPARISON), *found), "&&", PRODUCT, "true", "left").text


def show_folds(folds: Sequence[WrittenFold], comments: Sequence[str]) -> str:
    """Their definitions, what they are of a heap beside others, and the tactics that see through them."""
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
