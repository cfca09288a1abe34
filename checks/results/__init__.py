"""The result model: verdicts, results of claims and of runs, and the phrases that describe them."""
