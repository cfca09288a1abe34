"""Claims, settled by routes that answer whatever a test makes them answer."""

from pathlib import Path
from textwrap import dedent
from typing import Any

from checks.judgement.settle import settle
from claims.language.files import load_claim
from claims.language.statement.claim import Claim
from claims.language.statement.judgement import Judgement
from encoders.answer import Answer, Decision
from encoders.exhaustive.encoder import settle as exhaustive

HEAD = """
format = 1
title = "A test"
statement = "A test."
work = "tests"
locator = "here"
role = "conjecture"
"""


def written(folder: Path, body: str) -> Claim:
    """The claim with this body, from a file in the folder."""
    path = folder / "claim.toml"
    path.write_text(HEAD + dedent(body), "utf-8")
    return load_claim(path, "claim")


def settled(claim: Claim, encoder: Any = exhaustive, **routes: Any) -> Any:
    """The result of a claim within its quick scope. `routes`: prover, other."""
    return settle(claim, claim.scope("quick"), encoder, 20.0, **routes)


def answering(name: str = "exhaustive", **fields: Any) -> Any:
    """A route that gives this answer, its words as members of the enums."""
    answer = Decision(fields.pop("answer"))
    sample = tuple((case, Judgement(word)) for case, word in fields.pop("sample", ()))
    return lambda claim, scope, budget: Answer(name, answer, sample=sample, **fields)
