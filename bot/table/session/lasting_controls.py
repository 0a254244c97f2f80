"""Finds the controls that are still open on a message about a crew or a campaign, which has no card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.actions import raw_of, with_text
from bot.ids import Tag
from bot.replies.fit import ASK, FORM
from bot.replies.reply import FORMS
from bot.store.book import Book, Loaded, Scope
from bot.store.row_types import CampaignRow, EntrantRow
from bot.store.rows import CrewRow
from bot.store.store import Store
from bot.table.act import Actor
from bot.table.asking.reading import noticed
from bot.table.handlers import HANDLERS, Place
from bot.table.journal.history import Undo
from bot.table.offers.legal_actions import Looking, asked_in_form
from rules.refusals import InvalidInput

SHOWN = frozenset({"campaign.records", "campaign.sheets", "crew.sheet", "story.export", "story.show"})
"""Commands that show what takes long to put together; they are not refused later, and not tried."""

STRANGER = 0
"""The number of a person who has no crew in a campaign, and may join."""


def outlasts_games(scope: Scope) -> bool:
    """Return whether a scope is a crew or a campaign."""
    return scope.kind in ("crew", "campaign")


def people_of(book: Book) -> Sequence[int]:
    """Return the people who may do something with a crew or a campaign."""
    campaign, crew = book.get(CampaignRow), book.get(CrewRow)
    organisers = campaign.organisers if campaign is not None else ()
    owners = [row.owner_id for row in book.all(EntrantRow)] + ([crew.owner_id] if crew is not None else [])
    return list(dict.fromkeys((*organisers, *owners, STRANGER)))


async def is_open(store: Store, loaded: Loaded, actor: Actor, tag: Tag, choices: Sequence[str]) -> bool:
    """Return whether a person would not be refused a control now, with one of its choices if it is a menu."""
    action, scope = tag.action, loaded.scope
    handler = HANDLERS.get(action.command)
    if handler is None or tag.scope != scope.id:
        return True
    is_past = isinstance(action, Undo) and 0 < action.entry < scope.moved
    if is_past or (tag.version >= 0 and not scope.moved <= tag.version <= scope.version):
        return False
    if handler.place not in (Place.CREW, Place.CAMPAIGN) or action.command in SHOWN:
        return True
    if getattr(action, scope.kind, None) == 0:
        action = replace(action, **{scope.kind: scope.id})
    seen_fields, extra = set[str](), None
    try:
        if handler.beforehand is not None:
            extra = await handler.beforehand(store, actor, noticed(action, seen_fields))
    except InvalidInput:
        return not seen_fields.isdisjoint(asked_in_form(action))
    looking = Looking(loaded.book(), actor)
    # A crew's builder takes long to draw; what was read says already whether the crew is free.
    if handler.place is Place.CREW:
        return not looking.barred(action)
    return any(not _is_refused(looking, replace(tag, action=action), choice, extra) for choice in choices)


def _is_refused(looking: Looking, tag: Tag, choice: str, extra: object) -> bool:
    action = with_text(tag.action, {tag.part: (choice,)}) if choice else tag.action
    if tag.part.startswith(FORM):
        form = FORMS.get(tag.part.removeprefix(FORM))
        return form is None or bool(looking.hopeless(action, {blank.name for blank in form.blanks}, extra))
    if tag.part == ASK:
        legal = looking.legal(type(action), raw_of(action), extra)
        return looking.refused_first(legal, raw_of(action), extra)
    return bool(looking.refusal(action, extra))
