"""Stronger claims, and hypotheses under which a refuted claim holds: proved only by a proof for all cases."""

import json
from pathlib import Path

import pytest
from claim_texts import HEAD
from commands import run_within
from searched_games import CAPPED, with_rule

from checks.execution import weakened
from checks.execution.weakened import Weakened, weaken
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from encoders.compute.arrays.limits import Deadline
from encoders.proving.reading import load_claim
from encoders.refusals import Unsupported
from encoders.search.find import SearchProgress, SearchStage
from encoders.search.weaker import begin, list_conditions, list_stronger, tell, write_file

NIM_SUM = "iff(not wins(s), nim_sum(s) == 0)"


def about(ruleset: str, then: str, condition: str = "", variables: str = 's = "position"', scope: str = "") -> str:
    stated = f'if = "{condition}"\n' if condition else ""
    sizes = scope or 's = { heaps = "0..3", size = "1..6" }'
    game = f'ruleset = "{ruleset}"\n' if ruleset else ""
    return f'{HEAD}{game}[forall]\n{variables}\n[claim]\n{stated}then = "{then}"\n[scope]\n{sizes}\n'


def search(folder: Path, text: str, rules: str = "", clock: Deadline | None = None) -> Weakened:
    if rules:
        (folder / "mine.toml").write_text(rules, "utf-8")
    path, found = folder / "claim.toml", Weakened()
    path.write_text(text, "utf-8")
    weaken(load_claim(path, "claim"), path, folder / "new.toml", clock or Deadline(None), lambda _: None, found)
    return found


FAR = with_rule("h < 40 or m == 1")  # beyond the box it is not Nim
FAR_NUMBER = CAPPED.replace("min(k, h)", "h if k < 30 else 1")


@pytest.mark.parametrize(
    ("text", "rules", "change"),
    [
        (about("mine", NIM_SUM, "all(h <= 3 for h in s)"), FAR, "without the hypothesis all(h <= 3 for h in s)"),
        (about("mine(k = 3)", NIM_SUM), FAR_NUMBER, "for every k instead of 3"),
        (about("mine", "wins(s)", "nim_sum(s) != 0 and len(s) <= 2"), FAR, "without the hypothesis len(s) <= 2"),
        (about("mine", "wins(s)"), FAR, "where nim_sum(s) != 0"),
        (
            about("", "n <= 20 or n >= 60", "n <= 5", 'n = "0.."', 'n = "0..9"'),
            "",
            "without the hypothesis n <= 5",
        ),
    ],
    ids=["hypothesis", "number", "one of two", "condition", "no game"],
)
def test_what_fails_just_outside_the_box_is_never_proved(tmp_path: Path, text: str, rules: str, change: str) -> None:
    found = search(tmp_path, text, rules)
    (tried,) = (x for x in found.tried if x.words == change)
    assert tried.verdict is Verdict.VERIFIED
    assert change not in found.changes or not found.proved


@pytest.mark.parametrize(
    ("text", "changes", "line"),
    [
        (about("nim", NIM_SUM, "len(s) <= 2"), ["without the hypothesis len(s) <= 2"], f'then = "{NIM_SUM}"'),
        (
            about("bash-nim(k = 3)", "iff(not wins(s), nim_sum(h % 4 for h in s) == 0)"),
            ["for every k instead of 3"],
            'then = "iff(not wins(s), nim_sum(h % (k + 1) for h in s) == 0)"',
        ),
        (
            about("", "n * n >= n", "n < 9", 'n = "5.."', 'n = "5..12"'),
            ["without the hypothesis n < 9", "with n in 0.. for 5.."],
            'n = "0.."',
        ),
        (about("nim", "wins(s)"), ["where nim_sum(s) != 0"], 'if = "nim_sum(s) != 0"'),
        (
            about("nim", "iff(not wins(s), nim_sum(s) == (1 if len(s) == 3 else 0))"),
            ["where len(s) <= 2"],
            'if = "len(s) <= 2"',
        ),
    ],
    ids=["hypothesis", "number", "no game", "refuted", "heaps"],
)
def test_what_is_proved_is_told_with_its_proof(tmp_path: Path, text: str, changes: list[str], line: str) -> None:
    found = search(tmp_path, text)
    assert found.changes == changes
    assert found.proved
    assert line in found.text
    (tmp_path / "found.toml").write_text(found.text, "utf-8")
    assert load_claim(tmp_path / "found.toml", "found").proof is not None


def test_what_says_more_has_the_claim_among_its_cases(tmp_path: Path) -> None:
    """A number that became a variable gives the original claim if the variable has that value."""
    path = tmp_path / "claim.toml"
    path.write_text(about("bash-nim(k = 2)", "iff(not wins(s), nim_sum(h % 3 for h in s) == 2 - 2)"), "utf-8")
    claim = load_claim(path, "claim")
    start = load_claim(path, "claim", tell(begin(claim, "claim"), "as it is").write())
    numbers = [x for x in list_stronger(start) if x.words.startswith("for every")]
    assert len(numbers) == 2**3
    for changed in numbers:
        then = changed.data["claim"]["then"].replace("(k + 1)", "3").replace("k", "2")
        assert then == start.source.data["claim"]["then"]
    assert len({x.write() for x in numbers}) == len(numbers)


def test_a_claim_without_a_title_gets_one(tmp_path: Path) -> None:
    text = about("", "n >= 0", "n <= 5", 'n = "0.."', 'n = "0..9"').replace(HEAD, "format = 1\n")
    (tmp_path / "claim.toml").write_text(text, "utf-8")
    made = begin(load_claim(tmp_path / "claim.toml", "claim"), "claim")
    assert (made["title"], made["statement"]) == ("made from claim", "made from claim.")


def test_a_name_that_the_claim_has_is_not_taken_for_a_variable(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(about("bash-nim(k = 2)", "iff(not wins(s), nim_sum(k % 3 for k in s) == 0)"), "utf-8")
    start = load_claim(path, "claim")
    (changed, *_) = (x for x in list_stronger(start) if x.words.startswith("for every"))
    assert changed.data["ruleset"] == "bash-nim(k = k_)"
    assert changed.data["claim"]["then"] == "iff(not wins(s), nim_sum(k % (k_ + 1) for k in s) == 0)"


@pytest.mark.slow
def test_a_proof_that_only_the_search_believes_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def believe(*given: object) -> None:
        outcome = given[-1]
        assert isinstance(outcome, SearchProgress)
        outcome.stage, outcome.text = SearchStage.PROOF, '[proof]\nrule = "definition"\n'

    monkeypatch.setattr(weakened, "find_proof", believe)
    found = search(tmp_path, about("mine", NIM_SUM, "len(s) <= 2"), FAR)
    assert found.text
    assert not found.proved
    assert Verdict.PROVED not in {x.verdict for x in found.tried}


@pytest.mark.slow
def test_its_own_proof_counts_only_where_it_goes_through(tmp_path: Path) -> None:
    own = '[proof]\nrule = "folds"\n[proof.folds]\nX = "nim_sum(s)"\n'
    found = search(
        tmp_path, about("nim", "all(nim_sum(t) != 0 for t in options(s))", "nim_sum(s) == 0 and len(s) < 3") + own
    )
    assert found.text.endswith(f"\n{own}")
    found = search(tmp_path, about("mine", "wins(s)", "nim_sum(s) != 0 and len(s) <= 2") + own, FAR)
    assert found.text
    assert not found.proved
    assert Verdict.PROVED not in {x.verdict for x in found.tried}


def test_a_change_without_a_further_case_is_none(tmp_path: Path) -> None:
    found = search(tmp_path, about("nim", "not wins(s)", "nim_sum(s) == 0"))
    assert not found.text
    assert {x.words: x.verdict for x in found.tried} == {
        "without the hypothesis nim_sum(s) == 0": Verdict.REFUTED,
        "with nim_sum(s) <= 0 for nim_sum(s) == 0": Verdict.VERIFIED,
        "with nim_sum(s) >= 0 for nim_sum(s) == 0": Verdict.REFUTED,
    }


def test_a_condition_that_no_case_meets_is_none(tmp_path: Path) -> None:
    found = search(tmp_path, about("nim", "wins(s)", "nim_sum(s) == 0 and len(s) > 0"))
    assert not found.text
    assert Verdict.VACUOUS in {x.verdict for x in found.tried}
    assert not any(x.verdict.holds for x in found.tried)


def test_the_budget_keeps_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = search(tmp_path, about("", "n * n >= n", "n < 9", 'n = "5.."', 'n = "5..12"'))
    seconds = iter(range(1000))
    clock = Deadline(8.0, lambda: float(next(seconds)))
    found = search(tmp_path, about("", "n * n >= n", "n < 9", 'n = "5.."', 'n = "5..12"'), clock=clock)
    assert found.stopped == "the budget ran out"
    assert found.changes == first.changes[: len(found.changes)] != first.changes


def test_claims_that_are_not_followed_are_refused(tmp_path: Path) -> None:
    there = about("", "n * n == 4", "", 'n = "0.."', 'n = "0..9"').replace("[forall]", "[exists]")
    with pytest.raises(Unsupported, match=r"only a \[forall\] claim"):
        search(tmp_path, there)
    (tmp_path / "sub").mkdir()
    (tmp_path / "mine.toml").write_text(FAR, "utf-8")
    (tmp_path / "sub/mine.toml").write_text(with_rule("m <= 2"), "utf-8")
    path = tmp_path / "claim.toml"
    path.write_text(about("mine", NIM_SUM, "len(s) <= 2"), "utf-8")
    with pytest.raises(ClaimError, match="would use other rulesets"):
        weaken(load_claim(path, "claim"), path, tmp_path / "sub/new.toml", Deadline(None), lambda _: None, Weakened())


def test_conditions_are_of_the_variables_and_all_different(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(about("kl-nim", "wins(s, p)", "", 'k = "1.."\nl = "1.."\ns = "position"\np = "player"'), "utf-8")
    path.write_text(path.read_text("utf-8").replace("[scope]", '[scope]\nk = "1..2"\nl = "1..2"'), "utf-8")
    listed = list(list_conditions(load_claim(path, "claim")))
    found = [x.words for x in listed]
    assert len(found) == len(set(found))
    assert {x.words for x in listed if x.bounds} == {
        *(f"{x} <= {n}" for x in "kl" for n in (4, 3, 2, 1)),
        *(f"all(h <= {n} for h in s)" for n in (3, 2, 1)),
    }
    assert {x.words: x.few for x in listed if x.few} == {"len(s) <= 2": ("s", 2), "len(s) <= 1": ("s", 1)}
    assert {"len(s) <= 2", "k < l", "p == P1", "all(h >= k for h in s)", "nim_sum(s) == 0"} <= set(found)


@pytest.mark.parametrize("value", ['a "word" \\ of é', ["x", 1], {"in": "s"}, {"f(x, y)": "x"}, True, 3])
def test_files_are_written_as_they_are_read(value: object) -> None:
    data = {"format": 1, "title": "T"} | ({"define": value} if isinstance(value, dict) else {"x": value})
    assert "title" in write_file(data)


@pytest.mark.slow
def test_the_command_says_what_it_found(tmp_path: Path) -> None:
    (tmp_path / "claim.toml").write_text(about("nim", NIM_SUM, "len(s) <= 2"), "utf-8")
    done = run_within("weaken", "claim.toml", "-o", "new.toml", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("proved (all values): without the hypothesis")
    again = run_within("run", "new.toml", "--no-cache", "--no-report", cwd=tmp_path)
    assert "2 claims: 2 proved" in again.stdout  # the claim and its lemma


@pytest.mark.parametrize(
    ("then", "condition", "code"), [("not wins(s)", "nim_sum(s) == 0", 3), (NIM_SUM, "all(h <= 3 for h in s)", 1)]
)
@pytest.mark.slow
def test_the_command_tells_a_program(tmp_path: Path, then: str, condition: str, code: int) -> None:
    (tmp_path / "mine.toml").write_text(FAR, "utf-8")
    (tmp_path / "claim.toml").write_text(about("mine", then, condition), "utf-8")
    done = run_within("weaken", "claim.toml", "--json", cwd=tmp_path)
    assert done.returncode == code
    found = json.loads(done.stdout)
    assert found["verdict"] == {1: "verified", 3: ""}[code]
    assert bool(found["file"]) is (code == 1)
    assert found["tried"]


def test_who_interrupts_it_keeps_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*given: object) -> None:
        found = given[-1]
        assert isinstance(found, Weakened)
        found.text = "what was found\n"
        raise KeyboardInterrupt

    monkeypatch.setattr(weakened, "weaken", stop)
    (tmp_path / "claim.toml").write_text(about("nim", NIM_SUM), "utf-8")
    done = run_within("weaken", "claim.toml", "-o", "new.toml", cwd=tmp_path)
    assert "interrupted" in done.stdout
    assert (tmp_path / "new.toml").read_text("utf-8") == "what was found\n"
