"""Owns the reconstruction of a deal that went wrong: from what lies on the felt to the layouts that were intended.

Pure, like `rounds`. It must not know who asks, nor decide: a person rules with its answer in front of them.
"""
