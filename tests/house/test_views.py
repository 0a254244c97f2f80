"""Functions that are given a view of the table set nothing, so that preparing an action changes nothing.

The types let it add, remove and roll nothing. Rows have fields that can be set, which no type forbids.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.source import program

VIEWS = {"ActView", "EncounterView", "BookView", "CampaignView", "Asking"}

WRITERS = {"Act", "Encounter", "Book", "Campaign", "Telling", "Narration"}

OF_THE_ACT = {"act.action", "act.canonical", "act.seen_facts", "act.seen_pair"}
"""What reading an action keeps of it: no row."""


def set_with_a_view(tree: ast.AST) -> Iterator[str]:
    """Yield what functions set that are given a view and nothing to write with."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        names = {part.id for part in ast.walk(function.args) if isinstance(part, ast.Name)}
        if not names & VIEWS or names & WRITERS:
            continue
        for part in ast.walk(function):
            is_set = isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store | ast.Del)
            if is_set and not ast.unparse(part).startswith("self."):
                yield f"{function.name}: {ast.unparse(part)}"


def test_a_view_sets_nothing() -> None:
    found = {f"{path}: {one}" for path, source in program().items() for one in set_with_a_view(source.tree)}
    assert {one for one in found if one.split(": ")[-1] not in OF_THE_ACT} == set()


def test_a_row_that_is_set_is_noticed() -> None:
    source = "def prepare(self, act: ActView, action: Shoot) -> None:\n    act.encounter.model(1).damage = 2"
    assert [*set_with_a_view(ast.parse(source))] == ["prepare: act.encounter.model(1).damage"]
    assert not [*set_with_a_view(ast.parse(source.replace("ActView", "Act")))]
