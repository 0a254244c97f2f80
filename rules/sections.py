"""The sections of the rulebooks, by the ids under which the program knows their rules."""

from __future__ import annotations

import re
from collections.abc import Mapping

ID = re.compile(r"\b((?:CB|INF|WZ|SU|FE)-[A-Z0-9]+)-\d+[a-z]?\b")
LISTED = re.compile(rf"[ ,.]*(?:{ID.pattern}(?:,? (?:and |to )?)?)+\.?$")
"""Ids at the end of a line."""

_PER_GAME = {
    "CB": (
        "ACT actions; BAG the initiative bag; BUILD building Heroes; BURN burning; CAMP campaigns; CAS "
        "casualties; CASU casualties after a game; CHARGE charges; CHECK checks; COND conditions; CREW "
        "crews; DISENG disengaging; ENV environments; FALL falling; FEAT Features; FIGHT melee; GEAR "
        "gear; GEN general rules; HAZ hazards; HIDE hiding; LOS line of sight; MISS missions; MOVE "
        "movement; ORDER orders; OVER Overwatch; PANIC panic; PSI psionics; RALLY rallying; RELIC "
        "relics; ROST sample statblocks; RUN Run and Gun; SALV salvage; SCORE scoring; SETUP setting up; "
        "SHIELD shields; SHOOT shooting; SKILL skills; SLASH Slash and Dash; SPEC Specialties; STAT "
        "statblocks; TERR terrain; TMPL templates; TURN turns; UNDER the Underdog; VEH vehicles; WEAP "
        "weapons"
    ),
    "INF": (
        "ARM ARM Rolls; ASL Assault; BS BS Attacks; CC CC Attacks; CCS CC Special Skills; DEP "
        "deployment; DOD Dodge; F2F Face to Face Rolls; GUT Guts Rolls; ISO Isolated; LOL Loss of "
        "Lieutenant; LVL levels of Special Skills; ORD Orders; RET Retreat!; ROLL Normal Rolls; SEN "
        "Sensor; SHA Shasvastii; SIX Sixth Sense; SJ Super-Jump; SS Surprise Shot; STR Strategos; TER "
        "Terrain; TRA Transmutation; TRI Triangulated Fire; TRX Total Reaction; VAL Valor; VET Veteran; "
        "WND Wounds"
    ),
    "WZ": (
        "AIM aiming; AMOK the amok table; BACK backlash; BREAK breaking away; BROKEN broken models; CC "
        "close combat; CMD command distance; CONC concentrating; CRIT critical results; DEV deviation; "
        "DIVE diving for cover; DMG damage; FALL falling; JUMP jumping; MORALE morale; MOVE movement; "
        "ORDER orders; PANIC panic; POW powers; PRES presence; RALLY rallying; RAMP the rampage table; "
        "RANGE range; RC ranged combat; SPACE gaps between models; SPOT spotting; STAT characteristics; "
        "SYS vehicle systems; TERR terrain; TERRAIN terrain as a target; TEST characteristic tests; TMPL "
        "templates; TURN turns; UNH unhinged models; VEH vehicles; WAIT waiting; WRECK wrecks"
    ),
    "SU": (
        "ACC Accuracy; AREA areas; ATK attacks; BURST Burst; CLOUD Cloud; CORR Corridor; COV cover; CP "
        "Combat Points; DMG damage; FAN Fan; FLIP flips; GRAP grapples; GRID the board; KO knockdown; "
        "LOS line of sight; LUNGE lunges; MELEE melee; MODE modes; OPT optional rules; PSI psionics; "
        "PULSE Pulse; PWR Power; REACH Reach; SEQ turns; SPEED Speed; STAR Star burst; STAT attributes; "
        "TGT targets; VIS visibility"
    ),
    "FE": (
        "ACT actions; AOE areas of effect; CHAL Challenges; CHK Checks; CMB combat; CREW crews; DECK "
        "decks; DEF defending; DET detection; DIS disengaging; DRAW drawing; HAND hands; HID hidden "
        "figures; MAN Maneuvers; META Surge; MOD modifiers; MOV movement; OBS obstacles; OUT outcomes; "
        "PRO protection; RCH reach; RNG shooting; TEAM teamwork; TER terrain; TURN turns; WPN weapons"
    ),
}

SECTIONS: Mapping[str, str] = {
    f"{game}-{key}": words
    for game, told in _PER_GAME.items()
    for key, _, words in (one.partition(" ") for one in told.split("; "))
}


def cited(rule: str) -> str:
    """Return a rule as players look it up: its section in words, then its id."""
    found = ID.match(rule)
    section = SECTIONS.get(found[1], "") if found else ""
    return f"{section[:1].upper()}{section[1:]} ({rule})" if section else rule


def with_sections(line: str) -> str:
    """Return a line with the sections of the rules whose ids end it: `+1 Quick (Features, CB-FEAT-44)`."""
    found = LISTED.search(line)
    if found is None:
        return line
    ids = [one[0] for one in ID.finditer(found[0])]
    sections = dict.fromkeys(SECTIONS[one[1]] for one in ID.finditer(found[0]) if one[1] in SECTIONS)
    if not sections:
        return line
    return f"{line[: found.start()]} ({', '.join((*sections, *ids))})"
