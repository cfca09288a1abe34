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
    """The judgement on one case of a claim, such as "holds". Receipts contain these values."""

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
    """A game of a claim: a ruleset, and for each of its parameters a term over the claim's variables.

    `arguments`: pairs of the name of a parameter and its term, in the order of the ruleset.
    `captured`: the parameters without an explicit argument. Their terms are the variables or definitions of the claim
    with the same names.
    """

    name: str
    ruleset: Ruleset
    arguments: tuple[tuple[str, Term], ...]
    captured: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class PictureRequest:
    """A picture that a claim file requests.

    `kind`: "outcomes" or "values". A picture of outcomes shows in which positions of two heaps the condition `shown`
    holds; the variable `name` is the position. A picture of values shows the number `shown` for each size of one heap;
    the variable `name` is the size.
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

    `id`: the id of the claim, such as "nim/bouton".
    `claim`: the claim of the file at `path`, with the [proof] of that file.
    """

    id: str
    claim: Claim
    path: Path


@dataclass(frozen=True, eq=False, kw_only=True)
class Proof:
    """The content of a [proof], frozen. Each proof rule has its own subclass with further fields.

    `rule`: the name of the rule, the value of `rule` in [proof].
    `assume`: a condition on the claim's integer variables, if the proof only covers the cases in which it holds; None
    if the proof covers all cases.
    `taken_from`: the name of the claim in the same folder whose [proof] is used, if the file states `from`; else "".
    `by`: the lemmas that the [proof] names.
    """

    rule: ClassVar[str]
    assume: Term | None = None
    taken_from: str = ""
    by: tuple[Lemma, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the claims in the same folder whose [proof] this proof uses by `from`, each once."""
        return (self.taken_from,) if self.taken_from else ()

    @property
    def citations(self) -> tuple[Lemma, ...]:
        """The lemmas that this proof names, each once.

        If the proof consists of several cases, the lemmas of the cases are included. Lemmas of lemmas are not included.
        """
        return self.by


@dataclass(frozen=True)
class Description:
    """The title of a claim and the other texts for readers, each under the key with its name. None affects a verdict.

    `statement`: the claim in plain words.
    `work`, `locator`: the paper or book that makes the claim, and the place in it, such as "Lemma 11".
    `short`: a label of at most 28 characters.
    `role`: one of ROLES, such as "theorem" or "example".
    `uses`: the ids of the claims that the published proof uses.
    `repairs`: the id of the refuted claim that this claim corrects, or "".
    `expect`: the expected result, one of EXPECTATIONS; "" if the file does not state one.
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
    `hypothesis`: None if the claim has no condition `if`.
    `texts`: the formal statement for readers, as pairs of a label and a text. The labels are "if", "then" and the left
    sides of the definitions that the claim uses.
    `scopes`: pairs of a profile, "quick" or "deep", and the bounds on the variables that a run uses for this profile.
    `basis`: the texts of all files on which the claim depends.
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
        """The SHA-256 of all texts on which the claim depends, such as its rulesets and lemmas."""
        return self.basis.digest

    @property
    def proof_uses(self) -> tuple[str, ...]:
        """The ids of the claims that the [proof] uses: first those named by `from`, then the lemmas named by `by`."""
        folder, slash, _ = self.id.rpartition("/")
        taken = (f"{folder}{slash}{name}" for name in (self.proof.sources if self.proof else ()))
        return tuple(dict.fromkeys((*taken, *(lemma.id for lemma in self.lemmas))))

    @property
    def lemmas(self) -> tuple[Lemma, ...]:
        """The lemmas that the [proof] names, each once, without the lemmas of these lemmas."""
        return self.proof.citations if self.proof else ()

    @property
    def has_parts(self) -> bool:
        """Whether the heaps of some game of the claim have parts, such as lists, instead of being numbers."""
        return any(game.ruleset.heap is not None for game in self.games)

    @cached_property
    def unusual(self) -> str:
        """The reasons why the cases of the claim must be evaluated one at a time, as one text; "" if there are none.

        There are six kinds of reasons: an unusual ending of a game, such as infinite play; an unusual move of a game,
        such as a move that leaves a number of heaps that varies; a question such as `mean` or `draws`; a combination
        of games, such as the sum of positions of two games; a variable that is a list; a list of lists.
        """
        arguments = tuple(game.arguments for game in self.games)
        asked = sorted(list_questions((self.variables, arguments, self.hypothesis, self.conclusion)) & CASE_BY_CASE)
        told = [f"it asks about {join_words(asked)}"] if asked else []
        if self.combines_games:
            told.append("it combines games")
        if any(v.type.kind == "list" for v in self.variables):
            told.append("it has variables that are lists")
        if any(x.type.is_nested for x in self._terms):
            told.append("it has lists of lists")
        return "; ".join([*filter(None, (game.ruleset.unusual for game in self.games)), *told])

    @property
    def combines_games(self) -> bool:
        """Whether the claim asks about combined games, such as the sum of positions of two games."""
        return any(isinstance(x, GameCall) and not x.game for x in self._terms)

    @cached_property
    def operations(self) -> frozenset[tuple[str, tuple[Type, ...], Type]]:
        """The operations in the claim and its rulesets, as triples: name, types of the arguments, type of the result.

        The operations of the proof are not included.
        """
        asked = (x for x in self._terms if isinstance(x, Operation))
        return frozenset((x.op, tuple(a.type for a in x.args), x.type) for x in asked)

    @cached_property
    def _terms(self) -> tuple[Term, ...]:
        """All terms of the claim and of its rulesets, except the terms of the proof."""
        rules = [game.ruleset for game in self.games]
        games = tuple((x.moves, x.measure, x.ending, x.heap) for x in rules)
        arguments = tuple(g.arguments for g in self.games)
        return tuple(walk_through((self.variables, arguments, games, self.hypothesis, self.conclusion)))

    @property
    def goes_case_by_case(self) -> bool:
        """Whether the cases of the claim must be evaluated one at a time: heaps have parts, or `unusual` is not ""."""
        return self.has_parts or bool(self.unusual)

    def scope(self, profile: str) -> Scope:
        """Return the bounds on each variable for a profile; those of "quick" if the claim has no such profile."""
        found = dict(self.scopes)
        return dict(found.get(profile, found["quick"]))

    def game(self, name: str) -> Game:
        return next(g for g in self.games if g.name == name)


def list_questions(value: object) -> set[str]:
    """Return the names of all questions about games, such as "wins", in a term, or in a tuple that contains terms.

    Questions in the definitions that the terms call are included.
    """
    return {x.function for x in walk_through(value) if isinstance(x, GameCall)}


# == unfolding ========================================================================================================
# Claims with expanded definitions, so that a term contains its complete meaning.
def expand_definitions(term: t.Term) -> t.Term:
    """Return the term with each call of a definition replaced by the body of the definition.

    Raises TooLong if the result would have too many terms.
    """
    return substitute(term, {})


def unfold_claim(claim: Claim) -> Claim:
    """Return a copy of the claim in which each call of a definition is replaced by the body of the definition.

    This includes the domains, the arguments of the games, and the proof. Raises TooLong if the result would have too
    many terms.
    """
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
        case d.Graphs(lo=lo, hi=hi) | d.Trees(lo=lo, hi=hi):
            return replace(domain, lo=unfold.term(lo, {}), hi=unfold.term(hi, {}))
    return domain


def _unfold_all(unfold: Substitution, value: Any) -> Any:
    """Return a copy of a proof, or of a part of a proof, with definitions expanded in its terms.

    The claims of its lemmas are unchanged.
    """
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
    """Return the name of the variant in the id of a claim; "" for the main claim. `path`: the file of the claim.

    >>> find_variant("a/b@c", Path("a/b.toml")), find_variant("a/b@c", Path("a/b@c.toml")), find_variant("x", Path("b"))
    ('c', '', '')
    """
    own = id.rpartition("/")[2]
    heads = (f"{name}{MARK}" for name in (path.name, path.stem))
    return next((own[len(head) :] for head in heads if own.startswith(head)), "")


def base_of(id: str, path: Path) -> str:
    """Return the id of the main claim in the file at `path`. `id`: the id of this claim or of one of its variants."""
    variant = find_variant(id, path)
    return id.removesuffix(MARK + variant) if variant else id


def identify(file: Path, id: str) -> Path:
    """Return a path that is unique for a claim, although one claim can have several ids.

    The path of a main claim is its file. The path of a variant is `FILE/@NAME`, which does not exist.
    """
    variant = find_variant(id, file)
    return file / f"{MARK}{variant}" if variant else file


def list_variants(data: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the variants in the parsed content of a claim file.

    If one name is invalid, or if there are too many, return (). Reading the claim then reports the error.
    """
    tables = data.get(KEY, [])
    if not isinstance(tables, list) or not all(isinstance(x, dict) for x in tables):
        return ()
    names = tuple(x.get("name") for x in tables)
    legal = all(isinstance(x, str) and _NAME.fullmatch(x) for x in names)
    return names if legal and len({x.lower() for x in names}) == len(names) <= MOST else ()


def take_variant(source: SourceFile, variant: str) -> SourceFile:
    """Return the file as if it contained only one claim: the main claim if `variant` is "", otherwise this variant.

    Raises ClaimError if there is no such variant, or if the table of any variant is invalid.
    """
    base = {key: value for key, value in source.data.items() if key != KEY}
    tables = TomlTable(source, (), source.data).tables(KEY) if KEY in source.data else []
    made = {table.data["name"]: _merge(source, base, table) for table in _check(tables)}
    if not variant:
        return replace(source, data=base) if tables else source
    if variant not in made:
        problem = f"there is no variant {variant!r}"
        raise source.key_fault(
            (KEY,),
            problem,
            f"the name of a variant, which is in one of the tables [[{KEY}]]",
            find_closest(variant, made),
        )
    return made[variant]


def _check(tables: list[TomlTable]) -> list[TomlTable]:
    """Return the tables of the variants unchanged.

    Raises ClaimError if a table has an unknown key or an invalid name, if a name is repeated, or if there are too many.
    """
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
    """Return the file as if its claim were the variant that `table` describes. `base`: the data without variants.

    Raises ClaimError if the variant changes nothing.
    """
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
        expected = "a change of the ruleset, a domain, a definition, a condition, the scope or the proof"
        raise table.fault("name", f"the variant {table.data['name']!r} does not change the claim", expected)
    made = {k: x for k, x in _describe(base, table.data["name"], changed).items() if k not in table.data}
    return replace(source, data=data | made, moved=moved, pointed=table.keys, made=frozenset(made))


def _merge_lines(old: dict[str, object], new: dict[str, object]) -> tuple[dict[str, object], list[str]]:
    """Return the table `old` with the lines of `new` added or replaced, and the keys of the lines that differ.

    The line `f(x) = ...` of `new` also replaces the line `f(n) = ...` of `old`, because both define f.
    """
    names = {_head(line): line for line in new}
    kept = {names.get(_head(line), line): new.get(names.get(_head(line), line), value) for line, value in old.items()}
    return kept | new, [line for line, value in new.items() if old.get(line) != value]


def _head(line: str) -> str:
    """Return the defined name in the left side of a definition: "f" for "f(x)"."""
    return line.partition("(")[0].strip()


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_format_value(x)}" for key, x in value.items()) + " }"
    return str(value)


def _describe(base: dict[str, object], name: str, changed: list[str]) -> dict[str, str]:
    """Return the default title, statement and locator of the variant `name`, by their keys.

    The statement only lists the `changed` lines, because the statement of the claim may be false for the variant. The
    locator is missing if the claim has none.
    """
    told = "; ".join(" ".join(x.split()) for x in changed)
    title, locator = base.get("title"), base.get("locator")
    of = f' of "{title}"' if isinstance(title, str) else ""
    texts = {"title": f"Variant {name}{of}", "statement": f"The claim of this file, changed: {told}."}
    return texts | ({"locator": f"{locator}, {name}"} if isinstance(locator, str) else {})


@contextmanager
def naming_variant(source: SourceFile, variant: str) -> Iterator[None]:
    """Add "in the variant NAME at PLACE" to every ClaimError inside the `with` block; nothing if `variant` is ""."""
    try:
        yield
    except ClaimError as error:
        if not variant:
            raise
        told = (f"in the variant {variant!r} at", source.place(source.pointed, at_key=True))
        raise error.add_calls(told) from None


@contextmanager
def suggesting_no_proof(source: SourceFile) -> Iterator[None]:
    """Add the suggestion `proof = "none"` to every ClaimError inside the `with` block.

    This applies only if `source` is a variant without its own [proof], because the proof of the claim may not fit it.
    """
    try:
        yield
    except ClaimError as error:
        if source.pointed[:1] != (KEY,) or ("proof",) in source.moved:
            raise
        expected = f'{error.expected}; or, in the variant, a separate [proof] or proof = "{NO_PROOF}"'
        raise ClaimError(error.place, error.message, expected, error.calls, error.near) from None
