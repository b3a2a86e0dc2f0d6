"""Text to terms, sentences and language, in any script: the one place that cuts text."""

import threading
import unicodedata
from functools import lru_cache
from importlib import resources
from itertools import pairwise

import regex
import Stemmer
from py3langid.langid import MODEL_FILE, LanguageIdentifier

SCHEME = 1
"""Grows when `terms` changes its output, so that keyword indexes made with another scheme are rebuilt."""

LANGUAGES = ("en", "pt", "fr", "es", "de", "it", "nl", "pl", "tr", "ru", "ar", "ko", "ja", "zh", "th")
"""What `language` tells apart (ISO 639-1): the languages of the embedded sentence encoder."""

UNSPACED_LANGUAGES = frozenset({"zh", "ja", "th"})
"""Those whose terms are bigrams."""

_STEMMERS = {
    "en": "english", "pt": "portuguese", "fr": "french", "es": "spanish", "de": "german",
    "it": "italian", "nl": "dutch", "ru": "russian", "tr": "turkish",
}  # fmt: skip
_CONFIDENT = 0.5
_SAMPLE_CHARS = 1000

_local = threading.local()

_INVISIBLE = regex.compile(r"[\p{Cf}\p{Cc}--[\t\n\r\u200d]]", regex.V1)
_ACCENTS = regex.compile(r"[\u0300-\u036f]")
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
UNSPACED = regex.compile(rf"[{_UNSPACED}]")
"""A letter of a script that puts no space between words."""

_TOKEN = regex.compile(
    rf"(?:[{_UNSPACED}]\p{{M}}*ー?)+"
    rf"|(?:[\p{{L}}\p{{N}}--[{_UNSPACED}]]\p{{M}}*)+(?:[-'’._/+,:](?:[\p{{L}}\p{{N}}--[{_UNSPACED}]]\p{{M}}*)+)*",
    regex.V1,
)
_GROUPED_NUMBER = regex.compile(r"\d{1,3}(?:[.,'’]\d{3})+")
_DECIMAL = regex.compile(r"\d+[.,]\d+")
_JOINT = regex.compile(r"[^\p{L}\p{N}\p{M}]+")
_DIGIT, _NO_DIGIT = regex.compile(r"\d"), regex.compile(r"\D")
_LETTERS_FOLDED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})


def normalise(text: str) -> str:
    """Compatibility forms unified (ligatures, full width) and invisible characters removed."""
    if text.isascii() and text.isprintable():
        return text
    return str(_INVISIBLE.sub("", unicodedata.normalize("NFKC", text)))


def fold(text: str) -> str:
    """Lower case without Latin, Greek or Cyrillic accents: "MANUTENÇÃO" and "manutencao" are one."""
    if text.isascii():
        return text.lower()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", text.casefold()))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS_FOLDED)


def language(text: str, default: str = "en") -> str:
    """ISO 639-1 code, one of LANGUAGES; `default` where the text is too short or mixed to tell."""
    return _language(text[:_SAMPLE_CHARS], default)


@lru_cache(maxsize=50_000)
def _language(sample: str, default: str) -> str:
    if regex.search(r"[\p{Hiragana}\p{Katakana}]", sample):
        return "ja"
    code, confidence = _identifier().classify(sample)
    return str(code) if confidence >= _CONFIDENT else default


def encodable(text: str) -> str:
    """The text with what no encoding can hold (lone surrogates) replaced by question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def terms(text: str, lang: str | None = None) -> list[str]:
    """Search terms in order of appearance, stop words left out unless nothing else is there.

    Words give their folded form and, where it differs, their stem; codes give themselves and their parts;
    numbers lose their grouping ("3,150,000" is "3150000"); unspaced scripts give overlapping bigrams.
    """
    return list(_terms(text, lang))


@lru_cache(maxsize=8_000)  # the same passages are looked at question after question
def _terms(text: str, lang: str | None) -> tuple[str, ...]:
    clean = normalise(text)
    lang = lang or language(clean)
    tokens = [match.group() for match in _TOKEN.finditer(clean)]
    found = tuple(term for token in tokens for term in _token_terms(token, lang, True))
    return found or tuple(term for token in tokens for term in _token_terms(token, lang, False))


@lru_cache(maxsize=100_000)
def _token_terms(token: str, lang: str, drop: bool) -> tuple[str, ...]:
    if UNSPACED.match(token):
        return tuple(_bigrams(token, lang, drop=drop))
    word = token.replace("’", "'").removesuffix("'s")
    if drop and is_stop_word(word, lang):
        return ()
    if _GROUPED_NUMBER.fullmatch(word):
        return (_NO_DIGIT.sub("", word),)
    if _DECIMAL.fullmatch(word):
        return (word.replace(",", "."),)
    parts = [part for part in _JOINT.split(word) if part]
    if len(parts) == 1:
        return tuple(_with_stem(word, lang))
    if _DIGIT.search(word):
        return (fold(word), *map(fold, parts))
    return tuple(term for part in parts if not (drop and is_stop_word(part, lang)) for term in _with_stem(part, lang))


def is_stop_word(word: str, lang: str) -> bool:
    """Whether the word carries no topic. Acronyms are none: "IT" and "US" carry a topic, "it" and "us" do not."""
    return word.lower() in _stop_words(lang) and not (word.isupper() and len(word) > 1)


def _with_stem(word: str, lang: str) -> list[str]:
    folded = fold(word)
    stem = fold(_stem(word.lower(), lang))
    return [folded] if stem == folded else [folded, stem]


def _stem(word: str, lang: str) -> str:
    algorithm = _STEMMERS.get(lang, "english" if word.isascii() else "")
    return str(_stemmer(algorithm).stemWord(word)) if algorithm else word


def _bigrams(run: str, lang: str, *, drop: bool) -> list[str]:
    pieces = regex.split(_stop_pattern(lang), run) if drop else [run]
    found: list[str] = []
    for piece in pieces:
        letters = regex.findall(r"\P{M}\p{M}*", piece)
        found += ["".join(pair) for pair in pairwise(letters)] or letters
    return found


_NAME = regex.compile(r"(?<=[\p{L}\p{N},;:)”»]\s[\"“«(¿¡]?)\p{Lu}[\p{L}\p{N}.'’-]*|\S*\d\S*|\b\p{Lu}{2,}\b")
_NOUNS_CAPITALISED = {"de"}


def names(text: str, lang: str) -> list[str]:
    """Words that must be met as they are: proper names (not those that open a sentence), acronyms, codes, numbers."""
    found = [match.group().strip(".,:;!?'’-") for match in _NAME.finditer(text) if match.group() != "I"]
    if lang in _NOUNS_CAPITALISED:
        found = [name for name in found if name.isupper() or regex.search(r"\d", name)]
    return [name for name in found if name]


def name_terms(text: str, lang: str) -> list[str]:
    """The terms of the names, one for each."""
    return [term for name in names(text, lang) for term in terms(name, lang)[:1]]


_SENTENCE_END = regex.compile(
    r"(?<=[。！？｡][”’」』）)\"']*)(?=[^”’」』）)\"'])"
    r"|(?<=[.!?…][\"'”’)\]]*)(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|No|Nr|Art|Mr|Mrs|Ms|Dr|Prof|St|Sr|Sra|p|pp|Fig|bzw|z\.B|ca|\p{Lu})\.)\s+(?=[\p{Lu}\p{Lo}\p{N}\"'“‘«¿¡(<\[*`-])"
    r"|\n+"
)


def sentences(text: str) -> list[str]:
    """Sentences, list items and table rows in reading order, without surrounding space, none empty."""
    return [piece.strip() for piece in _SENTENCE_END.split(text) if piece and piece.strip()]


def graphemes(text: str) -> list[str]:
    """What a reader sees as single characters: letters with their accents, joined emoji."""
    return list(regex.findall(r"\X", text))


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(LANGUAGES))
    return identifier


def _stemmer(algorithm: str) -> "Stemmer.Stemmer":
    """One a thread: Snowball's stemmers keep state while they work."""
    if not hasattr(_local, algorithm):
        setattr(_local, algorithm, Stemmer.Stemmer(algorithm))
    return getattr(_local, algorithm)


@lru_cache(maxsize=1)
def _stop_lists() -> dict[str, frozenset[str]]:
    lines = resources.files("retrieval").joinpath("stop_words.txt").read_text("utf-8").splitlines()
    pairs = (line.split(":", 1) for line in lines if line and not line.startswith("#"))
    return {code: frozenset(words.split()) for code, words in pairs}


def _stop_words(lang: str) -> frozenset[str]:
    return _stop_lists().get(lang, frozenset())


@lru_cache(maxsize=8)
def _stop_pattern(lang: str) -> str:
    words = sorted(_stop_words(lang), key=len, reverse=True)
    return "|".join(map(regex.escape, words)) if words else r"(?!)"
