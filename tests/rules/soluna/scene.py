"""Boards from drawings and a cast of models for sol'una's tests."""

from rules.effects import Assign, Count
from rules.systems.soluna.attack import attack_roll
from rules.systems.soluna.board import Board, Facing, read_drawing
from rules.systems.soluna.damage import damage, striking_faces
from rules.systems.soluna.faces import best_flips
from rules.systems.soluna.models import Clock, Model
from rules.systems.soluna.profile import Item, Profile, Weapon
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.situation import Situation

S = Settings()
SABER = Weapon("Gravity Saber", 2, 4, 2, health=2, melee=True)
RING = Weapon("Pulse Laser Ring", 4, 4, 1)
CANNON = Weapon("Particle Accelerator Cannon", 10, 6, 4, health=3, blast=True)
MEENA = Profile("Meena", mind=3, health=3, body=2, shield=1, speed=4, weapons=(SABER, RING, CANNON))
XUL = Profile("Xul", size=2, mind=2, health=3, body=3, speed=3, items=(Item("Medkit", 1),))


def model(profile=MEENA, ident=1, side=1, conditions=(), **counters):
    return Model(ident, profile.name, side, profile, frozenset(conditions), tuple(counters.items()))


def drawn(text):
    """The board, the letters' squares and a function that moves the first letter's square to the origin."""
    return read_drawing(text)


def stand(board, *placed):
    """The board with (model, square, facing) put on it."""
    for who, square, facing in placed:
        board = board.place(who.piece(square, facing))
    return board


def duel(
    attacker=None,
    target=None,
    *,
    a=(5, 2),
    t=(5, 6),
    facing=Facing.NORTH,
    target_facing=Facing.SOUTH,
    weapon=1,
    board=None,
    clock=Clock(1, 1),  # noqa: B008  frozen
    **more,
):
    """A situation on an open board: attacker at a, target at t, face to face, with the Pulse Laser Ring."""
    attacker = attacker or model()
    target = target or model(XUL, 2, 2)
    board = stand(board or Board(20, 20), (attacker, a, facing), (target, t, target_facing))
    return Situation(board, attacker, t, target, weapon, clock, **more)


def applied(who, effects):
    """The model with counters changed by effects that are all its own."""
    assert all(isinstance(e, Assign | Count) and e.id == who.id for e in effects)
    return who.after(tuple(effects))


def attack(dice, power, accuracy, aim, target, named, settings):
    """A whole attack, its dice flipped for one location: roll, flips, damage."""
    counts = dice.call(attack_roll, power)
    flipped = best_flips(counts, accuracy, striking_faces(target, aim, settings))
    return damage(flipped.counts, target, named, settings)
