"""A hand-written file of certificates, with one lemma of each kind, and the two verifiers that read it."""

from __future__ import annotations

import copy
import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from checks.receipts.certificates import CHECKER, BadCertificate, read_certified_claim
from encoders.logic.certificates import problem

PARITY = {  # x == y, x + y == 1
    "name": "parity",
    "says": ["for 0 <= x", "for 0 <= y", "show not (x == y and x + y == 1)"],
    "letters": 3,
    "atoms": [["eq", [[1, "x"], [-1, "y"]], 0], ["eq", [[1, "x"], [1, "y"]], -1]],
    "formula": ["and", 1, ["or", 2, ["not", 3]], ["iff", 3, True]],
    "lemmas": [{"literals": [1, 2], "states": [[0, -1]]}],
    "tree": [3, [1, [2, -1, 0], 0], 0],
}
ORDER = {  # x < y, y < x
    "name": "order",
    "says": ["show not (x < y and y <= x)"],
    "letters": 2,
    "atoms": [["le", [[1, "x"], [-1, "y"]], 1], ["le", [[1, "x"], [-1, "y"]], 0]],
    "formula": ["and", 1, ["not", 2]],
    "lemmas": [{"literals": [1, -2], "states": [[0, -1], [-1, -1], [0, 0]]}],
    "tree": [1, [2, 0, -1], 0],
}
UNEQUAL = {  # x != y, x + y < x ^ y
    "name": "unequal",
    "says": ["show x == y or x ^ y <= x + y"],
    "letters": 2,
    "atoms": [["eq", [[1, "x"], [-1, "y"]], 0], ["le", [[1, "x"], [1, "y"], [-1, ["xor", "x", "y"]]], 1]],
    "formula": ["and", ["not", 1], 2],
    "lemmas": [{"literals": [-1, 2], "states": [[0, 0], [0, 1], [None, 0], [None, 1]]}],
    "tree": [2, [1, 0, -1], 0],
}
SUM = {  # x < y and y * z < x * z
    "name": "product",
    "says": ["show not (x < y and y * z < x * z)"],
    "letters": 2,
    "atoms": [
        ["le", [[1, "x"], [-1, "y"]], 1],
        ["le", [[1, ["times", "y", "z"]], [-1, ["times", "x", "z"]]], 1],
    ],
    "formula": ["and", 1, 2],
    "lemmas": [{"literals": [1, 2], "sum": [[1, [0], ["z"]], [1, [1], []], [1, [], ["z"]]]}],
    "tree": [1, [2, -1, 0], 0],
}
EQUATION = {  # x * y == 0, 1 <= x * y; the summand of an equation may have any sign
    "name": "equation",
    "says": ["show not (x * y == 0 and x * y >= 1)"],
    "letters": 2,
    "atoms": [["eq", [[1, ["times", "x", "y"]]], 0], ["le", [[1, ["times", "y", "x"]]], 0]],
    "formula": ["and", 1, ["not", 2]],
    "lemmas": [{"literals": [1, -2], "sum": [[-1, [0], []], [1, [1], []]]}],
    "tree": [1, [2, 0, -1], 0],
}
BOTH = {  # x < x & y
    "name": "both",
    "says": ["show x & y <= x"],
    "letters": 1,
    "atoms": [["le", [[1, "x"], [-1, ["and", "x", "y"]]], 1]],
    "formula": 1,
    "lemmas": [{"literals": [1], "states": [[0]]}],
    "tree": [1, -1, 0],
}
CASES = {  # a lemma by cases, which uses the previous one
    "name": "cases",
    "says": ["show not (x == y and x + y == 1)"],
    "letters": 3,
    "atoms": [["eq", [[1, "x"], [-1, "y"]], 0], ["eq", [[1, "x"], [1, "y"]], -1]],
    "formula": ["and", ["or", 1, 3], 2, ["or", 1, ["not", 3]]],
    "lemmas": [
        {"literals": [1, 2], "states": [[0, -1]]},
        {"literals": [2], "tree": [1, -1, [3, 0, 0]]},
    ],
    "tree": [2, -2, 0],
}
TRUSTED = {"name": "hard", "says": ["show x * y == y * x"], "trusted": ["Z3", "cvc5"]}
FILE = {
    "format": 1,
    "claim": "games/theorem",
    "files": {"claims/games/theorem.toml": "0" * 64},
    "obligations": [PARITY, ORDER, UNEQUAL, SUM, EQUATION, BOTH, CASES, TRUSTED],
}


def changed(change: Any) -> dict[str, Any]:
    """Return the file after a change of its obligations, which are given by name."""
    data = copy.deepcopy(FILE)
    change({o["name"]: o for o in data["obligations"]})
    return data


def at(name: str, *keys: Any, to: Any) -> Any:
    """Return the change that sets a value in the obligation of that name."""

    def change(obligations: dict[str, Any]) -> None:
        if not keys:
            obligations[name] |= to
            return
        *path, last = keys
        here = obligations[name]
        for key in path:
            here = here[key]
        here[last] = to

    return change


def claim(atom: list[Any], how: dict[str, Any], *more: list[Any], literals: list[int]) -> Any:
    """Return the change after which the obligation `both` refutes literals over other atoms by one lemma."""

    def change(o: dict[str, Any]) -> None:
        tree: Any = -1
        for x in reversed(literals):
            tree = [x, tree, 0] if x > 0 else [-x, 0, tree]
        formula = ["and", *(x if x > 0 else ["not", -x] for x in literals)]
        lemma = {"literals": literals, **how}
        o["both"] |= {"atoms": [atom, *more], "letters": 1 + len(more), "formula": formula}
        o["both"] |= {"lemmas": [lemma], "tree": tree}

    return change


def write(folder: Path, data: Any) -> Path:
    path = folder / "certificates" / "games" / "theorem.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return path


def ours(path: Path) -> str:
    """Return the objection of our verifier to a file; "" for none."""
    try:
        found = read_certified_claim(path)
    except BadCertificate as error:
        return str(error)
    return "; ".join(problem(o.certificate) for o in found.obligations if o.certificate is not None).strip("; ")


def alone(*arguments: object, checker: Path = CHECKER) -> tuple[int, str]:
    """Return the exit code of the standalone checker, and its output."""
    with pytest.MonkeyPatch.context() as patch:
        said: list[str] = []
        patch.setattr(sys, "argv", [str(checker), *map(str, arguments)])
        patch.setattr("builtins.print", lambda *x, sep=" ", end="\n": said.append(sep.join(map(str, x)) + end))
        with pytest.raises(SystemExit) as end:
            runpy.run_path(str(checker), run_name="__main__")
    return int(end.value.code or 0), "".join(said)
