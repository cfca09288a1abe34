"""The files of a run that others can check: receipts, certificates, and a checker that needs only Python."""
