"""Rosters: profiles typed or imported, squads made of them, profiles written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone import suggestions
from bot.games.warzone.fields import any_model_field, friend, model_list_field
from bot.games.warzone.state import SQUAD_NAME, SideState, model_state
from bot.games.warzone.units import join_squad, make_squad, read_turn, squad_of
from bot.replies.reply import Blank, Button, Reply, form
from bot.store.rows import SideRow
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles, require_player
from bot.table.journal.history import UNDO
from bot.table.names import check_name, check_words
from bot.table.owners import ANYONE, player_unless
from bot.table.session.arrivals import MAX_SIDES, add_model, find_or_add_side
from rules.refusals import InvalidInput, Missing
from rules.systems.warzone.model import Model
from rules.systems.warzone.notation import parse_json, parse_profile, profile_json, profile_text
from rules.systems.warzone.profile import Profile
from rules.wording import times

MAX_COPIES = 20

PROFILE_FORM = form(
    "wz.profile",
    "Name, characteristics, traits, weapons",
    Blank("text", "Profile", longest=1800, lines=True, as_typed=True),
    Blank("squad", "Squad", required=False, longest=32),
    Blank("count", "Count", default="1", longest=2),
)

PROFILE_HELP = (
    "Type a profile like this, with the traits and each weapon on a new line:",
    "```",
    "Sergeant Rock",
    "CC 8 RC 10 PW 0 LD 12 AC 3 WD 1",
    "ST 5 MV 4 SZ 2 AR 22",
    "leader",
    "weapon Rifle: DM 12, SR +2, MR 0",
    "weapon Knife: DM 4, close",
    "```",
)


@dataclass(frozen=True, slots=True)
class AddModels(Action):
    """Add models from a profile that you type.

    As text or JSON. name: instead of the profile's.
    """

    command = "wz.add"
    typed = "wz model add"
    titled = "Add models from a profile"
    decision_of = player_unless(lambda action: not action.text.strip())

    text: str = fields.text("Profile (blank for a form)", None, notation=True)
    squad: str = fields.words("Squad to join", suggestions.own_squads, freely=True)
    count: int = fields.whole("Number of models", 1, MAX_COPIES, default=1, checked=True)
    side: SideRow | str | None = fields.side_or_new_name("Side to join", MAX_SIDES)
    name: str = fields.text("Name for the models", None)


@dataclass(frozen=True, slots=True)
class FormSquad(Action):
    """Make a squad from models.

    Or put them into one. leader: one of them.
    """

    command = "wz.squad"
    typed = "wz model squad"
    titled = "Make a squad"
    waits_for_dice = True

    name: str = fields.words("Name of the squad", suggestions.own_squads, needed=True, freely=True)
    models: tuple[Model, ...] = model_list_field("Models, separated by commas", mine=True, needed=True)
    leader: Model | None = friend("Leader", offering.own_model)


@dataclass(frozen=True, slots=True)
class ExportModel(Action):
    """Show the profile of a model as text (visible only to you).

    As text or JSON.
    """

    command = "wz.write"
    typed = "wz model export"
    titled = "Profile as text"
    decision_of = ANYONE

    model: Model = any_model_field("Model", gone=True, needed=True)
    json: bool = fields.switch("Show as JSON")


def read_typed_profile(text: str) -> Profile:
    """Return a profile typed as text, or pasted as JSON. Raises InvalidInput."""
    return parse_json(text) if text.lstrip().startswith("{") else parse_profile(text)


@handles(AddModels, may=require_player)
def add_models(act: Act, action: AddModels) -> Reply:
    """Read the profile, put so many of it into play, in one squad. Rules: WZ-STAT-01."""
    if not action.text.strip():
        form_button = Button(
            "Type a profile", replace(action, text=""), "main", anytime=True, form=PROFILE_FORM
        )
        return Reply(PROFILE_HELP, private=True, buttons=(form_button,))
    profile = read_typed_profile(action.text)
    check_words(weapon.name for weapon in profile.weapons)
    encounter, side = act.encounter, find_or_add_side(act, action.side)
    model_name = check_name(action.name or profile.name)
    if action.squad:
        squad_id = _find_or_make_squad(act, side, action.squad)
    else:
        squad_id = make_squad(
            encounter, side, model_name if action.count == 1 else f"{model_name[:26]} squad"
        )
    names = []
    for _ in range(action.count):
        row = add_model(encounter, side.id, act.actor.user_id, model_name, profile_text(profile))
        join_squad(encounter, row, squad_id)
        names.append(row.name)
    squad = squad_of(encounter, squad_id)
    return Reply(
        (f"Added to {side.name}: {', '.join(names)}.", f"{squad.name}: {times(len(squad.models), 'model')}."),
        buttons=(UNDO,),
    )


def _find_or_make_squad(act: Act, side: SideRow, name: str) -> int:
    for squad_id, squad_name in SQUAD_NAME.among(side.traits.items()).items():
        if squad_name.casefold() == name.strip().casefold():
            return squad_id
    return make_squad(act.encounter, side, check_name(name, "squad's name"))


def _check_idle(act: Act, models: Sequence[Model]) -> None:
    active_squads = read_turn(act.encounter).active if act.encounter.row.turn else ()
    for model in models:
        if model.squad in active_squads:
            unit = squad_of(act.encounter, model.squad).name
            raise InvalidInput(f"Wait until {unit} has finished its activation before you make a squad.")


@handles(FormSquad)
def form_squad(act: Act, action: FormSquad) -> Reply:
    """Make a squad from models of one side; before the game, their number is its starting strength."""
    encounter, models, leader = act.encounter, action.models, action.leader
    if not models:
        raise Missing("Enter the models of the squad, separated by commas.")
    if len({model.side for model in models}) > 1:
        raise InvalidInput("All models of a squad must be on the same side.")
    side = encounter.side(models[0].side)
    squad_id = _find_or_make_squad(act, side, action.name)
    _check_idle(act, models)
    for model in models:
        join_squad(encounter, encounter.model(model.id), squad_id)
    if leader is not None:
        if model_state(encounter, leader.id).squad != squad_id:
            raise InvalidInput(f"Choose a leader from this squad. {leader.name} isn't in it.")
        SideState(side).leader[squad_id] = leader.id
    squad = squad_of(encounter, squad_id)
    if encounter.row.turn < 1:
        SideState(side).starting[squad_id] = len(squad.models)
    current_leader = squad.leading
    return Reply(
        (
            f"{squad.name}: {times(len(squad.models), 'model')}.",
            f"Leader: {current_leader.name}."
            if current_leader
            else 'The squad has no leader. To choose one, make the squad again and fill in "Leader".',
        ),
        buttons=(UNDO,),
    )


@handles(ExportModel)
def export_model(act: Act, action: ExportModel) -> Reply:
    """Return the profile as it can be typed in again."""
    profile = action.model.profile
    text = profile_json(profile) if action.json else profile_text(profile)
    return Reply((f"{action.model.name}:", "```", *text.splitlines(), "```"), private=True)
