"""Owns the commands of people who run or check a house: server, accounts, journal, backups, exports, proofs.

It must not know a rule of a game.
"""
