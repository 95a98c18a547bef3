"""Owns the PAR sheet: figures with their second checks, as data, as a page and as plots.

It must not compute a figure of its own.
"""
