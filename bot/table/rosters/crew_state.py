"""A crew's current state: as its campaign keeps it if it plays in one, otherwise as its owner keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.actions import Action
from bot.store.book import Book
from bot.store.row_types import CampaignRow, EntrantRow, FixtureRow, ResultRow, VeteranRow
from bot.store.rows import Counters, CrewRow, MemberRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.ledger.campaign_book import (
    CONFIRMED,
    ENDED,
    FIT,
    load_book_after_joining,
    load_book_before_game,
)
from bot.table.ledger.campaign_rules import OUT, get_rules
from bot.table.names import MAX_NOTE_LENGTH, plain
from rules.counters import AnyCounter
from rules.refusals import InvalidInput
from rules.wording import join_with_and, over_limit

OVER = (ENDED, "archived")

HOME = "home"
"""Trait of a crew: the campaign that keeps it, or from which it was brought home last."""

OFFERED = "offered"
"""Trait of an offered crew: the entry in which it was offered; undo withdraws it."""

DRAFT = "draft"
"""Traits of a crew that begin so are of members still being made; they stay where they are made."""

NO_CREW = "That crew doesn't exist. /crew list shows all crews."


@dataclass(frozen=True, slots=True)
class Standing:
    """A crew and its present members.

    campaign: the scope that keeps it, 0 for none; where: its name. when: the moment that is shown, empty for
    now. words: remarks about members, by number. lost: members who left it, with the reason. balances: the
    crew's own. away: the numbers of members who sit out the next game. also: further campaigns in which it
    plays. running: the campaign is still running. games: its games there, each in words.
    """

    crew: CrewRow
    members: Sequence[MemberRow]
    campaign: int = 0
    where: str = ""
    when: str = ""
    words: Mapping[int, str] = field(default_factory=dict)
    lost: Sequence[tuple[str, str]] = ()
    balances: Mapping[AnyCounter, int] = field(default_factory=dict)
    away: frozenset[int] = frozenset()
    also: tuple[str, ...] = ()
    running: bool = False
    games: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        """Return where and when, in words; nothing for a crew that plays in no campaign."""
        if not self.campaign:
            return []
        moment = self.when or ("as it is now" if self.running else "as it was at the end")
        lines = [f"The crew in {self.where}, {moment}"]
        if self.also:
            lines.append(f"The crew also plays in {join_with_and(self.also)} (see /campaign crew).")
        return lines

    @property
    def noted(self) -> list[MemberRow]:
        """Return the members with what is particular about them as their notes."""
        return [
            replace(member, note=plain(self.words.get(member.id, member.note), MAX_NOTE_LENGTH))
            for member in self.members
        ]


def as_of() -> Any:
    """Return the round before which a crew is shown, 0 for when it joined, or None for now."""
    hint = "Show the crew as it was before this round (0 for when it joined)"
    return fields.whole(hint, 0, 100, called="round")


async def standing(store: Store, guild_id: int, crew: int, round_number: int | None = None) -> Standing:
    """Return a crew of a server by its scope. Raises InvalidInput."""
    loaded = await store.load(crew) if crew else None
    book = loaded.book() if loaded and loaded.scope.guild_id == guild_id else None
    row = book.get(CrewRow) if book else None
    if book is None or row is None:
        raise InvalidInput(NO_CREW)
    home = int(row.traits.get(HOME, "0"))
    campaigns = [campaign for campaign in await store.campaigns_of(guild_id, crew) if campaign[0] != home]
    running = [campaign for campaign in campaigns if campaign[2] not in OVER and campaign[4] == "in"]
    latest = (running or campaigns)[-1:]
    if not latest:
        if round_number is not None:
            raise InvalidInput(f"Leave the round blank; {row.name} isn't in a campaign.")
        members = book.all(MemberRow)
        counters_told = {member.id: member_words(row.system, member) for member in members if member.counters}
        return Standing(row, members, words=counters_told)
    scope, name, status, entrant, entry_status = latest[0]
    also = tuple(campaign[1] for campaign in running if campaign[0] != scope)
    goes_on = status not in OVER and entry_status == "in"
    if round_number is None:
        campaign_scope = await store.load(scope)
        assert campaign_scope is not None, "it was found there"
        moment = "" if entry_status == "in" else "as it was when it left"
        return _standing(row, campaign_scope.book(), entrant, name, moment=moment, also=also, running=goes_on)
    if round_number == 0:
        past, moment = await load_book_after_joining(store, scope, entrant), "as it was when it joined"
    else:
        past, versus = await load_book_before_game(store, scope, entrant, round_number)
        moment = f"as it was before round {round_number} ({versus})"
    return _standing(row, past, entrant, name, moment=moment, running=goes_on)


async def standing_asked(store: Store, actor: Actor, action: Action) -> Standing:
    """Return the crew that an action is about, as it stands or stood."""
    return await standing(
        store, actor.guild_id, int(getattr(action, "crew", 0)), getattr(action, "as_of", None)
    )


def _standing(
    kept: CrewRow,
    book: Book,
    number: int,
    name: str,
    *,
    moment: str = "",
    also: tuple[str, ...] = (),
    running: bool = False,
) -> Standing:
    entrant, row = book.get(EntrantRow, number), book.get(CampaignRow)
    assert entrant is not None, "it was found there"
    assert row is not None, "it was found there"
    rules = get_rules(row.system)
    everybody = [veteran for veteran in book.all(VeteranRow) if veteran.entrant == number]
    fit = [veteran for veteran in everybody if veteran.status == FIT]
    traits = {**entrant.traits, HOME: str(row.scope)}
    crew = replace(kept, name=entrant.name, traits=traits, counters={})
    return Standing(
        crew,
        [member_of(veteran) for veteran in fit],
        row.scope,
        name,
        moment,
        {veteran.id: words for veteran in fit if (words := rules.veteran_words(veteran))},
        [(veteran.name, veteran.status) for veteran in everybody if veteran.status != FIT],
        dict(entrant.counters),
        frozenset(veteran.id for veteran in fit if veteran.benched or veteran.counters.get(OUT)),
        also,
        running,
        tuple(_games(book, number)),
    )


def _games(book: Book, number: int) -> Iterator[str]:
    """Return the crew's games: the result with its points, the opponent and the round."""
    played = {
        (result_row.fixture, result_row.entrant): result_row
        for result_row in book.all(ResultRow)
        if result_row.status == CONFIRMED
    }
    for (fixture, entrant), result in played.items():
        rival, opponent = (played.get((fixture, result.opponent)), book.get(EntrantRow, result.opponent))
        meeting = book.get(FixtureRow, fixture)
        if entrant == number and rival is not None and opponent is not None and meeting is not None:
            score = f"{result.result} {result.points} to {rival.points}"
            yield f"{score} against {opponent.name} (round {meeting.round})"


def all_standing(book: Book) -> list[Standing]:
    """Return every crew that plays in a campaign, as its book keeps it."""
    row = book.get(CampaignRow)
    assert row is not None, "it is a campaign's"
    crews = [entrant for entrant in book.all(EntrantRow) if entrant.status == "in"]
    rows = [
        CrewRow(entrant.crew, row.guild_id, entrant.owner_id, row.system, entrant.name) for entrant in crews
    ]
    return [
        _standing(crew, book, entrant.id, row.name, running=row.status not in OVER)
        for crew, entrant in zip(rows, crews, strict=True)
    ]


def member_of(veteran: VeteranRow) -> MemberRow:
    """Return a member of a campaign's crew as a member of a kept one."""
    return MemberRow(
        veteran.scope,
        veteran.id,
        veteran.name,
        veteran.profile,
        veteran.points,
        veteran.leader,
        veteran.note,
        dict(veteran.counters),
    )


LIMIT = f"{DRAFT} limit"
"""Trait of a crew: the points that it is held to, until a campaign takes a copy."""


def limit_of(crew: CrewRow) -> int:
    """Return the points limit of a person's own crew, or 0 without one."""
    return int(crew.traits.get(LIMIT, "0"))


def limit_faults(members: Sequence[MemberRow], limit: int) -> list[str]:
    """Return the fault of a crew that has more points than the limit, in games where each model counts."""
    fault = over_limit(sum(member.points for member in members), limit)
    return [fault] if limit and fault else []


def taken_along(traits: Mapping[str, str]) -> dict[str, str]:
    """Return the traits of a crew that it has wherever it goes."""
    stays = (HOME, OFFERED)
    return {key: text for key, text in traits.items() if key not in stays and not key.startswith(DRAFT)}


def carried(system: str, member: MemberRow) -> Counters:
    """Return counters that a member brings to any table: injuries, relics."""
    return get_rules(system).carries(_as_veteran(member))


def member_words(system: str, member: MemberRow) -> str:
    """Return what is particular about a member of a kept crew: what campaigns did to it, and its note."""
    return get_rules(system).veteran_words(_as_veteran(member))


def _as_veteran(member: MemberRow) -> VeteranRow:
    return VeteranRow(
        member.scope,
        member.id,
        0,
        member.name,
        member.profile,
        member.points,
        member.leader,
        note=member.note,
        counters=dict(member.counters),
    )


async def at_home(store: Store, actor: Actor, action: Action) -> None:
    """Refuse to change a crew where its campaign keeps it. Raises InvalidInput."""
    crew = int(getattr(action, "crew", 0))
    state = await standing(store, actor.guild_id, crew) if crew else None
    if state is None or not state.campaign:
        return
    if state.running:
        raise InvalidInput(f"{state.crew.name} is playing in {state.where}. Use /season to change it there.")
    raise InvalidInput(_explain_way_home(state))


def _explain_way_home(state: Standing) -> str:
    return f"Use /crew home to bring {state.crew.name} back from {state.where} first."


def explain_no_members(state: Standing) -> str:
    """Return what the owner of a crew can do if none of its members can play."""
    name = state.crew.name
    if not state.campaign:
        return f"Add a model to {name} first with /crew recruit."
    if not state.running:
        return _explain_way_home(state)
    if state.members:
        return f"Choose another crew; all models of {name} sit out their next game in {state.where}."
    return f"Recruit a model for {name} first with /campaign buy."


def standing_in(act: Act) -> Standing:
    """Return what `standing_asked` read."""
    state = act.extra
    assert isinstance(state, Standing), "it is read beforehand"
    return state
