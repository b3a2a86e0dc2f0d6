"""A conversation becomes a query."""
