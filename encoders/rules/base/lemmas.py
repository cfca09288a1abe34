"""Lemmas about integers. A proof states a lemma, proves it once, perhaps by induction, and uses it at listed values.

    [proof.lemmas."no other root"]
    for = { x = "0..", y = "0.." }
    holds = "implies(x * x == 2 * y * y, x == 0)"
    measure = "x"                         # by induction: assume the lemma at `smaller`, if the measure is less
    smaller = [{ x = "y", y = "x - y" }]
    at = [{ x = "a", y = "b" }]           # the values at which the proof uses it

docs/rules/few-heaps.md describes why this is sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from claims.language.files.domains import split_range
from claims.language.files.proofs import ProofSection
from claims.language.files.toml import Keys, TomlTable, format_value
from claims.language.syntax import terms as t
from claims.language.syntax.grammar import is_name
from claims.language.syntax.printing import find_free_names
from claims.language.syntax.terms import BOOL, INT, Type
from encoders.logic.integers import IntegerReader
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequents import ZERO, at_least, at_most, conjunction, implies, less_than
from encoders.rules.base.rule import OutlineCell, OutlineRow, Parts, join_parts, say, say_assignments, say_range
from encoders.rules.base.rule import OutlineTable as Lines
from encoders.trust import ObligationKind, Reason

LEMMA = ObligationKind(
    "lemma {name!r}",
    "The lemma is false for some integers in its ranges, or the solver cannot prove it in one step",
    "If it is false at these values, weaken it. If it is true by induction, give it a `measure` and the `smaller` "
    "cases that the induction step uses",
    "it holds",
)
Values = tuple[tuple[str, t.Term], ...]


@dataclass(frozen=True, eq=False)
class VariableRange:
    """The range of an integer variable: lo <= name <= hi.

    `hi`: None for no upper bound.
    """

    name: str
    lo: t.Term
    hi: t.Term | None


@dataclass(frozen=True, eq=False)
class NamedLemma:
    """A lemma: `holds` is true for all integers in the ranges.

    `measure`, `smaller`: for a proof by induction. The step assumes the lemma at the values in `smaller`, if these
    values are in the ranges and have a smaller measure that is not negative.
    `at`: the values at which the proof uses the lemma, as terms over the numbers of a position.
    """

    name: str
    ranges: tuple[VariableRange, ...]
    holds: t.Term
    measure: t.Term | None
    smaller: tuple[Values, ...]
    at: tuple[Values, ...]


# -- the section ------------------------------------------------------------------------------------------------------
class LemmaSection:
    """A parser of the lemmas in a [proof] section. Its methods raise ClaimError.

    `names`: the names that the proof may use at a position, with their types.
    """

    def __init__(self, section: ProofSection, names: dict[str, Type]) -> None:
        self.section, self.source, self.names = section, section.source, names

    def lemmas(self) -> tuple[NamedLemma, ...]:
        """Parse the tables [proof.lemmas.NAME], in the order of the file."""
        return tuple(self.lemma(name) for name in self.section.table.optional_table("lemmas"))

    def term(
        self, keys: Keys, text: str, kind: Type, names: Mapping[str, Type] | None = None, offset: int = 0
    ) -> t.Term:
        return self.section.terms_over(self.names if names is None else names).read_expression(keys, text, kind, offset)

    def range(self, keys: Keys, name: str, text: str, names: Mapping[str, Type]) -> VariableRange:
        """Parse the range `text` of the variable `name`, such as "0.." or "1..a".

        `keys`: the place in the file, for error messages.
        `names`: the names that the two ends may contain, with their types.
        """
        sides = split_range(text)
        if sides is None or not sides[0]:
            raise self.source.fault(keys, f"{text!r} is not a range", 'a range such as "0.." or "1..a"')
        low = self.term(keys, sides[0], INT, names, text.index(sides[0]))
        if not sides[1]:
            return VariableRange(name, low, None)
        after = text.index("..", text.index(sides[0]) + len(sides[0])) + 2
        return VariableRange(name, low, self.term(keys, sides[1], INT, names, text.index(sides[1], after)))

    def inner(self, at: Keys) -> TomlTable:
        """Return the table [proof.A.B], for `at` = ("proof", A, B). Raises ClaimError if the value is not a table."""
        data = self.source.data["proof"][at[1]][at[2]]
        if not isinstance(data, dict):
            raise self.source.fault(at, f"{format_value(data)} is not a table", f"a table [{'.'.join(map(str, at))}]")
        return TomlTable(self.source, at, data)

    def lemma(self, name: str) -> NamedLemma:
        at: Keys = ("proof", "lemmas", name)
        table = self.inner(at)
        table.reject_unknown_keys("for", "holds", "measure", "smaller", "at")
        own: dict[str, Type] = dict(self.section.integers)
        ranges = []
        for variable, text in table.expressions("for"):
            if not is_name(variable) or variable in self.section.types:
                raise self.source.key_fault((*at, "for", variable), f"the name {variable!r} is taken", "another name")
            ranges.append(self.range((*at, "for", variable), variable, text, own))
            own[variable] = INT
        if not ranges:
            raise self.source.fault(at, "the lemma has no variables", 'a line such as for = { x = "0.." }')
        words = tuple(r.name for r in ranges)
        holds = self.term((*at, "holds"), table.text("holds"), BOOL, own)
        if ("measure" in table.data) != ("smaller" in table.data):
            raise self.source.fault(at, "an induction needs both 'measure' and 'smaller'", "both keys, or neither")
        measure = self.term((*at, "measure"), table.text("measure"), INT, own) if "measure" in table.data else None
        smaller = self._instances((*at, "smaller"), table, words, own)
        return NamedLemma(name, tuple(ranges), holds, measure, smaller, self._instances((*at, "at"), table, words))

    def _instances(
        self, at: Keys, table: TomlTable, words: tuple[str, ...], names: Mapping[str, Type] | None = None
    ) -> tuple[Values, ...]:
        """Parse a list of tables, each with a value for every variable of a lemma. An absent list is empty.

        `at`: the keys of the list in the file; the last one is the key in `table`.
        `words`: the variables of the lemma.
        `names`: the names that the values may contain; None for the names that the proof may use at a position.
        """
        rows = table.data.get(str(at[-1]), [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.source.fault(
                at,
                f"{format_value(rows)} is not a list of tables",
                f'a list of tables, such as [{{ {words[0]} = "..." }}]',
            )
        found = []
        for i, row in enumerate(rows):
            if set(row) != set(words):
                raise self.source.fault(
                    (*at, i),
                    "the names differ from the variables of the lemma",
                    f"a value for each of {', '.join(words)}",
                )
            lines = TomlTable(self.source, (*at, i), row).lines()
            found.append(tuple((word, self.term((*at, i, word), text, INT, names)) for word, text in lines))
        return tuple(found)


# -- sequents ---------------------------------------------------------------------------------------------------------
class LemmaReader(IntegerReader):
    """A translator of integer terms and lemmas into the terms of one sequent (the form of an obligation)."""

    def inside(self, ranges: Iterable[VariableRange], values: Mapping[str, t.Term]) -> t.Term:
        """Return the condition that the value of each variable is in the range of this variable."""
        tests: list[t.Term] = []
        for r in ranges:
            tests.append(at_least(values[r.name], self.number(r.lo, {**self.env, **values})))
            if r.hi is not None:
                tests.append(at_most(values[r.name], self.number(r.hi, {**self.env, **values})))
        return conjunction(*tests)

    def values(self, given: Values, env: Env) -> dict[str, t.Term]:
        """Translate the values that `given` lists for the variables of a lemma, and return them by variable.

        `env`: the values of the names in the terms.
        """
        return {name: self.number(term, env) for name, term in given}

    def instance(self, lemma: NamedLemma, values: Mapping[str, t.Term]) -> t.Term:
        """Return the lemma for these values of its variables: if they are in the ranges, `holds` is true."""
        return implies(self.inside(lemma.ranges, values), self.truth(lemma.holds, {**self.env, **values}))

    def learn_lemmas(self, lemmas: Iterable[NamedLemma], env: Env, of: frozenset[str] | None = None) -> None:
        """Assume each lemma at the values listed in its `at`, except values with a name that is not in `env`.

        `of`: also skip the values that contain none of these names; None to skip no further values.
        """
        self.assume(Reason.LEMMA, *self._list_instances(lemmas, env, of))

    def _list_instances(self, lemmas: Iterable[NamedLemma], env: Env, of: frozenset[str] | None) -> Iterator[t.Term]:
        for lemma in lemmas:
            for given in lemma.at:
                names = {name for _, term in given for name in find_free_names(term)}
                if names <= env.keys() and (of is None or names & of):
                    yield self.instance(lemma, self.values(given, env))


def pose_lemma(q: LemmaReader, lemma: NamedLemma) -> Entailment:
    """Return the obligation that the lemma holds for all integers in its ranges.

    If the lemma has a measure, the obligation assumes the induction hypothesis: the lemma at the values in `smaller`,
    where their measure is at least 0 and less than the measure of the variables.
    """
    values = {r.name: q.fresh(r.name) for r in lemma.ranges}
    env = {**q.env, **values}
    known = [q.inside(lemma.ranges, values)]
    if lemma.measure is not None:
        here = q.number(lemma.measure, env)
        for given in lemma.smaller:
            there = q.values(given, env)
            least = q.number(lemma.measure, {**q.env, **there})
            known.append(implies(conjunction(at_least(least, ZERO), less_than(least, here)), q.instance(lemma, there)))
    return Entailment(tuple(known), q.truth(lemma.holds, env))


# -- outlines ---------------------------------------------------------------------------------------------------------
def show_lemmas(lemmas: Iterable[NamedLemma]) -> Lines:
    """Return an outline table of the lemmas. Each row shows the variables, the statement, and the values used."""
    return Lines("facts", "Lemmas about integers", ("For", "It holds that", "Used at"), tuple(map(_show, lemmas)))


def _show(lemma: NamedLemma) -> OutlineRow:
    shown = (("by induction" if lemma.measure is not None else LEMMA.shows, LEMMA.make_label(name=lemma.name).name),)
    ranges = join_parts(say_range(r.name, r.lo, r.hi) for r in lemma.ranges)
    used: Parts = []
    for given in lemma.at:
        used += ["; " if used else "", *say_assignments(given)]
    return OutlineRow((say(*ranges), say(lemma.holds), OutlineCell(tuple(used))), shown)
