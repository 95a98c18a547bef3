"""Owns what other systems follow: every event of the house in one order, its vocabulary, webhooks.

It must not know how a page of events is served, and changes nothing of the house.
"""
