"""The claim record, which encoders, the referee and the reports share, and the variants of a claim file.

Variants: the claim of a file once more, with other constants, bounds or conclusion, each settled on its own.

[[variants]]
name = "odd-heaps"                 # its id is that of the claim, an @, and this name
expect = "refuted"
claim.then = "nim_sum(s) == 1"     # what it says otherwise, in the words of a claim file; all else is as the file says
proof = "none"                     # the claim's [proof] is its own too, unless it says so or has one

Its text is the file's, so a fault is shown in the table of the variant where that says it, and else in the claim.
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
# What a claim comes to at one case: the closed list of judgements.
class Judgement(StrEnum):
    """What is said of one case of a claim. The values stand in receipts."""

    HOLDS = "holds"
    """The hypotheses and the conclusion are true."""

    FAILS = "fails"
    """The hypotheses are true and the conclusion is false."""

    HYPOTHESES_FAIL = "hypotheses fail"
    """The hypotheses are false: the claim says nothing of this case."""

    OUTSIDE = "outside"
    """It is no case: a value lies outside the domain of its variable."""

    ILL_DEFINED = "ill-defined"
    """The claim has no truth value there: a division by zero, an index outside its list, ..."""

    TOO_LARGE = "too large"
    """A truth value may well be there, but is too much to compute."""


# == claim ============================================================================================================
# A claim, read and typed: what every encoder, the referee and the reports work on. Frozen; made by `files`.
ROLES = ("theorem", "lemma", "corollary", "definition", "example", "table", "remark", "step", "conjecture")
EXPECTATIONS = ("holds", "proved", "refuted")


@dataclass(frozen=True, eq=False)
class Game:
    """A ruleset with its parameters bound to terms over the claim's variables.

    `captured`: the parameters that the file does not bind: what the claim calls so stands for them.
    """

    name: str
    ruleset: Ruleset
    arguments: tuple[tuple[str, Term], ...]
    captured: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class PictureRequest:
    """A picture that the file asks for.

    `kind` is "outcomes": where the condition `shown` holds, `name` running over the positions of two heaps; or
    "values": the values of `shown`, `name` running over the sizes of one heap.  `heaps`: their sizes.  `at`: the values
    of other variables.  `claimed`: what the claim says in place of `shown`, None if nothing.  `yes`, `no`: what is so
    where a condition holds and where it does not, "" where the file does not say; texts are as the file has them.
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
    """A claim that a proof takes for granted, so that what rests on it is proved only if it is.

    `id`: folder and name, as in the library; `claim`: as its own file, at `path`, reads, with its own [proof].
    """

    id: str
    claim: Claim
    path: Path


@dataclass(frozen=True, eq=False, kw_only=True)
class Proof:
    """What a [proof] says, frozen; each rule of proof has a class of its own, and what else it holds is its affair.

    `rule`: its name, the value of `rule` in [proof].  `assume`: known of the claim's integers where this proves a case.
    `taken_from`: the claim of the same folder whose [proof] this is, "" for one of the claim's own.
    `by`: the lemmas that it names.
    """

    rule: ClassVar[str]
    assume: Term | None = None
    taken_from: str = ""
    by: tuple[Lemma, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The claims of the same folder whose proofs it takes over, each once."""
        return (self.taken_from,) if self.taken_from else ()

    @property
    def citations(self) -> tuple[Lemma, ...]:
        """All lemmas that it rests on, each once: those of the proofs of its cases too."""
        return self.by


@dataclass(frozen=True)
class Description:
    """What a file says of its claim in words. Nothing is computed from it.

    `statement`: the claim in plain words.  `work`, `locator`: where it is published.  `short`: a label of at most 28
    characters.  `role`: one of ROLES.  `uses`: the ids of the claims that the published argument rests on.
    `repairs`: the id of a refuted claim in place of which this one is stated, or "".  `expect`: one of EXPECTATIONS or
    "".
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
    """One statement. `quantifier` is "forall", "exists" or "" (no variables: a plain computation).

    `texts` holds what a reader is shown of the formal statement, in order: (label, text) with labels "if", "then" and
    the left sides of the definitions used.  `variant`: the name of the variant that it is, "" of a file's own claim.
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
        """SHA-256 of all that the claim rests on, as it was read."""
        return self.basis.digest

    @property
    def proof_uses(self) -> tuple[str, ...]:
        """The ids of the claims that its [proof] rests on: those whose proofs it takes over, then its lemmas."""
        folder, slash, _ = self.id.rpartition("/")
        taken = (f"{folder}{slash}{name}" for name in (self.proof.sources if self.proof else ()))
        return tuple(dict.fromkeys((*taken, *(lemma.id for lemma in self.lemmas))))

    @property
    def lemmas(self) -> tuple[Lemma, ...]:
        """The lemmas of its [proof], each once, without those that they themselves rest on."""
        return self.proof.citations if self.proof else ()

    @property
    def has_parts(self) -> bool:
        """Whether the heaps of a game have parts, and are no numbers."""
        return any(game.ruleset.heap is not None for game in self.games)

    @cached_property
    def unusual(self) -> str:
        """What is unusual about how play ends in its games, or asked of them; "" if nothing is."""
        arguments = tuple(game.arguments for game in self.games)
        asked = sorted(list_questions((self.variables, arguments, self.hypothesis, self.conclusion)) & CASE_BY_CASE)
        told = [f"it asks {join_words(asked)} of a game"] if asked else []
        return "; ".join([*filter(None, (game.ruleset.unusual for game in self.games)), *told])

    @cached_property
    def operations(self) -> frozenset[tuple[str, tuple[Type, ...], Type]]:
        """What its terms and those of its rulesets compute: each operation, the types of its arguments, its type."""
        rules = tuple((g.arguments, g.ruleset.moves, g.ruleset.measure, g.ruleset.ending) for g in self.games)
        terms = walk_through((self.variables, rules, self.hypothesis, self.conclusion))
        return frozenset((x.op, tuple(a.type for a in x.args), x.type) for x in terms if isinstance(x, Operation))

    @property
    def goes_case_by_case(self) -> bool:
        """Whether no route follows it but that which looks at one case after another."""
        return self.has_parts or bool(self.unusual)

    def scope(self, profile: str) -> Scope:
        """The scope of a profile; one that the file does not give is the quick one."""
        found = dict(self.scopes)
        return dict(found.get(profile, found["quick"]))

    def game(self, name: str) -> Game:
        return next(g for g in self.games if g.name == name)


def list_questions(value: object) -> set[str]:
    """The questions about games that terms ask, in definitions as well."""
    return {x.function for x in walk_through(value) if isinstance(x, GameCall)}


# == unfolding ========================================================================================================
# Claims with their definitions written out, so that what a term means is in the term itself.
def expand_definitions(term: t.Term) -> t.Term:
    """The term with definitions written out. Raises TooLong."""
    return substitute(term, {})


def unfold_claim(claim: Claim) -> Claim:
    """The claim, its games, domains and proof, without calls of definitions. Raises TooLong."""
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
    return domain


def _unfold_all(unfold: Substitution, value: Any) -> Any:
    """A frozen structure with the terms in it unfolded; lemmas stay as they are."""
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
MARK = "@"  # in an id, between the claim and the name of its variant; a shell leaves it alone, and so do file names
MOST = 50  # of one file
NAME = "[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38}[A-Za-z0-9])?"
_NAME = re.compile(NAME)
_NAME_EXPECTED = 'at most 40 letters a to z, digits, - and _, such as "off-by-one"'

_MERGED = ("games", "forall", "exists", "define", "claim", "scope")  # tables of which a variant changes single lines
STATED = ("ruleset", *_MERGED, "proof")  # what is claimed, where it is checked, and why it holds
OWN = ("title", "statement", "short", "locator", "role", "expect", "notes", "caveat", "pictures")
_LEFT = ("short", "uses", "repairs", "expect", "notes", "pictures")  # said of the claim, and not of what is like it
NO_PROOF = "none"


def find_variant(id: str, path: Path) -> str:
    """The name of the variant that an id means, of the claim file at `path`; "" where it means that file's own claim.

    >>> find_variant("a/b@c", Path("a/b.toml")), find_variant("a/b@c", Path("a/b@c.toml")), find_variant("x", Path("b"))
    ('c', '', '')
    """
    own = id.rpartition("/")[2]
    heads = (f"{name}{MARK}" for name in (path.name, path.stem))
    return next((own[len(head) :] for head in heads if own.startswith(head)), "")


def base_of(id: str, path: Path) -> str:
    """The id of the claim that an id means, or means a variant of."""
    variant = find_variant(id, path)
    return id.removesuffix(MARK + variant) if variant else id


def identify(file: Path, id: str) -> Path:
    """What a claim is known by, whatever it is called: its file, and for a variant no file but a place in it."""
    variant = find_variant(id, file)
    return file / f"{MARK}{variant}" if variant else file


def list_variants(data: Mapping[str, object]) -> tuple[str, ...]:
    """The names of the variants of a file; none if one of them is at fault: whoever reads the claim is told of that."""
    tables = data.get(KEY, [])
    if not isinstance(tables, list) or not all(isinstance(x, dict) for x in tables):
        return ()
    names = tuple(x.get("name") for x in tables)
    legal = all(isinstance(x, str) and _NAME.fullmatch(x) for x in names)
    return names if legal and len({x.lower() for x in names}) == len(names) <= MOST else ()


def take_variant(source: SourceFile, variant: str) -> SourceFile:
    """The file as if it had one claim alone, its own or that variant.

    All variants are looked at, whichever is wanted. Raises ClaimError.
    """
    base = {key: value for key, value in source.data.items() if key != KEY}
    tables = TomlTable(source, (), source.data).tables(KEY) if KEY in source.data else []
    made = {table.data["name"]: _merge(source, base, table) for table in _check(tables)}
    if not variant:
        return replace(source, data=base) if tables else source
    if variant not in made:
        problem = f"there is no variant {variant!r}"
        raise source.key_fault((KEY,), problem, f"the name of a table [[{KEY}]]", find_closest(variant, made))
    return made[variant]


def _check(tables: list[TomlTable]) -> list[TomlTable]:
    """The tables, each of a name of its own and without a key that no variant has. Raises ClaimError."""
    if len(tables) > MOST:
        raise tables[MOST].fault("name", f"more than {MOST} variants", "another file for some of them")
    met: set[str] = set()
    for table in tables:
        table.reject_unknown_keys("name", *OWN, *STATED)
        name = table.text("name", _NAME_EXPECTED)
        if not _NAME.fullmatch(name):
            raise table.fault("name", f"'name' is {format_value(name)}", _NAME_EXPECTED)
        if name.lower() in met:
            raise table.fault("name", f"there are two variants {name!r}", "each name once, whatever its capitals")
        met.add(name.lower())
    return tables


def _merge(source: SourceFile, base: dict[str, object], table: TomlTable) -> SourceFile:
    """The file as if its claim were that variant. Raises ClaimError for one that claims the same in the same scope."""
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
    changed = changed or scopes or ["without the [proof]"] * unproved  # what is claimed, or else where, or else why
    if not changed:
        expected = "another ruleset, domain, definition, condition, scope or proof"
        raise table.fault("name", f"the variant {table.data['name']!r} claims what the file claims", expected)
    made = {k: x for k, x in _describe(base, table.data["name"], changed).items() if k not in table.data}
    return replace(source, data=data | made, moved=moved, pointed=table.keys, made=frozenset(made))


def _merge_lines(old: dict[str, object], new: dict[str, object]) -> tuple[dict[str, object], list[str]]:
    """(a table with other lines, which of these differ). A definition takes the place of the one with its name."""
    names = {_head(line): line for line in new}
    kept = {names.get(_head(line), line): new.get(names.get(_head(line), line), value) for line, value in old.items()}
    return kept | new, [line for line, value in new.items() if old.get(line) != value]


def _head(line: str) -> str:
    """The name that the left side of a definition defines."""
    return line.partition("(")[0].strip()


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_format_value(x)}" for key, x in value.items()) + " }"
    return str(value)


def _describe(base: dict[str, object], name: str, changed: list[str]) -> dict[str, str]:
    """What a variant is called where it does not say: the claim's own words are quoted, for they may be false of it."""
    told = "; ".join(" ".join(x.split()) for x in changed)
    title, locator = base.get("title"), base.get("locator")
    of = f' of "{title}"' if isinstance(title, str) else ""
    texts = {"title": f"Variant {name}{of}", "statement": f"The claim of this file, but {told}."}
    return texts | ({"locator": f"{locator}, {name}"} if isinstance(locator, str) else {})


@contextmanager
def naming_variant(source: SourceFile, variant: str) -> Iterator[None]:
    """While the claim is read that is that variant, an error tells in which table the variant stands."""
    try:
        yield
    except ClaimError as error:
        if not variant:
            raise
        told = (f"in the variant {variant!r} at", source.place(source.pointed, at_key=True))
        raise error.add_calls(told) from None


@contextmanager
def suggesting_no_proof(source: SourceFile) -> Iterator[None]:
    """While a [proof] is read that may be the claim's own and not the variant's, an error tells how to do without."""
    try:
        yield
    except ClaimError as error:
        if source.pointed[:1] != (KEY,) or ("proof",) in source.moved:
            raise
        expected = f'{error.expected}; or, in the variant, a [proof] of its own or proof = "{NO_PROOF}"'
        raise ClaimError(error.place, error.message, expected, error.calls, error.near) from None
