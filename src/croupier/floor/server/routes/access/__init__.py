"""Owns the routes of log-in, accounts, people and their duties.

It must not know tables.
"""
