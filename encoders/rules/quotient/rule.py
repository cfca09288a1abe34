"""The rule of quotients: who wins heaps that may be split, any number of them, under misère or normal play.

    [proof]
    rule = "quotient"
    elements = "abcdefg"                    # all that follows may be left out where the quotient is that of misère Nim
    equal = ["a2 = 1", "b3 = b", ...]
    lost = ["a", "b2", "ac", ...]
    preperiod = 71                          # found and shown where they are left out
    period = 12
    heaps = ["a", "b", "ab", ...]           # the elements of the heaps 1 to preperiod + period - 1; found as well

Each heap has an element of a finite commutative monoid, and a position is lost just if the product of those of its
heaps is one of the elements that are lost.  Its obligations: that; where the claim has a value; and the claim in each
class of remainders of its integers.  Why it is sound: docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import free_names
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL
from encoders.ground.coverage import All
from encoders.ground.kinds import ObligationKind
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import TrustedRule
from encoders.logic.integers import bounds_of
from encoders.logic.polynomials import polynomial
from encoders.logic.reader import Env
from encoders.logic.sequent import Sequent, of_table
from encoders.logic.terms import ZERO, holds
from encoders.periods.quotient import QuotientTable
from encoders.rules.kit.common import DEFINED
from encoders.rules.kit.outline import Outline, OutlineRow, OutlineTable, say
from encoders.rules.kit.rule import ProofCoverage, ProofServices
from encoders.rules.kit.shape import WHO_WINS, ClaimShape, QueryTarget, RuleSuggestion
from encoders.rules.periodic.classes import ClassReader
from encoders.rules.periodic.rule import CLASS, plain_claim, pose_classes, read_number, tell_classes
from encoders.rules.quotient.finding import QuotientProof, find_quotient
from encoders.rules.quotient.monoid import Monoid

_POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
QUOTIENT = ObligationKind(
    "quotient",
    "Some position is lost and its element is not, or the other way round; or the products are no commutative monoid",
    "Leave out `heaps`, `preperiod` and `period`: they are found and shown",
    "right for any number of heaps",
)


def _is_of_heaps(shape: ClaimShape) -> bool:
    """Who wins heaps that are written down, of one game whose parameters, if it has any, are numbers of the file."""
    fixed = all(not any(free_names(x)) for game in shape.games for _, x in game.arguments)
    single = all(len(m.heaps) == 1 and m.choose != "each" for game in shape.games for m in game.ruleset.moves)
    places = shape.places(WHO_WINS)
    misere = len(shape.games) == 1 and shape.games[0].ruleset.stuck_wins
    return bool(places) and places <= {QueryTarget.HEAP, QueryTarget.HEAPS} and fixed and single and misere


FIT = RuleSuggestion(
    "who wins heaps written down, which may be split, under misère play, in a game of fixed numbers",
    _is_of_heaps,
    "nothing more if the quotient is that of misère Nim; else its elements, which are equal, and which are lost",
)


RULE = TrustedRule("quotients")


class QuotientReader(ClassReader):
    """Reads the claim in one class, with the elements of its heaps by the table."""

    words = "residues of heaps"
    table: QuotientTable

    def loses(self, s: t.Term, env: Env, mover: int) -> t.Term:
        made = 0
        for heap in self.heaps(s, env):
            element = polynomial(self.value_of(heap, 0)).constant
            if element is None:  # of a heap below 0 nothing is known
                return t.Operation(BOOL, 0, 0, "eq", (self.value_of(heap, 0), ZERO))
            made = self.table.products[made][element]
        return holds(made in self.table.lost)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        if isinstance(term, t.GameCall):
            words = f"{print_term(term, self.player_names)}: a quotient says who wins, and no values"
            raise Unsupported(words, instead="ask who wins, as in wins(position([n]))")
        return super().about_number(term, env)


class QuotientRule:
    """See docs/proof-rules.md, "quotient"."""

    name = "quotient"
    fits = (FIT,)
    kinds = (QUOTIENT, DEFINED, CLASS)

    def read(self, section: ProofSection) -> QuotientProof:
        table = section.table
        table.only("rule", "elements", "equal", "lost", "heaps", "preperiod", "period")
        elements = "".join(table.optional_text("elements").split())
        if elements and (not elements.isascii() or not elements.islower() or len(set(elements)) < len(elements)):
            raise section.source.fault(("proof", "elements"), "these are no generators", 'letters, such as "abc"')
        texts = {key: table.texts(key) if key in table.data else () for key in ("equal", "lost", "heaps")}
        if bool(elements) != bool(texts["lost"]):
            raise section.source.fault(("proof",), "elements or lost alone", "`elements`, `equal` and `lost`, or none")
        n0, p = (read_number(section, key) for key in ("preperiod", "period"))
        return QuotientProof(elements, texts["equal"], texts["lost"], texts["heaps"], n0, p)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        table, _ = find_quotient(plain_claim(claim))
        yield of_table(QUOTIENT.of().name, table, QUOTIENT)
        yield from pose_classes(claim, table, QuotientReader)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        table, monoid = find_quotient(plain_claim(claim))
        tables = (
            OutlineTable("elements", "The elements of heaps", ("Heaps", "Elements"), tuple(_lines(table, monoid))),
            tell_classes(claim, table, QuotientReader),
        )
        lost = _list(monoid.words[x] for x in table.lost)
        summary = (
            f"Each heap has an element of a commutative monoid of order {len(table.products)}. A position is lost just "
            f"if the product of those of its heaps is among {lost}. Adding heap after heap, positions are of finitely "
            "many kinds, by their element and those of their options, and it is so in each."
        )
        return Outline(summary, tables)

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """All integers."""
        return ProofCoverage(bounds_of(claim, All()), frozenset({RULE}))


def _lines(table: QuotientTable, monoid: Monoid) -> Iterator[OutlineRow]:
    """The elements before they repeat, and then once."""
    shown: tuple[tuple[str, str], ...] = (QUOTIENT.of().shown,)
    words = [monoid.words[x] for x in table.row]
    first, again = words[: table.preperiod], words[table.preperiod :]
    yield OutlineRow((say(f"0 to {table.preperiod - 1}"), say(_list(first))), shown)
    yield OutlineRow((say(f"from {table.preperiod} on, every {table.period}"), say(_list(again))), ())


def _list(words: Iterable[str]) -> str:
    """Elements as they are printed: b²c for bc2."""
    return ", ".join(x if x == "1" else x.translate(_POWERS) for x in words)


QUOTIENTS = QuotientRule()
