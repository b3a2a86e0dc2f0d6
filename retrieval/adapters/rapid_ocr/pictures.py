"""Pages of a PDF, or the frames of an image file, to pictures."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, ImageOps, ImageSequence

DOTS_PER_INCH = 200
_POINTS_PER_INCH = 72
MOST_PIXELS = 25_000_000
"""Of a picture that is read; larger ones are made smaller."""
MOST_FILE_PIXELS = 150_000_000
"""Of an image file: its pixels have to be in memory once before they can be fewer."""
MOST_FRAMES = 200


class TooManyPixels(ValueError):
    """An image file that is not worth its memory."""


def pages_of(source: Path, numbers: Sequence[int]) -> Iterator[tuple[int, Image.Image]]:
    """Pages by number from 1. Raises PdfiumError for a PDF that cannot be opened; pages that cannot be drawn are left
    out."""
    document = pdfium.PdfDocument(source)
    for number in numbers:
        try:
            page = document[number - 1]
            width, height = page.get_size()
            fitting = (MOST_PIXELS / max(width * height, 1)) ** 0.5
            drawn = page.render(scale=min(DOTS_PER_INCH / _POINTS_PER_INCH, fitting))
            yield number, _opaque(drawn.to_pil())
        except pdfium.PdfiumError:
            continue


def frames_of(source: Path) -> Iterator[tuple[int, Image.Image]]:
    """Frames from 1, as a viewer shows them. Raises TooManyPixels, OSError for what is no image."""
    with Image.open(source) as image:
        frames = min(getattr(image, "n_frames", 1), MOST_FRAMES if image.format == "TIFF" else 1)
        for number, frame in zip(range(1, frames + 1), ImageSequence.Iterator(image), strict=False):
            if frame.width * frame.height > MOST_FILE_PIXELS:
                raise TooManyPixels
            yield number, _opaque(ImageOps.exif_transpose(frame))


def _opaque(image: "Image.Image") -> "Image.Image":
    """On white, where a picture is transparent, and no larger than is read."""
    ratio = (MOST_PIXELS / (image.width * image.height)) ** 0.5
    if ratio < 1:
        image = image.resize((int(image.width * ratio), int(image.height * ratio)))
    if image.mode not in ("RGB", "L"):
        layered = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", layered.size, "white"), layered)
    return image.convert("RGB")
