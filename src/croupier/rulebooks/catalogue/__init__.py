"""Owns the rulebooks as loaded values: by name and edition, checked for form, with their content hashes.

It must not know a table or its terms.
"""
