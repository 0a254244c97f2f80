"""Lists as players have them: what is understood of each, in every shape."""

from __future__ import annotations

from pathlib import Path
from unicodedata import category

import pytest

from bot.games.infinity.state import ModelState
from bot.lists.reader import read_file, read_text
from bot.table.bringing.list_import import KeepList
from bot.table.rosters.crews import ImportCrew
from bot.table.session.encounters import StartEncounter
from tests.bot.tables import Table

FILES = Path(__file__).parent / "files"

GIVEN = {
    "battlescribe.ros": (
        "Lancers (Counterblast): 3 models, 142 points.",
        "Sally Starfield, leader: 58 points",
        "Skip Westmoreland, with Grenade: 53 points",
        "GDF Ranger: 31 points",
    ),
    "battlescribe.rosz": ("Lancers (Counterblast): 3 models, 142 points.", "Sally Starfield, leader"),
    "chat.txt": (
        "6 models, 252 points.",
        "Sally Starfield, leader: 58 points",
        "Skip Westmoreland, with Grenade: 53 points (you wrote Skip)",
        "HOpR Bot: 49 points (you wrote HOpR)",
        "2x GDF Ranger: 31 points each",
        "GDF Medical Officer: 30 points (you wrote GDF Med Officer)",
        "Not recognised: Glorbnax the Unknown.",
        "Not used from this list: ok here's my crew for thursday",
        "Which model is Glorbnax the Unknown?",
    ),
    "custom.txt": (
        "Deepcut Marauders (Counterblast): 4 models",
        "Marauder Boss (custom), with Slugger Pistol",
        "3x Marauder (custom), with Slugger Pistol",
        "about Marauder Boss, so the bot filled in lackey, human, base M, 0 points before equipment",
        " (Heavy Axe)",
        "was read as Slugger Pistol",
    ),
    "infinity.txt": (
        "Kestrels (Infinity): 3 models, 48 points (118 in the list).",
        "Not recognised: COLONEL VOSS, with Combi Rifle, Pistol, CC Weapon.",
        "Angus costs 12 points in the list, but 10 here",
        "2x Tracker: 19 points each",
        "Which model is COLONEL VOSS?",
    ),
    "markdown.md": (
        "Edo raiders (Counterblast): 6 models, 160 points.",
        "Prime Leader, leader: 44 points",
        "2x Edo Underling: 22 points each",
        "2x Edo Guardling: 26 points each",
        "Trapper: 20 points",
    ),
    "newrecruit.json": (
        "Edo raiders (Counterblast): 6 models, 160 points.",
        "Prime Leader, leader: 44 points",
        "2x Edo Underling: 22 points each",
        "2x Edo Guardling: 26 points each",
        "Snare (Trapper): 20 points",
    ),
    "plain.txt": (
        "Lancers (Counterblast): 6 models, 238 points.",
        "2x GDF Ranger: 31 points each",
        "GDF Medical Officer: 30 points",
    ),
    "sheet.csv": ("4 models, 173 points.", "Skip Westmoreland, with Grenade: 53 points", "2x GDF Ranger"),
}

THREE = ("Sally Starfield", "Skip Westmoreland", "2x GDF Ranger: 31 points each")

OWN: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "counts behind": (b"Sally Starfield x1\nSkip Westmoreland (x1)\nGDF Ranger x2", THREE),
    "counts without a sign": (b"1 Sally Starfield\n1 Skip Westmoreland\n2 GDF Ranger", THREE),
    "points before": (b"58 pts Sally Starfield\n39pts Skip Westmoreland\n31 pts GDF Ranger x2", THREE),
    "dotted points": (b"Sally Starfield ..... 58\nSkip Westmoreland ... 39\n2x GDF Ranger ....... 31", THREE),
    "tabs": (b"Sally Starfield\t58\nSkip Westmoreland\t39\n2x GDF Ranger\t62\n", THREE),
    "numbered": (b"1) Sally Starfield\n2) Skip Westmoreland\n3) 2x GDF Ranger", THREE),
    "bullets of all kinds": ("• Sally Starfield\n▪ Skip Westmoreland\n– 2× GDF Ranger".encode(), THREE),
    "tick boxes": ("☐ Sally Starfield\n[x] Skip Westmoreland\n☑ GDF Ranger x2".encode(), THREE),
    "a quotation": (b"> Sally Starfield\n> Skip Westmoreland\n> GDF Ranger x2", THREE),
    "a code block": (b"```\nSally Starfield\nSkip Westmoreland\n2x GDF Ranger\n```", THREE),
    "invisible letters": (
        "\u202aSally\u200b Starfield\u202c\nSkip\ufeff West\u00admoreland\n2x\u00a0GDF \u202eRanger".encode(),
        THREE,
    ),
    "misspelled": (
        b"Sally Starfeild\nSkip Westmorland\n2x GDF Rangr",
        ("Sally Starfield: 58 points (you wrote Sally Starfeild)", "you wrote Skip Westmorland"),
    ),
    "in capitals": (b"SALLY STARFIELD\nSKIP WESTMORELAND\n2X GDF RANGER", THREE),
    "all in one line": (b"Sally Starfield, Skip Westmoreland, 2x GDF Ranger", THREE),
    "with a title": (
        b"## My Lancers (159 pts)\n- Sally Starfield\n- Skip Westmoreland\n- GDF Ranger x2",
        ("My Lancers (Counterblast): 4 models, 159 points.", *THREE),
    ),
    "with a total": (
        b"Sally Starfield 58pts\nSkip Westmoreland 39pts\n2x GDF Ranger 31pts\nTotal: 170 pts",
        (
            "159 points (170 in the list)",
            *THREE,
        ),
    ),
    "leader before": (
        b"Leader: Sally Starfield\nSkip Westmoreland\n2x GDF Ranger",
        ("Sally Starfield, leader",),
    ),
    "leader by a star": (
        "Sally Starfield ★\nSkip Westmoreland\n2x GDF Ranger".encode(),
        ("Sally Starfield, leader",),
    ),
    "equipment below": (
        b"Sally Starfield\n    - Scope\nSkip Westmoreland\n    - Grenade\n2x GDF Ranger",
        ("Sally Starfield", "Skip Westmoreland, with Grenade: 53 points", "2x GDF Ranger"),
    ),
    "equipment in brackets": (
        b"Sally Starfield\nSkip Westmoreland [Grenade] (53 points)\n2x GDF Ranger",
        ("Skip Westmoreland, with Grenade: 53 points",),
    ),
    "equipment that it may not take": (
        b"Sally Starfield\nSmap with Grenade, Grenade, Rocket Launcher Arc Burst\n2x GDF Ranger",
        ("Smap", "kept as a note"),
    ),
    "own names": (
        b'Sally Starfield "The Duchess"\nBob (Skip Westmoreland)\n2x GDF Ranger',
        ("The Duchess (Sally Starfield)", "Bob (Skip Westmoreland)"),
    ),
    "groups": (
        b"Command:\nSally Starfield\nTroops:\n- 2x GDF Ranger\n- Skip Westmoreland\n",
        ("Sally Starfield", "Skip Westmoreland", "2x GDF Ranger"),
    ),
    "a Markdown table": (
        b"| Qty | Model | Pts |\n|---|---|---|\n| 1 | **Sally Starfield** | 58 |\n"
        b"| 1 | Skip Westmoreland | 39 |\n"
        b"| 2 | GDF Ranger | 62 |",
        THREE,
    ),
    "a page": (
        b"<!DOCTYPE html><html><head><style>p{}</style></head><body><h1>Lancers</h1><ul><li>Sally Starfield"
        b"</li><li>Skip Westmoreland</li><li>GDF Ranger&nbsp;x2</li></ul><script>alert(1)</script></body>",
        ("Lancers (Counterblast): 4 models", *THREE),
    ),
    "a table of a page": (
        b"<table><tr><th>Model</th><th>Qty</th></tr><tr><td>Sally Starfield</td><td>1</td></tr>"
        b"<tr><td>Skip Westmoreland</td><td>1</td></tr><tr><td>GDF Ranger</td><td>2</td></tr></table>",
        THREE,
    ),
    "CSV with commas": (b"Name,Count\nSally Starfield,1\nSkip Westmoreland,1\nGDF Ranger,2\n", THREE),
    "CSV without a head": (b"1;Sally Starfield;58\n1;Skip Westmoreland;39\n2;GDF Ranger;62\n", THREE),
    "CSV in UTF-16": (
        "Name\tQty\nSally Starfield\t1\nSkip Westmoreland\t1\nGDF Ranger\t2\n".encode("utf-16"),
        THREE,
    ),
    "CSV in UTF-16 without a mark": (
        "Name;Qty\r\nSally Starfield;1\r\nSkip Westmoreland;1\r\nGDF Ranger;2\r\n".encode("utf-16-le"),
        THREE,
    ),
    "CSV of an old program": (
        "Name;Qty;Notes\nSally Starfield;1;über Köln\nSkip Westmoreland;1;Größe\nGDF Ranger;2;\n".encode(
            "cp1252"
        ),
        THREE,
    ),
    "UTF-8 with a mark": (b"\xef\xbb\xbfSally Starfield\nSkip Westmoreland\n2x GDF Ranger", THREE),
    "JSON of another program": (
        b'{"title": "Lancers", "models": [{"name": "Sally Starfield"}, {"name": "Skip Westmoreland",'
        b' "equipment": ["Grenade"]}, {"name": "GDF Ranger", "count": 2}]}',
        ("Lancers (Counterblast): 4 models", "Skip Westmoreland, with Grenade"),
    ),
    "squads of Warzone": (
        b"Republic - 163 points\nColonel Voss 60\nGuard squad:\nSgt Rook (leader) 25\nAdams 18\n"
        b"Brandt 18\nCole 18\n"
        b"Dietz 24\n",
        ("Republic (Ultimate Warzone): 6 models, 163 points.", "Sgt Rook, leader: 25 points"),
    ),
    "a statblock of several lines": (
        b"Grak\nlackey beast, base M, 20 points\nMv 6, STR 3D+1, AGL 2D, INT 1D\n"
        b"Def 8, Life 2\n\n2x GDF Ranger\n",
        ("Grak (custom): 20 points", "2x GDF Ranger"),
    ),
    "a statblock of Warzone": (
        b"Sgt Stone\nCC 9 RC 10 PW 0 LD 13 AC 3 WD 1 ST 5 MV 4 SZ 2 AR 22\nleader\n"
        b"weapon Axe: DM 8, close\n\n"
        b"Adams 18pts\n",
        ("(Ultimate Warzone): 2 models", "Sgt Stone (custom)", "Adams: 18 points"),
    ),
    "sol'una": (
        b"Dawn patrol\n- Ilka (leader)\n- Tarn\n- Brin",
        ("(sol'una): 3 models", "Ilka, leader", "Tarn"),
    ),
    "Frac'd Earth": (
        b"Wardens | 36 pts\nCaptain Vale (14)\nRook (10)\nEmber (12)",
        ("Wardens (Frac'd Earth): 3 models, 36 points.", "Captain Vale: 14 points"),
    ),
    "Infinity in two groups": (
        b"Vanguard | 74 Points | 1 SWC\nGROUP 1 [3 regular]\n"
        b"CAPTAIN REYES (Lieutenant) Combi Rifle, Pistol. (0 | 28)\n"
        b"ANGUS Combi Rifle. (0 | 10)\nGROUP 2 [1 regular]\nHAMMER HMG / Pistol, Knife. (1 | 36)",
        (
            "Vanguard (Infinity): 3 models, 74 points.",
            "Captain Reyes, leader: 28 points",
            "Hammer: 36 points",
        ),
    ),
}


FIELD = {
    "an official builder's text": (
        "Planet Murder (173 points)\n\nStrike Force (2000 points)\n\nCHARACTERS\n\n"
        "Sally Starfield (58 points)\n"
        "  • Warlord\n  • 1x Particle Beam Pistol\n\nSkip Westmoreland (53 points)\n  • 1x Grenade\n\n"
        "OTHER DATASHEETS\n\nGDF Ranger (62 points)\n  • 2x GDF Ranger\n    ◦ 2x Pulsar Rifle\n\n"
        "Exported with App Version: v1.2.0",
        (
            "Planet Murder (Counterblast): 4 models, 173 points.",
            "Sally Starfield, leader",
            "with Grenade: 53",
        ),
        (
            "2x GDF Ranger: 31 points each",
            "Not used from this list: Strike Force (2000 points); CHARACTERS; OTHER DATASHEETS",
        ),
    ),
    "BattleScribe's text": (
        "++ Crew (GDF) [142 pts] ++\n\n+ Heroes +\n\n"
        "Sally Starfield [58 pts]: Leader, Particle Beam Pistol\n\n"
        "Skip Westmoreland [53 pts]: Grenade\n\n+ Lackeys +\n\nGDF Ranger [31 pts]\n\n++ Total: [142 pts] ++",
        ("3 models, 142 points.", "Sally Starfield, leader: 58", "with Grenade: 53 points"),
    ),
    "New Recruit's text": (
        "++++++++\n+ FACTION KEYWORD: GDF\n+ TOTAL ARMY POINTS: 173pts\n+\n"
        "+ WARLORD: Char1: Sally Starfield\n"
        "+ NUMBER OF UNITS: 3\n++++++++\n\nChar1: 1x Sally Starfield (58 pts): Particle Beam Pistol\n"
        "Char2: 1x Skip Westmoreland (53 pts)\n1 with Grenade\n2x GDF Ranger (62 pts): Pulsar Rifle",
        (
            "4 models, 173 points.",
            "Sally Starfield, leader",
            "with Grenade: 53",
            "Not used from this list: NUMBER OF UNITS: 3",
        ),
    ),
    "a page with lists in lists": (
        "<div><h2>Lancers [142 pts]</h2><ul><li><p>Sally Starfield [58 pts]</p><ul><li>Leader</li></ul></li>"
        "<li>Skip Westmoreland <b>[53 pts]</b><ul><li>Grenade</li></ul></li><li>GDF Ranger [31 "
        "pts]</li></ul></div>",
        ("Lancers (Counterblast): 3 models, 142 points.", "Sally Starfield, leader", "with Grenade: 53"),
    ),
    "what is said in passing": (
        "sally lead, skip w/ grenade, smap, 2 rangers and hopr bot",
        ("6 models, 253 points.", "Sally Starfield, leader: 58 points (you wrote sally)", "2x GDF Ranger"),
    ),
    "a copied chat": (
        "Anna: here you go!\nAnna: [19:04] Sally Starfield (58)\nAnna: [19:04] 2x GDF Ranger (62)\n"
        "thanks! see you on Thursday at 7pm, bring dice",
        (
            "3 models, 120 points.",
            "Not used from this list: here you go!; thanks! see you on Thursday at 7pm, bring dice.",
        ),
    ),
    "surnames first": (
        "Starfield, Sally\nWestmoreland, Skip\nRanger, GDF (x2)",
        ("4 models, 159", "2x GDF Ranger"),
    ),
    "columns with a sum": (
        "Sally Starfield   x1   58\nSkip Westmoreland x1   39\nGDF Ranger        x2   62\n       ---\n"
        "       159",
        ("4 models, 159 points.", "2x GDF Ranger: 31 points each"),
    ),
    "a word processor's numbers": (
        "1.\tSally Starfield\u00a0– 58\u202fpts\n2.\tSkip Westmoreland\u00a0– 39\u202fpts\n"
        "3.\tGDF Ranger\u00a0× 2",
        ("4 models, 159 points.", "2x GDF Ranger"),
    ),
    "a table in German": (
        "Anzahl;Einheit;Punkte;Ausrüstung\n1;Sally Starfield;58;\n1;Skip Westmoreland;53;Grenade\n"
        "2;GDF Ranger;62;",
        ("4 models, 173 points.", "Skip Westmoreland, with Grenade: 53 points"),
    ),
    "a table in words that nobody knows": (
        "Jméno|Počet|Body\nSally Starfield|1|58\nGDF Ranger|2|62",
        ("3 models, 120 points.", "2x GDF Ranger", "Not used from this list: Jméno, Počet, Body."),
    ),
    "Infinity's own builder": (
        "Vanguard\n──────\n\nGROUP 1\t\t4 regular\n"
        "\tCAPTAIN REYES (Lieutenant) Combi Rifle ( ) / Pistol. (0 | 28)\n"
        "\tHAMMER HMG / Pistol, Knife. (1 | 36)\n\nGROUP 2\t\t1 irregular\n\tTRACKER Knife. (1 | 19)\n\n"
        "2 SWC | 83 Points\n\nOpen in Infinity Army",
        (
            "Vanguard (Infinity): 3 models, 83 points.",
            "Captain Reyes, leader",
            "Not used from this list: Open in Infinity Army; SWC.",
        ),
    ),
    "Infinity in a chat": (
        "infinity 100pts\nCpt Reyes (LT)\nangus x2\nhammer",
        ("(Infinity): 4 models, 84 points", "Captain Reyes, leader: 28 points", "2x Angus"),
    ),
    "Infinity with a trooper of one's own": (
        "GROUP 1\nCAPTAIN REYES (Lieutenant) Combi Rifle. (0 | 28)\n\n"
        "Ranger: MOV 4-4, CC 13, BS 12, PH 10, WIP 12, "
        "ARM 1, BTS 3, W 1, S 2, COST 15, TYPE LI; Combi Rifle B3 DAM 13 RANGE 8:+3 16:+3 32:-3",
        ("(Infinity): 2 models, 43 points", "Ranger (custom): 15 points"),
    ),
    "Warzone with a leader in a table": (
        "| Model | Pts |\n|:--|--:|\n| Maelgor (leader) | 65 |\n| Ash | 12 |\n| **Total** | **77** |",
        ("(Ultimate Warzone): 2 models, 77 points.", "Maelgor, leader: 65 points"),
    ),
    "Warzone with troopers of one's own": (
        "Sgt Rook\nKane - CC 8 RC 9 PW 0 LD 11 AC 3 WD 1 ST 5 MV 4 SZ 2 AR 21\n"
        "Lund - CC 8 RC 9 PW 0 LD 11 AC 3 WD 1 ST 5 MV 4 SZ 2 AR 21",
        ("(Ultimate Warzone): 3 models", "Kane (custom)", "Lund (custom)"),
    ),
    "sol'una in a table": (
        "<table><tr><td>Ilka</td><td>leader</td></tr><tr><td>Vey</td></tr></table>",
        ("Ilka, leader", "Vey"),
    ),
    "Frac'd Earth by its name": (
        "Frac'd Earth: Wardens\n\n1x Captain Vale - 14\n2x Thug - 4 each\nTOTAL 22 / 40",
        ("Wardens (Frac'd Earth): 3 models, 22 points.", "2x Thug: 4 points each"),
    ),
    "Frac'd Earth in one line": (
        "Captain Vale; Rook; Ember; Thug x3",
        ("6 models, 48 points", "3x Thug: 4 points each"),
    ),
    "options of a list builder": (
        '{"roster":{"name":"NR","gameSystemName":"Counterblast","forces":[{"selections":[{"name":"Trapper","type":"model"},'
        '{"name":"Show/Hide Options","type":"upgrade"}]}]}}',
        ("NR (Counterblast): 1 model, 20 points.", "Not used from this list: Show/Hide Options."),
    ),
}
"""Shapes as the field writes them, each with what is told of it."""


CAREFUL: dict[str, tuple[str, ...]] = {
    "Heroes:\n- Sally Starfield\nLackeys:\n- 2x GDF Ranger": ("anna's crew", "31 points each. Note: Lackeys"),
    "**Crew:** Lancers\n**Leader:** Skip\n**Lackeys:** GDF Ranger x2, HOpR Bot": (
        "Lancers (Counterblast): 4 models",
        "Westmoreland, leader",
    ),
    "Lancers 200pts\nLeader - Skip\n2 GDF Rangers": ("Lancers (Counterblast): 3 models", "(200 in the list)"),
    "Lancers (120/200)\nSally Starfield 58\nGDF Ranger 31": ("Lancers (Counterblast): 2 models, 89 points",),
    "Faction: Galactic Council of Worlds\nPoints: 89\nGDF Ranger\nSally Starfield": (
        "Affiliation: Galactic Council of Worlds.",
        "2 models, 89 points.",
    ),
    "(2) GDF Ranger 62\n(1) Sally Starfield 58": ("3 models, 120 points.",),
    "two GDF Rangers\nSally Starfield": ("2x GDF Ranger",),
    "GDF Ranger [2] 62\nSally Starfield [1] 58": ("3 models, 120 points.",),
    "14 Captain Vale\n10 Rook\n4 Thug\n4 Thug": ("(Frac'd Earth): 4 models, 32 points.",),
    "Skip Westmoreland -> Grenade\n~~Smap~~\n0x GDF Ranger": (
        "1 model, 53 points.",
        "Not used from this list: Smap; 0x GDF Ranger.",
    ),
    "Sally Starfield // the boss\nGDF Ranger # maybe": (
        "Sally Starfield, leader: 58 points. Note: the boss",
        "2 models",
    ),
    "Skip Westmoreland (39): Grenade (14)\nGDF Ranger, 31, x2": ("3 models, 115 points.",),
    "Bob: GDF Ranger\nDuchess [Sally Starfield]": ("Bob (GDF Ranger): 31", "Duchess (Sally Starfield)"),
    "Leader: Zorblax\nSally Starfield\nGDF Ranger": ("Not recognised: Zorblax.",),
    "Sally Starfield (leader)\nSkip (leader)": ("only one model can lead, so Skip isn't a leader.",),
    "Guard squad (Sgt Rook, Adams) 43 pts\nColonel Voss 60": ("3 models, 103 points.", "Note: Guard squad"),
    "Republic\n- Guard squad\n  - Sgt Rook\n  - 2x Cole\n- Red squad\n  - Adams\n- Colonel Voss": (
        "Republic (Ultimate Warzone): 5 models",
        "Adams: 18 points. Note: Red squad\nColonel Voss: 60 points\n",
    ),
    "Ilka [L]\nTarn & Brin\nOska / Vey": ("(sol'una): 5 models",),
    "CAPTAIN REYES (Lieutenant [+1 Command Token]) Missile(+1 Dam) / Pistol(s). (0 | 28)\n ANGUS (0 | 10)": (
        "Captain Reyes, leader: 28 points",
        "as a note (+1 Command Token, Missile +1 Dam",
    ),
    "CAPTAIN REYES (Lieutenant) (0 | 28)\n2 ANGUS (0 | 10)": ("3 models, 48 points", "Captain Reyes, leader"),
    "Name: Bob\nType: GDF Ranger\nCost: 31\nInjuries: Old Wound\n\nName: Sally Starfield\nType: Leader": (
        "Bob (GDF Ranger): 31 points",
        "Not used from this list: injuries (Old Wound).",
    ),
    "name: Lancers\nmodels:\n  - name: GDF Ranger\n    count: 2\n  - name: Skip\n    gear: Grenade": (
        "Lancers (Counterblast): 3 models, 115 points.",
    ),
    "Name,Model,Pts\nBob,GDF Ranger,31\nAnn,Skip,39": ("Bob (GDF Ranger): 31", "Ann (Skip Westmoreland)"),
    "sep=;\nCrew;Lancers\nName;Pts;Mood\nSkip;39;\nSmap;31;": (
        "Lancers (Counter",
        "Not used from this list: column Mood.",
    ),
    "Name,Qty\nSally Starfield,1\nGDF Ranger,0": (
        ": 1 model, 58",
        "Not used from this list: 1 row with a count of 0.",
    ),
    "Name;Mv;STR;AGL;INT;Def;Life;Pts\nGrak;6;3D;2D;1D;8;2;9\nSmap;;;;;;;": (
        "Grak (custom)",
        "Smap, leader: 31 points",
    ),
    "Sgt Stone\nCC RC PW LD AC WD ST MV SZ AR\n9 10 0 13 3 1 5 4 2 22": ("(Ultimate Warzone): 1 model",),
    "Grak | Mv 6 | STR 3D | AGL 2D | INT 1D | Def 8 | Life 2\nSmap": ("Grak (custom)", "0 points before"),
    'Skip "Duke" Westmoreland 39¢\nMv 5, STR 2D, AGL 3D\nEquipment: Grenade': (
        "Duke (Skip Westmoreland), leader, with Grenade: 53 points",
        "the game's own statblocks are used for its models",
    ),
    '{"army":{"name":"Lancers","units":[{"unit":"Skip","gear":["Grenade"]}]}}': (
        "Lancers (Counterblast): 1",
    ),
    '["Sally Starfield","GDF Ranger","GDF Ranger"]': ("3 models, 120 points",),
    '{"Sally Starfield":1,"GDF Ranger":2}': ("3 models, 120 points",),
    '<roster gameSystemName="Counterblast"><forces><force><selections><selection name="Skip" type="model">'
    '<selections><selection name="Gear" type="upgrade"><selections><selection name="Grenade" type="upgrade"/>'
    "</selections></selection></selections></selection></selections></force></forces></roster>": (
        "with Grenade: 53",
    ),
}
"""Lists in which a hasty reader loses or doubles a model, with what is told of each."""


@pytest.mark.parametrize("text", CAREFUL)
async def test_nothing_of_a_list_is_lost_or_doubled(table: Table, text: str) -> None:
    shown = await told(table, text.encode())
    for part in CAREFUL[text]:
        assert part in f"{shown}\n"


async def told(table: Table, data: bytes) -> str:
    """What is shown of a list before anything is kept."""
    shown = await table.done("anna", ImportCrew(file=read_file(data).to_json()))
    assert shown.reply.private
    assert "Nothing has been saved yet." in shown.reply.lines[0]
    assert not await table.desk.store.crews(900)
    return shown.reply.text


def test_every_file_is_tried() -> None:
    assert {one.name for one in FILES.iterdir()} == set(GIVEN)
    assert len(OWN) >= 30


@pytest.mark.parametrize("name", GIVEN)
async def test_of_a_file_as_players_have_them_everything_is_told(table: Table, name: str) -> None:
    text = await told(table, (FILES / name).read_bytes())
    for part in GIVEN[name]:
        assert part in text


@pytest.mark.parametrize("name", [*OWN, *FIELD])
async def test_a_list_is_understood_however_it_is_written(table: Table, name: str) -> None:
    data, *parts = FIELD[name] if name in FIELD else OWN[name]
    text = await told(table, data.encode() if isinstance(data, str) else data)
    for part in [one for some in parts for one in some]:
        assert part in text
    assert "Not recognised: " not in text


async def test_combat_groups_of_a_list_are_those_at_the_table(table: Table) -> None:
    listed = "GROUP 1\nCAPTAIN REYES (Lieutenant) (0 | 28)\nGROUP 2\nHAMMER (1 | 36)\nANGUS (0 | 10)"
    shown = await table.done("anna", ImportCrew(listed))
    kept = await table.done("anna", KeepList(shown.scope))
    await table.done("anna", StartEncounter("infinity", crew=kept.scope))
    models = (await table.encounter()).models()
    assert {one.name: ModelState(one).group for one in models} == {
        "Captain Reyes": 1,
        "Hammer": 2,
        "Angus": 2,
    }


def test_no_letter_that_cannot_be_seen_is_read() -> None:
    text = read_text(
        "Red\u202e Foxes | 97 pts\nSally\u200b Starfield (58)\nSm\u00adap (39)\nby\ufeff me\u2066!!"
    ).to_json()
    assert "Red Foxes" in text
    assert not [sign for sign in text if category(sign).startswith("C")]


async def test_a_game_that_cannot_be_told_is_asked_for(table: Table) -> None:
    shown = await table.done("anna", ImportCrew("Brute\nZorblax\nQuux the Third\n"))
    assert "Which game is this list for?" in shown.reply.text
    chosen = await table.press("anna", shown, "Infinity")
    assert "(Infinity): 1 model, 14 points" in chosen.reply.text
    assert "Which model is Zorblax?" in chosen.reply.text


async def test_several_may_lead_and_the_players_say_which(table: Table) -> None:
    shown = await table.done("anna", ImportCrew("Sally Starfield\nSkip Westmoreland\n2x GDF Ranger"))
    (menu, *_) = shown.reply.menus
    assert (menu.prompt, [choice.value for choice in menu.choices]) == ("Choose the leader", ["0", "1"])
    led = await table.choose("anna", shown, "1")
    assert "Skip Westmoreland, leader: 39 points" in led.reply.text
