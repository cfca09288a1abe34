"""The search for regions of parameters as domains, equal parameters as one, and invalid requests."""

from pathlib import Path

import pytest
from searched_games import NIM, TWO_BANS, question_of, rename

from claims.language.errors import ClaimError
from claims.language.syntax.printing import print_term
from encoders.refusals import Unsupported

SUBTRACTION = NIM.replace("[[", 'parameters = { S = "set" }\n[[', 1).replace("1..h", "S")


@pytest.mark.parametrize(
    ("where", "domains", "rest"),
    [
        ("", ["k = 1..", "l = 1.."], ""),
        ("k < l", ["k = 1..", "l = k + 1.."], ""),
        ("k > l", ["l = 1..", "k = l + 1.."], ""),
        ("k >= l and l >= 3", ["l = 3..", "k = l.."], ""),
        ("k < l and l > 4", ["k = 1..", "l = k + 1.."], "l >= 5"),
        ("k + l == 7", ["k = 1..", "l = 1.."], "k + l == 7"),
        ("k < l and l < k", ["k = 1..", "l = k + 1.."], "l < k"),
        ("k < k", ["k = 1..", "l = 1.."], "k < k"),
    ],
)
def test_a_region_is_said_by_domains_as_far_as_it_can(
    tmp_path: Path, where: str, domains: list[str], rest: str
) -> None:
    question = question_of(tmp_path, TWO_BANS, where)
    assert [f"{x.name} = {x.domain}" for x in question.free] == domains
    assert (print_term(question.condition) if question.condition is not None else "") == rest


def test_equal_parameters_are_one_and_numbers_are_put_in(tmp_path: Path) -> None:
    assert question_of(tmp_path, TWO_BANS, "k == l").call == "mine(k = k, l = k)"
    assert question_of(tmp_path, TWO_BANS, "l == 3").call == "mine(k = k, l = 3)"
    assert question_of(tmp_path, TWO_BANS, l="2").call == "mine(k = k, l = 2)"
    assert question_of(tmp_path, SUBTRACTION, S="{1, 3}").call == "mine(S = {1, 3})"


def test_a_parameter_called_as_the_proof_calls_a_heap_gets_another_name(tmp_path: Path) -> None:
    rules = (
        rename(NIM, h="heap").replace("[[", 'parameters = { h = "1.." }\n[[', 1).replace("1..heap", "1..min(h, heap)")
    )
    assert question_of(tmp_path, rules).call == "mine(h = h_)"


@pytest.mark.parametrize(
    ("where", "given"),
    [("k <", {}), ("k", {}), ("n < 2", {}), ("", {"n": "1"}), ("", {"k": "0"}), ("", {"k": "{1}"})],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, where: str, given: dict[str, str]) -> None:
    with pytest.raises(ClaimError):
        question_of(tmp_path, TWO_BANS, where, **given)


def test_a_set_has_to_be_given_and_there_are_two_players(tmp_path: Path) -> None:
    with pytest.raises(ClaimError, match="must be given"):
        question_of(tmp_path, SUBTRACTION)
    with pytest.raises(Unsupported):
        question_of(tmp_path, NIM.replace('["P1", "P2"]', '["A", "B", "C"]'))
