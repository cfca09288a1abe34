"""`checks mcp` with a client of the protocol: each tool, hostile input, and budgets."""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from claim_texts import HEAD
from commands import ROOT, run_within

from checks.command import agents as answers
from checks.command import server
from checks.command.agents import BadQuestion, Budget, ProcessOutput, lay_out, name_ruleset, take_answer, write_answer

PLAYED = HEAD + 'ruleset = "{rules}"\n[forall]\ns = "position"\n[claim]\nthen = "{then}"\n[scope]\n{scope}\n'
FALSE = PLAYED.format(rules="nim", then="iff(wins(s), sum(s) % 2 == 1)", scope='s = { heaps = "0..3", size = "1..4" }')
MINE = (
    'format = 1\ntitle = "Mine"\nplayers = ["A", "B"]\nstuck = "loses"\n[[moves]]\n'
    'choose = "any heap h"\npick = { m = "1..min(h, 2)" }\nbecome = ["h - m"]\n'
)
Talk = Callable[[Callable[[Any], Awaitable[None]]], None]


def run_apart(conversation: Coroutine[Any, Any, None]) -> None:
    """Run in a separate thread: after a browser was opened, this thread has a running event loop."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, conversation).result()


# -- without a process ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    ["../../etc/passwd", "/etc/passwd", "library:nim/bouton", "--help", "-", "nim", "nim/*", "a/b/c", "./x.toml"],
)
def test_no_word_names_a_file_or_an_option(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadQuestion, match="is neither an id such as nim/bouton nor the text of a claim file"):
        lay_out(tmp_path, text, {}, Budget())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../x.toml", "/x.toml", "a/b.toml", "claim.toml", ".toml", "x.py", "--x.toml", "x"])
def test_no_file_is_written_elsewhere(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadQuestion, match=r"invalid (file )?name"):
        lay_out(tmp_path, FALSE, {name: MINE}, Budget())
    assert list(tmp_path.iterdir()) == []


def test_claims_and_rulesets_are_files_of_the_folder(tmp_path: Path) -> None:
    assert lay_out(tmp_path, " nim/bouton\n", {}, Budget()) == "nim/bouton"
    assert lay_out(tmp_path, FALSE, {"mine.toml": MINE}, Budget()) == "./claim.toml"
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {
        "claim.toml": FALSE,
        "mine.toml": MINE,
    }
    assert [name_ruleset(word, tmp_path) for word in ("mine", "nim")] == ["./mine.toml", "nim"]
    for word in ("../mine", "/etc/nim", "--help", "nim.toml", ""):
        with pytest.raises(BadQuestion, match=r"invalid (file )?name"):
            name_ruleset(word, tmp_path)


def test_what_is_too_much_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadQuestion, match="more than 64000 characters"):
        lay_out(tmp_path, FALSE, {"mine.toml": "#" * 64_000}, Budget())
    with pytest.raises(BadQuestion, match="more than 64000 characters"):
        lay_out(tmp_path, FALSE, {f"{'m' * 70}{i}.toml": "" for i in range(1_000)}, Budget())
    assert list(tmp_path.iterdir()) == []
    assert Budget(5.0).grant_seconds(1e300) == 5.0
    for seconds in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(BadQuestion, match="expected a number above 0"):
            Budget().grant_seconds(seconds)


def test_an_answer_has_its_size_and_says_what_was_cut() -> None:
    data: Any = {"claims": [{"id": str(i), "why": "x" * 5000, "none": None} for i in range(100)]}
    for most in (500, 1_000, 8_000, 100_000):
        text = write_answer(data, most)
        assert len(text) <= most
        assert "more" in text
        json.loads(text)
    assert json.loads(write_answer({"why": "x" * 9_000, "id": "a"}, 500)) == {
        "why": "x" * 400 + "… (8600 more characters)",
        "id": "a",
    }
    assert write_answer({"a": [], "b": {}, "c": None, "d": "", "e": {"f": [None, ""]}, "g": 0, "h": False}, 500) == (
        '{"e":{"f":[null,""]},"g":0,"h":false}'
    )
    assert write_answer([*range(200)], 60) == '[0,1,2,3,4,5,6,7,8,9,10,11,"… (188 more)"]'
    many: Any = {str(i): i for i in range(10_000)}
    assert "an answer of more than 500 characters" in write_answer(many, 500)
    assert "\x1b" not in write_answer("\x1b[31m", 99)


def test_nothing_is_made_of_the_words_of_a_process_that_was_ended() -> None:
    told: Any = {"verdict": "inconclusive", "stopped": "no answer within 2 s: the claim is not settled"}
    assert take_answer(ProcessOutput(None, '{"verdict": "proved"}', ""), 2.0, lambda said: json.loads(said.out)) == told
    ended: Any = take_answer(ProcessOutput(-9, '{"verdict": "proved"}', ""), 2.0, lambda said: json.loads(said.out))
    assert (ended["verdict"], "limit of memory" in ended["stopped"]) == ("inconclusive", True)
    refused: Any = {"refused": "no such claim", "exit_code": 2}
    assert take_answer(ProcessOutput(2, "", "no such claim"), 2.0, lambda said: json.loads(said.out)) == refused
    assert "failed" in str(
        take_answer(ProcessOutput(4, "", "an internal error"), 2.0, lambda said: json.loads(said.out))
    )


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.delitem(sys.modules, "checks.command.server", raising=False)
    done = run_within("mcp")
    assert (done.returncode, done.stdout) == (2, "")
    assert 'pip install "mcp>=2"' in done.stderr


# -- by a client ------------------------------------------------------------------------------------------------------
@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """A conversation with the server in this process; the test can see the folders of its requests."""
    from mcp import Client

    from checks.command.server import make_server

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def held(conversation: Callable[[Any], Awaitable[None]]) -> None:
        async def all_of_it() -> None:
            async with Client(make_server(Budget(20.0, 6_000))) as client:
                await conversation(client)

        before = list(tmp_path.iterdir())
        run_apart(all_of_it())
        assert list(tmp_path.iterdir()) == before, "nothing is left of a question"

    return held


async def ask(client: Any, tool: str, **given: object) -> Any:
    answer = await client.call_tool(tool, given)
    assert not answer.is_error, answer
    (content,) = answer.content
    assert len(content.text) <= 6_000
    return json.loads(content.text)


@pytest.mark.slow
def test_each_tool_answers_as_its_command_does(talk: Talk) -> None:
    async def conversation(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"check", "settle", "explain", "solve", "find"}
        assert all(tool.description and "self" not in tool.input_schema["properties"] for tool in tools.values())
        (claim,) = (await ask(client, "settle", claim=FALSE))["claims"]
        assert (claim["verdict"], claim["counterexample"]["at"]) == ("refuted", {"s": [2]})
        (claim,) = (await ask(client, "settle", claim=FALSE, scope={"s.size": "1..1"}))["claims"]
        assert (claim["verdict"], claim["scope"]["s.size"]) == ("verified", "1..1")
        (fault,) = (await ask(client, "check", claim=FALSE.replace("wins", "winz")))["faults"]
        assert (fault["message"], fault["suggested"]) == ("unknown function 'winz'", "wins")
        (claim,) = (await ask(client, "explain", claim="kl-nim/lemma-11", at={"k": "3", "l": "4", "s": "(2, 2, 4)"}))[
            "claims"
        ]
        assert claim["cases"][0]["values"] == "k = 3, l = 4, s = (2, 2, 4)"
        solved = await ask(client, "solve", ruleset="mine", position="(3)", files={"mine.toml": MINE})
        assert solved["outcome"] == "P_position"
        found = await ask(client, "find", ruleset="nim")
        assert found["outcome"].startswith("proved")
        assert 'then = "iff(not wins(s), nim_sum(s) == 0)"' in found["found"]

    talk(conversation)


@pytest.mark.slow
def test_a_hostile_claim_is_data(talk: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused or settled. No file is read, nothing is executed, and no internal error is returned."""

    async def run(words: Sequence[str], folder: Path, seconds: float) -> ProcessOutput:
        return ProcessOutput(*run_within(*words, cwd=folder))  # like the answer of the command's process

    monkeypatch.setattr(server, "run_command", run)
    secret = tmp_path / "secret"  # next to the folders of requests
    secret.mkdir()
    (secret / "key.toml").write_text("key = 'sesame'\n", "utf-8")

    async def conversation(client: Any) -> None:
        for then in ("__import__('os').system('touch pwned')", "open('/etc/passwd')", "().__class__", "x" * 50_000):
            said = await ask(client, "settle", claim=FALSE.replace("iff(wins(s), sum(s) % 2 == 1)", then))
            assert (said["exit_code"], said["claims"][0]["verdict"]) == (2, "error")
        for line in (f'by = ["{secret.name}/key"]', f'from = "../../../{secret.name}/key"', 'from = "/etc/x"'):
            said = await ask(client, "settle", claim=f"{FALSE}[proof]\n{line}\n")
            assert said["claims"][0]["verdict"] == "error"
            assert "sesame" not in json.dumps(said)
        said = await ask(client, "check", claim=FALSE.replace('"nim"', '"../../secret/key"'))
        assert "sesame" not in json.dumps(said)
        assert "is not the name of a ruleset" in said["faults"][0]["message"]
        said = await ask(client, "settle", claim="a = " + "[" * 9_000)
        assert said["claims"][0]["verdict"] == "error"
        for given in ({"claim": ""}, {"claim": "../../etc/passwd"}, {"claim": FALSE, "seconds": -1}):
            answer = await client.call_tool("settle", given)
            assert answer.is_error
            assert "expected" in answer.content[0].text or "neither an id" in answer.content[0].text
        answer = await client.call_tool("settle", {"claim": FALSE, "scope": {"--report": "x"}})
        assert answer.is_error
        said = await ask(client, "solve", ruleset="nim", position="--html=/tmp/pwned.html")
        assert said["exit_code"] == 2

    talk(conversation)


@pytest.mark.slow
def test_a_budget_is_kept(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = PLAYED.format(rules="kl-nim(k = 3, l = 4)", then="wins(s, P1) or not wins(s, P1)", scope="")
    endless = endless.replace("[scope]\n", '[scope]\ns = { heaps = "0..9", size = "1..400" }\n')

    async def within(client: Any) -> None:
        began = time.monotonic()
        said = await ask(client, "settle", claim=endless, seconds=0.5)
        assert time.monotonic() - began < 60
        assert said.get("verdict", said.get("claims", [{}])[0].get("verdict")) == "inconclusive"
        far = f"({10**12}, {10**12})"
        said = await ask(client, "solve", ruleset="kl-nim", position=far, parameters={"k": "3", "l": "4"})
        assert said["limit"] or said["exit_code"] == 2

    async def beyond(client: Any) -> None:
        said = await ask(client, "settle", claim=endless, seconds=0.01)
        assert said == {"verdict": "inconclusive", "stopped": "no answer within 0.01 s: the claim is not settled"}

    talk(within)
    monkeypatch.setattr(answers, "GRACE", 0.05)  # none of our processes starts that quickly
    talk(beyond)


@pytest.mark.slow
def test_over_standard_input_and_output() -> None:
    from mcp import Client, StdioServerParameters

    started = StdioServerParameters(
        command=sys.executable, args=["-m", "checks", "mcp", "--characters", "500"], env={"PYTHONPATH": str(ROOT)}
    )

    async def conversation() -> None:
        async with Client(started) as client:
            answer = await client.call_tool("explain", {"claim": "kl-nim/lemma-11"})
            assert len(answer.content[0].text) <= 500

    run_apart(conversation())
