"""Lets the tests of exports use the environments that the foreign clients have."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "clients"))
