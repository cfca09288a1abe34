"""Check certificates with this file and Python only: python3 check.py PLACE... [--claims FOLDER...] [--steps N].

An obligation is a formula over the natural numbers. Its certificate shows that the negation has no model. The negation
is given as a Boolean formula, in which numbered *letters* stand for the atoms (equations and inequalities).
A *literal* is a letter or its negation. A *lemma* is a set of literals that cannot all be true. A *tree* distinguishes
cases by the truth of letters. At each leaf of the tree, the formula is false, or all literals of some lemma are true.
docs/certificates.md explains why this is a proof.
"""

import argparse
import base64
import hashlib
import json
import sys
import zlib
from itertools import product
from pathlib import Path

Stream = str | list["Stream"]  # a natural number: a variable, or ["xor" | "and" | "times", stream, stream, ...]
FIRST, BYTE, HEAP = 5_000_000, 100, 1_000  # limit of steps: constant, for each byte, for each heap of a table
MOST = 100_000_000  # the largest limit of steps for a file: about two minutes; --steps sets another limit
left, limit = [0], [0]  # the steps of a file: remaining, and all
Literal = tuple[bool, bool, list[tuple[int, Stream]], int]  # equation? true? terms, constant; no equation: sum <= 0


def demand(condition: bool, words: str) -> None:
    if not condition:
        raise ValueError(words)


def spend(steps: int) -> None:
    left[0] -= steps
    demand(left[0] >= 0, f"too large to check: it takes more than {limit[0]} steps; allow N steps with --steps N")


def width(*numbers: int | None) -> int:  # in words of 64 bits
    return 1 + max(((x or 0).bit_length() for x in numbers), default=0) // 64


def escape(text: str) -> str:  # a name must not add lines, and must be printable everywhere
    return text.encode("unicode_escape").decode("ascii")


def list_files(place: str) -> list[str]:
    """Return the paths of the files *.json in a folder and its subfolders. If there are none, return [place].

    Thus the result for a file is the path of this file.
    """
    return sorted(map(str, Path(place).rglob("*.json"))) or [place]


def fits(x: object, form: object) -> bool:
    """Return whether the JSON data `x` has a form.

    A form is a type, or a function that returns whether the data is valid. [form] stands for a list of any length,
    (form, form, ...) for a list of this length, and {key: form, ...} for an object with exactly these keys.
    """
    if isinstance(form, list):
        return isinstance(x, list) and all(fits(y, form[0]) for y in x)
    if isinstance(form, tuple):
        return isinstance(x, list) and len(x) == len(form) and all(map(fits, x, form))
    if isinstance(form, dict):
        return isinstance(x, dict) and set(x) == set(form) and all(fits(x[key], form[key]) for key in form)
    return form in (type(x), object) or (callable(form) and not isinstance(form, type) and bool(form(x)))


def is_stream(x: object) -> bool:
    some = isinstance(x, list) and len(x) > 2 and x[0] in ("xor", "and", "times") and all(map(is_stream, x[1:]))
    return some or isinstance(x, str)


FORMS = {"states": [[lambda x: x is None or type(x) is int]], "sum": [(int, [int], [is_stream])], "tree": object}
LEMMAS = [lambda x: any(fits(x, {"literals": [int], how: form}) for how, form in FORMS.items())]
ATOM = (lambda x: x in ("le", "eq"), [(int, is_stream)], int)
NAMED = {"name": str, "says": [str]}
CERTIFIED = NAMED | {"letters": int, "atoms": [ATOM], "formula": object, "lemmas": LEMMAS, "tree": object}
TRUSTED = NAMED | {"trusted": lambda x: x != [] and fits(x, [str])}
TAKES = {"end": [int], "one": [int], "two": [int], "equal": [int]}
NUMBERS = {"players": int, "last": int, "preperiod": int, "period": int, "saltus": int}
ROWS = [lambda x: fits(x, [int]) or type(x) is str]
TABLE = {"question": str, "misere": bool, "beyond": bool, "moves": [TAKES], "rows": ROWS, **NUMBERS}
COUNTED = {"last": int, "preperiod": int, "period": int}
QUOTIENT = {"misere": bool, "moves": TAKES, "products": [[int]], "lost": [int], "row": [int], **COUNTED}
ONE = (CERTIFIED, TRUSTED, NAMED | {"table": TABLE}, NAMED | {"quotient": QUOTIENT})
FILE = {"format": int, "claim": str, "files": dict, "obligations": [lambda x: any(fits(x, form) for form in ONE)]}


def parts_of(s: Stream, *ops: str) -> list[str]:
    todo, found = [s], list[str]()
    while todo:
        s = todo.pop()
        if isinstance(s, str) or s[0] not in ops:
            found.append(repr(s))
        else:
            todo += s[1:]
    return found


def bits(s: Stream, known: dict[str, tuple[int, ...]]) -> list[int]:  # a product is an arbitrary natural number here
    if isinstance(s, str) or s[0] == "times":
        return list(known[repr(s)])
    return [sum(x) % 2 if s[0] == "xor" else min(x) for x in zip(*(bits(x, known) for x in s[1:]))]


def check_states(literals: list[Literal], states: list[list[int | None]]) -> None:
    """Check a lemma whose proof is a finite automaton. It reads the binary digits of all variables, lowest bits first.

    A state consists of one carry for each literal. An accepting state would mean that all literals can be true. The
    list must contain the first state and all successors of its states, and no accepting state.
    """
    eq, true, known = [x[0] for x in literals], [x[1] for x in literals], {tuple(state) for state in states}
    parts = [x for _, _, terms, _ in literals for _, s in terms for x in parts_of(s, "xor", "and")]
    names = set(parts)
    demand(len(names) <= 14, "a lemma has more than 14 variables")
    numbers = [x for _, _, terms, c in literals for x in (c, *(k for k, _ in terms))]
    wide = width(*numbers, *(c for state in known for c in state))
    spend(wide * 2 ** len(names) * (len(parts) + len(literals)) + sum(map(len, parts)))
    of = dict(zip(names, zip(*product((0, 1), repeat=len(names)))))  # the bits of each variable, for all combinations
    adds = ([[0] * 2 ** len(names), *([k * x for x in bits(s, of)] for k, s in terms)] for _, _, terms, _ in literals)
    letters = set(zip(*(map(sum, zip(*columns)) for columns in adds)))
    demand(tuple(c if e else c - 1 for e, _, _, c in literals) in known, "the first state of a lemma is missing")
    spend(wide * len(known) * (1 + len(letters)) * (1 + len(literals)))
    for state in known:  # sum <= 0 uses the carry of sum - 1; None: not equal for all further bits
        demand(all(c is not None or (e and not t) for c, e, t in zip(state, eq, true, strict=True)), "no such state")
        demand([c is not None and (c == 0 if e else c < 0) for c, e in zip(state, eq)] != true, f"{state} accepts")
        for add in letters:
            after = tuple(None if c is None or (e and (c + x) % 2) else (c + x) // 2 for c, e, x in zip(state, eq, add))
            demand(after in known or any(c is None and t for c, t in zip(after, true)), "a state is missing")


def check_sum(literals: list[Literal], summands: list[tuple[int, list[int], list[Stream]]]) -> None:
    """Check a lemma whose proof is a sum: each summand is at least 0 if the literals hold, but the total is negative.

    A summand is a product of a coefficient, literals (as numbers that are at least 0) and streams (natural numbers).
    """
    total: dict[tuple[str, ...], int] = {}
    for coefficient, places, streams in summands:
        named = [literals[i] for i in places if 0 <= i < len(literals) and (literals[i][1] or not literals[i][0])]
        demand(len(named) == len(places) and (coefficient > 0 or any(eq for eq, *_ in named)), "a summand is invalid")
        found: dict[tuple[str, ...], int] = {(): coefficient}
        for eq, true, terms, constant in (*named, *((True, True, [(1, s)], 0) for s in streams)):
            sign = -1 if true and not eq else 1
            factor = [([], sign * constant - (not true)), *((parts_of(s, "times"), sign * k) for k, s in terms)]
            spend(sum(1 + len(part) for parts, _ in factor for part in parts))
            made: dict[tuple[str, ...], int] = {}
            for (x, c), (y, d) in product(found.items(), factor):
                spend(1 + len(x) + len(y) + width(c) * width(d))
                z = tuple(sorted((*x, *y)))
                made[z] = made.get(z, 0) + c * d
            found = {x: c for x, c in made.items() if c}
        for x, c in found.items():
            total[x] = total.get(x, 0) + c
    demand(total.pop((), 0) < 0 and not any(total.values()), "a sum is not a negative constant")


def value(f: object, known: dict[object, int], letters: int) -> int:
    """Return 2 if the formula `f` is true, 0 if it is false, 1 if the known letters do not determine its truth.

    `known`: the values of some letters, 0 or 2. `letters`: the number of letters.
    """
    if not isinstance(f, list):  # its form is checked once, when no letter is known
        demand(bool(known) or type(f) is bool or (type(f) is int and 0 < f <= letters), "its formula names no letter")
        return known.get(f, 1) if type(f) is int else 2 * bool(f)
    demand(bool(known) or f[:1] in (["and"], ["or"]) or (f[:1], len(f)) in ((["not"], 2), (["iff"], 3)), "no formula")
    spend(len(f))
    parts, rest, stop = list[int](), f[:0:-1], {"and": 0, "or": 2}.get(f[0])
    while rest and not (known and parts[-1:] == [stop]):  # stop when the value is determined
        parts.append(value(rest.pop(), known, letters))
    low, high = min([2, *parts]), max([0, *parts])
    return low if f[0] == "and" else high if f[0] == "or" else 2 - low if f[0] == "not" else max(low, 2 - high)


def check_tree(tree: object, given: list[int], f: object, letters: int, lemmas: list[dict[str, list[int]]]) -> None:
    """Check a tree, assuming that the literals `given` are true.

    At each leaf, the formula `f` must be false, or all literals of one of the `lemmas` must be true.
    """
    todo: list[tuple[object, dict[object, int]]] = [(tree, {abs(x): 2 * (x > 0) for x in given})]
    while todo:
        node, known = todo.pop()
        if isinstance(node, list):
            demand(len(node) == 3 and type(node[0]) is int and 0 < node[0] <= letters, "a tree splits on no letter")
            spend(2 * len(known) + 2)
            todo += [(node[1], {**known, node[0]: 2}), (node[2], {**known, node[0]: 0})]
            continue
        leaf = node if type(node) is int else 1
        demand(-len(lemmas) <= leaf <= 0, f"{str(node)[:40]} is not a leaf of a tree")
        spend(1 + len(lemmas[-leaf - 1]["literals"]) if leaf < 0 else 1)
        violated = leaf < 0 and all(known.get(abs(x)) == 2 * (x > 0) for x in lemmas[-leaf - 1]["literals"])
        demand(violated or (leaf == 0 and value(f, known, letters) == 0), f"the leaf {leaf} of a tree is open")


def count_heaps(obligation: dict[str, dict[str, int]]) -> int:
    """Return the sum of the keys preperiod, period and last of a table or quotient; 0 for other obligations.

    This number determines how many steps the check may take.
    """
    stated = obligation.get("table") or obligation.get("quotient") or {}
    return sum(max(0, stated.get(key, 0)) for key in ("preperiod", "period", "last"))


def unpack(row: str | list[int], size: int) -> list[int]:
    """Return the values of a row, which is either a list of values or a text in base64.

    The text contains compressed data (zlib): two bytes for each of `size` values, the low byte first.
    """
    spend(20 * size)  # before memory is allocated
    if isinstance(row, list):
        return row
    reader = zlib.decompressobj()
    data = reader.decompress(base64.b64decode(row, validate=True), 2 * size + 1)
    demand(len(data) == 2 * size and reader.eof and not reader.unused_data, "a row has the wrong length")
    return [low | high << 8 for low, high in zip(data[::2], data[1::2])]


def is_even(digits: int) -> bool:
    return digits.bit_count() % 2 == 0


def choose_mask(row: list[int]) -> int:
    """Return a number m, the *mask*, for which few heaps in `row` have rare values.

    A Grundy value v is *rare* if v & m has an even number of binary digits 1. If a nim-sum of two values is not rare,
    then exactly one of both values is rare. `add_pairs` uses this fact.
    """
    numbers = {v: row.count(v) for v in set(row)} if max(row) < 1024 else {}
    masks = range(1, 1 << max(numbers, default=0).bit_length())
    return min(masks, key=lambda mask: sum(n for v, n in numbers.items() if is_even(v & mask)), default=0)


def add_pairs(got: set[int], row: list[int], h: int, two: list[int], rare: list[int], mask: int) -> None:
    """Add to `got` the values of options of a heap of `h` that consist of two different heaps, as far as needed.

    All values that are not rare (see `choose_mask`) are added. For them, pairs with one heap from `rare` suffice. Of
    the rare values, only those up to the value of `h` are needed, but finding them may require all pairs.
    `row`: the values of heaps. `two`: the numbers of objects that a move may take if it leaves two different heaps.
    `rare`: the heaps below `h` with rare values. If `h` has a rare value, it is added to this list.
    """
    v = row[h]
    for rest in (h - taken for taken in two):
        got.update([row[a] ^ row[rest - a] for a in rare if a < rest and 2 * a != rest])
    todo, a = {u for u in range(v + 1) if is_even(u & mask) and u not in got}, 0
    while todo and 2 * a < h:  # continue to the end if the heap's own value is rare and missing
        a += 1
        found = {row[a] ^ row[b] for b in (h - taken - a for taken in two) if a < b}
        todo -= found
        got |= found
    spend((a + len(rare)) * len(two) // 8)
    if h and is_even(v & mask):
        rare.append(h)


def check_table(  # the parameters are the keys of its form
    question: str,
    players: int,
    misere: bool,
    moves: list[dict[str, list[int]]],
    last: int,
    beyond: bool,
    preperiod: int,
    period: int,
    saltus: int,
    rows: list[str | list[int]],
) -> None:
    """Check that the periodic values in a table are the values of the single heaps, for every heap below a bound.

    docs/proof-rules.md explains why this suffices for all heaps. The arguments are the entries of the table in the
    certificate file. Raises ValueError if the table is wrong.
    """
    n0, p, s, grundy = preperiod, period, saltus, question == "grundy"
    listed = [taken for x in moves for numbers in x.values() for taken in numbers]
    splits = any(x["two"] or x["equal"] for x in moves)
    demand(n0 >= 0 < p and 0 <= s <= p and last >= 0 and players > 1, "no preperiod, period or saltus")
    given = [unpack(row, n0 + p) for row in rows]
    demand(
        len(rows) == len(moves) in (1, players) and all(len(row) == n0 + p for row in given),
        "the rows have the wrong form",
    )
    most = [h if grundy else players - 1 for h in range(n0 + p)]
    demand(all(0 <= v <= m for row in given for v, m in zip(row, most)), "a value is out of range")
    demand(all(1 <= taken <= last for taken in listed), "a number that may not be taken: it must be from 1 to `last`")
    demand(
        grundy or (question == "value" and not splits),
        "the winners from single heaps do not determine the winner from two heaps",
    )
    demand(not grundy or (len(rows) == 1 and players == 2 and not misere), "these players have no Grundy values")
    demand(not (beyond and splits) and (not s or (beyond and grundy)), "no theorem supports such moves")
    demand(n0 > 0 or (not splits and all(set(x["end"]) == set(x["one"]) for x in moves)), "a preperiod of 0")
    demand(
        p % 2 == 0 or all(set(x["equal"]) <= set(x["two"]) for x in moves),
        "a move may leave two heaps only if they are equal, but the period is odd",
    )

    def value(mover: int, h: int) -> int:
        k = max(0, (h - n0) // p)
        return given[mover][h - k * p] + k * s

    bound = n0 + p + last
    if splits:
        bound += n0 + p * (1 if all(set(x["two"]) <= set(x["equal"]) for x in moves) else 2)
    elif beyond:  # small values occur below n1, and values made from them below n1 + p
        above = 1 + max(given[0]) if grundy else 0
        size = n0 + p * (above // s + 3 if s else 1)  # no larger heap has a value below `above` + s
        spend(size * len(rows))
        seen: dict[object, int] = {}
        for h in range(size):
            seen.setdefault(value(0, h) if grundy else tuple(row[h] for row in given), h)
        demand(not grundy or all(v in seen for v in range(above + s)), "a small value does not occur")
        first = [seen[v] + 1 - p * (v >= above) for v in range(above + s)] if grundy else [h + 1 for h in seen.values()]
        bound += max([0, *(h - n0 for h in first)])
    spend(bound * (4 + len(listed)))
    table = [[value(mover, h) for h in range(bound)] for mover in range(len(rows))]
    mask = choose_mask(given[0]) if splits else 0
    for mover, x in enumerate(moves):
        row, after, far, rare = table[mover], table[(mover + 1) % len(rows)], set[int](), list[int]()
        for h, v in enumerate(row):
            if beyond and h > last:
                far.add(after[h - last - 1])
            got = {after[h - taken] for taken in x["one"] if taken < h} | ({after[0]} if h in x["end"] else set())
            got |= {0 for taken in x["equal"] if h > taken + 1 and (h - taken) % 2 == 0}
            if splits:
                add_pairs(got, row, h, x["two"], rare, mask)
            spend(v if grundy else len(far))
            best = min(((u + 1) % players for u in got | far), default=0 if misere else players - 1)
            mex = v not in got and v not in far and all(u in got or u in far for u in range(v))
            demand(mex if grundy else v == best, f"a heap of {h} does not have the value {v}")


def check_quotient(  # the parameters are the keys of its form
    misere: bool,
    moves: dict[str, list[int]],
    last: int,
    products: list[list[int]],
    lost: list[int],
    preperiod: int,
    period: int,
    row: list[int],
) -> None:
    """Check a misère quotient: a monoid in which the product of the heaps' elements decides who wins.

    The function enumerates all possible pairs of the element of a position and the elements of its options.
    docs/proof-rules.md explains why this suffices. The arguments are the entries of the quotient in the certificate
    file. Raises ValueError if the quotient is wrong.
    """
    n, n0, p = len(products), preperiod, period
    spend(n**3 // 8)
    unit = n > 0 and products[0] == list(range(n)) and all(len(r) == n for r in products)
    demand(
        unit and all(0 <= x < n for r in (*products, lost, row) for x in r),
        "this is not a table of products with the unit 0",
    )
    demand(all(products[x][y] == products[y][x] for x in range(n) for y in range(x)), "the products do not commute")
    same = (products[products[x][y]] == [products[x][z] for z in products[y]] for x in range(n) for y in range(n))
    demand(all(same), "the products do not associate")
    demand(n0 > 0 < p and len(row) == n0 + p and row[0] == 0, "the row has the wrong form")
    demand(all(1 <= taken <= last for numbers in moves.values() for taken in numbers), "a number that may not be taken")
    demand(set(moves["two"]) == set(moves["equal"]), "equal heaps have different moves")
    bound = 2 * n0 + 2 * p + last
    spend(bound * (len(moves["one"]) + 1 + len(moves["two"]) * bound // 4))
    at = [row[h] if h < n0 + p else row[n0 + (h - n0) % p] for h in range(bound)]
    heaps = set[tuple[int, frozenset[int]]]()
    for h in range(1, bound):
        left_over = {0} if h in moves["end"] else set[int]()
        left_over |= {at[h - taken] for taken in moves["one"] if taken < h}
        for taken in moves["two"]:
            left_over |= {products[at[a]][at[h - taken - a]] for a in range(1, (h - taken) // 2 + 1)}
        heaps.add((at[h], frozenset(left_over)))
    none: tuple[int, frozenset[int]] = (0, frozenset())
    seen, todo, losing = {none}, [none], frozenset(lost)
    for x, options in todo:  # the element of a position, and the elements of its options
        demand(
            (x in losing) == (not options & losing and (bool(options) or not misere)),
            f"the winner is wrong for the element {x}",
        )
        spend(len(heaps) * (1 + len(options) // 4))
        for y, others in heaps:
            new = products[x][y], frozenset(products[y][z] for z in options) | frozenset(products[x][z] for z in others)
            if new not in seen:
                seen.add(new)
                todo.append(new)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description="Check certificates of proofs with Python alone.",
        epilog="Exit code 0: every file is accepted. 1: a file is refused, or a folder is empty. 2: wrong usage.",
    )
    parser.add_argument(
        "places", nargs="+", metavar="PLACE", help="a certificate file, or a folder of certificate files"
    )
    told = "compare the files of the claims in these folders with the certified files"
    parser.add_argument("--claims", nargs="+", default=list[str](), metavar="FOLDER", help=told)
    told = f"use at most N steps for each file; the default grows with the size of the file, up to {MOST}"
    parser.add_argument("--steps", type=int, metavar="N", help=told)
    options = parser.parse_args()
    folders, count, trusted, refused = options.claims, 0, list[str](), list[str]()
    compared, claims = set[str](), 0
    for file in (x for place in options.places for x in list_files(place)):
        place = file
        try:
            demand(not Path(file).is_dir(), "this folder contains no file *.json")
            raw = Path(file).read_bytes()
            data = json.loads(raw)
            demand(fits(data, FILE) and data["format"] == 1, "it is not a certificate file of format 1")
            own = any(f"/{x}".endswith(f"/{data['claim'].removesuffix('.toml')}.toml") for x in data["files"])
            demand(own or not folders, f"nothing to compare: it does not list the file of {data['claim']}")
            for name, digest in data["files"].items() if folders else ():
                found = [hashlib.sha256(p.read_bytes()).hexdigest() for f in folders if (p := Path(f, name)).is_file()]
                demand(found[:1] == [digest], f"{name} is missing, or differs from the certified file")
            asked = data["obligations"]
            size = FIRST + BYTE * len(raw) + HEAP * sum(map(count_heaps, asked))
            left[0] = limit[0] = min(size, MOST) if options.steps is None else options.steps
            demand(
                0 < len({o["name"] for o in asked}) == len(asked),
                "it contains no obligation, or two with the same name",
            )
            for o in (o for o in asked if "trusted" not in o):
                if "table" in o or "quotient" in o:
                    place = f"{file}: {o['name']}"
                    check_table(**o["table"]) if "table" in o else check_quotient(**o["quotient"])
                    continue
                place, atoms, formula, letters = f"{file}: {o['name']}", o["atoms"], o["formula"], o["letters"]
                literals = {s * i: (a[0] == "eq", s > 0, *a[1:]) for i, a in enumerate(atoms, 1) for s in (1, -1)}
                demand(len(atoms) <= letters and value(formula, {}, letters) < 3, "it has fewer letters than atoms")
                for i, (given, lemma) in enumerate((x["literals"], x) for x in o["lemmas"]):
                    demand(
                        all(0 < abs(x) <= (letters if "tree" in lemma else len(atoms)) for x in given),
                        "an invalid literal",
                    )
                    spend(1 + i // 100)
                    if "tree" in lemma:
                        check_tree(lemma["tree"], given, formula, letters, o["lemmas"][:i])
                        continue
                    check, how = (check_sum, "sum") if "sum" in lemma else (check_states, "states")
                    check([literals[x] for x in given], lemma[how])
                check_tree(o["tree"], [], formula, letters, o["lemmas"])
            trusted += [f"only trusted, to {o['trusted']}: {file}: {o['name']}" for o in asked if "trusted" in o]
            count += len(asked)
            compared, claims = compared.union(data["files"] if folders else ()), claims + 1
        except Exception as error:  # any error caused by an untrusted file refuses the file
            refused.append(f"REFUSED {place}: {str(error) or type(error).__name__}")
    print(*map(escape, (*trusted, *refused)), sep="\n", end="\n" if trusted or refused else "")
    print(f"{count - len(trusted)} obligations certified, {len(trusted)} only trusted, {len(refused)} files refused")
    told = f"compared with the files of the claims: {len(compared)} files of {claims} claims"
    none = "none" if folders else "--claims FOLDER compares them"
    print(told if compared else f"NOT compared with the files of the claims: {none}")
    sys.exit(bool(refused))
