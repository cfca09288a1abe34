"""The small claims: what each comes to, and its text."""


def of(variables: str, then: str, when: str = "", more: str = "", kind: str = "forall") -> str:
    """A claim; `variables` as in 'x = "0..9"; s: heaps, size', with the scope behind a |."""
    domains, _, scope = variables.partition("|")
    parts = [f"[{kind}]", *domains.strip().split("; "), "[claim]"]
    parts += [f'if = "{when}"'] if when else []
    parts += [f'then = "{then}"']
    parts += ["[scope]", *scope.strip().split("; ")] if scope else []
    return f"{more}\n" + "\n".join(parts) + "\n"


X = 'x = "0..9"'
S = 's = "position" | s = { heaps = "0..3", size = "1..5" }'
XS = 'x = "0..4"; s = "position" | s = { heaps = "0..2", size = "1..3" }'
TAKE_FEW = 'ruleset = "few"'
NIM, ALIKE, SPLIT = ('ruleset = "nim"', 'ruleset = "alike"', 'ruleset = "split"')

CLAIMS = {
    # -- which case is the smallest, and how many there are
    "heaps before total": ("fails", of(S, "len(s) < 2 or (len(s) == 2 and sum(s) < 5)")),
    "total before heaps one by one": ("fails", of(S, "len(s) < 2 or sum(s) in (5, 6) or s[0] == 1"
                                                     .replace("(5, 6)", "[5, 6]"))),
    "positions before numbers": ("fails", of(XS, "x + len(s) < 4")),
    "positions before numbers declared before": ("fails", of('x = "0..4"; y = "0..4"; s = "position" '
        '| s = { heaps = "0..2", size = "1..3" }', "x + 2 * y + len(s) < 5")),
    "heaps before total, from part to part": ("fails", of('x = "0..9"; s = "position" '
        '| s = { heaps = "0..3", size = "1..4" }', "(x >= 5 or len(s) < 3) and (x < 5 or s != position([1, 4]))")),
    "sets as binary numbers, from part to part": ("fails", of('A = "subsets of 0..3"; s = "position" '
        '| s = { heaps = "0..3", size = "1..4" }', "A != {1} and A != {0, 2}")),
    "the second of two positions, from part to part": ("fails", of('x = "0..3"; s = "position"; u = "position" '
        '| s = { heaps = "0..2", size = "1..3" }; u = { heaps = "0..2", size = "1..3" }',
        "s != position([1]) or sum(u) + x != 3")),
    "two positions in boxes of their own": ("holds", of('s = "position"; u = "position" '
        '| s = { heaps = "0..1", size = "1..3" }; u = { heaps = "0..3", size = "1..2" }',
        "len(s) < 2 and all(h < 3 for h in u)")),
    "two positions": ("fails", of('s = "position"; u = "position" | s = { heaps = "0..2", size = "1..3" }; '
                                  'u = { heaps = "0..2", size = "1..3" }', "sum(s) + sum(u) < 4")),
    "sets as binary numbers": ("fails", of('A = "subsets of 0..3"', "not (0 in A and 1 in A) and 3 not in A")),
    "sets below 0": ("fails", of('A = "subsets of -2..1"', "len(A) < 2 or sum(A) < 0")),
    "the largest and the least value": ("holds", of('x = "2..7" | x = "0..9"', "2 <= x and x <= 7")),
    "a scope inside": ("holds", of('x = "2..7" | x = "3..5"', "3 <= x and x <= 5")),
    "a scope without upper bound": ("fails", of('x = "2.." | x = "0..9"', "x < 9")),
    "a box with lower bounds": ("holds", of('s = "position" | s = { heaps = "1..2", size = "2..3", total = "3..5" }',
                                            "1 <= len(s) and min(s) >= 2 and 3 <= sum(s) and sum(s) <= 5")),
    "a box whose last position fails": ("fails", of(S, "sum(s) < 15")),
    "a total that cuts": ("fails", of('s = "position" | s = { heaps = "0..3", size = "1..5", total = "2..9" }',
                                      "sum(s) < 9")),
    "players": ("fails", of('p = "player"; x = "0..2"', "p == A or x < 2", more=ALIKE)),
    "listed positions": ("fails", of("s = { in = [[3, 1], [2], [1, 1]] }", "sum(s) != 2")),
    "listed numbers": ("fails", of("x = { in = [4, 2, 7] }", "x < 3")),
    "elements of a position": ("fails", of('s = "position"; h = { in = "s" } | s = { heaps = "0..2", size = "1..3" }',
                                           "h < 3 or len(s) < 2")),
    "a bound that depends": ("fails", of('x = "0..4"; y = "x..2*x"', "y < 6")),
    "a bound that depends on a position": ("fails", of('s = "position"; y = "0..sum(s)" '
                                                       '| s = { heaps = "0..2", size = "1..3" }', "y < 4")),
    "existence": ("holds", of(XS, "x * len(s) == 4", kind="exists")),
    "no existence": ("fails", of(XS, "x * len(s) == 9", kind="exists")),
    "existence beside the ill-defined": ("unknown", of(X, "6 // (x - 1) == 3", kind="exists")),
    "existence before the ill-defined": ("holds", of(X, "6 // (x - 3) == -2", kind="exists")),
    # -- hypotheses
    "hypotheses hold at some": ("holds", of(XS, "x > 1", "x > 1 and len(s) == 1")),
    "hypotheses hold at none": ("holds", of(XS, "x > 100", "x > 100")),
    "hypotheses ill-defined": ("unknown", of(X, "True", "6 // (x - 3) < 9")),
    "a failure before the ill-defined": ("fails", of(X, "x != 1", "6 // (x - 3) < 9")),
    "the ill-defined before a failure": ("unknown", of(X, "x != 5", "6 // (x - 3) < 9")),
    "conclusion ill-defined outside the hypotheses": ("holds", of(XS, "6 // (x - 3) < 9", "x != 3")),
    "conclusion ill-defined inside": ("unknown", of(XS, "6 // (x - 3 + len(s)) < 9", "x != 3")),
    "conclusion ill-defined in some rows and columns": ("holds", of(XS, "6 // (x - sum(s)) < 9", "x != sum(s)")),
    # -- no further than they must
    "and": ("fails", of(X, "x > 0 and 6 // x > 0")),
    "and, in the wrong order": ("unknown", of(X, "6 // x > 0 and x > 0")),
    "or": ("holds", of(X, "x == 0 or 6 // x >= 0")),
    "or, in the wrong order": ("unknown", of(X, "6 // x >= 0 or x == 0")),
    "three parts": ("unknown", of(X, "x > 6 or 6 // (x - 5) < 9 or x == 5")),
    "a choice": ("holds", of(X, "(6 // x if x > 0 else 0) < 7")),
    "a choice, the wrong way": ("unknown", of(X, "(6 // x if x != 1 else 0) < 7")),
    "a choice by what is ill-defined": ("unknown", of(X, "(1 if 6 // x > 0 else 2) < 3")),
    "a choice of lists": ("holds", of(X, "len([x] if x > 4 else [x, x]) == (1 if x > 4 else 2)")),
    "a definition that does not look": ("unknown", of(X, "f(6 // x) == 1", more='[define]\n"f(y)" = "1"')),
    "any stops": ("unknown", of(X, "any(6 // (y - 2) == 6 for y in range(x)) or x < 3")),
    "any stops before": ("holds", of(X, "any(6 // (y - 2) == -6 for y in range(x)) or x < 2")),
    "all stops": ("fails", of(X, "all(6 // (y - 2) == -3 for y in range(x))")),
    "all does not stop": ("unknown", of(X, "all(6 // (y - 2) < 0 for y in range(x))")),
    "conditions": ("holds", of(X, "all(6 // (y - 2) < 9 for y in range(x) if y != 2)")),
    "two conditions": ("holds", of(X, "all(y > 2 and y % 2 == 0 for y in range(x) if y > 2 if y % 2 == 0)")),
    "conditions in order": ("holds", of(X, "all(y > 0 for y in range(x) if y > 0 if 6 // y >= 0)")),
    "conditions in the wrong order": ("unknown", of(X, "all(y > 0 for y in range(x) if 6 // y >= 0 if y > 0)")),
    "ill-defined behind a condition that fails": ("unknown", of(X, "count(6 // (y - 2) > 0 for y in range(x)) < 9")),
    "a source": ("unknown", of(X, "any(y > 9 for y in range(6 // x)) or True")),
    "two clauses": ("fails", of(X, "sum(y * z for y in range(x) for z in range(y)) < 99")),
    "a running condition of the outer clause": ("holds", of(X, "all(6 // y >= 0 for y in range(x) if y > 0 "
                                                              "for z in range(y))")),
    # -- numbers
    "division": ("unknown", of(X, "x % (x - 3) < 9")),
    "division by negatives": ("fails", of(X, "(x - 5) // (0 - 2) <= 2 and (x - 5) % (0 - 2) > -1")),
    "nim-addition of a negative": ("unknown", of(X, "((x - 5) ^ 3) < 99 or True", "x < 8")),
    "nim-addition to a negative": ("unknown", of(X, "(3 ^ (7 - x)) < 99")),
    "fractions": ("unknown", of(X, "1 / (x - 3) < 9")),
    "sums beyond 64 bits": ("holds", of(X, "x + 9223372036854775807 > x")),
    "sums of large ones": ("holds", of(X, "(x + 4000000000000000000) + 4000000000000000000 + 4000000000000000000 > x")),
    "differences beyond 64 bits": ("holds", of(X, "0 - x - 4 * 10 ** 18 - 4 * 10 ** 18 - 4 * 10 ** 18 <= 0")),
    "products beyond 64 bits": ("holds", of(X, "x * 3037000500 * 3037000500 * 4 >= x")),
    "products of negatives": ("holds", of(X, "(x - 9) * (x * 5 * 10 ** 17) <= 0")),
    "powers beyond 64 bits": ("holds", of(X, "x ** 40 >= x")),
    "powers of negatives": ("fails", of(X, "(0 - 2) ** x <= 100")),
    "negative exponents": ("unknown", of(X, "2 ** (x - 3) > 0")),
    "the top bit of 0": ("unknown", of(X, "top_bit(x) >= 0")),
    "the top bit of 54 bits and more": ("holds", of(X, "top_bit(2 ** (50 + x) - 1) == 49 + x")),
    "roots": ("holds", of(X, "isqrt((2 ** 29 + x) ** 2 - 1) == 2 ** 29 + x - 1")),
    "roots of negatives": ("unknown", of(X, "isqrt(x - 5) < 9")),
    "digits": ("holds", of(X, "bit(x, 60 + x) == 0 and bit(x, 0) == x % 2")),
    "digits of negatives": ("unknown", of(X, "bit(5 - x, 1) < 2")),
    "digits below the first": ("unknown", of(X, "bit(5, 5 - x) < 2")),
    "common digits": ("fails", of(X, "bit_and(x, 5) + bit_and(5, x) != 10 and bit_and(3, x) <= x")),
    "common digits of negatives": ("unknown", of(X, "bit_and(5 - x, 3) < 99")),
    "common digits with negatives": ("unknown", of(X, "bit_and(3, 5 - x) < 99")),
    "columns": ("holds", of(XS, "columns(s, 2, 1) == nim_sum(s) and columns([x, x, x, 1], 3, 1) == 1 and "
                                "columns([x, 3, x], 3, 2) == bit_and(x, 4) and columns(s, 1, 1) == 0")),
    "columns of a set": ("fails", of(X, "columns({x, 3, 5 - x % 5}, 3, 1) != 6")),
    "columns of negatives": ("unknown", of(X, "columns([1, 5 - x], 3, 1) >= 0")),
    "columns modulo nothing": ("unknown", of(X, "columns([1, x], x, 1) >= 0")),
    "columns with no remainder": ("unknown", of(X, "columns([1, x], 3, x) >= 0")),
    "the larger of two": ("fails", of(X, "max(x, 3) < 7 and min(x, 3) < 4")),
    # -- collections
    "an index": ("unknown", of(XS, "len(s) == 0 or s[x] > 0")),
    "an index below 0": ("unknown", of(XS, "len(s) == 0 or s[0 - x] > 0")),
    "no such heap": ("unknown", of(XS, "len(replace(s, x, 1)) == len(s)", "len(s) > 0 and x < 4")),
    "a heap of 0": ("unknown", of(XS, "len(replace(s, x, 1)) == len(s)", "x == 0 and len(s) > 0")),
    "a heap replaced by a negative": ("unknown", of(XS, "len(replace(s, s[0], x - 1)) > 0", "len(s) > 1")),
    "one heap of two replaced": ("holds", of(XS, "sum(replace(s, s[0], x)) == sum(s) - s[0] + x", "len(s) > 0")),
    "a position of negatives": ("unknown", of(X, "len(position([5 - x, 1])) > 0")),
    "a position with an empty heap": ("holds", of(X, "len(position([x, 1])) == (1 if x == 0 else 2)")),
    "the largest of nothing": ("unknown", of(X, "max(range(x)) == x - 1")),
    "the least of nothing": ("unknown", of(X, "min(y for y in range(x) if y > 2) == 3", "x != 0")),
    "the nim-sum of negatives": ("unknown", of(X, "nim_sum([7 - x, 1]) < 99")),
    "the nim-sum of negatives running": ("unknown", of(X, "nim_sum(5 - y for y in range(x)) < 99")),
    "sums of many": ("holds", of(X, "sum(2 ** 60 for y in range(x)) == x * 2 ** 60")),
    "sums of a list": ("holds", of(X, "sum([2 ** 61, 2 ** 61 - x, 2 ** 61, 2 ** 61]) == 2 ** 63 - x")),
    "empty ranges": ("holds", of(X, "len(range(5, x)) == max(x - 5, 0)")),
    "sets": ("fails", of(X, "len({y % 3 for y in range(x)}) < 3")),
    "equal lists and sets": ("holds", of(X, "([x, 1] == [1, x]) == (x == 1) and {x, 1} == {1, x}")),
    "lists of other lengths": ("fails", of(X, "[y for y in range(x)] != [0, 1, 2]")),
    "how often": ("fails", of(XS, "s.count(x) < 2 and (x in s) == (s.count(x) > 0)")),
    "the least that is missing": ("fails", of(X, "mex(y * 2 for y in range(x)) < 2 and mex([0, 1, x]) < 3")),
    "ways of negatives": ("unknown", of(X, "sum(nim_sum_ways([1, 5 - x], 2)) >= 0")),
    "ways of fewer than no draws": ("unknown", of(X, "sum(nim_sum_ways([1, 1], 5 - x)) >= 0")),
    "ways": ("holds", of(X, "nim_sum_ways([1, 1], x)[0] == (1 if x == 0 else 2 ** (x - 1))")),
    # -- games
    "ill-defined at an option": ("unknown", of(S, "any(6 // nim_sum(u) == 6 for u in options(s)) or True", more=NIM)),
    "options under a condition": ("fails", of(S, "all(nim_sum(u) > 0 for u in options(s) if sum(u) > 1)", more=NIM)),
    "options and a number": ("fails", of(XS, "any(nim_sum(u) == x for u in options(s)) or len(s) < 2", more=NIM)),
    "options and a definition": ("fails", of(XS, "any(f(u) for u in options(s)) or len(s) < 2",
                                             more=NIM + '\n[define]\n"f(u)" = "nim_sum(u) == x"')),
    "the number of options": ("fails", of(S, "len(options(s)) < 9", more=NIM)),
    "legal moves": ("fails", of(XS, "legal(s, position([x])) == (sum(s) > x)", "len(s) == 1 or x > 0", more=NIM)),
    "a player too many": ("unknown", of('x = "0..4"; s = "position" | s = { heaps = "0..2", size = "1..2" }',
                                        "value(s, x) < 3", more="ruleset = 'large-nim(n = 3)'")),
    "a parameter outside": ("unknown", of(XS, "wins(s, P1) or True", more="ruleset = 'kl-nim(k = 3 - x, l = 1)'")),
    "a parameter outside, first asked of where it is inside": ("unknown", of(XS,
        "(x >= 1 and wins(s, P1)) or wins(s, P1) or True", more="ruleset = 'kl-nim(k = x, l = 1)'")),
    # -- a case where a parameter lies outside its domain has no truth value, whatever is asked there
    "below, of a game that nobody asks": ("unknown", of('k = "0..3"', "k >= 0", more=TAKE_FEW)),
    "above, of a game that nobody asks": ("unknown", of('k = "1..4"', "k >= 1", more=TAKE_FEW)),
    "outside, where the hypotheses fail": ("unknown", of('k = "0..3"', "k >= 1", "k >= 1", more=TAKE_FEW)),
    "outside, where the hypotheses have no value": ("unknown", of('k = "0..3"', "k >= 1", "6 // k > 0", more=TAKE_FEW)),
    "outside behind another game": ("unknown", of('k = "0..3"', "k >= 0", more="[games]\none = 'nim'\ntwo = 'few'")),
    "a failure before one outside": ("fails", of('k = "1..4"', "k != 2", more=TAKE_FEW)),
    "one outside before a failure": ("unknown", of('k = "0..3"', "k != 2", more=TAKE_FEW)),
    "existence before one outside": ("holds", of('k = "1..5"', "k == 2", more=TAKE_FEW, kind="exists")),
    "existence beside one outside": ("unknown", of('k = "0..3"', "k == 2", more=TAKE_FEW, kind="exists")),
    "inside by the domain": ("holds", of('k = "1..3"', "k >= 1", more=TAKE_FEW)),
    "inside by a list": ("holds", of("k = { in = [3, 1] }", "k >= 1", more=TAKE_FEW)),
    "outside by a list": ("unknown", of("k = { in = [3, 4] }", "k >= 1", more=TAKE_FEW)),
    "inside by the variable before": ("holds", of('j = "1..2"; k = "j..j+1"', "k >= 1", more=TAKE_FEW)),
    "outside by the variable before": ("unknown", of('j = "1..2"; k = "j..j+2"', "k >= 1", more=TAKE_FEW)),
    "below by the variable before": ("unknown", of('j = "0..2"; k = "j..3"', "k >= 0", more=TAKE_FEW)),
    "inside by a sum": ("holds", of(X, "x >= 0", more="ruleset = 'few(k = x % 3 + 1)'")),
    "outside by a sum": ("unknown", of('x = "0..2"', "x >= 0", more="ruleset = 'few(k = x + 2)'")),
    "outside by a product": ("unknown", of('x = "0..2"', "x >= 0", more="ruleset = 'few(k = 1 + x * 3)'")),
    "outside by a difference": ("unknown", of('x = "1..3"', "x >= 0", more="ruleset = 'few(k = 3 - x)'")),
    "a parameter without a value": ("unknown", of('x = "0..3"', "x >= 0", more="ruleset = 'few(k = 3 // x)'")),
    "outside before one without a value": ("unknown", of('x = "0..3"', "x >= 0",
                                                        more="ruleset = 'few(k = 4 + 0 // (x - 2))'")),
    "a set that has no value": ("unknown", of('x = "0..3"', "x >= 0", more="ruleset = 'subtraction(S = {1, 3 // x})'")),
    "a set that has one": ("holds", of('x = "1..3"', "x >= 0", more="ruleset = 'subtraction(S = {1, 3 // x})'")),
    "outside at some positions": ("unknown", of(XS, "True", more="ruleset = 'few(k = x + len(s))'")),
    "players' options differ": ("unknown", of(S, "grundy(s) >= 0", more=ALIKE)),
    "players' options differ at one heap": ("unknown", of('s = "position" | s = { heaps = "0..1", size = "1..2" }',
                                                          "grundy(s) >= 0", more=ALIKE)),
    "players' options differ under some parameters": ("unknown", of('k = "1..2"; l = "1..2"; s = "position" '
        '| s = { heaps = "0..1", size = "1..2" }', "grundy(s) >= 0", more='ruleset = "kl-nim"')),
    "they differ, but as many for each": ("unknown", of('s = "position" | s = { heaps = "0..1", size = "1..3" }',
                                                        "grundy(s) == sum(s) % 2", more='ruleset = "apart"')),
    "they differ below": ("unknown", of(S, "grundy(s) >= 0", "min(s) == 3 if len(s) > 0 else True", more=ALIKE)),
    "terminal positions": ("fails", of('p = "player"; s = "position" | s = { heaps = "0..2", size = "1..2" }',
                                       "terminal(s, p) == (len(s) == 0) and len(options(s, p)) < 3", more=ALIKE)),
    "values of heaps that split": ("fails", of(X, "grundy(position([x])) < 1", more=SPLIT)),
    "values of sums that split": ("fails", of(S, "grundy(s) < 1", more=SPLIT)),
}  # fmt: skip

OPTIONS = (  # under every pair of parameters, for both players
    "any(nim_sum(u) == 0 for u in options(s, p)) == (nim_sum(s) != 0)",
    "all(wins(u, P1) for u in options(s, p))",
    "any(not wins(u, P2) for u in options(s, P1)) == wins(s, P1)",
    "count(nim_sum(u) == k for u in options(s, p)) < l",
    "outcome(s) == N_position or len(s) == 0",
    "wins(s, p) or any(sum(u) > k for u in options(s, P1))",
    "any(6 // (nim_sum(u) - k) == l for u in options(s, p)) or len(s) < 2",
    "max(nim_sum(u) for u in options(s, p)) < 9",
    "implies(k == l, grundy(s) < 3)",
    "grundy(s) < 3",
)
