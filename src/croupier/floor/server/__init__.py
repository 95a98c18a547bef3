"""Owns the floor's doors: HTTP and WebSocket, log-in and sessions, what each post may ask for.

It must not know a rule of a game: errors are the engine's refusals, views are the engine's views.
"""
