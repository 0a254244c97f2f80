"""The crew builder: one message that only its owner sees, in which a crew is made by pressing buttons.

Every change of a crew outside campaigns answers with it. The gate decides what may be taken and what is
wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.actions import Action
from bot.lookalikes import look_of
from bot.replies.fit import MAX_CHOICE_LENGTH, MAX_CHOICES, MAX_ROWS, cut
from bot.replies.reply import FORMS, Blank, Button, Choice, Menu, Note, Question, Reply, form
from bot.replies.sheets.sheet import card_lines
from bot.store.book import Book
from bot.store.rows import CrewRow, MemberRow
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.game import Builds, Equips, Game, Types, Writes, game
from bot.table.handlers import Place, handles
from bot.table.journal.history import SHOWN_AFTER, UNDO
from bot.table.names import MAX_NAME_LENGTH, check_name, find_free_name
from bot.table.owners import ANYONE
from bot.table.rosters.crew_state import DRAFT, LIMIT, at_home, limit_of, member_words, standing, taken_along
from bot.table.rosters.crews import (
    KEPT,
    MAX_CREWS,
    MAX_MEMBERS,
    AppointLeader,
    Around,
    CreateCrew,
    DisbandCrew,
    DismissMember,
    OfAnyCrew,
    OfYourCrew,
    RecruitMember,
    ShowCrew,
    around,
    counted,
    list_is_secret,
    may_read,
    outfit_of,
    own_crew_row,
    points,
)
from bot.table.rosters.gate import find_faults
from bot.table.rosters.muster import SetTrait, crew_format_of, list_first_faults, require_crew_format
from bot.table.rosters.printing import SHEET_MAKERS, PrintCrew, make_card, match_recruit
from bot.table.rosters.statblocks import Statblock, list_statblocks
from rules.refusals import Forbidden, InvalidInput
from rules.wording import join_with_and, times

PLAY_BUTTONS: list[Callable[[CrewRow, Around], Sequence[Button]]] = []
"""Functions that lead from a legal crew to a place to play: each returns buttons, the likeliest first."""

NAME_FORM = form("crew.rename", "Rename", Blank("name", "Name", longest=MAX_NAME_LENGTH))
LIMIT_FORM = form("crew.limit", "Points limit", Blank("limit", "Points (0 for no limit)", longest=4))


@dataclass(frozen=True, slots=True)
class BuildCrew(OfYourCrew):
    """Show the builder. page: of the models that can be added, from 0."""

    command = "crew.build"

    page: int = 0


@dataclass(frozen=True, slots=True)
class ShowTraits(OfYourCrew):
    """Show what can be said of the crew beside its members."""

    command = "crew.traits"


@dataclass(frozen=True, slots=True)
class ShowMore(OfYourCrew):
    """Show what else can be done with the crew."""

    command = "crew.more"


@dataclass(frozen=True, slots=True)
class LimitCrew(OfYourCrew):
    """Set the points limit of a crew while you build it (0 removes it)."""

    command = "crew.limit"

    limit: int = 0


@dataclass(frozen=True, slots=True)
class RenameCrew(OfYourCrew):
    """Rename the crew."""

    command = "crew.rename"

    name: str = ""


@dataclass(frozen=True, slots=True)
class CopyCrew(OfAnyCrew):
    """Copy any crew as a new crew of your own."""

    command = "crew.copy"
    typed = "crew copy"
    titled = "Copy a crew"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class EditMember(OfYourCrew):
    """Show a member, and what it can be given. member: its number."""

    command = "crew.member"

    member: int = 0


@dataclass(frozen=True, slots=True)
class RenameMember(OfYourCrew):
    """Rename a member."""

    command = "crew.member.rename"

    member: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class EquipMember(OfYourCrew):
    """Add a piece of equipment to a member, or remove one that was added."""

    command = "crew.member.equip"

    member: int = 0
    piece: str = ""


# ------------------------------------------------------------------------------------ the card


def build_crew_card(
    crew: CrewRow, members: Sequence[MemberRow], facts: Around, *head: str, page: int = 0, built: bool = True
) -> Reply:
    """Return the builder's message. head: what was just done. built: with what can be chosen, and members."""
    played = game(crew.system)
    faults = find_faults(crew, members) if members else ()
    lines = [*head, *_crew_lines(crew, members)]
    lines += [_format_member(crew.system, member) for member in members] if built else []
    if not members:
        lines.append(Question("Add your first model."))
    elif faults:
        lines += ["Correct these problems:", *list_first_faults(faults)]
    else:
        lines.append("This crew is legal.")
    lines += [Note(crew_line) for crew_line in played.crew_lines(crew, members)] if members else []
    menus = _build_menus(crew, members, facts) if built else []
    pages = cut(menus, MAX_ROWS - 1) or [[]]
    page = min(max(page, 0), len(pages) - 1)
    buttons = (
        [button for plays in PLAY_BUTTONS for button in plays(crew, facts)] if members and not faults else []
    )
    if not built:
        buttons.append(Button("Build...", BuildCrew(crew.scope), anytime=True))
    elif isinstance(played, Builds):
        buttons.append(played.building(crew))
    if built and _traits(crew):
        buttons.append(Button("Faction...", ShowTraits(crew.scope), anytime=True))
    if built:
        buttons.append(Button("More...", ShowMore(crew.scope), anytime=True))
    if len(pages) > 1:
        label = "More models" if page + 1 < len(pages) else "Back to the first models"
        buttons.append(Button(label, BuildCrew(crew.scope, (page + 1) % len(pages)), anytime=True))
    buttons += [UNDO] if head else []
    return Reply(tuple(lines), private=True, buttons=tuple(buttons), menus=tuple(pages[page]), replaces=True)


def _crew_lines(crew: CrewRow, members: Sequence[MemberRow]) -> list[str]:
    limit, lines = limit_of(crew), crew_format_of(crew.system).told(crew.traits)
    total_text = counted(members)
    if limit:
        total_text = f"{times(len(members), 'member')}, {points(members)} of {limit} points."
    traits = (f"{key.capitalize()}: {value}" for key, value in lines.items() if value)
    return [f"{crew.name}: {total_text}", *traits]


def _format_member(system: str, member: MemberRow) -> str:
    words = member_words(system, member)
    suffix = f": {words}" if words else ""
    points_text = f"{member.points:>3} " if member.points else ""
    return f"{points_text}{member.name}{' (leader)' if member.leader else ''}{suffix}"


def _build_menus(crew: CrewRow, members: Sequence[MemberRow], facts: Around) -> list[Menu]:
    """Return the menus: the faction while it is open, possible models, members."""
    menus = [] if members else [menu for menu in _traits(crew)[:1] if not _told(crew, menu)]
    groups: dict[str, list[Choice]] = {}
    for known_block in sorted(known_blocks(crew, facts), key=lambda statblock: statblock.name.casefold()):
        groups.setdefault(known_block.group, []).append(_make_choice(crew, known_block))
    for group, choices in groups.items():
        parts = cut(choices, MAX_CHOICES)
        for some in parts:
            prompt_start = f"Add a model{f' ({group})' if group else ''}"
            prompt = (
                prompt_start if len(parts) == 1 else f"{prompt_start}: {some[0].label} to {some[-1].label}"
            )
            menus.append(
                Menu(prompt, RecruitMember(crew.scope, built=True), "profile", tuple(some), anytime=True)
            )
    member_choices = [
        Choice(member.name, str(member.id), times(member.points, "point") if member.points else "")
        for member in members
    ]
    for some in cut(member_choices, MAX_CHOICES):
        change = Menu("Change a member", EditMember(crew.scope), "member", tuple(some), anytime=True)
        menus.insert(MAX_ROWS - 2, change)
    return menus


def known_blocks(crew: CrewRow, facts: Around) -> Iterable[Statblock]:
    """Return the statblocks that a crew can take, as the gate says of each alone."""
    traits = tuple(sorted((key, text) for key, text in crew.traits.items() if not key.startswith(DRAFT)))
    return (
        statblock
        for statblock in list_statblocks(game(crew.system), facts.blocks)
        if _fits(crew.system, traits, statblock)
    )


@lru_cache(maxsize=4096)
def _fits(system: str, traits: tuple[tuple[str, str], ...], block: Statblock) -> bool:
    """Return whether what a crew is rules out no model of a kind."""
    member = MemberRow(0, 1, block.name, _profile(system, block), block.points)
    faults = find_faults(CrewRow(0, 0, 0, system, "", traits=dict(traits)), [member])
    alone = find_faults(CrewRow(0, 0, 0, system, ""), [member])
    return not any(fault.startswith(f"{block.name} ") for fault in faults if fault not in alone)


def _profile(system: str, block: Statblock) -> str:
    return game(system).profile(block.key) if block.key else block.profile


def _make_choice(crew: CrewRow, block: Statblock) -> Choice:
    worth = f"{times(block.points, 'point')}, " if block.points else ""
    return Choice(block.name, block.name, f"{worth}{_format_stats(crew.system, block)}"[:MAX_CHOICE_LENGTH])


@lru_cache(maxsize=1024)
def _format_stats(system: str, block: Statblock) -> str:
    member = MemberRow(0, 1, block.name, _profile(system, block), block.points)
    sheet = make_card(CrewRow(0, 0, 0, system, ""), member)
    return ", ".join(f"{name} {value}" for name, value in sheet.figures)


# ------------------------------------------------------------------------------------ made and shown


@handles(CreateCrew, Place.NEW_CREW, beforehand=around)
def create(act: Act, action: CreateCrew) -> Reply:
    """Make an empty crew under a name that the server does not have yet."""
    facts: Around = act.extra
    name = check_name(action.name, "crew's name")
    if any(look_of(crew_name) == look_of(name) for _, crew_name, _, _ in facts.crews):
        raise InvalidInput(f"Choose another name; there is already a crew called {name}.")
    return _make_crew(act, action.system, name, built=action.built)


def _make_crew(act: Act, system: str, name: str, *, built: bool = True) -> Reply:
    facts: Around = act.extra
    if sum(owner == act.actor.user_id for _, _, _, owner in facts.crews) >= MAX_CREWS:
        raise InvalidInput(f"Delete a crew first; you already have {MAX_CREWS} crews.")
    crew = act.book.add(CrewRow(act.book.scope, act.actor.guild_id, act.actor.user_id, system, name))
    return build_crew_card(crew, (), facts, f"{name} is a new crew for {game(system).name}.", built=built)


async def _load_copied_crew(store: Store, actor: Actor, action: CopyCrew) -> Around:
    facts = await around(store, actor, action)
    state = await standing(store, actor.guild_id, int(action.crew))
    if not may_read(state.crew, actor.user_id):
        raise NotAllowed(list_is_secret(state.crew.name))
    return replace(facts, now=state)


@handles(CopyCrew, Place.NEW_CREW, beforehand=_load_copied_crew)
def copy(act: Act, action: CopyCrew) -> Reply:
    """Make a crew with the same models; what a campaign did to them stays there."""
    facts: Around = act.extra
    assert facts.now is not None, "it is read beforehand"
    old = facts.now.crew
    name = find_free_name(old.name, [crew_name for _, crew_name, _, _ in facts.crews])
    _make_crew(act, old.system, name)
    crew = own_crew_row(act)
    crew.traits = taken_along(old.traits) | ({LIMIT: old.traits[LIMIT]} if LIMIT in old.traits else {})
    for member in facts.now.members:
        act.book.add(replace(member, scope=act.book.scope, counters={}))
    return build_crew_card(
        crew, act.book.all(MemberRow), facts, f"{name} is a new crew, copied from {old.name}."
    )


async def _around_at_home(store: Store, actor: Actor, action: Action) -> Around:
    await at_home(store, actor, action)
    return await around(store, actor, action)


def _build_updated_card(act: Act, *head: str, page: int = 0, built: bool = True) -> Reply:
    return build_crew_card(
        own_crew_row(act), act.book.all(MemberRow), act.extra, *head, page=page, built=built
    )


@handles(BuildCrew, Place.CREW, beforehand=_around_at_home)
def build(act: Act, action: BuildCrew) -> Reply:
    """Show the builder, with that page of models."""
    return _build_updated_card(act, page=action.page)


async def _load_shown_crew(store: Store, actor: Actor, action: ShowCrew) -> Around:
    state = await standing(store, actor.guild_id, int(action.crew), action.as_of)
    return replace(await around(store, actor, action), now=state)


@handles(ShowCrew, Place.CREW, beforehand=_load_shown_crew)
def show(act: Act, action: ShowCrew) -> Reply:
    """Show members, points, what became of them and the game's rules; the builder for its owner."""
    facts: Around = act.extra
    state = facts.now
    assert state is not None, "it is read beforehand"
    crew = state.crew
    if not may_read(crew, act.actor.user_id):
        raise NotAllowed(list_is_secret(crew.name))
    if not state.campaign and crew.owner_id == act.actor.user_id and crew.status == KEPT:
        return build_crew_card(crew, state.members, facts)
    lines = [f"{crew.name}: {counted(state.members)}", *state.lines]
    lines += [", ".join(f"{key} {value}" for key, value in sorted(state.balances.items()))]
    for member in state.members:
        away_text = " (sits out)" if member.id in state.away else ""
        words = state.words.get(member.id, "")
        leader_text = " (leader)" if member.leader else ""
        notes = f": {words}" if words else ""
        lines.append(f"{member.points:>3} {member.name}{leader_text}{away_text}{notes}")
    lines += [f"{name}: {status}" for name, status in state.lost]
    lines += [*find_faults(crew, state.members), *game(crew.system).crew_lines(crew, state.members)]
    return Reply(tuple(filter(None, lines)), private=True)


# ------------------------------------------------------------------------------------ its members


@handles(RecruitMember, Place.CREW, beforehand=_around_at_home)
def recruit(act: Act, action: RecruitMember) -> Reply:
    """Add a statblock to the crew, as many times as asked. It leads if the crew needs just that."""
    crew, offered = own_crew_row(act), action.profile
    if len(act.book.all(MemberRow)) + action.count > MAX_MEMBERS:
        raise InvalidInput(f"Remove a member first; a crew can have at most {MAX_MEMBERS} members.")
    name = check_name(action.called) if action.called else offered.name[:MAX_NAME_LENGTH]
    text, extra = outfit_of(game(crew.system), offered, action.equipment)
    rows = [_add_member(act, name, text, offered.points + extra) for _ in range(action.count)]
    _make_leader_if_needed(crew, act.book.all(MemberRow), rows[0])
    names = [row.name for row in rows]
    sentence = f"{join_with_and(names)} {'joins' if len(names) == 1 else 'join'} {crew.name}."
    return _build_updated_card(act, sentence, built=action.built)


def _add_member(act: Act, wanted_name: str, profile: str, worth: int, note: str = "") -> MemberRow:
    name = find_free_name(wanted_name, [member.name for member in act.book.all(MemberRow)])
    row = MemberRow(act.book.scope, act.book.next_id(MemberRow), name, profile, worth, note=note)
    return act.book.add(row)


def _make_leader_if_needed(crew: CrewRow, members: Sequence[MemberRow], row: MemberRow) -> None:
    """Make a member the leader if there is none and the gate has fewer objections then."""
    if any(member.leader for member in members):
        return
    fault_count = len(find_faults(crew, members))
    row.leader = True
    row.leader = len(find_faults(crew, members)) < fault_count


@handles(DismissMember, Place.CREW, beforehand=_around_at_home)
def dismiss(act: Act, action: DismissMember) -> Reply:
    """Remove a member."""
    act.book.remove(action.member)
    return _build_updated_card(
        act, f"{action.member.name} leaves {own_crew_row(act).name}.", built=action.built
    )


@handles(AppointLeader, Place.CREW, beforehand=_around_at_home)
def appoint(act: Act, action: AppointLeader) -> Reply:
    """Make a member the leader instead of the one before."""
    for row in act.book.all(MemberRow):
        row.leader = row.id == action.member.id
    sentence = f"{action.member.name} is now the leader of {own_crew_row(act).name}."
    return _build_updated_card(act, sentence, built=action.built)


def _member(act: Act, number: int) -> MemberRow:
    """Return a member of the crew by its number. Raises InvalidInput."""
    own_crew_row(act)
    row = act.book.get(MemberRow, number)
    if row is None:
        raise InvalidInput("Choose another member; that one is no longer in the crew.")
    return row


@handles(EditMember, Place.CREW, beforehand=_around_at_home, threaded=True)
def edit_member(act: Act, action: EditMember) -> Reply:
    """Show the member's statblock with what it can be given."""
    return _member_card(act, _member(act, action.member))


def _member_card(act: Act, row: MemberRow, *head: str) -> Reply:
    crew, facts = own_crew_row(act), act.extra
    lines = [*head, f"{row.name}, {times(row.points, 'point')}" if row.points else row.name]
    if crew.system in SHEET_MAKERS:
        lines += card_lines(make_card(crew, row), SHEET_MAKERS[crew.system].head)
    offered = match_recruit(crew, row, facts.blocks)
    menus: list[Menu] = []
    if offered is not None and isinstance(game(crew.system), Equips):
        block, extras = offered
        for choices in cut(_equipment(crew.system, block, tuple(extras)), MAX_CHOICES)[: MAX_ROWS - 1]:
            new = [choice.label for choice in choices if choice.label == choice.value]
            prompt = f"Equipment: {new[0]} to {new[-1]}" if new else "Equipment to remove"
            menus.append(Menu(prompt, EquipMember(crew.scope, row.id), "piece", tuple(choices), anytime=True))
    buttons = [Button("Back to the crew", BuildCrew(crew.scope), "main", anytime=True)]
    if not row.leader:
        buttons.append(Button("Make leader", AppointLeader(crew.scope, row, built=True), anytime=True))
    if offered is not None and not offered[1]:
        buttons.append(Button("Add another", RecruitMember(crew.scope, offered[0], built=True), anytime=True))
    buttons.append(Button("Rename...", RenameMember(crew.scope, row.id), anytime=True, form=NAME_FORM))
    buttons.append(Button("Remove", DismissMember(crew.scope, row, built=True), "danger", anytime=True))
    buttons += [UNDO] if head else []
    return Reply(tuple(lines), private=True, buttons=tuple(buttons), menus=tuple(menus), replaces=True)


@lru_cache(maxsize=512)
def _equipment(system: str, block: Statblock, extras: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return the equipment that was added to a member and what else it may take, with the costs."""
    played = game(system)
    assert isinstance(played, Equips), "only asked of games with equipment"
    before, choices = outfit_of(played, block, extras)[1], list[Choice]()
    for piece in (offered_piece for offered_piece in played.equipment() if offered_piece not in extras):
        with suppress(InvalidInput, Forbidden):
            cost = outfit_of(played, block, (*extras, piece))[1] - before
            choices.append(Choice(piece, piece, _signed(cost) if cost else "free"))
    removals = [Choice(f"Remove {piece}", piece) for piece in extras]
    return (*removals, *sorted(choices, key=lambda choice: choice.label.casefold()))


def _signed(cost: int) -> str:
    """Return points with their sign: +1 point, -2 points."""
    return f"{cost:+} {'point' if abs(cost) == 1 else 'points'}"


@handles(RenameMember, Place.CREW, beforehand=_around_at_home, threaded=True)
def rename_member(act: Act, action: RenameMember) -> Reply:
    """Rename a member."""
    row, name_before = _member(act, action.member), _member(act, action.member).name
    others = [member.name for member in act.book.all(MemberRow) if member.id != row.id]
    row.name = find_free_name(check_name(action.name), others)
    return _member_card(act, row, f"{name_before} is now called {row.name}.")


@handles(EquipMember, Place.CREW, beforehand=_around_at_home, threaded=True)
def equip_member(act: Act, action: EquipMember) -> Reply:
    """Add a piece as far as the game lets the member take it; one that it was given goes again."""
    row = _member(act, action.member)
    block, extras = _outfit(act, row)
    points_before, pieces = row.points, [extra for extra in extras if extra != action.piece]
    is_new = len(pieces) == len(extras)
    new_pieces = [*pieces, action.piece] if is_new else pieces
    row.profile, extra = outfit_of(game(own_crew_row(act).system), block, new_pieces)
    row.points = block.points + extra
    change = f" ({_signed(row.points - points_before)})" if row.points != points_before else ""
    return _member_card(
        act, row, (f"{row.name} {'now has' if is_new else 'no longer has'} {action.piece}{change}.")
    )


def _outfit(act: Act, row: MemberRow) -> tuple[Statblock, Sequence[str]]:
    offered = match_recruit(own_crew_row(act), row, act.extra.blocks)
    if offered is None:
        raise InvalidInput(
            f"To change the equipment of {row.name}, remove this custom model and create it again."
        )
    return offered


# ------------------------------------------------------------------------------------ the crew itself


def _traits(crew: CrewRow) -> list[Menu]:
    """Return a menu with all traits of a crew; empty in games without traits."""
    rules, menus = crew_format_of(crew.system), list[Menu]()
    for key, description in rules.traits():
        value = crew.traits.get(key, "")
        choices = [Choice(value, value) for value in rules.values(key)]
        choices += [Choice("None", "none")] if value else []
        prompt = f"{key.capitalize()}: {description}"
        menus.append(
            Menu(prompt, SetTrait(crew.scope, key, built=True), "value", tuple(choices), anytime=True)
        )
    return menus


def _told(crew: CrewRow, menu: Menu) -> str:
    assert isinstance(menu.action, SetTrait), "it is one of a trait"
    return crew.traits.get(str(menu.action.key), "")


@handles(ShowTraits, Place.CREW, beforehand=_around_at_home)
def show_traits(act: Act, action: ShowTraits) -> Reply:
    """Show what the crew is, with menus to change it."""
    return _trait_card(own_crew_row(act))


def _trait_card(crew: CrewRow, *head: str) -> Reply:
    rules = crew_format_of(crew.system)
    traits = rules.told(crew.traits)
    lines = [
        *head,
        f"{crew.name}:",
        *(f"{key}: {traits.get(key) or '-'} ({description})" for key, description in rules.traits()),
    ]
    back_button = Button("Back to the crew", BuildCrew(crew.scope), "main", anytime=True)
    buttons = (back_button, UNDO) if head else (back_button,)
    return Reply(tuple(lines), private=True, buttons=buttons, menus=tuple(_traits(crew)), replaces=True)


@handles(SetTrait, Place.CREW, beforehand=_around_at_home)
def set_trait(act: Act, action: SetTrait) -> Reply:
    """Set what the crew is, in its game's words."""
    crew = own_crew_row(act)
    knows, key = require_crew_format(crew.system), action.key
    if key is None:
        return _trait_card(crew)
    for name, value in knows.trait(key, action.value).items():
        if value:
            crew.traits[name] = value
        else:
            crew.traits.pop(name, None)
    sentence = f"{crew.name}, {key}: {knows.told(crew.traits).get(key) or 'none'}."
    return _build_updated_card(act, sentence, built=action.built)


@handles(ShowMore, Place.CREW, beforehand=_around_at_home)
def show_more(act: Act, action: ShowMore) -> Reply:
    """Show what else can be done: a custom model, the limit, the name, a copy, the sheet, deleting it."""
    crew = own_crew_row(act)
    played = game(crew.system)
    buttons = [Button("Back to the crew", BuildCrew(crew.scope), "main", anytime=True)]
    if isinstance(played, Types):
        custom_form = FORMS[custom_key(played)]
        buttons.append(
            Button("Custom model...", RecruitMember(crew.scope, built=True), anytime=True, form=custom_form)
        )
    buttons += [
        Button("Add several models...", RecruitMember(crew.scope, built=True), anytime=True, asks=True),
        Button("Points limit...", LimitCrew(crew.scope, limit_of(crew)), anytime=True, form=LIMIT_FORM),
        Button("Rename...", RenameCrew(crew.scope, crew.name), anytime=True, form=NAME_FORM),
        Button("Copy", CopyCrew(crew.scope), anytime=True),
        Button("Battle sheet", PrintCrew(crew.scope), anytime=True),
        Button("Delete", DisbandCrew(crew.scope), "danger", anytime=True),
    ]
    head = "\n".join(_crew_lines(crew, act.book.all(MemberRow)))
    return Reply((head,), private=True, buttons=tuple(buttons), replaces=True)


def make_custom_forms(games: Iterable[Game]) -> None:
    """Make the form in which a custom model of each game is written, with a usual one to begin from."""
    for played in games:
        if isinstance(played, Types) and custom_key(played) not in FORMS:
            blank = Blank(
                "profile", "Name, stats, weapons", usual_block(played), 4_000, lines=True, as_typed=True
            )
            form(custom_key(played), "Custom model", blank)


def custom_key(played: Game) -> str:
    """Return the key of the form in which a custom model of a game is written."""
    return f"crew.custom.{played.key}"


def usual_block(played: Game) -> str:
    """Return a plain statblock of a game, as it is typed."""
    if isinstance(played, Writes):
        return played.block_example()
    assert isinstance(played, Types), "only asked of games that take typed statblocks"
    return played.as_typed(played.profile(min(played.recruits(), key=lambda recruit: recruit.points).key))


@handles(LimitCrew, Place.CREW, beforehand=_around_at_home)
def limit_crew(act: Act, action: LimitCrew) -> Reply:
    """Set the crew's points limit."""
    crew = own_crew_row(act)
    if not 0 <= action.limit <= 5000:
        raise InvalidInput(f"The limit must be between 0 and 5000 points (you entered {action.limit}).")
    crew.traits.pop(LIMIT, None)
    if action.limit:
        crew.traits[LIMIT] = str(action.limit)
    limit_words = f"a limit of {times(action.limit, 'point')}" if action.limit else "no points limit"
    return _build_updated_card(act, f"{crew.name} now has {limit_words}.")


@handles(RenameCrew, Place.CREW, beforehand=_around_at_home)
def rename_crew(act: Act, action: RenameCrew) -> Reply:
    """Rename the crew."""
    crew, facts = own_crew_row(act), act.extra
    name_before, name = crew.name, check_name(action.name, "crew's name")
    other_names = [crew_name for scope, crew_name, _, _ in facts.crews if scope != crew.scope]
    if any(look_of(other) == look_of(name) for other in other_names):
        raise InvalidInput(f"Choose another name; there is already a crew called {name}.")
    crew.name = name
    return _build_updated_card(act, f"{name_before} is now called {name}.")


async def _after_undo(store: Store, book: Book, actor: Actor, *, pressed: bool) -> Reply | None:
    """Return the builder after a step of a crew was undone or redone."""
    crew = book.get(CrewRow)
    if crew is None or crew.status != KEPT or crew.owner_id != actor.user_id:
        return None
    facts = await around(store, actor, BuildCrew(crew.scope))
    return build_crew_card(crew, book.all(MemberRow), facts, built=pressed)


SHOWN_AFTER.append(_after_undo)
