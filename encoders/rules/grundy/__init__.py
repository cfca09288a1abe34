"""The proof rule "grundy": it proves a formula for the Grundy values of single heaps from the options of a heap."""
