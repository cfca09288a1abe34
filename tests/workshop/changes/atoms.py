"""Statements to add to a claim: true, false, true only at small cases, or undefined somewhere."""

from __future__ import annotations

import random

from .edits import FAR, Names

CONSTANTS = (0, 1, 2, 3, 5, 7, 39, 40, 41, 50)
# {S} a position, {k} an integer of the claim, {C} and {D} constants, {B} a big one, {p} and {q} ", mover" or nothing
OF_POSITIONS = (
    "count(h >= {C} for h in {S}) <= count(h >= {D} for h in {S})",
    "count(h == {C} for h in {S}) == {S}.count({D})",
    "count(1 // (h - {C}) >= 0 for h in {S}) >= 0",
    "nim_sum(h % (h - {C}) for h in {S}) >= 0",
    "count(len([h % 2, 0]) == 2 for h in {S}) == count(len({{h % 2, 0}}) == 2 for h in {S})",
    "nim_sum([h % 2 for h in {S}]) == nim_sum({{h % 2 for h in {S}}})",
    "sum([h for h in {S}]) == sum({{h for h in {S}}})",
    "all(h < {B} for h in {S})",
    "count({k} == {k} for {k} in {S}) == {S}.count({k})",
    "count(h == {k} for h in {S}) == count({k} == {k} for {k} in {S})",
    "count(count(g == h for g in {S}) == 1 for h in {S}) == count(count(h == h for g in {S}) == 1 for h in {S})",
    "count(any(g > h for g in {S}) for h in {S}) < len({S}) or len({S}) == 0",
    "{S}[3] >= 0",
    "max({S}) >= 0",
    "min({S}) >= 1",
    "mex({S}) >= 0",
    "{S}[len({S}) - 1] == max({S})",
    "sum({S}) < {B}",
    "sum(h - {C} for h in {S}) >= sum({S}) - {D} * len({S})",
    "nim_sum(h - {C} if h > {D} else 0 for h in {S}) <= nim_sum(max(h - {D}, 0) for h in {S})",
    "nim_sum(h - {C} for h in {S} if h >= {D}) >= 0",
    "nim_sum(abs(h - {C}) for h in {S}) >= 0",
    "nim_sum(h % 16 for h in {S}) == nim_sum({S}) % 16 or len({S}) < {D}",
    "sum(h // {C} for h in {S}) <= sum({S})",
    "implies(len({S}) <= {C}, nim_sum({S}) == 0)",
    "count(h >= 1 for h in {S}) == count(not (h % 2 == 0) for h in {S}) + count(h % 2 != 1 for h in {S} if h > {C})",
    "len({S}) <= 6",
    "legal({S}, replace({S}, max({S}), 0){p})",
    "terminal({S}{p}) or len({S}) > 0",
    "any(wins(t{q}) for t in options({S}{p}))",
    "all(nim_sum(t) != {C} for t in options({S}{p}))",
    "any(nim_sum(t) == {C} for t in options({S}{p}))",
    "wins({S}{p}) == wins({S}{q})",
    "wins({S}{p})",
    "not wins({S}{p})",
    "outcome({S}) == N_position",
    "grundy({S}) >= {C}",
    "grundy({S}) == nim_sum(h for h in {S})",
    "value({S}, {C}) >= 0",
    "value({S}{p}) >= 0",
    "{{t for t in options({S}{p}) if nim_sum(t) == {C}}} == {{replace({S}, h, h ^ {C}) for h in {S} if (h ^ {C}) < h}}",
    "{{t for t in options({S}{p}) if nim_sum(t) != {C}}} == {{t for t in options({S}{q}) if nim_sum(t) == {D}}}",
    "{{h for h in {S}}} == {{h for h in {S} if h != {C}}}",
    "{{h // 2 for h in {S}}} == {{h for h in {S}}}",
    "count(wins(position([h]){p}) for h in {S}) == count(not wins(position([h]){q}) for h in {S})",
    "nim_sum(grundy(position([h])) for h in {S}) == nim_sum(grundy(position([{C}])) for h in {S})",
    "nim_sum(-h for h in {S}) >= 0",
    "count(h for h in [True]) == 1",
    "len({S}) in [{C}, {D}]",
    "len({S} + [{C}, {D}]) <= len({S}) + 2",
    "nim_sum({S} + [{k}]) == nim_sum({S}) + {C}",
    "nim_sum([{C}] + {S}) == (nim_sum({S}) ^ {D})",
    "wins({S} + {S}{p}) or sum({S} + {S}) == {C} * sum({S})",
    "wins({S} + [{C}]{p}) or wins({S} + [{D}]{q})",
    "max({S} + [{C}]) >= {D}",
    "{S} + [{C}] == [{D}] + {S}",
    "all(h != {D} for h in {S} + [{C}]) or {C} < {D}",
    "s.count({D}) + count(h == {C} for h in {S} + {S}) >= (s + [{k}]).count({C})",
    "len({S}) not in [{C}, {D}] or wins({S}{p})",
    "implies(len({S}) in range({C}, {D}), sum({S}) >= {C})",
    "any(h in [{C}, {D}] for h in {S})",
    "sum(max(h - {C}, 0) for h in {S}) + {C} * len({S}) >= sum({S})",
    "sum(h % 2 for h in {S}) == count(h % 2 == {C} for h in {S})",
    "sum({S}) % 2 == nim_sum({S}) % 2 or len({S}) > {C}",
    "nim_sum(h // {C} // 2 for h in {S}) == nim_sum(h // (2 * {C}) for h in {S})",
    "nim_sum(isqrt(h) for h in {S}) <= nim_sum({S}) + {C}",
    "count(isqrt(h) * isqrt(h) == h for h in {S}) <= len({S}) - {C}",
    "count(gcd(h, {C}) == 1 for h in {S}) <= len({S})",
    "count(is_prime(h) for h in {S}) <= {S}.count({C}) + count(h % 2 == 1 for h in {S})",
    "sum(popcount(h) for h in {S}) <= sum({S})",
    "sum(valuation(h - {C}, 2) for h in {S}) >= 0",
    "bit_or({C}, len({S})) >= {D}",
    "all(not wins(t{q}) or len(t) != {C} for t in options({S}{p}))",
)
OF_INTEGERS = (
    "{k} >= 0",
    "{k} >= 1",
    "{k} != {C}",
    "{k} < {B}",
    "1 // ({k} - {C}) <= 1",
    "{k} % ({k} - {C}) >= {k} - {k}",
    "isqrt({k} - {C}) >= 0",
    "top_bit({k} - {C}) >= 0",
    "bit({k}, {k} - {C}) <= 1",
    "({k} ^ {C}) >= 0",
    "2 ** {k} > {k}",
    "2 * sum(i for i in range(0, {k} + 1)) == {k} * ({k} + 1) or {k} < {C}",
    "sum(i for i in range({C}, {k})) >= sum(i for i in range({D}, {k}))",
    "count(i % 2 == 0 for i in range(0, 2 * {k} + {C})) == {k}",
    "any(i * i >= {k} for i in range(0, {k} + {C}))",
    "isqrt({k} * {k} + {C}) == {k}",
    "3 ** ({k} + 1) == 3 * 3 ** ({k} + {C})",
    "{k} % 32 == {k} - 32 * ({k} // 32)",
    "({k} - {C}) % 8 == ({k} + {D}) % 8",
    "abs({k} - {C}) ^ abs({C} - {k}) == 0",
    "{k} // ({k} - {C}) <= {k}",
    "{k} / {C} >= 0",
    "[{k}, 1][{k} - {C}] >= 0",
    "max(range({C}, {k})) <= {k}",
    "all(i < {k} for i in range({k}))",
    "wins(position([{k} - {C}]){p}) or {k} < {C}",
    "{k} < {C} or wins(position([{k} - {C}]){p})",
    "wins(position([{k}, {C}]){p}) or {k} == {C}",
    "grundy(position([{k}])) == grundy(position([{k} + {C}]))",
    "wins(position([{k}]), {C})",
    "value(position([{k}]), {C}) >= 0",
    "{{i for i in range({C}, {k})}} == {{i for i in range({C}, {k} + {D})}}",
    "{{i for i in range(0, {k})}} == {{i for i in [0, 1, 2]}}",
    "{k} in [{C}, {D}]",
    "gcd({k}, {C}) <= max({k}, {C})",
    "gcd({k} + {C}, {k}) == gcd({C}, {k})",
    "is_prime({k}) or {k} % 2 == 0 or {k} < {C}",
    "popcount({k}) <= {k} - {C}",
    "popcount(2 * {k} + 1) == popcount({k}) + {C}",
    "bit_or({k}, {C}) + bit_and({k}, {C}) == {k} + {C}",
    "valuation({k} - {C}, 2) == 0 or {k} % 2 == 0",
    "valuation(6 * {k}, 3) == valuation({k}, 3) + {C}",
    "digit_sum({k}, 10) <= {k} + {C}",
    "digit_sum(10 * {k} + 3, 10) == digit_sum({k}, 10) + {C}",
    "all({k} % (d * d) != 0 for d in range(2, {k} + {C}))",
    "any({k} % d == 0 for d in range({C}, {k}))",
    "{k} // {C} // 2 == {k} // (2 * {C})",
    "isqrt({k}) ** 2 <= {k} and {k} < (isqrt({k}) + {C}) ** 2",
    "grundy(position([{k} + {C}])) == grundy(position([{k}])) + {D}",
    "grundy(position([{k} + {C}, {D}])) != 0",
    "grundy(position([{k}])) <= {C}",
    "wins(position([{k}]){p}) or {k} % {C} != 0",
)
CONTEXTS = (
    "({then}) and ({atom})",
    "({then}) and ({atom})",
    "({then}) and ({atom})",
    "({atom}) and ({then})",
    "({atom}) and ({then})",
    "({then}) or ({atom})",
    "({atom}) or ({then})",
    "implies({atom}, {then})",
    "iff({atom}, {then})",
    "({then}) if ({atom}) else ({then})",
    "{atom}",
)


def atom(rng: random.Random, names: Names) -> str:
    """Return a statement about the variables of the claim."""
    if names.positions and rng.random() < 0.3:
        return twins(rng, names)
    forms = [*(OF_POSITIONS * bool(names.positions)), *(OF_INTEGERS * bool(names.integers))] or ["{C} < {D}"]
    movers = [f", {p}" for p in names.players] * 2 + ["", "", f", {rng.choice((0, 1, 2, 5))}"]
    far = rng.random() < 0.3
    return rng.choice(forms).format(
        S=rng.choice(names.positions or ["s"]),
        k=rng.choice(names.integers or ["1"]),
        C=rng.choice(FAR[:4] if far else CONSTANTS),
        D=rng.choice(CONSTANTS),
        B=rng.choice(FAR),
        p=rng.choice(movers),
        q=rng.choice(movers),
    )


BODIES = (  # of a count or a nim-sum over h, each with a constant {c} that distinguishes it from its twin
    "h >= {c}",
    "h % 2 == {c} % 2",
    "(h ^ {c}) < h",
    "len([h, {c}]) == len({{h, {c}}})",
    "any(i == {c} for i in range(h))",
    "any(g > h + {c} for g in {S})",
    "{S}.count({c}) == 1",
    "wins(position([h, {c}]){p})",
    "wins(position([{c}]){p})",
    "terminal(position([h]){p}) or h > {c}",
    "max(h, {c}) == h",
    "h in [{c}, 5]",
    "h in range({c})",
    "({k} if h > {c} else h) == h",
    "1 // (h - {c}) == 0",
    "h / 2 == {c}",
    "implies(h > {c}, h == h)",
)


def twins(rng: random.Random, names: Names) -> str:
    """Return an equation of two counts or nim-sums that differ in one constant."""
    one, other = rng.sample((0, 1, 2, 3, 5, 39, 40, 41), 2)
    body = rng.choice(BODIES)
    form = rng.choice(
        ("count({b} for h in {S})", "nim_sum(h for h in {S} if {b})", "nim_sum(1 if {b} else h for h in {S})")
    )
    fill = {"S": rng.choice(names.positions or ["s"]), "k": rng.choice(names.integers or ["1"])}
    fill["p"] = rng.choice(["", *(f", {p}" for p in names.players)])
    left, right = (form.format(b=body.format(c=c, **fill), **fill) for c in (one, other))
    return f"{left} {rng.choice(('==', '<=', '>='))} {right}"


def slipped_in(rng: random.Random, names: Names, then: str) -> str:
    """Return the conclusion combined with such a statement."""
    return rng.choice(CONTEXTS).format(then=then, atom=atom(rng, names))
