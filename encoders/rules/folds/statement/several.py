"""Named moves on several heaps, which are picked one after another, with cases in between.

    [[proof.moves]]
    when = "A != 0 or B != 0"
    heap = "top bit of A ^ B"              # a heap h with a 1 at the highest place p of that

    [[proof.moves.then]]                   # h is taken out; rest_A is the fold A of what remains
    when = "rest_A == 0"
    take = { m = "h - rest_B" }

    [[proof.moves.then]]
    when = "rest_A != 0"
    heap = "top bit of rest_A"             # h2, its place p2; rest2_A is A of what remains without both
    take = [{ m = "..." }, { m = "..." }]  # for h, and for h2

A name that the file gives to a fold or to an integer stays what the file says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from claims.language.expressions.walk import free_names
from claims.language.proofs.players import leads_to_loss, read_player
from claims.language.proofs.sections import ProofSection
from claims.language.statement.unfolding import expand_definitions
from claims.language.terms.terms import Term
from claims.language.terms.types import BOOL, INT, Type
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys

_TOP_BIT = re.compile(r"\s*top bit of (.+)", re.DOTALL)
_ANY = re.compile(r"\s*any(?: with (.+))?\s*", re.DOTALL)
_PICKS = '"top bit of A ^ B", "any", "any with h >= k"'
Take = tuple[tuple[str, Term], ...]


@dataclass(frozen=True, eq=False)
class NextHeapChoice:
    """A heap of what remains: one with a 1 at the highest place of `top`, or any with `having` (None: any at all)."""

    words: str
    top: Term | None
    having: Term | None


@dataclass(frozen=True, eq=False)
class MoveCase:
    """Where `when` holds a heap is picked (None: no more of them), and then one of the cases `then` is met.

    A case without others in it has `takes`: the numbers picked, by name, for each heap or for all together.
    """

    when: Term
    pick: NextHeapChoice | None
    then: tuple[MoveCase, ...]
    takes: tuple[Take, ...]


@dataclass(frozen=True, eq=False)
class LongMove:
    """A move on one heap or more, for `player` (None: for every one). `to_loss` as for a move on one heap."""

    player: int | None
    case: MoveCase
    to_loss: bool

    @property
    def when(self) -> Term:
        """Where it is made."""
        return self.case.when

    def picks(self) -> Iterator[tuple[NextHeapChoice, int]]:
        """How its heaps are picked, each with how many are out before."""
        todo = [(self.case, 0)]
        while todo:
            case, out = todo.pop(0)
            if case.pick is not None:
                yield case.pick, out
                out += 1
            todo += [(inner, out) for inner in case.then]


def heap_name(number: int) -> str:
    """What a named move calls the heap that it picks first (1), second, and so on."""
    return "h" if number == 1 else f"h{number}"


def place_name(number: int) -> str:
    """What it calls the highest place by which that heap is picked, as the number with a 1 there alone."""
    return "p" if number == 1 else f"p{number}"


def rest_name(fold: str, out: int) -> str:
    """What it calls a fold of what remains when so many heaps are taken out."""
    return fold if out == 0 else f"rest_{fold}" if out == 1 else f"rest{out}_{fold}"


class CaseReader:
    """Reads the tables of [[proof.moves]]. `integers` of the claim and names of `folds` are what they may speak of.

    Raises ClaimError.
    """

    def __init__(self, section: ProofSection, integers: dict[str, Type], folds: tuple[str, ...]) -> None:
        self.section, self.source, self.folds = section, section.source, folds
        self.names: dict[str, Type] = {**integers, **dict.fromkeys(folds, INT)}

    def move(self, number: int, table: TomlTable) -> LongMove:
        """One of them."""
        at: Keys = ("proof", "moves", number)
        table.only("player", "when", "heap", "take", "to", "then")
        who = read_player(self.section, table)
        to_loss = leads_to_loss(table)
        table.text("heap")
        return LongMove(who, self._case(at, table, ()), to_loss)

    def _case(self, at: Keys, table: TomlTable, out: tuple[NextHeapChoice, ...]) -> MoveCase:
        """`out`: how heaps have been picked that are taken out. Files cannot be nested without end, so it ends."""
        when = self._term((*at, "when"), table.text("when"), BOOL, out)
        pick = None
        if "heap" in table.data:
            pick = self._pick((*at, "heap"), table.text("heap"), out)
            out = (*out, pick)
        if "then" not in table.data:
            return MoveCase(when, pick, (), tuple(self._takes((*at, "take"), table.data.get("take", {}), out)))
        if "take" in table.data:
            raise self.source.key_fault((*at, "take"), "the cases of 'then' say what is taken", "no take beside them")
        then = []
        for i, inner in enumerate(table.tables("then")):
            inner.only("when", "heap", "take", "then")
            then.append(self._case((*at, "then", i), inner, out))
        return MoveCase(when, pick, tuple(then), ())

    def _pick(self, keys: Keys, text: str, out: tuple[NextHeapChoice, ...]) -> NextHeapChoice:
        """How the next heap is picked."""
        top, any_ = _TOP_BIT.fullmatch(text), _ANY.fullmatch(text)
        if top:
            whole = self._term(keys, top[1], INT, out, top.start(1))
            folds = {rest_name(fold, len(out)) for fold in self.folds}
            if not set(free_names(expand_definitions(whole))) <= folds:
                problem = "a heap is picked at the top bit of folds of what remains"
                raise self.source.fault(keys, problem, ", ".join(sorted(folds)) or "a fold")
            return NextHeapChoice(" ".join(text.split()), whole, None)
        if not any_:
            raise self.source.fault(keys, "this picks no heap", _PICKS)
        having = None
        if any_[1]:
            names = {**self.section.integers, heap_name(len(out) + 1): INT}
            having = self.section.terms_over(names).term(keys, any_[1], BOOL, any_.start(1))
        return NextHeapChoice(" ".join(text.split()), None, having)

    def _takes(self, keys: Keys, value: object, out: tuple[NextHeapChoice, ...]) -> Iterator[Take]:
        several = isinstance(value, list)
        tables = value if isinstance(value, list) else [value]
        ruleset = self.section.ruleset
        for i, take in enumerate(tables):
            at = (*keys, i) if several else keys
            if not isinstance(take, dict):
                expected = "a table { m = ... }, or a list of one for each heap"
                raise self.source.fault(keys, f"{format_value(take)} is no table", expected)
            found = []
            known = {p.name for m in ruleset.moves for p in m.picks} if ruleset else set(take)
            for name, text in TomlTable(self.source, at, take).lines():
                if name not in known:
                    problem, expected = f"the moves of the game pick no {name!r}", ", ".join(sorted(known)) or "none"
                    raise self.source.key_fault((*at, name), problem, f"one of {expected}")
                found.append((name, self._term((*at, name), text, INT, out)))
            yield tuple(found)

    def _term(self, keys: Keys, text: str, kind: Type, out: tuple[NextHeapChoice, ...], offset: int = 0) -> Term:
        """A term over the names that there are once these heaps have been taken out."""
        names = dict(self.names)
        for number, pick in enumerate(out, 1):
            places = () if pick.top is None else (place_name(number),)
            for name in (heap_name(number), *places, *(rest_name(fold, number) for fold in self.folds)):
                names.setdefault(name, INT)
        return self.section.terms_over(names).term(keys, text, kind, offset)
