"""Short partizan games by their canonical forms: order, sums, numbers, mean values and temperatures."""
