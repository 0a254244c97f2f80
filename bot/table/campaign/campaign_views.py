"""The public views of a campaign: standings, fixtures, crews, members and the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.replies.reply import Attachment, Button, Reply, say
from bot.replies.sheets.layout import PAPERS
from bot.replies.sheets.sheet import csv_text
from bot.store.row_types import CampaignRow, EntrantRow, LedgerRow
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.game import game, settings_of
from bot.table.handlers import Place, handles
from bot.table.ledger.campaign_book import BOUGHT, FIT, Campaign, CampaignView, amount_words
from bot.table.ledger.campaign_fields import InCampaign, OfEntrant, any_account, crew_named
from bot.table.ledger.campaign_rules import CAMPAIGN_SETTINGS, rules_of
from bot.table.names import find
from bot.table.owners import ANYONE
from bot.table.rosters.crew_state import all_standing
from bot.table.rosters.crews import list_is_secret, may_read
from bot.table.rosters.printing import A4, CARDS, LETTER, PRINT, bound, sheet_of
from bot.table.session.settings import changed
from rules.refusals import InvalidInput, Missing
from rules.wording import times

SHORT = {"campaign points": "CP", "objective points": "OP", "battle points": "BP"}
"""Accounts as the table heads them."""

OWN = "custom model"
"""The mark of a member whose statblock is not printed, which everyone should know."""

MAX_ENTRIES = 20


@dataclass(frozen=True, slots=True)
class ListCampaigns(Action):
    """Show the campaigns on this server (visible only to you)."""

    command = "campaign.list"
    typed = "campaign list"
    titled = "Campaigns"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class Season(InCampaign):
    """See standings, fixtures and what each player still has to do."""

    command = "campaign.season"
    typed = "season"

    public: bool = fields.switch("Show to everyone")


@dataclass(frozen=True, slots=True)
class MyCrew(OfEntrant):
    """See your crew and what it can do between games (visible only to you)."""

    command = "campaign.mine"
    typed = "campaign mine"
    titled = "My crew"


@dataclass(frozen=True, slots=True)
class ShowStandings(InCampaign):
    """Show the standings."""

    command = "campaign.standings"
    typed = "campaign standings"
    titled = "Standings"

    public: bool = fields.switch("Show to everyone")


@dataclass(frozen=True, slots=True)
class ShowCampaign(InCampaign):
    """Show a campaign's rules and fixtures (visible only to you)."""

    command = "campaign.show"
    typed = "campaign show"
    titled = "Show the campaign"


@dataclass(frozen=True, slots=True)
class ShowEntrant(OfEntrant):
    """Show a crew's members and balances (visible only to you)."""

    command = "campaign.crew"
    typed = "campaign crew"
    titled = "Crew in the campaign"


def _account(context: Asking, text: str) -> str:
    """Return an account in the ledger, of the given crew if any. Raises InvalidInput."""
    crew = context.so_far["crew"]
    rows = CampaignView(context.act).ledger(crew.id if crew else 0)
    return find(text, sorted({row.account for row in rows}), str, "account")


@dataclass(frozen=True, slots=True)
class ShowLedger(InCampaign):
    """Show every change to a balance, with its reason.

    before: only entries older than that number, 0 for all.
    """

    command = "campaign.ledger"
    typed = "campaign ledger"
    titled = "Ledger"

    crew: EntrantRow | None = crew_named("Crew (you can also choose one that left)")
    account: str | None = fields.sought("Account", any_account, _account)
    before: int = 0
    file: bool = fields.switch("Get everything as a CSV file")


@dataclass(frozen=True, slots=True)
class PrintCampaign(InCampaign):
    """Get the battle sheets of all crews in one PDF (visible only to you)."""

    command = "campaign.sheets"
    typed = "crew sheets"
    titled = "All battle sheets"

    form: str = fields.word_of("Format", (PRINT, CARDS), default=PRINT)
    paper: str = fields.word_of("Paper size", tuple(PAPERS), default=A4)


async def _campaigns(store: Store, actor: Actor, action: Action) -> list[tuple[int, str, str]]:
    return await store.campaigns(actor.guild_id)


@handles(ListCampaigns, Place.NOWHERE, beforehand=_campaigns)
def list_campaigns(act: Act, action: ListCampaigns) -> Reply:
    """Name and state of each."""
    lines = [f"{name} ({status})" for _, name, status in act.extra]
    return say(
        *(lines or ["There are no campaigns here yet.", "Start one with /campaign start."]), private=True
    )


def standings_lines(camp: Campaign, ranked: Sequence[tuple[int, EntrantRow]]) -> list[str]:
    """Return one line for each entrant: rank, name, accounts, encounters."""
    accounts = rules_of(camp.row.system).ranked
    lines = []
    for rank, entrant in ranked:
        values = " ".join(f"{SHORT.get(key, key)} {entrant.counters.get(key, 0)}" for key in accounts)
        lines.append(f"{rank}. {entrant.name}: {values} ({len(camp.results(entrant.id))})")
    return lines


def legend(camp: Campaign) -> list[str]:
    """Return what the letters of the table and the number in brackets mean."""
    letters = [f"{SHORT[key]} = {key}" for key in rules_of(camp.row.system).ranked if key in SHORT]
    return [", ".join([*letters, "number in brackets = games played"])]


@handles(ShowCampaign, Place.CAMPAIGN)
def show(act: Act, action: ShowCampaign) -> Reply:
    """Show what was agreed, who plays, and the fixtures of all rounds."""
    camp = Campaign(act)
    row = camp.row
    lines = [f"{row.name}: {row.status}, {camp.rounds}", f"Pairing: {row.matching.capitalize()}"]
    lines += [f"Crews start with {row.start_points} points"] if row.start_points else []
    lines += [f"Crews play with up to {row.limit} points"] if row.limit else []
    settings = (*CAMPAIGN_SETTINGS, *settings_of(game(row.system)))
    lines += [f"House rule: {rule}" for rule in changed(settings, row.settings)]
    lines += [f"House rule {number}: {row.house[number]}" for number in sorted(row.house, key=int)]
    lines += ["This campaign is archived. Restore it with /organise restore."] if row.archived else []
    lines += [f"{entrant.name}: {entrant.owner}" for entrant in camp.entrants()]
    for number in range(1, row.round + 1):
        lines.append(f"Round {number}")
        for fixture in camp.fixtures(number):
            found = {
                result.entrant: result.points for result in camp.results() if result.fixture == fixture.id
            }
            score = f" {found[fixture.home]}:{found[fixture.away]}" if len(found) == 2 else ""
            state = "" if score else f" ({fixture.status})" if fixture.away else ""
            lines.append(f"#{fixture.id} {camp.versus(fixture)}{score}{state}")
            lines += [f"  <t:{fixture.day}:F>"] if fixture.day and fixture.status == "open" else []
    lines += [f"The report of {camp.versus(one)} is open." for one in camp.reported()]
    sheets = Button("All battle sheets", PrintCampaign(camp.book.scope), anytime=True)
    may_print = any(may_read(one.crew, act.actor.user_id) for one in all_standing(act.book))
    return Reply(tuple(lines), private=True, buttons=(sheets,) if may_print else ())


async def _bound_sheets(store: Store, actor: Actor, action: PrintCampaign) -> tuple[Attachment, int] | None:
    """Return the PDF, drawn in the background, and how many crews are in it; () without any."""
    loaded = await store.load(action.campaign) if action.campaign else None
    row = loaded.book().get(CampaignRow) if loaded and loaded.scope.guild_id == actor.guild_id else None
    if loaded is None or row is None:
        return None
    if action.form not in (PRINT, CARDS):
        raise Missing(f"Choose one of these formats: {PRINT}, {CARDS}.")
    if action.paper not in PAPERS:
        raise Missing(f"Choose one of these paper sizes: {', '.join(PAPERS)}.")
    sheets = [sheet_of(one) for one in all_standing(loaded.book()) if may_read(one.crew, actor.user_id)]
    if not sheets:
        return None
    return await asyncio.to_thread(bound, row.name, sheets, action.form, action.paper), len(sheets)


@handles(PrintCampaign, Place.CAMPAIGN, beforehand=_bound_sheets)
def print_campaign(act: Act, action: PrintCampaign) -> Reply:
    """Print the sheets only for the person; a secret list is printed only for its player."""
    camp, found = Campaign(act), act.extra
    if found is None:
        raise InvalidInput(f"There is no crew in {camp.row.name} whose sheet you can print.")
    file, count = found
    secret = len(camp.entrants()) - count
    left = (
        f" The file leaves out {times(secret, 'crew with a secret list', 'crews with secret lists')}."
        if secret
        else ""
    )
    asked = replace(action, campaign=camp.book.scope)
    form, label = (CARDS, "Cards") if action.form == PRINT else (PRINT, "Print")
    other = LETTER if action.paper == A4 else A4
    buttons = (
        Button(label, replace(asked, form=form), anytime=True),
        Button(other, replace(asked, paper=other), anytime=True),
    )
    head = f"Here are the battle sheets of {times(count, 'crew')} in {camp.row.name} ({action.paper}).{left}"
    return Reply((head,), private=True, files=(file,), buttons=buttons)


@handles(ShowEntrant, Place.CAMPAIGN)
def show_entrant(act: Act, action: ShowEntrant) -> Reply:
    """Show balances and members, the lost last."""
    camp, entrant = Campaign(act), action.crew
    if camp.is_secret(entrant.id):
        raise NotAllowed(list_is_secret(entrant.name))
    lines = crew_lines(camp, entrant)
    buttons = [Button("Ledger", ShowLedger(camp.book.scope, entrant), anytime=True)]
    if camp.may_for(entrant):
        mine = entrant.owner_id == act.actor.user_id
        label = "What the crew can do" if mine else f"Act for {entrant.owner}"
        buttons.append(Button(label, MyCrew(camp.book.scope, entrant), anytime=True))
    return say(*lines, private=True, buttons=buttons)


def crew_lines(camp: Campaign, entrant: EntrantRow) -> list[str]:
    """Return a crew's balances and members, the lost last."""
    rules = rules_of(camp.row.system)
    veterans = camp.veterans(entrant.id)
    size = sum(one.points for one in veterans)
    worth = f", {times(size, 'point')}" if size else ""
    lines = [f"{entrant.name}: {amount_words(len(veterans), 'members')}{worth} ({entrant.owner})"]
    lines += [", ".join(f"{key} {value}" for key, value in sorted(entrant.counters.items())) or "no points"]
    for veteran in veterans:
        said = (
            ("leader", veteran.leader),
            ("sits out", veteran.benched),
            (OWN, rules.is_own(veteran.profile)),
        )
        marks = "".join(f" ({word})" for word, holds in said if holds)
        more = rules.veteran_words(veteran)
        lines.append(f"{veteran.points:>3} {veteran.name}{marks}{f': {more}' if more else ''}")
    lost = [one for one in camp.veterans(entrant.id, everybody=True) if one.status != FIT]
    return [*lines, *(f"{one.name}: {one.status}" for one in lost)]


@handles(ShowLedger, Place.CAMPAIGN)
def show_ledger(act: Act, action: ShowLedger) -> Reply:
    """Show the last entries: whose, what, before and after, who did it and why."""
    camp = Campaign(act)
    rows = camp.ledger(action.crew.id if action.crew else 0)
    rows = [row for row in rows if action.account in (None, row.account)]
    rows = [ledger for row in rows if (ledger := told_row(camp, row)) is not None]
    if action.file and rows:
        file = Attachment(f"ledger-{camp.book.scope}.csv", f"Ledger of {camp.row.name}", as_csv(camp, rows))
        head = f"Ledger of {camp.row.name}: {times(len(rows), 'entry', 'entries')}."
        return Reply((head,), private=True, files=(file,))
    if action.before:
        rows = [row for row in rows if row.id < action.before]
    ledgers = rows[-MAX_ENTRIES:]
    if not ledgers:
        return say("The ledger has no entries of that kind. Choose another crew or account.", private=True)
    buttons = []
    if len(rows) > len(ledgers):
        older = ShowLedger(camp.book.scope, action.crew, action.account, ledgers[0].id)
        buttons.append(Button("Older", older, anytime=True))
    buttons.append(Button("Get as CSV", replace(action, before=0, file=True), anytime=True))
    lines = [_words(camp, row) for row in ledgers]
    return say(f"Ledger of {camp.row.name}", *lines, private=True, buttons=buttons)


def told_row(camp: Campaign, row: LedgerRow) -> LedgerRow | None:
    """Return an entry as the person who asks may read it: of a secret crew none that names a member."""
    if not camp.is_secret(row.entrant):
        return row
    if row.member or row.account == "leader":
        return None
    return replace(row, cause=BOUGHT) if row.cause.startswith(BOUGHT) else row


def _words(camp: Campaign, row: LedgerRow) -> str:
    because = cause_words(row)
    return f"{row.id} {change_words(camp, row)} ({f'{because}; ' if because else ''}{row.actor})"


SENTENCES = {
    "status fit": "is available again",
    "status in": "comes back",
    "status left": "leaves",
    "status": "is {after}",
    "place fielded": "plays again",
    "place benched": "sits out",
    "leader": "is now led by {after}",
    "note": "has a new note: {after}",
    "improved": "improves {after}",
    "points": "now costs {after} points instead of {before}",
    "result": "had its result corrected from {before} to {after}",
}
"""Entries of the ledger that are no numbers, by account and value, or by account alone."""


def change_words(camp: Campaign, row: LedgerRow) -> str:
    """Return an entry of the ledger in words, without its cause."""
    name, account, before, after = camp.name_of(row.entrant, row.member), row.account, row.before, row.after
    said = SENTENCES.get(f"{account} {after}") or SENTENCES.get(account, "")
    match account:
        case "status" if not before:
            said = "joins"
        case "equipment":
            said = "gets {after}" if after else "no longer has {before}"
        case "fixture":
            said = "has a new fixture: {after}" + (" (before: {before})" if before else "")
    if said:
        return f"{name} {said.format(before=before, after=after)}"
    return f"{name}: {rules_of(camp.row.system).change_words(camp, row)}"


def cause_words(row: LedgerRow) -> str:
    """Return why an entry was made; empty if its words tell it already."""
    told = row.cause == "chosen" or (row.account == "status" and row.cause in ("joined", "left", "came back"))
    return "" if told else row.cause


COLUMNS = ("Number", "Crew", "Member", "Account", "Before", "After", "Description", "Cause", "By")


def as_csv(camp: Campaign, rows: Sequence[LedgerRow]) -> bytes:
    """Return entries of the ledger for a spreadsheet, a line each."""
    lines = [
        (
            str(row.id),
            camp.entrant(row.entrant).name,
            camp.name_of(row.entrant, row.member) if row.member else "",
            row.account,
            row.before,
            row.after,
            change_words(camp, row),
            row.cause,
            row.actor,
        )
        for row in rows
    ]
    return csv_text((COLUMNS, *lines)).encode("utf-8-sig")
