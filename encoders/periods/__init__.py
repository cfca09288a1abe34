"""Values of single heaps that repeat: the table that says so, and whether one finite check shows it for every heap."""
