"""Claims that are theorems in Coq, changed until they are false, as files for Coq; and Coq's answers."""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from checks.execution.settle import settle_claim
from checks.judgement.mutants import make_mutants, widen
from checks.presentation.theorems import file_of, read_theorems
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.files.claim import Claim
from claims.language.files.domains import Scope
from claims.language.files.library import Entry, list_library
from encoders.coq.statement import state, write_stated
from encoders.coq.writing import BINDER, THEORY
from encoders.proving.reading import load_claim
from encoders.proving.theorem import Theorem, generate
from encoders.refusals import Unsupported

from ..bundle import Bundle, bundle_of
from ..changes import of_claims
from ..changes.concerted import define, lie_about_a_player, lie_in_both
from ..judge import detail, without_sample
from ..siblings import own_proof

TRIES = 400  # attempts to draw a mutant that counts
SETTLING = 20.0  # seconds for one mutant in the scope of its claim; usually a tenth is enough
COMPILING = 240.0  # seconds for one file; no theorem of the library needs a quarter of it
SILENT = "no answer in time"
LAST = re.compile(r"^Lemma (?:all_numbers|claim)\b", re.MULTILINE)
"""The first lemma about the claim and not only about its game; most mutants are refused there."""
KINDS = (
    (6, of_claims.edit_statement),
    (5, of_claims.edit_rules),
    (5, of_claims.other_rules),
    (4, of_claims.slip_in),
    (3, of_claims.suppose),
    (4, of_claims.other_domain),
    (3, of_claims.rename),
    (4, lie_about_a_player),
    (3, lie_in_both),
    (2, define),
)


@dataclass(frozen=True)
class Mutant:
    """A false claim as a file for Coq. `why`: the finding of the exhaustive route. `drawn`: the attempts before it."""

    number: int
    parent: str
    changes: tuple[str, ...]
    why: str
    text: str
    drawn: int


@dataclass(frozen=True)
class Refusal:
    """Coq's answer for a mutant.

    `at`: the lemma that Coq does not accept; "" if it accepts the whole file, SILENT if it takes too long.
    """

    number: int
    parent: str
    changes: tuple[str, ...]
    why: str
    drawn: int
    at: str
    seconds: float


@cache
def theorems() -> dict[str, Entry]:
    """Return the claims that are theorems in Coq, without those whose negations are."""
    listed = read_theorems().by_claim
    found = {e.id: e for e in list_library() if e.id in listed}
    return {id: e for id, e in found.items() if load_claim(e.path, id).description.expect != "refuted"}


@cache
def by_rule() -> dict[str, tuple[str, ...]]:
    """Return the theorems of each rule of proof; `computation` is the rule of the claims without [proof]."""
    found: dict[str, list[str]] = {}
    for id, entry in sorted(theorems().items()):
        proof = load_claim(entry.path, id).proof
        found.setdefault(proof.rule if proof else "computation", []).append(id)
    return {rule: tuple(found[rule]) for rule in sorted(found)}


def make(seed: int, number: int, coq: Path | None = None, rule: str = "") -> Mutant:
    """Return the mutant with that number, of a theorem drawn at random. Raise RuntimeError if none is found.

    A rule is drawn first, unless it is given. With a folder, return only a mutant whose required files are compiled
    there.
    """
    rng = random.Random(f"{seed} coq {number}")
    for drawn in range(TRIES):
        parent = rng.choice(by_rule()[rule or rng.choice(list(by_rule()))])
        found = systematic(parent, rng) if rng.random() < 0.5 else drawn_sibling(parent, rng)
        if found is None:
            continue
        said, claim, scope = found
        try:
            theorem = generate(claim)
        except Unsupported:
            theorem = forge(load_claim(theorems()[parent].path, parent), claim)
            said = [*said, "forged"]
        if theorem is None:
            continue
        if coq and not all((coq / file_of(x)).with_suffix(".vo").is_file() for x in theorem.rests_on):
            continue
        if why := refuted(claim, scope):
            return Mutant(number, parent, tuple(said), why, theorem.text, drawn)
    raise RuntimeError(f"mutant {number}: none in {TRIES} is refuted and generated")


def forge(parent: Claim, claim: Claim) -> Theorem | None:
    """Return the file of a theorem with the statement of another claim; None if it would fail for its names alone.

    It is for a false claim whose own proof is not generated, because an obligation has no certificate.
    """
    try:
        true, false = write_stated(parent), write_stated(claim)
    except Unsupported:
        return None
    declared = [re.findall(r"^Definition (\w+) .*?: (\w+)", x.declarations, re.MULTILINE) for x in (true, false)]
    if declared[0] != declared[1] or [b.name for b in true.binders] != [b.name for b in false.binders]:
        return None
    theorem = generate(parent)
    text = theorem.text.replace(true.text, false.text)
    said = [state(s.claim, s.numbers).at(BINDER) for s in (true, false)]
    return replace(theorem, text=text.replace(*said))


def systematic(parent: str, rng: random.Random) -> tuple[list[str], Claim, Scope] | None:
    """Return one of the mutants that `checks mutate` makes, with the proof of the claim."""
    claim = load_claim(theorems()[parent].path, parent)
    mutant = rng.choice([m for m in make_mutants(claim) if not m.weaker])
    return (
        [mutant.description],
        replace(mutant.claim, proof=claim.proof),
        widen(claim.scope("quick"), claim, mutant.claim),
    )


def drawn_sibling(parent: str, rng: random.Random) -> tuple[list[str], Claim, Scope] | None:
    """Make one or two random changes of the files, and perhaps rename a fold; return None if unreadable."""
    bundle = bundle_of(theorems()[parent].path)
    if "proof" in bundle.claim:
        own_proof(bundle)
    proof = bundle.claim.get("proof", {})
    if proof.get("by") or proof.get("cases"):
        return None  # files of lemmas are compiled under their names in the library
    said = []
    for _ in range(rng.choice((1, 1, 2))):
        (kind,) = rng.choices([k for _, k in KINDS], [w for w, _ in KINDS])
        said += [x for x in [kind(bundle, rng)] if x]
    if rng.random() < 0.4:
        said += [x for x in [rename_fold(bundle, rng)] if x]
    if not said:
        return None
    with tempfile.TemporaryDirectory() as folder:
        entry = bundle.written(Path(folder))
        try:
            claim = load_claim(entry.path, "mutants/claim")
        except ClaimError:
            return None
    return said, claim, claim.scope("quick")


def rename_fold(bundle: Bundle, rng: random.Random) -> str | None:
    """Give a fold of the proof a name that the theory uses."""
    proof = bundle.claim.get("proof", {})
    folds = proof.get("folds")
    if not folds:
        return None
    old, new = rng.choice(sorted(folds)), rng.choice(["least", "times", "largest", "number", "count", *THEORY])
    word = re.compile(rf"(?<![\w.]){re.escape(old)}(?!\w)")

    def renamed(value: object) -> object:
        if isinstance(value, str):
            return word.sub(new, value)
        if isinstance(value, list):
            return [renamed(x) for x in value]
        if isinstance(value, dict):
            return {new if k == old else k: renamed(v) for k, v in value.items()}
        return value

    bundle.claim["proof"] = renamed(proof)
    return f"the fold {old} is called {new}"


def refuted(claim: Claim, scope: Scope) -> str:
    """Return why the claim is false or undefined, by the exhaustive route without its proof; "" if it is neither."""
    result = settle_claim(replace(claim, proof=None), scope, without_sample, SETTLING)
    without_value = result.verdict is Verdict.ERROR and "more than" not in result.finding.error
    if result.verdict is Verdict.REFUTED or without_value:
        return detail(result) or "refuted"
    return ""


def grant(text: str) -> str:
    """Return the beginning of a theorem's text, with its lemmas admitted instead of proved.

    If Coq stops in the rest, it also stops there, or earlier, when it must prove the lemmas: a proof uses only the
    statement of a lemma.
    """
    return re.sub(r"^Proof\..*?Qed\.$", "Proof. Admitted.", text, flags=re.MULTILINE | re.DOTALL)


def put_to_coq(mutant: Mutant, coq: Path) -> Refusal:
    """Return Coq's answer for a mutant, with the files compiled in the folder. Raise RuntimeError if one is missing.

    The whole file is compiled only if Coq does not stop in the last lemmas when the earlier ones are admitted.
    """
    started, at = time.monotonic(), ""
    if last := LAST.search(mutant.text):
        granted = grant(mutant.text[: last.start()])
        at = _ask(granted + mutant.text[last.start() :], mutant.number, coq, granted.count("\n"))
    at = at or _ask(mutant.text, mutant.number, coq)
    told = {k: v for k, v in asdict(mutant).items() if k != "text"}
    return Refusal(**told, at=at, seconds=round(time.monotonic() - started, 1))


def _ask(text: str, number: int, coq: Path, lines: int = 0) -> str:
    """Return where Coq stops, as in a Refusal; "" also if it stops in the first `lines` lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "Mutant.v")
        path.write_text(text, "utf-8")
        command = ["coqc", "-q", "-R", str(coq), "NimChecks", str(path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILING, check=False)
        except subprocess.TimeoutExpired:
            return SILENT
    if "Cannot find a physical path" in done.stderr:  # otherwise it would be refused for this reason alone
        raise RuntimeError(f"{coq}: a file is not compiled that mutant {number} rests on:\n{done.stderr}")
    if done.returncode == 0 or (lines and 0 < line_of(done.stderr) <= lines):
        return ""
    return place(text, done.stderr)


def perform(seed: int, coq: Path, rule: str, number: int) -> Refusal:
    """Make a mutant and give it to Coq."""
    return put_to_coq(make(seed, number, coq, rule), coq)


def line_of(objection: str) -> int:
    """Return the line at which Coq stops, 0 if none is given. The lines of warnings come before it."""
    found = re.findall(r"line (\d+),", objection)
    return int(found[-1]) if found else 0


def place(text: str, objection: str) -> str:
    """Return the lemma or definition at which Coq stops."""
    lines = text.splitlines()[: line_of(objection)]
    named = [x for x in lines if re.match(r"\s*(Lemma|Theorem|Definition|Module|Section|Ltac|From)\b", x)]
    return " ".join(named[-1].split()[:2]).strip(":") if named else "no place is given"


def summary(found: Iterable[Refusal]) -> str:
    """Return the counts, and where Coq refuses the mutants."""
    refusals = list(found)
    accepted = [r for r in refusals if not r.at]
    words = Counter(re.sub(r"\d+$", "", r.at) for r in refusals if r.at not in ("", SILENT))
    parents = {r.parent for r in refusals}
    lines = [f"{len(refusals)} refuted mutants of {len(parents)} theorems: {len(accepted)} accepted by Coq"]
    lines += [f"  {n:4} refused at {at}" for at, n in words.most_common()]
    silent = [r.number for r in refusals if r.at == SILENT]
    if silent:
        lines.append(f"  {len(silent):4} had no answer in {COMPILING:.0f} s: {', '.join(map(str, silent))}")
    lines += [f"ACCEPTED, AND FALSE: {r.number} of {r.parent}: {'; '.join(r.changes)} ({r.why})" for r in accepted]
    return "\n".join(lines)
