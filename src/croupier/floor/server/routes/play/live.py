"""The live connection: who may open it, and how long it stays."""

from __future__ import annotations

import asyncio

from litestar import websocket

from croupier.floor.live.watcher import Watcher
from croupier.floor.people.people import token_hash
from croupier.floor.server.dependencies import TheLiveFloor, TheSessions, TheSettings
from croupier.floor.server.guard import address_of, is_our_own_page, token_in
from croupier.floor.server.live_connection import HELD_BACK, SIGNED_OUT, TOO_MANY, Socket, line_of, live_connection
from croupier.floor.server.login.auth import Sessions


@websocket("/api/live", opt={"public": True})
async def live(socket: Socket, floor: TheLiveFloor, sessions: TheSessions, settings: TheSettings) -> None:
    """Serve live play: subscribe to tables and links, give commands, resume after a break."""
    shown, by_cookie = token_in(socket.headers, socket.cookies)
    token = shown or ""
    await socket.accept()
    if token and sessions.session_of(token) is None:
        await sessions.awaited_session(token, address_of(socket))
    # After the last wait before it joins: a session that ends from now on takes this connection with it.
    found = sessions.session_of(token) if is_our_own_page(socket.headers) else None
    held = sessions.held_back(*found) if found else None
    if held is not None:
        found = None
    if found is None and not by_cookie:
        # A page may show a meter with an old cookie; a program that sends a token believes that it is valid, and would
        # wait for ever.
        if held is not None:
            await socket.close(HELD_BACK, held[1])
        else:
            await socket.close(SIGNED_OUT, "The session is over.")
        return
    came_from, name = address_of(socket), found[0].name if found else None
    refused = _too_many_connections(sessions, came_from, name)
    if refused:
        await socket.close(TOO_MANY, refused)
        return
    line = line_of(socket)
    key = token_hash(token)
    watcher = Watcher(found[0], line, key) if found else Watcher(None, line)
    watcher.follows_most = settings.watches_per_socket
    loop, leave = asyncio.get_running_loop(), floor.broadcast.leave
    ending = loop.call_later(sessions.seconds_left(token), leave, watcher) if found else None
    who = name or f"from/{came_from}"

    def used() -> None:
        now = sessions.session_known_by(key)  # one that is too old takes this connection with it
        if now is not None:
            sessions.idle.use(key, *now)

    def is_within_rate() -> bool:
        if found and not by_cookie:
            used()  # a page pings by itself; a program sends every message on purpose
        return sessions.requests.allows(who)

    def note_command() -> None:
        if by_cookie:
            used()

    try:
        await live_connection(socket, floor, watcher, is_within_rate, note_command)
    finally:
        if ending is not None:
            ending.cancel()
        sessions.sockets_of_address.leave(came_from)
        if name is not None:
            sessions.sockets_of_person.leave(name)


def _too_many_connections(sessions: Sessions, came_from: str, name: str | None) -> str:
    """Count the connection and return an empty text; return why it is refused where there is no room."""
    if not sessions.sockets_of_address.enter(came_from):
        most = sessions.sockets_of_address.most
        return f"Your address already has {most} live connections. Close one first."
    if name is not None and not sessions.sockets_of_person.enter(name):
        sessions.sockets_of_address.leave(came_from)
        return f"You already have {sessions.sockets_of_person.most} live connections. Close one first."
    return ""
