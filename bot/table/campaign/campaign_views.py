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
from bot.table.game import game, list_settings
from bot.table.handlers import Place, handles
from bot.table.ledger.campaign_book import (
    BOUGHT,
    FIT,
    PURSE,
    PURSE_WORDS,
    Campaign,
    CampaignView,
    format_amount,
)
from bot.table.ledger.campaign_fields import InCampaign, OfEntrant, crew_field, list_accounts
from bot.table.ledger.campaign_rules import CAMPAIGN_SETTINGS, get_rules
from bot.table.names import find
from bot.table.owners import ANYONE
from bot.table.rosters.crew_state import all_standing
from bot.table.rosters.crews import list_is_secret, may_read
from bot.table.rosters.printing import A4, CARDS_FORM, LETTER, PRINT_FORM, bind_sheets, make_sheet
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


def _find_account(context: Asking, text: str) -> str:
    """Return an account in the ledger, of the given crew if any. Raises InvalidInput."""
    crew = context.so_far["crew"]
    rows = CampaignView(context.act).ledger(crew.id if crew else 0)
    account = PURSE if " ".join(text.casefold().split()) == PURSE_WORDS else text
    return find(account, sorted({row.account for row in rows}), str, "account")


@dataclass(frozen=True, slots=True)
class ShowLedger(InCampaign):
    """Show every change to a balance, with its reason.

    before: only entries older than that number, 0 for all.
    """

    command = "campaign.ledger"
    typed = "campaign ledger"
    titled = "Ledger"

    crew: EntrantRow | None = crew_field("Crew (you can also choose one that left)")
    account: str | None = fields.sought("Account", list_accounts, _find_account)
    before: int = 0
    file: bool = fields.switch("Get everything as a CSV file")


@dataclass(frozen=True, slots=True)
class PrintCampaign(InCampaign):
    """Get the battle sheets of all crews in one PDF (visible only to you)."""

    command = "campaign.sheets"
    typed = "crew sheets"
    titled = "All battle sheets"

    form: str = fields.word_of("Format", (PRINT_FORM, CARDS_FORM), default=PRINT_FORM)
    paper: str = fields.word_of("Paper size", tuple(PAPERS), default=A4)


async def _read_campaigns(store: Store, actor: Actor, action: Action) -> list[tuple[int, str, str]]:
    return await store.campaigns(actor.guild_id)


@handles(ListCampaigns, Place.NOWHERE, beforehand=_read_campaigns)
def list_campaigns(act: Act, action: ListCampaigns) -> Reply:
    """List the campaigns with their status."""
    lines = [f"{name} ({status})" for _, name, status in act.extra]
    return say(
        *(lines or ["There are no campaigns here yet.", "Start one with /campaign start."]), private=True
    )


def standings_lines(camp: Campaign, ranked: Sequence[tuple[int, EntrantRow]]) -> list[str]:
    """Return one line for each entrant: rank, name, accounts, encounters."""
    accounts = get_rules(camp.row.system).ranked
    lines = []
    for rank, entrant in ranked:
        values = " ".join(f"{SHORT.get(key, key)} {entrant.counters.get(key, 0)}" for key in accounts)
        lines.append(f"{rank}. {entrant.name}: {values} ({len(camp.results(entrant.id))})")
    return lines


def legend(camp: Campaign) -> list[str]:
    """Return what the letters of the table and the number in brackets mean."""
    abbreviations = [f"{SHORT[key]} = {key}" for key in get_rules(camp.row.system).ranked if key in SHORT]
    return [", ".join([*abbreviations, "number in brackets = games played"])]


def list_house_rules(camp: Campaign) -> list[str]:
    """Return the settings that the organiser changed, and then the house rules with numbers."""
    row = camp.row
    settings = (*CAMPAIGN_SETTINGS, *list_settings(game(row.system)))
    lines = [f"House rule: {rule}" for rule in changed(settings, row.settings)]
    return lines + [f"House rule {number}: {row.house[number]}" for number in sorted(row.house, key=int)]


@handles(ShowCampaign, Place.CAMPAIGN)
def show(act: Act, action: ShowCampaign) -> Reply:
    """Show what was agreed, who plays, and the fixtures of all rounds."""
    camp = Campaign(act)
    row = camp.row
    lines = [f"{row.name}: {row.status}, {camp.rounds}", f"Pairing: {row.matching.capitalize()}"]
    lines += [f"Crews start with {row.start_points} points"] if row.start_points else []
    lines += [f"Crews play with up to {row.limit} points"] if row.limit else []
    lines += list_house_rules(camp)
    if row.archived:
        way = "Restore it with /organise restore." if act.organises else "Its organiser can restore it."
        lines.append(f"This campaign is archived. {way}")
    lines += [f"{entrant.name}: {entrant.owner}" for entrant in camp.entrants()]
    for number in range(1, row.round + 1):
        lines.append(f"Round {number}")
        for fixture in camp.fixtures(number):
            points_by_crew = {
                result.entrant: result.points for result in camp.results() if result.fixture == fixture.id
            }
            score = (
                f" {points_by_crew[fixture.home]}:{points_by_crew[fixture.away]}"
                if len(points_by_crew) == 2
                else ""
            )
            state = "" if score else f" ({fixture.status})" if fixture.away else ""
            lines.append(f"#{fixture.id} {camp.versus(fixture)}{score}{state}")
            lines += [f"  <t:{fixture.day}:F>"] if fixture.day and fixture.status == "open" else []
    lines += [f"The report of {camp.versus(fixture)} is open." for fixture in camp.reported()]
    sheets_button = Button("All battle sheets", PrintCampaign(camp.book.scope), anytime=True)
    may_print = any(may_read(one.crew, act.actor.user_id) for one in all_standing(act.book))
    return Reply(tuple(lines), private=True, buttons=(sheets_button,) if may_print else ())


async def _bind_sheets(store: Store, actor: Actor, action: PrintCampaign) -> tuple[Attachment, int] | None:
    """Return the PDF, drawn in the background, and how many crews are in it; None if there are none."""
    loaded = await store.load(action.campaign) if action.campaign else None
    row = loaded.book().get(CampaignRow) if loaded and loaded.scope.guild_id == actor.guild_id else None
    if loaded is None or row is None:
        return None
    if action.form not in (PRINT_FORM, CARDS_FORM):
        raise Missing(f"Choose one of these formats: {PRINT_FORM}, {CARDS_FORM}.")
    if action.paper not in PAPERS:
        raise Missing(f"Choose one of these paper sizes: {', '.join(PAPERS)}.")
    sheets = [
        make_sheet(crew_standing)
        for crew_standing in all_standing(loaded.book())
        if may_read(crew_standing.crew, actor.user_id)
    ]
    if not sheets:
        return None
    return await asyncio.to_thread(bind_sheets, row.name, sheets, action.form, action.paper), len(sheets)


@handles(PrintCampaign, Place.CAMPAIGN, beforehand=_bind_sheets)
def print_campaign(act: Act, action: PrintCampaign) -> Reply:
    """Print the sheets only for the person; a secret list is printed only for its player."""
    camp, sheets_file = Campaign(act), act.extra
    if sheets_file is None:
        raise InvalidInput(f"There is no crew in {camp.row.name} whose sheet you can print.")
    file, count = sheets_file
    secret_count = len(camp.entrants()) - count
    left_out_text = (
        f" The file leaves out {times(secret_count, 'crew with a secret list', 'crews with secret lists')}."
        if secret_count
        else ""
    )
    this_action = replace(action, campaign=camp.book.scope)
    form, label = (CARDS_FORM, "Cards") if action.form == PRINT_FORM else (PRINT_FORM, "Print")
    other_paper = LETTER if action.paper == A4 else A4
    buttons = (
        Button(label, replace(this_action, form=form), anytime=True),
        Button(other_paper, replace(this_action, paper=other_paper), anytime=True),
    )
    head = (
        f"Here are the battle sheets of {times(count, 'crew')} in {camp.row.name} ({action.paper})."
        f"{left_out_text}"
    )
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
        is_own = entrant.owner_id == act.actor.user_id
        label = "What the crew can do" if is_own else f"Act for {entrant.owner}"
        buttons.append(Button(label, MyCrew(camp.book.scope, entrant), anytime=True))
    return say(*lines, private=True, buttons=buttons)


def crew_lines(camp: Campaign, entrant: EntrantRow) -> list[str]:
    """Return a crew's balances and members, the lost last."""
    rules = get_rules(camp.row.system)
    veterans = camp.veterans(entrant.id)
    size = sum(member.points for member in veterans)
    points_text = f", {times(size, 'point')}" if size else ""
    lines = [f"{entrant.name}: {format_amount(len(veterans), 'members')}{points_text} ({entrant.owner})"]
    lines += [", ".join(f"{key} {value}" for key, value in sorted(entrant.counters.items())) or "no points"]
    for veteran in veterans:
        possible_marks = (
            ("leader", veteran.leader),
            ("sits out", veteran.benched),
            (OWN, rules.is_own(veteran.profile)),
        )
        marks = "".join(f" ({word})" for word, applies in possible_marks if applies)
        member_text = rules.veteran_words(veteran)
        lines.append(f"{veteran.points:>3} {veteran.name}{marks}{f': {member_text}' if member_text else ''}")
    lost_members = [member for member in camp.veterans(entrant.id, everybody=True) if member.status != FIT]
    return [*lines, *(f"{member.name}: {member.status}" for member in lost_members)]


@handles(ShowLedger, Place.CAMPAIGN)
def show_ledger(act: Act, action: ShowLedger) -> Reply:
    """Show the last entries: whose, what, before and after, who did it and why."""
    camp = Campaign(act)
    rows = camp.ledger(action.crew.id if action.crew else 0)
    rows = [row for row in rows if action.account in (None, row.account)]
    rows = [readable_entry for row in rows if (readable_entry := readable_row(camp, row)) is not None]
    if action.file and rows:
        file = Attachment(f"ledger-{camp.book.scope}.csv", f"Ledger of {camp.row.name}", as_csv(camp, rows))
        head = f"Ledger of {camp.row.name}: {times(len(rows), 'entry', 'entries')}."
        return Reply((head,), private=True, files=(file,))
    if action.before:
        rows = [row for row in rows if row.id < action.before]
    shown_rows = rows[-MAX_ENTRIES:]
    if not shown_rows:
        is_filtered = action.crew is not None or action.account is not None or action.before
        advice = "The ledger has no entries of that kind. Choose another crew or account."
        return say(advice if is_filtered else "The ledger has no entries yet.", private=True)
    buttons = []
    if len(rows) > len(shown_rows):
        older_action = ShowLedger(camp.book.scope, action.crew, action.account, shown_rows[0].id)
        buttons.append(Button("Older", older_action, anytime=True))
    buttons.append(Button("Get as CSV", replace(action, before=0, file=True), anytime=True))
    lines = [_entry_words(camp, row) for row in shown_rows]
    return say(f"Ledger of {camp.row.name}", *lines, private=True, buttons=buttons)


def readable_row(camp: Campaign, row: LedgerRow) -> LedgerRow | None:
    """Return an entry as the person may read it; None if it names a member of a secret crew."""
    if not camp.is_secret(row.entrant):
        return row
    if row.member or row.account == "leader":
        return None
    return replace(row, cause=BOUGHT) if row.cause.startswith(BOUGHT) else row


def _entry_words(camp: Campaign, row: LedgerRow) -> str:
    cause_text = cause_words(row)
    return f"{row.id} {change_words(camp, row)} ({f'{cause_text}; ' if cause_text else ''}{row.actor})"


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
"""Sentences for entries of the ledger that aren't numbers, by account and value, or by account alone."""


def change_words(camp: Campaign, row: LedgerRow) -> str:
    """Return an entry of the ledger in words, without its cause."""
    name, account, before, after = camp.name_of(row.entrant, row.member), row.account, row.before, row.after
    sentence = SENTENCES.get(f"{account} {after}") or SENTENCES.get(account, "")
    match account:
        case "status" if not before:
            sentence = "joins"
        case "equipment":
            sentence = "gets {after}" if after else "no longer has {before}"
        case "fixture":
            sentence = (
                "has a different fixture: {after} (before: {before})"
                if before
                else "has a new fixture: {after}"
            )
    if sentence:
        return f"{name} {sentence.format(before=before, after=after)}"
    return f"{name}: {get_rules(camp.row.system).change_words(camp, row)}"


def cause_words(row: LedgerRow) -> str:
    """Return why an entry was made; empty if its words tell it already."""
    is_told_already = row.cause == "chosen" or (
        row.account == "status" and row.cause in ("joined", "left", "came back")
    )
    return "" if is_told_already else row.cause


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
