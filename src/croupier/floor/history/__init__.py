"""Owns what was: played rounds, exports, backups, archives and the figures of a link.

It reads over connections of its own and must not hold up play.
"""
