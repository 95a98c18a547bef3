"""Owns what has happened, on disk: append-only streams of records, hash-chained, in SQLite or PostgreSQL.

It must not know what an event means: the caller judges before appending, and replays after reading.
"""
