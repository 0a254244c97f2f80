"""A game's card: the results of one activation, what can be done next, and how the game stands."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from bot.actions import ACTIONS, Action, raw_of, with_text
from bot.ids import Tag
from bot.replies.drawing import SHAPES
from bot.replies.fit import ASK, FENCE, FORM, MAX_COMPONENTS, MAX_IN_ROW, MAX_MESSAGE_LENGTH, fit_text
from bot.replies.reply import FORMS, Button, Choice, Column, Menu, Next, Note, Reply, State, reply_of
from bot.replies.weight import NO_FACES, Faces, weighed
from bot.store.book import Scope
from bot.store.journal import Entry
from bot.store.reads import EntryReply
from bot.store.rows import SideRow
from bot.table.act import Actor
from bot.table.encounter import ENDED, Encounter
from bot.table.game import NEVER, REACTIONS, activated, format_for_encounter, game_of, ping
from bot.table.handlers import HANDLERS, Place
from bot.table.journal.disputes import list_open_questions
from bot.table.journal.history import Undo
from bot.table.journal.undo_plan import is_secret
from bot.table.offers.legal_actions import Looking
from bot.table.owners import Role, owner_of
from bot.table.reaction_windows import waits
from bot.table.request import OVERRIDE_FORM
from bot.table.session.drafts import Draft, list_open_choices
from bot.table.session.possible_actions import WhatNow, add_action_buttons, make_action
from bot.table.waits import Wait, awaited, for_others, named_for, opening, organiser_of, people_named
from rules.wording import join_with_and

MAX_RESULTS = 60
"""Results that one card tells of, the last ones."""

MAX_CONTROLS = 12
"""Buttons and menus of a card; the names of one question count once, as the choices of a menu do."""

MAX_ANSWER_BUTTONS = 8
"""Buttons of a result that count one by one; more of them are the choices of one question, as a die has."""

MAX_NAME_BUTTONS = 20
"""Names of one question that are buttons; more of them are a menu."""

MAX_STATE_LENGTH = 600
"""Letters of the lines on how the game stands."""

MAX_EARLIER_RESULTS = 4
"""Results before the newest one that the state names; /log has all of them."""

DROPPED_FIRST = frozenset({"log"})
"""Commands whose buttons give way first where a card has too many: `More...` leads to them."""

DROPPED_LAST = frozenset({"now", "undo"})
"""Commands whose buttons give way last."""


@dataclass(frozen=True, slots=True)
class CardResult:
    """A public result, and its entry in the log.

    parts: the replies that make it up, as the journal stored them. asks: what comes next answers it.
    """

    entry: int
    parts: Sequence[Mapping[str, Any]]
    asks: bool = False

    @property
    def lines(self) -> list[str]:
        """Return the lines as they are stored, without what sets one apart from another."""
        return [line for part in self.parts for line in part["lines"]]

    def reply(self, **instead: Any) -> Reply:
        """Return all of it as one reply. instead: what takes the place of stored fields."""
        first_reply, *other_replies = replies = [reply_of({**part, **instead}) for part in self.parts]
        if not other_replies and not first_reply.also:
            return first_reply
        lines = (line for reply in replies for line in reply.lines)
        buttons = (button for reply in replies for button in reply.buttons)
        return replace(first_reply, lines=tuple(lines), buttons=tuple(buttons), also=())

    def is_repeated_in(self, later: CardResult) -> bool:
        """Return whether a later result tells all of this one again, as each step of an Upkeep does."""
        (subject, colon, _), (later_subject, later_colon, _) = (
            result.lines[0].partition(":") for result in (self, later)
        )
        return self.asks and bool(colon and later_colon) and subject == later_subject


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as its card shows it now.

    version: the entry by which the game went on last. told: the results since an entry, oldest first.
    turn, activated: the turn, and the models whose activation is under way. wait: what the game waits for,
    and people: the ids of those players. Both are empty before the game begins and after its end. over_ms:
    when the time to react is over, 0 if no one is asked to react. at_ms: the time now.
    """

    encounter: Encounter
    version: int
    told: tuple[CardResult, ...]
    turn: int
    activated: tuple[int, ...]
    wait: Wait | None
    people: tuple[int, ...]
    over_ms: int = 0
    at_ms: int = 0

    @property
    def changes_ms(self) -> int:
        """Return when the card changes because the time to react is over, 0 for never."""
        return self.over_ms if self.over_ms > self.at_ms else 0

    @property
    def newest(self) -> int:
        """Return the entry of the newest result, or 0."""
        return self.told[-1].entry if self.told else 0

    @property
    def awaited(self) -> str:
        """Return who is waited for, as it is kept."""
        return " ".join(map(str, self.people))

    def pings(self, awaited_before: str, user_id: int) -> tuple[int, ...]:
        """Return the players to mention now, unless they were waited for before or pressed themselves."""
        ping_choice = ping(self.encounter)
        is_off = (
            self.wait is None or ping_choice == NEVER or (ping_choice == REACTIONS and not self.wait.owed)
        )
        return () if is_off or self.awaited == awaited_before or user_id in self.people else self.mentioned

    @property
    def mentioned(self) -> tuple[int, ...]:
        """Return the players that are waited for and want to be mentioned."""
        muted = {seat.user_id for seat in self.encounter.players() if seat.muted}
        return tuple(person for person in self.people if person not in muted)

    def call(self, people: Sequence[int]) -> str:
        """Return the words by which people are called."""
        assert self.wait is not None
        mentions = join_with_and([f"<@{person}>" for person in people])
        what = f": {self.wait.what}" if self.wait.tells else f" to {self.wait.what}"
        return f"{mentions}, the game is waiting for you{what} (turn {self.turn})"

    @property
    def channel_id(self) -> int:
        """Return the channel of the game."""
        return self.encounter.row.channel_id

    def live(self, since: int = 0, faces: Faces = NO_FACES) -> Reply:
        """Return the card with its buttons. since: the first entry that it tells of. faces: see `weighed`."""
        return format_for_encounter(self.encounter, weighed(_build_live(self, since), faces))

    def letters(self, since: int) -> int:
        """Return how many letters were told since an entry."""
        return sum(len("\n".join(result.lines)) for result in self.told if result.entry >= since)

    def closed(self, before: int, activation: str, awaited: str, faces: Faces = NO_FACES) -> Reply:
        """Return the card without buttons: all that was told before an entry, in its order.

        activation, awaited: the card's own models and the players it waited for, as they were kept. Their
        side gives it its colour: the next card may be another side's.
        """
        earlier_results = [reply for reply in self.told if reply.entry < before]
        repeated_entries = {
            earlier.entry for earlier, later in pairwise(earlier_results) if earlier.is_repeated_in(later)
        }
        replies = [
            result.reply(buttons=(), menus=())
            for result in earlier_results
            if result.entry not in repeated_entries
        ]
        lines = [line for reply in replies for line in weighed(reply, faces).lines]
        lines = [line for line in lines if not isinstance(line, State | Next)]
        people = [int(user_id) for user_id in awaited.split()]
        side = _side(self.encounter, Activation.read(activation).models, people)
        reply = Reply(
            (fit_text(lines or [Note("(closed)")], MAX_MESSAGE_LENGTH),), side=side.id if side else 0
        )
        return format_for_encounter(self.encounter, reply)


@dataclass(frozen=True, slots=True)
class Activation:
    """The activation of a card.

    turn: -1 where it tells of nothing yet. models: whose it is, by number. over: it has ended.
    """

    turn: int = -1
    models: frozenset[int] = frozenset()
    over: bool = False

    @classmethod
    def read(cls, text: str) -> Activation:
        """Return what was written; nothing for an empty text."""
        if not text:
            return cls()
        turn, models, over_text = text.split(":")
        return cls(int(turn), frozenset(map(int, models.split())), over_text == "over")

    @property
    def written(self) -> str:
        """Return it as text."""
        return f"{self.turn}:{' '.join(map(str, sorted(self.models)))}:{'over' if self.over else ''}"

    def is_over_for(self, card: GameCard) -> bool:
        """Return whether what comes now belongs on another card."""
        active_models = set(card.activated)
        has_other_models = bool(active_models and self.models and not active_models & self.models)
        return self.over or has_other_models or self.turn not in (-1, card.turn)

    def ends_with(self, card: GameCard) -> bool:
        """Return whether what came last was its end."""
        return bool(self.models) and not self.over and not card.activated and self.turn == card.turn

    def after(self, card: GameCard) -> Activation:
        """Return what it remembers once a game is shown."""
        active_models = frozenset(card.activated)
        return Activation(card.turn, active_models or self.models, bool(self.models and not active_models))


def read_results(entries: Iterable[Entry | EntryReply]) -> Iterator[CardResult]:
    """Return the public results of these entries."""
    for entry in entries:
        stored_reply = json.loads(entry.reply) if not is_secret(entry) else {"lines": ()}
        reply_parts = (stored_reply, *stored_reply.get("also", ()))
        if public_parts := [part for part in reply_parts if part["lines"] and not part.get("private")]:
            yield CardResult(entry.seq, public_parts, entry.minor)


def make_game_card(
    encounter: Encounter, version: int, told: Sequence[CardResult], over_ms: int = 0, at_ms: int = 0
) -> GameCard:
    """Return a game as its card shows it. version: the entry by which it went on last."""
    row = encounter.row
    is_running = bool(row.turn) and row.status != ENDED
    wait = awaited(encounter, waits, version) if is_running else None
    people = people_named(encounter, wait.whom) if wait is not None else ()
    return GameCard(
        encounter, version, tuple(told), row.turn, activated(encounter), wait, people, over_ms, at_ms
    )


def side_acting(card: GameCard) -> SideRow | None:
    """Return the side that acts; None where there are several, or none."""
    return _side(card.encounter, card.activated, ())


def side_waited_for(card: GameCard) -> SideRow | None:
    """Return the side of the model, the name or the players in the wait."""
    sides, wait = card.encounter.sides(), card.wait
    matching_sides = (
        side for side in sides if wait and (side.id == wait.side if wait.side else side.name == wait.whom)
    )
    return next(matching_sides, None) or _side(card.encounter, (), card.people)


def _side(encounter: Encounter, models: Collection[int], people: Collection[int]) -> SideRow | None:
    """Return the one side of these models, else of these players; None where there are several."""
    sides = {model.side for model in encounter.models(gone=True) if model.id in models}
    if len(sides) != 1:
        sides = {seat.side for seat in encounter.players() if seat.user_id in people and seat.side}
    return encounter.side(sides.pop()) if len(sides) == 1 else None


def _build_live(card: GameCard, since: int) -> Reply:
    encounter = card.encounter
    results = [results for results in card.told if results.entry >= since]
    newest_reply = results[-1].reply() if results else Reply(())
    plain_panel = game_of(encounter).panel(encounter)
    panel = add_action_buttons(encounter, plain_panel, card.version)
    asked_lines = panel.lines[: len(panel.lines) - len(plain_panel.lines)]
    acting_side, waited_for_side = side_acting(card), side_waited_for(card)
    side, next_side = acting_side or waited_for_side, waited_for_side or acting_side
    block_lines, state = _split_blocks(plain_panel.lines)
    lines = [*(line for line in newest_reply.lines if not isinstance(line, State | Next)), *block_lines]
    next_lines = [*opening(encounter, waits, card.version), *asked_lines, *list_open_questions(encounter)]
    if card.changes_ms:
        next_lines.append(f"The time to react ends <t:{-(-card.changes_ms // 1000)}:R>.")
    if next_side is not None and next_lines:
        next_lines[0] = f"{SHAPES[(next_side.id - 1) % len(SHAPES)]} {next_side.name}. {next_lines[0]}"
    lines += map(Next, dict.fromkeys(next_lines))
    panel = replace(panel, buttons=(*_time_up(card), *panel.buttons))
    buttons, menus = _choose_controls(newest_reply, panel, game_of(encounter).likely)
    views = _build_views(card)
    buttons = _name_who_can_press(card, views, _keep_possible(views, buttons))
    menus = [
        replace(menu, prompt=named_button.label)
        for menu in menus
        for named_button in _name_who_can_press(
            card, views, [Button(menu.prompt, menu.action, asks=True)], _make_choice_buttons(menu)
        )
    ]
    return Reply(
        (*lines, *_format_state(state, results[:-1])),
        buttons=tuple(buttons),
        menus=tuple(menus),
        files=newest_reply.files,
        side=side.id if side is not None else 0,
    )


def _time_up(card: GameCard) -> list[Button]:
    """Return the button that goes on without those who didn't react in time, once their time is over."""
    wait = waits(card.encounter) if card.over_ms and not card.changes_ms else None
    return [Button("Time is up", wait.limit.action)] if wait is not None and wait.limit is not None else []


def _split_blocks(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the lines of code blocks and columns, and the other lines."""
    block_lines: list[str] = []
    other_lines: list[str] = []
    in_fence = False
    for line in lines:
        in_fence ^= line.startswith(FENCE)
        (
            block_lines if in_fence or line.startswith(FENCE) or isinstance(line, Column) else other_lines
        ).append(line)
    return block_lines, other_lines


def _format_state(panel: Sequence[str], results: Sequence[CardResult]) -> Iterator[State]:
    """Return the state in two or three small lines: the turn, the rest, and the results before this one."""
    first_line, *other_lines = [line.strip() for line in panel] or [""]
    if first_line:
        yield State(first_line)
    if other_lines:
        yield State(_shorten(" · ".join(other_lines)))
    headlines = [headline for result in results if (headline := result.lines[0])]
    if headlines:
        distinct_headlines = [headline for headline, _ in groupby(headlines)]
        yield State(_shorten(f"Before: {' · '.join(distinct_headlines[-MAX_EARLIER_RESULTS:])}"))


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_STATE_LENGTH else f"{text[:MAX_STATE_LENGTH]} …"


# ------------------------------------------------------------------------------------ what can be pressed


def _choose_controls(
    newest_reply: Reply, panel: Reply, likely_commands: Sequence[str]
) -> tuple[list[Button], list[Menu]]:
    """Return the buttons of the newest result, then those of the panel, each once.

    likely_commands: those of the acting model's actions, which give way first: `More...` leads to them.
    """
    menus = [*newest_reply.menus]
    prompts = {menu.prompt for menu in menus}
    menus += [menu for menu in panel.menus if menu.prompt not in prompts]
    name_buttons, menus = _split_name_menu(menus)
    answer_buttons = [button for button in newest_reply.buttons if not button.beside]
    beside_buttons = [button for button in newest_reply.buttons if button.beside]
    panel_buttons: list[Button] = []
    for button in panel.buttons:
        if all(_differs(button, other) for other in (*name_buttons, *newest_reply.buttons, *panel_buttons)):
            panel_buttons.append(button)
    choices = len(name_buttons) + len(answer_buttons)
    room = (
        MAX_CONTROLS
        - len(beside_buttons)
        - len(menus)
        - bool(name_buttons)
        - min(len(answer_buttons), MAX_ANSWER_BUTTONS)
    )
    while room and choices + room + -(-(choices + room) // MAX_IN_ROW) > MAX_COMPONENTS - 2 * len(menus):
        room -= 1
    return [
        *name_buttons,
        *beside_buttons,
        *answer_buttons,
        *_drop_to_fit(panel_buttons, room, likely_commands),
    ], menus


def _differs(button: Button, other: Button) -> bool:
    """Return whether two buttons do different things."""
    if button.label == other.label:
        return False
    if (button.action.command, button.asks, button.form) != (other.action.command, other.asks, other.form):
        return True
    return raw_of(button.action) != raw_of(other.action)


def _drop_to_fit(buttons: Sequence[Button], room: int, likely_commands: Sequence[str]) -> list[Button]:
    """Return as many buttons as fit, dropping first those that are also behind `More...`."""
    kept_buttons = list(buttons)
    for droppable in (DROPPED_FIRST, likely_commands, ()):
        for button in reversed(buttons):
            is_droppable = (
                button.action.command in droppable if droppable else button.action.command not in DROPPED_LAST
            )
            if (
                len(kept_buttons) > room
                and is_droppable
                and button.style == "plain"
                and button in kept_buttons
            ):
                kept_buttons.remove(button)
    return kept_buttons[:room]


def _split_name_menu(menus: Sequence[Menu]) -> tuple[list[Button], list[Menu]]:
    """Return the first short menu of names as buttons, and the other menus."""
    for menu in menus:
        are_few = len(menu.choices) <= MAX_NAME_BUTTONS and menu.least == menu.most == 1 and not menu.asks
        if are_few and menu.named:
            return [_named(menu, choice) for choice in menu.choices], [
                other for other in menus if other is not menu
            ]
    return [], list(menus)


def _named(menu: Menu, choice: Choice) -> Button:
    label = f"{choice.label} ({choice.note})" if choice.note else choice.label
    action = with_text(menu.action, {menu.fills: (choice.value,)})
    return Button(label, action, anytime=menu.anytime)


STRANGER_ID = 0
"""The number of a person who has no seat, and may take one."""


def _build_views(card: GameCard) -> Mapping[int, Looking]:
    """Return the game as each person sees it: the players that are waited for first, then those who may do
    what these may not.
    """
    row, names = card.encounter.row, {seat.user_id: seat.name for seat in card.encounter.players()}
    people = dict.fromkeys((*card.people, *names, *row.organisers, STRANGER_ID))
    return {
        person: Looking(
            card.encounter.book, Actor(person, names.get(person, ""), row.guild_id, row.channel_id)
        )
        for person in people
    }


def _keep_possible(views: Mapping[int, Looking], buttons: Sequence[Button]) -> list[Button]:
    """Leave out the buttons that no one may press now."""
    people = views.values()
    return [
        button
        for button in buttons
        if not _may_be_refused(button) or any(looking.objection(button) is None for looking in people)
    ]


def _may_be_refused(button: Button) -> bool:
    """Return whether a button belongs to how the game stands now, and the game alone knows who may press
    it.
    """
    command = button.action.command
    is_fixed = (button.anytime and not _is_of_dice(command)) or button.form or button.disabled
    return not is_fixed and _is_of_the_game(command)


def _is_of_dice(command: str) -> bool:
    return command in HANDLERS and HANDLERS[command].place is Place.DICE


def _is_of_the_game(command: str) -> bool:
    handler = HANDLERS.get(command)
    return handler is not None and handler.place in GAME_PLACES


def _make_choice_buttons(menu: Menu) -> list[Button]:
    """Return each choice of a menu as a button, or nothing if several are chosen or a form comes next."""
    is_single = menu.most == 1 and not menu.asks
    return [
        Button(choice.label, with_text(menu.action, {menu.fills: (choice.value,)}))
        for choice in menu.choices
        if is_single
    ]


def _name_who_can_press(
    card: GameCard, views: Mapping[int, Looking], buttons: Sequence[Button], choices: Sequence[Button] = ()
) -> list[Button]:
    """Add the names of the only players who can press a button to its label, if a waited-for player cannot.

    One button is lit. Before the game begins, each player has one. choices: those of a menu, of which one
    that may be pressed is enough.
    """
    players = {seat.user_id: seat.name for seat in card.encounter.players()}
    named_buttons, lit_for = list[Button](), set[tuple[str, ...]]()
    for button in buttons:
        able_names = _find_able_names(card, players, views, button, choices or [button])
        button = (for_others if card.people else named_for)(button, able_names)
        if button.style == "main":
            is_second = able_names in lit_for or () in lit_for
            button = replace(button, style="plain") if is_second else button
            lit_for.add(able_names)
        named_buttons.append(button)
    return named_buttons


def _find_able_names(
    card: GameCard,
    players: Mapping[int, str],
    views: Mapping[int, Looking],
    button: Button,
    choices: Sequence[Button],
) -> tuple[str, ...]:
    """Return the names of the only players who can press a button, or none if every waited-for player can."""
    if not card.people and owner_of(button.action.command).role not in (Role.MODEL, Role.SIDE, Role.PLAYER):
        return ()
    for is_refused in (_is_anothers, _is_button_refused):
        refused_people = {
            person
            for person in (*card.people, *players)
            if all(is_refused(views[person], choice) for choice in choices)
        }
        if card.people and refused_people.isdisjoint(card.people):
            continue
        able_names = tuple(name for person, name in players.items() if person not in refused_people)
        if not able_names and not all(
            is_refused(views[organiser_id], choice)
            for organiser_id in card.encounter.row.organisers
            for choice in choices
        ):
            return (organiser_of(card.encounter),)
        if able_names and len(able_names) < len(players):
            return able_names
    return ()


def _is_anothers(looking: Looking, button: Button) -> bool:
    """Return whether a button is another person's decision."""
    if button.form is OVERRIDE_FORM:
        return not looking.act(button.action).is_organiser
    if not _is_of_the_game(button.action.command):
        return False
    objection = looking.objection(replace(button, asks=button.asks or bool(button.form)))
    return objection is not None and objection.is_anothers


def _is_button_refused(looking: Looking, button: Button) -> bool:
    """Return whether a button is refused to a person, whatever is filled in."""
    action = button.action
    if button.disabled or not _is_of_the_game(action.command):
        return False
    if button.form is not None:
        return _is_hopeless(looking, action, {blank.name for blank in button.form.blanks})
    return looking.objection(button) is not None


def _is_hopeless(looking: Looking, action: Action, blanks: Collection[str]) -> bool:
    """Return whether an action is refused whatever is filled into these fields."""
    if HANDLERS[action.command].beforehand is not None:
        return bool(looking.barred(action))
    return bool(looking.hopeless(action, blanks))


# ------------------------------------------------------------------------------------ shown in private


GAME_PLACES = (Place.ENCOUNTER, Place.DICE, Place.HISTORY)
"""Where an action is refused once the game has moved on, or moved away, since its control was shown."""


def filter_open_choices(
    looking: Looking, scope: Scope, tag: Tag, choices: Sequence[str], *, allows_several: bool = False
) -> Sequence[str]:
    """Return which choices of a control that was shown to this person alone would not be refused now.

    choices: "" alone for a button. allows_several: of a menu in which more than one may be chosen at once.
    """
    action, handler = tag.action, HANDLERS.get(tag.action.command)
    if handler is not None and handler.place is Place.NEW_ENCOUNTER:
        return [] if _is_running_here(looking) else choices
    if handler is None or handler.place not in GAME_PLACES or tag.scope not in (0, scope.id):
        return choices
    row = looking.act(action).encounter.row
    is_elsewhere = row.status != ENDED and row.channel_id != looking.actor.channel_id
    if is_elsewhere or (tag.version >= 0 and not scope.moved <= tag.version <= scope.version):
        return []
    if isinstance(action, Undo) and 0 < action.entry < scope.moved:
        return []
    if isinstance(action, Draft):
        return list_open_choices(looking, action, choices)
    if allows_several:
        return [] if _is_refused(looking, tag, "", row.status) else choices
    return [choice for choice in choices if not _is_refused(looking, tag, choice, row.status)]


def _is_running_here(looking: Looking) -> bool:
    """Return whether a game is running where this person looks at it, so that no other can begin there."""
    row = looking.act(WhatNow()).encounter.row
    return row.status != ENDED and row.channel_id == looking.actor.channel_id


def _is_refused(looking: Looking, tag: Tag, choice: str, status: str) -> bool:
    """Return whether a choice is refused, whatever is filled in after it; "" is the control itself."""
    action = tag.action
    if choice and tag.part == ASK and isinstance(action, WhatNow):
        action = make_action(action, ACTIONS.get(choice, WhatNow))
    elif choice:
        action = with_text(action, {tag.part: (choice,)})
    if not _is_of_the_game(action.command):
        return False
    only_shows = action.looks or owner_of(action.command).role is Role.ANYONE
    if status == ENDED and not only_shows:
        return True
    if tag.part.startswith(FORM):
        form = FORMS.get(tag.part.removeprefix(FORM))
        return form is None or _is_hopeless(looking, action, {blank.name for blank in form.blanks})
    if HANDLERS[action.command].beforehand is not None:
        return bool(looking.barred(action))
    if tag.part == ASK and (not choice or isinstance(tag.action, WhatNow)):
        return looking.refused_first(looking.legal(type(action), raw_of(action)), raw_of(action))
    is_begun = tag.part == ASK or (bool(tag.part) and not choice)
    is_safe = only_shows and (action.looks or not HANDLERS[action.command].system)
    return looking.objection(Button("", action, asks=is_begun or is_safe)) is not None
