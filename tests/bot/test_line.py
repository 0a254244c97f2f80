"""`/do`: one line for everything, and what is suggested while it is typed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

import pytest

from bot.actions import ACTIONS, Action, raw_of
from bot.app import ALL_GAMES
from bot.commands.do_command import MAX_UNTYPED_LINES, suggested_lines
from bot.games.counterblast.core.crews import apply_outcome
from bot.replies.chances import in_short
from bot.table.encounter import GONE, Encounter
from bot.table.game import game_of, is_wanted
from bot.table.offers import command_line
from bot.table.offers.command_line import (
    MAX_AT_ONCE,
    MAX_TOLD,
    Unsaid,
    complete_line,
    compute_chances,
    read_line,
)
from bot.table.offers.forms import title_of
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import AddCondition
from bot.table.session.possible_actions import add_action_buttons, list_kinds, list_kinds_now
from rules.effects import Lose
from rules.refusals import InvalidInput
from tests.bot.arranging import arrange
from tests.bot.counterblast.ring import under
from tests.bot.house import House
from tests.bot.tables import Table


async def said(table: Table, line: str, who: str = "#1") -> Action:
    book = (await table.loaded()).book()
    return read_line(Looking(book, table.actor("anna")), line, list_kinds(await table.encounter()), who)


async def offered(table: Table, line: str, who: str = "#1") -> Sequence[str]:
    book = (await table.loaded()).book()
    looking = Looking(book, table.actor("anna"))
    return list(complete_line(looking, line, list_kinds(await table.encounter()), who))


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("shoot trap 7 c1 order", {"target": "Trapper", "distance": 7.0, "cover": 1, "order": True}),
        (
            "SHOOT order cover:1 at trapper 7in",
            {"target": "Trapper", "distance": 7.0, "cover": 1, "order": True},
        ),
        (
            "shoot trapper with particle distance: 9.5",
            {"target": "Trapper", "distance": 9.5, "weapon": "Particle Beam Pistol"},
        ),
        ("shoot trapper aim odds", {"target": "Trapper", "mode": "aim", "odds": True}),
        ('shoot "Edo Underling 2"', {"target": "Edo Underling 2"}),
        ("shoot edo underling 2 at 3", {"target": "Edo Underling 2", "distance": 3.0}),
        ("shoot trapper model:smap", {"target": "Trapper", "shooter": "smap"}),
    ],
)
async def test_a_line_is_understood_in_any_order(table: Table, line: str, asked: dict[str, object]) -> None:
    await table.done("anna", StartDemo())
    found = raw_of(await said(table, line))
    who = found.pop("shooter")
    assert who == asked.get("shooter", "#1")
    assert {name: found.get(name) for name in asked if name != "shooter"} == {
        name: value for name, value in asked.items() if name != "shooter"
    }


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("fly away", "Begin with an action, such as"),
        ("shoot", "For Shoot, also enter target (enemy)."),
        (
            "shoot edo",
            "Which target do you mean? You can choose Edo Underling, Edo Underling 2, Edo Guardling",
        ),
        ("shoot trapper wings", 'I don\'t understand "wings" in Shoot. You can enter distance'),
        ("", "Begin with an action, such as"),
        ("shoot trapper 999", "Distance must be between 0 and 200 (you entered 999)."),
        ("shoot trapper distance:nan", "Distance must be between 0 and 200 (you entered nan)."),
        ("shoot trapper cover:1.5", "Cover must be a whole number, between 0 and 3 (you entered 1.5)."),
    ],
)
async def test_what_is_not_understood_is_said(table: Table, line: str, sentence: str) -> None:
    await table.done("anna", StartDemo())
    with pytest.raises(InvalidInput) as refused:
        await said(table, line)
    assert sentence in refused.value.sentence


async def burning(table: Table) -> int:
    """A game in which Smap burns; its number."""
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    await table.done("anna", AddCondition("Smap", "burning"))
    return (await table.encounter()).find_model("Smap").id


async def test_half_a_title_means_what_may_be_done_now_and_else_it_asks(table: Table) -> None:
    """Nothing is chosen silently of several, least of all what throws dice out of its order."""
    smap = await burning(table)
    for line in ("fire smap", "fire"):
        with pytest.raises(InvalidInput) as refused:
            await said(table, line, "")
        assert refused.value.sentence.startswith("Choose one of these actions: ")
        assert "hit by fire or acid, put a fire out" in refused.value.sentence
    await arrange(table, "anna", under("active", "Smap"))
    with pytest.raises(InvalidInput) as refused:
        await said(table, "fire smap", "")
    assert refused.value.sentence == "Choose one of these actions: hit by fire or acid, put a fire out."
    await arrange(table, "anna", lambda encounter: apply_outcome(encounter, [Lose(smap, "burning")]))
    await arrange(table, "anna", under("corroded", "Smap"))
    assert type(await said(table, "fire wash", "#1")).command == "cb.wash"
    assert type(await said(table, "fire smap kind:acid", "")).command == "cb.burn"


async def test_a_line_that_begins_with_a_name_is_suggested_what_may_be_done_with_it(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    await arrange(table, "anna", under("active", "Smap"))
    smap = f"#{(await table.encounter()).find_model('Smap').id}"
    lines = await offered(table, "trapper", smap)
    assert lines[0] == "shoot Trapper"
    assert raw_of(await said(table, lines[0], smap))["target"] == "Trapper"
    assert await offered(table, "nonsense", smap) == []


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_what_is_typed_half_is_found(table: Table, system: str) -> None:
    """Whatever may be done, by half of its name and by its first word, unless that is a whole name."""
    await table.done("anna", StartDemo(system))
    encounter = await table.encounter()
    looking, kinds = Looking((await table.loaded()).book(), table.actor("anna")), list_kinds(encounter)
    heads = {title_of(kind).lower().rstrip(".") for kind in kinds}
    for kind in kinds:
        head = title_of(kind).lower().rstrip(".")
        if looking.legal(kind, {}).reason:
            continue
        for half in {head[: max(3, len(head) // 2)], *([f"{head.split()[0]} "] if " " in head else [])}:
            shown = list(islice(complete_line(looking, half, kinds), 25))
            assert half in heads or any(line.startswith(head) for line in shown), (head, half, shown)


@pytest.mark.parametrize("system", ["soluna", "fracd_earth"])
async def test_whom_is_found_by_the_first_letters_of_his_name(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    await table.done("anna", NextStep())
    first = (await table.encounter()).models(1)[0].id
    if system == "fracd_earth":
        await arrange(table, "anna", lambda encounter: encounter.row.counters.update(acting=first))
    encounter = await table.encounter()
    looking = Looking(encounter.book, table.actor("anna"))
    verb = "attack" if system == "fracd_earth" else "lunge"
    for name in (row.name for row in encounter.models(2)):
        shown = list(islice(complete_line(looking, name[:3].lower(), list_kinds(encounter), f"#{first}"), 25))
        assert f"{verb} {name}" in shown, (name, shown)


async def test_other_games_are_understood_by_their_declarations(table: Table) -> None:
    await table.done("anna", StartDemo("warzone"))
    names = [model.name for model in (await table.encounter()).models() if model.side == 2]
    found = raw_of(await said(table, f'shoot "{names[0]}" MR hard gap:3', "#1"))
    assert found["target"] == names[0]
    assert found["cover"] == "hard"
    assert found["gap"] == 3.0


async def test_the_line_goes_on_with_what_may_be_said(table: Table) -> None:
    await table.done("anna", StartDemo())
    assert "shoot Trapper" in await offered(table, "shoot ")
    assert "shoot Trapper" in await offered(table, "shoot tra")
    assert all(text.startswith("shoot Trapper") for text in await offered(table, "shoot Trapper "))
    assert "shoot Trapper order" in await offered(table, "shoot Trapper ")
    assert "shoot Trapper distance:6" not in await offered(table, "shoot Trapper distance:6 ")
    assert await offered(table, "nonsense ") == []


async def test_what_a_line_is_suggested_is_understood(table: Table) -> None:
    """What the bot suggests, it takes."""
    await table.done("anna", StartDemo())
    for line in await offered(table, "shoot Trapper "):
        assert raw_of(await said(table, line))["target"] == "Trapper"


@pytest.mark.parametrize(
    ("lines", "short"),
    [
        (("A -> B", "no wound  49% ####", "out (3+)   0%", "Exact."), "no wound 49%, out 0%"),
        (("Win 37%: 1 card", "equal: held 9% ##"), "win 37%"),
        (("Hits, best flips:", "1+ 100% ##", "Kills (5+ hits): 0%"), "kills 0%"),
        (("fails 39 to 52% ###", "With an order token: 3%"), "fails 39 to 52%"),
        (("No dice were rolled.",), ""),
    ],
)
def test_chances_in_short(lines: tuple[str, ...], short: str) -> None:
    assert in_short(lines) == short


async def lunging(table: Table) -> tuple[Looking, list[type[Action]], str]:
    """A game of sol'una in which somebody acts."""
    await table.done("anna", StartDemo("soluna"))
    await table.do("anna", NextStep())
    encounter = await table.encounter()
    (acting,) = game_of(encounter).acting(encounter)
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    return looking, list_kinds(encounter), f"#{acting.id}"


async def test_a_line_that_may_be_done_stands_with_its_chances(table: Table) -> None:
    looking, kinds, who = await lunging(table)
    lines = list(complete_line(looking, "", kinds, who))
    told = compute_chances(looking, lines, kinds, who)
    assert 0 < len(told) <= MAX_TOLD
    for line, words in told.items():
        answer = await table.do("anna", read_line(looking, f"{line} odds", kinds, who))
        plain = [" ".join(line.split()).lower() for line in answer.reply.lines]
        for part in words.split(", "):
            what, chance = part.rsplit(maxsplit=1)
            assert any(line.startswith(what) and chance in line for line in plain)
        assert looking.refusal(read_line(looking, line, kinds, who)) == ""
    assert compute_chances(looking, ["lunge nobody", "lunge", "nonsense"], kinds, who) == {}


async def test_chances_end_when_their_time_is_over(table: Table) -> None:
    looking, kinds, who = await lunging(table)
    lines = [line for line in complete_line(looking, "", kinds, who) if line.startswith("lunge ")]
    assert lines
    seconds = iter(range(100))
    assert compute_chances(looking, lines, kinds, who, clock=lambda: next(seconds)) == {}


async def test_what_takes_much_thought_is_told_by_the_next_letter(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, kinds, who = await lunging(table)
    lines = [line for line in complete_line(looking, "", kinds, who) if line.startswith("lunge ")]
    whole = compute_chances(Looking((await table.loaded()).book(), looking.actor), lines, kinds, who)
    assert len(whole) > 1
    monkeypatch.setattr(command_line, "MAX_NEW", 1)
    for count in range(1, len(whole) + 1):
        told = compute_chances(looking, lines, kinds, who)
        assert told == {line: whole[line] for line in [*whole][:count]}


async def test_one_letter_begins_what_is_done_and_no_name(table: Table) -> None:
    looking, kinds, who = await lunging(table)
    one, two = (list(complete_line(looking, typed, kinds, who)) for typed in ("t", "ta"))
    assert "turn" in one
    assert not any(line.endswith("Tarn") for line in one)
    assert "lunge Tarn" in two


async def test_with_nothing_typed_there_are_as_many_lines_as_are_read(table: Table) -> None:
    await table.done("anna", StartDemo())
    book = (await table.loaded()).book()
    looking = Looking(book, table.actor("anna"))
    assert len(suggested_lines(looking, await table.encounter(), " ", "#1")) == MAX_UNTYPED_LINES
    assert len(suggested_lines(looking, await table.encounter(), "shoot ", "#1")) > MAX_UNTYPED_LINES


async def test_with_nothing_typed_no_chances_are_told(table: Table) -> None:
    looking, _, who = await lunging(table)
    encounter = await table.encounter()
    first = suggested_lines(looking, encounter, "", who)
    assert any(line.startswith("lunge ") for line in first)
    assert not any(first.values())
    assert any(suggested_lines(looking, encounter, "lunge", who).values())


async def test_whole_lines_are_at_those_whom_it_may_be_done_to(table: Table) -> None:
    """One enemy is left: nobody lunges at a friend, though he is the next who could be named."""
    _, kinds, who = await lunging(table)

    def alone(encounter: Encounter) -> None:
        for name in ("Tarn", "Brin"):
            encounter.find_model(name).status = GONE

    await arrange(table, "anna", alone)
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    assert list(complete_line(looking, "lunge", kinds, who)) == ["lunge", "lunge Ilka"]


@pytest.mark.parametrize("half", ["cap", "captain v", '"cap', '"Captain V', '"Captain ', "captain vale, w"])
async def test_half_a_name_is_found_with_its_blanks_and_its_quotation_marks(table: Table, half: str) -> None:
    """Of two Captains of one name each is told apart by the side; the mark may still be open."""
    await table.done("anna", StartDemo("fracd_earth"))
    encounter = await table.encounter()
    sable = encounter.find_model("Sable").id

    def namesake(encounter: Encounter) -> None:
        encounter.model(sable).name = "Captain Vale"

    await arrange(table, "anna", namesake)
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    told = list(
        complete_line(looking, f"attack {half}", list_kinds(encounter), f"#{encounter.models()[1].id}")
    )
    assert 'attack "Captain Vale, Wardens"' in told
    assert not [line for line in told if line.count('"') % 2]


async def test_of_many_whose_names_go_on_so_two_are_enough(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    await arrange(table, "anna", under("active", "Smap"))
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    smap = (await table.encounter()).find_model("Smap")
    lines = list(complete_line(looking, "edo", list_kinds(await table.encounter()), f"#{smap.id}"))
    assert "shoot Edo Underling" in lines
    for head in ("shoot", "charge"):
        assert len([line for line in lines if line.startswith(f"{head} Edo")]) == MAX_AT_ONCE


async def test_a_line_is_asked_as_its_command_would_be(house: House) -> None:
    nothing = await house.slash("do", line="shoot trapper")
    assert (
        "There is no game in this channel. Start one with /encounter start, or try /demo" in nothing.content
    )
    await house.begin(await house.slash("demo"))
    for line in ("model show smap", "show smap"):
        told = await house.slash("do", line=line)
        assert told.ephemeral
        assert "Smap" in told.content
    refused = await house.slash("do", line="shoot @everyone")
    assert refused.ephemeral
    assert "@everyone" not in refused.content


async def test_a_line_that_says_too_little_opens_the_form_with_what_was_said(house: House) -> None:
    await house.begin(await house.slash("demo"))
    drawn = await house.press(await house.panel(), "Draw")
    await house.press(drawn, drawn.controls[1].label)
    modal = await (await house.typed("do", options={"line": "shoot cover:2"})).modal()
    assert modal.title == "Shoot"
    chosen = {one.custom_id: [each.value for each in one.options if each.default] for one in modal.fields}
    assert chosen["cover"] == ["2"]
    assert chosen["target"]
    done = await house.submit(modal, {"rest.": "distance: 7"})
    assert not done.ephemeral


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_with_nothing_typed_what_the_panel_shows_is_offered_first(table: Table, system: str) -> None:
    """Neither a wall to strike nor a search for what hides where nobody does."""
    await table.done("anna", StartDemo(system))
    await table.do("anna", NextStep())
    encounter = await table.encounter()
    panel = add_action_buttons(encounter, game_of(encounter).panel(encounter))
    shown = [one.action.command for one in (*panel.buttons, *panel.menus)]  # type: ignore[attr-defined]
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    kinds = list_kinds_now(encounter, looking)
    offered = [kind.command for kind in kinds]
    first = [command for command in dict.fromkeys(shown) if command in offered]
    assert offered[: len(first)] == first
    for acting in game_of(encounter).acting(encounter)[:1]:
        for line in islice(complete_line(looking, "", kinds, f"#{acting.id}"), 25):
            with suppress(Unsaid):
                action = read_line(looking, line, kinds, f"#{acting.id}")
                assert is_wanted(encounter, action), line


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_every_line_that_is_suggested_is_taken_as_it_is_printed(table: Table, system: str) -> None:
    """Nothing typed, what is likely, and to whom: each suggested line is one action, or asks what is open."""
    await table.done("anna", StartDemo(system))
    await table.do("anna", NextStep())
    encounter = await table.encounter()
    acting = [*game_of(encounter).acting(encounter), *encounter.models()][0]
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    kinds, who, seen = list_kinds(encounter), f"#{acting.id}", 0
    names = [f'"{model.name}"' for model in (encounter.models()[0], encounter.models()[-1])]
    heads = [title_of(ACTIONS[command]).lower() for command in game_of(encounter).likely]
    typed = ["", *heads, *(f"{head} " for head in heads), *(f"{head} {names[1]} " for head in heads), *names]
    for begun in typed:
        for line in islice(complete_line(looking, begun, kinds, who), 25):
            seen += 1
            try:
                read_line(looking, line, kinds, who)
            except Unsaid:
                continue
    assert seen > len(typed)
