"""Several against several: typed, answered by the defender, rolled in one act and undone in one step."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.games.counterblast.core.debts import ShowOwed
from bot.games.counterblast.melee.answers import Defend, SplitDefence
from bot.games.counterblast.melee.disengagement import Disengage
from bot.games.counterblast.melee.melees import Melee
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.session.drafts import Draft
from bot.table.session.possible_actions import add_action_buttons
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, gone, touching, under
from tests.bot.tables import Table, opened, waits
from tests.bot.waited import waited_for

TWO_ON_TWO = Melee(text="Skip>Spawnguard 2, Skip>Spawnling 1, Wanda>Spawnguard")


async def ready(ring: Ring) -> None:
    await ring.arrange(
        active("Skip", "Wanda"),
        touching(("Skip", "Spawnguard"), ("Wanda", "Spawnguard"), ("Skip", "Edo Spawnling")),
    )


async def split(ring: Ring, *texts: str, faces: tuple[int, ...] = ()) -> list[str]:
    """Share the dice out, as the draft behind Split... does."""
    button = next(one for one in ring.answer.reply.buttons if one.label == "Split...")
    assert isinstance(button.action, Draft)
    answer = await ring.table.do(BO, SplitDefence(*button.action.about, *texts))
    if faces:
        answer = await ring.entered(BO, (faces))
    ring.answer = answer
    return list(answer.reply.lines)


@pytest.mark.rule("CB-FIGHT-01", "CB-FIGHT-02")
async def test_what_is_declared_is_shown_to_everybody(ring: Ring) -> None:
    await ready(ring)
    lines = await ring.ask(ANNA, TWO_ON_TWO)
    assert not ring.answer.reply.private
    assert lines == [
        "Skip Westmoreland and Wanda Whitestar attack Spawnguard and Edo Spawnling.",
        "Skip Westmoreland > Spawnguard: 2 dice, Pulsar Rifle",
        "Skip Westmoreland > Edo Spawnling: 1 die, Pulsar Rifle",
        "Wanda Whitestar > Spawnguard: 2 dice, Pulsar Rifle",
        "",
        "Edo: choose how to defend.",
        "1. Spawnguard: 3 dice against Skip Westmoreland and Wanda Whitestar",
    ]
    assert ring.labels[:2] == ["Split evenly", "Split..."]


@pytest.mark.rule("CB-FIGHT-03", "CB-FIGHT-08", "CB-FIGHT-14", "CB-SHIELD-01")
async def test_each_pairing_and_each_shield_roll_by_itself(ring: Ring) -> None:
    """Spawnguard shares 3 dice 1 and 2; Skip wounds twice and Wanda once, its shield is rolled for both."""
    await ready(ring)
    await ring.ask(ANNA, TWO_ON_TWO)
    lines = await split(ring, "1 2", faces=(10, 9, 9, 2, 2, *(2,), 2, *(9, 2), *(2, 2), 2))
    assert lines[0] == "Melee: Spawnguard 2 wounds, Edo Spawnling 0 wounds"
    assert lines.count("shield: 2 fails") == 2
    assert "against STR 1D+3 vs 7" in lines
    assert "against STR 2D+3 vs 7" in lines
    spawnguard = await ring.model("Spawnguard")
    assert spawnguard.damage == 2


async def test_the_answer_is_given_from_the_panel_before_the_attackers_go_on(ring: Ring) -> None:
    """The question may have scrolled away; its dice fall before the next action of the same side."""
    await ready(ring)
    await ring.ask(ANNA, TWO_ON_TWO)
    refused = await ring.table.refused(ANNA, Disengage("Wanda"))
    assert "to answer. Wait for the answer, or undo the attack." in refused
    encounter = await ring.table.encounter()
    panel = add_action_buttons(encounter, game_of(encounter).panel(encounter))
    assert not [one.label for one in panel.buttons if one.asks]
    shown = (await ring.table.do(BO, ShowOwed())).reply
    assert shown.private
    for asked in (shown, panel):
        assert {"Split evenly", "Split..."} <= {one.label for one in asked.buttons}
    await split(ring, "1 2", faces=(10, 9, 9, 2, 2, *(2,), 2, *(9, 2), *(2, 2), 2))
    assert "bo now rolls real dice." in (await ring.table.do(BO, ShowOwed())).reply.text


async def test_real_dice_are_asked_for_by_name(ring: Ring) -> None:
    await ready(ring)
    await ring.ask(ANNA, TWO_ON_TWO)
    await split(ring, "1 2")
    assert await ring.asked_for(BO, 10, 9, 9, 2, 2, *(2,), 2, *(9, 2), *(2, 2), 2) == [
        "Skip Westmoreland's attack at Spawnguard",
        "Skip Westmoreland's attack at Spawnguard, bonus die",
        "Spawnguard's defence against Skip Westmoreland",
        "Spawnguard's shield against Skip Westmoreland",
        "Skip Westmoreland's attack at Edo Spawnling",
        "Edo Spawnling's defence against Skip Westmoreland",
        "Wanda Whitestar's attack at Spawnguard",
        "Spawnguard's defence against Wanda Whitestar",
        "Spawnguard's shield against Wanda Whitestar",
    ]


async def test_odds_of_a_melee_that_waits(ring: Ring) -> None:
    await ready(ring)
    await ring.ask(ANNA, TWO_ON_TWO)
    question = ring.answer
    lines = await ring.press(BO, "Odds")
    assert ring.answer.reply.private
    assert lines[0] == "Odds for this melee:"
    assert lines[1].startswith("Spawnguard: hurt ")
    assert {"Split evenly", "Split..."} <= set(ring.labels), "whoever answers goes on from there"
    ring.answer = question
    await ring.press(ANNA, "Odds")
    assert ring.labels == [], "the attacker has nothing to answer"
    ring.answer = question
    await ring.press(BO, "Odds")
    await ring.press(BO, "Split evenly", 2, 2, 2, 2, 2, 2, 2, 2, 2)


@pytest.mark.rule("CB-FIGHT-03")
async def test_an_even_split_is_the_default(ring: Ring) -> None:
    await ready(ring)
    await ring.ask(ANNA, TWO_ON_TWO)
    lines = await ring.press(BO, "Split evenly", 2, 2, 2, 2, 2, 2, 2, 2, 2)
    assert lines.index("against STR 2D+3 vs 7") < lines.index("against STR 1D+3 vs 7")


async def test_declaration_and_roll_are_one_step_for_undo(ring: Ring) -> None:
    await ready(ring)
    before = ring.table.state()
    await ring.ask(ANNA, TWO_ON_TWO)
    await ring.press(BO, "Spawnguard spends an order token (+1)")
    await ring.press(BO, "Split evenly", 2, 2, 2, 2, 2, 2, 2, 2, 2)
    await ring.agreed(ANNA, Undo())
    assert ring.table.state() == before
    await ring.ask(ANNA, TWO_ON_TWO)
    assert "Undone" in (await ring.ask(ANNA, Undo()))[0]
    assert ring.table.state() == before


@pytest.mark.rule("CB-FIGHT-03")
async def test_a_split_that_does_not_fit_is_refused(ring: Ring) -> None:
    await ready(ring)
    await ring.ask(ANNA, TWO_ON_TWO)
    row = next(iter((await ring.table.loaded()).snapshot["secrets"]))[1]
    assert isinstance(row, int)
    assert "to share out (you entered" in await ring.refused(BO, SplitDefence(row, 2, "3 1"))
    assert "against each attacker (2 numbers)" in await ring.refused(BO, SplitDefence(row, 2, "two"))
    assert "Only bo can do this for Edo." in await ring.refused(ANNA, SplitDefence(row, 2, "1 2"))
    lines = await split(ring, "0 3", faces=(2, 2, 2, 2, 2, 2, 2, 2, 2))
    assert "against no defense dice" in lines
    assert "bo now rolls real dice." in await ring.refused(BO, SplitDefence(row, 2, "1 2"))


async def test_a_second_attack_waits_until_the_first_is_answered(ring: Ring) -> None:
    await ready(ring)
    await ring.arrange(active("Smap"), touching(("Smap", "Trapper"), ("Smap", "Edo Guardling")))
    await ring.ask(ANNA, TWO_ON_TWO)
    encounter = await ring.table.encounter()
    assert waited_for(encounter) == "Waiting for bo to answer Skip Westmoreland's attack."
    second = Melee(text="Smap>Trapper")
    assert "to answer. Wait for the answer, or undo the attack." in await ring.refused(ANNA, second)
    await ring.press(BO, "Split evenly", 2, 2, 2, 2, 2, 2, 2, 2, 2)
    await ring.ask(ANNA, second)
    asked = ring.answer
    await ring.arrange(change("Trapper", gone))
    assert "out of play" in (await ring.table.press(BO, asked, "Roll")).reply.text
    row = next(iter((await ring.table.loaded()).snapshot["secrets"]))[1]
    assert isinstance(row, int)
    assert "out of play" in await ring.refused(BO, Defend(row, 2, lend=True))
    encounter = await ring.table.encounter()
    assert "answer" not in waited_for(encounter)


async def test_the_answer_waits_through_a_restart(ring: Ring, file: Path) -> None:
    await ready(ring)
    await ring.ask(ANNA, TWO_ON_TWO)
    async with opened(file) as later:
        table = Table(later.desk, file, ids=dict(ring.table.ids), interactions=ring.table.interactions)
        answer = await table.press(BO, ring.answer, "Split evenly")
        assert waits(answer)


@pytest.mark.rule("CB-FIGHT-04")
async def test_a_die_is_lent_where_the_lender_is_engaged(ring: Ring) -> None:
    await ready(ring)
    await ring.arrange(touching(("Wanda", "Trapper"), ("Skip", "Trapper")))
    await ring.ask(ANNA, TWO_ON_TWO)
    trapper = (await ring.model("Trapper")).id
    choices = [choice.label for choice in ring.answer.reply.menus[0].choices]
    assert choices == ["Trapper to Spawnguard", "Trapper to Edo Spawnling", "Trapper to Spawnguard"]
    twice = await ring.table.choose(BO, ring.answer, str(trapper * 100), str(trapper * 100 + 2))
    assert "can lend only one die" in twice.reply.text
    lines = await ring.choose(BO, trapper * 100 + 2)
    assert "Trapper lends a die." in lines
    lines = await ring.press(BO, "Split evenly", 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)
    assert lines.count("against STR 2D+3 vs 7") == 2


@pytest.mark.rule("CB-ACT-09", "CB-FIGHT-12")
async def test_three_of_a_group_at_one_model_get_teamwork(ring: Ring) -> None:
    names = ("Skip", "Wanda", "Smap")
    await ring.arrange(active(*names), touching(*((name, "Trapper") for name in names)))
    await ring.ask(ANNA, Melee(text="Skip>Trapper, Wanda>Trapper, Smap>Trapper"))
    await ring.press(BO, "Split evenly", *[2] * 9)
    assert ring.why.count("+1 teamwork of 3 models CB-ACT-09") == 3


async def test_dice_left_out_are_shared_evenly(ring: Ring) -> None:
    await ready(ring)
    lines = await ring.ask(ANNA, Melee(text="skip > spawnguard; skip>spawnling x1; wanda>spawnguard"))
    assert "Skip Westmoreland > Spawnguard: 2 dice, Pulsar Rifle" in lines


async def test_a_number_that_belongs_to_a_name_is_no_dice(ring: Ring) -> None:
    await ring.arrange(active("Skip"), touching(("Skip", "Edo Guardling 2"), ("Skip", "Edo Guardling")))
    text = "Skip>Edo Guardling 2 with bare hands, Skip>Edo Guardling x1 with bare hands"
    lines = await ring.ask(ANNA, Melee(text=text), 2, 2, 2, 2, 2, 2, 2)
    place = lines.index("Skip Westmoreland > Edo Guardling 2")
    assert lines[place + 1] == "STR 2D-1 vs 8, Bare hands"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Enter the attacks like this: `Sally>Smap 2, Sally>Wanda 1, Angus>Smap`"),
        ("Skip Spawnguard", "No melee is waiting for your answer"),
        (
            "Skip>Spawnguard, Wanda",
            "Enter the attacks like this: `Sally>Smap 2, Sally>Wanda 1, Angus>Smap`",
        ),
        ("Skip>Nobody 2", "There is no model called Nobody."),
        ("Skip>Spawnguard 0", "at least one die"),
        ("Skip>Spawnguard 2, Skip>Spawnguard 1", "Name each pair of attacker and target only once."),
        ("Skip>Spawnguard 1, Skip>Spawnling 1", "to share out (you entered"),
        ("Skip>Spawnguard 3, Skip>Spawnling", "which isn't enough for these 2"),
        ("Skip>Wanda", "are on the same side"),
    ],
)
async def test_blows_that_cannot_be(ring: Ring, text: str, sentence: str) -> None:
    await ready(ring)
    answer = await ring.table.do(ANNA, Melee(text=text, contact=True))
    assert not answer.changed
    assert sentence in answer.reply.text


@pytest.mark.rule("CB-FIGHT-01")
async def test_all_who_are_to_touch_are_marked_by_one_button(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Wanda"))
    assert "are not marked as being in contact" in await ring.refused(ANNA, TWO_ON_TWO)
    await ring.ask(ANNA, TWO_ON_TWO)
    await ring.press(ANNA, "Mark contact and fight")
    assert len((await ring.model("Skip")).engaged_with) == 2


@pytest.mark.rule("CB-FIGHT-02", "CB-FIGHT-03")
async def test_hidden_dice_are_shown_when_both_have_locked(ring: Ring) -> None:
    def hide(encounter: Encounter) -> None:
        encounter.row.settings["melee_dice"] = "hidden"

    await ready(ring)
    await ring.arrange(hide)
    await ring.ask(ANNA, TWO_ON_TWO)
    assert ring.answer.reply.private
    assert "Skip Westmoreland > Spawnguard: 2 dice, Pulsar Rifle" in ring.answer.reply.lines
    (public,) = ring.answer.reply.also
    assert not public.private
    assert not any("2 dice, " in line or "1 die, " in line for line in public.lines)
    assert "Odds" not in [button.label for button in public.buttons]
    assert "The attack dice are hidden for now." in public.lines
    ring.answer = type(ring.answer)(public, ring.answer.scope, ring.answer.version)
    lines = await split(ring, "1 2", faces=(2, 2, 2, 2, 2, 2, 2, 2, 2))
    assert "STR 2D-2 vs 8, Pulsar Rifle" in lines


@pytest.mark.rule("CB-SPEC-16")
async def test_pirates_that_outnumber_their_opponents(ring: Ring) -> None:
    def pirates(encounter: Encounter) -> None:
        encounter.side(1).traits["specialties"] = "pirates"

    await ready(ring)
    await ring.arrange(pirates, block("Edo Spawnling", "edo_spawnling"))
    await ring.ask(ANNA, TWO_ON_TWO)
    await ring.press(BO, "Split evenly", *[2] * 9)
    assert "outnumbering" not in ring.why
    await ring.agreed(ANNA, Undo())
    await ring.arrange(touching(("Smap", "Spawnguard")))
    await ring.ask(ANNA, TWO_ON_TWO)
    await ring.press(BO, "Split evenly")
    assert "+1 Pirates outnumber the enemy CB-SPEC-16" in ring.why


@pytest.mark.rule("CB-FIGHT-13", "CB-FIGHT-12", "CB-COND-02")
async def test_an_advantage_against_one_model_joins_its_share(ring: Ring) -> None:
    await ready(ring)
    await ring.arrange(under("prone", "Spawnguard"), under("blinded", "Edo Spawnling"))
    lines = await ring.ask(ANNA, TWO_ON_TWO)
    assert "Skip Westmoreland > Spawnguard: 3 dice, Pulsar Rifle" in lines
    assert "Skip Westmoreland > Edo Spawnling: 2 dice, Pulsar Rifle" in lines
    await ring.press(BO, "Split evenly", *[2] * 12)
    assert "+1 target Prone CB-MOVE-11" in ring.why
    assert "+1 target Blinded CB-COND-02" in ring.why


@pytest.mark.rule("CB-COND-02", "CB-FIGHT-13")
async def test_a_blinded_attacker_has_fewer_dice_to_share(ring: Ring) -> None:
    await ready(ring)
    await ring.arrange(under("blinded", "Skip"))
    assert "to share out (you entered" in await ring.refused(ANNA, TWO_ON_TWO)
    lines = await ring.ask(ANNA, Melee(text="Skip>Spawnguard, Skip>Spawnling, Wanda>Spawnguard"))
    assert "Skip Westmoreland > Spawnguard: 1 die, Pulsar Rifle" in lines
