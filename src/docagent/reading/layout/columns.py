"""Finds the columns of a region: the bands between its rivers of white space."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from docagent.reading.layout.regions import Interval
from docagent.reading.layout.rows import Piece, Row, is_sign, is_thousands_group

_NARROWEST_RIVER = 0.28
_EVIDENCE = 0.6
"""Of the rows with words on both sides of a river, the share that must have a wide gap there."""
_SPANNER_ROWS = 0.4
"""A piece that stands over two pieces in at least this share of the rows is a heading over several columns."""
_REACH = 0.1
"""A piece covers a column if their overlap is at least this share of the narrower of the two."""
_ROWS_ASKED = 60
"""How many rows of a very long region each piece is compared with."""
_RICH_ROW = 0.6
"""Rows with at least this share of the largest number of pieces define the columns. Other rows are fitted in."""
_NARROW_GAP = 0.42
_WIDER_THAN_SPACE = 1.7
_FEWEST_PARTED = 2
_LOOSE_ROWS = 0.2
_STRAY_ROWS = 0.07
"""The share of rows that may reach into a river before it stops counting as one."""


def columns_of(rows: list[Row], height: float) -> list[Interval]:
    """Return the left and right edge of each column, from left to right."""
    bands = _bands(rows, height)
    index = 0
    while index < len(bands) - 1:
        if _has_evidence(bands[index][1], bands[index + 1][0], rows):
            index += 1
        else:
            bands[index : index + 2] = [(bands[index][0], bands[index + 1][1])]
    return _with_signs(_without_stretched_text(bands, rows), rows)


def parted_at_narrow_rivers(rows: list[Row], height: float) -> list[Row]:
    """Return the rows with pieces parted where most pieces of a column have a gap, though none of the gaps is wide.

    So stand the number of a line and its text, or a figure and its unit.
    """
    pieces = [piece for row in rows for piece in row.pieces]
    spaces = {id(piece): row.space for row in rows for piece in row.pieces}
    gaps = [
        (piece, (before.right + after.left) / 2)
        for piece in pieces
        for before, after in pairwise(piece.words)
        if before.numeric is not after.numeric
        and after.left - before.right > max(_NARROW_GAP * height, _WIDER_THAN_SPACE * spaces[id(piece)])
    ]
    rivers: list[float] = []
    for _, place in gaps:
        across = [piece for piece in pieces if piece.left < place < piece.right]
        clear = sum(not any(word.left < place < word.right for word in piece.words) for piece in across)
        parted = sum(piece in across and abs(other - place) < height for piece, other in gaps)
        known = any(abs(place - river) < height for river in rivers)
        if not known and parted >= max(_FEWEST_PARTED, _EVIDENCE * len(across)) and clear == len(across):
            rivers.append(place)
    return [replace(row, pieces=list(_cut(row.pieces, rivers))) for row in rows] if rivers else rows


def _cut(pieces: list[Piece], rivers: list[float]) -> Iterator[Piece]:
    for piece in pieces:
        words = piece.words
        for river in sorted(rivers):
            before = [word for word in words if word.right <= river]
            if before and len(before) < len(words):
                yield Piece(before)
                words = words[len(before) :]
        yield Piece(words)


def _bands(rows: list[Row], height: float) -> list[Interval]:
    """Find columns by where words stand, ignoring headings that span several columns."""
    full_rows = [row for row in rows if len(row.pieces) > 1]
    fewest = _RICH_ROW * max(len(row.pieces) for row in full_rows)
    sample = full_rows[:: max(1, len(full_rows) // _ROWS_ASKED)]
    centres = [[(piece.left + piece.right) / 2 for piece in row.pieces] for row in sample]
    plain = [[piece for piece in row.pieces if not _spans(piece, centres)] for row in rows]
    bands = _covered([pieces for pieces in plain if len(pieces) >= fewest] or plain, height)
    above_all = True
    for pieces in plain:
        if len(pieces) >= fewest:
            above_all = False
            continue
        for piece in pieces:
            between = bands and bands[0][1] < piece.left and piece.right < bands[-1][0]
            if not (above_all and between):
                _widen(bands, piece, height)
    return bands


def _without_stretched_text(bands: list[Interval], rows: list[Row]) -> list[Interval]:
    """Join the loose words of justified text, which has wide gaps, to the column on their left."""
    merged = bands[:1]
    for left, right in bands[1:]:
        inside = [
            (row, piece)
            for row in rows
            for piece in row.pieces
            if left <= piece.left and piece.right <= right
        ]
        before_left = merged[-1][0]
        loose = len(inside) <= _LOOSE_ROWS * len(rows) and all(
            not piece.numeric
            and any(
                before_left <= other.left and other.right <= left and not other.numeric
                for other in row.pieces
            )
            for row, piece in inside
        )
        if loose:
            merged[-1] = (before_left, right)
        else:
            merged.append((left, right))
    return merged


def _with_signs(bands: list[Interval], rows: list[Row]) -> list[Interval]:
    """Join columns that hold only currency signs to the figures on their right."""
    merged: list[Interval] = []
    start: float | None = None
    for left, right in bands:
        start = left if start is None else start
        inside = [
            piece.text for row in rows for piece in row.pieces if left <= piece.left and piece.right <= right
        ]
        if not inside or not all(map(is_sign, inside)) or right == bands[-1][1]:
            merged.append((start, right))
            start = None
    return merged


def _parts_numbers(piece: Piece, position: float) -> bool:
    """Return whether the position is a gap between two numbers that stand close together."""
    return any(
        before.numeric
        and after.numeric
        and before.right <= position <= after.left
        and not is_thousands_group(before.word.text, after.word.text)
        for before, after in pairwise(piece.words)
    )


def covered_columns(piece: Piece, columns: list[Interval]) -> range:
    """Return the columns that the piece reaches into, or the nearest one if it lies between two."""
    start, end = piece.left, piece.right
    reached = [
        index
        for index, (left, right) in enumerate(columns)
        if left < end
        and right > start
        and min(end, right) - max(start, left) > _REACH * min(end - start, right - left)
    ]
    if reached:
        return range(reached[0], reached[-1] + 1)
    middle = (start + end) / 2
    nearest = min(
        range(len(columns)),
        key=lambda index: max(columns[index][0] - middle, middle - columns[index][1]),
    )
    return range(nearest, nearest + 1)


def _spans(piece: Piece, centres: list[list[float]]) -> bool:
    spanned = sum(bisect_right(row, piece.right) - bisect_left(row, piece.left) > 1 for row in centres)
    return spanned > 0 and spanned >= _SPANNER_ROWS * len(centres)


def _covered(plain: list[list[Piece]], height: float) -> list[Interval]:
    """Return the intervals that words cover in more rows than the few that may stray."""
    allowed = int(_STRAY_ROWS * len(plain))
    edges: list[tuple[float, int]] = []
    for pieces in plain:
        for left, right in _merged_words(pieces):
            edges += [(left, 1), (right, -1)]
    edges.sort()
    bands: list[Interval] = []
    depth, start = 0, 0.0
    for position, change in edges:
        before, depth = depth, depth + change
        if before <= allowed < depth:
            start = position
        elif depth <= allowed < before:
            if bands and start - bands[-1][1] < _NARROWEST_RIVER * height:
                bands[-1] = (bands[-1][0], position)
            else:
                bands.append((start, position))
    return bands


def _widen(bands: list[Interval], piece: Piece, height: float) -> None:
    """Let a piece of a poorer row widen the one band it touches, or form a new band if it is far from all."""
    near = _NARROWEST_RIVER * height
    touched = [
        index
        for index, (left, right) in enumerate(bands)
        if piece.left < right + near and piece.right > left - near
    ]
    if len(touched) == 1:
        left, right = bands[touched[0]]
        bands[touched[0]] = (min(left, piece.left), max(right, piece.right))
    elif not touched:
        bands.append((piece.left, piece.right))
        bands.sort()


def _merged_words(pieces: list[Piece]) -> list[Interval]:
    merged: list[Interval] = []
    for piece in pieces:
        for word in piece.words:
            if merged and word.left <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(merged[-1][1], word.right))
            else:
                merged.append((word.left, word.right))
    return merged


def _has_evidence(left: float, right: float, rows: list[Row]) -> bool:
    """Return whether most rows with words on both sides of the river have a wide gap there."""
    middle = (left + right) / 2
    parted = both = 0
    for row in rows:
        if row.left < middle < row.right:
            both += 1
            parted += not any(
                piece.left < middle < piece.right and not _parts_numbers(piece, middle)
                for piece in row.pieces
            )
    return both > 0 and parted >= _EVIDENCE * both
