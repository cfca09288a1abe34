"""The registry of proof rules. A rule has the same name in [proof] sections, reports and documentation.

A rule is imported when it is first used, because a run of claims without a [proof] does not need the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, KeysView, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from encoders.rules.base.rule import Rule

_HOMES = {
    "folds": "encoders.rules.folds.rule:FOLDS",
    "definition": "encoders.rules.folds.rule:DEFINITION",
    "equal games": "encoders.rules.equal:EQUAL",
    "few heaps": "encoders.rules.few_heaps:FEW",
    "one heap": "encoders.rules.one_heap:ONE",
    "places": "encoders.rules.places:PLACES",
    "grundy": "encoders.rules.grundy.rule:GRUNDY",
    "value": "encoders.rules.value:VALUE",
    "arithmetic": "encoders.rules.arithmetic:ARITHMETIC",
    "cases": "encoders.rules.cases:CASES",
    "periodic": "encoders.rules.periodic.rule:PERIODIC",
    "quotient": "encoders.rules.periodic.quotient:QUOTIENTS",
}
_AS_WRITTEN = {"one heap", "places", "periodic", "quotient"}
"""The rules that use the games as the file defines them, like the referee. The other rules receive normal forms."""

OF_PARTS = {"one heap", "places"}
"""The rules that support games whose heaps have parts."""


_BY_TABLES = {"periodic", "quotient"}
"""The rules that compute with constant parameters. They reject games in which a term may be undefined."""
_BY_OTHERS = "cases"
"""The rule that uses other rules. These rules show for each case that the claim is defined."""


class RuleRegistry(MutableMapping[str, "Rule"]):
    """A mapping from names to proof rules, in the order in which hints try the rules.

    A rule is imported when it is first requested. A further rule is added by assignment, as to a dict.
    """

    def __init__(self) -> None:
        self._found: dict[str, Rule | None] = dict.fromkeys(_HOMES)

    def __getitem__(self, name: str) -> Rule:
        rule = self._found[name]
        if rule is None:
            rule = self._found[name] = _import(name)
        return rule

    def __contains__(self, name: object) -> bool:
        return name in self._found  # does not import the rule

    def __setitem__(self, name: str, rule: Rule) -> None:
        self._found[name] = rule

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _import(name: str) -> Rule:
    module, _, called = _HOMES[name].partition(":")
    rule: Rule = getattr(import_module(module), called)
    if name != _BY_OTHERS:
        from encoders.rules.base.rule import ShowsAllValues

        rule = ShowsAllValues(rule, games=name not in _BY_TABLES)
    if name in _AS_WRITTEN:
        return rule
    from encoders.rules.normal import OnNormalForms

    return OnNormalForms(rule)


RULES = RuleRegistry()
PROVERS: KeysView[str] = RULES.keys()
"""The names of the routes that use a [proof]. The other routes evaluate the scope."""
