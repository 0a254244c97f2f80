"""Two small crews to try the game with: Crew Cards of our own making, no publisher's."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.game import SampleCrew


@dataclass(frozen=True, slots=True)
class Sample:
    """A Crew Card as text, with its build total."""

    key: str
    text: str
    build: int
    note: str


def _build_card(name: str, build: int, traits: str, resists: str, *other_lines: str) -> str:
    return "\n".join(
        (f"name: {name}", f"traits: {traits}", f"resists: {resists}", f"build: {build}", *other_lines)
    )


SAMPLES: tuple[Sample, ...] = (
    Sample(
        "vale",
        _build_card(
            "Captain Vale",
            14,
            "cast 0, def 5, fight 4, manv 5, shoot 5",
            "acts 4, body 4, mind 4, soul 3, dp 4, de 2",
            "capacity: 12",
            "skill: Notice [+]",
            "weapon: 5 // Carbine // [+] // Range 24 // 3 M vs dp",
            "weapon: 3 // Sabre // - // Reach 1/2 // 2 M vs dp",
        ),
        14,
        "leader and good shot",
    ),
    Sample(
        "rook",
        _build_card(
            "Rook",
            10,
            "cast 0, def 4, fight 6, manv 4, shoot 3",
            "acts 3, body 5, mind 3, soul 3, dp 5, de 2",
            "weapon: 2 // Halberd // [+] // Reach 1 // 3 H vs dp",
            "weapon: 4 // Pistol // - // Range 12 // 2 L vs dp",
        ),
        10,
        "fights with a long reach",
    ),
    Sample(
        "ember",
        _build_card(
            "Ember",
            12,
            "cast 5, def 4, fight 3, manv 4, shoot 3",
            "acts 3, body 3, mind 5, soul 5, dp 2, de 3",
            "capacity: 8",
            "skill: Cast [+]",
            "weapon: hearts // Flame // [+] // Range 18 // 3 M vs de",
            "weapon: 1 // Staff // - // Reach 1 // 1 L vs dp",
        ),
        12,
        "casts powers at figures and areas",
    ),
    Sample(
        "sable",
        _build_card(
            "Sable",
            13,
            "cast 0, def 5, fight 5, manv 6, shoot 4",
            "acts 5, body 3, mind 4, soul 3, dp 3, de 2",
            "skill: Stealth [+ +]",
            "surge: 4",
            "weapon: 4 // Needler // [+] // Range 16 // 2 M vs dp",
            "weapon: 2 // Knives // [+] // Reach 0 // 2 M vs dp",
        ),
        13,
        "hides, dodges and surges",
    ),
    Sample(
        "brute",
        _build_card(
            "Ironjaw",
            13,
            "cast 0, def 3, fight 6, manv 2, shoot 2",
            "acts 2, body 6, mind 2, soul 3, dp 5, de 3",
            "size: 5",
            "capacity: 14",
            "weapon: 1 // Maul // - // Reach 1 // 4 H vs dp",
            "weapon: 3 // Thrower // - // Range 8 // 2 M vs de",
        ),
        13,
        "large and slow to dodge",
    ),
    Sample(
        "thug",
        _build_card(
            "Thug",
            4,
            "cast 0, def 3, fight 4, manv 3, shoot 4",
            "acts 3, body 3, mind 2, soul 2, dp 2, de 1",
            "rank: henchman",
            "capacity: 5",
            "weapon: 4 // Rifle // - // Range 24 // 2 M vs dp",
            "weapon: 1 // Club // - // Reach 1/2 // 1 M vs dp",
        ),
        4,
        "henchman",
    ),
)

SAMPLES_BY_KEY = {sample.key: sample for sample in SAMPLES}

WARDENS = SampleCrew("Wardens", ("vale", "rook", "ember"))
PROWLERS = SampleCrew("Prowlers", ("sable", "brute", "thug", "thug"))
