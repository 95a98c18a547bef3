"""Owns what was: played rounds, their exports, and figures of links and of the floor.

It reads over connections of its own and must not hold up play.
"""
