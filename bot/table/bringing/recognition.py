"""Finds what a neutral list means in a game: its statblocks and equipment, and the differences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from bot.lists.entries import ListEntry, ReadList
from bot.lists.lines import read_entry
from bot.lists.names import Match, begins_with, is_leader, match, normal
from bot.lists.tables import HEADS, pieces
from bot.store.rows import CrewRow, MemberRow, ProfileRow
from bot.table.game import GAMES, CompletesBlocks, Equips, Game, Types, game
from bot.table.names import MAX_NAME_LENGTH, MAX_NOTE_LENGTH, check_name, find_free_name, plain
from bot.table.rosters.crews import outfit_of, printed
from bot.table.rosters.muster import crew_format_of
from bot.table.rosters.printing import list_carried
from bot.table.rosters.statblocks import Statblock, list_statblocks
from rules.refusals import Forbidden, InvalidInput
from rules.wording import possessive, times

LEFT_OUT = ""
CUSTOM, TAKEN = "!", "="
"""How an answer about an entry begins: a statblock that was typed, or the name of a known one."""

OWN_STATBLOCK_NOTE = "the game's own statblocks are used for its models, not those in the list"

MIN_KNOWN_SHARE = 0.5
"""Share of a list's models that a game must know before the list is read as one of that game."""

AFFILIATION = "affiliation"
"""The trait of a crew that is the faction of a list."""

NOBODYS_CREW = CrewRow(0, 0, 0, "", "")
"""A placeholder crew of the owner while the list's game isn't known yet."""

_COUNTED_NAME = re.compile(r"^(\d{1,2})\s*[x×]\s*(.+)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recognised:
    """One entry as it is understood.

    statblock: the name of what it is, empty if it is still open. how: how the name was found. profile,
    points: of one such model with its equipment. added: equipment beyond the printed. notes: what differs
    from the list. candidates: likeliest names. why: what is missing while it is open.
    """

    entry: ListEntry
    statblock: str = ""
    how: str = ""
    profile: str = ""
    points: int = 0
    added: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    why: str = ""
    is_left_out: bool = False

    @property
    def is_open(self) -> bool:
        """Return whether the person still has to choose what the entry is."""
        return not self.statblock and not self.is_left_out


@dataclass
class Catalogue:
    """The statblocks and the equipment that crews of a game can take, the server's own included."""

    played: Game
    blocks: Sequence[Statblock]
    equipment: Sequence[str] = field(default=())

    @cached_property
    def names(self) -> list[str]:
        """Return the names of the statblocks."""
        return [block.name for block in self.blocks]

    def block(self, name: str) -> Statblock:
        """Return the statblock of that name, with its text as printed."""
        return printed(self.played, next(statblock for statblock in self.blocks if statblock.name == name))

    @cached_property
    def exact_names(self) -> dict[str, str]:
        """Return the names of the statblocks by their normal form."""
        return {normal(name): name for name in reversed(self.names)}

    def knows(self, name: str) -> Match:
        """Return which statblock is meant by a name."""
        return match(name, self.names)

    def sells(self, name: str) -> bool:
        """Return whether a name is a piece of equipment."""
        return bool(self.equipment) and match(_COUNTED_NAME.sub(r"\2", name), self.equipment).how == "exact"


def catalogue_of(system: str, rows: Sequence[ProfileRow]) -> Catalogue:
    """Return everything that a crew of a game can take. Raises InvalidInput."""
    played_game = game(system)
    sold_equipment = played_game.equipment() if isinstance(played_game, Equips) else ()
    return Catalogue(played_game, list_statblocks(played_game, rows), sold_equipment)


# ------------------------------------------------------------------------------------ which game


def find_named_game(text: str) -> str:
    """Return the key of the game that a list names; empty if it names none of ours."""
    names = {played_game.name: key for key, played_game in GAMES.items()} | {key: key for key in GAMES}
    result = match(text, tuple(names))
    if result.name:
        return names[result.name]
    return next((key for name, key in names.items() if text and normal(name) in normal(text)), "")


def is_called(system: str, text: str) -> bool:
    """Return whether a game goes by exactly this name."""
    return normal(text) in (normal(system), normal(game(system).name))


def recognise_game(army: ReadList, rows: Sequence[ProfileRow]) -> str:
    """Return the key of the game that a list is of; empty if it can't be told."""
    systems = [key for key in GAMES for entry in army.entries[:1] if is_called(key, entry.name)]
    systems = systems or [
        key for key, played_game in GAMES.items() if normal(played_game.name) in normal(army.title)
    ]
    system = find_named_game(army.game) or ("infinity" if army.form == "infinity" else "".join(systems))
    if system in GAMES:
        return system
    shares: dict[str, float] = {}
    weights = {"exact": 1.0, "short": 0.6, "misspelled": 0.6, "unknown": 0.0}
    for key in GAMES:
        catalogue = catalogue_of(key, rows)
        models = models_in(army, catalogue)[1]
        matches = [(model, _match_name(model, catalogue)[0].how) for model in models]
        hits = [
            weights[certainty] for entry, certainty in matches if certainty == "exact" or not entry.figures
        ]
        without_equipment = replace(catalogue, equipment=())
        custom_entries = [entry for entry, certainty in matches if entry.figures and certainty != "exact"]
        hits += [
            MIN_KNOWN_SHARE
            for entry in custom_entries
            if _recognise_custom(NOBODYS_CREW, entry, without_equipment)
        ]
        shares[key] = sum(hits) / max(len(models), 1)
    best_share = max(shares.values(), default=0)
    likeliest_games = [key for key, share in shares.items() if share == best_share]
    return likeliest_games[0] if len(likeliest_games) == 1 and best_share >= MIN_KNOWN_SHARE else ""


# ------------------------------------------------------------------------------------ which entries


def drop_heading_entries(army: ReadList, catalogue: Catalogue) -> ReadList:
    """Return a list without entries that name its game, its faction or an option of a list builder."""
    rules = crew_format_of(catalogue.played.key)
    keys = [key for key, _ in rules.traits()]
    factions = {normal(rule): rule for rule in rules.values(AFFILIATION)} if AFFILIATION in keys else {}
    title, faction, entries, unread = (army.title, army.faction, list[ListEntry](), list(army.unread))
    title_entry = ListEntry(title, points=army.points, written=title)
    is_title_a_model = army.form in ("text", "infinity") and _is_exact(title_entry, catalogue)
    if is_title_a_model and army.points in (None, catalogue.block(catalogue.knows(title).name).points):
        army, title = replace(army, title="", points=None, entries=(title_entry, *army.entries)), ""
    for entry in army.entries:
        is_bare = entry.count == 1 and not (entry.figures or entry.parts or entry.called)
        if is_bare and is_called(catalogue.played.key, entry.name):
            title = title or next(iter(entry.equipment), "")
        elif is_bare and not (faction or entry.equipment) and normal(entry.name) in factions:
            faction = factions[normal(entry.name)]
        elif entry.kind == "upgrade" and entry.points is None and not _is_model(entry, catalogue):
            unread.append(", ".join((entry.name, *entry.equipment)))
        else:
            entries.append(entry)
    return replace(army, title=title, faction=faction, entries=tuple(entries), unread=tuple(unread))


def models_in(army: ReadList, catalogue: Catalogue) -> tuple[str, list[ListEntry]]:
    """Return the title of a list, and an entry for each of its models: a group isn't a model."""
    title, models = army.title, list[ListEntry]()
    for entry in army.entries:
        group, entries = _models_of_entry(entry, catalogue)
        if group and not title and len(army.entries) == 1:
            title = group
            entries = [replace(entry, group="" if entry.group == group else entry.group) for entry in entries]
        models += entries
    if not title and len(models) > 2 and _may_be_title(models, catalogue):
        title = models.pop(0).name
    known_models = [model for model in models if _is_model(model, catalogue)]
    if len(known_models) > 1 and all(_is_count_the_cost(model, catalogue) for model in known_models):
        models = [
            replace(model, count=1, points=model.count) if model in known_models else model
            for model in models
        ]
    return title, models


def _is_count_the_cost(entry: ListEntry, catalogue: Catalogue) -> bool:
    """Return whether the number before a name is what such a model costs: points written first, no count."""
    name = catalogue.knows(entry.name).name
    return bool(name) and entry.points is None and entry.count == catalogue.block(name).points


def _models_of_entry(entry: ListEntry, catalogue: Catalogue) -> tuple[str, list[ListEntry]]:
    carried_names = [piece for piece in entry.equipment if not is_leader(piece)]
    inner_entries = list[ListEntry]()
    leader = entry.leader or len(carried_names) < len(entry.equipment)
    reversed_name = f"{carried_names[0]} {entry.name}" if carried_names else ""
    if normal(reversed_name) in catalogue.exact_names and not _is_exact(entry, catalogue):
        entry, carried_names = replace(entry, name=reversed_name), carried_names[1:]
    joined_names = re.split(r"\s*[/&+]\s*", entry.name)
    if len(joined_names) > 1 and all(catalogue.knows(name).name for name in joined_names):
        entry, carried_names = replace(entry, name=joined_names[0]), [*joined_names[1:], *carried_names]
    is_model = _is_model(entry, catalogue)
    for part in entry.parts:
        if is_leader(part.name) and part.kind not in ("model", "unit"):
            if inner_entries and not is_model:
                inner_entries[-1] = replace(inner_entries[-1], leader=True)
            else:
                leader = True
        elif part.kind in ("model", "unit") or (
            part.kind != "upgrade"
            and not catalogue.sells(part.name)
            and any(_is_model(entry_part, catalogue) for entry_part in (part, *part.parts))
        ):
            inner_entries.append(part)
        elif inner_entries and not is_model:
            inner_entries[-1] = replace(inner_entries[-1], parts=(*inner_entries[-1].parts, part))
        else:
            carried_names += _names_below(part)
    possible_models = () if entry.kind or entry.figures or catalogue.sells(entry.name) else carried_names
    other_entries = [
        read_entry(text) or ListEntry(text) for text in possible_models if not catalogue.sells(text)
    ]
    all_known = len(other_entries) == len(carried_names) and all(
        catalogue.knows(other.name).name for other in other_entries
    )
    if other_entries and all_known and (is_model or len(other_entries) > 1):
        inner_entries += other_entries
        carried_names = []
    own_entry = replace(entry, equipment=tuple(carried_names), leader=leader, parts=())
    if not inner_entries:
        return "", [own_entry]
    inner_models = [model for part in inner_entries for model in _models_of_entry(part, catalogue)[1]]
    kinds = {catalogue.knows(model.name).name for model in (entry, *inner_models)}
    if entry.parts and len(kinds) == 1 and "" not in kinds:
        return "", [
            replace(model, points=model.points or entry.points, leader=leader) for model in inner_models
        ]
    if entry.kind != "unit" and is_model:
        return "", [own_entry, *inner_models]
    inner_models[0] = replace(
        inner_models[0],
        equipment=(*inner_models[0].equipment, *carried_names),
        leader=inner_models[0].leader or leader,
    )
    return entry.name, [replace(model, group=model.group or entry.name) for model in inner_models]


def _names_below(part: ListEntry) -> list[str]:
    """Return an upgrade's name and everything below it."""
    return [part.name, *part.equipment, *(name for entry in part.parts for name in _names_below(entry))]


def _is_exact(entry: ListEntry, catalogue: Catalogue) -> bool:
    return catalogue.knows(entry.name).how == "exact"


def _is_model(entry: ListEntry, catalogue: Catalogue) -> bool:
    return bool(entry.figures) or catalogue.knows(entry.name).how != "unknown"


def _may_be_title(models: Sequence[ListEntry], catalogue: Catalogue) -> bool:
    first_model, *other_models = models
    is_bare = (
        first_model.count == 1
        and first_model.points is None
        and not (first_model.equipment or first_model.figures or first_model.called or first_model.leader)
    )
    known_count = sum(_is_model(entry, catalogue) for entry in other_models)
    is_known = _is_model(first_model, catalogue) or bool(begins_with(first_model.name, catalogue.names))
    return is_bare and first_model.kind == "" and not is_known and 2 * known_count >= len(other_models)


# ------------------------------------------------------------------------------------ what each is


def recognise(
    crew: CrewRow, models: Sequence[ListEntry], catalogue: Catalogue, answers: Mapping[int, str]
) -> list[Recognised]:
    """Return what each entry is. answers: by the place of the entry, what was said of it."""
    results = [
        _recognise_entry(crew, entry, catalogue, answers.get(place)) for place, entry in enumerate(models)
    ]
    leader_places = [
        place for place, model in enumerate(results) if model.entry.leader and not model.is_left_out
    ]
    for place in leader_places[1:]:
        recognised = results[place]
        note = (
            f"only one model can lead, so {recognised.entry.called or recognised.entry.name} isn't a leader"
        )
        results[place] = replace(
            recognised, entry=replace(recognised.entry, leader=False), notes=(*recognised.notes, note)
        )
    return results


def _recognise_entry(crew: CrewRow, entry: ListEntry, catalogue: Catalogue, answer: str | None) -> Recognised:
    if answer == LEFT_OUT:
        return Recognised(entry, is_left_out=True, candidates=catalogue.knows(entry.name).candidates)
    if answer is not None and answer.startswith(CUSTOM):
        return _recognise_typed_block(crew, entry, catalogue, answer.removeprefix(CUSTOM))
    if answer is not None and answer.removeprefix(TAKEN) in catalogue.names:
        return _recognise_block(crew, entry, catalogue, answer.removeprefix(TAKEN), "chosen")
    if entry.kind == "member":
        return _recognise_member(crew, entry, catalogue)
    result, entry = _match_name(entry, catalogue)
    if entry.figures and result.how != "exact":
        recognised = _recognise_custom(crew, entry, catalogue)
        if recognised is not None:
            return replace(recognised, candidates=result.candidates)
    if result.name:
        figures = [line.partition(":") for line in entry.figures.splitlines()]
        worn_pieces = [
            piece
            for key, _, text in figures
            if key.casefold() in HEADS["equipment"]
            for piece in pieces(text)
        ]
        entry_with_worn = replace(entry, equipment=(*entry.equipment, *worn_pieces))
        recognised = _recognise_block(crew, entry_with_worn, catalogue, result.name, result.how)
        note = (OWN_STATBLOCK_NOTE,) if entry.figures else ()
        return replace(recognised, candidates=result.candidates, notes=(*recognised.notes, *note))
    reason = _parse_block(catalogue.played, block_text(entry), entry.name) if entry.figures else ""
    reason_text = (
        reason if reason and isinstance(reason, str) else f"{catalogue.played.name} has no such model."
    )
    return Recognised(entry, candidates=result.candidates, why=reason_text)


def _match_name(entry: ListEntry, catalogue: Catalogue) -> tuple[Match, ListEntry]:
    """Return the meaning of an entry's name, and the entry with name, statblock and equipment told apart."""
    name_match = catalogue.knows(entry.name)
    if name_match.name:
        return name_match, entry
    for other_name in (entry.called, *entry.equipment):
        if normal(other_name) in catalogue.exact_names:
            other_pieces = tuple(piece for piece in entry.equipment if piece != other_name)
            return catalogue.knows(other_name), replace(entry, called=entry.name, equipment=other_pieces)
    known_beginning = begins_with(entry.name, catalogue.names)
    if known_beginning:
        rest_of_name = " ".join(entry.name.split()[len(known_beginning.split()) :]).strip(" ,-–")
        worn_pieces = [
            worn_piece
            for worn_piece in (*pieces(rest_of_name), *entry.equipment)
            if not is_leader(worn_piece)
        ]
        leader = entry.leader or len(worn_pieces) < len(pieces(rest_of_name)) + len(entry.equipment)
        return Match("exact", known_beginning), replace(entry, equipment=tuple(worn_pieces), leader=leader)
    return name_match, entry


def _recognise_member(crew: CrewRow, entry: ListEntry, catalogue: Catalogue) -> Recognised:
    rules = crew_format_of(crew.system)
    try:
        name = check_name(entry.called or entry.name, "member's name")
        profile, points = (
            rules.from_values(name, entry.values, crew)
            if entry.values
            else rules.from_words(name, entry.words, crew)
        )
    except (InvalidInput, Forbidden) as refusal:
        result = catalogue.knows(entry.name)
        return Recognised(entry, candidates=result.candidates, why=_in_one_line(refusal))
    return Recognised(
        entry, entry.name, "own", profile, points, notes=_points_notes(entry, points, entry.called)
    )


def _recognise_typed_block(crew: CrewRow, entry: ListEntry, catalogue: Catalogue, text: str) -> Recognised:
    entry = replace(entry, figures="\n".join(text.splitlines()[1:]) or text)
    typed_block = _parse_block(catalogue.played, text, _model_name(entry))
    if isinstance(typed_block, str):
        return Recognised(entry, why=typed_block, candidates=catalogue.knows(entry.name).candidates)
    name, profile, points = typed_block
    points, unread_pieces = points or (entry.points or 0) // entry.count, entry.equipment
    note = f"{possessive(name)} equipment is kept as a note ({plain(', '.join(unread_pieces), 80)})"
    notes = (note,) if unread_pieces else ()
    return Recognised(entry, name, "custom", profile, points, unknown=unread_pieces, notes=notes)


def _recognise_custom(crew: CrewRow, entry: ListEntry, catalogue: Catalogue) -> Recognised | None:
    """Return a statblock in the list's own words; None where it isn't one of this game."""
    played_game, sold_equipment = catalogue.played, catalogue.equipment
    text = block_text(entry)
    typed_block = _parse_block(played_game, text, _model_name(entry))
    if isinstance(typed_block, str) and entry.written:
        typed_block = _parse_block(played_game, entry.written, _model_name(entry))
        entry = entry if isinstance(typed_block, str) else replace(entry, equipment=())
    filled_in: Sequence[str] = ()
    if isinstance(typed_block, str) and isinstance(played_game, CompletesBlocks):
        text, filled_in = played_game.completed_block(text)
        typed_block = _parse_block(played_game, text, _model_name(entry))
    if isinstance(typed_block, str):
        return None
    name, profile, points = typed_block
    block = Statblock(name, profile, points)
    carried_equipment = list_carried(
        replace(crew, system=played_game.key), MemberRow(crew.scope, 0, name, profile, points)
    )
    profile, cost, outfit, unknown_equipment, notes = _equip_block(
        played_game, block, entry.equipment, carried_equipment, sold_equipment
    )
    costs_nothing = entry.points is None and not points
    points = entry.points if entry.points is not None else points + cost
    filled_in = [*filled_in, "0 points before equipment"] if filled_in and costs_nothing else filled_in
    filled_in_note = (
        f"the list doesn't say everything about {name}, so the bot filled in {', '.join(filled_in)}"
    )
    notes = (filled_in_note, *notes) if filled_in else notes
    return Recognised(entry, name, "custom", profile, points, outfit, unknown_equipment, notes)


def block_text(entry: ListEntry) -> str:
    """Return the statblock of an entry in the form in which people type it for this game."""
    if not entry.figures or entry.figures.startswith(("{", "name:", entry.name)):
        return entry.figures
    return f"{entry.name}\n{entry.figures}"


def _parse_block(played_game: Game, text: str, name: str) -> tuple[str, str, int] | str:
    if not isinstance(played_game, Types):
        return f"You can't use custom statblocks in {played_game.name}."
    try:
        typed_block = played_game.typed(text, name)
    except (InvalidInput, Forbidden) as refusal:
        return _in_one_line(refusal)
    if typed_block is None:
        return f'This text is not a statblock of {played_game.name}. Correct it with "Enter stats...".'
    return typed_block


def _in_one_line(refusal: InvalidInput | Forbidden) -> str:
    return " ".join(refusal.sentence.splitlines())


def _model_name(entry: ListEntry) -> str:
    try:
        return check_name((entry.called or entry.name)[:MAX_NAME_LENGTH])
    except InvalidInput:
        return "Model"


def _recognise_block(
    crew: CrewRow, entry: ListEntry, catalogue: Catalogue, name: str, certainty: str
) -> Recognised:
    block = catalogue.block(name)
    carried_equipment = list_carried(crew, MemberRow(crew.scope, 0, name, block.profile, block.points))
    profile, cost, outfit, unknown_equipment, notes = _equip_block(
        catalogue.played, block, entry.equipment, carried_equipment, catalogue.equipment
    )
    points = block.points + cost
    if not points and entry.points:
        points = entry.points
    return Recognised(
        entry,
        name,
        certainty,
        profile,
        points,
        outfit,
        unknown_equipment,
        (*_points_notes(entry, points, entry.called or name), *notes),
    )


def _points_notes(entry: ListEntry, points: int, name: str) -> tuple[str, ...]:
    if entry.points is None or entry.points in (points, points * entry.count):
        return ()
    return (f"{name} costs {times(entry.points, 'point')} in the list, but {points} here",)


def _equip_block(
    played_game: Game,
    block: Statblock,
    written_pieces: Sequence[str],
    carried_equipment: Sequence[str],
    sold_equipment: Sequence[str],
) -> tuple[str, int, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the statblock with the pieces that it may take: text, points, pieces, others, and reasons."""
    outfit, unusable_pieces, missing_pieces, note_texts = list[str](), list[str](), list[str](), list[str]()
    profile, cost = block.profile, 0
    for text in written_pieces:
        piece = _COUNTED_NAME.sub(r"\2", text)
        carried_match, sold_match = match(piece, carried_equipment), match(piece, sold_equipment)
        if carried_match.how == "exact" or (carried_match.name and sold_match.how != "exact"):
            continue
        if not sold_match.name:
            missing_pieces.append(plain(piece, 40))
            continue
        try:
            profile, cost = outfit_of(played_game, block, (*outfit, sold_match.name))
            outfit.append(sold_match.name)
            if sold_match.how != "exact":
                note_texts.append(
                    f"{possessive(block.name)} {plain(piece, 40)} was read as {sold_match.name}"
                )
        except (InvalidInput, Forbidden) as refusal:
            reason = _in_one_line(refusal)
            unusable_pieces.append(sold_match.name)
            note_texts.append(
                f"{block.name} can't take {sold_match.name}, so it is kept as a note. {reason.rstrip('.')}"
            )
    if missing_pieces:
        owner, on_whom = (played_game.name, f" on {block.name}") if sold_equipment else (block.name, "")
        note_texts.append(
            f"equipment that {owner} doesn't have is kept as a note{on_whom} ({', '.join(missing_pieces)})"
        )
    return profile, cost, tuple(outfit), (*missing_pieces, *unusable_pieces), tuple(note_texts)


# ------------------------------------------------------------------------------------ as members


def note_of(recognised: Recognised) -> str:
    """Return a member's note: the list's own, its group, and equipment that has no rules here."""
    entry = recognised.entry
    parts = [
        entry.note or entry.group,
        f"Also has {', '.join(recognised.unknown)}" if recognised.unknown else "",
    ]
    return plain("; ".join(filter(None, parts)), MAX_NOTE_LENGTH)


def rows_of(scope: int, models: Sequence[Recognised], leader: int | None = None) -> Iterator[MemberRow]:
    """Make a row for each model that is understood, with numbered names for several of one kind.

    leader: the place of the model whose first one leads; None for the one that the list names.
    """
    taken_names: list[str] = []
    has_leader = False
    for place, recognised in enumerate(models):
        if not recognised.statblock:
            continue
        wanted_name = _wanted_name(recognised)
        for _ in range(recognised.entry.count):
            name = find_free_name(wanted_name, taken_names)
            taken_names.append(name)
            leads = (recognised.entry.leader if leader is None else place == leader) and not has_leader
            has_leader = has_leader or leads
            yield MemberRow(
                scope,
                len(taken_names),
                name,
                recognised.profile,
                recognised.points,
                leads,
                note_of(recognised),
            )


def _wanted_name(recognised: Recognised) -> str:
    own_name = recognised.entry.name if recognised.how == "custom" else ""
    for text in (recognised.entry.called, own_name, recognised.statblock, recognised.entry.name):
        try:
            return check_name(plain(text, MAX_NAME_LENGTH))
        except InvalidInput:
            continue
    return "Model"
