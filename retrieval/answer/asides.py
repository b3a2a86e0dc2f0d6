"""Sentences of an answer that tell what the evidence does not hold: they claim nothing that it could bear out."""

from functools import lru_cache

import regex

from retrieval.answer.wording import say

_LONGEST = 250
_EVIDENCE = (
    r"passages?|documents?|documenta(?:tion|ção)|sources?|context|knowledge base|evidence|excerpts?|information"
    r"|details?|passagens|documentos?|fontes?|contexto|base de conhecimento|informaç\w+|informaci\w+|fuentes?|pasajes"
    r"|textes?|contexte|extraits|Dokumente?n?|Quellen?|Kontext|Informationen|Angaben|Textstellen"
)
_LACKS = (
    r"(?:do|does|did|is|are)(?: not|n['’]t)|no|not|lacks?|without"
    r"|não|nenhuma?|no|ningun[ao]|ne|n['’]|aucune?|pas|nicht|keine?n?"
)
_ABSENCE = regex.compile(
    rf"\b(?:{_EVIDENCE})\b[^.!?]{{0,60}}\b(?:{_LACKS})\b|\b(?:{_LACKS})\b[^.!?]{{0,25}}\b(?:{_EVIDENCE})\b"
    r"|(?:资料|文档|文件|知识库|来源|段落|内容)[^。]{0,12}(?:没有|未|不)|(?:没有|未)[^。]{0,12}(?:信息|资料|内容|说明)"
    r"|(?:資料|文書|情報|記載|ナレッジベース)[^。]{0,20}(?:ません|ない|なし)",
    regex.I,
)


def is_aside(sentence: str, lang: str) -> bool:
    """Whether the sentence only tells what is missing: in words of a model, or in our own, for that language."""
    return len(sentence) <= _LONGEST and bool(is_ours(sentence, lang) or _ABSENCE.search(sentence))


def is_ours(sentence: str, lang: str) -> bool:
    """Whether it tells what is missing in our own words: no passage can bear that out."""
    return sentence == say("incomplete", lang) or bool(_unanswered(lang).fullmatch(sentence))


@lru_cache(maxsize=32)
def _unanswered(lang: str) -> "regex.Pattern[str]":
    before, after = say("unanswered", lang).split("{question}")
    return regex.compile(f"{regex.escape(before)}.*{regex.escape(after)}")
