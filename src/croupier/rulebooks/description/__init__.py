"""Owns rulebooks as people read them: plain words, pages, two books side by side, a paragraph's way to its tests.

It must not know how a Round is played.
"""
