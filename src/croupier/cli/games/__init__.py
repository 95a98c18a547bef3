"""Owns the commands about the games themselves: rules, scripts, rulings, training, exact results, simulation.

It must not know a house's journal.
"""
