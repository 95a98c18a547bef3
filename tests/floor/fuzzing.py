"""Nonsense at every door: schemathesis over the whole API, and a grammar of messages on the socket. Whatever comes, the
server answers, never with a fault of its own, never with a traceback, never not at all.

`python -m tests.floor.fuzzing --requests 100000` is the report; the tests do some thousands.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok
from websockets.exceptions import ConnectionClosed

from croupier.floor.asking import ACTIONS
from croupier.floor.posts import Post
from croupier.floor.server.doors import Doors
from croupier.floor.server.settings import Settings
from croupier.rulebooks.books import GAMES
from croupier.rulebooks.vocabulary import Incident
from croupier.scripts.parse import _FIELDS, CHOICES, DECISIONS, MODES, OPTIONS
from tests.floor.serving import Live, Served, quiet

SLOWEST = float(os.environ.get("CROUPIER_FUZZ_PATIENCE", "20"))
"""Seconds that an answer may take on the busiest of machines; more where the machine itself is halted now and then."""

TABLES = {f"T{number}": quiet(game, physical=number == 2) for number, game in enumerate(GAMES, 1)}


class Fuzzed:
    """What was sent, and what was wrong with the answers."""

    def __init__(self) -> None:
        self.sent = 0
        self.answers: Counter[str] = Counter()
        self.wrong: list[str] = []

    def note(self, answer: str) -> None:
        self.answers[answer] += 1


def fuzzed_house(folder: Path) -> Served:
    """A house with a table of each game that lets everybody knock as fast as he likes."""
    return Served(folder, TABLES, settings=Settings(requests_per_second=1e9, log_ins_per_minute=1e9, demo=True))


@contextmanager
def faults(found: Fuzzed) -> Iterator[None]:
    """Every fault that the server logs meanwhile."""

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.wrong.append(f"logged: {record.getMessage()} {getattr(record, 'where', '')} {record.exc_text or ''}")

    handler = Keep(logging.ERROR)
    names = ("croupier", "uvicorn", "asyncio", "litestar")
    for name in names:
        logging.getLogger(name).addHandler(handler)
    try:
        yield
    finally:
        for name in names:
            logging.getLogger(name).removeHandler(handler)


# ---------------------------------------------------------------- HTTP


def fuzz_http(served: Served, each: int, found: Fuzzed, number: int = 1) -> None:
    """So many requests at each operation of the API, made from its own description, by all kinds of people."""
    schema = schemathesis.openapi.from_url(f"http://{served.address}/api/schema/openapi.json")
    for result in schema.get_all_operations():
        if isinstance(result, Ok):
            _fuzz_operation(served, result.ok(), each, found, number)
        else:
            found.wrong.append(f"the description of the API is wrong: {result.err()}")


def _fuzz_operation(
    served: Served, operation: schemathesis.APIOperation[Any, Any, Any, Any], each: int, found: Fuzzed, number: int
) -> None:
    people = st.sampled_from([None, *Post])

    @seed(number)
    @settings(
        max_examples=each,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy(), post=people)
    def knock(case: schemathesis.Case[Any], post: Post | None) -> None:
        headers = {} if post is None else {"authorization": f"Bearer {served.tokens[post]}"}
        if operation.path == "/api/logout" and post is not None:
            token, _ = served.run(Doors(served.floor).open_session(served.person(post)))
            headers = {"authorization": f"Bearer {token}"}
        started = time.monotonic()
        found.sent += 1
        answer = case.call(headers=headers, timeout=SLOWEST)
        found.note(str(answer.status_code))
        if answer.status_code >= 500 or time.monotonic() - started > SLOWEST:
            found.wrong.append(
                f"{operation.label}: {answer.status_code} {answer.text[:300]} to {case.as_curl_command()}"
            )
        is_json = "json" in answer.headers.get("content-type", [""])[0]
        if answer.status_code >= 400 and (is_json or answer.status_code not in (404, 405)):
            told = answer.json()
            if not isinstance(told, dict) or not told.get("code") or not told.get("message"):
                found.wrong.append(f"{operation.label}: an answer without code or sentence: {answer.text[:200]}")

    knock()


# ---------------------------------------------------------------- the socket


NASTY: tuple[object, ...] = (
    None, True, 0, -1, 1, 3, 7, 8, 99, 10**18, 10**30, 1.5, -0.0, 1e308, "", " ", "a", "ante", "jackpot", "25.00",
    "1e9", "-5.00", "0.001", "99999999999999.00", "player", "eve", "\u0000", "\ud83c", "\U0001f0cf",
    "é" * 300, "x" * 5000, [], [1], [[]], {}, {"a": 1}, [1, "2", None],
    "Ah Kh", {"1": "Ah Kh"}, {"community": "Ah Ah"}, {"dealer": 5}, "T1", "T9", "../x",
    "'; DROP TABLE records; --", "{{7*7}}", "%s%n", "\\", "\n", "\u202e",
)  # fmt: skip
FIELDS = (
    "player", "box", "boxes", "bet", "amount", "noticed", "choice", "option", "decision", "incident", "count", "dealer",
    "community", "reconstructible", "affected", "text", "who", "by", "mode", "tables", "cards", "round", "link",
    "correct",
)  # fmt: skip
WORDS: dict[str, tuple[object, ...]] = {
    "bet": ("ante", "jackpot", "bonus", "pair_plus", "flop"),
    "amount": ("25.00", "5.00", "50.00", "100.00"),
    "box": (1, 2, 3, 4, 5, 6, 7),
    "choice": CHOICES,
    "option": OPTIONS,
    "decision": DECISIONS,
    "mode": MODES,
    "incident": tuple(incident.value for incident in Incident),
    "cards": ({"community": "Ah Kh Qh"}, {"dealer": "2c 3c"}, {"1": "4c 5c"}),
    "player": ("player", "eve"),
    "round": (1, 2),
}


def message(random: Random, number: int) -> str | bytes:
    """Something that somebody might send: sound, nearly sound, or noise."""
    kind = random.random()
    if kind < 0.04:
        return bytes(random.randrange(256) for _ in range(random.randrange(200)))
    if kind < 0.08:
        return "".join(chr(random.randrange(32, 0x2FF)) for _ in range(random.randrange(300)))
    if kind < 0.10:
        return "[" * random.randrange(1, 5000)
    sent = json.dumps(_message(random, number))
    if kind < 0.2:
        at = random.randrange(len(sent))
        sent = sent[:at] + random.choice(("", "\x00", '"', "}", "9" * 400, "\\u")) + sent[at + random.randrange(3) :]
    return sent


def _message(random: Random, number: int) -> dict[str, object]:
    told: dict[str, object] = {"type": "command", "id": f"fuzz-{number}", "table": f"T{random.randint(1, 5)}"}
    told["command"] = _command(random)
    for field in ("type", "id", "table", "command"):
        if random.random() < 0.04:
            told[field] = random.choice(NASTY)
    if random.random() < 0.1:
        told = {"type": random.choice(("watch", "unwatch", "ping", "wach")), "id": random.choice((None, "x", 5))}
        told[random.choice(("table", "link", "pit", "after"))] = random.choice((*NASTY, "main", True))
        told[random.choice(("table", "after"))] = random.choice((*NASTY, 0, 10, "T1"))
    return told


def _command(random: Random) -> dict[str, object]:
    do = random.choice((*ACTIONS, *("open", "bet", "close_bets", "examine", "decide") * 4))
    command: dict[str, object] = {"do": do}
    if random.random() < 0.7:
        command |= {field: random.choice(WORDS[field]) for field in _FIELDS.get(do, ()) if field in WORDS}
        return command
    if random.random() < 0.03:
        command["do"] = random.choice(NASTY)
    for field in random.sample(FIELDS, random.randrange(6)):
        sound = random.random() < 0.7 and field in WORDS
        command[field] = random.choice(WORDS[field] if sound else NASTY)
    return command


def fuzz_socket(served: Served, count: int, found: Fuzzed, number: int = 1) -> None:
    """So many messages by all kinds of people; after each the server still answers."""
    random = Random(number)
    posts = [None, *Post]
    sent = 0
    while sent < count:
        post = random.choice(posts)
        with served.live(post) as live:
            for _ in range(min(40, count - sent)):
                sent += 1
                if not _answered(live, message(random, number * 10**9 + sent), found, post):
                    break


def _answered(live: Live, text: str | bytes, found: Fuzzed, post: Post | None) -> bool:
    started = time.monotonic()
    found.sent += 1
    try:
        live.connection.send(text)
        live.send({"type": "ping", "id": "still there"})
        while (told := live.receive(SLOWEST)).get("id") != "still there":
            if told.get("type") == "answer":
                found.note(str(told.get("code") or told.get("accepted")))
                if told.get("code") == "fault":
                    found.wrong.append(f"{post}: a fault of ours to {text!r}")
    except TimeoutError:
        found.wrong.append(f"{post}: no answer within {time.monotonic() - started:.0f} s to {text!r}")
        return False
    except ConnectionClosed as closed:
        found.note(f"closed {closed.rcvd.code if closed.rcvd else 0}")
        if closed.rcvd is None or closed.rcvd.code not in (1003, 1007, 1009):
            found.wrong.append(f"{post}: the connection was closed by {text!r}: {closed}")
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description="Nonsense at every door.")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found = Fuzzed()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, fuzzed_house(Path(folder)) as served, faults(found):
        fuzz_socket(served, asked.requests // 2, found, asked.seed)
        sys.stdout.write(f"socket: {found.sent:,} messages in {time.monotonic() - started:.0f} s, {found.answers}\n")
        fuzz_http(served, max(asked.requests // 2 // 30, 1), found, asked.seed)
    sys.stdout.write(f"{found.sent:,} requests in {time.monotonic() - started:.0f} s: {dict(found.answers)}\n")
    sys.stdout.write(f"{len(found.wrong)} wrong\n" + "".join(f"  {what}\n" for what in found.wrong[:30]))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
