"""Owns the exact mathematics of every game: odds, best decisions, side bets and jackpots, from the declared rulebook.

It must not know rounds, journals or the floor; numba and matplotlib are loaded only when a figure is asked for.
"""
