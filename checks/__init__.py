"""The public API for other programs; docs/python.md describes the API. All other names are private and may change.

Each name is imported only when a program first uses the name. The reason: `python -m checks` runs this module while the
user's folder is on the path.
"""

TYPE_CHECKING = False  # importing `typing` would search the user's folder; type checkers know this name

_HOMES = {
    "Claim": "claims.language.files.claim",
    "ClaimError": "claims.language.errors",
    "ClaimResult": "checks.results.model",
    "Entry": "claims.language.files.library",
    "Fault": "checks.results.model",
    "NimChecksError": "claims.language.errors",
    "Options": "checks.judgement.scopes",
    "RunResult": "checks.results.model",
    "Settings": "checks.command.run",
    "Solution": "checks.boards.question",
    "Verdict": "checks.results.verdicts",
    "check": "checks.command.api",
    "load": "checks.command.api",
    "load_claim": "encoders.proving.reading",
    "run": "checks.command.api",
    "run_claims": "checks.command.run",
    "select": "claims.language.files.library",
    "settle": "checks.command.api",
    "settle_entry": "checks.execution.settle",
    "solve": "checks.boards.solver",
}
__all__ = list(_HOMES)

if TYPE_CHECKING:
    from checks.boards.question import Solution as Solution
    from checks.boards.solver import solve as solve
    from checks.command.api import check as check
    from checks.command.api import load as load
    from checks.command.api import run as run
    from checks.command.api import settle as settle
    from checks.command.run import Settings as Settings
    from checks.command.run import run_claims as run_claims
    from checks.execution.settle import settle_entry as settle_entry
    from checks.judgement.scopes import Options as Options
    from checks.results.model import ClaimResult as ClaimResult
    from checks.results.model import Fault as Fault
    from checks.results.model import RunResult as RunResult
    from checks.results.verdicts import Verdict as Verdict
    from claims.language.errors import ClaimError as ClaimError
    from claims.language.errors import NimChecksError as NimChecksError
    from claims.language.files.claim import Claim as Claim
    from claims.language.files.library import Entry as Entry
    from claims.language.files.library import select as select
    from encoders.proving.reading import load_claim as load_claim
else:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
