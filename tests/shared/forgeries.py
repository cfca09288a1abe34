"""Real receipts, and changed copies of them. The changes are mistakes, or claim more than the run established."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from settling import settle_whole

from checks.judgement.scopes import Options
from checks.receipts.receipt import make_receipt, seal
from claims.language.files.library import LIBRARY, Entry, select

Data = dict[str, Any]
Edit = Callable[[Data], None]

REAL = {  # each has a different kind of verdict
    "folds": ("nim/zero-sum-moves", Options()),
    "verified": ("kl-nim/small-heaps", Options(overrides=(("k", "1..5"), ("l", "1..5")), routes=("exhaustive",))),
    "refuted": ("kl-nim/lemma-11", Options()),
    "computation": ("nim/normal-game", Options()),
    "exists": ("large-nim/beta-not-enough", Options()),
    "finite": ("nim/table-normal", Options()),
    "hypotheses": ("nim/one-large-heap", Options(routes=("exhaustive",))),
    "unconditional": ("bash-nim/remainders", Options(overrides=(("k", "1..4"),), routes=("exhaustive",))),
    "small": ("nim/table-n-n-misere", Options()),
    "lemmas": ("nim/last-move-only", Options(overrides=(("s.heaps", "0..3"), ("s.size", "1..4")))),
    "bounded": ("nim/zero-sum-moves", Options()),
    "bounded lemmas": ("nim/last-move-only", Options(overrides=(("s.heaps", "0..3"), ("s.size", "1..4")))),
}
BOUNDED = ("bounded", "bounded lemmas")  # for copies whose proofs, and whose lemmas' proofs, reach sizes below 2^62
COPIES = TemporaryDirectory()


@cache
def _copied() -> Path:
    """Return a folder with copies of the claims of the library about Nim. Each proof has a bound for sizes."""
    folder = Path(COPIES.name).resolve() / "nim"
    folder.mkdir()
    for path in (LIBRARY / "nim").glob("*.toml"):
        text = path.read_text("utf-8").replace("\n[proof]\n", '\n[proof]\nsizes = "< 2^62"\n')
        (folder / path.name).write_text(text, "utf-8")
    return folder


def _entry(kind: str) -> Entry:
    id, _ = REAL[kind]
    (entry,) = select((str(_copied() / f"{id.split('/')[1]}.toml") if kind in BOUNDED else id,))
    return entry


@cache
def _written(kind: str) -> str:
    entry, (_, options) = _entry(kind), REAL[kind]
    return json.dumps(make_receipt(settle_whole(entry, options), entry, options, "0"))


def real(kind: str) -> Data:
    """Return the receipt of a claim of the library, settled in this process."""
    data: Data = json.loads(_written(kind))
    return data


def forged(kind: str, edit: Edit, path: Path, sealed: bool) -> Path:
    """Change the receipt and write it to `path`. `sealed`: compute the seal again."""
    data = real(kind)
    edit(data)
    if sealed:
        data["seal"] = seal(data)
    path.write_text(json.dumps(data), "utf-8")
    return path


def put(value: Any, *keys: str | int) -> Edit:
    """Return a change that stores a value under these keys."""

    def edit(data: Any) -> None:
        for key in keys[:-1]:
            data = data[key]
        data[keys[-1]] = value

    return edit


def drop(*keys: str | int) -> Edit:
    def edit(data: Any) -> None:
        for key in keys[:-1]:
            data = data[key]
        del data[keys[-1]]

    return edit


def each(*edits: Edit) -> Edit:
    def edit(data: Data) -> None:
        for one in edits:
            one(data)

    return edit


def turned(*keys: str | int) -> Edit:
    """Return a change that reverses a list, or the order of the keys of an object."""

    def edit(data: Any) -> None:
        for key in keys[:-1]:
            data = data[key]
        found = data[keys[-1]]
        data[keys[-1]] = dict(reversed(found.items())) if isinstance(found, dict) else found[::-1]

    return edit


EVERYTHING = dict.fromkeys(("k", "l", "s.heaps", "s.size", "p"), "all")
PROVED_BY_NOTHING = each(put("proved", "verdict"), put(EVERYTHING, "scope"), put("", "not_established"))
A_PROOF = {"encoder": "folds", "answer": "holds", "scope": {}, "cases": 0, "below": None}
AN_OBLIGATION = {"name": "closed", "result": "proved", "detail": "", "note": "", "formula": "0" * 64}
VALUES = ("replay", 0, "variables")
TURNED_GREEN = each(  # a refuted claim with consistent false evidence: only a check of its cases detects it
    put("verified", "verdict"),
    put("holds", "routes", 0, "answer"),
    put([], "referee", "replays"),
    put(5, "referee", "rechecked"),
    put([{"kind": "witness", "judgement": "holds", "variables": {"n": 2}}], "replay"),
    put("n above 30", "not_established"),
)

# (description, receipt, edit): a replay detects each edit, whether or not the seal is recomputed
NOTICED: list[tuple[str, str, Edit]] = [
    ("a refuted claim that says it holds, all through", "small", TURNED_GREEN),
    ("an obligation proved without its formula", "folds", put("", "obligations", 0, "formula")),
    # the verdict
    ("verified becomes proved", "verified", put("proved", "verdict")),
    ("verified becomes proved, scope and words too", "verified", PROVED_BY_NOTHING),
    ("verified becomes vacuous", "verified", put("vacuous", "verdict")),
    ("verified becomes refuted", "verified", put("refuted", "verdict")),
    ("refuted becomes verified", "refuted", put("verified", "verdict")),
    ("refuted becomes proved", "refuted", put("proved", "verdict")),
    ("refuted becomes inconclusive", "refuted", put("inconclusive", "verdict")),
    ("proved becomes verified", "folds", put("verified", "verdict")),
    ("proved becomes refuted", "computation", put("refuted", "verdict")),
    ("a computation fails", "computation", each(
        put("refuted", "verdict"), put("fails", "routes", 0, "answer"),
        put([{"said": "fails", "found": "fails"}], "referee", "replays"),
        put([{"kind": "counterexample", "judgement": "fails", "variables": {}}], "replay"))),
    ("inconsistent without a word why", "verified", put("inconsistent", "verdict")),
    ("refuted all through, without a counterexample", "verified", each(
        put("refuted", "verdict"), put("fails", "routes", 0, "answer"), put("", "not_established"),
        put([{"said": "fails", "found": "fails"}], "referee", "replays"))),
    ("refuted all through, with a counterexample that is none", "verified", each(
        put("refuted", "verdict"), put("fails", "routes", 0, "answer"), put("", "not_established"),
        put([{"said": "fails", "found": "fails"}], "referee", "replays"),
        lambda x: x["replay"].insert(0, {**x["replay"][0], "kind": "counterexample", "judgement": "fails"}),
        put("fails", "replay", 1, "judgement"))),
    ("verified all through, that is refuted in a small scope", "small", each(
        put("verified", "verdict"), put("holds", "routes", 0, "answer"), put([], "referee", "replays"),
        put("n above 30", "not_established"), drop("replay", 0), put("holds", "replay", 0, "judgement"))),
    # values
    ("a counterexample that is none", "refuted", put([2, 2, 5], *VALUES, "s")),
    ("a counterexample at which the hypotheses fail", "refuted", put(9, *VALUES, "k")),
    ("a counterexample outside the domain", "refuted", put(4, *VALUES, "k")),
    ("a counterexample outside the scope", "refuted", put([2, 2, 40], *VALUES, "s")),
    ("not the smallest witness of a small scope", "finite", put([7, 7], *VALUES, "s")),
    ("not the smallest witness of all", "exists", put([1, 2, 2, 3], *VALUES, "s")),
    ("a witness that is none", "exists", put([1, 1, 1, 1], *VALUES, "t")),
    ("a witness that was not listed", "finite", put([1, 2], *VALUES, "s")),
    ("heaps in another order", "refuted", put([4, 2, 2], *VALUES, "s")),
    ("a heap of nothing", "refuted", put([0, 2, 4], *VALUES, "s")),
    ("a heap too many for any machine", "refuted", put([5] * 400, *VALUES, "s")),
    ("a value is true", "refuted", put(True, *VALUES, "k")),
    ("a value is a text", "refuted", put("3", *VALUES, "k")),
    ("a heap is true", "refuted", put([True, 2, 4], *VALUES, "s")),
    ("a position is a number", "refuted", put(5, *VALUES, "s")),
    ("a value is missing", "refuted", drop(*VALUES, "k")),
    ("a value of no variable", "refuted", put(1, *VALUES, "x")),
    ("values in another order", "refuted", turned("replay", 0, "variables")),
    ("a judgement turned round", "refuted", put("holds", "replay", 0, "judgement")),
    ("no case left", "refuted", put([], "replay")),
    ("no witness left", "verified", put([], "replay")),
    ("the witness passed for a counterexample", "refuted", drop("replay", 0)),
    ("a player of another game", "verified", put("P3", *VALUES, "p")),
    ("a player by number", "verified", put(0, *VALUES, "p")),
    # scope
    ("a larger scope", "verified", put("1..50", "scope", "k")),
    ("all of a variable", "verified", put("all", "scope", "k")),
    ("a variable left out of the scope", "verified", drop("scope", "l")),
    ("another variable in the scope", "verified", put("1..9", "scope", "x")),
    ("the scope of a route", "verified", put("1..50", "routes", 0, "scope", "k")),
    ("both scopes", "verified", each(put("1..50", "scope", "k"), put("1..50", "routes", 0, "scope", "k"))),
    ("the scope in another order", "verified", turned("scope")),
    ("other bounds were asked for", "verified", put("1..50", "asked", "overrides", "k")),
    ("bounds of no variable", "verified", put("1..5", "asked", "overrides", "z")),
    ("bounds that are none", "verified", put("5..1", "asked", "overrides", "k")),
    ("bounds beyond all size", "verified", put("0.." + "9" * 39, "asked", "overrides", "s.heaps")),
    ("another profile", "refuted", put("deep", "asked", "profile")),
    ("a proof of another variable", "folds", each(put({"x": "all"}, "scope"), put({"x": "all"}, "routes", 1, "scope"))),
    ("the scope of the proof alone", "bounded", put("all", "scope", "s.size")),
    ("a bound left unsaid", "bounded", put("", "not_established")),
    ("less left open", "verified", put("k above 50", "not_established")),
    # counts
    ("more cases", "verified", each(put(10**6, "cases"), put(10**6, "routes", 0, "cases"))),
    ("one case more than the box has", "folds", each(
        put(3877, "cases"), put(3877, "routes", 0, "cases"))),
    ("cases of the route alone", "verified", put(7, "routes", 0, "cases")),
    ("hypotheses hold more often than there are cases", "verified", put(50051, "cases_with_hypotheses")),
    ("the hypotheses hold nowhere", "verified", put(0, "cases_with_hypotheses")),
    ("counts of a small scope", "finite", put(30, "cases_with_hypotheses")),
    ("nothing was judged again", "finite", put(0, "referee", "rechecked")),
    ("all was judged again", "verified", put(10**9, "referee", "rechecked")),
    ("the referee differed", "verified", put(True, "referee", "differs")),
    ("the referee found otherwise", "refuted", put("holds", "referee", "replays", 0, "found")),
    ("the referee was not asked", "refuted", put([], "referee", "replays")),
    # only one check detects each of these
    ("a proof of another variable, and the words", "folds", each(
        put({"x": "all"}, "scope"), put({"x": "all"}, "routes", 1, "scope"), put("", "not_established"))),
    ("a bound that is none, and the words", "folds", each(
        put("most", "scope", "s.size"), put("most", "routes", 1, "scope", "s.size"), put("", "not_established"))),
    ("more cases than a box where one bound depends on another", "refuted", each(
        put(10**6, "cases"), put(10**6, "routes", 0, "cases"))),
    ("fewer cases than the box has", "verified", each(put(50049, "cases"), put(50049, "routes", 0, "cases"))),
    ("hypotheses that fail where there are none", "unconditional", put(5, "cases_with_hypotheses")),
    ("counts of a small scope with hypotheses", "hypotheses", put(43, "cases_with_hypotheses")),
    ("a counterexample judged again by nobody", "refuted", put(0, "referee", "rechecked")),
    ("a case judged again that no route showed", "verified", put(
        [{"said": "holds", "found": "holds"}], "referee", "replays")),
    ("an open obligation of a claim without proof", "verified", put(
        [{**AN_OBLIGATION, "result": "unknown"}], "obligations")),
    ("an error under a verdict that is none", "verified", put("x", "error")),
    ("cases of a proof", "folds", put(10**9, "routes", 1, "cases")),
    ("a witness outside the scope", "verified", put(7, *VALUES, "k")),
    ("verified, with a witness that holds, that is refuted in a small scope", "small", each(
        put("verified", "verdict"), put("holds", "routes", 0, "answer"), put([], "referee", "replays"),
        put("n above 30", "not_established"), drop("replay", 0), put("holds", "replay", 0, "judgement"),
        put(2, "replay", 0, "variables", "n"))),
    # routes
    ("a proof by a route that never ran", "verified", each(
        PROVED_BY_NOTHING, lambda x: x["routes"].append({**A_PROOF, "scope": x["scope"]}),
        put([AN_OBLIGATION], "obligations"), put(["Z3", "rule: folds (docs/proof-rules.md)"], "trusted"))),
    ("another route's proof", "folds", put("heaps", "routes", 1, "encoder")),
    ("the proof left out", "folds", drop("routes", 1)),
    ("the proof did not hold", "folds", put("unknown", "routes", 1, "answer")),
    ("the scope was never searched", "folds", drop("routes", 0)),
    ("routes in another order", "folds", turned("routes")),
    ("another route was asked for", "refuted", put(["bounded"], "asked", "routes")),
    # obligations
    ("no obligation", "folds", put([], "obligations")),
    ("an obligation failed", "folds", put("failed", "obligations", 0, "result")),
    ("an obligation is open", "folds", put("unknown", "obligations", 1, "result")),
    ("an obligation of a claim without proof", "verified", put([AN_OBLIGATION], "obligations")),
    ("a rule that is not named", "folds", put(["Z3"], "trusted")),
    ("a theorem on trust", "verified", put(["Fermat"], "trusted")),
    ("trusted in another order", "folds", put(["rule: folds (docs/proof-rules.md)", "Z3"], "trusted")),
    # lemmas
    ("proved by a lemma that is verified", "lemmas", put("verified", "lemmas", 0, "verdict")),
    ("proved by a lemma that is refuted", "lemmas", put("refuted", "lemmas", 1, "verdict")),
    ("proved by a lemma that was not settled", "lemmas", put(None, "lemmas", 1, "verdict")),
    ("proved by a lemma whose proof was not asked", "lemmas", put(False, "lemmas", 0, "by_proof")),
    ("not proved, by lemmas that are", "lemmas", put("inconclusive", "verdict")),
    ("a lemma of which nothing is known", "lemmas", put("certain", "lemmas", 0, "verdict")),
    ("a lemma left out", "lemmas", drop("lemmas", 0)),
    ("all lemmas left out", "lemmas", put([], "lemmas")),
    ("lemmas not mentioned", "lemmas", drop("lemmas")),
    ("lemmas in another order", "lemmas", turned("lemmas")),
    ("another lemma", "lemmas", put("nim/zero-sum-moves", "lemmas", 0, "claim")),
    ("a lemma as it read before", "lemmas", put("0" * 64, "lemmas", 0, "digest")),
    ("a lemma of a claim that has none", "folds", lambda x: x["lemmas"].extend(real("lemmas")["lemmas"])),
    ("a lemma that reaches less far", "lemmas", put("< 2^9", "lemmas", 0, "scope", "s.size")),
    ("a lemma that reaches less far, by its bound", "lemmas", put("512", "lemmas", 0, "below")),
    ("a proof that reaches further than its lemmas", "bounded lemmas", put(None, "routes", 1, "below")),
    # which claim
    ("another claim", "folds", put("nim/bouton", "claim")),
    ("another claim, and its file", "folds", each(put("nim/bouton", "claim"), put("claims/nim/bouton.toml", "file"))),
    ("every claim", "folds", put("*", "claim")),
    ("a claim that is nowhere", "folds", each(put("nim/none", "claim"), put("nim/none.toml", "file"))),
    ("another file", "folds", put("/dev/zero", "file")),
    ("another digest", "folds", put("0" * 64, "digest")),
]  # fmt: skip

# Edits of facts that only a run establishes: a replay does not confirm them, and settling the claim again detects them.
UNCONFIRMED: list[tuple[str, str, Edit]] = [
    ("fewer cases with hypotheses", "verified", put(7, "cases_with_hypotheses")),
    ("another formula", "folds", put("0" * 64, "obligations", 0, "formula")),
    ("another obligation", "folds", put("closed", "obligations", 0, "name")),
    ("an obligation fewer", "folds", drop("obligations", 1)),
    ("obligations in another order", "folds", turned("obligations")),
    ("a note", "folds", put("holds without any hypothesis", "obligations", 0, "note")),
    ("a proof without bound", "bounded", each(
        put("all", "scope", "s.size"), put("all", "routes", 1, "scope", "s.size"), put("", "not_established"))),
    ("a proof that reaches less far", "folds", put("5", "routes", 1, "below")),
    ("a proof that reaches further", "bounded", put(None, "routes", 1, "below")),
    ("a lemma that is not needed", "lemmas", put(False, "lemmas", 0, "needed")),
    ("a lemma that reaches further", "bounded lemmas", put("all", "lemmas", 0, "scope", "s.size")),
    ("more on trust", "folds", put(["Z3", "rule: folds (docs/proof-rules.md)"], "trusted")),
    ("more was judged again", "verified", put(24, "referee", "rechecked")),
]  # fmt: skip
