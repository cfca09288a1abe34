"""The parts of a report about one claim: its result, statement, proof, warnings, hints, and theorem in Coq."""
