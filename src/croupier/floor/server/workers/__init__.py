"""Owns processes beside the server: the lab's advice and the audit, so that neither holds up play.

A worker must not write to the house.
"""
