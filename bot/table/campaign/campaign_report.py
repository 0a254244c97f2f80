"""The report after an encounter: proposed from what happened, edited line by line, confirmed in one step.

Every game has its own report, and several may be open at once. The player of the other crew confirms it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from bot.actions import from_json, raw_of
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form, say
from bot.store.row_types import EntrantRow, FixtureRow, LedgerRow, ProposalRow, ResultRow, VeteranRow
from bot.store.rows import EncounterRow, PendingRow
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_games import CAMPAIGN, FIXTURE, begun, campaign_of, fielded
from bot.table.campaign.campaign_views import Season, ShowStandings
from bot.table.encounter import ENDED, Encounter
from bot.table.game import FOLLOW_UPS
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import (
    CONFIRMED,
    OWED,
    PROPOSED,
    PURSE,
    REPAID,
    Campaign,
    CampaignView,
    format_amount,
    format_full_name,
)
from bot.table.ledger.campaign_fields import InCampaign, list_entrant_names
from bot.table.ledger.campaign_rules import (
    ENTRANT,
    PAY,
    Battle,
    CampaignRules,
    ReportOption,
    get_rules,
    get_setting,
)
from bot.table.names import find, plain
from bot.table.realdice import REAL, dice_of
from rules.json_text import compact
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.wording import times

MAX_AMOUNT = 10_000
MAX_OPEN_MENUS = 2
"""Most choices that are asked for at once below a report."""


@dataclass(frozen=True, slots=True)
class PickLine(InCampaign):
    """Show what a line of a report can be changed to. opened: the entry that opened it, or 0 for any."""

    command = "campaign.line"

    line: int = 0
    opened: int = 0


@dataclass(frozen=True, slots=True)
class EditLine(InCampaign):
    """Change a line of a report: to a number, or to one of its options. opened: as in `PickLine`."""

    command = "campaign.edit"

    line: int = 0
    value: str = ""
    opened: int = 0


@dataclass(frozen=True, slots=True)
class ConfirmReport(InCampaign):
    """Do everything that an open report proposes. fixture: the fixture of the report, or 0 for your own.

    seen: its lines as they were read, see `_digest`; empty for any.
    """

    command = "campaign.confirm"

    fixture: int = 0
    seen: str = ""


@dataclass(frozen=True, slots=True)
class CancelReport(InCampaign):
    """Cancel an open report, which keeps its dice. fixture: the fixture of the report, or 0 for your own."""

    command = "campaign.cancel"

    fixture: int = 0


CHANGED = "(changed by"
"""How the words begin in a cause that say who changed a line of a report."""

AMOUNT_FORM = form("campaign-amount", "Change a number", Blank("value", "New number", longest=6))


# ------------------------------------------------------------------------------------ showing


def shown(camp: Campaign, fixture: FixtureRow, head: str, dice: Sequence[str] = ()) -> Reply:
    """Show the open report of a fixture: the gains, the open choices, and the buttons."""
    rules = get_rules(camp.row.system)
    lines, results, proposals = [head], _report_results(camp, fixture), camp.proposals(fixture)
    for result in results:
        name = camp.entrant(result.entrant).name
        lines.append(f"**{name}**: {result.result or 'no result yet'}, {times(result.points, 'point')}")
        crew_proposals = [
            (proposal, f"{rules.words(camp, proposal)}{_editor_mark(proposal)}")
            for proposal in proposals
            if proposal.entrant == result.entrant
            and (proposal.kind != "points" or proposal.amount or proposal.was)
        ]
        lines += rules.entrant_lines(camp, crew_proposals)
    open_proposals = [proposal for proposal in proposals if rules.is_open(proposal)]
    menus = [_choice_menu(camp, rules, fixture, proposal) for proposal in open_proposals[:MAX_OPEN_MENUS]]
    if open_proposals:
        lines.append(f"Choices that still have to be made: {len(open_proposals)}.")
    menus += [_change_menu(camp, rules, fixture, result.entrant) for result in results]
    if not open_proposals:
        lines.append(_confirmer_sentence(camp, fixture))
    confirm_action = ConfirmReport(camp.book.scope, fixture.id, _digest(proposals))
    confirm_button = Button("Confirm", confirm_action, "main", anytime=True, disabled=bool(open_proposals))
    buttons = (confirm_button, Button("Cancel", CancelReport(camp.book.scope, fixture.id), anytime=True))
    return Reply((*lines, *(("", *dice) if dice else ())), buttons=buttons, menus=tuple(menus))


def _report_results(camp: Campaign, fixture: FixtureRow, status: str = PROPOSED) -> list[ResultRow]:
    return [result for result in camp.results(status=status) if result.fixture == fixture.id]


def _confirmers(camp: Campaign, fixture: FixtureRow) -> list[EntrantRow]:
    """Return the crews whose player confirms a report: those that did not open it."""
    return [
        camp.entrant(entrant_id)
        for entrant_id in (fixture.home, fixture.away)
        if entrant_id != fixture.reporter
    ]


def _confirmer_sentence(camp: Campaign, fixture: FixtureRow) -> str:
    owners = dict.fromkeys(confirmer.owner for confirmer in _confirmers(camp, fixture))
    return f"{' or '.join(owners)} has to confirm this report."


def _editor_mark(proposal: ProposalRow) -> str:
    if proposal.was:
        return f" [changed by {proposal.editor}; before: {proposal.was}]"
    return f" [chosen by {proposal.editor}]" if proposal.editor else ""


def _digest(lines: Sequence[ProposalRow]) -> str:
    """Return what tells these lines from lines that were changed."""
    line_values = [(line.id, line.kind, line.text, line.amount, line.choice) for line in lines]
    return sha256(compact(line_values).encode()).hexdigest()[:8]


def _choice_menu(camp: Campaign, rules: CampaignRules, fixture: FixtureRow, proposal: ProposalRow) -> Menu:
    choices = tuple(
        Choice(option.words, option.words) for option in rules.options(camp, proposal) if option.free
    )
    crew_prefix = "" if proposal.member else f"{camp.entrant(proposal.entrant).name}, "
    prompt = f"{crew_prefix}{rules.words(camp, proposal)}"
    edit_action = EditLine(camp.book.scope, proposal.id, opened=fixture.report)
    return Menu(prompt, edit_action, "value", choices, anytime=True)


def _change_menu(camp: Campaign, rules: CampaignRules, fixture: FixtureRow, entrant: int) -> Menu:
    rows = [proposal for proposal in camp.proposals(fixture) if proposal.entrant == entrant]
    choices = tuple(Choice(rules.words(camp, row), str(row.id)) for row in rows)
    pick_action = PickLine(camp.book.scope, opened=fixture.report)
    return Menu(f"Change a line for {camp.entrant(entrant).name}", pick_action, "line", choices, anytime=True)


# ------------------------------------------------------------------------------------ editing


def _find_line(camp: Campaign, line_id: int, opened: int) -> ProposalRow:
    if not camp.reported():
        raise InvalidInput("Open the report first with /campaign after.")
    proposal = camp.book.get(ProposalRow, line_id)
    if proposal is None or opened not in (0, camp.report_of(proposal.entrant).report):
        raise Missing("Choose a line of the report that is open now.")
    return proposal


def _find_report(camp: Campaign, fixture_id: int) -> FixtureRow:
    """Return the fixture of the open report: by number, or the person's own, or the only one.

    Raises InvalidInput.
    """
    own_entrants = [entrant.id for entrant in camp.entrants() if entrant.owner_id == camp.act.actor.user_id]
    matching_fixtures = [fixture for fixture in camp.reported() if fixture_id in (0, fixture.id)]
    fixtures = [
        fixture
        for fixture in matching_fixtures
        if fixture.home in own_entrants or fixture.away in own_entrants
    ] or matching_fixtures
    if not fixtures:
        raise InvalidInput("Open the report first with /campaign after.")
    if len(fixtures) > 1:
        raise Missing(
            f"Choose one of these reports: {'; '.join(camp.versus(fixture) for fixture in fixtures)}."
        )
    return fixtures[0]


@handles(PickLine, Place.CAMPAIGN)
def pick_line(act: Act, action: PickLine) -> Reply:
    """Show the choices of a line only to the person."""
    camp = Campaign(act)
    proposal = _find_line(camp, action.line, action.opened)
    rules = get_rules(camp.row.system)
    edit_action = EditLine(camp.book.scope, proposal.id, opened=action.opened)
    head_lines = (f"{camp.entrant(proposal.entrant).name}: {rules.words(camp, proposal)}",)
    options = rules.options(camp, proposal)
    if not act.is_organiser and (options or not rules.is_free(proposal)):
        current_choice = (proposal.text, proposal.choice)
        options = [
            option
            for option in options
            if _is_free(proposal, option, rules) and (option.text, option.choice) != current_choice
        ]
        if not options:
            raise NotAllowed("Only the organiser can change that line.")
    if not camp.may_for(camp.entrant(proposal.entrant)):
        raise NotAllowed("Only the organiser can change that line.")
    if not options:
        return Reply(head_lines, private=True, buttons=(Button("Change...", edit_action, form=AMOUNT_FORM),))
    choices = tuple(Choice(option.words, option.words) for option in options)
    return Reply(
        head_lines, private=True, menus=(Menu("Change this line to", edit_action, "value", choices),)
    )


@handles(EditLine, Place.CAMPAIGN)
def edit_line(act: Act, action: EditLine) -> Reply:
    """Change a line of the report.

    The crew's player makes free choices; only the organiser changes the rest.
    """
    camp = Campaign(act)
    proposal = _find_line(camp, action.line, action.opened)
    rules = get_rules(camp.row.system)
    entrant = camp.entrant(proposal.entrant)
    options = rules.options(camp, proposal)
    value_before = _value_text(proposal) if options else str(proposal.amount)
    is_free = False
    if options:
        chosen_option = find(action.value, options, lambda option: option.words, "choice")
        is_free = _is_free(proposal, chosen_option, rules)
        proposal.text, proposal.choice = chosen_option.text, chosen_option.choice
    else:
        proposal.amount, is_free = _parse_amount(action.value), rules.is_free(proposal)
    if not act.is_organiser:
        if entrant.owner_id != act.actor.user_id:
            raise NotAllowed(f"Only {entrant.owner} or the organiser can change that line.")
        if not is_free:
            raise NotAllowed("Only the organiser can change what was rolled or counted.")
    if value_before != (_value_text(proposal) if options else str(proposal.amount)):
        _mark_editor(
            proposal,
            value_before,
            act.actor.name,
            is_free=is_free,
            is_own=entrant.owner_id == act.actor.user_id,
        )
    rules.changed(camp, proposal)
    head = f"{entrant.name}: {rules.words(camp, proposal)}"
    return replace(shown(camp, camp.report_of(entrant.id), head), replaces=True)


def _mark_editor(proposal: ProposalRow, value_before: str, name: str, *, is_free: bool, is_own: bool) -> None:
    """Note the person who changed a counted or rolled line, with its old value, or who chose for another
    player.
    """
    if not is_free:
        proposal.was, proposal.editor = proposal.was or value_before, name
    elif not is_own:
        proposal.editor = name
    elif not proposal.was:
        proposal.editor = ""


def _is_free(proposal: ProposalRow, option: ReportOption, rules: CampaignRules) -> bool:
    """Return whether anyone may choose it: an open line, or another choice of the same outcome."""
    return option.free and (
        rules.is_open(proposal) or option.text == proposal.text or rules.is_free(proposal)
    )


def _value_text(proposal: ProposalRow) -> str:
    return f"{proposal.text}: {proposal.choice}" if proposal.choice else proposal.text


def _parse_amount(text: str) -> int:
    try:
        amount = int(text.strip())
    except ValueError:
        raise Missing(f"Enter a number (you entered {plain(text, 20)}).") from None
    if abs(amount) > MAX_AMOUNT:
        raise Missing(f"Enter a number between {-MAX_AMOUNT} and {MAX_AMOUNT} (you entered {amount}).")
    return amount


# ------------------------------------------------------------------------------------ confirming


@handles(ConfirmReport, Place.CAMPAIGN)
def confirm(act: Act, action: ConfirmReport) -> Reply:
    """Store results, balances and members in one step; one undo opens the report again.

    The player of the other crew confirms, or the organiser, and then everyone is told.
    """
    camp = Campaign(act)
    fixture = _find_report(camp, action.fixture)
    camp.require_fixture(fixture)
    act.canonical = replace(action, fixture=fixture.id, seen="")
    if action.seen and action.seen != _digest(camp.proposals(fixture)):
        raise InvalidInput("This report has changed since you read it. Read it again with /campaign after.")
    confirmers = _confirmers(camp, fixture)
    is_confirmer = any(one.owner_id == act.actor.user_id for one in confirmers)
    refusal_text = f"{_confirmer_sentence(camp, fixture)} You can't confirm it yourself."
    act.require(is_confirmer or act.organises, refusal_text)
    rules = get_rules(camp.row.system)
    proposals = camp.proposals(fixture)
    open_choices = [rules.words(camp, one) for one in proposals if rules.is_open(one)]
    if open_choices:
        raise Forbidden(f"Make these choices first ({'; '.join(open_choices)}).")
    cause = f"round {fixture.round}"
    first_entry_id = camp.book.next_id(LedgerRow)
    fixture.report = fixture.reporter = 0
    rules.before_settling(camp, (fixture.home, fixture.away), cause)
    more_lines: list[str] = []
    for proposal in sorted(proposals, key=rules.is_last):
        editor_note = f" {CHANGED} {proposal.editor}; before: {proposal.was})" if proposal.was else ""
        editor_note = editor_note or (f" (chosen by {proposal.editor})" if proposal.editor else "")
        more_lines += rules.settle(camp, proposal, cause + editor_note)
        camp.book.remove(proposal)
    fixture.status = "played"
    _pay(camp, fixture, cause)
    lines = []
    for result in _report_results(camp, fixture):
        result.status = CONFIRMED
        entrant = camp.entrant(result.entrant)
        lines.append(f"{entrant.name}: {result.result}, {_balance_text(camp, entrant.id, rules)}")
    for entrant_id in (fixture.home, fixture.away):
        more_lines += rules.after_settling(camp, camp.entrant(entrant_id))
    more_lines += _repayment_lines(camp, first_entry_id)
    buttons = (
        UNDO,
        Button("Standings", ShowStandings(camp.book.scope, True), anytime=True),
        Button("Season", Season(camp.book.scope), anytime=True),
    )
    if not is_confirmer:
        names = " or ".join(dict.fromkeys(one.owner for one in confirmers))
        more_lines.append(f"The organiser, {act.actor.name}, confirmed this instead of {names}.")
    return say(f"The report of {camp.versus(fixture)} is confirmed.", *lines, *more_lines, buttons=buttons)


@handles(CancelReport, Place.CAMPAIGN)
def cancel(act: Act, action: CancelReport) -> Reply:
    """Cancel a report, by one of its two players or the organiser."""
    camp = Campaign(act)
    fixture = _find_report(camp, action.fixture)
    camp.require_fixture(fixture)
    act.canonical = replace(action, fixture=fixture.id)
    for row in (*camp.proposals(fixture), *_report_results(camp, fixture)):
        camp.book.remove(row)
    fixture.report = fixture.reporter = 0
    dice_lines = ["If you open this report again, it will use the same dice."] if fixture.thrown else []
    return say(f"The report of {camp.versus(fixture)} is cancelled.", *dice_lines, buttons=[UNDO])


def _pay(camp: Campaign, fixture: FixtureRow, cause: str) -> None:
    """Pay what a house rule gives for each game; the ledger cites the rule."""
    amount = int(get_setting(camp.row, PAY))
    for entrant in (fixture.home, fixture.away):
        camp.post(entrant, PURSE, amount, f"{cause}, house rule: each game pays {amount}")


def _repayment_lines(camp: Campaign, first_entry_id: int) -> list[str]:
    """Return the payments of a debt among the ledger's entries from that number on."""
    return [
        f"{camp.name_of(row.entrant, row.member)} pays back "
        f"{format_amount(-row.amount, 'requisition points' if row.account == PURSE else row.account)}."
        for row in camp.ledger()
        if row.id >= first_entry_id and row.cause == REPAID and not OWED.counts(row.account)
    ]


def _balance_text(camp: Campaign, entrant: int, rules: CampaignRules) -> str:
    return ", ".join(format_amount(camp.balance(entrant, account), account) for account in rules.ranked[:1])


MAX_POINTS = 1000


def _fixture_field(label: str, **more: Any) -> Any:
    """Return a fixture by its #number, or a crew whose open fixture is meant."""
    return fields.sought(
        label, list_entrant_names, _find_crew_or_fixture, written=_format_crew_or_number, **more
    )


def _find_crew_or_fixture(context: Asking, text: str) -> FixtureRow | EntrantRow:
    camp = CampaignView(context.act)
    return camp.find_fixture(text) if text.startswith("#") else camp.find_entrant(text)


def _format_crew_or_number(crew_or_fixture: FixtureRow | EntrantRow) -> str:
    return crew_or_fixture.name if isinstance(crew_or_fixture, EntrantRow) else f"#{crew_or_fixture.id}"


def _casualties_field(label: str) -> Any:
    def find(context: Asking, text: str) -> VeteranRow:
        return CampaignView(context.act).named_among(_who_played(context), text, "member")

    return fields.several(label, offering.completing(_names_who_played), find, written=format_full_name)


def _names_who_played(context: Asking) -> list[str]:
    camp = CampaignView(context.act)
    visible_members = [row for row in _who_played(context) if not camp.is_secret(row.entrant)]
    return [camp.called_among(visible_members, row) for row in visible_members]


def _who_played(context: Asking) -> list[VeteranRow]:
    camp = CampaignView(context.act)
    fixture = _find_fixture(camp, context.so_far["fixture"])
    return [veteran for entrant in (fixture.home, fixture.away) for veteran in fielded(camp, entrant)]


def _find_fixture(camp: CampaignView, chosen_fixture: FixtureRow | EntrantRow | None) -> FixtureRow:
    """Return the fixture itself; the asker's own where none is named. Raises InvalidInput."""
    if chosen_fixture is None:
        return camp.own_fixture()
    return camp.fixture_of(chosen_fixture) if isinstance(chosen_fixture, EntrantRow) else chosen_fixture


def scored(about: str, **more: Any) -> Any:
    """Return a field for the points that a crew scored at the table, without those of an Underdog."""
    return fields.whole(about, 0, MAX_POINTS, needed=True, checked=True, **{"default": -1, **more})


def objectives(about: str, default: int = 0) -> Any:
    """Return a field for how many of the points that a crew scored are objective points."""
    return fields.whole(about, 0, MAX_POINTS, default=default, checked=True)


@dataclass(frozen=True, slots=True)
class OpenReport(InCampaign):
    """Report a game after it has ended, with its casualties and points.

    encounter: its scope, or 0 for the last one played in the channel. fixture: the fixture, or else the crew
    with the points `home`. home and away: points that were typed in, -1 for none. objective and
    their_objective: objective points among them. lost: members who went down in a game that the bot has not
    seen.
    """

    command = "campaign.after"
    typed = "campaign after"
    titled = "Report after a game"
    facts = frozenset({"encounter", "home", "away", "lost", "objective", "their_objective"})

    encounter: int = 0
    fixture: FixtureRow | EntrantRow | None = _fixture_field("")
    home: int = -1
    away: int = -1
    lost: tuple[VeteranRow, ...] = _casualties_field("")
    objective: int = 0
    their_objective: int = 0


@dataclass(frozen=True, slots=True)
class RecordFixture(OpenReport):
    """Report the score of a game that was played elsewhere."""

    command = "campaign.record"
    typed = "campaign record"
    titled = "Report a game"

    fixture: FixtureRow | EntrantRow = _fixture_field(
        "One of the crews that played the game", called="crew", needed=True
    )
    home: int = scored("Points the crew scored (the bot adds an Underdog's extra points)", called="mine")
    away: int = scored(
        "Points the opponent scored (the bot adds an Underdog's extra points)", called="theirs"
    )
    lost: tuple[VeteranRow, ...] = _casualties_field("Casualties of both crews, separated by commas")
    objective: int = objectives("Objective points (included in the crew's points)")
    their_objective: int = objectives("Objective points (included in the opponent's points)")


# ------------------------------------------------------------------------------------ opening


async def _read_game(
    store: Store, actor: Actor, action: OpenReport
) -> tuple[Encounter | None, frozenset[int]]:
    """Return the encounter that is reported or, for typed points, the fixtures that were begun at a table."""
    if action.home >= 0 or action.away >= 0:
        return None, (await begun(store, actor, action)).begun
    return await _read_encounter(store, actor, action), frozenset()


async def _read_encounter(store: Store, actor: Actor, action: OpenReport) -> Encounter | None:
    """Return the one named, else the last one of this campaign in the channel."""
    scope = action.encounter or await store.last_in_channel(actor.channel_id, kind="encounter")
    loaded = await store.load(scope) if scope else None
    if loaded is None or loaded.scope.guild_id != actor.guild_id or loaded.book().get(EncounterRow) is None:
        return None
    encounter = Encounter(loaded.book())
    return encounter if encounter.setting(CAMPAIGN) == str(action.campaign) else None


def _uses_real_dice(act: Act) -> bool:
    """Return whether an owner of the two crews rolls real dice here, or rolled them in the encounter.

    The choice for the campaign comes first. It doesn't matter who reports.
    """
    camp, action, encounter = Campaign(act), act.action, act.extra[0]
    assert isinstance(action, OpenReport), "it is handled so"
    chosen_fixture = camp.find_fixture(action.fixture) if isinstance(action.fixture, str) else action.fixture
    fixture = _reported_fixture(camp, replace(action, fixture=chosen_fixture), encounter)
    real_dice_users = (
        {seat.user_id for seat in encounter.players() if seat.dice == REAL} if encounter else set()
    )
    owners = {camp.entrant(one).owner_id for one in (fixture.home, fixture.away)}
    modes = {owner: dice_of(act.book, owner) for owner in owners}
    return any(mode == REAL or (not mode and one in real_dice_users) for one, mode in modes.items())


@handles(RecordFixture, Place.CAMPAIGN, beforehand=_read_game, by_hand=_uses_real_dice)
@handles(OpenReport, Place.CAMPAIGN, beforehand=_read_game, by_hand=_uses_real_dice)
def open_report(act: Act, action: OpenReport) -> Reply:
    """Propose everything that the encounter brought; shows the report again where it is open."""
    camp = Campaign(act)
    encounter: Encounter | None
    encounter, begun_fixtures = act.extra
    if action.home >= 0 or action.away >= 0:
        encounter = None  # a form reads it before the points are entered
    fixture = _reported_fixture(camp, action, encounter)
    if fixture.report and action.home < 0:
        return replace(shown(camp, fixture, f"Report of {camp.versus(fixture)} (still open)"), private=True)
    if fixture.status == "played" and encounter is not None and action.encounter:
        return _show_confirmed(camp, fixture)
    camp.require_quiet(fixture.home, fixture.away)
    camp.require_fixture(fixture)
    camp.require_open(fixture)
    _require_only_report(camp, fixture, encounter)
    with act.overridable():
        if fixture.id in begun_fixtures:
            raise Forbidden(
                f"Use /campaign after to report {camp.versus(fixture)}, because that game was started with "
                "the bot. If it hasn't ended yet, use /encounter end first."
            )
    if encounter is not None and encounter.row.status != ENDED:
        raise InvalidInput("End the game first with /encounter end.")
    scope = encounter.book.scope if encounter else 0
    if isinstance(action.fixture, EntrantRow) and action.fixture.id == fixture.away:
        action = replace(
            action,
            home=action.away,
            away=action.home,
            objective=action.their_objective,
            their_objective=action.objective,
        )
    action = act.canonical = replace(action, encounter=scope, fixture=fixture)
    rules = get_rules(camp.row.system)
    battle = _make_battle(camp, fixture, encounter, action)
    fixture.report = act.entry
    own_entrants = [one for one in battle.entrants if camp.entrant(one).owner_id == act.actor.user_id]
    fixture.reporter = own_entrants[0] if own_entrants else 0
    results = {entrant: _add_result(camp, battle, entrant) for entrant in battle.entrants}
    for entrant, (result, points, facts) in rules.results(camp, battle).items():
        row = results[entrant]
        row.result, row.points, row.facts = result, points, facts
    if action.lost and encounter is not None:
        raise InvalidInput("Leave the casualties blank; the bot takes them from the game.")
    dice = rules.propose(act, camp, battle, results)
    for veteran in {one.id: one for one in action.lost}.values():
        rules.propose_lost(act, camp, battle, veteran)
    if act.roller is not None and act.roller.record:
        fixture.thrown = act.entry
    return shown(camp, fixture, f"Report of {camp.versus(fixture)}", dice)


def _show_confirmed(camp: Campaign, fixture: FixtureRow) -> Reply:
    """Return the results of a game whose card still has the button to report it."""
    lines = [
        f"{camp.entrant(result.entrant).name}: {result.result}, {times(result.points, 'campaign point')}"
        for result in _report_results(camp, fixture, CONFIRMED)
    ]
    button = Button("Standings", ShowStandings(camp.book.scope), anytime=True)
    heading = f"The report of {camp.versus(fixture)} is confirmed."
    return Reply((heading, *lines), private=True, buttons=(button,)).minor()


def _require_only_report(camp: Campaign, fixture: FixtureRow, encounter: Encounter | None) -> None:
    """Refuse another report of the same game while the dice of the first wait. Raises InvalidInput."""
    act, kinds = camp.act, (OpenReport.command, RecordFixture.command)
    for row in camp.book.all(PendingRow):
        command, _, action_text = row.action.partition(" ")
        if row.user_id == act.actor.user_id or command not in kinds:
            continue
        other_report = from_json(command, action_text)
        assert isinstance(other_report, OpenReport), "both kinds are"
        if other_report.fixture is None:
            is_same_game = encounter is not None and other_report.encounter in (0, encounter.book.scope)
        else:
            chosen_fixture = camp.find_fixture(str(raw_of(other_report)["fixture"]))
            is_same_game = (
                _reported_fixture(camp, replace(other_report, fixture=chosen_fixture), None).id == fixture.id
            )
        if is_same_game and other_report != act.action:
            raise InvalidInput(
                f"The report of {camp.versus(fixture)} is already open. It is waiting for "
                f"{row.thrower} to roll {row.wanted}."
            )


def _reported_fixture(camp: Campaign, action: OpenReport, encounter: Encounter | None) -> FixtureRow:
    if encounter is not None and action.fixture is None:
        played_fixture = camp.fixture(int(encounter.setting(FIXTURE, "0")))
        if played_fixture.status == "open" or action.encounter:
            return played_fixture
    if action.home < 0 and action.fixture is None and camp.reported():
        return _find_report(camp, 0)
    if action.home < 0 or action.away < 0:
        raise InvalidInput(
            "There is no game of this campaign to report in this channel. Use /campaign record to report a "
            "game that was played elsewhere."
        )
    return _find_fixture(camp, action.fixture)


def _make_battle(
    camp: Campaign, fixture: FixtureRow, encounter: Encounter | None, action: OpenReport
) -> Battle:
    if encounter is None:
        crews = (fixture.home, fixture.away)
        points = dict(zip(crews, (action.home, action.away), strict=True))
        typed = dict(zip(crews, (action.objective, action.their_objective), strict=True))
        require_objectives(camp, points, typed)
        return Battle(fixture, None, {}, points, typed)
    sides = {int(side.traits[ENTRANT]): side.id for side in encounter.sides() if ENTRANT in side.traits}
    return Battle(fixture, encounter, sides, {})


def require_objectives(camp: Campaign, points: Mapping[int, int], typed: Mapping[int, int]) -> None:
    """Refuse more objective points than points. points, typed: by entrant. Raises InvalidInput."""
    for entrant, objective in typed.items():
        if objective > points[entrant]:
            name = camp.entrant(entrant).name
            raise InvalidInput(
                f"{name} has {times(points[entrant], 'point')}, so it can have at most "
                f"{times(points[entrant], 'objective point')} (you entered {objective})."
            )


def _add_result(camp: Campaign, battle: Battle, entrant: int) -> ResultRow:
    result_id = camp.book.next_id(ResultRow)
    scope = battle.encounter.book.scope if battle.encounter else 0
    row = ResultRow(
        camp.book.scope,
        result_id,
        battle.fixture.id,
        entrant,
        battle.opponent(entrant),
        "",
        0,
        PROPOSED,
        scope,
    )
    return camp.book.add(row)


def _offer_report(encounter: Encounter) -> Sequence[Button]:
    scope = campaign_of(encounter)
    report = OpenReport(scope, encounter.book.scope)
    return (Button("Report this game", report, "main", anytime=True),) if scope else ()


FOLLOW_UPS[1] = _offer_report
