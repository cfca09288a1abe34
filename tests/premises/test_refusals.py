"""The refusals of proof rules, in the words that a user reads: every refusal in the code has a claim that triggers it.

A place is a message template in the code. refused.toml and unread.toml have claims that are refused, with the complete
message of each. A place is covered if some message matches it, and no other place matches that message more closely.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from proofs import EFFORT
from test_premises import HERE, REFUSED, Premise, read, written

import encoders
from checks.presentation.hints import suggest_proofs
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim, rule_name

ROOT = Path(encoders.__file__).parent
UNREAD = [
    read("unread", {"name": row["says"], "by": row["says"], "false": {}, **row})
    for row in tomllib.loads((HERE / "unread.toml").read_text("utf-8"))["unread"]
]
NOT_SAID = {
    "a number has more than … alternatives by case distinctions": "said to the next solver",
    "… of a number that may be negative": "operands are natural by then, or there is no number in the obligation",
    "…: a question about a game is not supported in this place": "the language asks none in rules and proofs",
    "the element … of a list is not a number, truth value, position or player": "the language has no other elements",
    "… may be undefined, and the rule … does not show that it is defined": "each rule of the library shows it",
    "… has no translation into …": "readers hand on nothing else; said to the next solver",
    "… does not support …": "said to the next solver",
    "the lemma … states that something exists; a lemma must hold for all values of its variables": (
        "the section in the file is refused"
    ),
    "the lemma … is about several positions; a lemma may have only one position variable": "its own [proof] is refused",
    "…: the parameter … is not an integer": "the claim's own parameters are refused before",
    "…: 'wins' needs a game of two players": "the language asks for no winner among n players",
    "…: one obligation asks of more than … numbers whether they are prime": "no claim needs so many",
    "found no bound beyond which all heaps of the claim are past the preperiod": "a loop's bound that no claim meets",
    "…: the rule supports only moves that leave a fixed number of heaps": "said to the writer of Coq text",
    "the claim combines games: only the search of the scope supports this": "said to the writer of Coq text",
    "the heaps of … have parts; expected heaps that are numbers": "the section in the file is refused",
}
"""The reason why no user reads it."""
# Families of games are not claims: tests/cli/asked/finding tests them. tests/coq tests the modules that write Coq text.
NO_RULES = {
    *("family.py", "coq.py", "value_coq.py", "equal_coq.py", "few_coq.py", "ahead.py"),
    *("instance.py", "instance_of_rules.py", "by_theorems.py", "asked.py", "argument.py", "conclusion.py", "scenes.py"),
    *("considered.py", "shapes_coq.py", "recursion_coq.py"),
}


@dataclass(frozen=True)
class Place:
    """A message template. `parts`: its text between the placeholders. `where`: the file."""

    where: str
    parts: tuple[str, ...]

    @property
    def words(self) -> str:
        return "…".join(self.parts)

    def builds(self, message: str) -> bool:
        own = ".+".join(map(re.escape, self.parts))
        return re.fullmatch(f"(.+: )?{own}(; instead, .+)?", message, re.DOTALL) is not None

    @property
    def closeness(self) -> int:
        return sum(map(len, self.parts))


@cache
def places() -> list[Place]:
    """Return all places in the order of their files."""
    found = set[Place]()
    for path in (
        *ROOT.glob("*.py"),
        *(p for folder in ("logic", "solvers", "rules") for p in ROOT.glob(f"{folder}/**/*.py")),
    ):
        if path.name not in NO_RULES and "Unsupported(" in (text := path.read_text("utf-8")):
            for function in ast.walk(ast.parse(text)):
                if isinstance(function, ast.FunctionDef):
                    found |= {Place(str(path.relative_to(ROOT)), parts) for parts in messages(function)}
    return sorted(found, key=lambda x: x.where)


def messages(function: ast.FunctionDef) -> Iterator[tuple[str, ...]]:
    """Yield the messages with which the function refuses; an error that it passes on is a place elsewhere."""
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Unsupported":
            for text in spelled(call.args[0], function):
                if isinstance(text, ast.Constant):
                    yield (text.value,)
                elif isinstance(text, ast.JoinedStr) and "error" not in {x.id for x in names_in(text)}:
                    yield tuple(parts_of(text))


def names_in(text: ast.expr) -> list[ast.Name]:
    return [x for x in ast.walk(text) if isinstance(x, ast.Name)]


def spelled(text: ast.expr, function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield the expression itself, or the values of a local name."""
    if not isinstance(text, ast.Name):
        yield text
        return
    for x in ast.walk(function):
        if isinstance(x, ast.Assign) and isinstance(x.targets[0], ast.Name) and x.targets[0].id == text.id:
            yield x.value


def parts_of(text: ast.JoinedStr) -> list[str]:
    found = [""]
    for x in text.values:
        if isinstance(x, ast.Constant):
            found[-1] += x.value
        else:
            found.append("")
    return found


def covered() -> Iterator[Place]:
    """Yield, for each row, the places that match its message most closely."""
    for row in (*REFUSED, *UNREAD):
        found = [x for x in places() if x.builds(row.by)]
        yield from (x for x in found if x.closeness == max(y.closeness for y in found))


@pytest.mark.slow
def test_each_place_of_refusal_has_a_claim_that_is_refused_there() -> None:
    missing = [f"{x.where}: {x.words}" for x in set(places()) - set(covered()) if x.words not in NOT_SAID]
    assert sorted(missing) == []


def test_what_nobody_is_said_to_read_is_still_there() -> None:
    assert NOT_SAID.keys() <= {x.words for x in places()}


@pytest.mark.parametrize("row", [pytest.param(p, id=p.name[:70]) for p in UNREAD])
def test_a_claim_that_is_not_read_is_refused_in_these_words(row: Premise, tmp_path: Path) -> None:
    found = prove(load_claim(written(row, tmp_path), "claim"), None, EFFORT)
    assert (found.decision, found.detail) == (Decision.UNSUPPORTED, row.by)


@pytest.mark.parametrize("row", [pytest.param(p, id=p.name[:70]) for p in UNREAD])
@pytest.mark.slow
def test_hints_name_neither_the_rule_that_refused_nor_a_lemma_that_the_file_has(row: Premise, tmp_path: Path) -> None:
    path = written(row, tmp_path)
    claim = load_claim(path, "claim")
    hints = list(suggest_proofs(claim, path, rule_name(claim)))
    assert [x for x in hints if f'rule = "{rule_name(claim)}"' in x] == []
    assert [x for x in hints for lemma in claim.lemmas if f'"{lemma.id}"' in x] == []
