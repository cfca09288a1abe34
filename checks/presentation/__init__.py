"""From a settled claim to what is shown of it: statement, proof, hints, theorems."""
