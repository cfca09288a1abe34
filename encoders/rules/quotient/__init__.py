"""The rule of quotients: who wins any number of heaps, by the product of their elements in a finite monoid."""
