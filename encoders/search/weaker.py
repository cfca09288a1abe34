"""Variations of a claim: stronger claims, and claims with a further condition.

A stronger claim differs in one hypothesis, domain or constant. The results are texts of claim files. Exhaustive search
and proofs settle them like other claims.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

from claims.language.files.claim import Claim
from claims.language.files.domains import IntervalDomain, Range, read_literal
from claims.language.files.toml import Data
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION
from encoders.refusals import Unsupported
from encoders.search.refusals import Refusal
from encoders.search.writing import quote

MOST_PLACES = 5  # occurrences of a number in the texts of a claim that may be replaced by a variable
MOST_STEPS = 3  # the limit for moving a bound
MOST_SPELLED = 2  # heaps that may be replaced by integers
_WORD = re.compile(r"[A-Za-z_]\w*")
_LOOSER = {"lt": ("le",), "gt": ("ge",), "eq": ("le", "ge")}
_SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=="}
_LEFT_OUT = ("short", "uses", "repairs", "expect", "notes", "caveat", "pictures", "proof", "variants")
FORALL, TEXTS = "forall", ("if", "then")


@dataclass(frozen=True)
class Condition:
    """A further hypothesis.

    `words`: the condition as text for a claim file.
    `bounds`: whether the condition bounds an integer or the sizes of heaps. A claim with such a condition may be true
    in the scope only because few cases remain.
    `few`: the position and the bound, if the condition bounds the number of heaps of a position by 1 or 2; otherwise
    None.
    """

    words: str
    bounds: bool = False
    few: tuple[str, int] | None = None


@dataclass(frozen=True)
class Changed:
    """A claim file that results from a change of another claim file.

    `words`: the description of the change.
    `data`: the entries of the new file.
    `condition`: the hypothesis that was added; None for another change.
    """

    words: str
    data: Data
    condition: Condition | None = None

    def write(self) -> str:
        """Return the text of the file."""
        return write_file(self.data)


def begin(claim: Claim, id: str) -> Data:
    """Return the entries of a new claim file that is derived from this claim.

    `id`: the id of this claim, which the locator of the new file mentions. Entries that describe only the original
    claim are omitted or replaced. Raises Unsupported for an [exists] claim.
    """
    if claim.quantifier != FORALL:
        raise Unsupported(Refusal.NOT_FORALL.say())
    data: Data = {key: _join_lines(x) for key, x in claim.source.data.items() if key not in _LEFT_OUT}
    data["scope"] = {key: x for key, x in data.get("scope", {}).items() if key != "deep"}
    data["work"], data["locator"], data["role"] = "found", f"made from {id}", "conjecture"
    data.setdefault("title", f"made from {id}")
    data["statement"] = f"{data['title']}."
    return data


def _join_lines(value: object) -> object:
    """Return an entry of a claim file with each text on one line. Texts with comments are unchanged."""
    if isinstance(value, dict):
        return {key: _join_lines(x) for key, x in value.items()}
    return " ".join(value.split()) if isinstance(value, str) and "#" not in value else deepcopy(value)


def tell(data: Data, words: str) -> Changed:
    """Return a changed claim file whose title and statement mention the change.

    `words`: the description of the change.
    """
    return Changed(words, data | {"title": f"{data['title']}, {words}", "statement": f"{data['title']}, {words}."})


def _edit(data: Data, words: str, **tables: Mapping[str, object] | None) -> Changed:
    """Return a changed claim file.

    In each given table, the given lines are added or replaced; a line with None is removed.

    `words`: the description of the change.
    """
    made = deepcopy(data)
    for name, lines in tables.items():
        for key, value in (lines or {}).items():
            made.setdefault(name, {})[key] = value
            if value is None:
                del made[name][key]
    made["claim"] = {key: made["claim"][key] for key in TEXTS if key in made["claim"]}
    return tell(made, words)


# -- stronger claims --------------------------------------------------------------------------------------------------
def list_stronger(claim: Claim) -> Iterator[Changed]:
    """Yield stronger claims, from large changes to small ones.

    A stronger claim omits or weakens one hypothesis, widens one domain, or has a variable instead of a number.
    """
    yield from _drop_hypotheses(claim)
    yield from _widen_domains(claim)
    yield from _generalize_numbers(claim)
    yield from _loosen_hypotheses(claim)


def _parts(claim: Claim) -> list[t.Term]:
    return [] if claim.hypothesis is None else list(t.conjuncts(claim.hypothesis))


def _print_claim_term(claim: Claim, term: t.Term) -> str:
    return print_term(term, max((g.ruleset.players for g in claim.games), key=len, default=()))


def _join(claim: Claim, parts: Sequence[t.Term]) -> str | None:
    return (
        _print_claim_term(claim, parts[0] if len(parts) == 1 else t.AllOf(BOOL, 0, 0, tuple(parts))) if parts else None
    )


def _drop_hypotheses(claim: Claim) -> Iterator[Changed]:
    parts, data = _parts(claim), claim.source.data
    if len(parts) > 1:
        yield _edit(data, "without hypotheses", claim={"if": None})
    for i, part in enumerate(parts):
        rest = _join(claim, [*parts[:i], *parts[i + 1 :]])
        yield _edit(data, f"without the hypothesis {_print_claim_term(claim, part)}", claim={"if": rest})


def _loosen_hypotheses(claim: Claim) -> Iterator[Changed]:
    """Yield claims in which one hypothesis is weaker: <= instead of <, or a bound that excludes one number less."""
    parts = _parts(claim)
    for i, part in enumerate(parts):
        for new in _loosen_comparison(part):
            told = f"with {_print_claim_term(claim, new)} for {_print_claim_term(claim, part)}"
            yield _edit(claim.source.data, told, claim={"if": _join(claim, [*parts[:i], new, *parts[i + 1 :]])})


def _loosen_comparison(part: t.Term) -> Iterator[t.Term]:
    if not isinstance(part, t.Operation) or part.op not in _SIGNS or part.args[0].type != INT:
        return
    a, b = part.args
    for op in _LOOSER.get(part.op, ()):
        yield replace(part, op=op)
    outward = {"le": 1, "lt": 1, "ge": -1, "gt": -1}.get(part.op, 0)
    for x, other, sign in ((b, a, outward), (a, b, -outward)):
        if isinstance(x, t.Literal) and sign and x.value + sign >= 0:
            moved = replace(x, value=x.value + sign)
            yield replace(part, args=(other, moved) if x is b else (moved, other))


def _widen_domains(claim: Claim) -> Iterator[Changed]:
    least = _least_of_parameters(claim)
    for v in claim.variables:
        if not isinstance(v.domain, IntervalDomain):
            continue
        low, high = v.text.split("..")[0].strip(), v.text.partition("..")[2].strip()
        lowest = least.get(v.name, 0)
        first = read_literal(v.domain.lo)
        if v.domain.hi is not None:
            yield _change_domain(claim, v.name, f"{low}..", v.text)
        tops = range(lowest, min(lowest + MOST_STEPS, lowest if first is None else first))
        for new in [lowest] if first is None else tops:
            yield _change_domain(claim, v.name, f"{new}..{high}", v.text)
        if first is None and low.replace(" ", "").endswith("+1"):
            yield _change_domain(claim, v.name, f"{low.rpartition('+')[0].strip()}..{high}", v.text)


def _least_of_parameters(claim: Claim) -> dict[str, int]:
    """Return the least admissible value of each variable that is the value of a parameter of a game."""
    found: dict[str, int] = {}
    for game in claim.games:
        known = {p.name: p for p in game.ruleset.parameters}
        for name, term in game.arguments:
            if isinstance(term, t.Variable) and known[name].kind == "int":
                found[term.name] = max(found.get(term.name, 0), known[name].lo)
    return found


def _change_domain(claim: Claim, name: str, domain: str, before: str) -> Changed:
    """Return the claim with another domain of one variable. Its scope is extended to some of the new cases.

    `before`: the old domain, as text.
    """
    low = re.match(r"\d+", domain)
    scope = claim.scope("quick").get(name)
    top = scope.hi if isinstance(scope, Range) else 9
    first = int(low[0]) if low else 0
    scopes = {name: f"{first}..{max(top, first + 3)}"}
    return _edit(claim.source.data, f"with {name} in {domain} for {before}", forall={name: domain}, scope=scopes)


def _generalize_numbers(claim: Claim) -> Iterator[Changed]:
    """Yield claims in which a variable replaces a number that is a parameter of the game, such as k = 3.

    The variable may also replace other occurrences of this number.
    """
    data = claim.source.data
    if len(claim.games) != 1 or not isinstance(data.get("ruleset"), str):
        return
    (game,) = claim.games
    for p in game.ruleset.parameters:
        term = dict(game.arguments)[p.name]
        if p.kind != "int" or not isinstance(term, t.Literal) or p.name in game.captured:
            continue
        name = _fresh(data, p.name)
        pattern = rf"(\b{p.name}\s*=\s*)({term.value})\b"
        ruleset, times = re.subn(pattern, rf"\g<1>{name}", data["ruleset"])
        if times != 1:
            continue
        domain = p.domain if p.domain.endswith("..") else f"{p.lo}.."
        for places in _choose_places(data, term.value):
            made = deepcopy(data)
            made["ruleset"] = ruleset
            made[FORALL] = {name: domain} | made.get(FORALL, {})
            made.setdefault("scope", {})[name] = f"{p.lo}..{max(term.value + 2, p.lo + 3)}"
            for keys, spans in places.items():
                made[keys[0]][keys[1]] = _replace(made[keys[0]][keys[1]], spans, name, term.value)
            yield tell(made, f"for every {name} instead of {term.value}")


Keys = tuple[str, str]
Places = dict[Keys, list[tuple[int, int]]]
"""For each text, given by (table, key), the spans of numbers in it."""


def _choose_places(data: Data, number: int) -> Iterator[Places]:
    """Yield all selections of the places at which a variable may replace a number, from all places to none.

    A place is an occurrence of the number, or of the next smaller or larger number, in the claim, its definitions and
    its domains. Only the first MOST_PLACES places are considered.
    """
    tables = ("claim", "define", FORALL)
    texts = [((x, key), value) for x in tables for key, value in data.get(x, {}).items() if isinstance(value, str)]
    pattern = re.compile(rf"(?<![\w.])({number}|{number + 1}|{number - 1})(?![\w.])")
    places = [(keys, m.span()) for keys, value in texts for m in pattern.finditer(value)][:MOST_PLACES]
    for bits in range(2 ** len(places) - 1, -1, -1):
        found: Places = {}
        for i, (keys, span) in enumerate(places):
            if bits >> i & 1:
                found.setdefault(keys, []).append(span)
        yield found


def _replace(words: str, spans: Sequence[tuple[int, int]], name: str, number: int) -> str:
    """Return the text with the variable `name` instead of the numbers at the positions `spans`.

    If a number there is not `number` itself, it becomes the variable plus or minus the difference, such as (k + 1).
    """
    for start, end in sorted(spans, reverse=True):
        more = int(words[start:end]) - number
        told = name if more == 0 else f"({name} {'+' if more > 0 else '-'} {abs(more)})"
        words = words[:start] + told + words[end:]
    return words


def _fresh(data: Data, *names: str) -> str:
    """Return the first of these names that the claim does not use.

    If all are used, up to three underscores are appended. Raises Unsupported if these names are used too.
    """
    mentioned = set(_WORD.findall(repr([data.get(x) for x in ("claim", "define", FORALL)])))
    for stroke in ("", "_", "__", "___"):
        for name in names:
            if f"{name}{stroke}" not in mentioned:
                return f"{name}{stroke}"
    raise Unsupported("no name is left for a variable")


# -- further conditions -----------------------------------------------------------------------------------------------
def list_conditions(claim: Claim) -> Iterator[Condition]:
    """Yield conditions on one or two variables, which may become further hypotheses.

    They concern players, the number and sizes of heaps, the nim-sum, the order of two integers, parities and bounds.
    """
    integers = [v.name for v in claim.variables if v.type == INT]
    for v in claim.variables:
        if v.type == POSITION:
            yield from _list_position_conditions(v.name, integers)
        elif v.type == PLAYER:
            yield from (Condition(f"{v.name} == {player}") for player in claim.games[0].ruleset.players)
        elif v.type == INT and isinstance(v.domain, IntervalDomain):
            first = read_literal(v.domain.lo) or 0
            yield from (Condition(f"{v.name} >= {first + n}") for n in (1, 2, 3))
            yield from (Condition(f"{v.name} <= {first + n}", bounds=True) for n in (3, 2, 1, 0))
            yield from (Condition(f"{v.name} % 2 == {n}") for n in (0, 1))
    for i, a in enumerate(integers):
        for b in integers[i + 1 :]:
            yield from (Condition(f"{a} {sign} {b}") for sign in ("!=", "<=", ">=", "<", ">", "=="))
            yield from (Condition(f"{a} % 2 {sign} {b} % 2") for sign in ("==", "!="))
            yield from (Condition(f"{x} >= 2*{y}") for x, y in ((a, b), (b, a)))


def _list_position_conditions(s: str, integers: Sequence[str]) -> Iterator[Condition]:
    h = next(x for x in ("h", "g", "x", "heap") if x not in integers and x != s)
    yield from (Condition(f"len({s}) <= {c}", few=(s, c) if c <= MOST_SPELLED else None) for c in (4, 3, 2, 1))
    yield from (Condition(f"len({s}) % 2 == {n}") for n in (0, 1))
    yield from (Condition(f"sum({s}) % 2 == {n}") for n in (0, 1))
    yield from (Condition(f"nim_sum({s}) {sign} 0") for sign in ("!=", "=="))
    yield from (Condition(f"all({h} <= {n} for {h} in {s})", bounds=True) for n in (3, 2, 1))
    others = [*((">=", str(n)) for n in (2, 3, 4))]
    others += [(sign, x) for x in integers for sign in ("<=", "<", ">=", ">", "!=")]
    yield from (Condition(f"all({h} {sign} {other} for {h} in {s})") for sign, other in others)


def add_condition(claim: Claim, condition: Condition) -> Changed:
    """Return the claim with a further hypothesis."""
    old = claim.source.data["claim"].get("if")
    new = condition.words if old is None else f"{_enclose(old)} and {condition.words}"
    return replace(_edit(claim.source.data, f"where {condition.words}", claim={"if": new}), condition=condition)


def _enclose(condition: str) -> str:
    return f"({condition})" if re.search(r"\bor\b|\bif\b", condition) else condition


def spell_heaps(claim: Claim, s: str, count: int) -> Changed:
    """Return the claim for positions of at most `count` heaps (1 or 2).

    Integer variables for the sizes of the heaps replace the position variable `s`.
    """
    data = deepcopy(claim.source.data)
    names = [_fresh(data, *x) for x in (("a", "m", "x"), ("b", "n", "y"))[:count]]
    bound = data["scope"].pop(s, {})
    most = str(bound.get("size", "0..10") if isinstance(bound, dict) else "0..10").rpartition("..")[2]
    position = f"position([{', '.join(names)}])"
    domains = {names[0]: "0.."} | ({names[1]: f"{names[0]}.."} if count == 2 else {})
    forall: Data = {}
    for key, value in data[FORALL].items():
        forall |= domains if key == s else {key: _replace_name(value, s, position)}
    data[FORALL], data["scope"] = forall, data["scope"] | dict.fromkeys(names, f"0..{most}")
    for table in ("claim", "define"):
        for key, value in data.get(table, {}).items():
            if isinstance(value, str) and not re.search(rf"[(,]\s*{s}\s*[,)]", key):
                data[table][key] = _replace_name(value, s, position)
    told = "one heap" if count == 1 else "two heaps"
    return tell(data, f"for at most {told}, {position} for {s}")


def _replace_name(value: object, name: str, words: str) -> object:
    if isinstance(value, dict):
        return {key: _replace_name(x, name, words) for key, x in value.items()}
    return re.sub(rf"\b{name}\b", words, value) if isinstance(value, str) else value


# -- the file ---------------------------------------------------------------------------------------------------------
def write_file(data: Data) -> str:
    """Return the text of a claim file with these entries. Nested tables are inline.

    Raises Unsupported if the text cannot be parsed to the same entries.
    """
    lines = [f"{key} = {_value(x)}" for key, x in data.items() if not isinstance(x, dict)]
    for name, table in data.items():
        if isinstance(table, dict) and table:
            lines += ["", f"[{name}]", *(f"{_key(key)} = {_value(x)}" for key, x in table.items())]
    made = "\n".join(lines) + "\n"
    kept = {key: x for key, x in data.items() if x != {}}
    if tomllib.loads(made) != kept:
        raise Unsupported("the claim contains text that cannot be written to a file")
    return made


def _key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else quote(key)


def _value(x: object) -> str:
    if isinstance(x, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(y)}" for key, y in x.items()) + " }"
    if isinstance(x, list):
        return f"[{', '.join(map(_value, x))}]"
    if isinstance(x, str):
        return quote(x)
    return str(x).lower() if isinstance(x, bool) else str(x)
