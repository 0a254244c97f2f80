"""The rules that a game adds to a campaign.

`CampaignRules` has what every game has: results, notes, absences. A game with more rules has an object of its
own class as its attribute `campaign`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

from bot.replies.reply import Button
from bot.store.row_types import (
    CampaignRow,
    EntrantRow,
    FixtureRow,
    LedgerRow,
    ProposalRow,
    ResultRow,
    VeteranRow,
)
from bot.store.rows import Counters, CrewRow, MemberRow, ModelRow
from bot.table.act import Act
from bot.table.encounter import GONE, Encounter
from bot.table.game import game
from bot.table.ledger.campaign_book import BATTLE, CAMPAIGN, OBJECTIVE, OWED, PURSE, Campaign, format_amount
from bot.table.ledger.campaign_fields import ForEntrant
from bot.table.setting import Setting, number
from rules.counters import AnyCounter, CounterName, PerWord, as_kept
from rules.refusals import Forbidden, InvalidInput
from rules.wording import possessive, times

VETERAN = CounterName("veteran")
"""Counter of a model: the member of a campaign's crew that it is."""
ENTRANT = "entrant"
"""Trait of a side: the entrant of a campaign that it is."""

OUT = CounterName("encounters out")
"""Account of a member: encounters that it still misses."""

Posts = Sequence[tuple[int, AnyCounter, int]]
"""Changes of accounts: whose, which, by how much."""

WON, DRAWN, LOST = "won", "drawn", "lost"
OPPOSITE_RESULTS = {WON: LOST, DRAWN: DRAWN, LOST: WON}
"""The opponent's result for each result."""
RESULT_POINTS = {WON: 3, DRAWN: 1, LOST: 0}
"""Campaign points where a game says nothing else."""

AVERAGE = "average"
LATE_JOINERS = Setting(
    "late_joiners",
    "Crews that join late",
    "A crew may ask to join after the first round.",
    (
        ("no", "Crews can't join after the first round."),
        ("welcome", "Late crews join without extra points."),
        (AVERAGE, "Late crews join with as many requisition points as the others earned on average."),
    ),
    "Campaign",
)
PAY = number(
    "pay_each_game",
    "Reward for each game",
    "Both crews can get requisition points for every game they report.",
    0,
    (0, 20),
    "Requisition points for each crew: {}.",
    group="Campaign",
)
CAMPAIGN_SETTINGS: tuple[Setting, ...] = (LATE_JOINERS, PAY)
"""The campaign's own settings; the settings of its encounters come from the game."""


def get_setting(row: CampaignRow, setting: Setting) -> str:
    """Return the value of one of `CAMPAIGN_SETTINGS`."""
    return row.settings.get(setting.key, setting.default)


OBJECTIVES = "objective"
"""Fact of a result: how many of its points are objective points."""


def count_objective_points(row: ResultRow) -> int:
    """Return how many points of a result are objective points."""
    return int(row.facts.get(OBJECTIVES, "0"))


FATES = ("okay", "hurt", "misses 1 game", "misses 2 games", "lost for good")


@dataclass(frozen=True, slots=True)
class Battle:
    """The subject of a report: a fixture, the encounter it was played in, or points that were typed in.

    sides: each entrant's side in the encounter. points: each entrant's points if they were typed in;
    objectives: how many of them are objective points.
    """

    fixture: FixtureRow
    encounter: Encounter | None
    sides: dict[int, int]
    points: dict[int, int]
    objectives: dict[int, int] = field(default_factory=dict)

    @property
    def entrants(self) -> tuple[int, int]:
        """Return both entrants, home first."""
        return self.fixture.home, self.fixture.away

    def opponent(self, entrant: int) -> int:
        """Return the other one."""
        home, away = self.entrants
        return away if entrant == home else home


@dataclass(frozen=True, slots=True)
class ReportOption:
    """One thing that a line of a report can be changed to. free: the crew's player may choose it."""

    text: str
    choice: str = ""
    free: bool = False

    @property
    def words(self) -> str:
        """Return the label that is shown and chosen."""
        return f"{self.text}: {self.choice}" if self.choice else self.text


class CampaignRules:
    """The campaign rules of every game."""

    ranked: tuple[CounterName, ...] = (CAMPAIGN, OBJECTIVE, BATTLE)
    """Accounts that decide the table, in this order."""
    accounts: tuple[CounterName, ...] = (PURSE, CAMPAIGN, OBJECTIVE, BATTLE, OUT)
    """Accounts that the rules keep."""
    kinds: tuple[PerWord, ...] = ()
    """Accounts of which they keep one for each of something."""
    usual_points: int = 200
    """The usual points of a new crew, for the formats, or 0 if crews have no points."""
    decided: bool = False
    """Whether the points alone decide the winner; otherwise people say who won a game that was played here.
    """
    encounters: tuple[int, int] = (1, 30)
    """Fewest and most rounds."""

    # ------------------------------------------------------------- agreed, joined, fielded

    def require_agreed(self, row: CampaignRow) -> None:
        """Refuse what this game's campaigns cannot be. Raises InvalidInput."""
        min_rounds, max_rounds = self.encounters
        if not min_rounds <= row.encounters <= max_rounds:
            raise InvalidInput(
                f"In {game(row.system).name}, a campaign must have between {min_rounds} and {max_rounds} "
                "rounds."
            )

    def asks(self) -> Sequence[tuple[str, str, str]]:
        """Return what is to be agreed as a campaign is made: labels of buttons, the setting, its value."""
        return ()

    def require_meetings(self, row: CampaignRow, crews: int) -> None:
        """Refuse a round robin with too few encounters. Raises Forbidden."""

    def require_crew(self, row: CampaignRow, crew: CrewRow, members: Sequence[MemberRow]) -> None:
        """Refuse a crew that was not agreed. Raises Forbidden."""
        size = sum(member.points for member in members)
        if row.start_points and size > row.start_points:
            raise Forbidden(
                f"Remove models from {crew.name}; it has {size} points, and crews can start with "
                f"up to {row.start_points}."
            )

    def require_fielded(self, camp: Campaign, fielded: Sequence[VeteranRow]) -> None:
        """Refuse a crew that is too large or has no one who can play. Raises Forbidden."""
        if not fielded:
            raise Forbidden("Use /campaign bench to change who plays; no one in this crew can play now.")
        size = self.size(fielded)
        if camp.row.limit and size > camp.row.limit:
            name = camp.entrant(fielded[0].entrant).name
            raise Forbidden(
                f"Use /campaign bench to let some of {possessive(name)} members sit out; those who play have "
                f"{size} points, and the limit is {camp.row.limit}."
            )

    def size(self, fielded: Sequence[VeteranRow]) -> int:
        """Return points of members that count against the limit of an encounter."""
        return sum(row.points for row in fielded)

    def require_leader(self, veteran: VeteranRow) -> None:
        """Refuse who may not lead. Raises Forbidden."""

    def carries(self, veteran: VeteranRow) -> Counters:
        """Return counters that a member brings into an encounter."""
        return {}

    def begins(self, camp: Campaign, encounter: Encounter, sides: dict[int, int]) -> Sequence[str]:
        """Return what the campaign brings into an encounter that has just been set up; said in lines."""
        return ()

    # ------------------------------------------------------------- the report

    def results(self, camp: Campaign, battle: Battle) -> dict[int, tuple[str, int, dict[str, str]]]:
        """Return each entrant's result, points and facts; the result is empty where it has to be chosen."""
        if not battle.points:
            return {entrant: ("", 0, {}) for entrant in battle.entrants}
        found: dict[int, tuple[str, int, dict[str, str]]] = {}
        for entrant in battle.entrants:
            mine, theirs = battle.points[entrant], battle.points[battle.opponent(entrant)]
            facts = {OBJECTIVES: str(battle.objectives.get(entrant, 0))}
            found[entrant] = (DRAWN if mine == theirs else WON if mine > theirs else LOST, mine, facts)
        return found

    def propose(
        self, act: Act, camp: Campaign, battle: Battle, results: dict[int, ResultRow]
    ) -> Sequence[str]:
        """Add the lines of a report, and return what its players should know for it, in words."""
        for entrant in battle.entrants:
            result = results[entrant]
            if result.result:
                add_report_line(
                    camp, entrant, "points", CAMPAIGN, RESULT_POINTS[result.result], reason=result.result
                )
            else:
                add_report_line(camp, entrant, "result", "", reason="Who won?")
            scored, reason = result.points, "points"
            if battle.encounter is not None:
                scored = self.losses(battle.encounter, battle.sides[battle.opponent(entrant)])
                reason, result.points = "the opponent's losses", scored
            objective = count_objective_points(result)
            add_report_line(camp, entrant, "points", OBJECTIVE, objective, reason="objectives")
            add_report_line(camp, entrant, "points", BATTLE, scored - objective, reason=reason)
            if battle.encounter is not None:
                for model in battle.encounter.models(battle.sides[entrant], gone=True):
                    member = model.counters.get(VETERAN, 0)
                    if model.status == GONE and member:
                        add_report_line(camp, entrant, "fate", FATES[0], member=member, reason=model.left_how)
        return game(camp.row.system).ending(battle.encounter) if battle.encounter is not None else ()

    def propose_lost(self, act: Act, camp: Campaign, battle: Battle, veteran: VeteranRow) -> None:
        """Add the line of a member who went down in a game that the bot has not seen."""
        add_report_line(camp, veteran.entrant, "fate", FATES[0], member=veteran.id, reason="went down")

    def losses(self, encounter: Encounter, side: int) -> int:
        """Return what a side lost, as its opponent's battle points: by these ties are broken."""
        return sum(model.status == GONE for model in encounter.models(side, gone=True))

    def options(self, camp: Campaign, item: ProposalRow) -> Sequence[ReportOption]:
        """Return the choices for a line; empty for a number."""
        if item.kind == "result":
            return [ReportOption(word, free=True) for word in RESULT_POINTS]
        if item.kind == "fate":
            return [ReportOption(word, free=True) for word in FATES]
        return ()

    def is_open(self, item: ProposalRow) -> bool:
        """Return whether a choice is missing."""
        return item.kind == "result" and not item.text

    def is_free(self, item: ProposalRow) -> bool:
        """Return whether the crew's player may change a complete line: a choice, or objective points."""
        return item.kind in ("result", "fate") or (item.kind, item.text) == ("points", OBJECTIVE)

    def changed(self, camp: Campaign, item: ProposalRow) -> None:
        """Put right what hangs on a line that was changed."""
        fixture = camp.report_of(item.entrant)
        for row in camp.results(status="proposed"):
            if row.fixture != fixture.id:
                continue
            mine = row.entrant == item.entrant
            if item.kind == "result":
                row.result = item.text if mine else OPPOSITE_RESULTS[item.text]
            elif item.kind == "points" and item.text in (OBJECTIVE, BATTLE) and mine:
                objective = item.amount if item.text == OBJECTIVE else count_objective_points(row)
                battle = item.amount if item.text == BATTLE else row.points - count_objective_points(row)
                row.facts[OBJECTIVES], row.points = str(objective), objective + battle
        for other in camp.proposals(fixture):
            if item.kind == other.kind == "result" and other.entrant != item.entrant:
                other.text = OPPOSITE_RESULTS[item.text]

    def words(self, camp: Campaign, item: ProposalRow) -> str:
        """Return a line of the report in words."""
        match item.kind:
            case "points":
                return f"{format_amount(item.amount, item.text, '+')} ({item.reason})"
            case "result":
                return f"result: {item.text or 'not chosen yet'}"
            case "fate":
                return f"{camp.veteran(item.member).name}: {item.text} ({item.reason})"
        return f"{item.text} {item.amount}"

    def entrant_lines(self, camp: Campaign, lines: Sequence[tuple[ProposalRow, str]]) -> list[str]:
        """Return the lines of one entrant as the report shows them, from each with its words."""
        return [words for _, words in lines]

    def is_last(self, item: ProposalRow) -> bool:
        """Return whether a line is settled after other kinds, because gains go to the survivors."""
        return False

    def settle(self, camp: Campaign, item: ProposalRow, cause: str) -> Sequence[str]:
        """Do what a confirmed line says, and return further lines to tell."""
        match item.kind:
            case "points":
                camp.post(
                    item.entrant, as_kept(item.text), item.amount, f"{cause}, {item.reason}", item.member
                )
            case "result":
                camp.post(item.entrant, CAMPAIGN, RESULT_POINTS[item.text], f"{cause}, {item.text}")
            case "fate":
                self._settle_fate(camp, item, cause)
        return ()

    def _settle_fate(self, camp: Campaign, item: ProposalRow, cause: str) -> None:
        veteran = camp.veteran(item.member)
        if item.text == FATES[1]:
            camp.set_note(veteran, f"hurt in {cause.partition(' (')[0]}", cause)
        elif item.text.startswith("misses "):
            camp.post(item.entrant, OUT, int(item.text.split()[1]), cause, veteran.id)
        elif item.text == FATES[4]:
            camp.set_status(veteran, "dead", cause)

    # ------------------------------------------------------------- a result corrected later

    def recounted(
        self,
        camp: Campaign,
        old: tuple[ResultRow, ResultRow],
        points: Mapping[int, int],
        objectives: Mapping[int, int],
    ) -> dict[int, ResultRow]:
        """Return the results of a fixture as other points make them, by entrant; `old` stays as it is.

        objectives: how many of them are objective points, where that is said.
        """
        results = {}
        for row, other in (old, (old[1], old[0])):
            mine, theirs = points[row.entrant], points[other.entrant]
            result = DRAWN if mine == theirs else WON if mine > theirs else LOST
            objective = objectives.get(row.entrant, min(count_objective_points(row), mine))
            facts = {**row.facts, OBJECTIVES: str(objective)}
            results[row.entrant] = replace(row, result=result, points=mine, facts=facts)
        return results

    def bonus(self, row: ResultRow) -> int:
        """Return the points of a result that were given to the weaker crew, not scored."""
        return 0

    def is_win(self, result: str) -> bool:
        """Return whether a result in words is a win."""
        return result == WON

    def given(self, row: ResultRow) -> str:
        """Return in words the points that were given to the weaker player and not scored, or ""."""
        return ""

    def rewards(self, camp: Campaign, row: ResultRow) -> Counters:
        """Return what follows from a result by counting alone, by account."""
        objective = count_objective_points(row)
        return {CAMPAIGN: RESULT_POINTS[row.result], OBJECTIVE: objective, BATTLE: row.points - objective}

    def unsettled(self, camp: Campaign, fixture: FixtureRow, posts: Posts) -> Sequence[str]:
        """Return the later results that a correction makes doubtful and only people can decide, in words."""
        return ()

    def hangs_on_result(self, account: str) -> bool:
        """Return whether an entry of a report was made because of who won."""
        return False

    # ------------------------------------------------------------- what is remembered

    def change_words(self, camp: Campaign, row: LedgerRow) -> str:
        """Return what changed in an account, in words."""
        if row.account == OUT:
            return f"misses {times(int(row.after), 'game')}" if row.after != "0" else "plays again"
        return f"{format_amount(row.amount, row.account, '+')}, now {row.after}"

    def costs(self, account: str) -> bool:
        """Return whether what comes into an account of a member is a wound or a loss."""
        return account == OUT

    def is_spent(self, account: str) -> bool:
        """Return whether an account holds what a crew is to spend, which is nothing that happened to it."""
        return account in (PURSE, OWED.of(PURSE))

    def is_memorable(self, account: str) -> bool:
        """Return whether a change of an account belongs into the story of a crew."""
        return False

    def before_settling(self, camp: Campaign, battle: tuple[int, int], cause: str) -> None:
        """End what a finished encounter ends for both crews, before its own lines count."""
        for entrant in battle:
            for veteran in camp.veterans(entrant):
                if veteran.counters.get(OUT):
                    camp.post(entrant, OUT, -1, cause, veteran.id)

    def after_settling(self, camp: Campaign, entrant: EntrantRow) -> Sequence[str]:
        """Return what the table should know now."""
        if any(row.leader for row in camp.veterans(entrant.id)) or not camp.veterans(entrant.id):
            return ()
        return (f"Choose a leader for {entrant.name} with /campaign leader.",)

    # ------------------------------------------------------------- spending

    def require_had(self, camp: Campaign, entrant: EntrantRow, name: str, profile: str, before: str) -> None:
        """Refuse a member that the crew may not have, or equipment for a member. Raises Forbidden."""

    def price(self, camp: Campaign, entrant: EntrantRow, cost: int) -> int:
        """Return the present price of a member with so many points for this crew."""
        return cost

    def item_price(self, camp: Campaign, entrant: EntrantRow, cost: int) -> int:
        """Return what equipment of so many points costs this crew now."""
        return cost

    def cost_of(self, before: str, after: str) -> int:
        """Return points that equipment adds to a member. before, after: its statblock without it and with it.

        Raises InvalidInput where the game sells none.
        """
        raise InvalidInput("These rules have no equipment to buy between games.")

    def veteran_words(self, veteran: VeteranRow) -> str:
        """Return what is particular about a member, in a few words."""
        missing = veteran.counters.get(OUT, 0)
        parts = [f"misses {times(missing, 'game')}"] if missing else []
        return ", ".join([*parts, veteran.note] if veteran.note else parts)

    def unspent(self, camp: Campaign, entrant: EntrantRow) -> Sequence[str]:
        """Return what a crew has and could spend, in words."""
        purse = camp.balance(entrant.id, PURSE)
        return [format_amount(purse, PURSE)] if purse else []

    def between_games(self) -> Sequence[type[ForEntrant]]:
        """Return what else a crew may do between games."""
        return ()

    def is_own(self, profile: str) -> bool:
        """Return whether a statblock has custom figures, in a game with a printed list of all statblocks."""
        return False

    def beside(self, crew: int) -> Sequence[Button]:
        """Return further buttons for the crew's player."""
        return ()

    def settings(self) -> Sequence[tuple[str, tuple[str, ...], str]]:
        """Return the settings that a campaign adds to the game's own."""
        return ()


@runtime_checkable
class Campaigns(Protocol):
    """A game that knows more of campaigns."""

    campaign: CampaignRules


DEFAULT_RULES = CampaignRules()


def get_rules(system: str) -> CampaignRules:
    """Return the campaign rules of a game."""
    played = game(system)
    return played.campaign if isinstance(played, Campaigns) else DEFAULT_RULES


def is_of_round(cause: str, round_words: str) -> bool:
    """Return whether an entry was made by the report of a round."""
    return cause == round_words or cause.startswith((f"{round_words},", f"{round_words} "))


def add_report_line(
    camp: Campaign,
    entrant: int,
    kind: str,
    text: str,
    amount: int = 0,
    *,
    member: int = 0,
    choice: str = "",
    reason: str = "",
) -> ProposalRow:
    """Add a line to the open report of a crew."""
    number = camp.book.next_id(ProposalRow)
    row = ProposalRow(camp.book.scope, number, entrant, member, kind, text, amount, choice, reason)
    return camp.book.add(row)


def list_models(camp: Campaign, battle: Battle, entrant: int) -> list[tuple[ModelRow, VeteranRow]]:
    """Return the models of an entrant in the encounter with the members that they are."""
    if battle.encounter is None:
        return []
    return [
        (model, camp.veteran(model.counters[VETERAN]))
        for model in battle.encounter.models(battle.sides[entrant], gone=True)
        if model.counters.get(VETERAN)
    ]
