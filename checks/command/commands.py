"""The groups of commands in `--help`, the deprecated commands, and the exit codes."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from checks.command.defaults import Configured
from checks.results.verdicts import EXIT_CODES
from claims.language.interrupts import EXIT_CODE

GROUPS = {
    "Write": ("new", "check", "explain"),
    "Settle": ("run", "solve", "find", "weaken", "shorten"),
    "Evidence": ("show", "verify", "diff", "coq"),
    "Serve": ("atlas", "cache", "mcp"),
}
"""The headings of `--help`, each with its commands. A visible command that is missing here is listed under *Other*."""

INTERNAL = "an internal error; please report it"
USAGE = "wrong usage"
CODES: dict[str, dict[int, str]] = {
    "run": EXIT_CODES,
    "check": {
        0: "no errors and no warnings; there may be notes",
        1: "warnings: a claim or a file probably does not say what its author means",
        2: "errors: a file that cannot be used, or wrong usage",
        3: "a file was not checked completely: a limit of time or memory was reached",
        4: INTERNAL,
    },
    "solve": {
        0: "solved",
        2: "wrong usage, or a ruleset that is invalid or cannot be played",
        3: "some answers are open: a limit was reached",
        4: INTERNAL,
    },
    "find": {
        0: "proved: the claim has a proof, which was checked",
        1: "verified: the claim holds within its scope, but no proof was found",
        2: "wrong usage, or a ruleset or claim that is invalid",
        3: "nothing was found, or the search was stopped",
        4: INTERNAL,
    },
    "verify": {
        0: "nothing contradicts the evidence; the output lists what was not checked again",
        1: "a certificate is refused, or is missing",
        2: "there is no evidence, a receipt is invalid, or its claim has changed",
        3: "there is no verdict: a receipt says inconclusive or inconsistent, or --rerun reached a limit",
        4: "something contradicts a receipt",
    },
    "diff": {
        0: "the reports agree, or no claim has a worse result",
        1: "the reports differ, or something is worse",
        2: "a file is not a report.json",
    },
    "replay": {
        0: "nothing contradicts the receipt; the output says what was not checked again",
        2: "the file is not a receipt, or its claim has changed",
        3: "there is no verdict: the receipt says inconclusive or inconsistent, or --rerun reached a limit",
        4: "something contradicts the receipt",
    },
    "certify": {0: "all certificates are valid", 1: "some are refused", 2: "there are none"},
}
"""The exit codes of each command that has its own. Every other command ends in 0, in 2 for wrong usage, or in 4."""


def describe_codes(command: str, heading: str = "Exit codes") -> str:
    """Return the table of exit codes of a command, as the last paragraph of its `--help`."""
    return f"\b\n{heading}:\n" + "\n".join(f"  {code}  {meaning}" for code, meaning in CODES[command].items())


class Commands(click.Group):
    """The commands of `checks`, listed in groups.

    If a word is not a command but could be a claim, the error message suggests `checks run`. After an interrupt that a
    command does not handle, "interrupted" is printed, and the exit code is 3.
    """

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the visible commands under the headings of GROUPS."""
        visible = {
            name: command for name in self.list_commands(ctx) if (command := self.commands[name]).hidden is False
        }
        grouped = {name for names in GROUPS.values() for name in names}
        groups = {**GROUPS, "Other": tuple(name for name in visible if name not in grouped)}
        width = formatter.width - 6 - max(map(len, visible), default=0)
        for heading, names in groups.items():
            rows = [(name, visible[name].get_short_help_str(width)) for name in names if name in visible]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows, col_max=max(map(len, visible)) + 2)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            sys.exit(EXIT_CODE)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0] if args else ""
        if self.get_command(ctx, word) is None and (word.endswith(".toml") or "/" in word or Path(word).exists()):
            ctx.fail(f"No such command {word!r}; to settle claims: {ctx.info_name} run {shlex.join(args)}")
        return super().resolve_command(ctx, args)


def warn_renamed(old: str, new: str) -> None:
    """Print on stderr that version 1.0 removes `checks old`, and name the new command."""
    click.echo(f"deprecated: `checks {old}` will be removed in version 1.0; use `checks {new}`", err=True)


class OldName(Configured):
    """A deprecated command. It is hidden and prints a warning on stderr. `instead`: the command that replaces it."""

    instead = ""

    def invoke(self, ctx: click.Context) -> object:
        warn_renamed(self.name or "", self.instead)
        return super().invoke(ctx)


def replaced_by(command: str) -> type[OldName]:
    """Return the class of a deprecated command. `command`: the command that replaces it."""
    return type("OldName", (OldName,), {"instead": command, "__doc__": OldName.__doc__})
