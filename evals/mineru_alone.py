"""MinerU by itself over a PDF: `python -m evals.mineru_alone PDF PAGES PAGES_AT_ONCE`, as a measure for what we add."""

import os
import sys

from mineru.parser import parse

# MinerU starts workers that import this module again, hence the guard.
if __name__ == "__main__":
    os.nice(10)  # as our own child process
    path, pages, at_once = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for first in range(1, pages + 1, at_once):
        parse(path, tier="flash", ocr_mode="txt", page_range=f"{first}-{min(first + at_once - 1, pages)}")
