"""The Coq text of claims that follow from theorems about who wins, as instances of the rule of folds.

The obligation *claim* of such a proof contains truth values: whether the mover wins. The Coq theorem of a lemma says
by a condition on numbers whether the mover loses, and so determines a truth value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claims.language.files.claim import Claim, Lemma, unfold_claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from claims.language.syntax.terms import BOOL, POSITION
from encoders.coq.propositions import RULES, type_in_coq
from encoders.coq.writing import Text, module_of, name_in_coq
from encoders.refusals import Unsupported
from encoders.rules.folds.ahead import find_same_game, restate
from encoders.rules.folds.instance import Instance
from encoders.rules.folds.section import FoldsProof


def follows_from_theorems(claim: Claim) -> bool:
    """Return whether a claim about one position has only a proof by lemmas which say who loses.

    At least one lemma must have a proof by another rule than folds, or be about a game of the type `rules`. The other
    proofs by lemmas use the invariants of the lemmas, see `encoders.rules.folds.conclusion`.
    `claim`: the claim with definitions expanded.
    """
    proof = claim.proof
    if not isinstance(proof, FoldsProof) or proof.rule != "folds" or not proof.by:
        return False
    if any((proof.loses, proof.split, proof.heaps, proof.picks, proof.steps, proof.moves, proof.several)):
        return False
    others = [unfold_claim(lemma.claim) for lemma in proof.by]
    if [v.type for v in claim.variables].count(POSITION) != 1 or not all(map(_tells_who_loses, others)):
        return False
    general = any(type_in_coq(game.ruleset) == RULES for game in claim.games)
    return general or any(not isinstance(x.proof, FoldsProof) for x in others)


def _tells_who_loses(claim: Claim) -> bool:
    """Whether the claim says that the mover does not win if and only if some condition holds."""
    match claim.conclusion:
        case t.Operation(op="eq", args=(t.Operation(op="not", args=(t.GameCall(function="wins"),)), x)):
            return claim.hypothesis is None and x.type == BOOL
    return False


@dataclass(eq=False)
class InstanceByTheorems(Instance):
    """A writer of the Coq instance of a claim that follows from theorems about who wins."""

    def obligations(self) -> str:
        """Return the Coq module with the obligations, and the imports of the theorems. Raises Unsupported."""
        return super().obligations() + "".join(f"From NimChecks Require {module_of(x.id)}.\n" for x in self.proof.by)

    def shown(self) -> Iterator[str]:
        """Yield the definitions of the instance, its lemmas about the folds, and the theorems that it uses."""
        yield from super().shown()
        for i, lemma in enumerate(self.proof.by, 1):
            yield f"Lemma known_{i} {restate(lemma, self.claim, self.numbers)}"

    def conclusion(self, says: Text, quantifiers: int) -> str:
        """Return the Coq lemma `claim`, which follows from the theorems and from the obligation about the claim."""
        position = self.position
        o = self.follows
        name, places, lemmas = self.numbers.names[position].text, self.places("s"), self.proof.by
        known = [f"T{i}" for i, _ in enumerate(lemmas, 1)]
        answers = {self._answer(lemma, position): f"b{i}" for i, lemma in enumerate(lemmas, 1)}
        links = self.link(
            o.reader, position, (self.claim.hypothesis or (), self.claim.conclusion), self.numbers, places
        )
        for lemma in lemmas:
            other = unfold_claim(lemma.claim)
            (theirs,) = (v.name for v in other.variables if v.type == POSITION)
            writer = self.numbers.bind({theirs: Text(name)})
            links |= self.link(o.reader, theirs, other.conclusion, writer, places)
        told = [f"K{i}" for i in range(1, len(links) + 1)]
        where = ("", *(f" in {x}" for x in known))
        rewrites = "".join(f" try setoid_rewrite of_heaps_{i}{x}." for i in range(1, quantifiers + 1) for x in where)
        return "\n".join(
            [
                f"Lemma claim ({name} : position) : {says.text}.",
                "Proof.",
                *(f"  pose proof (known_{i} {name}) as {k}." for i, k in enumerate(known, 1)),
                f" {rewrites} rewrite ?some_is.",
                f"  {self.open_folds(name, 's', 'Fs', 'E')}",
                *(
                    f"  assert ({k} : Z.of_N ({text}) = {place}) by same_fold."
                    for k, (text, place) in zip(told, links.items(), strict=True)
                ),
                *(self._facts_of(lemma, name) for lemma in lemmas if _has_facts(lemma)),
                "  destruct Fs as [Ns Fs]. cbv beta iota zeta delta [natural] in Ns. by_parts. name_folds.",
                *(f"  answer {k} b{i}." for i, k in enumerate(known, 1)),
                "  intros Given." if self.claim.hypothesis is not None else "",
                f"  {self.use(o, self.values(o.reader, {position: places}, answers))}.",
                "  first [conclude_from O | as_answered].",
                "Qed.",
            ]
        )

    def _answer(self, lemma: Lemma, position: str) -> str:
        """Return the name in the obligation of the truth value that the lemma determines. Raises Unsupported."""
        game = find_same_game(lemma, self.claim)
        calls = [x for x in walk((self.claim.hypothesis or (), self.claim.conclusion)) if isinstance(x, t.GameCall)]
        if game is None or not all(x.function == "wins" for x in calls) or not game.ruleset.impartial:
            raise Unsupported(f"no Coq text is generated for the use of the lemma {lemma.id}")
        where = f" in {game.name}" if len(self.claim.games) > 1 else ""
        return f"the mover wins{where} at {position}"

    @staticmethod
    def _facts_of(lemma: Lemma, position: str) -> str:
        """Return the tactics that add the facts of the proof of a lemma. Raises Unsupported."""
        other, module = unfold_claim(lemma.claim), name_in_coq(lemma.id.rpartition("/")[2])
        assert isinstance(other.proof, FoldsProof)
        if len(other.variables) > 1:
            raise Unsupported(f"no Coq text is generated for the facts of the lemma {lemma.id}")
        own = " ".join(f"{module}.{x}" for x in ("F", "none", "join", "fact", "fact_of_none", "fact_of_more"))
        opened = " ".join(f"{module}.{x}" for x in ("fact", "natural", "special"))
        return f"""\
  pose proof (facts_of_all {own} {position}) as Fl. rewrite {module}.values in Fl.
  cbv beta iota zeta delta [{opened}] in Fl. told Fl. by_parts."""


def _has_facts(lemma: Lemma) -> bool:
    proof = lemma.claim.proof
    return isinstance(proof, FoldsProof) and bool(proof.facts)
