"""From a conversation to a cited answer, from a file to passages; knows nothing of Slack."""
