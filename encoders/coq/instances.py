"""Instances of the Coq theorem about a rule of proof.

An instance applies the theorem to the definitions and obligations of one [proof]. Each obligation is a Coq lemma about
integers, which its certificate proves. The instance applies this lemma to the numbers that the obligation is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

from claims.language.files.claim import Claim, Game, Proof
from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT
from encoders.coq.propositions import Statements, key_of_player
from encoders.coq.sequents import Statement, write_module, write_obligation
from encoders.coq.statement import Binder
from encoders.coq.writing import AND, comment
from encoders.logic.integers import Division
from encoders.logic.sequents import YES, Sequent, Symbol, names_in
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.base.turns import MoverPair
from encoders.trust import ObligationKind

MODULE = "Obligations"
"""The Coq module with the obligations."""
Values = Mapping[str, str]
"""The Coq text, of type Z, for each variable of a sequent."""
OwnProof = TypeVar("OwnProof", bound=Proof)
Reader_co = TypeVar("Reader_co", covariant=True)


# -- terms ------------------------------------------------------------------------------------------------------------
def terms_over(values: Values) -> Statement:
    """Return the writer of terms whose variables have these values."""
    return Statement(Sequent("", (), (), YES), values)


def write_number(term: t.Term, values: Values) -> str:
    """Return a number as Coq text, in parentheses if necessary."""
    return terms_over(values).number(term).argument


def write_condition(term: t.Term, values: Values, level: int = AND - 1) -> str:
    """Return a condition as a Coq proposition, for a place that allows operators up to the level."""
    return terms_over(values).says(term).at(level)


def write_test(term: t.Term, values: Values) -> str:
    """Return a condition as Coq text of type bool."""
    return terms_over(values).computed(term).text


def write_divisions(divided: Iterable[Division], values: Values) -> dict[str, str]:
    """Return `values` with values for the variables that stand for quotients and remainders."""
    found = dict(values)
    for a, b, quotient, remainder in divided:
        if names_in(a, b) <= found.keys():
            for x, sign in ((quotient, "/"), (remainder, "mod")):
                if isinstance(x, t.Variable):
                    found.setdefault(x.name, f"({write_number(a, found)} {sign} {write_number(b, found)})")
    return found


def write_pattern(names: Sequence[str]) -> str:
    """Return the Coq pattern by which `destruct` and `intros` name the parts of a tuple."""
    made, *others = names
    for name in others:
        made = f"[{made} {name}]"
    return made


def write_list_pattern(names: Sequence[str]) -> str:
    """Return the Coq pattern by which `destruct` names the elements of a list; the other lists have other lengths."""
    made = "[|? ?]"
    for name in reversed(names):
        made = f"[|{name} {made}]"
    return made


# -- instances --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class PosedObligation(Generic[Reader_co]):
    """An obligation of a proof. `name`: the name of its Coq lemma. `reader`: the reader that built the sequent."""

    name: str
    sequent: Sequent
    reader: Reader_co

    @property
    def kind(self) -> ObligationKind | None:
        return self.sequent.kind


Posed = TypeVar("Posed", bound=PosedObligation[object])


def name_obligations(built: Iterable[tuple[Sequent, Reader_co]]) -> Iterator[PosedObligation[Reader_co]]:
    """Yield obligations, from `build_with_reader`, with the names of their Coq lemmas in order."""
    for number, (sequent, reader) in enumerate(built, 1):
        yield PosedObligation(f"{MODULE}.obligation_{number}", sequent, reader)


@dataclass(eq=False)
class RuleInstance(Generic[OwnProof, Posed]):
    """A writer of the Coq instance of one proof.

    `claim`, `proof`: the claim and its proof with definitions expanded.
    `binders`: the variables of the claim. `numbers`: the writer of the statement.
    `posed`: the obligations that the instance uses.
    `theory`: the module of the theory with the theorem about the rule. `called`: the proof in words.
    `scope`: the scope in which numbers are written as arguments of lemmas; "" if this scope is open.
    """

    claim: Claim
    proof: OwnProof
    binders: Sequence[Binder]
    numbers: Statements
    services: ProofServices
    posed: Sequence[Posed]
    theory: ClassVar[str]
    called: ClassVar[str]
    scope: ClassVar[str] = "%Z"

    @property
    def game(self) -> Game:
        return self.claim.games[0]

    @cached_property
    def integers(self) -> dict[str, str]:
        """The Coq text for the integers of the claim, by their names."""
        return {b.word: f"(Z.of_N {b.name})" for b in self.binders if b.is_number}

    # -- obligations --------------------------------------------------------------------------------------------------
    def obligations(self) -> str:
        """Return the Coq module with the obligations, and the import of the theorem about the rule.

        Raises Unsupported if an obligation has no certificate.
        """
        lemmas = [
            f"{comment(o.sequent.name)}\n"
            + write_obligation(o.name.removeprefix(f"{MODULE}."), o.sequent, self.services.find_certificate(o.sequent))
            for o in self.posed
        ]
        imported = f"From Coq Require Import Lia ZifyBool ZArith.\nFrom NimChecks Require Import {self.theory}.\n"
        return f"{write_module(MODULE, lemmas)}\n{imported}"

    def find(self, name: str) -> Posed:
        """Return the obligation with this name."""
        return next(o for o in self.posed if o.sequent.name == name)

    def apply(self, o: Posed, values: Values) -> str:
        """Return the Coq lemma of an obligation, applied to values of its variables.

        Raises Unsupported if a variable has no value.
        """
        made = o.name
        for kind in (INT, BOOL):
            for v in (v for v in o.sequent.variables if v.type == kind):
                value = values[v.name] if v.name in values else self.any_value(v)
                if value is None:
                    raise Unsupported(f"no Coq text is generated for {v.name}, on which {self.called} depends")
                made += f" ({value}){self.scope}" if kind == INT and self.scope else f" {value}"
        return made

    def any_value(self, variable: Symbol) -> str | None:
        """Return a value of a variable whose value does not matter; None if the value matters."""
        return None

    # -- players ------------------------------------------------------------------------------------------------------
    @cached_property
    def players(self) -> list[str]:
        return [self.numbers.names[key_of_player(i)].text for i in range(2)]

    def name_turn(self, turn: MoverPair) -> tuple[str, str, str]:
        """Return as Coq text the mover, the next player, and the end of the name of a lemma with its variable."""
        if self.game.ruleset.impartial:
            return "p", "(other p)", " p"
        mover = self.players[turn.mover]
        return mover, self.players[turn.following], f"_{mover}"

    def by_turns(self, name: str, given: str) -> str:
        """Return the tactics that prove a statement about the player q by the lemmas about each turn.

        `name`: the name of the lemmas. `given`: the names of the variables and hypotheses to introduce.
        """
        if self.game.ruleset.impartial:
            return f"intros {given}; eapply {name}; eauto"
        return f"intros {given}; destruct q; [{' | '.join(f'eapply {name}_{p}; eauto' for p in self.players)}]"
