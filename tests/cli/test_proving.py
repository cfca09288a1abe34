"""Each step of the proofs in docs/prove-a-claim.md, and each command of docs/write-a-claim.md and docs/start.md."""

import json
import re

import pytest
from commands import ROOT, run_within
from transcripts import pattern, timeless

PAGE = (ROOT / "docs" / "prove-a-claim.md").read_text("utf-8")
STEP = re.compile(
    r"^<!-- (?P<kind>file|proof): (?P<name>\S+) -->\n```toml\n(?P<text>.*?)^```$"
    r"|^```console\n\$ checks (?P<command>.*?)\n(?P<output>.*?)^```$"
    r"|^> (?P<hint>.*?)$",
    re.MULTILINE | re.DOTALL,
)
EXAMPLES = {
    title: [found.groupdict() for found in STEP.finditer(text)]
    for title, text in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    if "```console" in text
}


@pytest.mark.parametrize("title", EXAMPLES)
@pytest.mark.slow
def test_every_step_of_an_example_prints_what_the_page_says(title, tmp_path):
    claims = {}
    output = ""
    for step in EXAMPLES[title]:
        if step["kind"] == "file":
            claims[step["name"]] = step["text"]
            (tmp_path / step["name"]).write_text(step["text"], "utf-8")
        elif step["kind"] == "proof":
            (tmp_path / step["name"]).write_text(f"{claims[step['name']]}\n{step['text']}", "utf-8")
        elif step["hint"]:
            report = json.loads((tmp_path / "reports" / "out" / "report.json").read_text("utf-8"))
            assert any(re.fullmatch(pattern(step["hint"]), hint) for hint in report["claims"][0]["hints"])
        else:
            done = run_within(*step["command"].split(), cwd=tmp_path)
            output = timeless(done.stdout)
            assert done.stderr == ""
            assert re.fullmatch(pattern(step["output"]), output, re.DOTALL), done.stdout
    assert " proved (" in output and "inconclusive" not in output


def test_there_are_three_examples_and_each_fails_first():
    assert len(EXAMPLES) == 3
    for steps in EXAMPLES.values():
        outputs = [step["output"] for step in steps if step["output"]]
        assert "verified" in outputs[0] and "inconclusive" in outputs[1] and "proved" in outputs[-1]
        assert sum("inconclusive" in output for output in outputs) >= 1


@pytest.mark.slow
def test_each_command_of_the_page_on_writing_claims_prints_what_it_shows(tmp_path):
    steps = list(STEP.finditer((ROOT / "docs" / "write-a-claim.md").read_text("utf-8")))
    assert [step["command"].split()[0] for step in steps if step["command"]] == ["explain", "new", "run"]
    for step in steps:
        if step["kind"]:
            (tmp_path / step["name"]).write_text(step["text"], "utf-8")
            continue
        done = run_within(*step["command"].split(), cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert re.fullmatch(pattern(step["output"]), timeless(done.stdout), re.DOTALL), done.stdout
