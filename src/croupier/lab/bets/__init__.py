"""Owns each Bet by itself: side Bets, the jackpot Bet, what they return, and how they change the best play.

It must not know strategies or reports.
"""
