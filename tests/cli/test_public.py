"""The public API is the one in docs/python.md, and nothing is imported before it is used."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import ROOT

import checks

PAGE = (ROOT / "docs/python.md").read_text("utf-8")


@pytest.mark.slow
def test_each_example_prints_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```(?:python|text)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 6
    for code, said in zip(blocks[::2], blocks[1::2], strict=True):
        exec(compile(code, "docs/python.md", "exec"), {})
        assert capsys.readouterr().out == said


def test_each_name_is_there_and_on_the_page() -> None:
    table = "".join(line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`(\w+)", table)) == set(checks.__all__)
    for name in checks.__all__:
        assert getattr(checks, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'prove'"):
        checks.prove  # noqa: B018


def test_type_checkers_are_told_the_same() -> None:
    text = Path(checks.__file__).read_text("utf-8")
    imported = [x for x in ast.walk(ast.parse(text)) if isinstance(x, ast.ImportFrom) and x.module != "importlib"]
    assert {x.name: found.module for found in imported for x in found.names} == checks._HOMES


def test_nothing_is_imported_with_the_package() -> None:
    ask = "import sys; before = set(sys.modules); import checks; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["checks"]


def test_results_show_themselves_in_a_notebook_as_text_that_is_escaped(tmp_path: Path) -> None:
    hostile = tmp_path / "c.toml"
    head = (
        'format = 1\ntitle = "<b>T</b>"\nstatement = "S."\nwork = "w"\nlocator = "l"\nrole = "lemma"\nruleset = "nim"\n'
    )
    hostile.write_text(f'{head}[claim]\nthen = "wins(position([1, 1]))"\n', "utf-8")
    run = checks.run(hostile)
    assert run.claims[0] == checks.settle(hostile) or run.claims[0].verdict is checks.Verdict.REFUTED
    for shown in (run._repr_html_(), run.claims[0]._repr_html_()):
        assert "&lt;b&gt;T&lt;/b&gt;" in shown
        assert "refuted" in shown
    assert "<pre>" in run.claims[0]._repr_html_()
    assert "N_position" in checks.solve("nim", (1, 2))._repr_html_()


def test_what_check_finds_is_what_load_raises(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('role = "guess"\n', "utf-8")
    found = checks.check(tmp_path / "c.toml")
    assert len(found) == 3  # format, role, [claim]
    with pytest.raises(checks.ClaimError) as caught:
        checks.load(tmp_path / "c.toml")
    assert str(caught.value) == str(found[0])
    assert checks.settle(tmp_path / "c.toml").finding.faults == found


def test_a_result_is_one_line_at_a_prompt() -> None:
    run = checks.run("nim/example-3-4-5", "kl-nim/lemma-11")
    assert repr(run) == "<RunResult 2 claims: 1 proved, 1 refuted>"
    assert [repr(x) for x in run.claims] == [
        "<ClaimResult nim/example-3-4-5: proved>",
        "<ClaimResult kl-nim/lemma-11: refuted>",
    ]
    from checks.results.model import ClaimResult

    assert repr(ClaimResult("a\n\u202eb", checks.Verdict.ERROR)) == r"<ClaimResult a \u202eb: error>"
