"""Claims within a finite scope as constraints for a solver. It answers the same question as the exhaustive search."""
