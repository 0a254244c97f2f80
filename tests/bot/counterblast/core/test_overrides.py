"""What an organiser lets pass happens wholly; what makes no sense without its rule is never let pass."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.counterblast.core.crews import NameLeader
from bot.games.counterblast.gear.items import HandItem, UseItem
from bot.games.counterblast.missions.objectives import TakeToken
from bot.games.counterblast.psionics.powers import ChoosePowers
from bot.games.counterblast.setup.infiltration import Reserve, Watch
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.activations import PairUp
from bot.games.counterblast.upkeep.leaders import NominateLeader
from bot.store.rows import PendingRow
from bot.table.encounter import Encounter
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import DiceMode
from rules.systems.counterblast.core.counters import Counter
from tests.bot.counterblast.core.test_refusals import overridden, spent
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, carrying, change, gifted, hurt, under
from tests.bot.tables import waits

POWERS = ("blast", "heal", "probe", "calm", "deep_portal", "frighten", "identify")


async def not_offered(ring: Ring, action: Action) -> str:
    refused = await ring.table.do(ANNA, action)
    assert not refused.changed, refused.reply.text
    assert "Override..." not in [button.label for button in refused.reply.buttons]
    forced = await ring.table.do(ANNA, action, reason="agreed")
    assert not forced.changed, forced.reply.text
    return refused.reply.text


@pytest.mark.rule("CB-GEAR-42", "CB-ACT-01")
async def test_an_item_that_is_let_pass_works(ring: Ring) -> None:
    await ring.arrange(
        carrying("Sally", "med_gel"), hurt("Skip", 2), spent("Sally", actions=2), active("Sally")
    )
    await overridden(ring, ANNA, UseItem("Sally", "Med Gel", "Skip"))
    assert (await ring.model("Skip")).damage == 1
    assert (await ring.model("Sally")).count("used:med_gel") == 1


@pytest.mark.rule("CB-GEAR-01", "CB-GEAR-42")
async def test_an_item_that_is_used_up_works_again_where_all_agree(ring: Ring) -> None:
    await ring.arrange(carrying("Sally", "med_gel"), hurt("Skip", 2), active("Sally"))
    await ring.arrange(change("Sally", lambda row: row.counters.update({"used:med_gel": 1})))
    await overridden(ring, ANNA, UseItem("Sally", "Med Gel", "Skip"))
    assert (await ring.model("Skip")).damage == 1
    assert (await ring.model("Sally")).count(Counter.ACTIONS) == 1


@pytest.mark.rule("CB-GEAR-42")
async def test_a_gel_for_the_unhurt_costs_nothing_whatever_is_agreed(ring: Ring) -> None:
    await ring.arrange(carrying("Sally", "med_gel"), active("Sally"))
    assert "unhurt" in await not_offered(ring, UseItem("Sally", "Med Gel", "Skip"))
    assert (await ring.model("Sally")).count(Counter.ACTIONS) == 0


@pytest.mark.rule("CB-GEAR-21")
async def test_a_boost_needs_an_activation_whatever_is_agreed(ring: Ring) -> None:
    await ring.arrange(carrying("Sally", "body_boost"))
    assert "Activate" in await not_offered(ring, UseItem("Sally", "Body Boost"))
    assert (await ring.model("Sally")).count("used:body_boost") == 0


@pytest.mark.rule("CB-GEAR-27")
async def test_a_second_cloud_that_is_let_pass_is_there(ring: Ring) -> None:
    await ring.arrange(carrying("Sally", "smoke_grenade", "smoke_grenade"), active("Sally"))
    await ring.ask(ANNA, UseItem("Sally", "Smoke Grenade"))
    await overridden(ring, ANNA, UseItem("Sally", "Smoke Grenade"))
    assert "smoke 2" in ring.answer.reply.text


@pytest.mark.rule("CB-GEAR-02", "CB-GEAR-06")
async def test_an_item_given_to_an_enemy_changes_hands_and_claws_never_do(ring: Ring) -> None:
    await ring.arrange(carrying("Sally", "med_gel"), block("Smap", "thulle"), active("Sally", "Smap"))
    await overridden(ring, ANNA, HandItem("Sally", "Med Gel", "Trapper"))
    assert "med_gel" in [item.key for item in (await ring.model("Trapper")).gear]
    assert "med_gel" not in [item.key for item in (await ring.model("Sally")).gear]
    natural = next(weapon for weapon in (await ring.model("Smap")).weapons if weapon.is_natural)
    assert "part of its body" in await not_offered(ring, HandItem("Smap", natural.name, "Skip"))


@pytest.mark.rule("CB-SETUP-10", "CB-FEAT-31", "CB-FEAT-32")
async def test_infiltrators_by_agreement(ring: Ring) -> None:
    await overridden(ring, ANNA, Watch("Smap"))
    assert (await ring.model("Smap")).has("overwatch")
    text = ring.answer.reply.text
    assert "Overridden: You can choose who starts on Overwatch only before the game begins." in text
    assert "Overridden: Smap is not an Infiltrator." in text
    await overridden(ring, ANNA, Reserve("Smap"))
    text = ring.answer.reply.text
    assert "Overridden: You can put a model into reserve only before the game begins." in text
    assert "Overridden: Smap is not an Infiltrator, so it can't wait in reserve." in text


@pytest.mark.rule("CB-CREW-03")
async def test_a_lackey_that_leads_by_agreement_leads(ring: Ring) -> None:
    await overridden(ring, ANNA, NominateLeader("HOpR"))
    assert (await ring.model("HOpR")).leader

    def leaderless(encounter: Encounter) -> None:
        encounter.side(1).counters["leader"] = 0

    await ring.arrange(leaderless)
    assert not (await ring.model("HOpR")).leader
    await overridden(ring, ANNA, NameLeader((await ring.model("HOpR")).id))
    assert (await ring.model("HOpR")).leader


@pytest.mark.rule("CB-MISS-03")
async def test_a_token_let_pass_is_held(ring: Ring) -> None:
    await ring.arrange(under("panicked", "Smap"))
    await overridden(ring, ANNA, TakeToken("Crate", "Smap"))
    assert (await ring.table.encounter()).row.counters["token:Crate"] == (await ring.model("Smap")).id


@pytest.mark.rule("CB-FEAT-08")
async def test_a_pair_is_never_broken_by_another(ring: Ring) -> None:
    beast = block("Smap", "eye_slug")
    await ring.arrange(beast, *(gifted(name, "bonded") for name in ("Sally", "Smap", "Skip")))
    await ring.ask(ANNA, PairUp("Sally", "Smap"))
    assert "another pair" in await not_offered(ring, PairUp("Skip", "Smap"))
    assert (await ring.model("Sally")).count(Counter.PARTNER) == (await ring.model("Smap")).id


@pytest.mark.rule("CB-PSI-01")
async def test_both_refusals_of_powers_are_told(ring: Ring) -> None:
    await ring.arrange(gifted("Sally", "psionic:1"))
    for who in (ANNA, BO):
        await ring.table.done(who, DiceMode("bot"))
    await ring.ask(ANNA, ChoosePowers("Sally", ("blast",)))
    await overridden(ring, ANNA, ChoosePowers("Sally", POWERS))
    assert "Overridden: Sally Starfield can know" in ring.answer.reply.text
    assert "Overridden: Sally Starfield has already chosen" in ring.answer.reply.text
    assert set(POWERS) <= set((await ring.model("Sally")).profile.powers)


@pytest.mark.rule("CB-ACT-01")
async def test_who_manages_the_channel_overrides_with_real_dice(ring: Ring) -> None:
    await ring.arrange(spent("Trapper", actions=2), active("Trapper"))
    manager = ring.table.actor(BO, manages=True)
    shot = Shoot("Trapper", "Sally", 4)
    asked = await ring.table.do(manager, shot, reason="agreed by both")
    assert waits(asked)
    faces = (1, 1, 1)[: int(asked.reply.text.split("throws ")[1][0])]
    done = await ring.table.do(manager, EnterFaces(faces))
    assert done.changed, done.reply.text
    assert "Override by bo: agreed by both" in done.reply.text


async def test_a_reason_of_somebody_else_gives_no_rights(ring: Ring) -> None:
    await ring.arrange(active("Trapper"))
    asked = await ring.table.do(BO, Shoot("Trapper", "Sally", 4), reason="because")
    assert waits(asked)
    assert (await ring.table.encounter()).book.all(PendingRow)[0].reason == ""
