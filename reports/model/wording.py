"""Words and numbers that all reports share, and the meaning of each verdict."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable
from urllib.parse import quote

from checks.results.model import ClaimResult, Kind, RunResult, Work
from checks.results.phrases import count_certified, position_phrase, verdict_phrase
from checks.results.phrases import has_hypotheses as is_conditional
from checks.results.shown import NamedValues, PlainValue, TypesetFormula
from checks.results.verdicts import Verdict
from claims.language.errors import escape_invisible as spell_out
from reports.model.digest import ReportView, find_refuted_uses

# == wording ==========================================================================================================
# The words and numbers that every report uses, so that no two of them say the same thing differently.
TOOL = "checks"


TOOL_NAME = "nim-checks"


QUANTIFIERS = {"forall": "for all", "exists": "there exist"}


PROOFS = {
    "folds": ("invariant", "an invariant over folds of the heaps"),
    "few heaps": ("invariant", "an invariant of positions with few heaps"),
    "one heap": ("invariant", "an invariant of one heap with parts"),
    "places": ("induction", "an induction on the position, over the places of its lists"),
    "grundy": ("induction", "an induction on the heap, for Grundy values"),
    "value": ("induction", "an induction on the position, for the values of the players"),
    "periodic": ("period", "an induction on the heap, for values that repeat"),
    "quotient": ("quotient", "the misère quotient of the game"),
    "definition": ("options", "the options of the position"),
    "equal games": ("same moves", "the equality of two games"),
    "cases": ("cases", "a case distinction"),
    "arithmetic": ("arithmetic", "integer arithmetic"),
}
"""What a proof by a rule is, in one word and in a phrase."""


visible, has_hypotheses = spell_out, is_conditional


_NUMERALS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def clip(text: str, length: int) -> str:
    """The text, or its beginning and three dots, in at most `length` characters.

    >>> clip("a long text", 9), clip("short", 9)
    ('a long...', 'short')
    """
    return text if len(text) <= length else text[: length - 3].rstrip() + "..."


def capitalise(text: str) -> str:
    """The text with a capital letter first, and else as it is.

    >>> capitalise("fails at P1")
    'Fails at P1'
    """
    return text[:1].upper() + text[1:]


def number(value: int) -> str:
    """An integer with its digits in threes.

    >>> number(812340), number(7)
    ('812 340', '7')
    """
    return f"{value:,}".replace(",", " ")


def count(value: int, noun: str, plural: str = "") -> str:
    """So many of something.

    >>> count(1, "claim"), count(2000, "case")
    ('1 claim', '2 000 cases')
    """
    return f"{number(value)} {noun if value == 1 else plural or noun + 's'}"


def all_of(value: int) -> str:
    """All of so many things just named, two or more.

    >>> all_of(2), all_of(4), all_of(13)
    ('both', 'all four', 'all 13')
    """
    return "both" if value == 2 else f"all {spell(value)}"


def join_with_and(parts: Collection[str]) -> str:
    """An enumeration in a sentence.

    Where one of several has a comma, semicolons separate them.

    >>> join_with_and(["a"]), join_with_and(["a", "b", "c"]), join_with_and(["Nim, who wins", "Theorem 2"])
    ('a', 'a, b and c', 'Nim, who wins; and Theorem 2')
    """
    items = list(parts)
    comma, last = ("; ", "; and ") if any("," in item for item in items) else (", ", " and ")
    return f"{comma.join(items[:-1])}{last}{items[-1]}" if len(items) > 1 else "".join(items)


def spell(value: int) -> str:
    """A small number as a word.

    >>> spell(2), spell(40)
    ('two', '40')
    """
    return _NUMERALS[value] if value < len(_NUMERALS) else number(value)


def headline(run: RunResult) -> str:
    """What a report of the run is called.

    >>> headline(RunResult("0.1", "quick", ())), headline(RunResult("0.1", "quick", (), title="My notes"))
    ('0 statements', 'My notes: 0 statements')
    """
    works = {claim.statement.work for claim in run.statements if claim.statement.work}
    told = count(len(run.statements), "statement") + (f" from {count(len(works), 'work')}" if works else "")
    others = [count_kind(claims, kind) for kind, claims in _list_others(run)]
    told += f", with {join_with_and(others)}" if others else ""
    return f"{run.title}: {told}" if run.title else told


def say_others(run: RunResult) -> str:
    """How the claims came out that are no statements: `2 corrections: 2 proved; 1 guess: 1 refuted`; "" if none."""
    return "; ".join(f"{count_kind(claims, kind)}: {count_verdicts(claims)}" for kind, claims in _list_others(run))


def count_verdicts(claims: Collection[ClaimResult]) -> str:
    """How the claims came out: `2 verified in scope, 1 refuted`."""
    found = [(v, sum(c.verdict is v for c in claims)) for v in Verdict]
    return ", ".join(f"{number(n)} {LABELS[v]}" for v, n in found if n)


def count_kind(claims: Collection[ClaimResult], kind: Kind = Kind.GUESS) -> str:
    """`8 guesses`."""
    return count(len(claims), kind.value, kind.plural)


def _list_others(run: RunResult) -> list[tuple[Kind, tuple[ClaimResult, ...]]]:
    """The claims of a run that are no statements, by what they are counted as."""
    found = [(kind, run.list_kind(kind)) for kind in Kind if kind is not Kind.STATEMENT]
    return [(kind, claims) for kind, claims in found if claims]


def value_text(value: PlainValue, brackets: str = "[]") -> str:
    """A value as a person writes it; `brackets` are those of the outermost collection.

    >>> value_text((2, 2, 4), "()"), value_text(((1, 2), ())), value_text("P1"), value_text(2**60)
    ('(2, 2, 4)', '[[1, 2], []]', 'P1', '1152921504606846976')
    """
    if isinstance(value, tuple | list):
        return brackets[0] + ", ".join(value_text(v) for v in value) + brackets[1]
    return str(value)


def assignments(result: ClaimResult, values: NamedValues) -> list[str]:
    """A case of the claim, variable by variable: a set in braces, a position in parentheses.

    The values do not say which they are, but the result does: a variable that is no number is a set or a position.
    """
    found = []
    for variable, value in values:
        if isinstance(value, tuple) and variable not in result.statement.sets:
            found.append(f"{variable} = {position_phrase(value)}")
        else:
            found.append(f"{variable} = {value_text(value, '{}')}")
    return found


def verdict_text(result: ClaimResult) -> str:
    """The verdict with its scope; if a `verified` has come without one, that is said."""
    phrase = verdict_phrase(result)
    unscoped = result.verdict is Verdict.VERIFIED and phrase == result.verdict.value
    return phrase + " (scope not given)" if unscoped else phrase


def scope_text(result: ClaimResult) -> str:
    """What stands beside the word of a verdict: its scope, or the counterexample with it."""
    rest = verdict_text(result)[len(result.verdict.value) :].strip()
    return rest[1:-1] if rest.startswith("(") and rest.endswith(")") and rest.count("(") == 1 else rest


def work_name(work: Work) -> str:
    """What a work is called where there is little room."""
    return work.short or work.title


def positions(result: ClaimResult) -> list[tuple[int, ...]]:
    """The positions of a counterexample, as heaps that can be drawn."""
    found = result.finding.counterexample.variables if result.finding.counterexample is not None else ()
    return [
        tuple(h for h in value if isinstance(h, int))
        for name, value in found
        if isinstance(value, tuple) and name not in result.statement.sets and all(isinstance(h, int) for h in value)
    ]


def numbers_of(result: ClaimResult) -> list[int]:
    """The numbers of a counterexample in the order in which it is written: (k, l, s) = (3, 4, (2, 2, 4)) gives five."""
    found = result.finding.counterexample.variables if result.finding.counterexample is not None else ()
    todo: list[PlainValue] = [value for _, value in reversed(found)]
    numbers = []
    while todo:
        value = todo.pop()
        if isinstance(value, tuple | list):
            todo += reversed(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            numbers.append(value)
    return numbers


def describe_games(result: ClaimResult) -> list[str]:
    """The games of the claim, each with its rules where its file says them."""
    games, rules = result.statement.games, result.statement.rules
    told = rules if len(rules) == len(games) else ("",) * len(games)
    return [f"{game}: {said}" if said else game for (_, game), said in zip(games, told, strict=True)]


def expectation(result: ClaimResult) -> str:
    """That the verdict is not what the claim's file expects, in words; empty where it is, or none is expected."""
    if result.finding.as_expected is not False:
        return ""
    wish = {"holds": "it to hold", "refuted": "it to be refuted", "proved": "a proof"}
    return f"but its file expects {wish.get(result.statement.expected or '', result.statement.expected)}"


def hypotheses(result: ClaimResult) -> str:
    """How many cases were looked at and, where there are hypotheses, in how many they held."""
    found = result.finding
    cases = count(found.cases, "case")
    if not has_hypotheses(result):
        return cases
    every = found.cases == found.cases_with_hypotheses
    return f"{cases}; the hypotheses held in {'every one' if every else number(found.cases_with_hypotheses)}"


def reason(result: ClaimResult) -> str:
    """Why a claim is not green, in one line; empty for one that is."""
    found = result.finding
    match result.verdict:
        case Verdict.REFUTED:
            return _refutation(result)
        case Verdict.VACUOUS:
            return f"the hypotheses hold in none of {count(found.cases, 'case')}" if found.cases else "there is no case"
        case Verdict.ERROR:
            return _first_line(found.error) or "no reason was given"
        case Verdict.INCONCLUSIVE:
            told = [r.detail for r in found.routes if not r.answer.settles]
            told += [
                found.not_established.removeprefix("anything: "),
                f"stopped after {count(found.cases, 'case')}",
            ]
            return next(_first_line(text) for text in told if text)
        case Verdict.INCONSISTENT:
            routes = "; ".join(f"{r.encoder}: {r.answer}" for r in found.routes)
            return _first_line(found.error) or routes or "an answer could not be reproduced"
        case _:
            return ""


def _refutation(result: ClaimResult) -> str:
    found = result.finding.counterexample
    if found is None:
        searched = result.statement.quantifier == "exists"
        return (
            f"no witness among {count(result.finding.cases, 'case')}" if searched else "the computation comes out false"
        )
    if found.variables:
        return "fails at " + ", ".join(assignments(result, found.variables))
    told = [line.text for line in found.explanation if not line.text.endswith(":")]
    return _first_line(told[0]) if told else "the computation comes out false"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def explanation(result: ClaimResult) -> list[str]:
    """The lines of a refutation, two spaces deeper for every level; none where there is no counterexample."""
    found = result.finding.counterexample
    return ["  " * line.depth + line.text for line in found.explanation] if found is not None else []


def bibliography(work: Work) -> tuple[str, str]:
    """What stands before and after the title of a work in a bibliography.

    >>> bibliography(Work("x", "On Nim", "A. Author", "1901", "Annals 3"))
    ('A. Author', '1901, Annals 3')
    >>> bibliography(Work("x", "On Nim", "", "", "a scan", venue="Annals 3", not_shown=("authors", "year")))
    ('', 'Annals 3, a scan; the source shows no authors or year')
    """
    told = ", ".join(part.rstrip(".") for part in (work.year, work.venue, work.source) if part)
    *others, last = work.not_shown or ("",)
    lacking = f"the source shows no {', '.join(others)}{' or ' if others else ''}{last}" if last else ""
    return work.authors.rstrip("."), "; ".join(part for part in (told, lacking) if part)


def say_cached(claims: Iterable[ClaimResult]) -> str:
    """How many claims an earlier run settled: `130 of 130 claims from the cache`; "" if none."""
    found = [claim.provenance.cached for claim in claims]
    return f"{sum(found)} of {len(found)} claim{'s' * (len(found) != 1)} from the cache" if any(found) else ""


def say_certified(claims: Iterable[ClaimResult]) -> str:
    """How many obligations are certified: `1 420 of 1 581 obligations certified`; "" where none was proved."""
    found, total = count_certified(claims)
    return f"{number(found)} of {count(total, 'obligation')} certified" if total else ""


def name(result: ClaimResult) -> str:
    """What the work calls the statement; its role where it has no name there, its id where it has neither."""
    return result.statement.locator or result.statement.role.capitalize() or result.id


def short_name(result: ClaimResult) -> str:
    """What the statement is called where its work goes without saying; a variant without one, by its name."""
    if result.statement.variant_of and result.statement.made & {"title", "locator"}:
        return f"Variant {result.id.rpartition('@')[2]}"
    return result.statement.short or name(result)


def title_beside_name(result: ClaimResult) -> str:
    """The title, to stand beside `short_name`: without that name where it begins with it."""
    name, title = short_name(result), result.statement.title
    rest = title.removeprefix(name)
    return rest.lstrip(" :,") if rest != title and rest[:1] in (" ", ":", ",") else title


def anchor(claim: str) -> str:
    """The name of a claim's place in a page: its id, with what a link cannot carry in per cent signs.

    >>> anchor("kl-nim/lemma-11"), anchor('a b"')
    ('kl-nim/lemma-11', 'a%20b%22')
    """
    return quote(claim, safe="/", errors="backslashreplace")


def source(result: ClaimResult, work: Work) -> str:
    """Where the statement stands, and as what."""
    stated = result.statement
    place = ", ".join(part for part in (work.title if stated.work else "", stated.locator) if part)
    role = "stated here" if stated.repairs and stated.role == "conjecture" else stated.role
    return f"{place} ({role})" if place and role else place or role


def make_command_argument(result: ClaimResult) -> str:
    """What a command calls the claim: its id, of a file outside the library the path."""
    own = result.statement.variant_of or result.id
    named = result.provenance.file if result.provenance.file == own + ".toml" else own
    return named + result.id.removeprefix(own)


def rerun(run: RunResult, result: ClaimResult) -> str:
    """The command that checks this claim again, within the same scope."""
    words = ["python", "-m", "checks", "run", make_command_argument(result)]
    if run.profile != "quick":
        words += ["--scope", run.profile]
    for key, bound in run.overrides:
        words += ["--set", f"{key}={bound}"]
    return shlex.join(words)


# -- verdicts ---------------------------------------------------------------------------------------------------------
# The verdicts as reports show them: the word for a count, the sign, and one sentence of meaning.


LABELS = {v: v.value for v in Verdict} | {Verdict.VERIFIED: "verified in scope"}
"""A verdict where it stands without a claim: in a count or a filter. `verified` is never said without a scope."""


MARKS = {
    Verdict.PROVED: "∎",
    Verdict.VERIFIED: "✓",
    Verdict.REFUTED: "✗",
    Verdict.VACUOUS: "∅",
    Verdict.INCONCLUSIVE: "?",
    Verdict.ERROR: "!",
    Verdict.INCONSISTENT: "≠",
}
"""A sign that goes before the word, never in its place."""


MEANINGS = {
    Verdict.PROVED: "settled without bound: it holds in every case of its stated domains, or what it says exists "
    "was found",
    Verdict.VERIFIED: "no counterexample among the cases of the scope, which stands beside the word; "
    "nothing is said of cases outside it",
    Verdict.REFUTED: "there is a counterexample; or the claim that something exists was searched for in its whole "
    "finite domain, in vain",
    Verdict.VACUOUS: "the hypotheses hold nowhere in the scope: nothing was checked",
    Verdict.INCONCLUSIVE: "a limit of time, memory or method was met, or the run was interrupted: nothing is settled",
    Verdict.ERROR: "the claim could not be read or evaluated, or has no value at a case that is named",
    Verdict.INCONSISTENT: "two routes disagree, or the referee could not reproduce an answer: a bug of this tool",
}


# == meaning ==========================================================================================================
# What a verdict means for the reader of a statement, in a sentence or two without links or markup.
MANY = 4  # as many statements are named in a sentence; of more, how many there are


def describe_result(claim: ClaimResult, view: ReportView) -> str:
    """One or two sentences for a claim; "" where nothing is to be said that the verdict does not say."""
    match claim.verdict:
        case Verdict.PROVED:
            return _describe_proof(claim, view)
        case Verdict.VERIFIED:
            return _describe_search(claim, view)
        case Verdict.REFUTED:
            return " ".join(x for x in (_sentence(reason(claim)), consequence(claim, view)) if x)
        case Verdict.ERROR:
            return reason(claim)  # it begins with the name of a file
        case _:
            return _sentence(reason(claim))


def means_of_proof(claim: ClaimResult, view: ReportView) -> str:
    """How a proved claim was proved: `by an invariant over folds of the heaps (52 obligations)`."""
    stated = claim.statement
    if stated.quantifier == "exists" and not claim.finding.obligations:
        return "by a witness"
    if not claim.finding.obligations:
        return "by checking every case" if claim.statement.quantifier else "by computation"
    steps = f" ({count(len(claim.finding.obligations), 'obligation')})"
    if claim.statement.proof_uses:
        return "from " + name_each(claim.statement.proof_uses, view) + steps
    rule = claim.presentation.proof.rule if claim.presentation.proof is not None else ""
    return (f"by {PROOFS[rule][1]}" if rule in PROOFS else "by its obligations") + steps


def _describe_proof(claim: ClaimResult, view: ReportView) -> str:
    broken = find_refuted_uses(claim, view)
    if not broken:
        return f"Proved {means_of_proof(claim, view)}."
    false = f"its published proof uses {name_each(broken, view)}, which {_is(broken)} false"
    if claim.finding.obligations:
        return f"True, though {false}; proved here {means_of_proof(claim, view)}."
    return f"True, though {false}: settled here {means_of_proof(claim, view)}."


def _describe_search(claim: ClaimResult, view: ReportView) -> str:
    found = f"No counterexample in {count(claim.finding.cases, 'case')}; beyond them the claim is open here."
    broken = find_refuted_uses(claim, view)
    if broken:
        found += f" Its published proof uses {name_each(broken, view)}, which {_is(broken)} false."
    return found


def consequence(claim: ClaimResult, view: ReportView) -> str:
    """What becomes of what rests on a refuted claim, and what holds instead."""
    above = [c for c in find_above(claim.id, view) if c.statement.role in ("theorem", "corollary")]
    standing = [c.id for c in above if stands_by_itself(c)]
    if standing:
        verb = "is" if len(standing) == 1 else "are"
        return f"{name_each(standing, view)} {verb} proved here another way."
    instead = [id for id in view.repaired_by.get(claim.id, ()) if view.claims[id].verdict.holds]
    if instead:
        return "Holds instead: " + join_with_and([view.claims[id].statement.title or id for id in instead]) + "."
    return ""


def list_changes(claim: ClaimResult, view: ReportView) -> list[tuple[str, tuple[TypesetFormula, ...]]]:
    """What a variant without a statement of its own changes in the claim of its file: (connective, formulas)."""
    stated, base = claim.statement, view.claims.get(claim.statement.variant_of)
    new, old = claim.presentation.mathematics, None if base is None else base.presentation.mathematics
    if new is None or old is None or "statement" not in stated.made:
        return []
    parts: list[tuple[str, tuple[TypesetFormula, ...]]] = [
        ("for", (x,)) for x in new.quantified if x not in old.quantified
    ]
    if new.hypothesis is not None and new.hypothesis != old.hypothesis:
        parts.append(("if", (new.hypothesis,)))
    if new.conclusion != old.conclusion:
        parts.append(("then", (new.conclusion,)))
    return parts + [("where", x) for x in new.definitions if x not in old.definitions]


def stands_by_itself(claim: ClaimResult) -> bool:
    """Whether it is proved here by obligations, whatever its published proof rests on."""
    return claim.verdict is Verdict.PROVED and bool(claim.finding.obligations)


def find_above(id: str, view: ReportView) -> list[ClaimResult]:
    """The claims whose published proof rests on one, directly or by way of others, in the order of the run."""
    seen: set[str] = set()
    todo = [id]
    while todo:
        new = [x for x in view.used_by.get(todo.pop(), ()) if x not in seen]
        seen.update(new)
        todo += new
    return [c for c in view.run.claims if c.id in seen and c.id != id]


def name_each(ids: Iterable[str], view: ReportView) -> str:
    """Statements by the names that their works give them: `Lemma 11 and Lemma 13`."""
    names = [short_name(view.claims[id]) if id in view.claims else id for id in dict.fromkeys(ids)]
    return join_with_and(names if len(names) <= MANY else [*names[: MANY - 1], f"{len(names) - MANY + 1} more"])


def _is(ids: tuple[str, ...]) -> str:
    return "is" if len(ids) == 1 else "are"


def _sentence(text: str) -> str:
    text = text.strip()
    return capitalise(text) + ("" if not text or text.endswith((".", "!", "?", "…")) else ".")
