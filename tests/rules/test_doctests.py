"""The examples in the documentation of the public modules come out as written."""

from __future__ import annotations

import doctest
import subprocess
import sys
from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["rules", "rules.faces", "rules.odds", "rules.expression"])
def test_examples_of(name: str) -> None:
    result = doctest.testmod(import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.failed == 0
    assert result.attempted > 0


def test_the_public_names_are_there_and_bring_no_system() -> None:
    """In a fresh interpreter, where nothing has been imported yet."""
    program = (
        "import sys, rules\n"
        "assert all(hasattr(rules, name) and getattr(rules, name).__doc__ for name in rules.__all__)\n"
        "assert rules.__all__ == sorted(rules.__all__)\n"
        "assert not [name for name in sys.modules if name.startswith(('rules.systems', 'bot', 'discord'))]\n"
        "assert not {'random', 'asyncio'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
