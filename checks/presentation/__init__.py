"""The parts of a report about one claim: statement, proof, warnings, hints, theorems."""
