"""Proofs by rule "folds" whose invariant is the formula of the statement, for positions with any number of heaps.

A fold is a number computed heap by heap, such as the nim-sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claims.language.files.claim import Claim, unfold_claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, rebuild
from claims.language.syntax.terms import INT, POSITION
from encoders.compute.arrays.limits import Deadline
from encoders.logic.sequents import opposite
from encoders.search.find import Posing, SearchProgress, attempt, is_falsified
from encoders.search.formulas import Tell
from encoders.search.question import variable
from encoders.search.statement import make_names, read_answers
from encoders.search.writing import quote

_NAMES = {"nim_sum": "X", "sum": "T", "len": "N", "max": "M", "min": "L"}
_OTHER = "C"


@dataclass(frozen=True, eq=False)
class StatedFolds:
    """The folds in a statement, and the condition under which each side loses.

    `folds`: pairs of a new name and a fold (a number computed heap by heap).
    `loses`: for each of `sides`, the condition under which this side loses when it is to move, in terms of the new
    names.
    """

    folds: tuple[tuple[str, t.Term], ...]
    loses: tuple[t.Term, ...]
    sides: tuple[str, ...]


def read_folds(claim: Claim) -> StatedFolds | None:
    """Return the numbers computed heap by heap (folds) in a claim about who wins from an arbitrary position.

    Return None for another claim, and for misère play and heaps with parts. Raises Unsupported.
    """
    plain = unfold_claim(claim)
    found = read_answers(plain)
    if found is None or not isinstance(found.position, t.Variable) or plain.games[0].ruleset.heap is not None:
        return None
    if plain.games[0].ruleset.stuck_wins:
        return None
    position = found.position.name
    terms: dict[str, t.Term] = {}
    for x in found.loses:
        for fold in _list_folds(x, position):
            terms.setdefault(print_term(fold), fold)
    wanted = (_NAMES.get(kind_of(x), _OTHER) for x in terms.values())
    names = dict(zip(terms, make_names(claim, wanted), strict=True))

    def put(term: t.Term) -> t.Term:
        name = names.get(print_term(term))
        return rebuild(term, put) if name is None else variable(name)

    loses = tuple(map(put, found.loses))
    if not terms or any(position in find_free_names(x) for x in loses):
        return None
    ruleset = plain.games[0].ruleset
    sides = ("mover",) if ruleset.impartial else ruleset.players
    return StatedFolds(tuple((names[text], x) for text, x in terms.items()), loses, sides)


def kind_of(term: t.Term) -> str:
    """Return the name of a reduction or operation: "nim_sum" for nim_sum(s) and for nim_sum(h % 3 for h in s).

    Return "" for a term that is neither a comprehension nor an operation.
    """
    return term.reducer if isinstance(term, t.Comprehension) else term.op if isinstance(term, t.Operation) else ""


def _list_folds(term: t.Term, position: str) -> Iterator[t.Term]:
    """Yield the largest subterms of a formula that compute an integer from the heaps of a position, such as sum(s)."""
    match term:
        case t.Comprehension(clauses=(clause,)) if term.type == INT and clause.source.type == POSITION:
            yield term
        case t.Operation(args=(t.Variable(name=name), *_)) if name == position and term.type == INT:
            yield term
        case _:
            for x in t.subterms(term):
                yield from _list_folds(x, position)


def find_folds_proof(claim: Claim, file: Posing, clock: Deadline, tell: Tell, outcome: SearchProgress) -> None:
    """Search for a proof by rule "folds" in which all replies have the same form. Store the proof in `outcome`.

    The invariant is the formula of the claim in folds, that is, numbers computed heap by heap.
    """
    stated = read_folds(claim)
    if stated is None:
        return
    shown = " and ".join(print_term(x) for x in stated.loses)
    tell(f'rule "folds", invariant {shown[:100]}')
    for draft in _list_drafts(claim, stated):
        clock.check()
        if is_falsified(file, draft, clock):
            continue
        found = attempt(file, draft, clock, first=True)
        if found.is_proved:
            outcome.keep_proof(draft)
            tell("proved with one kind of reply")
            return
        outcome.obstacle = outcome.obstacle or f'rule "folds", {found.words}'


def _list_drafts(claim: Claim, stated: StatedFolds) -> Iterator[str]:
    """Yield texts of a [proof] in which all replies choose a heap by one rule, and take a number by one formula."""
    sums = [name for name, x in stated.folds if kind_of(x) == "nim_sum"]
    selectors = ["any", "largest", "smallest", *(f"top bit of {name}" for name in sums)]
    picks = sorted({tuple(p.name for p in move.picks) for move in claim.games[0].ruleset.moves if len(move.heaps) == 1})
    takes: list[str] = []
    for words in picks:
        values = ["1", "h", *(f"h - rest_{name}" for name in sums)]
        takes += ["take = { " + f"{words[0]} = {quote(x)}" + " }" for x in values] if len(words) == 1 else []
        takes += [""] if not words else []
    for selector in selectors:
        for take in takes:
            lines = ["[proof]", 'rule = "folds"', "", "[proof.folds]"]
            lines += [f"{name} = {quote(print_term(x))}" for name, x in stated.folds]
            lines += ["", "[proof.loses]"]
            lines += [f"{side} = {quote(print_term(x))}" for side, x in zip(stated.sides, stated.loses, strict=True)]
            for side, x in zip(stated.sides, stated.loses, strict=True):
                lines += ["", "[[proof.moves]]", *([f"player = {quote(side)}"] if len(stated.sides) > 1 else [])]
                lines += [f"when = {quote(print_term(opposite(x)))}", f"heap = {quote(selector)}"]
                lines += [take] if take else []
            yield "\n".join(lines) + "\n"
