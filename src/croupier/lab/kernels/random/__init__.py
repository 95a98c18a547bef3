"""Owns random rounds: the counter-based generator, single rounds, a table of several boxes.

It must not know how a figure is reported.
"""
