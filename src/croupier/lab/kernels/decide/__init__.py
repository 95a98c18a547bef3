"""Owns decisions over all positions: the best ones as bits, rules of thumb, withdrawals.

It must not know random numbers.
"""
