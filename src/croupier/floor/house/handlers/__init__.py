"""Owns what each kind of command does, one module per subject.

A handler must not write: it tells the transaction what happened.
"""
