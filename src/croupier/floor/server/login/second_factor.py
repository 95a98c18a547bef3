"""The second factor: six figures that change every half minute (RFC 6238), and recovery codes for a lost device."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

import pyotp

from croupier.floor.records.keys import Keys, open_sealed, seal

ISSUER = "Croupier"
PERIOD = 30
"""Seconds of one code."""
DRIFT = 1
"""Codes before and after the present one that are taken: a person's device may be half a minute off."""
RECOVERY_CODES = 10
_RECOVERY_BYTES = 10


def new_secret() -> str:
    """Make a secret of 160 bits, as authenticator programs take it."""
    return pyotp.random_base32()


def address_of(secret: str, name: str) -> str:
    """Return the `otpauth` address that a QR code holds."""
    return pyotp.TOTP(secret, interval=PERIOD).provisioning_uri(name=name, issuer_name=ISSUER)


def step_of(secret: str, code: str, now: float) -> int | None:
    """Return the time step of a code; None for a code that is not accepted now."""
    totp, present = pyotp.TOTP(secret, interval=PERIOD), int(now // PERIOD)
    found = None
    for step in range(max(1, present - DRIFT), present + DRIFT + 1):
        if hmac.compare_digest(totp.generate_otp(step).encode(), code.encode()):
            found = step
    return found


def new_recovery_codes() -> tuple[str, ...]:
    """Make recovery codes of 80 bits: they cannot be found from their hashes by trying."""
    codes = (base64.b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode().lower() for _ in range(RECOVERY_CODES))
    return tuple("-".join(code[place : place + 4] for place in range(0, 16, 4)) for code in codes)


def recovery_hash(name: str, code: str) -> str:
    """Hash a recovery code to keep it; case, spaces and hyphens do not matter."""
    plain = "".join(char for char in code.lower() if char.isalnum())
    return hashlib.sha256(f"recovery/{name}/{plain}".encode()).hexdigest()


def sealed_factor(keys: Keys, name: str, secret: str) -> str:
    """Seal a secret for the journal: a reader of the database cannot use it."""
    return seal(keys, f"totp/{name}", secret.encode()).hex()


def opened_factor(keys: Keys, name: str, sealed: str) -> str:
    """Open a sealed secret; raises BadKeys where this server does not have its key."""
    return open_sealed(keys, f"totp/{name}", bytes.fromhex(sealed)).decode()
