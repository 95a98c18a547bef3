"""Owns section 5 of the documents: reports of incidents, their consequences, and the rulings that a Round waits for.

It must not know a document: a rulebook declares which entry fits an incident, and what follows.
"""
