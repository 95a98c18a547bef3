"""Owns the running house: tables, people, chance and the cashier, each command durable before it is answered.

It must not know a game's rule, nor how an entry balances: it asks `rounds`, `jackpots` and `ledger`, and writes down
what they answer.
"""
