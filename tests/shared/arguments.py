"""Runs for tests of the argument map: the library with its expected verdicts, and small runs. They are not settled."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from library import load_once
from samples import BARE, alter

from checks.command.run import list_works
from checks.results.model import ClaimResult, RouteRecord, RunResult
from checks.results.verdicts import Verdict
from claims.language.files.library import list_library
from encoders.logic.answer import Decision, Obligation, ObligationStatus


@cache
def library_run() -> RunResult:
    """Return a run of the library with the verdicts that its files expect. It is not settled.

    A claim with a [proof] has the verdict *proved*, unless its file expects *refuted*.
    """
    entries = list_library()
    claims = []
    for entry in entries:
        claim = load_once(entry.path, entry.id)
        proof = () if claim.proof is None else (Obligation("all of it", ObligationStatus.PROVED),)
        rule = "exhaustive" if claim.proof is None else claim.proof.rule
        claims.append(
            alter(
                BARE,
                id=claim.id,
                title=claim.description.title,
                work=claim.description.work,
                locator=claim.description.locator,
                short=claim.description.short,
                role=claim.description.role,
                uses=claim.description.uses,
                proof_uses=claim.proof_uses,
                repairs=claim.description.repairs,
                variant_of=claim.id.partition("@")[0] if "@" in claim.id else "",
                verdict=Verdict.REFUTED
                if claim.description.expect == "refuted"
                else Verdict.PROVED
                if proof
                else Verdict.VERIFIED,
                obligations=proof,
                routes=(RouteRecord(rule, Decision.HOLDS, (), 1, 0.0, ""),),
            )
        )
    return RunResult("0", "quick", tuple(claims), list_works(entries, claims))


def small_run(uses: Mapping[str, str], refuted: str = "", **changes: Mapping[str, object]) -> RunResult:
    """Return a run of claims with one-letter names.

    `uses`: the names of the claims that each claim uses. `refuted`: the refuted claims. `changes`: other changed
    fields.
    """
    claims = [
        alter(
            BARE,
            id=id,
            short=id.upper(),
            work="w",
            role="theorem",
            uses=tuple(others),
            verdict=Verdict.REFUTED if id in refuted else Verdict.PROVED,
        )
        for id, others in uses.items()
    ]
    made: list[ClaimResult] = [alter(c, **changes.get(c.id, {})) for c in claims]
    return RunResult("0", "quick", tuple(made))
