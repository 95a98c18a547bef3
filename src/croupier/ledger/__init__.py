"""Owns the ledger: every event that moves money becomes one balanced entry here and nowhere else.

It must not know who asked, nor how entries are stored; it reads rounds' and links' events and answers with postings.
"""
