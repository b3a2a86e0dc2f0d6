"""Events and interactions to envelopes on the app's WebSockets, and its acks back."""

from workspace.socket_mode.link import Link

__all__ = ["Link"]
