"""What a result says a scope covered, and what it left open: never more than was looked at."""

from pathlib import Path

import pytest

from checks.judgement.options import BadOverride
from checks.judgement.scopes import (
    describe_beyond,
    describe_rest,
    fit_scope,
    limits_of,
    read_override,
    scope_for,
)
from checks.results.phrases import limit_texts
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from encoders.coverage import All, Below
from encoders.proving.reading import load_claim

HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "conjecture"\n'


def made(folder: Path, variables: str, scope: str = "") -> Claim:
    path = folder / "claim.toml"
    path.write_text(f'{HEAD}[forall]\n{variables}\n[claim]\nthen = "True"\n[scope]\n{scope}\n', "utf-8")
    return load_claim(path, "claim")


@pytest.mark.parametrize(
    ("domain", "scope", "covers", "leaves"),
    [
        ("1..9", "", "all", ""),
        ("1..9", "1..9", "all", ""),
        ("1..9", "0..10", "all", ""),
        ("1..9", "1..8", "1..8", "x above 8"),
        ("1..9", "2..9", "2..9", "x below 2"),
        ("1..9", "0..8", "1..8", "x above 8"),
        ("1..9", "2..12", "2..9", "x below 2"),
        ("1..9", "3..4", "3..4", "x below 3; x above 4"),
        ("1..", "1..9", "1..9", "x above 9"),
        ("1..", "0..9", "1..9", "x above 9"),
        ("1..", "2..9", "2..9", "x below 2; x above 9"),
        ("-10..5", "0..5", "0..5", "x below 0"),
        ("-10..", "0..5", "0..5", "x below 0; x above 5"),
        ("-3..5", "-10..5", "all", ""),
        ("-3..-1", "-2..-1", "-2..-1", "x below -2"),
    ],
)
def test_an_interval_is_covered_only_as_far_as_the_scope_goes(
    tmp_path: Path, domain: str, scope: str, covers: str, leaves: str
) -> None:
    claim = made(tmp_path, f'x = "{domain}"', f'x = "{scope}"' if scope else "")
    assert limit_texts(limits_of(claim, claim.scope("quick"))) == {"x": covers}
    assert describe_rest(claim, claim.scope("quick")) == leaves


def test_a_bound_that_depends_on_another_variable_is_covered_no_further_than_the_scope(tmp_path: Path) -> None:
    claim = made(tmp_path, 'k = "1..3"\nx = "k..9"\ny = "0..k"', 'x = "0..9"\ny = "0..2"')
    assert limit_texts(limits_of(claim, claim.scope("quick"))) == {"k": "all", "x": "0..9", "y": "0..2"}
    assert describe_rest(claim, claim.scope("quick")) == "y above 2"


@pytest.mark.parametrize(
    ("heaps", "size", "total", "leaves"),
    [
        ("0..4", "1..10", "", "more than 4 heaps; heaps above 10"),
        ("0..1", "1..1", "", "more than 1 heap; heaps above 1"),
        ("1..4", "1..10", "", "fewer than 1 heap; more than 4 heaps; heaps above 10"),
        ("2..4", "2..10", "", "fewer than 2 heaps; more than 4 heaps; heaps below 2; heaps above 10"),
        ("0..4", "1..10", "0..12", "more than 4 heaps; heaps above 10; totals outside 0..12"),
    ],
)
def test_positions_are_covered_in_the_box_alone(tmp_path: Path, heaps: str, size: str, total: str, leaves: str) -> None:
    parts = [("heaps", heaps), ("size", size), *([("total", total)] if total else [])]
    box = ", ".join(f'{name} = "{bound}"' for name, bound in parts)
    claim = made(tmp_path, 's = "position"', f"s = {{ {box} }}")
    assert limit_texts(limits_of(claim, claim.scope("quick"))) == {f"s.{n}": x for n, x in parts}
    assert describe_rest(claim, claim.scope("quick")) == leaves


def test_of_two_positions_it_is_said_whose_heaps_are_open(tmp_path: Path) -> None:
    claim = made(
        tmp_path,
        's = "position"\nu = "position"',
        's = { heaps = "0..2", size = "1..3" }\nu = { heaps = "0..4", size = "1..5" }',
    )
    assert describe_rest(claim, claim.scope("quick")) == (
        "more than 2 heaps of s; heaps of s above 3; more than 4 heaps of u; heaps of u above 5"
    )


def test_what_lies_beyond_a_proof() -> None:
    proved = (("k", Below(62)), ("s.heaps", All()), ("s.size", Below(62)), ("l", Below(8)), ("m", All()))
    assert describe_beyond(proved) == "k or heaps of s of 2^62 and more; l of 2^8 and more"
    assert describe_beyond((("k", "all"), ("s.size", "all"))) == ""


def test_an_override_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    claim = made(
        tmp_path,
        'k = "1.."\ns = "position"\nu = "position"',
        'k = "1..4"\ns = { heaps = "0..2", size = "1..3", total = "0..5" }\nu = { heaps = "0..2", size = "1..3" }',
    )
    scope = scope_for(claim, "quick", (("s.heaps", "0..3"), ("u.size", "1..9"), ("other", "1..2")))
    assert scope == {
        "k": d.Range(1, 4),
        "s": d.PositionRange(d.Range(0, 3), d.Range(1, 3), d.Range(0, 5)),
        "u": d.PositionRange(d.Range(0, 2), d.Range(1, 9)),
    }
    with pytest.raises(BadOverride, match="no position"):
        scope_for(claim, "quick", (("k.heaps", "0..3"),))
    with pytest.raises(BadOverride, match="cannot read"):
        read_override("k=6..5")


def test_a_scope_that_fits_is_smaller_and_the_old_one_stays(tmp_path: Path) -> None:
    scope: d.Scope = {"k": d.Range(1, 5000), "m": d.Range(1, 3)}
    text = fit_scope(scope, 1000, 1000)
    name, _, bound = text.removeprefix("--set ").partition("=")
    small = d.constant_range(bound)
    assert name == "k"
    assert small.lo == 1
    assert (small.hi - small.lo + 1) * 3 <= 1000
    assert scope == {"k": d.Range(1, 5000), "m": d.Range(1, 3)}
