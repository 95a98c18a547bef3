"""Owns log-in: passwords, second factors, sessions, their end, and the lock of an idle one.

It must not know what a person may do once logged in.
"""
