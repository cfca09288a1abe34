"""The Coq proof of a claim by folds: an instance of the theorem about the rule, and the last step to the claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from claims.language.files.claim import Claim, Lemma, unfold_claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import rebuild, substitute, walk
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.coq.propositions import RULES, Statements, type_in_coq
from encoders.coq.statement import Binder, state, write_variables
from encoders.coq.writing import Text, module_of
from encoders.refusals import Unsupported
from encoders.rules.base.normal_form import normal_game
from encoders.rules.base.rule import ProofServices
from encoders.rules.folds import kinds
from encoders.rules.folds.argument import Argument, asks_for_options, implication
from encoders.rules.folds.asked import AskingInstance
from encoders.rules.folds.by_theorems import InstanceByTheorems, follows_from_theorems
from encoders.rules.folds.considered import ConsideringInstance, considers_heaps
from encoders.rules.folds.instance import Instance, list_posed, list_posed_facts, pose_claim_alone
from encoders.rules.folds.instance_of_rules import InstanceOfRules
from encoders.rules.folds.scenes import Invariant, Line, Scene
from encoders.rules.folds.section import FoldsProof


def import_lemma(lemma: Lemma, claim: Claim, binders: Sequence[Binder]) -> Invariant:
    """Return the invariant that proves a lemma. Raises Unsupported.

    The lemma must be about a game of the claim, and all its integers must be integers of the claim.
    """
    other = unfold_claim(lemma.claim)
    proof = other.proof
    here = next((g for g in claim.games if g.ruleset.id == other.games[0].ruleset.id), None)
    if here is None:
        raise Unsupported(f"the lemma {lemma.id} is about another game")
    theirs, _ = write_variables(other)
    ours = {b.word: b.name for b in binders if b.is_number}
    integers = [b for b in theirs if b.is_number]
    if missing := [b.word for b in integers if b.word not in ours]:
        words = f"the lemma {lemma.id} uses integers that are not variables of the claim: {', '.join(missing)}"
        raise Unsupported(words)
    if not isinstance(proof, FoldsProof) or not proof.loses or proof.by:
        raise Unsupported(f"the lemma {lemma.id} is not proved by an invariant")
    own = {f.name: t.Variable(INT, 0, 0, f"{f.name} of {lemma.id}") for f in proof.folds}
    given = "".join(f" {ours[b.word]}" + " ltac:(lia)" * len(b.bounds) for b in integers)
    module = f"{module_of(lemma.id).rpartition('.')[2]}."
    return Invariant(
        here,
        tuple((player, substitute(x, own)) for player, x in proof.loses),
        tuple((own[f.name].name, f.term) for f in proof.folds),
        tuple(substitute(x, own) for _, x in proof.facts),
        module,
        f"({module}known{given})" if given else f"{module}known",
    )


# == claims ===========================================================================================================
class ConcludedInstance(Instance):
    """An instance whose last step is an argument, because the claim asks about options or uses lemmas.

    `argued`: the Coq text of this last step.
    """

    argued: Sequence[Line]

    def conclusion(self, says: Text, quantifiers: int) -> str:
        """Return the Coq lemma `claim`."""
        typed = "".join(f" ({b.name} : {b.type})" for b in self.binders if not b.is_number)
        lines = "\n".join(f"  {x if isinstance(x, str) else x()}" for x in self.argued)
        return f"Lemma claim{typed} : {says.text}.\nProof.\n{lines}\nQed."


class WrittenInstance(Instance):
    """An instance for a claim about positions whose heaps are written, by the invariant of a lemma."""

    invariant: Invariant

    def lemmas(self) -> Iterator[str]:
        """Yield the lemma `claim`. Raises Unsupported."""
        yield "Open Scope N_scope."
        yield self.about_written(state(self.claim, self.numbers), self.invariant.known, self.invariant.lost)


def make_instance(
    claim: Claim,
    proof: FoldsProof,
    lemmas: Sequence[Lemma],
    binders: Sequence[Binder],
    numbers: Statements,
    services: ProofServices,
) -> Instance:
    """Return the instance that proves a claim by folds. Raises Unsupported.

    `claim`, `proof`: the claim and its proof with definitions expanded. `lemmas`: the claims by whose invariants it is
    known who wins; none if the invariant of the proof tells it. `binders`, `numbers`: the variables of the claim, and
    the writer of its statement.
    """
    positions = [(b.word, b.name) for b in binders if b.type == "position"]
    terms = [x for x in (claim.hypothesis, claim.conclusion) if x is not None]
    asks_nothing = not any(isinstance(x, t.GameCall) for x in walk(tuple(terms)))
    alone = (proof.loses or asks_nothing) and not any(map(asks_for_options, terms))
    general = any(type_in_coq(game.ruleset) == RULES for game in claim.games)
    if proof.steps or any(b.is_heap for b in binders):
        made = None if lemmas else _make_own_instance(claim, proof, binders, numbers, services)
        if not isinstance(made, ConsideringInstance):
            raise Unsupported(
                "no Coq text is generated for a proof with the key steps, except about a heap of a position"
            )
        return made
    if follows_from_theorems(claim) or (not lemmas and (alone or general or _has_remainders(proof))):
        return _make_own_instance(claim, proof, binders, numbers, services)
    if not positions and len(lemmas) == 1 and alone:
        made = WrittenInstance(claim, proof, binders, numbers, services, [pose_claim_alone(claim, proof)])
        made.invariant = import_lemma(lemmas[0], claim, binders)
        return made
    if len(positions) != 1:
        raise Unsupported("no Coq text is generated for a proof by folds unless the claim is about one position")
    return _conclude(claim, proof, lemmas, positions[0], binders, numbers, services)


def _make_own_instance(
    claim: Claim, proof: FoldsProof, binders: Sequence[Binder], numbers: Statements, services: ProofServices
) -> Instance:
    """Return the instance for a claim that follows from its obligation *claim*. Raises Unsupported."""
    general = any(type_in_coq(game.ruleset) == RULES for game in claim.games)
    plain = replace(claim, games=tuple(map(normal_game, claim.games))) if general else claim
    posed = list_posed(plain, proof, services)
    follows = next(o.reader for o in posed if o.kind is kinds.FOLLOWS)
    asks, considers = bool(follows.options.questions), considers_heaps(follows)
    own = AskingInstance if asks else ConsideringInstance if considers else Instance
    kind = InstanceByTheorems if proof.by else InstanceOfRules if general else own
    return kind(plain, proof, binders, numbers, services, posed)


def _has_remainders(proof: FoldsProof) -> bool:
    """Return whether the proof needs facts about remainders by a number of the claim, see `find_cuts`."""
    divided = (x.args[1] for x in walk(proof) if isinstance(x, t.Operation) and x.op in ("mod", "floordiv"))
    return any(not isinstance(x, t.Literal) for x in divided)


def _conclude(
    claim: Claim,
    proof: FoldsProof,
    lemmas: Sequence[Lemma],
    position: tuple[str, str],
    binders: Sequence[Binder],
    numbers: Statements,
    services: ProofServices,
) -> ConcludedInstance:
    invariants = [import_lemma(x, claim, binders) for x in lemmas]
    if invariants:
        proof = replace(proof, by=(), loses=(), facts=proof.facts if proof.by else ())
    posed = list_posed(claim, proof, services) if proof.loses else list_posed_facts(claim, proof)
    before = len(posed)
    posed = [x for x in posed if x.kind is not kinds.FOLLOWS]
    if proof.loses:
        own = {f.name: t.Variable(INT, 0, 0, f"{f.name} of the proof") for f in proof.folds}
        loses = tuple((player, substitute(x, own)) for player, x in proof.loses)
        folds = tuple((own[f.name].name, f.term) for f in proof.folds)
        invariants = [Invariant(claim.games[0], loses, folds, (), "", "known")]
    argument = Argument(claim, proof, invariants, numbers, services, before)
    goal = claim.conclusion if claim.hypothesis is None else implication([claim.hypothesis], claim.conclusion)
    lines = list(argument.begin(position[1]))
    if proof.unfold:
        goal, rewrites = _unfold(goal, position[0], numbers)
        lines = [*rewrites, *lines]
    lines += argument.prove(goal, Scene((position,)))
    made = ConcludedInstance(claim, proof, binders, numbers, services, [*posed, *argument.steps])
    made.argued = lines
    argument.instance = made
    return made


def _unfold(goal: t.Term, position: str, numbers: Statements) -> tuple[t.Term, list[Line]]:
    """Return a claim in which winning at the claim's position is defined by options, and the tactics that do so in Coq.

    Raises Unsupported for misère play.
    """
    lines = dict[str, None]()

    def change(term: t.Term) -> t.Term:
        match term:
            case t.GameCall(
                function="wins", game=game, args=(t.Variable(name=name) as s, t.Literal(value=who) as mover)
            ):
                if name == position:
                    rules = numbers.rules[game].ruleset
                    if rules.stuck_wins:
                        raise Unsupported(f"{rules.id}: the definition of winning is expanded only for normal play")
                    player = numbers.player(mover).argument
                    at = f"{numbers.games[game].argument} {player} {numbers.names[name].text}"
                    lines[f"rewrite ?(wins_once {at} eq_refl)."] = None
                    other = replace(mover, value=who if rules.impartial else 1 - who)
                    options = t.GameCall(t.set_of(POSITION), 0, 0, "options", game, (s, mover))
                    x = t.Variable(POSITION, 0, 0, "an option")
                    body = t.GameCall(BOOL, 0, 0, "loses", game, (x, other))
                    return t.Comprehension(BOOL, 0, 0, "any", body, (t.Clause("an option", options, ()),))
        return rebuild(term, change)

    return change(goal), [*lines, "cbn [other]."] if lines else []
