"""`new`: write a claim file, from options or as a copy of an example; or add a false variant to a claim file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from claims.language.file_writing import write_file

if TYPE_CHECKING:
    from checks.command.new_files import ClaimDraft
    from checks.results.model import Fault
    from claims.language.files.rulesets import Ruleset

NONE = "none"
LIST = ""  # the value of --from without the name of an example


def read_pairs(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for value in values:
        name, sign, said = (part.strip() for part in value.partition("="))
        if not (name and sign and said):
            raise click.BadParameter(f"{value!r} has no value; expected NAME=VALUE, such as k=1..9")
        found[name] = said
    return found


class RulesetDraft(NamedTuple):
    """A ruleset to write, from the options of `new`. `name` is "" if no ruleset is written."""

    name: str
    players: str
    take: str
    where: str
    misere: bool


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option(
    "--from",
    "example",
    is_flag=False,
    flag_value=LIST,
    metavar="[EXAMPLE]",
    help="Copy this example with its ruleset. Without EXAMPLE, list the examples.",
)
@click.option(
    "--false",
    "sibling",
    is_flag=True,
    help="Change the claim in FILE slightly so that it is false, and add the changed claim to FILE as a variant.",
)
@click.option("--title", default="", help="Title of the claim, in a few words.")
@click.option("--statement", default="", help="The claim in your own words.  [default: the title]")
@click.option("--work", default="my-notes", show_default=True, help="Paper or book of the claim.")
@click.option("--locator", default="page 1", show_default=True, help="Place in the work.")
@click.option(
    "--role", default="conjecture", show_default=True, help="Kind of statement: theorem, lemma, conjecture, and so on."
)
@click.option("--expect", default="", help="Expected verdict: holds, proved, refuted.")
@click.option(
    "--game",
    default="",
    metavar="RULESET",
    help='Ruleset of the game: nim, "kl-nim(k = 3, l = 4)"; or none, for a claim without a game.',
)
@click.option(
    "--forall",
    "variables",
    metavar="NAME=DOMAIN",
    multiple=True,
    callback=read_pairs,
    help='A variable and its domain: s=position, k=1.., "l=k+1..".  [default: the parameters of the game, and a '
    "position s]",
)
@click.option("--if", "hypothesis", default="", metavar="CONDITION", help="Hypotheses of the claim.")
@click.option("--then", "conclusion", default="", metavar="CONDITION", help="Conclusion of the claim.")
@click.option(
    "--scope",
    "bounds",
    metavar="NAME=RANGE",
    multiple=True,
    callback=read_pairs,
    help="Scope: k=1..9, s.heaps=0..4, s.size=1..10.",
)
@click.option(
    "--rules",
    "name",
    default="",
    metavar="NAME",
    help="Also write a ruleset, NAME.toml, in the same folder. With --from: the name of the copied ruleset.",
)
@click.option("--players", default="A, B", show_default=True, help="With --rules: names of the players.")
@click.option(
    "--take",
    default="1..h",
    show_default=True,
    metavar="RANGE",
    help="With --rules: numbers m of objects that a move takes from a heap h.",
)
@click.option("--where", default="", metavar="CONDITION", help='With --rules: condition on m, such as "m % 2 == 1".')
@click.option("--misere", is_flag=True, help="With --rules: a player who cannot move wins.")
@click.option("--schemas/--no-schemas", default=True, help="Copy the schemas for editors into the folder, or not.")
@click.option(
    "--ask/--no-ask", default=None, help="Ask for values that no option sets, or not.  [default: only on a terminal]"
)
def new(
    file: Path | None,
    example: str | None,
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
    """Write a new claim into FILE.

    The claim is made from the options and from your answers to a few questions.  The file is valid, and its comments
    explain each part.  With --rules, a ruleset for the claim is written too.  Existing files are never overwritten.

    With --from, FILE is a copy of an example, by default with the name of the example.  The ruleset of the example is
    copied into the same folder, unless it is in the library.

    With --false, FILE is a claim that holds.  The command looks for a small change that makes the claim false, and adds
    the changed claim to the file as a variant.
    """
    from checks.command.output import say
    from claims.language.errors import ClaimError, escape_invisible

    try:
        if sibling:
            _refuse_others("--false", {"sibling"})
            click.echo(escape_invisible(f"written: {_add_sibling(_require(file))}"))
            return
        if example == LIST:
            for line in _list_examples():
                say(line)
            return
        if example is not None:
            _refuse_others("--from", {"example", "name", "schemas", "ask"})
            path = _name(Path(example) if file is None else file)
            written = _copy(example, path, name, schemas)
        else:
            if name and said["game"]:
                raise click.UsageError("--rules cannot be combined with --game")
            path = _name(_require(file))
            asks = sys.stdin.isatty() if ask is None else ask
            rules = RulesetDraft(name, players, take, where, misere)
            written = _write(path, rules, said, bounds, schemas, asks)
    except (ClaimError, OSError, UnicodeError) as error:
        click.echo(escape_invisible(str(error)), err=True)
        sys.exit(2)
    click.echo(escape_invisible(f"written: {', '.join(map(str, written))}"))
    click.echo(escape_invisible(f"next: checks explain {path}, then checks run {path}"))


def _require(file: Path | None) -> Path:
    if file is None:
        raise click.MissingParameter(param_hint="'FILE'", param_type="argument")
    return file


def _name(file: Path) -> Path:
    """Return the path of the claim file, with `.toml` added if necessary. Raises ClaimError if `file` has no name."""
    from claims.language.errors import ClaimError, SourceLocation

    if file.name in ("", ".."):
        raise ClaimError(SourceLocation(repr(str(file))), "this is not a file name", "a name such as my-claim")
    return file if file.suffix == ".toml" else file.with_name(f"{file.name}.toml")


def _name_rules(path: Path, name: str) -> Path:
    """Return the file of the new ruleset, in the folder of the claim. Raises ClaimError if the name is invalid."""
    from claims.language.errors import ClaimError, SourceLocation
    from claims.language.files.games import can_name_ruleset

    if not can_name_ruleset(name):
        raise ClaimError(
            SourceLocation("--rules"), f"{name!r} cannot name a ruleset", "letters, digits, - and _, such as my-nim"
        )
    return path.with_name(f"{name}.toml")


def _refuse_others(option: str, allowed: set[str]) -> None:
    """Raise click.UsageError if the command line contains a parameter that cannot be combined with `option`.

    `allowed`: the parameters that can be combined with it, in addition to `file`.
    """
    context = click.get_current_context()
    default = click.core.ParameterSource.DEFAULT
    for parameter in context.command.params:
        name = parameter.name or ""
        if name not in {"file", *allowed} and context.get_parameter_source(name) is not default:
            raise click.UsageError(f"{option} cannot be combined with {parameter.opts[0]}")


def _list_examples() -> Iterator[str]:
    """Yield a line for each example, cut to the width of the terminal."""
    from checks.command.examples import list_titles
    from checks.command.output import count_columns

    columns = count_columns()
    for line in list_titles():
        yield line if columns is None or len(line) <= columns else line[: columns - 1].rstrip() + "…"


def _copy(example: str, path: Path, rules: str, schemas: bool) -> list[Path]:
    """Copy an example into the folder of `path`, and return the files that are new.

    A ruleset that is already there with the same text is used. If ClaimError is raised, no new file remains.
    """
    from checks.command.examples import copy_example, list_examples
    from checks.command.files import check_all
    from checks.command.new_files import add_directive, place_schemas
    from claims.language.errors import ClaimError, SourceLocation, suggest_nearest
    from claims.language.files.library import select

    if example not in (known := list_examples()):
        problem = f"there is no example {example!r}{suggest_nearest(example, known)}"
        raise ClaimError(SourceLocation("--from"), problem, "\n  ".join(("one of", *_list_examples())))
    if rules:
        _name_rules(path, rules)
    copies = copy_example(example, path, rules)
    if schemas:
        copies = {each: add_directive(text) for each, text in copies.items()}
    data = {each: text.encode() for each, text in copies.items()}
    made = [each for each in copies if each == path or not each.is_file() or each.read_bytes() != data[each]]
    for each in made:
        expected = "another name" if each == path else "another folder, or for a ruleset --rules with another name"
        _refuse_taken(each, expected)
    with _removing_on_error(made):
        for each in made:
            write_file(each, data[each])
        _report(path, check_all(select((str(path),)), []))
    return [*made, *(place_schemas(path.parent) if schemas else [])]


def _add_sibling(file: Path) -> str:
    from checks.command.sibling import add_sibling
    from claims.language.errors import ClaimError, SourceLocation
    from claims.language.files.library import select

    entries = select((str(file),))
    if len({entry.path for entry in entries}) > 1 or entries[0].variant_of:
        raise ClaimError(
            SourceLocation(str(file)),
            "this names several claim files, or a variant",
            "the file or the id of a claim that holds",
        )
    return add_sibling(entries[0])


def _write(
    path: Path, rules: RulesetDraft, said: Mapping[str, object], bounds: dict[str, str], schemas: bool, asks: bool
) -> list[Path]:
    """Write the files, and return their paths. If ClaimError is raised, no new file remains."""
    from checks.command.new_files import place_schemas, write_rules
    from claims.language.errors import ClaimError, SourceLocation

    made = [path, *([_name_rules(path, rules.name)] if rules.name else [])]
    for each in made:
        _refuse_taken(each, "another name")
    if len({each.name.casefold() for each in made}) < len(made):
        raise ClaimError(
            SourceLocation(str(path)), "the claim and the ruleset have the same name", "two different names"
        )
    with _removing_on_error(made):
        if rules.name:
            players = [part.strip() for part in rules.players.split(",")]
            title = " ".join(rules.name.split("-")).capitalize()
            text = write_rules(title, players, rules.take, rules.where, rules.misere, schemas)
            write_file(made[1], text)
        _report(path, _write_claim(path, _begin(path, rules, said, bounds, asks), schemas))
    return [*made, *(place_schemas(path.parent) if schemas else [])]


def _refuse_taken(path: Path, expected: str) -> None:
    """Raise ClaimError if there is a file at `path`, or if its folder does not exist."""
    from claims.language.errors import ClaimError, SourceLocation

    if path.exists() or path.is_symlink():
        raise ClaimError(SourceLocation(str(path)), "already exists", expected)
    if not path.parent.is_dir():
        raise ClaimError(
            SourceLocation(str(path)), "the file cannot be written, because its folder does not exist", "another name"
        )


@contextmanager
def _removing_on_error(made: Iterable[Path]) -> Iterator[None]:
    """Remove the files `made` if the `with` block raises an exception."""
    try:
        yield
    except BaseException:
        for each in made:
            each.unlink(missing_ok=True)
        raise


def _report(path: Path, faults: list[Fault]) -> None:
    """Print the warnings about the new claim file at `path`. Raises ClaimError if there are errors."""
    from checks.results.model import Severity
    from claims.language.errors import ClaimError, SourceLocation

    errors = [fault for fault in faults if fault.severity is Severity.ERROR]
    if errors:
        raise ClaimError(SourceLocation(str(path)), "nothing is written:\n" + "\n".join(map(str, errors)))
    for fault in faults:
        click.echo(f"{fault}\n", err=True)


def _write_claim(path: Path, begun: ClaimDraft, schemas: bool) -> list[Fault]:
    """Write the claim with the first possible conclusion that causes no errors. Return the faults of the file.

    If each conclusion causes errors, the last one is used.
    """
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
    """Return the claim to write, from the options, the user's answers, and default values."""
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
    ("title", "Title of the claim, in a few words", ""),
    ("game", "Ruleset of the game (none for a claim about numbers)", "nim"),
    ("hypothesis", "If (empty: for all cases)", ""),
    ("conclusion", "Then (empty: the theorem about Nim)", ""),
)


def _ask(texts: dict[str, str], rules: RulesetDraft) -> dict[str, str]:
    known = {key for key, text in texts.items() if text} | ({"game"} if rules.name else set())
    wanted = [question for question in QUESTIONS if question[0] not in known]
    return {key: click.prompt(words, usual, show_default=bool(usual), err=True).strip() for key, words, usual in wanted}


def _find(path: Path, game: str) -> Ruleset:
    """Return the ruleset that `game` names in a claim file at `path`. Raises ClaimError if there is no valid one."""
    from claims.language.errors import ClaimError, SourceLocation
    from claims.language.files.games import find_file, refuse_name
    from claims.language.files.library import LIBRARY
    from claims.language.files.rulesets import load_ruleset
    from claims.language.files.toml import read

    name = game.partition("(")[0].strip()
    found = find_file(name, path.parent, LIBRARY, read) if name else None
    if found is None:
        problem, expected, near = refuse_name(name, "a ruleset file in the folder of the claim, or one of ", LIBRARY)
        raise ClaimError(SourceLocation("--game"), problem, expected, near=near)
    return load_ruleset(found)


def _join(bounds: dict[str, str]) -> dict[str, str]:
    """Return the value of each variable in [scope] as TOML. The bounds of a position are joined in one table."""
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
