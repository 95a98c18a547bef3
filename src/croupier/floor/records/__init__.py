"""Owns what is asked of the house and what happened, and the form in which both are kept.

It must not judge: a command here is a value, a fact is a value, a table is state without behaviour.
"""
