"""Claims of the library laid out as bits come out as in the general search."""

import pytest

from claims.language.library.files import LIBRARY
from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.boxes.plan import BoxPlan, find_box
from encoders.exhaustive.boxes.search import BoxSearch
from encoders.exhaustive.cases.search import Search
from encoders.exhaustive.cases.tally import FoundCase, Tally
from encoders.proving.reading import load_claim

# Claims about one position of which the bits know all terms; those that are refuted with the others.
CLAIMS = """
kl-nim/theorem-12 kl-nim/theorem-12-reply kl-nim/theorem-12-after-p1 kl-nim/theorem-14 kl-nim/theorem-14-small
kl-nim/corollary-15 kl-nim/lemma-11 kl-nim/lemma-11-outcome kl-nim/lemma-13
kl-nim/lemma-13-outcome kl-nim/n-position-test bash-nim/theorem bash-nim/final-position nim/zero-sum-moves
classics/misere-bash-nim
""".split()


def told(found: FoundCase | None) -> object:
    return found and (found.key, found.case, found.ill)


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.slow
def test_claims_of_the_library(name: str) -> None:
    """Counts, the smallest counterexample, the smallest case with the hypotheses met: the same, laid out in any way."""
    claim = load_claim(LIBRARY / f"{name}.toml", name)
    scope = claim.scope("quick")
    expected = Tally()
    Search(claim, scope, Clock(None), expected).run()
    (position,) = [v.name for v in claim.variables if str(v.type) == "Position"]
    for by_lines in (False, True):
        found, plan = Tally(), BoxPlan(position, find_box(scope[position]), by_lines, 2)
        BoxSearch(claim, scope, plan, Clock(None), found).run()
        assert told(found.best) == told(expected.best)
        assert told(found.witness) == told(expected.witness)
        if expected.best is None:
            assert (found.cases, found.met) == (expected.cases, expected.met)
