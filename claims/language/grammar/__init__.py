"""From the text of an expression to its syntax tree: Python's grammar, as far as the language has it."""
