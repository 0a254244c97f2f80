"""What the page keeps in its file: what was sent twice is known over a restart, and not for ever."""

from __future__ import annotations

from pathlib import Path

from bot.page import page_store
from bot.page.page_store import Kept


def test_what_was_sent_is_known_after_a_restart(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "page")
    assert kept.first_time(1, "a")
    assert not kept.first_time(1, "a")
    assert kept.first_time(2, "a"), "another seat"
    kept.close()
    again = Kept(tmp_path / "page")
    assert not again.first_time(1, "a")
    again.close()


def test_only_the_latest_are_known(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "page")
    count = page_store.MAX_ONCE + 500
    assert all(kept.first_time(1, str(number)) for number in range(count))
    assert not kept.first_time(1, str(count - page_store.MAX_ONCE))
    assert kept.first_time(1, "0")
    kept.close()
