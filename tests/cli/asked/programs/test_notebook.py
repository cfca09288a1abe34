"""In a notebook: a kernel executes the examples of docs/python.md, and results are displayed."""

import re
from importlib.util import find_spec

import pytest
from commands import ROOT


@pytest.mark.skipif(
    find_spec("nbclient") is None, reason="NOTHING IS RUN IN A NOTEBOOK: there is none; pip install -e '.[notebook]'"
)
@pytest.mark.slow
def test_the_examples_run_in_a_notebook_and_results_show_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    import nbclient
    import nbformat

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("CHECKS_CACHE", "off")
    page = (ROOT / "docs/python.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    shown = [
        'import checks\nchecks.settle("kl-nim/lemma-11")',
        'checks.run("nim/bouton")',
        'checks.solve("nim", (1, 2))',
    ]
    book = nbformat.v4.new_notebook()
    book.cells = [nbformat.v4.new_code_cell(code) for code in (*(code for code, _ in blocks), *shown)]
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    printed = ["".join(o.text for o in cell.outputs if o.output_type == "stream") for cell in book.cells[: len(blocks)]]
    assert printed == [said for _, said in blocks]
    claim, run, solution = (cell.outputs[-1].data["text/html"] for cell in book.cells[-3:])
    assert "<b>kl-nim/lemma-11</b>: refuted." in claim
    assert "Take k = 3, l = 4, s = (2, 2, 4)." in claim
    assert "<td>nim/bouton</td><td>proved</td>" in run
    assert "N_position" in solution
