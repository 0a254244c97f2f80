"""The examples in the documentation of the public modules come out as written."""

from __future__ import annotations

import doctest
import shutil
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


def test_the_package_works_by_itself_under_any_name(tmp_path: Path) -> None:
    """In a fresh interpreter that knows nothing else of this repository."""
    shutil.copytree(Path(__file__).parents[2] / "rules" / "dice", tmp_path / "odds")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import odds\n"
        "assert all(hasattr(odds, name) for name in odds.__all__)\n"
        "assert odds.solve(lambda dice: dice.face(6, 'd6')).chance(lambda face: face > 3) == 0.5\n"
        "assert not {'rules', 'random', 'asyncio', 'parsimonious'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-I", "-c", program], check=True)
