"""A local Slack: Web API, Socket Mode, a page for people and a control API for tests, all state in memory."""
