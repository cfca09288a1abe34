"""`pytest --claims`: each claim is an item, and its counterexample the text of a failure."""

import pytest

pytest_plugins = ["pytester"]
PLUGIN = ("-p", "no:nim-checks", "-p", "checks.command.called.plugin", "-p", "no:xdist", "-p", "no:cacheprovider")
CLAIM = """format = 1
title = "T"
statement = "S."
work = "w"
locator = "l"
role = "lemma"
ruleset = "nim"
{expect}
[claim]
then = "{then}"
"""
CLAIMS = {
    "true": CLAIM.format(then="wins(position([3]))", expect=""),
    "false": CLAIM.format(then="wins(position([2, 2]))", expect=""),
    "expected": CLAIM.format(then="wins(position([2, 2]))", expect='expect = "refuted"'),
    "unreadable": CLAIM.format(then="win(position([2, 2])) and x", expect=""),
}


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    for name, text in CLAIMS.items():
        path = pytester.path / "claims" / f"{name}.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    pytester.makepyfile(test_other="def test_other(): pass")
    return pytester


@pytest.mark.slow
def test_each_claim_is_an_item_beside_the_tests(folder: pytest.Pytester) -> None:
    result = folder.runpytest_inprocess(*PLUGIN, "--claims", "claims", "-v")
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(["*test_other*PASSED*", "*claims/expected PASSED*", "*claims/true PASSED*"])
    result.stdout.fnmatch_lines(["*claims/false: refuted*", "*at (2, 2)*"])
    result.stdout.fnmatch_lines(["*unknown function 'win'*", "*unknown name 'x'*"])


def test_items_are_selected_as_others_are(folder: pytest.Pytester) -> None:
    result = folder.runpytest_inprocess(*PLUGIN, "--claims", "claims", "-k", "expected")
    result.assert_outcomes(passed=1, deselected=4)


def test_without_the_option_nothing_is_added(folder: pytest.Pytester) -> None:
    folder.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)


def test_a_word_that_names_nothing_is_wrong_usage(folder: pytest.Pytester) -> None:
    result = folder.runpytest_inprocess(*PLUGIN, "--claims", "nowhere")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--claims: nowhere: no such claim, file or folder*"])
