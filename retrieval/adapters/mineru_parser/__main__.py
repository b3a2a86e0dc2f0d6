"""The child process: `python -m retrieval.adapters.mineru_parser IN OUT.json`."""

import sys
from pathlib import Path

from retrieval.adapters.mineru_parser.child import run

# MinerU starts workers that import this module again, hence the guard.
if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]))
