"""Owns who may do what: posts, permissions on which conditions, and bounds of what one person may do alone.

It must not know people, tables or the journal: it declares.
"""
