"""Owns the routes of staff at work: the cage, the pit's measures and proposals, the Dealer's procedure and calls.

It must not know how a measure is carried out.
"""
