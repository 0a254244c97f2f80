"""Dice over several targets put together by pressing: what the form said goes along, no secret is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.actions import Action, raw_of, to_json
from bot.games.infinity import concealment
from bot.games.infinity.attack_actions import Shoot
from bot.games.infinity.reaction_menu import Resolve
from bot.games.infinity.shot_drafts import ADD_DIE, FIRST_BAND, PIECE_BASE, TOGGLE_TARGET_COVER, TOGGLE_UNSEEN
from bot.replies.fit import left_out
from bot.table.encounter import set_counter
from bot.table.journal.history import Undo
from bot.table.offers.forms import begin_draft
from bot.table.offers.legal_actions import Looking
from bot.table.session.drafts import Draft
from bot.table.session.encounters import NextStep
from bot.table.session.models import RemoveModel
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.orders import IRREGULAR_ORDERS
from rules.systems.infinity.trooper import Condition
from tests.bot.infinity.field import ANNA, BO, Field, profile, under

OWN = str(IRREGULAR_ORDERS)

SHOT = Shoot("Hammer", "Morph", 20)
"""An HMG: Burst 4."""


async def _begun(field: Field, shot: Shoot = SHOT, who: str = ANNA) -> list[str]:
    draft = await _first(field, shot, who)
    assert draft is not None
    return await field.ask(who, draft)


async def _first(field: Field, shot: Shoot, who: str = ANNA) -> Action | None:
    """The draft that goes on from what was said of an attack."""
    looking = Looking((await field.table.loaded()).book(), field.table.actor(who))
    return begin_draft(looking.act(shot), shot)


def _choices(field: Field) -> list[str]:
    """What may come next, in menus and buttons."""
    return [*(choice.label for menu in field.answer.reply.menus for choice in menu.choices), *field.labels]


async def _pick(field: Field, *labels: str) -> list[str]:
    """Choose from the draft's menu, or press where it has buttons; what lies there at the end."""
    lines: list[str] = []
    for label in labels:
        picked = [
            replace(menu.action, more=(int(choice.value),))
            for menu in field.answer.reply.menus
            for choice in menu.choices
            if choice.label == label and isinstance(menu.action, Draft)
        ]
        lines = await (field.ask(ANNA, picked[0]) if picked else field.press(ANNA, label))
    return lines


def _asked(field: Field) -> Shoot:
    """The attack that the draft's last button asks by itself."""
    action = next(one.action for one in field.answer.reply.buttons if one.label in ("Shoot", "Hack"))
    assert isinstance(action, Shoot)
    return action


@pytest.mark.rule("INF-F2F-07")
async def test_the_dice_are_shared_out_die_by_die(field: Field) -> None:
    lines = await _begun(field)
    assert field.answer.reply.private
    assert field.answer.reply.replaces
    assert lines == [
        "Hammer has 3 dice left to share out",
        "HMG",
        "Only you can see this.",
        "1 die at Morph, 20 in",
    ]
    assert not {"Shoot", "Odds", "Back"} & set(field.labels)
    assert {"Add a die against Morph", "Brute: up to 32 in (+3)", "Seedling: up to 96 in (-6)"} <= set(
        _choices(field)
    )
    await _pick(field, "Brute: up to 32 in (+3)", "Add a die against Brute", "Mark Brute as in cover")
    lines = await _pick(field, "Add a die against Morph")
    assert lines[0] == "Hammer has 0 dice left to share out"
    assert lines[-2:] == ["2 dice at Morph, 20 in", "2 dice at Brute, 32 in, in cover"]
    assert not [label for label in _choices(field) if "die more" in label or " up to " in label]
    assert (await _pick(field, "Back"))[0] == "Hammer has 1 die left to share out"
    assert "Shoot" not in field.labels
    lines = await _pick(field, "Add a die against Morph", "Shoot")
    assert lines[:2] == [
        "Hammer shoots at Morph and Brute.",
        "HMG, Morph 20 in, 2 dice, Brute 32 in, 2 dice, in cover",
    ]
    await field.choose(BO, "Morph", "nothing:")
    await field.choose(BO, "Brute", "nothing:")
    await field.ask(BO, Resolve(rest="nothing"))
    lines = await field.ask(ANNA, Resolve(), 20, 20, 20, 20)
    assert lines[:2] == ["Hammer misses Morph.", "Hammer misses Brute."]


async def test_all_that_the_form_said_goes_along(field: Field) -> None:
    shot = replace(
        SHOT,
        cover=True,
        own_cover=True,
        weapon="hmg",
        unseen=True,
        surprise=False,
        zero_visibility=True,
        visibility=-6,
        mod=-3,
        order="regular",
        distance=20.375,
        dice=3,
    )
    lines = await _begun(field, shot)
    assert lines == [
        "Hammer has 1 die left to share out",
        "HMG, the shooter is in cover, through a Zero Visibility Zone, visibility -6, MOD -3, Regular Order",
        "Only you can see this.",
        "3 dice at Morph, 20.375 in, in cover, the target has no line of fire",
    ]
    await _pick(field, "Brute: up to 32 in (+3)", "Mark Brute as having no line of fire to you", "Odds")
    assert field.answer.reply.replaces
    assert "Change..." not in field.labels
    lines = await _pick(field, "Back")
    assert lines[-1] == "1 die at Brute, 32 in, the target has no line of fire"
    await _pick(field, "Shoot")
    (done,) = await field.table.desk.store.latest(field.answer.scope, 1)
    assert done.command == Shoot.command, "the journal holds the attack, and no draft"
    numbers = {name: f"#{(await field.trooper(name)).id}" for name in ("Hammer", "Morph", "Brute")}
    said = replace(
        shot,
        shooter=numbers["Hammer"],
        target=numbers["Morph"],
        weapon="HMG",
        more=f"{numbers['Brute']} 32.0 1 unseen",
    )
    assert done.input == to_json(said)


async def test_further_targets_are_typed_as_the_draft_says_them(field: Field) -> None:
    lines = await field.ask(ANNA, replace(SHOT, dice=3, more="Brute 30 1 cover unseen"))
    assert "Brute 30 in, 1 die, in cover, the target has no line of fire" in _joined(lines)
    assert await field.offered(BO, "Brute") == ["Nothing"], "far off, and it does not see the shooter"
    assert "Dodge" in await field.offered(BO, "Morph")
    await field.ask(ANNA, Undo())
    assert '"Brute 22 1" or "Leaper 18 1 cover unseen"' in await field.refused(
        ANNA, replace(SHOT, more="Brute 30 1 hidden cover")
    )


async def test_one_target_alone_is_the_shot_of_the_form(field: Field) -> None:
    await _begun(field)
    await _pick(field, *["Add a die against Morph"] * 3)
    told = raw_of(_asked(field))
    assert "dice" not in told
    assert "more" not in told


async def test_nothing_is_offered_that_the_shooter_may_not_know(field: Field) -> None:
    """Markers are no targets, and nothing names who hides."""
    await field.arrange(under(Condition.UNCONSCIOUS, "Leaper"))
    await _begun(field)
    told = _choices(field)
    encounter = await field.table.encounter()
    markers = [row for row in encounter.models(2) if concealment.is_marker(encounter, row.id)]
    figures = [row.name for row in encounter.models(2) if row not in markers]
    assert markers
    named = dict.fromkeys(label.split(":")[0] for label in told if " up to " in label)
    assert list(named) == [*(name for name in figures if name not in ("Morph", "Leaper")), "Leaper"]
    lying = _draft(field)
    at_marker = replace(lying, pieces=(markers[0].id * PIECE_BASE + FIRST_BAND,))
    assert "Discover Camo Marker 1 first" in await field.refused(ANNA, at_marker)
    assert "is not yours" in await field.refused(BO, lying)
    assert "is not yours" in await field.refused(BO, replace(lying, does=1))


def _draft(field: Field) -> Draft:
    (menu, *_) = field.answer.reply.menus
    assert isinstance(menu.action, Draft)
    return menu.action


async def test_what_the_attack_itself_would_refuse_is_told_before_it_is_asked(field: Field) -> None:
    lines = await _begun(field, replace(SHOT, distance=120))
    assert "You can't shoot like this yet. Choose a closer target. This one is 120 in away" in _joined(lines)
    with pytest.raises(InvalidInput, match='Fill in "target": Enemy to shoot at'):
        await _first(field, Shoot("Hammer"))
    with pytest.raises(Forbidden, match="is on your side"):
        await _first(field, Shoot("Hammer", "Angus", 12))
    lines = await _begun(field, replace(SHOT, mode="speculative", weapon="HMG"))
    assert (
        "You can't shoot like this yet. Choose a weapon with a template for Speculative Fire. HMG has none."
        in _joined(lines)
    )
    await field.ask(ANNA, NextStep())
    assert "You can't shoot like this yet. React with /inf aro. It is Nightfall's turn." in _joined(
        await _begun(field)
    )


def _joined(lines: list[str]) -> str:
    """What a phone shows in several lines, in one."""
    return " ".join(" ".join(lines).split())


async def test_who_has_nothing_for_a_mode_reads_of_the_mode(field: Field) -> None:
    lobbed = Shoot("Hammer", "Morph", 20, mode="speculative")
    assert "Hammer has no weapon to fire speculatively with." in await field.refused(ANNA, lobbed)


async def test_what_names_further_targets_already_is_not_begun_anew(field: Field) -> None:
    assert await _first(field, replace(SHOT, target2="Brute")) is None
    assert await _first(field, replace(SHOT, more="Brute 30 1")) is None
    asked = await _first(field, replace(SHOT, odds=True))
    assert asked == await _first(field, SHOT), "its odds are a button"


async def test_a_target_that_left_play_is_refused_and_one_die_is_no_more_than_one(field: Field) -> None:
    await _begun(field)
    lying, brute = _draft(field), (await field.trooper("Brute")).id
    at_brute = replace(lying, pieces=(brute * PIECE_BASE + FIRST_BAND,))
    await field.ask(ANNA, RemoveModel("Brute"))
    assert await field.refused(ANNA, at_brute)
    morph = (await field.trooper("Morph")).id
    lines = await field.ask(ANNA, replace(lying, pieces=(morph * PIECE_BASE + ADD_DIE,) * 4))
    assert lines[0] == "Hammer has 0 dice left to share out"
    assert (
        "You can't shoot like this yet. Choose 1 to 4 dice for the first target (you entered"
        " 5). HMG has Burst 4."
    ) in _joined(lines)
    far = replace(lying, pieces=(morph * PIECE_BASE + FIRST_BAND, morph * PIECE_BASE + FIRST_BAND + 1))
    assert (await field.ask(ANNA, far))[-1] == "1 die at Morph, 16 in", (
        "the later distance counts, no die more"
    )
    for piece in (
        brute * PIECE_BASE + TOGGLE_TARGET_COVER,
        99 * PIECE_BASE + FIRST_BAND,
        morph * PIECE_BASE + PIECE_BASE - 1,
        -1,
    ):
        assert await field.refused(ANNA, replace(lying, pieces=(piece,)))


async def test_sight_and_cover_are_said_only_where_they_count(field: Field) -> None:
    programs = "; ".join(
        ["Angus: BS 12, WIP 12", "Hacker B2 DAM 13 HACK", "Launcher B2 DAM 13 TEMPLATE RANGE 8:+3 16:-3"]
    )
    await field.arrange(profile("Angus", programs))
    await _begun(field, Shoot("Angus", "Morph", 8, weapon="Hacker"))
    told = _choices(field)
    assert "Brute: up to 8 in" in told
    assert "Mark Morph as having no line of fire to you" in told
    assert "Mark Morph as in cover" not in told
    await _pick(field, "Brute: up to 16 in")
    assert field.labels[0] == "Hack"
    await _begun(field, Shoot("Angus", "Morph", 8, weapon="Launcher", mode="speculative"))
    assert not [label for label in _choices(field) if "cover" in label or "see it" in label]
    await _begun(field, Shoot("Angus", "Morph", 8, weapon="Launcher", sight=False))
    assert "Mark Morph as in cover" in _choices(field)
    assert "Mark Morph as having no line of fire to you" not in _choices(field)


async def test_what_the_form_has_typed_in_its_last_line_is_pressed(field: Field) -> None:
    """Mode, visibility, MOD and Order, for one target as for several."""
    angus = "Angus: BS 12, WIP 12; Launcher B2 DAM 13 TEMPLATE RANGE 8:+3 16:-3; Rifle B3 DAM 13 RANGE 16:0"
    await field.arrange(profile("Angus", angus))
    await _begun(field, Shoot("Angus", "Morph", 8, weapon="Rifle", mod=-12))
    refused = {"Speculative fire", "Triangulated fire", "Add -3 to the MOD", "Direct fire"}
    assert not refused & set(_choices(field))
    assert not [label for label in _choices(field) if "Order" in label], "one alone can pay"
    await field.arrange(lambda encounter: set_counter(encounter.find_model("Angus").counters, OWN, 1))
    await _begun(field, Shoot("Angus", "Morph", 8, weapon="Launcher"))
    mods = ("Add -3 to the MOD", "Add -3 to the MOD", "Add +3 to the MOD")
    how = ("Speculative fire", "Visibility: poor (-6)", *mods, "Irregular Order")
    lines = await _pick(field, *how)
    assert lines[1] == "Launcher, speculative, visibility -6, MOD -3, Irregular Order"
    assert "Direct fire" in _choices(field)
    await _pick(field, "Add a die against Morph")
    told = raw_of(_asked(field))
    assert (told["mode"], told["visibility"], told["mod"]) == ("speculative", -6, -3)
    assert told["order"] == "irregular"


async def test_every_target_and_distance_is_offered_and_every_button_has_room(field: Field) -> None:
    """More choices than one menu shows go on in another; five targets, each with all that may be said."""
    await field.arrange(
        profile("Hammer", "Hammer: BS 13; HMG B5 DAM 15 RANGE 8:-3 16:0 32:+3 48:-3 96:-6"),
    )
    await _begun(field)
    shown = field.answer.reply
    assert len(shown.menus[0].choices) == 5 * 5
    assert not left_out(shown, 36**4 - 1, 36**4 - 1)
    names = ("Commander Voss", "Tracker", "Brute", "Leaper")
    lying, numbers = _draft(field), [(await field.trooper(name)).id for name in names]
    pieces = [
        number * PIECE_BASE + what
        for number in numbers
        for what in (FIRST_BAND + 4, TOGGLE_TARGET_COVER, TOGGLE_UNSEEN)
    ]
    await field.ask(ANNA, replace(lying, pieces=tuple(pieces)))
    assert field.labels[0] == "Shoot"
    assert not left_out(field.answer.reply, 36**4 - 1, 36**4 - 1)
    lines = await _pick(field, "Shoot")
    assert lines[0] == "Hammer shoots at Commander Voss, Tracker, Morph, Brute and Leaper."


async def test_one_die_is_for_one_target(field: Field) -> None:
    """A Grenade has Burst 1: whoever else lies under it has no roll here."""
    told = await field.refused(ANNA, Shoot("Angus", "Morph", 8, weapon="Grenade", more="Brute 8 1"))
    assert told == "Leave at least one die for each target. Grenade rolls 1 die."
    lines = await _begun(field, Shoot("Angus", "Morph", 8, weapon="Grenade"))
    assert lines[0] == "Angus has 0 dice left to share out"
    assert not [label for label in _choices(field) if label.startswith("Brute")]
    assert field.labels[0] == "Shoot"
    assert "Speculative fire" in _choices(field)


async def test_who_hides_shares_its_dice_out_before_its_side_alone(field: Field) -> None:
    lines = await _begun(field, Shoot("Wraith", "Morph", 48))
    assert lines[0] == "Wraith has 1 die left to share out"
    assert field.answer.reply.private
    heard = len(field.heard)
    assert (await field.refused(BO, _draft(field))).startswith("There is no model called"), (
        "as of one that is not there"
    )
    lines = await _pick(field, "Brute: up to 48 in (+3)", "Shoot")
    assert "Wraith comes out of Hidden Deployment." in lines
    assert len(field.heard) > heard


async def test_a_draft_of_a_program_that_is_gone_says_to_start_the_attack_again(field: Field) -> None:
    await field.arrange(profile("Hammer", "Hammer: BS 13, WIP 12, W 1; HMG B4 DAM 15; Zap B2 DAM 13 HACK"))
    draft = await _first(field, Shoot("Hammer", "Morph", 6, weapon="Zap"))
    assert draft is not None
    await field.arrange(profile("Hammer", "Hammer: BS 13, WIP 12, W 1; HMG B4 DAM 15"))
    said = await field.refused(ANNA, draft)
    assert said == "Start the attack again. Hammer has different weapons now."
