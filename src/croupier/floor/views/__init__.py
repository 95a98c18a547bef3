"""Owns what each person may see of tables, rounds, meters and awards, built from an allow list.

It must not change anything, and must not know how a view is sent.
"""
