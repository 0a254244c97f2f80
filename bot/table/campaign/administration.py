"""How a campaign is run: organisers, house rules, fixtures that change hands, archived seasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.replies.reply import Reply, say
from bot.store.row_types import EntrantRow, FixtureRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.descriptions import group
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_games import Around, begun
from bot.table.campaign.campaign_views import list_house_rules
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import Campaign
from bot.table.ledger.campaign_fields import InCampaign, entrant_field
from bot.table.names import plain
from bot.table.session.settings import change_organiser, name_second
from rules.refusals import Forbidden, InvalidInput, Missing

group("organise", "Manage a campaign (organiser)")

MAX_RULES = 20
MAX_RULE_LENGTH = 200


def _other_crew_names(context: Asking) -> Sequence[str]:
    first_crew = context.so_far["crew"]
    return [row.name for row in context.act.book.all(EntrantRow) if row.status == "in" and row != first_crew]


@dataclass(frozen=True, slots=True)
class HandOverCampaign(InCampaign):
    """Make someone else the organiser of a campaign."""

    command = "campaign.hand"
    typed = "organise hand"
    titled = "Hand the campaign over"

    who: int = fields.person("New organiser", needed=True)


@dataclass(frozen=True, slots=True)
class SecondOrganiser(InCampaign):
    """Choose or remove a second organiser of a campaign."""

    command = "campaign.second"
    typed = "organise second"
    titled = "Second campaign organiser"

    who: int = fields.person("Second organiser (leave blank to remove)")


@dataclass(frozen=True, slots=True)
class HouseRule(InCampaign):
    """Show, add, change or remove house rules.

    number: the rule to change or remove. drop: whether to remove it.
    """

    command = "campaign.house"
    typed = "organise house"
    titled = "Campaign house rules"

    text: str = fields.text("Text of the rule (leave blank to see all rules)", MAX_RULE_LENGTH)
    number: int = fields.whole("Number of the rule to change or remove", 1, MAX_RULES, default=0)
    drop: bool = fields.switch("Remove the rule with that number")


@dataclass(frozen=True, slots=True)
class SwapFixtures(InCampaign):
    """Swap the opponents of two crews in a round (organiser)."""

    command = "campaign.swap"
    typed = "organise swap"
    titled = "Swap opponents"

    crew: EntrantRow = entrant_field("First crew", needed=True)
    other: EntrantRow = entrant_field("Second crew", names=_other_crew_names, needed=True)
    number: int = fields.whole(
        "Round (leave blank for the first possible one)", 1, 100, default=0, called="round"
    )


@dataclass(frozen=True, slots=True)
class PairByHand(InCampaign):
    """Add a fixture to a round, for example for a latecomer (organiser)."""

    command = "campaign.pair"
    typed = "organise pair"
    titled = "Add a fixture"

    crew: EntrantRow = entrant_field("First crew", needed=True)
    other: EntrantRow = entrant_field("Second crew", names=_other_crew_names, needed=True)
    number: int = fields.whole(
        "Round (leave blank for the first possible one)", 1, 100, default=0, called="round"
    )


@dataclass(frozen=True, slots=True)
class Archive(InCampaign):
    """Archive a campaign (organiser); you can still find it by its name."""

    command = "campaign.archive"
    typed = "organise archive"
    titled = "Archive"


@dataclass(frozen=True, slots=True)
class Restore(InCampaign):
    """Restore an archived campaign (organiser)."""

    command = "campaign.restore"
    typed = "organise restore"
    titled = "Restore"

    campaign: int = fields.campaign("Campaign (if there are several)", behind=2, archived=True)


# ------------------------------------------------------------------------------------ who organises


@handles(HandOverCampaign, Place.CAMPAIGN)
def hand_over(act: Act, action: HandOverCampaign) -> Reply:
    """Make another person the organiser and tell everyone. The old organiser loses all rights."""
    camp = Campaign(act)
    camp.require_organiser()
    change_organiser(act, camp.row, action.who)
    return say(f"{_named(camp, action.who)} is now the organiser of {camp.row.name}.", buttons=[UNDO])


@handles(SecondOrganiser, Place.CAMPAIGN)
def second(act: Act, action: SecondOrganiser) -> Reply:
    """Name a second organiser, who may do all that the first one may."""
    camp = Campaign(act)
    camp.require_organiser()
    name_second(camp.row, action.who)
    name = camp.row.name
    result_text = (
        f"{_named(camp, action.who)} is now the second organiser of {name}."
        if action.who
        else f"{name} no longer has a second organiser."
    )
    return say(result_text, buttons=[UNDO])


def _named(camp: Campaign, user: int) -> str:
    """Return a person by the name known here, or else as Discord shows it, without a mention."""
    return next((entrant.owner for entrant in camp.entrants() if entrant.owner_id == user), f"<@{user}>")


# ------------------------------------------------------------------------------------ house rules


@handles(HouseRule, Place.CAMPAIGN)
def house_rule(act: Act, action: HouseRule) -> Reply:
    """Number a house rule, so that the ledger can cite it: `/campaign adjust` names the number."""
    camp = Campaign(act)
    rules = camp.row.house
    if not action.text and not action.drop:
        lines = list_house_rules(camp) or [f"{camp.row.name} has no house rules."]
        return say(*lines, private=True)
    camp.require_running()
    camp.require_organiser()
    rule_number = str(action.number)
    if action.number and rule_number not in rules:
        raise InvalidInput(f"There is no house rule {action.number}. /organise house shows all rules.")
    if action.drop:
        if action.text:
            raise InvalidInput("Leave the text blank; you can't change a rule and remove it at once.")
        if not action.number:
            raise Missing("Enter the number of the rule to remove.")
        text = rules.pop(rule_number)
        return say(f"House rule {rule_number} removed: {text}", buttons=[UNDO])
    if not action.number and len(rules) >= MAX_RULES:
        raise InvalidInput(f"Remove a house rule first; a campaign can have at most {MAX_RULES} of them.")
    number = rule_number if action.number else str(max(map(int, rules), default=0) + 1)
    rules[number] = plain(action.text, MAX_RULE_LENGTH)
    return say(f"{camp.row.name}, house rule {number}: {rules[number]}", buttons=[UNDO])


# ------------------------------------------------------------------------------------ fixtures


def _possible_rounds(camp: Campaign, wanted_round: int) -> Sequence[int]:
    """Return the possible rounds, the current one first. Raises InvalidInput."""
    if not camp.row.round:
        raise InvalidInput("Use /campaign schedule to pair the first round, then try again.")
    if wanted_round > camp.row.encounters:
        raise InvalidInput(f"Choose a round from 1 to {camp.row.encounters}; there are no more rounds.")
    if wanted_round > camp.row.round:
        raise InvalidInput(f"Use /campaign schedule to pair round {wanted_round}, then try again.")
    return [wanted_round] if wanted_round else range(camp.now, camp.row.round + 1)


def _find_open_fixture(camp: Campaign, entrant: EntrantRow, round_number: int) -> FixtureRow | None:
    """Return the fixture of a round that a crew has not played, a rest included."""
    fixtures = [
        fixture for fixture in camp.fixtures(round_number) if entrant.id in (fixture.home, fixture.away)
    ]
    return next((fixture for fixture in fixtures if fixture.status in ("open", "rest")), None)


def _require_free(camp: Campaign, *fixtures: FixtureRow) -> None:
    """Refuse to change a fixture that an encounter was started for. Raises Forbidden."""
    server_facts = camp.act.extra
    assert isinstance(server_facts, Around), "it is read beforehand"
    for fixture in fixtures:
        if fixture.report:
            camp.require_quiet(fixture.home)
        if fixture.id in server_facts.begun:
            with camp.act.overridable():
                raise Forbidden(
                    f"Choose another crew; the game {camp.versus(fixture)} has already been started."
                )


def _require_different(first_crew: EntrantRow, second_crew: EntrantRow) -> None:
    if first_crew.id == second_crew.id:
        raise InvalidInput("Choose two different crews.")


@handles(SwapFixtures, Place.CAMPAIGN, beforehand=begun)
def swap(act: Act, action: SwapFixtures) -> Reply:
    """Swap two crews, even if one of them rests."""
    camp = Campaign(act)
    camp.require_running()
    camp.require_organiser()
    first_crew, second_crew = action.crew, action.other
    _require_different(first_crew, second_crew)
    round_number, first_fixture, second_fixture = _find_swap(camp, first_crew, second_crew, action.number)
    _require_free(camp, first_fixture, second_fixture)
    pairings_before = [camp.versus(first_fixture), camp.versus(second_fixture)]
    for fixture, leaving_id, joining_id in (
        (first_fixture, first_crew.id, second_crew.id),
        (second_fixture, second_crew.id, first_crew.id),
    ):
        fixture.home = joining_id if fixture.home == leaving_id else fixture.home
        fixture.away = joining_id if fixture.away == leaving_id else fixture.away
    pairings_after = [camp.versus(first_fixture), camp.versus(second_fixture)]
    cause = f"opponents swapped in round {round_number}"
    camp.write(first_crew.id, "fixture", pairings_before[0], pairings_after[1], cause)
    camp.write(second_crew.id, "fixture", pairings_before[1], pairings_after[0], cause)
    return say(
        f"Round {round_number} after the swap: {'; '.join(pairings_after)}.",
        f"Before the swap: {'; '.join(pairings_before)}.",
        buttons=[UNDO],
    )


def _find_swap(
    camp: Campaign, first_crew: EntrantRow, second_crew: EntrantRow, wanted_round: int
) -> tuple[int, FixtureRow, FixtureRow]:
    """Return the first round in which both have separate unplayed fixtures. Raises InvalidInput."""
    refusal_text = ""
    for round_number in _possible_rounds(camp, wanted_round):
        first_fixture = _find_open_fixture(camp, first_crew, round_number)
        second_fixture = _find_open_fixture(camp, second_crew, round_number)
        if first_fixture is not None and second_fixture is not None and first_fixture.id != second_fixture.id:
            return round_number, first_fixture, second_fixture
        name = first_crew.name if first_fixture is None else second_crew.name
        no_fixture_text = f"Choose another crew or round; {name} has no open fixture in round {round_number}."
        same_fixture_text = (
            f"Choose two crews with different opponents; these two play each other in round {round_number}."
            if first_fixture is not None and first_fixture == second_fixture
            else ""
        )
        refusal_text = refusal_text or same_fixture_text or no_fixture_text
    raise InvalidInput(refusal_text)


@handles(PairByHand, Place.CAMPAIGN, beforehand=begun)
def pair(act: Act, action: PairByHand) -> Reply:
    """Add a fixture.

    A crew that rests no longer rests, and one that has played in this round may play again.
    """
    camp = Campaign(act)
    camp.require_running()
    camp.require_organiser()
    first_crew, second_crew = action.crew, action.other
    _require_different(first_crew, second_crew)
    round_number = _find_round_to_pair(camp, (first_crew, second_crew), action.number)
    for rest_fixture in filter(
        None, (_find_open_fixture(camp, crew, round_number) for crew in (first_crew, second_crew))
    ):
        camp.book.remove(rest_fixture)
    row = camp.book.add(
        FixtureRow(
            camp.book.scope, camp.book.next_id(FixtureRow), round_number, first_crew.id, second_crew.id
        )
    )
    for entrant in (first_crew, second_crew):
        camp.write(entrant.id, "fixture", "", camp.versus(row), f"added to round {round_number}")
    return say(f"Added to round {round_number}: {camp.versus(row)}.", buttons=[UNDO])


def _find_round_to_pair(camp: Campaign, crews: Sequence[EntrantRow], wanted_round: int) -> int:
    """Return the round in which both may meet, preferably one before they have played.

    Raises InvalidInput.
    """
    free_rounds, unplayed_text = [], ""
    for round_number in _possible_rounds(camp, wanted_round):
        fixtures = [_find_open_fixture(camp, crew, round_number) for crew in crews]
        unplayed_fixtures = [row for row in fixtures if row is not None and row.status == "open"]
        if not unplayed_fixtures:
            has_played = any(
                row.status == "played" for row in camp.fixtures(round_number) if _plays(row, crews)
            )
            free_rounds.append((has_played, round_number))
        else:
            unplayed_text = (
                unplayed_text or f"Play {camp.versus(unplayed_fixtures[0])} first, or choose another round."
            )
    if not free_rounds:
        raise InvalidInput(unplayed_text)
    return min(free_rounds)[1]


def _plays(fixture: FixtureRow, crews: Sequence[EntrantRow]) -> bool:
    return any(crew.id in (fixture.home, fixture.away) for crew in crews)


# ------------------------------------------------------------------------------------ put away


@handles(Archive, Place.CAMPAIGN)
def archive(act: Act, action: Archive) -> Reply:
    """Archive the campaign. Nothing is lost: it can be read as before and restored at any time."""
    camp = Campaign(act)
    camp.require_organiser()
    if camp.row.archived:
        raise InvalidInput(f"{camp.row.name} is already archived.")
    if camp.reported():
        camp.require_quiet()
    camp.row.archived = True
    return say(
        f"{camp.row.name} is archived.",
        "You can still see it if you use /season and enter its name.",
        "To bring it back, use /organise restore.",
        buttons=[UNDO],
    )


@handles(Restore, Place.CAMPAIGN)
def restore(act: Act, action: Restore) -> Reply:
    """Restore a campaign as it was when it was archived."""
    camp = Campaign(act)
    camp.require_organiser()
    if not camp.row.archived:
        raise InvalidInput(f"{camp.row.name} is not archived.")
    camp.row.archived = False
    return say(f"{camp.row.name} has been restored ({camp.rounds}).", buttons=[UNDO])
