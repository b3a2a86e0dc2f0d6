"""The child process: `python -m retrieval.adapters.mineru_parser IN OUT.json TIER [URL]`."""

import sys
from pathlib import Path

from retrieval.adapters.mineru_parser.child import run

run(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
