"""Owns the second checks: every figure again, by a way that shares only the rulebook with the first.

It must not know pages; the figures that it checks come in as arguments.
"""
