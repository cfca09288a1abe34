"""What is written for Coq, so that its kernel checks again what was proved here."""
