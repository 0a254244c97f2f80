"""A player's own list becomes a crew: it is read, shown as it was understood, asked about, then kept.

Until then it is a crew of status `draft`, which only its owner sees.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.lists.entries import ReadList, from_json
from bot.lists.reader import read_text
from bot.lookalikes import look_of
from bot.replies.reply import FORMS, Blank, Button, Choice, Menu, Question, Reply, form
from bot.store.book import Book
from bot.store.rows import CrewRow, MemberRow
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.bringing.recognition import (
    AFFILIATION,
    CUSTOM,
    LEFT_OUT,
    TAKEN,
    Catalogue,
    Recognised,
    block_text,
    catalogue_of,
    drop_heading_entries,
    is_called,
    models_in,
    recognise,
    recognise_game,
    rows_of,
)
from bot.table.game import GAMES, SECRET_CREWS, Game, Types, game
from bot.table.handlers import Place, handles
from bot.table.journal.history import SHOWN_AFTER, UNDO
from bot.table.names import MAX_NAME_LENGTH, check_name, find_free_name, plain
from bot.table.rosters.builder import BuildCrew, usual_block
from bot.table.rosters.crew_state import DRAFT, LIMIT, limit_of
from bot.table.rosters.crews import (
    KEPT,
    MAX_CREWS,
    MAX_FORM_LENGTH,
    MAX_MEMBERS,
    Around,
    ImportCrew,
    OfYourCrew,
    around,
    counted,
    points,
)
from bot.table.rosters.gate import find_faults
from bot.table.rosters.muster import crew_format_of, list_first_faults
from bot.table.session.encounters import build_play_buttons
from rules.refusals import InvalidInput
from rules.wording import join_with_and, possessive, times

LIST, ANSWERS, LEADER = f"{DRAFT} list", f"{DRAFT} answers", f"{DRAFT} leader"
"""Traits of a crew that is being brought: the list, what was answered about it, who leads."""

DRAFTED = "draft"
MAX_SHOWN = 40
"""Models of a list that are shown one by one."""

MAX_UNREAD = 8

NAME_FORM = form("crew.list.name", "Name the crew", Blank("name", "Name", longest=MAX_NAME_LENGTH))


@dataclass(frozen=True, slots=True)
class ChooseListGame(OfYourCrew):
    """Choose the game that the list is for."""

    command = "crew.list.game"

    system: str = ""


@dataclass(frozen=True, slots=True)
class TakeModel(OfYourCrew):
    """Choose the statblock of an entry of the list.

    place: of the entry, from 0. name: empty to leave it out.
    """

    command = "crew.list.take"

    place: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class FillModel(OfYourCrew):
    """Type the statblock of an entry of the list."""

    command = "crew.list.fill"

    place: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReviewModel(OfYourCrew):
    """Ask again which statblock an entry of the list is."""

    command = "crew.list.review"

    place: int = 0


@dataclass(frozen=True, slots=True)
class LeadList(OfYourCrew):
    """Choose the leader of the list."""

    command = "crew.list.lead"

    place: int = 0


@dataclass(frozen=True, slots=True)
class NameList(OfYourCrew):
    """Name the crew that the list becomes."""

    command = "crew.list.name"

    name: str = ""


@dataclass(frozen=True, slots=True)
class KeepList(OfYourCrew):
    """Make the list a crew."""

    command = "crew.list.keep"


@dataclass(frozen=True, slots=True)
class DiscardList(OfYourCrew):
    """Discard the list."""

    command = "crew.list.discard"


def make_fill_forms(games: Iterable[Game]) -> None:
    """Make the form in which a statblock of each game is filled in, with a usual one to begin from."""
    for played in games:
        if isinstance(played, Types) and _fill_key(played) not in FORMS:
            blank = Blank("text", "Model", usual_block(played), MAX_FORM_LENGTH, lines=True, as_typed=True)
            form(_fill_key(played), "Enter the model's stats", blank)


def _fill_key(played: Game) -> str:
    return f"crew.list.fill.{played.key}"


# ------------------------------------------------------------------------------------ read


@handles(ImportCrew, Place.NEW_CREW, beforehand=around, threaded=True)
def import_crew(act: Act, action: ImportCrew) -> Reply:
    """Read the list, and show what was understood; no crew is kept yet."""
    if not action.file and not action.text:
        raise InvalidInput("Attach your list as a file, or paste it as text.")
    if action.file and action.text:
        raise InvalidInput("Send either a file or text, not both.")
    army = read_text(action.file or action.text)
    facts: Around = act.extra
    if sum(owner == act.actor.user_id for *_, owner in facts.crews) >= MAX_CREWS:
        raise InvalidInput(f"Delete a crew first; you already have {MAX_CREWS} crews.")
    system = recognise_game(army, facts.blocks)
    crew = CrewRow(act.book.scope, act.actor.guild_id, act.actor.user_id, system, "", DRAFTED)
    crew.traits = {LIST: army.to_json(), ANSWERS: "{}", LIMIT: str(action.limit)}
    crew.name = check_name(action.name, "crew's name") if action.name else ""
    if system:
        _enter(act, crew, army)
    act.book.add(crew)
    return _as_it_stands(act.extra, crew)


def _enter(act: Act, crew: CrewRow, army: ReadList) -> None:
    """Set the crew's name and traits from the list."""
    catalogue = catalogue_of(crew.system, act.extra.blocks)
    army = drop_heading_entries(army, catalogue)
    crew.traits[LIST] = army.to_json()
    title, models = models_in(army, catalogue)
    count = sum(model.count for model in models)
    if count > MAX_MEMBERS:
        raise InvalidInput(
            f"Shorten the list; a crew can have at most {MAX_MEMBERS} models (this list has {count})."
        )
    crew.name = crew.name or _usable(title) or _usable(f"{possessive(act.actor.name)} crew") or "Crew"
    rules = crew_format_of(crew.system)
    keys = [key for key, _ in rules.traits()]
    faction = {AFFILIATION: army.faction} if army.faction and AFFILIATION in keys else {}
    is_other = bool(army.game) and not is_called(crew.system, army.game)
    unknown = [f"the name of the game ({plain(army.game, 60)})"] if is_other else []
    for key, text in {**faction, **army.traits}.items():
        try:
            if key not in keys:
                raise InvalidInput(f"There is no trait {key} in this game.")
            crew.traits |= {name: text for name, text in rules.trait(key, text).items() if text}
        except InvalidInput:
            unknown.append(f"{plain(key, 30)} ({plain(text, 60)})")
    if unknown:
        crew.traits[UNKNOWN_TRAITS] = "; ".join(unknown)


UNKNOWN_TRAITS = f"{DRAFT} unknown"
"""Trait of a crew that is being brought: what the list says of it that the game doesn't know."""


def _usable(title: str) -> str:
    text = plain(title, MAX_NAME_LENGTH)
    try:
        return check_name(text, "crew's name")
    except InvalidInput:
        return "".join(sign for sign in text if sign.isalnum() or sign in " -'").strip()


# ------------------------------------------------------------------------------------ shown


def _draft(act: Act) -> CrewRow:
    """Return the list that is being imported. Raises InvalidInput, NotAllowed."""
    crew = act.book.get(CrewRow)
    if crew is None or crew.status != DRAFTED:
        raise InvalidInput(
            "This list has already been saved or discarded. Import it again with /crew import."
        )
    if crew.owner_id != act.actor.user_id:
        raise NotAllowed("Only the person who imported this list can do that.")
    return crew


@dataclass
class _Draft:
    """A list as it stands: what was read, and what each of its models is."""

    crew: CrewRow
    read: ReadList
    catalogue: Catalogue
    models: list[Recognised]

    @property
    def open(self) -> list[int]:
        """Return the places of the models that are still to be answered."""
        return [place for place, recognised in enumerate(self.models) if recognised.is_open]

    @cached_property
    def leaders(self) -> list[int]:
        """Return the places of the models that may lead; [] if the list names a leader or needs none."""
        if self.open or any(model.entry.leader for model in self.models):
            return []
        wanting = self._wanting(None)
        places = [place for place, recognised in enumerate(self.models) if recognised.statblock]
        return [place for place in places if self._wanting(place) < wanting]

    @cached_property
    def leader(self) -> int | None:
        """Return the place of the leader that the list doesn't name: the one chosen, or the only one."""
        leader_id = self.crew.traits.get(LEADER)
        if leader_id:
            return int(leader_id)
        return self.leaders[0] if len(self.leaders) == 1 else None

    @cached_property
    def rows(self) -> list[MemberRow]:
        """Return the members that the crew would have."""
        return list(rows_of(self.crew.scope, self.models, self.leader))

    @property
    def faults(self) -> Sequence[str]:
        """Return the faults that make the crew illegal."""
        return find_faults(self.crew, self.rows)

    def _wanting(self, leader: int | None) -> int:
        """Count what is wrong, and what is still to be chosen: a Lieutenant may be named at the table too."""
        rows = list(rows_of(self.crew.scope, self.models, leader))
        return len(find_faults(self.crew, rows)) + len(game(self.crew.system).crew_lines(self.crew, rows))


def _understood(facts: Around, crew: CrewRow) -> _Draft:
    army, catalogue = from_json(crew.traits[LIST]), catalogue_of(crew.system, facts.blocks)
    answers = {int(place): text for place, text in json.loads(crew.traits[ANSWERS]).items()}
    models = recognise(crew, models_in(army, catalogue)[1], catalogue, answers)
    return _Draft(crew, army, catalogue, models)


def _as_it_stands(facts: Around, crew: CrewRow) -> Reply:
    """Return the list as it is understood, or the question which game it is for."""
    return _list_reply(_understood(facts, crew)) if crew.system else _asks_game(crew)


async def _after_undo(store: Store, book: Book, actor: Actor, *, pressed: bool) -> Reply | None:
    """Return the list after an answer was undone or redone."""
    crew = book.get(CrewRow)
    if crew is None or crew.status != DRAFTED or crew.owner_id != actor.user_id:
        return None
    facts = await around(store, actor, KeepList(crew.scope))
    return await asyncio.to_thread(_as_it_stands, facts, crew)


SHOWN_AFTER.append(_after_undo)


def _list_reply(draft: _Draft, asked_place: int | None = None) -> Reply:
    """Return the list as it is understood. asked_place: the place of the model that is asked about again."""
    crew = draft.crew
    place = asked_place if asked_place is not None else next(iter(draft.open), None)
    lines = [_headline(draft), *_lines(draft)]
    buttons: list[Button] = []
    if place is not None:
        lines.append(Question(f"Which model is {_display_name(draft.models[place])}?"))
        buttons += _ways(draft, place)
    elif draft.rows:
        lines += list_first_faults(draft.faults)
        buttons.append(Button("Save the crew", KeepList(crew.scope), "main", anytime=True))
    if draft.crew.traits[ANSWERS] != "{}":
        buttons.append(UNDO)
    buttons.append(Button("Rename...", NameList(crew.scope), anytime=True, form=NAME_FORM))
    buttons.append(Button("Discard", DiscardList(crew.scope), "danger", anytime=True))
    return Reply(tuple(lines), private=True, buttons=tuple(buttons), menus=_menus(draft), replaces=True)


def _asks_game(crew: CrewRow) -> Reply:
    games = (
        Button(played.name, ChooseListGame(crew.scope, key), anytime=True) for key, played in GAMES.items()
    )
    count = len(from_json(crew.traits[LIST]).entries)
    count_line = "1 entry was read." if count == 1 else f"{count} entries were read."
    lines = (count_line, Question("Which game is this list for?"))
    return Reply(lines, private=True, buttons=tuple(games), replaces=True)


def _headline(draft: _Draft) -> str:
    rows, name = draft.rows, draft.crew.name
    worth = f", {times(points(rows), 'point')}" if points(rows) else ""
    listed_points = draft.read.points
    differs = f" ({listed_points} in the list)" if listed_points not in (None, points(rows)) else ""
    models = times(len(rows), "model")
    return f"{name} ({game(draft.crew.system).name}): {models}{worth}{differs}. Nothing has been saved yet."


def _lines(draft: _Draft) -> list[str]:
    shown_models = draft.models[:MAX_SHOWN]
    lines = [_line(recognised, leads=place == draft.leader) for place, recognised in enumerate(shown_models)]
    if len(draft.models) > MAX_SHOWN:
        lines.append(f"And {times(len(draft.models) - MAX_SHOWN, 'more model')}.")
    lines += [
        f"Note: {note}." for note in dict.fromkeys(note for model in draft.models for note in model.notes)
    ]
    traits = crew_format_of(draft.crew.system).told(draft.crew.traits)
    lines += [f"{key.capitalize()}: {text}." for key, text in traits.items() if text]
    unread = [plain(text, 80) for text in draft.read.unread]
    unread += [draft.crew.traits[UNKNOWN_TRAITS]] if UNKNOWN_TRAITS in draft.crew.traits else []
    if unread:
        more_words = f" and {len(unread) - MAX_UNREAD} more" if len(unread) > MAX_UNREAD else ""
        lines.append(f"Not used from this list: {'; '.join(unread[:MAX_UNREAD])}{more_words}.")
    return lines


def _line(recognised: Recognised, *, leads: bool = False) -> str:
    count = f"{recognised.entry.count}x " if recognised.entry.count > 1 else ""
    if recognised.is_left_out:
        return f"Left out: {count}{_display_name(recognised)}"
    if recognised.is_open:
        worn = (
            f", with {plain(', '.join(recognised.entry.equipment), 80)}" if recognised.entry.equipment else ""
        )
        return f"Not recognised: {count}{_display_name(recognised)}{worn}. {recognised.why}"
    typed_name = plain(recognised.entry.called, MAX_NAME_LENGTH)
    own_name = plain(recognised.entry.name, MAX_NAME_LENGTH) if recognised.how == "custom" else ""
    name = typed_name or own_name or recognised.statblock
    kind = f" ({recognised.statblock})" if name != recognised.statblock else ""
    leader = ", leader" if recognised.entry.leader or leads else ""
    equipment = f", with {', '.join(recognised.added)}" if recognised.added else ""
    worth = f": {times(recognised.points, 'point')}" if recognised.points else ""
    each_word = " each" if count and recognised.points else ""
    question = (
        f" (you wrote {_display_name(recognised)})"
        if recognised.how in ("short", "misspelled", "chosen")
        else ""
    )
    custom = " (custom)" if recognised.how == "custom" else ""
    remark = recognised.entry.note or recognised.entry.group
    note = f". Note: {plain(remark, 60)}" if remark else ""
    return f"{count}{name}{kind}{custom}{leader}{equipment}{worth}{each_word}{question}{note}"


def _display_name(recognised: Recognised) -> str:
    entry = recognised.entry
    return plain((entry.called if entry.kind == "member" else entry.name) or entry.written, MAX_NAME_LENGTH)


def _ways(draft: _Draft, place: int) -> list[Button]:
    """Return the buttons for an entry: the likeliest names, a statblock to fill in, leaving it out."""
    crew, recognised, played = draft.crew, draft.models[place], draft.catalogue.played
    costs = {block.name: block.points for block in draft.catalogue.blocks}
    buttons = [
        Button(
            f"{name}, {costs[name]}" if costs[name] else name,
            TakeModel(crew.scope, place, name),
            anytime=True,
        )
        for name in recognised.candidates
    ]
    if isinstance(played, Types):
        fill = FORMS.get(_fill_key(played))
        facts = FillModel(crew.scope, place, block_text(recognised.entry))
        buttons.append(Button("Enter stats...", facts, anytime=True, form=fill))
    return [*buttons, Button("Leave this entry out", TakeModel(crew.scope, place), anytime=True)]


def _menus(draft: _Draft) -> tuple[Menu, ...]:
    choices = tuple(
        Choice(_line(recognised)[:100], str(place)) for place, recognised in enumerate(draft.models)
    )
    prompt = "Change the model of an entry"
    leads = tuple(choices[place] for place in draft.leaders) if len(draft.leaders) > 1 else ()
    first = (
        [Menu("Choose the leader", LeadList(draft.crew.scope), "place", leads[:25], anytime=True)]
        if leads
        else []
    )
    choice_groups = [choices[first : first + 25] for first in range(0, len(choices), 25)][:2]
    others = (
        Menu(prompt, ReviewModel(draft.crew.scope), "place", menu_choices, anytime=True)
        for menu_choices in choice_groups
    )
    return (*first, *others)


# ------------------------------------------------------------------------------------ answered


@handles(ChooseListGame, Place.CREW, beforehand=around, threaded=True)
def choose_game(act: Act, action: ChooseListGame) -> Reply:
    """Choose the list's game."""
    crew = _draft(act)
    crew.system = game(action.system).key
    crew.traits[ANSWERS] = "{}"
    _enter(act, crew, from_json(crew.traits[LIST]))
    return _list_reply(_understood(act.extra, crew))


def _answered(act: Act, place: int, text: str) -> _Draft:
    """Store what an entry is, and return the updated list. Raises InvalidInput, NotAllowed."""
    crew = _draft(act)
    answers = json.loads(crew.traits[ANSWERS]) | {str(place): text}
    crew.traits.pop(LEADER, None)
    crew.traits[ANSWERS] = json.dumps(answers, ensure_ascii=False)
    draft = _understood(act.extra, crew)
    _require_place(draft, place)
    return draft


def _require_place(draft: _Draft, place: int) -> None:
    if not 0 <= place < len(draft.models):
        raise InvalidInput("Choose one of the models in this list.")


@handles(TakeModel, Place.CREW, beforehand=around, threaded=True)
def take_model(act: Act, action: TakeModel) -> Reply:
    """Match an entry with a statblock, or leave it out."""
    if not action.name:
        return _list_reply(_answered(act, action.place, LEFT_OUT))
    names = catalogue_of(_draft(act).system, act.extra.blocks).names
    if action.name not in names:
        raise InvalidInput(
            f"{plain(action.name, MAX_NAME_LENGTH)} isn't a model in this game. Choose another."
        )
    return _list_reply(_answered(act, action.place, TAKEN + action.name))


@handles(FillModel, Place.CREW, beforehand=around, threaded=True)
def fill_model(act: Act, action: FillModel) -> Reply:
    """Enter your own statblock for an entry, unless it can't be read."""
    draft = _answered(act, action.place, CUSTOM + action.text)
    recognised = draft.models[action.place]
    if recognised.is_open:
        raise InvalidInput(recognised.why)
    return _list_reply(draft)


@handles(ReviewModel, Place.CREW, beforehand=around, threaded=True)
def review_model(act: Act, action: ReviewModel) -> Reply:
    """Ask about an entry, whatever it is now."""
    draft = _understood(act.extra, _draft(act))
    _require_place(draft, action.place)
    return _list_reply(draft, action.place)


@handles(LeadList, Place.CREW, beforehand=around, threaded=True)
def lead_list(act: Act, action: LeadList) -> Reply:
    """Choose the leader, as far as the game allows."""
    crew = _draft(act)
    if action.place not in _understood(act.extra, crew).leaders:
        raise InvalidInput("Choose another leader. That model can't lead this crew.")
    crew.traits[LEADER] = str(action.place)
    return _list_reply(_understood(act.extra, crew))


@handles(NameList, Place.CREW, beforehand=around, threaded=True)
def name_list(act: Act, action: NameList) -> Reply:
    """Name the crew."""
    crew = _draft(act)
    crew.name = check_name(action.name, "crew's name")
    return _as_it_stands(act.extra, crew)


@handles(DiscardList, Place.CREW, beforehand=around)
def discard(act: Act, action: DiscardList) -> Reply:
    """Discard the list, leaving only its steps, which undo takes back."""
    crew = _draft(act)
    crew.status, crew.traits = "discarded", {}
    return Reply(("The list was discarded, and no crew was saved.",), private=True, replaces=True)


# ------------------------------------------------------------------------------------ kept


@handles(KeepList, Place.CREW, beforehand=around, threaded=True)
def keep(act: Act, action: KeepList) -> Reply:
    """Save the draft as a crew with all its members, once no question is open."""
    crew, facts = _draft(act), act.extra
    if not crew.system:
        raise InvalidInput("First choose which game this list is for.")
    draft = _understood(act.extra, crew)
    if draft.open:
        names = join_with_and([_display_name(draft.models[place]) for place in draft.open])
        raise InvalidInput(f"First choose a statblock for {names}.")
    rows, faults = draft.rows, draft.faults
    if not rows:
        raise InvalidInput("This list has no models left. Import another one with /crew import.")
    wanted_name = crew.name
    crew.name = find_free_name(wanted_name, [name for _, name, _, _ in facts.crews])
    crew.status = KEPT
    kept_traits = {key: text for key, text in crew.traits.items() if not key.startswith(DRAFT)}
    crew.traits = kept_traits | ({LIMIT: str(limit_of(crew))} if limit_of(crew) else {})
    for row in rows:
        act.book.add(row)
    plays = build_play_buttons(crew, facts) if not faults else ()
    renamed = (
        [f"It has a new name because there is already a crew called {wanted_name}."]
        if look_of(crew.name) != look_of(wanted_name)
        else []
    )
    return Reply(
        (f"{crew.name} is saved ({counted(rows)[:-1]}).", *renamed, *list_first_faults(faults)),
        private=crew.system in SECRET_CREWS,
        buttons=(*plays, Button("Build...", BuildCrew(crew.scope), anytime=True), UNDO),
    )
