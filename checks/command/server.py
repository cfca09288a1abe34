"""`checks mcp`: a server of the Model Context Protocol. Through it, an agent checks, settles and explains claims.

Each tool runs a command of `checks` in a separate process (`agents.py`). The answer is the JSON of that command,
without the parts that an agent does not need. Claims and rulesets are data, and nothing in them is executed.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, ParamSpec

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from checks.command.agents import (
    NO_CLAIM,
    BadQuestion,
    Budget,
    ProcessOutput,
    Tell,
    lay_out,
    name_ruleset,
    open_folder,
    run_command,
    take_answer,
    write_answer,
)
from checks.receipts.receipt import version
from checks.results.shown import Json

_P = ParamSpec("_P")
AT_ONCE = 2  # processes that run at the same time
NAME = re.compile(r"\w{1,40}(?:\.\w{1,10})?")
FIND_CODES = {0: "proved", 1: "verified, and no proof", 3: "nothing found"}
"""The exit codes of `find` that come with an answer, with their meanings."""
INSTRUCTIONS = """\
This server settles claims about combinatorial games, written as TOML. A claim is proved, verified within a stated
scope, or refuted by its smallest counterexample. `verified` says nothing beyond the scope; `inconclusive` and `error`
say nothing about the claim. Before you trust a verdict, make sure that the claim says what the paper says: call
`explain` and read the cases. Also settle false siblings of the claim; they must be refuted. `check` reports all errors
of a file at once."""

Claim = Annotated[
    str, Field(description="The text of a claim file (TOML), or the id of a claim of the library, such as nim/bouton")
]
Files = Annotated[
    dict[str, str] | None,
    Field(description='Further files, by name: {"my-nim.toml": "..."}; rulesets, lemmas, definitions.toml'),
]
Seconds = Annotated[float, Field(description="Time limit; the server may allow less")]
Ruleset = Annotated[str, Field(description="A ruleset of the library, such as kl-nim, or my-nim for my-nim.toml")]


def _make_set_options(values: dict[str, str] | None) -> list[str]:
    """Return the values as `--set` options. Raises BadQuestion for an invalid name."""
    for name in values or {}:
        if not NAME.fullmatch(name):
            raise BadQuestion(f"invalid name {name[:80]!r}; expected a variable such as k, or a bound such as s.heaps")
    return [word for name, value in (values or {}).items() for word in ("--set", f"{name}={value}")]


class Agent:
    """The tools of the server. Each tool raises BadQuestion for an invalid request; the client receives the message."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def check(self, claim: Claim = "", files: Files = None) -> str:
        """Report all errors, warnings and notes of a claim and other files, without settling anything."""
        names = [f"./{name}" for name in files or {}]
        return await self._ask(claim, files, ["check", "--json", "--notes"], names, self.budget.seconds, _tell_faults)

    async def settle(
        self,
        claim: Claim,
        files: Files = None,
        seconds: Seconds = 20,
        deep: Annotated[bool, Field(description="Use [scope.deep]")] = False,
        scope: Annotated[
            dict[str, str] | None, Field(description='Other bounds: {"k": "1..20", "s.heaps": "0..5"}')
        ] = None,
    ) -> str:
        """Settle a claim and its variants: verdict, scope, smallest counterexample, and what is missing for a proof."""
        granted = self.budget.grant_seconds(seconds)
        words = ["run", "--json", "--jobs", "1", "--no-cache", "--no-report", "--budget", f"{granted:.3f}s"]
        words += [*_make_set_options(scope), "--scope", "deep" if deep else "quick"]
        return await self._ask(claim, files, words, [], granted, _tell_run)

    async def explain(
        self,
        claim: Claim,
        files: Files = None,
        at: Annotated[
            dict[str, str] | None, Field(description='One case only: {"k": "3", "s": "(2, 2, 4)"}, with every variable')
        ] = None,
    ) -> str:
        """Explain a claim: evaluate it step by step at small cases and at boundary cases. It draws no verdict."""
        return await self._ask(
            claim, files, ["explain", "--json", *_make_set_options(at)], [], self.budget.seconds, _tell_data
        )

    async def solve(
        self,
        ruleset: Ruleset,
        position: Annotated[str, Field(description="Heap sizes: (2, 2, 4)")],
        parameters: Annotated[dict[str, str] | None, Field(description='{"k": "3", "S": "{1, 3, 4}"}')] = None,
        mover: Annotated[str, Field(description="Solve the position only with this player to move")] = "",
        files: Files = None,
        seconds: Seconds = 10,
    ) -> str:
        """Solve a position: who wins, by which moves, and the Grundy value if there is one."""
        granted = self.budget.grant_seconds(seconds)
        words = ["solve", "--json", "--budget", f"{granted:.3f}s", *_make_set_options(parameters)]
        words += [f"--mover={mover}"] if mover else []
        return await self._ask_of_game(ruleset, files, words, [position], granted, _tell_data)

    async def find(
        self,
        ruleset: Annotated[
            str, Field(description="The game for which to find who wins; omit it if you give a claim")
        ] = "",
        claim: Annotated[str, Field(description="Find a [proof] of this claim; the answer is a patch")] = "",
        where: Annotated[str, Field(description="With ruleset: a condition on its parameters, such as k < l")] = "",
        parameters: Annotated[dict[str, str] | None, Field(description="With ruleset: fixed parameters")] = None,
        values: Annotated[
            bool, Field(description="With ruleset: find the Grundy values of one heap, not who wins")
        ] = False,
        files: Files = None,
        seconds: Seconds = 30,
    ) -> str:
        """Find a claim about who wins a game, with its proof, from the rules only; or find a proof of a claim."""
        if bool(ruleset) is bool(claim):
            raise BadQuestion("expected either ruleset or claim; exactly one of the two must be given")
        granted = self.budget.grant_seconds(seconds)
        words = ["find", "--budget", f"{granted:.3f}s", *_make_set_options(parameters)]
        if claim:
            return await self._ask(claim, files, words, [], granted, _tell_found)
        words += [*([f"--where={where}"] if where else []), *(["--values"] if values else [])]
        return await self._ask_of_game(ruleset, files, words, [], granted, _tell_found)

    async def _ask(
        self, claim: str, files: dict[str, str] | None, words: list[str], more: list[str], seconds: float, tell: Tell
    ) -> str:
        with open_folder() as folder:
            named = [*filter(None, [lay_out(folder, claim, files or {}, self.budget)]), *more]
            if not named:
                raise BadQuestion("claim is empty; expected the text of a claim file, or an id such as nim/bouton")
            return await self._run([*words, "--", *named], folder, seconds, tell)

    async def _ask_of_game(
        self, ruleset: str, files: dict[str, str] | None, words: list[str], more: list[str], seconds: float, tell: Tell
    ) -> str:
        with open_folder() as folder:
            lay_out(folder, NO_CLAIM, files or {}, self.budget)
            return await self._run([*words, "--", name_ruleset(ruleset, folder), *more], folder, seconds, tell)

    async def _run(self, words: list[str], folder: Path, seconds: float, tell: Tell) -> str:
        async with self._slots:
            said = await run_command(words, folder, seconds)
        return write_answer(take_answer(said, seconds, tell), self.budget.characters)


# -- answers ----------------------------------------------------------------------------------------------------------
def _tell_run(said: ProcessOutput) -> Json:
    """Return the claims of a report.json, each with the keys in FOUND."""
    claims = json.loads(said.out)["claims"]
    return {"exit_code": said.code, "claims": [{key: _find(claim, key) for key in FOUND} for claim in claims]}


FOUND = (
    *("id", "verdict", "expected", "as_expected", "scope", "cases", "cases_with_hypotheses", "counterexample"),
    *("witness", "not_established", "why", "faults", "warnings", "hints", "lemmas", "certified", "trusted"),
)
"""The keys of a claim in an answer: keys of report.json, and `why`, `certified`, `trusted`, computed from its keys."""


def _find(claim: dict[str, Json], key: str) -> Json:
    value = claim.get(key)
    rests = claim.get("rests_on")
    match key, value:
        case "counterexample", {"variables": variables, "explanation": explanation}:
            return {"at": variables, "why": explanation}
        case "faults", list():
            return [_say_fault(fault) for fault in value if isinstance(fault, dict)]
        case "certified" | "trusted", _ if isinstance(rests, dict):
            return rests.get(key)
        case "why", _ if claim.get("verdict") in ("error", "inconclusive", "inconsistent"):
            routes = claim.get("routes")
            return (
                [r["detail"] for r in routes if isinstance(r, dict) and r.get("detail")]
                if isinstance(routes, list)
                else None
            )
    return value


def _tell_faults(said: ProcessOutput) -> Json:
    faults = json.loads(said.out)["faults"]
    return {"exit_code": said.code, "faults": [_say_fault(fault) for fault in faults]} if faults else {"faults": "none"}


def _say_fault(fault: dict[str, Json]) -> dict[str, Json]:
    place = f"{fault['file']}:{fault['line']}:{fault['column']}"
    told = {key: fault[key] for key in ("severity", "kind", "message", "text", "expected", "suggested")}
    return {"at": place, **told}


def _tell_data(said: ProcessOutput) -> Json:
    """Return the JSON of a command without the number of its format."""
    data = json.loads(said.out)
    return {key: value for key, value in data.items() if key != "format"}


def _tell_found(said: ProcessOutput) -> Json:
    """Return the claim file or patch that `find` printed, its outcome, and the messages about the search.

    Raises ValueError if the exit code is not in FIND_CODES.
    """
    if said.code not in FIND_CODES:
        raise ValueError
    lines = said.err.rstrip().splitlines()
    return {"outcome": FIND_CODES[said.code], "said": "".join(lines[-1:]), "found": said.out, "log": [*lines[:-1]]}


def make_server(budget: Budget) -> MCPServer:
    """Return the server, with a tool for each public method of Agent."""
    agent, server = Agent(budget), MCPServer("nim-checks", instructions=INSTRUCTIONS, version=version())
    for tool in (agent.check, agent.settle, agent.explain, agent.solve, agent.find):
        server.add_tool(_refuse_bad_questions(tool), structured_output=False)
    return server


def _refuse_bad_questions(tool: Callable[_P, Awaitable[str]]) -> Callable[_P, Awaitable[str]]:
    """Return the tool, changed so that BadQuestion becomes ToolError, whose message the client receives."""

    @wraps(tool)
    async def answer(*args: _P.args, **named: _P.kwargs) -> str:
        try:
            return await tool(*args, **named)
        except BadQuestion as error:
            raise ToolError(str(error)) from None

    return answer
