"""Owns what all commands share: streams, errors and exit codes, numbers and paths as arguments, JSON, progress bars.

It must not know a command.
"""
