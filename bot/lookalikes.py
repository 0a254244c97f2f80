"""Names that look the same although they are written in letters of different alphabets."""

from __future__ import annotations

import unicodedata

_ALPHABETS = (
    ("АВЕЗКМНОРСТУХЅІЈԚԜаеорсухѕіјԁһԛԝкмтв", "ABE3KMHOPCTYXSIJQWaeopcyxsijdhqwkmtb"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹαεικνορτυχγϲ", "ABEZHIKMNOPTYXCaeikvoptuxyc"),
    ("ՕՍօոսհցԱ", "OUonuhgU"),
    ("ɑıɡɩƖ", "aigil"),
)
"""Letters of other alphabets (Cyrillic, Greek, Armenian, phonetic), and the Latin ones that look the same."""

_LOOKS = str.maketrans(dict(pair for theirs, ours in _ALPHABETS for pair in zip(theirs, ours, strict=True)))


def look_of(name: str) -> str:
    """Return what two names share that look the same although their letters are of different alphabets."""
    if name.isascii():
        return name.casefold()
    return unicodedata.normalize("NFKC", name).translate(_LOOKS).casefold()
