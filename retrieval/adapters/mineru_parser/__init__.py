"""PDF, Word and HTML files to blocks, by MinerU's weight-free tier in a child process."""

from retrieval.adapters.mineru_parser.parser import MinerUParser

__all__ = ["MinerUParser"]
