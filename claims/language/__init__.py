"""The claim language: from files and expressions to typed claims."""
