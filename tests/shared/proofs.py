"""Claims with proofs for the tests of the rules: changed claims of the library, small claims, and their games."""

import shutil
from dataclasses import replace
from pathlib import Path

from claim_texts import HEAD, NIM, RULES
from library import certificates
from settling import settle_whole

import claims
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from claims.language.files.library import select
from encoders.logic.answer import RouteResult
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim
from encoders.solvers.effort import USUAL, using_store

LIBRARY = Path(claims.__file__).parent
EFFORT = replace(USUAL, seeds=(17,))
QUICK = Options(effort=EFFORT)
# the scope for changed proofs: small, because the tests concern only the proof
FEW = (("s.heaps", "0..4"), ("s.size", "1..4"))
MISERE = RULES.replace("loses", "wins")
N_PLAYERS = 'format = 1\ntitle = "R"\nplayers = "n"\nparameters = { n = "2.." }\nstuck = "wins"\n'
NEVER = NIM.replace("become", 'where = "h < 0"\nbecome')
LATE = NIM.replace("become", 'where = "h > 5"\nbecome')
BY_ONE = NIM.replace("1..h", "1..1")
LARGEST = NIM.replace("any heap", "a largest heap")
SMALLEST = NIM.replace("any heap", "a smallest heap")
ONLY_A = NIM.replace("become", 'where = "mover == A"\nbecome')
ANY = '[forall]\ns = "position"\n[scope]\ns = { heaps = "0..2", size = "1..2" }\n'
FOLDS = """
[forall]
k = "1..9"
j = "1..9"
s = "position"
[define]
"low(x)" = "nim_sum(position([x - 5]))"
[scope]
s = { heaps = "0..1", size = "1..1" }
[proof]
sizes = "< 2^8"
"""
BOUTON = """
[proof.folds]
X = "nim_sum(s)"
N = "len(s)"
B = "count(h > 1 for h in s)"
[proof.loses]
mover = "X == 0"
[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = { m = "h - (h ^ X)" }
"""
HEAP_BY_HEAP = """
[proof]
rule = "grundy"
heap = "q"
value = "q"
below = "v"
[proof.digits]
q = "0.."
[proof.below_digits]
v = "0.."
[[proof.options]]
digits = { q = "v" }
take = { m = "h - y" }
[[proof.at]]
"""
FEW_HEAPS = """
[proof]
rule = "value"
region = "n > heaps + 1"
value = "heaps"
[[proof.options]]
when = "heaps >= 1"
becomes = "0"
"""
TWO_HEAPS = """
[proof]
rule = "few heaps"
heaps = ["a", "b"]
[proof.loses]
mover = "a == b"
[[proof.moves]]
when = "a < b"
heaps = ["b"]
take = { m = "b - a" }
"""
ANY_MOVE = '[[proof.moves]]\nwhen = "True"\nheap = "any"\ntake = { m = "1" }\nto = "anywhere"\n'


def written(
    folder: Path,
    body: str,
    then: str,
    given: str = "",
    rules: str = NIM,
    game: str = 'ruleset = "mine"',
    head: str = RULES,
) -> Claim:
    """Write a claim about a game with these rules, and load it.

    `then`: the conclusion. `given`: the hypothesis.
    """
    (folder / "mine.toml").write_text(head + rules, "utf-8")
    condition = f'if = "{given}"\n' if given else ""
    path = folder / "claim.toml"
    path.write_text(f'{HEAD}{game}\n{body}\n[claim]\n{condition}then = "{then}"\n', "utf-8")
    return load_claim(path, "claim")


def asked(claim: Claim) -> RouteResult:
    """Return the result of the proof of a claim, with one run of one solver."""
    return prove(claim, None, EFFORT)


def settle_changed(
    folder: Path, id: str, *changes: tuple[str, str], options: Options = QUICK, anew: bool = False
) -> ClaimResult:
    """Return the result for a claim of the library whose text is changed. The scope contains few positions.

    The change is made in a copy of the folder. Unchanged obligations use the certificates of the library.
    `anew`: search for all certificates.
    """
    work = folder / "work"
    shutil.copytree((LIBRARY / id).parent, work, dirs_exist_ok=True)
    path = work / f"{Path(id).name}.toml"
    text = path.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} must occur exactly once in {id}"
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    if options is QUICK and 's = "position"' in text:
        options = replace(QUICK, overrides=FEW)
    with using_store(None if anew else certificates()):
        return settle_whole(select((str(path),))[0], options)


def rests(result: ClaimResult) -> str:
    """Return the text that states what an inconclusive result does not establish."""
    assert result.verdict is Verdict.INCONCLUSIVE, result.finding.error
    return result.finding.not_established
