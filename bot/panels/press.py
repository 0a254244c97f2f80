"""Presses of buttons, choices from menus and submitted forms.

Routed by the custom id alone, so that it works after a restart and for any number of messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord

from bot.actions import Action, BadId, Typed, part_of, with_text
from bot.ids import Tag, unpack
from bot.panels.answer import answer, changeable, closing, send, weighed_there
from bot.panels.asking import handed_in, hopeless, lets_nothing_pass, open_form
from bot.panels.door import Interaction, sent
from bot.panels.typed import cleaned_blank, file_text
from bot.panels.widgets import FormModal
from bot.replies.fit import ASK, ASKED, FORM, with_typed
from bot.replies.reply import FORMS, Button, Reply, say
from bot.table.asking.server_kinds import Attached
from bot.table.offers.forms import CHANGE_LABEL
from bot.table.request import OVERRIDE_BLANK
from rules.refusals import InvalidInput

OLD = say("This button is from an older version of the bot.", "Use the command instead.", private=True)


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
            await send(interaction, await closing(interaction, say(refused, private=True)))
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
    inputs = _inputs(data.get("components", ()))
    values = {
        name: cleaned_blank(key, name, str(box.get("value", "")))
        for name, box in inputs.items()
        if "values" not in box
    }
    reason = values.pop(OVERRIDE_BLANK, None)
    refusal = ""
    try:
        action, problems = _filled(tag.action, values)
        complete_action = await _with_files(interaction, data, action, inputs)
    except InvalidInput as refused:
        refusal = refused.sentence
    except BadId:
        await send(interaction, OLD)
        return

    def also(reply: Reply) -> Reply:
        if reason is not None:
            return reply
        unread = tuple((name, values[name]) for name in problems)
        changes = _change(action, key, unread, anytime=tag.version < 0)
        return changeable(interaction, reply, changes, list(values.values()))

    if refusal:
        await send(interaction, also(say(refusal, private=True)), tag.scope)
        return
    if problems:
        labels = {blank.name: blank.label for blank in FORMS[key].blanks} if key in FORMS else {}
        lines = [
            f"Enter a number for {labels.get(name, name)} (you entered {values[name]})." for name in problems
        ]
        await send(interaction, also(say(*lines, "Nothing was changed.", private=True)), tag.scope)
        return
    await answer(
        interaction, complete_action, scope=tag.scope, version=tag.version, reason=reason or "", also=also
    )


async def _with_files(
    interaction: Interaction, data: Mapping[str, Any], action: Action, inputs: Mapping[str, Any]
) -> Action:
    """Return the action with the files that were handed in, as its fields read them. Raises InvalidInput."""
    files = data.get("resolved", {}).get("attachments", {})
    for name, box in inputs.items():
        for number in box.get("values", ()):
            file = discord.Attachment(data=files[number], state=interaction._state)
            kind = part_of(action.command, name).kind
            assert isinstance(kind, Attached), "a form takes files for fields that are files"
            action = with_text(action, {name: await file_text(file, kind)})
    return action


def _filled(action: Action, values: Mapping[str, str]) -> tuple[Action, list[str]]:
    """The action with what was filled in, and the blanks that are no numbers but should be. Raises BadId."""
    problems = []
    for name, text in values.items():
        try:
            action = with_text(action, {name: text})
        except BadId:
            raise
        except ValueError:
            problems.append(name)
    return action, problems


def _change(action: Action, key: str, unread: Typed, *, anytime: bool) -> list[Button]:
    """The button that opens the form again, filled in with what was said, where it has room."""
    form = FORMS.get(key)
    return (
        with_typed(Button(CHANGE_LABEL, action, anytime=anytime, form=form), unread)
        if form is not None
        else []
    )


def _inputs(labels: Any) -> dict[str, Mapping[str, Any]]:
    """Return the inputs of a form by what they fill."""
    boxes = [label["component"] for label in labels if "component" in label]
    return {box["custom_id"]: box for box in boxes}


async def _tag(interaction: Interaction, data: Mapping[str, Any]) -> Tag | None:
    try:
        return unpack(str(data.get("custom_id", "")))
    except BadId:
        await send(interaction, OLD)
        return None
