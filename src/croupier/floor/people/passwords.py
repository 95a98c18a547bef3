"""Passwords: how they are kept, whether one fits, and which are too easy to guess."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

COST = 2**17
"""scrypt's N; with blocks of 8 and one lane it takes 128 MiB for each password (OWASP Password Storage Cheat Sheet)."""
FIRST_COST = 2**14
"""scrypt's N of secrets that do not name their cost: earlier releases sealed all of them with it."""
PUBLIC_COST = FIRST_COST
"""scrypt's N of a demonstration house: its password is printed on the screen, and no cost protects it."""
PUBLIC_PASSWORD = "croupier-demo"  # noqa: S105  it is printed on the screen
"""The password of all people in a demonstration house; no other house takes it."""
_BLOCK, _LANES = 8, 1
_HIGHEST_COST = 2**20
_PREFIX = "scrypt"

SHORTEST = 12
"""Characters of a password that a person chooses."""
LONGEST = 200
EASIEST = 3
"""zxcvbn's score, from 0 to 4: 3 takes more than 10^8 guesses."""
_RATED = 72
"""Characters of a password that are rated: what comes after them makes it harder still."""
_WORDS = (
    "croupier",
    "casino",
    "dealer",
    "poker",
    "jackpot",
    "holdem",
    "supervisor",
    "manager",
    "surveillance",
    "auditor",
)
"""Words of every house, which a stranger tries first."""


def sealed_password(password: str, salt: bytes, cost: int = COST) -> str:
    """Hash a password as it is kept: scrypt with its own salt, and the cost."""
    return f"{_PREFIX}:{cost}:{_BLOCK}:{_LANES}:{salt.hex()}:{_digest(password, salt, cost, _BLOCK, _LANES).hex()}"


def password_fits(password: str, secret: str) -> bool:
    """Compare a password in constant time; none fits an empty or unreadable secret."""
    parts = _parts(secret)
    if parts is None:
        return False
    cost, block, lanes, salt, digest = parts
    return hmac.compare_digest(_digest(password, salt, cost, block, lanes), digest)


def is_below(secret: str, cost: int) -> bool:
    """Return whether a secret was sealed at a lower cost than this, and is to be sealed again."""
    parts = _parts(secret)
    return parts is not None and parts[0] < cost


def unknown_secret(salt: bytes, digest: bytes, cost: int = COST) -> str:
    """Return a secret that no password fits and that takes as long to try as a real one; `digest` is random."""
    return f"{_PREFIX}:{cost}:{_BLOCK}:{_LANES}:{salt.hex()}:{digest.hex()}"


def weakness(password: str, words: Iterable[str] = ()) -> str:
    """Say why a password is too weak; empty where it is not. `words` are those of the person and of the house."""
    # Its lists are slow to load; and the package has no types.
    from zxcvbn import zxcvbn  # type: ignore[import-untyped]  # noqa: PLC0415

    if len(password) < SHORTEST:
        return f"A password has at least {SHORTEST} characters."
    if len(password) > LONGEST:
        return f"A password has at most {LONGEST} characters."
    rated = zxcvbn(password[:_RATED], user_inputs=[*words, *_WORDS])
    if rated["score"] >= EASIEST:
        return ""
    why = f"{rated['feedback']['warning']} ".lstrip()
    return f"This password is too easy to guess. {why}Use four or more words that do not belong together."


def _parts(secret: str) -> tuple[int, int, int, bytes, bytes] | None:
    """Return cost, block, lanes, salt and digest; earlier releases kept salt and digest alone."""
    parts = secret.split(":")
    try:
        if len(parts) == 2 and parts[1]:
            return FIRST_COST, _BLOCK, _LANES, bytes.fromhex(parts[0]), bytes.fromhex(parts[1])
        if len(parts) == 6 and parts[0] == _PREFIX and parts[5]:
            cost, block, lanes = (int(part) for part in parts[1:4])
            if 1 < cost <= _HIGHEST_COST and (block, lanes) == (_BLOCK, _LANES):
                return cost, block, lanes, bytes.fromhex(parts[4]), bytes.fromhex(parts[5])
    except ValueError:
        return None
    return None


def _digest(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    # OpenSSL refuses to use more than 32 MiB by default; twice the table is room enough.
    return hashlib.scrypt(password.encode(), salt=salt, n=cost, r=block, p=lanes, maxmem=256 * cost * block)
