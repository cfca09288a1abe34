"""Positions of at most one heap, solved in memory linear in the heap: by the moves on one heap, heap after heap.

`reading` finds in the terms of a ruleset, by `atoms`, the `code` of its moves on one heap; `takes` and `splits` solve,
and `tables` sees that moves end, chooses, and looks at every move where there is no code.
"""
