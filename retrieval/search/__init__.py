"""A query becomes evidence."""
