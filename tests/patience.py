"""How long a test waits for what must happen. It costs nothing where it happens at once; a machine that is four times
slower, or busy with something else, is slow and not wrong.
"""

from __future__ import annotations

import os

PATIENCE = float(os.environ.get("CROUPIER_TEST_PATIENCE", "300"))
"""Seconds for an answer, a process that starts or stops, something that comes by itself."""
COMPILING = 1800.0
"""Seconds for a lab that may have to compile its kernels first."""
