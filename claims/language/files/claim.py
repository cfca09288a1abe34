"""The record of a claim, which the encoders, the referee and the reports use, and the variants of a claim file.

A variant is the claim of a file with other constants, bounds or conclusion. It has its own verdict.

    [[variants]]
    name = "odd-heaps"                 # its id is the id of the claim, an @, and this name
    expect = "refuted"
    claim.then = "nim_sum(s) == 1"     # the changed line; all other lines are the same as in the claim
    proof = "none"                     # without this line, the variant has the [proof] of the claim

The source text of a variant is its complete file. An error points to the invalid line, which is in the table of the
variant or in the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from claims.language.errors import ClaimError, find_closest, join_words
from claims.language.files import domains as d
from claims.language.files.definitions import NOTHING, ClaimInputs
from claims.language.files.domains import ClaimVariable, Range, Scope
from claims.language.files.rulesets import Ruleset
from claims.language.files.toml import Keys, SourceFile, TomlTable, format_value
from claims.language.syntax import terms as t
from claims.language.syntax.printing import Substitution, substitute, walk_through
from claims.language.syntax.questions import CASE_BY_CASE
from claims.language.syntax.terms import GameCall, Operation, Term, Type


# == judgement ========================================================================================================
# The closed list of judgements on one case of a claim.
class Judgement(StrEnum):
    """The judgement on one case of a claim, such as "holds" or "outside". Receipts contain these values."""

    HOLDS = "holds"
    """The hypotheses and the conclusion are true."""

    FAILS = "fails"
    """The hypotheses are true and the conclusion is false."""

    HYPOTHESES_FAIL = "hypotheses fail"
    """The hypotheses are false: the claim says nothing about this case."""

    OUTSIDE = "outside"
    """This is not a case: a value is outside the domain of its variable."""

    ILL_DEFINED = "ill-defined"
    """The claim has no truth value at this case: a division by zero, an index out of range, ..."""

    TOO_LARGE = "too large"
    """A truth value may exist, but computing it would take too much."""


# == claim ============================================================================================================
# A claim, read and typed. Every encoder, the referee and the reports use it. It is frozen; `files` makes it.
ROLES = ("theorem", "lemma", "corollary", "definition", "example", "table", "remark", "step", "conjecture")
EXPECTATIONS = ("holds", "proved", "refuted")


@dataclass(frozen=True, eq=False)
class Game:
    """A ruleset with its parameters bound to terms over the claim's variables.

    `captured`: the parameters without an explicit argument. The variable or definition of the claim with the same name
    is the argument.
    """

    name: str
    ruleset: Ruleset
    arguments: tuple[tuple[str, Term], ...]
    captured: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class PictureRequest:
    """A picture that the file requests.

    `kind`: "outcomes" shows where the condition `shown` holds, with `name` running over the positions of two heaps;
    "values" shows the values of `shown`, with `name` running over the sizes of one heap.
    `heaps`: the sizes of the heaps.
    `at`: the values of other variables.
    `claimed`: a term that should equal `shown` according to the claim; None if there is none.
    `yes`, `no`: the labels for positions where the condition holds, and where it fails; "" for the default label.
    `shown_text`, `claimed_text`: the terms as the file contains them.
    """

    kind: str
    title: str
    name: str
    heaps: Range
    at: tuple[tuple[str, int], ...]
    shown: Term
    shown_text: str
    claimed: Term | None
    claimed_text: str
    yes: str = ""
    no: str = ""


@dataclass(frozen=True, eq=False)
class Lemma:
    """A claim that a proof uses. The claim with this proof is proved only if the lemma is proved.

    `id`: the folder and the name, as in the library.
    `claim`: the claim of the file at `path`, with the [proof] of that file.
    """

    id: str
    claim: Claim
    path: Path


@dataclass(frozen=True, eq=False, kw_only=True)
class Proof:
    """The content of a [proof], frozen. Each proof rule has its own subclass with further fields.

    `rule`: the name of the rule, the value of `rule` in [proof].
    `assume`: the condition on the claim's integers if this is the proof of one of several cases.
    `taken_from`: the claim of the same folder whose [proof] this is, or "".
    `by`: the lemmas that the [proof] names.
    """

    rule: ClassVar[str]
    assume: Term | None = None
    taken_from: str = ""
    by: tuple[Lemma, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the claims in the same folder whose proofs this proof borrows, each once."""
        return (self.taken_from,) if self.taken_from else ()

    @property
    def citations(self) -> tuple[Lemma, ...]:
        """All lemmas that this proof uses, each once, including the lemmas of the proofs of its cases."""
        return self.by


@dataclass(frozen=True)
class Description:
    """The texts of a file that describe its claim. They do not affect a verdict.

    `statement`: the claim in plain words.
    `work`, `locator`: the work, and the place in it.
    `short`: a label of at most 28 characters.
    `role`: one of ROLES.
    `uses`: the ids of the claims that the published argument uses.
    `repairs`: the id of the refuted claim that this claim corrects, or "".
    `expect`: one of EXPECTATIONS or "".
    """

    title: str
    statement: str = ""
    work: str = ""
    locator: str = ""
    short: str = ""
    role: str = "remark"
    uses: tuple[str, ...] = ()
    repairs: str = ""
    expect: str = ""
    notes: str = ""
    caveat: str = ""


@dataclass(frozen=True, eq=False)
class Claim:
    """A claim, read from a file and typed.

    `quantifier`: "forall", "exists", or "" if the claim has no variables.
    `texts`: the formal statement for readers, as pairs of a label and a text. The labels are "if", "then" and the left
    sides of the definitions that the claim uses.
    `variant`: the name of the variant, or "" for the main claim of a file.
    """

    id: str
    description: Description
    quantifier: str
    variables: tuple[ClaimVariable, ...]
    games: tuple[Game, ...]
    hypothesis: Term | None
    conclusion: Term
    texts: tuple[tuple[str, str], ...]
    scopes: tuple[tuple[str, Scope], ...]
    source: SourceFile
    proof: Proof | None = None
    basis: ClaimInputs = NOTHING
    pictures: tuple[PictureRequest, ...] = ()
    variant: str = ""

    @property
    def digest(self) -> str:
        """The SHA-256 of all texts on which the claim depends, as they were read."""
        return self.basis.digest

    @property
    def proof_uses(self) -> tuple[str, ...]:
        """The ids of the claims that the [proof] uses: first the claims whose proofs it borrows, then its lemmas."""
        folder, slash, _ = self.id.rpartition("/")
        taken = (f"{folder}{slash}{name}" for name in (self.proof.sources if self.proof else ()))
        return tuple(dict.fromkeys((*taken, *(lemma.id for lemma in self.lemmas))))

    @property
    def lemmas(self) -> tuple[Lemma, ...]:
        """The lemmas that the [proof] names, each once, without the lemmas of these lemmas."""
        return self.proof.citations if self.proof else ()

    @property
    def has_parts(self) -> bool:
        """Whether the heaps of some game of the claim have parts."""
        return any(game.ruleset.heap is not None for game in self.games)

    @cached_property
    def unusual(self) -> str:
        """The reasons why the claim can only be evaluated case by case; "" if there are none.

        The reasons are unusual endings of games, such as infinite play, and questions such as `mean` or `draws`.
        """
        arguments = tuple(game.arguments for game in self.games)
        asked = sorted(list_questions((self.variables, arguments, self.hypothesis, self.conclusion)) & CASE_BY_CASE)
        told = [f"it asks about {join_words(asked)}"] if asked else []
        if any(v.type.kind == "list" for v in self.variables):
            told.append("it has variables that are lists")
        if any(x.type.is_nested for x in walk_through(self._whole)):
            told.append("it has lists of lists")
        return "; ".join([*filter(None, (game.ruleset.unusual for game in self.games)), *told])

    @cached_property
    def operations(self) -> frozenset[tuple[str, tuple[Type, ...], Type]]:
        """The operations in the claim's terms and rulesets, each with the types of its arguments and of its result."""
        terms = (x for x in walk_through(self._whole) if isinstance(x, Operation))
        return frozenset((x.op, tuple(a.type for a in x.args), x.type) for x in terms)

    @property
    def _whole(self) -> tuple[object, ...]:
        """The parts of the claim and of its rulesets that contain terms, without the proof."""
        rules = [game.ruleset for game in self.games]
        games = tuple((x.moves, x.measure, x.ending, x.heap) for x in rules)
        return self.variables, tuple(g.arguments for g in self.games), games, self.hypothesis, self.conclusion

    @property
    def goes_case_by_case(self) -> bool:
        """Whether only an evaluation case by case can settle the claim: heaps have parts, or `unusual` is not ""."""
        return self.has_parts or bool(self.unusual)

    def scope(self, profile: str) -> Scope:
        """Return the scope of a profile; the quick scope if the file does not give that profile."""
        found = dict(self.scopes)
        return dict(found.get(profile, found["quick"]))

    def game(self, name: str) -> Game:
        return next(g for g in self.games if g.name == name)


def list_questions(value: object) -> set[str]:
    """Return the names of the questions about games that occur in terms and in the definitions that the terms call."""
    return {x.function for x in walk_through(value) if isinstance(x, GameCall)}


# == unfolding ========================================================================================================
# Claims with expanded definitions, so that a term contains its complete meaning.
def expand_definitions(term: t.Term) -> t.Term:
    """Return the term with definitions expanded. Raises TooLong."""
    return substitute(term, {})


def unfold_claim(claim: Claim) -> Claim:
    """Return the claim, its games, domains and proof with definitions expanded. Raises TooLong."""
    unfold = Substitution()
    return replace(
        claim,
        variables=tuple(replace(v, domain=_unfold_domain(unfold, v.domain)) for v in claim.variables),
        games=tuple(replace(g, arguments=tuple((n, unfold.term(x, {})) for n, x in g.arguments)) for g in claim.games),
        hypothesis=None if claim.hypothesis is None else unfold.term(claim.hypothesis, {}),
        conclusion=unfold.term(claim.conclusion, {}),
        proof=None if claim.proof is None else _unfold_all(unfold, claim.proof),
    )


def _unfold_domain(unfold: Substitution, domain: d.Domain) -> d.Domain:
    match domain:
        case d.IntervalDomain(lo=lo, hi=hi):
            return d.IntervalDomain(unfold.term(lo, {}), None if hi is None else unfold.term(hi, {}))
        case d.ElementsOf(source=source):
            return d.ElementsOf(unfold.term(source, {}))
        case d.Lists(lo=lo, hi=hi):
            return d.Lists(unfold.term(lo, {}), None if hi is None else unfold.term(hi, {}))
        case d.Permutations(lo=lo, hi=hi):
            return d.Permutations(unfold.term(lo, {}), unfold.term(hi, {}))
    return domain


def _unfold_all(unfold: Substitution, value: Any) -> Any:
    """Return a frozen structure with its terms expanded; lemmas are unchanged."""
    if isinstance(value, Claim):
        return value
    if isinstance(value, t.Term):
        return unfold.term(value, {})
    if isinstance(value, tuple):
        return tuple(_unfold_all(unfold, x) for x in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _unfold_all(unfold, getattr(value, f.name)) for f in fields(value)})
    return value


# == variants =========================================================================================================
KEY = "variants"
MARK = "@"  # separates claim and variant in an id; it has no special meaning in shells and file names
MOST = 50  # of one file
NAME = "[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38}[A-Za-z0-9])?"
_NAME = re.compile(NAME)
_NAME_EXPECTED = 'at most 40 letters a to z, digits, - and _, such as "off-by-one"'

_MERGED = ("games", "forall", "exists", "define", "claim", "scope")  # tables in which a variant changes single lines
STATED = ("ruleset", *_MERGED, "proof")  # the claim, its scope and its proof
OWN = ("title", "statement", "short", "locator", "role", "expect", "notes", "caveat", "pictures")
_LEFT = ("short", "uses", "repairs", "expect", "notes", "pictures")  # may not hold for a variant
NO_PROOF = "none"


def find_variant(id: str, path: Path) -> str:
    """Return the name of the variant that an id means, for the claim file at `path`; "" for the main claim.

    >>> find_variant("a/b@c", Path("a/b.toml")), find_variant("a/b@c", Path("a/b@c.toml")), find_variant("x", Path("b"))
    ('c', '', '')
    """
    own = id.rpartition("/")[2]
    heads = (f"{name}{MARK}" for name in (path.name, path.stem))
    return next((own[len(head) :] for head in heads if own.startswith(head)), "")


def base_of(id: str, path: Path) -> str:
    """Return the id of the main claim, given the id of this claim or of one of its variants."""
    variant = find_variant(id, path)
    return id.removesuffix(MARK + variant) if variant else id


def identify(file: Path, id: str) -> Path:
    """Return a path that identifies a claim independently of its id.

    For the main claim of a file it is the file; for a variant it is an artificial path below the file.
    """
    variant = find_variant(id, file)
    return file / f"{MARK}{variant}" if variant else file


def list_variants(data: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the variants of a file.

    If one name is invalid, return (); reading the claim then reports the error.
    """
    tables = data.get(KEY, [])
    if not isinstance(tables, list) or not all(isinstance(x, dict) for x in tables):
        return ()
    names = tuple(x.get("name") for x in tables)
    legal = all(isinstance(x, str) and _NAME.fullmatch(x) for x in names)
    return names if legal and len({x.lower() for x in names}) == len(names) <= MOST else ()


def take_variant(source: SourceFile, variant: str) -> SourceFile:
    """Return the file as if it contained only one claim: the main claim if `variant` is "", otherwise this variant.

    All variants are checked. Raises ClaimError.
    """
    base = {key: value for key, value in source.data.items() if key != KEY}
    tables = TomlTable(source, (), source.data).tables(KEY) if KEY in source.data else []
    made = {table.data["name"]: _merge(source, base, table) for table in _check(tables)}
    if not variant:
        return replace(source, data=base) if tables else source
    if variant not in made:
        problem = f"there is no variant {variant!r}"
        raise source.key_fault((KEY,), problem, f"the name in one of the tables [[{KEY}]]", find_closest(variant, made))
    return made[variant]


def _check(tables: list[TomlTable]) -> list[TomlTable]:
    """Check the names and keys of the tables, and return the tables. Raises ClaimError."""
    if len(tables) > MOST:
        raise tables[MOST].fault("name", f"more than {MOST} variants", f"at most {MOST} variants in each file")
    met: set[str] = set()
    for table in tables:
        table.reject_unknown_keys("name", *OWN, *STATED)
        name = table.text("name", _NAME_EXPECTED)
        if not _NAME.fullmatch(name):
            raise table.fault("name", f"'name' is {format_value(name)}", _NAME_EXPECTED)
        if name.lower() in met:
            raise table.fault(
                "name", f"there are two variants {name!r}", "names that differ in more than upper and lower case"
            )
        met.add(name.lower())
    return tables


def _merge(source: SourceFile, base: dict[str, object], table: TomlTable) -> SourceFile:
    """Return the file as if its claim were the variant of `table`. Raises ClaimError if the variant changes nothing."""
    data = {key: value for key, value in base.items() if key not in _LEFT}
    moved: dict[Keys, Keys] = {}
    changed: list[str] = []
    scopes: list[str] = []
    unproved = False
    for key, value in table.data.items():
        if key == "name":
            continue
        moved[(key,)] = (*table.keys, key)
        if key == "proof" and value == NO_PROOF:
            unproved = "proof" in data
            data.pop("proof", None)
            continue
        old = data.get(key)
        if key in _MERGED and isinstance(value, dict) and isinstance(old, dict):
            del moved[(key,)]
            data[key], lines = _merge_lines(old, value)
            moved |= {(key, line): (*table.keys, key, line) for line in value}
            lines = [f"{line} = {_format_value(value[line])}" for line in lines]
            scopes += lines if key == "scope" else []
            changed += lines if key != "scope" else []
        elif old != value:
            data[key] = value
            changed += [f"{key} = {_format_value(value)}"] * (key in STATED)
    changed = changed or scopes or ["without the [proof]"] * unproved  # the claim, else the scope, else the proof
    if not changed:
        expected = "another ruleset, domain, definition, condition, scope or proof"
        raise table.fault("name", f"the variant {table.data['name']!r} does not change the claim", expected)
    made = {k: x for k, x in _describe(base, table.data["name"], changed).items() if k not in table.data}
    return replace(source, data=data | made, moved=moved, pointed=table.keys, made=frozenset(made))


def _merge_lines(old: dict[str, object], new: dict[str, object]) -> tuple[dict[str, object], list[str]]:
    """Return the table `old` with the lines of `new`, and the lines that differ.

    A line with another left side, such as f(x) instead of f(n), also replaces the definition with the same name.
    """
    names = {_head(line): line for line in new}
    kept = {names.get(_head(line), line): new.get(names.get(_head(line), line), value) for line, value in old.items()}
    return kept | new, [line for line, value in new.items() if old.get(line) != value]


def _head(line: str) -> str:
    """Return the name that the left side of a definition defines."""
    return line.partition("(")[0].strip()


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_format_value(x)}" for key, x in value.items()) + " }"
    return str(value)


def _describe(base: dict[str, object], name: str, changed: list[str]) -> dict[str, str]:
    """Return the default title, statement and locator of a variant.

    They only quote the title of the claim and state the change, because the claim's words may be false for the variant.
    """
    told = "; ".join(" ".join(x.split()) for x in changed)
    title, locator = base.get("title"), base.get("locator")
    of = f' of "{title}"' if isinstance(title, str) else ""
    texts = {"title": f"Variant {name}{of}", "statement": f"The claim of this file, changed: {told}."}
    return texts | ({"locator": f"{locator}, {name}"} if isinstance(locator, str) else {})


@contextmanager
def naming_variant(source: SourceFile, variant: str) -> Iterator[None]:
    """Add the table of the variant to every ClaimError inside the `with` block."""
    try:
        yield
    except ClaimError as error:
        if not variant:
            raise
        told = (f"in the variant {variant!r} at", source.place(source.pointed, at_key=True))
        raise error.add_calls(told) from None


@contextmanager
def suggesting_no_proof(source: SourceFile) -> Iterator[None]:
    """Add a suggestion to every ClaimError inside the `with` block if the variant has the [proof] of the claim."""
    try:
        yield
    except ClaimError as error:
        if source.pointed[:1] != (KEY,) or ("proof",) in source.moved:
            raise
        expected = f'{error.expected}; or, in the variant, a separate [proof] or proof = "{NO_PROOF}"'
        raise ClaimError(error.place, error.message, expected, error.calls, error.near) from None
