"""Claims within a scope as constraints: the same question as the exhaustive route's, answered by a solver."""
