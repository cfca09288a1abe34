"""The display of a proof, byte for byte: on the page, in Markdown, on a terminal."""

import pytest
from shown_proofs import load, load_wrong, settle_by_hand

from checks.command.catalogue import tell
from checks.results.model import ClaimResult
from reports.html import environment
from reports.markdown import proof_blocks
from reports.page.proof import pack


def to_page(result: ClaimResult) -> str:
    """Return the section of the page."""
    template = environment().from_string('{% from "proof.html" import proof with context %}{{ proof(claim, packed) }}')
    return template.render(claim=result, packed=pack([result])) + "\n"


def to_terminal(result: ClaimResult) -> str:
    """Return the output of `show`."""
    assert result.presentation.proof is not None
    return "\n".join(tell(result.presentation.proof)) + "\n"


RENDERINGS = {"html": to_page, "md": lambda result: "\n\n".join(proof_blocks(result)) + "\n", "txt": to_terminal}


@pytest.mark.parametrize("ending", RENDERINGS)
@pytest.mark.parametrize("id", ["nim/bouton", "kl-nim/theorem-6", "large-nim/theorem-1"])
def test_a_proof(golden, id, ending):
    golden(f"proofs/{id.replace('/', '-')}.{ending}", RENDERINGS[ending](settle_by_hand(load(id))))


@pytest.mark.parametrize("ending", ["html", "md"])
def test_a_proof_that_fails(golden, tmp_path, ending):
    result = settle_by_hand(load_wrong(tmp_path), "reply 1: leads to a loss")
    golden(f"proofs/wrong.{ending}", RENDERINGS[ending](result))
