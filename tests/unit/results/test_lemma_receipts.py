"""The receipt of a claim that rests on others, next to their receipts, is trusted no further than they are."""

import json
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from commands import run_within
from settling import FALSE, put_claim, put_plain

from checks.command.replay import BadReceipt, Disagreement, replay, rerun
from checks.receipts.receipt import seal

RECEIPTS = Path("out") / "receipts"
CLAIM, LEMMA = RECEIPTS / "mine" / "a.json", RECEIPTS / "other" / "lemma.json"


@pytest.fixture(autouse=True)
def here(tmp_path: Path) -> Iterator[Path]:
    """Return a folder in which `mine/a` was proved by `other/lemma`."""
    with chdir(tmp_path):
        put_claim(Path("other") / "lemma.toml")
        put_claim(Path("mine") / "a.toml", "other/lemma")
        run_within("run", "mine/a.toml", "--jobs", "1", "--report", "out", cwd=tmp_path)
        yield tmp_path


def edit(path: Path, **changes: object) -> None:
    data = json.loads(path.read_text("utf-8")) | changes
    path.write_text(json.dumps({**data, "seal": seal(data)}), "utf-8")


def told(path: Path) -> list[str]:
    return [line.strip() for line in replay(path).lines if "lemma" in line]


@pytest.mark.slow
def test_that_a_lemma_is_proved_is_not_confirmed_with_the_claim() -> None:
    beside = LEMMA.resolve()
    assert told(CLAIM) == [f"that the lemma other/lemma is proved, as stated in {beside}; check that receipt too"]
    assert not replay(CLAIM).confirmed
    alone = "that the lemma other/lemma is proved"
    for elsewhere in (Path("copy.json"), RECEIPTS / "copies" / "a.json", CLAIM.with_stem("copy")):
        elsewhere.parent.mkdir(exist_ok=True)
        elsewhere.write_bytes(CLAIM.read_bytes())
        assert told(elsewhere) == [alone]
    LEMMA.unlink()
    assert told(CLAIM) == [alone]


@pytest.mark.slow
def test_a_receipt_of_the_lemma_that_says_otherwise_is_a_disagreement() -> None:
    edit(LEMMA, verdict="verified")
    with pytest.raises(Disagreement, match="other/lemma in lemmas is 'proved'; expected 'verified', as "):
        replay(CLAIM)


@pytest.mark.parametrize("content", ['{"format": 2}', None])
@pytest.mark.slow
def test_a_receipt_of_the_lemma_that_is_none_or_of_another_text_says_nothing(content: str | None) -> None:
    if content is None:
        edit(LEMMA, digest="0" * 64, verdict="verified")
    else:
        LEMMA.write_text(content, "utf-8")
    assert told(CLAIM) == ["that the lemma other/lemma is proved"]


@pytest.mark.slow
def test_the_receipt_of_a_lemma_behind_a_symbolic_link_is_not_read() -> None:
    LEMMA.parent.rename("elsewhere")
    LEMMA.parent.symlink_to(Path("elsewhere").absolute())
    link = LEMMA.parent.absolute()
    (line,) = told(CLAIM)
    assert line.startswith(f"that the lemma other/lemma is proved: {link} is a symbolic link, which is not")


@pytest.mark.parametrize("what", [RECEIPTS, CLAIM.parent, CLAIM])
def test_a_receipt_in_a_report_behind_a_symbolic_link_is_named_and_not_read(what: Path) -> None:
    what.rename("elsewhere")
    what.symlink_to(Path("elsewhere").absolute())
    for again in (lambda: replay(CLAIM), lambda: rerun(CLAIM, 60.0)):
        with pytest.raises(BadReceipt, match=f"{what}: a symbolic link, which is not followed"):
            again()


@pytest.mark.slow
def test_settling_again_settles_the_lemmas_again() -> None:
    assert rerun(CLAIM, 60.0).confirmed
    assert rerun(LEMMA, 60.0).confirmed


def test_a_receipt_is_of_its_lemmas_as_they_were() -> None:
    put_claim(Path("other") / "lemma.toml", bits=61)
    with pytest.raises(BadReceipt, match="has changed since this receipt was written"):
        replay(CLAIM)


@pytest.mark.slow
def test_the_receipt_of_what_is_not_proved_says_which_lemma_is_not(here: Path) -> None:
    put_plain(Path("other") / "lemma.toml", FALSE)
    run_within("run", "mine/a.toml", "--jobs", "1", "--report", "out", cwd=here)
    (lemma,) = json.loads(CLAIM.read_text("utf-8"))["lemmas"]
    assert (lemma["claim"], lemma["verdict"]) == ("other/lemma", "refuted")
    assert lemma["digest"] == json.loads(LEMMA.read_text("utf-8"))["digest"]
    assert told(CLAIM) == []
    edit(CLAIM, verdict="proved")
    with pytest.raises(Disagreement, match="which follows from the evidence"):
        replay(CLAIM)
