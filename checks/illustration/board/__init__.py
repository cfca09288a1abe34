"""Claims as games: a claim that fails is defended by the reader and refuted by the page, move by move.

`turns` reads whose move it is from the terms of the claim, `words` says what is true of a position, `refusals` why a
move is not legal, `starts` where play begins in a claim that holds, `box` where else it can begin, and `layout` makes
the board of all that.  Every
position, move and truth value is the referee's.
"""
