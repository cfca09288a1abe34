"""The [proof] of an existing claim: found, written into its file, and never found for a false claim."""

import re
import time
import tomllib
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from claim_texts import HEAD
from searched_games import GREEDY, TWO_BANS

from checks.command.find import is_claim
from checks.execution.found import settle_with
from checks.presentation.hints import list_siblings
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.files.claim import Claim
from claims.language.files.library import LIBRARY
from encoders.compute.arrays.limits import Deadline
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim, load_with_proof
from encoders.refusals import Unsupported
from encoders.search.find import SearchProgress, SearchStage
from encoders.search.proofs import ClaimFile, Nearby, find_proof, put_into, question_of

TWO_HEAPS = (
    f'{HEAD}ruleset = "nim"\n[forall]\na = "0.."\nb = "0.."\n[scope]\na = "0..9"\nb = "0..9"\n'
    '[claim]\nthen = "iff(not wins(position([a, b])), a == b)"\n'
)
POSITIONS = (
    f'{HEAD}ruleset = "mine"\n[forall]\np = "position"\n[scope]\n'
    'p = { heaps = "0..4", size = "1..5" }\n'
    '[claim]\nthen = "iff(not wins(p), count(h == max(p) for h in p) % 2 == 0)"\n'
)
SMALL_HEAPS = (
    f'{HEAD}[games]\none = "mine"\nother = "nim"\n[forall]\nk = "1.."\nl = "k.."\ns = "position"\n[claim]\n'
    'if = "all(h < k for h in s)"\nthen = "iff(one.wins(s, P1), other.wins(s, P1))"\n'
    '[scope]\nk = "1..3"\nl = "1..3"\ns = { heaps = "0..3", size = "1..3" }\n'
)


def claim_of(folder: Path, text: str, rules: str = "") -> tuple[Claim, Path]:
    if rules:
        (folder / "mine.toml").write_text(rules, "utf-8")
    path = folder / "claim.toml"
    path.write_text(text, "utf-8")
    return replace(load_claim(path, "claim"), proof=None), path


REPEATS = (
    f'{HEAD}ruleset = "subtraction(S = {{1, 3, 4}})"\n[forall]\nn = "0.."\n[scope]\nn = "0..9"\n'
    '[claim]\nthen = "iff(wins(position([n])), n % 7 not in {0, 2})"\n'
)


@pytest.mark.parametrize(
    ("text", "rules", "lemmas", "told"),
    [
        (TWO_HEAPS, "", ["nim/bouton"], 'by = ["nim/bouton"]'),
        (TWO_HEAPS, "", [], 'from = "bouton"'),
        (REPEATS, "", [], 'rule = "periodic"'),
        (POSITIONS, GREEDY, [], 'M = "max(p)"'),
        (SMALL_HEAPS, TWO_BANS, [], 'region = "all(h < k for h in s)"'),
        pytest.param(
            *(TWO_HEAPS.replace("== b)", "== b or a == 99 - b)"), "", ["nim/bouton"], ""), marks=pytest.mark.long
        ),
        (POSITIONS.replace("% 2 == 0", "% 3 == 0"), GREEDY, [], ""),
    ],
    ids=[
        "by a theorem",
        "from beside",
        "repeats",
        "from the rules",
        "as another game",
        "false far away",
        "false",
    ],
)
@pytest.mark.slow
def test_a_proof_is_found_where_there_is_one(
    tmp_path: Path, text: str, rules: str, lemmas: list[str], told: str
) -> None:
    claim, path = claim_of(tmp_path, text, rules)
    siblings = ("bouton",) if "bouton" in told else ()
    (tmp_path / "bouton.toml").write_bytes((LIBRARY / "nim" / "bouton.toml").read_bytes())
    outcome = SearchProgress()
    find_proof(claim, path, Nearby(tuple(lemmas), siblings), Deadline(None), lambda _: None, outcome)
    assert (outcome.stage is SearchStage.PROOF) is bool(told), outcome.obstacle
    assert told in outcome.text
    if told:
        assert settle_with(claim, path, outcome.text).verdict is Verdict.PROVED
    else:
        assert outcome.obstacle


LISTED = [
    ("nim", "ab", "grundy(position([a, b])) == a ^ b", True),
    ("nim", "qrv", "grundy(position([q, r, v])) == q ^ r ^ v", True),
    ("nim", "abc", "iff(wins(position([a, b, c])), a ^ b ^ c != 0)", True),
    ("nim", "n", "grundy(position([n, 2*n, 3*n])) == n ^ (2*n) ^ (3*n)", True),
    ("nim", "n", "grundy(position([n, n + 3])) == n ^ (n + 3)", True),
    ("bash-nim(k = 3)", "ab", "grundy(position([a, b])) == (a % 4) ^ (b % 4)", True),
    ("bash-nim(k = 3)", "n", "not wins(position([n, 2*n, 3*n]))", True),
    ("bash-nim(k = 3)", "n", "grundy(position([n, n + 3])) == (1 if n % 2 == 1 else 3)", True),
    ("bash-nim", "kab", "grundy(position([a, b])) == (a % (k + 1)) ^ (b % (k + 1))", True),
    ("kl-nim(k = k, l = k)", "kab", "grundy(position([a, b])) == KL(a) ^ KL(b)", True),
    # false beyond the scope
    ("nim", "ab", "grundy(position([a, b])) == a ^ (b if b < 40 else b + 1)", False),
    ("nim", "ab", "grundy(position([a, b])) == a ^ b and a * b != 441", False),
    ("nim", "ab", "grundy(position([a, b])) == (a ^ b) % 64", False),
    ("nim", "abc", "iff(wins(position([a, b, c])), a ^ b ^ c not in {0, 32})", False),
    ("nim", "n", "grundy(position([n, n + 3])) == n ^ (n + 3) and n != 77", False),
    ("nim", "n", "grundy(position([2*n, 2*n + 1])) == 1 and n != 50", False),
    ("nim", "n", "grundy(position([n, 2*n, 3*n])) == n ^ (2*n) ^ (3*n) and n < 99", False),
    ("nim", "n", "grundy(position([n, 90 - n])) == n ^ (90 - n)", False),
    ("bash-nim(k = 3)", "ab", "grundy(position([a, b])) == (a % 4) ^ (b % (4 if b < 60 else 3))", False),
    ("bash-nim(k = 3)", "n", "not wins(position([n, 2*n, 3*n if n < 31 else 3*n + 1]))", False),
]


@pytest.mark.parametrize(("game", "names", "then", "proved"), LISTED, ids=[f"{x[0]}: {x[2]}" for x in LISTED])
@pytest.mark.slow
def test_the_value_of_listed_heaps_is_proved_and_nothing_else(
    tmp_path: Path, game: str, names: str, then: str, proved: bool
) -> None:
    ranges = "".join(f'{x} = "{1 if x == "k" else 0}.."\n' for x in names)
    scope = "".join(f'{x} = "{1 if x == "k" else 0}..4"\n' for x in names)
    then = re.sub(r"KL\((.)\)", r"(k * (\1 // (2 * k)) + \1 % k)", then)
    text = f'{HEAD}ruleset = "{game}"\n[forall]\n{ranges}[scope]\n{scope}[claim]\nthen = "{then}"\n'
    claim, path = claim_of(tmp_path, text)
    outcome = SearchProgress()
    find_proof(claim, path, Nearby(), Deadline(60 if proved else 10), lambda _: None, outcome)
    assert (outcome.stage is SearchStage.PROOF) is proved, outcome.obstacle
    if proved:
        assert settle_with(claim, path, outcome.text).verdict is Verdict.PROVED


def test_a_proof_is_found_while_other_processes_use_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the CPU time of this process counts, so an hour of wall-clock time at each look at the clock is no limit."""
    claim, path = claim_of(tmp_path, TWO_HEAPS)
    clock = count(step=3600.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    outcome = SearchProgress()
    find_proof(claim, path, Nearby(("nim/bouton",)), Deadline(60), lambda _: None, outcome)
    assert outcome.stage is SearchStage.PROOF, outcome.obstacle
    found = load_with_proof(claim, path, tomllib.loads(outcome.text)["proof"])
    assert prove(found, 60.0).decision is Decision.HOLDS


def test_no_lemma_rests_on_the_claim_itself(tmp_path: Path) -> None:
    claim, path = claim_of(tmp_path, TWO_HEAPS)
    (tmp_path / "other.toml").write_text(f'{TWO_HEAPS}[proof]\nby = ["claim"]\n', "utf-8")
    path.write_text(f'{TWO_HEAPS}[proof]\nby = ["nim/bouton"]\n', "utf-8")
    with pytest.raises(ClaimError, match="circular argument"):
        list(ClaimFile(claim, path).pose('[proof]\nby = ["other"]\n'))


def test_claims_beside_it_with_a_proof_may_lend_theirs(tmp_path: Path) -> None:
    claim, path = claim_of(tmp_path, TWO_HEAPS)
    for name, game, proof in (("b", "nim", "[proof]"), ("c", "nim", ""), ("d", "bash-nim", "[proof]")):
        (tmp_path / f"{name}.toml").write_text(f'ruleset = "{game}"\n{proof}\n', "utf-8")
    assert list_siblings(claim, path) == ["b"]


@pytest.mark.slow
def test_what_is_settled_is_the_claim_with_that_proof(tmp_path: Path) -> None:
    claim, path = claim_of(tmp_path, TWO_HEAPS)
    right, wrong = ('[proof]\nrule = "folds"\nby = ["nim/bouton"]\n', '[proof]\nrule = "definition"\n')
    assert settle_with(claim, path, right).verdict is Verdict.PROVED
    assert settle_with(claim, path, wrong).verdict is Verdict.INCONCLUSIVE


NEW = '[proof]\nrule = "folds"\n\n[proof.folds]\nX = "nim_sum(s)"\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = 1\n[b]\nc = 2\n", f"a = 1\n[b]\nc = 2\n\n{NEW}"),
        ('a = 1\n\n[proof]\nrule = "x"\n[[proof.moves]]\nz = 1\n\n[b]\nc = 2\n', f"a = 1\n\n{NEW}\n[b]\nc = 2\n"),
        ("[proof.folds]\nz = 1\n[proofs]\nc = 2\n", f"\n\n{NEW}\n[proofs]\nc = 2\n"),
    ],
)
def test_it_takes_the_place_of_the_old_one(before: str, after: str) -> None:
    assert put_into(before, NEW) == after


@pytest.mark.parametrize(
    "before",
    [
        'proof = { rule = "x" }\n',
        'proof.rule = "x"\n',
        't = """\n[proof]\n"""\n',
        "[proof]\nz = 1\n  [b]\nc = 2\n",
    ],
)
def test_a_proof_that_is_no_table_of_its_own_is_left_alone(before: str) -> None:
    with pytest.raises(Unsupported):
        put_into(before, NEW)


def test_the_region_of_a_claim_is_that_of_its_integers(tmp_path: Path) -> None:
    text = SMALL_HEAPS.replace('[games]\none = "mine"\nother = "nim"', 'ruleset = "mine"').replace(
        "iff(one.wins(s, P1), other.wins(s, P1))", "wins(s, P1)"
    )
    question = question_of(claim_of(tmp_path, text.replace("all(h", "k + l > 4 and all(h"), TWO_BANS)[0])
    assert [(x.name, x.domain) for x in question.free] == [("k", "1.."), ("l", "k..")]
    assert question.condition is not None
    other = claim_of(tmp_path, text.replace('"mine"', '"mine(k = len(s) + 1)"'), TWO_BANS)[0]
    with pytest.raises(Unsupported, match=r"the parameter k of mine is len\(s\) \+ 1"):
        question_of(other)


def test_a_word_that_names_a_ruleset_and_a_work_is_a_ruleset(tmp_path: Path) -> None:
    claim_of(tmp_path, TWO_HEAPS, GREEDY)
    assert is_claim("nim/bouton")
    assert is_claim(str(tmp_path / "claim.toml"))
    assert not any(map(is_claim, ("nim", "kl-nim", str(tmp_path / "mine.toml"), str(tmp_path / "none.toml"))))
