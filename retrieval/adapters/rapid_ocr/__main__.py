"""The child process: `python -m retrieval.adapters.rapid_ocr IN OUT.json [PAGE ...]`."""

import sys
from pathlib import Path

from retrieval.adapters.rapid_ocr.child import run

if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]), [int(page) for page in sys.argv[3:]])
