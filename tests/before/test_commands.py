"""The registered commands against those of the version before: every difference is meant, and listed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from bot.app import add_commands

BEFORE = json.loads((Path(__file__).parent / "commands.json").read_text(encoding="utf-8"))

CHANGED: Mapping[str, str] = {
    "sol place": "free squares of the own edge are suggested",
    "campaign bench": "members are suggested",
    "campaign buy": "equipment is suggested",
    "campaign end": "asks first, and shows the seed in a second step",
    "campaign equip": "equipment is suggested",
    "crew own": "new: statblocks of any figures, kept for all channels of a server",
    "campaign settings": "settings and their values are suggested",
    "crew export": "as the campaign keeps it, and as it went into an earlier game",
    "crew give": "new: a crew is given to somebody else",
    "mydata": "new: all that is kept of a person, as a file or gone",
    "privacy": "new: what is kept of a person",
    "crew home": "new: a crew comes home from its campaign",
    "crew sheet": "as the campaign keeps it, and as it went into an earlier game",
    "crew show": "as the campaign keeps it, and as it went into an earlier game",
    "campaign adjust": "a house rule can be cited",
    "campaign record": "who went down can be said",
    "organise": "new: what an organiser does beside the rounds",
    "story": "new: what a season's games have to tell",
    "campaign start": "new: a campaign from a few usual shapes",
    "campaign day": "new: when a fixture is played",
    "campaign remind": "new: reminders of a day, of a choice that waits",
    "campaign mine": "new: one's own crew between games",
    "season": "new: the season at a glance",
    "spoils ransom": "new: a ransom is offered",
    "spoils release": "new: a captive is let go",
    "crew recruit": "equipment is suggested",
    "model remove": "ways to leave play are suggested",
    "spoils build": "builders are suggested",
    "spoils relic": "odds can be asked",
    "spoils use": "odds can be asked",
    "spoils discard": "items are suggested",
    "spoils weapon": "weapons are suggested",
    "encounter remove": "new: who organises removes a person",
    "encounter list": "new: where the games of the server are",
    "encounter seat": "new: a seat is given to an account or a phone, by a code",
    "encounter move": "new: a game is played in another channel or thread",
    "campaign luck": "new: whether it was luck, over all games",
    "odds": "new: the best attacks of who acts; whether it was luck; two crews against each other",
    "games": "new: which games a server shows",
    "do": "new: one line for any action of the game",
    "dice mode": "whose dice are thrown for a crew or a campaign can be said",
    "dice words": "closed until the game begins; the SHA-256 of words that were chosen at home",
    "dice open": "new: words that were chosen at home are opened",
    "question": "new: a player questions an entry",
    "ruling": "new: the organiser rules on an entry that was questioned",
    "replay": "new: the game of the channel is told again, step by step",
    "since": "new: what happened since a person was last there",
    "game leader": "nobody can be named, and a successor during the game",
    "cb charge": "several charge together; places are suggested as ground",
    "cb heal": "who helps is suggested",
    "cb move go": "places are suggested as ground",
    "cb repair": "who helps is suggested",
    "cb tech": "who helps is suggested",
    "gear explode": "who is near is suggested",
    "mission search": "who helps is suggested",
    "vehicle drive": "places are suggested as ground; odds of drifting",
    "cb hide": "the cover of the place can be said",
    "cb team": "aimed, running or from Overwatch; distance and cover of each shooter, or as before",
    "cb shoot": "any number of targets; distance and cover as before",
    "gear drain": "an order token can be spent",
    "help": "what now; what is told of each game stands behind what is told of all; its games tell it",
    "fe area": "who is in the way, and from where it is seen, can be said",
    "fe attack": "bases in the line of fire, supporters out of reach and who sees it can be said",
    "fe detect": "obstacles can be said",
    "fe leave": "the weapon that strikes is named",
    "fe move": "obstacles can be said",
    "fe passby": "the weapon that strikes is named",
    "fe surge": "obstacles can be said",
    "inf aro": "Martial Arts come from the profile",
    "inf assault": "Martial Arts come from the profile",
    "inf cc": "Martial Arts come from the profile; allies may be nobody",
    "inf discover": "every Order waits for who may react: nobody decides it alone",
    "fe draw": "the chances can be asked",
    "inf done": "reactions that were taken back can be kept",
    "inf heal": "every Order waits for who may react: nobody decides it alone",
    "inf order": "the way of a move can be said",
    "inf reconnect": "every Order waits for who may react: nobody decides it alone",
    "inf sensor": "every Order waits for who may react: nobody decides it alone",
    "inf dodge": "the chances of a Dodge can be asked",
    "inf guts": "the ground that it stands on can be said",
    "inf model add": "side and Combat Group can be said",
    "inf model group": "new: Combat Groups can be changed before the game",
    "inf shoot": "no line of fire, and any number of targets, can be said",
    "sol flip": "the best flips of all are proposed; what comes of them can be asked",
    "wz activate": "whether no enemy is in sight can be said; its odds",
    "wz charge": "distance and odds can be said",
    "wz check gap": "the overlap of a template can be said",
    "wz concentrate": "whether no enemy is in sight can be said; its odds",
    "wz done": "a squad's round goes on from model to model",
    "wz fight": "whether no enemy is in sight can be said",
    "wz jump": "whether the jump goes toward what was feared can be said",
    "wz morale": "the effect that makes the test can be said",
    "wz move": "whether no enemy is in sight can be said",
    "wz presence": "whether no enemy is in sight can be said; its odds",
    "wz rally": "distances of the rally can be said",
    "wz react": "whether no enemy is in sight can be said",
    "wz shoot": "covers add up",
    "wz state dire": "new: who stands in a Dire effect",
    "wz state explode": "whether no enemy is in sight can be said",
    "wz template": "covers add up; gap and touched edges can be said",
    "wz terrain": "whether no enemy is in sight can be said",
}
"""Commands that differ, they or what is in them, each with its reason."""

ONE_WORD = """
    cb charge, cb field breach, cb fight, cb fire out, cb heal, cb repair, cb shoot, cb spot, cb tech,
    cb template, fe activate, fe area, fe attack, fe check, fe detect, fe dodge, fe draw, fe figure
    sustain, fe figure write, fe half, fe hide, fe interrupt, fe leave, fe move, fe passby, fe redraw,
    fe reveal, fe surge, fe use, fe wait, gear drain, gear give, gear leash, inf assault, inf cc, inf
    heal, inf reconnect, inf shoot, mission found, mission subdue, psi control, psi focus, psi grapple,
    psi know, psi use, sol attack, sol grapple, sol lunge, vehicle board, vehicle burn, vehicle
    critical, vehicle drive, vehicle leave, vehicle maneuver, vehicle ram, wz aim, wz fight, wz rally,
    wz shoot, wz spot, wz template, wz terrain
"""
"""Commands in which who acts had a word of its own, shooter, attacker, figure: it is called model in all."""

NAMED = tuple(" ".join(path.split()) for path in ONE_WORD.split(","))


SHORTER = {"Show the chances": "See the odds", "An order token for +1": "Order token for +1"}
"""Words of options that stand in many commands, and are shorter: Discord counts what is below one word."""


def parts(part: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """A command, its sub-commands and options by path, each without what is inside it."""
    here = f"{path} {part['name']}".strip()
    inner = part.get("options") or ()
    own = {key: value for key, value in part.items() if key != "options"}
    own["description"] = SHORTER.get(part["description"], part["description"])
    own["holds"] = [one["name"] for one in inner if one["type"] > 2]
    yield here, own
    for one in inner:
        yield from parts(one, here)


def now() -> dict[str, dict[str, Any]]:
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(
        discord.Client(intents=discord.Intents.none())
    )
    add_commands(tree)
    commands = [command.to_dict(tree) for command in tree.get_commands()]
    return dict(pair for command in commands for pair in parts(json.loads(json.dumps(command))))


def different() -> set[str]:
    before = dict(pair for command in BEFORE for pair in parts(command))
    after = now()
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def within(path: str, command: str) -> bool:
    return path == command or path.startswith(f"{command} ")


def test_every_difference_is_meant() -> None:
    """What fails here was altered by accident, or belongs into CHANGED with its reason."""
    unmeant = [
        path for path in different() if not any(within(path, command) for command in (*CHANGED, *NAMED))
    ]
    assert sorted(unmeant) == []


def test_what_is_listed_as_different_is() -> None:
    found = different()
    same = [command for command in CHANGED if not any(within(path, command) for path in found)]
    assert same == []


def test_who_acts_is_called_model_where_it_had_another_word() -> None:
    before = {path for command in BEFORE for path, _ in parts(command)}
    after = now()
    assert [path for path in NAMED if f"{path} model" not in after] == []
    swapped = {"cb fire out"}
    assert {path for path in NAMED if f"{path} model" in before} == swapped
