"""Every function, class, method and constant of the bot and the rules is spoken of by code.

What only tests speak of belongs into the tests. Whether what is spoken of is reached from the table, is asked
in `test_reach.py`.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.source import ROOT, Source, program

UNSPOKEN: dict[str, str] = {
    **dict.fromkeys(
        (
            *("interaction_check", "on_error", "setup_hook", "on_ready", "on_guild_remove", "on_guild_join"),
            *("on_resumed", "on_interaction", "on_disconnect", "get_completions", "get_completions_async"),
            *(
                "on_message",
                "has_components_v2",
                "handle_starttag",
                "handle_endtag",
                "handle_data",
            ),
        ),
        "called by the library whose class it is in",
    ),
    **dict.fromkeys(
        ("MANAGE_GUILD", "MENTION_EVERYONE", "USE_EXTERNAL_EMOJIS", "MANAGE_ROLES"),
        "a bit of Discord's permissions at the local server",
    ),
    **dict.fromkeys(
        ("deliver_again", "invalidate", "lose_state", "wait_for", "use_on", "use_on_person"),
        "what the local server can do to a bot, and wait for, in tests of faults",
    ),
    "CAMPAIGN_MODULES": "loads them",
    "FLOAT": "the first row of the drift chart: it does nothing more",
    "LOST_IF_UNREVEALED": "the other value of a setting, offered by its type",
}
"""What no code names, each with its reason."""


def spoken(source: Source) -> Iterator[str]:
    """All names that code reads, and the words of its strings but docstrings."""
    yield from (one.id for one in source.every(ast.Name) if isinstance(one.ctx, ast.Load))
    yield from (one.attr for one in source.every(ast.Attribute) if isinstance(one.ctx, ast.Load))
    for text in source.strings():
        yield from re.findall(r"\w+", text)


def defined(source: Source) -> Iterator[str]:
    """Functions and classes that nothing takes in by decorating them; constants; members of classes."""
    for made in source.every(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
        if not made.decorator_list:
            yield made.name
    for scope in source.every(ast.Module, ast.ClassDef):
        for one in scope.body:
            targets = one.targets if isinstance(one, ast.Assign) else []
            targets = [one.target] if isinstance(one, ast.AnnAssign) else targets
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def test_everything_is_spoken_of() -> None:
    words, names = Counter[str](), set[str]()
    for template in (ROOT / "bot").rglob("*.html"):
        words.update(re.findall(r"\.(\w+)", template.read_text(encoding="utf-8")))
    for path, source in program().items():
        words.update(spoken(source))
        if path.name != "state.py":  # a game declares all that it keeps, what only its rules read included
            names.update(name for name in defined(source) if not name.startswith("__"))
    assert len(names) > 3000
    unspoken = {name for name in names if not words[name]}
    assert sorted(unspoken - set(UNSPOKEN)) == []
    assert sorted(set(UNSPOKEN) - unspoken) == [], "is spoken of now"
