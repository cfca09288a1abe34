"""What makes a verdict mean less than it seems to: a scope that is thin, hypotheses that hardly ever hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps, as_heaps
from checks.referee.play import RefereeGame, moves_in_one_heap
from checks.results.model import ClaimResult
from checks.results.phrases import scope_phrase
from checks.results.verdicts import Verdict
from claims.language.builtins.meanings import write_heap
from claims.language.builtins.table import list_functions
from claims.language.library.works import LIBRARY
from claims.language.statement.claim import Claim
from claims.language.statement.domains import PositionRange, Range
from claims.language.statement.rulesets import Ruleset
from claims.language.toml.source import SourceFile
from encoders.exhaustive.arrays.limits import Deadline
from encoders.exhaustive.parts.order import Heap, list_heaps, weigh
from encoders.ground.coverage import Limits, count_values

DENIALS = frozenset({"not", "no", "never", "none", "neither", "nor", "cannot", "fails", "fail", "false", "wrong"})
"""Words by which a title denies something."""
MANY_HEAPS = 10_000  # of a scope: among more no heap without a move is looked for
ONE_IN = 100  # cases: hypotheses that hold at fewer are said to hold hardly ever


def list_warnings(claim: Claim, profile: str, result: ClaimResult) -> Iterator[str]:
    """What a reader of the verdict is told beside it, a line each. `profile`: the one that the run asked for."""
    if profile != "quick" and claim.scope("quick") and claim.scope(profile) == claim.scope("quick"):
        yield f"its file has no {profile} scope: the quick one was used"
    denials = find_denials(claim) if claim.expect == "refuted" else []
    if denials:
        yield f"its title says {denials[0]!r} and its statement does not: a title says what is claimed, true or false"
    for name in find_hidden(claim):
        yield f"{name} is a definition here, which hides the function {name} of the language"
    yield from find_captured(claim)
    yield from find_dead(claim, profile)
    if result.verdict is not Verdict.VERIFIED:
        return
    if result.finding.cases_with_hypotheses * ONE_IN < result.finding.cases:
        found = f"{result.finding.cases_with_hypotheses:,} of {result.finding.cases:,} cases".replace(",", " ")
        yield f"the hypotheses hold at {found}, fewer than one in {ONE_IN}"
    for limits in find_single(result.finding.scope):
        yield f"the scope leaves {limits[0][0].partition('.')[0]} one value: {scope_phrase(limits)}"


def find_captured(claim: Claim) -> Iterator[str]:
    """Of each game of the library, in a file of one's own: the variables that are its parameters by name alone.

    Whoever wrote a game beside the claim knows what its parameters are called.
    """
    if _is_shipped(claim.source):
        return
    variables = {v.name for v in claim.variables}
    for game in claim.games:
        names = [name for name, _ in game.arguments if name in game.captured & variables]
        if names and _is_shipped(game.ruleset.source):
            written = ", ".join(f"{name} = {name}" for name in names)
            yield (
                f"{game.ruleset.id} takes {' and '.join(names)} from the claim by name alone; "
                f'"{game.ruleset.id}({written})" says that this is meant'
            )


def _is_shipped(source: SourceFile) -> bool:
    return Path(source.name).resolve().is_relative_to(LIBRARY)


def find_hidden(claim: Claim) -> list[str]:
    """The functions of the language that are definitions in the claim."""
    return [name for name in (label.partition("(")[0] for label, _ in claim.texts) if name in list_functions()]


def find_denials(claim: Claim) -> list[str]:
    """The words by which the title of a claim denies what the statement does not deny, in its order."""
    stated = _words(claim.statement)
    title = "" if "title" in claim.source.made else claim.title  # it quotes that of another claim
    return [word for word in _words(title) if word in DENIALS and word not in stated]


def find_dead(claim: Claim, profile: str) -> Iterator[str]:
    """Of each game, where a scope has several heaps with parts: the first in which nobody can ever move, yet stays."""
    scope = claim.scope(profile)
    bounds = [x for x in scope.values() if isinstance(x, PositionRange) and x.parts and x.heaps.hi > 1]
    for ruleset in {game.ruleset.id: game.ruleset for game in claim.games if not game.arguments}.values():
        if not moves_in_one_heap(ruleset):
            continue
        found = next((heap for bound in bounds for heap in _list_heaps(bound) if _is_dead(ruleset, heap)), None)
        if found is not None:
            heap, place = write_heap(found), ruleset.source.place(("heap", "gone"))
            yield (
                f"{place}: nobody can move in a heap {heap}, yet it counts: ({heap}) is not the empty position; "
                f"{_say_gone(ruleset, found)}"
            )


def _say_gone(ruleset: Ruleset, heap: Heap) -> str:
    """What to write so that a heap vanishes."""
    shape = ruleset.heap
    if shape is None or shape.gone is not None or weigh(heap):
        return "let `gone` in [heap] hold of each heap that vanishes"
    empty = (f"sum(h.{part.name}) == 0" if part.is_list else f"h.{part.name} == 0" for part in shape.parts)
    return f'if it vanishes, write under [heap]: gone = "{" and ".join(empty)}"'


def _list_heaps(bound: PositionRange) -> list[Heap]:
    few = count_values(replace(bound, heaps=Range(1, 1))) <= MANY_HEAPS
    return list_heaps(bound, Deadline(None)) if few else []


def _is_dead(ruleset: Ruleset, heap: Heap) -> bool:
    game, s = RefereeGame(ruleset, {}, RefereeSteps(MANY_HEAPS)), as_heaps((heap,))
    try:
        game.require_heaps(s)
        return not any(game.options(s, mover) for mover in range(game.players))
    except (IllDefined, LimitReached):
        return False


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def find_single(scope: Limits) -> Iterator[Limits]:
    """The limits of each variable to which a scope leaves one value.

    Where the domain has no more, nothing is left out.
    """
    for variable in dict.fromkeys(name.partition(".")[0] for name, _ in scope):
        limits = {name: x for name, x in scope if name.partition(".")[0] == variable and isinstance(x, Range)}
        heaps, size = limits.get(f"{variable}.heaps"), limits.get(f"{variable}.size")
        bound = PositionRange(heaps, size, limits.get(f"{variable}.total")) if heaps and size else limits.get(variable)
        if bound is not None and count_values(bound) == 1:
            yield tuple(limits.items())
