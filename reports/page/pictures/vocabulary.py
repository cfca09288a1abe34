"""What the templates of pictures and boards may say: one dictionary of functions for the environment of the page."""

from __future__ import annotations

from checks.results.phrases import position_phrase
from checks.results.pictures import Failures, GrundySequence, OutcomeMap, Picture, Undrawn
from reports.page.pictures import heat, outcomes, play, sequences
from reports.page.pictures.heaps import draw, shown

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
    "position_phrase": position_phrase,
    "draw_position": draw.draw_position,
    "list_shown": shown.list_shown,
    "board_tree": play.list_tree,
    "first_sentence": play.first_sentence,
}
