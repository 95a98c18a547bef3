"""Owns the routes of the academy: lessons, drills, exams, certificates.

It must not know a table of the house.
"""
