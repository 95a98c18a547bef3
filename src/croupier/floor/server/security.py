"""The section `[security]` of the settings: how people of each post prove who they are."""

from __future__ import annotations

from typing import Annotated

import msgspec

from croupier.floor.duties.permissions import Post
from croupier.floor.people.people import Person


class Security(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a house asks of its people beside a password."""

    second_factor: tuple[Post, ...] = ()
    """Posts that need a second factor."""
    idle_minutes: Annotated[float, msgspec.Meta(ge=0)] = 15.0
    """After which an unused session asks for the password again; 0 for never."""
    idle_exempt: tuple[Post, ...] = (Post.PLAYER, Post.DISPLAY, Post.CHIP_READER)
    """Posts whose sessions are never locked."""
    break_glass: tuple[str, ...] = ()
    """Accounts for emergencies, by name."""

    def idle_seconds(self, person: Person) -> float | None:
        """Return the seconds after which an unused session of this person is locked; None for never."""
        return None if not self.idle_minutes or person.post in self.idle_exempt else 60 * self.idle_minutes

    def needs_factor(self, person: Person) -> bool:
        """Return whether a person still has to set up a second factor; a break-glass account works without a device."""
        return person.post in self.second_factor and not person.factor and not person.break_glass
