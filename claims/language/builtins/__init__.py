"""The operators and functions of the language: one table, one row for each.

A row says how its operation is typed, where it has a value and which, what it may refuse for its size, and how it is
written.  Nothing else needs to know of a new one: `docs/extending.md`.  `table` has the rows, `rows` says what
a row is, `conditions` when an operation has a value, `signatures` what types it takes, `meanings` what it comes to.
"""
