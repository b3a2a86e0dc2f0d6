"""The bot under stress on the local workspace, and how fast served models are used. These need no data."""
