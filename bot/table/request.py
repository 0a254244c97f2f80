"""What a person asks of the table, what comes back, and how it is written down."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.actions import Action, asked_and_decided, decision
from bot.replies.reply import Blank, Reply, form, reply_to_json
from bot.store.journal import NewEntry, key_of
from bot.table.act import Actor
from bot.table.journal.witness import Witness
from bot.version import rules_version

OVERRIDE_BLANK = "override_reason"
"""The blank of the form in which an organiser overrides; it is no field of the action."""

OVERRIDE = "Override..."
"""The button by which an organiser lets a refusal pass, and says why; or first fills in what is refused."""

OVERRIDE_FORM = form("override", "Override", Blank(OVERRIDE_BLANK, "Why? Everybody will read it."))

LONGEST_REASON = 100


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asks: an action, from a command or a button.

    interaction: the id that makes it happen once. scope and version: what the button said, 0 and -1 for a
    command. reason: why an organiser overrides. witness: what the journal keeps of how it was asked.
    """

    action: Action
    actor: Actor
    interaction: int
    scope: int = 0
    version: int = -1
    reason: str = ""
    witness: Witness = field(default_factory=Witness)


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply, and the scope as it stands after it; version -1: its buttons are good at any time.

    changed: something was written. repeated: the interaction had been answered before, with this.
    loud: the panel is shown anew for everybody to notice, although the reply is private.
    refusal: what kind of refusal it is, empty where nothing was refused.
    """

    reply: Reply
    scope: int = 0
    version: int = -1
    changed: bool = False
    repeated: bool = False
    loud: bool = False
    refusal: str = ""


IN_PRIVATE = "something told in private"
"""What everybody reads in the log where the reply was for one person: not even which command it was."""


def draft(request: Request, action: Action, reply: Reply) -> NewEntry:
    """The journal's entry of an action that gave this reply, nothing rolled."""
    asked, decided = asked_and_decided(action)
    return NewEntry(
        interaction=request.interaction,
        channel=request.actor.channel_id,
        actor_id=request.actor.user_id,
        actor=request.actor.name,
        command=action.command,
        input=asked,
        decision=decided,
        title=IN_PRIVATE if reply.private or not reply.lines else reply.lines[0],
        reply=reply_to_json(reply),
        reason=request.reason,
        again=request.version >= 0,
        asked=request.witness.written(),
        outside=tuple(request.witness.outside.values()),
        version=rules_version(),
    )


def action_key(action: Action) -> str:
    """Tells equal decisions from different ones."""
    return key_of(action.command, decision(action))
