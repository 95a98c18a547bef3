"""Owns how to play: advice in one position, the strategy chart and card, rules of thumb, exploits and their value.

It must not know how a figure is checked or shown.
"""
