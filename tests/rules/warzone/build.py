"""Short ways to models and weapons for Warzone's tests."""

from rules.systems.warzone.model import Model, Squad
from rules.systems.warzone.profile import Profile, Weapon
from rules.systems.warzone.settings import Settings

PLAIN = Settings()
RIFLE = Weapon("Rifle", 13, 1, (1, 2, 0, -2, None))
SWORD = Weapon("Sword", 6, flags=("close",))


def profile(name="Grunt", **changes):
    figures = {"cc": 8, "rc": 8, "pw": 6, "ld": 10, "ac": 3, "wd": 1, "st": 5, "mv": 5, "sz": 2, "ar": 22}
    return Profile(name, **(figures | changes))


def model(number=1, conditions=(), counters=(), *, side=1, squad=1, damage=0, **changes):
    pairs = frozenset(each if isinstance(each, tuple) else (each, 0) for each in conditions)
    figures = profile(changes.pop("name", f"M{number}"), **changes)
    return Model(number, figures.name, side, squad, figures, damage, pairs, frozenset(counters))


def squad(*models, starting=None, leader=None, number=1):
    return Squad(number, "Squad", 1, starting or len(models), models, leader)


def amounts(modifiers):
    return {modifier.rule: modifier.amount for modifier in modifiers}
