"""The package's README: its tables name every module, and its lists every setting."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import rules.systems.counterblast as package
from rules.systems.counterblast.core.settings import Settings

HERE = Path(package.__path__[0])
README = (HERE / "README.md").read_text(encoding="utf-8")


def test_every_module_stands_in_a_table() -> None:
    modules = {path.name for path in HERE.rglob("*.py")} - {"__init__.py"}
    assert modules == set(re.findall(r"`(\w+\.py)`", README)) - {"test_library.py"}


def test_every_setting_is_named_and_none_that_is_not() -> None:
    named = re.findall(r"## Settings that matter here\n\n(.*?)\n\n", README, re.DOTALL)
    settings = {one.name for one in dataclasses.fields(Settings)} - {"turns"}
    assert set(re.findall(r"`(\w+)`", " ".join(named))) == settings
