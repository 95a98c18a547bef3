"""Owns simulation: random rounds played by a strategy, counted by outcome and priced by the rulebook's terms.

It must not know rounds, journals or the floor.
"""
