"""Owns the exact solution of the base game: every deal counted, values and best decisions as fractions.

It must not know side Bets, jackpots or reports.
"""
