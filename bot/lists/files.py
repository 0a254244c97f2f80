"""From the bytes of a file to text: unpacked, decoded, and without invisible signs. All work is bounded."""

from __future__ import annotations

import io
import unicodedata
import zipfile
import zlib

from charset_normalizer import from_bytes

from rules.refusals import InvalidInput

MAX_BYTES = 500_000
"""Bytes of a file."""

MAX_UNPACKED = 2_000_000
"""Bytes of what is packed in it."""

LIST_ENDINGS = (".ros", ".xml", ".json", ".txt")
MAX_PACKED_FILES = 20
SAMPLE_BYTES = 20_000
"""Bytes by which the encoding of old text is guessed."""

NO_TEXT = "This file isn't text. Send the list as text, CSV, JSON, .ros or .rosz."
ZIP = b"PK\x03\x04"
OTHER_FILES = (
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"RIFF", "a picture or a recording"),
    (b"\x1f\x8b", "a compressed archive"),
    (b"BZh", "a compressed archive"),
    (b"\xfd7zXZ", "a compressed archive"),
    (b"7z\xbc\xaf", "a compressed archive"),
    (b"Rar!", "a compressed archive"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"{\\rtf", "a rich text document"),
)
OFFICE = ("[Content_Types].xml", "mimetype", "META-INF/manifest.xml")
UTF_16 = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))


def text_of(data: bytes) -> str:
    """Return the text of a file, unpacked if it is a zip. Raises InvalidInput for what holds none."""
    if not data:
        raise InvalidInput("This file is empty. Send a file that contains a list.")
    if len(data) > MAX_BYTES:
        raise InvalidInput(
            f"Use a smaller file. A list can be at most {MAX_BYTES // 1000} kB "
            f"(this file is {-(-len(data) // 1000)} kB)."
        )
    return tidy(_decoded(_unpacked(data) if data.startswith(ZIP) else data))


def _unpacked(data: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = [member for member in packed.infolist() if not member.is_dir()]
            if any(member.filename in OFFICE for member in members):
                raise InvalidInput(
                    "Save this spreadsheet or document as CSV or plain text, then send it again."
                )
            lists = [member for member in members if member.filename.lower().endswith(LIST_ENDINGS)]
            if len(members) > MAX_PACKED_FILES or len(lists or members) != 1:
                raise InvalidInput("Send a zip file that contains exactly one list.")
            with packed.open((lists or members)[0]) as file:
                unpacked = file.read(MAX_UNPACKED + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        raise InvalidInput(
            "Send another file. This zip file can't be opened because it is damaged or has a password."
        ) from None
    if len(unpacked) > MAX_UNPACKED:
        raise InvalidInput(
            f"Use a smaller file. The list can be at most {MAX_UNPACKED // 1_000_000} MB when unpacked."
        )
    return unpacked


def _decoded(data: bytes) -> str:
    for begins, file_kind in OTHER_FILES:
        if data.startswith(begins):
            raise InvalidInput(f"This file is {file_kind}. Send the list as text, CSV, JSON, .ros or .rosz.")
    try:
        encoding = next((name for mark, name in UTF_16 if data.startswith(mark)), "")
        if encoding:
            return data.decode(encoding)
        if b"\0" in data[:SAMPLE_BYTES]:
            return _require_text(data.decode(_utf_16(data[:SAMPLE_BYTES])))
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if encoding or b"\0" in data:
        raise InvalidInput(NO_TEXT)
    best = from_bytes(data[:SAMPLE_BYTES]).best()
    return data.decode(best.encoding if best is not None else "cp1252", errors="replace")


def _require_text(text: str) -> str:
    if "\0" in text:
        raise InvalidInput(NO_TEXT)
    return text


def _utf_16(sample: bytes) -> str:
    """Return which half of the letters is empty in text without a mark of its order."""
    if sample[1::2].count(0) > 0.4 * len(sample) / 2:
        return "utf-16-le"
    if sample[::2].count(0) > 0.4 * len(sample) / 2:
        return "utf-16-be"
    raise InvalidInput(NO_TEXT)


def tidy(text: str) -> str:
    """Return the text without controls, direction marks and letters of no width; tabs and lines stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    kept_lines = []
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        if letter in "\n\t":
            kept_lines.append(letter)
        elif kind in ("Zl", "Zp"):
            kept_lines.append("\n")
        elif kind in ("Zs", "Cc"):
            kept_lines.append(" ")
        elif kind[0] != "C":
            kept_lines.append(letter)
    return "".join(kept_lines)
