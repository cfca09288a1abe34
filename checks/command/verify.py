"""`verify`: check the receipts and certificates of an earlier run again.

The deprecated commands `replay` and `certify` do parts of this.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from checks.command.commands import describe_codes, replaced_by
from checks.command.defaults import configured
from checks.command.options import (
    AS_DATA,
    DEFAULT_REPORT,
    FOLDER,
    add_budget_option,
    print_data,
    print_line,
    read_claims,
)
from claims.language.errors import format_count

if TYPE_CHECKING:
    from checks.command.replay import Replay
    from checks.receipts.certify import CertifyResult
    from checks.receipts.consistency import LemmaWitness

RECEIPTS, CERTIFICATES = "receipts", "certificates"  # folders in the folder of the reports
REPORT_FILE = "report.json"
FEW = 3  # claims; if there are more, each has one line, unless --verbose is given
SEVERITY = (0, 3, 2, 1, 4)
"""The exit codes of single claims, least serious first. The command ends with the most serious code that occurs."""


class Rerun(NamedTuple):
    """The option --rerun: settle each claim again.

    `budget`: seconds of CPU time for each claim, or None for no limit.
    """

    budget: float | None


@dataclass(frozen=True)
class Verification:
    """The result of checking the evidence for one claim again.

    `claim`: the id of the claim, or the path of the evidence if the id is not known.
    `verdict`: the verdict in the receipt, or "" without a receipt.
    `confirmed`: whether everything that the verdict depends on was checked again.
    `checked`, `unchecked`: the parts of the evidence that were checked again, and those that were not.
    `lemmas`: the lemmas whose receipts were not checked. The text of each lemma is an entry of `unchecked`.
    `certified`: the number of obligations with a valid certificate.
    `trusted`: the obligations without a certificate, each with the solvers that are trusted for it.
    `problem`: why the evidence is refused or contradicted, or "".
    `code`: the exit code for this claim.
    """

    claim: str
    verdict: str = ""
    confirmed: bool = False
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    lemmas: tuple[LemmaWitness, ...] = ()
    certified: int = 0
    trusted: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problem: str = ""
    code: int = field(default=0)

    @property
    def is_certified(self) -> bool:
        """Return whether there are obligations, all of them have valid certificates, and there is no problem."""
        return self.certified > 0 and not self.trusted and not self.problem and not self.code

    @property
    def head(self) -> str:
        """The result in one line."""
        if self.problem:
            return f"{ {1: 'REFUSED ', 4: 'INCONSISTENT '}.get(self.code, '') }{self.claim}: {self.problem}"
        certificates = f"{self.certified} obligation{'s' * (self.certified != 1)} certified"
        if not self.verdict:
            return f"{self.claim}: {certificates}; there is no receipt"
        told = "confirmed" if self.confirmed else "nothing contradicts the receipt"
        if self.code == 3:
            told = "there is no verdict to confirm"
        return f"{self.claim}: {self.verdict}; {told}{f'; {certificates}' if self.certified else ''}"


@click.command(cls=configured("budget", "report"), epilog=describe_codes("verify"))
@click.argument("words", nargs=-1, metavar="[REPORT|RECEIPT|CERTIFICATES|ID|GLOB|FILE]...")
@click.option("--rerun", is_flag=True, help="Also settle each claim again with the options of its run, and compare.")
@add_budget_option("CPU time for each claim that --rerun settles: 60s, 2m, or none.")
@click.option(
    "--report",
    type=FOLDER,
    default=DEFAULT_REPORT,
    show_default=True,
    help="Folder of the report that contains the evidence for an ID, GLOB or claim FILE.",
)
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help=f"List the parts of the evidence for each claim, even if there are more than {FEW} claims.",
)
@AS_DATA
def verify(
    words: tuple[str, ...], rerun: bool, budget: float | None, report: Path, verbose: bool, as_data: bool
) -> None:
    """Check the evidence of an earlier run again.

    REPORT is the folder of a report: all its receipts and certificates are checked.  RECEIPT and CERTIFICATES are files
    of a report, or its folders `receipts` and `certificates`.  An ID, GLOB or claim FILE names claims of the report in
    --report.  Without arguments, the whole report in --report is checked.

    A receipt is checked against its claim file: the verdict must follow from the evidence, and the referee judges its
    cases again.  The obligations are generated again from the claim file, and each certificate must prove one of
    them.  No solver is called, and no proof is searched for. The output lists for each claim the parts that were
    checked again, and the parts that were not.
    """
    from claims.language.errors import escape_invisible

    found = [x for word in words or (str(report),) for x in _verify(word, report, Rerun(budget) if rerun else None)]
    found = _confirm_lemmas(found) or [
        Verification(
            str(report),
            problem="there is no report; expected the folder of a report, which `checks run` writes",
            code=2,
        )
    ]
    if as_data:
        from checks.command.data import to_data

        counts = _count(found)
        print_data(to_data("claims", map(asdict, found), **counts))
    else:
        for line in _list_lines(found, verbose):
            click.echo(escape_invisible(line))
        for x in found:
            if x.problem:
                print_line(" ".join(x.head.split()))
        if len(found) > 1 or not found[0].problem:
            click.echo(_summarize(found))
    sys.exit(max((x.code for x in found), key=SEVERITY.index))


def _confirm_lemmas(found: list[Verification]) -> list[Verification]:
    """Return the results after confirming certified claims.

    A certified claim is confirmed if all its lemmas are in the same report, and are confirmed and proved.
    """
    confirmed = {x.claim for x in found if x.confirmed and x.verdict == "proved"}
    for _ in found:  # at most as many steps as there are claims, because each step confirms at least one
        ready = [
            x
            for x in found
            if x.lemmas and x.is_certified and all(y.in_report and y.lemma in confirmed for y in x.lemmas)
        ]
        if not ready:
            break
        for x in ready:
            lines = [y.text for y in x.lemmas]
            found[found.index(x)] = replace(
                x,
                confirmed=True,
                lemmas=(),
                checked=(*x.checked, *(f"the lemma {y.lemma}, which is confirmed too" for y in x.lemmas)),
                unchecked=tuple(line for line in x.unchecked if line not in lines),
            )
            confirmed.add(x.claim)
    return found


def _count(found: list[Verification]) -> dict[str, int]:
    return {
        "confirmed": sum(x.confirmed for x in found),
        "certified": sum(x.certified for x in found if not x.problem),
        "trusted": sum(len(x.trusted) for x in found if not x.problem),
        "refused": sum(bool(x.problem) for x in found),
    }


def _summarize(found: list[Verification]) -> str:
    counts, receipts = _count(found), sum(bool(x.verdict) and not x.problem for x in found)
    told = (
        [f"nothing contradicts {format_count(receipts, 'receipt')}, {counts['confirmed']} confirmed"]
        if receipts
        else []
    )
    if counts["certified"] or counts["trusted"]:
        told.append(f"{format_count(counts['certified'], 'obligation')} certified, {counts['trusted']} only trusted")
    if counts["refused"]:
        told.append(f"{format_count(counts['refused'], 'claim')} with invalid or missing evidence")
    return "; ".join(told)


def _list_lines(found: list[Verification], verbose: bool) -> Iterator[str]:
    """Yield the lines of the results without a problem.

    If there are more than FEW results, each has one line, unless `verbose` is true.
    """
    from checks.command.replay import list_under

    for x in found:
        if x.problem:
            continue
        if len(found) > FEW and not verbose:
            yield x.head + (f"; not checked again: {'; '.join(x.unchecked)}" if x.unchecked else "")
            continue
        yield x.head
        yield from list_under("checked again", x.checked)
        yield from list_under("not checked again", x.unchecked)


# == one word =========================================================================================================
def _verify(word: str, report: Path, rerun: Rerun | None) -> Iterator[Verification]:
    """Check the evidence that an argument names. If `rerun` is not None, also settle the claims again."""
    path = Path(word)
    if path.name == REPORT_FILE and path.is_file():
        path = path.parent
    if path.is_dir() and any((path / name).exists() for name in (RECEIPTS, CERTIFICATES, REPORT_FILE)):
        yield from _verify_report(path, rerun)
    elif path.is_dir() and path.name in (RECEIPTS, CERTIFICATES):
        yield from _verify_folder(path, rerun)
    elif word.endswith(".json") or not word:
        yield _verify_file(path, rerun)
    elif path == report:
        return
    else:
        yield from _verify_claims(word, report, rerun)


def _verify_folder(folder: Path, rerun: Rerun | None) -> Iterator[Verification]:
    """Check each file in the folder of the receipts, or of the certificates, of a report."""
    from checks.receipts.strangers import NOT_FOLLOWED, list_files

    for path, is_link in list_files(folder.parent, folder.name):
        yield Verification(str(path), problem=NOT_FOLLOWED, code=1) if is_link else _verify_file(path, rerun)


def _verify_file(path: Path, rerun: Rerun | None) -> Verification:
    """Check a receipt, with the certificates of its claim in the same report; or check a file of certificates."""
    from checks.receipts.certify import certify_file

    if _is_certificates(path):
        return _merge(None, certify_file(path))
    return _verify_receipt(path, rerun)


def _is_certificates(path: Path) -> bool:
    """Return whether a file is JSON with the key `obligations` and without the key `verdict`."""
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and "obligations" in data and "verdict" not in data


def _verify_receipt(path: Path, rerun: Rerun | None) -> Verification:
    from checks.receipts.certify import certify_in
    from checks.receipts.receipt import find_report

    replayed = _replay(path, rerun)
    if isinstance(replayed, Verification):
        return replayed
    folder = find_report(path, replayed.claim)
    return _merge(replayed, None if folder is None else certify_in(folder, replayed.claim))


def _replay(path: Path, rerun: Rerun | None) -> Replay | Verification:
    """Replay a receipt, and settle its claim again if `rerun` is given.

    If the receipt is invalid or contradicted, the result is a Verification with this problem.
    """
    from checks.command.replay import BadReceipt, Disagreement, replay
    from checks.command.replay import rerun as settle_again

    try:
        found = replay(path)
        if rerun is None:
            return found
        again = settle_again(path, rerun.budget)
    except (BadReceipt, Disagreement) as error:
        code = 2 if isinstance(error, BadReceipt) else 4
        return Verification(str(path), problem=str(error).removeprefix(f"{path}: "), code=code)
    if not again.settled:
        return replace(found, settled=False, unchecked=(*found.unchecked, again.head))
    return replace(
        again, checked=(*found.checked, "the whole evidence: the claim was settled again"), proof=found.proof
    )


def _verify_report(report: Path, rerun: Rerun | None) -> Iterator[Verification]:
    """Check all receipts and certificates of a report. Yield one result for each claim."""
    from checks.receipts.certify import certify
    from checks.receipts.receipt import find_place
    from checks.receipts.strangers import list_files

    certified = {result.claim: result for result in certify(report)}
    for path, is_link in list_files(report, RECEIPTS):
        name = path.relative_to(report).as_posix()
        if is_link or name in certified:
            continue  # `certify` refuses it
        replayed = _replay(path, rerun)
        if isinstance(replayed, Verification):
            twin = next((id for id in certified if find_place(report / RECEIPTS, id, ".json") == path), "")
            refused = bool(twin) and bool(certified.pop(twin).problem)
            yield replace(replayed, code=1 if refused and replayed.code != 4 else replayed.code)
        else:
            yield _merge(replayed, certified.pop(replayed.claim, None))
    for result in certified.values():
        yield _merge(None, result)


def _verify_claims(word: str, report: Path, rerun: Rerun | None) -> Iterator[Verification]:
    """Check the evidence in a report for the claims that an argument names."""
    from checks.command.replay import find_receipts
    from checks.receipts.certify import certify_in
    from checks.receipts.receipt import BadReceipt
    from claims.language.errors import ClaimError
    from claims.language.files.library import select

    try:
        receipts = find_receipts(word, report)
    except BadReceipt as error:
        try:
            entries = select((word,))
        except ClaimError:
            entries = ()
        found = [result for entry in entries if (result := certify_in(report, entry.id))]
        yield from (_merge(None, result) for result in found)
        if not found:
            yield Verification(word, problem=str(error).removeprefix(f"{word}: "), code=2)
        return
    for path in receipts:
        yield _verify_receipt(path, rerun)


def _merge(replayed: Replay | None, certified: CertifyResult | None) -> Verification:
    """Join the results for the receipt and for the certificates of one claim; one of them may be None."""
    if certified is not None and certified.problem:
        return Verification(certified.claim, replayed.verdict if replayed else "", problem=certified.problem, code=1)
    number, trusted = (certified.certified, certified.trusted) if certified else (0, ())
    left = tuple(f"{name}: trusted to {' and '.join(by)}" for name, by in trusted)
    shown = (f"{number} obligation{'s' * (number != 1)}, by certificates",) if number else ()
    if replayed is None:
        claim = certified.claim if certified else ""
        return Verification(claim, "", False, shown, left, (), number, trusted)
    left = (*(x for x in replayed.unchecked if not (number and x == replayed.proof)), *left)
    complete = replayed.confirmed or (number > 0 and not trusted and bool(replayed.proof) and not replayed.lemmas)
    return Verification(
        replayed.claim,
        replayed.verdict,
        complete and replayed.settled,
        (*replayed.checked, *shown),
        left,
        () if complete else replayed.lemmas,
        number,
        trusted,
        code=0 if replayed.settled else 3,
    )


# == old names ========================================================================================================
@click.command(cls=replaced_by("verify"), hidden=True, epilog=describe_codes("replay"))
@click.argument("receipt", metavar="RECEIPT|ID")
@click.option("--rerun", is_flag=True, help="Settle the claim again with the options of its run, and compare.")
@add_budget_option("CPU time for --rerun, as in run.")
@click.option(
    "--report",
    type=FOLDER,
    default=DEFAULT_REPORT,
    show_default=True,
    help="Folder of the report that contains the receipt of an ID.",
)
def replay(receipt: str, rerun: bool, budget: float | None, report: Path) -> None:
    """Check a receipt again: derive its verdict from its evidence, and judge its cases."""
    from checks.command.replay import BadReceipt, Disagreement, find_receipts
    from checks.command.replay import replay as replayed
    from checks.command.replay import rerun as settled_again

    settled = True
    try:
        for path in find_receipts(receipt, report):
            found = settled_again(path, budget) if rerun else replayed(path)
            settled &= found.settled
            for line in found.lines:
                click.echo(line)
    except BadReceipt as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except Disagreement as error:
        click.echo(f"inconsistent: {error}", err=True)
        sys.exit(4)
    sys.exit(0 if settled else 3)


@click.command(cls=replaced_by("verify"), hidden=True, epilog=describe_codes("certify"))
@click.argument("claims", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]...")
@click.option(
    "--report", type=FOLDER, default=DEFAULT_REPORT, show_default=True, help="The report with the certificates."
)
@AS_DATA
def certify(claims: tuple[str, ...], report: Path, as_data: bool) -> None:
    """Check the certificates of a run again, without searching for proofs."""
    from checks.receipts.certify import certify as check
    from checks.receipts.certify import certify_file, is_certificate
    from claims.language.errors import escape_invisible

    count, told = {"certified": 0, "trusted": 0, "refused": 0}, []
    files = [Path(word) for word in claims if is_certificate(word)]
    words = tuple(word for word in claims if not is_certificate(word))
    named = check(report, read_claims(words) if words else ()) if words or not claims else ()
    for found in (*named, *map(certify_file, files)):
        told.append(found)
        if not as_data:
            click.echo(" ".join(escape_invisible(found.words).split()))
        if found.problem:
            count["refused"] += 1
        else:
            count["certified"] += found.certified
            count["trusted"] += len(found.trusted)
    if as_data:
        from checks.command.data import to_data

        print_data(to_data("claims", map(asdict, told), **count))
    else:
        said = "{certified} obligations certified, {trusted} only trusted, {refused} claims refused"
        click.echo(said.format_map(count))
    sys.exit(1 if count["refused"] else 0 if count["certified"] + count["trusted"] else 2)
