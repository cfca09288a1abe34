"""What a proof says of players: where each of them loses, whose move it names, and whether that leads to a loss.

[proof.loses]
mover = "a == b"          # one invariant; or one for each player, by name, where their moves are told apart

[[proof.moves]]
player = "P1"             # whose move it is: every player's without such a line
to = "anywhere"           # it only shows that there is a move: without such a line it leads to a loss
"""

from __future__ import annotations

from collections.abc import Collection

from claims.language.proofs.sections import ProofSection
from claims.language.statement.context import ExpressionContext
from claims.language.terms.terms import Term
from claims.language.terms.types import BOOL
from claims.language.toml.reader import TomlTable
from claims.language.toml.source import Keys

_MOVER = "mover"  # who is to move, where all have the same moves


def read_losses(section: ProofSection, terms: ExpressionContext) -> tuple[tuple[int, Term], ...]:
    """Where each mover loses, by his index; none if the section does not say. `terms`: reads the invariants.

    Raises ClaimError, also where one of the players whose moves are told apart has no invariant.
    """
    found = []
    for name, text in section.table.expressions("loses"):
        keys: Keys = ("proof", "loses", name)
        found.append((_find_player(section, keys, name), terms.term(keys, text, BOOL)))
    if found:
        _refuse_missing(section, dict(found))
    return tuple(found)


def read_player(section: ProofSection, table: TomlTable) -> int | None:
    """Whose the move is that the table names, by his index; None: every player's. Raises ClaimError."""
    if "player" not in table.data:
        return None
    return _find_player(section, (*table.keys, "player"), table.text("player"))


def leads_to_loss(table: TomlTable) -> bool:
    """Whether the move that the table names leads to a position that is lost. Raises ClaimError."""
    return "to" not in table.data or table.choice("to", ("a loss", "anywhere")) == "a loss"


def _find_player(section: ProofSection, keys: Keys, name: str) -> int:
    """0 for the mover of an impartial game; of several games the players, where they are the same in all."""
    ruleset = section.ruleset
    if ruleset is not None and ruleset.impartial:
        if name == _MOVER:
            return 0
        problem = f"{ruleset.id} is impartial: it does not tell {name!r} from any other player"
        raise section.source.key_fault(keys, problem, f"{_MOVER}, or no player")
    named = {r.players for r in section.rulesets}
    players = named.pop() if len(named) == 1 else ()
    if name in players:
        return players.index(name)
    raise section.source.key_fault(keys, f"{name!r} is no player", f"one of {', '.join(players) or 'none'}")


def _refuse_missing(section: ProofSection, movers: Collection[int]) -> None:
    """One invariant for each player whose moves are told apart."""
    ruleset = section.ruleset
    if ruleset is None or ruleset.impartial:
        return
    missing = [name for i, name in enumerate(ruleset.players) if i not in movers]
    if missing:
        problem = f"nothing says where {' and '.join(missing)} loses, to move"
        expected = f"a line {missing[0]} = ...: one for each player"
        raise section.source.key_fault(("proof", "loses"), problem, expected)
