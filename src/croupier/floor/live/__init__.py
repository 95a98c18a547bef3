"""Owns the running floor: requests to the writer, changes to everyone who follows, clocks and bots.

It must not know HTTP or WebSocket.
"""
