"""Owns each Bet by itself beside the best play: side Bets, the jackpot Bet, what they return and how they weigh in.

It must not know strategies or reports.
"""
