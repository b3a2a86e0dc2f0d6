"""Slack's limits, and the room this bot leaves below them."""

MARKDOWN_CHARS = 12_000
"""All `markdown` blocks of one message together."""

MESSAGE_BLOCKS_CHARS = 13_200
"""All text in the blocks of one message. Not documented; above it Slack answers `msg_blocks_too_long`."""

ANSWER_CHARS = 10_000
"""Answer in one message's `markdown` block; with SOURCES_CHARS it stays below MESSAGE_BLOCKS_CHARS."""

SOURCES_CHARS = 2_900
"""Context line of one message. A text object may have 3,000 characters."""

TEXT_OBJECT_CHARS = 2_900
"""One text object in a block, which may have 3,000 characters."""

TEXT_CHARS = 3_900
"""`text` of one message: `chat.update` takes 4,000, `chat.postMessage` recommends no more."""

NOTIFICATION_CHARS = 3_000
"""Fallback `text` beside blocks, shown in notifications."""

SOURCE_LINE_CHARS = 1_000
"""Places of one document on one line under an answer."""

NAME_CHARS = 120
"""A document's name as people see it."""

SECTION_CHARS = 200
"""A section path as people see it."""

UPLOAD_FILES = 10
"""Files of one `file_input`."""

OPTIONS, OPTION_CHARS = 30, 75
"""Options offered at once, and the text of each: they go back in an ack, which Slack cuts off beyond 20 KiB."""

REPLIES_PAGE = 15
"""Messages per call of `conversations.replies`: what Slack grants the most restricted apps."""

REPLIES_PAGES = 10
"""Pages read of a thread the bot was called into."""

BLOCKS_REFUSED = frozenset(
    {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "markdown_text_conflict"}
)
"""Errors of `chat.postMessage` after which the same content goes out as text."""
