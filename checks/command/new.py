"""`new`: a claim file, and if asked a ruleset file, valid at once; or a false sibling of a claim that there is."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from claims.language.file_writing import write_file

if TYPE_CHECKING:
    from checks.command.new_files import ClaimDraft
    from checks.results.model import Fault
    from claims.language.files.rulesets import Ruleset

NONE = "none"


def read_pairs(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for value in values:
        name, sign, said = (part.strip() for part in value.partition("="))
        if not (name and sign and said):
            raise click.BadParameter(f"{value!r}; expected NAME=WHAT, such as k=1..9")
        found[name] = said
    return found


class RulesetDraft(NamedTuple):
    """A ruleset to be written: its name, and one kind of move. `name`: "" for none."""

    name: str
    players: str
    take: str
    where: str
    misere: bool


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--false", "sibling", is_flag=True, help="Write a false sibling of the claim in FILE, as a variant of it."
)
@click.option("--title", default="", help="What is claimed, in a few words.")
@click.option("--statement", default="", help="The claim in your own words.  [default: the title]")
@click.option("--work", default="my-notes", show_default=True, help="What it is from.")
@click.option("--locator", default="page 1", show_default=True, help="Where in the work.")
@click.option("--role", default="conjecture", show_default=True, help="What the work calls it.")
@click.option("--expect", default="", help="What should come out: holds, proved, refuted.")
@click.option("--game", default="", metavar="RULESET", help='What it is about: nim, "kl-nim(k = 3, l = 4)", none.')
@click.option(
    "--forall",
    "variables",
    metavar="NAME=DOMAIN",
    multiple=True,
    callback=read_pairs,
    help='A variable: s=position, k=1.., "l=k+1..".  [default: the parameters of the game, and a position s]',
)
@click.option("--if", "hypothesis", default="", metavar="CONDITION", help="Of which cases it is said.")
@click.option("--then", "conclusion", default="", metavar="CONDITION", help="What is said.")
@click.option(
    "--scope",
    "bounds",
    metavar="NAME=RANGE",
    multiple=True,
    callback=read_pairs,
    help="How far to check: k=1..9, s.heaps=0..4, s.size=1..10.",
)
@click.option("--rules", "name", default="", metavar="NAME", help="Write a ruleset too, NAME.toml beside the claim.")
@click.option("--players", default="A, B", show_default=True, help="With --rules: their names.")
@click.option("--take", default="1..h", show_default=True, metavar="RANGE", help="With --rules: m objects of a heap h.")
@click.option("--where", default="", metavar="CONDITION", help='With --rules: which m are legal, as "m % 2 == 1".')
@click.option("--misere", is_flag=True, help="With --rules: whoever cannot move wins.")
@click.option("--schemas/--no-schemas", default=True, help="Put the schemas for editors beside it, or not.")
@click.option("--ask/--no-ask", default=None, help="Ask what no option says.  [default: on a terminal]")
def new(
    file: Path,
    sibling: bool,
    name: str,
    players: str,
    take: str,
    where: str,
    misere: bool,
    schemas: bool,
    ask: bool | None,
    bounds: dict[str, str],
    **said: str,
) -> None:
    """Begin a claim in FILE, from options and a few questions.

    It is valid at once, and has comments.  With --rules a ruleset is begun as well, which the claim is about.
    Nothing that is there is written over.  With --false, of the small changes of a claim that are refuted, one is
    written into its file as a variant.
    """
    from claims.language.errors import ClaimError, escape_invisible

    try:
        if sibling:
            _refuse_others()
            click.echo(escape_invisible(f"written: {_add_sibling(file)}"))
            return
        if name and said["game"]:
            raise click.UsageError("--rules and --game: which?")
        path = _name(file)
        asks = sys.stdin.isatty() if ask is None else ask
        rules = RulesetDraft(name, players, take, where, misere)
        written = _write(path, rules, said, bounds, schemas, asks)
    except (ClaimError, OSError, UnicodeError) as error:
        click.echo(escape_invisible(str(error)), err=True)
        sys.exit(2)
    click.echo(escape_invisible(f"written: {', '.join(map(str, written))}"))
    click.echo(escape_invisible(f"next: checks explain {path}, then checks run {path}"))


def _name(file: Path) -> Path:
    """The file that is meant, which ends in .toml. Raises ClaimError."""
    from claims.language.errors import ClaimError, SourceLocation

    if file.name in ("", ".."):
        raise ClaimError(SourceLocation(repr(str(file))), "this names no file", "a name such as my-claim")
    return file if file.suffix == ".toml" else file.with_name(f"{file.name}.toml")


def _name_rules(path: Path, name: str) -> Path:
    """The file of the ruleset that is to be written, beside the claim. Raises ClaimError."""
    from claims.language.errors import ClaimError, SourceLocation
    from claims.language.files.games import can_name_ruleset

    if not can_name_ruleset(name):
        raise ClaimError(
            SourceLocation("--rules"), f"{name!r} cannot name a ruleset", "letters, digits, - and _, as my-nim"
        )
    return path.with_name(f"{name}.toml")


def _refuse_others() -> None:
    """With --false nothing else is said."""
    context = click.get_current_context()
    default = click.core.ParameterSource.DEFAULT
    for name in context.params:
        if name not in ("file", "sibling") and context.get_parameter_source(name) is not default:
            raise click.UsageError(f"--false and {name}: which?")


def _add_sibling(file: Path) -> str:
    from checks.command.sibling import add_sibling
    from claims.language.errors import ClaimError, SourceLocation
    from claims.language.files.library import select

    entries = select((str(file),))
    if len({entry.path for entry in entries}) > 1 or entries[0].variant_of:
        raise ClaimError(
            SourceLocation(str(file)), "this names no single file", "the file or the id of a claim that holds"
        )
    return add_sibling(entries[0])


def _write(
    path: Path, rules: RulesetDraft, said: Mapping[str, object], bounds: dict[str, str], schemas: bool, asks: bool
) -> list[Path]:
    """Write the files; those written. Raises ClaimError, and then nothing is."""
    from checks.command.new_files import place_schemas, write_rules
    from checks.results.model import Severity
    from claims.language.errors import ClaimError, SourceLocation

    made = [path, *([_name_rules(path, rules.name)] if rules.name else [])]
    for each in made:
        there = each.exists() or each.is_symlink()
        if there or not each.parent.is_dir():
            problem = "is there already" if there else "cannot be written: there is no such folder"
            raise ClaimError(SourceLocation(str(each)), problem, "another name")
    if len({each.name.casefold() for each in made}) < len(made):
        raise ClaimError(SourceLocation(str(path)), "the claim and the ruleset have one name", "two names")
    kept = False
    try:
        if rules.name:
            players = [part.strip() for part in rules.players.split(",")]
            title = " ".join(rules.name.split("-")).capitalize()
            text = write_rules(title, players, rules.take, rules.where, rules.misere, schemas)
            write_file(made[1], text)
        faults = _write_claim(path, _begin(path, rules, said, bounds, asks), schemas)
        errors = [fault for fault in faults if fault.severity is Severity.ERROR]
        if errors:
            raise ClaimError(SourceLocation(str(path)), "nothing is written:\n" + "\n".join(map(str, errors)))
        kept = True
    finally:
        for each in () if kept else made:
            each.unlink(missing_ok=True)
    for fault in faults:
        click.echo(f"{fault}\n", err=True)
    return [*made, *(place_schemas(path.parent) if schemas else [])]


def _write_claim(path: Path, begun: ClaimDraft, schemas: bool) -> list[Fault]:
    """Write the claim with the first of its conclusions that makes sense; the faults of that."""
    from checks.command.files import check_all
    from checks.command.new_files import write_claim
    from checks.results.model import Severity
    from claims.language.files.library import select

    faults: list[Fault] = []
    for conclusion in begun.conclusions:
        write_file(path, write_claim(begun, conclusion, schemas))
        faults = check_all(select((str(path),)), [])
        if not any(fault.severity is Severity.ERROR for fault in faults):
            break
    return faults


def _begin(
    path: Path, rules: RulesetDraft, said: Mapping[str, object], bounds: dict[str, str], asks: bool
) -> ClaimDraft:
    """What the options say, what is answered to questions, and what is taken where nobody says anything."""
    from checks.command.new_files import ClaimDraft, list_conclusions, list_variables

    texts = {key: value for key, value in said.items() if isinstance(value, str)}
    variables = said["variables"]
    assert isinstance(variables, dict)
    if asks:
        texts |= _ask(texts, rules)
    game = rules.name or texts["game"] or ("nim" if not variables else NONE)
    game = "" if game == NONE else game
    ruleset = _find(path, game) if game else None
    if not variables:
        variables = list_variables(ruleset, game.partition("(")[2]) if ruleset else {"n": "0.."}
    title = texts["title"] or path.stem.replace("-", " ").capitalize()
    conclusions = [texts["conclusion"]] if texts["conclusion"] else list_conclusions(ruleset)
    told = {key: texts[key] for key in ("work", "locator", "role", "expect", "hypothesis")}
    statement = texts["statement"] or f"{title}."
    scope = _join(bounds)
    return ClaimDraft(title, statement, ruleset=game, variables=variables, conclusions=conclusions, scope=scope, **told)


QUESTIONS = (
    ("title", "What is claimed, in a few words", ""),
    ("game", "About which game (none for numbers alone)", "nim"),
    ("hypothesis", "If (empty: of all cases)", ""),
    ("conclusion", "Then (empty: as in Nim)", ""),
)


def _ask(texts: dict[str, str], rules: RulesetDraft) -> dict[str, str]:
    """The answers to what no option says."""
    known = {key for key, text in texts.items() if text} | ({"game"} if rules.name else set())
    wanted = [question for question in QUESTIONS if question[0] not in known]
    return {key: click.prompt(words, usual, show_default=bool(usual), err=True).strip() for key, words, usual in wanted}


def _find(path: Path, game: str) -> Ruleset:
    """The ruleset that a claim in that file would name so. Raises ClaimError."""
    from claims.language.errors import ClaimError, SourceLocation
    from claims.language.files.games import find_file, refuse_name
    from claims.language.files.library import LIBRARY
    from claims.language.files.rulesets import load_ruleset
    from claims.language.files.toml import read

    name = game.partition("(")[0].strip()
    found = find_file(name, path.parent, LIBRARY, read) if name else None
    if found is None:
        problem, expected, near = refuse_name(name, "a file beside the claim, or one of ", LIBRARY)
        raise ClaimError(SourceLocation("--game"), problem, expected, near=near)
    return load_ruleset(found)


def _join(bounds: dict[str, str]) -> dict[str, str]:
    """The lines of a scope: of a position its aspects together."""
    import json

    found: dict[str, dict[str, str]] = {}
    for name, bound in bounds.items():
        variable, _, aspect = name.partition(".")
        found.setdefault(variable, {})[aspect] = json.dumps(bound)
    usual = {"heaps": '"0..3"', "size": '"1..8"'}
    return {
        name: parts[""] if "" in parts else "{ " + ", ".join(f"{k} = {x}" for k, x in (usual | parts).items()) + " }"
        for name, parts in found.items()
    }
