"""An encounter of a campaign: both crews come from the campaign's copies, and the encounter knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply, say
from bot.store.row_types import CampaignRow, EntrantRow, FixtureRow, VeteranRow
from bot.store.rows import CrewRow, EncounterRow, MemberRow, ProfileRow, SeatRow, SideRow
from bot.store.store import Store
from bot.table.act import Act, Actor, no_dice
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import Encounter
from bot.table.game import game
from bot.table.handlers import Place, handles
from bot.table.ledger.campaign_book import NO_CAMPAIGN, Campaign, CampaignView, format_amount
from bot.table.ledger.campaign_fields import InCampaign, fixture_field
from bot.table.ledger.campaign_rules import CAMPAIGN_SETTINGS, ENTRANT, OUT, VETERAN, get_rules
from bot.table.realdice import BOT, dice_of
from bot.table.rolling.dice_settings import VERIFY
from bot.table.rosters.crew_state import HOME, member_of, taken_along
from bot.table.rosters.gate import require_legal
from bot.table.rosters.statblocks import load_custom_models
from bot.table.session.arrivals import add_model, add_side
from bot.table.session.encounters import MAX_TURNS
from bot.table.session.preparations import build_begin_buttons
from rules.dice import commitment
from rules.refusals import Forbidden, InvalidInput

CAMPAIGN, FIXTURE = "campaign", "fixture"
"""Settings of an encounter: the scope of its campaign, and the fixture that it plays."""


def _campaign_to_play(context: Asking) -> Campaign:
    """Return the campaign that was read for a fixture, before its game exists. Raises InvalidInput."""
    if context.act.extra is None:
        raise InvalidInput(NO_CAMPAIGN)
    camp: Campaign
    camp, _ = context.act.extra
    return camp


@dataclass(frozen=True, slots=True)
class PlayFixture(InCampaign):
    """Start a fixture's game in this channel."""

    command = "campaign.play"
    typed = "campaign play"
    titled = "Play a fixture"

    fixture: FixtureRow = fixture_field(_campaign_to_play)
    turns: int = fields.whole("Number of turns", 1, MAX_TURNS, default=0, checked=True)


@dataclass(frozen=True, slots=True)
class Around:
    """Facts about the rest of the server that a campaign's crews need.

    begun: the fixtures for which an encounter was started, whether or not it has ended. own: the server's
    custom statblocks.
    """

    begun: frozenset[int]
    own: tuple[ProfileRow, ...] = ()


def known_blocks(context: Asking) -> Sequence[ProfileRow]:
    """Return the server's own statblocks, as far as they were read beforehand."""
    server_facts = context.act.extra
    return server_facts.own if isinstance(server_facts, Around) else ()


async def begun(store: Store, actor: Actor, action: Action) -> Around:
    """Read which fixtures of a campaign have begun, and the server's own statblocks."""
    settings_rows = await store.encounters_with(actor.guild_id, CAMPAIGN, str(getattr(action, "campaign", 0)))
    fixtures = frozenset(int(settings[FIXTURE]) for settings in settings_rows)
    return Around(fixtures, tuple(await load_custom_models(store, actor, action)))


async def read_campaign(store: Store, actor: Actor, action: Action, scope: int) -> Campaign:
    """Return a campaign of the server that is only read, for an action that works elsewhere. Raises
    InvalidInput.
    """
    loaded = await store.load(scope) if scope else None
    if loaded is None or loaded.scope.guild_id != actor.guild_id or loaded.book().get(CampaignRow) is None:
        raise InvalidInput(NO_CAMPAIGN)
    return Campaign(Act(loaded.book(), actor, action, no_dice))


async def _read_before_play(store: Store, actor: Actor, action: PlayFixture) -> tuple[Campaign, Around]:
    camp = await read_campaign(store, actor, action, action.campaign)
    return camp, await begun(store, actor, action)


@handles(PlayFixture, Place.NEW_ENCOUNTER, beforehand=_read_before_play)
def play(act: Act, action: PlayFixture) -> Reply:
    """Start a fixture with both crews as they are, without benched or missing members; both players have
    seats.
    """
    camp: Campaign
    camp, server_facts = act.extra
    fixture = action.fixture
    camp.require_quiet(fixture.home, fixture.away)
    camp.require_open(fixture)
    camp.require_fixture(fixture)
    encounter = _create_encounter(act, camp, fixture, action.turns)
    with act.overridable():
        if fixture.id in server_facts.begun:
            raise Forbidden(
                f"The game {camp.versus(fixture)} has already been started. Play it, or report it with "
                "/campaign after if it has ended."
            )
    lines = [f"{encounter.row.name}: the game has been created.", f"{camp.row.name}, round {fixture.round}"]
    sides = {}
    for entrant_id in (fixture.home, fixture.away):
        entrant = camp.entrant(entrant_id)
        side = _muster(act, camp, entrant)
        sides[entrant_id] = side.id
        model_count_text = format_amount(len(encounter.models(side.id)), "models")
        lines.append(f"{side.name} has {model_count_text} and is played by {entrant.owner}.")
    lines += get_rules(camp.row.system).begins(camp, encounter, sides)
    return say(*lines, VERIFY, buttons=build_begin_buttons(encounter))


def _game_settings(row: CampaignRow) -> dict[str, str]:
    campaign_keys = {setting.key for setting in CAMPAIGN_SETTINGS}
    return {key: value for key, value in row.settings.items() if key not in campaign_keys}


def _create_encounter(act: Act, camp: Campaign, fixture: FixtureRow, turns: int) -> Encounter:
    played_game = game(camp.row.system)
    act.book.add(
        EncounterRow(
            act.book.scope,
            channel_id=act.actor.channel_id,
            guild_id=act.actor.guild_id,
            system=camp.row.system,
            name=camp.versus(fixture)[:60],
            organiser_id=act.actor.user_id,
            commitment=commitment(act.seed),
            turns=turns or played_game.turns,
            settings={**_game_settings(camp.row), CAMPAIGN: str(camp.book.scope), FIXTURE: str(fixture.id)},
        )
    )
    return act.encounter


def fielded(camp: CampaignView, entrant: int) -> list[VeteranRow]:
    """Return the members of a crew who play: fit, not benched, missing no encounter."""
    return [row for row in camp.veterans(entrant) if not row.benched and not row.counters.get(OUT)]


def _muster(act: Act, camp: Campaign, entrant: EntrantRow) -> SideRow:
    encounter, played_game, rules = act.encounter, game(camp.row.system), get_rules(camp.row.system)
    members = fielded(camp, entrant.id)
    with act.overridable():
        rules.require_fielded(camp, members)
    require_legal(act, _crew_row(camp, entrant), [member_of(member_row) for member_row in members])
    side = add_side(encounter, entrant.name, entrant.crew)
    side.traits = {**taken_along(entrant.traits), ENTRANT: str(entrant.id)}
    for veteran in members:
        model = add_model(encounter, side.id, entrant.owner_id, veteran.name, veteran.profile)
        model.counters = {VETERAN: veteran.id, **rules.carries(veteran)}
        member = MemberRow(
            0, veteran.id, veteran.name, veteran.profile, veteran.points, veteran.leader, veteran.note
        )
        played_game.enlist(encounter, model, member)
    played_game.side_ready(encounter, side.id)
    seat_id = encounter.book.next_id(SeatRow)
    dice = dice_of(camp.book, entrant.owner_id) or BOT
    encounter.book.add(
        SeatRow(encounter.book.scope, seat_id, entrant.owner_id, entrant.owner, side.id, "captain", dice)
    )
    return side


def _crew_row(camp: Campaign, entrant: EntrantRow) -> CrewRow:
    """Return the campaign's copy of a crew as a row of a kept one."""
    row = camp.row
    traits = {**entrant.traits, HOME: str(row.scope)}
    return CrewRow(entrant.crew, row.guild_id, entrant.owner_id, row.system, entrant.name, traits=traits)


def campaign_of(encounter: Encounter) -> int:
    """Return the scope of the campaign that an encounter belongs to, or 0."""
    return int(encounter.setting(CAMPAIGN, "0"))
