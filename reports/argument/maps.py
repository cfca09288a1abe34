"""All that the page shows of the argument of one work."""

from __future__ import annotations

from dataclasses import dataclass

from checks.results.circles import describe_circle
from reports.argument.drawing import Drawing, draw
from reports.argument.graph import ArgumentGraph, make_graph
from reports.argument.words import NodeEntry, SurvivingClaim, list_edges, list_standing
from reports.ground.digest import Group, ReportView


@dataclass(frozen=True)
class ArgumentMap:
    """`standing`, `entries`: as in `words`; `circles`: each in words."""

    graph: ArgumentGraph
    drawing: Drawing
    standing: tuple[SurvivingClaim, ...]
    entries: tuple[NodeEntry, ...]
    circles: tuple[str, ...]


def make_map(group: Group, view: ReportView) -> ArgumentMap:
    """The map of the argument of a work, as far as its claims are in the run."""
    graph = make_graph(group, view)
    return ArgumentMap(
        graph=graph,
        drawing=draw(graph),
        standing=tuple(list_standing(graph, view)),
        entries=tuple(list_edges(graph, view)),
        circles=tuple(describe_circle(circle) for circle in graph.circles),
    )
