"""Owns the dispute pack: one round as a page that needs no network, checks itself and answers what-if questions.

It must not know how a page is served, and changes nothing: it reads a round that is over.
"""
