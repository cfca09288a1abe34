"""The files of a run that others can check: receipts, certificates, and the checker that needs only Python."""
