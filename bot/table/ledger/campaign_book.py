"""A campaign as its handlers see it: rows, balances and permissions now, and its rows at an earlier game."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence

from bot.actions import number_in
from bot.store.book import Book, apply, from_json
from bot.store.row_types import (
    CampaignRow,
    EntrantRow,
    FixtureRow,
    LedgerRow,
    ProposalRow,
    ResultRow,
    VeteranRow,
)
from bot.store.rows import Columns, Counters, Key
from bot.store.store import Store
from bot.table.act import Act, ActView, NotAllowed
from bot.table.game import SECRET_CREWS
from bot.table.names import MAX_NAME_LENGTH, find, find_free_name
from rules.counters import AnyCounter, CounterName, PerCounter
from rules.effects import Assign, Count, Effect
from rules.refusals import Forbidden, InvalidInput, Missing

CAMPAIGN, BATTLE = CounterName("campaign points"), CounterName("battle points")
OBJECTIVE = CounterName("objective points")
"""Accounts of an entrant that rank it."""
PURSE = CounterName("requisition")
"""Account of an entrant: points to spend between encounters."""
PURSE_WORDS = "requisition points"
"""The words for `PURSE`."""

OWED = PerCounter(" owed")
"""Accounts of what a correction takes that was spent already, each beside the one it was taken from."""
REPAID = "owed since a correction"
"""The cause of what pays a debt."""

BOUGHT = "bought"
"""How the cause begins of what was paid."""

FIT = "fit"
ENDED = "ended"
PROPOSED, CONFIRMED = "proposed", "confirmed"

NO_CAMPAIGN = "That campaign doesn't exist. /campaign list shows all campaigns."


def format_amount(amount: int, account: str, sign: str = "") -> str:
    """Return an amount in words: 1 campaign point, 2 scouting successes. sign: "+" to show it."""
    account = PURSE_WORDS if account == PURSE else account
    one = account.removesuffix("es") if account.endswith("sses") else account.removesuffix("s")
    return f"{amount:{sign}d} {one if abs(amount) == 1 else account}"


def format_full_name(row: VeteranRow) -> str:
    """Return a member as no other member is written, for any reader: by name and number."""
    return f"{row.name} #{row.id}"


class CampaignView:
    """The rows of one campaign with the questions that are asked of them."""

    __slots__ = ("act", "book", "row")

    def __init__(self, act: ActView) -> None:
        campaign = act.book.get(CampaignRow)
        if campaign is None:
            raise InvalidInput(NO_CAMPAIGN)
        self.act = act
        self.book = act.book
        self.row: CampaignRow = campaign

    # ------------------------------------------------------------- rows

    def entrants(self) -> list[EntrantRow]:
        """Return who takes part, in the order of joining."""
        return [row for row in self.book.all(EntrantRow) if row.status == "in"]

    def entrant(self, number: int) -> EntrantRow:
        """Return the entrant of that number, also one who left. Raises InvalidInput."""
        found = self.book.get(EntrantRow, number)
        if found is None:
            raise Missing("Choose a crew in this campaign.")
        return found

    def find_entrant(self, text: str, *, left: bool = False) -> EntrantRow:
        """Return the crew that is meant; with `left` also one that left. Raises InvalidInput."""
        rows = self.entrants()
        wanted = " ".join(text.split()).casefold()
        if left and all(row.name.casefold() != wanted for row in rows):
            rows = self.book.all(EntrantRow)
        return find(text, rows, lambda row: row.name, "crew")

    def own_entrant(self) -> EntrantRow:
        """Return the crew of the person who asks. Raises InvalidInput."""
        entrants = [row for row in self.entrants() if row.owner_id == self.act.actor.user_id]
        if len(entrants) != 1:
            names = ", ".join(row.name for row in self.entrants())
            if not names:
                raise Missing("There are no crews in this campaign yet.")
            raise Missing(f"Choose one of these crews: {names}.")
        return entrants[0]

    def veterans(self, entrant: int, *, everybody: bool = False) -> list[VeteranRow]:
        """Return the members of a crew; with `everybody`, lost members as well."""
        rows = [row for row in self.book.all(VeteranRow) if row.entrant == entrant]
        return rows if everybody else [row for row in rows if row.status == FIT]

    def veteran(self, number: int) -> VeteranRow:
        """Return the member of that number. Raises InvalidInput."""
        found = self.book.get(VeteranRow, number)
        if found is None:
            raise Missing("Choose a member of this crew.")
        return found

    def is_secret(self, entrant: int) -> bool:
        """Return whether the members of a crew are hidden from the person who asks."""
        return self.row.system in SECRET_CREWS and self.entrant(entrant).owner_id != self.act.actor.user_id

    def called_among(self, rows: Sequence[VeteranRow], row: VeteranRow) -> str:
        """Return a member's name among others, with its crew's where one of another crew has the same."""
        alike = any(
            veteran.entrant != row.entrant and veteran.name.casefold() == row.name.casefold()
            for veteran in rows
        )
        return self._with_crew(row) if alike else row.name

    def _with_crew(self, row: VeteranRow) -> str:
        return f"{row.name} ({self.entrant(row.entrant).name})"

    def named_among(self, rows: Sequence[VeteranRow], text: str, what: str) -> VeteranRow:
        """Return the named member; one of a secret crew only by the whole name. Raises InvalidInput."""
        wanted_name = " ".join(text.split()).casefold()
        hidden = [row for row in rows if self.is_secret(row.entrant)]
        known = [row for row in rows if row not in hidden]
        matching_rows = [
            row for row in rows if wanted_name in (format_full_name(row).casefold(), row.name.casefold())
        ]
        matching_rows += [row for row in rows if wanted_name == self._with_crew(row).casefold()]
        for row in matching_rows:
            if row in hidden and not any(veteran in matching_rows for veteran in known):
                return row
            if wanted_name != row.name.casefold():
                return row
        try:
            return find(text, known, lambda row: self.called_among(known, row), what)
        except InvalidInput as wrong:
            if not hidden:
                raise
            sentence = wrong.sentence if known else f"There is no {what} with that name."
            raise InvalidInput(f"{sentence} Enter the whole name, because the list is secret.") from None

    def find_veteran(self, entrant: int, text: str) -> VeteranRow:
        """Return the member of a crew that is meant. Raises InvalidInput."""
        veterans = self.veterans(entrant)
        number = number_in(text)
        if number is not None:
            veteran = next((row for row in veterans if row.id == number), None)
            if veteran is None:
                raise Missing(f"Choose a member of {self.entrant(entrant).name}.")
            return veteran
        return self.named_among(veterans, text, "member")

    def fixtures(self, round_number: int = 0) -> list[FixtureRow]:
        """Return the fixtures of one round, or of all."""
        return [row for row in self.book.all(FixtureRow) if round_number in (0, row.round)]

    @property
    def now(self) -> int:
        """Return the current round; of several paired ones, the first with an open fixture."""
        open_rounds = (row.round for row in self.fixtures() if row.status == "open")
        return min(open_rounds, default=self.row.round)

    @property
    def rounds(self) -> str:
        """Return the round that is played, of how many, if the first is paired."""
        return f"round {self.now} of {self.row.encounters}" if self.row.round else "not begun yet"

    def fixture(self, number: int) -> FixtureRow:
        """Return the fixture of that number. Raises InvalidInput."""
        found = self.book.get(FixtureRow, number)
        if found is None:
            raise InvalidInput("That fixture doesn't exist. /campaign show lists all fixtures.")
        return found

    def find_fixture(self, text: str) -> FixtureRow:
        """Return the fixture of that #number, or the crew's open one. Raises InvalidInput."""
        number = number_in(text)
        return self.fixture(number) if number is not None else self.fixture_of(self.find_entrant(text))

    def fixture_of(self, entrant: EntrantRow) -> FixtureRow:
        """Return the open fixture of a crew, of the earliest round. Raises InvalidInput."""
        fixtures = [row for row in self._still_open() if entrant.id in (row.home, row.away)]
        if not fixtures:
            raise InvalidInput("Choose another crew; this one has no game left to play.")
        return min(fixtures, key=lambda row: row.round)

    def own_fixture(self) -> FixtureRow:
        """Return the person's open fixture, or the only one. Raises InvalidInput."""
        open_fixtures = self._still_open()
        own_ids = {row.id for row in self.entrants() if row.owner_id == self.act.actor.user_id}
        fixtures = [
            row for row in open_fixtures if row.home in own_ids or row.away in own_ids
        ] or open_fixtures
        first_round = min(row.round for row in fixtures)
        current_fixtures = [row for row in fixtures if row.round == first_round]
        if len(current_fixtures) > 1:
            raise InvalidInput(
                f"Choose one of these games: {'; '.join(self.versus(row) for row in current_fixtures)}."
            )
        return current_fixtures[0]

    def _still_open(self) -> list[FixtureRow]:
        open_fixtures = [row for row in self.fixtures() if row.status == "open"]
        if not open_fixtures:
            raise InvalidInput("Pair the next round first with /campaign schedule.")
        return open_fixtures

    def versus(self, fixture: FixtureRow) -> str:
        """Return both names of a fixture."""
        home = self.entrant(fixture.home).name
        return f"{home} - {self.entrant(fixture.away).name}" if fixture.away else f"{home} has no opponent"

    def results(self, entrant: int = 0, status: str = CONFIRMED) -> list[ResultRow]:
        """Return what encounters brought, oldest first."""
        return [
            row for row in self.book.all(ResultRow) if entrant in (0, row.entrant) and row.status == status
        ]

    def reported(self, *crews: int) -> list[FixtureRow]:
        """Return the fixtures whose report is open; with crews, only those of these crews."""
        return [
            row for row in self.fixtures() if row.report and (not crews or {row.home, row.away} & {*crews})
        ]

    def proposals(self, fixture: FixtureRow) -> list[ProposalRow]:
        """Return the lines of the open report of a fixture; a crew has at most one open report."""
        return [row for row in self.book.all(ProposalRow) if row.entrant in (fixture.home, fixture.away)]

    def report_of(self, entrant: int) -> FixtureRow:
        """Return the fixture of a crew whose report is open. Raises InvalidInput."""
        fixtures = self.reported(entrant)
        if not fixtures:
            raise InvalidInput("Open the report first with /campaign after.")
        return fixtures[0]

    def ledger(self, entrant: int = 0) -> list[LedgerRow]:
        """Return the ledger, oldest first."""
        return [row for row in self.book.all(LedgerRow) if entrant in (0, row.entrant)]

    def name_of(self, entrant: int, member: int = 0) -> str:
        """Return whose account it is; a member of a secret crew stays without a name."""
        if member and self.is_secret(entrant):
            return f"a member of {self.entrant(entrant).name}"
        return self.veteran(member).name if member else self.entrant(entrant).name

    # ------------------------------------------------------------- who may, and when

    def require_organiser(self) -> None:
        """Refuse everyone except an organiser.

        A person who manages the channel gives a reason that everyone can read.
        """
        self.act.require(self.act.organises, f"Only the organiser of {self.row.name} can do that.")

    def may_for(self, entrant: EntrantRow) -> bool:
        """Return whether the person who asks plays this crew or organises the campaign."""
        return entrant.owner_id == self.act.actor.user_id or self.act.is_organiser

    def require_owner(self, entrant: EntrantRow) -> None:
        """Refuse everyone except the crew's player. An organiser gives a reason that everyone can read."""
        self.act.require(
            entrant.owner_id == self.act.actor.user_id,
            f"{entrant.name} is not yours; it belongs to {entrant.owner}.",
        )

    def require_fixture(self, fixture: FixtureRow) -> None:
        """Require one of its two players, or the organiser."""
        if not any(self.may_for(self.entrant(one)) for one in (fixture.home, fixture.away) if one):
            crews = self.versus(fixture) if fixture.away else self.entrant(fixture.home).name
            raise NotAllowed(f"Only the players of {crews} or the organiser can do that.")

    def require_open(self, fixture: FixtureRow) -> None:
        """Require that it is still to be played. Raises InvalidInput."""
        if fixture.status != "open":
            reason = " has already been played" if fixture.status == "played" else ", so there is no game"
            raise InvalidInput(f"{self.versus(fixture)}{reason}.")

    def own_game(self, entrant: EntrantRow, number: int = 0) -> FixtureRow:
        """Return a reported game of a crew: of one round, else the last. Raises InvalidInput."""
        fixtures = [
            fixture
            for fixture in self.fixtures(number)
            if fixture.status == "played" and entrant.id in (fixture.home, fixture.away)
        ]
        if not fixtures:
            round_text = f" in round {number}" if number else ""
            raise InvalidInput(f"{entrant.name} has no reported game{round_text}.")
        return fixtures[-1]

    def require_running(self) -> None:
        """Refuse changes to a campaign that is archived or has ended. Raises InvalidInput."""
        if self.row.archived:
            way = "Use /organise restore first." if self.act.organises else "Its organiser can restore it."
            raise InvalidInput(f"{self.row.name} is archived. {way}")
        if self.row.status == ENDED:
            raise InvalidInput(f"{self.row.name} has ended.")

    def require_quiet(self, *crews: int) -> None:
        """Refuse changes to crews while a report of theirs is open; without crews, while any is.

        Raises InvalidInput.
        """
        self.require_running()
        for fixture in self.reported(*crews):
            raise InvalidInput(
                f"The report of {self.versus(fixture)} is open. Confirm or cancel it first with "
                "/campaign after."
            )

    def require_between(self, entrant: EntrantRow) -> None:
        """Refuse what is done between encounters while the crew plays, or has not reported what it played.

        The act's `extra` knows the fixtures that an encounter was started for. Raises Forbidden.
        """
        for fixture in self.fixtures():
            is_own = entrant.id in (fixture.home, fixture.away)
            if is_own and fixture.status == "open" and fixture.id in self.act.extra.begun:
                with self.act.overridable():
                    raise Forbidden(
                        f"Report {self.versus(fixture)} first. To do so, end the game, then use "
                        "/campaign after."
                    )

    # ------------------------------------------------------------- the ledger

    def balance(self, entrant: int, account: AnyCounter, member: int = 0) -> int:
        """Return the balance of an account."""
        return self._counters(entrant, member).get(account, 0)

    def _counters(self, entrant: int, member: int) -> Counters:
        return self.veteran(member).counters if member else self.entrant(entrant).counters


class Campaign(CampaignView):
    """A campaign whose rows may be altered, with an entry in its ledger for each change."""

    __slots__ = ()

    act: Act
    book: Book

    def __init__(self, act: Act) -> None:
        super().__init__(act)

    def post(self, entrant: int, account: AnyCounter, amount: int, cause: str, member: int = 0) -> None:
        """Change an account by an amount; what comes in pays first what is owed.

        Raises Forbidden where it would fall below 0.
        """
        if not amount:
            return
        counters = self._counters(entrant, member)
        before = counters.get(account, 0)
        after = before + amount
        if after < 0:
            name = self.name_of(entrant, member)
            raise Forbidden(f"{name} has only {format_amount(before, account)}; this takes {-amount}.")
        if after:
            counters[account] = after
        else:
            del counters[account]
        self._enter(entrant, member, account, str(before), str(after), amount, cause)
        debt = min(after, self.balance(entrant, OWED.of(account), member)) if amount > 0 else 0
        self.post(entrant, account, -debt, REPAID, member)
        self.post(entrant, OWED.of(account), -debt, REPAID, member)

    def write(self, entrant: int, account: str, before: str, after: str, cause: str, member: int = 0) -> None:
        """Write a change in words: a status, a name, a member who comes or goes."""
        if before != after:
            self._enter(entrant, member, account, before, after, 0, cause)

    def _enter(
        self, entrant: int, member: int, account: str, before: str, after: str, amount: int, cause: str
    ) -> None:
        actor = self.act.actor
        self.book.add(
            LedgerRow(
                self.book.scope,
                self.book.next_id(LedgerRow),
                self.act.entry,
                entrant,
                member,
                account,
                before,
                after,
                amount,
                actor.user_id,
                actor.name,
                cause,
            )
        )

    def set_status(self, veteran: VeteranRow, status: str, cause: str) -> None:
        """Change what became of a member."""
        self.write(veteran.entrant, "status", veteran.status, status, cause, veteran.id)
        veteran.status = status

    def set_note(self, veteran: VeteranRow, note: str, cause: str) -> None:
        """Change the note on a member."""
        self.write(veteran.entrant, "note", veteran.note, note, cause, veteran.id)
        veteran.note = note

    def apply(self, entrant: int, effects: Sequence[Effect], cause: str) -> None:
        """Enter what rules did to counters: of members by their numbers, of the side as the entrant's."""
        for effect in effects:
            match effect:
                case Count(owner, number, key, amount):
                    self.post(entrant, key, amount, cause, number if owner == "model" else 0)
                case Assign(owner, number, key, value):
                    member = number if owner == "model" else 0
                    self.post(entrant, key, value - self.balance(entrant, key, member), cause, member)
                case _:
                    pass

    def enrol(
        self,
        entrant: EntrantRow,
        name: str,
        profile: str,
        points: int,
        cause: str,
        *,
        leader: bool = False,
        note: str = "",
        counters: Counters | None = None,
    ) -> VeteranRow:
        """Add a member to a crew, with an entry."""
        taken_names = [row.name for row in self.veterans(entrant.id, everybody=True)]
        row = VeteranRow(
            self.book.scope,
            self.book.next_id(VeteranRow),
            entrant.id,
            find_free_name(name[:MAX_NAME_LENGTH], taken_names),
            profile,
            points,
            leader,
            note=note,
        )
        self.book.add(row)
        self.write(entrant.id, "status", "", row.status, cause, row.id)
        for account, amount in sorted((counters or {}).items()):
            self.post(entrant.id, account, amount, cause, row.id)
        return row


Rows = Mapping[str, Mapping[Key, Columns]]


async def _iterate_states(store: Store, scope: int) -> AsyncIterator[tuple[Book, Book]]:
    """Yield the campaign before and after each entry of its journal, oldest first."""
    rows: dict[str, dict[Key, Columns]] = {}
    for entry in await store.all_entries(scope):
        after = apply(rows, from_json(entry.changes_written(), rows))
        yield Book(scope, rows), Book(scope, after)
        rows = after


async def load_book_after_joining(store: Store, scope: int, entrant: int) -> Book:
    """Return the campaign as it was when a crew had joined."""
    book = Book(scope, {})
    async for before, after in _iterate_states(store, scope):
        if before.get(EntrantRow, entrant) is None and after.get(EntrantRow, entrant) is not None:
            book = after
    return book


async def load_book_before_game(
    store: Store, scope: int, entrant: int, round_number: int
) -> tuple[Book, str]:
    """Return the campaign as a crew went into the game of a round that is reported, and who met.

    Raises InvalidInput where it played none.
    """
    loaded = await store.load(scope)
    current_book = loaded.book() if loaded else Book(scope, {})
    played_fixtures = [
        one
        for one in current_book.all(FixtureRow)
        if one.round == round_number and one.status == "played" and entrant in (one.home, one.away)
    ]
    if not played_fixtures:
        raise InvalidInput(
            f"The crew has no reported game in round {round_number}. Leave the round blank to see the crew "
            "as it is now."
        )
    fixture = played_fixtures[-1]
    book = current_book
    async for before, after in _iterate_states(store, scope):
        if not _is_played(before, fixture.id) and _is_played(after, fixture.id):
            book = before
    names = [
        one.name if (one := current_book.get(EntrantRow, side)) else ""
        for side in (fixture.home, fixture.away)
    ]
    return book, " - ".join(names)


def _is_played(book: Book, fixture: int) -> bool:
    row = book.get(FixtureRow, fixture)
    return row is not None and row.status == "played"
