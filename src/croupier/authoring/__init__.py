"""Owns the tools of a rules author: a new rulebook folder, its conformance scripts, its checks.

It must not know a house: a rulebook is checked from its declarations, by replay and by the lab.
"""
