"""What is to be done where the message matters, and not the obligation: whatever the rule of proof."""

from __future__ import annotations

from encoders.rules.advice.tables import Advice, Remedy

_PROVE_IT = "A claim is proved only if all its lemmas are, in the same run"
SITUATIONS = Advice(
    remedies=(
        Remedy(
            "the solver gave up: …",
            "It may hold all the same: the solver saw neither why nor why not, within its steps",
            "State what it has to see as a fact or lemma, or split a case; write products of symbols as digits; try a "
            "smaller `sizes`, or more `--solver-steps`",
        ),
        Remedy("out of time", "The time for the proof ran out", "Allow more by `--budget`"),
        Remedy(
            "the hypotheses contradict each other: …",
            "There is no case in which the claim says anything",
            "Look for a slip in `if` or in a domain of [forall]",
        ),
        Remedy(
            "the hypotheses contradict the lemmas: …",
            "By the lemmas there is no case in which the claim says anything",
            "Look at the cases of the scope that meet the hypotheses: either a lemma does not say what it should, or "
            "the claim can be left out",
        ),
        Remedy(
            "no case is known that lies below it",
            "The proof has a bound, and the scope shows no case below it that meets the hypotheses",
            "Raise `sizes`, or let the scope reach such a case",
        ),
        Remedy(
            'the lemma … is proved below 2^62 only: it needs a line sizes = "< 2^62"',
            "What rests on a lemma reaches no further than it does",
            "Write that line below [proof]",
        ),
        Remedy("rests on …, which is verified only", _PROVE_IT, "Give that claim a [proof]"),
        Remedy(
            "rests on …, which is proved, but not by its [proof]",
            "Facts of the lemma's proof are taken over, and that did not go through",
            "Mend the lemma's [proof]",
        ),
        Remedy(
            "rests on …, which is refuted: nothing follows from it",
            "What is false proves anything",
            "Leave it out of `by`; what holds instead may do",
        ),
        Remedy(
            "rests on …, which is vacuous: nothing was checked of it", _PROVE_IT, "Mend that claim: no case meets it"
        ),
        Remedy("rests on …, which is inconclusive", _PROVE_IT, "Mend that proof first"),
        Remedy(
            "rests on …, which is without a verdict: it cannot be read or evaluated", _PROVE_IT, "Mend that file first"
        ),
        Remedy("rests on …, which is inconsistent", _PROVE_IT, "Nothing may rest on it: report it"),
        Remedy(
            "rests on …, which is not settled in this run",
            _PROVE_IT,
            "Run again: its file changed meanwhile, or the run ended early",
        ),
    )
)
REFUSED = (
    "The rule cannot read the claim, or does not follow its game: state the claim in words that it reads, or take "
    "another rule."
)
"""Where a rule asks for nothing, and tells in words what it cannot read."""
