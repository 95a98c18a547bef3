"""Owns cards as integers: ranking, lookup tables, shapes of boards, classes of suits.

It must not know decisions or Bets.
"""
