"""Owns the binding to numba: compiling kernels ahead of time or at their first call, caching them, sharing work.

It must not know what a kernel counts.
"""
