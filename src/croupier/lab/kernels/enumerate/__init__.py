"""Owns the counting of every deal: rank patterns, flushes, rivers, streets, flops, single positions, awards.

It must not know random numbers.
"""
