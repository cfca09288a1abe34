"""The Coq text of claims by folds about single heaps, such as a heap at the top bit of a nim-sum.

The obligation *claim* of such a proof assumes: if some condition holds, the position consists of a heap with a certain
property and other heaps. The theorem `consider` of coq/theory/Folded.v gives this heap. The claim may also ask whether
some heap satisfies a condition on the folds of the whole position. The obligation then contains the number of such
heaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from claims.language.syntax import terms as t
from claims.language.syntax.printing import rebuild, structural_key, walk
from claims.language.syntax.terms import POSITION
from encoders.coq.instances import write_condition, write_number, write_test
from encoders.coq.writing import BINDER, Text
from encoders.logic.sequents import implies, largest, names_in
from encoders.refusals import Unsupported
from encoders.rules.folds import kinds
from encoders.rules.folds.folding import HeapSplit, match_mapping
from encoders.rules.folds.instance import CHANGES, FoldsObligation, Instance, folds_in
from encoders.rules.folds.moves import pick_of
from encoders.rules.folds.positions import COUNT, Fold
from encoders.rules.folds.questions import ChangePlayed
from encoders.rules.folds.reader import FoldReader
from encoders.rules.folds.section import HeapChoice

_SIZED = "rewrite ?Q1 in O; "
"""Tactics that put y1, the new size of a heap of the claim, in the place of the term for this size."""


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


@dataclass(frozen=True)
class _Changed:
    """The Coq text about the position t1 that results from the replacement of a heap by y1.

    `named`: the tactics that name t1 and y1. `reached`: those that show what y1 is. `folds`: those that compute the
    folds of t1. `equations`: the names of the equations about these folds. `legal`: the tactics that prove that a legal
    move leads to t1.
    """

    named: Sequence[str]
    reached: Sequence[str]
    folds: Sequence[str]
    equations: Sequence[str]
    legal: str


def _replace_term(terms: object, old: t.Term, new: t.Term) -> tuple[t.Term, ...]:
    """Return the terms with `new` in the place of each term that is equal to `old`."""
    key = structural_key(old)

    def change(x: t.Term) -> t.Term:
        return new if structural_key(x) == key else rebuild(x, change)

    assert isinstance(terms, tuple)
    return tuple(change(x) for x in terms if isinstance(x, t.Term))


class ConsideringInstance(Instance):
    """A writer of the Coq instance of a claim for which the proof considers single heaps of the position."""

    def conclusion(self, says: Text, quantifiers: int) -> str:
        """Return the Coq lemma `claim`, which follows from the obligation about the claim."""
        terms = (self.claim.hypothesis or (), self.claim.conclusion)
        if any(match_mapping(x) is not None for x in walk(terms)):
            raise Unsupported("no Coq text is generated for a proof by folds unless the claim is about one position")
        o, name = self.follows, self.numbers.names[self.position].text
        made = self._terms(o)
        values = self.values(o.reader, {}, made.others, made.placed)
        links, counted = self._links(o, made)
        names = [f"K{i}" for i in range(1, len(links) + len(counted) + 1)]
        equations = [(*x, "same_fold") for x in links.items()] + [(*x, "same_count") for x in counted.items()]
        rewrites = "".join(f" try setoid_rewrite of_heaps_{i}." for i in range(1, quantifiers + 1))
        opened = "natural lost" if self.proof.loses else "natural"
        heaps = "".join(
            f" ({b.name} : {b.type})" + "".join(f" ({x.name} : {x.says.at(BINDER)})" for x in b.bounds)
            for b in self.binders
            if b.is_heap
        )
        changed = list(self._changed(made))
        return "\n".join(
            [
                f"Lemma claim ({name} : position){heaps} : {says.text}.",
                f"Proof.\n {rewrites} rewrite ?some_is{', ?who_wins' if self.proof.loses else ''}.",
                f"  {self.open_folds(name, 's', 'Fs', 'E', 'V')}",
                f"  destruct Fs as [Ns Fs]. cbv beta iota zeta delta [{opened}] in *. by_parts.",
                *(
                    f"  assert ({k} : Z.of_N ({text}) = {value}) by {how}."
                    for k, (text, value, how) in zip(names, equations, strict=True)
                ),
                *(line for x in changed for line in x.named),
                "  intros Given." if self.claim.hypothesis is not None else "",
                *(
                    f"  assert (G{i} : ({write_condition(h.term, values)})%Z) by from_numbers Given."
                    for i, h in enumerate(o.sequent.hypotheses, 1)
                ),
                "  clear Given." if self.claim.hypothesis is not None else "",
                *self._no_heap(name, made),
                *(line for i, x in enumerate(o.reader.splits, 1) for line in self._consider(i, o, x, made, values)),
                *(line for x in changed for line in x.reached),
                *self._steps("".join(_SIZED for _ in changed)),
                f"  {self.use(o, values, ''.join(_SIZED for _ in changed))}.",
                *(line for x in changed for line in x.folds),
                *self._finish(names, changed),
                "Qed.",
            ]
        )

    def _finish(self, names: Sequence[str], changed: Sequence[_Changed]) -> Iterator[str]:
        """Yield the tactics that prove the claim from the obligation. Raises Unsupported."""
        parts = [*t.conjuncts(self.claim.conclusion)]
        while parts and isinstance(parts[0], t.GameCall):
            (made,) = changed
            yield f"  destruct O as [B O]. split. {{ {made.legal} }}"
            parts = parts[1:]
        if not parts or any(isinstance(x, t.GameCall) for x in walk((self.claim.hypothesis or (), tuple(parts)))):
            raise Unsupported("no Coq text is generated for a legal move to a named position, except at the beginning")
        equations = [name for x in changed for name in x.equations]
        yield f"  clear - O {' '.join([*names, *equations])}. {'' if equations else 'name_folds. '}conclude_from O."

    def _terms(self, o: FoldsObligation) -> _Terms:
        """Return what the variables of an obligation stand for. Raises Unsupported."""
        s, name = next(p for p in o.reader.free if p.name == self.position), self.numbers.names[self.position].text
        made = _Terms({id(s): _Placed(name, self.places("s"))}, {})
        own = {b.word: b.name for b in self.binders if b.is_heap}
        for i, split in enumerate(o.reader.splits, 1):
            if split.of is not s:
                raise Unsupported("no Coq text is generated for a proof by folds about heaps of another position")
            made.positions[id(split.rest)] = _Placed(f"R{i}", self.places(f"r{i}x"))
            made.others[split.heap.name] = f"(Z.of_N {own.get(split.heap.name, f'h{i}')})"
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
        for played in o.reader.played.values():
            self._answer(o, played, made)
        return made

    def _answer(self, o: FoldsObligation, played: ChangePlayed, made: _Terms) -> None:
        """Add the values of the variables in the question whether a legal move makes a change. Raises Unsupported."""
        sizes = [size for _, _, size in played.picked] + [size for *_, size in played.guessed]
        for size in (played.made.size, *sizes):
            if isinstance(size, t.Variable):
                made.others[size.name] = "(Z.of_N y1)"
        if len(o.reader.played) > 1 or len(played.picked) > 1 or len(played.guessed) != 1 or self.proof.moves:
            raise Unsupported("no Coq text is generated for a legal move that may be of several kinds")
        ((kind, take, _),), ((_, guess, legal, _),) = played.picked, played.guessed
        if kind.choose != "any" or len(kind.picks) != 1:
            raise Unsupported("no Coq text is generated for this legal move to a named position")
        values = self.values(o.reader, {}, made.others, made.placed)
        (pick,) = kind.picks
        x = take[pick.word]
        low = o.reader.number(pick.lo, {**o.reader.root, kind.heaps[0]: played.made.heap})
        assert isinstance(x, t.Variable)
        made.others[x.name] = write_number(largest(low, guess[pick.word]), values)
        made.others[played.answer.name] = f"({write_test(legal, values)})%Z"

    def _changed(self, terms: _Terms) -> Iterator[_Changed]:
        """Yield what is shown about the position after a heap of the claim is replaced. Raises Unsupported."""
        asked = (self.claim.hypothesis or (), self.claim.conclusion)
        found = {structural_key(x): x for x in walk(asked) if isinstance(x, t.Operation) and x.op == "replace"}
        if len(found) > 1:
            raise Unsupported("no Coq text is generated for several replacements of a heap")
        for x in found.values():
            yield self._change(x, terms)

    def _change(self, changed: t.Operation, terms: _Terms) -> _Changed:
        """Return what is shown about the position `changed`, the result of a replacement. Raises Unsupported."""
        o, (source, heap, size) = self.follows, changed.args
        splits = {x.heap.name: (i, x) for i, x in enumerate(o.reader.splits, 1)}
        if not isinstance(heap, t.Variable) or heap.name not in splits or len(o.reader.played) != 1:
            raise Unsupported("no Coq text is generated for the replacement of a heap that is not a variable")
        (i, split), (played,) = splits[heap.name], o.reader.played.values()
        h, s = self.numbers.natural(heap).text, self.numbers.position(source).argument
        values = self.values(o.reader, {}, terms.others, terms.placed)
        (defined,) = (
            a.term.args[1].then
            for a in o.reader.known
            if isinstance(a.term, t.Operation) and a.term.op == "eq" and a.term.args[0] is played.made.size
            if isinstance(a.term.args[1], t.IfElse)
        )
        ((kind, take, _),), ((_, guess, _, _),) = played.picked, played.guessed
        (pick,) = kind.picks
        taken = write_number(take[pick.word], values)
        rest = terms.positions[id(split.rest)].places
        named = [
            f"  assert (A : exists y, y = ({self.numbers.natural(size).text})) by eauto. destruct A as (y1 & Y1).",
            f"  assert (A : exists t, t = {self.numbers.position(changed).text}) by eauto. destruct A as (t1 & A1).",
            "  rewrite <- A1.",
        ]
        reached = [
            f"  rewrite <- Y1 in A1. pose proof (replace_rest {s} {h} y1 R{i} P{i} S{i}) as T1. rewrite <- A1 in T1.",
            f"  assert (Q1 : ({write_number(defined, values)} = Z.of_N y1)%Z) by written Y1. clear Y1 A1.",
            "  pose proof (natural_kept y1) as Q2.",
            f"  {self.use_cuts([kind], 0, [taken], f'(Z.of_N {h})', '(Z.of_N y1)', rest, label='Moved')}",
        ]
        side = "right; " * (kind.number - 1) + ("left; " if kind.number < len(self.game.ruleset.moves) else "")
        legal = (
            f"is_true_test B. by_parts. name_pick ({write_number(guess[pick.word], values)})%Z q1.\n"
            f"    exists {h}, y1, R{i}. split; [exact P{i}|]. split; [exact S{i}|]. split; [exact T1|].\n"
            f"    split; [hnf; cbn [same_player]; {side}exists q1; made_legal | discriminate]."
        )
        folds, equations = self._changed_folds(changed, i, values)
        return _Changed(named, reached, folds, equations, legal)

    def _changed_folds(self, changed: t.Operation, i: int, values: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """Return the tactics that compute the folds of t1, and the names of the equations about those in the claim.

        `i`: the number of the heap that is replaced.
        """
        reader = self.follows.reader
        env = {v.name: x for v in self.claim.variables for x in self._value_of(v.name, self.follows)}
        after = reader.position_of(changed, {**reader.root, **env})
        folds = [after.fold(reader.folding.made.get(x.key) or x.fold) for x in self.folds]
        lines = [
            f"  assert (VT : value t1 = ({', '.join(write_number(x, values) for x in folds)})%Z).",
            f"  {{ rewrite (folded_same F none join in_any_order t1 (y1 :: R{i}) T1).",
            f"    change (value (y1 :: R{i})) with (joins F join [y1] (value R{i})). rewrite V{i}.",
            "    folds_after y1 ltac:(fun _ => cbv beta iota zeta delta [join]). }",
            "  pose proof (values t1) as ET. rewrite VT in ET. split_values ET.",
        ]
        word, equations = "changed position", list[str]()
        asked = (self.claim.hypothesis or (), self.claim.conclusion)
        said = _replace_term(asked, changed, t.Variable(POSITION, 0, 0, word))
        for n, (term, text) in enumerate(folds_in(said, word, self.numbers.bind({word: Text("t1")})), 1):
            number = after.fold(reader.folding.fold_of_term(term, reader.root))
            equations.append(f"L{n}")
            lines.append(f"  assert (L{n} : Z.of_N ({text}) = ({write_number(number, values)})%Z) by same_fold.")
        return lines, equations

    def _value_of(self, name: str, o: FoldsObligation) -> Iterator[object]:
        """Yield the value of a variable of the claim in the obligation: its position, or a heap of it."""
        yield from (p for p in o.reader.free if p.name == name)
        yield from (x.heap for x in o.reader.splits if x.heap.name == name)

    def _steps(self, first: str) -> Iterator[str]:
        """Yield the tactics that show the steps of the proof, in order. `first`: as for `use`."""
        for i, o in enumerate((o for o in self.posed if o.kind is kinds.STEP), 1):
            made = self._terms(o)
            yield f"  {self.use(o, self.values(o.reader, {}, made.others, made.placed), first)}. rename O into Step{i}."

    def _links(self, o: FoldsObligation, made: _Terms) -> tuple[dict[str, str], dict[str, str]]:
        """Return the folds in the claim by their Coq text: the names of their values, and the counts."""
        links, counted = dict[str, str](), dict[str, str]()
        s = next(p for p in o.reader.free if p.name == self.position)
        env = {**o.reader.root, s.name: s}
        for term, text in folds_in((self.claim.hypothesis or (), self.claim.conclusion), s.name, self.numbers):
            fold = o.reader.folding.fold_of_term(term, env)
            for name, own in zip(self.places("s"), self.folds, strict=True):
                if own.key == fold.key:
                    links[text] = name
            if fold.key in made.counts:
                counted[text] = f"Z.of_N (count {made.counts[fold.key]} {made.positions[id(s)].name})"
        return links, counted

    def _consider(
        self, i: int, o: FoldsObligation, split: HeapSplit, terms: _Terms, values: Mapping[str, str]
    ) -> Iterator[str]:
        """Yield the tactics that give the heap number i, and what the obligation assumes of it."""
        reader, s, n = o.reader, terms.positions[id(split.of)].name, f"{i}"
        own = next((b for b in self.binders if b.is_heap and b.word == split.heap.name), None)
        opened = f"""\
{self.open_folds(f"R{n}", f"r{n}x", f"F{n}", f"ER{n}", f"V{n}")}
  destruct F{n} as [N{n} F{n}]. cbv beta iota zeta delta [natural] in N{n}. by_parts."""

        def same_after(heap: str, same: str) -> str:
            """Return the tactics that compute the folds from the heap and the rest. `same`: s consists of these."""
            return f"""\
pose proof (folded_heap F none join in_any_order {s} {heap} R{n} P{n} {same}) as J. rewrite V, V{n} in J.
    cbv beta iota zeta delta [join] in J. split_values J.
    repeat split; first [assumption | exact (count_split _ _ _ _ P{n} {same})]."""

        if own is not None:
            same = write_condition(split.same_folds(reader.folding.made.values()), values)
            yield f"""\
  destruct (split_heap {own.name} {s} {own.bounds[0].name}) as (R{n} & S{n}).
  assert (P{n} : 0 < {own.name}) by apply {own.bounds[0].name}.
  {opened}
  assert (U{n} : ({same})%Z).
  {{ {same_after(own.name, f"S{n}")} }}"""
            yield from self._no_heap(f"R{n}", terms)
            return
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
  {opened}
  assert (T{n} : ({write_condition(told[0], values)})%Z).
  {{ destruct D{n} as [D{n}|[_ D{n}]]; [left | right]; exact D{n}. }}
  assert (U{n} : ({write_condition(told[1], values)})%Z).
  {{ destruct D{n} as [D{n}|[S _]]; [left; exact D{n} | right].
    {same_after(f"h{n}", "S")} }}"""
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
