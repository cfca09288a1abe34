"""Check certificates with this page and Python alone: python3 check.py FILE... [--claims FOLDER...].

A certificate shows that the negation of an obligation, a formula over natural numbers, has no model.  Its atoms are
letters; lemmas are literals that exclude each other; each leaf of a tree of cases makes the formula false, or all
literals of a lemma true.  docs/certificates.md says why that is a proof.
"""

import hashlib
import json
import sys
from itertools import product
from pathlib import Path

Stream = str | list["Stream"]  # a natural number: a variable, or ["xor" | "and" | "times", stream, stream, ...]
Literal = tuple[bool, bool, list[tuple[int, Stream]], int]  # equation? true? terms, constant; no equation: sum <= 0


def demand(condition: bool, words: str) -> None:
    if not condition:
        raise ValueError(words)


def fits(x: object, form: object) -> bool:
    """Whether JSON data has a form: a type, a test, [form] for a list of such, (form, ...) of so many, {key: form}."""
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
FILE = {"format": int, "claim": str, "files": dict, "obligations": [lambda x: fits(x, CERTIFIED) or fits(x, TRUSTED)]}


def parts_of(s: Stream, *ops: str) -> list[str]:
    return [repr(s)] if isinstance(s, str) or s[0] not in ops else [x for part in s[1:] for x in parts_of(part, *ops)]


def bits(s: Stream, known: dict[str, tuple[int, ...]]) -> list[int]:  # of products we know just that they are natural
    parts = [] if repr(s) in known else [bits(x, known) for x in s[1:]]
    return [sum(x) % 2 if s[0] == "xor" else min(x) for x in zip(*parts)] if parts else list(known[repr(s)])


def check_states(literals: list[Literal], states: list[list[int | None]]) -> None:
    """States are carries as bits are read, lowest first: one is the first, none leads out of them, none accepts."""
    eq, true, known = [x[0] for x in literals], [x[1] for x in literals], {tuple(state) for state in states}
    names = {x for _, _, terms, _ in literals for _, s in terms for x in parts_of(s, "xor", "and")}
    demand(len(names) <= 14, "a lemma has more than 14 variables")
    of = dict(zip(names, zip(*product((0, 1), repeat=len(names)))))  # the bits of each, for all that they may be
    adds = ([[0] * 2 ** len(names), *([k * x for x in bits(s, of)] for k, s in terms)] for _, _, terms, _ in literals)
    letters = set(zip(*(map(sum, zip(*columns)) for columns in adds)))
    demand(tuple(c if e else c - 1 for e, _, _, c in literals) in known, "the first state of a lemma is missing")
    for state in known:  # of sum <= 0 the carry is that of sum - 1; None: not equal, whatever follows
        demand(all(c is not None or (e and not t) for c, e, t in zip(state, eq, true, strict=True)), "no such state")
        demand([c is not None and (c == 0 if e else c < 0) for c, e in zip(state, eq)] != true, f"{state} accepts")
        for add in letters:
            after = tuple(None if c is None or (e and (c + x) % 2) else (c + x) // 2 for c, e, x in zip(state, eq, add))
            demand(after in known or any(c is None and t for c, t in zip(after, true)), "a state is missing")


def check_sum(literals: list[Literal], summands: list[tuple[int, list[int], list[Stream]]]) -> None:
    """Each summand is at least 0 where the literals hold, and they add up to a negative constant."""
    total: dict[tuple[str, ...], int] = {}
    for coefficient, places, streams in summands:
        named = [literals[i] for i in places if 0 <= i < len(literals) and (literals[i][1] or not literals[i][0])]
        demand(len(named) == len(places) and (coefficient > 0 or any(eq for eq, *_ in named)), "a summand is no good")
        found: list[tuple[list[str], int]] = [([], coefficient)]
        for eq, true, terms, constant in (*named, *((True, True, [(1, s)], 0) for s in streams)):
            sign = -1 if true and not eq else 1
            factor = [([], sign * constant - (not true)), *((parts_of(s, "times"), sign * k) for k, s in terms)]
            demand(len(found) * len(factor) < 1_000_000, "a sum has too large a product")
            found = [([*x, *y], c * d) for (x, c), (y, d) in product(found, factor)]
        for x, c in found:
            total[tuple(sorted(x))] = total.get(tuple(sorted(x)), 0) + c
    demand(total.pop((), 0) < 0 and not any(total.values()), "a sum is no negative constant")


def value(f: object, known: dict[object, int], letters: int) -> int:
    """2 where a formula is true, 0 where it is false, 1 where the letters known do not tell."""
    if not isinstance(f, list):  # its form is looked at once, with nothing known
        demand(bool(known) or type(f) is bool or (type(f) is int and 0 < f <= letters), "its formula names no letter")
        return known.get(f, 1) if type(f) is int else 2 * bool(f)
    demand(bool(known) or f[:1] in (["and"], ["or"]) or (f[:1], len(f)) in ((["not"], 2), (["iff"], 3)), "no formula")
    parts, left, stop = list[int](), f[:0:-1], {"and": 0, "or": 2}.get(f[0])
    while left and not (known and parts[-1:] == [stop]):  # no further than is needed
        parts.append(value(left.pop(), known, letters))
    low, high = min([2, *parts]), max([0, *parts])
    return low if f[0] == "and" else high if f[0] == "or" else 2 - low if f[0] == "not" else max(low, 2 - high)


def check_tree(tree: object, given: list[int], f: object, letters: int, lemmas: list[dict[str, list[int]]]) -> None:
    """Of what is given, all cases end where the formula is false, or all literals of a lemma are true."""
    todo: list[tuple[object, dict[object, int]]] = [(tree, {abs(x): 2 * (x > 0) for x in given})]
    while todo:
        node, known = todo.pop()
        if isinstance(node, list):
            demand(len(node) == 3 and type(node[0]) is int and 0 < node[0] <= letters, "a tree splits on no letter")
            todo += [(node[1], {**known, node[0]: 2}), (node[2], {**known, node[0]: 0})]
            continue
        leaf = node if type(node) is int else 1
        demand(-len(lemmas) <= leaf <= 0, f"{str(node)[:40]} is no leaf of a tree")
        violated = leaf < 0 and all(known.get(abs(x)) == 2 * (x > 0) for x in lemmas[-leaf - 1]["literals"])
        demand(violated or (leaf == 0 and value(f, known, letters) == 0), f"the leaf {leaf} of a tree is open")


if __name__ == "__main__":
    split = sys.argv.index("--claims") if "--claims" in sys.argv else len(sys.argv)
    folders, count, trusted, refused = sys.argv[split + 1 :], 0, list[str](), list[str]()
    for place in sys.argv[1:split]:
        try:
            file, data = place, json.loads(Path(place).read_bytes())
            demand(fits(data, FILE) and data["format"] == 1, "it has not the form of certificates, format 1")
            for name, digest in data["files"].items() if folders else ():
                found = [hashlib.sha256(p.read_bytes()).hexdigest() for f in folders if (p := Path(f, name)).is_file()]
                demand(found[:1] == [digest], f"{name} is not there, or not what was certified")
            asked = data["obligations"]
            demand(0 < len({o["name"] for o in asked}) == len(asked), "it has no obligation, or two of one name")
            for o in (o for o in asked if "trusted" not in o):
                place, atoms, formula, letters = f"{file}: {o['name']}", o["atoms"], o["formula"], o["letters"]
                literals = {s * i: (a[0] == "eq", s > 0, *a[1:]) for i, a in enumerate(atoms, 1) for s in (1, -1)}
                demand(len(atoms) <= letters and value(formula, {}, letters) < 3, "it has fewer letters than atoms")
                for i, (given, lemma) in enumerate((x["literals"], x) for x in o["lemmas"]):
                    demand(all(0 < abs(x) <= (letters if "tree" in lemma else len(atoms)) for x in given), "no literal")
                    if "tree" in lemma:
                        check_tree(lemma["tree"], given, formula, letters, o["lemmas"][:i])
                        continue
                    check, how = (check_sum, "sum") if "sum" in lemma else (check_states, "states")
                    check([literals[x] for x in given], lemma[how])
                check_tree(o["tree"], [], formula, letters, o["lemmas"])
            trusted += [f"only trusted, to {o['trusted']}: {file}: {o['name']}" for o in asked if "trusted" in o]
            count += len(asked)
        except (ValueError, RecursionError, OSError) as error:
            refused.append(f"REFUSED {place}: {error}")
    counts = f"{count - len(trusted)} obligations certified, {len(trusted)} only trusted, {len(refused)} files refused"
    print(*trusted, *refused, counts, sep="\n")
    print("compared with the files of the claims" if folders else "NOT compared with the files of the claims: --claims")
    sys.exit(bool(refused) or count == 0)
