"""Corrections of results in earlier rounds: their consequences are computed again, everything else is named.

Changes that follow from the points are posted as a difference, so that the ledger still adds up. Decisions
and rolls made since (pairings, casualties, relics, purchases) stay and are named as needing a decision:
nothing is changed silently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.replies.fit import has_room
from bot.replies.reply import Button, Reply, say
from bot.store.row_types import EntrantRow, FixtureRow, ResultRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.campaign.campaign_games import Around, begun
from bot.table.campaign.campaign_report import CHANGED, objectives, require_objectives, scored
from bot.table.campaign.campaign_views import change_words
from bot.table.campaign.campaigns import LATE, ranked
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import CONFIRMED, OWED, PURSE, Campaign, format_amount
from bot.table.ledger.campaign_fields import InCampaign, entrant_field
from bot.table.ledger.campaign_rules import OPPOSITE_RESULTS, WON, Posts, get_rules, is_of_round
from bot.table.names import plain
from rules.counters import AnyCounter
from rules.refusals import InvalidInput, Missing
from rules.wording import ordinal, times


@dataclass(frozen=True, slots=True)
class CorrectResult(InCampaign):
    """Set a reported result right: what it brought is counted again.

    home, away, objective, their_objective: as in `RecordFixture`, the last two -1 for what was reported.
    result: the crew's, where points do not decide; empty for what they say, or for what people said before.
    """

    command = "campaign.corrected"
    titled = "Correct the result"

    crew: EntrantRow = entrant_field("One of the crews that played the game", needed=True)
    number: int = fields.whole("Round", 1, 100, default=0, called="round", needed=True)
    home: int = scored(
        "Points the crew scored (the bot adds an Underdog's extra points)", default=0, called="mine"
    )
    away: int = scored(
        "Points the opponent scored (the bot adds an Underdog's extra points)", default=0, called="theirs"
    )
    reason: str = fields.text("Reason (everyone can read it)", None, needed=True)
    result: str = ""
    objective: int = -1
    their_objective: int = -1


@dataclass(frozen=True, slots=True)
class AskCorrection(CorrectResult):
    """Correct a reported result; you see and confirm the changes first (organiser)."""

    command = "campaign.correct"
    typed = "organise correct"
    titled = "Correct a result"

    objective: int = objectives("Objective points (included in the crew's points)", default=-1)
    their_objective: int = objectives("Objective points (included in the opponent's points)", default=-1)


@dataclass(frozen=True, slots=True)
class Plan:
    """A correction that is planned.

    rows: the new results by the numbers of the old ones. posts: changes of accounts. decisions: what is left
    for people to decide, in words.
    """

    fixture: FixtureRow
    rows: Mapping[int, ResultRow]
    posts: tuple[tuple[int, AnyCounter, int], ...]
    decisions: tuple[str, ...]


def planned(camp: Campaign, action: CorrectResult) -> Plan:
    """Plan a correction without changing anything. Raises InvalidInput."""
    camp.require_running()
    camp.require_organiser()
    if not plain(action.reason, 80):
        raise InvalidInput("Enter a reason; everyone can read it.")
    crew = action.crew
    if not action.number:
        raise Missing("Enter the round.")
    fixture = camp.own_game(crew, action.number)
    camp.require_quiet(fixture.home, fixture.away)
    results = {
        reported_result.entrant: reported_result
        for reported_result in camp.results(status=CONFIRMED)
        if reported_result.fixture == fixture.id
    }
    result = results[crew.id]
    other_result = results[fixture.away if crew.id == fixture.home else fixture.home]
    rules = get_rules(camp.row.system)
    if action.result and (rules.decided or action.result not in OPPOSITE_RESULTS):
        raise Missing("That result isn't possible in this game. Choose another.")
    typed = {result.entrant: action.home, other_result.entrant: action.away}
    objective_points = {result.entrant: action.objective, other_result.entrant: action.their_objective}
    objective_points = {entrant: number for entrant, number in objective_points.items() if number >= 0}
    require_objectives(camp, typed, objective_points)
    points = {row.entrant: typed[row.entrant] + rules.bonus(row) for row in (result, other_result)}
    new_results = dict(rules.recounted(camp, (result, other_result), points, objective_points))
    result_word = action.result or (result.result if result.encounter else "")
    if result_word in OPPOSITE_RESULTS and not rules.decided:
        new_results[result.entrant] = replace(new_results[result.entrant], result=result_word)
        new_results[other_result.entrant] = replace(
            new_results[other_result.entrant], result=OPPOSITE_RESULTS[result_word]
        )
    if all(
        (row.points, row.result, rules.rewards(camp, row))
        == (new_result.points, new_result.result, rules.rewards(camp, new_result))
        for row, new_result in ((row, new_results[row.entrant]) for row in (result, other_result))
    ):
        raise InvalidInput(f"The result is already {action.home} to {action.away}.")
    posts: list[tuple[int, AnyCounter, int]] = []
    for old_result in (result, other_result):
        rewards_before = rules.rewards(camp, old_result)
        rewards_after = rules.rewards(camp, new_results[old_result.entrant])
        posts += [
            (old_result.entrant, key, rewards_after.get(key, 0) - rewards_before.get(key, 0))
            for key in (*rewards_before, *(key for key in rewards_after if key not in rewards_before))
            if rewards_after.get(key, 0) != rewards_before.get(key, 0)
        ]
    rows = {old_result.id: new_results[old_result.entrant] for old_result in (result, other_result)}
    decisions = (
        *_decisions(camp, fixture, (result, other_result), new_results),
        *rules.unsettled(camp, fixture, posts),
        *_purse_decisions(camp, fixture, posts),
    )
    return Plan(fixture, rows, tuple(posts), decisions)


def _purse_decisions(camp: Campaign, fixture: FixtureRow, posts: Posts) -> list[str]:
    """Return what already used the old points of these crews: running games, shares of late joiners."""
    crews_with_changes = {entrant for entrant, account, _ in posts if account == PURSE}
    server_facts = camp.act.extra
    assert isinstance(server_facts, Around), "it is read beforehand"
    game_lines = [
        f"The game {camp.versus(one)} in round {one.round} began with the old requisition points and "
        "still uses them."
        for one in camp.fixtures()
        if one.status == "open" and one.id in server_facts.begun and crews_with_changes & {one.home, one.away}
    ]
    first_entry_id = min(
        (ledger.id for ledger in camp.ledger() if is_of_round(ledger.cause, f"round {fixture.round}")),
        default=0,
    )
    late_entries = [
        ledger for ledger in camp.ledger() if ledger.cause.startswith(LATE) and ledger.id > first_entry_id
    ]
    kept_text = "it got when it joined late, although the other crews' average has changed."
    kept_shares = [
        (camp.entrant(one.entrant).name, times(one.amount, "requisition point")) for one in late_entries
    ]
    return [*game_lines, *(f"{name} keeps the {points} {kept_text}" for name, points in kept_shares)]


def _decisions(
    camp: Campaign,
    fixture: FixtureRow,
    old_results: tuple[ResultRow, ...],
    new_results: Mapping[int, ResultRow],
) -> list[str]:
    decision_lines, rules = [], get_rules(camp.row.system)
    changed_results = [one for one in old_results if new_results[one.entrant].result != one.result]
    counted_accounts = {key for one in old_results for key in rules.rewards(camp, one)} | {
        "status",
        "place",
        "leader",
    }
    round_words = f"round {fixture.round}"
    decision_lines += [
        (
            f"{change_words(camp, row)} ({row.cause}). Someone changed this by hand, so it isn't corrected "
            "automatically."
        )
        for row in camp.ledger()
        if row.entrant in {one.entrant for one in old_results}
        and not row.member
        and row.account in counted_accounts
        if is_of_round(row.cause, round_words) and CHANGED in row.cause
    ]
    for result in changed_results:
        for row in camp.ledger(result.entrant):
            is_uncounted = is_of_round(row.cause, round_words) and row.account not in counted_accounts
            if is_uncounted and rules.hangs_on_result(row.account):
                decision_lines.append(
                    f"{change_words(camp, row)} ({row.cause}). This isn't corrected automatically."
                )
    later_rounds = sorted({one.round for one in camp.fixtures() if one.round > fixture.round})
    if changed_results and later_rounds and camp.row.matching == "swiss":
        decision_lines.append(
            f"Pairings after round {fixture.round} don't change. You can swap opponents with /organise swap."
        )
    if changed_results:
        decision_lines.append(
            "Casualties, rolls and later purchases don't change. You can adjust balances "
            "with /campaign adjust."
        )
    return decision_lines


def _plan_lines(camp: Campaign, plan: Plan) -> list[str]:
    lines = []
    for number, row in plan.rows.items():
        old_result = next(result for result in camp.results() if result.id == number)
        name = camp.entrant(row.entrant).name
        new_text, old_text = (
            f"{result_row.result}, {format_amount(result_row.points, 'points')}"
            for result_row in (row, old_result)
        )
        lines.append(f"{name}: {new_text} (previously {old_text})")
        given_text = get_rules(camp.row.system).given(old_result)
        lines += [f"- {given_text}"] if given_text else []
        for entrant, account, amount in plan.posts:
            if entrant == row.entrant:
                balance_before = camp.balance(entrant, account)
                owed_amount = camp.balance(entrant, OWED.of(account))
                balance_after = balance_before + amount - owed_amount
                debt_text = (
                    f"; now owes {-balance_after}"
                    if balance_after < 0
                    else f"; pays back {owed_amount}"
                    if owed_amount
                    else ""
                )
                lines.append(f"- {account}: {max(0, balance_after)} (was {balance_before}{debt_text})")
    return lines


@handles(AskCorrection, Place.CAMPAIGN, beforehand=begun)
def ask(act: Act, action: AskCorrection) -> Reply:
    """Ask only the organiser; nothing changes."""
    camp = Campaign(act)
    corrections = _possible_corrections(camp, action)
    _, first_plan = corrections[0]
    decisions = [
        f"- {decision}"
        for decision in dict.fromkeys(line for _, plan in corrections for line in plan.decisions)
    ]
    head = f"Correct the result of {camp.versus(first_plan.fixture)}, round {first_plan.fixture.round}?"
    change_lines = _plan_lines(camp, first_plan)
    if corrections[0][0].result:
        change_lines = [
            line
            for correction, plan in corrections
            for line in (f"{_label(camp, correction, plan)}:", *_plan_lines(camp, plan))
        ]
    return say(
        head,
        *change_lines,
        *(["Check these yourself:", *decisions] if decisions else []),
        private=True,
        buttons=[
            _correction_button(_label(camp, correction, plan), correction) for correction, plan in corrections
        ],
    )


def _correction_button(label: str, correction: CorrectResult) -> Button:
    """Return the button that carries out a correction. A form asks for the reason again if it doesn't fit."""
    button = Button(label, correction, "danger")
    return button if has_room(button) else Button(label, replace(correction, reason=""), "danger", asks=True)


def _possible_corrections(camp: Campaign, action: CorrectResult) -> list[tuple[CorrectResult, Plan]]:
    """Return the corrections that would change anything: by the points first, then by other winners.

    Raises InvalidInput where there is none.
    """
    corrections: list[tuple[CorrectResult, Plan]] = []
    first_refusal: InvalidInput | None = None
    action_values = (
        camp.book.scope,
        action.crew,
        action.number,
        action.home,
        action.away,
        plain(action.reason, 80),
    )
    objective_values = (action.objective, action.their_objective)
    for result in ("", *(() if get_rules(camp.row.system).decided else OPPOSITE_RESULTS)):
        correction = CorrectResult(*action_values, result, *objective_values)
        try:
            plan = planned(camp, correction)
        except InvalidInput as refusal:
            first_refusal = first_refusal or refusal
            continue
        if all(plan.rows != other_plan.rows for _, other_plan in corrections):
            corrections.append((correction, plan))
    if not corrections and first_refusal is not None:
        raise first_refusal
    return corrections


def _label(camp: Campaign, correction: CorrectResult, plan: Plan) -> str:
    """Return the name of a correction: the winner, if points do not show it."""
    winner = next((row.entrant for row in plan.rows.values() if row.result == WON), 0)
    if not correction.result:
        return "Correct the result"
    return f"{camp.entrant(winner).name} won" if winner else "It was a draw"


@handles(CorrectResult, Place.CAMPAIGN, beforehand=begun)
def correct(act: Act, action: CorrectResult) -> Reply:
    """Correct a result and tell everyone: before and after, the reason, and what is left to decide; one undo
    takes it back.
    """
    camp = Campaign(act)
    plan = planned(camp, action)
    ranks_before = {entrant_row.id: rank for rank, entrant_row in ranked(camp)}
    change_lines = _plan_lines(camp, plan)
    cause = f"correction of round {plan.fixture.round}: {plain(action.reason, 80)}"
    for entrant, account, amount in plan.posts:
        posted_amount = max(amount, -camp.balance(entrant, account))
        camp.post(entrant, account, posted_amount, cause)
        if posted_amount != amount:
            camp.post(entrant, OWED.of(account), posted_amount - amount, cause)
    for row in camp.results():
        if row.id in plan.rows:
            new_result = plan.rows[row.id]
            camp.write(row.entrant, "result", row.result, new_result.result, cause)
            row.result, row.points, row.facts = new_result.result, new_result.points, dict(new_result.facts)
    for rank, entrant_row in ranked(camp):
        if ranks_before[entrant_row.id] != rank:
            rank_before = ordinal(ranks_before[entrant_row.id])
            change_lines.append(f"{entrant_row.name} is now in {ordinal(rank)} place (was {rank_before})")
    decisions = [f"- {decision}" for decision in plan.decisions]
    return say(
        f"Corrected: {camp.versus(plan.fixture)}, round {plan.fixture.round}",
        f"Reason: {action.reason}",
        *change_lines,
        *(["Check these yourself:", *decisions] if decisions else []),
        buttons=[UNDO],
    )
