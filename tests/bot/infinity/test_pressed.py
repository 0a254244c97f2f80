"""An Order with its ARO by pressing alone, with the whole bot: public buttons, one private menu."""

from __future__ import annotations

from pathlib import Path

from bot.local.people import Person
from bot.local.seen import Message
from tests.bot.house import House, read


async def _chosen(
    house: House, message: Message, menu: str, *labels: str, who: Person | None = None
) -> Message:
    return read(await (await (who or house.bo).select(message, menu, labels)).message())


async def test_an_order_is_asked_answered_and_resolved_by_pressing(file: Path) -> None:
    async with House.open(file) as house:
        await house.slash("demo", system="infinity")
        await house.slash("encounter join", house.bo, side="Nightfall")
        ready = await house.everybody_ready(await house.panel(), house.anna)
        began = await house.press(ready, "Begin")
        winner = house.anna if began.content.startswith("Vanguard") else house.bo
        label = "Play first (only Anna)" if winner is house.anna else "Play second (only Bo)"
        first = await house.press(began, label, winner)
        await house.press(first, "First turn")
        asked = await house.slash("inf shoot", model="Angus", target="Tracker", distance=12.0)
        assert "Waiting for Bo to choose AROs (60 seconds)." in asked.content
        more = await house.press(await house.panel(), "More...")
        offered = {one.label for control in more.controls for one in control.options}
        assert "ARO" not in offered, "whose Order it is does not react to it"
        before = len(house.public)
        menu = await house.press(asked, "React", house.bo)
        assert menu.ephemeral
        # the only target is asked at once; another trooper is picked in the same message
        again = await _chosen(house, menu, "Choose an ARO for Tracker", "Dodge")
        assert again.id == menu.id
        picked = await _chosen(house, menu, "Choose a trooper", "Morph")
        assert picked.id == menu.id
        shot = await _chosen(
            house, menu, "Choose an ARO for Morph", "Shoot with Combi Rifle up to 16 in (+3)"
        )
        assert "Tracker: Dodge." in shot.content
        assert len(house.public) == before
        assert "Tracker: Dodge" not in (await house.panel()).content
        locked = await house.press(shot, "Nobody else reacts", house.bo)
        assert not locked.ephemeral
        assert locked.content.startswith("ARO: Tracker dodges.\nARO: Morph shoots")
        resolved = await house.press(locked, "Done")
        assert "Angus" in resolved.content.split("\n")[0]
        assert "Morph, BS 11 +3 = 14, 1 die" in resolved.content
        stale = await house.press(shot, "Nobody else reacts", house.bo, stale=True)
        assert stale.content.startswith("That Order is already over. Spend a new one.\n")


async def test_dice_are_shared_out_over_two_targets_by_pressing(file: Path) -> None:
    """From the ticked form, all that it said kept, to the attack; after a restart too."""
    async with House.open(file) as house:
        await house.slash("demo", system="infinity")
        began = await house.press(await house.panel(), "Begin")
        vanguard = began.content.startswith("Vanguard")
        first = await house.press(began, "Play first" if vanguard else "Play second")
        await house.press(first, "First turn")
        panel = await house.panel()
        offered = await house.press(panel, "Hammer")
        modal = await (await house.anna.press(offered, "Shoot")).modal()
        ticks = ["own_cover", "sight", "several."]
        filled = {"distance": ["32"], "also.": ticks, "rest.": "mod: -1"}
        wrong = {**filled, "rest.": "target: Angus"}
        refused = read(await (await house.anna.submit(modal, wrong)).message())
        assert refused.content == "Choose an enemy. Angus is on your side."
        assert [one.label for one in refused.controls] == ["Change..."]
        draft = read(await (await house.anna.submit(modal, filled)).message())
        assert draft.ephemeral
        assert draft.content.split("\n")[:2] == [
            "Hammer has 3 dice left to share out",
            "HMG, the shooter is in cover, MOD -1",
        ]
        draft = await _chosen(
            house, draft, "Add a target and its distance", "Brute: up to 48 in (-3)", who=house.anna
        )
        draft = await house.press(draft, "Add a die against Brute")
        await house.restart()
        draft = await house.press(draft, "Add a die against Brute")
        asked = await house.press(draft, "Shoot")
        assert not asked.ephemeral
        assert "Brute 48 in, 3 dice, the shooter is in cover," in asked.content
        assert "MOD -1" in asked.content
