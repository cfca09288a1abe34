"""The changes that make a false sibling of a claim, with weights."""

from __future__ import annotations

import random

from ..bundle import Bundle
from .concerted import define, lie_about_a_player, lie_in_both, suppose_and_claim, two_games
from .of_claims import (
    Change,
    edit_proof,
    edit_rules,
    edit_statement,
    other_constants,
    other_domain,
    other_rules,
    other_ruleset,
    rename,
    rephrase,
    slip_in,
    suppose,
)
from .of_proofs import other_entries, other_proof

KINDS: tuple[tuple[int, Change], ...] = (
    (20, edit_statement),
    (20, edit_proof),
    (5, edit_rules),
    (24, slip_in),
    (6, suppose),
    (6, other_domain),
    (3, rename),
    (3, other_ruleset),
    (8, other_rules),
    (8, rephrase),
    (4, other_constants),
    (7, other_entries),
    (9, other_proof),
    (6, lie_about_a_player),
    (10, lie_in_both),
    (4, define),
    (2, two_games),
    (3, suppose_and_claim),
)


def changed(bundle: Bundle, rng: random.Random) -> str | None:
    """Make one change, of a kind drawn by weight."""
    (kind,) = rng.choices([k for _, k in KINDS], [w for w, _ in KINDS])
    return kind(bundle, rng)
