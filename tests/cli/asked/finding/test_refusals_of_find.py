"""Why `find` finds nothing or does not start: each message with an input for which it is printed and true."""

import re
from pathlib import Path

import pytest
from claim_texts import HEAD
from commands import run_within
from searched_games import BANNED, CAPPED, GREEDY, MISERE, NIM, TWO_BANS, question_of, with_rule

from claims.language.files.rulesets import load_ruleset
from encoders.compute.arrays.limits import Deadline
from encoders.refusals import Unsupported
from encoders.search.find import SearchProgress, find_who_wins
from encoders.search.refusals import Refusal, tell_moves


def claim(then: str, domains: str = 's = "position"', games: str = 'ruleset = "mine"', kind: str = "forall") -> str:
    """Return a claim about rulesets in the same folder."""
    scope = "".join(
        f'{line.split(" =")[0]} = {{ heaps = "0..2", size = "1..3" }}\n'
        if '"position"' in line
        else f'{line.split(" =")[0]} = "1..3"\n'
        for line in domains.split("\n")
    )
    return f'{HEAD}{games}\n[{kind}]\n{domains}\n[claim]\nthen = "{then}"\n[scope]\n{scope}'


LIKED = NIM.replace('stuck = "loses"', 'stuck = "loses"\nprefer = "[1, 0]"')
PARTS = (
    NIM.replace("[[moves]]", 'measure = "sum(h.n for h in s)"\n[heap]\nn = "0.."\n[[moves]]')
    .replace('"1..h"', '"1..h.n"')
    .replace('["h - m"]', '[{ n = "h.n - m" }]')
)
SPLIT = NIM.replace('{ m = "1..h" }', '{ m = "1..h", a = "0..h - m" }').replace('["h - m"]', '["a", "h - m - a"]')
DIVISOR = with_rule("h % m == 0").replace("1..h", "1..h - 1")
LESS_ONE = NIM.replace("1..h", "0..h - 1").replace("h - m", "h - m - 1")
PLAYERS = NIM.replace('players = ["P1", "P2"]', 'players = "n"\nparameters = { n = "2.." }')
LARGEST = PLAYERS.replace("any heap", "a largest heap")
ODD = LARGEST.replace("become", 'where = "m != 2 or h > 5"\nbecome')
INTEGERS = claim("n % 7 != 5", 'n = "1.."', games="")
TWO = '[games]\none = "mine"\nother = "nim"'
PROVED = claim("wins(s) == (nim_sum(s) != 0)") + '[proof]\nrule = "definition"\n'
SHORT = claim("n + 1 > n", 'n = "1.."', games="") + '[proof]\nrule = "definition"\n'

# The name of a message, the ruleset mine.toml, the claim or none, further arguments of the command.
ROWS = [
    ("PLAYERS", NIM.replace('["P1", "P2"]', '["A", "B", "C"]'), "", ""),
    ("UNUSUAL", LIKED, "", ""),
    ("UNUSUAL", LIKED, claim("value(s) == 0 or len(s) < 9"), ""),
    ("PARTS", PARTS, "", ""),
    ("PARTS", PARTS, "", "--values"),
    ("PARTS", PARTS, claim("wins(s) or len(s) < 9").replace('size = "1..3"', 'n = "1..3"'), ""),
    ("REGION", TWO_BANS, "", "--where k<l<k"),
    ("LARGE", CAPPED.replace('"1.."', f'"{10**30}.."'), "", ""),
    ("OF_PLAYERS", PLAYERS, "", "--values"),
    ("MISERE", MISERE, "", "--values"),
    ("PARTIZAN", BANNED, "", "--values --set k=2"),
    ("PARTIZAN", BANNED, claim("grundy(position([a])) == 0 or a < 9", 'a = "0.."', 'ruleset = "mine(k = 2)"'), ""),
    ("SEVERAL", SPLIT, "", "--values"),
    ("SEVERAL", SPLIT, claim("grundy(position([a])) == a", 'a = "0.."'), ""),
    ("TAKING", LESS_ONE, "", "--values"),
    ("NO_FORM", DIVISOR, "", "--values"),
    ("NO_FORM", DIVISOR, claim("grundy(position([a])) == a % 2 or a < 9", 'a = "0.."'), ""),
    ("FEW_SHAPES", PLAYERS, "", ""),
    ("FEW_SHAPES", PLAYERS, claim("value(s, 0) >= 0 or len(s) == 2", games='ruleset = "mine(n = 3)"'), ""),
    ("NO_SHAPE", ODD, "", "--set n=3"),
    ("NO_SHAPE", ODD, claim("value(s, 0) != 1 or len(s) < 9", games='ruleset = "mine(n = 3)"'), ""),
    ("NO_GAME", NIM, INTEGERS, ""),
    ("GAMES", GREEDY, claim("one.wins(s) or other.wins(s) or len(s) < 9", games=TWO), ""),
    ("PARAMETER", CAPPED, claim("wins(s) or len(s) < 9", games='ruleset = "mine(k = len(s) + 1)"'), ""),
    ("BOUNDS", CAPPED, claim("wins(s) or len(s) < 9", 'a = "1.."\nk = "a.."\ns = "position"'), ""),
    ("QUESTIONS", NIM, claim("len(options(s)) > 0 or len(s) < 9"), ""),
    ("QUESTIONS", BANNED, claim("mean(s) <= 9", games='ruleset = "mine(k = 2)"'), ""),
    ("NOT_ASKED", NIM, claim("len(s) != 3 or sum(s) % 2 == 0"), ""),
    ("EXISTS", NIM, claim("wins(s)", kind="exists"), ""),
    ("NO_PROOF", NIM, claim("wins(s)"), "shorten"),
    ("NOT_PROVED", NIM, PROVED, "shorten"),
    ("NOT_SHORTER", NIM, SHORT, "shorten"),
    ("NOT_FORALL", NIM, claim("wins(s)", kind="exists"), "weaken"),
]
SLOW = [
    ("MOVES", LESS_ONE, "", ""),
    ("NO_FORMULA", DIVISOR, "", ""),
    ("NO_FORMULA", DIVISOR, claim("wins(position([a])) == (a % 3 == 0) or a < 9", 'a = "1.."'), ""),
]
CALLED = {"NO_WINNER"}  # only by programs: the command searches for values instead


def asked(folder: Path, rules: str, text: str, words: str) -> str:
    """Return the output of the command."""
    (folder / "mine.toml").write_text(rules, "utf-8")
    (folder / "claim.toml").write_text(text, "utf-8")
    command, *options = words.split() if words in ("shorten", "weaken") else ("find", *words.split())
    done = run_within(command, "claim.toml" if text else "mine.toml", *options, cwd=folder)
    assert done.returncode in (1, 2, 3), done
    return done.stdout + done.stderr


def fits(message: str, name: str) -> bool:
    """Whether a message of that name was printed."""
    parts = re.split(r"\{\w+\}", Refusal[name].value)
    return re.search(".+".join(map(re.escape, parts)), message) is not None


@pytest.mark.parametrize(
    ("name", "rules", "text", "words"),
    [pytest.param(*row, id=f"{row[0]}{i}") for i, row in enumerate(ROWS)]
    + [pytest.param(*row, id=f"{row[0]}{i}", marks=pytest.mark.slow) for i, row in enumerate(SLOW)],
)
def test_a_message_is_said_of_its_input(tmp_path: Path, name: str, rules: str, text: str, words: str) -> None:
    said = asked(tmp_path, rules, text, words)
    assert fits(said, name), said
    assert "found: \n" not in said


def test_every_message_has_an_input() -> None:
    assert {row[0] for row in (*ROWS, *SLOW)} | CALLED == set(Refusal.__members__)


def test_who_wins_is_not_searched_among_n_players(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="mine is a game of n players, which has values instead of a winner"):
        find_who_wins(question_of(tmp_path, PLAYERS), Deadline(None), lambda _: None, SearchProgress())


MOVES = {
    "depends on the whole position": with_rule("len(s) > 1"),
    "is made on each of several heaps": NIM.replace("any heap h", "each of 1..2 heaps h"),
    "is made on 2 heaps": NIM.replace("any heap h", "any two heaps g, h").replace('["h - m"]', '["g", "h - m"]'),
    "turns one heap into 2 heaps": SPLIT,
    "turns one heap into 0 heaps": NIM.replace('["h - m"]', "[]"),
    "has a separate measure": NIM.replace("[[moves]]", 'measure = "2 * sum(s)"\n[[moves]]'),
}


@pytest.mark.parametrize("words", MOVES)
def test_it_is_said_what_a_move_does_beside(tmp_path: Path, words: str) -> None:
    (tmp_path / "mine.toml").write_text(MOVES[words], "utf-8")
    ruleset = load_ruleset(tmp_path / "mine.toml")
    assert words in tell_moves(ruleset)
    assert not ruleset.single_heap


def test_the_rule_says_what_it_does_not_read(tmp_path: Path) -> None:
    """The values of the heaps have a formula. The [proof] with it is refused, and the message names the rule."""
    text = claim("all(grundy(replace(s, h, h)) == nim_sum(s) for h in s)")
    said = asked(tmp_path, NIM, text, "")
    assert "grundy(replace(s, h, h)): the rule supports explicit heaps, and sums of all heaps" in said
