"""The [proof] section of the rules by folds: invariants, facts, and named moves on one or several heaps.

Named moves on several heaps, which are picked one after another, with cases in between.

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

The [proof] section of a claim: what a proof for any number of heaps needs besides the claim itself.

    [proof]
    rule = "folds"                        # may be left out
    sizes = "< 2^62"                      # the bound on heaps and parameters, and so of what is proved; none without

    [proof.folds]                         # what the proof sees of a position: comprehensions over its heaps
    X = "nim_sum(s)"
    c = "count(h >= k for h in s)"

    [proof.facts]                         # what holds of every position; proved by induction on the number of heaps
    "no large heap" = "implies(c == 0, X < 2*k)"

    [proof.loses]                         # the invariant: where the mover loses; "mover" if the ruleset is impartial
    P2 = "c == 0 and X == 0"

    [[proof.moves]]                       # named moves: replies to positions that are not lost, witnesses of `any`
    player = "P2"
    when = "c == 0 and X != 0"
    heap = "top bit of X"                 # or "top bit of X ^ k", "any with h >= k", "largest", "smallest"; called h
    take = { m = "h - (h ^ X)" }

    [[proof.picks]]                       # heaps of the claim's position that are looked at, without a move
    when = "X != 0"
    heap = "top bit of X"

    [proof.steps]                         # what follows from the claim's hypotheses, shown before the claim, in order
    "the remainder" = "(h - n) % k == 0"

    split = ["k < 9", "k >= 9"]           # cases of the claim, told to the solver one by one (beside `sizes`)
    by = ["theorem-1", "nim/bouton"]      # claims that it takes for granted (beside `sizes`)
    heaps = ["a", "b"]                    # the heaps of a claim about positions of two, in ascending order (beside it)

See docs/proof-rules.md for the rule and why it is sound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeVar

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


def make_rest_name(fold: str, out: int) -> str:
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
        table.reject_unknown_keys("player", "when", "heap", "take", "to", "then")
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
            inner.reject_unknown_keys("when", "heap", "take", "then")
            then.append(self._case((*at, "then", i), inner, out))
        return MoveCase(when, pick, tuple(then), ())

    def _pick(self, keys: Keys, text: str, out: tuple[NextHeapChoice, ...]) -> NextHeapChoice:
        """How the next heap is picked."""
        top, any_ = _TOP_BIT.fullmatch(text), _ANY.fullmatch(text)
        if top:
            whole = self._term(keys, top[1], INT, out, top.start(1))
            folds = {make_rest_name(fold, len(out)) for fold in self.folds}
            if not set(find_free_names(expand_definitions(whole))) <= folds:
                problem = "a heap is picked at the top bit of folds of what remains"
                raise self.source.fault(keys, problem, ", ".join(sorted(folds)) or "a fold")
            return NextHeapChoice(" ".join(text.split()), whole, None)
        if not any_:
            raise self.source.fault(keys, "this picks no heap", _PICKS)
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
            for name in (heap_name(number), *places, *(make_rest_name(fold, number) for fold in self.folds)):
                names.setdefault(name, INT)
        return self.section.terms_over(names).read_expression(keys, text, kind, offset)


# == section ==========================================================================================================
PICKED_HEAP = "h"  # what a named move calls its heap
BESIDE = "rest_"  # X of the heaps beside that one is rest_X
POSITION_NAME = "s"  # what the folds call the position where the claim has no variable for one
_SIZES = re.compile(r"\s*<\s*2\s*\^\s*(\d{1,2})\s*")
_NAME = re.compile(r"[^\W\d]\w*")
_EXTREMES = {"largest": LARGEST, "smallest": LEAST}
MAX_BITS = 62
P = TypeVar("P", bound="FoldsProof")
MOST_HEAPS = 6  # that are written down in order


@dataclass(frozen=True, eq=False)
class FoldDefinition:
    """A named number that is put together heap by heap, such as the nim-sum, or how many heaps are large.

    It is 0 of no heap; a term that has no value there says so.
    """

    name: str
    term: Term


@dataclass(frozen=True, eq=False)
class HeapChoice:
    """A heap, at positions `when`: at the top bit of the fold `top_bit`, or, if that is empty, any heap with `having`.

    `aim`: the smaller number that the nim-sum is to become, at the top bit of both; None for 0.
    `extreme`: one of the largest (LARGEST) or the smallest (LEAST), "" for others.  `having` None: any heap at all.
    """

    when: Term
    top_bit: str
    aim: Term | None
    extreme: str
    having: Term | None


@dataclass(frozen=True, eq=False)
class FoldsMove(HeapChoice):
    """A move for `player` (None: for every one) on such a heap.

    `take` gives the numbers picked, by name.  `to_loss`: it leads to a position that is lost; otherwise it only shows
    that there is a move.  `take` may speak of the folds of the other heaps.
    """

    player: int | None
    take: tuple[tuple[str, Term], ...]
    to_loss: bool


@dataclass(frozen=True, eq=False)
class FoldsProof(Proof):
    """A proof section. `position` is what the folds call the position, `bits` the bound: sizes below 2**bits, or None.

    `loses`: player index -> where that mover loses; empty if the claim does not speak of who wins.  `split`: cases of
    the claim, with their texts, about its integers.  `assume` is known of the integers, where this proves a case.
    `moves` are those of a game in which a move chooses one heap, `several` those of one in which it may choose more.
    `unfold`: what winning and values mean is known of the claim's own positions.
    `heaps`: what the heaps of the claim's position are called, in ascending order, where it has so many; or none.
    `picks`: heaps of the claim's position that are looked at.  `steps`: what follows from the claim's hypotheses, by
    name.
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
        """Whether its moves are named heap by heap, as those on several heaps are."""
        return bool(self.several) or has_several_heaps(ruleset)

    @property
    def tells_values(self) -> bool:
        """Whether values of games are told: by lemmas, or by what they mean at the claim's own positions."""
        return bool(self.by) or self.unfold

    @property
    def tells_who_wins(self) -> bool:
        """Whether who wins is told in that way as well, for want of an invariant that says it."""
        return self.tells_values and not self.loses

    @property
    def seen(self) -> dict[str, Term]:
        """The folds by their names, as terms over the position."""
        return {fold.name: fold.term for fold in self.folds}

    @property
    def seen_beside(self) -> dict[str, Term]:
        """Those, and by their names the folds of what is left without the heap that is picked."""
        s, heap = Variable(POSITION, 0, 0, self.position), Variable(INT, 0, 0, PICKED_HEAP)
        rest = Operation(POSITION, 0, 0, "replace", (s, heap, Literal(INT, 0, 0, 0)))
        return self.seen | {f"{BESIDE}{f.name}": substitute(f.term, {self.position: rest}) for f in self.folds}


@dataclass(frozen=True, eq=False)
class DefinitionProof(FoldsProof):
    """The same without an invariant: what winning and values mean is told by the options of the claim's positions."""

    rule: ClassVar[str] = "definition"
    unfold: ClassVar[bool] = True


KEYS = ("rule", "by", "sizes", "split", "heaps", "folds", "facts", "loses", "moves", "picks", "steps")


def read_folds(section: ProofSection) -> FoldsProof:
    """Read such a section. Raises ClaimError."""
    return read_section(section, KEYS, FoldsProof)


def read_definition(section: ProofSection) -> DefinitionProof:
    """Read a section with rule = "definition". Raises ClaimError."""
    return read_section(section, tuple(key for key in KEYS if key != "loses"), DefinitionProof)


def read_section(section: ProofSection, keys: tuple[str, ...], kind: type[P]) -> P:
    """Read a section of these keys into a proof of this kind. Raises ClaimError."""
    return _FoldsSectionParser(section, keys).read(kind)


class _FoldsSectionParser:
    def __init__(self, section: ProofSection, keys: tuple[str, ...]) -> None:
        self.section, self.source, self.ruleset, self.table = section, section.source, section.ruleset, section.table
        source, types = section.source, section.types
        self.table.reject_unknown_keys(*keys)
        self.declared = types
        positions = [name for name, kind in types.items() if kind == POSITION]
        if len(positions) > 1 or (not positions and POSITION_NAME in types):
            raise source.key_fault(
                ("proof",), "a proof is about one position", "a claim with one variable of that kind, or with none"
            )
        self.position = positions[0] if positions else POSITION_NAME
        self.claim = ExpressionContext(source, section.facts, section.definitions, section.files)
        self.claim.types.update({self.position: POSITION, **types})
        self.inner = section.terms_over(section.integers)
        self.beside = section.terms_over(section.integers)  # what a named move picks may speak of

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
        """Whether a named move is one as on several heaps: with cases, or at the top bit of more than one nim-sum."""
        columns = {fold.name for fold in self.folds if isinstance(fold.term, Operation) and fold.term.op == "columns"}
        heap = table.data.get("heap")
        top = _TOP_BIT.fullmatch(heap) if isinstance(heap, str) else None
        whole, _, aim = ("", "", "") if top is None else (x.strip() for x in top[1].partition("^"))
        folds = {fold.name for fold in self.folds}
        more = top is not None and (not is_name(whole) or whole in columns or bool(folds & set(_NAME.findall(aim))))
        return "then" in table.data or isinstance(table.data.get("take"), list) or more

    def _name_heap(self, key: str) -> None:
        """Give the heap that is picked its name."""
        if PICKED_HEAP in self.claim.types:
            problem = (
                f"the claim has a variable {PICKED_HEAP!r}, which is what named {key} call the heap that is picked"
            )
            raise self.source.key_fault(("proof", key), problem, "another name for the variable")
        self.inner.types[PICKED_HEAP] = INT

    def _heaps(self) -> tuple[str, ...]:
        """The names of the heaps in order, which the named moves may use."""
        names = self.table.texts("heaps") if "heaps" in self.table.data else ()
        if len(names) > MOST_HEAPS or ("heaps" in self.table.data and not names):
            raise self.source.fault(("proof", "heaps"), f"{len(names)} heaps", f"1 to {MOST_HEAPS} names")
        if names and self.position not in self.declared:
            raise self.source.key_fault(("proof", "heaps"), "the claim has no variable for a position", "no such line")
        for i, name in enumerate(names):
            if not is_name(name) or name in (*self.claim.types, *self.inner.types, PICKED_HEAP):
                problem = f"the name {name!r} is taken" if is_name(name) else f"{format_value(name)} is no name"
                raise self.source.fault(
                    ("proof", "heaps", i), problem, "a name that the claim and the proof do not use"
                )
            self.inner.types[name] = INT
        return names

    def _bits(self, sizes: str) -> int:
        match = _SIZES.fullmatch(sizes)
        if not match or not 1 <= int(match[1]) <= MAX_BITS:
            raise self.source.fault(
                ("proof", "sizes"), "this is no bound", f'"< 2^62": a power of two up to 2^{MAX_BITS}, or no line'
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
            raise self.source.fault(keys, "this is no fold over the heaps", kinds)
        if name in self.inner.types or name == PICKED_HEAP:
            raise self.source.key_fault(keys, f"the name {name!r} is taken", "another name")
        return FoldDefinition(name, guard_extreme(term))

    def _make_rest_name(self, name: str) -> str:
        """What a named move calls the fold of the heaps beside its own. Raises ClaimError."""
        if f"{BESIDE}{name}" in self.inner.types:
            problem = f"named moves call {name} of the heaps beside the one picked {BESIDE}{name}"
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
        """That the numbers are ones that moves pick; of several games those of some move, for whichever it is."""
        moves = [m for ruleset in self.section.rulesets for m in ruleset.moves]
        known = {p.name for m in moves for p in m.picks}
        for name in take:
            if moves and name not in known:
                problem = f"the moves of the game pick no {name!r}"
                raise self.source.key_fault((*keys, name), problem, f"one of {', '.join(sorted(known)) or 'none'}")
        if len(self.section.rulesets) > 1 and not any({p.name for p in m.picks} == set(take) for m in moves):
            picks = sorted({" and ".join(p.name for p in m.picks) or "nothing" for m in moves})
            problem = f"no move of the games picks {' and '.join(take) or 'nothing'} alone"
            at = keys if take else (*keys[:-1], "heap")
            raise self.source.key_fault(at, problem, f"what a move of one of them picks: {', or '.join(picks)}")

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
                known_picks = '"top bit of X", "top bit of X ^ k", "any", "any with h >= k", "largest", "smallest"'
                raise self.source.fault((*at, "heap"), "this picks no heap", known_picks)
            if any_[1]:
                having = self.inner.read_expression((*at, "heap"), any_[1], BOOL, heap.index(any_[1]))
        return HeapChoice(when, top_bit, aim, extreme, having)

    def _top_bit(self, keys: Keys, text: str, offset: int) -> tuple[str, Term | None]:
        """The nim-sum at whose top bit a heap is picked, and the number beside it that it is to become, if any."""
        expected = "the name of a nim-sum among the folds, or that and a number of the claim, as in X ^ k"
        folds = {fold.name for fold in self.folds}
        if is_name(text.strip()):
            if text.strip() not in folds:
                raise self.source.fault(keys, f"{text.strip()!r} is no fold", expected)
            return text.strip(), None
        names = {**self.section.integers, **dict.fromkeys(folds, INT)}
        match self.section.terms_over(names).read_expression(keys, text, INT, offset):
            case Operation(op="nim", args=(Variable(name=fold), aim)) if fold in folds:
                if folds.isdisjoint(find_free_names(aim)):
                    return fold, aim
        raise self.source.fault(keys, f"the top bit of {text.strip()} is that of no nim-sum and a number", expected)
