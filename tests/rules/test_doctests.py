"""The examples in the documentation of the public modules come out as written."""

from __future__ import annotations

import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "name",
    [
        "rules.dice",
        "rules.dice.sources",
        "rules.dice.solver",
        "rules.dice.sampler",
        "rules.notation",
        "rules.notation.evaluation",
    ],
)
def test_examples_of(name: str) -> None:
    result = doctest.testmod(import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.failed == 0
    assert result.attempted > 0


def test_the_examples_of_the_package_come_out_as_written() -> None:
    page = Path(__file__).parents[2] / "rules" / "dice" / "README.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 15


def test_the_public_names_are_there_and_bring_no_system() -> None:
    """In a fresh interpreter, where nothing has been imported yet."""
    program = (
        "import sys\n"
        "from rules import dice\n"
        "assert all(hasattr(dice, name) for name in dice.__all__)\n"
        "ours = [name for name in sys.modules if name.startswith(('rules.', 'bot', 'discord'))]\n"
        "assert all(name.startswith('rules.dice') for name in ours)\n"
        "assert not {'random', 'asyncio', 'parsimonious'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
