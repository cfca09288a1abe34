"""Claims within a scope as constraints: a solver answers the same question as the exhaustive route."""
