"""Owns the HTTP resources, one module per resource.

A route must not judge: it asks the floor, and answers with what the floor said.
"""
