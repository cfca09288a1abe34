"""Which tests run when, how much CPU each may take, and tables of rows that are one test.

Each entry of SMOKE is the beginning of the names of some tests, below tests/: some of every room, which
`pytest -m smoke` runs in twenty seconds on two cores. LARGE is what takes too long for each run of `pytest`.

DRAWN names functions of LARGE that say the same of many claims, rules or rows: a sixth of their tests is run, or less,
but at least one. Of what is large and below SHOWN a sixth is run, of those functions as well. Others are run for other
code; all with --every, and each that is asked for by its name.

What is not on that list says when it takes more CPU than it has; far more is a failure. CPU and not time, and far more
and not more: what else the machine does, and what is imported, compiled or put to Z3 by the first test that wants it,
make a test dearer than it is, and must not make it fail.
"""

import functools
import inspect
import os
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from _pytest.mark import ParameterSet
from _pytest.runner import runtestprotocol
from xdist.remote import Producer
from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController

from checks.judgement.account.theorems import lot_of

TESTS = Path(__file__).parents[1]
LARGE: dict[str, list[str]] = tomllib.loads((TESTS / "architecture/large.toml").read_text("utf-8"))
ON_THE_WAY = {str(way) for file in LARGE for way in (TESTS / file, *(TESTS / file).parents)}
"""The files of large tests, and the folders that they are in."""
SECONDS = 0.5
FAR = 20  # times as much is no accident: a busy machine doubles CPU, the first to ask Z3 pays for those that ask later
MARKS = ("slow", "large")  # of tests that may take what they take
WITHOUT = ("not slow and not large", "smoke")  # what is asked for where none of them is wanted
_shared = [0.0]
Test = Callable[..., None]
ONE_IN = 6  # of the tests of a function that are drawn
SELDOM = 8  # of the dearest groups one in so many is drawn
SMOKE = (
    "architecture/",
    "unit/language/test_domains_and_scopes.py",
    "unit/language/test_elaborate.py",
    "unit/language/test_games_of_a_claim.py",
    "unit/language/test_rulesets.py",
    "unit/language/test_type_rules.py",
    "unit/folds/test_remainders_and_places.py::test_places_without_a_bound_are_those_of_natural_numbers",
    "unit/proofs/test_wrong_proofs.py::test_a_false_fact_is_no_fact",
    "unit/proofs/test_wrong_proofs.py::test_a_fact_that_contradicts_itself_proves_nothing",
    "unit/proofs/test_proof_premises.py",
    "unit/logic/test_integers.py",
    "unit/logic/naturals/test_verify.py::test_what_is_changed_is_refused",
    "unit/logic/naturals/test_liars.py::test_what_is_false_is_not_discharged_by_a_lie[trees",
    "unit/rules/kit/test_reaches.py",
    "unit/folds/test_lemmas.py::test_what_it_does_not_say_is_not",
    "unit/referee/",
    "unit/exhaustive/frames/test_columns.py",
    "unit/judgement/test_scopes.py",
    "unit/judgement/test_settle",
    "unit/results/test_basis.py",
    "unit/results/test_verdicts.py",
    "unit/browser/test_library_page.py::test_text_from_a_hostile_claim",
    "unit/reports/test_phrases.py",
    "unit/reports/page/test_pictures_page.py",
    "unit/results/test_terminal_lines.py",
    "unit/language/typeset/test_notations.py",
    "agreement/test_known_positions.py",
    "agreement/test_small_rulesets.py",
    "agreement/small/test_small_claims.py",
    "agreement/coq/test_certificates_in_coq.py::test_sound_ones_hold_in_python",
    "claims/test_library.py::test_each_claim_is_settled_as_its_file_expects[bash-nim/grundy]",
    "claims/test_library.py::test_each_claim_is_settled_as_its_file_expects[kl-nim/lemma-13]",
    "claims/test_library.py::test_each_claim_is_settled_as_its_file_expects[large-nim/theorem-1]",
    "claims/test_library.py::test_each_claim_is_settled_as_its_file_expects[nim/bouton]",
    "claims/test_library.py::test_each_claim_is_settled_as_its_file_expects[nim/table-n-n-misere]",
    "claims/test_library.py::test_each_receipt_can_be_replayed[nim/table-n-n-misere]",
    "cli/test_commands.py::test_exit_codes[names0",
    "cli/test_commands.py::test_exit_codes[names5",
    "extending/test_report_format.py",
    "golden/test_bad_files.py",
    "golden/test_reports.py",
    "harness/test_table.py::test_no_row_is_stale[logic]",
    "harness/test_table.py::test_no_row_is_stale[folds]",
    "premises/test_premises.py::test_the_premise_stops_it[cases",
    "premises/test_premises.py::test_the_premise_stops_it[value",
    "workshop/test_attacks.py::test_it_does_not_come_out_green[a",
    "workshop/test_suspects.py::test_a_suspect_can_be_made_again",
)


DRAWN = dict.fromkeys(
    (
        "agreement/coq/test_folds_in_coq.py::test_what_is_spoiled_is_no_theorem",
        "agreement/coq/test_values_in_coq.py::test_a_spoiled_quotient_makes_no_theorem",
        "agreement/coq/test_values_in_coq.py::test_a_table_that_is_spoiled_makes_none",
        "agreement/coq/test_values_in_coq.py::test_spoiled_digits_make_no_theorem",
        "agreement/coq/test_values_in_coq.py::test_what_is_spoiled_is_no_theorem",
        "agreement/small/heaps/test_options_in_intervals.py::test_the_right_values_are_verified_and_no_others",
        "agreement/small/heaps/test_options_in_intervals.py::test_the_right_winners_are_verified_and_no_others",
        "agreement/small/heaps/test_single_heaps.py::test_random_rules_agree_with_the_referee",
        "agreement/small/heaps/test_single_heaps.py::test_values_of_random_codes",
        "agreement/small/heaps/test_tables_of_winners.py::test_the_right_table_is_verified_and_no_other",
        "agreement/small/heaps/test_tables_of_values.py::test_no_table_but_the_right_one_whatever_may_be_taken",
        "agreement/small/heaps/test_tables_of_values.py::test_the_right_table_is_verified_and_no_other",
        "agreement/small/heaps/test_tables_of_values.py::test_what_is_read_of_small_heaps_holds_of_larger_ones",
        "agreement/small/test_candidates.py::test_nothing_that_may_be_picked_is_missed",
        "agreement/small/test_shifted_bits.py::test_random_moves_on_several_heaps",
        "agreement/small/test_shifted_bits.py::test_rows_and_moves_agree",
        "agreement/small/test_small_claims.py::test_the_answer_is_that_of_a_plain_search",
        "agreement/small/test_small_claims_as_constraints.py::test_so_they_do_of_each_small_claim",
        "agreement/small/test_solved_positions.py::test_two_players",
        "agreement/test_random_claims.py::test_random_claims",
        "agreement/test_random_claims.py::test_random_claims_as_constraints",
        "agreement/test_random_rulesets.py::test_random_rulesets",
        "agreement/test_random_rulesets.py::test_random_rulesets_of_one_heap",
        "agreement/test_random_rulesets.py::test_random_rulesets_that_may_be_unplayable",
        "agreement/test_random_expressions.py::test_random_expressions",
        "claims/test_conjectures.py::test_a_mutant_is_refuted",
        "claims/test_examples.py::test_a_board_comes_out_as_it_says",
        "claims/test_library.py::test_each_receipt_can_be_replayed",
        "claims/test_mutants.py::test_the_scope_refutes",
        "claims/test_restricted_nim.py::test_a_proof_with_a_slip_fails_where_it_is",
        "claims/test_restricted_nim.py::test_a_share_of_a_heap_has_values_by_powers",
        "cli/asked/finding/test_found_claims.py::test_names_make_no_difference",
        "cli/asked/finding/test_found_claims.py::test_two_heaps_of_a_game_that_moves_in_both",
        "cli/asked/finding/test_found_claims.py::test_values_of_one_heap",
        "cli/asked/finding/test_found_proofs.py::test_a_proof_is_found_where_there_is_one",
        "cli/asked/finding/test_weakened_claims.py::test_what_fails_just_outside_the_box_is_never_proved",
        "cli/asked/finding/test_weakened_claims.py::test_what_is_proved_is_told_with_its_proof",
        "cli/asked/test_new.py::test_a_claim_about_each_game_is_valid_at_once",
        "cli/asked/test_new.py::test_a_false_sibling_is_false_and_the_claim_as_it_was",
        "cli/test_benchmarks.py::test_recursion_and_machine_code_agree",
        "premises/test_premises.py::test_the_claim_is_false_or_undefined_outside_its_scope",
        "premises/test_premises.py::test_without_the_premise_it_would_be_proved",
        "premises/test_refusals.py::test_hints_name_neither_the_rule_that_refused_nor_a_lemma_that_the_file_has",
        "unit/exhaustive/boxes/test_box_solvers.py::test_both_layouts_agree_where_sizes_take_two_words",
        "unit/exhaustive/boxes/test_box_solvers.py::test_rows_of_several_words_are_the_same_in_all_ways",
        "unit/exhaustive/boxes/test_library_claims.py::test_claims_of_the_library",
        "unit/exhaustive/boxes/test_search.py::test_rules_with_sets_and_players_that_differ",
        "unit/exhaustive/boxes/test_search.py::test_the_same_is_found",
        "unit/judgement/reasons/test_diagnosis.py::test_nothing_that_a_shipped_proof_says_is_called_wrong",
        "unit/judgement/test_no_traceback.py::test_damaged_claims_end_in_a_verdict",
        "unit/language/typeset/test_statements.py::test_each_formula_is_well_formed_and_nothing_is_left_of_its_source",
        "unit/logic/naturals/test_weakened.py::test_an_obligation_with_a_premise_less_is_certified_or_fails_at_numbers",
        "unit/logic/test_box.py::test_each_obligation_of_the_library_holds_on_a_box",
        "unit/proofs/test_proof_rules_page.py::test_the_example_proves_its_claim",
        "unit/proofs/test_words_and_positions.py::test_positions_written_down",
        "unit/proofs/test_wrong_proofs.py::test_the_formula_for_four_heaps",
        "unit/results/boards/test_boards.py::test_no_board_of_the_library_speaks_source",
        "unit/results/boards/test_boards.py::test_who_should_lose_loses_to_the_end",
        "unit/results/boards/test_boards_with_parts.py::test_a_false_claim_of_each_kind_is_refuted_drawn_playable_and_replayed",
        "unit/rules/kit/test_outlines.py::test_each_obligation_shows_one_line_or_is_ground",
        "unit/rules/moore/test_moore_with_three_heaps.py::test_it_is_proved_and_what_is_nearly_so_is_not",
        "unit/rules/numbers/test_powers.py::test_it_is_shown_by_induction",
        "unit/rules/test_hints.py::test_a_shipped_claim_without_its_proof_is_told_the_rule_of_that",
        "unit/rules/test_hints.py::test_no_claim_is_offered_all_rules",
        "unit/rules/test_lists_of_any_length.py::test_the_claim_is_proved_for_any_length_with_certificates",
        "unit/rules/test_one_heap.py::test_the_claim_is_proved_with_certificates",
        "workshop/test_attacks.py::test_it_is_false_where_the_table_says",
        "workshop/test_suspects.py::test_no_suspect_is_a_false_green",
    ),
    ONE_IN,
) | dict.fromkeys(
    (
        "agreement/test_bounded_route.py::test_the_library_within_small_scopes",
        "cli/asked/finding/test_found_claims.py::test_from_the_rules_alone_it_is_proved",
    ),
    SELDOM,
)
"""One of how many tests is run, by the names of functions."""
SHOWN = (
    "unit/browser/",
    "unit/reports/",
    "cli/asked/",
    "cli/test_commands.py",
    "cli/test_proving.py",
    "cli/test_readme.py",
    "cli/test_startup.py",
    "cli/test_terminal.py",
)
"""Where tests are of pages, of what commands print, and of a search whose finds are settled as any claim: what they do
not see makes no verdict green."""


def may_hold_smoke(path: Path) -> bool:
    """Whether some of these tests are in this file, or below this folder.

    >>> may_hold_smoke(TESTS), may_hold_smoke(TESTS / "unit"), may_hold_smoke(TESTS / "unit/referee/test_referee.py")
    (True, True, True)
    >>> may_hold_smoke(TESTS / "workshop/test_games.py"), may_hold_smoke(TESTS.parent / "claims")
    (False, False)
    """
    if path in (TESTS, *TESTS.parents):
        return True
    if not path.is_relative_to(TESTS):
        return False
    name = path.relative_to(TESTS).as_posix()
    return any(entry.startswith(f"{name}/") or f"{name}/".startswith(entry.partition("::")[0]) for entry in SMOKE)


def is_large(name: str) -> bool:
    """Whether it is on the list, or one of several that the list has by one name. `name`: below tests/.

    >>> is_large("cli/far/test_dask.py::test_no_scheduler_is_told_at_once"), is_large("cli/far/test_nowhere.py::test_a")
    (True, False)
    """
    file, _, test = name.partition("::")
    entries = LARGE.get(file, ())
    return any(
        entry in ("", test, test.partition("[")[0]) or ("[" in entry and test.startswith(entry)) for entry in entries
    )


def find_left_out(names: Iterable[str], config: pytest.Config, draw: Callable[[], str]) -> set[str]:
    """Of large tests, named below tests/, those that are not drawn: none if all are wanted, or some by their names.

    Of each function one in so many, and at least one; of what is below SHOWN, and drawn so, a sixth.

    `draw`: a text, of which it depends which are drawn, and which takes a while to make.
    """
    named = any("::" in asked for asked in config.args)
    if named or config.option.markexpr != "large" or config.getoption("--every"):
        return set()
    drawn_by, by_function = draw(), dict[str, list[str]]()
    for name in names:
        by_function.setdefault(name.partition("[")[0], []).append(name)
    out = set[str]()
    for function, tests in by_function.items():
        if function in DRAWN:
            tests.sort(key=lambda name: lot_of(name, drawn_by))
            out |= {*tests[max(1, round(len(tests) / DRAWN[function])) :]}
        if function.startswith(SHOWN):
            out |= {name for name in tests if lot_of(name, drawn_by) % ONE_IN}
    return out


def may_hold_large(path: Path) -> bool:
    """Whether some of them are in this file, or below this folder."""
    return str(path) in ON_THE_WAY


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str) -> list[pytest.Item] | None:
    """A function that is large as a whole has no instances named where all of them would be left out."""
    config = collector.config
    out = config.option.markexpr in WITHOUT and not any("::" in asked for asked in config.args)
    return [] if out and is_large(f"{collector.nodeid.removeprefix('tests/')}::{name}") else None


PARTS = pytest.mark.parametrize("part", range(ONE_IN))
"""A random test that is drawn has as many parts."""


def tried(part: int, usual: hypothesis.settings, examples: int) -> Callable[[Test], Test]:
    """As `settings(usual, max_examples=examples)`, of one part of PARTS; in each other examples, always the same."""
    few = hypothesis.settings(usual, derandomize=False, max_examples=-(-examples // ONE_IN))
    return lambda test: hypothesis.seed(part)(few(test))


def in_tables(names: str, rows: Iterable[Any], size: int = 100) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize(names, rows)`, with one test for each `size` rows in turn.

    To name, start and report a test takes longer than a small row does.  Every row is tried, with a `tmp_path` and a
    `monkeypatch` of its own; all that fails is raised, each with its row, by its name where it is a `pytest.param`.
    """
    keys, table = [name.strip() for name in names.split(",")], [*rows]
    assert not any(row.marks for row in table if isinstance(row, ParameterSet)), "a row has no marks of its own"
    parts = [table[at : at + size] for at in range(0, len(table), size)]
    ids = [f"{at * size + 1} to {at * size + len(part)}" for at, part in enumerate(parts)]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def each(part: list[Any], **fixtures: Any) -> None:
            failed = [error for number, row in enumerate(part) if (error := _try(test, keys, row, number, fixtures))]
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(part)} rows", failed)

        signature = inspect.signature(test)
        left = [p.replace(kind=p.KEYWORD_ONLY) for name, p in signature.parameters.items() if name not in keys]
        part = inspect.Parameter("part", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        each.__dict__["__signature__"] = signature.replace(parameters=[part, *left])
        return pytest.mark.parametrize("part", parts, ids=ids)(each)

    return decorate


def _try(test: Test, keys: list[str], row: Any, number: int, fixtures: dict[str, Any]) -> BaseException | None:
    """What is raised of a row."""
    values = row.values if isinstance(row, ParameterSet) else row if len(keys) > 1 else (row,)
    given = fixtures | dict(zip(keys, values, strict=True))
    if isinstance(folder := fixtures.get("tmp_path"), Path):
        given["tmp_path"] = folder / str(number)
        given["tmp_path"].mkdir()
    with pytest.MonkeyPatch.context() as patch:
        if "monkeypatch" in fixtures:
            given["monkeypatch"] = patch
        try:
            test(**given)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - all are told
            error.add_note(f"the row: {(isinstance(row, ParameterSet) and row.id) or row!r}")
            return error
    return None


class ByFile(LoadGroupScheduling):
    """A group is what is marked as one, else the tests of a file: what a file keeps for its tests is made once.

    One by one, after each test all that were run before are counted again: a tenth of all that ten thousand take.
    """

    def _split_scope(self, nodeid: str) -> str:
        group: str = super()._split_scope(nodeid)
        return group if group != nodeid else nodeid.partition("::")[0]

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        """What is done is forgotten: after each test all that a process had would be counted again."""
        nodeid, work = self.registered_collections[node][item_index], self.assigned_work[node]
        tests = work.get(group := self._split_scope(nodeid), {})
        tests.pop(nodeid, None)
        if not tests:
            work.pop(group, None)
        self._reschedule(node)


@contextmanager
def shared() -> Iterator[None]:
    """What is done in here is done once for many tests: it is not of the one that asks first. Within itself, once."""
    started, before = time.process_time(), _shared[0]
    yield
    _shared[0] = before + time.process_time() - started


def spent() -> float:
    """Seconds of CPU of this process, and of those that it has started and waited for, but for what tests share."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system - _shared[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadGroupScheduling | None:
    """Tests without a group go to processes file by file; the few that are large or slow one by one, as usual."""
    few = config.option.markexpr in MARKS or config.getvalue("dist") != "loadgroup"
    return None if few else ByFile(config, log)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """What a process of pytest-xdist has to tell of a test: its call, and what else failed or took a while.

    To hand on that it begins, that nothing went wrong before and after it, and that it ends takes as long as a test.
    """
    option = item.config.option
    if not hasattr(item.config, "workerinput") or option.verbose > 0 or option.xmlpath:
        return None
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed or report.sections or report.duration > 0.05:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--budget", type=float, default=SECONDS, metavar="SECONDS", help="CPU that a test may take; 0: any"
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    started = spent()
    yield
    used, budget = spent() - started, item.config.getoption("--budget")
    free = any(map(item.get_closest_marker, MARKS)) or item.config.getoption("--hypothesis-profile", None)
    if not budget or used <= budget or free or sys.gettrace() is not None:
        return
    item.user_properties.append(("cpu", used))
    if used > FAR * budget:
        pytest.fail(f"{used:.1f} s of CPU, of at most {budget:g}: make it smaller, or large (tests/README.md)", False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    reports = [r for rs in terminalreporter.stats.values() for r in rs if getattr(r, "when", "") == "call"]
    dear = [(dict(r.user_properties)["cpu"], r.nodeid) for r in reports if "cpu" in dict(r.user_properties)]
    if dear:
        terminalreporter.section(f"more than {config.getoption('--budget'):g} s of CPU")
    for used, name in sorted(dear, reverse=True):
        terminalreporter.line(f"{used:6.1f}  {name}")
