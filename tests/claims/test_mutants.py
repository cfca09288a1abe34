"""False statements close to true ones: the shipped quick scope refutes each, so it is not too small.

Each was found by hand, with a comment on why it is false. `checks run --mutants` tries many more, mechanically.
"""

import shutil
from pathlib import Path

import pytest
from library import Library

import claims
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.verdicts import Verdict
from claims.language.files.library import select

LIBRARY = Path(claims.__file__).parent
HELD = ("exhaustive", "holds")

MUTANTS = [
    ("nim/bouton", "nim_sum(s)", "sum(s)", "(1, 1) is lost"),
    ("nim/misere", "any(h >= 2 for h in s) and nim_sum(s) == 0", "nim_sum(s) == 0", "(1, 1) is won in misère play"),
    ("nim/zero-sum-moves", "if = ", "if = 'True' # ", "from (1) a move leads to nim-sum 0"),
    ("nim/reachability", "!= 0", "== 0", "from (1) to () only, of nim-sum 0"),
    ("nim/winning-moves", "(h ^ X) < h", "(h ^ X) > h", "heaps do not grow"),
    ("nim/table-n-n-normal", "position([n, n])", "position([n, n + 1])", "(1, 2) is won"),
    ("kl-nim/corollary-7", "else r - k", "else r", "k = 1, x = 1 is lost: no legal move"),
    ("kl-nim/theorem-6", "== k*s + i", "== k*s + i + 1", "the empty heap has value 0"),
    ("kl-nim/theorem-6", "2*k*s + k + i", "2*k*s + k + i + 1", "k = 1: the heap 2 is won by taking both"),
    ("kl-nim/theorem-6-values-below", "range(0, s*t)}", "range(0, s*t + 1)}", "s*t is the value of a larger heap"),
    ("kl-nim/theorem-6-forbidden-value", "(s - 1)*t + i", "s*t + i", "t = s = 1, i = 0: the heap 1 is lost"),
    ("kl-nim/table-1", "x <= t - 1", "x <= t", "the heap t cannot be taken: (t) has value 0"),
    ("kl-nim/sums", "not wins(s, p)", "wins(s, p)", "() is lost"),
    ("kl-nim/theorem-12", "not wins(s, P1)", "not wins(s, P2)", "P2 wins where P1 may not reach nim-sum 0"),
    ("kl-nim/theorem-14", "all(h < k for h in s)", "all(h <= k for h in s)", "k = 1, l = 2: (1, 1) is won by P2"),
    ("kl-nim/theorem-14", 'l = "k+1.."', 'l = "k.."', "k = l = 1: (1) is lost for both"),
    ("kl-nim/corollary-15", 'k = "l+1.."', 'k = "l.."', "k = l = 1: (1) is lost for both"),
    ("kl-nim/corollary-15", "any(h >= l for h in s)", "any(h >= l - 1 for h in s)", "l = 3: (2, 2) is lost"),
    ("kl-nim/complete-solution", "k > l or good_first_move", "k < l or good_first_move", "P1 loses with k < l"),
    ("kl-nim/small-heaps", "h < min(k, l)", "h <= min(k, l)", "a heap of k cannot be taken by P1"),
    ("kl-nim/outcome-properties", "outcome(s) == N_position)", "outcome(s) == P_position)", "(1) is won"),
    ("large-nim/lemma-1", "N % n", "N % (n + 1)", "n = 2, two ones: back to the first"),
    ("large-nim/theorem-1", "== len(s)", "== len(s) - 1", "a single heap has value 1"),
    ("large-nim/theorem-1", "n > len(s) + 1", "n > len(s)", "n = 2, a single heap of 2 has value 0"),
    ("large-nim/theorem-1-single-heap", "== 1", "== min(x, 2)", "three players: emptying the heap 2 gives 1"),
    ("large-nim/theorem-2", "else N - 1 - beta(s)", "else N - beta(s)", "n = 3: (1, 2) has value 0"),
    ("large-nim/theorem-3", "(0 if min(s) == 1", "(1 if min(s) == 1", "as many ones as players: value 0"),
    ("large-nim/equation-5", "value(s) == 2)", "value(s) == 1)", "(1, 2, 2, 2) has value 2"),
    ("bash-nim/grundy", "== g(h)", "== h", "k = 1: the heap 2 is lost"),
    ("bash-nim/theorem", "G(s) != 0", "sum(s) % (k + 1) != 0", "k = 2: (1, 2) is won"),
    ("bash-nim/single-heap", "n % (m + 1) == 0", "n % m == 0", "m = 1: the heap 1 is won"),
    ("bash-nim/lemma-2", "any(G(t) == 0", "all(G(t) == 0", "k = 2: from (2), 1 can be taken"),
    ("bash-nim/lemma-3", "G(t) != 0", "G(t) == 1", "k = 2: from (3) to 1 and to 2"),
    ("bash-nim/multiples", "h % (k + 1) == 0 for h in s", "h % k == 0 for h in s", "k = 1: (1) is won"),
]


@pytest.mark.parametrize(("id", "old", "new", "why"), MUTANTS, ids=[f"{id}-{new}" for id, _, new, _ in MUTANTS])
@pytest.mark.slow
def test_the_scope_refutes(library: Library, id: str, old: str, new: str, why: str, tmp_path: Path) -> None:
    source = LIBRARY / f"{id}.toml"
    statement = source.read_text("utf-8").partition("\n[proof")[0].partition("\n[[proof")[0]
    head, claim = statement.split("\n[", 1)
    assert claim.count(old) == 1, f"{old!r} must occur exactly once below the head of {id}"
    path = tmp_path / source.name
    path.write_text(f"{head}\n[{claim.replace(old, new)}", "utf-8")
    for shared in source.parent.glob("definitions.toml"):
        shutil.copy(shared, tmp_path)
    assert (
        library(id).verdict.holds
        and (library(id).finding.routes[0].encoder, library(id).finding.routes[0].answer) == HELD
    )
    result = settle_entry(select((str(path),))[0], Options())
    assert result.verdict is Verdict.REFUTED, f"{why}: {result.finding.error or result.finding.not_established}"
    assert result.finding.counterexample is not None and result.finding.counterexample.replayed


def test_enough_different_claims_have_mutants() -> None:
    assert len({id for id, *_ in MUTANTS}) >= 25
