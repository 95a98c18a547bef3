"""Owns the rigs that load, kill, cut off and imitate a house, and the private PostgreSQL that they use.

The product must not import it; only `croupier bench` does.
"""
