"""A MinerU server to a check of it."""

from collections.abc import Iterator

from retrieval.adapters.mineru_parser.engine import NotUsable, ReadingFailed
from retrieval.adapters.mineru_parser.served import VERSION, ServedMinerU
from retrieval.settings import ModelAddress
from retrieval.types import Check

SUBJECT = "MinerU server"


def server_checks(server: ModelAddress | None, tier: str) -> Iterator[Check]:
    """Whether it answers, is of the right release, takes the key and offers the tier. Nothing where there is none."""
    if server is None:
        return
    try:
        ServedMinerU(server.base_url, server.key, tier).get_to_know()
    except NotUsable as not_usable:
        yield Check(SUBJECT, "wrong", advice=str(not_usable))
    except ReadingFailed as failed:
        told = f"it {failed}; start it, or correct MINERU_API_URL. Until then this machine reads documents by itself"
        yield Check(SUBJECT, "wrong", advice=told)
    else:
        yield Check(SUBJECT, "ok", {"served": True, "address": str(server), "version": VERSION, "tier": tier})
