"""A stored certificate counts only if it is valid for the question; other contents of the store only cost time."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT
from encoders.logic.sequents import Hypothesis, Sequent, Symbol
from encoders.solvers import automaton as engine
from encoders.solvers.automaton import NaturalsFinding, settle
from encoders.solvers.effort import using_store

SYMBOLS = (Symbol("x", INT, 0), Symbol("y", INT, 0))
X, Y = t.Variable(INT, 0, 0, "x"), t.Variable(INT, 0, 0, "y")


def op(name: str, a: t.Term, b: t.Term | int) -> t.Term:
    return t.Operation(BOOL, 0, 0, name, (a, t.Literal(INT, 0, 0, b) if isinstance(b, int) else b))


# x == y and y == 3 imply x <= 3; x < 100 is not needed.
HYPOTHESES = Hypothesis("y == 3", op("eq", Y, 3)), Hypothesis("x < 100", op("lt", X, 100))
HOLDS = Sequent("o", SYMBOLS, (op("eq", X, Y),), op("le", X, 3), HYPOTHESES)
FALSE = replace(HOLDS, show=op("le", X, 2))


class CertificateStore(dict[bytes, bytes]):
    def put(self, key: bytes, value: bytes) -> None:
        self[key] = value


def kept(sequent: Sequent = HOLDS) -> CertificateStore:
    store = CertificateStore()
    with using_store(store):
        settle(sequent)
    return store


def ask(
    store: CertificateStore, monkeypatch: pytest.MonkeyPatch, sequent: Sequent = HOLDS
) -> tuple[NaturalsFinding, bool]:
    """Return the result, and whether there was a search for it."""
    searched: list[object] = []
    search = engine.search

    def noticed(*args: Any) -> object:
        searched.append(args)
        return search(*args)

    with using_store(store), monkeypatch.context() as patch:
        patch.setattr(engine, "search", noticed)
        return settle(sequent), bool(searched)


def test_what_was_found_is_found_again_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    first = settle(HOLDS)
    assert first.certificate is not None and first.used == {0}
    store = kept()
    assert len(store) == 1
    assert ask(store, monkeypatch) == (first, False)
    assert ask(CertificateStore(), monkeypatch) == (first, True)


def test_nothing_is_kept_of_what_fails() -> None:
    assert kept(FALSE) == {}


LIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "no lemma": lambda d: d["certificate"].update(lemmas=[]),
    "another tree": lambda d: d["certificate"].update(tree=0),
    "no tree": lambda d: d["certificate"].pop("tree"),
    "fewer letters": lambda d: d["certificate"].update(letters=0),
    "it needs nothing": lambda d: d.update(used=[]),
    "it needs the other": lambda d: d.update(used=[1]),
    "it needs what is not there": lambda d: d.update(used=[2]),
    "it needs a truth value": lambda d: d.update(used=[False]),
    "it needs no list": lambda d: d.update(used=0),
    "no certificate": lambda d: d.pop("certificate"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_not_believed(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ((key, text),) = kept().items()
    data = json.loads(text)
    LIES[lie](data)
    assert ask(CertificateStore({key: json.dumps(data).encode()}), monkeypatch) == (settle(HOLDS), True)


@pytest.mark.parametrize("text", [b"", b"[]", b"null", b"{", b"[" * 100_000, b"\xff", b'{"used":[],"certificate":1}'])
def test_what_is_none_is_not_there(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    (key,) = kept()
    assert ask(CertificateStore({key: text}), monkeypatch) == (settle(HOLDS), True)


def test_a_certificate_of_another_obligation_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    text = next(iter(kept().values()))
    asked: list[bytes] = []

    class Liar(CertificateStore):
        def get(self, key: bytes, default: object = None) -> bytes:
            asked.append(key)
            return text

    found, searched = ask(Liar(), monkeypatch, FALSE)
    assert asked and searched and found.certificate is None and found.values


def test_the_formula_is_that_of_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The formula in the stored text is irrelevant, because it is computed again."""
    ((key, text),) = kept().items()
    data = json.loads(text)
    data["certificate"]["formula"] = False
    assert ask(CertificateStore({key: json.dumps(data).encode()}), monkeypatch) == (settle(HOLDS), False)
