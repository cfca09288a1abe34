"""What each operator makes of a function, in order; and what belongs to a place."""

import ast

import pytest

from .operators import Source

CONDITIONS = """
def f(x, y):
    if x < 0 or (x == y and y not in (1, 2)):
        return [z for z in y if z if 0 <= z < x]
    yield x
    raise ValueError(f"{x + 1}")
"""
VALUES = """
def f(x, *, y=(1, True)):
    return g(x.a[0], y, k=min(x, -1)) if x else {1: 2, **x}
"""
PLACES = '''"""D."""
A = 1
class C:
    b: int = 2
    def f(self):
        """D."""
        def g(): return 3
        return g
    def f(self): return 4
'''


def made(text: str, operator: str) -> list[str]:
    """The lines after each change, as far as they differ."""
    lines = []
    for start, end, new in Source(text).edits("f", operator):
        assert "\n" not in text[start:end] + new
        after = text[:start] + new + text[end:]
        assert ast.parse(after)
        lines += [b.strip() for a, b in zip(text.splitlines(), after.splitlines(), strict=True) if a != b]
    return lines


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        (
            "drop",
            [
                "if (x == y and y not in (1, 2)):",
                "if x < 0:",
                "if x < 0 or (y not in (1, 2)):",
                "if x < 0 or (x == y):",
                "if x < 0 or (x == y and y not in (2)):",
                "if x < 0 or (x == y and y not in (1)):",
                "return [z for z in y if 0 <= z < x]",
                "return [z for z in y if z]",
                "return [z for z in y if z if z < x]",
                "return [z for z in y if z if 0 <= z]",
                "raise ValueError()",
            ],
        ),
        (
            "not",
            [
                "if (not (x < 0)) or (x == y and y not in (1, 2)):",
                "if (not (x < 0 or (x == y and y not in (1, 2)))):",
                "if x < 0 or ((not (x == y)) and y not in (1, 2)):",
                "if x < 0 or ((not (x == y and y not in (1, 2)))):",
                "if x < 0 or (x == y and (not (y not in (1, 2)))):",
                "return [z for z in y if (not z) if 0 <= z < x]",
                "return [z for z in y if z if (not (0 <= z < x))]",
            ],
        ),
        (
            "<=",
            [
                "if x <= 0 or (x == y and y not in (1, 2)):",
                "if x < 0 or (x <= y and y not in (1, 2)):",
                "if x < 0 or (x == y and y <= (1, 2)):",
                "return [z for z in y if z if 0 <= z <= x]",
            ],
        ),
        (
            "not in",
            [
                "if x not in 0 or (x == y and y not in (1, 2)):",
                "if x < 0 or (x not in y and y not in (1, 2)):",
                "return [z for z in y if z if 0 not in z < x]",
                "return [z for z in y if z if 0 <= z not in x]",
            ],
        ),
        ("and-or", ["if (x < 0 and (x == y and y not in (1, 2))):", "if x < 0 or ((x == y or y not in (1, 2))):"]),
        ("pass", ["pass", "yield from ()", "pass"]),
    ],
)
def test_what_decides(operator: str, expected: list[str]) -> None:
    assert made(CONDITIONS, operator) == expected


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("turn", ["def f(x, *, y=(1, False)):", "return g(x.a[0], y, k=max(x, -1)) if x else {1: 2, **x}"]),
        (
            "swap",
            [
                "def f(x, *, y=(True, 1)):",
                "return {1: 2, **x} if x else g(x.a[0], y, k=min(x, -1))",
                "return g(y, x.a[0], k=min(x, -1)) if x else {1: 2, **x}",
                "return g(x.a[0], y, k=min(-1, x)) if x else {1: 2, **x}",
            ],
        ),
        (
            "part",
            [
                "def f(x, *, y=1):",
                "def f(x, *, y=True):",
                "return x.a[0] if x else {1: 2, **x}",
                "return y if x else {1: 2, **x}",
                "return min(x, -1) if x else {1: 2, **x}",
                "return g(x.a[0], y, k=min(x, -1))",
                "return {1: 2, **x}",
                "return g(x[0], y, k=min(x, -1)) if x else {1: 2, **x}",
                "return g(x.a, y, k=min(x, -1)) if x else {1: 2, **x}",
                "return g(x.a[0], y, k=x) if x else {1: 2, **x}",
                "return g(x.a[0], y, k=(-1)) if x else {1: 2, **x}",
                "return g(x.a[0], y, k=min(x, 1)) if x else {1: 2, **x}",
            ],
        ),
        ("true", ["return g(x.a[0], y, k=min(x, -1)) if True else {1: 2, **x}"]),
    ],
)
def test_what_is_made_of_values(operator: str, expected: list[str]) -> None:
    assert sorted(made(VALUES, operator)) == sorted(expected)


def test_numbers_that_are_written_down_and_others_are_made_larger() -> None:
    assert made("def f(x):\n    return x.a[0]", "+1") == [
        "return (x + 1).a[0]",
        "return (x.a + 1)[0]",
        "return (x.a[0] + 1)",
        "return x.a[1]",
    ]


def test_what_stands_in_a_text_and_what_is_called_are_left_alone() -> None:
    assert [line for line in made(CONDITIONS, "0") if line.startswith("raise")] == ["raise 0", "raise ValueError(0)"]
    assert not [line for line in made(VALUES, "()") if "()(" in line]


def test_what_is_whose_own() -> None:
    source = Source(PLACES)
    own = {name: [n.value for n in nodes if isinstance(n, ast.Constant)] for name, nodes in source.places.items()}
    assert own == {"": [1], "C": [2], "C.f": [], "C.f.g": [3], "C.f#2": [4]}
    assert [source.place_of(line) for line in range(1, 10)] == ["", "", "C", "C", "C.f", "C.f", "C.f.g", "C.f", "C.f#2"]
    assert source.text[slice(*source.spans["C.f.g"])] == "        def g(): return 3\n"
