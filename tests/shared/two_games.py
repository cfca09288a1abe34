"""The same game twice: for the referee, and for the engine that searches case by case."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame
from claims.language.files.rulesets import Ruleset, load_ruleset
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.play import EngineGame


def write_ruleset(folder: Path, text: str) -> Ruleset:
    """Write the file game.toml with this text to the folder, and return the ruleset."""
    (folder / "game.toml").write_text(text, "utf-8")
    return load_ruleset(folder / "game.toml")


def play_twice(
    ruleset: Ruleset, parameters: Mapping[str, Any], steps: int = 10**7, sums: bool = False
) -> tuple[RefereeGame, EngineGame]:
    """Return the game of the referee, with this limit of steps, and the game of the engine.

    `sums`: whether both may add Grundy values of heaps.
    """
    referee = RefereeGame(ruleset, parameters, RefereeSteps(steps), sums)
    return referee, EngineGame(ruleset, dict(parameters), Deadline(None), sums)
