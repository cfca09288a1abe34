"""Shipped claim files and rulesets with random damage, both likely mistakes and unlikely ones."""

import json
import random
import re
import tomllib
from pathlib import Path
from typing import Any

from claims.language.files.library import LIBRARY, is_definition

NUMBERS = ("0", "-1", "1", "2", "3", "7", "10000001", "4611686018427387904", "9" * 40, "10 ** 40", "2 ** 99999")
EXPRESSIONS = (
    *(
        "wins(s)",
        "wins(s, P1)",
        "grundy(s)",
        "value(s, 0)",
        "len(options(s))",
        "terminal(s)",
        "options(s)",
        "outcome(s)",
    ),
    *(
        "legal(s, s)",
        "s",
        "s[0]",
        "max(s)",
        "min(s)",
        "k",
        "n",
        "h",
        "mover",
        "P1",
        "A",
        "True",
        "[]",
        "{}",
        "{s}",
        "{1}",
    ),
    *(
        "1 // 0",
        "1 / 3",
        "-1",
        "nim_sum(s)",
        "sum(s)",
        "len(s)",
        "s.count(h)",
        "mex(s)",
        "range(10 ** 9)",
        "position([])",
    ),
    *(
        "position([-1])",
        "{x for x in options(s)} == {x for x in options(s)}",
        "{1, 2} == {2, 1}",
        "max([])",
        "P_position",
    ),
    *(
        "any(t == s for t in options(s))",
        "all(any(wins(u) for u in options(t)) for t in options(s))",
        "any(P1 == mover)",
    ),
    *("grundy(position([n]))", "grundy(position([n])) == n % 3", "[x for x in range(3)]", "1 if wins(s) else 1 // 0"),
    *(
        "x" * 300,
        "((((((((1))))))))",
        "é == 1",
        "",
        " ",
        "1..",
        "0..",
        "any heap h",
        "top bit of X",
        "< 2^62",
        "position",
    ),
    *(
        "subsets of 1..3",
        "player",
        "set",
        "any with h > 0",
        "nim(k = 1)",
        "nim",
        "large-nim",
        "kl-nim",
        "claim",
        "missing",
    ),
)
VALUES = (
    *(0, -1, 1, 5, True, 1.5, 10**18, "", "x", "P1", [], {}, [[]], [1, 2], [""], ["h - 1"], [[3, 4], [-1]], {"in": []}),
    *(
        {"in": [1, -1]},
        {"in": "s"},
        {"in": "options(s)"},
        {"heaps": "0..2", "size": "1..3"},
        {"heaps": "2..1", "size": "1..1"},
    ),
    *({"heaps": "0..2", "size": "1..3", "total": "0..1"}, {"x": {"y": {"z": 1}}}, [{}], [{"heap": "h"}], {"é": "1.."}),
)
PLAYERS = (["P1", "P2"], ["A"], ["A", "B", "C"], "n", ["s", "h"], [], ["P1", "P1"], ["é", "ü"])
OVERRIDES = tuple(
    tuple(x.split("=", 1))
    for x in (
        *("s.heaps=0..2", "s.size=1..2", "k=0..1", "k=5..1", "n=10000001", "s=1..2", "n=-3..2", "s.heaps=-1..1"),
        *("s.size=0..0", "t=" + "9" * 30, "k=x", "=1", "s.=1", "s.total=0..3"),
    )
)

WORDS = ("title", "statement", "locator", "role", "work", "notes", "caveat", "expect", "repairs", "format")

Data = dict[str, Any]


def loaded(path: Path) -> Data:
    return tomllib.loads(path.read_text("utf-8"))


class Damager:
    """Damaged files by number; the same number gives the same files."""

    def __init__(self) -> None:
        folders = sorted(p for p in LIBRARY.iterdir() if p.is_dir() and (p / "definitions.toml").exists())
        self.claims = [p for f in folders for p in sorted(f.glob("*.toml")) if not is_definition(p)]
        self.with_proofs = [p for p in self.claims if "proof" in loaded(p)]
        self.proofs = [loaded(p)["proof"] for p in self.with_proofs]
        self.rulesets = {p.stem: loaded(p) for p in sorted((LIBRARY / "rulesets").glob("*.toml"))}
        self.leaves: dict[str, list[Any]] = {}
        for data in (*map(loaded, self.claims), *self.rulesets.values()):
            for holder, key in _leaves(data):
                self.leaves.setdefault(str(key), []).append(holder[key])
        self.texts = [x for values in self.leaves.values() for x in values if isinstance(x, str) and len(x) < 120]

    def write(self, number: int, folder: Path) -> tuple[Path, tuple[tuple[str, str], ...]]:
        """Damage files and write them into a folder. Return (the claim file, overrides of its scope)."""
        r = random.Random(number)
        path = r.choice(self.with_proofs if r.random() < 0.5 else self.claims)
        data = loaded(path)
        rulesets = {name: _copy(x) for name, x in self.rulesets.items()}
        used = [x for x in rulesets if x in json.dumps(data.get("ruleset", data.get("games", "")))]
        for _ in range(r.choice((1, 1, 1, 1, 2, 2, 3))):
            if used and r.random() < 0.3:
                self._damage(r, rulesets[r.choice(used)], self._ruleset_kinds)
            else:
                self._damage(r, data, self._claim_kinds)
        for name, x in rulesets.items():
            (folder / f"{name}.toml").write_text(written(x), "utf-8")
        (folder / "definitions.toml").write_text((path.parent / "definitions.toml").read_text("utf-8"), "utf-8")
        for neighbour in r.sample(self.claims, 2):
            (folder / neighbour.name).write_text(neighbour.read_text("utf-8"), "utf-8")
        (folder / "claim.toml").write_text(written(data), "utf-8")
        return folder / "claim.toml", (r.choice(OVERRIDES),) if r.random() < 0.15 else ()

    def _damage(self, r: random.Random, data: Data, kinds: Any) -> None:
        places = list(_leaves(data))
        if not places:
            return
        kind = r.choice(
            (*kinds, "delete", "borrow", "like", "like", "swap", "value", "expression", "number", "number", "token")
        )
        holder, key = r.choice(places)
        if kind in ("borrow", "like", "swap", "expression", "number", "token") and r.random() < 0.8:  # meaningful keys
            telling = [(h, k) for h, k in places if isinstance(h[k], str) and k not in WORDS]
            holder, key = r.choice(telling or places)
        match kind:
            case "delete":
                del holder[key]
            case "like":  # the value of the same key elsewhere
                holder[key] = _copy(r.choice(self.leaves.get(str(key), [holder[key]])))
            case "borrow":
                holder[key] = _copy(r.choice(self.leaves.get(str(key), self.texts) if r.random() < 0.7 else self.texts))
            case "swap":
                other, there = r.choice(places)
                if other[there] is not holder and holder[key] is not other:
                    holder[key], other[there] = _copy(other[there]), _copy(holder[key])
            case "value":
                holder[key] = _copy(r.choice(VALUES))
            case "expression":
                holder[key] = r.choice(EXPRESSIONS)
            case "number" | "token" if isinstance(holder[key], str):
                pattern = r"\d+" if kind == "number" else r"[A-Za-z_]\w*|//|[-+*<>=!^%]+"
                found = list(re.finditer(pattern, holder[key]))
                if found:
                    m, new = (
                        r.choice(found),
                        r.choice(NUMBERS if kind == "number" else (*EXPRESSIONS, *NUMBERS, "+", "//")),
                    )
                    holder[key] = holder[key][: m.start()] + new + holder[key][m.end() :]
            case _:
                if callable(kind):
                    kind(r, data)

    @property
    def _claim_kinds(self) -> tuple[Any, ...]:
        return (self._other_game, self._other_proof, self._part_of_a_proof, self._quantifier, self._extra)

    @property
    def _ruleset_kinds(self) -> tuple[Any, ...]:
        return (self._players, self._players, self._moves)

    def _other_game(self, r: random.Random, data: Data) -> None:
        name = r.choice(list(self.rulesets))
        arguments = {
            "kl-nim": ("", "(k = 1, l = 2)"),
            "large-nim": ("(n = 3)", "(n = 2)", ""),
            "moore": ("(k = 2)", ""),
            "subtraction": ("(S = {1, 2})", ""),
            "bash-nim": ("(k = 2)", ""),
        }.get(name, ("",))
        if r.random() < 0.2:
            data.pop("ruleset", None)
            data["games"] = {"a": name, "b": "nim"}
        else:
            data["ruleset"] = name + r.choice(arguments)

    def _other_proof(self, r: random.Random, data: Data) -> None:
        data["proof"] = _copy(r.choice(self.proofs))

    def _part_of_a_proof(self, r: random.Random, data: Data) -> None:
        proof = data.setdefault("proof", _copy(r.choice(self.proofs)))
        if not isinstance(proof, dict):
            return
        donor = r.choice(self.proofs)
        key = r.choice(list(donor))
        if r.random() < 0.5 and proof:
            proof.pop(r.choice(list(proof)))
        elif r.random() < 0.3:
            proof["from"] = r.choice(
                ("claim", "bouton", "theorem-6", "missing", "../x", "nim/bouton", "kl-nim/theorem-6")
            )
        else:
            proof[key] = _copy(donor[key])

    def _quantifier(self, r: random.Random, data: Data) -> None:
        old, new = ("forall", "exists") if r.random() < 0.8 else ("exists", "forall")
        if old in data:
            data[new] = data.pop(old)

    def _extra(self, r: random.Random, data: Data) -> None:
        name = r.choice(("x", "P1", "é", "h", "mover", "grundy", "s", "quick", "n", "A", "変数"))
        table = r.choice(("forall", "define", "scope", "proof", "games"))
        if isinstance(data.setdefault(table, {}), dict):
            data[table][name] = r.choice(("1..", "0..3", "position", "player", r.choice(EXPRESSIONS), *VALUES))

    def _players(self, r: random.Random, data: Data) -> None:
        data["players"] = _copy(r.choice(PLAYERS))
        if data["players"] == "n" and isinstance(data.setdefault("parameters", {}), dict) and r.random() < 0.8:
            data["parameters"]["n"] = r.choice(("2..", "1..", "0..", "3..3"))
        if r.random() < 0.3:
            data["stuck"] = r.choice(("wins", "loses"))

    def _moves(self, r: random.Random, data: Data) -> None:
        if not isinstance(data.get("moves"), list) or not all(isinstance(m, dict) for m in data["moves"]):
            return
        move = r.choice(data["moves"] or [{}])
        match r.randrange(4):
            case 0:
                move["where"] = r.choice(
                    (
                        "mover == P1",
                        "mover == A",
                        "h > 2 or mover == P1",
                        "len(s) > 1",
                        "1 // (h - 3) > 0",
                        "h % 2 == 0",
                        "False",
                    )
                )
            case 1:
                move["become"] = r.choice(
                    ([], ["h - 1"], ["h"], ["0"], ["h // 2", "h - h // 2 - 1"], ["h + 1"], ["h - 5"])
                )
            case 2:
                move["choose"] = r.choice(
                    (
                        *("any heap h", "a largest heap h", "a smallest heap h", "any two heaps g, h"),
                        *("each of 1..2 heaps h", "each of 0..9 heaps h", "any nine heaps h"),
                    )
                )
            case _:
                data["moves"].append(_copy(move))


def _leaves(data: Any) -> list[tuple[Any, Any]]:
    """Return every value inside tables and lists: (its container, its key or index)."""
    found: list[tuple[Any, Any]] = []
    items = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    for key, value in items:
        found.append((data, key))
        found += _leaves(value)
    return found


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


def written(data: Data) -> str:
    """Return the data as TOML with inline tables."""
    return "".join(f"{json.dumps(k, ensure_ascii=False)} = {_inline(v)}\n" for k, v in data.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k, ensure_ascii=False)} = {_inline(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
