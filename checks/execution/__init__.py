"""The execution of a run: claims are settled in sequence, or in parallel by worker processes."""
