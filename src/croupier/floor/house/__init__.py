"""Owns the house: every command is judged, entered into the ledger and the journal in one transaction, then answered.

It must not know who watches, nor how a request came in.
"""
