"""Owns the game as mathematics sees it, and changed rules.

It must not know kernels: the rulebook declares what a Bet comes to, and it is read here.
"""
