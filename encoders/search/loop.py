"""From a draft to a proof: its obligations are posed, and what is false of them says which facts the draft lacks.

Each round poses the obligations by the rule itself and looks at them on small boxes of values; only where none is
false there are certificates searched for.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from claims.language.ground.errors import ClaimError
from claims.language.statement.unfolding import TooLong
from encoders.answer import Obligation, ObligationStatus
from encoders.exhaustive.arrays.limits import Deadline
from encoders.ground.refusals import Unsupported
from encoders.logic.discharge import discharge
from encoders.logic.discharge.box import check_on_box
from encoders.logic.sequent import Sequent
from encoders.logic.solvers.effort import USUAL
from encoders.proving.prover import Prover
from encoders.proving.reading import load_claim
from encoders.rules.folds.positions.positions import REST
from encoders.rules.folds.statement.kinds import FACT_OF_MORE, FACT_OF_NONE
from encoders.search.facts import Countermodel, CounterModels, Fact, Templates
from encoders.search.formulas import Tell
from encoders.search.question import SearchProblem
from encoders.search.tables import Cells
from encoders.search.vocabulary import FoldVocabulary, Sort
from encoders.search.writing import Draft

ROUNDS = 16
PARTITIONS = 2  # how often something is said to fall into parts though nothing known is broken
PATIENCE = 2.0
_CLAIM = "found"

LABELS = {  # what obligations call those folds that are known of every position
    "len(s)": "number of heaps",
    "max(s)": "largest heap",
    "min(s)": "least heap",
    "s.count(max(s))": "number of largest heaps",
    "s.count(min(s))": "number of least heaps",
}


class Posing(Protocol):
    """What says which obligations a draft has."""

    def pose(self, text: str) -> Iterator[Sequent]:
        """Those of what a draft writes. Raises ClaimError, Unsupported, TooLong."""


class Workspace:
    """A folder in which a claim file is read beside the ruleset that it is about."""

    def __init__(self, question: SearchProblem, folder: Path) -> None:
        self.path = folder / f"{_CLAIM}.toml"
        if self.path.stem == question.ruleset.id:
            self.path = folder / f"{_CLAIM}-claim.toml"
        (folder / f"{question.ruleset.id}.toml").write_text(question.ruleset.source.text, "utf-8")

    def put(self, text: str) -> Path:
        """The claim file with this text."""
        self.path.write_text(text, "utf-8")
        return self.path

    def pose(self, text: str) -> Iterator[Sequent]:
        """What the claim file's own rule asks for. Raises ClaimError, Unsupported, TooLong."""
        claim = load_claim(self.put(text), _CLAIM)
        prover = Prover()
        yield from prover.rule_of(claim).obligations(claim, prover)


@contextmanager
def open_workspace(question: SearchProblem) -> Iterator[Workspace]:
    """A workspace for a while."""
    with tempfile.TemporaryDirectory() as folder:
        yield Workspace(question, Path(folder))


@dataclass(frozen=True)
class Attempt:
    """What became of a proof. `proved`: how many obligations; `open`: those that are not, the first with its values.

    `refused`: what the rule does not follow, or "".  `names`: of those that are proved.
    """

    proved: int
    open: tuple[Obligation, ...] = ()
    refused: str = ""
    names: frozenset[str] = frozenset()

    @property
    def done(self) -> bool:
        return not self.open and not self.refused and self.proved > 0

    @property
    def words(self) -> str:
        """The obstacle."""
        return self.refused or "; ".join(f"{o.name}: {o.detail}" for o in self.open[:1])


def attempt(
    workspace: Posing, text: str, clock: Deadline, first: bool = False, last: Set[str] = frozenset()
) -> Attempt:
    """Pose the obligations of a claim file and discharge them; `first`: up to the first that is open.

    `last`: the names of those that come last, and are left where one before them is open.
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
                done = discharge(sequent, USUAL, _left(clock))
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


def _left(clock: Deadline) -> float | None:
    """Seconds of the wall after which an obligation is given up: several times the CPU time that is left."""
    return None if clock.deadline is None else max(1.0, PATIENCE * (clock.deadline - clock.now()))


class FactSearch:
    """Adds facts to a draft until its obligations hold."""

    def __init__(self, draft: Draft, workspace: Posing, vocabulary: FoldVocabulary, cells: Cells, tell: Tell) -> None:
        self.draft, self.workspace, self.vocabulary, self.tell = draft, workspace, vocabulary, tell
        self.clock = vocabulary.table.clock
        self.pool = Templates(vocabulary, cells, draft.folds).propose()
        self.bad: set[str] = set()

    def run(self) -> Attempt:
        """The outcome, of at most ROUNDS rounds; the draft has the facts that were added."""
        left, found, before = PARTITIONS, Attempt(0), set[str]()
        for number in range(1, ROUNDS + 1):
            try:
                false = list(self._look())
            except (Unsupported, TooLong, ClaimError) as error:
                return Attempt(0, (), str(error))
            if not false:
                self.tell(f"round {number}: nothing is false on small values; searching for certificates")
                found = attempt(self.workspace, self.draft.write(), self.clock, last=before)
                if found.done or found.refused:
                    return found
                before |= found.names  # further facts take nothing from what was proved
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
                    f"round {number}: {len(false)} obligations are open, the first is {false[0][0]}; facts: {names}"
                )
                self.draft.facts += chosen
            elif not self._drop({name for name, _ in false}):
                break
        return found

    def _look(self) -> Iterator[tuple[str, Countermodel]]:
        """The obligations that are false somewhere on a small box, and where."""
        for sequent in self.workspace.pose(self.draft.write()):
            self.clock.check()
            falsified = check_on_box(sequent).falsified
            if falsified is not None:
                yield sequent.name, {n: int(v) for n, v in falsified.items() if not isinstance(v, bool)}

    def _read_places(self, values: Countermodel) -> list[Countermodel]:
        """The values by positions: of the folds of each, with the integers."""
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
        """Facts that some place of every countermodel breaks, as far as there are any: the cheapest for most."""
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
            for at, fold, facts in broken.unsatisfied([f for f in self.pool if f.text not in self.bad]):
                fresh = tuple(f for f in facts if f.text not in have)
                if fresh and owner[at] in hungry:
                    price = sum(f.price % 4 for f in fresh) + (0 if fold in mine else 4)
                    offers[owner[at]].setdefault(tuple(f.text for f in fresh), (price, fresh))
        return _cover(list(offers.values()))

    def _choose_parts(self) -> list[Fact]:
        """How a fold that is spoken of falls into parts, with at most two folds more."""
        mine, have = set(self.draft.folds), {f.text for f in self.draft.facts} | self.bad
        fitting = [
            f for f in self.pool if f.partition and f.text not in have and 1 <= sum(x not in mine for x in f.folds) <= 2
        ]
        fitting.sort(key=lambda f: (sum(x not in mine for x in f.folds), f.price, len(f.text)))
        sums = [f for f in fitting if f.folds[0].sort is Sort.NIM_SUM]
        return sums[:1] + [f for f in fitting if f not in sums][:1]

    def _drop(self, names: set[str]) -> bool:
        """Leave out the facts that fail themselves; whether there were any."""
        kinds = FACT_OF_NONE, FACT_OF_MORE
        failed = [f for f in self.draft.facts if any(k.of(name=f.name).name in names for k in kinds)]
        self.bad |= {f.text for f in failed}
        self.draft.facts = [f for f in self.draft.facts if f not in failed]
        return bool(failed)


def _tell_false(name: str, values: Countermodel) -> Obligation:
    """An obligation that is false at these values."""
    shown = ", ".join(f"{n} = {v}" for n, v in sorted(values.items()) if not n.startswith(REST))
    return Obligation(name, ObligationStatus.FAILED, f"fails at {shown}")


def _cover(offers: list[dict[tuple[str, ...], tuple[float, tuple[Fact, ...]]]]) -> list[Fact]:
    """Of what is offered to each countermodel something, the cheapest for most of them."""
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
    """Leave out facts that the proof does without, one after the other; how many there were."""
    dropped, named = 0, draft.named
    draft.named = []
    if named and not attempt(workspace, draft.write(), clock, True).done:
        draft.named = named
    for fact in list(draft.facts)[::-1]:
        before = list(draft.facts)
        draft.facts = [f for f in draft.facts if f is not fact]
        if not is_falsified(workspace, draft.write(), clock) and attempt(workspace, draft.write(), clock, True).done:
            dropped += 1
        else:
            draft.facts = before
    return dropped


def is_falsified(workspace: Posing, text: str, clock: Deadline) -> bool:
    """Whether some obligation is false on a small box, which is soon known."""
    try:
        for sequent in workspace.pose(text):
            clock.check()
            if check_on_box(sequent).falsified is not None:
                return True
    except (Unsupported, TooLong, ClaimError):
        return True
    return False
