"""Conditions put on models, and ended, by hand: what a rule does with them follows here too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bot.games.counterblast as counterblast
from bot.games.counterblast.core.checks import Panic
from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.core.crews import lay_token
from bot.games.counterblast.missions.objectives import TakeToken
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.state.models import block_text
from bot.games.counterblast.state.table_state import ModelState
from bot.games.counterblast.templates.coverage import Engulf
from bot.games.counterblast.turn.activations import Leash
from bot.table.encounter import Encounter
from bot.table.session.models import AddCondition, ClearCondition
from rules.systems.counterblast.core.burning import DOUSING_SUCCESSES
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Until
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import (
    ANNA,
    BO,
    Ring,
    active,
    block,
    carrying,
    change,
    gifted,
    touching,
    under,
)


def on_the_table(name: str) -> Step:
    def step(encounter: Encounter) -> None:
        lay_token(encounter, name)

    return step


async def until(ring: Ring, name: str, kind: str) -> str:
    encounter = await ring.table.encounter()
    row = encounter.condition(encounter.find_model(name).id, kind)
    assert row is not None
    return row.until


@pytest.mark.rule("CB-MISS-03", "CB-PANIC-09")
async def test_who_panics_by_hand_drops_what_it_carries(ring: Ring) -> None:
    await ring.arrange(on_the_table("Crate"))
    await ring.ask(ANNA, TakeToken("Crate", "Skip"))
    lines = await ring.ask(ANNA, AddCondition("Skip", "panicked"))
    assert lines == [
        "Skip Westmoreland now has the condition panicked.",
        "Crate drops where Skip Westmoreland was.",
    ]
    assert (await ring.table.encounter()).count("held:Crate") == 0
    assert await until(ring, "Skip", "panicked") == Until.RALLIED


@pytest.mark.rule("CB-MISS-03", "CB-PANIC-09")
async def test_so_does_who_fails_a_panic_test(ring: Ring) -> None:
    await ring.arrange(on_the_table("Crate"))
    await ring.ask(ANNA, TakeToken("Crate", "Skip"))
    dice = (await ring.model("Skip")).profile.intellect.dice
    lines = await ring.ask(ANNA, Panic("Skip", 5), *[2] * dice)
    assert lines[:2] == [
        "Skip Westmoreland panics at Panic Level 5.",
        "Crate drops where Skip Westmoreland was.",
    ]


def test_effects_reach_the_rows_in_one_place() -> None:
    """So that nothing that follows from one is forgotten where it came about in another way."""
    folder = Path(counterblast.__path__[0])
    using = {path.name for path in folder.rglob("*.py") if re.search(r"encounter\.apply\(", path.read_text())}
    assert using == {"crews.py"}


@pytest.mark.rule("CB-FEAT-26")
async def test_nobody_panics_who_is_immune(ring: Ring) -> None:
    await ring.arrange(gifted("Skip", "fearless"))
    said = await ring.refused(ANNA, AddCondition("Skip", "panicked"))
    assert said.startswith(
        "Skip Westmoreland is immune to panic.\nRulebook: Features (pages 27 to 34; CB-FEAT-26)"
    )
    answer = await ring.table.done(ANNA, AddCondition("Skip", "panicked"), reason="agreed")
    assert "Override by anna: agreed" in answer.reply.text
    assert (await ring.model("Skip")).has(Condition.PANICKED)


@pytest.mark.rule("CB-BURN-09", "CB-FEAT-03")
async def test_nobody_burns_who_is_safe_from_fire(ring: Ring) -> None:
    said = await ring.refused(ANNA, AddCondition("Sally", "burning"))
    assert said.startswith(
        "Sally Starfield is safe from fire (Envirosuit).\nRulebook: Burning (page 19; CB-BURN-09)"
    )
    said = await ring.refused(ANNA, AddCondition("Sally", "corroded"))
    assert said.startswith(
        "Sally Starfield is safe from acid (Envirosuit).\nRulebook: Features (pages 27 to 34; CB-FEAT-03)"
    )
    await ring.ask(ANNA, AddCondition("Skip", "burning"))
    assert (await ring.model("Skip")).has(Condition.BURNING)


@pytest.mark.rule("CB-BURN-09", "CB-TMPL-10")
async def test_flames_set_on_fire_who_does_not_escape_them_unless_it_is_safe(ring: Ring) -> None:
    """Sealed suits take 1D+1, others 2D+2; Wanda is under them and unhurt, Trapper escapes."""
    await ring.arrange(active("Prime"), block("Prime", "prime_leader", "flamethrower"))
    ids = [(await ring.model(name)).id for name in ("Prime", "Sally", "Wanda", "Skip")]
    engulf = Engulf(ids[0], "flamethrower", whole=(ids[1], ids[2]), partly=(ids[3],))
    lines = await ring.ask(BO, engulf, 9, 2, 2, 2, 2, 9, 9, 2, 2)
    assert "Sally Starfield can't burn (Envirosuit)." in lines
    assert not (await ring.model("Sally")).has(Condition.BURNING)
    place = lines.index("Wanda Whitestar is unhurt.")
    assert lines[place + 1] == "Wanda Whitestar burns."
    assert (await ring.model("Wanda")).has(Condition.BURNING)
    assert not (await ring.model("Trapper")).has(Condition.BURNING)


@pytest.mark.rule("CB-COND-04", "CB-COND-03", "CB-OVER-03", "CB-WEAP-29")
async def test_who_is_stunned_by_hand_lets_go_of_everybody(ring: Ring) -> None:
    await ring.arrange(touching(("Skip", "Trapper")), under("overwatch", "Skip"))
    await ring.ask(ANNA, AddCondition("Skip", "incapacitated"))
    skip = await ring.model("Skip")
    assert not skip.engaged_with
    assert not skip.has(Condition.OVERWATCH)
    assert await until(ring, "Skip", "incapacitated") == Until.NEXT_UPKEEP
    await ring.ask(ANNA, AddCondition("Skip", "incapacitated", 1))
    assert (await ring.model("Skip")).grade(Condition.INCAPACITATED) == 1


@pytest.mark.rule("CB-COND-06", "CB-FEAT-49")
async def test_who_is_pinned_by_hand_breaks_free_by_what_was_named(ring: Ring) -> None:
    await ring.ask(ANNA, AddCondition("Skip", "pinned"))
    assert (await ring.model("Skip")).count(Counter.PIN_TARGET) == 5
    await ring.ask(ANNA, AddCondition("Skip", "pinned", 8))
    assert (await ring.model("Skip")).count(Counter.PIN_TARGET) == 8


@pytest.mark.rule("CB-OVER-03", "CB-COND-07")
async def test_who_is_activated_or_engaged_by_hand_is_on_overwatch_no_more(ring: Ring) -> None:
    await ring.arrange(under("overwatch", "Skip", "Wanda"))
    await ring.ask(ANNA, AddCondition("Skip", "active"))
    skip = await ring.model("Skip")
    assert (skip.has(Condition.ACTIVE), skip.has(Condition.OVERWATCH)) == (True, False)
    assert skip.count(Counter.ACTIVATED) == 1
    await ring.ask(ANNA, AddCondition("Wanda", "engaged"))
    assert not (await ring.model("Wanda")).has(Condition.OVERWATCH)


@pytest.mark.rule("CB-COND-07", "CB-PSI-23")
async def test_an_activation_ended_by_hand_ends_what_lasts_so_long(ring: Ring) -> None:
    def dazed(row) -> None:
        row.counters[Counter.DAZED] = 1

    await ring.arrange(active("Skip"), change("Skip", dazed))
    await ring.ask(ANNA, AddCondition("Skip", "drained"))
    assert await until(ring, "Skip", "drained") == Until.NEXT_ACTIVATION_END
    await ring.ask(ANNA, ClearCondition("Skip", "active"))
    skip = await ring.model("Skip")
    assert not skip.conditions
    assert skip.count(Counter.DAZED) == 0


@pytest.mark.rule("CB-COND-03")
async def test_who_is_engaged_no_more_by_hand_touches_nobody(ring: Ring) -> None:
    await ring.ask(ANNA, Engage("Skip", "Trapper"))
    lines = await ring.ask(ANNA, ClearCondition("Skip", "engaged"))
    assert lines == ["Skip Westmoreland no longer has the condition engaged."]
    assert not (await ring.model("Trapper")).is_engaged
    await ring.arrange(active("Skip"))
    await ring.ask(ANNA, Move("Skip"))


@pytest.mark.rule("CB-BURN-07")
async def test_flames_that_end_by_hand_keep_no_success_for_the_next_ones(ring: Ring) -> None:
    def half_out(row) -> None:
        row.counters[DOUSING_SUCCESSES] = 1

    await ring.arrange(under("burning", "Skip"), change("Skip", half_out))
    await ring.ask(ANNA, ClearCondition("Skip", "burning"))
    skip = await ring.model("Skip")
    assert (skip.count(DOUSING_SUCCESSES), skip.count(ModelState.fire_turn.key)) == (0, 0)


@pytest.mark.rule("CB-GEAR-50", "CB-MISS-03")
async def test_a_dog_that_strays_drops_what_it_carries(ring: Ring) -> None:
    await ring.arrange(
        on_the_table("Crate"),
        carrying("Sally", "watchdog"),
        change("Skip", lambda row: setattr(row, "profile", block_text("gator_dog"))),
    )
    await ring.ask(ANNA, TakeToken("Crate", "Skip"))
    lines = await ring.ask(ANNA, Leash("Skip", "Sally", 9))
    assert lines[-1] == "Crate drops where Skip Westmoreland was."
