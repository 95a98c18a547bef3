"""House-banked casino poker, run exactly as the operators' rule documents say.

Croupier owns the rules of five games and what follows from them, and every cent that moves names its paragraph.
It knows nothing of any one house: limits, layouts, meters and people come in from outside.
"""

__version__ = "0.1.0"
