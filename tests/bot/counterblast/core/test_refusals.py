"""What is not allowed is refused with its reason and rule, and the organiser may let it pass."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from bot.actions import Action
from bot.games.counterblast.core.checks import Check, ClearPanic, Panic, Rally
from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.gear.tasks import Treat
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.melee.disengagement import Disengage
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.movement.climbing import Leap
from bot.games.counterblast.movement.hiding import BreakFree, Hide, Spot
from bot.games.counterblast.movement.moves import LieDown, Move, StandUp
from bot.games.counterblast.psionics.power_use import UsePower
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.counterblast.turn.activations import Activate
from bot.games.counterblast.turn.overwatch import Overwatch
from bot.table.encounter import Encounter
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import DiceMode
from tests.bot.arranging import Step
from tests.bot.counterblast.psionics.test_psi_play import knows
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, hurt, touching, under
from tests.bot.tables import waits


def spent(name: str, *, actions: int = 0, attacks: int = 0, **more: int) -> Step:
    """The model has used so much of its activation."""

    def counted(encounter: Encounter) -> None:
        counters = encounter.find_model(name).counters
        counters.update({"actions spent": actions, "attacks made": attacks, **more})

    return counted


def no_orders(encounter: Encounter) -> None:
    for side in encounter.sides():
        side.counters["orders"] = 0


def drawn(encounter: Encounter) -> None:
    encounter.row.counters["drawn"] = 1


@dataclass(frozen=True)
class Case:
    """An action that a rule forbids as the table was arranged, and the words that say why."""

    rule: str
    action: Action
    why: str
    steps: tuple[Step, ...] = ()
    ready: tuple[str, ...] = field(default=("Sally",))

    @property
    def name(self) -> str:
        return f"{self.action.command} {self.rule} {self.why}"


SHOT = Shoot("Sally", "Trapper", 4)
AIMED = replace(SHOT, mode="aim")
WATCHING = replace(SHOT, mode="overwatch")
CHARGE = Charge("Sally", "Trapper", 3, helpers="nobody")
ONE_LEFT, NONE_LEFT = spent("Sally", actions=1), spent("Sally", actions=2)
ATTACKED = spent("Sally", actions=1, attacks=1)
TRIED = spent("Sally", **{"rally tried": 1})
ELSEWHERE = touching(("Sally", "Edo Underling 2"))
BLAST = knows("Sally", "blast")
BLOW = Fight("Sally", "Trapper")
TOUCH = touching(("Sally", "Trapper"))
HIDDEN = under("hidden", "Trapper")
STUNNED = under("incapacitated", "Trapper")
GRENADE = block("Sally", "sally_starfield", "grenade")
TEAM = TeamShot("Sally,Skip", "Trapper", "4")
BOTH = ("Sally", "Skip")
SEVERAL = Melee(text="Sally>Trapper, Skip>Trapper")
MELEE = touching(("Sally", "Trapper"), ("Skip", "Trapper"))


CASES = (
    # shooting
    Case("CB-ACT-01", SHOT, "has already attacked", (ATTACKED,)),
    Case("CB-ACT-01", SHOT, "costs 1 action", (NONE_LEFT,)),
    Case("CB-ACT-01", AIMED, "costs 2 actions", (ONE_LEFT,)),
    Case("CB-COND-07", SHOT, "Activate Sally Starfield first", ready=()),
    Case("CB-PANIC-10", SHOT, "Rally first", (under("panicked", "Sally"),)),
    Case("CB-PANIC-10", SHOT, "only run", (under("panicked", "Sally"), TRIED)),
    Case("CB-SHOOT-01", SHOT, "is engaged", (ELSEWHERE,)),
    Case("CB-HIDE-02", SHOT, "Trapper is Hidden", (HIDDEN,)),
    Case("CB-COND-04", SHOT, "Choose another target", (STUNNED,)),
    Case("CB-COND-04", SHOT, "can't do anything", (under("incapacitated", "Sally"),)),
    Case("CB-COND-05", SHOT, "Sally Starfield is down", (hurt("Sally", 20),)),
    Case("CB-COND-06", SHOT, "is Pinned", (under("pinned", "Sally"),)),
    Case("CB-SHOOT-02", Shoot("Sally", "Trapper", 60), "reaches"),
    Case("CB-OVER-02", WATCHING, "not on Overwatch", (active("Trapper"),)),
    Case("CB-OVER-02", WATCHING, "during its activation", (under("overwatch", "Sally"),)),
    Case("CB-ORDER-03", Shoot("Sally", "Trapper", 4, order=True), "no order tokens left", (no_orders,)),
    Case("CB-HIDE-02", TEAM, "Trapper is Hidden", (HIDDEN,), BOTH),
    Case("CB-ACT-01", TEAM, "has already attacked", (spent("Skip", actions=1, attacks=1),), BOTH),
    Case("CB-SHOOT-01", TEAM, "Skip Westmoreland is engaged", (touching(("Skip", "Trapper")),), BOTH),
    Case("CB-PANIC-10", TEAM, "Rally first", (under("panicked", "Skip"),), BOTH),
    Case("CB-SHOOT-01", Template("Sally", "Grenade", distance=6), "so it can't shoot", (GRENADE, TOUCH)),
    Case("CB-SHOOT-02", Template("Sally", "Grenade", distance=60), "reaches", (GRENADE,)),
    Case("CB-ACT-01", Template("Sally", "Grenade", distance=6), "has already attacked", (GRENADE, ATTACKED)),
    # fighting
    Case("CB-HIDE-02", BLOW, "Trapper is Hidden", (HIDDEN, TOUCH)),
    Case("CB-HIDE-02", BLOW, "Trapper is Hidden", (HIDDEN,)),
    Case("CB-COND-04", BLOW, "Choose another target", (STUNNED, TOUCH)),
    Case("CB-ACT-01", BLOW, "has already attacked", (ATTACKED, TOUCH)),
    Case("CB-PANIC-10", BLOW, "Rally first", (under("panicked", "Sally"), TOUCH)),
    Case("CB-COND-06", BLOW, "is Pinned", (under("pinned", "Sally"), TOUCH)),
    Case("CB-WEAP-07", Fight("Sally", "Trapper", inches=2), "base contact"),
    Case("CB-SLASH-01", Fight("Sally", "Trapper", inches=1, how="slash and dash"), "no Reach"),
    Case("CB-HIDE-02", SEVERAL, "Trapper is Hidden", (HIDDEN, MELEE), BOTH),
    Case("CB-ACT-01", SEVERAL, "has already attacked", (spent("Skip", actions=1, attacks=1), MELEE), BOTH),
    Case("CB-CHARGE-03", Charge("Sally", "Trapper", 40, helpers="nobody"), "40 in away"),
    Case("CB-HIDE-02", CHARGE, "Trapper is Hidden", (HIDDEN,)),
    Case("CB-ACT-10", CHARGE, "is engaged", (ELSEWHERE,)),
    Case("CB-ACT-01", CHARGE, "costs 2", (ONE_LEFT,)),
    Case("CB-ACT-01", Disengage("Sally"), "costs 1", (NONE_LEFT, TOUCH)),
    Case("CB-COND-03", Engage("Sally", "Skip"), "are on the same side"),
    # the rest
    Case("CB-ACT-10", Hide("Sally"), "can't hide", (TOUCH,)),
    Case("CB-ACT-01", Hide("Sally"), "costs 1", (NONE_LEFT,)),
    Case("CB-HIDE-05", Spot("Sally", "Trapper", 4), "no Scanner", (HIDDEN,)),
    Case("CB-ACT-01", Spot("Sally", "Trapper"), "costs 1", (HIDDEN, NONE_LEFT)),
    Case("CB-OVER-01", Overwatch("Sally"), "so it can't go on Overwatch", (TOUCH,)),
    Case("CB-ACT-01", Overwatch("Sally"), "costs 2", (ONE_LEFT,)),
    Case("CB-ACT-01", BreakFree("Sally"), "costs 1", (under("pinned", "Sally", value=7), NONE_LEFT)),
    Case("CB-RALLY-01", Rally("Sally"), "has already tried", (under("panicked", "Sally"), TRIED)),
    Case("CB-PANIC-04", Panic("HOpR", 3), "doesn't have to take a panic test at Panic Level"),
    Case("CB-COND-04", Check("Sally", "INT"), "can't do anything", (under("incapacitated", "Sally"),)),
    Case("CB-ACT-10", Move("Sally"), "is engaged", (TOUCH,)),
    Case("CB-ACT-01", Move("Sally", 2), "costs 1", (ONE_LEFT,)),
    Case("CB-MOVE-01", Move("Sally", inches=30), "at most"),
    Case("CB-MOVE-05", Leap("Sally", 30), "at most"),
    Case("CB-MOVE-07", LieDown("Sally"), "drop Prone", (TOUCH,)),
    Case("CB-ACT-01", StandUp("Sally"), "costs 2", (under("prone", "Sally"), ONE_LEFT)),
    Case("CB-SKILL-02", Treat("Sally", "medicine", patient="Skip"), "is engaged", (TOUCH, hurt("Skip", 1))),
    Case("CB-PSI-17", UsePower("Sally", "Blast", "Trapper", "60"), "reaches", (BLAST,)),
    Case("CB-PSI-01", UsePower("Sally", "Probe", "Trapper", "4"), "doesn't know", (BLAST,)),
)  # fmt: skip


async def prepare(ring: Ring, case: Case) -> None:
    await ring.arrange(*case.steps, *((active(*case.ready),) if case.ready else ()))
    for who in (ANNA, BO):
        await ring.table.done(who, DiceMode("bot"))


@pytest.mark.rule(*sorted({case.rule for case in CASES}))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_refused_with_its_rule_and_overridden_with_a_reason(ring: Ring, case: Case) -> None:
    await prepare(ring, case)
    text = await ring.refused(ANNA, case.action)
    assert case.why in text
    assert f"{case.rule})." in text
    refused = await ring.table.do(ANNA, case.action)
    assert [button.label for button in refused.reply.buttons][-1] == "Override..."
    assert not (await ring.table.press(ANNA, refused, "Override...")).changed
    done = await ring.table.press(ANNA, refused, "Override...", reason="agreed")
    assert done.changed, done.reply.text
    public = [done.reply, *done.reply.also]
    said = "\n".join(reply.text for reply in public if not reply.private)
    assert "Override by anna: agreed" in said
    assert case.why in said
    entry = await ring.table.desk.store.entry(done.scope, done.version)
    assert entry is not None
    assert entry.reason == "agreed"


async def overridden(ring: Ring, who: str, action: Action) -> None:
    """Refused, and let pass by Anna with a reason."""
    refused = await ring.table.do(who, action)
    assert not refused.changed, refused.reply.text
    ring.answer = await ring.table.press(who, refused, "Override...", reason="agreed")
    assert ring.answer.changed, ring.answer.reply.text


async def test_only_the_organiser_is_offered_to_override(ring: Ring) -> None:
    await ring.arrange(touching(("Trapper", "Sally")), active("Trapper"))
    refused = await ring.table.do(BO, Hide("Trapper"))
    assert not refused.reply.buttons
    again = await ring.table.do(BO, Hide("Trapper"), reason="because")
    assert not again.changed
    assert not (await ring.model("Trapper")).has("hidden")


@pytest.mark.rule("CB-OVER-01", "CB-HIDE-01", "CB-TURN-03")
async def test_what_is_overridden_really_happens(ring: Ring) -> None:
    await ring.arrange(touching(("Sally", "Trapper"), ("Skip", "Trapper")), active("Sally", "Skip"), drawn)
    await overridden(ring, ANNA, Overwatch("Sally"))
    assert (await ring.model("Sally")).has("overwatch")
    await overridden(ring, ANNA, Hide("Skip"))
    assert (await ring.model("Skip")).has("hidden")
    await ring.arrange(spent("Smap", activated=1), change("Skip", lambda row: None))
    await ring.arrange(_calm)
    smap = (await ring.model("Smap")).id
    await overridden(ring, ANNA, Activate((smap,)))
    assert (await ring.model("Smap")).has("active")


def _calm(encounter: Encounter) -> None:
    for model in encounter.models():
        row = encounter.condition(model.id, "active")
        if row is not None:
            encounter.book.remove(row)


@pytest.mark.rule("CB-ORDER-07", "CB-ORDER-03")
async def test_the_leader_may_steady_without_a_token_where_all_agree(ring: Ring) -> None:
    await ring.arrange(active("Sally"), under("panicked", "Skip"), no_orders)
    skip = (await ring.model("Skip")).id
    assert "Rulebook: Orders (pages 9 and 12; CB-ORDER-03)." in await ring.refused(ANNA, ClearPanic((skip,)))
    await overridden(ring, ANNA, ClearPanic((skip,)))
    assert not (await ring.model("Skip")).has("panicked")
    assert await ring.orders(1) == 0


@pytest.mark.rule("CB-HIDE-02", "CB-FIGHT-03")
async def test_a_melee_let_pass_stays_so_until_the_defender_has_answered(ring: Ring) -> None:
    await ring.arrange(HIDDEN, MELEE, active("Sally", "Skip"))
    await overridden(ring, ANNA, SEVERAL)
    assert "Odds" in ring.labels
    odds = await ring.table.press(BO, ring.answer, "Odds")
    assert "Trapper: hurt" in odds.reply.text
    answer = await ring.table.press(BO, ring.answer, "Split evenly")
    assert waits(answer)


@pytest.mark.rule("CB-HIDE-02", "CB-CHARGE-04", "CB-CHARGE-05")
async def test_a_charge_let_pass_stays_so_through_every_answer(ring: Ring) -> None:
    await ring.arrange(under("hidden", "Underling"), active("Sally"))
    await overridden(ring, ANNA, Charge("Sally", "Edo Underling", 7))
    await ring.press(BO, "Don't shoot")
    assert "who steps in" in ring.answer.reply.text
    answer = await ring.table.press(BO, ring.answer, "Nobody")
    assert waits(answer)


@pytest.mark.rule("CB-FIGHT-02")
async def test_an_override_keeps_hidden_dice_hidden(ring: Ring) -> None:
    def hidden_dice(encounter: Encounter) -> None:
        encounter.row.settings["melee_dice"] = "hidden"

    await ring.arrange(hidden_dice, HIDDEN, MELEE, active("Sally", "Skip"))
    await overridden(ring, ANNA, SEVERAL)
    mine, public = ring.answer.reply, ring.answer.reply.also[0]
    assert mine.private
    assert "Override by anna: agreed" in public.text
    assert "> Trapper: " in mine.text
    assert "> Trapper: " not in public.text


@pytest.mark.rule("CB-WEAP-24")
async def test_an_arc_weapon_in_other_hands_is_mastered_or_let_pass(ring: Ring) -> None:
    await ring.arrange(block("Sally", "sally_starfield", "arc_rifle"), active("Sally"))
    shot = Shoot("Sally", "Trapper", 4, weapon="Arc Rifle")
    refused = await ring.table.do(ANNA, shot)
    assert refused.reply.private
    assert [button.label for button in refused.reply.buttons] == ["Master the weapon", "Odds", "Override..."]
    asked = await ring.table.press(ANNA, refused, "Override...", reason="agreed")
    done = await ring.table.do(ANNA, EnterFaces((2, 2)))
    assert "throws 2 d10" in asked.reply.text
    assert "Overridden: Sally Starfield must master" in done.reply.text


@pytest.mark.rule("CB-HIDE-02")
async def test_a_long_declaration_can_be_overridden_too(ring: Ring) -> None:
    await ring.arrange(HIDDEN, active("Sally", "Skip", "Smap", "Wanda"))
    names = ("Sally Starfield", "Skip Westmoreland", "Smap", "Wanda Whitestar")
    await ring.arrange(touching(*((name, "Trapper") for name in names)))
    refused = await ring.table.do(ANNA, Melee(text=", ".join(f"{name}>Trapper" for name in names)))
    assert [button.label for button in refused.reply.buttons] == ["Override..."]
    shot = Shoot(
        "Sally Starfield", "Trapper", 4, 1, "Particle Beam Pistol", "shoot", True, "Skip Westmoreland"
    )
    await ring.arrange(change("Sally", lambda row: row.counters.clear()), touching(("Skip", "Trapper")))
    refused = await ring.table.do(ANNA, shot)
    assert [button.label for button in refused.reply.buttons] == ["Override..."]
