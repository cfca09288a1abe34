"""Theorems as lemmas: statements about a claim that follow, and statements that do not."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from proofs import HEAD

from claims.language.files.claim import Claim, Lemma
from encoders.proving.reading import Prover, load_claim
from encoders.proving.registry import RULES
from encoders.refusals import Unsupported
from encoders.rules.folds.questions import Bounded, instances
from encoders.rules.folds.section import FoldsProof
from encoders.solvers.discharge import discharge
from encoders.solvers.effort import USUAL

FREE = '[forall]\nk = "1.."\nl = "1.."\ns = "position"\n'
KL = 'ruleset = "kl-nim"\n'
NIM = 'ruleset = "nim"\n[forall]\ns = "position"\n'
TWO = '[games]\nnormal = "nim"\nmisere = "misere-nim"\n[forall]\ns = "position"\n'


SCOPES = {
    "1..": '"1..3"',
    "2..": '"2..3"',
    "3..": '"3..4"',
    "1..k": '"1..3"',
    "position": '{ heaps = "0..2", size = "1..3" }',
}


def read(folder: Path, name: str, text: str) -> Claim:
    """Return a claim with some scope."""
    stated, mark, proof = text.partition("[proof]")
    bounds = re.findall(r'^(\w+) = "(\d\.\.k?|position)"$', stated, re.MULTILINE)
    scope = "[scope]\n" + "".join(f"{x} = {SCOPES[domain]}\n" for x, domain in bounds)
    (folder / f"{name}.toml").write_text(HEAD + stated + scope + mark + proof, "utf-8")
    return load_claim(folder / f"{name}.toml", name)


def taken(id: str, claim: Claim) -> Lemma:
    """Return a claim as a lemma."""
    return Lemma(id, claim, Path())


def open_obligations(folder: Path, claim: str, *lemmas: str, bits: int | None = 62) -> list[str]:
    """Return the names of the open obligations. `claim` and `lemmas` are texts without their heads."""
    by = tuple(taken(f"lemma {i}", read(folder, f"lemma-{i}", text)) for i, text in enumerate(lemmas))
    stated = read(folder, "claim", claim)
    stated = replace(stated, proof=FoldsProof("s", bits, (), (), (), (), by=by))
    found = [discharge(s, USUAL, 60) for s in RULES["folds"].obligations(stated, Prover())]
    return [o.name for o in found if not o.proved]


def stated(then: str) -> str:
    return f'[claim]\nthen = "{then}"\n'


def proof_of(facts: str, sizes: str = "< 2^62") -> str:
    return f'[proof]\nsizes = "{sizes}"\n[proof.folds]\nX = "nim_sum(s)"\n[proof.facts]\n{facts}\n'


# (description, a claim that the lemma implies, a false claim to which it does not apply, the lemma)
SAID = [
    (
        "what holds of some parameters is not said of others",
        KL + FREE.replace('k = "1.."', 'k = "2.."') + stated("wins(s, P1) == wins(s, P1) and k >= 2"),
        KL + FREE + stated("wins(s, P1) == wins(s, P1) and k >= 2"),
        KL + FREE.replace('k = "1.."', 'k = "2.."') + stated("k >= 2"),
    ),
    (
        "nor beyond the last number of a domain",
        KL + FREE.replace('l = "1.."', 'l = "1..k"') + stated("wins(s, P1) == wins(s, P1) and l <= k"),
        KL + FREE + stated("wins(s, P1) == wins(s, P1) and l <= k"),
        KL + FREE.replace('l = "1.."', 'l = "1..k"') + stated("l <= k"),
    ),
    (
        "a game is that of a lemma where its arguments are the same",
        'ruleset = "kl-nim(k = k, l = k)"\n[forall]\nk = "1.."\ns = "position"\n'
        + stated("iff(wins(s, P1), wins(s, P2))"),
        KL + FREE + stated("iff(wins(s, P1), wins(s, P2))"),
        'ruleset = "kl-nim(k = k, l = k)"\n[forall]\nk = "1.."\ns = "position"\n'
        + stated("iff(wins(s, P1), wins(s, P2))"),
    ),
    (
        "a lemma says nothing where its hypothesis fails",
        NIM + '[claim]\nif = "nim_sum(s) == 0"\nthen = "not wins(s)"\n',
        NIM + stated("not wins(s)"),
        NIM + '[claim]\nif = "nim_sum(s) == 0"\nthen = "not wins(s)"\n',
    ),
    (
        "what one player wins another need not",
        KL + FREE + stated("implies(nim_sum(s) == 0, wins(s, P2))"),
        KL + FREE + stated("implies(nim_sum(s) == 0, wins(s, P1))"),
        KL + FREE + stated("implies(nim_sum(s) == 0, wins(s, P2))"),
    ),
    (
        "a lemma about every player is about each",
        KL + FREE + stated("implies(len(s) == 0, not wins(s, P1) and not wins(s, P2))"),
        KL + FREE + stated("not wins(s, P1) and not wins(s, P2)"),
        KL + FREE + 'p = "player"\n' + stated("implies(len(s) == 0, not wins(s, p))"),
    ),
    (
        "of two games a lemma is about the one with its rules",
        TWO + stated("iff(normal.wins(s), nim_sum(s) != 0)"),
        TWO + stated("iff(misere.wins(s), nim_sum(s) != 0)"),
        NIM + stated("iff(wins(s), nim_sum(s) != 0)"),
    ),
    (
        "where a lemma's statement has no value its hypothesis says nothing, and no more",
        KL + FREE + stated("wins(s, P1) == wins(s, P1) and implies(k >= 2, nim_sum(position([k - 2])) == k - 2)"),
        KL + FREE + stated("wins(s, P1) == wins(s, P1) and k >= 2"),
        KL + FREE + '[claim]\nif = "k >= 2"\nthen = "nim_sum(position([k - 2])) == k - 2"\n',
    ),
    (
        "who wins one game need not win another",
        TWO + stated("iff(normal.wins(s), nim_sum(s) != 0)"),
        TWO + stated("iff(normal.wins(s), misere.wins(s))"),
        NIM + stated("iff(wins(s), nim_sum(s) != 0)"),
    ),
    (
        "what a lemma says of options it says of those of its game",
        TWO + stated("iff(normal.wins(s), any(not normal.wins(t) for t in normal.options(s)))"),
        TWO + stated("iff(misere.wins(s), any(not misere.wins(t) for t in misere.options(s)))"),
        NIM + stated("iff(wins(s), any(not wins(t) for t in options(s)))"),
    ),
    (
        "the facts of a lemma's proof hold where the lemma does",
        KL + FREE.replace('k = "1.."', 'k = "2.."') + stated("wins(s, P1) == wins(s, P1) and nim_sum(s) + k >= 2"),
        KL + FREE + stated("wins(s, P1) == wins(s, P1) and nim_sum(s) + k >= 2"),
        KL + FREE.replace('k = "1.."', 'k = "2.."') + stated("True") + proof_of('"sum" = "X + k >= 2"'),
    ),
]


@pytest.mark.parametrize(("said", "lemma"), [(a, c) for _, a, _, c in SAID], ids=[x for x, *_ in SAID])
def test_what_a_lemma_says_is_known(said: str, lemma: str, tmp_path: Path) -> None:
    assert open_obligations(tmp_path, said, lemma) == []


@pytest.mark.parametrize(("false", "lemma"), [(b, c) for _, _, b, c in SAID])
def test_what_it_does_not_say_is_not(false: str, lemma: str, tmp_path: Path) -> None:
    assert open_obligations(tmp_path, false, lemma) == ["claim"]


def test_what_a_fold_asks_of_its_position_is_an_integer_of_the_theorem(tmp_path: Path) -> None:
    """The number of heaps that the nim-sum can reduce is odd; this holds for no other number."""
    odd = "count(h ^ c < h for h in s) % 2 == 1"
    said = NIM + 'c = "1.."\n[claim]\nif = "c == {}"\nthen = "' + odd + '"\n'
    facts = '[proof.folds]\nX = "nim_sum(s)"\nW = "count(h ^ c < h for h in s)"\n[proof.facts]\n'
    lemma = NIM + 'c = "1.."\n' + stated("count(h ^ c < h for h in s) % 2 == bit(nim_sum(s), top_bit(c))")
    lemma += f'{facts}odd = "W % 2 == bit(X, top_bit(c))"\n'
    assert open_obligations(tmp_path, said.format("nim_sum(s)"), lemma, bits=None) == []
    assert open_obligations(tmp_path, said.format("len(s)"), lemma, bits=None) == ["claim"]


NAMES = ("multiple", "remainder", "heap", "new", "value", "position", "element")  # names in proofs, or similar ones


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_the_file_is_not_one_that_a_proof_makes(name: str, tmp_path: Path) -> None:
    about = KL + FREE.replace("k =", f"{name} =").replace('l = "1.."', 'n = "1.."')
    about = about.replace('"kl-nim"', f'"kl-nim(k = {name}, l = n)"')
    lemma = KL + FREE + stated("implies(len(s) == 0, not wins(s, P1))")
    held = f"implies(len(s) == 0, not wins(s, P1)) and {name} % n < n"
    assert open_obligations(tmp_path, about + stated(held), lemma) == []
    assert open_obligations(tmp_path, about + stated(f"{held} and {name} % n == {name}"), lemma) == ["claim"]


def test_each_lemma_counts(tmp_path: Path) -> None:
    claim = NIM + stated("iff(wins(s), nim_sum(s) != 0)")
    one = NIM + stated("implies(nim_sum(s) == 0, not wins(s))")
    other = NIM + stated("implies(nim_sum(s) != 0, wins(s))")
    assert open_obligations(tmp_path, claim, one, other) == []
    assert open_obligations(tmp_path, claim, one) == ["claim"]


def test_a_number_named_as_in_the_claim_is_the_claims(tmp_path: Path) -> None:
    about = NIM.replace("[forall]\n", '[forall]\nN = "3.."\n') + '[claim]\nif = "len(s) == N"\nthen = "wins(s)"\n'
    assert open_obligations(tmp_path, about, about, bits=None) == []
    without = NIM + stated("wins(s)")
    with pytest.raises(Unsupported, match="lemma 0 has a variable N, and the claim has no integer of that name"):
        open_obligations(tmp_path, without, about)


def test_a_lemma_is_not_told_of_what_only_lemmas_ask_about(tmp_path: Path) -> None:
    """Otherwise a lemma that uses options would apply to the options of those positions, without end."""
    claim = NIM + stated("implies(wins(s), any(not wins(t) for t in options(s)))")
    assert open_obligations(tmp_path, claim, NIM + stated("iff(wins(s), any(not wins(t) for t in options(s)))")) == []


def test_rules_of_the_same_name_are_not_the_same(tmp_path: Path) -> None:
    own = Path(__file__).parents[3] / "claims/rulesets/misere-nim.toml"
    (tmp_path / "nim.toml").write_text(own.read_text("utf-8"), "utf-8")
    (tmp_path / "own").mkdir()
    lemma = taken("lemma", read(tmp_path / "own", "lemma", NIM + stated("iff(wins(s), nim_sum(s) != 0)")))
    claim = read(tmp_path, "claim", NIM + stated("iff(wins(s), nim_sum(s) != 0)"))
    assert claim.games[0].ruleset.id == lemma.claim.games[0].ruleset.id
    assert list(instances(claim, Bounded(lemma, None), None)) == []


def test_a_lemma_with_a_bound_reaches_no_further(tmp_path: Path) -> None:
    claim = 'ruleset = "kl-nim(k = 3*k, l = 1)"\n[forall]\nk = "1.."\ns = "position"\n' + stated(
        "wins(s, P1) == wins(s, P1) and 3*k < 256"
    )
    lemma = KL + FREE + stated("k < 256") + proof_of('"natural" = "X >= 0"', "< 2^8")
    with pytest.raises(Unsupported, match=r"the lemma lemma 0 is proved below 2\^8 only"):
        open_obligations(tmp_path, claim, lemma)
    with pytest.raises(Unsupported, match=r"the lemma lemma 0 is proved below 2\^8 only"):
        open_obligations(tmp_path, claim, lemma, bits=None)
    assert open_obligations(tmp_path, claim, lemma, bits=8) == ["claim"]
    within = claim.replace("3*k < 256", "implies(k < 86, 3*k < 256)")
    assert open_obligations(tmp_path, within, lemma, bits=8) == []


REFUSED = [
    (NIM.replace("[forall]", "[exists]") + stated("wins(s)"), "states that something exists"),
    (NIM + 't = "position"\n' + stated("implies(s == t, iff(wins(s), wins(t)))"), "is about several positions"),
    (NIM + 'h = { in = "s" }\n' + stated("implies(h >= 1, wins(s))"), "the claim has no integer of that name"),
    (
        NIM + 'S = "subsets of 1..3"\n' + stated("implies(len(S) > 9, wins(s))"),
        "the rule does not support the variable S",
    ),
    (NIM + stated("implies(mex(s) == 1, wins(s))"), r"the lemma lemma 0: mex\(position\) has no translation"),
]


@pytest.mark.parametrize(("lemma", "words"), REFUSED)
def test_a_lemma_that_cannot_be_read_is_refused(lemma: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=words):
        open_obligations(tmp_path, NIM + stated("wins(s)"), lemma)


def test_an_invariant_is_not_what_a_lemma_speaks_of(tmp_path: Path) -> None:
    """Otherwise statements about the winner would apply to the invariant before it is proved."""
    lemma = taken("lemma", read(tmp_path, "lemma", NIM + stated("iff(not wins(s), nim_sum(s) == 0)")))
    claim = read(tmp_path, "claim", NIM + stated("iff(not wins(s), nim_sum(s) == 0)") + INVARIANT)
    assert claim.proof is not None
    claim = replace(claim, proof=replace(claim.proof, by=(lemma,)))
    found = [discharge(s, USUAL, 60) for s in RULES["folds"].obligations(claim, Prover())]
    assert [o.name for o in found if not o.proved] == ["cases cover"]
    assert not any(o.lemmas for o in found)


INVARIANT = """
[proof]
sizes = "< 2^62"
[proof.folds]
X = "nim_sum(s)"
[proof.loses]
mover = "X == 0"
"""
