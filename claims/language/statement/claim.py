"""A claim, read and typed: what every encoder, the referee and the reports work on. Frozen; made by `files`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from claims.language.expressions.questions import CASE_BY_CASE
from claims.language.expressions.walk import walk_through
from claims.language.ground.errors import join_words
from claims.language.statement.definitions import NOTHING, ClaimInputs
from claims.language.statement.domains import ClaimVariable, Range, Scope
from claims.language.statement.rulesets import Ruleset
from claims.language.terms.terms import GameCall, Operation, Term
from claims.language.terms.types import Type
from claims.language.toml.source import SourceFile

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


@dataclass(frozen=True, eq=False)
class Claim:
    """One statement. `quantifier` is "forall", "exists" or "" (no variables: a plain computation).

    `variant`: the name of the variant that it is, "" of a file's own claim.

    `short`: a label of at most 28 characters.  `repairs` is the id of a refuted claim in place of which this one is
    stated, or "".  `expect` is one of EXPECTATIONS or "".  `texts` holds what a reader is shown of the formal
    statement, in order: (label, text) with labels "if", "then" and the left sides of the definitions used.
    """

    id: str
    title: str
    statement: str
    work: str
    locator: str
    short: str
    role: str
    uses: tuple[str, ...]
    repairs: str
    expect: str
    notes: str
    caveat: str
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
