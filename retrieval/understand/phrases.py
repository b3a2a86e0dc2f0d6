"""The phrase tables of phrases.toml to compiled patterns."""

import tomllib
from functools import lru_cache
from importlib import resources

import regex

Table = dict[str, str]
"""One alternation of phrases a language."""

_UNSPACED = {"zh", "ja"}


@lru_cache(maxsize=1)
def _tables() -> dict[str, Table]:
    source = resources.files("retrieval.understand").joinpath("phrases.toml").read_text("utf-8")
    return {
        name: {lang: "|".join(phrases) for lang, phrases in table.items()}
        for name, table in tomllib.loads(source).items()
    }


@lru_cache(maxsize=256)
def anywhere(table: str, lang: str) -> "regex.Pattern[str]":
    """Matches a phrase of that table and language (else English) as whole words."""
    phrases = _tables()[table]
    body = phrases.get(lang, phrases["en"])
    if lang in _UNSPACED:
        return regex.compile(f"(?:{body})")
    return regex.compile(rf"(?<![\p{{L}}\p{{N}}'’])(?:{body})(?![\p{{L}}\p{{N}}])")


@lru_cache(maxsize=8)
def whole(*tables: str) -> dict[str, "regex.Pattern[str]"]:
    """By language of the first table: matches a message that is nothing but phrases of the tables, whoever it
    addresses."""
    first, *others = [_tables()[table] for table in tables]
    addressees = _tables()["addressees"]["any"]
    filler = rf"(?:[\s\p{{P}}\p{{S}}]|(?:{addressees})(?!\p{{L}}))*"
    return {
        lang: regex.compile(
            rf"(?:{filler}(?:{'|'.join([body, *(table[lang] for table in others)])})(?!\p{{Latin}}))+{filler}"
        )
        for lang, body in first.items()
    }


@lru_cache(maxsize=16)
def edges(lang: str) -> tuple["regex.Pattern[str]", "regex.Pattern[str]"]:
    """Greetings, courtesies and reactions at the start, greetings and courtesies at the end, of a message of that
    language, or in English."""
    tables = (_tables()["greetings"], _tables()["courtesies"])
    body = "|".join(table[code] for code in dict.fromkeys((lang, "en")) for table in tables if code in table)
    word_end = "" if lang in _UNSPACED else r"(?![\p{L}\p{N}'’])"
    addressee = rf"(?:[\s,]+(?:{_tables()['addressees']['any']})(?!\p{{L}}))?"
    phrase = rf"(?:{body}){word_end}{addressee}"
    separator = r"[\s\p{Po}\p{Pd}]"
    reactions = _tables()["reactions"]
    reaction = "|".join(reactions[code] for code in dict.fromkeys((lang, "en")) if code in reactions)
    start = rf"^(?:{separator}*{phrase}{separator}*|(?:{reaction})\s*[,.!…，。！、]+\s*)+(?:(?:if|whether)\s+)?"
    end = rf"(?:{separator}+{phrase})+{separator}*$"
    return regex.compile(start, regex.I), regex.compile(end, regex.I)
