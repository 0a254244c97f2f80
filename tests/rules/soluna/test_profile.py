import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.refusals import InvalidInput
from rules.systems.soluna.board import Board, Facing, Obstacle, Piece, draw, read_drawing
from rules.systems.soluna.faces import Grid, Square
from rules.systems.soluna.profile import (
    AREAS,
    MAX_TEXT,
    TRAITS,
    Item,
    Profile,
    Weapon,
    from_json,
    read_profile,
    to_json,
    write_profile,
)
from rules.systems.soluna.settings import Settings

from .scene import MEENA

TEXT = """\
Meena
Size 2, Mind 3, Health 3, Body 2, Shield 1, Speed 4, CP 2
Traits: sees in the dark
Weapon: Gravity Saber, Reach 2, Power 4, Accuracy 2, Health 2, melee
Weapon: Particle Accelerator Cannon 10 6 4
Weapon: Smoke Grenade, Reach 5, Power 1, burst 2, cloud 4, abysmal
Item: Medkit, Health 2
"""


@pytest.mark.rule("SU-STAT-01")
def test_a_profile_typed_as_text():
    meena = read_profile(TEXT)
    assert (meena.mind, meena.health, meena.body, meena.shield, meena.speed, meena.cp) == (3, 3, 2, 1, 4, 2)
    assert meena.traits == {"sees in the dark"}
    saber, cannon, smoke = meena.weapons
    assert saber == Weapon("Gravity Saber", 2, 4, 2, 2, melee=True)
    assert cannon == Weapon("Particle Accelerator Cannon", 10, 6, 4)
    assert (smoke.area, smoke.area_size, smoke.cloud, smoke.smoke) == ("burst", 2, 4, "abysmal")
    assert meena.items == (Item("Medkit", 2),)
    assert meena.weapon("gravity saber") == 0
    with pytest.raises(InvalidInput, match="Gravity Saber"):
        meena.weapon("Sling")


names = st.text("abcdefghijklmnopqrstuvwxyz-'é", min_size=1, max_size=20)
grids = st.sampled_from(
    [
        Profile("x").grid,
        Grid((Square("health", ()),)),
        Grid((Square("body", (1, 2, 3), "health"), Square("health", (4, 5, 6), "body"))),
    ]
)


@st.composite
def weapons(draw_from, name):
    area = draw_from(st.sampled_from(["", *AREAS]))
    cloud = draw_from(st.integers(0, 9)) if area else 0
    return Weapon(
        name,
        draw_from(st.integers(1, 100)),
        draw_from(st.integers(1, 30)),
        draw_from(st.integers(-20, 20)),
        draw_from(st.integers(1, 30)),
        draw_from(st.booleans()),
        draw_from(st.booleans()),
        area,
        draw_from(st.integers(1, 20)) if area else 0,
        cloud,
        draw_from(st.sampled_from(["", "poor", "abysmal"])) if cloud else "",
    )


@st.composite
def profiles(draw_from):
    carried = draw_from(st.lists(names, max_size=6, unique=True))
    figure = st.integers(0, 30)
    return Profile(
        draw_from(names),
        draw_from(st.integers(0, 4)),
        draw_from(figure),
        draw_from(st.integers(1, 30)),
        draw_from(figure),
        draw_from(figure),
        draw_from(figure),
        draw_from(st.none() | st.integers(0, 20)),
        frozenset(draw_from(st.sets(st.sampled_from(TRAITS)))),
        tuple(draw_from(weapons(name)) for name in carried[:3]),
        tuple(Item(name, draw_from(st.integers(1, 30))) for name in carried[3:]),
        draw_from(grids),
    )


@given(profiles())
def test_round_trip(profile):
    assert read_profile(write_profile(profile)) == profile
    assert read_profile(to_json(profile)) == profile
    assert from_json(to_json(profile)) == profile


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Meena\nStrength 3",
        "Meena\nMind 3, Mind 4",
        "Meena\nMind 99",
        "Meena\nHealth 0",
        "Meena\nPet: Cat",
        "Meena\nTraits: lucky",
        "Meena\nWeapon: Saber",
        "Meena\nWeapon: Saber, Reach 2, Power 4, shiny",
        "Meena\nWeapon: Saber, Reach 0, Power 4",
        "Meena\nWeapon: Saber, Reach 2, Power 31",
        "Meena\nWeapon: Saber, Reach 2, Power 3, Reach 3",
        "Meena\nWeapon: Saber, Reach 2, Power 3, cloud 4",
        "Meena\nWeapon: Saber 2 3 4\nItem: saber",
        "Meena\nGrid: body 1 2 > health; health 2 > body",
        "Meena\nGrid: nose 1 2 > health; health 3 > nose",
        "Meena\nItem: A, B, C",
        "x" * (MAX_TEXT + 1),
        "{",
        '{"mind": 3}',
        '{"name": "A", "mind": "3"}',
        '{"name": "A", "mind": true}',
        '{"name": "A", "pet": 1}',
        '{"name": "A", "weapons": 3}',
        '{"name": "A", "weapons": [{"name": "B"}]}',
        '{"name": "A", "traits": [1]}',
        '{"name": ["A"]}',
    ],
)
def test_what_is_refused(text):
    with pytest.raises(InvalidInput) as refusal:
        read_profile(text)
    assert len(refusal.value.sentence) < 120


def sentence(read, text):
    """What the refusal says, "" when the text was read."""
    try:
        read(text)
    except InvalidInput as refusal:
        return refusal.sentence
    return ""


@given(st.text(max_size=200))
def test_any_text_gives_a_profile_or_a_sentence(text):
    for candidate in (text, "A\n" + text, "{" + text):
        assert len(sentence(read_profile, candidate)) < 120


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
keys = st.sampled_from(["name", "size", "mind", "health", "cp", "traits", "grid", "weapons", "items"])


@given(st.dictionaries(keys, json_values, max_size=5))
def test_any_json_gives_a_profile_or_a_sentence(data):
    for candidate in (data, [data], {"name": "A", **data}, {"name": "A", "weapons": [data], "items": [data]}):
        assert len(sentence(from_json, json.dumps(candidate))) < 120


@pytest.mark.rule("SU-STAT-02")
def test_sizes_above_four_count_as_four():
    assert Profile("Titan", size=9).size == 4
    assert Piece(1, (0, 0), Facing.NORTH, 9).size == 4
    with pytest.raises(InvalidInput):
        Profile("Odd", size=-1)


def test_the_printed_humanoid_is_the_usual_grid():
    assert MEENA.grid.keys == ("shield", "arsenal", "speed", "body", "mind", "health")


def test_settings_are_checked():
    for bad in (
        {"phases_per_turn": 0},
        {"action_order": "random"},
        {"protect_self": 1},
        {"cp_default": True},
        {"cloud_directions": ((0, 0),)},
        {"cloud_directions": ((2, 0),) * 9},
        {"ko_table": ()},
    ):
        with pytest.raises(InvalidInput):
            Settings(**bad)
    assert hash(Settings()) == hash(Settings())


def test_boards_are_drawn_and_read():
    text = "..#\n%.X\n.,A"
    board, at = read_drawing(text)
    assert at == {"A": (2, 0)}
    assert {o.category for o in board.obstacles} == {"hard", "soft", "impenetrable", "none"}
    board = board.place(Piece(7, (0, 0), Facing.EAST))
    assert draw(board) == " 2 ..#\n 1 %.X\n 0 >,.\n   012"
    assert draw(board, {7: "M"}, corner=(1, 0), columns=2, rows=2) == " 1 .X\n 0 ,.\n   12"
    for bad in ("", "..\n.", "?", "AA"):
        with pytest.raises(InvalidInput):
            read_drawing(bad)


def test_boards_are_bounded():
    wall = Obstacle("wall", frozenset({(0, 0)}), 7)
    for make in (
        lambda: Board(0, 5),
        lambda: Board(101, 5),
        lambda: Board(1, 1, (Obstacle("wall", frozenset({(1, 0)}), 7),)),
        lambda: Board(5, 5, (wall,), (Piece(1, (0, 0), Facing.NORTH),)),
        lambda: Board(5, 5, pieces=(Piece(1, (1, 0), Facing.NORTH), Piece(1, (2, 0), Facing.NORTH))),
        lambda: Board(5, 5, (wall,) * 501),
        lambda: Obstacle("wall", frozenset(), 7),
        lambda: Obstacle("wall", frozenset({(0, 0)}), 100),
        lambda: Board(5, 5).piece(3),
    ):
        with pytest.raises(InvalidInput):
            make()
