"""The translation of a claim and its [proof] into a Coq file, whose last theorem is the claim.

The file begins with the definitions of the games and of the statement, in a Coq module that is closed before the proof
begins. Then follow the folds, facts, losing positions and named moves of the [proof], and a lemma for each obligation.

Only Coq's kernel, and the translation of the games and of the statement, must be trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from claims.language.files.claim import Claim, Lemma, Proof, expand_definitions, unfold_claim
from claims.language.files.domains import ElementsOf, ListedDomain
from claims.language.files.library import find_shipped
from claims.language.syntax import terms as t
from claims.language.syntax.printing import TooLong, print_term, walk
from claims.language.syntax.terms import INT
from encoders.coq.finite import write_computation
from encoders.coq.propositions import GAME, RULES, Statements, type_in_coq
from encoders.coq.statement import Binder, CoqStatement, open_section, state, write_stated
from encoders.coq.writing import BINDER, OR, Text, comment, join_texts, module_of, name_in_coq
from encoders.proving.reading import Prover, load_claim
from encoders.refusals import Unsupported
from encoders.rules.base.shape import is_extreme
from encoders.rules.cases import CasesProof, narrow
from encoders.rules.equal import EqualProof
from encoders.rules.equal_coq import write_equal
from encoders.rules.few_coq import write_few
from encoders.rules.few_heaps import FewProof
from encoders.rules.folds.ahead import is_unfolded, looks_ahead, names_heaps, write_ahead, write_ordered, write_unfolded
from encoders.rules.folds.asked import write_lemmas
from encoders.rules.folds.by_theorems import follows_from_theorems
from encoders.rules.folds.conclusion import ArguedInstance, make_instance
from encoders.rules.folds.folding import match_mapping
from encoders.rules.folds.section import FoldsProof
from encoders.rules.grundy.instance import Instance
from encoders.rules.grundy.section import GrundyProof
from encoders.rules.periodic.coq import write_periodic, write_quotient
from encoders.rules.periodic.finding import PeriodicProof
from encoders.rules.periodic.quotient import QuotientProof
from encoders.rules.value import ValueProof
from encoders.rules.value_coq import (
    follows_from_recursion,
    follows_from_values,
    match_copies,
    write_least,
    write_recursion,
    write_values,
)

# -- cases ------------------------------------------------------------------------------------------------------------
# Proofs by cases in Coq. Each case has a separate module, which assumes the condition of the case.


def divide(claim: Claim) -> tuple[Claim, ...]:
    """Return the claims to prove separately: for a proof by cases, the claim simplified for each case.

    For another proof, return only the claim itself. Raises Unsupported.
    """
    if not isinstance(claim.proof, CasesProof):
        return (claim,)
    prover = Prover()
    return tuple(
        replace(narrow(claim, expand_definitions(case.when), prover), proof=_forget_case(case.proof))
        for case in claim.proof.cases
    )


def _forget_case(proof: Proof) -> Proof:
    """Return the proof of a case; only the obligations of a proof by folds assume the condition of the case."""
    return proof if isinstance(proof, FoldsProof) else replace(proof, assume=None)


def say_cases(claim: Claim, numbers: Statements) -> list[Text]:
    """Return the conditions of the cases, in the order of the [proof], as Coq propositions. Raises Unsupported."""
    assert isinstance(claim.proof, CasesProof)
    return [numbers.says(expand_definitions(case.when)) for case in claim.proof.cases]


def join_cases(
    claim: Claim, conditions: Sequence[Text], binders: Sequence[Binder], numbers: Statements
) -> Iterator[str]:
    """Yield the Coq lemma `claim`, which follows from the lemmas `Case_1.claim`, `Case_2.claim`, and so on.

    In each of these lemmas, the condition of the case is the first assumption after the integers and their bounds.
    """
    given, typed, rest, last = "", "", "", ""
    for b in binders:
        if not b.is_number:
            rest, last = f"{rest} ({b.name} : {b.type})", f"{last} {b.name}"
            continue
        given += "".join(f" {x}" for x in (b.name, *(h.name for h in b.bounds)))
        typed += f" ({b.name} : {b.type})" + "".join(f" ({x.name} : {x.says.at(BINDER)})" for x in b.bounds)
    pattern = "C"
    for _ in conditions[1:]:
        pattern = f"[C|{pattern}]"
    shown = "".join(
        f"  - pose proof (Case_{i}.claim{given} C{last}) as H. by_case H.\n" for i in range(1, len(conditions) + 1)
    )
    either = join_texts(conditions, "\\/", OR, "False", "right")
    yield f"""\
Lemma claim{typed}{rest} :
  {state(claim, numbers).at(BINDER)}.
Proof.
  assert (C : {either.at(BINDER)}) by lia. destruct C as {pattern}.
{shown}Qed.
"""


ByTable: TypeAlias = PeriodicProof | QuotientProof
CoqProof: TypeAlias = FoldsProof | FewProof | GrundyProof | ValueProof | ByTable
"""The proofs for which a Coq theorem can be generated."""


def lemmas_of(claim: Claim) -> tuple[Lemma, ...]:
    """Return the claims whose Coq files the Coq file of `claim` imports: the lemmas in its [proof].

    There is one exception: the [proof] is by folds, has no lemmas, and is taken from another claim of the library. If
    the [proof] of this other claim states an invariant and has no lemmas, return only this other claim. If the lemmas
    are theorems about values, return only the last one.
    """
    proof = claim.proof
    if proof is not None and follows_from_values(claim):
        return proof.by[-1:]
    if proof is None or proof.by or not proof.taken_from or not isinstance(proof, FoldsProof):
        return proof.by if proof else ()
    folder, slash, _ = claim.id.rpartition("/")
    id = f"{folder}{slash}{proof.taken_from}"
    entry = find_shipped(id)
    if entry is None:
        return ()
    other = load_claim(entry.path, entry.id)
    known = {v.name for v in claim.variables if v.type == INT}
    fits = {v.name for v in other.variables if v.type == INT} <= known
    fits = fits and all(type_in_coq(g.ruleset) == GAME for g in claim.games)
    fits = fits and not any(is_extreme(x) for fold in proof.folds for x in walk(fold.term))
    invariant = isinstance(other.proof, FoldsProof) and other.proof.loses and not other.proof.by and fits
    return (Lemma(id, other, entry.path),) if invariant else ()


# -- unsupported constructs --------------------------------------------------------------------------------------------
# Unsupported constructs and their messages. They are checked before any text is generated.


def check(claim: Claim, proof: Proof | None) -> None:
    """Raise Unsupported if the claim or the proof contains something for which no Coq text can be generated.

    The message names the first such thing.
    """
    for problem in (*_problems(claim, proof), *_find_statement_gaps(claim)):
        raise Unsupported(problem)


def _problems(claim: Claim, proof: Proof | None) -> Iterator[str]:
    if claim.has_parts:
        names = ", ".join(game.ruleset.id for game in claim.games if game.ruleset.heap is not None)
        yield f"the heaps of {names} have parts; the Coq theory supports only heaps that are numbers"
    if isinstance(proof, EqualProof | FewProof):
        return
    if looks_ahead(claim) or is_unfolded(claim) or follows_from_values(claim) or names_heaps(claim):
        return
    if not isinstance(proof, CoqProof):
        yield f"no Coq text is generated for {f'the rule {proof.rule}' if proof else 'a claim without [proof]'}"
        return
    if not isinstance(proof, FoldsProof):
        if proof.by:
            yield "no Coq text is generated for a proof of values that uses lemmas"
        if len(claim.games) != 1:
            yield "no Coq text is generated for a proof of values in a claim about several games"
        assert not isinstance(proof, FewProof)
        yield from _find_value_gaps(proof)
        return
    if proof.rule not in ("folds", "definition"):
        yield f"no Coq text is generated for the rule {proof.rule}"
    if follows_from_theorems(claim):
        return
    asks = any(isinstance(x, t.GameCall) for x in walk((claim.hypothesis or (), claim.conclusion)))
    if asks and not all(len(g.ruleset.players) == 2 for g in claim.games):
        yield "for the rule folds, Coq text is generated only if all games are for two players"
    if proof.loses and len(claim.games) > 1:
        yield "no Coq text is generated for an invariant (`loses`) in a claim about several games"
    for key, given in (("split", proof.split), ("heaps", proof.heaps), ("picks", proof.picks), ("steps", proof.steps)):
        if given:
            yield f"no Coq text is generated for a proof with the key {key}"
    if proof.several and not any(type_in_coq(g.ruleset) == RULES for g in claim.games):
        yield "no Coq text is generated for named moves with cases, unless some move chooses several heaps"


def _find_statement_gaps(claim: Claim) -> Iterator[str]:
    """Yield a message for each part of a claim and its games that has a statement in Coq, but no generated proof."""
    if claim.quantifier == "exists":
        yield "no Coq text is generated for the proof of an [exists] claim"
    if any(isinstance(v.domain, ElementsOf | ListedDomain) for v in claim.variables):
        yield "no Coq text is generated for a proof about a variable for the elements of a position or list"
    for game in claim.games:
        ruleset = game.ruleset
        proof = claim.proof
        own = isinstance(proof, FoldsProof) and _is_instance(claim) and proof.loses and not proof.by
        shown = isinstance(proof, FewProof) or follows_from_theorems(claim) or own
        if type_in_coq(ruleset) == RULES and not shown:
            which = "choose several heaps or a smallest heap, depend on other heaps, or leave as many objects as before"
            yield f"{ruleset.id}: no Coq text is generated for this proof about moves that {which}"
        known = (t.conjuncts(move.where) for move in ruleset.moves if move.where is not None)
        asked = [x for parts in known for part in parts for x in walk(() if _excludes(claim, part) else part)]
        if any(isinstance(x, t.Comprehension) for x in asked):
            yield f"{ruleset.id}: no Coq text is generated for a proof about moves whose conditions contain a `for`"
    for term in walk((claim.hypothesis or (), claim.conclusion)):
        match term:
            case t.Operation(op="position", args=(t.Collection(),)):
                pass
            case t.Operation(op="position") if match_mapping(term) is not None and _is_instance(claim):
                pass
            case t.Operation(op="position", args=(heaps,)):
                if follows_from_values(claim) or (isinstance(claim.proof, ValueProof) and match_copies(term)):
                    continue
                words = "no Coq text is generated for a proof about a position whose number of heaps varies"
                yield f"{print_term(heaps)}: {words}"


def _excludes(claim: Claim, condition: t.Term) -> bool:
    """Whether the Coq text of the claim's proof supports a condition of a move that contains a `for`."""
    match condition:
        case t.Comprehension(reducer="all", body=t.Operation(op="ne"), clauses=(t.Clause(conditions=()),)):
            return isinstance(claim.proof, GrundyProof)
    return False


def _find_value_gaps(proof: GrundyProof | ValueProof | ByTable) -> Iterator[str]:
    if isinstance(proof, ValueProof):
        if proof.ordered:
            yield "no Coq text is generated for a formula that uses the sorted heaps of a position (`sorted`)"
        return
    if isinstance(proof, ByTable):
        return
    if proof.assume is not None:
        yield "no Coq text is generated for a proof of Grundy values in one of several cases"


# -- generate ---------------------------------------------------------------------------------------------------------
START = "From NimChecks Require Import Tactics Digits Least Rules Language.\nOpen Scope N_scope.\n"
_IMPORTED = {
    type(None): "From NimChecks Require Import Finite.\n",
    PeriodicProof: "From NimChecks Require Import Tables.\n",
    QuotientProof: "From NimChecks Require Import Quotient.\n",
}
_DIVISION = "Ltac Zify.zify_post_hook ::= divisions.\n"


@dataclass(frozen=True)
class Theorem:
    """A Coq file that proves a claim.

    `module`: the name of the Coq module, which is also the path of the file below the common folder.
    `text`: the contents of the file.
    `rests_on`: the modules of the lemmas that the file imports.
    `refutes`: whether the file proves the negation of the claim.
    """

    module: str
    text: str
    rests_on: tuple[str, ...] = ()
    refutes: bool = False


def generate(claim: Claim) -> Theorem:
    """Return the Coq file that proves a claim, or the negation of a claim without [proof] that is expected to fail.

    Raises Unsupported if a claim that is expected to hold has no [proof] and may have infinitely many cases, or if no
    Coq text can be generated for some part of it.
    """
    divided: tuple[Claim, ...] = ()
    refutes = False
    try:
        whole = unfold_claim(claim)
        if whole.proof is None:
            computed = write_computation(whole)
            refutes = computed.refutes
            stated = write_stated(claim)
            body = _conclude(claim, computed.defined, f"unfold Statement.claimed; {computed.decides}", refutes)
        else:
            divided = divide(whole)
            for one in divided:
                check(one, one.proof)
            stated = write_stated(claim)
            body = "\n".join(_proof(whole, divided, stated))
    except TooLong as error:
        raise Unsupported(str(error)) from None
    made_by = comment(f"Made by: python -m checks coq {claim.id}")
    start = _IMPORTED.get(type(claim.proof), "") + START
    head = f"{comment(f'{claim.id}: {claim.description.title}.')}\n{made_by}\n\n{start}\n{stated.text}"
    divides = not (_is_instance(whole) or isinstance(claim.proof, GrundyProof)) and any(
        sign in head + body for sign in (" mod ", " / ")
    )
    rests_on = dict.fromkeys(module_of(lemma.id) for part in divided for lemma in lemmas_of(part))
    return Theorem(module_of(claim.id), f"{head}{_DIVISION if divides else ''}\n{body}", tuple(rests_on), refutes)


def _proof(claim: Claim, divided: Sequence[Claim], stated: CoqStatement) -> Iterator[str]:
    """Yield the parts of the Coq file after the statement: definitions, lemmas and the theorem. Raises Unsupported.

    `divided`: the result of `divide`.
    """
    binders, numbers = stated.binders, stated.numbers
    imported = dict.fromkeys(module_of(lemma.id) for part in divided if _is_instance(part) for lemma in lemmas_of(part))
    yield "".join(f"From NimChecks Require {module}.\n" for module in imported)
    by_invariant = isinstance(claim.proof, FoldsProof) and _is_instance(claim) and claim.proof.loses
    if not isinstance(claim.proof, ByTable | FewProof | GrundyProof) and not by_invariant:
        yield from (game.shown for game in stated.games)
    if isinstance(claim.proof, CasesProof):
        conditions = say_cases(claim, numbers)
        for number, (part, says) in enumerate(zip(divided, conditions, strict=True), 1):
            yield f"Module Case_{number}."
            yield from _section(part, binders, numbers, says)
            yield f"End Case_{number}.\n"
        yield from join_cases(claim, conditions, binders, numbers)
    else:
        yield from _section(divided[0], binders, numbers)
    yield _theorem(claim, binders)


def _is_instance(claim: Claim) -> bool:
    """Return whether the proof is an instance of the theorem about the rule folds, or follows from such instances."""
    proof = claim.proof
    if not isinstance(proof, FoldsProof) or isinstance(proof, EqualProof):
        return False
    return not (looks_ahead(claim) or is_unfolded(claim) or names_heaps(claim) or follows_from_values(claim))


def _require_theorem(lemma: Lemma) -> None:
    """Raise Unsupported if no Coq theorem is generated for the lemma."""
    try:
        generate(lemma.claim)
    except Unsupported as error:
        raise Unsupported(f"the lemma {lemma.id} has no theorem: {error}") from error


def _section(claim: Claim, binders: Sequence[Binder], numbers: Statements, case: Text | None = None) -> Iterator[str]:
    """Yield the proof of a claim, or of one case of it, as a section of the Coq file."""
    proof = claim.proof
    assert isinstance(proof, CoqProof)
    if is_unfolded(claim) or follows_from_theorems(claim):
        for lemma in proof.by:
            _require_theorem(lemma)
    if isinstance(proof, EqualProof) or looks_ahead(claim):
        yield from (write_equal if isinstance(proof, EqualProof) else write_ahead)(claim, binders, numbers, Prover())
        return
    if names_heaps(claim):
        yield from write_ordered(claim, binders, numbers, Prover())
        return
    if follows_from_values(claim):
        yield from write_values(claim, binders, numbers, Prover())
        return
    if follows_from_recursion(claim):
        yield from write_recursion(claim, binders, numbers, Prover())
        return
    if is_unfolded(claim):
        yield from write_unfolded(claim, binders, numbers)
        return
    lemmas: Iterable[str] | None = None
    if isinstance(proof, FewProof):
        obligations, lemmas = write_few(claim, binders, numbers, Prover())
        yield obligations
    elif isinstance(proof, FoldsProof):
        made = make_instance(claim, proof, lemmas_of(claim), binders, numbers, Prover())
        lemmas = made.lemmas() if isinstance(made, ArguedInstance) else write_lemmas(made)
        yield made.obligations()
    elif isinstance(proof, GrundyProof):
        values = Instance(claim, proof, numbers, binders, Prover())
        lemmas = values.lemmas()
        yield values.obligations()
    yield from open_section(binders)
    if case is not None:
        yield f"Hypothesis in_this_case : {case.at(BINDER)}."
    yield ""
    if lemmas is not None:
        yield from lemmas
    elif isinstance(proof, ValueProof):
        yield from write_least(claim, proof, binders, numbers)
    elif isinstance(proof, ByTable):
        write = write_periodic if isinstance(proof, PeriodicProof) else write_quotient
        yield from write(claim, binders, numbers)
    yield "End Proof.\n"


def _theorem(claim: Claim, binders: Sequence[Binder]) -> str:
    typed = "".join(f" {b.name}" for b in binders) + "".join(f" {x.name}" for b in binders for x in b.bounds)
    given = "".join(f" {x}" for b in binders if b.is_number for x in (b.name, *(h.name for h in b.bounds)))
    last = "".join(f" {b.name}" for b in binders if not b.is_number)
    shown = f"fun{typed} => claim{given}{last}" if typed else "claim"
    defined = "meaningful_at_heaps" if isinstance(claim.proof, FewProof) else "meaningful"
    return _conclude(claim, defined, f"exact ({shown})")


def _conclude(claim: Claim, defined: str, decides: str, refutes: bool = False) -> str:
    """Return the theorem of a claim, or of its negation, proved by two tactics: for `defined`, and for the rest."""
    name, says = name_in_coq(claim.id.rpartition("/")[2]), "~ Statement.claimed" if refutes else "Statement.claimed"
    return f"""(* It has a meaning everywhere, and it {"does not hold" if refutes else "holds"}. *)
Lemma well_defined : Statement.defined.
Proof. unfold Statement.defined. {defined}. Qed.
Theorem {name} : Statement.defined /\\ {says}.
Proof. split; [exact well_defined | {decides}]. Qed.
Print Assumptions {name}.
"""
