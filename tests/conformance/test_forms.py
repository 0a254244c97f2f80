"""The forms made from declarations: every one is taken by Discord, and gives back what stood in it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from bot.actions import ACTIONS, Action, Part, part_of_doer, parts, raw_of
from bot.app import ALL_GAMES
from bot.ids import Tag
from bot.local.checks.answers import check_modal
from bot.panels.asking import AskModal
from bot.replies.fit import ASK
from bot.table.asking.descriptions import needed
from bot.table.asking.kinds import Number, OneOf, Switch, TableKind
from bot.table.asking.reading import BY_HAND, called
from bot.table.asking.table_kinds import Models
from bot.table.game import Acts
from bot.table.handlers import HANDLERS, Place
from bot.table.journal_actions import SPECIAL
from bot.table.odds.attacks import add_chances
from bot.table.offers.forms import (
    FURTHER_TICK,
    MEASURED,
    REST_PART,
    SEVERAL_TICK,
    SWITCHES_PART,
    AskForm,
    FormControl,
    build_form,
    list_fields_left_to_draft,
    open_parts,
    read_form,
)
from bot.table.offers.legal_actions import MAX_MODELS, Looking, is_closed
from bot.table.session.encounters import StartDemo
from bot.table.session.models import RemoveModel
from tests.bot.tables import Table, opened
from tests.conformance.legal_play import LEFT_OUT, Wanderer
from tests.spared import spared

SYSTEMS = [game.key for game in ALL_GAMES]

Blank = Callable[[str], tuple[Looking, dict[type[Action], AskForm]]]


def of_game(system: str) -> list[type[Action]]:
    return [
        kind
        for command, kind in ACTIONS.items()
        if kind.typed
        and command in HANDLERS
        and HANDLERS[command].system in ("", system)
        and HANDLERS[command].place in (Place.ENCOUNTER, Place.CHANNEL)
        and not HANDLERS[command].beforehand
    ]


async def forms_of(table: Table, system: str) -> AsyncIterator[AskForm]:
    """The form of each action, at the start, when somebody acts, and of one's own models in turn."""
    wanderer = Wanderer(table, system, 5, looks=False)
    await wanderer.begin()
    for steps in (0, 40):
        await wanderer.play(steps)
        loaded = await table.loaded()
        mine = [model for model in (await table.encounter()).models() if model.side == 1]
        looking = Looking(loaded.book(), table.actor("anna"))
        for kind in of_game(system):
            first = next(iter(parts(kind.command)), None)
            yield add_chances(looking.act(kind()), build_form(looking, kind()))
            if first is not None and first.wire is str and first in open_parts(kind.command):
                mine_does = kind(**{first.name: f"#{mine[0].id}"})
                yield add_chances(looking.act(mine_does), build_form(looking, mine_does))


@pytest.fixture(scope="module", params=SYSTEMS)
def forms(
    request: pytest.FixtureRequest, migrated: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[AskForm]:
    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("forms") / "table.db"))

    async def all_of_them() -> list[AskForm]:
        with spared():
            async with opened(file) as table:
                return [form async for form in forms_of(table, request.param)]

    return asyncio.run(all_of_them())


@pytest.fixture(scope="module")
def blank(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Blank:
    """Who looks at a demo of each game where nothing is known yet, and the form of each action then."""

    async def all_of_them(system: str) -> tuple[Looking, dict[type[Action], AskForm]]:
        file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("blank") / "table.db"))
        async with opened(file) as table:
            await table.done("anna", StartDemo(system))
            looking = Looking((await table.loaded()).book(), table.actor("anna"))
        return looking, {kind: build_form(looking, kind()) for kind in of_game(system)}

    return cache(lambda system: asyncio.run(all_of_them(system)))


def test_what_a_form_and_a_command_call_a_field_is_made_of_words() -> None:
    for command in (command for command in ACTIONS if command in HANDLERS):
        for part in open_parts(command):
            label = part.kind.labelled if isinstance(part.kind, TableKind) else ""
            for name in (label, called(part).replace("_", " ")):
                assert name.replace(" ", "").isalpha() or not name, f"{command}: {name}"


async def test_what_needs_the_journal_itself_has_its_form_too(table: Table) -> None:
    """It is tried as far as it can be seen before it is done, and never done by that."""
    await table.done("anna", StartDemo())
    before, looking = table.state(), Looking((await table.loaded()).book(), table.actor("anna"))
    typed = [command for command in SPECIAL if ACTIONS[command].typed]
    assert "encounter.seat" in typed
    for command in typed:
        form = build_form(looking, ACTIONS[command]())
        assert bool(form.controls) == bool(open_parts(command)), command
    assert table.state() == before


TAKEN: tuple[tuple[str, str, str], ...] = (
    ("campaign.create", "encounters", "3"),
    ("crew.sheet", "paper", "A4"),
    ("odds.best", "inches", "8"),
    ("cb.fire.start", "inches", "3"),
    ("cb.fire.start", "name", "fire"),
    ("model.remove", "how", "removed"),
    ("fe.check", "tn", "10"),
    ("inf.f2f", "burst", "1"),
    ("sol.test", "difficulty", "2"),
    ("wz.ld", "modifier", "0"),
)
"""What is taken where nothing is said, of forms of every game: it stands in them."""

OPEN = (
    ("cb.shoot", "distance"),
    ("campaign.swap", "number"),
    ("inf.shoot", "distance"),
    ("inf.f2f", "value"),
    ("wz.charge", "distance"),
)
"""What has to be said, or is found where nothing is said: blank."""


async def test_what_is_taken_where_nothing_is_said_stands_in_the_form(table: Table) -> None:
    """Where nothing is known of the table yet."""
    await table.done("anna", StartDemo())
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    for command, name, taken in TAKEN:
        form = build_form(looking, ACTIONS[command]())
        (control,) = [one for one in form.controls if one.name == name]
        assert control.said == (taken,), (command, name)
    for command, name in OPEN:
        form = build_form(looking, ACTIONS[command]())
        assert all(one.said in ((), ("",)) for one in form.controls if one.name == name), (command, name)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_no_friend_is_filled_in_where_no_enemy_is_left(table: Table, system: str) -> None:
    """A form that is handed in as it stands does not shoot one's own."""
    wanderer = Wanderer(table, system, 5, looks=False)
    await wanderer.begin()
    await wanderer.play(6)
    for row in (await table.encounter()).models():
        if row.side != 1:
            await table.do("anna", RemoveModel(f"#{row.id}"), reason="Nobody is left of them.")
    mine = (await table.encounter()).models()
    assert {row.side for row in mine} == {1}
    names, seen = {row.name for row in mine}, 0
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    for kind in of_game(system):
        foes = {
            part.name
            for part in open_parts(kind.command)
            if isinstance(part.kind, TableKind) and part.kind.against
        }
        who = part_of_doer(kind.command)
        for said in ({}, {who.name: f"#{mine[0].id}"}) if who is not None and who.wire is str else ({},):
            for control in build_form(looking, kind(**said)).controls if foes else ():
                if control.name in foes - set(said):
                    seen += 1
                    assert not names & set(control.said), (kind.command, control.said)
    assert seen


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_ticked_of_which_nothing_is_known(blank: Blank, system: str) -> None:
    """But what holds unless somebody says otherwise."""
    for kind, form in blank(system)[1].items():
        usual = {part.name for part in open_parts(kind.command) if part.unsaid is True}
        for control in form.controls:
            assert control.name != SWITCHES_PART or set(control.said) <= usual, kind.command


async def test_every_form_is_one_that_discord_takes(forms: list[AskForm]) -> None:
    shown = 0
    for form in forms:
        if form.controls:
            modal = AskModal(form, Tag(form.action, 36**4, -1, ASK))
            check_modal(modal.to_dict())
            shown += 1
    assert shown > 40


def test_a_form_that_is_handed_in_as_it_stands_says_what_stood_there(forms: list[AskForm]) -> None:
    for form in forms:
        values = {control.name: list(control.said) for control in form.controls}
        again, wrong = read_form(form.action, values)
        assert not wrong
        said = raw_of(again)
        for control in form.controls:
            if control.name in said and control.said:
                assert str(said[control.name]).removesuffix(".0") in (*control.said, str(control.said[0]))
            elif control.name == SWITCHES_PART:
                assert set(control.said) <= set(said) | {
                    part.name for part in parts(form.action.command) if part.default
                }


def with_wrong(form: AskForm, part: Part, text: str) -> dict[str, list[str]]:
    """The form as it stands, but for one number."""
    values = {control.name: list(control.said) for control in form.controls}
    if next((one.shape for one in form.controls if one.name == part.name), "") == "line":
        return {**values, part.name: [text]}
    return {**values, REST_PART: [*values.get(REST_PART, []), f"{called(part)}: {text}"]}


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_wrong_in_a_form_is_named_and_all_the_rest_is_kept(blank: Blank, system: str) -> None:
    """Each field that takes a number gets one that is none, and one that is far too large.

    What was typed stands there again when the form is opened anew.
    """
    looking, forms = blank(system)
    tried = 0
    for kind, form in forms.items():
        kept = raw_of(read_form(form.action, {one.name: list(one.said) for one in form.controls})[0])
        for part in open_parts(kind.command):
            if not isinstance(part.kind, Number):
                continue
            for text in ("many", "nan", *(["1e12"] if part.kind.most is not None else [])):
                again, wrong = read_form(form.action, with_wrong(form, part, text))
                assert [(one.name, one.text) for one in wrong] == [(part.name, text)], kind.command
                sentence = wrong[0].sentence.lower().replace(" ", "_")
                names = {called(part), part.kind.labelled.lower().replace(" ", "_")} - {""}
                assert any(name in sentence for name in names), sentence
                assert f"you entered {text}" in wrong[0].sentence or part.kind.bounds in wrong[0].sentence
                lost = {part.name, *([BY_HAND] if kept.get(BY_HAND) == (part.name,) else [])}
                assert raw_of(again) == {name: kept[name] for name in kept if name not in lost}
                shown = build_form(looking, again, typed=((part.name, text),)).controls
                lines = {one.name: one.said for one in shown if one.shape == "line"}
                in_rest = f"{called(part)}: {text}" in " ".join(lines.get(REST_PART, ()))
                is_typed = bool(lines.keys() & {part.name, REST_PART})
                assert not is_typed or lines.get(part.name) == (text,) or in_rest, (kind.command, part.name)
                tried += 1
    assert tried > 9


def test_all_that_may_be_said_has_its_place_in_the_form(forms: list[AskForm]) -> None:
    """What finds no part of its own is named in the last one, but for what a draft asks and what would be
    refused.
    """
    for form in forms:
        fixed = raw_of(form.action).keys() | list_fields_left_to_draft(form.action)
        named = {control.name for control in form.controls}
        spoken = " ".join(one.note for control in form.controls for one in (control, *control.choices))
        ticked = {choice.value for control in form.controls for choice in control.choices}
        for part in open_parts(form.action.command):
            known = part.name in fixed | named | ticked or (part.kind.called or part.name) in spoken
            alone = isinstance(part.kind, TableKind) and (part.kind.alone or part.kind.on_board)
            refused = isinstance(part.kind, Switch) or is_closed(form.action.command, part.name)
            assert known or alone or (refused and not needed(part)), (form.title, part.name)


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_likely_is_typed_and_begins_with_who_does_it(system: str) -> None:
    game = next(one for one in ALL_GAMES if one.key == system)
    assert isinstance(game, Acts)
    for command in game.likely:
        kind = ACTIONS[command]
        assert kind.typed or command not in LEFT_OUT
        assert parts(command)[0].wire is str


LOOKED_AT = ("blades.strike", "cb.enter", "cb.move", "fe.sustain", "inf.cc", "sol.test", "wz.board")
"""Actions of every game whose options depend on what the table knows."""

MIN_TRIED = {"blades": 20}
"""Options that are tried in a game at the least, if not more than 60: the sixth game is small."""


def ways_with(form: AskForm, one: FormControl, value: str) -> Iterator[Action]:
    """The form handed in with one choice: the rest as it stands, and with each other choice in one more."""
    stands = {control.name: list(control.said) for control in form.controls}
    stands[one.name] = [*stands[one.name], value] if one.shape == "checks" else [value]
    yield read_form(form.action, stands)[0]
    for other in form.controls:
        for choice in other.choices:
            if other.shape == "checks":
                yield read_form(form.action, {**stands, other.name: [*stands[other.name], choice.value]})[0]
            elif other is not one:
                yield read_form(form.action, {**stands, other.name: [choice.value]})[0]
    for part, number in product(open_parts(form.action.command), "16"):
        if isinstance(part.kind, Number):
            text = (
                {part.name: [number]} if part.name in stands else {REST_PART: [f"{called(part)}: {number}"]}
            )
            yield read_form(form.action, {**stands, **text})[0]


def optional(form: AskForm) -> Iterator[tuple[FormControl, str]]:
    """Each tick of a form, and each word or model of an optional field."""
    kinds = {part.name: part.kind for part in open_parts(form.action.command)}
    for control in form.controls:
        kind = kinds.get(control.name)
        models = isinstance(kind, Models) and len(control.choices) <= MAX_MODELS
        if control.shape == "checks" or ((models or isinstance(kind, OneOf)) and not control.needed):
            yield from (
                (control, choice.value)
                for choice in control.choices
                if choice.value not in (SEVERAL_TICK, FURTHER_TICK, MEASURED, *control.said)
            )


def is_taken(looking: Looking, action: Action) -> bool:
    """Whether an action is done or only asks for what is missing."""
    return not looking.refusal_typed(action) or looking.legal(type(action), raw_of(action)).asks


@pytest.mark.parametrize("system", SYSTEMS)
async def test_no_form_offers_what_would_be_refused_whatever_else_is_said(file: Path, system: str) -> None:
    """Each tick and word is handed in, in a game that is played, by each person."""
    wrong, tried, seen = set[tuple[str, str, str]](), 0, set[str]()
    async with opened(file) as table:
        wanderer = Wanderer(table, system, 2, looks=False)
        await wanderer.begin()
        for _ in range(4):
            book = (await table.loaded()).book()
            for kind, who in product(of_game(system), wanderer.people):
                looking = Looking(book, table.actor(who))
                found, first = looking.legal(kind), part_of_doer(kind.command)
                if not found.may_be_tried or HANDLERS[kind.command].beforehand is not None:
                    continue
                said = {first.name: raw_of(found.action).get(first.name)} if first is not None else {}
                form = build_form(looking, kind(**said) if all(said.values()) else kind())
                stands, _ = read_form(form.action, {one.name: list(one.said) for one in form.controls})
                seen.add(kind.command)
                for control, value in optional(form) if is_taken(looking, stands) else ():
                    tried += 1
                    ways = list(ways_with(form, control, value))
                    if not any(is_taken(looking, way) for way in ways):
                        wrong.add((kind.command, value, looking.refusal_typed(ways[0])))
            await wanderer.play(6)
    assert not wrong
    assert tried > MIN_TRIED.get(system, 60)
    assert seen & set(LOOKED_AT)
