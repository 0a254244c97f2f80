"""The house may only become tidier: cycles among rooms, banned names, and one meaning for a class name."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.house.figures import ROOT, measure, modules

MAX_LINES = 174_502
MAX_FILES = 666
MAX_OVERHEAD = 0.470
ROOMS_IN_CYCLES: dict[str, int] = {}
MAX_BANNED_NAMES = 0
MAX_SHARED_CLASS_NAMES = 200
"""These limits may only fall; `make house` prints the figures of today."""


def test_there_is_something_to_measure() -> None:
    assert len(modules()) > 200
    assert (ROOT / "pyproject.toml").exists()


def test_the_product_does_not_grow() -> None:
    figures = measure()
    assert figures.lines <= MAX_LINES
    assert figures.files <= MAX_FILES
    assert figures.overhead <= MAX_OVERHEAD


def test_rooms_are_layers() -> None:
    worse = {
        package: count
        for package, count in measure().rooms_in_cycles.items()
        if count > ROOMS_IN_CYCLES.get(package, 0)
    }
    assert worse == {}


def test_modules_have_nouns_for_names() -> None:
    assert len(measure().banned) <= MAX_BANNED_NAMES, measure().banned


def test_a_class_name_means_one_thing() -> None:
    places = defaultdict(list)
    for module in modules():
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module.name)
    shared = {name: where for name, where in places.items() if len(where) > 1}
    assert len(shared) <= MAX_SHARED_CLASS_NAMES, shared
