"""Owns the second judgement: every command again, by the functions of the house, at its tables and on their link.

It must not know how the records were checked by themselves.
"""
