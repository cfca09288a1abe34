"""The execution of a run: claims are settled one after another, or in parallel by worker processes."""
