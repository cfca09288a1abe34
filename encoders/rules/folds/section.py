"""The [proof] section of the rules by folds: invariants, facts, and named moves on one or several heaps.

The section contains everything that a proof about any number of heaps needs in addition to the claim.

    [proof]
    rule = "folds"                        # optional
    sizes = "< 2^62"                      # a bound on heaps and parameters; no bound if absent

    [proof.folds]                         # numbers computed from the heaps of a position
    X = "nim_sum(s)"
    c = "count(h >= k for h in s)"

    [proof.facts]                         # true for every position; proved by induction on the number of heaps
    "no large heap" = "implies(c == 0, X < 2*k)"

    [proof.loses]                         # the invariant: where the mover loses; "mover" if the ruleset is impartial
    P2 = "c == 0 and X == 0"

    [[proof.moves]]                       # named moves: replies if the mover does not lose, witnesses of `any`
    player = "P2"
    when = "c == 0 and X != 0"
    heap = "top bit of X"                 # or "top bit of X ^ k", "any with h >= k", "largest", "smallest"; called h
    take = { m = "h - (h ^ X)" }

    [[proof.picks]]                       # heaps of the claim's position that the proof considers, without a move
    when = "X != 0"
    heap = "top bit of X"

    [proof.steps]                         # consequences of the claim's hypotheses, proved in order before the claim
    "the remainder" = "(h - n) % k == 0"

These keys belong to [proof] itself, next to `sizes`:

    split = ["k < 9", "k >= 9"]           # cases of the claim, each a separate obligation
    by = ["theorem-1", "nim/bouton"]      # claims that the proof assumes
    heaps = ["a", "b"]                    # names for the heaps in ascending order, if the claim is about two heaps

A named move on several heaps picks the heaps one after another, and may distinguish cases between two picks:

    [[proof.moves]]
    when = "A != 0 or B != 0"
    heap = "top bit of A ^ B"              # a heap h with a 1 at the highest place p of A ^ B

    [[proof.moves.then]]                   # h is picked; rest_A is the fold A of the other heaps
    when = "rest_A == 0"
    take = { m = "h - rest_B" }

    [[proof.moves.then]]
    when = "rest_A != 0"
    heap = "top bit of rest_A"             # h2, with place p2; rest2_A is A of the heaps other than h and h2
    take = [{ m = "..." }, { m = "..." }]  # for h, and for h2

A name that the file gives to a fold or an integer keeps this meaning.

See docs/rules/folds.md for the rule and why it is sound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from claims.language.errors import format_count
from claims.language.files.claim import Proof, expand_definitions
from claims.language.files.definitions import ExpressionContext
from claims.language.files.proofs import ProofSection, leads_to_loss, read_losses, read_player
from claims.language.files.rulesets import Ruleset
from claims.language.files.toml import Keys, TomlTable, format_value
from claims.language.syntax.grammar import is_name
from claims.language.syntax.printing import find_free_names, substitute
from claims.language.syntax.terms import BOOL, INT, POSITION, Comprehension, Literal, Operation, Term, Type, Variable
from encoders.logic.moves import has_several_heaps
from encoders.rules.base.shape import LARGEST, LEAST, extreme_of, guard_extreme

# == several ==========================================================================================================
_TOP_BIT = re.compile(r"\s*top bit of (.+)", re.DOTALL)
_ANY = re.compile(r"\s*any(?: with (.+))?\s*", re.DOTALL)
_PICKS = 'a choice such as "top bit of A ^ B", "any" or "any with h >= k"'
Take = tuple[tuple[str, Term], ...]


@dataclass(frozen=True, eq=False)
class NextHeapChoice:
    """A choice among the heaps that are not picked yet.

    `words`: the choice as it is written in the file.
    `top`: the number at whose top bit the heap is picked; None for another choice.
    `having`: the property of the heap that is picked; None if any heap may be picked.
    """

    words: str
    top: Term | None
    having: Term | None


@dataclass(frozen=True, eq=False)
class MoveCase:
    """A case of a named move, which applies if `when` holds.

    `pick`: the choice of the next heap; None if the case does not pick a heap.
    `then`: the inner cases, one of which continues the move; empty if the case completes the move.
    `takes`: without inner cases, the numbers picked by name: one table for each heap, or one table for all heaps.
    """

    when: Term
    pick: NextHeapChoice | None
    then: tuple[MoveCase, ...]
    takes: tuple[Take, ...]


@dataclass(frozen=True, eq=False)
class LongMove:
    """A named move on one or more heaps, perhaps with cases.

    `player`: the index of the player who makes the move; None for every player.
    `case`: the outermost case.
    `to_loss`: whether the move must lead to a position that the next player loses.
    """

    player: int | None
    case: MoveCase
    to_loss: bool

    @property
    def when(self) -> Term:
        """Return the condition under which the move is made."""
        return self.case.when

    def picks(self) -> Iterator[tuple[NextHeapChoice, int]]:
        """Yield the choices of heaps in all cases, each with the number of heaps that are picked before it."""
        todo = [(self.case, 0)]
        while todo:
            case, out = todo.pop(0)
            if case.pick is not None:
                yield case.pick, out
                out += 1
            todo += [(inner, out) for inner in case.then]


def heap_name(number: int) -> str:
    """Return the name of a picked heap in the terms of a proof: "h" for the first heap, then "h2", "h3" and so on."""
    return "h" if number == 1 else f"h{number}"


def place_name(number: int) -> str:
    """Return the name of the binary place, as a power of 2, at which a heap is picked: "p", "p2", "p3" and so on.

    `number`: 1 for the heap that is picked first.
    """
    return "p" if number == 1 else f"p{number}"


def make_rest_name(fold: str, out: int) -> str:
    """Return the name of a fold of the remaining heaps: X, rest_X, rest2_X after 0, 1, 2 heaps are picked."""
    return fold if out == 0 else f"rest_{fold}" if out == 1 else f"rest{out}_{fold}"


class CaseReader:
    """A parser of the tables of [[proof.moves]].

    The terms in these tables may use the `integers` of the claim and the names of `folds`. Raises ClaimError.
    """

    def __init__(self, section: ProofSection, integers: dict[str, Type], folds: tuple[str, ...]) -> None:
        self.section, self.source, self.folds = section, section.source, folds
        self.names: dict[str, Type] = {**integers, **dict.fromkeys(folds, INT)}

    def move(self, number: int, table: TomlTable) -> LongMove:
        """Parse the table [[proof.moves]] with this index."""
        at: Keys = ("proof", "moves", number)
        table.reject_unknown_keys("player", "when", "heap", "take", "to", "then")
        who = read_player(self.section, table)
        to_loss = leads_to_loss(table)
        table.text("heap")
        return LongMove(who, self._case(at, table, ()), to_loss)

    def _case(self, at: Keys, table: TomlTable, out: tuple[NextHeapChoice, ...]) -> MoveCase:
        """Parse a case and, recursively, its inner cases.

        `out`: the choices of the heaps that are already picked.
        """
        when = self._term((*at, "when"), table.text("when"), BOOL, out)
        pick = None
        if "heap" in table.data:
            pick = self._pick((*at, "heap"), table.text("heap"), out)
            out = (*out, pick)
        if "then" not in table.data:
            return MoveCase(when, pick, (), tuple(self._takes((*at, "take"), table.data.get("take", {}), out)))
        if "take" in table.data:
            problem = "a table cannot contain both 'take' and 'then'"
            raise self.source.key_fault((*at, "take"), problem, "'take' only in the cases of 'then'")
        then = []
        for i, inner in enumerate(table.tables("then")):
            inner.reject_unknown_keys("when", "heap", "take", "then")
            then.append(self._case((*at, "then", i), inner, out))
        return MoveCase(when, pick, tuple(then), ())

    def _pick(self, keys: Keys, text: str, out: tuple[NextHeapChoice, ...]) -> NextHeapChoice:
        """Parse the choice of the next heap, such as "top bit of A ^ B" or "any with h >= k".

        `out`: the choices of the heaps that are already picked.
        """
        top, any_ = _TOP_BIT.fullmatch(text), _ANY.fullmatch(text)
        if top:
            whole = self._term(keys, top[1], INT, out, top.start(1))
            folds = {make_rest_name(fold, len(out)) for fold in self.folds}
            if not set(find_free_names(expand_definitions(whole))) <= folds:
                problem = "'top bit of' may only use folds of the remaining heaps"
                raise self.source.fault(keys, problem, f"folds among {', '.join(sorted(folds))}" if folds else "a fold")
            return NextHeapChoice(" ".join(text.split()), whole, None)
        if not any_:
            raise self.source.fault(keys, "unknown choice of a heap", _PICKS)
        having = None
        if any_[1]:
            names = {**self.section.integers, heap_name(len(out) + 1): INT}
            having = self.section.terms_over(names).read_expression(keys, any_[1], BOOL, any_.start(1))
        return NextHeapChoice(" ".join(text.split()), None, having)

    def _takes(self, keys: Keys, value: object, out: tuple[NextHeapChoice, ...]) -> Iterator[Take]:
        several = isinstance(value, list)
        tables = value if isinstance(value, list) else [value]
        ruleset = self.section.ruleset
        for i, take in enumerate(tables):
            at = (*keys, i) if several else keys
            if not isinstance(take, dict):
                expected = "a table { m = ... }, or a list with one table for each heap"
                raise self.source.fault(keys, f"{format_value(take)} is not a table", expected)
            found = []
            known = {p.name for m in ruleset.moves for p in m.picks} if ruleset else set(take)
            for name, text in TomlTable(self.source, at, take).lines():
                if name not in known:
                    problem = f"no move of the game picks {name!r}"
                    expected = f"one of {', '.join(sorted(known))}" if known else "no 'take', because no move has picks"
                    raise self.source.key_fault((*at, name), problem, expected)
                found.append((name, self._term((*at, name), text, INT, out)))
            yield tuple(found)

    def _term(self, keys: Keys, text: str, kind: Type, out: tuple[NextHeapChoice, ...], offset: int = 0) -> Term:
        """Parse a term over the names that are available after the heaps `out` are picked, such as h and rest_X."""
        names = dict(self.names)
        for number, pick in enumerate(out, 1):
            places = () if pick.top is None else (place_name(number),)
            for name in (heap_name(number), *places, *(make_rest_name(fold, number) for fold in self.folds)):
                names.setdefault(name, INT)
        return self.section.terms_over(names).read_expression(keys, text, kind, offset)


# == section ==========================================================================================================
PICKED_HEAP = "h"  # the name of a named move's heap
BESIDE = "rest_"  # rest_X is the fold X of the other heaps
POSITION_NAME = "s"  # the name of the position in folds if the claim has no variable for it
_SIZES = re.compile(r"\s*<\s*2\s*\^\s*(\d{1,2})\s*")
_NAME = re.compile(r"[^\W\d]\w*")
_EXTREMES = {"largest": LARGEST, "smallest": LEAST}
MAX_BITS = 62
P = TypeVar("P", bound="FoldsProof")
MOST_HEAPS = 6  # that `heaps` may name


@dataclass(frozen=True, eq=False)
class FoldDefinition:
    """A named number that is computed heap by heap, such as the nim-sum or the number of large heaps.

    The number is 0 for the empty position. If its definition is undefined there, as max(s) is, `term` contains a test
    for the empty position.
    """

    name: str
    term: Term


@dataclass(frozen=True, eq=False)
class HeapChoice:
    """A choice of a heap, at positions where `when` holds.

    `top_bit`: if the heap is picked at the top bit of a fold, the name of the fold; "" for other choices.
    `aim`: the number k in "top bit of X ^ k", to which the nim-sum X is changed; None for 0.
    `extreme`: LARGEST or LEAST for a largest or smallest heap, "" for other choices.
    `having`: a condition on the heap; None for any heap.
    """

    when: Term
    top_bit: str
    aim: Term | None
    extreme: str
    having: Term | None


@dataclass(frozen=True, eq=False)
class FoldsMove(HeapChoice):
    """A named move on one heap.

    `player`: the index of the player who makes the move; None for every player.
    `take`: the numbers picked, by name; their terms may use the folds of the other heaps.
    `to_loss`: whether the move must lead to a position that the next player loses. Otherwise the move only shows that
    an option exists.
    """

    player: int | None
    take: tuple[tuple[str, Term], ...]
    to_loss: bool


@dataclass(frozen=True, eq=False)
class FoldsProof(Proof):
    """A [proof] section with folds.

    `position`: the name of the position in the folds.
    `bits`: sizes are below 2**bits; None for no bound.
    `folds`, `facts`: the definitions of the folds, and the named facts about them.
    `loses`: for each player, by index, the condition under which this player loses if it is their turn; empty for a
    proof without an invariant.
    `moves`, `several`: the named moves, in the format for one heap or for several heaps.
    `split`: the cases of the claim, as pairs of a text and a condition on the claim's integers.
    `heaps`: the names of the heaps of the claim's position, in ascending order, if their number is fixed; else empty.
    `picks`: the choices of a heap from the claim's position.
    `steps`: consequences of the claim's hypotheses, by name.
    `assume` (inherited): if this is the proof of one case, what the case assumes about the integers.
    `unfold`: whether the rule applies the definitions of winning and of values at the claim's positions.
    """

    rule: ClassVar[str] = "folds"
    position: str
    bits: int | None
    folds: tuple[FoldDefinition, ...]
    facts: tuple[tuple[str, Term], ...]
    loses: tuple[tuple[int, Term], ...]
    moves: tuple[FoldsMove, ...]
    split: tuple[tuple[str, Term], ...] = ()
    heaps: tuple[str, ...] = ()
    picks: tuple[HeapChoice, ...] = ()
    steps: tuple[tuple[str, Term], ...] = ()
    several: tuple[LongMove, ...] = ()
    unfold: ClassVar[bool] = False

    def uses_cases(self, ruleset: Ruleset) -> bool:
        """Whether the named moves have the format for several heaps, because of the proof or of the ruleset."""
        return bool(self.several) or has_several_heaps(ruleset)

    @property
    def tells_values(self) -> bool:
        """Whether lemmas, or the definition of values at the claim's positions, determine values for n players."""
        return bool(self.by) or self.unfold

    @property
    def tells_who_wins(self) -> bool:
        """Whether lemmas or the definition of winning determine who wins, instead of an invariant."""
        return self.tells_values and not self.loses

    @property
    def seen(self) -> dict[str, Term]:
        """The folds by their names, as terms over the position."""
        return {fold.name: fold.term for fold in self.folds}

    @property
    def seen_beside(self) -> dict[str, Term]:
        """The folds by name, and the folds of the heaps other than the picked heap by the names `rest_X`."""
        s, heap = Variable(POSITION, 0, 0, self.position), Variable(INT, 0, 0, PICKED_HEAP)
        rest = Operation(POSITION, 0, 0, "replace", (s, heap, Literal(INT, 0, 0, 0)))
        return self.seen | {f"{BESIDE}{f.name}": substitute(f.term, {self.position: rest}) for f in self.folds}


@dataclass(frozen=True, eq=False)
class DefinitionProof(FoldsProof):
    """A [proof] section without an invariant: the options of the claim's positions determine winning and values."""

    rule: ClassVar[str] = "definition"
    unfold: ClassVar[bool] = True


KEYS = ("rule", "by", "sizes", "split", "heaps", "folds", "facts", "loses", "moves", "picks", "steps")


def read_folds(section: ProofSection) -> FoldsProof:
    """Read a section with rule = "folds". Raises ClaimError."""
    return read_section(section, KEYS, FoldsProof)


def read_definition(section: ProofSection) -> DefinitionProof:
    """Read a section with rule = "definition". Raises ClaimError."""
    return read_section(section, tuple(key for key in KEYS if key != "loses"), DefinitionProof)


def read_section(section: ProofSection, keys: tuple[str, ...], kind: type[P]) -> P:
    """Parse a [proof] section with these keys into a proof of this kind. Raises ClaimError."""
    return _FoldsSectionParser(section, keys).read(kind)


class _FoldsSectionParser:
    def __init__(self, section: ProofSection, keys: tuple[str, ...]) -> None:
        self.section, self.source, self.ruleset, self.table = section, section.source, section.ruleset, section.table
        source, types = section.source, section.types
        self.table.reject_unknown_keys(*keys)
        self.declared = types
        positions = [name for name, kind in types.items() if kind == POSITION]
        if len(positions) > 1 or (not positions and POSITION_NAME in types):
            problem, expected = (
                "the claim has several variables for positions",
                "a claim with at most one variable for a position",
            )
            raise source.key_fault(("proof",), problem, expected)
        self.position = positions[0] if positions else POSITION_NAME
        self.claim = ExpressionContext(source, section.facts, section.definitions, section.files)
        self.claim.types.update({self.position: POSITION, **types})
        self.inner = section.terms_over(section.integers)
        self.beside = section.terms_over(section.integers)  # for the terms of `take`

    def read(self, kind: type[P]) -> P:
        bits = self._bits(self.table.text("sizes")) if "sizes" in self.table.data else None
        cases = self.table.texts("split") if "split" in self.table.data else ()
        split = tuple((x, self.inner.read_expression(("proof", "split", i), x, BOOL)) for i, x in enumerate(cases))
        folds = tuple(self._fold(name, text) for name, text in self.table.expressions("folds"))
        self.folds = folds
        for fold in folds:
            self.inner.types[fold.name] = INT
        facts = tuple(
            (n, self.inner.read_expression(("proof", "facts", n), text, BOOL))
            for n, text in self.table.expressions("facts")
        )
        loses = read_losses(self.section, self.inner)
        heaps = self._heaps()
        steps = tuple(
            (n, self.claim.read_expression(("proof", "steps", n), text, BOOL))
            for n, text in self.table.expressions("steps")
        )
        moves: tuple[FoldsMove, ...] = ()
        picks: tuple[HeapChoice, ...] = ()
        several: tuple[LongMove, ...] = ()
        if "moves" in self.table.data:
            self._name_heap("moves")
            tables = self.table.tables("moves")
            if self.ruleset is not None and (has_several_heaps(self.ruleset) or any(map(self._has_cases, tables))):
                reader = CaseReader(self.section, dict(self.section.integers), tuple(fold.name for fold in folds))
                several = tuple(reader.move(i, table) for i, table in enumerate(tables))
            else:
                self.beside.types.update(self.inner.types)
                self.beside.types.update({self._make_rest_name(fold.name): INT for fold in folds})
                moves = tuple(self._move(i, t) for i, t in enumerate(tables))
        if "picks" in self.table.data:
            self._name_heap("picks")
            picks = tuple(self._parse_pick(i, t) for i, t in enumerate(self.table.tables("picks")))
        by = self.section.lemmas()
        return kind(self.position, bits, folds, facts, loses, moves, split, heaps, picks, steps, several, by=by)

    def _has_cases(self, table: TomlTable) -> bool:
        """Whether a named move has the format for several heaps.

        Such a move has inner cases, a list of tables `take`, or a pick at the top bit of a term that is neither X nor
        X ^ k. Here X is the name of a fold other than `columns`, and k does not contain folds.
        """
        columns = {fold.name for fold in self.folds if isinstance(fold.term, Operation) and fold.term.op == "columns"}
        heap = table.data.get("heap")
        top = _TOP_BIT.fullmatch(heap) if isinstance(heap, str) else None
        whole, _, aim = ("", "", "") if top is None else (x.strip() for x in top[1].partition("^"))
        folds = {fold.name for fold in self.folds}
        more = top is not None and (not is_name(whole) or whole in columns or bool(folds & set(_NAME.findall(aim))))
        return "then" in table.data or isinstance(table.data.get("take"), list) or more

    def _name_heap(self, key: str) -> None:
        """Declare `h`, the name of the picked heap. Raises ClaimError if the claim has a variable with this name.

        `key`: "moves" or "picks".
        """
        if PICKED_HEAP in self.claim.types:
            problem = f"the claim has a variable {PICKED_HEAP!r}, the name of the picked heap in [[proof.{key}]]"
            raise self.source.key_fault(("proof", key), problem, "another name for the variable")
        self.inner.types[PICKED_HEAP] = INT

    def _heaps(self) -> tuple[str, ...]:
        """Parse the names of the heaps in ascending order. Named moves may use these names."""
        names = self.table.texts("heaps") if "heaps" in self.table.data else ()
        if len(names) > MOST_HEAPS or ("heaps" in self.table.data and not names):
            raise self.source.fault(
                ("proof", "heaps"), f"'heaps' has {format_count(len(names), 'name')}", f"1 to {MOST_HEAPS} names"
            )
        if names and self.position not in self.declared:
            raise self.source.key_fault(("proof", "heaps"), "the claim has no variable for a position", "no 'heaps'")
        for i, name in enumerate(names):
            if not is_name(name) or name in (*self.claim.types, *self.inner.types, PICKED_HEAP):
                problem = f"the name {name!r} is taken" if is_name(name) else f"{format_value(name)} is not a name"
                raise self.source.fault(
                    ("proof", "heaps", i), problem, "a name that the claim and the proof do not use"
                )
            self.inner.types[name] = INT
        return names

    def _bits(self, sizes: str) -> int:
        match = _SIZES.fullmatch(sizes)
        if not match or not 1 <= int(match[1]) <= MAX_BITS:
            raise self.source.fault(
                ("proof", "sizes"),
                f"{format_value(sizes)} is not a bound for sizes",
                f'a power of two up to 2^{MAX_BITS}, as in "< 2^62", or no line `sizes`',
            )
        return int(match[1])

    def _fold(self, name: str, text: str) -> FoldDefinition:
        keys = ("proof", "folds", name)
        term = self.claim.read_expression(keys, text, INT)
        body = expand_definitions(term)
        reducer = body.reducer if isinstance(body, Comprehension) else body.op if isinstance(body, Operation) else ""
        if reducer not in ("nim_sum", "sum", "count", "len", "occurrences", "columns") and extreme_of(term) is None:
            kinds = (
                "nim_sum, sum or count over h in s, nim_sum(s), sum(s), len(s), s.count(k), min(s), max(s), "
                "s.count(max(s)), columns(s, 3, 1)"
            )
            raise self.source.fault(keys, "this is not a fold over the heaps", kinds)
        if name in self.inner.types or name == PICKED_HEAP:
            raise self.source.key_fault(keys, f"the name {name!r} is taken", "another name")
        return FoldDefinition(name, guard_extreme(term))

    def _make_rest_name(self, name: str) -> str:
        """Return the name `rest_X`, which denotes the fold X of the other heaps in named moves.

        Raises ClaimError if this name is used already.
        """
        if f"{BESIDE}{name}" in self.inner.types:
            problem = f"the name {BESIDE}{name} is reserved for the fold {name} of the other heaps in named moves"
            raise self.source.key_fault(("proof", "folds", name), problem, "another name")
        return f"{BESIDE}{name}"

    def _move(self, number: int, table: TomlTable) -> FoldsMove:
        at = ("proof", "moves", number)
        table.reject_unknown_keys("player", "when", "heap", "take", "to")
        player = read_player(self.section, table)
        pick = self._pick(at, table)
        take = table.expressions("take")
        picks = tuple((n, self.beside.read_expression((*at, "take", n), text, INT)) for n, text in take)
        self._check_picks((*at, "take"), dict(take))
        to_loss = leads_to_loss(table)
        return FoldsMove(pick.when, pick.top_bit, pick.aim, pick.extreme, pick.having, player, picks, to_loss)

    def _check_picks(self, keys: Keys, take: Mapping[str, object]) -> None:
        """Raise ClaimError if a name in `take` is not a pick of any move.

        If the claim has several games, the names must also be exactly the picks of one kind of move in at least one
        game.
        """
        moves = [m for ruleset in self.section.rulesets for m in ruleset.moves]
        known = {p.name for m in moves for p in m.picks}
        for name in take:
            if moves and name not in known:
                problem = f"no move of the game picks {name!r}"
                expected = f"one of {', '.join(sorted(known))}" if known else "no 'take', because no move has picks"
                raise self.source.key_fault((*keys, name), problem, expected)
        if len(self.section.rulesets) > 1 and not any({p.name for p in m.picks} == set(take) for m in moves):
            picks = sorted({" and ".join(p.name for p in m.picks) or "nothing" for m in moves})
            problem = f"no move of the games picks exactly {' and '.join(take) or 'nothing'}"
            at = keys if take else (*keys[:-1], "heap")
            raise self.source.key_fault(at, problem, f"all picks of one move, which are {', or '.join(picks)}")

    def _parse_pick(self, number: int, table: TomlTable) -> HeapChoice:
        table.reject_unknown_keys("when", "heap")
        return self._pick(("proof", "picks", number), table)

    def _pick(self, at: tuple[str | int, ...], table: TomlTable) -> HeapChoice:
        when = self.inner.read_expression((*at, "when"), table.text("when"), BOOL)
        heap = table.text("heap")
        top, any_, extreme = _TOP_BIT.fullmatch(heap), _ANY.fullmatch(heap), _EXTREMES.get(heap.strip(), "")
        having, top_bit, aim = None, "", None
        if top:
            top_bit, aim = self._top_bit((*at, "heap"), top[1], top.start(1))
        if not top and not extreme:
            if not any_:
                known_picks = (
                    'a choice such as "top bit of X", "top bit of X ^ k", "any", "any with h >= k", '
                    '"largest" or "smallest"'
                )
                raise self.source.fault((*at, "heap"), "unknown choice of a heap", known_picks)
            if any_[1]:
                having = self.inner.read_expression((*at, "heap"), any_[1], BOOL, heap.index(any_[1]))
        return HeapChoice(when, top_bit, aim, extreme, having)

    def _top_bit(self, keys: Keys, text: str, offset: int) -> tuple[str, Term | None]:
        """Parse the choice "top bit of X ^ k": return the name X of the nim-sum, and k, or None if there is no k."""
        expected = "a nim-sum among the folds, or a nim-sum and a number of the claim, as in X ^ k"
        folds = {fold.name for fold in self.folds}
        if is_name(text.strip()):
            if text.strip() not in folds:
                raise self.source.fault(keys, f"{text.strip()!r} is not a fold", expected)
            return text.strip(), None
        names = {**self.section.integers, **dict.fromkeys(folds, INT)}
        match self.section.terms_over(names).read_expression(keys, text, INT, offset):
            case Operation(op="nim", args=(Variable(name=fold), aim)) if fold in folds:
                if folds.isdisjoint(find_free_names(aim)):
                    return fold, aim
        raise self.source.fault(
            keys, f"{text.strip()} is neither a named nim-sum nor X ^ k with a named nim-sum X", expected
        )
