"""Owns the game as mathematics sees it, and how another game is made of it by changing a rule.

It must not know kernels: what a Bet comes to is declared by the rulebook, and read here.
"""
