"""The report on a scope: the covered part, the open part, and places with few cases; never more than was examined."""

from pathlib import Path

import pytest
from proofs import HEAD

from checks.command.catalogue import page
from checks.command.output import write_line
from checks.execution.settle import settle_entry
from checks.judgement.scopes import (
    BadOverride,
    Options,
    describe_beyond,
    describe_rest,
    limits_of,
    read_override,
    scope_for,
)
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from checks.results.wording import limit_texts, verdict_phrase
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.files.library import Entry
from encoders.proving.reading import load_claim
from encoders.trust import All, Below

NIM = HEAD + 'ruleset = "nim"\n[forall]\ns = "position"\n'


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
    with pytest.raises(BadOverride, match="neither a position nor a list"):
        scope_for(claim, "quick", (("k.heaps", "0..3"),))
    with pytest.raises(BadOverride, match="cannot read"):
        read_override("k=6..5")


# -- warnings ---------------------------------------------------------------------------------------------------------
def settle(folder: Path, body: str, **asked: object) -> ClaimResult:
    (folder / "claim.toml").write_text(body, "utf-8")
    return settle_entry(Entry("claim", folder / "claim.toml"), Options(**asked))


def number(condition: str, scope: str, domain: str = "1..") -> str:
    return f'{HEAD}[forall]\nx = "{domain}"\n[claim]\nif = "{condition}"\nthen = "x < 10 ** 9"\n[scope]\n{scope}\n'


@pytest.mark.parametrize(
    ("condition", "met", "warned"),
    [("x == 7", "1", True), ("x < 2", "1", True), ("x < 3", "2", False), ("x > 0", "all", False)],
)
def test_hypotheses_that_hold_at_few_cases_are_told(tmp_path: Path, condition: str, met: str, warned: bool) -> None:
    found = settle(tmp_path, number(condition, 'x = "1..200"'))
    assert verdict_phrase(found) == f"verified (x 1..200; 200 cases, hypotheses met at {met})"
    assert found.presentation.warnings == ("the hypotheses hold at 1 of 200 cases, fewer than one in 100",) * warned


def test_one_in_a_hundred_is_enough(tmp_path: Path) -> None:
    assert settle(tmp_path, number("x == 7", 'x = "1..100"')).presentation.warnings == ()
    assert len(settle(tmp_path, number("x == 7", 'x = "1..101"')).presentation.warnings) == 1


def test_hypotheses_that_never_hold_are_no_green_even_where_there_are_no_more_cases(tmp_path: Path) -> None:
    assert settle(tmp_path, number("x == 0", 'x = "1..200"')).verdict is Verdict.VACUOUS
    assert settle(tmp_path, number("x == 0", 'x = "1..9"', "1..9")).verdict is Verdict.VACUOUS


@pytest.mark.parametrize(
    ("scope", "told"),
    [
        ('s = { heaps = "3", size = "5" }', "s: 3 heaps of 5..5"),
        ('s = { heaps = "0", size = "1..9" }', "s: at most 0 heaps of 1..9"),
        ('s = { heaps = "1..2", size = "5..6", total = "12" }', "s: 1..2 heaps of 5..6, total 12..12"),
        ('s = { heaps = "2..3", size = "5" }', ""),
        ('s = { heaps = "3", size = "5..6" }', ""),
    ],
)
def test_a_scope_of_one_position_is_told(tmp_path: Path, scope: str, told: str) -> None:
    found = settle(tmp_path, f'{NIM}[claim]\nthen = "iff(wins(s), nim_sum(s) != 0)"\n[scope]\n{scope}\n')
    assert found.verdict is Verdict.VERIFIED
    assert found.presentation.warnings == (f"the scope has only one value of s: {told}",) * bool(told)


def test_a_scope_of_one_number_is_told_and_a_domain_of_one_is_none(tmp_path: Path) -> None:
    assert settle(tmp_path, number("x > 0", 'x = "4"')).presentation.warnings == (
        "the scope has only one value of x: x 4..4",
    )
    assert settle(tmp_path, number("x > 0", 'x = "4"', "4..4")).verdict is Verdict.PROVED
    assert settle(tmp_path, number("x > 0", 'x = "4"', "4..4")).presentation.warnings == ()


@pytest.mark.parametrize(
    ("deep", "warned"),
    [("", True), ('[scope.deep]\nx = "1..9"', True), ('[scope.deep]\nx = "1..20"', False)],
)
def test_a_deep_scope_that_is_the_quick_one_is_told(tmp_path: Path, deep: str, warned: bool) -> None:
    body = number("x > 0", f'x = "1..9"\n{deep}')
    told = ("the claim file has no deep scope, so the quick scope was used",) * warned
    found = settle(tmp_path, body, profile="deep")
    assert found.presentation.warnings == told
    assert settle(tmp_path, body).presentation.warnings == ()
    assert write_line(found).splitlines()[1:] == [f"      warning: {x}" for x in told]
    assert (
        settle(tmp_path, f'{HEAD}[claim]\nthen = "1 < 2"\n', profile="deep").presentation.warnings == ()
    )  # without any scope


@pytest.mark.parametrize(
    ("title", "statement", "warned"),
    [
        ("Five is not 4", "Five is 4.", "not"),
        ("Never four", "Five is 4.", "never"),
        ("Five is 4", "Five is 4.", ""),
        ("Five is not 5", "It is not true that five is 5.", ""),
        ("Nothing knotted", "Five is 4.", ""),
    ],
)
def test_a_title_that_denies_what_a_false_claim_says_is_told(
    tmp_path: Path, title: str, statement: str, warned: str
) -> None:
    head = f'format = 1\ntitle = "{title}"\nstatement = "{statement}"\nwork = "mine"\nlocator = "L"\nrole = "remark"\n'
    body = 'expect = "refuted"\n[claim]\nthen = "5 == 4"\n'
    told = (
        f"the title contains '{warned}', but the statement does not; "
        "let the title say the same as the statement, even if the claim is false"
    )
    assert settle(tmp_path, head + body).presentation.warnings == (told,) * bool(warned)
    assert settle(tmp_path, head + body.replace("refuted", "holds")).presentation.warnings == ()


@pytest.mark.slow
def test_what_the_game_takes_from_the_claim_without_being_told_to_is_told(tmp_path: Path) -> None:
    body = '[forall]\nk = "1.."\nl = "1.."\ns = "position"\n[claim]\nthen = "wins(s, P1) or not wins(s, P1)"\n'
    body += '[scope]\nk = "1..2"\nl = "1..2"\ns = { heaps = "0..1", size = "1..2" }\n'
    found = settle(tmp_path, f'{HEAD}ruleset = "kl-nim"\n{body}')
    assert found.statement.games == (("kl-nim", "K-L-Nim (k and l as in the claim)"),)
    assert "game: kl-nim, K-L-Nim (k and l as in the claim)" in page(load_claim(tmp_path / "claim.toml", "x"))
    bound = settle(tmp_path, f'{HEAD}ruleset = "kl-nim(k = l)"\n{body}')
    assert bound.statement.games == (("kl-nim", "K-L-Nim (k = l, l as in the claim)"),)
