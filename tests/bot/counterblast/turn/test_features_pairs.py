"""Bonded pairs and Watchdogs: found by themselves, activated together, +1 together, and what parts them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.games.counterblast.core.checks import Rally
from bot.games.counterblast.gear.tasks import Treat
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.turn.activations import Activate, PairUp
from bot.games.counterblast.turn.bag import PassDraw
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.models import RemoveModel
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import (
    ANNA,
    Ring,
    active,
    block,
    carrying,
    change,
    gifted,
    hurt,
    touching,
    under,
)


def named(name: str) -> Callable[[ModelRow], None]:
    def rename(row: ModelRow) -> None:
        row.name = name

    return rename


BOND = (gifted("Skip", "bonded"), block("Smap", "thulle"), gifted("Smap", "bonded"))
"""Skip and a Thulle called Smap are the only Bonded Hero and Beast of the Lancers."""

DOG = (
    carrying("Skip", "watchdog"),
    block("Smap", "eye_slug"),
    change("Smap", named("Rex")),
)


def drawn(side: int) -> Step:
    """A token of the side has been drawn."""

    def step(encounter: Encounter) -> None:
        encounter.row.counters["drawn"] = side

    return step


async def begin(ring: Ring, *names: str) -> list[str]:
    numbers = tuple([(await ring.model(name)).id for name in names])
    return await ring.ask(ANNA, Activate(numbers))


@pytest.mark.rule("CB-FEAT-08")
async def test_a_bonded_partner_is_offered_free(ring: Ring) -> None:
    await ring.arrange(*BOND, drawn(1))
    await begin(ring, "Skip")
    assert not (await ring.model("Smap")).has("active")
    assert "Smap acts too (free)" in ring.labels
    await ring.press(ANNA, "Smap acts too (free)")
    assert (await ring.model("Smap")).has("active")


@pytest.mark.rule("CB-FEAT-08")
async def test_a_bonded_beast_takes_no_place_in_a_group(ring: Ring) -> None:
    """A Hero directs three Lackeys; the Beast comes besides."""
    more = [block(name, "gdf_sentry") for name in ("Wanda", "Helen", "HOpR")]
    await ring.arrange(*BOND, *more, drawn(1))
    numbers = tuple([(await ring.model(name)).id for name in ("Skip", "Wanda", "Helen", "HOpR")])
    await ring.ask(ANNA, Activate((*numbers, (await ring.model("Smap")).id)))
    assert (await ring.model("Smap")).has("active")
    await ring.ask(ANNA, Undo())
    await ring.arrange(block("Smap", "thulle"))
    assert "CB-ACT-04" in await ring.refused(ANNA, Activate((*numbers, (await ring.model("Smap")).id)))


@pytest.mark.rule("CB-FEAT-08")
async def test_two_bonded_beasts_are_told_apart_by_the_player(ring: Ring) -> None:
    await ring.arrange(*BOND, block("Wanda", "thulle"), gifted("Wanda", "bonded"), drawn(1))
    await begin(ring, "Skip")
    assert not [label for label in ring.labels if "free" in label]
    lines = await ring.ask(ANNA, PairUp("Skip", "Wanda"))
    assert lines[1] == "Neither blocks the other's line of sight."
    assert "CB-FEAT-08" in await ring.refused(ANNA, PairUp("Skip", "Smap"))


@pytest.mark.rule("CB-FEAT-09")
async def test_a_pair_shoots_together_at_plus_1(ring: Ring) -> None:
    """The pair alone +1 each; with a third model +2, the third +1."""
    await ring.arrange(*BOND, drawn(1))
    await begin(ring, "Skip")
    await ring.arrange(
        block("Smap", "thulle", "slugger_pistol"), gifted("Smap", "bonded"), active("Smap", "Wanda")
    )
    await ring.ask(ANNA, TeamShot("Skip, Smap", "Trapper", "4", weapon="Slugger"), *[2] * 5)
    assert ring.why.count("+1 bonded pair CB-FEAT-09") == 2
    assert "teamwork" not in ring.why
    await ring.ask(ANNA, Undo())
    await ring.ask(ANNA, TeamShot("Skip, Smap, Wanda", "Trapper", "4", weapon="Slugger"), *[2] * 7)
    assert ring.why.count("+1 bonded pair CB-FEAT-09") == 2
    assert ring.why.count("+1 teamwork of 3 models CB-ACT-09") == 3


@pytest.mark.rule("CB-FEAT-09")
async def test_a_pair_fights_together_at_plus_1(ring: Ring) -> None:
    await ring.arrange(*BOND, drawn(1))
    await begin(ring, "Skip")
    await ring.arrange(active("Smap"), touching(("Skip", "Trapper"), ("Smap", "Trapper")))
    await ring.ask(ANNA, Melee(text="Skip>Trapper, Smap>Trapper"))
    await ring.press("bo", "Split evenly", *[2] * 6)
    assert ring.why.count("+1 bonded pair CB-FEAT-09") == 2


@pytest.mark.rule("CB-GEAR-50", "CB-FEAT-09")
async def test_a_watchdog_comes_with_its_owner_by_itself(ring: Ring) -> None:
    await ring.arrange(*DOG, drawn(1))
    lines = await begin(ring, "Skip")
    assert lines == ["Skip Westmoreland acts: 2 actions, 1 attack.", "Rex acts: 2 actions, 1 attack."]
    await ring.ask(ANNA, PassDraw())
    assert (await ring.model("Rex")).count("activated")
    assert "Rex is more than 6 in from its owner" in ring.labels
    lines = await ring.press(ANNA, "Rex is more than 6 in from its owner")
    assert lines == ["Rex is too far away (over 6 in) and panics."]
    assert (await ring.model("Rex")).has("panicked")


@pytest.mark.rule("CB-GEAR-50")
async def test_a_watchdog_without_its_owner_runs_by_itself(ring: Ring) -> None:
    await ring.arrange(*DOG, drawn(1))
    await begin(ring, "Skip")
    await ring.ask(ANNA, Undo())
    await ring.ask(ANNA, RemoveModel("Skip", "casualty"))
    lines = await begin(ring, "Rex")
    assert "Rex has no owner, so it can only run." in lines
    assert "CB-RALLY-01" in await ring.refused(ANNA, Rally("Rex"))
    lines = await ring.press(ANNA, "Run")
    assert lines[0] == "Rex runs 8 in towards the table edge."
    await ring.press(ANNA, "Rex reaches the edge")
    assert (await ring.table.encounter()).find_model("Rex", gone=True).left_how == "fled"


@pytest.mark.rule("CB-FEAT-09")
async def test_a_pair_treats_together_at_plus_1(ring: Ring) -> None:
    """INT of both, each +1; with Smap's bond gone there is none."""
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(*BOND, drawn(1), hurt("Wanda", 1))
    await begin(ring, "Skip")
    await ring.arrange(active("Smap"))
    heal = Treat("Skip", "medicine", helpers=("Smap",), patient="Wanda")
    await ring.ask(ANNA, heal)
    assert ring.why.count("+1 bonded pair CB-FEAT-09") == 2
    await ring.ask(ANNA, Undo())
    await ring.arrange(change("Skip", lambda row: row.counters.pop("partner") and None))
    await ring.ask(ANNA, heal)
    assert ring.why.count("+1 bonded pair CB-FEAT-09") == 1


@pytest.mark.rule("CB-FEAT-04", "CB-BURN-06")
async def test_acid_that_was_not_washed_off_hits_by_a_button(ring: Ring) -> None:
    await ring.arrange(drawn(1), under("corroded", "Skip"))
    await begin(ring, "Skip")
    lines = await ring.ask(ANNA, PassDraw())
    assert "Skip Westmoreland still has to take the hit from the acid." in lines
    lines = await ring.press(ANNA, "Apply the hit to Skip Westmoreland", 2)
    assert (await ring.model("Skip")).damage == 1
