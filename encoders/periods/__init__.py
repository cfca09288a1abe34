"""Tables that determine the values of all heaps of a game: periodic Grundy values, and finite misère quotients."""
