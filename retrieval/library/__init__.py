"""A file becomes passages in the store."""
