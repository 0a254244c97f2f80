"""Models for the tests of the play rules: a plain human Lackey unless said otherwise."""

from __future__ import annotations

from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import CrewTraits, Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile, Rating, Trait


def statblock(**changes) -> Profile:
    """A Profile; abilities may be written 2D+1, Features key, key:level or key:choice."""
    values = {
        "key": "trooper", "name": "Trooper", "rank": "lackey", "types": ("human",), "affiliations": ("gcw",),
        "mv": 6, "strength": "1D", "agility": "1D", "intellect": "1D", "defense": 7, "life": 2, "size": "S",
        "points": 20, **changes,
    }  # fmt: skip
    for ability in ("strength", "agility", "intellect", "psionic"):
        if isinstance(values.get(ability), str):
            values[ability] = Rating.parse(values[ability])
    values["features"] = tuple(_trait(word) for word in values.get("features", ()))
    return Profile(**values)


def _trait(word: str) -> Trait:
    key, _, suffix = word.partition(":")
    return Trait(key, level=int(suffix)) if suffix.isdecimal() else Trait(key, choice=suffix)


def model(
    number: int = 1,
    side: int = 1,
    *,
    under: tuple[str, ...] = (),
    counters: dict[str, int] | None = None,
    gear: tuple[str, ...] = (),
    crew: CrewTraits | None = None,
    specialties: tuple[str, ...] = (),
    alignment: str = "",
    activated: bool = False,
    name: str = "",
    damage: int = 0,
    leader: bool = False,
    **changes,
) -> Fighter:
    """A Fighter; `gear` are keys of the library, `under` its conditions."""
    counts = dict(counters or {})
    if activated:
        counts[Counter.ACTIVATED] = 1
    library = load()
    return Fighter(
        id=number,
        name=name or f"Trooper {number}",
        side=side,
        profile=statblock(**changes),
        gear=tuple(library.gear[key] for key in gear),
        damage=damage,
        conditions=frozenset((condition, 0) for condition in under),
        counters=frozenset(counts.items()),
        leader=leader,
        crew=crew or CrewTraits(frozenset(specialties), alignment),
    )
