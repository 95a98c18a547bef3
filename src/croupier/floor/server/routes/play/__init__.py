"""Owns the routes of play: games, tables, live connections, links, advice, and a player's own rounds.

It must not know a rule.
"""
