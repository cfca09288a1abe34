"""The number and content of the questions to the cache."""

from pathlib import Path

import pytest
from settling import put_claim

from checks.cache.results import CacheSession
from checks.execution.execute import execute
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult, SettledLemmas
from claims.language.files.library import Entry


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.slow
def test_the_cache_is_asked_once_for_each_claim_with_what_it_rests_on(tmp_path: Path, jobs: int) -> None:
    class Asked(CacheSession):
        def find(self, entry: Entry, options: Options, settled: SettledLemmas) -> ClaimResult | None:
            asked.append((entry.id, sorted(x.stem for x in settled)))

    asked: list[tuple[str, list[str]]] = []
    names = [("a", ["b", "c"]), ("b", ["c"]), ("c", [])]
    entries = [Entry(name, put_claim(tmp_path / f"{name}.toml", *by)) for name, by in names]
    done = execute(entries, Options(), jobs, lambda *_: None, cache=Asked())
    assert [r.verdict.value for r in done.results] == ["proved"] * 3
    assert sorted(asked) == [("a", ["b", "c"]), ("b", ["c"]), ("c", [])]
