"""Text of scanned pages and images, by RapidOCR in a child process; its weights come with it."""

from retrieval.adapters.rapid_ocr.recognizer import RapidOcr

__all__ = ["RapidOcr"]
