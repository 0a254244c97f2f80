"""Who is due and who lets a phase pass: a pause that ends a run, told to whoever is passed over."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.soluna.activation import models_yet_to_act
from bot.games.soluna.attack_declaration import Attack
from bot.games.soluna.close_actions import BreakFree, Grapple, Lunge
from bot.games.soluna.move_actions import Move, Pass, StandUp, Turn
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import AddCondition
from rules.systems.soluna.models import Counter
from tests.bot.soluna.yard import ANNA, BO, MEENA, PAL, XUL, Yard, opened
from tests.bot.tables import Table

pytestmark = pytest.mark.usefixtures("pictures_without_files")

SABER, RING = "Gravity Saber", "Pulse Laser Ring"
PACE = {"action_order": "speed"}


async def run_of(yard: Yard, name: str) -> int:
    return (await yard.model(name)).counter(Counter.RUN)


async def five_squares(table: Table, **settings: str) -> Yard:
    """Xul (Speed 4) has run 5 squares in two phases; Meena (Speed 5) waits."""
    yard = await opened(table, (MEENA, "5,0", "north"), (XUL, "1,6", "east"), settings=settings)
    await yard.ask(BO, Move("Xul", "5,6", "south"))
    await table.done(ANNA, Pass("Meena"))
    await table.done(ANNA, NextStep())
    await yard.ask(BO, Move("Xul", "6,6", "south"))
    assert await run_of(yard, "Xul") == 5
    return yard


@pytest.mark.rule("SU-SPEED-02", "SU-ACC-07")
async def test_a_phase_let_pass_is_a_pause(table: Table) -> None:
    yard = await five_squares(table)
    await yard.ask(ANNA, Attack("Meena", "Xul", RING, extra="range+9"), 1, 2, 4, 5)
    assert "-1 moving target SU-ACC-07" in yard.why
    if "choose" in yard.answer.reply.text:
        await yard.choose(ANNA, "none")
    await table.done(ANNA, NextStep())
    assert await run_of(yard, "Xul") == 5, "it is due, and has not let the phase pass yet"
    await table.done(BO, Pass("Xul"))
    assert await run_of(yard, "Xul") == 0
    await yard.ask(ANNA, Attack("Meena", "Xul", RING, extra="range+9"), 1, 2, 4, 5)
    assert "moving target" not in yard.why
    if "choose" in yard.answer.reply.text:
        await yard.choose(ANNA, "none")
    await table.done(ANNA, NextStep())
    await yard.ask(BO, Move("Xul", "6,5", "south"))
    assert await run_of(yard, "Xul") == 1, "counted anew"


@pytest.mark.rule("SU-SPEED-02")
async def test_so_is_a_phase_that_ends_before_a_due_model_has_acted(table: Table) -> None:
    yard = await five_squares(table)
    await table.done(ANNA, Pass("Meena"))
    await table.done(ANNA, NextStep())
    await table.done(ANNA, Pass("Meena"))
    lines = await yard.ask(BO, NextStep())
    assert "Xul passes this phase." in lines
    assert await run_of(yard, "Xul") == 0


@pytest.mark.rule("SU-SPEED-02")
async def test_a_phase_in_which_a_model_is_not_due_is_no_pause(table: Table) -> None:
    yard = await five_squares(table)
    await table.done(ANNA, Pass("Meena"))
    await table.done(ANNA, NextStep())
    before = await run_of(yard, "Xul")
    await table.done(BO, AddCondition("Xul", "unconscious"))
    await table.done(ANNA, Pass("Meena"))
    await table.done(ANNA, NextStep())
    assert await run_of(yard, "Xul") == before == 5


@pytest.mark.rule("SU-SPEED-02", "SU-SEQ-01")
async def test_who_is_passed_over_by_one_s_own_slower_model_is_told(table: Table) -> None:
    yard = await opened(
        table, (MEENA, "5,0", "north"), (PAL, "8,0", "north"), (XUL, "5,9", "south"), settings=PACE
    )
    assert "Meena passes this phase." not in (await yard.ask(ANNA, Move("Meena", "5,1")))
    await table.done(BO, Pass("Xul"))
    await table.done(ANNA, Pass("Pal"))
    await table.done(ANNA, NextStep())
    assert await run_of(yard, "Meena") == 1
    assert "Xul (Speed 4) to act or pass before Pal" in await yard.refused(ANNA, Move("Pal", "8,1"))
    await table.done(BO, Pass("Xul"))
    lines = await yard.ask(ANNA, Move("Pal", "8,1"))
    assert lines[-1] == "Meena passes this phase."
    assert await run_of(yard, "Meena") == 0, "that is a pause, too"


@pytest.mark.rule("SU-SEQ-01")
@pytest.mark.parametrize("how", ["move", "turn", "stand", "attack", "lunge", "grapple", "break"])
async def test_every_deed_tells_who_was_passed_over(table: Table, how: str) -> None:
    """Anna's slower Pal acts before her Meena; Xul has let the phase pass."""
    placed = ((MEENA, "2,5", "north"), (PAL, "5,7", "south"), (XUL, "5,6", "south"))
    yard = await opened(table, *placed, begin=False, settings=PACE)
    if how == "stand":
        await table.done(ANNA, AddCondition("Pal", "prone"))
    if how == "break":
        await table.done(ANNA, AddCondition("Pal", "grappled", (await yard.model("Xul")).id))
    await table.done(ANNA, NextStep())
    await table.done(BO, Pass("Xul"))
    deeds: dict[str, tuple[Action, tuple[int, ...]]] = {
        "move": (Move("Pal", "5,8"), ()),
        "turn": (Turn("Pal", "north"), ()),
        "stand": (StandUp("Pal"), ()),
        "attack": (Attack("Pal", "Xul", "Stick"), (1, 2, 3, 4)),
        "lunge": (Lunge("Pal", "Xul", weapon="Stick"), (1, 2, 3, 4)),
        "grapple": (Grapple("Pal", "Xul"), (1, 2, 3, 4, 5)),
        "break": (BreakFree("Pal"), (1, 2, 3, 4, 5)),
    }
    action, faces = deeds[how]
    lines = await yard.ask(ANNA, action, *faces)
    assert "Meena passes this phase." in lines


@pytest.mark.rule("SU-SEQ-01")
async def test_with_both_sides_in_one_hand_whoever_is_passed_over_is_told(table: Table) -> None:
    await table.done(ANNA, StartDemo("soluna"))
    await table.done(ANNA, NextStep())
    before = [model.name for model in models_yet_to_act(await table.encounter())]
    assert before[:4] == ["Vey", "Ilka", "Rurik", "Brin"]
    answer = await table.done(ANNA, Turn("Brin", "north"))
    assert answer.reply.lines == ("Brin turns to face north.", "Vey, Ilka and Rurik pass this phase.")
    answer = await table.done(ANNA, NextStep())
    assert "Brin, Oska and Tarn pass this phase." in answer.reply.lines


@pytest.mark.rule("SU-SEQ-01", "SU-SEQ-02", "SU-CP-03", "SU-GRAP-03", "SU-GRID-06")
async def test_odds_are_refused_where_the_action_is(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,5", "north"), (XUL, "5,6", "south"))

    async def alike(action: Action, odds: Action, who: str = ANNA) -> str:
        said = await yard.refused(who, action)
        assert await yard.refused(who, odds) == said
        return said

    await yard.ask(ANNA, Attack("Meena", "Xul", SABER, dice=1), 3)
    other = (Attack("Meena", "Xul", "hands"), Attack("Meena", "Xul", "hands", odds=True))
    assert "Use the same weapon" in await alike(*other)
    lunge = (Lunge("Meena", "Xul"), Lunge("Meena", "Xul", odds=True))
    assert "A lunge takes the whole activation" in await alike(*lunge)
    await table.done(BO, Move("Xul", "5,7", "south"))
    claw = (Attack("Xul", "Meena", "hands"), Attack("Xul", "Meena", "hands", odds=True))
    assert "reach" in await alike(*claw, who=BO)
    hold = (Grapple("Xul", "Meena"), Grapple("Xul", "Meena", odds=True))
    assert "next to" in await alike(*hold, who=BO)
    await table.done(ANNA, NextStep())
    await yard.ask(BO, Move("Xul", "5,6", "south"))
    moved = (Grapple("Xul", "Meena"), Grapple("Xul", "Meena", odds=True))
    assert "both move and attack" in await alike(*moved, who=BO)
    moved_too = (Attack("Xul", "Meena", "Claw"), Attack("Xul", "Meena", "Claw", odds=True))
    assert "both move and attack" in await alike(*moved_too, who=BO)
    await table.done(ANNA, AddCondition("Meena", "unconscious"))
    out = (Attack("Meena", "Xul", SABER), Attack("Meena", "Xul", SABER, odds=True))
    assert "can't act with Mind 0" in await alike(*out)


@pytest.mark.rule("SU-SEQ-01")
async def test_before_its_time_odds_are_told_without_a_button(table: Table) -> None:
    yard = await opened(
        table,
        (MEENA, "5,5", "north"),
        (XUL, "5,6", "south"),
        (PAL, "5,4", "north"),
        begin=False,
        settings=PACE,
    )
    odds = Attack("Xul", "Meena", "Claw", odds=True)
    told = (await table.do(BO, odds)).reply
    assert told.lines[-1] == "You can't do this yet, because the game hasn't started."
    assert [button.label for button in told.buttons] == ["Compare", "Change..."]
    await table.done(ANNA, NextStep())
    told = (await table.do(BO, odds)).reply
    assert told.lines[-1] == "You can't do this yet, because Meena has to act or pass before Xul."
    assert [button.label for button in told.buttons] == ["Compare", "Change..."]
    await table.done(ANNA, Pass("Meena"))
    told = (await table.do(BO, odds)).reply
    assert [button.label for button in told.buttons] == ["Attack", "Compare", "Change..."]
    told = (await table.do(ANNA, Attack("Meena", "Xul", SABER, odds=True))).reply
    assert told.lines[-1] == "You can't do this yet, because Meena has already passed in this phase."
    await yard.ask(BO, Attack("Xul", "Meena", "Claw"), 1, 1, 1, 2, 2)
    assert "choose the flips for Xul" in yard.answer.reply.text
    told = (await table.do(BO, odds)).reply
    assert (
        told.lines[-1]
        == "You can't do this yet, because the flips for the last attack have to be chosen first."
    )
