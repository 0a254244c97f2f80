"""The report that is open: shown whole, edited line by line, confirmed in one step.

It stands in rows of its own, written by minor entries: they belong to the entry that confirms it, so that one
undo takes back all of it. What is proposed is not decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form, say
from bot.store.row_types import FixtureRow, LedgerRow, ProposalRow
from bot.table.act import Act, NotAllowed
from bot.table.campaign.campaign_asked import InCampaign
from bot.table.campaign.campaign_book import (
    CONFIRMED,
    OWED,
    PROPOSED,
    PURSE,
    REPAID,
    Campaign,
    amount_words,
)
from bot.table.campaign.campaign_rules import PAY, CampaignRules, ReportOption, chosen, rules_of
from bot.table.campaign.campaign_views import Season, ShowStandings
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO, Undo
from bot.table.names import find, plain
from rules.refusals import Forbidden, InvalidInput
from rules.wording import times

MOST_AMOUNT = 10_000
OPEN_MENUS = 2
"""Most choices that are asked for at once below a report."""


@dataclass(frozen=True, slots=True)
class PickLine(InCampaign):
    """Show what a line of the report can be changed to."""

    command = "campaign.line"

    line: int = 0


@dataclass(frozen=True, slots=True)
class EditLine(InCampaign):
    """Change a line of the report: to a number, or to one of its options."""

    command = "campaign.edit"

    line: int = 0
    value: str = ""


@dataclass(frozen=True, slots=True)
class ConfirmReport(InCampaign):
    """Do everything that the open report proposes."""

    command = "campaign.confirm"


CHANGED = "(changed by"
"""How the words begin in a cause that say who changed a line of a report."""

AMOUNT = form("campaign-amount", "Change a number", Blank("value", "The number it is to be", longest=6))


# ------------------------------------------------------------------------------------ showing


def shown(camp: Campaign, head: str, dice: Sequence[str] = ()) -> Reply:
    """The open report: who got what, what is still to be chosen, and the buttons."""
    rules = rules_of(camp.row.system)
    lines = [head]
    for result in camp.results(status=PROPOSED):
        name = camp.entrant(result.entrant).name
        lines.append(f"**{name}**: {result.result or 'no result yet'}, {times(result.points, 'point')}")
        mine = [
            (one, f"{rules.words(camp, one)}{_mark(one)}")
            for one in camp.proposals()
            if one.entrant == result.entrant and (one.kind != "points" or one.amount or one.was)
        ]
        lines += rules.entrant_lines(camp, mine)
    still = [one for one in camp.proposals() if rules.is_open(one)]
    menus = [_menu(camp, rules, one) for one in still[:OPEN_MENUS]]
    if still:
        lines.append(f"Still to choose: {len(still)}.")
    menus += [_change_menu(camp, rules, result.entrant) for result in camp.results(status=PROPOSED)]
    confirm = Button("Confirm", ConfirmReport(camp.book.scope), "main", disabled=bool(still))
    buttons = (confirm, Button("Cancel", Undo()))
    return Reply((*lines, *(("", *dice) if dice else ())), buttons=buttons, menus=tuple(menus))


def _mark(one: ProposalRow) -> str:
    was = f"; was {one.was}" if one.was else ""
    return f" [{one.editor}{was}]" if one.editor else ""


def _menu(camp: Campaign, rules: CampaignRules, one: ProposalRow) -> Menu:
    choices = tuple(Choice(option.words, option.words) for option in rules.options(camp, one) if option.free)
    whose = "" if one.member else f"{camp.entrant(one.entrant).name}, "
    prompt = f"{whose}{rules.words(camp, one)}"
    return Menu(prompt, EditLine(camp.book.scope, one.id), "value", choices)


def _change_menu(camp: Campaign, rules: CampaignRules, entrant: int) -> Menu:
    rows = [one for one in camp.proposals() if one.entrant == entrant]
    choices = tuple(Choice(rules.words(camp, one), str(one.id)) for one in rows)
    return Menu(f"Change a line of {camp.entrant(entrant).name}", PickLine(camp.book.scope), "line", choices)


# ------------------------------------------------------------------------------------ editing


def _line(camp: Campaign, number: int) -> ProposalRow:
    if not camp.row.report:
        raise InvalidInput("No report is open: /campaign after.")
    found = camp.book.get(ProposalRow, number)
    if found is None:
        raise InvalidInput("The report has no such line.")
    return found


@handles(PickLine, Place.CAMPAIGN)
def pick_line(act: Act, action: PickLine) -> Reply:
    """Only to the person who asks."""
    camp = Campaign(act)
    one = _line(camp, action.line)
    rules = rules_of(camp.row.system)
    edit = EditLine(camp.book.scope, one.id)
    head = (f"{camp.entrant(one.entrant).name}: {rules.words(camp, one)}",)
    options = rules.options(camp, one)
    if not act.is_organiser and (options or not rules.is_free(one)):
        now = (one.text, one.choice)
        options = [
            option
            for option in options
            if _is_free(one, option, rules) and (option.text, option.choice) != now
        ]
        if not options:
            raise NotAllowed("Only the organiser changes that.")
    if not camp.may_for(camp.entrant(one.entrant)):
        raise NotAllowed("Only the organiser changes that.")
    if not options:
        return Reply(head, private=True, buttons=(Button("Change...", edit, form=AMOUNT),))
    choices = tuple(Choice(option.words, option.words) for option in options)
    return Reply(head, private=True, menus=(Menu("Change it to", edit, "value", choices),))


@handles(EditLine, Place.CAMPAIGN)
def edit_line(act: Act, action: EditLine) -> Reply:
    """The crew's player chooses what is free; anything else is the organiser's, and everybody sees it."""
    camp = Campaign(act)
    one = _line(camp, action.line)
    rules = rules_of(camp.row.system)
    entrant = camp.entrant(one.entrant)
    options = rules.options(camp, one)
    before = _value(one) if options else str(one.amount)
    free = False
    if options:
        chosen = find(action.value, options, lambda option: option.words, "choice")
        free = _is_free(one, chosen, rules)
        one.text, one.choice = chosen.text, chosen.choice
    else:
        one.amount, free = _amount(action.value), rules.is_free(one)
    if not act.is_organiser:
        if entrant.owner_id != act.actor.user_id:
            raise NotAllowed(f"Only {entrant.owner} or the organiser changes that.")
        if not free:
            raise NotAllowed("Only the organiser changes what was rolled or counted.")
    if before != (_value(one) if options else str(one.amount)):
        _mark_editor(one, before, act.actor.name, free=free, own=entrant.owner_id == act.actor.user_id)
    rules.changed(camp, one)
    act.minor = True
    return shown(camp, f"{entrant.name}: {rules.words(camp, one)}")


def _mark_editor(one: ProposalRow, before: str, name: str, *, free: bool, own: bool) -> None:
    """Keep who changed what was counted or rolled, and what it was; and who chose for somebody else."""
    if not free:
        one.was, one.editor = one.was or before, name
    elif not own:
        one.editor = name
    elif not one.was:
        one.editor = ""


def _is_free(one: ProposalRow, chosen: ReportOption, rules: CampaignRules) -> bool:
    """What is to be chosen anyway: an open line, or another choice of the same outcome."""
    return chosen.free and (rules.is_open(one) or chosen.text == one.text or rules.is_free(one))


def _value(one: ProposalRow) -> str:
    return f"{one.text}: {one.choice}" if one.choice else one.text


def _amount(text: str) -> int:
    try:
        number = int(text.strip())
    except ValueError:
        raise InvalidInput(f"{plain(text, 20)} is no number.") from None
    if abs(number) > MOST_AMOUNT:
        raise InvalidInput(f"A number is {-MOST_AMOUNT} to {MOST_AMOUNT} here.")
    return number


# ------------------------------------------------------------------------------------ confirming


@handles(ConfirmReport, Place.CAMPAIGN)
def confirm(act: Act, action: ConfirmReport) -> Reply:
    """Everything at once: results, balances, members; one undo takes it all back."""
    camp = Campaign(act)
    if not camp.row.report:
        raise InvalidInput("No report is open: /campaign after.")
    fixture = camp.fixture(camp.row.report)
    camp.require_fixture(fixture)
    rules = rules_of(camp.row.system)
    proposals = camp.proposals()
    still = [rules.words(camp, one) for one in proposals if rules.is_open(one)]
    if still:
        raise Forbidden(f"Still to choose: {'; '.join(still)}.")
    cause = f"round {fixture.round}"
    first = camp.book.next_id(LedgerRow)
    camp.row.report = 0
    rules.before_settling(camp, (fixture.home, fixture.away), cause)
    told: list[str] = []
    for one in sorted(proposals, key=rules.is_last):
        changed = f" {CHANGED} {one.editor}, was {one.was})" if one.was else ""
        changed = changed or (f" (chosen by {one.editor})" if one.editor else "")
        told += rules.settle(camp, one, cause + changed)
        camp.book.remove(one)
    fixture.status = "played"
    _pay(camp, fixture, cause)
    lines = []
    for result in camp.results(status=PROPOSED):
        result.status = CONFIRMED
        entrant = camp.entrant(result.entrant)
        lines.append(f"{entrant.name}: {result.result}, {_balances(camp, entrant.id, rules)}")
    for entrant_id in (fixture.home, fixture.away):
        told += rules.after_settling(camp, camp.entrant(entrant_id))
    told += _repaid(camp, first)
    buttons = (
        UNDO,
        Button("Standings", ShowStandings(camp.book.scope, True), anytime=True),
        Button("Season", Season(camp.book.scope), anytime=True),
    )
    return say(f"{camp.versus(fixture)} is in the books.", *lines, *told, buttons=buttons)


def _pay(camp: Campaign, fixture: FixtureRow, cause: str) -> None:
    """What every game pays by a rule of the house; the ledger cites it."""
    amount = int(chosen(camp.row, PAY))
    for entrant in (fixture.home, fixture.away):
        camp.post(entrant, PURSE, amount, f"{cause}, house rule: each game pays {amount}")


def _repaid(camp: Campaign, first: int) -> list[str]:
    """What paid a debt, by the entries of the ledger from that number on."""
    return [
        f"{camp.name_of(one.entrant, one.member)}: {-one.amount} {one.account} pays what was owed."
        for one in camp.ledger()
        if one.id >= first and one.cause == REPAID and not OWED.counts(one.account)
    ]


def _balances(camp: Campaign, entrant: int, rules: CampaignRules) -> str:
    return ", ".join(amount_words(camp.balance(entrant, account), account) for account in rules.ranked[:1])
