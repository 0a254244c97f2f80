"""Templates: everybody under them, where a miss lands, what they come to."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from bot.games.warzone.blast_actions import Blast
from bot.games.warzone.reactions import Wait
from bot.games.warzone.shots import Shoot, Template
from bot.replies.chances import percent
from bot.table.game import UNDONE_DICE
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.board_actions import ChooseTable, PlaceModel
from bot.table.session.settings import Settings
from rules.systems.warzone.model import Condition
from tests.bot.warzone.skirmish import MORTAR, RIFLE, TANK, Skirmish


@pytest.mark.rule("WZ-TMPL-01", "WZ-CRIT-02")
@pytest.mark.usefixtures("acting")
async def test_everybody_under_a_template_saves(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await game.add("Blue", "Bud", WD=2)
    reply = await game.do(Template("Gunner", "Bex", "8", "Bex, Bud"), 8, 11, 10)
    assert reply.lines[:3] == ("Gunner hits Bex.", "Bex: 1 wound, out of play", "Bud: no wound")
    reply = await game.do(Template("Gunner", "Bud", "8", "Bud; Rex"), 1, 6, 7)
    assert reply.lines[1:3] == ("Rex: no wound", "Bud: 1 wound (1 of 2 left)"), (
        "by number, however it was said"
    )
    assert "Natural 1: DM +4 against every model under the template" in reply.lines
    assert "Saves against DM 16: Rex needs 6 or less, Bud needs 6 or less" in reply.lines
    assert "Mortar, SR: 8 or less (RC 8)" in reply.lines
    reply = await game.do(Template("Gunner", "Rex", "8", cover="soft"), 6, 1)
    assert {"Mortar, SR: 6 or less (RC 8 -2)", "Saves against DM 12: Rex needs 10 or less"} <= set(
        reply.lines
    )


@pytest.mark.parametrize("strictly", [False, True], ids=["usual", "strict"])
@pytest.mark.usefixtures("acting")
async def test_the_order_of_names_under_a_template_buys_no_other_faces(
    strictly: bool, game: Skirmish
) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await game.add("Blue", "Bud")
    await game.do(Template("Gunner", "Bex", "8", "Bex, Bud, Rex"), 8, 2, 2, 2)
    await game.table.agreed("anna", Undo())
    await game.table.done("anna", DiceMode("bot"))
    if strictly:
        await game.table.done("anna", Settings(UNDONE_DICE.key, UNDONE_DICE.values[1]))
    found = []
    for under in permutations(("Bex", "Bud", "Rex")):
        await game.do(Template("Gunner", "Bex", "8", ", ".join(under)))
        entry = (await game.table.desk.store.all_entries(1))[-1]
        found.append((entry.action_key, Counter(entry.faces_bound())))
        await game.table.agreed("anna", Undo())
    assert found == [found[0]] * len(found)
    assert len(found[0][1]) == 4


@pytest.mark.rule("WZ-TMPL-02", "WZ-DEV-01")
@pytest.mark.usefixtures("acting")
async def test_a_miss_goes_astray_and_lands_on_somebody(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    reply = await game.do(Template("Gunner", "Bex", "8"), 20, 14, 6)
    assert reply.lines[0] == "Gunner misses Bex. The template deviates 4 in."
    assert "The template lands 4 in away, towards 6 o'clock." in reply.lines
    assert game.last
    assert game.last.reply.menus[0].prompt == "Which models are under the template, even partly?"
    reply = await game.choose(await game.number("Rex"), faces=(11,))
    assert reply.lines[:2] == ("The Mortar template lands on Rex.", "Rex: 1 wound, out of play")


@pytest.mark.rule("WZ-TMPL-02", "WZ-DEV-01")
@pytest.mark.usefixtures("acting")
async def test_where_a_miss_lands_is_measured_on_the_board(game: Skirmish) -> None:
    """4 in towards 6 o'clock is back towards the firer, where Rex is."""
    await game.add("Red", "Gunner", MORTAR)
    await game.table.done("anna", ChooseTable("48x48"))
    for name, where in (("Gunner", "20 20"), ("Bex", "20 30"), ("Rex", "20 26.5")):
        await game.table.done("bo" if name == "Bex" else "anna", PlaceModel(name, where))
    reply = await game.do(Template("Gunner", "Bex"), 20, 14, 6)
    assert any(
        line.startswith("On the board, the template lands at") and "on Rex" in line for line in reply.lines
    )
    assert game.last
    label = "Roll for every model under the template"
    (button,) = [one for one in game.last.reply.buttons if one.label == label]
    assert [model.name for model in button.action.under] == ["Rex"]


@pytest.mark.rule("WZ-TMPL-01")
@pytest.mark.usefixtures("acting")
async def test_odds_of_a_template(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await game.add("Blue", "Bud")
    reply = await game.asks(Template("Gunner", "Bex", "8", "Bex, Bud", odds=True))
    hurt = Fraction(7, 20) * Fraction(10, 20) + Fraction(1, 20) * Fraction(14, 20)
    for name in ("Bex", "Bud"):
        line = next(each for each in reply.lines if each.startswith(f"{name} wounded"))
        assert percent(float(hurt)).strip() in line
    assert "is a template weapon. Fire it with /wz template." in await game.refused(
        Shoot("Gunner", "Bex", "8", weapon="Mortar")
    )
    assert "isn't a template weapon. Fire it with /wz shoot." in await game.refused(
        Template("Rex", "Bex", "8", weapon="Rifle")
    )
    assert "no template weapon" in await game.refused(Template("Rex", "Bex", "8"))


@pytest.mark.rule("WZ-TMPL-01", "WZ-CRIT-02", "WZ-VEH-02", "WZ-AMOK-03")
async def test_a_vehicle_under_a_template_and_a_machine_that_may_know_no_foe_are_in_its_odds(
    game: Skirmish,
) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await game.add("Blue", "Tank", "vehicle", RIFLE, stats=TANK)
    shot = Template("Gunner", "Bex", "8", "Bex, Tank", odds=True)
    lines = (await game.asks(shot)).lines
    # AR 24 less DM 12 saves on 12 or less, after a natural 1 (DM +4) on 8 or less.
    hurt = Fraction(7, 20) * Fraction(8, 20) + Fraction(1, 20) * Fraction(12, 20)
    told = [" ".join(line.split()) for line in lines]
    assert any(line.startswith(f"Tank wounded {percent(float(hurt)).strip()}") for line in told)
    assert not any("LD test" in line for line in lines)
    await game.under("Gunner", Condition.RECOGNITION_FAULT)
    # LD 10: a d20 of 10 or less.
    assert "Gunner must pass an LD test first (50% chance of passing)" in (await game.asks(shot)).lines


@pytest.mark.rule("WZ-TMPL-02")
@pytest.mark.usefixtures("acting")
async def test_only_the_firers_player_lands_a_template(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    number = int(await game.number("Gunner"))
    assert "not yours" in await game.refused(Blast(number, "#1", (1,)), "bo")


@pytest.mark.usefixtures("acting")
async def test_a_jet_needs_no_roll(game: Skirmish) -> None:
    await game.add("Red", "Gunner", "weapon Jet: DM 12, PB 0, template, no_roll")
    reply = await game.do(Template("Gunner", "Bex", "5"), 11)
    assert "No attack roll is needed (Jet)" in reply.lines
    assert "Bex: 1 wound, out of play" in reply.lines


@pytest.mark.rule("WZ-SPACE-03")
@pytest.mark.usefixtures("acting")
async def test_templates_need_the_gap_too(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    assert "You can only shoot between two friends if the gap is at least 1 in wide." in await game.refused(
        Template("Gunner", "Bex", "8", gap=0.5)
    )


@pytest.mark.rule("WZ-TMPL-01")
@pytest.mark.usefixtures("acting")
async def test_models_half_under_a_template_count_unless_set_otherwise(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await game.add("Blue", "Half")
    reply = await game.do(Template("Gunner", "Bex", "8", "Bex", "Half"), 5, 10, 10)
    assert {"Bex: no wound", "Half: no wound"} <= set(reply.lines)
    await game.setting("partial cover counts", "no")
    reply = await game.do(Template("Gunner", "Bex", "8", "Bex", "Half"), 5, 10)
    assert "Half: no wound" not in reply.lines
    assert "Move the template" in await game.refused(Template("Gunner", "Bex", "8", partly="Bex"))
    odds = await game.asks(Template("Gunner", "Bex", "8", partly="Half", odds=True))
    assert not any(line.startswith("Half") for line in odds.lines), "the target alone"
    assert any(line.startswith("Bex wounded") for line in odds.lines)
    await game.do(Template("Gunner", "Bex", "8"), 20, 14, 6)
    assert game.last
    assert game.last.reply.menus[0].prompt == "Which models are completely under the template?"


@pytest.mark.rule("WZ-DIVE-01", "WZ-TMPL-01")
@pytest.mark.usefixtures("acting")
async def test_a_template_that_finds_nobody(game: Skirmish) -> None:
    await game.add("Red", "Mortar", "weapon Mortar: DM 12, SR 0, template")
    await game.bo(Wait("Bex"))
    await game.do(Template("Mortar", "Bex", "8"))
    await game.press("Bex dives", 5, who="bo")
    await game.press("Bex gets clear (moving up to 4 in)", who="bo")
    assert (await game.goes_on(8)).lines[0] == "Mortar fires at Bex, but no model is under the template."
