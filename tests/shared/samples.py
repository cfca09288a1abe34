"""Invented runs for tests of reports: every verdict, big integers, hostile text, empty runs.

Their form is real, but their content is not.
"""

from dataclasses import fields, replace

from checks.results.model import ClaimResult, Counterexample, RouteRecord, RunResult, Work
from checks.results.shown import ExplanationLine
from checks.results.verdicts import Verdict
from encoders.logic.answer import Decision
from encoders.trust import All, Limits, read_coverage

HOSTILE = (
    """<script>alert("1")</script> <b>'x'</b> &amp; [a](javascript:b) `c` | *d* \\ "onload='e' </style> {{ 7 * 7 }}"""
)
HIDDEN = "a\u202eb\x07c"


def limits(texts: dict[str, str]) -> Limits:
    """Return the limits with these texts."""
    return tuple((name, found) for name, text in texts.items() if (found := read_coverage(text)) is not None)


ALL = limits({"s.heaps": "all", "s.size": "all"})
LARGE = limits({"k": "1..6", "l": "2..9", "s.heaps": "0..4", "s.size": "1..10"})
BOX = limits({"s.heaps": "0..4", "s.size": "1..10"})
DONE = limits({"s.heaps": "4..4", "s.size": "1..140"})

WORKS = (
    Work("nim", "Nim", "", "", "encyclopaedia article on Nim"),
    Work("kl-nim", "The K-L-Nim game", "", "", "paper on K-L-Nim (Chinese, English abstract)"),
    Work("large-nim", "Optimal strategies of multi-player Large Nim games", "Liu Wenan, Xiao Ya", "2021", "doi 10.1/x"),
)

PARTS = {
    field.name: part.name
    for part in fields(ClaimResult)
    if callable(part.default_factory)
    for field in fields(part.default_factory)
}


def alter(result: ClaimResult, **changes: object) -> ClaimResult:
    """Return the result with changed fields. A field may also be a field of a part of the result."""
    inside: dict[str, dict[str, object]] = {}
    for name in list(changes):
        if name in PARTS:
            inside.setdefault(PARTS[name], {})[name] = changes.pop(name)
    return replace(result, **changes, **{part: replace(getattr(result, part), **own) for part, own in inside.items()})


BARE = alter(ClaimResult("bare", Verdict.INCONCLUSIVE), role="conjecture")

BOUTON = alter(
    BARE,
    id="nim/bouton",
    title="Bouton's theorem",
    text="In normal play the player to move loses exactly when the nim-sum of the heaps is 0.",
    work="nim",
    locator="Winning positions",
    role="theorem",
    uses=("nim/zero-sum-moves", "nim/not-in-this-run"),
    verdict=Verdict.PROVED,
    expected="holds",
    as_expected=True,
    scope=ALL,
    cases=4,
    cases_with_hypotheses=4,
    witness=(("s", ()),),
    quantifier="forall",
    domains=(("s", "position"),),
    games=(("nim", "Nim"),),
    formal=(("then", "wins(s, P1) iff nim_sum(s) != 0"),),
    routes=(RouteRecord("z3", Decision.HOLDS, ALL, 4, 0.412, "4 obligations discharged"),),
    seconds=0.42,
    trusted=("proof rule outcome", "Z3 5.4"),
    file="claims/nim/bouton.toml",
)

LEMMA_11 = alter(
    BARE,
    id="kl-nim/lemma-11",
    title="From a position defective for P2, P2 can leave one defective for P1",
    text="For k < l: whenever P2 is to move at a position that is defective for P2,\nhe has a legal move after "
    "which the position is defective for P1.\n\nThe move is named in the proof.",
    work="kl-nim",
    locator="Lemma 11",
    role="lemma",
    uses=("kl-nim/lemma-11-move",),
    verdict=Verdict.VERIFIED,
    scope=LARGE,
    cases=45045,
    cases_with_hypotheses=1187,
    not_established="k above 6; l above 9; more than 4 heaps; heaps above 10",
    witness=(("k", 1), ("l", 2), ("s", (1, 2))),
    quantifier="forall",
    domains=(("k", "1.."), ("l", "k+1.."), ("s", "position")),
    games=(("kl-nim", "K-L-Nim (k and l as in the claim)"),),
    formal=(
        ("if", "defective(s, P2)"),
        ("then", "any(defective(t, P1) for t in options(s, P2))"),
        ("defective(s, p)", "nim_sum(s) != 0 and not any(nim_sum(t) == 0 for t in options(s, p))"),
    ),
    routes=(
        RouteRecord("exhaustive", Decision.HOLDS, LARGE, 45045, 0.1931, ""),
        RouteRecord(
            "z3", Decision.UNSUPPORTED, (), 0, 0.0, "`any` over options needs a witness, and the file names none"
        ),
    ),
    seconds=0.21,
    rechecked=200,
    file="claims/kl-nim/lemma-11.toml",
    line=21,
    hints=('might be proved by rule = "folds" in [proof], for what moves do to nim-sums: name these',),
)

N_TEST = alter(
    BARE,
    id="kl-nim/n-position-test",
    title="One move to an N-position is enough for an N-position",
    text="To show that a position is an N-position it is enough to show one legal move to an N-position.",
    work="kl-nim",
    locator="Introduction",
    role="remark",
    verdict=Verdict.REFUTED,
    expected="refuted",
    as_expected=True,
    scope=BOX,
    cases=1001,
    cases_with_hypotheses=988,
    not_established="",
    counterexample=Counterexample(
        (("s", (1, 1)),),
        replayed=True,
        smallest=True,
        explanation=(
            ExplanationLine("The hypothesis any(wins(t, P1) for t in options(s, P1)) is true:"),
            ExplanationLine("the move to (1) leaves an N-position: from (1) the mover takes all and wins.", 1),
            ExplanationLine("The conclusion wins(s, P1) is false; every move from (1, 1) fails:"),
            ExplanationLine("to (1): the other player answers", 1),
            ExplanationLine("(1) -> (), and the mover is stuck: he loses.", 2),
        ),
    ),
    witness=(("s", (1, 1)),),
    quantifier="forall",
    domains=(("s", "position"),),
    games=(("nim", "Nim"),),
    formal=(("if", "any(wins(t, P1) for t in options(s, P1))"), ("then", "wins(s, P1)")),
    routes=(
        RouteRecord(
            "exhaustive",
            Decision.FAILS,
            BOX,
            1001,
            0.004,
            "at 3 of 1 001 cases",
        ),
    ),
    seconds=0.01,
    notes="The sentence swaps the letters: one move to a P-position is enough.",
    file="claims/kl-nim/n-position-test.toml",
)

MOVE_11 = alter(
    LEMMA_11,
    id="kl-nim/lemma-11-move",
    title="The move that the proof of Lemma 11 names",
    locator="Lemma 11, proof",
    role="step",
    uses=(),
    verdict=Verdict.INCONSISTENT,
    witness=None,
    rechecked=0,
    routes=(
        RouteRecord("exhaustive", "holds", LEMMA_11.finding.scope, 45045, 0.2, ""),
        RouteRecord("z3", Decision.FAILS, limits({"k": "< 2^64"}), 0, 1.5, "at k = 7, l = 9, s = (3)"),
    ),
)

VACUOUS = alter(
    LEMMA_11,
    id="kl-nim/theorem-14-small",
    title="No good move from a small Nim P-position",
    locator="Theorem 14, proof",
    role="step",
    uses=("kl-nim/lemma-11", "kl-nim/n-position-test"),
    verdict=Verdict.VACUOUS,
    expected="holds",
    as_expected=False,
    cases_with_hypotheses=0,
    witness=None,
    rechecked=0,
    routes=(RouteRecord("exhaustive", "holds", LEMMA_11.finding.scope, 45045, 0.1, "the hypotheses hold nowhere"),),
)

LIMIT = alter(
    BARE,
    id="large-nim/equation-5",
    title="The value of four heaps for three players",
    work="large-nim",
    locator="Equation (5)",
    role="theorem",
    verdict=Verdict.INCONCLUSIVE,
    scope=limits({"s.heaps": "4..4", "s.size": "1..200"}),
    cases=12345678901234567890,
    cases_with_hypotheses=2**53,
    not_established="largest heap above 140",
    routes=(RouteRecord("exhaustive", Decision.UNKNOWN, DONE, 2**53 + 1, 60.0, "budget of 60 s spent"),),
    seconds=60.0,
    warnings=("the claim file has no deep scope, so the quick scope was used",),
)

BIG = alter(
    BARE,
    id="large-nim/big",
    title="Integers that no double carries",
    work="large-nim",
    locator="Remark 2",
    role="remark",
    verdict=Verdict.REFUTED,
    as_expected=False,
    expected="holds",
    scope=limits({"m": f"0..{2**64}", "A": "all"}),
    cases=2**53 + 1,
    cases_with_hypotheses=2**53 + 1,
    counterexample=Counterexample(
        (
            ("m", 2**53 + 1),
            ("least", -(2**53) - 1),
            ("exact", 2**53),
            ("A", (1, 3)),
            ("rows", ((1, 2), ())),
            ("odd", True),
        ),
        replayed=False,
        smallest=False,
        explanation=(),
    ),
    quantifier="forall",
    domains=(("m", "0.."), ("A", "subsets of 1..3")),
    sets=frozenset({"A"}),
    formal=(("then", "m < 2**53"),),
)

SHARE = alter(
    BARE,
    id="large-nim/share",
    title="The exact share is below one half",
    work="large-nim",
    locator="Experiment",
    role="example",
    verdict=Verdict.REFUTED,
    cases=1,
    cases_with_hypotheses=1,
    counterexample=Counterexample(
        (),
        True,
        True,
        (ExplanationLine("The conclusion fails:"), ExplanationLine("share < 1/2 fails: 7012/8191 >= 1/2", 1)),
    ),
    formal=(("then", "share < 1/2"),),
)

IN_VAIN = alter(
    BARE,
    id="large-nim/beta-enough",
    title="Some row has value 3",
    work="large-nim",
    locator="Table 2",
    role="table",
    verdict=Verdict.REFUTED,
    quantifier="exists",
    scope=limits({"s": "all"}),
    cases=12,
    cases_with_hypotheses=12,
)

UNREADABLE = alter(
    BARE,
    id="my/conjecture",
    file="my/conjecture.toml",
    role="",
    verdict=Verdict.ERROR,
    error="my/conjecture.toml:14:8: unknown name `vlaue`\n"
    "  then = vlaue(s) == len(s) % n\n         ^^^^^\nexpected: value",
)

FOUND = alter(
    BARE,
    id="large-nim/beta-not-enough",
    title="Two positions agree in beta and differ in value",
    work="large-nim",
    locator="Remark after (5)",
    role="remark",
    verdict=Verdict.PROVED,
    quantifier="exists",
    scope=limits({"s": "all", "A": "all"}),
    cases=12,
    cases_with_hypotheses=1,
    witness=(("s", (1, 1, 2, 3)), ("A", (2, 5))),
    domains=(("s", "position"), ("A", "subsets of 1..6")),
    sets=frozenset({"A"}),
    formal=(("then", "value(s) != len(A)"),),
    rechecked=1,
)

BETTER = alter(LEMMA_11, id="kl-nim/lemma-13", locator="Lemma 13", expected="refuted", as_expected=False, uses=())

COMPUTED = alter(
    BARE,
    id="nim/zero-sum-moves",
    title="3 ⊕ 4 ⊕ 5 = 2",
    text="The nim-sum of 3, 4 and 5 is 2.",
    work="nim",
    locator="Example",
    role="example",
    verdict=Verdict.PROVED,
    cases=1,
    cases_with_hypotheses=1,
    formal=(("then", "nim_sum([3, 4, 5]) == 2"),),
    rechecked=1,
    seconds=0.001,
)

NASTY = alter(
    BARE,
    id=f"x/{HOSTILE}",
    title=HOSTILE,
    text=f"{HOSTILE}\n\n{HIDDEN}",
    work=HOSTILE,
    locator=HOSTILE,
    role=HOSTILE,
    uses=(HOSTILE, f"x/{HOSTILE}"),
    verdict=Verdict.REFUTED,
    scope=((HOSTILE, All()),),
    cases=3,
    cases_with_hypotheses=1,
    not_established=HOSTILE,
    counterexample=Counterexample(
        ((HOSTILE, HOSTILE),),
        True,
        True,
        (ExplanationLine(HOSTILE), ExplanationLine(HIDDEN, 7), ExplanationLine(HOSTILE, 1)),
    ),
    witness=((HOSTILE, (HOSTILE,)),),
    routes=(RouteRecord(HOSTILE, Decision.FAILS, ((HOSTILE, All()),), 1, 0.5, HOSTILE),),
    notes=HOSTILE,
    quantifier=HOSTILE,
    domains=((HOSTILE, HOSTILE),),
    games=((HOSTILE, HOSTILE),),
    formal=((HOSTILE, HOSTILE), ("then", HOSTILE)),
    trusted=(HOSTILE,),
    hints=(HOSTILE, HIDDEN),
    warnings=(HOSTILE, HIDDEN),
    error=f"{HOSTILE}\n```\n{HIDDEN}",
    file=HOSTILE,
)

EVERY = (
    BOUTON,
    COMPUTED,
    LEMMA_11,
    MOVE_11,
    N_TEST,
    VACUOUS,
    BETTER,
    LIMIT,
    BIG,
    SHARE,
    IN_VAIN,
    FOUND,
    UNREADABLE,
    NASTY,
    BARE,
)

RUN = RunResult(
    version="0.1.0",
    profile="deep",
    claims=EVERY,
    works=(*WORKS, Work(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)),
    seconds=63.2,
    interrupted=True,
    command="python -m checks run --scope deep --set k=1..6",
    overrides=(("k", "1..6"),),
    started="2026-11-21T18:00+01:00",
    versions=(("Python", "3.11.7"), ("nim-checks", "0.1.0"), ("Z3", "5.4.0.0")),
    library="65100d8271e0862180041de240713a7bfa93d6ccad69012eb87acfb15bf4c6b5",
)

EMPTY = RunResult(version="0.1.0", profile="quick", claims=())

CALM = RunResult(
    version="0.1.0", profile="quick", claims=(BOUTON, COMPUTED, LEMMA_11), works=WORKS, command="checks run"
)


def huge(claims: int = 2000, lines: int = 5000) -> RunResult:
    """Return a run with very many claims. One of them has a very long explanation."""
    long = tuple(ExplanationLine(f"move {i}", i % 7) for i in range(lines))
    found = Counterexample((("s", tuple(range(1, 5000))),), True, True, long)
    first = alter(N_TEST, id="huge/0", counterexample=found)
    return replace(RUN, claims=(first, *(replace(LEMMA_11, id=f"huge/{i}") for i in range(1, claims))))
