"""Read the files in a folder of claims, and return immutable, typed claims. See docs/claim-language.md."""
