"""Owns what operators read of a running server: logs, figures for Prometheus, traces.

It must not know a card, a secret or a player's name.
"""
