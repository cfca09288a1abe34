"""The search for the winner of a game. It finds formulas, replies and facts, and writes a claim with its proof."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Set
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Protocol

import numpy as np

from claims.language.errors import ClaimError
from claims.language.syntax import terms as t
from claims.language.syntax.printing import TooLong
from claims.language.syntax.terms import INT
from encoders.compute.arrays.limits import Deadline, OutOfTime, TooLarge
from encoders.logic.answer import Obligation, ObligationStatus
from encoders.logic.sequents import ONE, ZERO, Sequent, compare, integer
from encoders.proving.reading import Prover, load_claim
from encoders.refusals import Unsupported
from encoders.rules.folds.kinds import FACT_OF_MORE, FACT_OF_NONE
from encoders.rules.folds.positions import REST
from encoders.search.facts import Countermodel, CounterModels, Fact, Templates
from encoders.search.formulas import (
    MISSED,
    FoldVocabulary,
    FormulaFit,
    LossFormula,
    Sort,
    Tell,
    VocabularyLevel,
    find_formulas,
    write_term,
)
from encoders.search.question import HEAP, POSITION_NAME, SearchProblem, variable
from encoders.search.refusals import Refusal, tell_moves
from encoders.search.replies import (
    CandidateReply,
    Replies,
    ReplyCase,
    decide,
    find_failing_cells,
    list_picks,
    put_in_order,
)
from encoders.search.tables import (
    SMALL,
    Cells,
    OutcomeTable,
    SampleLimits,
    choose_box,
    find_splitting,
    find_way,
    find_way_of_each,
)
from encoders.search.values import ClosedFormGuess, guess
from encoders.search.writing import AT, Draft, head, quote
from encoders.solvers.discharge import check_on_box, discharge
from encoders.solvers.effort import USUAL

# == loop =============================================================================================================
# From a draft to a proof. The proof rule states the obligations of the draft. False obligations show which facts the
# draft lacks.
#
# Each round evaluates the obligations on small boxes of values. If none is false there, certificates are searched for.
ROUNDS = 16
PARTITIONS = 2  # the limit for adding partition facts although no known fact is violated
_CLAIM = "found"

LABELS = {  # labels of folds that obligations use for every position
    "len(s)": "number of heaps",
    "max(s)": "largest heap",
    "min(s)": "least heap",
    "s.count(max(s))": "number of largest heaps",
    "s.count(min(s))": "number of least heaps",
}


class Posing(Protocol):
    """An object that states the obligations of a draft.

    A draft is the text of a claim file or of a [proof]; its proof may still fail. Obligations are statements that
    together imply the claim.
    """

    def pose(self, text: str) -> Iterator[Sequent]:
        """Yield the obligations of a claim with an unfinished proof (a draft), given as text.

        Raises ClaimError, Unsupported, TooLong.
        """


class Workspace:
    """A folder with a claim file and the ruleset of the claim."""

    def __init__(self, question: SearchProblem, folder: Path) -> None:
        self.path = folder / f"{_CLAIM}.toml"
        if self.path.stem == question.ruleset.id:
            self.path = folder / f"{_CLAIM}-claim.toml"
        (folder / f"{question.ruleset.id}.toml").write_text(question.ruleset.source.text, "utf-8")

    def write_claim(self, text: str) -> Path:
        """Write the claim file and return its path."""
        self.path.write_text(text, "utf-8")
        return self.path

    def pose(self, text: str) -> Iterator[Sequent]:
        """Write the claim file, and yield the obligations that its proof rule states.

        Raises ClaimError, Unsupported, TooLong.
        """
        claim = load_claim(self.write_claim(text), _CLAIM)
        prover = Prover()
        yield from prover.rule_of(claim).obligations(claim, prover)


@contextmanager
def open_workspace(question: SearchProblem) -> Iterator[Workspace]:
    """Create a `Workspace` in a temporary folder. The folder is deleted when the `with` block ends."""
    with tempfile.TemporaryDirectory() as folder:
        yield Workspace(question, Path(folder))


@dataclass(frozen=True)
class Attempt:
    """The result of an attempt to prove a draft, that is, a claim with an unfinished proof.

    `proved`: the number of proved obligations.
    `open`: the obligations that were tried and not proved.
    `refused`: the error message if the obligations cannot be stated; otherwise "".
    `names`: the names of the proved obligations.
    """

    proved: int
    open: tuple[Obligation, ...] = ()
    refused: str = ""
    names: frozenset[str] = frozenset()

    @property
    def is_proved(self) -> bool:
        return not self.open and not self.refused and self.proved > 0

    @property
    def words(self) -> str:
        """The reason for the failure: the error message, or the first open obligation; "" if the attempt succeeded."""
        return self.refused or "; ".join(f"{o.name}: {o.detail}" for o in self.open[:1])


def attempt(
    workspace: Posing, text: str, clock: Deadline, first: bool = False, last: Set[str] = frozenset()
) -> Attempt:
    """Try to prove the obligations of a claim with an unfinished proof (a draft), and return the result.

    If the obligations cannot be stated, `refused` of the result is the error message.
    `first`: stop at the first obligation that is not proved.
    `last`: names of obligations that are tried last, and only if all others are proved.
    """
    names, open_ = set[str](), list[Obligation]()
    proved = 0
    try:
        posed = list(workspace.pose(text)) if last else workspace.pose(text)
        for late in (False, True) if last else (False,):
            for sequent in posed:
                if (sequent.name in last) is not late:
                    continue
                clock.check()
                done = discharge(sequent, USUAL, _compute_time_left(clock))
                if done.proved:
                    proved += 1
                    names.add(sequent.name)
                else:
                    open_.append(done)
                    if first:
                        break
            if open_:
                break
    except (Unsupported, TooLong, ClaimError) as error:
        return Attempt(proved, tuple(open_), str(error))
    return Attempt(proved, tuple(open_), "", frozenset(names))


def _compute_time_left(clock: Deadline) -> float | None:
    """Return the limit of CPU time for one obligation in seconds; None if there is no limit.

    The limit is the time that is left, but at least one second.
    """
    return None if clock.deadline is None else max(1.0, clock.deadline - clock.now())


class FactSearch:
    """A search that adds facts to an unfinished proof until its obligations are proved.

    A fact is a condition that holds for every position, such as "if no heap is above 1, the nim-sum is 0 or 1".
    """

    def __init__(self, draft: Draft, workspace: Posing, vocabulary: FoldVocabulary, cells: Cells, tell: Tell) -> None:
        self.draft, self.workspace, self.vocabulary, self.tell = draft, workspace, vocabulary, tell
        self.clock = vocabulary.table.clock
        self.pool = Templates(vocabulary, cells, draft.folds).propose()
        self.bad: set[str] = set()

    def run(self) -> Attempt:
        """Add facts to the proof in at most ROUNDS rounds, and return the result of the last round.

        The facts are added to `draft.facts`. A round that finds no further facts removes the facts that are not proved;
        if there are none, the search ends.
        """
        left, found, before = PARTITIONS, Attempt(0), set[str]()
        for number in range(1, ROUNDS + 1):
            try:
                false = list(self._look())
            except (Unsupported, TooLong, ClaimError) as error:
                return Attempt(0, (), str(error))
            if not false:
                self.tell(f"round {number}: no obligation is false at small values; searching for certificates")
                found = attempt(self.workspace, self.draft.write(), self.clock, last=before)
                if found.is_proved or found.refused:
                    return found
                before |= found.names  # more facts cannot invalidate proved obligations
                false = [(o.name, {n: int(v) for n, v in o.values if not isinstance(v, bool)}) for o in found.open]
            else:
                found = Attempt(0, tuple(_tell_false(name, values) for name, values in false))
            chosen = self._choose([self._read_places(values) for _, values in false])
            if not chosen and left:
                left -= 1
                chosen = self._choose_parts()
            if chosen:
                names = "; ".join(f.text for f in chosen)
                self.tell(
                    f"round {number}: {len(false)} obligations are open, the first is {false[0][0]}; "
                    f"added facts: {names}"
                )
                self.draft.facts += chosen
            elif not self._drop({name for name, _ in false}):
                break
        return found

    def _look(self) -> Iterator[tuple[str, Countermodel]]:
        """Evaluate the obligations at small values of their variables.

        Yield those that are false, as pairs (name, values). At these values the obligation is false.
        """
        for sequent in self.workspace.pose(self.draft.write()):
            self.clock.check()
            falsified = check_on_box(sequent).falsified
            if falsified is not None:
                yield sequent.name, {n: int(v) for n, v in falsified.items() if not isinstance(v, bool)}

    def _read_places(self, values: Countermodel) -> list[Countermodel]:
        """Divide a countermodel by positions: for each position, return the values of its folds and of the parameters.

        A fold is a number computed heap by heap. A key such as "X of s" stands for the fold X of the position s.
        """
        integers = {n: values[n] for n in self.draft.question.names if n in values}
        places: dict[str, Countermodel] = {}
        for fold in self.vocabulary.folds:
            for label in (fold.name, LABELS.get(fold.text)):
                start = f"{label} of "
                for name, value in values.items():
                    if label is not None and name.startswith(start):
                        places.setdefault(name.removeprefix(start), {}).setdefault(fold.name, value)
        return [integers | place for place in places.values()]

    def _choose(self, models: list[list[Countermodel]]) -> list[Fact]:
        """Return a cheap set of facts that excludes every countermodel which the candidate facts can exclude.

        A countermodel consists of values at which an obligation is false. A fact excludes it if the fact is false
        there.
        `models`: for each false obligation, the values of folds (numbers computed heap by heap) and parameters at each
        position of its countermodel. Facts exclude a countermodel if they exclude the values at one of its positions.
        """
        places = [(i, place) for i, model in enumerate(models) for place in model]
        if not places:
            return []
        have = {f.text for f in self.draft.facts} | self.bad
        pool = [f for f in self.pool if f.text not in have]
        names = [*self.vocabulary.by, *self.draft.question.names]
        broken = CounterModels([place for _, place in places], names)
        owner = [i for i, _ in places]
        offers: dict[int, dict[tuple[str, ...], tuple[float, tuple[Fact, ...]]]] = {i: {} for i in owner}
        for fact in pool:
            self.clock.check()
            for at in np.flatnonzero(broken.false_at(fact)).tolist():
                offers[owner[at]][(fact.text,)] = fact.price, (fact,)
        hungry = {i for i, x in offers.items() if not x}
        if hungry:
            mine = set(self.draft.folds)
            for at, fold, facts in broken.find_unsatisfied([f for f in self.pool if f.text not in self.bad]):
                fresh = tuple(f for f in facts if f.text not in have)
                if fresh and owner[at] in hungry:
                    price = sum(f.price % 4 for f in fresh) + (0 if fold in mine else 4)
                    offers[owner[at]].setdefault(tuple(f.text for f in fresh), (price, fresh))
        return _cover(list(offers.values()))

    def _choose_parts(self) -> list[Fact]:
        """Return at most one fact about a nim-sum, and one further fact about a nim-sum or a number of heaps.

        Such a fact states that a number (fold) is composed of two others, for example that X is the nim-sum of Y and Z.
        Each fact contains at least one fold of the proof, and one or two folds that the proof does not use yet.
        """
        mine, have = set(self.draft.folds), {f.text for f in self.draft.facts} | self.bad
        fitting = [
            f for f in self.pool if f.partition and f.text not in have and 1 <= sum(x not in mine for x in f.folds) <= 2
        ]
        fitting.sort(key=lambda f: (sum(x not in mine for x in f.folds), f.price, len(f.text)))
        sums = [f for f in fitting if f.folds[0].sort is Sort.NIM_SUM]
        return sums[:1] + [f for f in fitting if f not in sums][:1]

    def _drop(self, names: set[str]) -> bool:
        """Remove the facts that are not proved, and return whether there were any.

        `names`: the names of the failed obligations. A fact is removed if one of its own obligations is among them.
        """
        kinds = FACT_OF_NONE, FACT_OF_MORE
        failed = [f for f in self.draft.facts if any(k.make_label(name=f.name).name in names for k in kinds)]
        self.bad |= {f.text for f in failed}
        self.draft.facts = [f for f in self.draft.facts if f not in failed]
        return bool(failed)


def _tell_false(name: str, values: Countermodel) -> Obligation:
    """Return an obligation that failed. Its message lists the values at which it is false."""
    shown = ", ".join(f"{n} = {v}" for n, v in sorted(values.items()) if not n.startswith(REST))
    return Obligation(name, ObligationStatus.FAILED, f"fails at {shown}")


def _cover(offers: list[dict[tuple[str, ...], tuple[float, tuple[Fact, ...]]]]) -> list[Fact]:
    """Return facts that together exclude all countermodels for which there are offers.

    An element of `offers` belongs to one countermodel. It contains pairs of a price and a set of facts that excludes
    this countermodel. Cheap sets that exclude many countermodels are chosen first.
    """
    chosen: list[Fact] = []
    left = [x for x in offers if x]
    while left:
        counts: dict[tuple[str, ...], tuple[int, float, tuple[Fact, ...]]] = {}
        for offer in left:
            for key, (price, facts) in offer.items():
                counts[key] = counts.get(key, (0, price, facts))[0] + 1, price, facts
        best = max(counts, key=lambda k: (counts[k][0] / (0.5 + counts[k][1]), -len(" ".join(k)), k))
        chosen += [f for f in counts[best][2] if f not in chosen]
        left = [x for x in left if best not in x]
    return chosen


def prune(draft: Draft, workspace: Posing, clock: Deadline) -> int:
    """Remove the facts that the proof does not need, and return their number.

    First remove the folds (numbers computed heap by heap) that are only listed, if the proof succeeds without them.
    """
    dropped, named = 0, draft.named
    draft.named = []
    if named and not attempt(workspace, draft.write(), clock, True).is_proved:
        draft.named = named
    for fact in list(draft.facts)[::-1]:
        before = list(draft.facts)
        draft.facts = [f for f in draft.facts if f is not fact]
        if (
            not is_falsified(workspace, draft.write(), clock)
            and attempt(workspace, draft.write(), clock, True).is_proved
        ):
            dropped += 1
        else:
            draft.facts = before
    return dropped


def is_falsified(workspace: Posing, text: str, clock: Deadline) -> bool:
    """Whether some obligation is false at small values of its variables, or the obligations cannot be stated."""
    try:
        for sequent in workspace.pose(text):
            clock.check()
            if check_on_box(sequent).falsified is not None:
                return True
    except (Unsupported, TooLong, ClaimError):
        return True
    return False


# == find =============================================================================================================
# The search for the winner of a game: formulas, replies, facts, and a draft of a claim at each stage.
#
# The checker must confirm every result.
REPLY_ROUNDS = 6  # rounds in which cells with failing replies are added
HALF = t.Operation(INT, 0, 0, "floordiv", (variable(HEAP), integer(2)))
MOST_SPLITS = 8  # the limit for heaps that a reply splits
MOST_FORMS = 4  # the limit for closed forms that are tried in proofs


class SearchStage(Enum):
    """The stage that a search has reached. The value is a description of the stage."""

    NOTHING = "no formula was found"
    FORMULA = "a formula, and no proof"
    PROOF = "a formula and a proof"


@dataclass
class SearchProgress:
    """The results of a search so far, which remain available if the search is interrupted.

    `text`: the claim file, with its proof at the last stage; "" at the first stage.
    `formula`: the claim file without a proof.
    `obstacle`: the reason why the next stage has not been reached.
    `searched`: descriptions of the attempts.
    `nearest`: a description of the wrong formula with the smallest number of errors.
    """

    stage: SearchStage = SearchStage.NOTHING
    text: str = ""
    formula: str = ""
    obstacle: str = ""
    searched: tuple[str, ...] = ()
    nearest: str = ""

    def keep_proof(self, text: str) -> None:
        """Store a claim file whose proof succeeded; no obstacle remains."""
        self.stage, self.text, self.obstacle = SearchStage.PROOF, text, ""


def find_who_wins(
    question: SearchProblem, clock: Deadline, tell: Tell, outcome: SearchProgress, shorten: bool = True
) -> None:
    """Search for a formula that determines the winner, and for a proof of the formula.

    The first method is a search by folds (numbers that are computed heap by heap). If this search finds no proof and
    the game has Grundy values, a formula for the values of single heaps is tried.

    `clock`: the search ends when its time is used up.
    `outcome`: receives each result as soon as it is found.
    `shorten`: remove unnecessary facts from a proof. This takes as long as the rest of the search.

    Raises Unsupported for a game of n players.
    """
    if question.ruleset.player_count:
        raise Unsupported(Refusal.NO_WINNER.say(id=question.ruleset.id))

    def search(note: Tell) -> None:
        table = search_folds(question, Draft, partial(open_workspace, question), clock, note, outcome, shorten)
        if outcome.stage is not SearchStage.PROOF and has_values(question, table):
            _search_heaps(question, clock, note, outcome, write_sums)

    run_search(search, tell, outcome)


def find_values(question: SearchProblem, clock: Deadline, tell: Tell, outcome: SearchProgress) -> None:
    """Search for a closed form of the Grundy values of one heap, and for a proof. For arguments see `find_who_wins`.

    Raises Unsupported if the game has no Grundy values, or if `find` does not support its moves.
    """

    def search(note: Tell) -> None:
        if question.ruleset.player_count:
            raise Unsupported(Refusal.OF_PLAYERS.say(id=question.ruleset.id))
        if why := refuse_values(question, clock):
            raise Unsupported(why)
        _search_heaps(question, clock, note, outcome, write_values)

    run_search(search, tell, outcome)


def run_search(search: Callable[[Tell], None], tell: Tell, outcome: SearchProgress) -> None:
    """Run a search, and append its messages to `outcome.searched`.

    If the time runs out before a proof is found, or a number is too large, the reason is stored as the obstacle.
    """

    def note(line: str) -> None:
        outcome.searched = (*outcome.searched, line)
        tell(line)

    try:
        search(note)
    except OutOfTime:
        if outcome.stage is not SearchStage.PROOF:
            outcome.obstacle = f"the budget ran out{f'; {outcome.obstacle}' if outcome.obstacle else ''}"
    except TooLarge as error:
        outcome.obstacle = str(error)
    except OverflowError:  # raised by Python for a number that exceeds 64 bits
        outcome.obstacle = Refusal.LARGE.say()


def has_values(question: SearchProblem, table: OutcomeTable) -> bool:
    """Whether the game has Grundy values.

    This requires normal play, moves that make one heap smaller, and the same moves for all players in the table.
    """
    if question.ruleset.stuck_wins or not question.ruleset.single_heap:
        return False
    first, *others = table.legal
    return all((first == x).all() for x in others)


def refuse_values(question: SearchProblem, clock: Deadline) -> str:
    """Return the reason why `find` cannot search for a closed form of the Grundy values; "" if there is no reason.

    The game must have two players.
    """
    ruleset = question.ruleset
    if ruleset.stuck_wins:
        return Refusal.MISERE.say(id=ruleset.id)
    if not ruleset.single_heap:
        return Refusal.SEVERAL.say(why=tell_moves(ruleset))
    if not has_values(question, OutcomeTable(question, SampleLimits(1, SMALL.size, SMALL.most), clock)):
        return Refusal.PARTIZAN.say(id=ruleset.id)
    return "" if find_way(ruleset.moves) is not None else Refusal.TAKING.say()


def _search_heaps(
    question: SearchProblem,
    clock: Deadline,
    tell: Tell,
    outcome: SearchProgress,
    write: Callable[[SearchProblem, ClosedFormGuess, bool], str],
) -> None:
    forms = ((f"a heap of {x.told}", partial(write, question, x)) for x in guess(question, clock))
    search_forms(question, forms, clock, tell, outcome)
    if outcome.stage is not SearchStage.PROOF:
        outcome.obstacle = outcome.obstacle or Refusal.NO_FORM.say()


def search_forms(
    question: SearchProblem,
    forms: Iterator[tuple[str, Callable[[bool], str]]],
    clock: Deadline,
    tell: Tell,
    outcome: SearchProgress,
) -> None:
    """Try to prove at most MOST_FORMS formulas, one after the other, until a proof succeeds.

    `forms`: for each formula, a description and a function. The function returns the text of the claim file, with the
    [proof] if its argument is true.
    `outcome`: receives the first formula, and then the proof, if any.
    """
    open_ = ""
    for told, write in islice(forms, MOST_FORMS):
        tell(told)
        if outcome.stage is SearchStage.NOTHING:
            outcome.stage, outcome.text, outcome.formula = SearchStage.FORMULA, *[write(False)] * 2
        with open_workspace(question) as workspace:
            attempted = attempt(workspace, write(True), clock)
        if attempted.is_proved:
            outcome.keep_proof(write(True))
            outcome.formula = write(False)
            return
        tell(f"not proved: {attempted.words}")
        open_ = open_ or attempted.words
    outcome.obstacle = outcome.obstacle or open_


Begin = Callable[[SearchProblem, dict[int, LossFormula]], Draft]
Open = Callable[[], AbstractContextManager[Posing]]
RepliesAt = Callable[[Cells], Replies]  # a function that returns the replies of one side at some cells


def search_folds(
    question: SearchProblem,
    begin: Begin,
    open_: Open,
    clock: Deadline,
    tell: Tell,
    outcome: SearchProgress,
    shorten: bool = True,
) -> OutcomeTable:
    """Search for a formula in folds that determines the winner, and for a proof. Return the table of solved positions.

    A fold is a number computed heap by heap, such as the nim-sum.
    `begin`: returns a claim with the given formulas and an empty proof.
    `open_`: opens the object that states the obligations of a claim with an unfinished proof.
    `outcome`: receives the results.
    `shorten`: whether to remove unnecessary facts from the proof.

    Raises Unsupported if the region contains no small values of the parameters.
    """
    box = choose_box(question)
    table = OutcomeTable(question, box, clock)
    if not table.choices:
        raise Unsupported(Refusal.REGION.say(most=box.most))
    tell(
        f"solved: {table.choices * len(table.rows)} cases with at most {box.heaps} heaps of at most {box.size} objects"
    )
    _search(table, begin, open_, tell, outcome, shorten)
    return table


def _search(table: OutcomeTable, begin: Begin, open_: Open, tell: Tell, outcome: SearchProgress, shorten: bool) -> None:
    levels, nearest, tried = list(VocabularyLevel), list[FormulaFit](), set[str]()
    while levels:
        found = find_formulas(table, table.sample(SMALL), levels, tell, nearest)
        if nearest and outcome.stage is SearchStage.NOTHING and nearest[0].misses:
            near = begin(table.question, nearest[0].formulas)
            outcome.nearest = f"{near.words} is wrong in {nearest[0].misses} cases, such as {nearest[0].missed}"
        if found is None:
            if outcome.stage is SearchStage.NOTHING:
                outcome.obstacle = Refusal.NO_FORMULA.say()
            return
        draft = begin(table.question, found.formulas)
        if outcome.stage is SearchStage.NOTHING:
            outcome.stage, outcome.text, outcome.formula = SearchStage.FORMULA, draft.write(), draft.write()
            outcome.nearest = ""
        levels = levels[levels.index(found.vocabulary.level) + 1 :]
        attempted = _prove(draft, found, open_, tell, tried)
        if attempted.is_proved:
            outcome.keep_proof(draft.write())
            outcome.formula = draft.write(proof=False)
            if shorten:
                _prune(draft, open_, table, tell, outcome)
            return
        tell(f"not proved: {attempted.words}")
        outcome.obstacle = outcome.obstacle or attempted.words


def _prove(draft: Draft, found: FormulaFit, open_: Open, tell: Tell, tried: set[str]) -> Attempt:
    """Add replies and facts to an unfinished proof until it succeeds.

    Return the successful attempt, or else the first attempt. `tried`: the texts of earlier proofs, which are not tried
    again.
    """
    question, vocabulary = draft.question, found.vocabulary
    draft.named = vocabulary.spoken
    draft.way = find_way(question.ruleset.moves) if question.ruleset.single_heap else None
    columns = [f for f in vocabulary.folds if f.text in ("columns(s, 3, 1)", "columns(s, 3, 2)")]
    if draft.way is None and len(columns) == 2 and (way := find_way_of_each(question.ruleset.moves)) is not None:
        draft.way, draft.two_heaps = way, (columns[0], columns[1])
        with open_() as workspace:
            return attempt(workspace, draft.write(), vocabulary.table.clock)
    if draft.way is None and (way := find_splitting(question.ruleset.moves)) is not None:
        draft.way = way
        return _prove_by_one_split(draft, found, open_, tell)
    if draft.way is None:
        return Attempt(0, (), Refusal.MOVES.say())
    first = _prove_by_replies(draft, found, open_, tell, tried, aims=False)
    if first.is_proved:
        return first
    second = _prove_by_replies(draft, found, open_, tell, tried, aims=True)
    return second if second.is_proved else first


def _prove_by_one_split(draft: Draft, found: FormulaFit, open_: Open, tell: Tell) -> Attempt:
    """Try to prove who wins a game with splits, by a single reply: the same split of a heap at all N-positions.

    The table does not contain the positions after a split, which have more heaps. Therefore only the obligations show
    whether the reply is good. If the proof fails, the replies and facts are removed from `draft`.
    """
    vocabulary = found.vocabulary
    cells = vocabulary.know(found.cells)
    everywhere = np.ones(len(cells), dtype=bool)
    spoken = {f for x in found.formulas.values() for f in x.folds}
    picks = [p for p in list_picks(vocabulary, cells, vocabulary.folds) if p.words.startswith("any")]
    picks.sort(key=lambda p: not spoken.issuperset(p.folds))
    for take in (ONE, HALF):
        for pick in picks[:MOST_SPLITS]:
            reply = CandidateReply(pick, take, pick.folds, 0.0, everywhere, everywhere)
            case = ReplyCase([], reply, (), False, everywhere)
            draft.facts, draft.cases = [], {side: [case] for side in draft.question.sides}
            with open_() as workspace:
                tried = FactSearch(draft, workspace, vocabulary, cells, lambda _: None).run()
            if tried.is_proved:
                tell(f"replies: 1, split with {write_term(take)}")
                return tried
    draft.facts, draft.cases = [], {}
    return Attempt(0, (), "no single split of a heap wins from every N-position")


def _prove_by_replies(draft: Draft, found: FormulaFit, open_: Open, tell: Tell, tried: set[str], aims: bool) -> Attempt:
    """Find replies and facts for an unfinished proof, and try to prove it. Moves of the game change one heap.

    `draft`: receives the replies and facts.
    `tried`: the texts of earlier proofs, which are not tried again. The new text is added.
    `aims`: whether to include replies after which a nim-sum is not 0. Without them, proofs are simpler.
    """
    question, vocabulary = draft.question, found.vocabulary
    draft.cases, draft.facts, draft.named = {}, [], vocabulary.spoken
    replies = partial(Replies, vocabulary, spoken={f for x in found.formulas.values() for f in x.folds}, aims=aims)
    cells = found.cells
    for side in question.sides:
        cases, cells, missing = _find_cases(found, cells, partial(replies, side=side))
        if missing:
            return Attempt(0, (), f"no reply{_whose(question, side)} at {missing}")
        draft.cases[side] = cases
        tell(f"replies{_whose(question, side)}: {len(cases)}")
    for side, cases in draft.cases.items():
        put_in_order(cases, replies(cells, side=side), found.formulas[side])
        if question.ruleset.stuck_wins:
            cases += _move_anywhere(found, cells, partial(replies, side=side, anywhere=True), side, len(cases))
    start = draft.write()
    if start in tried:
        return Attempt(0, (), "the formula and the replies are the same as in an earlier attempt")
    tried.add(start)
    with open_() as workspace:
        return FactSearch(draft, workspace, vocabulary, vocabulary.know(cells), tell).run()


def _whose(question: SearchProblem, side: int) -> str:
    return "" if question.ruleset.impartial else f" of {question.side_name(side)}"


def _find_cases(found: FormulaFit, cells: Cells, replies_at: RepliesAt) -> tuple[list[ReplyCase], Cells, str]:
    """Search for replies that win at every cell that the mover wins. A cell is a position with parameters.

    Return (1) the replies with their conditions, (2) the cells from which they were found, and (3) a description of a
    cell for which no reply is found, or "". If there is such a cell, the list (1) is empty.
    The search begins with `cells`. Each round adds cells of the table at which the replies fail. The search ends when
    they fail at no cell, or after REPLY_ROUNDS rounds.
    `replies_at`: a function that returns the possible replies at some cells.
    """
    vocabulary, table = found.vocabulary, found.vocabulary.table
    cases: list[ReplyCase] = []
    for _ in range(REPLY_ROUNDS):
        replies = replies_at(cells)
        cases, left = decide(replies, vocabulary.make_atoms(cells))
        if left.any():
            at = int(np.flatnonzero(left)[0])
            return [], cells, table.describe(int(cells.q[at]), int(cells.n[at]))
        bad = find_failing_cells(cases, replies_at(table.cells))
        if not len(bad):
            break
        cells = vocabulary.know(cells.join(table.cells.take(bad[:: max(1, len(bad) // MISSED)][:MISSED])))
    return cases, cells, ""


def _move_anywhere(found: FormulaFit, cells: Cells, replies_at: RepliesAt, side: int, number: int) -> list[ReplyCase]:
    """Return cases that give a legal move at every lost position of a misère game; [] if they are not found.

    Such a move shows that the mover is not stuck, since a stuck player wins.
    `replies_at`: a function that returns the possible replies at some cells (positions with parameters).
    `number`: the number of cases that precede these cases in the proof.
    """
    vocabulary = found.vocabulary
    heaps = next(f for f in vocabulary.folds if f.text == "len(s)")
    replies = replies_at(cells)
    for pick in list_picks(vocabulary, cells, []):
        for take in (ONE, variable(HEAP)):
            good = pick.given & ~replies.wins(take) == 0
            if good[pick.there].all():
                reply = CandidateReply(pick, take, (heaps,), 0.0, good, good)
                condition = compare("gt", heaps.variable, ZERO)
                return [ReplyCase([condition], reply, (heaps,), False, good, plain=True, anywhere=True)]
    cases, cells, _ = _find_cases(found, cells, replies_at)
    put_in_order(cases, replies_at(cells), found.formulas[side])
    for case in cases:
        case.after, case.anywhere = [number + j for j in case.after], True
    return cases


def _prune(draft: Draft, open_: Open, table: OutcomeTable, tell: Tell, outcome: SearchProgress) -> None:
    """Shorten the proof as long as there is time. `outcome.text` always contains a proved version."""
    if draft.facts or draft.named:
        with open_() as workspace:
            dropped = prune(draft, workspace, table.clock)
        tell(f"{dropped} of {dropped + len(draft.facts)} facts are not needed")
        outcome.text = draft.write()


# -- claims about values ----------------------------------------------------------------------------------------------
def write_values(question: SearchProblem, form: ClosedFormGuess, proof: bool = True) -> str:
    """Return the text of a claim file that states the Grundy values of one heap.

    `proof`: whether to include the [proof].
    """
    if form.stated is not None:
        heap, value, digits = form.stated
        words, then = f"one heap of {heap} has the Grundy value {value}", f"grundy(position([{heap}])) == {value}"
        names, scope = {"e": "0..", "g": "0.."}, {"e": "0..5", "g": "0..12"}
        lines = head(question, "Grundy values of one heap", words, then, names, scope)
        at = [f"heap = {quote(heap)}" if x == AT[-1] else x for x in form.proof]
        proved = ClosedFormGuess(value, (*at, f"digits = {digits}"))
        return "\n".join([*lines, *(_proof(proved) if proof else ())]) + "\n"
    words = f"one heap of h has the Grundy value {form.value}"
    then = f"grundy(position([h])) == {form.value}"
    lines = head(question, "Grundy values of one heap", words, then, {"h": "0.."}, {"h": "0..40"})
    return "\n".join([*lines, *(_proof(form) if proof else ())]) + "\n"


def write_sums(question: SearchProblem, form: ClosedFormGuess, proof: bool = True) -> str:
    """Return the text of a claim file that states who wins from any number of heaps, by the nim-sum of their values.

    `proof`: whether to include the [proof].
    """
    value = form.value
    words = f"the player to move loses if and only if the nim-sum of {value} over the heaps h is 0"
    mover = "" if question.ruleset.impartial else ", p"
    then = f"iff(not wins(s{mover}), nim_sum({value} for {HEAP} in s) == 0)"
    variables = {POSITION_NAME: "position"} | ({} if question.ruleset.impartial else {"p": "player"})
    lines = head(question, "who wins", words, then, variables, {})
    proof_lines = [x for x in form.proof if not x.startswith('digits = { q = "h"')]
    return "\n".join([*lines, *(_proof(ClosedFormGuess(value, tuple(proof_lines))) if proof else ())]) + "\n"


def _proof(form: ClosedFormGuess) -> list[str]:
    return ["", "[proof]", 'rule = "grundy"', *form.proof]
