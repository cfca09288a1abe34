"""The tree of case distinctions that completes a proof. Each node distinguishes whether a letter is true or false.

A letter is an atom (a comparison) or a Boolean variable of a formula. At each leaf, a part of the formula is false, or
the known letters contradict a lemma. The tree is built from the root. Each subtree records the known letters on which
it depends. If it does not depend on the letter that was chosen last, the other branch is not needed. A finished subtree
becomes a lemma. This lemma closes every later node at which the same letters are known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from claims.language.errors import NimChecksError
from encoders.logic.certificates import CertificateLemma, Tree
from encoders.logic.natural_formulas import TRUE, Conjunction, Equivalence, Formulas

MOST_NODES = 20_000
GROWTH = 1.05  # the factor that gives recent letters more weight in the choice of a split


class TreeTooLarge(NimChecksError):
    """No tree within the size limit was found."""


@dataclass(frozen=True, eq=False)
class Closed:
    """A node of the tree of case distinctions, at which `literals` lead to a contradiction.

    A literal is an atom or a Boolean variable (a node of `Formulas`), with a minus sign if it is negated.

    `lemma`: at a leaf, the lemma that the literals contradict.
    `split`: at an inner node, the letter (atom or Boolean variable), the subtree in which it is true, and the subtree
    in which it is false.
    If `lemma` and `split` are None, the literals make a part of the formula false.
    """

    literals: frozenset[int]
    lemma: CertificateLemma | None = None
    split: tuple[int, Closed, Closed] | None = None


def build_tree(
    formulas: Formulas, parts: Sequence[int], learnt: Sequence[Closed], definitions: Mapping[int, int]
) -> tuple[Tree, tuple[CertificateLemma, ...]]:
    """Return a tree of case distinctions, and the lemmas that it uses: learnt lemmas, and repeated subtrees.

    The tree proves that the parts and the learnt lemmas cannot all be true. Each case distinction is on an atom or a
    Boolean variable, given as a node of `formulas`.
    `definitions`: Boolean variables with the formulas that define them. The definitions must be among the parts.
    Raises TreeTooLarge, for example if the parts and the lemmas can all be true.
    """
    closed = _Builder(formulas, parts, learnt, definitions).close(frozenset())
    return _TreeWriter().write(closed)


class _Builder:
    def __init__(
        self, formulas: Formulas, parts: Sequence[int], learnt: Sequence[Closed], definitions: Mapping[int, int]
    ) -> None:
        self.formulas, self.parts = formulas, parts
        self.defined = {formulas.same(x, y): x for x, y in definitions.items()}
        self.over = _find_over(formulas, parts)
        self.nodes = 0
        self.learnt = list(learnt)
        self.activity: defaultdict[int, float] = defaultdict(float)
        self.bump = 1.0
        for closed in learnt:
            self._note(closed.literals)

    def close(self, known: frozenset[int], above: dict[int, bool | None] | None = None) -> Closed:
        """Return the subtree of case distinctions for a node at which the literals `known` are true.

        A literal is an atom, a Boolean variable, or a negation of one.
        `above`: values of formulas that are known at this node (True, False, or None for undecided). More values are
        added.
        """
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise TreeTooLarge(f"the tree of case distinctions has more than {MOST_NODES} nodes")
        view = _PartialAssignment(self.formulas, known, above or {TRUE: True})
        forced = 0
        for closed in self.learnt:
            left = closed.literals - known
            if not left:
                return closed
            if len(left) == 1 and not forced and -next(iter(left)) not in known:
                forced = -next(iter(left))
        values = [view.value(x) for x in self.parts]
        if False in values:
            return Closed(frozenset(view.explain(self.parts[values.index(False)])))
        letter = forced or next((x for f in self.parts for x in view.list_forced(f)), 0) or self._choose(view, values)
        values_left = view.values_without(self.over[abs(letter)])
        one = self.close(known | {letter}, dict(values_left))  # the other branch may not be needed
        if letter not in one.literals:
            return one
        other = self.close(known | {-letter}, values_left)
        if -letter not in other.literals:
            return other
        literals = (one.literals | other.literals) - {letter, -letter}
        made = Closed(literals, split=(abs(letter), *((one, other) if letter > 0 else (other, one))))
        self.learnt.append(made)
        self._note(literals)
        return made

    def _note(self, literals: Iterable[int]) -> None:
        """Increase the priority with which `_choose` returns the atoms and Boolean variables in `literals`.

        Thus related cases are treated one after the other.
        """
        for x in literals:
            self.activity[abs(x)] += self.bump
        self.bump *= GROWTH

    def _choose(self, view: _PartialAssignment, values: Sequence[bool | None]) -> int:
        """Return the letter (atom or Boolean variable) for the next case distinction. Its value is not known.

        `values`: the values of the parts. A letter in a definition is chosen only if the value of the defined variable
        is known, or as the last choice.
        """
        left = [x for x, value in zip(self.parts, values, strict=True) if value is None]
        wanted = [x for x in left if x not in self.defined or view.value(self.defined[x]) is not None] or left
        occurs = Counter(x for f in wanted for x in view.open_letters(f))
        if not occurs:
            raise TreeTooLarge("in some case all letters have a truth value, and there is no contradiction")
        return max(occurs, key=lambda x: (self.activity[x], occurs[x], -x))


class _PartialAssignment:
    """The values of formulas if some literals are true: True, False, or None if the value is undecided.

    `known`: these literals (atoms, Boolean variables, or their negations).
    `values`: values that were computed before, to which more values are added.
    """

    def __init__(self, formulas: Formulas, known: frozenset[int], values: dict[int, bool | None]) -> None:
        self.formulas, self.known, self._values = formulas, known, values

    def values_without(self, over: Iterable[int]) -> dict[int, bool | None]:
        """Return the computed values that remain valid if one more atom or Boolean variable becomes known.

        `over`: the formulas in which it occurs. Their values are omitted if they are undecided.
        """
        left = dict(self._values)
        for x in over:
            if left.get(x, True) is None:
                del left[x]
        return left

    def value(self, f: int) -> bool | None:
        x = abs(f)
        if x not in self._values:
            self._values[x] = self._value(x)
        found = self._values[x]
        return found if found is None or f > 0 else not found

    def _value(self, x: int) -> bool | None:
        match self.formulas.node(x):
            case Conjunction(parts):
                undecided = False
                for y in parts:
                    found = self.value(y)
                    if found is False:
                        return False
                    undecided |= found is None
                return None if undecided else True
            case Equivalence(a, b):
                u, v = self.value(a), self.value(b)
                return None if u is None or v is None else u is v
        return True if x in self.known else False if -x in self.known else None

    def explain(self, f: int) -> Iterator[int]:
        """Yield known literals that suffice to determine the value of a formula. The value must not be undecided.

        A literal is an atom, a Boolean variable, or a negation of one.
        """
        match self.formulas.node(f):
            case Conjunction(parts):
                false = [x for x in parts if self.value(x) is False]
                for x in false[:1] or parts:
                    yield from self.explain(x)
            case Equivalence(a, b):
                yield from self.explain(a)
                yield from self.explain(b)
            case None:
                return
            case _:
                yield abs(f) if abs(f) in self.known else -abs(f)

    def list_forced(self, f: int) -> Iterator[int]:
        """Yield literals that must be true if `f` is true, because otherwise `f` becomes false immediately.

        A literal is an atom, a Boolean variable, or a negation of one. Nothing is yielded if the value of `f` is known.
        """
        if self.value(f) is not None:
            return
        match self.formulas.node(f):
            case Conjunction(parts) if f > 0:
                for x in parts:
                    yield from self.list_forced(x)
            case Conjunction(parts):
                left = [x for x in parts if self.value(x) is None]
                if len(left) == 1:
                    yield from self.list_forced(-left[0])
            case Equivalence(a, b):
                if self.value(a) is not None or self.value(b) is not None:
                    x, y = (a, b) if self.value(b) is None else (b, a)
                    yield from self.list_forced(y if self.value(x) is (f > 0) else -y)
            case _:
                yield f

    def open_letters(self, f: int) -> Iterator[int]:
        """Yield the undecided atoms and Boolean variables on which the value of a formula may depend."""
        seen = set[int]()
        todo = [f]
        while todo:
            x = abs(todo.pop())
            if x not in seen and self.value(x) is None:
                seen.add(x)
                parts = self.formulas.parts(x)
                todo += parts
                if not parts:
                    yield x


def _find_over(formulas: Formulas, parts: Iterable[int]) -> dict[int, list[int]]:
    """Return, for each atom and Boolean variable in the parts, the formulas that contain it, including itself.

    Formulas are given by their numbers.
    """
    over: defaultdict[int, list[int]] = defaultdict(list)
    below: dict[int, frozenset[int]] = {}

    def find(x: int) -> frozenset[int]:
        if x not in below:
            inner = [find(abs(y)) for y in formulas.parts(x)]
            below[x] = frozenset().union(*inner) if inner else frozenset({x})
            for letter in below[x]:
                over[letter].append(x)
        return below[x]

    for f in parts:
        find(abs(f))
    return over


class _TreeWriter:
    """A converter from `Closed` to the trees of certificates. A subtree that occurs several times becomes a lemma."""

    def __init__(self) -> None:
        self.lemmas: list[CertificateLemma] = []
        self._places: dict[int, int] = {}

    def write(self, closed: Closed) -> tuple[Tree, tuple[CertificateLemma, ...]]:
        for x in self._find_shared(closed):
            made = self._tree(x)
            self.lemmas.append(CertificateLemma(tuple(sorted(x.literals, key=abs)), tree=made))
            self._places[id(x)] = len(self.lemmas)
        return self._tree(closed), tuple(self.lemmas)

    def _find_shared(self, root: Closed) -> list[Closed]:
        """Return the inner nodes that occur more than once, except the root. A node comes after the nodes below it."""
        occurs: Counter[int] = Counter()
        found: list[Closed] = []
        todo: list[tuple[Closed, bool]] = [(root, False)]
        while todo:
            x, done = todo.pop()
            if done:
                found.append(x)
            elif x.split is not None:
                occurs[id(x)] += 1
                if occurs[id(x)] == 1:
                    todo += [(x, True), (x.split[2], False), (x.split[1], False)]
        return [x for x in found if occurs[id(x)] > 1 and x is not root]

    def _tree(self, closed: Closed) -> Tree:
        if closed.lemma is not None and id(closed) not in self._places:
            self.lemmas.append(closed.lemma)
            self._places[id(closed)] = len(self.lemmas)
        if id(closed) in self._places:
            return -self._places[id(closed)]
        if closed.split is None:
            return 0
        letter, yes, no = closed.split
        return letter, self._tree(yes), self._tree(no)
