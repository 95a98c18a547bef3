"""Names of people: which can be given, and which look like another person's name.

After UTS 39 (Unicode security mechanisms), in its strictest useful form: the letters of a name are of one script, and
two names clash where they are the same but for case, spaces, or letters and figures that look alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from croupier.floor.records.refusals import Code, Refused

LONGEST_NAME = 40
"""Characters of the name of a person, a table, a link or a pit."""
_MARKS = "-_.'"
_TOGETHER = {"CJK": "han", "HIRAGANA": "han", "KATAKANA": "han", "KATAKANA-HIRAGANA": "han", "HANGUL": "han"}
"""Scripts that are written together: Chinese, Japanese and Korean."""

_LOOKS_LIKE = str.maketrans(
    {
        # Cyrillic
        "а": "a", "в": "b", "ь": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "н": "h", "і": "i", "ї": "i", "ј": "j",
        "к": "k", "ӏ": "l", "м": "m", "п": "n", "о": "o", "р": "p", "ԛ": "q", "г": "r", "ѕ": "s", "т": "t", "ѵ": "v",
        "ѡ": "w", "ԝ": "w", "х": "x", "у": "y", "ү": "y", "з": "3",
        # Greek
        "α": "a", "β": "b", "ϲ": "c", "ε": "e", "η": "n", "ι": "i", "κ": "k", "μ": "u", "ν": "v", "ο": "o", "ρ": "p",
        "σ": "o", "τ": "t", "υ": "u", "χ": "x", "ω": "w", "γ": "y", "ζ": "z",
        # Latin, and figures
        "ı": "i", "ȷ": "j", "ɑ": "a", "ɡ": "g", "ɩ": "i", "ʋ": "v",
        "0": "o", "1": "l",
    }
)  # fmt: skip
"""Small letters and figures by the Latin letter that they look like."""


@lru_cache(maxsize=200_000)
def canonical(name: str) -> str:
    """Return a name without case, width and spacing, as a person may type it."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())


@lru_cache(maxsize=200_000)
def skeleton(name: str) -> str:
    """Return the shape of a name: two names of the same shape are hard to tell apart on a screen."""
    # A capital I looks like a small l; once it is a small letter it no longer does.
    plain = unicodedata.normalize("NFKC", name).replace("I", "l").replace("Ι", "l").replace("І", "l")
    shape = canonical(plain).translate(_LOOKS_LIKE).replace("rn", "m").replace("vv", "w")
    return re.sub(r"\s", "", shape)


def check_name(name: str) -> None:
    """Refuse a name that streams, accounts and addresses cannot hold: a slash parts them, dots alone lead elsewhere."""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or "/" in name or not name.strip(". "):
        message = f"A name has 1 to {LONGEST_NAME} printable characters, no slash, and more than dots and spaces."
        raise Refused(Code.BAD_NAME, message)


def unfit_name(name: str) -> str:
    """Say why a person cannot have this name; empty where they can."""
    if unicodedata.normalize("NFKC", name) != name:
        return "A person's name is written in plain letters, without ligatures, wide letters or loose accents."
    if name != " ".join(name.split()):
        return "A person's name has no space at its ends, and no two spaces in a row."
    scripts = set()
    for char in name:
        kind = unicodedata.category(char)
        if char in " -_.'" or (char.isascii() and char.isdigit()):
            continue
        if kind[0] == "L":
            script = unicodedata.name(char, "").partition(" ")[0]
            scripts.add(_TOGETHER.get(script, script))
        elif kind not in ("Mn", "Mc"):
            return f"A person's name has letters, the figures 0 to 9, spaces and {' '.join(_MARKS)} only."
    if len(scripts) > 1:
        return "The letters of a person's name are of one script, so that two people are not confused."
    return ""


def clash(name: str, taken: Iterable[str]) -> str | None:
    """Return the taken name that looks like this one; None where there is none."""
    own, shape = canonical(name), skeleton(name)
    return next((other for other in taken if canonical(other) == own or skeleton(other) == shape), None)
