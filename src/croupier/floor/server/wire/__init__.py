"""Owns the bodies of requests and responses, one module per resource; bodies that are views stand in `floor/views`.

It must not judge, and must not know how a body is sent.
"""
