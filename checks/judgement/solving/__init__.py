"""Solving one position, or a table of them: `asked` reads what is asked, `solver` finds the `solution`."""
