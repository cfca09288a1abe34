"""The map of an argument on the page: its content for the library, and only facts from the run."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from arguments import library_run, small_run
from samples import BARE, HIDDEN, HOSTILE, RUN, alter

from checks.results.model import RunResult
from checks.results.verdicts import Verdict
from encoders.logic.answer import Obligation, ObligationStatus
from reports.html import environment_of_works
from reports.model.digest import make_view
from reports.page.map_drawing import ArgumentMap, make_map, measure, name_below, short_name, wrap
from reports.page.map_graph import EdgeKind, make_graph


class Text(HTMLParser):
    """The text of a part of the page, its links, and its drawn edges: (kind, source, target)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.links, self.edges, self.tags = "", list[str](), list[tuple[str, str, str]](), list[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {key: value or "" for key, value in attrs}
        self.tags.append(tag)
        assert not [key for key in found if key.startswith("on") or key == "style"]
        if tag == "a":
            self.links.append(found["href"])
            assert found["href"].startswith("#")
        if tag == "g" and "data-from" in found:
            self.edges.append((found["class"], found["data-from"], found["data-to"]))

    def handle_data(self, data: str) -> None:
        self.text += data


def write(run: RunResult, work: int = 0) -> str:
    """Return the map of one work of a run, as on the page."""
    view = make_view(run)
    page = environment_of_works().from_string(
        '{% import "map.html" as maps with context %}{{ maps.argument(group, view) }}'
    )
    return page.render(group=view.groups[work], view=view, run=run)


def render(run: RunResult, work: int = 0) -> Text:
    """Return the same map, parsed."""
    text = Text(write(run, work))
    text.text = " ".join(text.text.split())
    return text


def maps(run: RunResult) -> list[ArgumentMap]:
    view = make_view(run)
    return [make_map(group, view) for group in view.groups]


# -- the library ------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_each_edge_of_the_library_is_drawn_once_and_as_what_it_is() -> None:
    run = library_run()
    refuted = {c.id for c in run.claims if c.verdict is Verdict.REFUTED}
    expected = {(id, c.id, "broken" if id in refuted else "sound") for c in run.claims for id in c.statement.uses}
    expected |= {(id, c.id, "ours") for c in run.claims for id in c.statement.proof_uses}
    drawn: Counter[tuple[str, str, str]] = Counter()
    for i, found in enumerate(maps(run)):
        drawn.update((e.source, e.target, e.kind.value) for e in found.graph.elsewhere)  # only in the list
        within = [e for e in found.graph.edges if e not in found.graph.drawn]
        drawn.update((e.source, e.target, e.kind.value) for e in within)  # these are inside a node
        assert all(any({e.source, e.target} <= {*stack} for stack in found.graph.stacks) for e in within)
        ids = [node.claim.id for node in found.drawing.nodes]
        for kind, source, target in render(run, i).edges:
            drawn[ids[int(source)], ids[int(target)], kind.split()[1]] += 1
    assert drawn == Counter(expected)
    assert len(expected) > 100


@pytest.mark.slow
def test_no_edge_of_the_library_leaves_the_library_and_no_argument_is_a_circle() -> None:
    ids = {claim.id for claim in library_run().claims}
    for found in maps(library_run()):
        assert all(e.source in ids and e.source not in found.graph.claims for e in found.graph.elsewhere)
        assert not found.circles


@pytest.mark.slow
def test_a_broken_edge_has_a_cross_and_no_other_has() -> None:
    for i, found in enumerate(maps(library_run())):
        edges = re.findall(r'<g class="edge (\w+)[^>]*>(.*?)</g>', write(library_run(), i), re.DOTALL)
        assert len(edges) == len(found.drawing.edges)
        assert all(('class="cross"' in inside) == (kind == "broken") for kind, inside in edges)


@pytest.mark.slow
def test_ours_replaces_what_is_broken_and_nothing_else() -> None:
    for found in maps(library_run()):
        broken = {e.target for e in found.graph.edges if e.kind is EdgeKind.BROKEN}
        for drawn in found.drawing.edges:
            assert drawn.replaces == (drawn.edge.kind is EdgeKind.OURS and drawn.edge.target in broken)
    kl_nim = maps(library_run())[1]
    assert [d.edge.target for d in kl_nim.drawing.edges if d.replaces] == ["kl-nim/theorem-12"]
    tags = {node.claim.id: node.tag for node in kl_nim.drawing.nodes if node.tag}
    assert tags["kl-nim/theorem-14"] == "invariant"
    assert "kl-nim/theorem-12" not in tags


def test_theorem_14_stands_by_folds_although_its_published_proof_rests_on_two_refuted_lemmas() -> None:
    text = render(library_run(), 1).text
    assert (
        "Theorem 14 (proved) holds, although its published proof uses Lemma 11 (refuted) and Lemma 13 (refuted), "
        "which are refuted; our proof uses an invariant made of sums and counts over the heaps." in text
    )
    assert "which are refuted; our proof is the proof of Theorem 14 (proved)." in text
    assert (
        "Theorem 12 (proved): the published proof uses Lemma 11 (refuted), Theorem 12, after P1 (proved) and " in text
    )


def test_a_statement_the_steps_of_its_proof_and_what_holds_instead_stand_together() -> None:
    for found in maps(library_run()):
        nodes = {node.claim.id: node for node in found.drawing.nodes}
        for id, node in nodes.items():
            assert node.below == (node.claim.statement.repairs in nodes)
            above = nodes.get(found.graph.find_over(id))
            assert node.over == (-1 if above is None else above.number)
            if above is not None:
                assert above.x < node.x
                assert above.y + above.height < node.y


@pytest.mark.slow
def test_every_statement_of_a_work_stands_in_its_map_or_below_it() -> None:
    run = library_run()
    for i, found in enumerate(maps(run)):
        inside = {node.claim.id for node in found.drawing.nodes}
        alone = {id for stack in found.graph.alone for id in stack}
        assert not inside & alone
        assert inside | alone == {
            c.id for c in run.main_claims if c.statement.work == next(iter(found.graph.claims.values())).statement.work
        }
        assert {f"#{id}" for id in inside | alone} <= set(render(run, i).links)


def test_the_cases_of_a_theorem_are_one_node() -> None:
    graph = maps(library_run())[2].graph
    cases = ("case-a", "case-b", "case-b-repaired", "case-c1", "case-c2", "case-c3")
    assert ("large-nim/theorem-2", *(f"large-nim/theorem-2-{x}" for x in cases)) in graph.stacks
    assert graph.steps["large-nim/theorem-3-case-b12"] == "large-nim/theorem-3"


def test_a_step_belongs_to_what_its_place_or_its_name_says() -> None:
    names = {"a": {"locator": "Lemma 1"}, "b": {"role": "step", "locator": "Proof of Lemma 1, first line"}}
    names |= {"c": {"role": "step", "short": "A, case 2"}, "d": {"role": "step", "locator": "Proof of Lemma 12"}}
    names |= {"e": {"locator": "Proof of Lemma 1"}}  # a theorem is independent
    run = small_run(dict.fromkeys("abcde", ""), **names)
    assert maps(run)[0].graph.steps == {"b": "a", "c": "a"}


def test_every_edge_stands_in_the_list_too() -> None:
    for found in maps(library_run()):
        listed = {(id, e.claim.id, "paper") for e in found.entries for id in e.uses}
        listed |= {(id, e.claim.id, "ours") for e in found.entries for id in e.ours}
        kinds = {EdgeKind.SOUND: "paper", EdgeKind.BROKEN: "paper", EdgeKind.OURS: "ours"}
        edges = (*found.graph.edges, *found.graph.elsewhere)
        assert listed == {(e.source, e.target, kinds[e.kind]) for e in edges}


# -- small ones -------------------------------------------------------------------------------------------------------
def test_a_verdict_that_changes_changes_the_edge() -> None:
    before, after = (make_map_of(small_run({"a": "", "b": "a"}, refuted=refuted)) for refuted in ("", "a"))
    assert [d.edge.kind for d in before.drawing.edges] == [EdgeKind.SOUND]
    assert [d.edge.kind for d in after.drawing.edges] == [EdgeKind.BROKEN]
    assert not before.standing
    assert [found.refuted for found in after.standing] == [("a",)]


def make_map_of(run: RunResult) -> ArgumentMap:
    (found,) = maps(run)
    return found


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {},
            "B (proved) holds, although its published proof uses A (refuted), which is refuted; we have no",
        ),
        (
            {"obligations": (Obligation("x", ObligationStatus.PROVED),), "proof_uses": ("c",)},
            "; our proof is the proof of C (proved).",
        ),
        ({"verdict": Verdict.INCONCLUSIVE}, ""),
        ({"role": "step"}, ""),
    ],
)
def test_what_is_said_of_a_claim_whose_argument_is_broken(changes: dict[str, object], words: str) -> None:
    text = render(small_run({"a": "", "b": "a", "c": ""}, refuted="a", b=changes)).text
    assert words in text
    assert (" holds, although" in text) == bool(words)


def test_a_circle_is_said_and_drawn() -> None:
    found = render(small_run({"a": "b", "b": "a"}))
    assert "Note: circular argument: a rests on b, b on a." in found.text
    assert len(found.edges) == 2


def test_what_leaves_the_work_or_the_run_is_said_but_not_drawn() -> None:
    other = alter(BARE, id="other/x", work="other", short="X", verdict=Verdict.REFUTED)
    run = small_run({"a": "", "b": "a"}, b={"uses": ("a", "other/x", "gone"), "proof_uses": ("gone",)})
    found = render(replace(run, claims=(*run.claims, other)))
    assert [kind for kind, _, _ in found.edges] == ["edge sound"]
    assert "the published proof uses A (proved), X (refuted) and gone (not in this run)" in found.text
    assert "our proof uses the proof of gone (not in this run)" in found.text
    assert "uses X (refuted), which is refuted" in found.text


def test_a_work_without_links_has_no_map() -> None:
    assert render(small_run({"a": "", "b": ""})).tags == []
    assert maps(RunResult("0", "quick", ())) == []


def test_one_claim_that_rests_on_itself() -> None:
    found = render(small_run({"a": "a"}))
    assert found.edges == [("edge sound", "0", "0")]


def test_what_is_hostile_stays_text() -> None:
    nasty = alter(BARE, id=HOSTILE, short=HOSTILE[:28], title=HOSTILE, locator=HOSTILE, uses=("<b>", HIDDEN), work="w")
    more = [alter(nasty, id=id, short="", uses=(HOSTILE,), proof_uses=(HOSTILE,)) for id in ("<b>", HIDDEN)]
    found = render(replace(RUN, claims=(nasty, *more), works=()))
    assert set(found.tags) <= set(
        "section h3 p ul li svg g path a title rect use text tspan div details summary span".split()
    )
    assert len(found.edges) == 6
    assert "\u202e" not in found.text
    assert "script" in found.text


@pytest.mark.parametrize(
    ("short", "locator", "label"),
    [
        ("Lemma 11", "x", "Lemma 11"),
        ("", "Lemma 11", "Lemma 11"),
        ("", "A locator that no node of a map could hold", "A locator that no node of a…"),
        ("", "", "bare"),
        ("a\u202eb", "x", "a\\u202eb"),
        ("  ", "x", "?"),
    ],
)
def test_names(short: str, locator: str, label: str) -> None:
    assert short_name(alter(BARE, role="theorem", short=short, locator=locator)) == label


def test_names_below_leave_out_what_stands_above() -> None:
    above, below = (alter(BARE, short=short) for short in ("Lemma 11", "Lemma 11, for two heaps"))
    assert name_below(below, above) == "for two heaps"
    assert name_below(above, below) == "Lemma 11"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Lemma 11", ("Lemma 11",)),
        ("Move in Lemma 11", ("Move in", "Lemma 11")),
        ("Theorem 14, first half", ("Theorem 14,", "first half")),
        ("Supercalifragilistic", ("Supercalifragilistic",)),
        ("定理六的归纳假设第三行", ("定理六的归纳假设第三行",)),
    ],
)
def test_lines(text: str, lines: tuple[str, ...]) -> None:
    assert wrap(text, 68.0) == lines
    assert all(measure(line) > 0 for line in lines)


def test_edges_are_made_once_from_what_is_named_twice() -> None:
    view = make_view(small_run({"a": "", "b": "aa"}))
    assert len(make_graph(view.groups[0], view).edges) == 1
