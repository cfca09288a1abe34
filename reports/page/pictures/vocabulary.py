"""What the templates of pictures and boards may say: one dictionary of functions for the environment of the page."""

from __future__ import annotations

from checks.results.pictures import Failures, GrundySequence, OutcomeMap, Picture, Undrawn
from reports.page.pictures import heat, outcomes, play, sequences

KINDS = {Failures: "failures", OutcomeMap: "outcomes", GrundySequence: "values", Undrawn: "undrawn"}


def kind_of(picture: Picture) -> str:
    """By which macro a picture is shown: "failures", "outcomes", "values" or "undrawn"."""
    return KINDS[type(picture)]


VOCABULARY = {
    "kind_of": kind_of,
    "heat_tables": heat.heat_tables,
    "share": heat.share,
    "draw_outcomes": outcomes.draw_outcomes,
    "draw_values": sequences.draw_values,
    "board_data": play.write_data,
    "box_data": play.write_box,
    "board_tree": play.list_tree,
    "first_sentence": play.first_sentence,
}
