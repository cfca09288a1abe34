"""Large scopes of heaps with parts, the rules and the claim made machine code."""
