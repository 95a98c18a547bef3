"""Webhooks: a thread for each configured address tells it every event, in order, at least once.

The journal is the outbox: nothing is copied. A cursor for each follower is kept beside it once the address has taken a
page. A page that was taken while the server died is sent again, and its events have the names that they had before.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Annotated

import msgspec

from croupier.floor.feed.events import START, BadCursor, Feed, FeedPage
from croupier.journal.followers import Followers, open_followers
from croupier.journal.store import StoreError

_LOG = logging.getLogger("croupier.webhooks")

SIGNATURE, MOMENT, FOLLOWER = "Croupier-Signature", "Croupier-Timestamp", "Croupier-Follower"
"""Headers of a page: `sha256=` and HMAC-SHA256 over the timestamp, a full stop and the body; seconds since 1970."""
POLL = 0.5
"""Seconds between two looks for new events."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
"""Seconds before a page is sent again: they double up to the second."""
SECONDS = 10.0
"""Seconds that an address has to answer."""
STOP_SECONDS = 2.0
"""Seconds that a stop waits for a page that is being sent; what was not taken is sent again after the next start."""
SECRET_LEAST = 16


class WebhookSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An address that is told every event of the house. Addresses come from the settings alone."""

    name: Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{1,40}$")]
    url: Annotated[str, msgspec.Meta(pattern="^https?://[^\\s@]+$", max_length=300)]
    secret_file: str
    """The file with the secret that signs, of at least 16 characters."""
    begins: Annotated[str, msgspec.Meta(pattern="^(now|start)$")] = "now"
    """Where a new follower begins: with what comes, or with the first event of the journal."""
    names: tuple[str, ...] = ()
    """Beginnings of the event names to send, as in `progressive.`; all where there are none."""
    events: Annotated[int, msgspec.Meta(ge=1, le=5000)] = 500
    """Events of one page, at most."""


class BadWebhook(ValueError):
    """A webhook that cannot be sent to; one sentence."""


def signature(secret: bytes, moment: str, body: bytes) -> str:
    """Sign a page as its receiver checks it."""
    return "sha256=" + hmac.new(secret, moment.encode() + b"." + body, hashlib.sha256).hexdigest()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A page goes to the configured address and to no other."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


class Webhook:
    """Tells one follower, on a thread of its own."""

    def __init__(
        self,
        settings: WebhookSettings,
        feed: Feed,
        followers: Callable[[], Followers],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Read the secret; raises BadWebhook."""
        self.settings, self._feed, self._followers, self._clock = settings, feed, followers, clock
        self._secret = _secret(settings)
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"webhook-{settings.name}", daemon=True)
        self.sent = self.failures = 0
        """Pages that were taken, and attempts that failed."""

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop after the page that is being sent."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            followers = None
            try:
                followers = self._followers()
                while not self._stopping.is_set():
                    told = followers.owns(self.settings.name) and self.tell(followers)
                    pause = FIRST_PAUSE
                    if not told:
                        self._stopping.wait(POLL)
            except (OSError, HTTPException, StoreError, BadCursor) as wrong:
                # An outside system that is away, or a database: the cursor says where to go on.
                self.failures += 1
                _LOG.warning("a webhook waits", extra={"webhook": self.settings.name, "why": str(wrong)[:200]})
                self._stopping.wait(pause * (0.5 + secrets.randbelow(1000) / 1000))
                pause = min(2 * pause, LONGEST_PAUSE)
            finally:
                if followers is not None:
                    followers.close()

    def tell(self, followers: Followers) -> bool:
        """Send the next page, and keep how far that is; False where there is nothing to tell."""
        name = self.settings.name
        cursor = followers.cursor(name)
        if cursor is None:
            cursor = START if self.settings.begins == "start" else self._feed.newest()
            followers.keep(name, cursor)
        page = self._feed.page(cursor, self.settings.events)
        if page.cursor == cursor:
            return False
        wanted = [
            event for event in page.events if not self.settings.names or event.name.startswith(self.settings.names)
        ]
        if wanted:
            self._send(msgspec.structs.replace(page, events=wanted))
            self.sent += 1
        followers.keep(name, page.cursor)
        return True

    def _send(self, page: FeedPage) -> None:
        body, moment = msgspec.json.encode(page), str(int(self._clock()))
        headers: Mapping[str, str] = {
            "Content-Type": "application/json",
            FOLLOWER: self.settings.name,
            MOMENT: moment,
            SIGNATURE: signature(self._secret, moment, body),
        }
        asked = urllib.request.Request(self.settings.url, body, dict(headers), method="POST")  # noqa: S310  as checked
        with self._opener.open(asked, timeout=SECONDS) as answer:
            if not 200 <= answer.status < 300:
                raise urllib.error.URLError(f"the address answered {answer.status}")


def _secret(settings: WebhookSettings) -> bytes:
    try:
        secret = Path(settings.secret_file).read_bytes().strip()
    except OSError as wrong:
        raise BadWebhook(f"webhooks: {settings.secret_file} cannot be read: {wrong.strerror}.") from None
    if len(secret) < SECRET_LEAST:
        raise BadWebhook(f"webhooks: the secret in {settings.secret_file} is shorter than {SECRET_LEAST} characters.")
    return secret


def check_webhooks(settings: tuple[WebhookSettings, ...]) -> None:
    """Raise BadWebhook where a name comes twice or a secret cannot be used."""
    names = [each.name for each in settings]
    if len(set(names)) != len(names):
        raise BadWebhook("webhooks: two of them have the same name.")
    for each in settings:
        _secret(each)


class Webhooks:
    """The webhooks of one server."""

    def __init__(self, url: str, settings: tuple[WebhookSettings, ...], feed: Feed) -> None:
        """Read every secret; raises BadWebhook."""
        self.each = [Webhook(one, feed, lambda: open_followers(url)) for one in settings]

    def start(self) -> None:
        for webhook in self.each:
            webhook.start()

    def stop(self) -> None:
        for webhook in self.each:
            webhook.stop()
