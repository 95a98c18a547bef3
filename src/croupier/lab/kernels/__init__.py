"""Owns the compiled counting: integers in, integers out, each kernel with a slow plain twin in the reference.

It must not know rulebooks or money; the caller brings the coefficients and divides afterwards.
"""
