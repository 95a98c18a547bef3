"""Nonsense at every door: schemathesis over the whole API, and a grammar of messages on the socket. Whatever comes, the
server answers, never with a fault of its own, never with a traceback, never not at all; and over HTTP with a status, a
content type and a body that its own description names.

`python -m tests.floor.fuzzer --requests 100000` is the report on single requests and messages, and
`python -m tests.floor.fuzzer --cases 50000` the one on requests that follow each other (schemathesis's stateful phase)
by every role; the tests do some thousands.
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
from typing import Any, TypeAlias

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed

from croupier.floor.duties.permissions import Post
from croupier.floor.people.authorization import ACTIONS
from croupier.floor.records.commands import AssignPerson, ChangeSecret
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.settings import Settings
from croupier.floor.server.wire.messages import MESSAGES
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.incidents import INCIDENTS
from croupier.scripts.parse import _FIELDS, CHOICES, DECISIONS, MODES, OPTIONS
from tests.floor.serving import CHEAP, Live, Served, quiet

SLOWEST = float(os.environ.get("CROUPIER_FUZZ_PATIENCE", "60"))
"""Seconds that an answer may take on the busiest of machines; more where the machine itself is halted now and then."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
"""What schemathesis holds every answer against."""

TABLES = {f"T{number}": quiet(game, physical=number == 2) for number, game in enumerate(GAMES, 1)}


Case: TypeAlias = schemathesis.Case[Any]


class Fuzzed:
    """What was sent, and what was wrong with the answers."""

    def __init__(self) -> None:
        self.sent = 0
        self.answers: Counter[str] = Counter()
        self.wrong: list[str] = []

    def note(self, answer: str) -> None:
        self.answers[answer] += 1

    def check(self, case: Case, answer: Response, headers: dict[str, str], seconds: float) -> None:
        """Hold one answer over HTTP against the description, and against what every answer has."""
        self.sent += 1
        self.note(str(answer.status_code))
        what = f"{case.operation.label}: {answer.status_code}"
        if seconds > SLOWEST:
            self.wrong.append(f"{what} after {seconds:.0f} s to {case.as_curl_command()}")
        try:
            case.validate_response(answer, checks=CHECKS, headers=headers)
        except FailureGroup as failed:
            why = "; ".join(f"{one.title}: {one.message}" for one in failed.exceptions)
            self.wrong.append(f"{what} {answer.text[:300]} to {case.as_curl_command()}: {why[:600]}")
        if answer.status_code >= 400:
            told = answer.json()
            if not isinstance(told, dict) or not told.get("code") or not told.get("message"):
                self.wrong.append(f"{what} without code or sentence: {answer.text[:200]}")


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


ROLES: tuple[Post | None, ...] = (None, *Post)
STEP = 3
"""Operations of which a role tries one, in a short run."""


def fuzz_http(
    served: Served, each: int, found: Fuzzed, number: int = 1, roles: tuple[Post | None, ...] = ROLES, step: int = 1
) -> None:
    """So many requests at each operation of the API, made from its own description, by all kinds of people; with a step
    at one operation of so many, another one for the next number.
    """
    schema = schemathesis.openapi.from_url(_description(served))
    for at, result in enumerate(schema.get_all_operations(), number):
        if at % step:
            continue
        if isinstance(result, Ok):
            _fuzz_operation(served, result.ok(), each, found, number, roles)
        else:
            found.wrong.append(f"the description of the API is wrong: {result.err()}")


def _description(served: Served) -> str:
    return f"http://{served.address}/api/schema/openapi.json"


def _at_home(case: Case, random: Random) -> None:
    """Half of the requests name things of this house: what is made up is mostly answered that it is not there."""
    if random.random() < 0.5:
        return
    for field in case.path_parameters:
        if field == "name":
            links, people = case.path.startswith("/api/links/"), case.path.startswith("/api/people/")
            case.path_parameters[field] = "main" if links else random.choice([*Post] if people else [*TABLES])
        elif field == "number":
            case.path_parameters[field] = random.randint(1, 3)
    if case.path.endswith("/commands"):
        case.body = json.loads(json.dumps({"id": f"fuzz-{random.getrandbits(40)}", **_command(random)}))
    elif isinstance(case.body, dict):
        some = {"player": "player", "amount": random.choice(("25.00", "20000.00", "-5.00"))}
        case.body = {**case.body, **{field: word for field, word in some.items() if field in case.body}}


def _fuzz_operation(
    served: Served,
    operation: schemathesis.APIOperation[Any, Any, Any, Any],
    each: int,
    found: Fuzzed,
    number: int,
    roles: tuple[Post | None, ...],
) -> None:
    random = Random(number)

    @seed(number)
    @settings(
        max_examples=each,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy(), post=st.sampled_from(roles))
    def knock(case: Case, post: Post | None) -> None:
        headers = _bearer(served, post)
        _at_home(case, random)
        started = time.monotonic()
        answer = case.call(headers=headers, timeout=SLOWEST)
        found.check(case, answer, headers, time.monotonic() - started)

    knock()


# ---------------------------------------------------------------- one request after another


STEPS = 8
"""Requests of one scenario at most."""

PROPOSALS = tuple(f"POST /api/proposals/{{key}}/{end}" for end in ("sign", "withdraw", "decline"))
LINKS = {
    "GET /api/tables": ("/0/name", "name", (
        "GET /api/tables/{name}", "GET /api/tables/{name}/layout", "GET /api/tables/{name}/procedure",
        "GET /api/tables/{name}/rounds", "GET /api/tables/{name}/edge", "POST /api/tables/{name}/commands",
        "POST /api/tables/{name}/terms", "POST /api/tables/{name}/close", "POST /api/tables/{name}/reopen",
        "POST /api/tables/{name}/call", "POST /api/tables/{name}/preview",
    )),
    "POST /api/tables/{name}/call": ("/table", "name", (
        "POST /api/tables/{name}/call/answer", "POST /api/tables/{name}/call/end",
    )),
    "GET /api/people": ("/0/name", "name", (
        "GET /api/people/{name}/sessions", "POST /api/people/{name}/assign", "POST /api/people/{name}/sign-out",
        "POST /api/people/{name}/reset", "POST /api/people/{name}/second-factor/remove", "DELETE /api/people/{name}",
    )),
    "POST /api/people": ("/name", "name", (
        "POST /api/people/{name}/assign", "POST /api/people/{name}/reset", "DELETE /api/people/{name}",
    )),
    "GET /api/sessions": ("/0/id", "key", ("DELETE /api/sessions/{key}",)),
    "GET /api/proposals": ("/0/id", "key", PROPOSALS),
    "POST /api/links": ("/id", "key", PROPOSALS),
    "POST /api/links/{name}/adjust": ("/id", "key", PROPOSALS),
    "GET /api/games": ("/0/game", "game", ("GET /api/games/{game}", "GET /api/games/{game}/readings")),
}  # fmt: skip
"""Where an answer names something: the place of the name in the answer, the field of the address, and what follows."""


def linked(document: dict[str, Any]) -> dict[str, Any]:
    """The description of the API, with links from answers that name a thing to the requests that take its name."""
    for source, (place, field, targets) in LINKS.items():
        method, path = source.split(" ")
        for status, response in document["paths"][path][method.lower()]["responses"].items():
            if status.startswith("2"):
                response["links"] = {
                    target.replace(" ", "").replace("/", "_"): {
                        "operationId": _operation(document, target)["operationId"],
                        "parameters": {f"path.{field}": f"$response.body#{place}"},
                    }
                    for target in targets
                }
    return document


def _operation(document: dict[str, Any], target: str) -> dict[str, Any]:
    method, path = target.split(" ")
    operation = document["paths"][path][method.lower()]
    assert isinstance(operation, dict)
    return operation


def fuzz_scenarios(served: Served, post: Post | None, cases: int, found: Fuzzed, number: int = 1) -> None:
    """So many requests of one role, each scenario of which goes on with what earlier answers named."""
    with served.http() as client:
        document = linked(client.get(_description(served)).json())
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=f"http://{served.address}")
    until, random = found.sent + cases, Random(number)

    class Scenario(schema.as_state_machine()):  # type: ignore[misc]  # made from the description
        def call(self, case: Case, **_: object) -> Response:
            headers = _bearer(served, post)
            _at_home(case, random)
            started = time.monotonic()
            answer = case.call(headers=headers, timeout=SLOWEST)
            if found.sent < until:
                found.check(case, answer, headers, time.monotonic() - started)
            return answer

        def validate_response(self, *_: object, **__: object) -> None:
            """It was checked where it was asked."""

    while found.sent < until:
        number += 1_000_003
        how = settings(
            max_examples=max(1, (until - found.sent) // STEPS),
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        try:
            seed(number)(Scenario).run(settings=how)
        except Flaky:
            continue  # a house has a memory, so the same request is not always answered alike


def _bearer(served: Served, post: Post | None) -> dict[str, str]:
    """The session of a role. What scenarios have done to it is undone: people removed, signed out or reset."""
    if post is None:
        return {}
    people = served.floor.house.shown_people
    doors = Sessions(served.floor, cost=CHEAP)
    person = people.persons.get(post.value)
    if person is None:
        served.run(doors.enrol(post.value, post, ""))
    elif person.must_change or person.pits or person.tables:
        served.ask(ChangeSecret(name=post.value, secret="", by="operator test"))
        served.ask(AssignPerson(name=post.value, by="operator test"))
    if doors.session_of(served.tokens[post]) is None:
        served.tokens[post], _ = served.run(doors.open_session(served.person(post)))
    return {"authorization": f"Bearer {served.tokens[post]}"}


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
    "incident": tuple(incident.name for incident in INCIDENTS),
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
        told = {"type": random.choice((*MESSAGES, "wach")), "id": random.choice((None, "x", 5))}
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
    sent = 0
    while sent < count:
        post = random.choice(ROLES)
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


def fuzz_roles(served: Served, cases: int, found: Fuzzed, number: int = 1) -> None:
    """So many requests, as many of each role and of nobody: half of them one by one at every operation, half of them
    in scenarios. Where they are too few for that, each role tries one operation of three, and all roles all of them.
    """
    operations = sum(1 for _ in schemathesis.openapi.from_url(_description(served)).get_all_operations())
    for at, post in enumerate(ROLES):
        before, mine = found.sent, cases * (at + 1) // len(ROLES) - cases * at // len(ROLES)
        step = 1 if mine // 2 >= operations else STEP
        fuzz_http(served, max(1, mine // 2 // operations), found, number + at, (post,), step)
        fuzz_scenarios(served, post, max(mine // 2, mine - (found.sent - before)), found, number + at)
        who = "nobody" if post is None else post.value
        sys.stdout.write(f"{who}: {found.sent - before:,} requests, {len(found.wrong)} wrong so far\n")
        sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description="Nonsense at every door.")
    parser.add_argument("--requests", type=int, default=100_000, help="single requests and messages on the socket")
    parser.add_argument(
        "--cases", type=int, default=0, help="instead, requests one by one and in scenarios, by every role"
    )
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found = Fuzzed()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, fuzzed_house(Path(folder)) as served, faults(found):
        if asked.cases:
            fuzz_roles(served, asked.cases, found, asked.seed)
        else:
            fuzz_socket(served, asked.requests // 2, found, asked.seed)
            seconds = time.monotonic() - started
            sys.stdout.write(f"socket: {found.sent:,} messages in {seconds:.0f} s, {found.answers}\n")
            fuzz_http(served, max(asked.requests // 2 // 30, 1), found, asked.seed)
    sys.stdout.write(f"{found.sent:,} requests in {time.monotonic() - started:.0f} s: {dict(found.answers)}\n")
    sys.stdout.write(f"{len(found.wrong)} wrong\n" + "".join(f"  {what}\n" for what in found.wrong[:30]))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
