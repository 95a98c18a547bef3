"""The lab: every kernel against its slow twin, every figure against what is published or known."""
