"""A claim and its [proof] as one Coq file, whose last theorem is the claim.

The game comes from the ruleset file, the statement from the claim, folds, facts, losing sets and named moves from the
[proof]; each obligation is a lemma.  Nothing is taken on trust: what the kernel accepts is what the files say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import TooLong, unfolded_claim
from encoders.answer import Unsupported
from encoders.coq.by_folds.argument import write_argument
from encoders.coq.by_folds.folds import write_folds
from encoders.coq.by_folds.invariant import Invariant
from encoders.coq.by_folds.known import Known, import_known, lemmas_of, module_of, write_known
from encoders.coq.cases import divide, join_cases, say_cases
from encoders.coq.domains import Binder, write_variables
from encoders.coq.games import write_game, write_players
from encoders.coq.refusals import check
from encoders.coq.statements import Statements
from encoders.coq.values.asked import state
from encoders.coq.values.grundy import write_grundy
from encoders.coq.values.least import write_least
from encoders.coq.writing import ARROW, BINDER, Text, comment, name_in_coq
from encoders.rules.cases import CasesProof
from encoders.rules.folds.section import FoldsProof
from encoders.rules.grundy.section import GrundyProof
from encoders.rules.value.section import ValueProof

_START = "From NimChecks Require Import Tactics Digits Least.\nOpen Scope N_scope.\n"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_']*")
_WORDS = frozenset("if then else mod fun negb true false N min max".split())
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
        parts = list(_parts(unfolded_claim(claim)))
    except TooLong as error:
        raise Unsupported(str(error)) from None
    head, body = parts[0], "\n".join(parts[1:])
    text = f"{head}\n{_START}{_DIVISION if ' mod ' in body or ' / ' in body else ''}\n{body}"
    rests_on = dict.fromkeys(module_of(lemma.id) for part in divide(unfolded_claim(claim)) for lemma in lemmas_of(part))
    return Theorem(module_of(claim.id), text, tuple(rests_on))


def _parts(claim: Claim) -> Iterator[str]:
    if claim.proof is None:
        raise Unsupported("the claim has no [proof]")
    divided = divide(claim)
    for one in divided:
        check(one, one.proof)
    binders, numbers = write_variables(claim)
    parts = [_part(one, binders, numbers) for one in divided]
    yield comment(f"{claim.id}: {claim.title}.") + "\n" + comment(f"Made by: python -m checks coq {claim.id}") + "\n"
    yield import_known([k for part in parts for k in part.known])
    if claim.games and claim.games[0].ruleset.players:
        yield write_players(claim.games[0].ruleset)
    for ruleset in {g.ruleset.id: g.ruleset for g in claim.games}.values():
        yield write_game(ruleset).text
    if isinstance(claim.proof, CasesProof):
        conditions = say_cases(claim, numbers)
        for number, (part, says) in enumerate(zip(parts, conditions, strict=True), 1):
            yield f"Module Case_{number}."
            yield from _section(part, binders, numbers, says)
            yield f"End Case_{number}.\n"
        yield from join_cases(claim, conditions, binders, numbers)
    else:
        yield from _section(parts[0], binders, numbers)
    yield from _differences(binders, numbers)
    yield _theorem(claim, binders, numbers)


def _differences(binders: list[Binder], numbers: Statements) -> Iterator[str]:
    """That no difference in what the claim says is cut off at 0, whatever is not a variable of the claim."""
    known = {b.name for b in binders}
    typed = "".join(f" ({b.name} : {b.type})" for b in binders)
    given = "".join(f"{x.says.at(ARROW - 1)} -> " for b in binders for x in b.bounds)
    for number, says in enumerate(numbers.differences or (), 1):
        others = sorted(set(_NAME.findall(says)) - known - _WORDS)
        more = "".join(f" ({name} : N)" for name in others)
        head = f"Lemma no_difference_is_cut_{number}{typed}{more} :\n  {given}{says}."
        yield f"{head}\nProof. intros. first [no_difference | cases; lia]. Qed.\n"


@dataclass(frozen=True)
class _Part:
    """The claim, or what a case leaves of it, with its proof and the lemmas of that."""

    claim: Claim
    proof: FoldsProof | GrundyProof | ValueProof
    known: list[Known]


def _part(claim: Claim, binders: list[Binder], numbers: Statements) -> _Part:
    proof = claim.proof
    assert isinstance(proof, FoldsProof | GrundyProof | ValueProof)
    known = [write_known(lemma, claim, binders, numbers) for lemma in lemmas_of(claim)]
    if isinstance(proof, FoldsProof) and not proof.by and known:
        # All that is shown by the claim whose proof this is.
        proof = replace(proof, loses=(), folds=(), facts=(), moves=())
    return _Part(claim, proof, known)


def _section(part: _Part, binders: list[Binder], numbers: Statements, case: Text | None = None) -> Iterator[str]:
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


def _theorem(claim: Claim, binders: list[Binder], numbers: Statements) -> str:
    name = name_in_coq(claim.id.rpartition("/")[2])
    typed = "".join(f" ({b.name} : {b.type})" for b in binders)
    bounds = [x for b in binders for x in b.bounds]
    given = "".join(f" {x}" for b in binders if b.is_number for x in (b.name, *(h.name for h in b.bounds)))
    hypotheses = "".join(f" {x.name}" for x in bounds)
    last = "".join(f" {b.name}" for b in binders if not b.is_number)
    lines = [f"{x.says.at(ARROW - 1)} ->" for x in bounds]
    says = "\n  ".join([*([" ".join(lines)] if lines else []), state(claim, numbers).at(BINDER)])
    return f"""Theorem {name}{typed} :
  {says}.
Proof. {f"intros{hypotheses}. " if hypotheses else ""}exact (claim{given}{last}). Qed.
Print Assumptions {name}.
"""
