"""The lab at the command line; its commands stand with it, and load the kernels only when they run."""

from __future__ import annotations

from croupier.lab.commands import advise, analyze, report, strategy

__all__ = ["advise", "analyze", "report", "strategy"]
