"""The result model: verdicts, and the results of claims and of runs; and the phrases that describe them."""
