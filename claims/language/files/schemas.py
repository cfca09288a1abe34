"""JSON Schemas for the files in a folder of claims, for use by editors.

The schemas are generated from the tables of the reader. A schema checks the keys, the kinds of values, and values from
closed lists. Only `checks check` also checks expressions and names. So every file that `checks check` accepts fits its
schema, but `checks check` rejects some files that fit their schemas.
"""

from __future__ import annotations

from collections.abc import Iterable

from claims.language.files import claim, definitions, domains, library, rulesets
from claims.language.files.claim import EXPECTATIONS, ROLES

Schema = dict[str, object]

DIALECT = "http://json-schema.org/draft-07/schema#"  # the version that Taplo supports
TEXT: Schema = {"type": "string", "pattern": r"\S"}
TEXTS: Schema = {"type": "array", "items": {"type": "string"}}
_NAME = r"^[^\W\d]\w*$"
_RANGE = r"^\s*[-+]?[0-9]{1,40}\s*(\.\.\s*[-+]?[0-9]{1,40})?\s*$"

SAYS = {
    "format": "the number of the format: 1",
    "title": "one line: the claim, even if it is false, or the name of a game or work",
    "statement": "the claim in your own words, so that a reader without the paper understands it",
    "work": "the key of the work in works.toml, or its title",
    "locator": "the place in the work: Lemma 11",
    "short": f"a label of at most {library.LONGEST} characters",
    "role": f"the kind of statement in the work; without this key, a {library.OWN_ROLE}",
    "uses": "the ids of the claims that the published proof uses",
    "repairs": "the id of the refuted claim that this claim corrects",
    "expect": "the expected verdict; a run reports any other verdict",
    "notes": "remarks, such as your interpretation of the work, or a counterexample found by hand",
    "caveat": "a warning that a reader must see before the verdict",
    "ruleset": 'the rules of the game: "nim", "kl-nim(k = t, l = t)"',
    "games": "several games, each with a name",
    "forall": "the variables, and the domain of each",
    "exists": "the variables of an existence claim",
    "define": 'definitions: "f(x)" = "x + 1"',
    "claim": "the claim: the hypothesis `if` (optional) and the conclusion `then`",
    "scope": "the cases to check; [scope.deep] is for --scope deep",
    "proof": "the reason why the claim holds for all cases: docs/proof-rules.md",
    "pictures": "the pictures next to the verdict",
    "variants": "the claim again, with other constants, bounds or conclusion",
    "players": "the names of the players, or the parameter that gives their number",
    "parameters": 'the numbers, sets and lists whose values each claim chooses: k = "1.."',
    "stuck": "whether a player without a move loses or wins, or an expression for the winner",
    "prefer": "the winners in the order in which a player prefers them; i is the i-th player after this player",
    "measure": 'a number that every move decreases, or "none"',
    "heap": "the parts of a heap that is not a number",
    "moves": "the kinds of moves",
    "works": "the works, by their keys",
}
"""Descriptions of the keys."""


def make_schemas(rules: Iterable[str]) -> dict[str, Schema]:
    """Return the four JSON Schemas, by the names of the files that will contain them.

    `rules`: the names of the proof rules.
    """
    return {
        "claim.schema.json": _head("A claim", _claim(tuple(rules))),
        "ruleset.schema.json": _head("A ruleset", _ruleset()),
        "definitions.schema.json": _head("Shared definitions", _definitions()),
        "works.schema.json": _head("A bibliography", _works()),
    }


def name_schema(name: str, is_ruleset: bool) -> str:
    """Return the file name of the JSON Schema that describes the TOML file `name`.

    `is_ruleset`: whether a file that is neither definitions.toml nor works.toml is a ruleset; otherwise it is a claim.
    """
    known = {definitions.SHARED: "definitions", library.BIBLIOGRAPHY: "works"}
    return f"{known.get(name, 'ruleset' if is_ruleset else 'claim')}.schema.json"


def _head(title: str, schema: Schema) -> Schema:
    return {"$schema": DIALECT, "title": title, **schema}


def _table(keys: Iterable[str], kinds: dict[str, Schema], required: Iterable[str] = ()) -> Schema:
    """Return the JSON Schema of a TOML table that allows only these keys, with a description of each key.

    `kinds`: the schema of the value of each key. `required`: the keys that must be present.
    """
    properties = {key: {**kinds[key], **({"description": SAYS[key]} if key in SAYS else {})} for key in keys}
    found: Schema = {"type": "object", "additionalProperties": False, "properties": properties}
    return found | ({"required": list(required)} if required else {})


def _lines(of: Schema, **more: object) -> Schema:
    """Return the JSON Schema of a TOML table with arbitrary keys, whose values all have the schema `of`.

    `more`: further entries of the schema.
    """
    return {"type": "object", "additionalProperties": of, **more}


def _exactly(value: int) -> Schema:
    return {"type": "integer", "enum": [value]}


def _choice(words: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(words)}


# -- claims -----------------------------------------------------------------------------------------------------------
def _claim(rules: tuple[str, ...]) -> Schema:
    kinds = _kinds(rules)
    kinds["variants"] = {"type": "array", "minItems": 1, "maxItems": claim.MOST, "items": _variant(kinds)}
    found = _table(library.KEYS, kinds, ("format", "claim"))
    return found | {"allOf": [{"not": {"required": both}} for both in (["ruleset", "games"], ["forall", "exists"])]}


def _kinds(rules: tuple[str, ...]) -> dict[str, Schema]:
    listed: Schema = {"anyOf": [TEXT, {"type": "array", "minItems": 1}]}
    domain: Schema = {"anyOf": [TEXT, _table(["in"], {"in": listed}, ["in"])]}
    variables = _lines(domain, minProperties=1)
    return {
        "format": _exactly(definitions.FORMAT),
        **dict.fromkeys((*library.TEXTS, "short", "ruleset"), TEXT),
        "role": _choice(ROLES),
        "uses": TEXTS,
        "expect": _choice(EXPECTATIONS),
        "games": _lines(TEXT, propertyNames={"pattern": _NAME}),
        "forall": variables,
        "exists": variables,
        "define": _lines({"type": "string"}),
        "claim": _table(["if", "then"], {"if": TEXT, "then": TEXT}, ["then"]),
        "scope": _scope(),
        "proof": _lines({}, properties={"rule": _choice(rules), "from": TEXT, "by": TEXTS}),
        "pictures": {"type": "array", "minItems": 1, "items": {"anyOf": [_picture(kind) for kind in library.KINDS]}},
    }


def _scope() -> Schema:
    span: Schema = {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": _RANGE}]}
    box = _table(domains.ASPECTS, dict.fromkeys(domains.ASPECTS, span), domains.ASPECTS[:2])
    several = _table(["length", "each"], {"length": span, "each": span}, ["length", "each"])
    own: Schema = {"not": {"enum": [*domains.ASPECTS[1:], "count"]}}  # these cannot be names of parts
    parts = _lines({"anyOf": [span, several]}, minProperties=1, propertyNames=own)
    bound: Schema = {"anyOf": [span, box, parts]}
    return _lines(bound, properties={"deep": _lines(bound)})


def _picture(kind: str) -> Schema:
    key = library.get_picture_key(kind)
    keys = (*library.COMMON, key, *(("yes", "no") if kind == library.OUTCOMES else ()))
    kinds: dict[str, Schema] = dict.fromkeys(keys, TEXT)
    at = _lines({"type": "integer"})
    return _table(keys, kinds | {"kind": _choice([kind]), "at": at}, ["kind", key, "heaps"])


def _variant(kinds: dict[str, Schema]) -> Schema:
    changed = {key: {k: x for k, x in kinds[key].items() if k not in ("required", "minProperties")} for key in kinds}
    changed["claim"] = _table(["if", "then"], {"if": TEXT, "then": TEXT})
    changed["proof"] = {"anyOf": [kinds["proof"], _choice([claim.NO_PROOF])]}
    changed["name"] = {"type": "string", "pattern": f"^{claim.NAME}$"}
    return _table(("name", *claim.OWN, *claim.STATED), changed, ["name"])


# -- other files ------------------------------------------------------------------------------------------------------
def _ruleset() -> Schema:
    name: Schema = {"type": "string", "pattern": _NAME}
    left: Schema = {"anyOf": [TEXT, _lines({"type": "string"})]}  # a size, or a heap with parts
    move_kinds: dict[str, Schema] = {
        "choose": TEXT,
        "pick": _lines({"type": "string"}),
        "where": TEXT,
        "become": {"anyOf": [{"type": "array", "items": left}, TEXT]},
        "score": TEXT,
    }
    move = _table(rulesets.MOVE_KEYS, move_kinds, ("choose", "become"))
    domain = r"^(set|list|\s*[-+]?[0-9]{1,40}\s*\.\.\s*([-+]?[0-9]{1,40})?\s*)$"
    kinds: dict[str, Schema] = {
        "format": _exactly(rulesets.FORMAT),
        "title": TEXT,
        "players": {"anyOf": [name, {"type": "array", "minItems": 2, "uniqueItems": True, "items": name}]},
        "parameters": _lines({"type": "string", "pattern": domain}, propertyNames={"pattern": _NAME}),
        "stuck": {"anyOf": [_choice(rulesets.STUCK), TEXT]},
        "prefer": TEXT,
        "notes": TEXT,
        "measure": TEXT,
        "heap": _lines({"type": "string"}, minProperties=1, propertyNames={"pattern": _NAME}),
        "define": _lines({"type": "string"}),
        "moves": {"type": "array", "minItems": 1, "items": move},
    }
    return _table(rulesets.KEYS, kinds, ("format", "players", "stuck", "moves"))


def _definitions() -> Schema:
    kinds = {"format": _exactly(definitions.FORMAT), "define": _lines({"type": "string"})}
    return _table(definitions.KEYS, kinds, ["format"])


def _works() -> Schema:
    order: Schema = {**TEXTS, "uniqueItems": True}
    kinds: dict[str, Schema] = {key: {"type": "string"} for key in library.WORKS_TEXTS}
    lacking: Schema = {"type": "array", "items": {"enum": [*library.NOT_SHOWN]}, "uniqueItems": True}
    work = _table((*library.WORKS_TEXTS, "not_shown", "order"), kinds | {"not_shown": lacking, "order": order})
    return _table(library.WORKS_KEYS, {"format": _exactly(library.WORKS_FORMAT), "works": _lines(work)}, ["format"])
