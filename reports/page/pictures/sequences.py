"""The values of single heaps, drawn: a step for each, bands of the period, a cross where a formula is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from checks.results.pictures import GrundySequence
from claims.language.ground.errors import escape_invisible
from reports.ground.wording import count

ACROSS = 17  # pixels of one heap
Place = Callable[[int], float]  # how far down a value lies
TALLEST, LOWEST = 220, 60  # of the drawing, without its axes


@dataclass(frozen=True)
class SequencePicture:
    """A sequence for the page. `table`: (size, value, claimed value or None)."""

    drawing: Markup
    summary: str
    agreement: str
    differs: bool
    table: tuple[tuple[int, int, int | None], ...]


def draw_values(found: GrundySequence) -> SequencePicture:
    """The picture of a sequence, its words and its numbers."""
    sizes = range(found.least, found.least + len(found.values))
    claimed = found.claimed or (None,) * len(found.values)
    table = tuple(zip(sizes, found.values, claimed, strict=True))
    wrong = [x for x, value, said in table if said is not None and said != value]
    span = f"x from {sizes[0]} to {sizes[-1]}"
    summary = _say_period(found, span)
    agreement = ""
    if found.claimed is not None:
        agreement = f"The claimed formula agrees for {span}."
        if wrong:
            named = ", ".join(map(str, wrong[:6])) + (", ..." if len(wrong) > 6 else "")
            agreement = f"The claimed formula differs at {count(len(wrong), 'heap')}: x = {named}."
    values = ", ".join(map(str, found.values))
    label = f"{found.title}: {summary} {agreement} The values: {values}."
    return SequencePicture(_draw_sequence(found, label), summary, agreement, bool(wrong), table)


def _say_period(found: GrundySequence, span: str) -> str:
    if not found.period:
        return f"No period of at most {len(found.values) // 2} for {span}."
    again = f"value(x + {found.period}) = value(x)" + (f" + {found.saltus}" if found.saltus > 0 else "")
    again += f" - {-found.saltus}" if found.saltus < 0 else ""
    return f"Period {found.period}, saltus {found.saltus}: {again}, as far as computed, {span}."


def _draw_sequence(found: GrundySequence, label: str) -> Markup:
    values = found.values
    low, high = min(values), max(values)
    up = max(3, min(ACROSS, TALLEST // (high - low + 1)))
    tall, wide = max(LOWEST, (high - low + 1) * up), len(values) * ACROSS

    def at(value: int) -> float:
        return tall - (value - low + 0.5) * up

    parts = [
        Markup('<path class="band" d="{}"/>').format(_draw_bands(found, tall, wide)),
        Markup('<path class="stair" d="{}"/>').format(
            "".join(f"M{i * ACROSS + 1} {at(v):g}h{ACROSS - 2}" for i, v in enumerate(values))
        ),
        Markup('<path class="differs" d="{}"/>').format(_draw_differences(found, at)),
        *_draw_sequence_axes(found, tall, wide, at),
    ]
    width, height = wide + 34, tall + 22
    opening = Markup('<svg viewBox="-28 -2 {} {}" width="{}" height="{}" role="img" aria-label="{}">').format(
        width, height, width, height, escape_invisible(label)
    )
    return opening + Markup("").join(parts) + Markup("</svg>")


def _draw_bands(found: GrundySequence, tall: int, wide: int) -> str:
    """Every other period, shaded."""
    block = found.period * ACROSS
    if not block or block >= wide:
        return ""
    return "".join(f"M{x} 0h{min(block, wide - x)}v{tall}h-{min(block, wide - x)}z" for x in range(0, wide, 2 * block))


def _draw_differences(found: GrundySequence, at: Place) -> str:
    if found.claimed is None:
        return ""
    return "".join(
        f"M{i * ACROSS + 4} {at(value) - 4:g}l8 8m0-8l-8 8"
        for i, (value, said) in enumerate(zip(found.values, found.claimed, strict=True))
        if said != value
    )


def _draw_sequence_axes(found: GrundySequence, tall: int, wide: int, at: Place) -> Iterator[Markup]:
    every = found.period if 3 <= found.period <= 8 else 5
    for i in range(len(found.values)):
        if i % every == 0:
            place = i * ACROSS + ACROSS / 2
            yield Markup('<text x="{:g}" y="{}" text-anchor="middle">{}</text>').format(
                place, tall + 15, found.least + i
            )
    low, high = min(found.values), max(found.values)
    step = max(1, -(-(high - low) // 6))
    for value in range(low, high + 1, step):
        yield Markup('<text x="-6" y="{:g}" text-anchor="end">{}</text>').format(at(value) + 4, value)
    yield Markup('<path class="frame" d="M0 0v{}h{}"/>').format(tall, wide)
