"""Every command as it is typed, through the real client: options, suggestions, menus and forms."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.app import add_commands
from tests.bot.house import House, read

TYPED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("wz activate", {"unit": "Guard"}, "Press Begin or use /encounter next. The game hasn't started."),
    ("wz done", {}, "No unit is active. Activate one first."),
    ("wz model volley", {"moves": 1}, "No unit is active. Activate one first."),
    ("wz shoot", {"model": "Adams", "target": "Ash", "distance": "SR", "odds": True}, "Adams -> Ash"),
    (
        "wz shoot",
        {
            "model": "Adams",
            "target": "Ash",
            "distance": "8",
            "cover": "hard",
            "smoke": 1,
            "angle": 3,
            "gap": 1.5,
            "gunner": True,
            "rear": True,
            "weapon": "Carbine",
        },
        "Adams",
    ),
    (
        "wz template",
        {"model": "Dietz", "target": "Ash", "distance": "8", "under": "Ash, Bile", "odds": True},
        "Bile wounded",
    ),
    ("wz aim", {"model": "Adams", "target": "Ash"}, "Adams aims at Ash and gets +3 to hit it."),
    ("wz charge", {"model": "Adams", "target": "Ash", "cover": True}, "Adams charges Ash."),
    (
        "wz fight",
        {
            "model": "Adams",
            "target": "Ash",
            "attackers": 2,
            "place": "wall",
            "secondary": True,
            "odds": True,
        },
        "Knife: 5 or less (CC 8 -3)",
    ),
    ("wz break", {"model": "Adams"}, "in base contact with an enemy"),
    ("wz wait", {"model": "Adams"}, "Adams can wait only with its last action (it has 3 actions)."),
    (
        "wz react",
        {"model": "Adams", "how": "fire", "enemy": "Ash", "to": "charge"},
        ("a model that is waiting"),
    ),
    ("wz morale", {"squad": "Guard", "dire": 2, "odds": True}, "Morale test for Guard: 11 or less"),
    ("wz morale", {"model": "Adams", "hidden": True, "odds": True}, "Morale test for Adams: 11 or less"),
    (
        "wz rally",
        {"model": "Sgt Rook", "lender": "Colonel Voss"},
        '? Fill in "Distance to the friend who lends LD".',
    ),
    (
        "wz rally",
        {"model": "Sgt Rook", "lender": "Colonel Voss", "lender_distance": 10.5},
        "Sgt Rook is 10.5 in away from Colonel Voss, whose LD can be used only within 10 in.",
    ),
    ("wz ld", {"model": "Adams", "modifier": -2, "reason": "fire", "odds": True}, "LD test for Adams: 9"),
    (
        "wz spot",
        {"model": "Adams", "target": "Ash"},
        "isn't concealed from Adams, so you don't need to spot it.",
    ),
    ("wz chart", {"chart": "passenger", "model": "Adams"}, "Adams: "),
    (
        "wz channel",
        {"model": "Maelgor", "magnitude": 5, "cost": 2, "odds": True},
        "Maelgor channels a power: 8",
    ),
    ("wz concentrate", {"model": "Maelgor"}, "Maelgor concentrates and gets +2 PW."),
    ("wz move", {"model": "Crawler", "terrain": "rough", "turn": 90, "reverse": True}, "turns up to 90"),
    ("wz presence", {"model": "Adams", "to": "prone", "knocked": True}, "Adams is knocked Prone."),
    ("wz jump", {"model": "Adams", "across": 3.0, "depth": 2.0, "odds": True}, "across"),
    ("wz fall", {"model": "Adams", "height": 5.0, "odds": True}, "Save against 2 hits at DM 9: 12 or less"),
    ("wz terrain", {"model": "Adams", "kind": "Stone", "odds": True}, "destroyed (5 wounds)"),
    ("wz model export", {"model": "Adams", "json": True}, '"name": "Adams"'),
    ("wz model squad", {"name": "Wolves", "models": "Adams, Cole", "leader": "Cole"}, "Wolves: 2 models."),
    (
        "wz model board",
        {"model": "Adams", "vehicle": "Crawler", "crew": True},
        ("Adams is in the crew of Crawler."),
    ),
    ("wz state hide", {"model": "Adams"}, "Adams is concealed."),
    ("wz state contact", {"model": "Adams", "other": "Ash"}, "Adams and Ash are in base contact."),
    (
        "wz state dire",
        {"models": "Adams, Cole", "level": 2},
        ("Now in a Dire 2 area: Adams, Cole."),
    ),
    ("wz state dominate", {"model": "Adams"}, "Adams isn't wracked"),
    ("wz state wake", {"model": "Maelgor"}, "Maelgor is already awake."),
    ("wz state explode", {"wreck": "Crawler", "near": "Adams"}, "Choose a wreck. Crawler isn't one."),
    ("wz check command", {"model": "Adams", "distance": 7.0}, "Adams is out of command."),
    ("wz check band", {"distance": 7.0, "bearing": 170}, "A distance of 7 in belongs to range band SR."),
    ("wz check gap", {"between": "enemies", "inches": 3.0}, "must be at least 4 in"),
)


UNITS = {"Adams": "Guard", "Sgt Rook": "Guard", "Maelgor": "Maelgor", "Crawler": "Crawler"}
"""Whose activation each deed above waits for."""

OTHERS = ("Husks", "Whisper", "Iron Sow")
"""Units of the other side that act in between."""


async def acts(house: House, unit: str) -> None:
    """This unit acts, as soon as the others let it; they do nothing."""
    for _ in range(3):
        for other in (unit, *OTHERS):
            if "Active: " in (await house.slash("wz activate", unit=other)).content:
                break
        if other == unit:
            return
        await done(house)


async def done(house: House) -> None:
    """The unit that acts is done; its actions are left."""
    asked = await house.slash("wz done")
    if "Still to act:" in asked.content:
        await house.press(asked, asked.controls[0].label)


async def test_every_command(house: House) -> None:
    await house.slash("demo", system="warzone")
    waiting: list[tuple[str, dict[str, Any], str]] = []
    for path, options, said in TYPED:
        message = read(await (await house.anna.slash(path, options)).message())
        if "Begin the game first; no model can act yet" in message.content:
            waiting.append((path, options, said))
            continue
        assert said in message.content, path
        if not message.ephemeral:
            await house.slash("undo")
    assert len(waiting) > 10
    await house.slash("encounter next")
    acting = ""
    for path, options, said in sorted(waiting, key=lambda row: UNITS.get(row[1].get("model", ""), "")):
        unit = UNITS.get(options.get("model", ""), "")
        if unit and unit != acting:
            if acting:
                await done(house)
            await acts(house, unit)
            acting = unit
        message = read(await (await house.anna.slash(path, options)).message())
        assert said in message.content, (path, message.content)
        if not message.ephemeral:
            await house.slash("undo")


def test_every_command_is_typed_here() -> None:
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    add_commands(tree)
    group = tree.get_command("wz")
    assert isinstance(group, app_commands.Group)
    known = {one.qualified_name for one in group.walk_commands() if isinstance(one, app_commands.Command)}
    assert known - {path for path, _, _ in TYPED} == {"wz model add"}, "which has a test of its own"


async def test_suggestions(house: House) -> None:
    await house.slash("demo", system="warzone")

    async def names(path: str, focused: str, typed: str = "", **more: str) -> list[str]:
        found = await house.anna.autocomplete(path, {**more, focused: typed}, focused=focused)
        return [choice.name for choice in found]

    assert await names("wz activate", "unit", "hu") == ["Husks"]
    assert await names("wz shoot", "weapon", model="Crawler") == ["Autocannon"]
    assert await names("wz template", "weapon", model="Crawler") == ["Mortar"]
    assert await names("wz shoot", "distance") == ["PB", "SR", "MR", "LR", "ER"]
    assert "Ash, Bile" in await names("wz template", "under", "Ash, Bi")
    assert await names("wz move", "terrain", "ro") == ["rough"]
    assert await names("wz terrain", "kind", "sand") == ["Sandbags"]


async def test_a_profile_by_form(house: House) -> None:
    await house.slash("demo", system="warzone")
    told = await house.slash("wz model add")
    assert told.ephemeral
    modal = await (await house.anna.press(told, "Type a profile")).modal()
    text = "Scout\nCC 8 RC 9 PW 0 LD 11 AC 3 WD 1 ST 5 MV 5 SZ 2 AR 20\nsniper\nweapon Bow: DM 9, SR +1"
    said = await house.submit(modal, {"text": text, "squad": "Scouts", "count": "2"})
    assert said.content.splitlines()[:2] == ["Added to Republic: Scout, Scout 2.", "Scouts: 2 models."]
    told = await house.slash("wz model add")
    modal = await (await house.anna.press(told, "Type a profile")).modal()
    said = read(await (await house.anna.submit(modal, {"text": text, "count": "xx"})).message())
    lines = said.content.splitlines()
    assert lines[:2] == ["Enter a number for Count (you entered xx).", "Nothing was changed."]
    assert lines[2:] == ["Here is your text, so that you can copy it:", *text.splitlines(), "xx"], (
        "no id has room for so much"
    )
    said = read(await (await house.anna.submit(modal, {"text": "Scout", "count": "xx"})).message())
    assert said.content.splitlines() == lines[:2]
    again = await (await house.anna.press(said, "Change...")).modal()
    written = {one.custom_id: one.value for one in again.fields}
    assert (written["text"], written["count"]) == ("Scout", "xx")


async def test_the_menu_of_units_and_the_panel_after_a_restart(house: House) -> None:
    await house.slash("demo", system="warzone")
    begun = await house.slash("encounter next")
    await house.restart()
    panel = await house.panel()
    asked = next(line for line in begun.content.splitlines() if line.endswith(": choose a unit to activate"))
    side = asked.split(":")[0]
    unit = "Guard" if side == "Republic" else "Husks"
    pressed = next(one.label for one in panel.controls if one.label.startswith(unit))
    said = await house.press(panel, pressed)
    assert said.content.splitlines()[0] == f"Active: {unit} (5 models)."
    panel = await house.panel()
    assert f"Active: {unit}" in panel.content
