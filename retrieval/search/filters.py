"""Filters that match nothing become criteria: a wish is weighed where it cannot be enforced, never dropped."""

from dataclasses import replace

from retrieval.types import ExtractedQuery, Filters


def loosened(query: ExtractedQuery) -> ExtractedQuery:
    """The query with its filters as criteria for the reranker. Superseded versions stay beside the current ones."""
    past = query.filters.past and replace(query.filters.past, alone=False)
    return replace(query, filters=Filters(past=past), criteria=(*query.criteria, *_as_criteria(query.filters)))


def _as_criteria(filters: Filters) -> list[str]:
    wishes = [f"from the document {name}" for name in filters.documents]
    wishes += [f"about {tag}" for tag in filters.tags]
    if filters.since:
        wishes.append(f"dated {filters.since.isoformat()} or later")
    if filters.until:
        wishes.append(f"dated {filters.until.isoformat()} or earlier")
    if filters.past and filters.past.as_of:
        wishes.append(f"in force on {filters.past.as_of.isoformat()}")
    return wishes
