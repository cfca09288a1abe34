"""The translation of a claim and its [proof] into a Coq file, whose last theorem is the claim.

The file begins with the definitions of the games and of the statement, in a Coq module that is closed before the proof
begins. Then follow the folds, facts, losing positions and named moves of the [proof], and a lemma for each obligation.

Only Coq's kernel, and the translation of the games and of the statement, must be trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from claims.language.files.claim import Claim, Lemma, Proof, expand_definitions, unfold_claim
from claims.language.files.domains import ElementsOf, ListedDomain
from claims.language.files.library import find_shipped
from claims.language.syntax import terms as t
from claims.language.syntax.printing import TooLong, print_term, walk
from claims.language.syntax.terms import INT, POSITION
from encoders.coq.finite import write_computation
from encoders.coq.propositions import GAME, RULES, Statements, type_in_coq
from encoders.coq.statement import Binder, CoqStatement, DomainHypothesis, state, write_section, write_stated
from encoders.coq.writing import BINDER, OR, Text, comment, join_texts, module_of, name_in_coq
from encoders.proving.reading import Prover, load_claim
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.base.shape import is_extreme
from encoders.rules.cases import CasesProof, narrow
from encoders.rules.equal_coq import write_equal
from encoders.rules.few_coq import write_few
from encoders.rules.few_heaps import FewProof
from encoders.rules.folds.ahead import is_unfolded, looks_ahead, names_heaps, write_ahead, write_ordered, write_unfolded
from encoders.rules.folds.by_theorems import follows_from_theorems
from encoders.rules.folds.conclusion import make_instance
from encoders.rules.folds.folding import match_mapping
from encoders.rules.folds.section import FoldsProof
from encoders.rules.grundy.instance import write_formula
from encoders.rules.grundy.section import GrundyProof
from encoders.rules.periodic.coq import write_periodic, write_quotient
from encoders.rules.recursion_coq import follows_from_recursion, write_recursion
from encoders.rules.shapes_coq import follows_from_values, match_copies, write_values
from encoders.rules.value import ValueProof
from encoders.rules.value_coq import write_instance

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


def _assume(condition: Text, binders: Sequence[Binder]) -> list[Binder]:
    """Return the variables of a claim with the condition of a case as the last bound of its integers.

    Raises Unsupported if the claim has no integers.
    """
    last = next((b for b in reversed(binders) if b.is_number), None)
    if last is None:
        raise Unsupported("no Coq text is generated for the cases of a claim without integers")
    bounded = replace(last, bounds=(*last.bounds, DomainHypothesis("in_this_case", condition)))
    return [bounded if b is last else b for b in binders]


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


# -- writers ----------------------------------------------------------------------------------------------------------
Write: TypeAlias = Callable[[Claim, Sequence[Binder], Statements, ProofServices], Iterator[str]]
"""A function that yields the Coq text of a proof, for the variables of the claim and the writer of its statement.

The text ends with the lemma `claim`. The function raises Unsupported.
"""


def _write_instance(
    claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices
) -> Iterator[str]:
    """Yield the text of an instance of the theorem about the rule folds."""
    proof = claim.proof
    assert isinstance(proof, FoldsProof)
    made = make_instance(claim, proof, lemmas_of(claim), binders, numbers, services)
    yield made.obligations()
    yield from write_section(binders, made.lemmas())


def _states_invariant(claim: Claim) -> bool:
    return isinstance(claim.proof, FoldsProof) and bool(claim.proof.loses)


def _list_problems_of_instance(claim: Claim) -> Iterator[str]:
    proof = claim.proof
    assert isinstance(proof, FoldsProof)
    if follows_from_theorems(claim):
        return
    asks = any(isinstance(x, t.GameCall) for x in walk((claim.hypothesis or (), claim.conclusion)))
    if asks and not all(len(g.ruleset.players) == 2 for g in claim.games):
        yield "for the rule folds, Coq text is generated only if all games are for two players"
    if proof.loses and len(claim.games) > 1:
        yield "no Coq text is generated for an invariant (`loses`) in a claim about several games"
    for key, given in (("split", proof.split), ("heaps", proof.heaps)):
        if given:
            yield f"no Coq text is generated for a proof with the key {key}"
    if proof.several and not any(type_in_coq(g.ruleset) == RULES for g in claim.games):
        yield "no Coq text is generated for named moves with cases, unless some move chooses several heaps"


def _list_problems_of_values(claim: Claim) -> Iterator[str]:
    proof = claim.proof
    assert proof is not None
    if proof.by:
        yield "no Coq text is generated for a proof of values that uses lemmas"
    if len(claim.games) != 1:
        yield "no Coq text is generated for a proof of values in a claim about several games"
    if isinstance(proof, GrundyProof) and proof.assume is not None:
        yield "no Coq text is generated for a proof of Grundy values in one of several cases"


@dataclass(frozen=True)
class Frame:
    """The parts of a Coq file around the proof.

    `imports`: a module of the theory that the file imports before the statement, or "".
    `games`: whether the proof uses lemmas about the moves of the games.
    `divides`: whether `lia` knows divisions, if there are any in the file.
    `defined`: the tactic which proves that the claim is defined.
    """

    imports: str = ""
    games: bool = True
    divides: bool = True
    defined: str = "meaningful"


@dataclass(frozen=True)
class Writer:
    """A writer of Coq proofs.

    `write`: the function that writes a proof.
    `supports`: whether the writer is for a claim. A claim gets the first such writer of its rule.
    `list_problems`: lists, as messages, what is not supported in a claim that the writer is for.
    `frame`: the other parts of the file.
    """

    write: Write
    supports: Callable[[Claim], bool] = lambda _: True
    list_problems: Callable[[Claim], Iterable[str]] = lambda _: ()
    frame: Frame = Frame()


def _of_values(write: Write, frame: Frame) -> Writer:
    return Writer(write, list_problems=_list_problems_of_values, frame=frame)


_AHEAD = Writer(write_ahead, looks_ahead)
_FROM_VALUES = Writer(write_values, follows_from_values)
_BY_INVARIANT = Writer(
    _write_instance, _states_invariant, _list_problems_of_instance, Frame(games=False, divides=False)
)
_INSTANCE = Writer(_write_instance, list_problems=_list_problems_of_instance, frame=Frame(divides=False))
WRITERS: Mapping[str, Sequence[Writer]] = {
    "folds": (_AHEAD, Writer(write_ordered, names_heaps), _FROM_VALUES, _BY_INVARIANT, _INSTANCE),
    "definition": (
        _AHEAD,
        _FROM_VALUES,
        Writer(write_recursion, follows_from_recursion),
        Writer(write_unfolded, is_unfolded),
        _BY_INVARIANT,
        _INSTANCE,
    ),
    "equal games": (Writer(write_equal),),
    "few heaps": (Writer(write_few, frame=Frame(games=False, defined="meaningful_at_heaps")),),
    "grundy": (_of_values(write_formula, Frame(games=False, divides=False)),),
    "value": (_of_values(write_instance, Frame(divides=False)),),
    "periodic": (_of_values(write_periodic, Frame("Tables", games=False)),),
    "quotient": (_of_values(write_quotient, Frame("Quotient", games=False)),),
}
"""The writers of Coq proofs by the rule of the proof. A proof by cases is divided into proofs by other rules."""


def _find_writer(claim: Claim) -> Writer:
    """Return the writer of the Coq proof of a claim, or of one case of it.

    Raises Unsupported if the claim or the proof contains something for which no Coq text can be generated. The message
    names the first such thing.
    """
    if claim.has_parts:
        names = ", ".join(game.ruleset.id for game in claim.games if game.ruleset.heap is not None)
        raise Unsupported(f"the heaps of {names} have parts; the Coq theory supports only heaps that are numbers")
    assert claim.proof is not None
    for writer in WRITERS.get(claim.proof.rule, ()):
        if writer.supports(claim):
            for problem in (*writer.list_problems(claim), *_list_statement_gaps(claim, writer)):
                raise Unsupported(problem)
            return writer
    raise Unsupported(f"no Coq text is generated for the rule {claim.proof.rule}")


def _list_statement_gaps(claim: Claim, writer: Writer) -> Iterator[str]:
    """Yield a message for each part of a claim and its games that has a statement in Coq, but no generated proof."""
    if claim.quantifier == "exists":
        yield "no Coq text is generated for the proof of an [exists] claim"
    others = [v.domain for v in claim.variables if isinstance(v.domain, ElementsOf | ListedDomain)]
    if not all(isinstance(x, ElementsOf) and x.source.type == POSITION and writer is _INSTANCE for x in others):
        yield "no Coq text is generated for a proof about a variable for the elements of a position or list"
    for game in claim.games:
        ruleset = game.ruleset
        proof = claim.proof
        own = writer is _BY_INVARIANT and proof is not None and not proof.by
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
            case t.Operation(op="position") if match_mapping(term) is not None and writer in (_BY_INVARIANT, _INSTANCE):
                pass
            case t.Operation(op="position", args=(heaps,)):
                if writer is _FROM_VALUES or (isinstance(claim.proof, ValueProof) and match_copies(term)):
                    continue
                words = "no Coq text is generated for a proof about a position whose number of heaps varies"
                yield f"{print_term(heaps)}: {words}"


def _excludes(claim: Claim, condition: t.Term) -> bool:
    """Whether the Coq text of the claim's proof supports a condition of a move that contains a `for`."""
    match condition:
        case t.Comprehension(reducer="all", body=t.Operation(op="ne"), clauses=(t.Clause(conditions=()),)):
            return isinstance(claim.proof, GrundyProof)
    return False


# -- generate ---------------------------------------------------------------------------------------------------------
START = "From NimChecks Require Import Tactics Digits Least Rules Language.\nOpen Scope N_scope.\n"
_COMPUTED = Frame("Finite", games=False)
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
    parts: list[tuple[Claim, Writer]] = []
    refutes, frame = False, _COMPUTED
    try:
        whole = unfold_claim(claim)
        if whole.proof is None:
            computed = write_computation(whole)
            refutes = computed.refutes
            stated = write_stated(claim)
            body = _conclude(claim, computed.defined, f"unfold Statement.claimed; {computed.decides}", refutes)
        else:
            parts = [(part, _find_writer(part)) for part in divide(whole)]
            frame = Frame() if isinstance(whole.proof, CasesProof) else parts[0][1].frame
            stated = write_stated(claim)
            body = "\n".join(_proof(whole, parts, frame, stated))
    except TooLong as error:
        raise Unsupported(str(error)) from None
    made_by = comment(f"Made by: python -m checks coq {claim.id}")
    start = f"From NimChecks Require Import {frame.imports}.\n{START}" if frame.imports else START
    head = f"{comment(f'{claim.id}: {claim.description.title}.')}\n{made_by}\n\n{start}\n{stated.text}"
    divides = frame.divides and any(sign in head + body for sign in (" mod ", " / "))
    rests_on = dict.fromkeys(module_of(lemma.id) for part, _ in parts for lemma in lemmas_of(part))
    return Theorem(module_of(claim.id), f"{head}{_DIVISION if divides else ''}\n{body}", tuple(rests_on), refutes)


def _proof(claim: Claim, parts: Sequence[tuple[Claim, Writer]], frame: Frame, stated: CoqStatement) -> Iterator[str]:
    """Yield the parts of the Coq file after the statement: definitions, lemmas and the theorem. Raises Unsupported.

    `parts`: the claims that `divide` returns, with their writers.
    """
    binders, numbers = stated.binders, stated.numbers
    instances = (part for part, writer in parts if writer in (_BY_INVARIANT, _INSTANCE))
    imported = dict.fromkeys(module_of(lemma.id) for part in instances for lemma in lemmas_of(part))
    yield "".join(f"From NimChecks Require {module}.\n" for module in imported)
    if frame.games:
        yield from (game.shown for game in stated.games)
    if isinstance(claim.proof, CasesProof):
        conditions = say_cases(claim, numbers)
        for number, ((part, writer), says) in enumerate(zip(parts, conditions, strict=True), 1):
            yield f"Module Case_{number}."
            yield from _part(part, writer, _assume(says, binders), numbers)
            yield f"End Case_{number}.\n"
        yield from join_cases(claim, conditions, binders, numbers)
    else:
        yield from _part(*parts[0], binders, numbers)
    yield _theorem(claim, binders, frame.defined)


def _require_theorem(lemma: Lemma) -> None:
    """Raise Unsupported if no Coq theorem is generated for the lemma."""
    try:
        generate(lemma.claim)
    except Unsupported as error:
        raise Unsupported(f"the lemma {lemma.id} has no theorem: {error}") from error


def _part(claim: Claim, writer: Writer, binders: Sequence[Binder], numbers: Statements) -> Iterator[str]:
    """Yield the proof of a claim, or of one case of it. Raises Unsupported."""
    for lemma in lemmas_of(claim):
        _require_theorem(lemma)
    yield from writer.write(claim, binders, numbers, Prover())


def _theorem(claim: Claim, binders: Sequence[Binder], defined: str) -> str:
    typed = "".join(f" {b.name}" for b in binders) + "".join(f" {x.name}" for b in binders for x in b.bounds)
    given = "".join(f" {x}" for b in binders if b.is_number for x in (b.name, *(h.name for h in b.bounds)))
    last = "".join(f" {x}" for b in binders if not b.is_number for x in (b.name, *(h.name for h in b.bounds)))
    shown = f"fun{typed} => claim{given}{last}" if typed else "claim"
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
