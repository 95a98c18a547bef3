"""What the rule documents say, one module for each document, in its order and words.

A rulebook declares and never runs: it knows bets, pay tables, procedures and paragraphs.
It must not know of a Round in progress, a clock, a file of events or another rulebook.
"""
