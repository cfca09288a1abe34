"""Lists of any length, seen at a few places: moves agree with the referee, and folds change as in play."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from proofs import HEAD, RULES
from settling import settle_whole

from checks.judgement.scopes import Options
from checks.referee.judge import Referee
from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame
from checks.results.verdicts import Verdict
from checks.results.wording import count_certified
from claims.language.errors import ClaimError
from claims.language.files.claim import unfold_claim
from claims.language.files.library import select
from claims.language.syntax.printing import find_free_names
from encoders.proving.reading import load_claim
from encoders.refusals import Unsupported
from encoders.rules.heaps_of_lists import AtChange, SymbolicList, rows_of
from encoders.rules.places import PlacesTheory, list_claim_goals, list_moves

BOARDS = Path(__file__).parents[3] / "examples" / "boards"
OUTSIDE = 5  # the assumed number beyond the end of a list
PROVED = ("staircase-odd-steps", "two-staircases", "coins-gaps", "odd-staircases-lost")
# For each claim the maximal length of a list, its largest number, and the largest pick.
PLAYED = {"staircase-odd-steps": (4, 2, 3), "coins-gaps": (3, 5, 4), "odd-staircases-lost": (4, 1, 3)}


# If the two places are equal, everything is taken.
TWO_PLACES = """measure = "sum(sum(h.c) for h in s)"
[heap]
c = "list of 0.."
[[moves]]
choose = "any heap h"
pick = { i = "0..len(h.c) - 1", j = "0..len(h.c) - 1" }
where = "h.c[i] > 0 and h.c[j] > 0"
become = [{ c = "put(put(h.c, i, h.c[i] - 1), j, 0)" }]
"""


def write(folder: Path, rules: str) -> Path:
    """Write a claim about the nim-sum of the list, and its ruleset; return the path."""
    (folder / "own.toml").write_text(RULES + rules, "utf-8")
    fold = "nim_sum(h.c[i] for h in s for i in range(len(h.c)))"
    claim = f'ruleset = "own"\n[forall]\ns = "position"\n[claim]\nthen = "iff(wins(s), {fold} > 0)"\n'
    scope = '[scope]\ns = { c = { length = "1", each = "0..1" } }\n'
    proof = f'[proof]\nrule = "places"\nloses = "X == 0"\n[proof.folds]\nX = "{fold}"\n'
    path = folder / "claim.toml"
    path.write_text(HEAD + claim + scope + proof, "utf-8")
    return path


def list_heaps(game: RefereeGame, length: int, most: int):
    for n in range(length + 1):
        for numbers in product(range(most + 1), repeat=n):
            game.steps = game.meanings.steps = RefereeSteps(10**6)
            if game.parts.has((numbers,)):
                yield (numbers,)


def values_of(game: RefereeGame, heap, numbers, picked):
    """Return the variables for a heap with this list, and numbers at places beyond it."""
    ((_, row),) = rows_of(heap)
    env = {row.numbers.length.name: len(numbers), **picked}
    for place, number in row.numbers.places:
        env |= {name: 0 for name in find_free_names(place) if name not in env}  # any place that no fold uses
        at = game.meanings.evaluate(place, env)
        env[number.name] = numbers[at] if 0 <= at < len(numbers) else OUTSIDE
    return env


def put(game: RefereeGame, row: SymbolicList, numbers, env):
    found = list(numbers)
    for place, number in row.changes:
        found[game.meanings.evaluate(place, env)] = game.meanings.evaluate(number, env)
    return tuple(found)


@pytest.mark.parametrize("name", [*PLAYED, "two-places"])
def test_moves_and_what_they_do_to_folds_are_as_in_play(name: str, tmp_path: Path) -> None:
    claim = load_claim(write(tmp_path, TWO_PLACES) if name == "two-places" else BOARDS / f"{name}.toml", name)
    theory, referee, (length, most, picked) = (
        PlacesTheory(unfold_claim(claim)),
        Referee(claim),
        PLAYED.get(name, (3, 2, 2)),
    )
    game: RefereeGame = referee.game(claim.games[0].name, {})
    fold, written = theory.folds["X"], claim.proof.folds[0].term
    ways = []
    for number in range(len(game.ruleset.moves)):
        for _, heap, way in list_moves(theory, number):
            change = theory.change(heap, way.left)
            before, after = (AtChange(change, is_after=x).value(fold) for x in (False, True))
            ways.append((heap, way, before, after, change.rests[fold.key].name))
    moved = 0
    for (numbers,) in list_heaps(game, length, most):
        found = set()
        for heap, way, before, after, rest in ways:
            picks = [x for x in dict.fromkeys(find_free_names(way.met)) if x.startswith("picked")]
            for choice in product(range(picked + 1), repeat=len(picks)):
                env = values_of(game, heap, numbers, dict(zip(picks, choice, strict=True)))
                if not game.meanings.evaluate(way.met, env):
                    continue
                left = put(game, way.left[0], numbers, env)
                assert game.meanings.evaluate(way.owed, env)
                found.add(((left,),))
                was, is_now = (game.meanings.evaluate(written, {"s": ((x,),)}) for x in (numbers, left))
                env = {**env, rest: was ^ game.meanings.evaluate(before, {**env, rest: 0})}
                assert game.meanings.evaluate(before, env) == was
                assert game.meanings.evaluate(after, env) == is_now, (numbers, left)
        assert found == set(game.options(((numbers,),), 0)), numbers
        moved += len(found)
    assert moved > 50


@pytest.mark.parametrize("name", PROVED)
@pytest.mark.slow
def test_the_claim_is_proved_for_any_length_with_certificates(name: str) -> None:
    found = settle_whole(select((str(BOARDS / f"{name}.toml"),))[0], Options())
    assert found.verdict is Verdict.PROVED, found.finding.not_established
    certified, number = count_certified([found])
    assert certified == number > 15


BESIDE = """measure = "sum(sum(h.c) for h in s)"
[heap]
c = "list of 0.."
q = "0.."
[[moves]]
choose = "any heap h"
pick = { i = "0..len(h.c) - 1", m = "1..h.c[i]" }
become = [{ c = "put(h.c, i, h.c[i] - m)", q = "0" }]
"""
REPLY = """[[proof.moves]]
when = "True"
take = { i = "i", m = "h.c[i] - (h.c[i] ^ X)" }
"""


@pytest.mark.parametrize("added", ["", " + h.q"])
@pytest.mark.slow
def test_what_lies_beside_the_list_of_a_heap_is_what_the_move_leaves(added: str, tmp_path: Path) -> None:
    """It is irrelevant, so the proof succeeds; or it is added at each place, and gone after the move."""
    path = write(tmp_path, BESIDE)
    text = path.read_text("utf-8").replace("h.c[i] for", f"h.c[i]{added} for")
    text = text.replace('each = "0..1" } }', 'each = "0..1" }, q = "0..1" }')
    path.write_text(text.replace("[proof.folds]", 'place = "top bit of X"\n[proof.folds]') + REPLY, "utf-8")
    found = settle_whole(select((str(path),))[0], Options())
    if added:
        assert found.verdict is Verdict.REFUTED
        assert "uses a number outside the list, and a move changes this number" in found.finding.routes[-1].detail
    else:
        assert found.verdict is Verdict.PROVED, found.finding.not_established


STAIRS = (BOARDS / "staircase-odd-steps.toml").read_text("utf-8").partition("[[variants]]")[0]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('X = "nim_sum(h.c[i] for', 'X = "max(h.c[i] for', "not a fold over the places"),
        ("i % 2 == 0", "i % 2 == 0 for j in range(2)", "not a fold"),
        ('X = "nim', 'i = "nim', "the name 'i' is taken"),
        ('below = "v"', 'below = "h"', "the name 'h' is taken"),
        ('below = "v"\n', "", "no 'below'"),
        ('value = "X"\n', 'value = "X"\nloses = "X == 0"\n', "needs 'loses' or 'value'"),
        ('value = "X"\n', 'loses = "X == 0"\n', "'below' without 'value'"),
        ('"top bit of X ^ v"', '"top bit of v"', "is neither a named nim-sum"),
        ('"top bit of X ^ v"', '"top bit of X ^ X"', "is neither a named nim-sum"),
        ('"top bit of X ^ v"', '"the first"', "unknown choice of a place"),
        ('place = "top bit of X ^ v"\n', "", "the line 'place', which chooses the place"),
        ("move = 2", "move = 3", "invalid number 3"),
        ('{ i = "i", m', "{ m", "the pick i is missing"),
    ],
)
def test_what_the_section_may_not_say(old: str, new: str, words: str, tmp_path: Path) -> None:
    assert STAIRS.count(old) >= 1
    path = tmp_path / "claim.toml"
    path.write_text(new.join(STAIRS.rsplit(old, 1)), "utf-8")
    (tmp_path / "staircase.toml").write_bytes((BOARDS / "rulesets" / "staircase.toml").read_bytes())
    with pytest.raises(ClaimError, match=re.escape(words)):
        load_claim(path, "claim")


FOLD = "nim_sum({0}.c[i] for {1}i in range(len({0}.c)) if i % 2 == {2})"
ODD, OWN, OTHER = FOLD.format("h", "h in s for ", 0), FOLD.format("s[0]", "", 0), FOLD.format("s[0]", "", 1)
# The hypothesis, the conclusion, and whether the proof can derive it.
SAID = [
    ("", f"iff(outcome(s) == N_position, {ODD} != 0)", True),
    ("", f"iff(outcome(s) != P_position, {ODD} != 0)", True),
    ("", "outcome(s) != first_wins and outcome(s) != second_wins", True),
    ("", f"iff(outcome(s) == P_position, {ODD} != 0)", False),
    ("", f"outcome(s) == N_position or outcome(s) == second_wins or {ODD} > 1", False),
    ("len(s) == 1", f"iff(wins(s), {OWN} != 0)", True),
    ("len(s) == 1 and len(s[0].c) > 1", f"grundy(s) == {OWN}", True),
    ("len(s) == 1", f"iff(wins(s), {OTHER} != 0)", False),
    ("len(s) == 1 and sum(s[0].c) > 0", "wins(s)", False),
]


def claim_about(folder: Path, hypothesis: str, conclusion: str) -> PlacesTheory:
    path, (start, _, proof) = folder / "claim.toml", STAIRS.partition("[claim]\n")
    condition = f'if = "{hypothesis}"\n' if hypothesis else ""
    path.write_text(
        f'{start}[claim]\n{condition}then = "{conclusion}"\n[scope]{proof.partition("[scope]")[2]}', "utf-8"
    )
    (folder / "staircase.toml").write_bytes((BOARDS / "rulesets" / "staircase.toml").read_bytes())
    return PlacesTheory(unfold_claim(load_claim(path, "claim")))


@pytest.mark.parametrize(("hypothesis", "conclusion", "follows"), SAID)
def test_outcomes_and_the_only_heap(hypothesis: str, conclusion: str, follows: bool, tmp_path: Path) -> None:
    theory = claim_about(tmp_path, hypothesis, conclusion)
    *_, (_, known, show) = list_claim_goals(theory)
    names = list(dict.fromkeys((*find_free_names(known), *find_free_names(show))))
    game = RefereeGame(theory.board.game.ruleset, {}, RefereeSteps(10**7))
    found = set()
    for numbers in product(range(3), repeat=len(names)):
        env = dict(zip(names, numbers, strict=True))
        if game.meanings.evaluate(known, env):
            found.add(game.meanings.evaluate(show, env))
    assert found
    assert (found == {True}) == follows


@pytest.mark.parametrize(
    ("hypothesis", "conclusion"),
    [
        ("", f"iff(wins(s), {OWN} != 0)"),  # the second of two heaps counts too
        ("len(s) <= 1", f"iff(wins(s), {OWN} != 0)"),  # for the empty position, s[0] is undefined
        ("len(s) == 2", f"implies({OWN} == 0, not wins(s))"),
        (f"{OWN} == 0 and len(s) == 1", "not wins(s)"),  # nor if the first condition is evaluated
        ("len(s) == 1", f"{OWN.replace('s[0]', 's[1]')} == 0"),
        ("len(s) == 1", "s[0].c[0] == 0 or wins(s)"),
    ],
)
def test_of_other_heaps_and_places_the_rule_does_not_know(hypothesis: str, conclusion: str, tmp_path: Path) -> None:
    theory = claim_about(tmp_path, hypothesis, conclusion)
    with pytest.raises(Unsupported, match=re.escape("the rule supports only folds over all heaps of a position")):
        list(list_claim_goals(theory))
