"""The proofs that docs/proof-rules.md shows are proofs."""

import re
import shutil
from pathlib import Path

import pytest

import claims
from checks.entry import settle_entry
from checks.judgement.options import Options
from checks.results.verdicts import Verdict
from claims.language.library import select
from encoders.logic.solvers.effort import Effort

PAGE = Path(__file__).parents[3] / "docs" / "proof-rules.md"
EXAMPLES = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
AT = """
[[proof.at]]
heap = "2*k*s + i"
digits = { q = "s", e = "0", r = "i" }

[[proof.at]]
heap = "2*k*s + k + i"
digits = { q = "s", e = "1", r = "i" }
"""


CLAIMS = {  # in the order of the page, with what their proofs have besides
    "nim/bouton": "",
    "kl-nim/theorem-6": AT,
    "large-nim/theorem-1": "",
    "classics/wythoff": "",
    "kl-nim/outcome-properties": "",
    "kl-nim/theorem-14": "",  # l is above k: there is one case
}


def test_each_example_proves_a_claim() -> None:
    assert len(EXAMPLES) == len(CLAIMS)


@pytest.mark.parametrize(
    ("id", "proof"),
<<<<<<< HEAD
    [
        ("nim/bouton", EXAMPLES[0]),
        ("kl-nim/theorem-6", EXAMPLES[1] + AT),
        ("large-nim/theorem-1", EXAMPLES[2]),
        ("kl-nim/outcome-properties", EXAMPLES[3]),
        ("kl-nim/small-heaps", EXAMPLES[4]),
        ("kl-nim/theorem-14", EXAMPLES[5]),  # l is above k: there is one case
    ],
=======
    [(id, example + more) for (id, more), example in zip(CLAIMS.items(), EXAMPLES, strict=False)],
>>>>>>> 89f03ac (What the rule of few heaps does not read it refuses in words)
)
def test_the_example_proves_its_claim(id: str, proof: str, tmp_path: Path) -> None:
    work, name = id.split("/")
    shutil.copytree(Path(claims.__file__).parent / work, tmp_path / work)
    path = tmp_path / work / f"{name}.toml"
    path = path.with_stem("example")  # beside the claim whose proof it may borrow
    statement = (tmp_path / work / f"{name}.toml").read_text("utf-8").partition("\n[proof")[0]
    path.write_text(f"{statement}\n{proof}", "utf-8")
    result = settle_entry(select((str(path),))[0], Options(effort=Effort(seeds=(17,))))
    assert result.verdict is Verdict.PROVED, result.not_established
<<<<<<< HEAD


def test_every_example_is_among_them() -> None:
    assert len(EXAMPLES) == 6
=======
>>>>>>> 89f03ac (What the rule of few heaps does not read it refuses in words)
