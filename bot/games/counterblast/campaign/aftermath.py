"""After an encounter of Counterblast: what its state proposes for the campaign, and how a line is settled.

Every roll is made in the open as the report is opened; what a player chooses stays open until it is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.campaign.gains import (
    BASES,
    LEAVE,
    NEXT_ENCOUNTER,
    SCOUTING_SUCCESSES,
    TIMEBOMBS,
    as_fighter,
    find_leader_or_first,
    propose_recruits,
)
from bot.games.counterblast.core.crews import is_salvage
from bot.games.counterblast.state.missions import BROUGHT, CAPTIVE, FOUND, PLANS
from bot.games.counterblast.state.models import fighter, fighters, read_block, settings_in, traits_in
from bot.games.counterblast.state.table_state import SideState
from bot.store.row_types import ProposalRow, ResultRow, VeteranRow
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.campaign.campaign_games import fielded
from bot.table.encounter import GONE
from bot.table.ledger.campaign_book import BATTLE, CAMPAIGN, OBJECTIVE, PURSE, Campaign
from bot.table.ledger.campaign_rules import VETERAN, Battle, add_report_line, list_models
from bot.table.throw_purposes import Cast, Whose
from bot.table.throw_purposes import counted as in_order
from rules.dice import Shown
from rules.systems.counterblast.building.crew import AfterWin, find_win_benefits
from rules.systems.counterblast.campaign import (
    UPGRADE_POINTS,
    FollowUp,
    count_reinforcements,
    find_follow_ups,
    get_casualty_category,
    get_fate,
    is_captive_freed,
    list_casualty_modifiers,
    list_injury_skills,
    needs_second_roll,
    roll_casualty,
    roll_casualty_row,
    roll_injury,
    upgrade_points,
)
from rules.systems.counterblast.core.conditions import CASUALTY, Category
from rules.systems.counterblast.core.counters import RELIC
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.gear.salvage import TOKENS as SALVAGE
from rules.systems.counterblast.gear.salvage import haul, prepare_search, relic_roll, search
from rules.systems.counterblast.missions.missions import HELD, sabotage_relics
from rules.systems.counterblast.missions.missions import mission as noted
from rules.systems.counterblast.missions.score import Result

# ------------------------------------------------------------------------------------ the report


def propose(act: Act, camp: Campaign, battle: Battle, rows: dict[int, ResultRow]) -> Sequence[str]:
    """Add the lines of both crews; their reasons name the dice."""
    wins = {entrant: _after_win(camp, battle, rows[entrant]) for entrant in battle.entrants}
    for entrant in battle.entrants:
        row, opponent = rows[entrant], battle.opponent(entrant)
        _propose_points(camp, battle, row)
        _propose_bonuses(act, camp, battle, row, rows[opponent])
        _propose_gains(act, camp, battle, row)
        _recruits(camp, battle, row)
        _propose_salvage(act, camp, battle, entrant, wins[entrant])
        _relics_used(camp, battle, entrant)
        _propose_fates(act, camp, battle, entrant, wins)
        _upgrades(camp, battle, entrant)
    return ()


def _propose_points(camp: Campaign, battle: Battle, row: ResultRow) -> None:
    """Add the points of the encounter. Rules: CB-CAMP-03, CB-CAMP-04, CB-CAMP-05, CB-UNDER-04."""
    result, entrant = Result(row.result), row.entrant
    add_report_line(camp, entrant, "points", CAMPAIGN, result.campaign_points, reason=str(result))
    add_report_line(camp, entrant, "points", OBJECTIVE, int(row.facts["objective"]), reason="mission")
    underdog = int(row.facts.get("underdog", "0"))
    reason = f"including {underdog} as the Underdog" if underdog else "battle"
    add_report_line(camp, entrant, "points", BATTLE, int(row.facts["battle"]), reason=reason)
    add_report_line(
        camp, entrant, "points", PURSE, count_reinforcements(row.points), reason="10 for each Victory Point"
    )
    bonus = int(row.facts.get("underdog_bonus", "0"))
    if bonus:
        add_report_line(camp, entrant, "points", CAMPAIGN, bonus, reason="Underdog")


def _after_win(camp: Campaign, battle: Battle, row: ResultRow) -> AfterWin:
    """Return the effects of a win. Rules: CB-SPEC-03, CB-SPEC-11, CB-SPEC-14, CB-SPEC-17, CB-SPEC-20."""
    if battle.encounter is None or not Result(row.result).is_win:
        return AfterWin()
    survivors = fighters(battle.encounter, battle.sides[row.entrant])
    traits = traits_in(camp.entrant(row.entrant).traits)
    return find_win_benefits(traits, survivors, leader_survived=_leader_survived(camp, battle, row.entrant))


def _leader_survived(camp: Campaign, battle: Battle, entrant: int) -> bool:
    return any(
        model.status != GONE and veteran.leader for model, veteran in list_models(camp, battle, entrant)
    )


def _recruits(camp: Campaign, battle: Battle, row: ResultRow) -> None:
    """Propose free recruits after a win. Rules: CB-CREW-09, CB-CREW-16."""
    if Result(row.result).is_win:
        survived = _leader_survived(camp, battle, row.entrant)
        propose_recruits(camp, row.entrant, leader_survived=survived)


def _propose_bonuses(
    act: Act, camp: Campaign, battle: Battle, row: ResultRow, opponent_row: ResultRow
) -> None:
    """Add what missions bring now, and what the last one brings. Rules: CB-MISS-06, CB-MISS-18,
    CB-MISS-29.
    """
    mission, success = row.facts.get("mission", ""), bool(row.facts.get("success"))
    follows = _find_follow_ups(camp, row, mission, success=success)
    rolls = sum(follow.relic_rolls for follow in follows)
    for follow in follows:
        if follow.campaign_points:
            earlier_name, mission_name = noted(follow.after).name, noted(mission).name
            add_report_line(
                camp,
                row.entrant,
                "points",
                CAMPAIGN,
                follow.campaign_points,
                reason=f"{mission_name} after {earlier_name}",
            )
    rescued = mission == "search_and_rescue" and is_captive_freed(follows, success=success)
    returned = {veteran.id for _, veteran in list_models(camp, battle, row.entrant)}
    for veteran in camp.veterans(row.entrant, everybody=True):
        if veteran.status == CAPTIVE and (rescued or veteran.id in returned):
            add_report_line(camp, row.entrant, "free", "freed", member=veteran.id, reason="rescued")
    if mission == "sabotage":
        rolls += sabotage_relics(int(row.facts.get("successes", "0")))
    if mission == "scouting":
        add_report_line(
            camp,
            row.entrant,
            "points",
            SCOUTING_SUCCESSES,
            int(row.facts.get("successes", "0")),
            reason="to trade for benefits",
        )
    for _ in range(rolls):
        propose_relic(act, camp, row.entrant)
    if opponent_row.facts.get("mission") == "invasion" and Result(row.result) is Result.DEFEAT:
        add_report_line(camp, row.entrant, "penalty", "", reason="penalty for being invaded and defeated")


def _propose_gains(act: Act, camp: Campaign, battle: Battle, row: ResultRow) -> None:
    """Add what missions leave for good: found things, plans, bases.

    Rules: CB-MISS-10, CB-MISS-17, CB-MISS-23.
    """
    if battle.encounter is None:
        return
    mission, side = row.facts.get("mission", ""), battle.encounter.side(battle.sides[row.entrant])
    name = camp.entrant(row.opponent).name
    if side.traits.get(PLANS):
        add_report_line(camp, row.entrant, "plans", side.traits[PLANS], reason="Abduction")
    if mission == "colonize" and row.facts.get("success"):
        add_report_line(camp, row.entrant, "points", BASES, 1, reason="Colonize")
    if mission == "invasion" and Result(row.result).is_win and camp.balance(row.opponent, BASES):
        add_report_line(camp, row.entrant, "base", LEAVE, choice=name, reason="after winning an Invasion")
    finder = SideState(side).mission_finder
    if not finder:
        return
    model = battle.encounter.model(finder)
    member, tokens_found = model.counters.get(VETERAN, 0), side.traits[FOUND]
    if side.traits.get(BROUGHT) == "equipment" and member:
        add_report_line(camp, row.entrant, "found", tokens_found, member=member, reason="Recovery")
    elif side.traits.get(BROUGHT) == "model" and not member:
        add_report_line(
            camp,
            row.entrant,
            "found",
            tokens_found,
            choice=_roll_newcomer_fate(act, battle, model, camp.entrant(row.entrant).owner),
            reason="Recovery",
        )


def _roll_newcomer_fate(act: Act, battle: Battle, model: ModelRow, player: str) -> str:
    """Return what happened to a model that was found and left play again. Rules: CB-CASU-02."""
    assert battle.encounter is not None, "it was found there"
    newcomer = fighter(battle.encounter, model)
    counted = get_casualty_category(newcomer, _describe_departure(model, newcomer))
    if not counted:
        return ""
    modifier = sum(
        casualty_modifier.amount for casualty_modifier in list_casualty_modifiers(newcomer, counted)
    )
    fate = act.roll(_cast_casualty_rolls(model.name, modifier, player), roll_casualty, modifier)
    skills = list_injury_skills(fate, newcomer.profile)
    return f"{fate}, {skills[0]}" if skills else str(fate)


INJURY_OR_OUT = "to decide between an injury and time out of action"
"""The purpose of the second roll. Rules: CB-CASU-05."""


def _cast_casualty_rolls(name: str, modifier: int, player: str) -> Cast:
    """Return who rolls the casualty, and the second roll. Rules: CB-CASU-04, CB-CASU-05."""
    modifier_text = f" with {modifier:+d}" if modifier else ""
    first_roll = Whose(name, "casualty roll", f"on the Casualty Table{modifier_text}", player)
    return in_order(first_roll, Whose(name, "second roll", INJURY_OR_OUT, player))


def _find_follow_ups(camp: Campaign, row: ResultRow, mission: str, *, success: bool) -> list[FollowUp]:
    earlier_results = [result for result in camp.results(row.entrant) if result.id != row.id]
    if not earlier_results or not mission:
        return []
    last_result = earlier_results[-1]
    follows: list[FollowUp] = []
    opponent_result = next(
        (
            result
            for result in camp.results()
            if result.fixture == last_result.fixture and result.entrant == last_result.opponent
        ),
        None,
    )
    if last_result.facts.get("mission"):
        brought = filter(None, last_result.facts.get("brought", "").split(","))
        follows += find_follow_ups(
            last_result.facts["mission"], "own", mission, success=success, brought=brought
        )
    if opponent_result is not None and opponent_result.facts.get("mission"):
        follows += find_follow_ups(opponent_result.facts["mission"], "target", mission, success=success)
    return follows


def propose_relic(act: Act, camp: Campaign, entrant: int) -> ProposalRow:
    """Roll on the Relics Table; the leader carries it unless its player says otherwise. CB-RELIC-01."""
    crew = camp.entrant(entrant)
    key = act.roll(Whose(crew.name, "roll", "on the Relics Table", crew.owner), relic_roll)
    holder = find_leader_or_first(camp, entrant)
    name = holder.name if holder else ""
    return add_report_line(camp, entrant, "relic", key, choice=name, reason=f"rolled {last_face(act)}")


def last_face(act: Act) -> int:
    """Return the face thrown last."""
    return next((entry.face for entry in reversed(act.dice.trace) if isinstance(entry, Shown)), 0)


def _propose_salvage(act: Act, camp: Campaign, battle: Battle, entrant: int, win_effects: AfterWin) -> None:
    """Tokens held at the end, and a Salvage Team's search. Rules: CB-SALV-04, CB-SPEC-20."""
    if battle.encounter is None:
        return
    held_tokens = [
        (key, holder)
        for key, holder in battle.encounter.row.counters.items()
        if HELD.counts(key) and is_salvage(HELD.rest(key))
    ]
    members = [model.id for model in battle.encounter.models(battle.sides[entrant])]
    haul_points = haul(held_tokens, members)
    if haul_points:
        add_report_line(camp, entrant, "points", SALVAGE, haul_points, reason="held at the end of the game")
    leader = next(
        (candidate for candidate in fighters(battle.encounter, battle.sides[entrant]) if candidate.leader),
        None,
    )
    for _ in range(win_effects.searches if leader else 0):
        assert leader is not None, "a search needs it"
        has_casualty = any(model.status == GONE for model in battle.encounter.models(gone=True))
        prepared = prepare_search(leader, "casualty" if has_casualty else "natural")
        roller = Whose(leader.name, "search", "for Salvage", camp.entrant(entrant).owner)
        tokens = act.roll(roller, search, (prepared.throw,))
        reason = f"from a Salvage Team search by {leader.name}"
        add_report_line(camp, entrant, "points", SALVAGE, max(0, tokens), reason=reason)


def _relics_used(camp: Campaign, battle: Battle, entrant: int) -> None:
    """Relics of one use that were used in the encounter are gone. Rules: CB-RELIC-02."""
    for model, veteran in list_models(camp, battle, entrant):
        for key, carried in sorted(veteran.counters.items()):
            remaining = model.counters.get(key, 0)
            if RELIC.counts(key) and remaining < carried:
                add_report_line(
                    camp, entrant, "used", RELIC.rest(key), remaining - carried, member=veteran.id
                )


# ------------------------------------------------------------------------------------ casualties


def _describe_departure(model: ModelRow, state: Fighter) -> str:
    if model.status == GONE:
        return model.left_how
    return CASUALTY if state.is_down else ""


def _propose_fates(act: Act, camp: Campaign, battle: Battle, entrant: int, wins: dict[int, AfterWin]) -> None:
    """Roll for everyone who was removed or is down at the end. Rules: CB-CASU-01 to CB-CASU-05."""
    if battle.encounter is None:
        return
    opponent = battle.opponent(entrant)
    bombs = camp.balance(opponent, TIMEBOMBS)
    invaded = bool(camp.balance(entrant, NEXT_ENCOUNTER.of("casualty")))
    by_choice = settings_in(camp.row.settings).casualty_choice == "choose"
    for model, veteran in list_models(camp, battle, entrant):
        state = fighter(battle.encounter, model)
        how_left = _describe_departure(model, state)
        if how_left == CAPTIVE:
            captor = camp.entrant(opponent).name
            add_report_line(
                camp, entrant, "captive", CAPTIVE, member=veteran.id, choice=captor, reason="abducted"
            )
        counted = get_casualty_category(state, how_left, wins[entrant], wins[opponent]) if how_left else ""
        if counted:
            modifiers = list_casualty_modifiers(
                state, counted, wins[entrant], invaded=invaded, timebomb=bombs > 0
            )
            if bombs > 0:
                bombs -= 1
                add_report_line(camp, opponent, "spent", TIMEBOMBS, -1, reason=f"used against {veteran.name}")
            _propose_fate(
                act,
                camp,
                veteran,
                counted,
                sum(modifier.amount for modifier in modifiers),
                by_choice=by_choice,
            )


def propose_casualty(act: Act, camp: Campaign, battle: Battle, veteran: VeteranRow) -> None:
    """Roll the casualty of a model that went down in a game that the bot has not seen.

    Rules: CB-CASU-01 to CB-CASU-05.
    """
    opponent = battle.opponent(veteran.entrant)
    lines = camp.proposals(battle.fixture)
    bombs_used = sum(proposal.kind == "spent" and proposal.entrant == opponent for proposal in lines)
    has_bomb = camp.balance(opponent, TIMEBOMBS) > bombs_used
    if has_bomb:
        add_report_line(camp, opponent, "spent", TIMEBOMBS, -1, reason=f"used against {veteran.name}")
    invaded = bool(camp.balance(veteran.entrant, NEXT_ENCOUNTER.of("casualty")))
    state = as_fighter(camp, veteran)
    modifiers = list_casualty_modifiers(state, "wounded", invaded=invaded, timebomb=has_bomb)
    by_choice = settings_in(camp.row.settings).casualty_choice == "choose"
    _propose_fate(
        act, camp, veteran, "wounded", sum(modifier.amount for modifier in modifiers), by_choice=by_choice
    )


def _propose_fate(
    act: Act, camp: Campaign, veteran: VeteranRow, counted: Category, modifier: int, *, by_choice: bool
) -> None:
    player = camp.entrant(veteran.entrant).owner
    roller = _cast_casualty_rolls(veteran.name, modifier, player)
    row = act.roll(roller, roll_casualty_row, modifier)
    reason = f"{counted}, rolled {last_face(act)}{f' with {modifier:+d}' if modifier else ''}"
    text: str = row
    if not (needs_second_roll(row) and by_choice):
        injury = False
        if needs_second_roll(row):
            second_roll = Whose(
                veteran.name,
                "second roll",
                INJURY_OR_OUT,
                camp.entrant(veteran.entrant).owner,
            )
            injury = act.roll(second_roll, roll_injury)
            reason += f", then {last_face(act)}"
        text = str(get_fate(row, injury))
    add_report_line(camp, veteran.entrant, "fate", text, member=veteran.id, reason=reason)


def _upgrades(camp: Campaign, battle: Battle, entrant: int) -> None:
    """Add upgrade points for everyone who took part. Rules: CB-CAMP-06."""
    settings = settings_in(camp.row.settings)
    veterans = [veteran for _, veteran in list_models(camp, battle, entrant)] or fielded(camp, entrant)
    for veteran in veterans:
        profile = read_block(veteran.profile).profile
        amount = upgrade_points(profile, took_part=True, survived=True, settings=settings)
        add_report_line(camp, entrant, "upgrade", UPGRADE_POINTS, amount, member=veteran.id)
