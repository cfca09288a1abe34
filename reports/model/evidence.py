"""The evidence for a verdict in plain words: how a claim was checked, what that assumes, and why the claim fails.

Results record engines, rules and reasons by their short names. Reports write each as a phrase that a game theorist
understands, and add the short name if the reader needs it to look something up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from checks.results.model import ClaimResult, RouteRecord
from checks.results.wording import PROOFS, count, join_with_and
from encoders.trust import Trust, TrustedPick, TrustedRule, read_trusted
from reports.model.digest import OutlineNode, outline

# -- how a claim was checked ------------------------------------------------------------------------------------------
METHODS = {"exhaustive": "search of all cases", "bounded": "solver, for cases of bounded size"}
"""The methods that are not proofs, by their keys."""

ENGINES = {
    "boxes": "a table of all positions of a box",
    "moves": "play, move by move",
    "heaps": "a table of single heaps",
    "heaps by moves": "a table of single heaps, move by move",
    "case by case": "play, case by case",
    "case by case, as machine code": "play, case by case, in machine code",
}
_DISCHARGED = re.compile(r"(\d+) obligations? discharged")


def say_method(key: str) -> str:
    """Return the words for the method with this key, or the key itself if it is unknown.

    The words for a proof contain the key of its proof rule.

    >>> say_method("exhaustive"), say_method("few heaps")
    ('search of all cases', 'proof by the rule “few heaps”')
    """
    return f"proof by the rule “{key}”" if key in PROOFS else METHODS.get(key, key)


def say_detail(route: RouteRecord) -> str:
    """Return the details of a route, that is, of one method that was applied to a claim. The parts are joined by "; ".

    They are: how the games were solved, the engines that failed to answer, and the detail of the result.

    >>> from encoders.logic.answer import Decision
    >>> say_detail(RouteRecord("folds", Decision.HOLDS, (), 0, 0.0, "3 obligations discharged", engines=("boxes",)))
    'games solved by a table of all positions of a box; 3 conditions proved'
    """
    solved = join_with_and([ENGINES.get(name, name) for name in route.engines])
    detail = _DISCHARGED.sub(lambda found: f"{count(int(found[1]), 'condition')} proved", route.detail)
    told = [f"games solved by {solved}" if solved else "", *map(str, route.fallbacks), detail]
    return "; ".join(x for x in told if x)


# -- what a verdict assumes -------------------------------------------------------------------------------------------
_PICKS = {
    "top bit": "some term of a nonzero nim-sum has its top bit",
    "a heap with the counted property": "if a count of heaps is not 0, some heap is counted",
    "a largest heap": "a nonempty position has a largest heap",
    "the largest heap": "a nonempty position has a largest heap",
    "a smallest heap": "a nonempty position has a smallest heap",
    "the least number with a property": "a nonempty set of natural numbers has a least element",
    "there is a place": "if a count of places is not 0, some place is counted",
}
_OTHERS = {"evaluation": "the evaluation of finitely many cases"}
SOLVERS = ("Z3", "cvc5")


def say_assumed(trusted: Iterable[str]) -> str:
    """Return in words all that a verdict assumes without proof: facts, proof rules, theorems and solvers.

    >>> say_assumed(("pick: top bit", "rule: cases (docs/proof-rules.md)"))
    'some term of a nonzero nim-sum has its top bit; the soundness of the proof rule “cases” (docs/proof-rules.md)'
    >>> say_assumed(("Z3", "evaluation"))
    'the solver Z3; the evaluation of finitely many cases'
    """
    facts, rules, others = dict[str, None](), list[str](), list[str]()
    for item in map(read_trusted, trusted):
        if isinstance(item, TrustedPick):
            facts[_PICKS.get(item.words, item.words)] = None
        elif isinstance(item, TrustedRule):
            rules.append(f"“{item.words}”")
        elif isinstance(item, Trust):
            others.append(f"the {item}" if str(item)[:1].isupper() else str(item))
        else:
            name = str(item)
            others.append(_OTHERS.get(name, f"the solver {name}" if name.startswith(SOLVERS) else name))
    word = "proof rule" if len(rules) == 1 else "proof rules"
    told = f"the soundness of the {word} {join_with_and(rules)} (docs/proof-rules.md)"
    return "; ".join([*facts, *([told] if rules else []), *others])


# -- why a claim fails ------------------------------------------------------------------------------------------------
_HYPOTHESES, _CONCLUSION = "The hypotheses hold", "The conclusion fails"


@dataclass(frozen=True)
class Failure:
    """An explanation of a counterexample, divided into three lists of lines.

    `true`: the hypotheses that hold, and why. `false`: why the conclusion fails. `others`: all other lines. The line
    that repeats the values of the counterexample is omitted.
    """

    true: tuple[OutlineNode, ...]
    false: tuple[OutlineNode, ...]
    others: tuple[OutlineNode, ...]

    @property
    def length(self) -> int:
        """The number of lines in the three lists, including the lines below others."""
        todo, number = [*self.true, *self.false, *self.others], 0
        while todo:
            node = todo.pop()
            todo += node.children
            number += 1
        return number


def split_explanation(claim: ClaimResult) -> Failure | None:
    """Return the explanation of a claim's counterexample, divided into parts. Return None if there is none."""
    found = claim.finding.counterexample
    if found is None or not found.explanation:
        return None
    true, false, others = list[OutlineNode](), list[OutlineNode](), list[OutlineNode]()
    for number, node in enumerate(outline(found.explanation)):
        if node.text.startswith(_HYPOTHESES) and node.children:
            true += node.children
        elif node.text.startswith(_CONCLUSION) and node.children:
            false += node.children
        elif number or not (found.variables and node.text.startswith("Take ")):
            others.append(node)
    return Failure(tuple(true), tuple(false), tuple(others))
