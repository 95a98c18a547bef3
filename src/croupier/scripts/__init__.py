"""Owns round scripts: parsing them, playing them through the same engine as the floor, and printing the results.
It must not know a game's rule: the rulebooks and `rounds` answer every step.
"""

from croupier.scripts.builder import Refused, RoundScript
from croupier.scripts.parse import BadScript, Script, parse_script, read_script
from croupier.scripts.replay import replay
from croupier.scripts.result import Result

__all__ = ["BadScript", "Refused", "Result", "RoundScript", "Script", "parse_script", "read_script", "replay"]
