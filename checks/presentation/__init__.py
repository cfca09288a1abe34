"""The data that reports show about one claim: its result, statement, proof, warnings, hints, and theorem in Coq."""
