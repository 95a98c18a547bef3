"""Journals that earlier releases wrote, and what this release must still make of them."""
