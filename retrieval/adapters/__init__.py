"""One third-party library each, behind a port."""
