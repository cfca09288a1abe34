"""The tests of `pytest -m smoke`: some of every room, in twenty seconds on two cores.

Each entry is the beginning of the names of some tests, below tests/.
"""

SMOKE = (
    "architecture/",
    "unit/language/test_domains_and_scopes.py",
    "unit/language/test_elaborate.py",
    "unit/language/test_games_of_a_claim.py",
    "unit/language/test_rulesets.py",
    "unit/language/test_type_rules.py",
    "unit/proofs/test_wrong_proofs.py::test_a_false_fact_is_no_fact",
    "unit/proofs/test_wrong_proofs.py::test_a_fact_that_contradicts_itself_proves_nothing",
    "unit/proofs/test_proof_premises",
    "unit/referee/",
    "unit/judgement/test_scopes.py",
    "unit/judgement/test_settle",
    "unit/results/test_basis.py",
    "unit/results/test_verdicts.py",
    "unit/reports/test_phrases.py",
    "unit/reports/test_report_files.py",
    "agreement/test_known_positions.py",
    "agreement/test_small_rulesets.py",
    "agreement/small/",
    "claims/test_library.py::test_each_claim_is_settled_as_its_file_expects[bash-nim/grundy]",
    "claims/test_library.py::test_each_claim_is_settled_as_its_file_expects[kl-nim/lemma-13]",
    "claims/test_library.py::test_each_claim_is_settled_as_its_file_expects[large-nim/theorem-1]",
    "claims/test_library.py::test_each_claim_is_settled_as_its_file_expects[nim/",
    "claims/test_library.py::test_each_receipt_can_be_replayed[nim/",
    "cli/test_commands.py::test_exit_codes",
    "cli/test_commands.py::test_run_writes_reports_and_receipts_that_replay",
    "golden/test_bad_files.py",
    "golden/test_reports.py",
    "harness/test_table.py",
    "premises/test_premises.py",
    "workshop/test_attacks.py::test_it_does_not_come_out_green[a",
    "workshop/test_suspects.py::test_a_suspect_can_be_made_again",
)
