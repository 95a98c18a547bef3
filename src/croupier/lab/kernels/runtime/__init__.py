"""Owns the binding to numba: how kernels are compiled, ahead of time or at their first call, cached and shared out.

It must not know what a kernel counts.
"""
