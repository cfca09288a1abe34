"""The rule of Grundy values: a formula for the values of single heaps, proved by the options of a heap."""
