"""The rule of few heaps: games of several kinds that it proves, and claims that it must reject."""

from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest
from proofs import ANY, BY_ONE, MISERE, NIM, QUICK, RULES, SMALLEST, TWO_HEAPS, asked, written
from random_terms import values_of

from checks.execution.settle import settle_entry
from claims.language.errors import ClaimError
from claims.language.files.library import select
from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import Prover
from encoders.rules.base.turns import VALUES
from encoders.rules.few_heaps import FEW, count, is_ascending, is_sorted_copy, orders, permute_sizes, select_heap

TWO = '[forall]\nx = "0.."\ny = "0.."\n[scope]\nx = "0..2"\ny = "0..2"\n'
ONE = '[forall]\nx = "0.."\n[scope]\nx = "0..2"\n'
MERGED = '[[moves]]\nchoose = "any two heaps g, h"\nbecome = ["g + h - 1"]\n'


def proof(loses: str, *moves: tuple[str, str, str], heaps: str = "ab", more: str = "") -> str:
    """Return a proof with this invariant and these moves: (when, heaps, the number m)."""
    names = ", ".join(f'"{h}"' for h in heaps)
    text = f'[proof]\nrule = "few heaps"\nheaps = [{names}]\n{more}\n[proof.loses]\nmover = "{loses}"\n'
    for condition, chosen, m in moves:
        take = f'take = {{ m = "{m}" }}\n' if m else ""
        text += f'[[proof.moves]]\nwhen = "{condition}"\nheaps = [{", ".join(f"{h!r}" for h in chosen)}]\n{take}'
    return text


def values(value: str, *moves: tuple[str, str, str], heaps: str = "ab", below: str = "v", more: str = "") -> str:
    """Return a proof with this value and these moves: (when, heaps, take)."""
    names = ", ".join(f'"{h}"' for h in heaps)
    text = f'[proof]\nrule = "few heaps"\nheaps = [{names}]\nvalue = "{value}"\nbelow = "{below}"\n{more}\n'
    for condition, chosen, take in moves:
        text += f'[[proof.moves]]\nwhen = "{condition}"\nheaps = [{", ".join(f"{h!r}" for h in chosen)}]\n'
        text += f"take = {{ {take} }}\n"
    return text


def failed(found: RouteResult) -> list[str]:
    return [x.name for x in found.obligations if not x.proved]


# -- values -----------------------------------------------------------------------------------------------------------
ONE_MORE = '[[moves]]\nchoose = "any two heaps g, h"\nbecome = ["g - 1", "h - 1"]\n'
EXACT = '[[moves]]\nchoose = "any two heaps g, h"\npick = { m = "1..g", n = "1..h" }\nbecome = ["g - m", "h - n"]\n'
THREE = '[forall]\nx = "0.."\ny = "0.."\nz = "0.."\n[scope]\nx = "0..2"\ny = "0..2"\nz = "0..2"\n'
PARITY, PARITY_CLAIM, PARITY_MOVES = (
    "(a + b) % 2",
    "grundy(position([x, y])) == (x + y) % 2",
    (("True", "b", 'm = "1"'),),
)
TETRIS = "min((a + b + c) // 2, a + b)"
TETRIS_CLAIM = "grundy(position([x, y, z])) == min((x + y + z) // 2, x + y + z - max(x, y, z))"
TETRIS_MOVES = (
    ("v < a", "ab", 'm = "a - v", n = "b"'),
    ("a <= v and v < c", "bc", 'm = "a + b - v", n = "1"'),
    ("c <= v", "bc", 'm = "a + b + c - 2 * v - 1", n = "1"'),
)


def test_heaps_of_which_one_object_is_taken_have_values_by_parity(tmp_path: Path) -> None:
    found = asked(written(tmp_path, TWO + values(PARITY, *PARITY_MOVES), PARITY_CLAIM, rules=BY_ONE))
    assert found.decision is Decision.HOLDS, found.detail
    assert [str(bound) for _, bound in found.reach.limits] == ["all", "all"]


@pytest.mark.slow
def test_exact_nim_on_two_of_three_heaps_has_the_number_of_moves_as_value(tmp_path: Path) -> None:
    claim = written(tmp_path, THREE + values(TETRIS, *TETRIS_MOVES, heaps="abc"), TETRIS_CLAIM, rules=EXACT)
    found = asked(claim)
    assert found.decision is Decision.HOLDS, found.detail


@pytest.mark.slow
@pytest.mark.parametrize(
    "then",
    [
        "iff(wins(position([x, y])), (x + y) % 2 == 1)",
        "iff(outcome(position([y, x])) == P_position, (x + y) % 2 == 0)",
        "outcome(position([x])) != first_wins and grundy(position([x])) == x % 2",
        "grundy(position([x, y])) == grundy(position([y, x]))",
    ],
)
def test_a_proof_of_values_proves_claims_about_who_wins_and_values(then: str, tmp_path: Path) -> None:
    found = asked(written(tmp_path, TWO + values(PARITY, *PARITY_MOVES), then, rules=BY_ONE))
    assert found.decision is Decision.HOLDS, found.detail


# what is changed: claim, value, the rules, their head
FALSE_VALUES: dict[str, dict[str, str]] = {
    "one more": {"then": PARITY_CLAIM + " + 1"},
    "one more, by a value that is one more": {"then": PARITY_CLAIM + " + 1", "value": PARITY + " + 1"},
    "one less": {"then": PARITY_CLAIM + " - 1"},
    "one less, by a value that is one less": {"then": PARITY_CLAIM + " - 1", "value": PARITY + " - 1"},
    "the larger heap": {"then": "grundy(position([x, y])) == max(x, y) % 2"},
    "the larger heap, by a value": {"then": "grundy(position([x, y])) == max(x, y) % 2", "value": "b % 2"},
    "the smaller heap, by a value": {"then": "grundy(position([x, y])) == min(x, y) % 2", "value": "a % 2"},
    "the opposite": {"then": "grundy(position([x, y])) == 1 - (x + y) % 2", "value": "1 - (a + b) % 2"},
    "the sum": {"then": "grundy(position([x, y])) == x + y", "value": "a + b"},
    "the difference": {"then": "grundy(position([x, y])) == max(x, y) - min(x, y)", "value": "b - a"},
    "no value 0": {"then": "grundy(position([x, y])) >= 1"},
    "a wrong winner": {"then": "iff(wins(position([x, y])), x % 2 == 1)"},
    "a wrong outcome": {"then": "iff(outcome(position([x, y])) == N_position, (x + y) % 2 == 0)"},
    "misere play": {"then": "iff(wins(position([x, y])), (x + y) % 2 == 1)", "head": MISERE},
    "another game: also two heaps": {"rules": BY_ONE + ONE_MORE},
    "another game: any number": {"rules": NIM},
    "a number that is too large": {"rules": BY_ONE.replace("1..1", "2..2")},
    "partizan": {"rules": BY_ONE + 'where = "mover == A"\n'},
    "a negative value": {"then": "grundy(position([x, y])) == 0 - 1", "value": "0 - 1"},
    "every value is 0": {"then": "grundy(position([x, y])) == 0", "value": "0"},
    "every value is 1": {"then": "grundy(position([x, y])) == 1", "value": "1"},
}


@pytest.mark.slow
@pytest.mark.parametrize("changed", [pytest.param(x, id=name) for name, x in FALSE_VALUES.items()])
def test_a_false_value_is_not_proved(changed: dict[str, str], tmp_path: Path) -> None:
    body = TWO + values(changed.get("value", PARITY), *PARITY_MOVES)
    then, rules, head = changed.get("then", PARITY_CLAIM), changed.get("rules", BY_ONE), changed.get("head", RULES)
    found = asked(written(tmp_path, body, then, rules=rules, head=head))
    assert found.decision is not Decision.HOLDS, "a false claim is proved"


def test_a_lemma_may_be_used_at_the_smaller_value(tmp_path: Path) -> None:
    lemma = '[proof.lemmas."squares"]\nfor = { u = "0.." }\nholds = "u * u >= u"\nat = [{ u = "v" }, { u = "a" }]'
    body = ONE + values("a", ("v * v >= v", "a", 'm = "a - v"'), heaps="a", more=lemma)
    found = asked(written(tmp_path, body, "grundy(position([x])) == x"))
    assert found.decision is Decision.HOLDS, found.detail


def test_the_outline_of_values_names_their_obligations(tmp_path: Path) -> None:
    claim = written(tmp_path, TWO + values(PARITY, *PARITY_MOVES), PARITY_CLAIM, rules=BY_ONE)
    outline = FEW.outline(claim, Prover())
    shown = {name for table in outline.tables for line in table.lines for _, name in line.shown_by}
    ground = ("parameters of", "`", "measure of", "product of", "remainders", "defined:")
    names = [x.name for x in FEW.obligations(claim, Prover())]
    assert {x for x in names if not x.startswith(ground)} == shown
    assert "gives the Grundy value" in outline.summary
    assert [x.title for x in outline.tables[:2]] == [
        "The value",
        "For every v below the value, one of these moves leads to the value v",
    ]


def test_a_proof_of_values_trusts_the_least_excluded_value(tmp_path: Path) -> None:
    claim = written(tmp_path, TWO + values(PARITY, *PARITY_MOVES), PARITY_CLAIM, rules=BY_ONE)
    assert VALUES in FEW.coverage(claim, Prover()).trusted


def test_a_question_about_values_needs_a_value(tmp_path: Path) -> None:
    found = asked(written(tmp_path, TWO + TWO_HEAPS, "grundy(position([x, y])) >= 0"))
    assert found.decision is Decision.UNSUPPORTED
    assert "grundy(position([x, y])): the proof gives no values; instead, write `value` and `below`" in found.detail


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (values("a") + '[proof.loses]\nmover = "True"\n', "but not both"),
        (proof("True", more='below = "v"'), "'below' without 'value'"),
        (values("a").replace('below = "v"\n', ""), "below"),
        (values("v"), "unknown name 'v'"),
        (values("n"), "unknown name 'n'"),
        (values("a == b"), "this is a Bool"),
        (values("a", below="a"), "the name 'a' is taken"),
        (values("a", below="x"), "the name 'x' is taken"),
        (values("a", below="0"), "is not a name"),
        (values("a", more='[proof.numbers.v]\nwhen = "True"\nleast = "1..2"\nwith = "True"'), "'v' is taken"),
        (
            values("a", more='[proof.numbers.n]\nwhen = "True"\nleast = "1..2"\nwith = "n > v"'),
            "unknown name 'v'",
        ),
        (values("a", ("True", "b", 'm = "1"')) + 'to = "anywhere"\n', "'to'"),
        (values("a", ("True", "b", 'm = "1"')) + 'player = "A"\n', "'player'"),
    ],
)
def test_a_value_that_cannot_be_read_is_refused_at_its_place(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(ClaimError) as refused:
        written(tmp_path, ONE + body, "wins(position([x]))")
    assert said in str(refused.value)
    assert "expected: " in str(refused.value)


# -- games ------------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_two_heaps_of_nim_are_lost_when_level(tmp_path: Path) -> None:
    then = "iff(wins(s), s[0] != max(s) or len(s) == 1)"
    found = asked(written(tmp_path, ANY + TWO_HEAPS, then, given="1 <= len(s) and len(s) <= 2 and min(s) >= 1"))
    assert found.decision is Decision.HOLDS, found.detail
    assert [str(bound) for _, bound in found.reach.limits] == ["all", "all"]


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("iff(outcome(position([x])) == N_position, x % 2 == 1)", True),
        ("iff(outcome(position([x])) != P_position, x % 2 == 1)", True),
        ("iff(outcome(position([x])) == P_position, x % 2 == 1)", False),
        ("iff(outcome(position([x])) != first_wins, x % 2 == 1)", False),
    ],
)
def test_an_outcome_is_who_wins(then: str, holds: bool, tmp_path: Path) -> None:
    body = ONE + proof("a % 2 == 0", ("a >= 1", "a", "1"), heaps="a")
    found = asked(written(tmp_path, body, then, rules=BY_ONE))
    assert (found.decision is Decision.HOLDS) == holds, found.detail
    assert found.decision in (Decision.HOLDS, Decision.UNKNOWN)


@pytest.mark.slow
def test_the_same_under_misere_play(tmp_path: Path) -> None:
    moves = (("2 <= a and a < b", "b", "b - a"), ("a == 0 and b >= 2", "b", "b - 1"), ("a == 1", "b", "b"))
    body = proof("a == b if b >= 2 else a == 0 and b == 1", *moves)
    body += '[[proof.moves]]\nwhen = "True"\nheaps = ["b"]\ntake = { m = "1" }\nto = "anywhere"\n'
    then = "iff(not wins(position([x, y])), x == y if max(x, y) >= 2 else x != y)"
    found = asked(written(tmp_path, TWO + body, then, head=MISERE))
    assert found.decision is Decision.HOLDS, found.detail


@pytest.mark.slow
def test_three_heaps_of_which_one_object_is_taken(tmp_path: Path) -> None:
    body = proof("(a + b + c) % 2 == 0", ("True", "c", "1"), heaps="abc")
    then = "iff(wins(s), sum(s) % 2 == 1) and implies(len(s) == 3, sum(h for h in s) == s[0] + s[1] + s[2])"
    found = asked(written(tmp_path, ANY + body, then, given="len(s) <= 3", rules=BY_ONE))
    assert found.decision is Decision.HOLDS, found.detail


@pytest.mark.slow
def test_two_heaps_of_bash_nim(tmp_path: Path) -> None:
    moves = (("a % 4 < b % 4", "b", "b % 4 - a % 4"), ("a % 4 > b % 4", "a", "a % 4 - b % 4"))
    body = proof("a % 4 == b % 4", *moves)
    found = asked(
        written(
            tmp_path,
            TWO + body,
            "iff(wins(position([x, y])), x % 4 != y % 4)",
            rules=NIM.replace("1..h", "1..min(h, 3)"),
        )
    )
    assert found.decision is Decision.HOLDS, found.detail


@pytest.mark.slow
def test_heaps_that_are_put_together(tmp_path: Path) -> None:
    """A player who finds one heap takes it, so two heaps are lost: a move takes one of them, or joins them."""
    rules = NIM.replace("become", 'where = "m == h"\nbecome') + MERGED
    then = "iff(wins(position([x, y])), (x == 0) != (y == 0))"
    body = proof("b == 0 or a >= 1", ("True", "b", "b"))
    found = asked(written(tmp_path, TWO + body, then, rules=rules))
    assert found.decision is Decision.HOLDS, found.detail
    body = proof("b == 0 or (a >= 1 and b <= 5)", ("a == 0", "b", "b"), ("a >= 1", "ab", ""))
    found = asked(written(tmp_path, TWO + body, then, rules=rules))
    assert failed(found) == ["reply 2: leads to a loss"]


def test_each_player_has_an_invariant_where_their_moves_differ(tmp_path: Path) -> None:
    body = proof("a == 0", heaps="a").replace("mover", "A") + 'B = "True"\n'
    body += '[[proof.moves]]\nplayer = "A"\nwhen = "True"\nheaps = ["a"]\ntake = { m = "1" }\n'
    rules = NIM.replace("become", 'where = "mover == A"\nbecome')
    then = "iff(wins(position([x]), A), x > 0) and not wins(position([x]), B)"
    assert asked(written(tmp_path, ONE + body, then, rules=rules)).decision is Decision.HOLDS
    wrong = asked(written(tmp_path, ONE + body.replace('B = "True"', 'B = "a == 0"'), then, rules=rules))
    assert failed(wrong) == ["reply 1 (A to move): leads to a loss"]


def test_what_a_move_leaves_is_the_other_players(tmp_path: Path) -> None:
    """A takes any number, B one object: both win from a heap of 1, and A from any other heap."""
    body = proof("a == 0", heaps="a").replace("mover", "A") + 'B = "a != 1"\n'
    body += '[[proof.moves]]\nwhen = "True"\nheaps = ["a"]\ntake = { m = "a" }\n'
    rules = NIM.replace("1..h", "1..(h if mover == A else 1)")
    then = "iff(wins(position([x]), A), x > 0) and iff(wins(position([x]), B), x == 1)"
    found = asked(written(tmp_path, ONE + body, then, rules=rules))
    assert found.decision is Decision.HOLDS, found.detail


# -- claims that must be rejected -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_move_on_a_smallest_heap_takes_from_no_other(tmp_path: Path) -> None:
    then = "iff(wins(position([x, y])), x != y)"
    found = asked(written(tmp_path, TWO + proof("a == b", ("a < b", "b", "b - a")), then, rules=SMALLEST))
    assert failed(found) == ["reply 1: heap"]
    alone = written(
        tmp_path, ONE + proof("b == 0", ("a == 0", "b", "b")), "iff(wins(position([x])), x > 0)", rules=SMALLEST
    )
    assert failed(asked(alone)) == ["cases cover"]


def test_a_lemma_is_used_in_its_ranges_alone(tmp_path: Path) -> None:
    lemma = '[proof.lemmas.natural]\nfor = { u = "0.." }\nholds = "u >= 0"\nat = [{ u = "a - 50" }]\n'
    body = proof("a == 0 or a < 50", ("True", "a", "a"), heaps="a", more=lemma)
    found = asked(written(tmp_path, ONE + body, "iff(wins(position([x])), x >= 50)"))
    assert failed(found) == ["closed: a"]
    bounded = lemma.replace('"0.."', '"0..9"').replace("u >= 0", "u <= 9").replace("a - 50", "a")
    body = proof("a == 0 or a > 9", ("True", "a", "a"), heaps="a", more=bounded)
    found = asked(written(tmp_path, ONE + body, "iff(wins(position([x])), 0 < x and x <= 9)"))
    assert failed(found) == ["closed: a"]


def test_a_lemma_about_what_a_move_leaves_is_told_of_that(tmp_path: Path) -> None:
    """0 <= c - 1 is known if a heap is left above 0, but not for heaps that are gone."""
    lemma = 'after = ["c"]\n[proof.lemmas.more]\nfor = { u = "1.." }\nholds = "u >= {}"\nat = [{ u = "c" }]\n'
    then = "iff(wins(position([x])), x % 2 == 1)"
    wrong = proof("a % 2 == 0", ("True", "a", "1"), heaps="a", more=lemma.replace("{}", "2"))
    assert failed(asked(written(tmp_path, ONE + wrong, then, rules=BY_ONE))) == ["lemma 'more'"]
    right = proof("a % 2 == 0", ("True", "a", "1"), heaps="a", more=lemma.replace("{}", "1"))
    found = asked(written(tmp_path, ONE + right, then, rules=BY_ONE))
    assert found.decision is Decision.HOLDS
    closed = next(x.sequent for x in found.obligations if x.name == "closed: a")
    assert closed is not None
    assert "a - 1 >= 1" in "\n".join(closed.lines())


def test_an_induction_uses_a_lemma_in_its_ranges_alone(tmp_path: Path) -> None:
    """0 <= u - 1 follows only from itself: for u = 0 nothing is known about u - 1."""
    lemma = (
        '[proof.lemmas.more]\nfor = { u = "0.." }\nholds = "u >= 1"\nmeasure = "u + 1"\nsmaller = [{ u = "u - 1" }]\n'
    )
    body = proof("a == 0", ("True", "a", "a"), heaps="a", more=lemma)
    assert failed(asked(written(tmp_path, ONE + body, "iff(wins(position([x])), x > 0)"))) == ["lemma 'more'"]


def test_a_number_is_known_only_where_it_is_wanted(tmp_path: Path) -> None:
    number = '[proof.numbers.n]\nwhen = "a >= 5"\nleast = "5..a"\nwith = "n >= 5"\n'
    body = proof("a == 0", ("n <= a", "a", "a"), heaps="a", more=number)
    assert failed(asked(written(tmp_path, ONE + body, "iff(wins(position([x])), x > 0)"))) == ["cases cover"]


def test_what_comes_before_the_least_is_known_unless_it_is_the_first(tmp_path: Path) -> None:
    number = '[proof.numbers.n]\nwhen = "True"\nleast = "2..a + 2"\nwith = "n >= 0"\n'
    body = proof("a == 0", ("n == 2", "a", "a"), heaps="a", more=number)
    assert asked(written(tmp_path, ONE + body, "iff(wins(position([x])), x > 0)")).decision is Decision.HOLDS
    body = proof("a == 0", ("n == 3", "a", "a"), heaps="a", more=number)
    assert failed(asked(written(tmp_path, ONE + body, "iff(wins(position([x])), x > 0)"))) == ["cases cover"]


def test_a_hypothesis_about_single_heaps_comes_after_how_many_there_are(tmp_path: Path) -> None:
    claim = written(tmp_path, ANY + TWO_HEAPS, "iff(wins(s), len(s) == 1)", given="sum(s) <= 2 and len(s) <= 2")
    assert failed(asked(claim)) == ["the claim's positions have few heaps"]
    then = "implies(len(s) >= 1, iff(wins(s), s[0] != max(s) or len(s) == 1))"
    claim = written(tmp_path, ANY + TWO_HEAPS, then, given="len(s) <= 2 and sum(s) <= 2")
    assert asked(claim).decision is Decision.HOLDS


def test_hypotheses_about_how_many_heaps_there_are_are_needed(tmp_path: Path) -> None:
    claim = written(tmp_path, ANY + TWO_HEAPS, "wins(s) or sum(s) % 2 == 0", given="len(s) <= 2 and sum(s) >= 0")
    assert asked(claim).obligations[-1].note == "does not need: sum(s) >= 0"


def test_what_is_known_of_divisions_is_asked_for_where_there_are_any(tmp_path: Path) -> None:
    def names(loses: str, then: str = "x >= 0") -> list[str]:
        claim = written(tmp_path, ONE + proof(loses, heaps="a"), then)
        return [x.name for x in Prover().rule_of(claim).obligations(claim, Prover())]

    facts = ["product of naturals", "remainders"]
    assert names("a % 3 == 0")[:2] == ["measure of mine", "closed: a"]
    assert names("a % (x + 1) == 0")[1:3] == facts
    assert names("a == 0", "(x + 1) // (x + 1) == 1")[1:3] == facts


def test_heaps_that_are_absent_are_no_heaps_of_the_claim(tmp_path: Path) -> None:
    for then in ("all(h >= 1 for h in s)", "not (0 in s)", "count(h < 5 for h in s) <= len(s)", "s.count(0) == 0"):
        found = asked(written(tmp_path, ANY + TWO_HEAPS, then, given="len(s) <= 2"))
        assert found.decision is Decision.HOLDS, (then, found.detail)
    assert failed(asked(written(tmp_path, ANY + TWO_HEAPS, "s.count(1) == 0", given="len(s) <= 2"))) == ["claim"]


@pytest.mark.slow
def test_a_smallest_heap_is_one_that_is_there(tmp_path: Path) -> None:
    """Two heaps, one object at a time from a smallest heap: the parity of all objects decides."""
    rules = BY_ONE.replace("any heap", "a smallest heap")
    moves = (("a == 0", "b", "1"), ("a >= 1", "a", "1"))
    then = "iff(wins(position([x, y])), (x + y) % 2 == 1)"
    found = asked(written(tmp_path, TWO + proof("(a + b) % 2 == 0", *moves), then, rules=rules))
    assert found.decision is Decision.HOLDS, found.detail


def test_where_the_invariant_is_wrong_is_told(tmp_path: Path) -> None:
    body = proof("a == b or (a == 3 and b == 5)", ("a < b", "b", "b - a"))
    written(tmp_path, TWO + body, "iff(wins(position([x, y])), x != y)")
    found = settle_entry(select((str(tmp_path / "claim.toml"),))[0], QUICK)
    assert "confirms that the invariant is wrong, first at a = 3, b = 5" in found.finding.not_established


# -- positions --------------------------------------------------------------------------------------------------------
NAMES = "pqrs"
P, Q, R, S, S2, S3 = (t.Variable(INT, 0, 0, name) for name in (*NAMES, "s2", "s3"))


@pytest.mark.parametrize(
    ("places", "new"),
    [((0,), 1), ((1,), 1), ((2,), 1), ((0, 2), 2), ((2, 0), 1), ((0, 1, 2), 3), ((1,), 0)],
)
def test_the_orders_of_heaps_have_one_that_ascends(places: tuple[int, ...], new: int) -> None:
    made = (S, S2, S3)[:new]
    names = [x.name for x in (P, Q, R, *made)]
    left = [permute_sizes((P, Q, R), made, order) for order in orders(3, places, new)]
    ascend = [row for row in product(range(3), repeat=3 + new) if row[:3] == tuple(sorted(row[:3]))]
    rows = [row for row in ascend if new != 1 or len(places) != 1 or row[3] < row[places[0]]]
    values = [dict(zip(names, row, strict=True)) for row in rows]
    for row, found in zip(rows, values_of(*(x for s in left for x in (is_ascending(s), *s)), rows=values), strict=True):
        heaps = [x for i, x in enumerate(row[:3]) if i not in places] + [*row[3:]]
        wanted = sorted(heaps + [0] * (3 - len(heaps)))
        told = [list(found[i : i + 4]) for i in range(0, len(found), 4)]
        assert {tuple(order[1:]) for order in told if order[0]} == {tuple(wanted)}


def test_a_position_written_down_is_told_as_sorted() -> None:
    for row in product(range(3), repeat=2):
        rows = [dict(zip("pqrs", (*row, *sizes), strict=True)) for sizes in product(range(3), repeat=2)]
        found = [bool(x) for (x,) in values_of(is_sorted_copy((R, S), (P, Q)), rows=rows)]
        assert found == [[r["r"], r["s"]] == sorted(row) for r in rows]


def test_heaps_that_are_absent_are_not_counted() -> None:
    for row in combinations_with_replacement(range(3), 3):
        sizes, here = (P, Q, R), [x for x in row if x]
        values = dict(zip("pqr", row, strict=True))
        terms = (count(sizes), *(select_heap(sizes, i) for i in range(3)))
        ((number, *places),) = values_of(*terms, rows=[values])
        assert number == len(here)
        assert places[: len(here)] == here


# -- the section ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (proof("True", heaps=""), "no heaps"),
        (proof("True", heaps="abcde"), "'heaps' has 5 names"),
        (proof("True", heaps="ax"), "the name 'x' is taken"),
        (proof("True", heaps="aa"), "the name 'a' is taken"),
        (proof("True").replace("\n[", '\nafter = ["c"]\n[', 1), "1 names"),
        (proof("True").replace("\n[", '\nafter = ["c", "a"]\n[', 1), "the name 'a' is taken"),
        (proof("c == 0").replace("\n[", '\nafter = ["c", "d"]\n[', 1), "unknown name 'c'"),
        (proof("True", ("c == 0", "a", "1")).replace("\n[", '\nafter = ["c", "d"]\n[', 1), "unknown name 'c'"),
        (proof("True").replace('mover = "True"', ""), "the losing positions are missing"),
        (proof("True").replace("mover", "A"), "impartial"),
        (proof("c == 0"), "unknown name 'c'"),
        (proof("True", ("True", "c", "1")), "'c' is not a heap"),
        (proof("True", ("True", "aa", "1")), "'a' occurs twice"),
        (proof("True", ("True", "ab", "1")), "no move of the game chooses 2 heaps"),
        (proof("True", ("True", "a", "1")).replace("m =", "k ="), "does not pick 'k'"),
        (proof("True", ("True", "a", "1")) + "move = 2\n", "2 is not the number of a [[moves]]"),
        (proof("True", ("True", "a", "1")) + 'to = "anywhere"\n', "in normal play, each named move must"),
        (proof("True", more='[proof.numbers.n]\nwhen = "True"\nleast = "1.."\nwith = "True"'), "the range has no end"),
        (proof("True", more='[proof.numbers.n]\nwhen = "True"\nleast = "1"\nwith = "True"'), "is not a range"),
        (proof("True", more='[proof.numbers.x]\nwhen = "True"\nleast = "1..2"\nwith = "True"'), "'x' is taken"),
        (proof("n == 1", more='[proof.numbers.n]\nwhen = "True"\nleast = "1..2"\nwith = "n == 2"'), "unknown name 'n'"),
        (proof("True", more='[proof.lemmas.l]\nholds = "True"'), "the lemma has no variables"),
        (proof("True", more='[proof.lemmas.l]\nfor = { x = "0.." }\nholds = "True"'), "the name 'x' is taken"),
        (proof("True", more='[proof.lemmas.l]\nfor = { u = "0.." }\nholds = "u == a"'), "unknown name 'a'"),
        (proof("True", more='[proof.lemmas.l]\nfor = { u = "0.." }\nholds = "True"\nmeasure = "u"'), "needs both"),
        (
            proof("True", more='[proof.lemmas.l]\nfor = { u = "0.." }\nholds = "True"\nat = [{ v = "a" }]'),
            "the names differ from the variables of the lemma",
        ),
        (
            proof("True", more='[proof.lemmas.l]\nfor = { u = "0.." }\nholds = "True"\nat = "a"'),
            "is not a list of tables",
        ),
        (proof("True", more='lemmas = { l = "True" }'), '"True" is not a table'),
    ],
)
def test_a_section_that_cannot_be_read_is_refused_at_its_place(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(ClaimError) as refused:
        written(tmp_path, ONE + body, "wins(position([x]))")
    assert said in str(refused.value)
    assert "expected: " in str(refused.value)
    assert "claim.toml:" in str(refused.value)


def test_a_proof_about_few_heaps_is_about_one_game(tmp_path: Path) -> None:
    with pytest.raises(ClaimError, match="a claim about exactly one game"):
        written(tmp_path, ONE + proof("True"), "x >= 0", game='[games]\none = "mine"\ntwo = "mine"')
