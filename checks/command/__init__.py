"""The command line: what is asked there, the run, parts of one, and receipts settled again."""
