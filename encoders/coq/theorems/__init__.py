"""From a claim and its [proof] to one file for Coq."""
