"""A name to whether a text holds it."""

from collections.abc import Set

import regex

from retrieval.text import terms


def is_named(name: str, text: str, held: Set[str], lang: str, *, same_language: bool) -> bool:
    """Whether the text, with the terms that it holds, has a name that is written in the language `lang`.

    In a text of that language by its term, in another by its very letters: "Mars" is not the French month. Numbers
    are the same term in any language, and no part of a longer one.
    """
    if same_language or regex.search(r"\d", name):
        return not held.isdisjoint(terms(name, lang)[:1])
    return name in text
