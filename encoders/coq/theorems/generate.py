"""A claim and its [proof] as one Coq file, whose last theorem is the claim.

The game comes from the ruleset file, the statement from the claim, folds, facts, losing sets and named moves from the
[proof]; each obligation is a lemma.  Nothing is taken on trust: what the kernel accepts is what the files say.  Games
and statement come first, in a module that is closed before the proof begins, and the last theorem is that statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import TooLong, unfolded_claim
from encoders.coq.by_folds.argument import write_argument
from encoders.coq.by_folds.folds import write_folds
from encoders.coq.by_folds.invariant import Invariant
from encoders.coq.by_folds.known import Known, import_known, lemmas_of, module_of, write_known
from encoders.coq.statement.domains import Binder
from encoders.coq.statement.stated import Stated, write_stated
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import BINDER, Text, comment, name_in_coq
from encoders.coq.theorems.cases import divide, join_cases, say_cases
from encoders.coq.theorems.refusals import check
from encoders.coq.values.grundy import write_grundy
from encoders.coq.values.least import write_least
from encoders.ground.refusals import Unsupported
from encoders.rules.cases import CasesProof
from encoders.rules.folds.statement.section import FoldsProof
from encoders.rules.grundy.section import GrundyProof
from encoders.rules.value.section import ValueProof

_START = "From NimChecks Require Import Tactics Digits Least.\nOpen Scope N_scope.\n"
_DIVISION = "Ltac Zify.zify_post_hook ::= divisions.\n"


@dataclass(frozen=True)
class Theorem:
    """A claim as a Coq file. `module`: its name below the folder of all; `rests_on`: the modules that it imports."""

    module: str
    text: str
    rests_on: tuple[str, ...] = ()


def generate(claim: Claim) -> Theorem:
    """The file. Raises Unsupported, in the words for what is missing."""
    try:
        whole = unfolded_claim(claim)
        if whole.proof is None:
            raise Unsupported("the claim has no [proof]")
        divided = divide(whole)
        for one in divided:
            check(one, one.proof)
        stated = write_stated(claim)
        body = "\n".join(_proof(whole, divided, stated))
    except TooLong as error:
        raise Unsupported(str(error)) from None
    made_by = comment(f"Made by: python -m checks coq {claim.id}")
    head = f"{comment(f'{claim.id}: {claim.title}.')}\n{made_by}\n\n{_START}\n{stated.text}"
    divides = any(sign in head + body for sign in (" mod ", " / "))
    rests_on = dict.fromkeys(module_of(lemma.id) for part in divided for lemma in lemmas_of(part))
    return Theorem(module_of(claim.id), f"{head}{_DIVISION if divides else ''}\n{body}", tuple(rests_on))


def _proof(claim: Claim, divided: Sequence[Claim], stated: Stated) -> Iterator[str]:
    """All that stands behind the statement, to the theorem. Raises Unsupported."""
    binders, numbers = stated.binders, stated.numbers
    parts = [_part(one, binders, numbers) for one in divided]
    yield import_known([k for part in parts for k in part.known])
    yield from (game.shown for game in stated.games)
    if isinstance(claim.proof, CasesProof):
        conditions = say_cases(claim, numbers)
        for number, (part, says) in enumerate(zip(parts, conditions, strict=True), 1):
            yield f"Module Case_{number}."
            yield from _section(part, binders, numbers, says)
            yield f"End Case_{number}.\n"
        yield from join_cases(claim, conditions, binders, numbers)
    else:
        yield from _section(parts[0], binders, numbers)
    yield _theorem(claim, binders)


@dataclass(frozen=True)
class _Part:
    """The claim, or what a case leaves of it, with its proof and the lemmas of that."""

    claim: Claim
    proof: FoldsProof | GrundyProof | ValueProof
    known: list[Known]


def _part(claim: Claim, binders: Sequence[Binder], numbers: Statements) -> _Part:
    proof = claim.proof
    assert isinstance(proof, FoldsProof | GrundyProof | ValueProof)
    known = [write_known(lemma, claim, binders, numbers) for lemma in lemmas_of(claim)]
    if isinstance(proof, FoldsProof) and not proof.by and known:
        # All that is shown by the claim whose proof this is.
        proof = replace(proof, loses=(), folds=(), facts=(), moves=())
    return _Part(claim, proof, known)


def _section(part: _Part, binders: Sequence[Binder], numbers: Statements, case: Text | None = None) -> Iterator[str]:
    claim, proof, known = part.claim, part.proof, part.known
    yield 'Section Proof.\nSet Default Proof Using "All".'
    for b in (b for b in binders if b.is_number):
        yield f"Variable {b.name} : N."
        for bound in b.bounds:
            yield f"Hypothesis {bound.name} : {bound.says.at(BINDER)}."
    if case is not None:
        yield f"Hypothesis in_this_case : {case.at(BINDER)}."
    yield ""
    if isinstance(proof, GrundyProof):
        yield from write_grundy(claim, proof, binders, numbers)
        yield "End Proof.\n"
        return
    if isinstance(proof, ValueProof):
        yield from write_least(claim, proof, binders, numbers)
        yield "End Proof.\n"
        return
    folds = write_folds(proof.folds, numbers, proof.position)
    game = claim.games[0]
    invariant = Invariant(proof, game, numbers.games[game.name], folds, numbers)
    yield from invariant.folds_and_facts()
    yield ""
    yield from invariant.play()
    for k in known:
        yield k.text
    yield from write_argument(claim, proof, invariant, binders, numbers, known)
    yield "End Proof.\n"


def _theorem(claim: Claim, binders: Sequence[Binder]) -> str:
    name = name_in_coq(claim.id.rpartition("/")[2])
    typed = "".join(f" {b.name}" for b in binders) + "".join(f" {x.name}" for b in binders for x in b.bounds)
    given = "".join(f" {x}" for b in binders if b.is_number for x in (b.name, *(h.name for h in b.bounds)))
    last = "".join(f" {b.name}" for b in binders if not b.is_number)
    shown = f"fun{typed} => claim{given}{last}" if typed else "claim"
    return f"""(* It has a meaning everywhere, and it holds. *)
Lemma well_defined : Statement.defined.
Proof. unfold Statement.defined. meaningful. Qed.
Theorem {name} : Statement.defined /\\ Statement.claimed.
Proof. split; [exact well_defined | exact ({shown})]. Qed.
Print Assumptions {name}.
"""
