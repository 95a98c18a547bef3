"""Owns a Round of play: what is asked (commands), what happened (events), where it stands (state), and the judgement
between them. It must not know clocks, chance, files or money beyond whole cents: they come in as arguments.
"""
