"""Owns copies of a journal outside its database: backups, archives of closed days, their encryption, the restore drill.

It must not know the play of now, and how a command asks for a copy.
"""
