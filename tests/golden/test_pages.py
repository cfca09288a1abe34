"""The tables of verdicts and of exit codes in the documentation are written from the code and compared with it."""

import ast
import inspect
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from checks.results import verdicts
from checks.results.verdicts import EXIT_CODES, Verdict

ROOT = Path(__file__).parents[2]


def meanings() -> dict[str, str]:
    """Return the docstring of each member of the enum, which is not accessible as an attribute."""
    (body,) = (n.body for n in ast.parse(inspect.getsource(verdicts)).body if getattr(n, "name", "") == "Verdict")
    found = {}
    for member, text in pairwise(body):
        if isinstance(member, ast.Assign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            found[ast.literal_eval(member.value)] = " ".join(str(text.value.value).split())
    return found


def verdict_table() -> str:
    said = meanings()
    assert list(said) == [v.value for v in Verdict]
    rows = [f"| **{word}** | {meaning} |" for word, meaning in said.items()]
    return "\n".join(["| verdict | meaning |", "|---|---|", *rows])


def exit_code_table() -> str:
    rows = [f"| {code} | {meaning} |" for code, meaning in EXIT_CODES.items()]
    return "\n".join(["| exit code | when |", "|---|---|", *rows])


TABLES: dict[str, dict[str, Callable[[], str]]] = {
    "docs/verdicts.md": {"verdicts": verdict_table},
    "docs/exit-codes.md": {"exit codes": exit_code_table},
}


@pytest.mark.parametrize("page", TABLES)
def test_the_tables_of_a_page_say_what_the_code_says(page: str, request: pytest.FixtureRequest) -> None:
    file = ROOT / page
    text = file.read_text("utf-8")
    for name, table in TABLES[page].items():
        around = re.compile(rf"(<!-- table: {name} -->\n)(.*?)(<!-- end -->)", re.DOTALL)
        assert around.search(text), f"{page} has no <!-- table: {name} --> ... <!-- end -->"
        text = around.sub(lambda found, table=table: f"{found[1]}{table()}\n{found[3]}", text)
    if request.config.getoption("--renew-golden"):
        file.write_text(text, "utf-8", newline="\n")
    assert text == file.read_text("utf-8"), f"{page} differs; if it is meant, run pytest --renew-golden"
