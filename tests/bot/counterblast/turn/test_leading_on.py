"""Who may act is offered and nothing else; what is still to be done is asked about before it is passed."""

from __future__ import annotations

import pytest

from bot.actions import with_text
from bot.games.counterblast import GAME
from bot.games.counterblast.missions.mission_choices import AskMission, ChooseSecretly
from bot.games.counterblast.missions.objectives import LayPlaces
from bot.games.counterblast.missions.scores import ScoreSquares
from bot.games.counterblast.missions.traps import TrapPlace
from bot.games.counterblast.setup.deployment import PlacePiece
from bot.games.counterblast.state.missions import find_mission
from bot.games.counterblast.state.models import settings_of
from bot.games.counterblast.state.table_state import EncounterState, SideState
from bot.games.counterblast.turn.activation_actions import ActNamed
from bot.games.counterblast.turn.activation_menu import LeadGroup, list_able_models, list_directed_models
from bot.games.counterblast.turn.bag import DrawToken, PassDraw, SpendOrder
from bot.replies.reply import Menu
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.offers.forms import build_form
from bot.table.offers.legal_actions import Looking
from bot.table.request import Answer
from bot.table.session.encounters import JoinEncounter, NextStep, Ready, StartDemo, StartEncounter
from bot.table.session.joining import JoinWithSample
from rules.systems.counterblast.core.counters import Counter
from tests.bot.arranging import Step, arrange
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, gifted, under
from tests.bot.tables import Table
from tests.bot.waited import waited_for


def drawn(side: int) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.row.counters["drawn"] = side

    return step


def spent(name: str) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.find_model(name).counters[Counter.ACTIONS] = 2

    return step


def empty_bag(encounter: Encounter) -> None:
    for token in encounter.tokens("initiative"):
        token.inside = 0


async def choose(ring: Ring, who: str, menu: Menu, *labels: str) -> Answer:
    values = tuple(choice.value for choice in menu.choices if choice.label in labels)
    assert len(values) == len(labels)
    return await ring.table.do(who, with_text(menu.action, {menu.fills: values}))


# ---------------------------------------------------------------- groups


@pytest.mark.parametrize(("side", "who"), [(1, ANNA), (2, BO)])
async def test_whatever_the_menus_offer_is_a_group(ring: Ring, side: int, who: str) -> None:
    await ring.arrange(drawn(side))
    alone, led = GAME.panel(await ring.table.encounter()).menus
    assert (alone.least, alone.most) == (1, 1)
    groups = 0
    for leader in led.choices:
        menu = (await choose(ring, who, led, leader.label)).reply.menus[0]
        for place in range(len(menu.choices)):
            turned = (menu.choices * 2)[place : place + menu.most]
            acts = await choose(ring, who, menu, *(choice.label for choice in turned))
            assert acts.changed, acts.reply.text
            assert acts.reply.lines[0].startswith(f"{leader.label} and ")
            await ring.table.done(who, Undo())
            groups += 1
    assert groups > 5
    for choice in alone.choices:
        assert (await choose(ring, who, alone, choice.label)).changed
        await ring.table.done(who, Undo())


@pytest.mark.rule("CB-ACT-04", "CB-ACT-05")
async def test_a_hero_is_led_by_nobody_and_a_lackey_leads_its_like(ring: Ring) -> None:
    encounter = await ring.table.encounter()
    models, chosen = list_able_models(encounter, 1), settings_of(encounter)
    hero = next(model for model in models if model.profile.is_hero)
    led = list_directed_models(hero, models, chosen)
    assert led
    assert not any(model.profile.is_hero for model in led)
    for lackey in (model for model in models if not model.profile.is_hero):
        assert {model.profile.key for model in list_directed_models(lackey, models, chosen)} <= {
            lackey.profile.key
        }


@pytest.mark.rule("CB-FEAT-18", "CB-ACT-07")
async def test_a_controlled_model_is_offered_with_a_hero_alone_and_the_panicked_lead_nobody(
    ring: Ring,
) -> None:
    await ring.arrange(drawn(1), gifted("HOpR", "controlled"), under("panicked", "Sally"))
    alone, led = GAME.panel(await ring.table.encounter()).menus
    assert "HOpR Bot" not in [choice.label for choice in alone.choices]
    leaders = [choice.label for choice in led.choices]
    assert "Sally Starfield" not in leaders
    menu = (await choose(ring, ANNA, led, "Skip Westmoreland")).reply.menus[0]
    assert "HOpR Bot" in [choice.label for choice in menu.choices]


@pytest.mark.rule("CB-ORDER-06")
async def test_order_tokens_make_a_group_larger_as_far_as_there_are_models(ring: Ring) -> None:
    await ring.arrange(drawn(2))
    encounter = await ring.table.encounter()
    asked = await ring.table.do(BO, LeadGroup(encounter.find_model("Prime").id))
    assert asked.reply.private
    few = asked.reply.menus[0].most
    more = await ring.table.press(BO, asked, "Add 1 order token")
    menu = more.reply.menus[0]
    assert menu.most > few
    acts = await choose(ring, BO, menu, *(choice.label for choice in menu.choices[: menu.most]))
    assert acts.changed, acts.reply.text
    assert await ring.orders(2) == 1
    await ring.table.done(BO, Undo())
    assert "The crew has 2 order tokens (you need 3)" in await ring.refused(
        BO, LeadGroup(encounter.find_model("Prime").id, 3)
    )


@pytest.mark.rule("CB-ORDER-06")
async def test_tokens_spent_for_a_larger_group_hold_for_the_act_that_follows(ring: Ring) -> None:
    """`/order spend "larger group"`, then `/act` as always: nothing is to be said twice."""
    await ring.arrange(drawn(2))
    encounter = await ring.table.encounter()
    asked = await ring.table.do(BO, LeadGroup(encounter.find_model("Prime").id))
    few = asked.reply.menus[0].most
    followers = [choice.label for choice in asked.reply.menus[0].choices][: few + 1]
    refused = await ring.refused(BO, ActNamed(("Prime Leader", *followers)))
    assert f"can direct up to {few} " in refused
    typed = SpendOrder("larger group").as_typed_action()
    said = await ring.ask(BO, typed)
    assert said[0] == "Edo spends 1 order token. Its next group can be larger."
    assert await ring.orders(2) == 1
    assert "Only bo can do this for Edo." in await ring.refused(ANNA, typed)
    await ring.ask(BO, ActNamed(("Prime Leader", *followers)))
    assert await ring.orders(2) == 1, "not spent twice"
    assert (await ring.table.encounter()).side(2).counters.get("group tokens", 0) == 0


# ---------------------------------------------------------------- what is left


def drawer(side: int) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.row.counters["drawer"] = side

    return step


@pytest.mark.rule("CB-BAG-04")
@pytest.mark.parametrize(
    ("before", "label"),
    [(2, "Draw"), (1, "End activation")],
    ids=["she draws next", "he draws next"],
)
async def test_draw_asks_while_somebody_can_still_act(ring: Ring, before: int, label: str) -> None:
    await ring.arrange(drawn(1), drawer(before), active("Sally"))
    asked = await ring.table.do(ANNA, DrawToken(asks=True))
    assert not asked.changed
    assert asked.reply.private
    assert asked.reply.lines == (
        "Sally Starfield has 2 actions left.",
        f"Press {label} to continue anyway.",
    )
    ended = await ring.table.press(ANNA, asked, label)
    assert "Done: Sally Starfield." in ended.reply.lines


@pytest.mark.parametrize("why", ["spent", "incapacitated"])
async def test_nothing_is_asked_of_who_can_do_nothing_more(ring: Ring, why: str) -> None:
    over = spent("Sally") if why == "spent" else under(why, "Sally")
    await ring.arrange(drawn(1), drawer(2), active("Sally"), over)
    assert (await ring.table.done(ANNA, DrawToken(asks=True))).reply.lines[0] == "Done: Sally Starfield."


@pytest.mark.rule("CB-BAG-07")
async def test_an_empty_bag_offers_no_draw(ring: Ring) -> None:
    async def buttons() -> list[str]:
        encounter = await ring.table.encounter()
        return [button.label for button in game_of(encounter).panel(encounter).buttons]

    await ring.arrange(drawn(1), active("Sally"))
    assert await buttons() == ["End activation", "Undo", "Log"]
    await ring.arrange(empty_bag)
    assert await buttons() == ["End activation", "Undo", "Log"]
    ended = await ring.table.done(ANNA, PassDraw())
    assert "The bag is empty. Go on to Upkeep." in ended.reply.lines
    assert [button.label for button in ended.reply.buttons] == ["Upkeep", "Undo"]


# ---------------------------------------------------------------- missions


async def seated(table: Table) -> None:
    await table.done(ANNA, StartDemo())
    await table.done(BO, JoinEncounter("Edo"))


async def both_ready(table: Table) -> None:
    """Both players press Ready, as far as they have not."""
    for who in (ANNA, BO):
        await table.do(who, Ready())


@pytest.mark.rule("CB-MISS-01")
async def test_begin_asks_for_missions_that_are_due(table: Table) -> None:
    await seated(table)
    await both_ready(table)
    asked = await table.do(ANNA, NextStep(asks=True))
    assert not asked.changed
    assert asked.reply.private
    assert asked.reply.lines[0] == "No mission chosen yet: Lancers, Edo."
    menus = (await table.press(ANNA, asked, "Choose a mission")).reply.menus
    assert [menu.prompt for menu in menus] == ["Lancers: choose a mission"]
    await table.done(BO, ChooseSecretly("Abduction", target="Smap"))
    await both_ready(table)
    asked = await table.do(BO, NextStep(asks=True))
    assert asked.reply.lines[0] == "No mission chosen yet: Lancers."
    assert [button.label for button in asked.reply.buttons] == ["Begin anyway"]
    assert (await table.press(BO, asked, "Begin anyway")).reply.lines[0].startswith("Turn 1 of 8.")
    assert "Missions have to be chosen before" in await table.refused(ANNA, AskMission())


async def test_begin_asks_nothing_where_every_side_has_a_mission(table: Table) -> None:
    await seated(table)
    await table.done(ANNA, ChooseSecretly("Abduction", target="Trapper"))
    await table.done(BO, ChooseSecretly("Invasion"))
    await both_ready(table)
    assert (await table.done(ANNA, NextStep(asks=True))).reply.lines[0].startswith("Turn 1 of 8.")


async def test_begin_asks_for_places_that_are_not_laid(table: Table) -> None:
    """Of one's own mission alone: what is asked tells nobody what the others have chosen."""
    await seated(table)
    await table.done(ANNA, ChooseSecretly("Sabotage"))
    await table.done(BO, ChooseSecretly("Abduction", target="Smap"))
    await both_ready(table)
    asked = await table.do(ANNA, NextStep(asks=True))
    assert not asked.changed
    assert asked.reply.private
    assert "Lancers has not set up the places for Sabotage." in " ".join(asked.reply.text.split())
    assert [button.label for button in asked.reply.buttons] == ["Set up places", "Begin anyway"]
    lay = asked.reply.buttons[0]
    assert lay.asks
    looking = Looking((await table.loaded()).book(), table.actor(ANNA))
    assert [one.name for one in build_form(looking, lay.action).controls] == ["spots"], "the side is clear"
    mission = await table.do(ANNA, AskMission())
    assert [button.label for button in mission.reply.buttons] == ["Set up places"]
    theirs = await table.do(BO, AskMission())
    assert theirs.reply.lines == ("Edo: Abduction, Target: Smap", "Only your side sees this.")
    assert not theirs.reply.buttons
    assert await labels(table) == ["Ready", "Mission", "Set up...", "Undo"], "whatever was chosen"
    await table.done(ANNA, LayPlaces("10 10 12"))
    assert await labels(table) == ["Ready", "Mission", "Set up...", "Undo"]
    await both_ready(table)
    assert (await table.done(ANNA, NextStep(asks=True))).reply.lines[0].startswith("Turn 1 of 8.")


async def labels(table: Table) -> list[str]:
    encounter = await table.encounter()
    return [button.label for button in game_of(encounter).panel(encounter).buttons]


async def test_who_brings_a_crew_is_asked_for_its_mission_at_once(table: Table) -> None:
    await table.done(ANNA, StartEncounter())
    brought = (await table.done(ANNA, JoinWithSample())).reply
    (asked,) = brought.also
    assert asked.private
    assert not brought.private
    (menu,) = asked.menus
    chosen = with_text(menu.action, {menu.fills: ("Sabotage",)})
    assert "Your mission: Sabotage" in (await table.done(ANNA, chosen)).reply.lines[0]


@pytest.mark.rule("CB-MISS-21")
async def test_a_trap_is_waited_for_from_who_sets_it(table: Table) -> None:
    await seated(table)
    await table.done(ANNA, ChooseSecretly("Recovery", seeks="Knife"))
    await table.done(BO, ChooseSecretly("Scouting"))
    await table.done(ANNA, LayPlaces("10 10 12; 20 20 12; 30 30 12"))
    waited = waited_for(await table.encounter())
    assert waited == "Waiting for bo to trap a place on behalf of Edo, or press Ready."
    asked = await table.do(BO, AskMission())
    assert [button.label for button in asked.reply.buttons] == ["Set up places", "Trap a place"]
    begin = NextStep(asks=True)
    await both_ready(table)
    for who, offered in ((ANNA, []), (BO, ["Set up places", "Trap a place"])):
        asked = await table.do(who, begin)
        assert not asked.changed
        assert asked.reply.private
        assert "Edo can still trap a place." in asked.reply.lines
        assert "Recovery" not in asked.reply.text
        assert [button.label for button in asked.reply.buttons] == [*offered, "Begin anyway"]
    await table.done(BO, TrapPlace("Lancers A"))
    assert waited_for(await table.encounter()) == "Waiting for bo to press Begin.", (
        "who goes on setting up is not ready"
    )
    await both_ready(table)
    assert "trap" not in (await table.do(ANNA, begin)).reply.text
    await table.done(ANNA, Undo())
    asked = await table.do(BO, AskMission())
    assert [button.label for button in asked.reply.buttons] == ["Set up places"]


@pytest.mark.rule("CB-SETUP-05")
async def test_terrain_is_waited_for_from_who_places_it(table: Table) -> None:
    await seated(table)

    def rolled(encounter: Encounter) -> None:
        first, second = encounter.sides()
        first.counters[SideState.terrain_place.key], second.counters[SideState.terrain_place.key] = 2, 1
        EncounterState(encounter.row).terrain_left = 3

    await arrange(table, ANNA, rolled)
    assert (
        waited_for(await table.encounter())
        == "Waiting for bo to place terrain for Edo (3 pieces left), or press Ready."
    )
    assert "Only bo can do this for Edo." in await table.refused(ANNA, PlacePiece(1))
    await table.done(BO, PlacePiece(2))
    said = waited_for(await table.encounter())
    assert said == "Waiting for anna to place terrain for Lancers (1 piece left), or press Ready."
    assert "All terrain is placed." in (await table.done(ANNA, PlacePiece(1))).reply.text
    assert (
        waited_for(await table.encounter()) == "Waiting for anna and bo to choose a mission, or press Ready."
    )


async def test_only_sides_of_ones_own_are_offered_for_a_mission(table: Table) -> None:
    await table.done(ANNA, StartDemo())
    for who, sides in ((ANNA, ["Lancers", "Edo"]), ("cy", [])):
        looking = Looking((await table.loaded()).book(), table.actor(who))
        assert [one.value for one in looking.offers(LayPlaces(), "side")] == sides
    await table.done(BO, JoinEncounter("Edo"))
    looking = Looking((await table.loaded()).book(), table.actor(BO))
    assert [one.value for one in looking.offers(LayPlaces(), "side")] == ["Edo"]
    assert [one.value for one in looking.offers(ScoreSquares(), "side")] == ["Edo"]


@pytest.mark.rule("CB-MISS-07", "CB-MISS-12")
@pytest.mark.parametrize(
    ("mission", "others"), [("Abduction", True), ("Escort", False), ("Sabotage", None), ("Recovery", None)]
)
async def test_a_mission_is_chosen_step_by_step(table: Table, mission: str, others: bool | None) -> None:
    await seated(table)
    menu = (await table.do(ANNA, AskMission())).reply.menus[0]
    asked = await table.do(ANNA, with_text(menu.action, {menu.fills: (mission,)}))
    assert asked.reply.private
    assert asked.reply.replaces
    if others is not None:
        encounter = await table.encounter()
        menu = asked.reply.menus[0]
        sides = {encounter.model(int(choice.value.removeprefix("#"))).side for choice in menu.choices}
        assert sides == {2 if others else 1}
        for choice in menu.choices:
            asked = await table.done(ANNA, with_text(menu.action, {menu.fills: (choice.value,)}))
            await table.done(ANNA, Undo())
        asked = await table.done(ANNA, with_text(menu.action, {menu.fills: (menu.choices[0].value,)}))
    if mission == "Recovery":
        button = asked.reply.buttons[0]
        assert button.form is not None
        asked = await table.done(ANNA, with_text(button.action, {"seeks": "Grenade"}))
    assert f"Your mission: {mission}" in asked.reply.lines[0]
    assert find_mission(await table.encounter(), 1) is not None


async def test_who_plays_both_sides_chooses_for_both(table: Table) -> None:
    await table.done(ANNA, StartDemo())
    assert len((await table.do(ANNA, AskMission())).reply.menus) == 2
    assert "You don't play a side here. Join with /encounter join" in await table.refused("cy", AskMission())


async def test_begin_is_offered_once_two_sides_are_here(table: Table) -> None:
    started = await table.done(ANNA, StartEncounter())
    encounter = await table.encounter()
    assert "Begin" not in [button.label for button in game_of(encounter).panel(encounter).buttons]
    assert "Begin" not in [button.label for button in started.reply.buttons]
