"""One-line changes to the code, each of which some test must notice: `python -m tests.harness`."""
