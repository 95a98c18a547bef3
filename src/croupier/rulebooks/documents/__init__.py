"""Owns the documents that are installed: editions, rulebook folders from outside, and their text in our words.

It must not know what a rulebook declares.
"""
