"""The guides' pictures show what is said today; `python -m docs.pictures.make` draws them anew."""

from __future__ import annotations

import json

import pytest
from PIL import Image, PngImagePlugin

from docs.pictures.make import PICTURES, WORDS, file_of, plain
from tests.source import ROOT


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_what_is_said_today(name: str) -> None:
    transcript = ROOT / "tests" / "golden" / f"{PICTURES[name].script}.txt"
    said = plain(transcript.read_text(encoding="utf-8"))
    with Image.open(file_of(name)) as picture:
        assert isinstance(picture, PngImagePlugin.PngImageFile)
        words = json.loads(picture.text[WORDS])
    assert len(words) > 2
    guides = (ROOT / guide for guide in ("README.md", "docs/playing.md"))
    assert any(f"pictures/{name}.png" in guide.read_text(encoding="utf-8") for guide in guides)
    assert [one for one in words if plain(one) not in said] == []
