"""Tables that come with an answer, verified before the referee looks anything up in them.

Beside the trusted core and trusted with it: `breaking` reads from the rules how they act on one heap of any size,
`verification` compares every entry with them, `given` does so when a table is first asked for.  They need `claims`,
the referee and the standard library alone.
"""
