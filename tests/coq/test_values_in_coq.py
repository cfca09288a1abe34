"""Claims about values as theorems of Coq: claims of the library are accepted, and falsified ones are not."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from coq_compiler import Objection, needs_coq, objection, refused_after, refused_at, spoil, toplevel, write
from coq_meaning import Meaning, Played, compare
from coq_terms import read_statement
from proofs import FEW_HEAPS, LIBRARY
from settling import HEAD

from claims.language.files.claim import Claim
from claims.language.files.domains import IntervalDomain
from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT
from encoders.coq.statement import write_stated
from encoders.logic.sequents import integer, sub
from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate
from encoders.refusals import Unsupported
from encoders.rules.periodic import coq as periodic

WORKS = ("bash-nim", "kl-nim", "large-nim")
FIRST = "bash-nim/grundy"
N_PLAYERS = "large-nim/theorem-3"
# id, text of the statement or of the instance, the text in its place, the lemma that Coq refuses
FALSE = {
    "another value": ("bash-nim/theorem", "Definition formula (t : digits) : Z := let '(q, r) := t in r.",
        "Definition formula (t : digits) : Z := let '(q, r) := t in q.", "avoided"),
    "a negative value": ("bash-nim/theorem", "Definition formula (t : digits) : Z := let '(q, r) := t in r.",
        "Definition formula (t : digits) : Z := let '(q, r) := t in r - 1.", "natural"),
    "a value of the empty heap": ("bash-nim/theorem", "Definition formula (t : digits) : Z := let '(q, r) := t in r.",
        "Definition formula (t : digits) : Z := let '(q, r) := t in r + 1.", "empty"),
    "too few digits": ("bash-nim/theorem", "r <= (Z.of_N k).", "r <= (Z.of_N k) - 1.", "written"),
    "too few smaller values": ("bash-nim/theorem", "0 <= v.", "0 <= v <= 1.", "written_below"),
    "fewer moves": ("bash-nim/theorem", "m <= N.min k h /\\", "m <= N.min 1 h /\\", "reached"),
    "more moves": ("bash-nim/theorem", "m <= N.min k h /\\", "m <= N.min (k + 1) h /\\", "avoided"),
    "misere play": ("bash-nim/theorem", "stuck_wins := false", "stuck_wins := true", "fair"),
    "a claim that says too much": ("bash-nim/theorem", "s <> 0.\nEnd", "s <> 1.\nEnd", "theorem"),
    "another term of the nim-sum": ("bash-nim/theorem", "(fun h => h mod (k + 1)) s <> 0)%N",
        "(fun h => h mod (k + 2)) s <> 0)%N", "claim"),
    "a division that is none": ("bash-nim/theorem", "(divided h%N (k + 1)%N q_n%N r_n%N)",
        "(divided h%N (k + 1)%N (q_n + 1)%N r_n%N)", "claim"),
    "another value of a heap": ("classics/whole-heaps", "N.max (h_ - t_) 0 + 1.\nEnd", "N.max (h_ - t_) 0 + 2.\nEnd",
        "whole_heaps"),
    "small heaps taken in part": ("classics/whole-heaps", "(m = h \\/ t_ < h)", "(m <= h \\/ t_ < h)", "avoided"),
    "moves that take too much": ("classics/half-nim", "m <= h / 2 /\\", "m <= h /\\", "avoided"),
    "moves that take too little": ("classics/half-nim", "m <= h / 2 /\\", "m <= h / 3 /\\", "reached"),
    "a digit that is no power": ("classics/half-nim", "is_power 2 d /\\", "1 <= d /\\", "avoided"),
    "a power of another number": ("classics/half-nim", "is_power 2 d /\\", "is_power 3 d /\\", "written"),
    "a power that is not the largest": ("classics/half-nim", "apply (largest_power 2", "apply (largest_power 4",
        "reached"),
    "digits of another heap": ("classics/half-nim", "[2 ^ e * (2 * g + 1) - 1] = g.\nEnd",
        "[2 ^ e * (2 * g + 1)] = g.\nEnd", "half_nim"),
    "digits that may lie further apart": ("heaps/subtraction-a-b", "(k_ = k - 0) \\/ (k_ = k - 1)", "k_ = k - 0",
        "avoided"),
    "a heap without digits": ("heaps/subtraction-a-b", "destruct ((Z.of_N h) =? 0)", "destruct ((Z.of_N h) =? 1)",
        "written"),
    "a value that is one too large": ("heaps/subtraction-a-b", "then 2 else ((n mod (a + b)) / a) mod 2).\nEnd",
        "then 3 else ((n mod (a + b)) / a) mod 2).\nEnd", "subtraction_a_b"),
    "more values than there are": ("kl-nim/theorem-6-values-below", "x < s * t_).\nEnd", "x <= s * t_).\nEnd",
        "theorem_6_values_below"),
    "fewer heaps": ("kl-nim/theorem-6-values-below", "t_) /\\ x = grundy [x']) <-> 0 <= x /\\ x < s * t_))%N",
        "1) /\\ x = grundy [x']) <-> 0 <= x /\\ x < s * t_))%N", "claim"),
    "more heaps": ("kl-nim/theorem-6-values-below", "t_) /\\ x = grundy [x']) <-> 0 <= x /\\ x < s * t_))%N",
        "2 * t_) /\\ x = grundy [x']) <-> 0 <= x /\\ x < s * t_))%N", "claim"),
    "moves by multiples of 4": ("classics/squarefree", "forall d : N, 2 <= d /\\ d < m + 1",
        "forall d : N, 3 <= d /\\ d < m + 1", "avoided"),
    "fewer moves by squarefree numbers": ("classics/squarefree", "forall d : N, 2 <= d /\\ d < m + 1",
        "forall d : N, 1 <= d /\\ d < m + 1", "reached"),
    "a shape of no heap that has one": (N_PLAYERS, "[]) => (heaps_ = 0", "[]) => (heaps_ = 1", "possible_none"),
    "a region of too many heaps": (N_PLAYERS, "heaps_ <= (Z.of_N n)) |", "heaps_ <= (Z.of_N n) + 1) |", "closed"),
    "a value of n players that is too large": (N_PLAYERS, "heaps_ - 1 - times_) |", "heaps_ - times_) |", "within"),
    "a value of sorted heaps": ("large-nim/equation-5", "(x3 =? x4)) then 2", "(x3 <=? x4)) then 2", "within"),
    "an option that is left out": (N_PLAYERS, "; (fits_3, size_3)].", "].", "covered"),
    "an option with another value": (N_PLAYERS, "then 0 else 1) |", "then 0 else 2) |", "attained_2"),
    "moves of at most two": (N_PLAYERS, "m <= h /\\ y + m = h", "m <= 2 /\\ y + m = h", "moves"),
    "moves that take nothing": (N_PLAYERS, "exists m, 1 <= m", "exists m, 0 <= m", "moves"),
    "normal play of n players": (N_PLAYERS, "stuck_wins := true", "stuck_wins := false", "winners"),
    "moves on any heap": (N_PLAYERS, "of_largest := true", "of_largest := false", "winners"),
    "one player more": (N_PLAYERS, "  (n = number s /\\", "  (n = 1 + number s /\\", "claim"),
    "another value in a line": ("large-nim/equation-5", "v = 1)))%N.", "v = 2)))%N.", "claim"),
}  # fmt: skip
LONGEST = "another value in a line"  # Coq takes 50 seconds to refuse it
# file, old text, new text, the obligation that has no certificate
UNCERTIFIED = {
    "a value that is none": ("large-nim/theorem-3.toml", "heaps if n > heaps + 1", "0 if n > heaps + 1", "least"),
    "more heaps than players": ("large-nim/lemma-1.toml", 'value = "heaps % n"', 'value = "heaps"', "range"),
    "a region that a move leaves": ("large-nim/lemma-1.toml", '"largest <= 1"', '"heaps >= 1"', "region closed"),
    "a move that is not named": ("large-nim/lemma-1.toml", '"largest == 1"', '"heaps == 1"', "options cover"),
    "a number of turns that is too large": ("large-nim/lemma-1.toml", "== N % n", "== N", "claim"),
    "heaps of two": ("large-nim/lemma-1.toml", "[1 for i", "[2 for i", "claim"),
}
# file, old text, new text, the lemma that Coq rejects
SPOILED = {
    "a parameter outside its domain": ("bash-nim/grundy.toml", 'k = "1.."', 'k = "0.."', "well_defined"),
}


@needs_coq
@pytest.mark.parametrize("name", [pytest.param(x, marks=[pytest.mark.long] * (x == LONGEST)) for x in FALSE])
def test_false_values_are_no_instance(theory: Path, name: str) -> None:
    assert refused_after(theory, *FALSE[name]) == FALSE[name][-1]


@needs_coq
@pytest.mark.parametrize("spoiled", SPOILED)
def test_what_is_spoiled_is_no_theorem(theory: Path, tmp_path: Path, spoiled: str) -> None:
    file, old, new, at = SPOILED[spoiled]
    spoil(tmp_path, "bash-nim", WORKS, (file, old, new))
    assert refused_at(theory, write(tmp_path, file.removesuffix(".toml")), at) == at


@pytest.mark.parametrize("spoiled", UNCERTIFIED)
def test_a_false_formula_for_values_has_no_certificate(tmp_path: Path, spoiled: str) -> None:
    file, old, new, obligation = UNCERTIFIED[spoiled]
    spoil(tmp_path, "large-nim", ["large-nim"], (file, old, new))
    with pytest.raises(Unsupported, match=f"no certificate of the obligation '{obligation}'"):
        write(tmp_path, file.removesuffix(".toml"))


@pytest.mark.parametrize(
    "id", ["classics/half-nim", "classics/whole-heaps-sums", "bash-nim/theorem", N_PLAYERS, "large-nim/equation-5"]
)
def test_every_obligation_is_proved_by_its_certificate(id: str) -> None:
    text = write(LIBRARY, id)
    assert text.count("vm_cast_no_check") == text.count("Lemma obligation_") >= 10
    assert not any(word in text for word in ("Admitted", "admit.", "Axiom", "Parameter"))


def test_grundy_values_are_those_of_a_function_that_has_them_all() -> None:
    text = write(LIBRARY, "bash-nim/grundy")
    theorem = text[text.index("Definition claimed") : text.index("End Statement.")]
    assert "exists grundy : position -> N, values (bash_nim k) grundy /\\ grundy [h_] = h_ mod (k + 1)" in theorem


@needs_coq
def test_a_parameter_that_is_seen_to_be_legal_by_its_terms_alone(theory: Path, tmp_path: Path) -> None:
    """The domains do not show this, but Coq does."""
    shutil.copytree(LIBRARY / "bash-nim", tmp_path / "bash-nim")
    changed = tmp_path / "bash-nim" / "grundy.toml"
    text = changed.read_text("utf-8")
    changed.write_text(text.replace('ruleset = "bash-nim"', 'ruleset = "bash-nim(k = k * 1)"'), "utf-8")
    said = write(tmp_path, "bash-nim/grundy")
    assert "(forall (k : N) (h_ : N), 1 <= k -> 1 <= h_ -> 1 <= k * 1)" in said
    assert objection(theory, said) == ""


def test_no_difference_in_a_statement_is_cut_off_unseen() -> None:
    text = write(LIBRARY, "kl-nim/complete-solution")
    shown = text[text.index("Definition defined") : text.index("Definition claimed")].split(" /\\\n  ")
    known = "(forall (k : N) (l : N) (s : position), 1 <= k -> 1 <= l -> k = l -> (forall h : N, h ∈ s -> "
    less = "(if h mod (2 * k) + 1 <=? k then 0 else k) <= h / (2 * k) * k + h mod (2 * k)))"
    assert known + less in shown


def test_each_case_has_its_condition_and_together_they_cover() -> None:
    text = write(LIBRARY, "kl-nim/complete-solution")
    assert re.findall(r"Hypothesis in_this_case : (.*)\.", text) == ["k = l", "k < l", "l < k"]
    assert "assert (C : k = l \\/ k < l \\/ l < k) by lia" in text


def test_a_value_of_n_players_is_the_one_that_there_is() -> None:
    text = write(LIBRARY, "large-nim/theorem-1")
    theorem = text[text.index("Definition claimed") : text.index("End Statement.")]
    assert "exists v : N, winner (large_nim n) n s v /\\ v = number s" in theorem


OF_N_PLAYERS = """\
ruleset = "large-nim{players}"
[forall]
{variables}
[claim]
{says}
[scope]
{scope}
"""


@needs_coq
@pytest.mark.parametrize(
    ("players", "variables", "says"),
    [
        (
            "",
            'n = "5.."\na = "1.."\nb = "0.."',
            "value(position([a, b])) == 1 + min(b, 1) < value(position([b, a, a]))",
        ),
        ("", 'n = "2.."', "value(position([])) == 0"),
        ("(n = n + 1)", 'n = "3.."', "value(position([])) <= value(position([n]))"),
    ],
)
def test_values_of_positions_that_are_written_down(
    theory: Path, tmp_path: Path, players: str, variables: str, says: str
) -> None:
    scope = "\n".join(f'{line[0]} = "5..6"' for line in variables.splitlines())
    body = OF_N_PLAYERS.format(players=players, variables=variables, says=f'then = "{says}"', scope=scope) + FEW_HEAPS
    (tmp_path / "claim.toml").write_text(HEAD + body, "utf-8")
    assert objection(theory, generate(load_claim(tmp_path / "claim.toml", "own/claim")).text) == ""


def test_a_claim_about_values_for_all_numbers_of_a_range_is_refused(tmp_path: Path) -> None:
    says = 'then = "all(value(position([i])) == 1 for i in range(1, n))"'
    body = OF_N_PLAYERS.format(players="", variables='n = "3.."', says=says, scope='n = "3..4"') + FEW_HEAPS
    (tmp_path / "claim.toml").write_text(HEAD + body, "utf-8")
    with pytest.raises(Unsupported, match="no Coq text is generated for a claim with this `for`"):
        generate(load_claim(tmp_path / "claim.toml", "own/claim"))


# -- digits that arise ------------------------------------------------------------------------------------------------
LETTERS = "subtraction-a-b"  # .ci/coq compiles it


def test_letters_in_a_set_are_parameters_of_the_game() -> None:
    claim = load(LETTERS)
    cases = [(a, b, n) for a, b in ((1, 2), (1, 3), (2, 3)) for n in range(7)]
    found = compare(claim, write_stated(claim).text, cases)
    assert found["holds"] and not found["fails"] and not found["ill-defined"]


def test_a_false_claim_about_letters_fails_in_its_statement() -> None:
    claim = load(LETTERS)
    assert isinstance(claim.conclusion, t.Operation)
    more = replace(claim.conclusion, args=(claim.conclusion.args[0], integer(1)))
    found = compare(replace(claim, conclusion=more), write_stated(replace(claim, conclusion=more)).text, [(1, 2, 2)])
    assert found["fails"]


def test_a_member_that_may_be_cut_off_at_0_is_to_be_shown() -> None:
    claim = load(LETTERS)
    (game,) = claim.games
    ((name, members),) = game.arguments
    assert isinstance(members, t.Collection)
    less = sub(*members.items)
    changed = replace(game, arguments=((name, replace(members, items=(members.items[0], less))),))
    text = write_stated(replace(claim, games=(changed,))).text
    assert "values (subtraction a (a - b)) grundy" in text
    assert "1 <= a -> a + 1 <= b -> b <= a)" in text[: text.index("Definition claimed")]


def test_a_set_of_values_is_the_first_of_two_sets() -> None:
    id = "kl-nim/theorem-6-values-below"
    claim = load_claim(LIBRARY / f"{id}.toml", id)
    assert isinstance(claim.conclusion, t.Operation)
    with pytest.raises(Unsupported, match="sets of Grundy values"):
        generate(replace(claim, conclusion=replace(claim.conclusion, args=claim.conclusion.args[::-1])))


# -- periodic values --------------------------------------------------------------------------------------------------
TABLES = """
kayles subtraction-2-4-7-two-heaps partizan-1-2-1-3 three-players-1-2 misere-subtraction-1-2-4 all-but-2-3-5-7-bounds
""".split()
RULESETS = """
kayles octal-017 octal-116 octal-45 dawsons-chess-lost subtraction-3-5-8 misere-subtraction-2-4-7
four-players-1-3-4 three-players-1-2 partizan-2-3-1-4 all-but-2-3-5-7-bounds
""".split()


def load(name: str) -> Claim:
    return load_claim(LIBRARY / "heaps" / f"{name}.toml", f"heaps/{name}")


def from_zero(claim: Claim) -> Claim:
    """Return the claim for all numbers from 0 on, which may be false, but is small."""
    (variable,) = claim.variables
    assert isinstance(variable.domain, IntervalDomain)
    return replace(claim, variables=(replace(variable, domain=replace(variable.domain, lo=integer(0))),))


@pytest.mark.parametrize("name", RULESETS)
def test_a_statement_about_single_heaps_is_the_claim(name: str) -> None:
    claim = from_zero(load(name))
    if "octal-" in name:  # one move from a small heap to values after a long period
        other = load("kayles-values")
        claim = replace(claim, conclusion=other.conclusion)
    found = compare(claim, write_stated(claim).text, [(n,) for n in range(6)])
    assert found["holds"] and not found["ill-defined"]


@pytest.mark.parametrize(
    ("name", "heap", "moves"),
    [
        ("kayles", 2, {(), (1,)}),
        ("kayles", 3, {(1,), (2,), (1, 1)}),
        ("octal-42", 3, {(1,), (1, 1)}),
        ("octal-42", 2, set()),
    ],
)
def test_a_heap_becomes_what_the_rules_say(name: str, heap: int, moves: set) -> None:
    read = read_statement(write_stated(load(name)).text)
    (game,) = read.games.values()
    assert Played(game, (), Meaning(read)).splits(0, heap) == moves


@needs_coq
def test_a_table_of_heaps_that_split_makes_a_theorem(theory: Path, tmp_path: Path) -> None:
    says = QUOTIENT.replace("iff(not wins(position({heaps})), {lost})", "grundy(position([n])) == n % 2")
    body = says.replace('"quotient"', '"periodic"').format(ruleset='octal(code = "0.7")')
    (tmp_path / "claim.toml").write_text(HEAD + body, "utf-8")
    text = generate(load_claim(tmp_path / "claim.toml", "own/claim")).text
    assert "leave_two := [1]; leave_equal := [1]" in text and "split_ok" in text
    assert objection(theory, text) == ""


# claim, old text, new text, and the place where Coq stops; the change is in the Coq text, not in the statement
SPOILED_TABLES = {
    "another value": ("kayles", "row : list N := [0; 1; 2; 3; 1;", "row : list N := [0; 1; 2; 3; 4;", "checked"),
    "a preperiod that is too small": ("subtraction-2-4-7-two-heaps", " 8 3 ", " 7 3 ", "checked"),
    "values that repeat too soon": ("kayles", "heap_value (x + 12) =?", "heap_value (x + 6) =?", "all_numbers"),
    "too few heaps": ("kayles", "71 12 2 ", "71 12 1 ", "checked"),
    "less may be taken": ("kayles", "leave_two := [1; 2]", "leave_two := [1]", "read"),
    "more may be taken": ("three-players-1-2", "leave_one := [1; 2]", "leave_one := [1; 2; 3]", "read"),
    "equal heaps may not be left": ("kayles", "leave_equal := [1; 2]", "leave_equal := []", "read"),
    "a saltus of 2": ("all-but-2-3-5-7-bounds", "rising 2 10 3 row", "rising 2 10 2 row", "known"),
    "another value of the other player": ("partizan-1-2-1-3", "Second => [1; 0;", "Second => [1; 1;", "checked"),
}


@needs_coq
@pytest.mark.parametrize("spoiled", SPOILED_TABLES)
def test_a_table_that_is_spoiled_makes_none(theory: Path, spoiled: str) -> None:
    name, old, new, at = SPOILED_TABLES[spoiled]
    statement, proof = generate(load(name)).text.split("End Statement.")
    assert old in proof
    assert refused_at(theory, f"{statement}End Statement.{proof.replace(old, new)}", at) == at


@needs_coq
@pytest.mark.parametrize("name", ["kayles", "misere-subtraction-2-4-7"])
def test_a_claim_that_begins_too_soon_is_no_theorem(theory: Path, name: str) -> None:
    claim = load(name)
    (variable,) = claim.variables
    assert isinstance(variable.domain, IntervalDomain)
    earlier = replace(variable, domain=replace(variable.domain, lo=integer(variable.domain.lo.value - 1)))
    assert refused_at(theory, generate(replace(claim, variables=(earlier,))).text, "all_numbers") == "all_numbers"


def test_a_game_without_moves_is_refused(tmp_path: Path) -> None:
    says = QUOTIENT.replace("iff(not wins(position({heaps})), {lost})", "grundy(position([n])) == 0")
    body = says.replace('"quotient"', '"periodic"').format(ruleset='octal(code = "0.0")')
    (tmp_path / "claim.toml").write_text(HEAD + body, "utf-8")
    with pytest.raises(Unsupported, match="nothing may be taken"):
        generate(load_claim(tmp_path / "claim.toml", "own/claim"))


def test_what_coq_has_no_theorem_for_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = load("kayles")
    monkeypatch.setattr(periodic, "MOST_SPLITS", 100)
    with pytest.raises(Unsupported, match="its check needs 3024 splits, more than 100"):
        generate(claim)
    monkeypatch.setattr(periodic, "MOST_REPEATED", 100)
    with pytest.raises(Unsupported, match="its check needs 168 heaps, more than 100"):
        generate(claim)
    monkeypatch.setattr(periodic, "MOST_HEAPS", 99)
    with pytest.raises(Unsupported, match="its check needs 168 heaps, more than 99"):
        generate(load("kayles-values"))
    monkeypatch.undo()
    several = (*claim.variables, replace(claim.variables[0], name="k", type=INT))
    with pytest.raises(Unsupported, match="one variable"):
        generate(replace(claim, variables=several))


# -- quotients ---------------------------------------------------------------------------------------------------------
QUOTIENT = """
ruleset = '{ruleset}'
[forall]
n = "0.."
[claim]
then = "iff(not wins(position({heaps})), {lost})"
[scope]
n = "0..3"
[proof]
rule = "quotient"
"""
# ruleset, heaps, and their losing condition in misère play
QUOTIENTS = {
    "a heap that may be split": ('misere-octal(code = "0.7")', "[n]", "n % 2 == 1"),
    "several": ('misere-octal(code = "0.7")', "[n, 2 * n + 3]", "n % 2 == 0"),
    "heaps that may not": ("misere-subtraction(S = {1, 2})", "[n, 2]", "n % 3 == 2"),
}


def write_quotient(folder: Path, ruleset: str, heaps: str, lost: str) -> str:
    """Return the Coq text."""
    (folder / "claim.toml").write_text(HEAD + QUOTIENT.format(ruleset=ruleset, heaps=heaps, lost=lost), "utf-8")
    return generate(load_claim(folder / "claim.toml", "own/claim")).text


@needs_coq
@pytest.mark.parametrize("kind", QUOTIENTS)
def test_a_quotient_makes_a_theorem(theory: Path, tmp_path: Path, kind: str) -> None:
    assert objection(theory, write_quotient(tmp_path, *QUOTIENTS[kind])) == ""


def test_a_statement_about_misere_play_is_the_claim() -> None:
    claim = load("misere-kayles")
    text = write_stated(claim).text
    assert "~ split_wins misere_octal P1 [n] <-> n = 1 \\/ n = 4 \\/ n = 9 \\/ n = 12 \\/ n = 20." in text
    found = compare(claim, text, [(n,) for n in range(6)])
    assert found["holds"] and not found["fails"] and not found["ill-defined"]


@needs_coq
@pytest.mark.parametrize("lost", ["n % 2 == 0", "n % 2 == 1 and n != 31", "n % 2 == 1 or n == 30", "n % 3 == 1"])
def test_a_false_statement_with_the_true_proof_is_no_theorem(theory: Path, tmp_path: Path, lost: str) -> None:
    """Coq stops at the numbers, because the monoid belongs to the true statement."""
    ruleset, heaps, true = QUOTIENTS["a heap that may be split"]
    texts = [write_quotient(tmp_path, ruleset, heaps, x) for x in (true, lost)]
    monoid, same = (text.partition("End Statement.")[2].partition("Definition holds")[0] for text in texts)
    assert monoid == same
    assert refused_at(theory, texts[1], "all_numbers") == "all_numbers"


@needs_coq
def test_what_is_not_spoiled_is_refused_nowhere(theory: Path, tmp_path: Path) -> None:
    """Lemmas are admitted here, which must not make Coq stop."""
    quotient = write_quotient(tmp_path, *QUOTIENTS["a heap that may be split"])
    ids = {FIRST: "claim", "nim/bouton": "claim", "large-nim/theorem-3": "claim", "heaps/kayles": "all_numbers"}
    for text, at in ((quotient, "all_numbers"), *((write(LIBRARY, id), at) for id, at in ids.items())):
        assert refused_at(theory, text, at) == ""


@needs_coq
def test_coq_remembers_no_earlier_text(theory: Path) -> None:
    """One process reads all texts, and its refusals must not come from what an earlier text has left behind."""
    text = write(LIBRARY, "nim/bouton")
    false = text.replace("nim_sum s = 0.\nEnd", "nim_sum s <= 1.\nEnd")
    for _ in range(2):
        assert refused_at(theory, false, "bouton") == "bouton"
        assert refused_at(theory, text, "bouton") == ""
    with pytest.raises(Objection, match="already exists"):
        toplevel(theory).objection("Lemma claim : True. Proof. exact I. Qed.")


@needs_coq
@pytest.mark.parametrize(
    ("new", "says"), [("split; [exact well_defined)", "Syntax error"), ("split; [exact undefined", "not found in the")]
)
def test_a_text_that_is_no_coq_is_not_refused_for_what_it_says(theory: Path, new: str, says: str) -> None:
    text = write(LIBRARY, "nim/bouton")
    assert text.count("split; [exact well_defined") == 1
    with pytest.raises(Objection, match=says):
        refused_at(theory, text.replace("split; [exact well_defined", new), "bouton")


# Changes in the Coq text, whose statement is unchanged: old text, new text, and the place where Coq stops.
SPOILED_QUOTIENTS = {
    "another lost element": ("set_of [1]", "set_of [0]", "checked"),
    "none is lost": ("set_of [1]", "set_of []", "checked"),
    "another element of a heap": ("row : list N := [0; 1; 0]", "row : list N := [0; 1; 1]", "checked"),
    "a heap of no element": ("row : list N := [0; 1; 0]", "row : list N := [0; 1; 2]", "checked"),
    "a period that is one too long": (" 1 2 ", " 1 3 ", "checked"),
    "a preperiod of 0": (" 1 2 1 ", " 0 2 1 ", "checked"),
    "fewer heaps": (" 1 2 1 ", " 1 2 0 ", "checked"),
    "no unit": ("[0; 1];\n  [1; 0]", "[1; 0];\n  [0; 1]", "checked"),
    "another product": ("[1; 0]].", "[1; 1]].", "checked"),
    "normal play": ("split_stuck_wins misere_octal", "negb (split_stuck_wins misere_octal)", "checked"),
    "less may be taken": ("leave_two := [1]; leave_equal := [1]", "leave_two := []; leave_equal := []", "read"),
    "more may be taken": ("leave_one := [1]", "leave_one := [1; 2]", "read_back"),
    "equal heaps told apart": ("leave_equal := [1]", "leave_equal := []", "read"),
}


@needs_coq
@pytest.mark.parametrize("spoiled", SPOILED_QUOTIENTS)
def test_a_spoiled_quotient_makes_no_theorem(theory: Path, tmp_path: Path, spoiled: str) -> None:
    old, new, at = SPOILED_QUOTIENTS[spoiled]
    statement, end, proof = write_quotient(tmp_path, *QUOTIENTS["a heap that may be split"]).partition("End Statement.")
    assert old in proof
    assert refused_at(theory, f"{statement}{end}{proof.replace(old, new)}", at) == at
