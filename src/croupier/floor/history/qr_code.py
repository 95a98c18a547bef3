"""Texts as QR codes: SVG for a page, block characters for a terminal and its printer."""

from __future__ import annotations

import io
from functools import lru_cache

import segno


@lru_cache(maxsize=4)
def qr_svg(text: str) -> str:
    """Draw a text as SVG."""
    drawn = io.BytesIO()
    segno.make(text, error="m").save(drawn, kind="svg", xmldecl=False, scale=4, border=4, light="#fff", dark="#000")
    return drawn.getvalue().decode().strip()


def qr_text(text: str) -> str:
    """Draw a text with block characters, dark on light, two rows a line."""
    # Light error correction keeps a checkpoint small enough for the width of a page.
    rows = [list(row) for row in segno.make(text, error="l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    blocks = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(blocks[upper, lower] for upper, lower in zip(*pair, strict=True)) for pair in pairs)
