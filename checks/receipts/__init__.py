"""The files of a run that other people can check: receipts, certificates, and a checker that needs only Python."""
