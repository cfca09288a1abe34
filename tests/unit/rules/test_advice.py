"""Advice: the rule for a claim of each form, and a table row with the question of every obligation."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from library import ENTRIES, POSED, claim_of, posed
from proofs import HEAD

from claims.language.files.claim import Claim
from encoders.logic.sequents import Sequent
from encoders.proving.reading import Prover, load_claim, rule_name
from encoders.proving.registry import RULES
from encoders.proving.suggestions import suggest
from encoders.refusals import Unsupported
from encoders.rules.base.shape import RuleSuggestion, shape_of
from encoders.trust import ObligationKind, Reason, to_move

NIM = 'ruleset = "nim"\n[forall]\ns = "position"\n'
NUMBERS = 'ruleset = "nim"\n[forall]\na = "0.."\nb = "0.."\n'
KL = 'ruleset = "kl-nim(k = k, l = l)"\n[forall]\nk = "1.."\nl = "1.."\ns = "position"\n'
TWO = '[games]\nkl = "kl-nim(k = k, l = k)"\nnim = "nim"\n[forall]\nk = "1.."\ns = "position"\n'
LARGE = 'ruleset = "large-nim"\n[forall]\nn = "2.."\ns = "position"\n'
NUMBER = '"2..3"'
PARENTS = Path(__file__).parents[2] / "workshop" / "parents"
BOARDS = Path(__file__).parents[3] / "examples" / "boards"
SPLIT = "who wins explicit heaps, which may be split, in misère play, in a game with fixed parameters"
REPEATING = "explicit heaps, as terms over integers without bound, in a game with fixed parameters and periodic values"
# rule, shape: claims of that shape, as (what comes before [claim], "if => then")
SHAPES: dict[tuple[str, str], list[tuple[str, str]]] = {
    ("folds", "who wins, from positions of any number of heaps"): [
        (NIM, "iff(wins(s), nim_sum(s) != 0)"),
        (KL, "outcome(s) == P_position"),
        (NIM.replace("nim", "moore(w = 2)"), "iff(wins(s), len(s) > 0)"),
        (NIM.replace("nim", "misere-nim"), "len(s) == 1 => wins(s)"),
        (NUMBERS, "wins(position([a, b]))"),
    ],
    ("folds", "the effect of moves on nim-sums and numbers of heaps, but not who wins"): [
        (NIM, "all(nim_sum(t) != 0 for t in options(s))"),
        (KL, "legal(s, replace(s, max(s), 0), P1)"),
        (NIM, "iff(terminal(s), len(s) == 0)"),
    ],
    ("folds", "nim-sums and numbers of heaps only, without a game"): [
        (NIM, "nim_sum(s) == 0 or len(s) > 0"),
        (NIM, "s.count(1) <= count(h < 3 for h in s)"),
    ],
    ("definition", "who wins, or the value, at a position and at its options"): [
        (NIM, "iff(wins(s), any(not wins(t) for t in options(s)))"),
        (LARGE, "iff(value(s) == 0, len(s) == 0 or any(value(t) == n - 1 for t in options(s)))"),
    ],
    ("equal games", "the same player wins two games, at positions where their moves are the same"): [
        (TWO, "iff(kl.wins(s, P1), nim.wins(s, P1))"),
    ],
    ("few heaps", "who wins, from positions with a bounded number of heaps and arbitrary moves"): [
        (NUMBERS, "wins(position([a, b]))"),
        ('ruleset = "wythoff"\n[forall]\nx = "0.."\ny = "0.."\n', "iff(wins(position([x, y])), x != y)"),
        (NIM, "len(s) == 2 => wins(s)"),
    ],
    ("grundy", "the Grundy value of a heap"): [
        (NUMBERS, "grundy(position([a])) == a"),
        (NIM, "all(grundy(position([h])) == h for h in s)"),
    ],
    ("grundy", "who wins from a single heap"): [
        (NUMBERS, "iff(wins(position([a])), a > 0)"),
        ('ruleset = "half-nim"\n[forall]\nx = "1.."\n', "wins(position([x])) or x % 2 == 1"),
    ],
    ("grundy", "who wins, by a nim-sum with a term for each heap, such as nim_sum(h % 3 for h in s)"): [
        (NIM, "iff(wins(s), nim_sum(h % 5 for h in s) != 0)"),
        (NIM, "iff(wins(s), nim_sum(h // 2 for h in s) != 0)"),
    ],
    ("value", "n-player values of positions, if every move is on a largest heap"): [
        (LARGE, "value(s) == len(s) % n"),
    ],
    ("arithmetic", "integers only, without a game"): [
        ('[forall]\nx = "0.."\n', "x * x >= x"),
        ('[forall]\nn = "0.."\n', "2 * sum(i for i in range(0, n)) == n * (n - 1)"),
    ],
    ("cases", "statements that depend on conditions on integers (`X if k == l else Y`)"): [
        (KL, "wins(s, P1) if k == l else nim_sum(s) == 0"),
        (KL, "iff(wins(s, P1), nim_sum(s // 1 for s in s) == (0 if k < l else 1))"),
    ],
    ("periodic", REPEATING): [
        ('ruleset = "kayles"\n[forall]\nx = "1.."\n', "wins(position([x]))"),
        ('ruleset = "subtraction(S = {1, 3})"\n[forall]\nx = "1.."\n', "wins(position([x, x]))"),
    ],
    ("quotient", SPLIT): [
        ('ruleset = \'misere-octal(code = "0.3")\'\n[forall]\nx = "1.."\n', "wins(position([x]))"),
        ('ruleset = \'misere-octal(code = "0.3")\'\n[forall]\nx = "1.."\n', "wins(position([x, 2]))"),
    ],
}
# Claims of the form that the rule does not support.
UNREAD = {
    ("definition", "who wins, or the value, at a position and at its options"): [
        (NIM, "implies(wins(s), len({t for t in options(s) if not wins(t)}) > 0)"),
    ],
    ("equal games", "the same player wins two games, at positions where their moves are the same"): [
        (TWO, "all(h < k for h in s) => kl.outcome(s) == nim.outcome(s)"),
    ],
    ("few heaps", "who wins, from positions with a bounded number of heaps and arbitrary moves"): [
        (NIM, "len(s) < 5 and nim_sum(s) == 0 => not wins(s)"),
    ],
    ("grundy", "who wins, by a nim-sum with a term for each heap, such as nim_sum(h % 3 for h in s)"): [
        (NIM, "iff(wins(s), nim_sum(s) != 0)"),
    ],
    ("grundy", "the Grundy value of a heap"): [(NUMBERS, "grundy(position([x for x in range(a)])) == b")],
    ("value", "n-player values of positions, if every move is on a largest heap"): [
        (LARGE, "implies(len(s) > 0, value(replace(s, max(s), 0)) < n)"),
    ],
    ("folds", "who wins, from positions of any number of heaps"): [
        (NIM.replace("nim", "kl-nim(k = 2, l = 3)") + 'p = "player"\n', "iff(wins(s, p), nim_sum(s) != 0)"),
    ],
}
# Claims of these forms are not for that rule.
OTHERS = {
    ("periodic", REPEATING): [
        ('ruleset = "subtraction(S = {1, x})"\n[forall]\nx = "1.."\n', "wins(position([x]))"),
        ('ruleset = "kayles"\n[forall]\ns = "position"\n', "wins(s)"),
        ('ruleset = "wythoff"\n[forall]\nx = "1.."\n', "wins(position([x]))"),
    ],
    ("folds", "who wins, from positions of any number of heaps"): [
        (NUMBERS, "wins(position([a]))"),
        (LARGE, "value(s) == 0"),
    ],
    ("folds", "the effect of moves on nim-sums and numbers of heaps, but not who wins"): [
        (NIM, "all(wins(t) for t in options(s))"),
    ],
    ("folds", "nim-sums and numbers of heaps only, without a game"): [(NIM, "wins(s)"), (NUMBERS, "a + b >= a")],
    ("definition", "who wins, or the value, at a position and at its options"): [
        (NIM, "all(wins(t) for t in options(s))"),
        (NIM, "iff(wins(s), any(nim_sum(t) == 0 for t in options(s)))"),
    ],
    ("equal games", "the same player wins two games, at positions where their moves are the same"): [
        (NIM, "wins(s)"),
        (TWO, "implies(kl.wins(s, P1), nim.legal(s, position([]), P1))"),
        (TWO.replace('"nim"', '"misere-nim"'), "iff(kl.wins(s, P1), nim.wins(s, P1))"),
    ],
    ("few heaps", "who wins, from positions with a bounded number of heaps and arbitrary moves"): [
        (NIM, "wins(s)"),
        (NIM, "len(s) >= 2 => wins(s)"),
        (NIM, "wins(s) or wins(position([1, 2]))"),
        (NUMBERS, "all(wins(t) for t in options(position([a, b])))"),
    ],
    ("grundy", "who wins from a single heap"): [
        (NUMBERS, "iff(wins(position([a])), wins(position([a, b])))"),
        ('ruleset = "misere-nim"\n[forall]\na = "0.."\n', "wins(position([a]))"),
    ],
    ("grundy", "who wins, by a nim-sum with a term for each heap, such as nim_sum(h % 3 for h in s)"): [
        (NIM, "iff(wins(s), len(s) % 2 != 0)"),
    ],
    ("value", "n-player values of positions, if every move is on a largest heap"): [(LARGE, "len(s) >= 0")],
    ("cases", "statements that depend on conditions on integers (`X if k == l else Y`)"): [
        (KL, "nim_sum(s) == 0 if len(s) > k else True"),
    ],
}
# Kinds of obligations that no shipped claim has.
UNMET = {
    "equal games": {"the region is defined: …"},
    "few heaps": {"the claim's positions have few heaps", "the value changes: …", "reply 1: leaves the value"},
}


def fits() -> dict[tuple[str, str], RuleSuggestion]:
    return {(name, fit.shape): fit for name, rule in RULES.items() for fit in rule.suggested_for}


def read(folder: Path, before: str, then: str) -> Claim:
    names = re.findall(r"^(\w+) = \"(position|\d)", re.split(r"\[forall\]|\[exists\]", before)[1], re.MULTILINE)
    bounds = {"position": "{ heaps = '0..1', size = '1..1' }"}
    scope = "".join(f"{name} = {bounds.get(kind, NUMBER)}\n" for name, kind in names)
    path = folder / "claim.toml"
    given, arrow, then = then.rpartition(" => ")
    condition = f'if = "{given}"\n' if arrow else ""
    path.write_text(f'{HEAD}{before}[claim]\n{condition}then = "{then}"\n[scope]\n{scope}', "utf-8")
    return load_claim(path, "claim")


def list_suggested(folder: Path, claim: Claim) -> list[tuple[str, str]]:
    """Return the suggested rules, each with its form. A sibling of the claim has a proof."""
    shutil.copy(ENTRIES["kl-nim/corollary-15"].path, folder / "beside.toml")
    found = suggest(claim, folder / "claim.toml", ("beside",))
    return [(x.rule, re.findall(", for claims about (.+?): ", x.words)[0]) for x in found]


@pytest.mark.parametrize(("row", "before", "then"), [(row, *claim) for row, some in SHAPES.items() for claim in some])
def test_a_claim_of_the_shape_gets_the_rule(row: tuple[str, str], before: str, then: str, tmp_path: Path) -> None:
    claim = read(tmp_path, before, then)
    assert fits()[row].meets(shape_of(claim))
    assert row in list_suggested(tmp_path, claim)


@pytest.mark.parametrize(("row", "before", "then"), [(row, *claim) for row, some in UNREAD.items() for claim in some])
def test_but_not_if_the_rule_does_not_read_it(row: tuple[str, str], before: str, then: str, tmp_path: Path) -> None:
    claim = read(tmp_path, before, then)
    assert fits()[row].meets(shape_of(claim))
    assert row not in list_suggested(tmp_path, claim)


def test_no_proof_by_cases_without_a_claim_that_proves_one(tmp_path: Path) -> None:
    ((row, [(before, then), *_]),) = [(row, some) for row, some in SHAPES.items() if row[0] == "cases"]
    claim = read(tmp_path, before, then)
    assert not any(x.rule == row[0] for x in suggest(claim, tmp_path / "claim.toml"))


@pytest.mark.parametrize(("row", "before", "then"), [(row, *claim) for row, some in OTHERS.items() for claim in some])
def test_a_claim_of_another_shape_does_not(row: tuple[str, str], before: str, then: str, tmp_path: Path) -> None:
    assert not fits()[row].meets(shape_of(read(tmp_path, before, then)))


def test_every_shape_is_among_them() -> None:
    assert set(SHAPES) == set(fits())


def test_what_says_that_something_exists_gets_no_rule(tmp_path: Path) -> None:
    claim = read(tmp_path, NIM.replace("forall", "exists"), "wins(s)")
    assert not [*suggest(claim, tmp_path / "claim.toml")]


def test_definitions_are_written_out_before_a_claim_is_looked_at(tmp_path: Path) -> None:
    body = f'{NIM}[define]\n"good(t)" = "not wins(t)"\n'
    shape = shape_of(read(tmp_path, body, "iff(wins(s), any(good(t) for t in options(s)))"))
    assert {q.place.name for q in shape.questions if q.function == "wins"} == {"VARIABLE", "OPTION"}


# -- obligations ------------------------------------------------------------------------------------------------------
BOUNDED = "classics/moore-two-heaps"


# Shipped claims whose proofs have all kinds and reasons of obligations that occur. test_outlines.py covers a sample of
# the other claims.
EACH_KIND = """bash-nim/theorem bash-nim/heap-choice-repaired bash-nim/lemma-2-legal bash-nim/multiples
    kl-nim/small-heaps kl-nim/corollary-7 kl-nim/lemma-11-move-two-heaps kl-nim/theorem-6-values-below
    kl-nim/complete-solution large-nim/lemma-1 large-nim/analysis-3 large-nim/theorem-1 large-nim/theorem-2-case-c2
    large-nim/equation-5-cases
    classics/moore-two-heaps classics/digit-sum classics/half-nim classics/misere-greedy-nim classics/mark-3
    classics/small-nim classics/wythoff heaps/misere-subtraction-2-4-7 heaps/subtraction-a-b heaps/misere-kayles"""


def list_obligations(tmp_path: Path) -> list[tuple[Claim, Sequent]]:
    """Return the obligations of some shipped proofs, and of one of them with a bound, which no shipped proof has."""
    text = ENTRIES[BOUNDED].path.read_text("utf-8")
    path = tmp_path / "bounded.toml"
    path.write_text(text.replace('rule = "folds"', 'rule = "folds"\nsizes = "< 2^62"'), "utf-8")
    names = ("triangular", "squares", "roots", "smaller-nim-sum", "every-heap")
    own = [load_claim(PARENTS / f"{name}.toml", name) for name in names]
    names = ("white-knight-mod-4", "staircase-odd-steps", "odd-staircases-lost")
    boards = [load_claim(BOARDS / f"{name}.toml", name) for name in names]
    more = [load_claim(path, "bounded"), *boards, *own]
    found = [(claim_of(id), x) for id in EACH_KIND.split() for x in posed(id)]
    return [*found, *((claim, x) for claim in more for x in RULES[rule_name(claim)].obligations(claim, Prover()))]


@POSED
@pytest.mark.slow
def test_every_obligation_is_of_a_kind_and_every_kind_and_reason_has_an_obligation(tmp_path: Path) -> None:
    obligations = list_obligations(tmp_path)
    met = {sequent.kind for _, sequent in obligations}
    known = {kind for rule in RULES.values() for kind in rule.kinds}
    for claim, sequent in obligations:
        own = known if rule_name(claim) == "cases" else RULES[rule_name(claim)].kinds
        assert sequent.kind in own, f"{claim.id}: of no kind of the rule is {sequent.name!r}"
    for name, rule in RULES.items():
        assert {kind.row for kind in rule.kinds if kind not in met} == UNMET.get(name, set()), name
    reasons = {reason for _, sequent in obligations for reason in sequent.by}
    assert set(Reason) - reasons == {Reason.PRODUCTS, Reason.PRIME}  # used by closed forms and primes


def test_no_two_kinds_of_a_rule_are_called_the_same() -> None:
    for name, rule in RULES.items():
        rows = [kind.row for kind in rule.kinds]
        assert len(rows) == len(set(rows)), name


@pytest.mark.parametrize(("rule", "kind"), [(r.name, kind) for r in RULES.values() for kind in r.kinds])
def test_a_row_is_two_sentences_without_their_full_stops(rule: str, kind: ObligationKind) -> None:
    for text in (kind.means, kind.change):
        assert text[0].isupper() or text[0] in "0123456789[`", (rule, kind.row)
        assert not text.endswith((".", " ")) and "  " not in text, (rule, kind.row)


def test_what_is_written_into_a_name_stands_there_as_it_is() -> None:
    lemma = ObligationKind("lemma {name!r}{who}", "", "")
    assert lemma.make_label(name="k's {x}").name == 'lemma "k\'s {x}"'
    assert lemma.make_label(name="a", who=to_move("P2")).name == "lemma 'a' (P2 to move)"
    assert lemma.make_label(name="a", who=to_move("")).name == "lemma 'a'"


# -- refusals ---------------------------------------------------------------------------------------------------------
EACH = '[[moves]]\nchoose = "each of 1..len(s) heaps h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n'
SQUARES = "{x * x for x in range(1, h + 1) if x * x <= h}"
PICKED = f'[[moves]]\nchoose = "any heap h"\npick = {{ m = "{SQUARES}" }}\nbecome = ["h - m"]\n'
FOLDS = '[proof]\nrule = "folds"\n'
OWN = 'ruleset = "own"\n[forall]\ns = "position"\n'
LESS = '[proof]\nrule = "few heaps"\nheaps = ["a", "b"]\n[proof.loses]\nmover = "True"\n'
REMEDIES = [  # moves of a separate game, the claim, its [proof], the remedy
    (
        "",
        TWO + "[claim]\nthen = 'kl.wins(s, P1)'\n",
        '[proof]\n[proof.loses]\nP1 = "True"\nP2 = "True"\n',
        'use rule = "equal games"',
    ),
    ("", NIM + "[claim]\nthen = 'wins(s)'\n", FOLDS, "state in [proof.loses] when each player loses"),
    ("", KL + "p = 'player'\n[claim]\nthen = 'wins(s, p)'\n", FOLDS, "as in wins(s, P1) and wins(s, P2)"),
    ("", NIM + "[claim]\nthen = 'sum(s) >= 0'\n", '[proof]\nsizes = "< 2^62"\n', "leave out the line `sizes`"),
    (
        "",
        "[forall]\nn = { in = [1, 2] }\n[claim]\nthen = 'n >= 1'\n",
        '[proof]\nrule = "arithmetic"\ninduct = "n"\n',
        'n = "0.." in [forall]',
    ),
    (EACH, OWN + "[claim]\nthen = 'wins(s)'\n", LESS, "write separate [[moves]] for each number of heaps"),
    (PICKED, OWN + "[claim]\nthen = 'wins(s)'\n", LESS, 'pick it by m = "1..h" and where = "m in S"'),
]


@pytest.mark.parametrize(("moves", "before", "proof", "instead"), REMEDIES)
def test_a_refusal_says_what_to_write_instead(
    moves: str, before: str, proof: str, instead: str, tmp_path: Path
) -> None:
    if moves:
        head = 'format = 1\ntitle = "t"\nplayers = ["A", "B"]\nstuck = "loses"\n'
        (tmp_path / "own.toml").write_text(head + moves, "utf-8")
    path = tmp_path / "claim.toml"
    path.write_text(
        f"{HEAD}{before}[scope]\n" + 's = { heaps = "0..1", size = "1..1" }\n' * ("s = " in before), "utf-8"
    )
    path.write_text(
        path.read_text("utf-8") + "".join(f'{x} = "1..2"\n' for x in "kl" if f'\n{x} = "' in before) + proof, "utf-8"
    )
    claim = load_claim(path, "claim")
    with pytest.raises(Unsupported) as refused:
        list(RULES[rule_name(claim)].obligations(claim, Prover()))
    assert "; instead, " in str(refused.value) and instead in str(refused.value)
