"""Within the child process: which text of a PDF page cannot be seen, told by pictures of the page.

A page is drawn with its text and without. Text that makes no difference, or stands in the colour of what is behind
it, is not seen, in whatever way that was brought about: an invisible render mode, transparency, a clip, a layer that
is off, white on white, something drawn over it.
"""

import contextlib
import ctypes
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from retrieval.types import Concealment

_LONGEST_SIDE_PIXELS = 2_000
_SMALLEST_POINTS = 2.0
_LIKE = 16
"""Of 255: colours that differ by no more in red, green and blue are not told apart."""
_FILLED, _STROKED = (0, 4), (1, 5)
"""Text render modes of the PDF standard."""

Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in points."""

Pixels = NDArray[np.uint8]
"""Shape (height, width, 4): red, green, blue, unused."""


def texts_on(page: pdfium.PdfPage) -> list[pdfium.PdfTextObj]:
    """The text objects of the page in the order in which they are drawn, those within form objects too."""
    return list(page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_TEXT]))


def switch(texts: Sequence[pdfium.PdfObject], *, on: bool) -> None:
    """What is off is neither drawn, read nor saved."""
    for text in texts:
        pdfium_c.FPDFPageObj_SetIsActive(text, on)


def box_of(item: pdfium.PdfObject) -> Box:
    """Where it lies on the page."""
    box: Box = item.get_bounds()
    return box if item.container is None else _outer(item).on_rect(*box)


def _outer(item: pdfium.PdfObject) -> pdfium.PdfMatrix:
    """From where the object is drawn, perhaps a form, to the page."""
    matrix, form = pdfium.PdfMatrix(), item.container
    while form is not None:
        matrix, form = matrix.multiply(form.get_matrix()), form.container
    return matrix


def matrix_of(text: pdfium.PdfTextObj) -> pdfium.PdfMatrix:
    """From the text's own space to the page."""
    return text.get_matrix() if text.container is None else text.get_matrix().multiply(_outer(text))


def _points(text: pdfium.PdfTextObj) -> float:
    """The size in which it is drawn."""
    matrix = matrix_of(text)
    return float(text.get_font_size() * math.hypot(matrix.c, matrix.d))


def _colour(text: pdfium.PdfTextObj) -> tuple[int, int, int, int] | None:
    """Red, green, blue and opacity of the one colour it is drawn in; None where it has none or several."""
    mode = pdfium_c.FPDFTextObj_GetTextRenderMode(text)
    read = pdfium_c.FPDFPageObj_GetFillColor if mode in _FILLED else pdfium_c.FPDFPageObj_GetStrokeColor
    values = [ctypes.c_uint() for _ in range(4)]
    if mode not in _FILLED + _STROKED or not read(text, *values):
        return None
    red, green, blue, opacity = (int(value.value) for value in values)
    return red, green, blue, opacity


@dataclass
class Pictures:
    """A page as it looks, and as it would without its text."""

    page: pdfium.PdfPage
    texts: Sequence[pdfium.PdfTextObj]
    behind: Pixels = field(init=False)
    differs: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        seen = self._drawn()
        switch(self.texts, on=False)
        self.behind = self._drawn()
        switch(self.texts, on=True)
        self.differs = seen.view(np.uint32)[..., 0] != self.behind.view(np.uint32)[..., 0]

    def hidden(self) -> Iterator[tuple[pdfium.PdfTextObj, Concealment]]:
        """The texts that are not seen."""
        for text in self.texts:
            with contextlib.suppress(pdfium.PdfiumError):  # it has no place on the page
                if why := self._concealment(text):
                    yield text, why

    def _drawn(self) -> Pixels:
        scale = min(1.0, _LONGEST_SIDE_PIXELS / max(*self.page.get_size(), 1.0))
        bitmap = self.page.render(
            scale=scale, draw_annots=False, may_draw_forms=False, rev_byteorder=True, prefer_bgrx=True
        )
        self._place = bitmap.get_posconv(self.page)
        pixels = np.array(bitmap.to_numpy())
        bitmap.close()
        return pixels

    def _concealment(self, text: pdfium.PdfTextObj) -> Concealment | None:
        rows, columns = self._pixels_of(box_of(text))
        changed = self.differs[rows, columns]
        if not changed.size:
            return "outside"
        if _points(text) < _SMALLEST_POINTS:
            return "tiny"
        if self._is_like_behind(text, rows, columns):
            return "background"
        return None if changed.any() else "invisible"

    def _is_like_behind(self, text: pdfium.PdfTextObj, rows: slice, columns: slice) -> bool:
        colour = _colour(text)
        if colour is None:
            return False
        *shown, opacity = colour
        behind = self.behind[rows, columns, :3]
        tolerance = _LIKE * 255 / max(opacity, 1)
        if any(abs(int(b) - s) > tolerance for b, s in zip(behind[0, 0], shown, strict=True)):
            return False  # most often one pixel settles it
        return bool((np.abs(behind - np.array(shown, dtype=np.int16)) <= tolerance).all())

    def _pixels_of(self, box: Box) -> tuple[slice, slice]:
        """Rows and columns, empty for what lies outside the picture."""
        height, width = self.differs.shape
        corners = (self._place.to_bitmap(*box[:2]), self._place.to_bitmap(*box[2:]))
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(*corners, strict=True))
        return slice(max(top, 0), max(min(bottom + 1, height), 0)), slice(max(left, 0), max(min(right + 1, width), 0))
