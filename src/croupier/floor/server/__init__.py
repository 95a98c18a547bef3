"""Owns HTTP and WebSocket: routes, log-in and sessions, the guard, the bodies on the wire, the description of the API.

It must not know a rule of a game: refusals are the engine's, views come from `floor/views`.
"""
