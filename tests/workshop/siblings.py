"""False siblings: a claim with a proof, changed at random, with a scope so small that only the proof can reject it.

The claims are the library's, and some in parents/ about topics for which the library has no proof.
"""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from claims.language.errors import ClaimError
from claims.language.files.domains import split_range
from claims.language.files.library import list_library
from encoders.proving.reading import load_claim

from .bundle import CLAIM, Bundle, bundle_of
from .changes.kinds import changed
from .changes.slots import variables

TRIES = 40  # attempts to make a readable sibling


@cache
def parents() -> dict[str, Bundle]:
    """Return the claims with a proof, by id: the shipped ones, and the claims in parents/."""
    own = ((f"parents/{path.stem}", path) for path in sorted((Path(__file__).parent / "parents").glob("*.toml")))
    library = (
        (entry.id, entry.path) for entry in list_library() if "@" not in entry.id
    )  # a variant is one of the changes
    found = ((id, bundle_of(path)) for id, path in (*library, *own))
    return {id: bundle for id, bundle in found if "proof" in bundle.claim}


@cache
def light() -> tuple[str, ...]:
    """Return the parents whose proofs are cheap for a solver."""

    def heavy(bundle: Bundle) -> bool:
        proofs = [data["proof"] for data in bundle.files.values() if "proof" in data]
        return any("cases" in proof or len(proof.get("moves", ())) >= 5 for proof in proofs)

    return tuple(id for id, bundle in parents().items() if not heavy(bundle))


def parent(rng: random.Random, cheap: bool) -> str:
    """Return the id of a parent.

    Each work has an equal share, whatever its number of claims; parents/ has two shares.
    """
    ids = light() if cheap else tuple(parents())
    works = sorted({id.split("/")[0] for id in ids})
    work = rng.choice([*works, "parents"])
    return rng.choice([id for id in ids if id.startswith(f"{work}/")])


def sibling(rng: random.Random, cheap: bool = False) -> tuple[str, list[str], Bundle, int]:
    """Return (parent, changes, the sibling, the number of unreadable attempts before it)."""
    for tries in range(TRIES):
        id = parent(rng, cheap)
        bundle = parents()[id].copied()
        if rng.random() < 0.75:
            own_proof(bundle)
        wanted, said = rng.choice((1, 1, 2, 2, 3)), []
        for _ in range(20):
            done = changed(bundle, rng)
            said += [done] if done else []
            if len(said) == wanted:
                break
        shrink(bundle, rng)
        if readable(bundle):
            return id, said, bundle, tries
    raise RuntimeError("no sibling that can be read")


def own_proof(bundle: Bundle) -> None:
    """Copy a proof that the claim takes from another claim."""
    name = bundle.claim["proof"].get("from")
    if name:
        bundle.claim["proof"] = bundle.files.pop(f"{name}.toml")["proof"]


def shrink(bundle: Bundle, rng: random.Random) -> None:
    """Shrink the scope to a few cases near the low end of the parent's."""
    old = bundle.claim.get("scope", {})
    wide = rng.random() < 0.25
    scope: dict[str, Any] = {}
    for name, domain in variables(bundle).items():
        if domain == "position":
            box = old.get(name)
            low = int(str(box["heaps"]).split("..")[0]) if isinstance(box, dict) else 0
            size = rng.randrange(2, 5) if wide else rng.randrange(1, 3)
            scope[name] = {"heaps": f"{low}..{low + rng.randrange(2) + wide}", "size": f"1..{size}"}
        elif isinstance(domain, str) and (sides := split_range(domain)) and not sides[1]:
            held = old.get(name, "1")
            low = 1 if isinstance(held, dict) else int(str(held).split("..")[0])
            scope[name] = f"{low}..{low + rng.randrange(3) + 3 * wide}"
    bundle.claim.pop("scope", None)
    if scope:
        bundle.claim["scope"] = scope


def readable(bundle: Bundle) -> bool:
    """Whether the sibling is a valid claim."""
    with tempfile.TemporaryDirectory() as folder:
        entry = bundle.written(Path(folder))
        try:
            load_claim(entry.path, CLAIM)
        except ClaimError:
            return False
    return True
