"""Owns second ways to count: rounds of one hand, two plays on the same cards, the plain solver.

Only checks and tests may call it.
"""
