"""For all files and command lines, each claim ends in a verdict, never in an internal error."""

import re
from pathlib import Path

import pytest
from commands import run_within
from damage import Damager
from proofs import HEAD

from checks.execution.settle import settle_entry_safely
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.files.library import Entry, select
from encoders.proving.reading import find_faults, load_claim
from encoders.solvers.effort import Effort

QUICK = Effort(steps=300_000)
RULES = {
    "partizan": """players = ["A", "B"]
stuck = "loses"
[[moves]]
choose = "any heap h"
pick = { m = "1..h" }
where = "m != (2 if mover == A else 3)"
become = ["h - m"]
""",
    "many": """players = "n"
parameters = { n = "2.." }
stuck = "loses"
[[moves]]
choose = "any heap h"
pick = { m = "1..h" }
become = ["h - m"]
""",
}
POSITIONS = '[forall]\ns = "position"\n[claim]\nthen = "{then}"\n[scope]\ns = {{ heaps = "0..3", size = "1..5" }}\n'
FOLDS = '[proof]\nsizes = "< 2^62"\n[proof.folds]\nX = "nim_sum(s)"\n'
ONE_INVARIANT = """[proof.loses]
A = "X == 0"
[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = { m = "h - (h ^ X)" }
to = "a loss"
"""
REPLACED, OPTIONS = "{replace(s, h, 0) for h in s}", "{t for t in options(s)}"
PLAIN = '[{quantifier}]\nx = {domain}\n[claim]\nthen = "{then}"\n'


def on_positions(ruleset: str, then: str, more: str = "") -> str:
    return (f'ruleset = "{ruleset}"\n' if ruleset else "") + POSITIONS.format(then=then) + more


def large(then: str, quantifier: str = "forall", domain: str = "[2 ** 99990]") -> str:
    return PLAIN.format(quantifier=quantifier, domain=f'{{ in = "{domain}" }}', then=then)


SETS = f"{REPLACED} == {REPLACED} and {OPTIONS} == {OPTIONS}"
FORTY = "1" + "0" * 40
CLAIMS = {
    "one invariant of a partizan ruleset": on_positions(
        "partizan", "implies(nim_sum(s) == 0, not wins(s, A))", FOLDS + ONE_INVARIANT
    ),
    "an invariant of one player of a partizan ruleset": on_positions(
        "partizan", "implies(nim_sum(s) < 0, not wins(s, A))", FOLDS + '[proof.loses]\nA = "X < 0"\n'
    ),
    "folds for n players": on_positions("many(n = 3)", "nim_sum(s) >= 0", FOLDS),
    "folds for the options of n players": on_positions(
        "many(n = 3)", "all(nim_sum(t) != nim_sum(s) for t in options(s, 0))", FOLDS
    ),
    "two plain sets": on_positions("nim", "{1, 2} == {2, 1}", FOLDS),
    "two plain sets without a game": on_positions("", "{1, 2} == {2, 1}", FOLDS),
    "two equalities of sets": on_positions("nim", SETS, FOLDS),
    "a large number as the value of a variable": large("x % 3 == 2"),
    "a large number without a truth value": large("1 // (x - x) > 0"),
    "a large number past a limit": large("x ** 2 > 0"),
    "a large number found": large("x % 3 == 1", quantifier="exists"),
    "a large number in the conclusion": large("x * 2 ** 99990 == 0", domain="[1]"),
    "a large number as an index": large("[1, 2][x * 2 ** 99990] == 0", domain="[1]"),
    "a large heap": large("len(position([x * 2 ** 99990])) == 0", domain="[1]"),
    "a negative large heap": large("len(position([x - 2 ** 99990])) == 0", domain="[1]"),
    "a large heap replaced": large("len(replace(position([1]), 2 ** 99990, x)) == 0", domain="[1]"),
    "a large fraction": large("x / 3 ** 60000 == 0", domain="[1]"),
    "a large fraction of few digits": large("10 ** 400 / 3 ** x == 0", domain="[1]"),
    "large bounds": PLAIN.format(quantifier="forall", domain='"2 ** 99990..2 ** 99991"', then="x > 0"),
    "a bound of forty digits": PLAIN.format(quantifier="forall", domain='"1.."', then=f"x > {FORTY}")
    + f'[scope]\nx = "1..{FORTY}"\n',
    "heaps of forty digits": on_positions("nim", "wins(s)").replace("1..5", f"1..{FORTY}"),
    "a forty-digit number of heaps": on_positions("nim", "wins(s)").replace("0..3", f"0..{FORTY}"),
}


def settled(path: Path, overrides: tuple[tuple[str, str], ...] = ()) -> ClaimResult:
    return settle_entry_safely(Entry("claim", path), Options(overrides=overrides, budget=4.0, effort=QUICK))


@pytest.mark.parametrize("text", CLAIMS.values())
def test_a_claim_that_nobody_expected_ends_in_a_verdict(text: str, tmp_path: Path) -> None:
    for name, rules in RULES.items():
        (tmp_path / f"{name}.toml").write_text(f'format = 1\ntitle = "R"\n{rules}')
    path = tmp_path / "claim.toml"
    path.write_text(HEAD + text)
    found = settled(path)
    assert found.verdict is not Verdict.INCONSISTENT, found.finding.error


@pytest.mark.slow
def test_a_conclusion_of_constants_ends_in_a_verdict(tmp_path: Path) -> None:
    """The obligations of rule "grundy" then contain no variables."""
    (entry,) = select(("kl-nim/theorem-6-values-below",))
    (tmp_path / "definitions.toml").write_text((entry.path.parent / "definitions.toml").read_text("utf-8"))
    for number, then in enumerate(("True == True", "(-1) == (-1)", "1 > 2", "True")):
        path = tmp_path / f"{number}.toml"
        text = entry.path.read_text("utf-8")
        path.write_text(re.sub(r"(?ms)^then = .*?(?=^\[)", f'then = "{then}"\n', text))
        found = settled(path)
        assert found.verdict in (Verdict.VERIFIED, Verdict.PROVED, Verdict.REFUTED, Verdict.INCONCLUSIVE), (
            found.finding.error
        )


@pytest.mark.parametrize("first", range(0, 40, 5))
@pytest.mark.slow
def test_damaged_claims_end_in_a_verdict(first: int, tmp_path: Path) -> None:
    """`Damager().write(number, folder)` makes the files of a number again."""
    damager = Damager()
    for number in range(first, first + 5):
        folder = tmp_path / str(number)
        folder.mkdir()
        path, overrides = damager.write(number, folder)
        found = settled(path, overrides)
        assert found.verdict is not Verdict.INCONSISTENT, f"{number}, {overrides}: {found.finding.error}"


@pytest.mark.slow
def test_the_damaged_claims_are_no_empty_test(tmp_path: Path) -> None:
    """Some of the damaged files are rejected when they are loaded, and some are not."""
    damager, refused = Damager(), 0
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        path, _ = damager.write(number, folder)
        refused += bool(find_faults(path, "damaged"))
    assert 2 <= refused <= 18


# -- links in circles -------------------------------------------------------------------------------------------------
@pytest.fixture
def circles(tmp_path: Path) -> Path:
    """Return a folder with a claim, a link to the folder itself, and files that link to themselves."""
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    (folder / "claim.toml").write_text(HEAD + '[claim]\nthen = "1 < 2"\n')
    try:
        (folder / "below" / "up").symlink_to(folder, target_is_directory=True)
        (folder / "self.toml").symlink_to("self.toml")
        (folder / "nowhere.toml").symlink_to("missing.toml")
        (folder / "one").symlink_to("two")
        (folder / "two").symlink_to("one")
    except OSError:
        pytest.skip("this system makes no symbolic links")
    (folder / "folder.toml").mkdir()
    return folder


def test_each_file_below_links_in_circles_is_met_once(circles: Path) -> None:
    assert sorted(e.path.name for e in select((str(circles),))) == ["claim.toml", "nowhere.toml", "self.toml"]


def test_a_link_to_itself_cannot_be_read(circles: Path) -> None:
    found = settled(circles / "self.toml")
    assert found.verdict is Verdict.ERROR
    assert "cannot be read" in found.finding.error


@pytest.mark.parametrize("where", ["one", "below/up/below/up/out", "self.toml"])
def test_a_report_into_links_in_circles_is_written_or_refused(circles: Path, where: str) -> None:
    done = run_within("run", str(circles / "claim.toml"), "--report", str(circles / where))
    assert "Traceback" not in done.stdout + done.stderr
    assert "1 claim: 1 proved" in done.stdout or done.returncode == 2


@pytest.mark.parametrize("number", [1189, 1252, 1261, 3, 17])  # for the first three, [proof] is not a table
@pytest.mark.slow
def test_all_faults_of_a_damaged_claim_have_the_one_that_is_raised(number: int, tmp_path: Path) -> None:
    path, _ = Damager().write(number, tmp_path)
    try:
        load_claim(path, "damaged")
        raised = []
    except ClaimError as error:
        raised = [(error.place, error.message)]
    found = [(error.place, error.message) for error in find_faults(path, "damaged")]
    assert bool(found) is bool(raised)
    assert set(raised) <= set(found)
