"""The Slack edge: events in, one cited reply in the thread out."""
