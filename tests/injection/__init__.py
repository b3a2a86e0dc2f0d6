"""Documents and messages that try to make the bot do what they want, and what they achieve: nothing."""
