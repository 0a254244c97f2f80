"""The guides' pictures show replies as the transcripts have them, and each of them is shown somewhere."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MADE = runpy.run_path(str(ROOT / "docs" / "pictures" / "make.py"))
GUIDES = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/playing.md"))


@pytest.mark.parametrize("name", MADE["PICTURES"])
def test_a_picture_is_drawn_from_a_game_that_was_played(name: str) -> None:
    shown = MADE["PICTURES"][name]
    assert shown.lines or shown.fields
    assert shown.buttons
    image = MADE["draw"](shown)
    assert image.width == MADE["WIDTH"]
    assert image.height < 2 * image.width
    assert f"pictures/{name}.png" in GUIDES
    assert (ROOT / "docs" / "pictures" / f"{name}.png").exists()


def test_a_picture_shows_the_whole_message_and_nothing_behind_it() -> None:
    shot, panel, form = (MADE["PICTURES"][name] for name in ("shot", "panel", "form"))
    assert shot.lines[0].startswith("Sally Starfield hits")
    assert shot.buttons[:2] == ("Undo", "Why")
    assert panel.lines[0].startswith("■ Lancers. Waiting for ")
    assert any(line.startswith("COUNTERBLAST") for line in panel.lines)
    assert "Shoot" in panel.buttons
    assert [name for name, _ in form.fields][:3] == ["Target", "Distance", "Cover"]
