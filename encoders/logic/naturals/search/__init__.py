"""The search for a certificate: proposed by Z3, shown by an automaton, by a sum, or case by case."""
