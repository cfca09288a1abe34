"""The tests of `pytest -m smoke`: some of every room, in twenty seconds on two cores.

Each entry is the beginning of the names of some tests, below tests/.
"""

from pathlib import Path

TESTS = Path(__file__).parents[1]

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
    "unit/rules/test_reaches.py",
    "unit/folds/test_lemmas.py::test_what_it_does_not_say_is_not",
    "unit/referee/",
    "unit/exhaustive/test_columns.py",
    "unit/judgement/test_scopes.py",
    "unit/judgement/test_settle",
    "unit/results/test_basis.py",
    "unit/results/test_verdicts.py",
    "unit/browser/test_library_page.py::test_text_from_a_hostile_claim",
    "unit/reports/test_phrases.py",
    "unit/results/test_pictures_page.py",
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
    "premises/test_premises.py::test_without_the_premise_it_would_be_proved[cases",
    "premises/test_premises.py::test_without_the_premise_it_would_be_proved[value",
    "workshop/test_attacks.py::test_it_does_not_come_out_green[a",
    "workshop/test_suspects.py::test_a_suspect_can_be_made_again",
)


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
