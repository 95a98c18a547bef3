"""Owns people: accounts and how they prove who they are, names apart from ids, proposals for two people, and which
command a person may send.

It must not know how a command is carried out, nor HTTP.
"""
