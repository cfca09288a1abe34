"""The claims marked as theorems of Coq: exactly the listed ones, if they are unchanged since Coq accepted them."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from coq_compiler import SOURCES, write
from proofs import LIBRARY, QUICK
from samples import BARE, RUN, alter
from settling import settle_whole

from checks.presentation import account
from checks.presentation.theorems import (
    Compiled,
    Theorems,
    compare,
    digest_of_theory,
    find_theorems,
    generate_all,
    make_compiled,
    read_theorems,
    write_theorems,
)
from checks.results.verdicts import Verdict
from checks.results.wording import is_theorem
from claims.language.files.claim import Claim
from claims.language.files.library import Entry, list_library
from encoders.proving import theorem
from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate
from reports.html import to_plain
from reports.markdown import to_markdown
from reports.model.json_report import to_json

BASH = "bash-nim/theorem"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Return the folder of Bash-Nim with its ruleset."""
    shutil.copytree(LIBRARY / "bash-nim", tmp_path / "bash-nim")
    shutil.copy(LIBRARY / "rulesets" / "bash-nim.toml", tmp_path / "bash-nim")
    return tmp_path


def load(library: Path) -> Claim:
    return load_claim(library / f"{BASH}.toml", BASH)


def listed(claim: Claim) -> Theorems:
    """Return a list with only this claim."""
    return Theorems("theory", {claim.id: make_compiled(claim, generate(claim))})


def test_a_claim_on_the_list_is_a_theorem(library: Path) -> None:
    assert listed(load(library)).find_verdict(load(library)) is Verdict.PROVED
    assert Theorems("theory", {}).find_verdict(load(library)) is None


def test_a_refuted_claim_on_the_list_is_refuted_in_coq() -> None:
    """With the present digests of the claim, but not with those of a text that proves it."""
    id = "bash-nim/heap-choice"
    claim = load_claim(LIBRARY / f"{id}.toml", id)
    assert listed(claim).find_verdict(claim) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("theorem", "G(s) != 0)", "G(s) == 0)"),
        ("theorem", 'title = "The', 'title = "Again: the'),  # not a byte may change
        ("definitions", "h % (k + 1)", "h % (k + 2)"),
        ("bash-nim", "1..min(k, h)", "1..h"),
    ],
)
def test_what_has_changed_is_none(library: Path, file: str, old: str, new: str) -> None:
    before = listed(load(library))
    path = library / "bash-nim" / f"{file}.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    assert before.find_verdict(load(library)) is None


def test_another_statement_is_none(library: Path) -> None:
    claim = load(library)
    found = listed(claim)
    other = replace(found.by_claim[BASH], statement="0" * 64)
    assert replace(found, by_claim={BASH: other}).find_verdict(claim) is None
    assert replace(found, by_claim={"bash-nim/grundy": found.by_claim[BASH]}).find_verdict(claim) is None


def test_what_has_no_statement_is_none(tmp_path: Path, library: Path) -> None:
    """The heaps of this game have parts."""
    text = 'format = 1\nruleset = "parts"\n[forall]\ns = "position"\n[claim]\nthen = "wins(s) or True"\n'
    text += '[scope]\ns = { heaps = "0..1", c = { length = "1", each = "0..2" } }\n'
    rules = 'format = 1\ntitle = "t"\nplayers = ["A", "B"]\nstuck = "loses"\nmeasure = "sum(sum(h.c) for h in s)"\n'
    rules += '[heap]\nc = "list of 0.."\n[[moves]]\nchoose = "any heap h"\nbecome = []\n'
    (tmp_path / "parts.toml").write_text(rules)
    (tmp_path / "of-parts.toml").write_text(text)
    claim = load_claim(tmp_path / "of-parts.toml", "of-parts")
    assert Theorems("theory", {"of-parts": Compiled(claim.digest, "", "")}).find_verdict(claim) is None


def test_a_run_searches_for_no_certificate_to_know_its_theorem(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = load(library)
    found = listed(claim)

    def die(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(theorem, "generate", die)
    assert found.find_verdict(claim) is Verdict.PROVED


def test_a_theorem_that_states_the_claim_does_not_refute_it() -> None:
    """And the negation does not prove it: the list says which of the two Coq has accepted."""
    id = "bash-nim/heap-choice"
    claim = load_claim(LIBRARY / f"{id}.toml", id)
    wrong = make_compiled(claim, replace(generate(claim), refutes=False))
    assert Theorems("theory", {id: wrong}).find_verdict(claim) is Verdict.PROVED


@pytest.mark.parametrize("verdict", [Verdict.PROVED, Verdict.REFUTED])
def test_only_the_verdict_of_coq_is_marked(verdict: Verdict) -> None:
    told = alter(BARE, theorem=verdict, verdict=verdict)
    run = replace(RUN, claims=(told,))
    assert is_theorem(told)
    assert '"theorem_of_coq": true' in to_json(run)
    assert f"also {verdict.value} in Coq" in to_markdown(run)
    assert f"{verdict.value}, without axioms" in to_plain(run)
    for change in ({"verdict": x} for x in Verdict if x is not verdict):
        run = replace(RUN, claims=(alter(told, **change),))
        assert '"theorem_of_coq": true' not in to_json(run)
        assert "in Coq" not in to_markdown(run)
        assert "without axioms" not in to_plain(run)
    assert not is_theorem(alter(told, theorem=None))


def test_a_list_is_read_as_it_was_written(tmp_path: Path) -> None:
    by_claim = {"b/c": Compiled("1", "2", "5"), "a/b": Compiled("3", "4", "6")}
    found = Theorems("t", by_claim, "8.16.1 4.13.1")
    write_theorems(found, tmp_path / "x.json")
    assert read_theorems(tmp_path / "x.json") == found
    assert read_theorems().by_claim  # the shipped list


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": 1, "theory": "", "theorems": {}}',
        '{"format": 2, "coq": "", "theory": "", "theorems": {}}',
        '{"format": 3, "coq": "", "theory": "", "theorems": {"a": 1}}',
        '{"format": 3, "coq": "", "theory": "", "theorems": {"a": {"claim": "", "text": ""}}}',
        '{"format": 3, "coq": "", "theorems": {}}',
    ],
)
def test_a_list_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"x\.json"):
        read_theorems(path)


def test_what_coq_has_compiled_is_found(library: Path, tmp_path: Path) -> None:
    claim, entry = load(library), Entry(BASH, library / f"{BASH}.toml")
    theorem, coq = generate(claim), tmp_path / "coq"
    file = coq / "claims" / (theorem.module.replace(".", "/") + ".v")
    file.parent.mkdir(parents=True)
    assert theorem.text.endswith("\nPrint Assumptions theorem.\n")
    file.write_text(theorem.text.removesuffix("Print Assumptions theorem.\n"), "utf-8")
    assert not find_theorems(generate_all([entry]), coq).by_claim  # not compiled
    file.with_suffix(".vo").touch()
    assert find_theorems(generate_all([entry]), coq).by_claim == listed(claim).by_claim
    file.write_text(theorem.text + " ", "utf-8")
    assert not find_theorems(generate_all([entry]), coq).by_claim  # another text was compiled


def test_another_text_than_the_one_on_the_list_is_reported(library: Path) -> None:
    found = listed(load(library))
    older = Theorems(found.theory, {BASH: replace(found.by_claim[BASH], text="the text generated before")})
    assert compare(older, found) == [f"{BASH} has changed: its theorem differs from the one on the list"]


def test_the_theory_counts(tmp_path: Path) -> None:
    (tmp_path / "theory").mkdir()
    (tmp_path / "theory" / "A.v").write_text("a")
    before = digest_of_theory(tmp_path)
    (tmp_path / "theory" / "A.v").write_text("b")
    assert digest_of_theory(tmp_path) != before


def test_what_differs_is_told() -> None:
    one = Theorems("1", {"a": Compiled("", "x", ""), "b": Compiled("", "x", ""), "d": Compiled("", "x", "")})
    two = Theorems("2", {"a": Compiled("", "y", ""), "c": Compiled("", "x", ""), "d": Compiled("", "x", "")})
    assert compare(one, one) == []
    assert compare(one, two) == [
        "the theory in coq/theory has changed",
        "a has changed: its theorem differs from the one on the list",
        "b is on the list, but Coq has not compiled a theorem for it",
        "c is not on the list, but Coq has compiled a theorem for it",
    ]


@pytest.mark.slow
def test_an_account_asks_the_list(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = load(library)
    monkeypatch.setattr(account, "read_theorems", lambda: listed(claim))
    entry = Entry(BASH, library / f"{BASH}.toml")
    assert settle_whole(entry, QUICK).finding.theorem
    path = library / f"{BASH}.toml"
    path.write_text(path.read_text("utf-8") + "\n# changed\n", "utf-8")
    assert not settle_whole(entry, QUICK).finding.theorem


def test_the_shipped_list_has_the_texts_that_are_generated_now() -> None:
    """A change of a comment suffices to make the list stale, and then no claim counts as a theorem."""
    generated = {x.id: x.listed for x in generate_all(list_library())}
    listed = read_theorems().by_claim
    assert [id for id, entry in listed.items() if generated.get(id) != entry] == [], "run .ci/coq --renew"


# -- hypotheses of the rules -------------------------------------------------------------------------------------------
EXAMPLES = {
    "folds": (
        "nim/bouton",
        "kl-nim/theorem-14",
        "classics/misere-bash-nim",
        "classics/moore-two-heaps",
        "classics/greedy-nim",
    ),
    "few heaps": ("classics/wythoff", "classics/min-nim-two-heaps", "classics/digit-sum"),
    "Grundy values": ("kl-nim/theorem-6", "heaps/subtraction-a-b"),
    "value": ("large-nim/theorem-1",),
    "equal games": ("kl-nim/small-heaps",),
}
LEMMAS = {"movable": "stuck", "stays": "closed", "same_inside": "same_moves"}  # names in generated text


def test_the_hypotheses_of_each_rule_are_its_obligations() -> None:
    """docs/coq.md lists them; the theory must have these hypotheses, and Coq files must apply these obligations."""
    rule, listed = "", defaultdict[str, dict[str, tuple[str, ...]]](dict)
    for line in (SOURCES.parent / "docs" / "coq.md").read_text("utf-8").splitlines():
        if row := re.fullmatch(r"\| (.*?) ?\| `(\w+)` \| (.*) \|", line):
            rule = row[1] or rule
            listed[rule][row[2]] = tuple(re.findall(r"`([^`]+)`", row[3]))
    assert {x.split(":")[0] for x in listed} == EXAMPLES.keys()
    for of_rule, hypotheses in listed.items():
        name, _, file = of_rule.partition(": ")
        theory = (SOURCES / "theory" / file).read_text("utf-8")
        assert hypotheses.keys() <= set(re.findall(r"^Hypothesis (\w+)", theory, re.MULTILINE))
        applied = [x for id in EXAMPLES[name] for x in list_applied(write(LIBRARY, id)) if x[0] in hypotheses]
        assert {x for x, _ in applied} == hypotheses.keys()
        assert [(x, o) for x, o in applied if not o.startswith(hypotheses[x])] == []
        begun = {(x, start) for x, starts in hypotheses.items() for start in starts}
        assert {(x, s) for x, o in applied for s in hypotheses[x] if o.startswith(s)} == begun


def list_applied(text: str) -> Iterator[tuple[str, str]]:
    """Yield each hypothesis for which the text has a lemma, with the name of each obligation that the lemma applies."""
    names = {o: name for name, o in re.findall(r"^\(\* (.*) \*\)\nLemma (obligation_\d+)\b", text, re.MULTILINE)}
    for lemma in re.finditer(r"^Lemma (\w+).*?\bQed\.$", text, re.MULTILINE | re.DOTALL):
        name = re.sub(r"_(P[12]|[0-9]+)$", "", lemma[1])
        for o in re.findall(r"\bobligation_\d+\b", lemma[0]):
            if o != lemma[1]:
                yield LEMMAS.get(name, name), names[o]
