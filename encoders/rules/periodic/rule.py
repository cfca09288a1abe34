"""The rule of values that repeat: of single heaps, and of sums of heaps written down, by one finite check.

    [proof]
    rule = "periodic"
    preperiod = 71      # these are found and shown where they are left out; a table with others is not believed
    period = 12
    saltus = 0

Its obligations: the table of the values of all heaps; where the claim has a value; and the claim in each class of
remainders of its integers, in which every heap is a number, or a number and some periods.  Why it is sound:
docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from claims.language.expressions.walk import free_names
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from claims.language.toml.reader import format_value
from encoders.ground.coverage import All
from encoders.ground.kinds import ObligationKind, ObligationLabel
from encoders.ground.trust import Trust, Trusted, TrustedRule
from encoders.logic.definedness import DefinednessCondition, needs_of_claim
from encoders.logic.integers import IntegerReader, bounds_of
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequent import Sequent, of_table
from encoders.logic.terms import integer
from encoders.periods.table import GRUNDY, PeriodicTable
from encoders.rules.kit.common import DEFINED, claim_follows
from encoders.rules.kit.outline import Outline, OutlineRow, OutlineTable, say
from encoders.rules.kit.rule import ProofCoverage, ProofServices, build_sequent
from encoders.rules.kit.shape import VALUES, WHO_WINS, ClaimShape, QueryTarget, RuleSuggestion
from encoders.rules.periodic.alike import Repeating
from encoders.rules.periodic.classes import Class, ClassReader, list_classes, name_class
from encoders.rules.periodic.finding import MOST_HEAPS, PeriodicProof, find_table, has_sums

MOST_SHOWN = 200  # values in a line of the outline
KEYS = {"preperiod": 0, "period": 1, "saltus": 0}  # each with the least number that it may be

TABLE = ObligationKind(
    "table",
    "Some heap has another value than the table says, or no theorem lets such a table speak of all heaps",
    "Leave out `preperiod`, `period` and `saltus`: they are found and shown",
    "right for every heap",
)
CLASS = claim_follows(
    "The claim is false for some integer of this class",
    "Correct the claim at the number that is shown, or exclude it in [forall]",
)


def _is_periodic(shape: ClaimShape) -> bool:
    """Single heaps or heaps written down, of a game whose parameters, if it has any, are numbers of the file."""
    places = shape.places(WHO_WINS | VALUES)
    fixed = all(not any(free_names(x)) for game in shape.games for _, x in game.arguments)
    single = all(len(m.heaps) == 1 and m.choose != "each" for game in shape.games for m in game.ruleset.moves)
    return (
        bool(places) and places <= {QueryTarget.HEAP, QueryTarget.HEAPS} and fixed and single and len(shape.games) == 1
    )


FIT = RuleSuggestion(
    "heaps written down, in integers without bound, in a game of fixed numbers, whose values repeat",
    _is_periodic,
    "nothing more: preperiod, period and saltus are found",
)
RULE, SUMS = TrustedRule("values that repeat"), TrustedRule("sums of heaps")


class PeriodicRule:
    """See docs/proof-rules.md, "periodic"."""

    name = "periodic"
    fits = (FIT,)
    kinds = (TABLE, DEFINED, CLASS)

    def read(self, section: ProofSection) -> PeriodicProof:
        section.table.only("rule", *KEYS)
        return PeriodicProof(*(read_number(section, key) for key in KEYS))

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        table, _ = find_table(plain_claim(claim))
        yield of_table(TABLE.of().name, table, TABLE)
        yield from pose_classes(claim, table, ClassReader)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        table, _ = find_table(plain_claim(claim))
        lines = tuple(_lines(table, claim.games[0].ruleset.players))
        tables = (
            OutlineTable("values", f"{_asks(table)}, by heap", ("Heaps", "Values"), lines),
            tell_classes(claim, table, ClassReader),
        )
        return Outline(_summarise(table), tables)

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """All integers."""
        plain = plain_claim(claim)
        table, heaps = find_table(plain)
        trusted: set[Trusted] = {RULE}
        trusted |= {SUMS} if has_sums(plain) else set()
        trusted |= {Trust.SPRAGUE_GRUNDY} if table.splits else set()
        return ProofCoverage(bounds_of(claim, All()), frozenset(trusted), heaps=heaps)


@lru_cache(maxsize=8)
def plain_claim(claim: Claim) -> Claim:
    """The claim with its definitions written out, once, so that its table is found once."""
    return unfolded_claim(claim)


def pose_classes(claim: Claim, table: Repeating, reader: type[ClassReader]) -> Iterator[Sequent]:
    """That the claim has what it needs, and that it holds in each class of its integers, as `reader` reads it there."""
    plain = plain_claim(claim)
    for need in needs_of_claim(claim):
        yield build_sequent(DEFINED.of(words=need.words), partial(_defined, need=need), partial(_Domains, plain))
    for each in list_classes(plain, table, reader):
        yield build_sequent(_label(each), reader.pose, partial(reader, plain, table, each))


def tell_classes(claim: Claim, table: Repeating, reader: type[ClassReader]) -> OutlineTable:
    """The claim, with the classes in which it is shown."""
    classes = list_classes(plain_claim(claim), table, reader)
    shown = tuple((name_class(x).replace(" + 1 j", " + j") or CLASS.shows, _label(x).name) for x in classes)
    return OutlineTable("claim", "What follows", ("Statement",), (OutlineRow((say(claim.conclusion),), shown),))


def _label(each: Class) -> ObligationLabel:
    """What is to be shown in a class."""
    return CLASS.of(where=f" where {name_class(each)}" if each else "")


def read_number(section: ProofSection, key: str) -> int | None:
    """A number of [proof], one of KEYS; None where there is none. Raises ClaimError."""
    value = section.table.data.get(key)
    if value is None or (type(value) is int and KEYS[key] <= value <= MOST_HEAPS):
        return value
    expected = f"a number from {KEYS[key]} to {MOST_HEAPS}, or no such line: then it is found"
    raise section.source.fault(("proof", key), f"{format_value(value)} is no {key}", expected)


class _Domains(IntegerReader):
    """The claim's integers in their domains, and how long lists are that are written down."""

    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="len", args=(t.Collection(items=items),)):
                return integer(len(items))
        return super().number(term, env)


def _defined(q: IntegerReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.needed([need], q.env, q.element))


# -- the outline ------------------------------------------------------------------------------------------------------
def _summarise(table: PeriodicTable) -> str:
    """How values repeat, and why one finite check is enough."""
    told = "A heap beyond and the heap a period smaller have options of the same values, by induction on the heap"
    if table.saltus:
        told = "A heap beyond has the options of the heap a period smaller with the saltus added, and all small values"
    return f"Values repeat with {table.repeats}: it is enough to look at finitely many heaps. {told}."


def _asks(table: PeriodicTable) -> str:
    """What the values are."""
    if table.question == GRUNDY:
        return "Grundy value"
    if table.players > 2:
        return "Who wins, counted from the player to move"
    return "Who wins" if len(table.rows) > 1 else "P- and N-positions"


def _call(table: PeriodicTable, mover: int, heap: int, players: tuple[str, ...]) -> str:
    """The value of a heap: of two players the winner by name where their moves differ, else the outcome."""
    value = table.rows[mover][heap]
    if table.question == GRUNDY or table.players > 2:
        return str(value)
    return players[(mover + value) % 2] if len(table.rows) > 1 else "NP"[value]


def _lines(table: PeriodicTable, players: tuple[str, ...]) -> Iterator[OutlineRow]:
    """The values before they repeat, and then once, for each mover; the first line names what shows them all."""
    shown: tuple[tuple[str, str], ...] = (TABLE.of().shown,)
    for mover, values in enumerate(table.rows):
        who = f", {players[mover]} to move" if len(table.rows) > 1 else ""
        call = partial(_call, table, mover, players=players)
        if table.preperiod:
            yield OutlineRow(
                (say(f"0 to {table.preperiod - 1}{who}"), say(_listed(range(table.preperiod), call))), shown
            )
            shown = ()
        more = f" and saltus {table.saltus}" if table.saltus else ""
        every = f", with period {table.period}{more}" if table.period > 1 or more else ""
        again = _listed(range(table.preperiod, len(values)), call)
        yield OutlineRow((say(f"from {table.preperiod} on{every}{who}"), say(again)), shown)
        shown = ()


def _listed(heaps: range, call: Callable[[int], str]) -> str:
    """Values of heaps, the middle ones left out where there are many, before `call` makes texts of millions."""
    if len(heaps) <= MOST_SHOWN:
        return " ".join(map(call, heaps))
    half = MOST_SHOWN // 2
    return " ".join((*map(call, heaps[:half]), "…", *map(call, heaps[-half:])))


PERIODIC = PeriodicRule()
