"""The search for the [proof] of a given claim, and for shorter proofs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from claims.language.errors import ClaimError
from claims.language.files.claim import Claim, expand_definitions, list_questions
from claims.language.files.domains import IntervalDomain, read_literal
from claims.language.syntax import terms as t
from claims.language.syntax.printing import TooLong, display, find_free_names, print_term, walk
from claims.language.syntax.terms import POSITION
from encoders.compute.arrays.limits import Deadline, OutOfTime, TooLarge
from encoders.logic.sequents import Sequent, conjunction, opposite
from encoders.proving.reading import Prover, load_with_proof
from encoders.refusals import Unsupported
from encoders.search.find import Posing, SearchProgress, SearchStage, attempt, refuse_values, run_search, search_folds
from encoders.search.formulas import OPS, LossFormula, Tell, wrap
from encoders.search.players import guess_shapes, refuse_shapes, write_proof
from encoders.search.question import HEAP, POSITION_NAME, FreeParameter, SearchProblem
from encoders.search.refusals import Refusal, refuse_parameter, refuse_questions, require_followed
from encoders.search.stated_options import list_option_proofs
from encoders.search.stated_proofs import find_stated_proof
from encoders.search.stated_values import list_block_proofs
from encoders.search.statement import make_names
from encoders.search.values import ClosedFormGuess, guess
from encoders.search.writing import AT, Draft, quote

# == shorter ==========================================================================================================
# Shorter proofs, without unnecessary moves, cases, facts, steps and folds.
DEFINITION = '[proof]\nrule = "definition"\n'
LISTED = ("facts", "steps", "folds")  # tables whose lines can be removed separately
_HEADER = re.compile(r"\[+\s*proof\.?([\w.]*)\s*\]+")


@dataclass(frozen=True)
class _DroppableLines:
    """Lines of a [proof] that may be superfluous, from `start` up to but not including `end`.

    `words`: a description of these lines.
    """

    start: int
    end: int
    words: str


def shorten(file: Posing, proof: str, clock: Deadline, tell: Tell, outcome: SearchProgress) -> None:
    """Shorten a [proof] that succeeds, and store each shorter version in `outcome`.

    First try a [proof] with rule = "definition" and nothing else. If this fails, remove each part without which the
    proof still succeeds, from the last part to the first. Repeat this until every part is needed.
    """

    def search(note: Tell) -> None:
        if not proof.strip():
            outcome.obstacle = Refusal.NO_PROOF.say()
            return
        whole = attempt(file, proof, clock, first=True)
        if not whole.is_proved:
            outcome.obstacle = Refusal.NOT_PROVED.say(why=whole.words)
            return
        if tomllib.loads(proof) != tomllib.loads(DEFINITION) and attempt(file, DEFINITION, clock, first=True).is_proved:
            note("by definition alone")
            outcome.stage, outcome.text = SearchStage.PROOF, DEFINITION
            return
        kept = _leave_out(file, proof, clock, note, outcome)
        outcome.obstacle = "" if kept != proof else Refusal.NOT_SHORTER.say()

    run_search(search, tell, outcome)


def _leave_out(file: Posing, proof: str, clock: Deadline, note: Tell, outcome: SearchProgress) -> str:
    before = ""
    while before != proof:
        before = proof
        for part in _list_parts(proof):
            clock.check()
            lines = proof.split("\n")
            shorter = _tidy("\n".join(lines[: part.start] + lines[part.end :]))
            if _reads(shorter) and attempt(file, shorter, clock, first=True).is_proved:
                note(f"without {part.words}")
                proof = shorter
                outcome.stage, outcome.text = SearchStage.PROOF, proof
    return proof


def _list_parts(proof: str) -> Iterator[_DroppableLines]:
    """Yield the parts of a [proof] that may be removed, from the last to the first.

    With this order, a removal does not change the line numbers of the parts that are yielded later.
    """
    lines = proof.split("\n")
    headers = [i for i, line in enumerate(lines) if _HEADER.match(line)]
    for at, end in reversed(list(zip(headers, [*headers[1:], len(lines)], strict=True))):
        header = _HEADER.match(lines[at])
        assert header is not None
        stop = end - _comments_above(lines, end)
        if lines[at].startswith("[["):
            yield _DroppableLines(
                at - _comments_above(lines, at), stop, f"{header[1]}: {' '.join(lines[at + 1 : at + 2])}"
            )
        elif header[1] in LISTED:
            for i in range(stop - 1, at, -1):
                if "=" in lines[i] and not lines[i].startswith("#"):
                    yield _DroppableLines(i - _comments_above(lines, i), i + 1, f"{header[1]}: {lines[i]}")


def _comments_above(lines: list[str], at: int) -> int:
    count = 0
    while at - count - 1 >= 0 and lines[at - count - 1].startswith("#"):
        count += 1
    return count


def _tidy(proof: str) -> str:
    """Return the proof without empty tables, and with one empty line between the remaining tables."""
    proof = re.sub(r"(?m)^\[proof\.\w+\]\n+(?=\[|#|\Z)", "", proof)
    return re.sub(r"\n{3,}", "\n\n", proof).strip("\n") + "\n"


def _reads(proof: str) -> bool:
    try:
        return "proof" in tomllib.loads(proof)
    except tomllib.TOMLDecodeError:
        return False


# == proofs ===========================================================================================================
# The search for the [proof] of an existing claim. Proofs that the form of the claim suggests are tried first; then the
# search starts from the rules of the game.
#
# A proof is tried as the text of the section [proof]. `put_into` inserts a result into the claim file.
MOST_FORMS = 4
SHARE = 0.5  # the share of the remaining time for the search from the statement
_WHO_WINS, _VALUE, _VALUE_OF_PLAYERS = ("wins", "outcome"), "grundy", "value"


class ClaimFile:
    """A claim file for which different [proof] sections are tried."""

    def __init__(self, claim: Claim, path: Path) -> None:
        self.claim, self.path = claim, path

    def pose(self, text: str) -> Iterator[Sequent]:
        """Yield the obligations of the claim if `text` is its [proof]."""
        made = load_with_proof(self.claim, self.path, tomllib.loads(text)["proof"])
        prover = Prover()
        yield from prover.rule_of(made).obligations(made, prover)


@dataclass(frozen=True)
class Nearby:
    """The claims that a [proof] may use.

    `lemmas`: the names of claims for the key `by`.
    `siblings`: the names of claims in the same folder that have a proof, for the key `from`.
    """

    lemmas: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()


def find_proof(claim: Claim, path: Path, nearby: Nearby, clock: Deadline, tell: Tell, outcome: SearchProgress) -> None:
    """Search for a [proof] whose obligations are proved, and store the text of the [proof] in `outcome`.

    `nearby`: the claims that the proof may use.
    """
    file = ClaimFile(claim, path)

    def search(note: Tell) -> None:
        for draft in _list_drafts(claim, nearby):
            clock.check()
            if _try(file, draft, clock, note, outcome, blindly=True):
                return
        stated = SearchProgress()
        left = None if clock.deadline is None else SHARE * (clock.deadline - clock.now())
        try:
            if any(_try(file, draft, clock, note, outcome, blindly=True) for draft in list_block_proofs(claim)):
                return
            if any(_try(file, draft, clock, note, outcome, blindly=True) for draft in list_option_proofs(claim)):
                _leave_out(file, outcome.text, clock, note, outcome)
                return
            if _adds_values(claim) and _add_values(claim, file, Deadline(left, clock.now), note, outcome):
                return
            find_stated_proof(claim, path, file, Deadline(left, clock.now), note, stated)
        except OutOfTime:
            clock.check()
            note("the search for a proof from the statement reached its time limit")
        except (Unsupported, ClaimError, TooLarge, TooLong) as refused:
            note(f"the formula of the statement cannot be used as the invariant: {refused}")
        if stated.stage is SearchStage.PROOF:
            outcome.keep_proof(stated.text)
            return
        search_rules(note)
        if outcome.stage is not SearchStage.PROOF and stated.obstacle:
            outcome.obstacle = "; ".join(filter(None, (f"closest attempt: {stated.obstacle}", outcome.obstacle)))

    def search_rules(note: Tell) -> None:
        try:
            question = question_of(claim)
        except Unsupported as refused:
            own = [] if claim.games else [outcome.obstacle]  # for a claim about integers, this is the only obstacle
            outcome.obstacle = "; ".join([*filter(None, own), str(refused)])
            return
        asked = list_questions(_terms(claim))
        several, outcome.obstacle = bool(question.ruleset.player_count), ""
        if asked & set(_WHO_WINS):
            _search_folds(claim, question, file, clock, note, outcome)
            if outcome.stage is SearchStage.PROOF or refuse_values(question, clock):
                return
            winner, outcome.obstacle = outcome.obstacle, ""
            _search_values(claim, question, file, clock, note, outcome)
            outcome.obstacle = outcome.obstacle and f"{winner}; {outcome.obstacle}"
        elif _VALUE in asked and not several:
            outcome.obstacle = refuse_values(question, clock)
            if not outcome.obstacle:
                _search_values(claim, question, file, clock, note, outcome)
        elif _VALUE_OF_PLAYERS in asked and several:
            _search_shapes(question, file, clock, note, outcome)
        else:
            outcome.obstacle = refuse_questions(question.ruleset, asked)

    run_search(search, tell, outcome)


def _terms(claim: Claim) -> tuple[t.Term, ...]:
    return (claim.conclusion,) if claim.hypothesis is None else (claim.hypothesis, claim.conclusion)


def _try(
    file: ClaimFile, draft: str, clock: Deadline, tell: Tell, outcome: SearchProgress, blindly: bool = False
) -> bool:
    """Try to prove the claim with the [proof] `draft`, and return whether this succeeds.

    If so, store the [proof] in `outcome`.
    `blindly`: whether the draft does not depend on the claim. Then the messages do not report that a rule rejects it.
    """
    found = attempt(file, draft, clock, first=True)
    words = " ".join(x for x in draft.split("\n")[1:] if x)
    if found.is_proved:
        outcome.keep_proof(draft)
        tell(f"proved by {words[:100]}")
    elif found.open or not blindly:
        tell(f"not proved by {words[:100]}: {found.words}")
        outcome.obstacle = outcome.obstacle or found.words
    return found.is_proved


def _list_drafts(claim: Claim, nearby: Nearby) -> Iterator[str]:
    """Yield texts of a [proof] that are tried without a search.

    They use a rule without further keys, theorems about the game, the proofs of other claims in the folder, or rule
    "equal games".
    """
    yield '[proof]\nrule = "definition"\n'
    yield '[proof]\nrule = "periodic"\n'
    for name in nearby.lemmas:
        yield f"[proof]\nby = [{quote(name)}]\n"
    for name in nearby.siblings:
        yield f"[proof]\nfrom = {quote(name)}\n"
    if len(nearby.lemmas) > 1:
        yield f"[proof]\nby = [{', '.join(map(quote, nearby.lemmas))}]\n"
    if len(claim.games) > 1:
        region = "True" if claim.hypothesis is None else print_term(claim.hypothesis, claim.games[0].ruleset.players)
        for folds in ("", '\n[proof.folds]\nX = "nim_sum(s)"\n'):
            yield f'[proof]\nrule = "equal games"\nregion = {quote(region)}\n{folds}'


def question_of(claim: Claim) -> SearchProblem:
    """Return the problem from which a search starts: the game of the claim, and the region of its parameters.

    The hypotheses and domains of the claim determine the region. Raises Unsupported if no search supports the claim.
    """
    if claim.quantifier == "exists":
        raise Unsupported(Refusal.EXISTS.say())
    if len(claim.games) != 1:
        refusal = Refusal.GAMES if claim.games else Refusal.NO_GAME
        raise Unsupported(refusal.say(count=len(claim.games)))
    (game,) = claim.games
    require_followed(game.ruleset)
    if claim.unusual:  # the claim's requirements on the game
        raise Unsupported(refuse_questions(game.ruleset, list_questions((claim.hypothesis, claim.conclusion))))
    known = {p.name: p for p in game.ruleset.parameters}
    variables = {v.name: v for v in claim.variables}
    free: dict[str, FreeParameter] = {}
    bound: list[tuple[str, t.Term]] = []
    for name, term in game.arguments:
        variable = variables.get(term.name) if isinstance(term, t.Variable) else None
        if variable is not None and isinstance(variable.domain, IntervalDomain) and ".." in variable.text:
            if variable.name in free:
                bound.append((name, term))
                continue
            low = read_literal(variable.domain.lo)
            first = known[name].lo if low is None else low
            free[variable.name] = FreeParameter(known[name], variable.name, variable.text, first)
        else:
            bound.append((name, term))
    for name, term in bound:
        if set(find_free_names(expand_definitions(term))) - set(free):
            raise refuse_parameter(game.ruleset, name, term)
    for v in variables.values():
        if v.name in free and set(_bounds(v.domain)) - set(free):
            raise Unsupported(Refusal.BOUNDS.say(name=v.name, domain=v.text, id=game.ruleset.id))
    ordered = tuple(free[v.name] for v in claim.variables if v.name in free)
    parts = () if claim.hypothesis is None else tuple(t.conjuncts(expand_definitions(claim.hypothesis)))
    about = [x for x in parts if set(find_free_names(x)) <= set(free) and not t.names_of([x])[1]]
    reserved = tuple(v.name for v in claim.variables if v.name not in free)
    region = conjunction(*about) if about else None
    spoken = tuple(dict.fromkeys(_comparisons(claim, set(free))))
    return SearchProblem(game.ruleset, ordered, tuple(bound), region, "", reserved, spoken)


def _comparisons(claim: Claim, names: set[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the comparisons of heaps with a number or parameter in a claim, as texts (body, operator, number).

    For example, `count(h % 3 > 1 for h in s)` gives ("h % 3", ">", "1"). The opposite comparison is also yielded,
    because the negation of `all` contains it.
    """
    signs = {op: sign for sign, op in OPS.items()}
    for x in walk(tuple(map(expand_definitions, _terms(claim)))):
        match x:
            case t.Operation(op="occurrences", args=(_, number)) if set(find_free_names(number)) <= names:
                yield HEAP, "==", print_term(number)
        if not isinstance(x, t.Comprehension):
            continue
        running = {c.variable for c in x.clauses}
        for part in (x.body, *(y for c in x.clauses for y in c.conditions)):
            match part:
                case t.Operation(op=op, args=(body, number)) if op in signs and set(find_free_names(number)) <= names:
                    heaps = set(find_free_names(body)) - names
                    turned = opposite(part)
                    if len(heaps) == 1 and heaps <= running and display(heaps.pop()) == HEAP:
                        yield print_term(body), signs[op], print_term(number)
                        if isinstance(turned, t.Operation) and turned.op in signs:
                            yield print_term(body), signs[turned.op], print_term(number)


def _bounds(domain: object) -> Iterator[str]:
    if isinstance(domain, IntervalDomain):
        for end in (domain.lo, domain.hi):
            if end is not None:
                yield from find_free_names(expand_definitions(end))


def _search_folds(
    claim: Claim, question: SearchProblem, file: ClaimFile, clock: Deadline, tell: Tell, outcome: SearchProgress
) -> None:
    """Search for a proof by rule "folds", starting from the rules of the game instead of the formula of the claim.

    The obligations of such a proof include that the claim follows from the formula found.
    """
    position = next((v.name for v in claim.variables if v.type == POSITION), POSITION_NAME)

    def begin(asked: SearchProblem, formulas: dict[int, LossFormula]) -> Draft:
        return Draft(asked, formulas, position=position)

    found = SearchProgress()
    try:
        search_folds(question, begin, lambda: nullcontext(file), clock, tell, found)
    finally:  # the budget may run out while a found proof is shortened
        outcome.obstacle = found.obstacle or outcome.obstacle
        if found.stage is SearchStage.PROOF:
            outcome.keep_proof(found.text)


def _search_values(
    claim: Claim, question: SearchProblem, file: ClaimFile, clock: Deadline, tell: Tell, outcome: SearchProgress
) -> None:
    """Guess closed forms of the Grundy values, and try to prove the claim by each of them.

    The proof applies the closed form to the heaps that occur in the claim.
    """
    heaps = [print_term(x) for x in _find_written_heaps(claim)]
    for guessed in islice(guess(question, clock), MOST_FORMS):
        form = _rename_digits(guessed, claim, question)
        for body in _list_value_proofs(form, heaps):
            if _try(file, "\n".join(["[proof]", 'rule = "grundy"', *body]) + "\n", clock, tell, outcome):
                return
    outcome.obstacle = outcome.obstacle or Refusal.NO_FORM.say()


def _adds_values(claim: Claim) -> bool:
    """Whether it may help to add Grundy values of single heaps in a proof of this claim.

    This is so if the claim is about who wins and contains a nim-sum of numbers and at least two listed heaps.
    """
    terms = tuple(walk(tuple(map(expand_definitions, _terms(claim)))))
    summed = any(isinstance(x, t.Operation) and x.op == "nim" for x in terms)
    asks = not list_questions(_terms(claim)).isdisjoint(_WHO_WINS)
    return summed and asks and len(list(_find_written_heaps(claim))) > 1


def _add_values(claim: Claim, file: ClaimFile, clock: Deadline, tell: Tell, outcome: SearchProgress) -> bool:
    """Try to prove the claim by closed forms of the Grundy values of its listed heaps.

    Return whether this succeeds. If so, store the proof in `outcome`.
    """
    found = SearchProgress()
    try:
        question = question_of(claim)
        if not refuse_values(question, clock):
            _search_values(claim, question, file, clock, tell, found)
    except (OutOfTime, Unsupported, TooLarge) as stopped:
        tell(f"no proof by values of the listed heaps: {stopped}")
    if found.stage is SearchStage.PROOF:
        outcome.keep_proof(found.text)
    return found.stage is SearchStage.PROOF


def _list_value_proofs(form: ClosedFormGuess, heaps: Sequence[str]) -> Iterator[list[str]]:
    """Yield proofs by a closed form of Grundy values, for a claim about these heaps. A proof is a list of lines.

    Digits are the numbers with which the proof writes a heap, such as q and r in 3*q + r. If there are several heaps,
    the proof states the digits of each heap by the formulas `form.digits`. These are not needed if the only digit is
    the heap itself.
    """
    lines = list(form.proof)
    start = next((i for i in range(len(lines)) if lines[i : i + len(AT)] == list(AT)), len(lines))
    before, after = lines[:start], lines[start + len(AT) :]
    after = [x for x in after if not x.startswith('digits = { q = "h"')]
    if len(heaps) < 2:
        for own in ([], [line for heap in heaps for line in ("", "[[proof.at]]", f"heap = {quote(heap)}")]):
            yield [*before, *(own or AT), *after]
        return
    if not form.digits or form.digits == (("q", "h"),):
        yield before
        return
    at: list[str] = []
    divisions: list[str] = []
    for heap in heaps:
        digits = {name: _put_heap(formula, heap) for name, formula in form.digits}
        written = ", ".join(f"{name} = {quote(formula)}" for name, formula in digits.items())
        at += ["", "[[proof.at]]", f"heap = {quote(heap)}", f"digits = {{ {written} }}"]
        for line in after:
            key, equals, text = line.partition(" = ")
            if equals:
                text = re.sub(r"\b\w+\b", lambda x: wrap(digits.get(x[0], x[0])), text)  # noqa: B023
                text = _put_heap(text, heap)
            divisions.append(f"{key}{equals}{text}")
    few = len(form.digits) < 3  # then the divisions follow from the digits
    yield [*before, *at] if few else [*before, *at, *divisions]
    yield [*before, *at, *divisions] if few else [*before, *at]


_DIGIT = re.compile(r"([a-gi-z]) = .*")  # a line of [proof.digits] or [proof.below_digits]; h is the heap
_NAMED_FACT = re.compile(r'("[^"]*" = )?(.*)', re.DOTALL)


def _rename_digits(form: ClosedFormGuess, claim: Claim, question: SearchProblem) -> ClosedFormGuess:
    """Return the closed form with new names for digits whose names are already variables of the claim.

    Digits are the numbers with which the proof writes a heap, such as q and r in 3*q + r.
    """
    found = {x[1] for line in form.proof if (x := _DIGIT.fullmatch(line))}
    clashes = sorted(found & set(question.reserved))
    if not clashes:
        return form
    names = dict(zip(clashes, make_names(claim, clashes), strict=True))

    def rename(text: str) -> str:
        return re.sub(r"\b[a-z]\b", lambda x: names.get(x[0], x[0]), text)

    def rename_line(line: str) -> str:
        parts = _NAMED_FACT.fullmatch(line)
        assert parts is not None
        return (parts[1] or "") + rename(parts[2])

    digits = tuple((names.get(name, name), formula) for name, formula in form.digits)
    return replace(form, proof=tuple(map(rename_line, form.proof)), digits=digits)


def _put_heap(formula: str, heap: str) -> str:
    """Return a formula with the text `heap` instead of the heap h: `h // 2` and `n + 1` give `(n + 1) // 2`."""
    return heap if formula == "h" else re.sub(r"\bh\b", lambda _: wrap(heap), formula)


def _search_shapes(
    question: SearchProblem, file: ClaimFile, clock: Deadline, tell: Tell, outcome: SearchProgress
) -> None:
    """Guess formulas for the values of an n-player game, and try to prove the claim by each of them."""
    if not any(_try(file, write_proof(x), clock, tell, outcome) for x in guess_shapes(question, clock)):
        outcome.obstacle = outcome.obstacle or refuse_shapes(question)


def _find_written_heaps(claim: Claim) -> Iterator[t.Term]:
    """Yield the expressions E1, ..., En of each term position([E1, ..., En]) in the claim."""
    seen = set()
    for x in walk(tuple(map(expand_definitions, _terms(claim)))):
        match x:
            case t.Operation(op="position", args=(t.Collection(items=heaps),)):
                for heap in heaps:
                    if print_term(heap) not in seen:
                        seen.add(print_term(heap))
                        yield heap


# -- the file ---------------------------------------------------------------------------------------------------------
def put_into(file: str, proof: str) -> str:
    """Return the text of a claim file with this [proof]. It replaces the present [proof], or is appended.

    Raises Unsupported if the present [proof] is not a table under its own line [proof].
    """
    kept, own = _split(file)
    place = own[0][0] if own else None
    if place is None:
        made = file.rstrip("\n") + "\n\n" + proof
    else:
        head, rest = "\n".join(kept[:place]).rstrip("\n"), "\n".join(kept[place:]).strip("\n")
        made = f"{head}\n\n{proof.rstrip()}\n" + (f"\n{rest}\n" if rest else "")
    before, now = tomllib.loads(file), _read(made)
    before.pop("proof", None)
    if now.pop("proof", None) != tomllib.loads(proof)["proof"] or now != before:
        raise Unsupported("the [proof] of the claim is not a separate table; write it under its own line [proof]")
    return made


def proof_of(file: str) -> str:
    """Return the text of the [proof] of a claim file; "" if the [proof] is missing or not in separate tables."""
    words = "\n".join(line for _, line in _split(file)[1]).strip() + "\n"
    return words if _read(words).get("proof") and _read(words)["proof"] == _read(file).get("proof") else ""


def _split(file: str) -> tuple[list[str], list[tuple[int, str]]]:
    """Return the lines outside the table [proof] and its subtables, and the lines inside.

    Each line inside is given with the number of outside lines that precede it.
    """
    kept: list[str] = []
    own: list[tuple[int, str]] = []
    inside = False
    for line in file.split("\n"):
        if line.startswith("["):
            inside = line.lstrip("[").split("]")[0].split(".")[0].strip() == "proof"
        if inside:
            own.append((len(kept), line))
        else:
            kept.append(line)
    return kept, own


def _read(file: str) -> dict[str, object]:
    try:
        return tomllib.loads(file)
    except tomllib.TOMLDecodeError:
        return {}
