from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def words_of_pictures(pictures_without_files: None) -> None:
    """Of pictures that are drawn again, the words are compared; no journal keeps their files."""
