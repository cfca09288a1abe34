"""The search for a certificate: truth values, why the formula is true at them, and what excludes those literals."""
