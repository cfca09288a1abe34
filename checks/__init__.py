"""What other programs may call: docs/python.md. All else is private, and may change with any version.

Nothing is imported before it is asked for: `python -m checks` executes this before it leaves the folder of the user.
"""

TYPE_CHECKING = False  # `typing` itself would be looked for in that folder; type checkers know the name

_HOMES = {
    "Claim": "claims.language.statement.claim",
    "ClaimError": "claims.language.ground.errors",
    "ClaimResult": "checks.results.model",
    "Entry": "claims.language.library.entries",
    "Fault": "checks.results.faults",
    "NimChecksError": "claims.language.ground.errors",
    "Options": "checks.judgement.options",
    "RunResult": "checks.results.model",
    "Settings": "checks.command.run",
    "Solution": "checks.judgement.solving.solution",
    "Verdict": "checks.results.verdicts",
    "check": "checks.command.called.calling",
    "load": "checks.command.called.calling",
    "load_claim": "encoders.proving.reading",
    "run": "checks.command.called.calling",
    "run_claims": "checks.command.run",
    "select": "claims.language.library.entries",
    "settle": "checks.command.called.calling",
    "settle_entry": "checks.execution.entry",
    "solve": "checks.judgement.solving.solver",
}
__all__ = list(_HOMES)

if TYPE_CHECKING:
    from checks.command.called.calling import check as check
    from checks.command.called.calling import load as load
    from checks.command.called.calling import run as run
    from checks.command.called.calling import settle as settle
    from checks.command.run import Settings as Settings
    from checks.command.run import run_claims as run_claims
    from checks.execution.entry import settle_entry as settle_entry
    from checks.judgement.options import Options as Options
    from checks.judgement.solving.solution import Solution as Solution
    from checks.judgement.solving.solver import solve as solve
    from checks.results.faults import Fault as Fault
    from checks.results.model import ClaimResult as ClaimResult
    from checks.results.model import RunResult as RunResult
    from checks.results.verdicts import Verdict as Verdict
    from claims.language.ground.errors import ClaimError as ClaimError
    from claims.language.ground.errors import NimChecksError as NimChecksError
    from claims.language.library.entries import Entry as Entry
    from claims.language.library.entries import select as select
    from claims.language.statement.claim import Claim as Claim
    from encoders.proving.reading import load_claim as load_claim
else:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
