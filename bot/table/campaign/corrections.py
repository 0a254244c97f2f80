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
from bot.table.ledger.campaign_book import CONFIRMED, OWED, PURSE, Campaign, amount_words
from bot.table.ledger.campaign_fields import InCampaign, entrant_named
from bot.table.ledger.campaign_rules import TURNED, WON, Posts, is_of, rules_of
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

    crew: EntrantRow = entrant_named("One of the crews that played the game", needed=True)
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
    """Return the correction that is asked, nothing of it done yet. Raises InvalidInput."""
    camp.require_running()
    camp.require_organiser()
    if not plain(action.reason, 80):
        raise InvalidInput("Enter a reason; everyone can read it.")
    crew = action.crew
    if not action.number:
        raise Missing("Enter the round.")
    fixture = camp.own_game(crew, action.number)
    camp.require_quiet(fixture.home, fixture.away)
    results = {one.entrant: one for one in camp.results(status=CONFIRMED) if one.fixture == fixture.id}
    result, theirs = results[crew.id], results[fixture.away if crew.id == fixture.home else fixture.home]
    rules = rules_of(camp.row.system)
    if action.result and (rules.decided or action.result not in TURNED):
        raise Missing("That result isn't possible in this game. Choose another.")
    typed = {result.entrant: action.home, theirs.entrant: action.away}
    objective = {result.entrant: action.objective, theirs.entrant: action.their_objective}
    objective = {entrant: number for entrant, number in objective.items() if number >= 0}
    require_objectives(camp, typed, objective)
    points = {row.entrant: typed[row.entrant] + rules.bonus(row) for row in (result, theirs)}
    fresh = dict(rules.recounted(camp, (result, theirs), points, objective))
    said = action.result or (result.result if result.encounter else "")
    if said in TURNED and not rules.decided:
        fresh[result.entrant] = replace(fresh[result.entrant], result=said)
        fresh[theirs.entrant] = replace(fresh[theirs.entrant], result=TURNED[said])
    if all(
        (row.points, row.result, rules.rewards(camp, row))
        == (new.points, new.result, rules.rewards(camp, new))
        for row, new in ((row, fresh[row.entrant]) for row in (result, theirs))
    ):
        raise InvalidInput(f"The result is already {action.home} to {action.away}.")
    posts: list[tuple[int, AnyCounter, int]] = []
    for old in (result, theirs):
        was, now = rules.rewards(camp, old), rules.rewards(camp, fresh[old.entrant])
        posts += [
            (old.entrant, key, now.get(key, 0) - was.get(key, 0))
            for key in (*was, *(key for key in now if key not in was))
            if now.get(key, 0) != was.get(key, 0)
        ]
    rows = {old.id: fresh[old.entrant] for old in (result, theirs)}
    decisions = (
        *_decisions(camp, fixture, (result, theirs), fresh),
        *rules.unsettled(camp, fixture, posts),
        *_of_purses(camp, fixture, posts),
    )
    return Plan(fixture, rows, tuple(posts), decisions)


def _of_purses(camp: Campaign, fixture: FixtureRow, posts: Posts) -> list[str]:
    """Return what was counted from these crews' points meanwhile: running games, shares of late joiners."""
    purses = {entrant for entrant, account, _ in posts if account == PURSE}
    around = camp.act.extra
    assert isinstance(around, Around), "it is read beforehand"
    found = [
        f"The game {camp.versus(one)} in round {one.round} began with the old requisition points and "
        "still uses them."
        for one in camp.fixtures()
        if one.status == "open" and one.id in around.begun and purses & {one.home, one.away}
    ]
    first = min(
        (ledger.id for ledger in camp.ledger() if is_of(ledger.cause, f"round {fixture.round}")), default=0
    )
    late = [ledger for ledger in camp.ledger() if ledger.cause.startswith(LATE) and ledger.id > first]
    words = "it got when it joined late, although the other crews' average has changed."
    kept = [(camp.entrant(one.entrant).name, times(one.amount, "requisition point")) for one in late]
    return [*found, *(f"{name} keeps the {points} {words}" for name, points in kept)]


def _decisions(
    camp: Campaign, fixture: FixtureRow, old: tuple[ResultRow, ...], fresh: Mapping[int, ResultRow]
) -> list[str]:
    found, rules = [], rules_of(camp.row.system)
    changed = [one for one in old if fresh[one.entrant].result != one.result]
    counted = {key for one in old for key in rules.rewards(camp, one)} | {"status", "place", "leader"}
    round_words = f"round {fixture.round}"
    found += [
        (
            f"{change_words(camp, row)} ({row.cause}). Someone changed this by hand, so it isn't corrected "
            "automatically."
        )
        for row in camp.ledger()
        if row.entrant in {one.entrant for one in old} and not row.member and row.account in counted
        if is_of(row.cause, round_words) and CHANGED in row.cause
    ]
    for result in changed:
        for row in camp.ledger(result.entrant):
            hung = is_of(row.cause, round_words) and row.account not in counted
            if hung and rules.hangs_on_result(row.account):
                found.append(f"{change_words(camp, row)} ({row.cause}). This isn't corrected automatically.")
    later = sorted({one.round for one in camp.fixtures() if one.round > fixture.round})
    if changed and later and camp.row.matching == "swiss":
        found.append(
            f"Pairings after round {fixture.round} don't change. You can swap opponents with /organise swap."
        )
    if changed:
        found.append(
            "Casualties, rolls and later purchases don't change. You can adjust balances "
            "with /campaign adjust."
        )
    return found


def _words(camp: Campaign, plan: Plan) -> list[str]:
    lines = []
    for number, row in plan.rows.items():
        old = next(result for result in camp.results() if result.id == number)
        name = camp.entrant(row.entrant).name
        now, was = (f"{one.result}, {amount_words(one.points, 'points')}" for one in (row, old))
        lines.append(f"{name}: {now} (previously {was})")
        given = rules_of(camp.row.system).given(old)
        lines += [f"- {given}"] if given else []
        for entrant, account, amount in plan.posts:
            if entrant == row.entrant:
                have, owed = camp.balance(entrant, account), camp.balance(entrant, OWED.of(account))
                after = have + amount - owed
                short = f"; now owes {-after}" if after < 0 else f"; {owed} used to pay debts" if owed else ""
                lines.append(f"- {account}: {max(0, after)} (was {have}{short})")
    return lines


@handles(AskCorrection, Place.CAMPAIGN, beforehand=begun)
def ask(act: Act, action: AskCorrection) -> Reply:
    """Ask only the organiser; nothing changes."""
    camp = Campaign(act)
    ways = _ways(camp, action)
    _, first = ways[0]
    decisions = [f"- {one}" for one in dict.fromkeys(line for _, plan in ways for line in plan.decisions)]
    head = f"Correct the result of {camp.versus(first.fixture)}, round {first.fixture.round}?"
    told = _words(camp, first)
    if ways[0][0].result:
        told = [line for done, plan in ways for line in (f"{_label(camp, done, plan)}:", *_words(camp, plan))]
    return say(
        head,
        *told,
        *(["Check these yourself:", *decisions] if decisions else []),
        private=True,
        buttons=[_correcting(_label(camp, done, plan), done) for done, plan in ways],
    )


def _correcting(label: str, done: CorrectResult) -> Button:
    """Return the button that carries out a correction. A form asks for the reason again if it doesn't fit."""
    button = Button(label, done, "danger")
    return button if has_room(button) else Button(label, replace(done, reason=""), "danger", asks=True)


def _ways(camp: Campaign, action: CorrectResult) -> list[tuple[CorrectResult, Plan]]:
    """Return the corrections that would change anything: by the points first, then by other winners.

    Raises InvalidInput where there is none.
    """
    found: list[tuple[CorrectResult, Plan]] = []
    refused: InvalidInput | None = None
    asked = (camp.book.scope, action.crew, action.number, action.home, action.away, plain(action.reason, 80))
    apart = (action.objective, action.their_objective)
    for result in ("", *(() if rules_of(camp.row.system).decided else TURNED)):
        done = CorrectResult(*asked, result, *apart)
        try:
            plan = planned(camp, done)
        except InvalidInput as wrong:
            refused = refused or wrong
            continue
        if all(plan.rows != other.rows for _, other in found):
            found.append((done, plan))
    if not found and refused is not None:
        raise refused
    return found


def _label(camp: Campaign, done: CorrectResult, plan: Plan) -> str:
    """Return the name of a correction: the winner, if points do not show it."""
    winner = next((row.entrant for row in plan.rows.values() if row.result == WON), 0)
    if not done.result:
        return "Correct the result"
    return f"{camp.entrant(winner).name} won" if winner else "It was a draw"


@handles(CorrectResult, Place.CAMPAIGN, beforehand=begun)
def correct(act: Act, action: CorrectResult) -> Reply:
    """Correct a result and tell everyone: before and after, the reason, and what is left to decide; one undo
    takes it back.
    """
    camp = Campaign(act)
    plan = planned(camp, action)
    before = {one.id: rank for rank, one in ranked(camp)}
    told = _words(camp, plan)
    cause = f"correction of round {plan.fixture.round}: {plain(action.reason, 80)}"
    for entrant, account, amount in plan.posts:
        take = max(amount, -camp.balance(entrant, account))
        camp.post(entrant, account, take, cause)
        if take != amount:
            camp.post(entrant, OWED.of(account), take - amount, cause)
    for row in camp.results():
        if row.id in plan.rows:
            fresh = plan.rows[row.id]
            camp.write(row.entrant, "result", row.result, fresh.result, cause)
            row.result, row.points, row.facts = fresh.result, fresh.points, dict(fresh.facts)
    for rank, one in ranked(camp):
        if before[one.id] != rank:
            told.append(f"{one.name} is now in {ordinal(rank)} place (was {ordinal(before[one.id])})")
    decisions = [f"- {decision}" for decision in plan.decisions]
    return say(
        f"Corrected: {camp.versus(plan.fixture)}, round {plan.fixture.round}",
        f"Reason: {action.reason}",
        *told,
        *(["Check these yourself:", *decisions] if decisions else []),
        buttons=[UNDO],
    )
