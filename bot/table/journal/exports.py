"""An encounter written out: every entry with its faces, and, once the game has ended, the seed.

`bot.table.referee` takes such a file and nothing else, and plays the game again.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Attachment, Button, Reply
from bot.store.book import Loaded
from bot.store.journal import NOBODY, PUBLISHED, Entry, Meant, compact
from bot.store.rows import EncounterRow, layout
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.encounter import Encounter
from bot.table.handlers import Place, handles
from bot.table.owners import ANYONE
from bot.table.session.ending import FOLLOW_UPS
from rules.refusals import InvalidInput

FORMAT = 1
"""The format of exported games."""


@dataclass(frozen=True, slots=True)
class Export(Action):
    """Get the ended game as a file whose dice can be verified."""

    command = "export"
    typed = "export"
    decision_of = ANYONE


async def _whole(store: Store, actor: Actor, action: Export) -> tuple[Loaded, list[Entry], Meant]:
    loaded = await store.load(actor.reads)
    if loaded is None:
        raise InvalidInput("No encounter was played in this channel.")
    entries = await store.written_entries(actor.reads)
    return loaded, entries, await store.meant(entries)


@handles(Export, Place.PLAYED, beforehand=_whole)
def export(act: Act, action: Export) -> Reply:
    """While the game runs without its seed and without what somebody hides; afterwards with all."""
    loaded, entries, meant = act.extra
    row = loaded.book().get(EncounterRow)
    if row is None:
        raise InvalidInput("No encounter was played in this channel.")
    if row.status != "ended":
        ends = ": /encounter end" if row.organiser_id == act.actor.user_id else ""
        raise InvalidInput(f"The game still runs. It can be exported when it has ended{ends}.")
    name = f"encounter-{loaded.scope.id}.json"
    data = document(row, loaded, entries, meant).encode()
    return Reply(
        (f"{row.name}: {len(entries)} entries.", f"Check: python -m bot verify {name}"),
        private=True,
        files=(Attachment(name, f"The journal of {row.name} as JSON.", data),),
    )


def document(row: EncounterRow, loaded: Loaded, entries: list[Entry], meant: Meant = NOBODY) -> str:
    """The export of an ended encounter: canonical JSON of its entries as written, and who is meant."""
    written = loaded.written.get((row.table, row.key))
    name = row.name if written is None else written[layout(row.table).names.index("name")]
    return compact(
        {
            "format": FORMAT,
            "encounter": name,
            "system": row.system,
            "commitment": row.commitment,
            "seed": row.revealed_seed,
            "chain": loaded.scope.chain,
            "entries": [{name: getattr(entry, name) for name in (*PUBLISHED, "stood")} for entry in entries],
            "people": meant.written(),
        }
    )


def _offer(encounter: Encounter) -> list[Button]:
    """The button that hands the ended game out."""
    return [Button("Export", Export(), anytime=True)]


FOLLOW_UPS.append(_offer)
