"""Measuring on one's own questions and documents: what the pipeline makes of them, and where it goes wrong."""
