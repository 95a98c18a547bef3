"""Owns the second ways to count: rounds of one hand, two plays on the same cards, the plain solver.

Nothing but checks and tests calls it.
"""
