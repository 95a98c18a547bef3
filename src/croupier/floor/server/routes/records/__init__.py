"""Owns the routes of those who look back or watch: rounds, audits, disputes, the feed, health and metrics.

It must not know a round that is still being played.
"""
