"""Within the child process: pages of a PDF turned so that their text runs from left to right.

MinerU reads the lines of other pages in any order, or not at all.
"""

import itertools
import math
from collections import defaultdict

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from retrieval.adapters.mineru_parser.pdf_pictures import box_of, matrix_of

_MOST_TEXTS = 300
"""Of a page, from which its direction is told."""
_MOST_OF_IT = 0.6
_QUARTER = 90


def turn_upright(page: pdfium.PdfPage) -> bool:
    """Turns the page if most of its text runs otherwise. Whether it did."""
    upright = _direction(page)
    if upright is None or upright == page.get_rotation():
        return False
    page.set_rotation(upright)
    return True


def _direction(page: pdfium.PdfPage) -> int | None:
    """By how many degrees, of 0, 90, 180 and 270, most of its text is turned counterclockwise; None where most of it
    has no such direction."""
    lengths: defaultdict[int, float] = defaultdict(float)
    for text in itertools.islice(page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_TEXT]), _MOST_TEXTS):
        left, bottom, right, top = box_of(text)
        matrix = matrix_of(text)
        quarters = math.degrees(math.atan2(matrix.b, matrix.a)) / _QUARTER
        if abs(quarters - round(quarters)) < 0.1:
            lengths[round(quarters) % 4 * _QUARTER] += max(right - left, top - bottom)
    direction = max(lengths, key=lambda turned: lengths[turned], default=0)
    return direction if lengths[direction] > _MOST_OF_IT * sum(lengths.values()) else None
