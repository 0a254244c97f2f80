"""Pages of /help: words that somebody wrote, and below them the commands of some rooms, as declared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.actions import ACTIONS, Action
from bot.table.asking.options import described

EVERYWHERE = ""
"""The room that is everything of a game, but what other pages name."""


@dataclass(frozen=True, slots=True)
class HelpPage:
    """One topic.

    words: lines of at most 38 columns. rooms: the rooms or modules whose commands are listed, as they are
    called inside the game's package; the nearest one counts.
    """

    words: Sequence[str] = field(default=())
    rooms: Sequence[str] = field(default=())


def on_pages(pages: Mapping[str, HelpPage], package: str) -> dict[str, list[str]]:
    """Each topic's lines, its commands by their names. package: where its rooms stand."""
    found = {topic: list(page.words) for topic, page in pages.items()}
    for kind in sorted(ACTIONS.values(), key=lambda kind: kind.typed):
        topic = topic_of(kind, pages, package)
        if topic:
            found[topic] += [f"/{kind.typed}: {described(kind)}"]
    return found


def topic_of(kind: type[Action], pages: Mapping[str, HelpPage], package: str) -> str:
    """The topic under which an action's command is listed; empty where no page names its room."""
    module = kind.__module__.removeprefix(f"{package}.")
    if not kind.typed or module == kind.__module__:
        return ""
    rooms = {room: topic for topic, page in pages.items() for room in page.rooms}
    while module and module not in rooms:
        module = module.rpartition(".")[0]
    return rooms.get(module, "")
