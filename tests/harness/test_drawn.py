"""Changes are drawn by their seed, and asked of the tests that come to them."""

from claims.language.builtins.signatures import reduce_integers

from .drawn import _name, draw, find_tests
from .table import changed, rows

REFEREE = ("checks/referee",)


def test_the_same_seed_draws_the_same_changes_and_none_of_the_table() -> None:
    drawn = list(draw(6, 7, REFEREE, {}))
    assert drawn == list(draw(6, 7, REFEREE, {})) != list(draw(6, 8, REFEREE, {}))
    assert len({changed(row) for row in drawn}) == 6 and all(row.file.startswith("checks/referee/") for row in drawn)
    assert not {(row.at, row.change) for row in drawn} & {(row.at, row.change) for row in rows()}


def test_the_tests_of_a_place_are_those_of_its_rows_and_the_cheapest_that_come_to_it() -> None:
    reached = {
        "m:f": {"dear.py": (9.0, "dear.py::a"), "cheap.py": (0.1, "cheap.py::b")},
        "m:C.g": {"g.py": (1.0, "g.py::c")},
    }
    named = {"m:f": ["row.py::d"], "m": ["row.py::d", "row.py::e"]}
    assert find_tests("m:f", named, reached) == (("row.py::d", "cheap.py::b", "dear.py::a"), ("cheap.py", "dear.py"))
    assert find_tests("m:f#2", {}, reached) == (("cheap.py::b", "dear.py::a"), ("cheap.py", "dear.py"))
    assert find_tests("m:C", {}, reached) == (
        ("cheap.py::b", "g.py::c", "dear.py::a"),
        ("cheap.py", "g.py", "dear.py"),
    )
    assert find_tests("m:h", named, {}) == (("row.py::d", "row.py::e"), ())


def test_code_is_of_the_function_that_it_stands_in() -> None:
    assert _name(reduce_integers.__code__) == "claims.language.builtins.signatures:reduce_integers"
    assert _name(test_code_is_of_the_function_that_it_stands_in.__code__) == ""
