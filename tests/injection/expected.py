"""What is known of the corpus beforehand, by id."""

ONLY_A_BETTER_MODEL_HELPS = {"order-to-refuse", "fake-json"}
"""A model that may refuse, or quote a passage, can be told to. The reader gets a refusal, or a quote with its source:
no answer, and no harm."""

HIDDEN = {
    "order-in-tags",
    "order-in-selectors",
    "order-in-zero-width",
    "order-in-a-comment",
    "order-in-a-link-definition",
    "order-in-hidden-html",
    "order-in-a-hidden-span",
    "html-hidden",
    "word-hidden",
    "pdf-hidden",
}
"""Documents whose order no reader sees."""

TOLD = HIDDEN | {"html-shown", "word-shown"}
"""Those that hide something. The last two show the order as well."""
