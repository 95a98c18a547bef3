"""Owns the simulated floor: many tables on one jackpot link, lived through years at a time, and its reports.

Cards and decisions come from the lab's kernels, awards from the link itself; a sample of its rounds is played by the
real house. It must not know how a running house is served.
"""
