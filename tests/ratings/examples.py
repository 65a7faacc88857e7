"""The official examples of RULES §4."""

import json
from pathlib import Path

EXAMPLES = json.loads((Path(__file__).parent / "data" / "examples.json").read_text())
