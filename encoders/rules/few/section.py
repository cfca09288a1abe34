"""The [proof] section with rule = "few heaps": who wins from positions of at most so many heaps, for all sizes.

    [proof]
    rule = "few heaps"
    heaps = ["a", "b"]                    # the heaps in ascending order, 0 where there is none
    after = ["c", "d"]                    # those that a move leaves, for lemmas: may be left out

    [proof.loses]                         # the invariant: where the mover loses; one for each player if they differ
    mover = "a == b"

    [proof.lemmas."no other root"]        # what holds of all integers in these ranges, proved once
    for = { x = "0..", n = "0.." }
    holds = "implies(x * x == 2 * n * n, x == 0)"
    measure = "x"                         # by induction: it may be used where this is less, at ...
    smaller = [{ x = "n", n = "x - n" }]
    at = [{ x = "a", n = "b" }]           # where it is used, of every position

    [proof.numbers.n]                     # a number that a position has: the least that meets a condition
    when = "a >= 1"
    least = "1..a"                        # which the last of these must meet
    with = "n * n >= a"

    [[proof.moves]]                       # named moves, as in a proof by folds
    when = "a < b"
    heaps = ["b"]                         # in the order in which the ruleset names those that it chooses
    take = { m = "b - a" }

See docs/proof-rules.md for the rule and why it is sound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from claims.language.grammar.tokens import is_name
from claims.language.proofs.players import leads_to_loss, read_losses, read_player
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Proof
from claims.language.statement.rulesets import Move
from claims.language.terms.terms import Term
from claims.language.terms.types import BOOL, INT, Type
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys
from encoders.rules.kit.lemmas import LemmaSection, NamedLemma, Values

MOST_HEAPS = 4


@dataclass(frozen=True, eq=False)
class LeastNumberDefinition:
    """Where `when` holds: the least of lo..hi that meets the condition `having`, which hi does."""

    name: str
    when: Term
    lo: Term
    hi: Term
    having: Term


@dataclass(frozen=True, eq=False)
class FewHeapsMove:
    """A move for `player` (None: for every one) at positions `when`, of any kind that chooses so many heaps.

    `number`: only of the kinds that these [[moves]] of the file are; None: of all of them.  `heaps`: places in the
    ascending order, as the ruleset chooses them.  `take`: the numbers picked, by name.
    `to_loss`: it leads to a position that is lost; otherwise it only shows that there is a move.
    """

    player: int | None
    when: Term
    number: int | None
    heaps: tuple[int, ...]
    take: Values
    to_loss: bool


@dataclass(frozen=True, eq=False)
class FewProof(Proof):
    """`heaps`: what the terms call the heaps, from the least; `loses`: player index -> where that mover loses.

    `after`: what the values of lemmas call the heaps that a move leaves, in ascending order; none if they do not.
    """

    rule: ClassVar[str] = "few heaps"
    heaps: tuple[str, ...]
    lemmas: tuple[NamedLemma, ...]
    numbers: tuple[LeastNumberDefinition, ...]
    loses: tuple[tuple[int, Term], ...]
    moves: tuple[FewHeapsMove, ...]
    after: tuple[str, ...] = ()


def read_few(section: ProofSection) -> FewProof:
    """Read such a section. Raises ClaimError."""
    return _FewHeapsSectionParser(section).read()


class _FewHeapsSectionParser:
    """`names`: those that a term of the proof may mention, growing as they are declared."""

    def __init__(self, section: ProofSection) -> None:
        if section.ruleset is None:
            problem = "a proof about few heaps, and no game or several"
            raise section.source.key_fault(("proof",), problem, 'a claim about one game, ruleset = "..."')
        self.section, self.source, self.table = section, section.source, section.table
        self.ruleset = section.ruleset
        self.table.only("rule", "heaps", "after", "loses", "lemmas", "numbers", "moves")
        self.names: dict[str, Type] = dict(section.integers)
        self.lemmas = LemmaSection(section, self.names)

    def read(self) -> FewProof:
        heaps = self._heaps("heaps")
        if len(heaps) > MOST_HEAPS:
            raise self.source.fault(("proof", "heaps"), f"{len(heaps)} heaps", f"1 to {MOST_HEAPS} names")
        loses = read_losses(self.section, self.section.terms_over(self.names))
        if not loses:
            raise self.source.fault(("proof", "loses"), "nothing says who loses", 'a line mover = "a == b"')
        numbers = tuple(self._number(name) for name in self.table.optional_table("numbers"))
        after = self._heaps("after", len(heaps)) if "after" in self.table.data else ()
        lemmas = self.lemmas.lemmas()
        for name in after:
            del self.names[name]
        rows = self.table.tables("moves") if "moves" in self.table.data else []
        moves = tuple(self._move(i, table, heaps) for i, table in enumerate(rows))
        return FewProof(heaps, lemmas, numbers, loses, moves, after)

    # -- names --------------------------------------------------------------------------------------------------------
    def _heaps(self, key: str, wanted: int | None = None) -> tuple[str, ...]:
        """The names under the key, as many as wanted, declared."""
        names = self.table.texts(key, 'the names of the heaps in ascending order, ["a", "b"]')
        if not names or wanted not in (None, len(names)):
            problem = f"{len(names)} names" if names else "no heaps"
            raise self.source.fault(("proof", key), problem, f"a name for each of {wanted or 'the'} heaps")
        for i, name in enumerate(names):
            self._declare(("proof", key, i), name)
        return names

    def _declare(self, keys: Keys, name: str) -> None:
        if not is_name(name) or name in {**self.names, **self.section.types, **self.section.definitions}:
            problem = f"the name {name!r} is taken" if is_name(name) else f"{format_value(name)} is no name"
            raise self.source.key_fault(keys, problem, "a name that the claim and the proof do not use")
        self.names[name] = INT

    def _term(self, keys: Keys, text: str, kind: Type) -> Term:
        return self.lemmas.term(keys, text, kind)

    # -- numbers -----------------------------------------------------------------------------------------------------
    def _number(self, name: str) -> LeastNumberDefinition:
        at: Keys = ("proof", "numbers", name)
        table = self.lemmas.inner(at)
        table.only("when", "least", "with")
        when = self._term((*at, "when"), table.text("when"), BOOL)
        found = self.lemmas.range((*at, "least"), name, table.text("least"), self.names)
        if found.hi is None:
            raise self.source.fault(
                (*at, "least"), "a range without end", '"1..a": its last number is to be one of them'
            )
        self._declare(at, name)
        return LeastNumberDefinition(
            name, when, found.lo, found.hi, self._term((*at, "with"), table.text("with"), BOOL)
        )

    # -- the moves ----------------------------------------------------------------------------------------------------
    def _move(self, number: int, table: TomlTable, heaps: tuple[str, ...]) -> FewHeapsMove:
        at: Keys = ("proof", "moves", number)
        table.only("player", "when", "move", "heaps", "take", "to")
        player = read_player(self.section, table)
        when = self._term((*at, "when"), table.text("when"), BOOL)
        chosen = table.texts("heaps", 'the heaps that it changes, ["b"]')
        for i, name in enumerate(chosen):
            if name not in heaps or name in chosen[:i]:
                problem = f"{name!r} stands here twice" if name in heaps else f"{name!r} is no heap"
                raise self.source.fault((*at, "heaps", i), problem, f"one of {', '.join(heaps)}")
        wanted, kinds = self._kinds(at, table, len(chosen))
        known = list(dict.fromkeys(p.name for move in kinds for p in move.picks))
        take = []
        for name, text in table.expressions("take"):
            if name not in known:
                problem = f"this move of the game picks no {name!r}"
                raise self.source.key_fault((*at, "take", name), problem, f"one of {', '.join(known) or 'none'}")
            take.append((name, self._term((*at, "take", name), text, INT)))
        to_loss = leads_to_loss(table)
        if not to_loss and not self.ruleset.stuck_wins:
            problem = "a move that need not lead to a loss shows nothing under normal play"
            raise table.fault("to", problem, "no such line: it is for losses under misère play")
        return FewHeapsMove(player, when, wanted, tuple(map(heaps.index, chosen)), tuple(take), to_loss)

    def _kinds(self, at: Keys, table: TomlTable, width: int) -> tuple[int | None, list[Move]]:
        """Which of the [[moves]] `move` says, and the kinds of moves on so many heaps, of that one or of all."""
        fits = [move for move in self.ruleset.moves if len(move.heaps) == width]
        if not fits:
            raise self.source.fault((*at, "heaps"), f"no move of the game chooses {width} heaps", "as many as one does")
        if "move" not in table.data:
            return None, fits
        wanted, numbers = table.data["move"], sorted({move.number for move in fits})
        if type(wanted) is not int or wanted not in numbers:
            expected = f"one of {', '.join(map(str, numbers))}"
            raise table.fault("move", f"{format_value(wanted)} numbers no such [[moves]] of the game", expected)
        return wanted, [move for move in fits if move.number == wanted]
