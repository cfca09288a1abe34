"""Positions of at most one heap, solved in memory linear in the heap: by the moves on one heap, heap after heap.

`reading` finds in the terms of a ruleset, by `atoms`, the `code` of its moves on one heap, and `measure` that they end;
`takes`, `splits` and `listed` solve, and `tables` chooses among them.
"""
