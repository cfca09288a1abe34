"""A session of each command for a user: the input, the output, and the exit code.

check, explain, new and solve have more sessions in their own tests; test_agents.py tests mcp with a client.
"""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import ROOT, run_within

from checks.command.cli import main

HEAD = 'format = 1\ntitle = "{title}"\nstatement = "{title}."\nwork = "mine"\nlocator = "{locator}"\nrole = "lemma"\n'
FILES = {
    "game/odd.toml": HEAD.format(title="One heap is won", locator="Lemma 1")
    + 'ruleset = "nim"\n[forall]\nn = "1.."\n[claim]\nthen = "wins(position([n]))"\n[scope]\nn = "1..9"\n',
    "game/even.toml": HEAD.format(title="Squares are even", locator="Lemma 2")
    + '[forall]\nn = "0.."\n[claim]\nthen = "n * n % 2 == 0"\n[scope]\nn = "0..9"\n',
    "family.toml": HEAD.format(title="Values repeat", locator="Table 1").replace("lemma", "table")
    + 'ruleset = "octal(code = [a, 3])"\n[forall]\na = "2..3"\nn = "0.."\n'
    '[claim]\nthen = "grundy(position([n])) >= 0"\n'
    '[scope]\nn = "0..9"\n[proof]\nrule = "periodic"\n',
    "game/unreadable.toml": HEAD.format(title="Nothing", locator="Lemma 3") + '[claim]\nthen = "wins(3)"\n',
}
SESSIONS = {
    "run": (
        "run game",
        "run game/odd.toml --title 'One lemma' --slowest 1 --report reports/one",
        "run game --against reports/out/report.json --fail-on worse --report reports/two -q",
        "run game --last-failed -x",
        "run --changed game/odd.toml --no-report",
        "run --changed --no-report",
        "run nowhere",
    ),
    "mutants": ("run game/odd.toml --mutants --no-report",),
    "list": ("show game", "show game --long", "show 'nim/bout*' --json", "show nowhere"),
    "show": ("show game/odd.toml", "show game/even.toml --obligations", "show game/unreadable.toml"),
    "diff": (
        "run game/odd.toml game/even.toml --report old",
        "run game/odd.toml --set n=1..5 --report new",
        "diff old/report.json new/report.json",
        "diff old/report.json new/report.json --brief --fail-on worse",
        "diff old/report.json old/report.json --fail-on worse",
        "diff old/report.json nowhere.json",
    ),
    "verify": (
        "run game/even.toml nim/bouton --report out",
        "verify out",
        "verify out/receipts/game/even.json --rerun",
        "verify out/certificates/nim/bouton.json",
        "verify nim/bouton --report out",
        "verify game/even",
        "verify",
    ),
    "old names": (
        "list game/odd.toml",
        "mutate game/odd.toml --no-report",
        "run game/even.toml nim/bouton --report out",
        "replay out/receipts/game/even.json",
        "certify --report out",
        "find nim --shorten",
        "merge one",
    ),
    "coq": ("coq --list nim/bouton nim/misere game/even.toml", "coq game/odd.toml"),
    "merge": ("run game/odd.toml --shard 1/2 --report one", "run --merge one", "run --merge one --json"),
    "find": ("find nim", "find nowhere"),
    "weaken": ("weaken game/even.toml", "weaken nim"),
    "shorten": ("shorten game/even.toml",),
    "cache": ("cache --cache nowhere",),
    "check": ("check game/unreadable.toml", "check --changed gone.toml"),
    "explain": ("explain game/odd.toml --set n=2",),
    "solve": ("solve nim '(1, 2, 4)'", "solve nim --table 0..3"),
    "atlas": ("atlas family.toml --jobs 1", "atlas game/odd.toml", "atlas nowhere.toml"),
    "new": ("new game/more --no-ask --no-schemas", "new game/more"),
}
ELSEWHERE = {"mcp"}  # it prints nothing


def steady(text: str, folder: Path) -> str:
    """Return the common part of two sessions: without seconds and paths of this machine."""
    text = text.replace(str(folder), "FOLDER").replace(str(ROOT), "ROOT")
    text = re.sub(r"(sealed with: ).*", r"\1...", re.sub(r" *\d+\.\d+ s\b", " 0.0 s", text))
    return re.sub(r"(or one of )[^;\n]*", r"\1...", text)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[str, str], None]
) -> None:
    monkeypatch.setenv("CHECKS_CACHE", "off")
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text, "utf-8")
    told = []
    for command in SESSIONS[name]:
        done = run_within(*shlex.split(command), cwd=tmp_path)
        warned = (
            done.stderr if name not in ("find", "weaken", "shorten") else "".join(done.stderr.splitlines(True)[-1:])
        )  # without the progress
        told.append(f"$ checks {command}\n{done.stdout}{warned}[{done.returncode}]\n")
    golden("sessions.txt", steady("\n".join(told), tmp_path), name)


def test_every_command_has_a_session() -> None:
    typed = {command.split()[0] for session in SESSIONS.values() for command in session}
    assert set(main.commands) == typed | ELSEWHERE
