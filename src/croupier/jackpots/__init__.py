"""Owns the link that joins tables to one progressive jackpot: meter, contributions, claims, and the order of awards
across tables. It must not know clocks, files or servers; it reads the events of rounds and answers with payments.
"""
