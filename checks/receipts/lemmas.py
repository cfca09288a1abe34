"""The lemmas in a receipt: whether they are the claim's, and what their own receipts say, where these lie beside it."""

from __future__ import annotations

from checks.receipts.bounded_json import quote
from checks.receipts.consistency import Disagreement
from checks.receipts.links import NOT_FOLLOWED, find_link
from checks.receipts.reading import BadReceipt, Receipt, read_receipt
from checks.receipts.writing import find_place, find_report, place
from checks.results.lemmas import SettledLemma
from checks.results.verdicts import Verdict


def find_witnesses(receipt: Receipt) -> list[str]:
    """A line on each lemma of a claim that is said to be proved, which no replay checks again.

    Raises Disagreement where a lemma's own receipt, of the same text, says something else of it.
    """
    lines = []
    for lemma in receipt.lemmas if receipt.verdict is Verdict.PROVED else ():
        own = _find_own(receipt, lemma)
        if isinstance(own, str):
            lines.append(f"that the lemma {lemma.id} is proved: {own}")
            continue
        if own is None or own.digest != lemma.digest:
            lines.append(f"that the lemma {lemma.id} is proved")
            continue
        if own.verdict is not lemma.verdict:
            told = f"{receipt.path}: lemmas: {lemma.id}: {quote('proved')}"
            raise Disagreement(f"{told}; expected {quote(own.verdict.value)}, as {own.path} says")
        lines.append(f"that the lemma {lemma.id} is proved, as {own.path} says; replay that as well")
    return lines


def _find_own(receipt: Receipt, lemma: SettledLemma) -> Receipt | str | None:
    """The receipt of a lemma, where the run that wrote this one would have left it; None if there is none.

    Or why it is not read: a symbolic link is on the way.
    """
    report = find_report(receipt.path, receipt.claim)
    if report is None:
        return None
    path = find_place(receipt.path.absolute().parents[len(place(receipt.claim)) - 1], lemma.id, ".json")
    if link := find_link(report, path):
        return f"{link} is {NOT_FOLLOWED}"
    try:
        return read_receipt(path) if path.is_file() else None
    except BadReceipt:
        return None
