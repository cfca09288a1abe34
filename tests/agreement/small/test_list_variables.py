"""Variables that are lists or permutations: their cases, their order, and the routes that refuse them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from pathlib import Path

import pytest
from claim_texts import HEAD

from checks.execution.settle import settle_entry
from checks.judgement.scopes import BadOverride, Options, scope_for
from checks.receipts.enumeration import list_cases, make_case_key
from checks.referee.judge import Referee
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from claims.language.files.library import select
from encoders.bounded.encoder import decide_by_smt
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.search import CaseEvaluator
from encoders.compute.engines import CaseQuery, Shard
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim

TEXT = (
    HEAD
    + """[QUANTIFIER]
n = "0..3"
c = "DOMAIN"
[claim]
then = "THEN"
[scope]
SCOPE
"""
)
LISTS = 'c = { length = "0..3", each = "-1..3" }'


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(then: str, domain: str = "list of 0..3", scope: str = LISTS, quantifier: str = "forall") -> Path:
    text = TEXT.replace("QUANTIFIER", quantifier).replace("DOMAIN", domain)
    Path("claim.toml").write_text(text.replace("THEN", then).replace("SCOPE", scope))
    return Path("claim.toml")


def settle(*args: str) -> ClaimResult:
    (entry,) = select((str(write(*args)),))
    return settle_entry(entry, Options())


def load(*args: str) -> Claim:
    return load_claim(write(*args), "claim")


@pytest.mark.parametrize(
    ("then", "domain", "smallest"),
    [
        ("sum(c) <= 4", "list of 0..3", (0, (2, 3))),  # length 2 before length 3, (2, 3) before (3, 2)
        ("sum(c) != 3 or len(c) < 2", "list of 0..3", (0, (0, 3))),
        ("sum(c) >= 0", "list of -1..", (0, (-1,))),
        ("sum(c) >= 0", "list of -2..", (0, (-1,))),  # the scope excludes -2
        ("sum(c) <= 2 * n", "list of 0..n", (1, (1, 1, 1))),  # the bound depends on n
        ("c != [3, 1]", "list of n..3", (0, (3, 1))),
        ("len(c) < 3 or c[0] != 3 or n < 2", "list of n..3", (2, (3, 2, 2))),
        ("any(c[i] == i + 1 for i in range(n)) or n < 2", "permutation of 1..n", (2, (2, 1))),
        ("len(c) == 0 or c[0] == n", "permutation of n..n + 1", (0, (1, 0))),
    ],
)
def test_the_smallest_list_is_found(then: str, domain: str, smallest: tuple) -> None:
    """Lists are ordered by length, then by the sum of their absolute values, then by entries."""
    result = settle(then, domain, "" if domain.startswith("permutation") else LISTS)
    assert result.verdict is Verdict.REFUTED, result.finding.error
    assert result.finding.counterexample.replayed
    assert dict(result.finding.counterexample.variables) == dict(zip("nc", smallest, strict=True))


@pytest.mark.parametrize(
    ("domain", "scope", "lists"),
    [
        ("list of 0..3", 'c = { length = "1..2" }', lambda _: [x for k in (1, 2) for x in product(range(4), repeat=k)]),
        ("list of n..", 'c = { length = "2", each = "-1..2" }', lambda n: [*product(range(n, 3), repeat=2)]),
        ("permutation of 1..n", "", lambda n: [*permutations(range(1, n + 1))]),
        ("permutation of 2..n", "", lambda n: [*permutations(range(2, n + 1))]),
    ],
)
def test_the_cases_are_those_of_the_domain_in_order(
    domain: str, scope: str, lists: Callable[[int], list[tuple[int, ...]]]
) -> None:
    claim = load("n >= 0", domain, scope)
    found = list(CaseEvaluator(claim, claim.scope("quick"), Deadline(None)).list_cases())
    ordered = [sorted(lists(n), key=lambda c: (len(c), sum(map(abs, c)), c)) for n in range(4)]
    expected = [{"n": n, "c": c} for n in range(4) for c in ordered[n]]
    assert found == expected
    again = sorted(list_cases(claim, claim.scope("quick"), Referee(claim)), key=lambda case: make_case_key(claim, case))
    assert again == expected


def test_a_verified_claim_states_its_scope() -> None:
    result = settle("sum(c) == sum(sorted(c))")
    assert result.verdict is Verdict.VERIFIED
    assert "c of a length outside 0..3" in result.finding.not_established
    assert "numbers in c" not in result.finding.not_established  # 0..3 is the whole domain
    wider = settle("sum(c) == sum(sorted(c))", "list of 0..")
    assert "numbers in c outside -1..3" in wider.finding.not_established


def test_a_finite_claim_about_permutations_is_proved() -> None:
    result = settle("sorted(c) == [i + 1 for i in range(n)]", "permutation of 1..n", "")
    assert (result.verdict, result.finding.cases) == (Verdict.PROVED, 1 + 1 + 2 + 6)


def test_a_witness() -> None:
    result = settle("sum(c) == n and len(c) == 2 and sorted(c) != c and n == 3", "list of 0..3", LISTS, "exists")
    assert result.verdict is Verdict.PROVED
    assert dict(result.finding.witness) == {"n": 3, "c": (2, 1)}


def test_too_many_lists_are_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is lowered here, so that the test is fast. Shorter lists are searched completely."""
    monkeypatch.setattr("encoders.compute.compound.order.MAX_POSITIONS", 2_000)
    result = settle("sum(c) >= 0", "list of 0..9", 'c = { length = "0..9" }')
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "lists of 4 numbers" in result.finding.not_established
    assert "this fits: --set c.length=0..3" in result.finding.not_established
    assert result.finding.cases == 4 * sum(10**k for k in range(4))


def test_no_other_route_takes_such_a_claim() -> None:
    claim = load("sum(c) >= 0")
    assert claim.unusual == "it has variables that are lists"
    assert CaseQuery(claim, Shard(claim.scope("quick"), None)).bits is None
    assert decide_by_smt(claim, claim.scope("quick")).decision is Decision.UNSUPPORTED
    path = write("n >= 0 or sum(c) >= 0")
    path.write_text(path.read_text() + '[proof]\nrule = "arithmetic"\n')
    assert prove(load_claim(path, "claim")).decision is Decision.UNSUPPORTED


def test_the_scope_of_a_list_can_be_overridden() -> None:
    claim = load("sum(c) >= 0")
    scope = scope_for(claim, "quick", (("c.length", "2..4"), ("c.each", "1..2")))
    assert dict(scope["c"].aspects) == {"length": scope["c"].length, "each": scope["c"].each}
    assert (str(scope["c"].length), str(scope["c"].each)) == ("2..4", "1..2")
    for name in ("c", "c.heaps", "n.length"):
        with pytest.raises(BadOverride):
            scope_for(claim, "quick", ((name, "1..2"),))


def test_elements_of_a_list_of_lists_are_values() -> None:
    text = write("sum(c) <= 3").read_text().replace('c = "list of 0..3"', 'c = { in = "[[3, 4], [5], [1, 3], []]" }')
    Path("claim.toml").write_text(text.partition("[scope]")[0])
    (entry,) = select(("claim.toml",))
    found = settle_entry(entry, Options())
    assert found.verdict is Verdict.REFUTED
    assert dict(found.finding.counterexample.variables) == {"n": 0, "c": (5,)}


def test_options_are_tried_in_the_order_of_positions() -> None:
    """From (1, 2) one reaches (1), (2) and (1, 1). The claim fails at (2) and at (1, 1), and (2) is smaller."""
    Path("claim.toml").write_text(
        HEAD
        + """ruleset = "nim"
[forall]
t = { in = "options(position([1, 2]))" }
[claim]
then = "remoteness(t) == 1 and t == position([1])"
"""
    )
    (entry,) = select(("claim.toml",))
    found = settle_entry(entry, Options()).finding
    assert dict(found.counterexample.variables) == {"t": (2,)}


@pytest.mark.parametrize(
    ("domain", "position", "scope", "hinted"),
    [
        ('s = "position"', "s", 's = { heaps = "0..2", size = "1..3" }', True),
        ('s = "list of 0.."', "position(s)", 's = { length = "0..2", each = "0..3" }', False),
    ],
)
def test_no_proof_is_suggested_for_such_a_claim(domain: str, position: str, scope: str, hinted: bool) -> None:
    """No proof rule supports a variable that is a list. With a position in its place, nim/bouton is a lemma."""
    then = f"iff(wins({position}), nim_sum({position}) != 0)"
    Path("claim.toml").write_text(
        f'{HEAD}ruleset = "nim"\n[forall]\n{domain}\n[claim]\nthen = "{then}"\n[scope]\n{scope}\n'
    )
    (entry,) = select(("claim.toml",))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.VERIFIED
    assert bool(result.presentation.hints) is hinted
