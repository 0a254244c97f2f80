"""What happens when somebody presses a button, chooses from a menu or hands in a form.

Routed by the custom id alone, so that it works after a restart and for any number of messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord

from bot.actions import Action, BadId, Typed, with_text
from bot.ids import Tag, unpack
from bot.panels.answer import answer, changeable, send, weighed_there
from bot.panels.asking import handed_in, hopeless, lets_nothing_pass, open_form
from bot.panels.door import Interaction, sent
from bot.panels.typed import cleaned_blank
from bot.panels.widgets import FormModal
from bot.replies.fit import ASK, ASKED, FORM, with_typed
from bot.replies.reply import FORMS, Button, Reply, say
from bot.table.offers.forms import CHANGE
from bot.table.request import OVERRIDE_BLANK

OLD = say("This button is from an older version.", "Use the command instead.", private=True)


async def pressed(interaction: Interaction) -> None:
    """Handle a component or a form; other interactions are none of its business."""
    if interaction.type is discord.InteractionType.component:
        await _component(interaction, interaction.data or {})
    elif interaction.type is discord.InteractionType.modal_submit:
        await _form(interaction, interaction.data or {})


async def _component(interaction: Interaction, data: Mapping[str, Any]) -> None:
    tag = await _tag(interaction, data)
    if tag is None:
        return
    if tag.part == ASK:
        await open_form(interaction, tag, tuple(data.get("values", ())))
        return
    if tag.part.startswith(FORM):
        form = FORMS.get(tag.part.removeprefix(FORM))
        if form is None:
            await send(interaction, OLD)
            return
        names = [blank.name for blank in form.blanks]
        if OVERRIDE_BLANK in names:
            refused = await lets_nothing_pass(interaction, tag)
        else:
            refused = await hopeless(interaction, tag, names)
        if refused:
            await send(interaction, say(refused, private=True))
            return
        modal = FormModal(form, tag)
        await sent(lambda: interaction.response.send_modal(modal))
        return
    action = tag.action
    if tag.part:
        try:
            action = with_text(action, {tag.part: tuple(data.get("values", ()))})
        except ValueError:
            await send(interaction, OLD)
            return

    def also(reply: Reply) -> Reply:
        return weighed_there(interaction, reply) if action.looks else reply

    await answer(interaction, action, scope=tag.scope, version=tag.version, also=also)


async def _form(interaction: Interaction, data: Mapping[str, Any]) -> None:
    tag = await _tag(interaction, data)
    if tag is None:
        return
    if tag.part in (ASK, ASKED):
        await handed_in(interaction, tag, data.get("components", ()))
        return
    key = tag.part.removeprefix(FORM)
    said = {name: cleaned_blank(key, name, text) for name, text in _blanks(data.get("components", ()))}
    reason = said.pop(OVERRIDE_BLANK, None)
    try:
        action, wrong = _filled(tag.action, said)
    except BadId:
        await send(interaction, OLD)
        return

    def also(reply: Reply) -> Reply:
        if reason is not None:
            return reply
        unread = tuple((name, said[name]) for name in wrong)
        changes = _change(action, key, unread, anytime=tag.version < 0)
        return changeable(interaction, reply, changes, list(said.values()))

    if wrong:
        labels = {blank.name: blank.label for blank in FORMS[key].blanks} if key in FORMS else {}
        lines = [f"Enter a number for {labels.get(name, name)} (you entered {said[name]})." for name in wrong]
        await send(interaction, also(say(*lines, "Nothing was changed.", private=True)), tag.scope)
        return
    await answer(interaction, action, scope=tag.scope, version=tag.version, reason=reason or "", also=also)


def _filled(action: Action, said: Mapping[str, str]) -> tuple[Action, list[str]]:
    """The action with what was filled in, and the blanks that are no numbers but should be. Raises BadId."""
    wrong = []
    for name, text in said.items():
        try:
            action = with_text(action, {name: text})
        except BadId:
            raise
        except ValueError:
            wrong.append(name)
    return action, wrong


def _change(action: Action, key: str, unread: Typed, *, anytime: bool) -> list[Button]:
    """The button that opens the form again, filled in with what was said, where it has room."""
    form = FORMS.get(key)
    return with_typed(Button(CHANGE, action, anytime=anytime, form=form), unread) if form is not None else []


def _blanks(rows: Any) -> list[tuple[str, str]]:
    found = []
    for row in rows:
        inner = row.get("components") or ([row["component"]] if "component" in row else [])
        found += [(box["custom_id"], str(box.get("value", ""))) for box in inner if "custom_id" in box]
    return found


async def _tag(interaction: Interaction, data: Mapping[str, Any]) -> Tag | None:
    try:
        return unpack(str(data.get("custom_id", "")))
    except BadId:
        await send(interaction, OLD)
        return None
