"""The sections of the rulebooks, by the ids under which the program knows their rules."""

from __future__ import annotations

import re
from collections.abc import Mapping

RULE_ID = re.compile(r"\b((?:CB|INF|WZ|SU|FE)-[A-Z0-9]+)-\d+[a-z]?\b")
RULE_IDS_AT_END = re.compile(rf"[ ,.]*(?:{RULE_ID.pattern}(?:,? (?:and |to )?)?)+\.?$")
"""Ids at the end of a line."""

_PER_GAME = {
    "CB": (
        "ACT actions @ pages 11 and 12; BAG the initiative bag @ page 11; BUILD building Heroes @ pages 24 "
        "to 28; BURN burning @ page 19; CAMP campaigns @ pages 65 and 66; CAS casualties @ page 12; CASU "
        "casualties after a game @ pages 66 and 67; CHARGE charges @ page 14; CHECK checks @ pages 9 and "
        "10; COND conditions @ pages 19 to 21; CREW crews @ pages 4 to 6; DISENG disengaging @ page 14; ENV "
        "environments @ pages 21 to 23; FALL falling @ pages 15 and 16; FEAT Features @ pages 27 to 34; "
        "FIGHT melee @ pages 14 and 15; GEAR gear @ pages 34 to 39; GEN general rules @ page 2; HAZ hazards "
        "@ pages 21 to 23; HIDE hiding @ pages 15 and 20; LOS line of sight @ page 11; MISS missions @ "
        "pages 61 to 65; MOVE movement @ pages 15 and 16; ORDER orders @ pages 9 and 12; OVER Overwatch @ "
        "page 16; PANIC panic @ pages 12 and 13; PSI psionics @ pages 46 to 51; RALLY rallying @ page 16; "
        "RELIC relics @ page 69; ROST sample statblocks @ pages 70 to 77; RUN Run and Gun @ pages 16 and "
        "17; SALV salvage @ pages 67 and 68; SCORE scoring @ page 13; SETUP setting up @ pages 8 and 9; "
        "SHIELD shields @ page 4; SHOOT shooting @ page 17; SKILL skills @ page 18; SLASH Slash and Dash @ "
        "page 18; SPEC Specialties @ pages 6 and 7; STAT statblocks @ page 3; TERR terrain @ pages 21 to "
        "24; TMPL templates @ page 45; TURN turns @ pages 11 to 13; UNDER the Underdog @ page 69; VEH "
        "vehicles @ pages 51 to 60; WEAP weapons @ pages 39 to 44"
    ),
    "INF": (
        "ARM ARM Rolls; ASL Assault @ page 99; BS BS Attacks; CC CC Attacks; CCS CC Special Skills @ page "
        "99; DEP deployment; DOD Dodge; F2F Face to Face Rolls; GUT Guts Rolls; ISO Isolated; LOL Loss of "
        "Lieutenant; LVL levels of Special Skills; ORD Orders; RET Retreat!; ROLL Normal Rolls; SEN Sensor "
        "@ page 90; SHA Shasvastii @ page 91; SIX Sixth Sense @ page 92; SJ Super-Jump @ pages 93 to 95; SS "
        "Surprise Shot @ page 96; STR Strategos @ page 93; TER Terrain @ page 96; TRA Transmutation @ pages "
        "96 and 97; TRI Triangulated Fire @ page 90; TRX Total Reaction @ page 96; VAL Valor @ pages 97 and "
        "98; VET Veteran @ page 98; WND Wounds"
    ),
    "WZ": (
        "AIM aiming @ reference sheet, Attack Actions; AMOK the amok table; BACK backlash @ reference "
        "sheet, Supernatural Backlash Chart; BREAK breaking away @ reference sheet, Attack Actions; BROKEN "
        "broken models; CC close combat @ reference sheet, Close Combat Modifiers; CMD command distance @ "
        "reference sheet, Command Distance; CONC concentrating @ reference sheet, Attack Actions; CRIT "
        "critical results @ reference sheet, Critical Success / Failure; DEV deviation; DIVE diving for "
        "cover @ reference sheet, Attack Actions; DMG damage; FALL falling @ reference sheet, Move Actions; "
        "JUMP jumping @ reference sheet, Move Actions; MORALE morale @ reference sheet, Morale Modifiers; "
        "MOVE movement @ reference sheet, Move Actions; ORDER orders; PANIC panic; POW powers @ reference "
        "sheet, Attack Actions; PRES presence @ reference sheet, Modifier Chart; RALLY rallying @ reference "
        "sheet, Morale Modifiers; RAMP the rampage table @ reference sheet, Rampage Table; RANGE range @ "
        "reference sheet, Weapon Ranges; RC ranged combat @ reference sheet, Ranged Combat Modifiers; SPACE "
        "gaps between models; SPOT spotting @ reference sheet, Spot Modifiers; STAT characteristics; SYS "
        "vehicle systems; TERR terrain @ reference sheet, Terrain Limitations; TERRAIN terrain as a target "
        "@ reference sheet, Type of Terrain; TEST characteristic tests; TMPL templates; TURN turns; UNH "
        "unhinged models @ reference sheet, Unhinged Chart; VEH vehicles; WAIT waiting @ reference sheet, "
        "Attack Actions; WRECK wrecks @ reference sheet, Wrecked Vehicles"
    ),
    "SU": (
        "ACC Accuracy @ Making an Attack; AREA areas @ Area Effects; ATK attacks @ Making an Attack; BURST "
        "Burst @ Area Effects; CLOUD Cloud @ Area Effects; CORR Corridor @ Area Effects; COV cover @ Cover "
        "and Obstructions; CP Combat Points; DMG damage @ Impacts and Effects; FAN Fan @ Area Effects; FLIP "
        "flips @ Making an Attack; GRAP grapples @ Special Attacks; GRID the board; KO knockdown @ Impacts "
        "and Effects; LOS line of sight @ Line Of Sight and Visibility; LUNGE lunges @ Special Attacks; "
        "MELEE melee @ Melee; MODE modes; OPT optional rules @ Optional Combat Rules; PSI psionics; PULSE "
        "Pulse @ Area Effects; PWR Power @ Making an Attack; REACH Reach; SEQ turns; SPEED Speed; STAR Star "
        "burst @ Area Effects; STAT attributes; TGT targets @ Line Of Sight and Visibility; VIS visibility "
        "@ Line Of Sight and Visibility"
    ),
    "FE": (
        "ACT actions @ Quick Start Rules 1, Main Actions; AOE areas of effect @ Quick Start Rules 1, Area "
        "of Effect Attacks; CHAL Challenges @ Quick Start Rules 2, Challenge Procedure; CHK Checks @ Quick "
        "Start Rules 2, Check Procedure; CMB combat @ Quick Start Rules 2, Combat Challenge; CREW crews; "
        "DECK decks; DEF defending @ Quick Start Rules 1, Defense or Maneuver; DET detection @ Quick Start "
        "Rules 2, Detection Challenge or Check; DIS disengaging @ Quick Start Rules 1, Disengage from a "
        "Fight; DRAW drawing @ Quick Start Rules 2, Challenge Procedure; HAND hands; HID hidden figures; "
        "MAN Maneuvers @ Quick Start Rules 2, Maneuver Challenge or Check; META Surge @ Quick Start Rules "
        "1, Meta-Speed; MOD modifiers; MOV movement @ Quick Start Rules 1, Movement and Terrain; OBS "
        "obstacles; OUT outcomes @ Quick Start Rules 2, Challenge Outcomes; PRO protection; RCH reach @ "
        "Quick Start Rules 1, Fighting Reach; RNG shooting @ Quick Start Rules 1, Shooting Range; TEAM "
        "teamwork @ Quick Start Rules 1, Teamwork; TER terrain @ Quick Start Rules 1, Movement and Terrain; "
        "TURN turns; WPN weapons"
    ),
}

SECTIONS: Mapping[str, tuple[str, str]] = {
    f"{game}-{key}": (name, place)
    for game, told in _PER_GAME.items()
    for key, _, words in (one.partition(" ") for one in told.split("; "))
    for name, _, place in (words.partition(" @ "),)
}
"""By the id without its number: the name of the section, and its page or heading if our text has one."""


def cite_rule(rule: str) -> str:
    """Return a rule as players look it up: `Features (pages 27 to 34; CB-FEAT-44)`."""
    match = RULE_ID.match(rule)
    name, place = SECTIONS.get(match[1], ("", "")) if match else ("", "")
    return f"{name[:1].upper()}{name[1:]} ({place}{'; ' if place else ''}{rule})" if name else rule


def format_rulebook_line(rule: str) -> str:
    """Return the sentence below a refusal that says where to look its rule up."""
    return f"Rulebook: {cite_rule(rule)}."


def remove_rules(line: str) -> str:
    """Return a line without the ids that end it, for a message of play."""
    match = RULE_IDS_AT_END.search(line)
    return line[: match.start()] + "." * match[0].startswith(".") if match else line


def add_sections(line: str) -> str:
    """Return a line with the sections and places of the ids that end it, in brackets."""
    match = RULE_IDS_AT_END.search(line)
    if match is None:
        return line
    ids = [id_match[0] for id_match in RULE_ID.finditer(match[0])]
    sections = dict.fromkeys(
        SECTIONS[rule_match[1]] for rule_match in RULE_ID.finditer(match[0]) if rule_match[1] in SECTIONS
    )
    if not sections:
        return line
    lines = [*(f"{name}, {place}" if place else name for name, place in sections), ", ".join(ids)]
    return f"{line[: match.start()]} ({'; '.join(lines)})"
