"""Draw texts by a seed, to be read by someone who did not write them: `python -m tests.prose.sample SEED`."""

from __future__ import annotations

import random
import sys

from bot.texts import TextKind, texts
from tests.prose.documents import ROOT, documents, sentences

STRINGS = 300
SENTENCES = 60


def drawn(seed: int) -> list[str]:
    """Return that many strings and sentences of documents, each behind its place and what shows it."""
    dice = random.Random(seed)
    strings = [
        f"{text.path}:{text.line} ({text.used_in})  {text.template}"
        for text in texts()
        if text.kind is not TextKind.DOCSTRING
    ]
    read = [
        f"{document.relative_to(ROOT).as_posix()}  {words}"
        for document in documents()
        for words in sentences(document)
    ]
    return [*sorted(dice.sample(strings, STRINGS)), *sorted(dice.sample(read, SENTENCES))]


if __name__ == "__main__":
    sys.stdout.write("\n".join(drawn(int(sys.argv[1]))) + "\n")
