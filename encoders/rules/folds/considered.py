"""The Coq text of claims by folds for which the proof considers single heaps, such as a heap at the top bit of a fold.

The obligation *claim* of such a proof assumes: if some condition holds, the position consists of a heap with a certain
property and other heaps. The theorem `consider` of coq/theory/Folded.v gives this heap. The claim may also ask whether
some heap satisfies a condition on the folds of the whole position. The obligation then contains the number of such
heaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from encoders.coq.instances import write_condition, write_test
from encoders.coq.writing import Text
from encoders.logic.sequents import implies, names_in
from encoders.refusals import Unsupported
from encoders.rules.folds.folding import HeapSplit, match_mapping
from encoders.rules.folds.instance import CHANGES, FoldsObligation, Instance, folds_in
from encoders.rules.folds.moves import pick_of
from encoders.rules.folds.positions import COUNT, Fold, Position
from encoders.rules.folds.reader import FoldReader
from encoders.rules.folds.section import HeapChoice


def considers_heaps(reader: FoldReader) -> bool:
    """Return whether an obligation is about single heaps of a position, or about heaps and the whole position."""
    return bool(reader.splits) or any(fold.fixed for fold in reader.folding.plain.values())


@dataclass(frozen=True)
class _Placed:
    """A position in Coq: its name, and the names of the values of its folds."""

    name: str
    places: Sequence[str]


@dataclass
class _Terms:
    """What the variables of the obligation stand for.

    `positions`: the positions, by their ids. `others`: the Coq text of heaps and counts. `counts`: for each fold that
    depends on the position, whether it counts the heap h, as Coq text.
    """

    positions: dict[int, _Placed]
    others: dict[str, str]
    counts: dict[object, str] = field(default_factory=dict)

    @property
    def placed(self) -> dict[int, Sequence[str]]:
        return {key: x.places for key, x in self.positions.items()}


class ConsideringInstance(Instance):
    """A writer of the Coq instance of a claim for which the proof considers single heaps of the position."""

    def conclusion(self, says: Text, quantifiers: int) -> str:
        """Return the Coq lemma `claim`, which follows from the obligation about the claim."""
        if any(match_mapping(x) is not None for x in walk((self.claim.hypothesis or (), self.claim.conclusion))):
            raise Unsupported("no Coq text is generated for a proof by folds unless the claim is about one position")
        o, name = self.follows, self.numbers.names[self.position].text
        s = next(p for p in o.reader.free if p.name == self.position)
        terms = self._terms(o, s, name)
        values = self.values(o.reader, {}, terms.others, terms.placed)
        links, counted = self._links(o, s, terms)
        names = [f"K{i}" for i in range(1, len(links) + len(counted) + 1)]
        rewrites = "".join(f" try setoid_rewrite of_heaps_{i}." for i in range(1, quantifiers + 1))
        opened = "natural lost" if self.proof.loses else "natural"
        return "\n".join(
            [
                f"Lemma claim ({name} : position) : {says.text}.",
                f"Proof.\n {rewrites} rewrite ?some_is{', ?who_wins' if self.proof.loses else ''}.",
                f"  {self.open_folds(name, 's', 'Fs', 'E', 'V')}",
                f"  destruct Fs as [Ns Fs]. cbv beta iota zeta delta [{opened}] in *. by_parts.",
                *(
                    f"  assert ({k} : Z.of_N ({text}) = {value}) by {how}."
                    for k, (text, value, how) in zip(
                        names,
                        [(*x, "same_fold") for x in links.items()] + [(*x, "same_count") for x in counted.items()],
                        strict=True,
                    )
                ),
                "  intros Given." if self.claim.hypothesis is not None else "",
                *(
                    f"  assert (G{i} : ({write_condition(h.term, values)})%Z) by from_numbers Given."
                    for i, h in enumerate(o.sequent.hypotheses, 1)
                ),
                *self._no_heap(name, terms),
                *(line for i, x in enumerate(o.reader.splits, 1) for line in self._consider(i, o, x, terms, values)),
                f"  {self.use(o, values)}.",
                f"  clear - O {' '.join(names)}. name_folds. conclude_from O.",
                "Qed.",
            ]
        )

    def _terms(self, o: FoldsObligation, s: Position, name: str) -> _Terms:
        """Return what the variables of the obligation stand for. Raises Unsupported."""
        made = _Terms({id(s): _Placed(name, self.places("s"))}, {})
        for i, split in enumerate(o.reader.splits, 1):
            if split.of is not s:
                raise Unsupported("no Coq text is generated for a proof by folds about heaps of another position")
            made.positions[id(split.rest)] = _Placed(f"R{i}", self.places(f"r{i}x"))
            made.others[split.heap.name] = f"(Z.of_N h{i})"
        heap = o.reader.size("counted heap", low=1)
        for fold in o.reader.folding.plain.values():
            if not fold.fixed:
                continue
            if fold.reducer != COUNT:
                raise Unsupported(f"no Coq text is generated for {fold.label}, which depends on the position")
            counts = fold.contributes(heap)
            values = self.values(o.reader, {}, {**made.others, heap.name: "(Z.of_N h)"}, made.placed)
            if not names_in(counts) <= values.keys():
                raise Unsupported(CHANGES)
            made.counts[fold.key] = test = f"(fun h => ({write_test(counts, values)})%Z)"
            for position in o.reader.free:
                value, placed = position.values.get(fold.key), made.positions.get(id(position))
                if isinstance(value, t.Variable) and placed is not None:
                    made.others[value.name] = f"(Z.of_N (count {test} {placed.name}))"
        return made

    def _links(self, o: FoldsObligation, s: Position, terms: _Terms) -> tuple[dict[str, str], dict[str, str]]:
        """Return the folds in the claim by their Coq text: the names of their values, and the counts."""
        links, counted = dict[str, str](), dict[str, str]()
        env = {**o.reader.root, s.name: s}
        for term, text in folds_in((self.claim.hypothesis or (), self.claim.conclusion), s.name, self.numbers):
            fold = o.reader.folding.fold_of_term(term, env)
            for name, own in zip(self.places("s"), self.folds, strict=True):
                if own.key == fold.key:
                    links[text] = name
            if fold.key in terms.counts:
                counted[text] = f"Z.of_N (count {terms.counts[fold.key]} {terms.positions[id(s)].name})"
        return links, counted

    def _consider(
        self, i: int, o: FoldsObligation, split: HeapSplit, terms: _Terms, values: Mapping[str, str]
    ) -> Iterator[str]:
        """Yield the tactics that give the heap number i, and what the obligation assumes of it."""
        reader, s, n = o.reader, terms.positions[id(split.of)].name, f"{i}"
        premise, has, pick = self._pick(o, split, s, terms, values)
        given = f"({write_condition(premise, values)})%Z"
        at = {**terms.others, split.heap.name: "(Z.of_N h)"}
        found = write_condition(has, self.values(reader, {}, at, terms.placed))
        folds = reader.folding.made.values()
        told = [implies(split.where, x) for x in (has, split.same_folds(folds))]
        yield f"""\
  destruct (consider {given} (fun h => ({found})%Z) {s}) as (h{n} & R{n} & P{n} & D{n}).
  {{ clear; lia. }}
  {{ intros W'. considered ({pick})%Z. }}
  {self.open_folds(f"R{n}", f"r{n}x", f"F{n}", f"ER{n}", f"V{n}")}
  destruct F{n} as [N{n} F{n}]. cbv beta iota zeta delta [natural] in N{n}. by_parts.
  assert (T{n} : ({write_condition(told[0], values)})%Z).
  {{ destruct D{n} as [D{n}|[_ D{n}]]; [left | right]; exact D{n}. }}
  assert (U{n} : ({write_condition(told[1], values)})%Z).
  {{ destruct D{n} as [D{n}|[S _]]; [left; exact D{n} | right].
    pose proof (folded_heap F none join in_any_order {s} h{n} R{n} P{n} S) as J. rewrite V, V{n} in J.
    cbv beta iota zeta delta [join] in J. split_values J.
    repeat split; first [assumption | exact (count_split _ _ _ _ P{n} S)]. }}"""
        yield from self._no_heap(f"R{n}", terms)

    def _no_heap(self, position: str, terms: _Terms) -> Iterator[str]:
        """Yield the tactics which state that the counts of a position without heaps are 0."""
        for i, test in enumerate(terms.counts.values(), 1):
            name = f"M_{position}_{i}"
            yield f"  pose proof (count_none {test} {position}) as {name}. of_values {name}."

    def _pick(
        self, o: FoldsObligation, split: HeapSplit, s: str, terms: _Terms, values: Mapping[str, str]
    ) -> tuple[t.Term, t.Term, str]:
        """Return the condition under which the split gives a heap, the property of the heap, and the Coq proof."""
        match split.by:
            case HeapChoice() as choice:
                _, has = pick_of(o.reader, choice, split.of)
                return split.where, has(split.heap), self.pick(choice, o.reader, s)
            case Fold() as fold if fold.key in terms.counts:
                return split.where, fold.contributes(split.heap), f"pick_count {terms.counts[fold.key]} {s} W'"
        raise Unsupported("no Coq text is generated for a heap that the proof considers without a choice")
