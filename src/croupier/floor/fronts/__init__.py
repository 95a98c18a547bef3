"""Owns front processes: they serve live connections from a copy of the committed state and forward what people ask.

It must not know the rules of a command: the house judges, and a front says what the house has answered.
"""
