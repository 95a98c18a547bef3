"""Owns the processes of a server: a house, its fronts, their supervisor, and what each checks and prints at its start.

It must not know a route.
"""
