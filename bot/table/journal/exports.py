"""An encounter written out: every entry with its faces, and, once the game has ended, the seed.

`verify` takes such a file and nothing else: it re-derives every face from the seed and the words, links the
chain of hashes anew, and refuses a file in which a single byte was changed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.actions import Action
from bot.replies.reply import Attachment, Button, Reply
from bot.store.book import Mismatch, apply, from_json
from bot.store.errors import StoreError
from bot.store.journal import CHAINED, Entry, compact, link
from bot.store.rows import Columns, EncounterRow, Key, from_columns
from bot.store.scope import EMPTY_CHAIN, Loaded
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.encounter import Encounter
from bot.table.handlers import Place, handles
from bot.table.session.encounters import FOLLOW_UPS
from rules.dice import Recorded
from rules.fair import FairDice, commitment
from rules.refusals import InvalidInput

FORMAT = 1
MOST_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Export(Action):
    """Get the ended game as a file whose dice can be verified."""

    command = "export"
    typed = "export"


async def _whole(store: Store, actor: Actor, action: Export) -> tuple[Loaded, list[Entry]]:
    scope = await store.running_encounter(actor.channel_id) or await store.last_in_channel(
        actor.channel_id, kind="encounter"
    )
    loaded = await store.load(scope) if scope else None
    if loaded is None:
        raise InvalidInput("No encounter was played in this channel.")
    return loaded, await store.all_entries(scope)


@handles(Export, Place.NOWHERE, beforehand=_whole)
def export(act: Act, action: Export) -> Reply:
    """While the game runs without its seed and without what somebody hides; afterwards with all."""
    loaded, entries = act.extra
    row = loaded.book().get(EncounterRow)
    if row is None:
        raise InvalidInput("No encounter was played in this channel.")
    if row.status != "ended":
        raise InvalidInput("The game still runs. It can be exported when it has ended: /encounter end.")
    name = f"encounter-{loaded.scope.id}.json"
    data = document(row, loaded, entries).encode()
    return Reply(
        (f"{row.name}: {len(entries)} entries.", f"Check: python -m bot verify {name}"),
        private=True,
        files=(Attachment(name, f"The journal of {row.name} as JSON.", data),),
    )


def document(row: EncounterRow, loaded: Loaded, entries: list[Entry]) -> str:
    """The export of an ended encounter: canonical JSON."""
    return compact(
        {
            "format": FORMAT,
            "encounter": row.name,
            "system": row.system,
            "commitment": row.commitment,
            "seed": row.revealed_seed,
            "chain": loaded.scope.chain,
            "entries": [{name: getattr(entry, name) for name in CHAINED} for entry in entries],
        }
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verified export holds."""

    encounter: str
    commitment: str
    entries: int
    rolls: int
    faces: int
    real: int


class Forged(Exception):
    """The export does not hold what it says; the message tells where."""


def verify(data: bytes) -> Verdict:
    """Check an export byte for byte. Raises Forged."""
    if len(data) > MOST_BYTES:
        raise Forged("The file is too large to be an export.")
    try:
        export = json.loads(data)
        entries = export["entries"]
        if compact(export).encode() != data:
            raise Forged("The file was changed: it is not as the bot writes it.")
        return _verified(export, entries)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, StoreError) as error:
        raise Forged(f"The file is no export, or was changed: {error}") from None


def _verified(export: Mapping[str, Any], entries: list[dict[str, Any]]) -> Verdict:
    if type(export["format"]) is not int or export["format"] != FORMAT:
        raise Forged("The export is of a format this version does not know.")
    seed = bytes.fromhex(export["seed"])
    if commitment(seed) != export["commitment"]:
        raise Forged("The seed does not fit the SHA-256 that was shown before the game.")
    chain = EMPTY_CHAIN
    rows: dict[str, dict[Key, Columns]] = {}
    thrown: dict[int, list[list[int]]] = {}
    rolls = faces = real = 0
    for place, entry in enumerate(entries, 1):
        if entry["seq"] != place:
            raise Forged(f"Entry {place} is missing.")
        chain = link(chain, entry)
        recorded = json.loads(entry["faces"])
        if entry["dice"] == "real":
            real += len(recorded)
        elif recorded:
            if entry["number"] != rolls:
                raise Forged(f"Entry {place}: roll {rolls} was left out.")
            _check_faces(entry, recorded, seed, rows, thrown)
            rolls += 1
            faces += len(recorded)
        thrown[place] = recorded
        rows = _after(entry, rows)
    if chain != export["chain"]:
        raise Forged("An entry was changed: the chain of hashes does not fit.")
    _check_head(export, rows)
    return Verdict(export["encounter"], export["commitment"], len(entries), rolls, faces, real)


def _check_head(export: Mapping[str, Any], rows: Mapping[str, Mapping[Key, Columns]]) -> None:
    columns = next(iter(rows.get("encounters", {}).values()), None)
    row = from_columns("encounters", columns) if columns else None
    head = tuple(export[name] for name in ("encounter", "system", "commitment", "seed"))
    if not isinstance(row, EncounterRow) or head != (
        row.name,
        row.system,
        row.commitment,
        row.revealed_seed,
    ):
        raise Forged("The head of the file does not fit its entries.")


def _check_faces(
    entry: dict[str, Any],
    recorded: list[list[int]],
    seed: bytes,
    rows: Mapping[str, Mapping[Key, Columns]],
    thrown: Mapping[int, list[list[int]]],
) -> None:
    words = [str(columns[3]) for _, columns in sorted(rows.get("words", {}).items())]
    fresh = FairDice(seed, words, entry["number"])
    earlier = tuple((sides, face) for sides, face in thrown.get(entry["repeats"], ()))
    source = Recorded(earlier, fresh)
    for sides, face in recorded:
        if source.faces(1, sides, "")[0] != face:
            raise Forged(f"Entry {entry['seq']}: the dice are not those of the seed.")


def _after(entry: dict[str, Any], rows: Mapping[str, Mapping[Key, Columns]]) -> dict[str, dict[Key, Columns]]:
    try:
        return apply(rows, from_json(json.loads(entry["changes"]), rows))
    except Mismatch as error:
        raise Forged(f"Entry {entry['seq']}: {error}.") from None


def _offer(encounter: Encounter) -> list[Button]:
    """The button that hands the ended game out."""
    return [Button("Export", Export(), anytime=True)]


FOLLOW_UPS.append(_offer)
