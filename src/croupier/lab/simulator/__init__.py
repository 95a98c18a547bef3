"""Owns simulation: rounds dealt at random, played by a strategy, counted by outcome and priced by the rulebook's terms.

It must not know rounds, journals or the floor; what plays on a floor with a jackpot link stands above it.
"""
