"""Moments as text, as programs read them."""

from __future__ import annotations

from datetime import UTC, datetime


def moment_text(at: int) -> str:
    """Write microseconds since 1970 as ISO 8601 in UTC, with milliseconds."""
    return datetime.fromtimestamp(at / 1_000_000, UTC).isoformat(timespec="milliseconds")
