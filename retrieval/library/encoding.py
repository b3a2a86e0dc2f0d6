"""Bytes of a text file to text: which encoding they are in."""

import codecs

import regex
from charset_normalizer import from_bytes

from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.library.kind import READABLE

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SINGLE_BYTE = ["cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1257", "koi8_r", "mac_roman"]
_CONTROL = regex.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_NOT_LATIN = ("cp1251", "koi8_r", "cp1253")
_CENTRAL_EUROPEAN = ("Polish", "Czech", "Slovak", "Hungarian", "Turkish")
_ODD_WORD = regex.compile(r"\p{L}[³¹¿¼¾ª]|[ðýþ]")
_FAMILIAR = regex.compile(r"[ -~\n\r\t。，、：；（）]")
_UNASSIGNED = regex.compile(r"[\p{Cn}\p{Co}\p{Cs}\x00-\x08\x0e-\x1f]")
_TELLING = (  # letters that show an encoding, and from what share on
    ("euc_kr", regex.compile(r"[가-힣]"), 0.9),
    ("euc_jp", regex.compile(r"[\p{Hiragana}\p{Katakana}]"), 0.2),
    ("shift_jis", regex.compile(r"[\p{Hiragana}\p{Katakana}--[\uff61-\uff9f]]", regex.V1), 0.2),
)
_FREQUENT = (  # encoding, its character set, and the lead bytes of that set's most frequent characters
    ("gb18030", "gb2312", b"\xb0", b"\xd7"),
    ("big5", "big5", b"\xa4", b"\xc6"),
    ("shift_jis", "shift_jis", b"\x88", b"\x97"),
)
_SAMPLE_BYTES = 200_000
_SAMPLE_LETTERS = 20_000
_SHORTEST = 20
_LETTER = regex.compile(r"\p{L}")
_ENOUGH = 0.6


def decode(data: bytes, name: str) -> str:
    """The text of a file's bytes.

    By byte order mark; as UTF-8; as UTF-16 without a mark; else as the East Asian or Western encoding in
    which it reads like text. Raises DocumentRefused when it is none.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strict(data, encoding, name)
    if b"\x00" in data:
        return _text(_wide(data) or "\x00", name)
    text = _decoded(data, "utf-8")
    return _text(_legacy(data, name) if text is None else text, name)


def _strict(data: bytes, encoding: str, name: str) -> str:
    text = _decoded(data, encoding)
    if text is None:
        raise DocumentRefused(
            RefusalCause.CORRUPT, f"“{name}” is marked as {encoding} but is not. Save it as UTF-8 and send it again."
        )
    return _text(text, name)


def _text(text: str, name: str) -> str:
    if len(_CONTROL.findall(text)) > len(text) // 100:
        raise DocumentRefused(RefusalCause.BINARY, f"“{name}” holds binary data, not text. {READABLE}")
    return text


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: the byte order that gives more ASCII and East Asian punctuation."""
    decoded = [text for code in ("utf-16-le", "utf-16-be") if (text := _decoded(data, code)) is not None]
    best = max(decoded, default="", key=lambda text: len(_FAMILIAR.findall(text[:_SAMPLE_LETTERS])))
    sample = best[:_SAMPLE_LETTERS]
    known = bool(_FAMILIAR.search(sample)) and len(_UNASSIGNED.findall(sample)) * 50 <= len(sample)
    return best if known else None


def _legacy(data: bytes, name: str) -> str:
    text = _east_asian(data) if _in_pairs(data[:_SAMPLE_BYTES]) else None
    if text is None:
        guess = from_bytes(data[:_SAMPLE_BYTES], cp_isolation=_SINGLE_BYTE).best()
        odd = guess and guess.language in _CENTRAL_EUROPEAN and _ODD_WORD.search(data.decode("cp1252", "replace"))
        other = guess and (guess.encoding in _NOT_LATIN or odd)
        likely = guess.encoding if guess and other else "cp1252"
        candidates = (likely, "cp1252", guess.encoding if guess else "cp1252", "gb18030")
        text = next((found for code in candidates if (found := _decoded(data, code)) is not None), None)
    if text is None:
        raise DocumentRefused(
            RefusalCause.BINARY, f"The encoding of “{name}” is not known. Save it as UTF-8 and send it again."
        )
    return text


def _east_asian(data: bytes) -> str | None:
    for encoding, letters, enough in _TELLING:
        text = _decoded(data, encoding)
        if text and len(text) >= _SHORTEST and _share(text, letters) >= enough:
            return text
    scored = []
    for encoding, charset, first, last in _FREQUENT:
        text = _decoded(data, encoding)
        if text:
            scored.append((_share(text, _LETTER, charset, first, last), text))
    share, best = max(scored, default=(0.0, ""), key=lambda found: found[0])
    return best if share >= _ENOUGH else None


def _share(
    text: str, letters: "regex.Pattern[str]", charset: str = "utf-8", first: bytes = b"", last: bytes = b"\xff"
) -> float:
    """Share of the letters above ASCII that match and whose lead byte in the character set lies in the range."""
    foreign = [letter for letter in text[:_SAMPLE_LETTERS] if letter > "\x7f" and letter.isalnum()]
    matching = (letter.encode(charset, "ignore")[:1] for letter in foreign if letters.match(letter))
    return sum(first <= lead <= last for lead in matching if lead) / len(foreign) if foreign else 0.0


def _in_pairs(data: bytes) -> bool:
    """Whether bytes above ASCII come two by two, as in East Asian text; accents of Western text stand alone."""
    runs = regex.findall(rb"[\x80-\xff]+", data)
    return 2 * sum(1 for run in runs if len(run) > 1) > len(runs)
