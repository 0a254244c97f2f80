"""The owner of each action: declared beside its fields, and checked in one place.

Every action has an owner. If a field names a model or a side that only its player may name (`mine`), that
field is the declaration; any other action declares `decision_of`. `require_owner` refuses everyone else with
a sentence. An organiser's reason lets them pass, and so does the setting that one person enters for all
players; everyone is told of both. See `docs/decisions/0042-every-decision-has-an-owner.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Any

from bot.actions import ACTIONS, Action, parts
from bot.store.rows import ModelRow, SideRow
from bot.table.act import ActView
from bot.table.asking.server_kinds import CampaignKind, Crews
from bot.table.asking.table_kinds import Models, Sides


class Role(Enum):
    """Kinds of owners."""

    ANYONE = "anyone (these commands change nothing for other people)"
    SELF = "each person, for themselves"
    PLAYER = "any player"
    MODEL = "the player of the model, or the captain of its side"
    SIDE = "the players of the side"
    ASKED = "the person who was asked"
    AUTHOR = "the people whose decisions would be undone or redone"
    ORGANISER = "the organiser"
    CREW = "the owner of the crew"
    CAMPAIGN = (
        "the owner of the crew or the campaign's organiser, depending on the command; anyone can use the "
        "commands that only show something"
    )
    LIBRARY = (
        "anyone can add an entry to the server's library; only the entry's author or a manager of the "
        "channel can change or remove it"
    )
    SERVER = "the people who manage the server"


Of = Callable[[ActView, Any], Iterable[ModelRow | int]]
"""A function that returns the models that the action decides about, or the numbers of sides."""


def _never(action: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of an action.

    fields: those that name the models or sides. of: finds them if no field names them; if none are found, any
    player decides. either: one of several owners is enough. shows: tells an action that changes nothing,
    which anyone may ask. note: the owner in words, if the state of the game decides and the handler asks
    `Act.require_side` or `require_model` itself. does: what only the organiser does. explained: the action
    carries a reason, so people who manage the channel may do it too.
    """

    role: Role
    fields: tuple[str, ...] = ()
    of: Of | None = None
    either: bool = False
    shows: Callable[[Any], bool] = field(default=_never)
    note: str = ""
    does: str = ""
    explained: bool = False

    @property
    def words(self) -> str:
        """Return who decides, for people."""
        if self.note:
            return self.note
        field_names = f" ({', '.join(self.fields)})" if self.fields else ""
        return f"{self.role.value}{field_names}"


ANYONE = Owner(Role.ANYONE)
SELF = Owner(Role.SELF)
PLAYER = Owner(Role.PLAYER)
ASKED = Owner(Role.ASKED)
AUTHOR = Owner(Role.AUTHOR)
CREW = Owner(Role.CREW)
CAMPAIGN = Owner(Role.CAMPAIGN)
RULER = Owner(Role.ORGANISER, note="the organiser (the bot tells anyone else who the organiser is)")
LIBRARY = Owner(Role.LIBRARY)
SERVER = Owner(Role.SERVER)


def player_of(*fields: str, shows: Callable[[Any], bool] = _never) -> Owner:
    """Return the player of the models in these fields."""
    return Owner(Role.MODEL, fields, shows=shows)


def side_of(*fields: str) -> Owner:
    """Return the players of the side of the models in these fields."""
    return Owner(Role.SIDE, fields, lambda act, action: _sides_of(act, action, fields))


def either_side_of(*fields: str) -> Owner:
    """Return the players of any of the sides of the models in these fields."""
    return Owner(Role.SIDE, fields, lambda act, action: _sides_of(act, action, fields), either=True)


def in_play(note: str) -> Owner:
    """Return the players of a side that the state of the game tells; note: which one."""
    return Owner(Role.SIDE, note=note)


def side_in(field: str) -> Owner:
    """Return the players of the side in this field."""
    return Owner(Role.SIDE, (field,))


def decided_by(of: Of, *, shows: Callable[[Any], bool] = _never) -> Owner:
    """Return the players of the sides, or of the models, that `of` finds."""
    return Owner(Role.SIDE, of=of, shows=shows)


def player_unless(shows: Callable[[Any], bool]) -> Owner:
    """Return any player, or anyone if the action only shows something."""
    return Owner(Role.PLAYER, shows=shows)


def organiser(does: str, *, explained: bool = False, shows: Callable[[Any], bool] = _never) -> Owner:
    """Return the organiser alone. does: what only the organiser does, as the refusal says it."""
    return Owner(Role.ORGANISER, does=does, explained=explained, shows=shows)


# ------------------------------------------------------------------------------------ declared


@cache
def declared_owner(command: str) -> Owner | None:
    """Return the owner that an action declares, itself or by the kinds of its fields; None for none."""
    declared: Owner | None = ACTIONS[command].decision_of
    return declared if declared is not None else _by_fields(command)


def owner_of(command: str) -> Owner:
    """Return the owner of an action; any player where none is declared, which a test forbids."""
    return declared_owner(command) or PLAYER


def _by_fields(command: str) -> Owner | None:
    own_parts = [part for part in parts(command) if getattr(part.kind, "mine", False)]
    for kind, role in ((Models, Role.MODEL), (Sides, Role.SIDE), (Crews, Role.CREW)):
        names = tuple(part.name for part in own_parts if isinstance(part.kind, kind))
        if names:
            return Owner(role, names)
    in_campaign = any(isinstance(part.kind, CampaignKind) for part in parts(command))
    return CAMPAIGN if in_campaign else None


def permissions() -> Mapping[str, Owner]:
    """Return every action with its owner: the permission matrix."""
    return {command: owner_of(command) for command in sorted(ACTIONS)}


# ------------------------------------------------------------------------------------ checked


def require_owner(act: ActView, action: Action) -> None:
    """Refuse an action that is another person's decision. Raises NotAllowed.

    Fields that only an owner may name are checked as they are read; if none is named, any player decides.
    Crews, campaigns, the library and the server check their owners themselves.
    """
    owner = owner_of(action.command)
    if act.action.looks or not act.has_encounter or owner.note or owner.shows(action):
        return
    match owner.role:
        case Role.PLAYER:
            act.require_player()
        case Role.ORGANISER:
            act.require(
                act.organises or (owner.explained and act.is_organiser),
                f"Only the organiser can {owner.does}.",
            )
        case Role.MODEL | Role.SIDE if ACTIONS[action.command].decision_of is not None:
            _require_one_of(act, owner, action)
        case Role.MODEL | Role.SIDE if not any(getattr(action, name) for name in owner.fields):
            act.require_player()


def _require_one_of(act: ActView, owner: Owner, action: Action) -> None:
    candidates = owner.of(act, action) if owner.of is not None else _said(act, owner, action)
    owners = [row for row in candidates if row]
    if not owners:
        act.require_player()
    elif owner.either and any(act.plays_on(row if isinstance(row, int) else row.side) for row in owners):
        return
    for row in owners if not owner.either else owners[:1]:
        if isinstance(row, int):
            act.require_side(row)
        else:
            act.require_model(row)


def _said(act: ActView, owner: Owner, action: Action) -> Iterable[ModelRow | int]:
    if owner.role is Role.MODEL:
        return _models_in(act, action, owner.fields)
    return [side_number(act, getattr(action, name)) for name in owner.fields]


def _sides_of(act: ActView, action: Action, fields: Iterable[str]) -> list[int]:
    return [row.side for row in _models_in(act, action, fields)]


def _models_in(act: ActView, action: Action, fields: Iterable[str]) -> list[ModelRow]:
    values = (getattr(action, name) for name in fields)
    refs = (ref for value in values for ref in (value if isinstance(value, tuple) else (value,)) if ref)
    return [row for ref in refs for row in model_rows(act, ref)]


def side_number(act: ActView, value: Any) -> int:
    """Return the number of the side in a field, 0 for none."""
    if isinstance(value, SideRow):
        return value.id
    if isinstance(value, str):
        sides = [side for side in act.encounter.sides() if side.name.casefold() == value.strip().casefold()]
        return sides[0].id if sides else 0
    return int(value or 0)


def model_rows(act: ActView, value: Any) -> Iterable[ModelRow]:
    """Return the row of the model in a field; empty for a model without a row."""
    if isinstance(value, ModelRow):
        yield value
        return
    if isinstance(value, str):
        yield act.encounter.find_model(value, gone=True)
        return
    number = value if isinstance(value, int) else value.id
    if number > 0:
        yield act.encounter.model(number)
