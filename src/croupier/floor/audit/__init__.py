"""Owns the audit: from the records alone every hash, entry, balance, meter, deck and settlement again.

It must not trust anything that the running house remembers.
"""
