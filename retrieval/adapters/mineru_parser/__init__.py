"""Files to blocks, by MinerU in a child process or on a server."""

from retrieval.adapters.mineru_parser.examination import server_checks
from retrieval.adapters.mineru_parser.parser import MinerUParser

__all__ = ["MinerUParser", "server_checks"]
