"""From a sequent to what is known of it over all naturals: a certificate, numbers at which it fails, or neither."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from encoders.logic.naturals.certificates.certificate import Atom, Certificate, CertificateLemma, Tree
from encoders.logic.naturals.certificates.verify import problem as find_problem
from encoders.logic.naturals.formulas.formulas import FALSE
from encoders.logic.naturals.formulas.problem import Problem, find_values, read_problem
from encoders.logic.naturals.memory import keep, recall
from encoders.logic.naturals.search.rounds import GivenUp, Refuted, Satisfied, search
from encoders.logic.naturals.search.tree import TreeTooLarge, build_tree
from encoders.logic.sequent import Sequent


@dataclass(frozen=True)
class NaturalsFinding:
    """`certificate`: that the sequent holds; `used`: the places in `apart` of what it makes use of.

    `values`: of the sequent's variables, at which it seems to fail.  `reason`: why there is neither.
    `is_open`: a limit was met, or products of variables are beyond the search: it may hold, and be shown otherwise;
    `by_limit`: the former.
    """

    certificate: Certificate | None = None
    used: frozenset[int] = frozenset()
    values: Mapping[str, int | bool] = field(default_factory=dict)
    reason: str = ""
    is_open: bool = False
    by_limit: bool = False


def settle(sequent: Sequent, until: float | None = None, scale: int = 1) -> NaturalsFinding:
    """What is known of the sequent over all naturals. Raises Unsupported for what has no exact translation.

    `until`: when to give up, by the clock `time.monotonic`.  `scale`: how many times as much as usual may be looked at.
    """
    problem = read_problem(sequent)
    remembered = recall(problem)
    if remembered is not None:
        return NaturalsFinding(*remembered)
    found = search(problem.formulas, problem.parts, problem.definitions, until, scale)
    match found:
        case GivenUp(reason):
            return NaturalsFinding(reason=reason, is_open=True, by_limit=True)
        case Satisfied(streams, truths):
            return NaturalsFinding(values=find_values(problem, streams, truths), is_open=problem.has_products)
    try:
        certificate = certify(problem, found)
    except TreeTooLarge as error:
        return NaturalsFinding(reason=str(error), is_open=True, by_limit=True)
    if wrong := find_problem(certificate):
        return NaturalsFinding(reason=f"the certificate does not hold: {wrong}")
    used = _used(problem, found.core)
    keep(problem, certificate, used)
    return NaturalsFinding(certificate, used)


def _used(problem: Problem, core: frozenset[int]) -> frozenset[int]:
    place, used = len(problem.always), set[int]()
    for i, group in enumerate(problem.apart):
        if core & set(range(place, place + len(group))):
            used.add(i)
        place += len(group)
    return frozenset(used)


def certify(problem: Problem, found: Refuted) -> Certificate:
    """The certificate, with the lemmas that its tree uses. Raises TooLarge."""
    formulas, parts = problem.formulas, problem.parts
    whole = formulas.conjunction(parts)
    if whole == FALSE:
        return Certificate(0, (), False, (), 0)
    tree, lemmas = build_tree(formulas, [parts[i] for i in sorted(found.core)], found.learnt, problem.definitions)
    named_by = [x for lemma in lemmas for x in (*lemma.literals, *_letters(lemma.tree))]
    numbers = formulas.number_letters([whole, *named_by, *_letters(tree)])
    atoms = [node for x in numbers if isinstance(node := formulas.node(x), Atom)]
    named = tuple(replace(x, literals=_renamed(x, numbers), tree=_over(x.tree, numbers)) for x in lemmas)
    return Certificate(len(numbers), tuple(atoms), formulas.write(whole, numbers), named, _tree(tree, numbers))


def _letters(tree: Tree | None) -> Iterator[int]:
    """The letters, by node, on which a tree splits."""
    if isinstance(tree, tuple):
        yield tree[0]
        for x in tree[1:]:
            yield from _letters(x)


def _renamed(lemma: CertificateLemma, numbers: dict[int, int]) -> tuple[int, ...]:
    return tuple(numbers[abs(x)] * (1 if x > 0 else -1) for x in lemma.literals)


def _over(tree: Tree | None, numbers: dict[int, int]) -> Tree | None:
    return None if tree is None else _tree(tree, numbers)


def _tree(tree: Tree, numbers: dict[int, int]) -> Tree:
    if isinstance(tree, int):
        return tree
    return numbers[tree[0]], _tree(tree[1], numbers), _tree(tree[2], numbers)
