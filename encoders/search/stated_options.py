"""Proofs by folds for statements about single moves, such as "some option has the nim-sum 0" or "no move is left".

The proof names many moves. The rule tries each named move as a witness for "some option", and assumes nothing about
illegal moves. The moves that a proof does not need are removed afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

from claims.language.files.claim import Claim, list_questions, unfold_claim
from claims.language.files.rulesets import Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, substitute, walk
from claims.language.syntax.terms import INT, POSITION
from encoders.search.question import HEAP, POSITION_NAME, variable
from encoders.search.stated_folds import kind_of
from encoders.search.statement import make_names
from encoders.search.writing import quote

QUESTIONS = {"options", "terminal", "legal"}
NIM_SUM = "nim_sum"
_SUMS = (NIM_SUM, "sum", "count")


def list_option_proofs(claim: Claim) -> Iterator[str]:
    """Yield texts of a [proof] by rule "folds", for a claim about the moves of one game, or only about heaps.

    Nothing is yielded if the claim asks who wins, or if the game has n players or heaps with parts.
    """
    plain = unfold_claim(claim)
    terms = tuple(x for x in (plain.hypothesis, plain.conclusion) if x is not None)
    asked = list_questions(terms)
    if len(plain.games) != 1 or plain.unusual or not asked <= QUESTIONS:
        return
    game = plain.games[0]
    if game.ruleset.heap is not None or game.ruleset.unusual or game.ruleset.player_count:
        return
    used = {name for _, term in game.arguments for name in find_free_names(term)}
    integers = [v.name for v in claim.variables if v.type == INT and v.name in used]
    position = next((v.name for v in claim.variables if v.type == POSITION), POSITION_NAME)
    sums = _list_sums(terms, position, set(integers))
    number, *names = make_names(claim, ("N", *("X" for _ in sums)))
    named = list(zip(names, sums, strict=True))
    lines = ["[proof]", 'rule = "folds"', "", "[proof.folds]"]
    lines += [f"{name} = {quote(print_term(x))}" for name, x in named]
    lines += [f"{number} = {quote(f'len({position})')}"]
    if names:
        lines += ["", "[proof.facts]"]
        lines += [f'"{name} of no heap" = {quote(f"implies({number} == 0, {name} == 0)")}' for name in names]
    tops = [(name, x) for name, x in named if kind_of(x) == NIM_SUM]
    if not asked:
        picks = [("", "[[proof.picks]]", f'when = "{name} != 0"', f'heap = "top bit of {name}"') for name, _ in tops]
        if picks:
            yield "\n".join([*lines, *(line for pick in picks for line in pick)]) + "\n"
        return
    moves = [*_list_moves(game.ruleset, tops, number, integers)]
    for to in ((), ('to = "anywhere"',)):
        yield "\n".join([*lines, *(line for move in moves for line in (*move, *to))]) + "\n"


def _list_sums(terms: tuple[t.Term, ...], position: str, integers: set[str]) -> list[t.Term]:
    """Return the distinct sums, nim-sums and counts over heaps in the terms, each applied to the position."""
    heaps, found = t.Variable(POSITION, 0, 0, position), dict[str, t.Term]()
    for x in walk(terms):
        match x:
            case t.Comprehension(clauses=(clause,)) if kind_of(x) in _SUMS and clause.source.type == POSITION:
                made: t.Term = replace(x, clauses=(replace(clause, source=heaps),))
                own = {position, clause.variable}
            case t.Operation(args=(source,)) if kind_of(x) in _SUMS and source.type == POSITION:
                made, own = replace(x, args=(heaps,)), {position}
            case _:
                continue
        if set(find_free_names(made)) <= own | integers:
            found.setdefault(print_term(made), made)
    return list(found.values())


def _list_moves(
    ruleset: Ruleset, tops: list[tuple[str, t.Term]], number: str, integers: list[str]
) -> Iterator[tuple[str, ...]]:
    """Yield named moves for a proof, each as lines of the [proof].

    The move picks a heap at the top bit of a nim-sum, a heap that is large enough, or any heap.
    `tops`: pairs (name, nim-sum).
    `number`: the name of the fold that counts the heaps.
    `integers`: the integers of the claim, which may be the number taken.
    """
    words = {move.picks[0].name for move in ruleset.moves if len(move.heaps) == len(move.picks) == 1}
    amounts = ["1", *integers, *(f"{a} - {b}" for a, b in permutations(integers, 2))]
    ways = [
        (f"{name} != 0", f"top bit of {name}", x) for name, top in tops for x in (_write_reply(name, top), *amounts)
    ]
    ways += [(f"{number} >= 1", f"any with {HEAP} >= {x}", x) for x in integers]
    ways += [(f"{number} >= 1", "any", x) for x in ("1", HEAP)]
    players = ("",) if ruleset.impartial else ruleset.players
    for player, word, (when, heap, amount) in product(players, sorted(words), ways):
        who = (f"player = {quote(player)}",) if player else ()
        taken = f"take = {{ {word} = {quote(amount)} }}"
        yield ("", "[[proof.moves]]", *who, f"when = {quote(when)}", f"heap = {quote(heap)}", taken)


def _write_reply(name: str, nim_sum: t.Term) -> str:
    """Return, as text, the number of objects to take from the heap h to make the nim-sum `name` 0.

    This is correct if each removed object decreases the term of its heap by one.
    """
    own: t.Term = variable(HEAP)
    if isinstance(nim_sum, t.Comprehension):
        (clause,) = nim_sum.clauses
        own = substitute(nim_sum.body, {clause.variable: own})
    text = print_term(own)
    inner = text if isinstance(own, t.Variable) else f"({text})"
    return f"{inner} - ({inner} ^ {name})"
