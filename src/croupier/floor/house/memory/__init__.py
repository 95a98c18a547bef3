"""Owns the house in memory: its state, what one command changes, what people are shown, and snapshots of it.

It must not know how a command is judged.
"""
