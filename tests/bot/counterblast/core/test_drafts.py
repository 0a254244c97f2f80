"""Drafts of Counterblast: put together piece by piece, in one private message, with a step back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.actions import Action, raw_of
from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.melee.group_fights import BLOWS
from bot.games.counterblast.melee.group_fights import PIECE_BASE as MANY
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.psionics.power_use import SHARED, UsePower
from bot.games.counterblast.shooting.volleys import COVER, DIE, FIRST_BAND, PLACE, VOLLEY, Shoot
from bot.replies.fit import rows
from bot.replies.reply import Choice, Menu
from bot.table.offers.forms import begin_draft
from bot.table.offers.legal_actions import Looking
from bot.table.session.drafts import DRAFT_OPENERS, Draft, DraftView, build_draft_reply
from bot.table.session.models import RemoveModel
from rules.refusals import InvalidInput
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, touching


async def test_a_defence_is_shared_out_die_by_die(ring: Ring) -> None:
    await ring.arrange(
        active("Skip", "Wanda"),
        touching(("Skip", "Spawnguard"), ("Wanda", "Spawnguard"), ("Skip", "Edo Spawnling")),
    )
    await ring.ask(ANNA, Melee(text="Skip>Spawnguard 2, Skip>Spawnling 1, Wanda>Spawnguard"))
    assert "can do this for" in await ring.refused(ANNA, _button(ring, "Split..."))
    lines = await ring.press(BO, "Split...")
    assert ring.answer.reply.private
    assert ring.answer.reply.replaces
    assert "Spawnguard: 3 dice left" in lines
    assert ring.labels[0] == "Split evenly"
    assert "Back" not in ring.labels, "nothing is chosen yet"
    for _ in range(2):
        await ring.press(BO, "Spawnguard against Wanda Whitestar")
    assert "Defend with this split" not in ring.labels, "one die is left"
    lines = await ring.press(BO, "Back")
    assert "Spawnguard: 2 dice left" in lines
    await ring.press(BO, "Spawnguard against Wanda Whitestar")
    await ring.press(BO, "Spawnguard against Skip Westmoreland")
    assert ring.labels == ["Defend with this split", "Back"]
    told = await ring.press(BO, "Defend with this split", 10, 9, 9, 2, 2, 2, 2, 9, 2, 2, 2, 2)
    assert told[0].startswith("Melee: ")


async def _begun(ring: Ring, action: Action) -> Action | None:
    """The draft that goes on from what anna said."""
    looking = Looking((await ring.table.loaded()).book(), ring.table.actor("anna"))
    return begin_draft(looking.act(action), action)


def _button(ring: Ring, label: str) -> Draft:
    action = next(one.action for one in ring.answer.reply.buttons if one.label == label)
    assert isinstance(action, Draft)
    return action


def _pieces(ring: Ring) -> tuple[int, ...]:
    """What the draft that lies there has come to."""
    back = next(one.action for one in ring.answer.reply.buttons if one.label == "Back")
    assert isinstance(back, Draft)
    return (*back.pieces, back.pieces[-1])


async def test_a_melee_is_put_together_from_who_touches_whom(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Wanda"), touching(("Skip", "Spawnguard"), ("Wanda", "Spawnguard")))
    opened = DRAFT_OPENERS[Melee.command](Melee())
    assert opened == Draft(BLOWS)
    assert DRAFT_OPENERS[Melee.command](Melee(text="Skip>Spawnguard")) is None
    lines = await ring.ask(ANNA, opened)
    assert "Skip Westmoreland: 3 dice left" in lines
    assert set(ring.labels) == {"Skip Westmoreland > Spawnguard", "Wanda Whitestar > Spawnguard"}
    for _ in range(3):
        await ring.press(ANNA, "Skip Westmoreland > Spawnguard")
    assert "Skip Westmoreland > Spawnguard" not in ring.labels, "its dice are given out"
    whole = await ring.ask(ANNA, replace(opened, pieces=_pieces(ring)))
    await ring.press(ANNA, "Odds")
    odds = ring.answer.reply
    assert "No dice were rolled." in odds.lines
    assert (odds.private, odds.replaces) == (True, True), "one private message, edited"
    assert ring.labels[-1] == "Back"
    assert "Change..." not in ring.labels, "it is put together and not filled in"
    assert await ring.press(ANNA, "Back") == whole
    assert "No acting model is in contact with an enemy. Mark contact with /cb engage." in await ring.refused(
        BO, Draft(BLOWS)
    )


async def test_who_stands_apart_meanwhile_strikes_no_more(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Wanda"), touching(("Skip", "Spawnguard"), ("Wanda", "Spawnguard")))
    skip, guard = [(await ring.model(name)).id for name in ("Skip", "Spawnguard")]
    begun = Draft(BLOWS, pieces=(skip * MANY + guard,) * 3)
    await ring.ask(ANNA, begun)
    await ring.ask(ANNA, Engage("Skip", "Spawnguard", apart=True))
    assert (
        "Some of these models are no longer in contact. Press More... and Melee again."
        in await ring.refused(ANNA, begun)
    )


async def test_a_shot_is_shared_out_over_several(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    skip, trapper, guard = [(await ring.model(name)).id for name in ("Skip", "Trapper", "Spawnguard")]
    opened = await _begun(ring, Shoot("Skip", "Trapper", distance=7, cover=1))
    die, cover = trapper * PLACE + FIRST_BAND, trapper * PLACE + COVER
    assert opened == Draft(VOLLEY, (skip, 0, 0), (die, cover)), "the target that was named has a die"
    unmeasured = await _begun(ring, Shoot("Skip", "Trapper"))
    assert unmeasured == Draft(VOLLEY, (skip, 0, 0)), "nobody has said how far it is"
    pieces = (trapper * PLACE + FIRST_BAND, *(trapper * PLACE + DIE,) * 2, guard * PLACE + FIRST_BAND)
    lines = await ring.ask(ANNA, replace(opened, pieces=pieces))
    assert lines[0].endswith("0 dice left")
    assert any(line.strip().startswith("3 dice against Trapper") for line in lines)
    assert ring.labels[0] == "Shoot"
    again = await ring.ask(ANNA, replace(opened, pieces=pieces[:-1]))
    assert again[0].endswith("1 die left")
    assert "Shoot" not in ring.labels
    assert "Fill in everything first" in await ring.refused(ANNA, replace(opened, pieces=pieces[:1], does=1))
    assert "is not yours" in await ring.refused(BO, opened)
    await ring.ask(ANNA, replace(opened, pieces=pieces, does=1), 2, 2, 2, 2)
    before = replace(opened, pieces=(trapper * PLACE + DIE,))
    assert "  1 die against Trapper, 8 in (as before), cover 0" in await ring.ask(ANNA, before)
    (shot,) = await ring.table.desk.store.latest(ring.answer.scope, 1)
    assert shot.command == Shoot.command, "the journal holds the shot, and no draft"
    await ring.ask(BO, RemoveModel("Trapper"))
    assert "One of these models is no longer in play. Press Shoot again." in await ring.refused(
        ANNA, replace(opened, pieces=pieces)
    )


async def test_what_is_said_of_a_shot_before_it_is_shared_out_is_kept(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    trapper, guard = [(await ring.model(name)).id for name in ("Trapper", "Spawnguard")]
    opened = await _begun(ring, Shoot("Skip", "Trapper", 7, mode="aim", order=True))
    assert isinstance(opened, Draft)
    first = (await ring.ask(ANNA, opened))[0]
    assert first.endswith("4 dice left"), "three and two for aiming, one is given"
    whole = replace(opened, pieces=(*opened.pieces, *(guard * PLACE + FIRST_BAND,) * 4))
    await ring.ask(ANNA, whole)
    shot = next(one.action for one in ring.answer.reply.buttons if one.label == "Shoot")
    said = raw_of(shot)
    assert (said["mode"], said["order"], said["target"]) == ("aim", True, f"#{trapper}")
    assert await _begun(ring, Shoot("Skip", "Trapper", 7, also="Smap 1")) is None
    with pytest.raises(InvalidInput, match="Share out the dice first"):
        await _begun(ring, Shoot("Skip", "Trapper", 7, bearing=20))
    with pytest.raises(InvalidInput, match="out of range"):
        await _begun(ring, Shoot("Skip", "Trapper", 150))


async def test_a_shot_tells_how_it_is_fired_and_has_the_dice_that_were_said(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    opened = await _begun(ring, Shoot("Skip", "Trapper", 7, mode="aim", order=True, dice=2))
    assert isinstance(opened, Draft)
    lines = await ring.ask(ANNA, opened)
    assert lines[1:-1] == ["Pulsar Rifle, aim, with an order token. Only you see this."]
    assert lines[-1].startswith("  2 dice against Trapper"), "as many dice as the form said"
    with pytest.raises(InvalidInput, match="you entered 6"):
        await _begun(ring, Shoot("Skip", "Trapper", 7, mode="aim", dice=6))


async def test_a_power_is_shared_out_and_then_asks_how_far(ring: Ring) -> None:
    await ring.arrange(active("Prime"))
    prime, smap, skip = [(await ring.model(name)).id for name in ("Prime", "Smap", "Skip")]
    opened = await _begun(ring, UsePower(f"#{prime}", "Blast", f"#{smap}"))
    assert isinstance(opened, Draft)
    assert opened.pieces == (smap,), "the target that was named has a die"
    assert await _begun(ring, UsePower("Prime Leader", "Blast")) is None
    first = await ring.ask(BO, opened)
    assert (first[0], first[2:]) == ("Prime Leader: 2 dice left", ["  1 die for Smap"])
    gone = replace(opened, pieces=(smap, 9999))
    assert "One of these models is no longer in play" in await ring.refused(BO, gone)
    dice = 1 + int(first[0].split(": ")[1].split()[0])
    await ring.ask(BO, replace(opened, pieces=(smap,) * (dice - 1) + (skip,)))
    far = next(one for one in ring.answer.reply.buttons if one.label == "Set distance...")
    assert far.asks
    said = {"psionic": f"#{prime}", "power": "Blast", "targets": f"#{smap} {dice - 1}, #{skip} 1"}
    assert raw_of(far.action) == said
    assert "is not yours" in await ring.refused(ANNA, opened)


async def test_all_that_was_said_of_a_power_goes_along(ring: Ring) -> None:
    await ring.arrange(active("Prime"))
    prime, smap = [(await ring.model(name)).id for name in ("Prime", "Smap")]
    said = {"psionic": f"#{prime}", "power": "Blast", "distance": "5", "unseen": True, "order": True}
    named = UsePower(targets="Smap 2", **said)  # type: ignore[arg-type]
    opened = await _begun(ring, named)
    assert isinstance(opened, Draft)
    assert opened.pieces == (smap, smap)
    lines = await ring.ask(BO, opened)
    await ring.ask(BO, replace(opened, more=(smap,) * int(lines[0].split(": ")[1].split()[0])))
    far = next(one for one in ring.answer.reply.buttons if one.label == "Set distance...")
    assert {**raw_of(far.action), "targets": ""} == {**said, "targets": ""}
    with pytest.raises(InvalidInput, match=r'press "Set distance\.\.\." and enter the helpers'):
        await _begun(ring, replace(named, helpers="Trapper 3"))
    assert "older version" in await ring.refused(BO, Draft(SHARED, (prime,), words="Blast"))


async def test_a_draft_that_nobody_makes_is_refused(ring: Ring) -> None:
    assert "This form can't be filled in here" in await ring.refused(ANNA, Draft("x"))
    assert "This form can't be filled in here" in await ring.refused(ANNA, Draft(BLOWS, pieces=(1,) * 41))


def test_whatever_may_come_next_is_offered_in_as_many_menus_as_it_takes() -> None:
    many = tuple(Choice(f"Foe {number}", str(number)) for number in range(1, 61))
    shown_pieces = build_draft_reply(Draft("x"), DraftView(("Whom?",), "Add one die against", many))
    shown_lists = build_draft_reply(Draft("x"), DraftView(("Whom?",), lists=(("Under it", many),)))
    for reply in (shown_pieces, shown_lists):
        menus = [row for row in rows(reply.buttons, reply.menus) if isinstance(row, Menu)]
        assert [choice for menu in menus for choice in menu.choices] == list(many)
        assert [len(menu.choices) for menu in menus] == [25, 25, 10]
