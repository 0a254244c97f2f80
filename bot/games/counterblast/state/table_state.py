"""State of Counterblast: of the encounter, its crews, their models, places and captives."""

from __future__ import annotations

from bot.table.state import Number, State


class EncounterState(State):
    """The game as a whole."""

    stopped_early = Number("stopped early", "1 if the game ended before its last turn was over.")
    square_feet = Number("square feet", "The size of the table in square feet, once it is known.")
    dark = Number("dark", "1 if the table is dark.")
    vacuum = Number("vacuum", "1 if there is no air.")
    underwater = Number("underwater", "The turn in which all of the table went under water; 0 if it is dry.")
    low_gravity = Number("low gravity", "Its Low Gravity rating, 0 to 3.")
    climate = Number("heat or cold", "Grade of severe heat or cold, 0 to 3.")
    deployer = Number("deployment chosen by", "The side that chooses who deploys first.")
    terrain_left = Number("terrain to place", "Pieces of terrain still to place.")
    terrain_placed = Number("terrain placed", "How often a piece of terrain was placed.")
    acting = Number("acting", "The model that took the last action with a cost; 0 after a joint one.")
    upkeep = Number("upkeep", "The number of the row that keeps a proposed Upkeep; 0 without one.")


class SideState(State):
    """One crew."""

    mission_successes = Number("mission successes", "Successes at its places, used after the game.")
    control_turn = Number("control scored", "The turn whose Upkeep its Invasion was last scored for.")
    invaders = Number(
        "invaders there", "Its models that were at the marker when its Invasion was last scored."
    )
    objective_points = Number("objective points", "Objective points entered by its players.", least=None)
    squares = Number(
        "squares held", "Squares of 12 inches that a Survey Team holds alone, entered by its players."
    )
    underdog_points = Number(
        "underdog", "Battle points that an Underdog of a campaign starts with.", least=None
    )
    underdog_bonus = Number(
        "underdog campaign points", "Campaign points that an Underdog may earn.", least=None
    )
    own_mission_points = Number(
        "own mission points",
        "Objective points of its own mission, without those for other sides' failures.",
        least=None,
    )
    mission_declared = Number("mission declared", "1 if it revealed its mission before the first turn.")
    mission_finder = Number(
        "mission finder", "The model that joined, or that carries what its Recovery found."
    )
    scouted_infiltrators = Number("scouted infiltrators", "Models that scouting still makes Infiltrators.")
    terrain_place = Number("places terrain", "Its place in the order of placing terrain, from 1.")
    more_tokens = Number(
        "more initiative tokens",
        "Tokens in the bag beyond one for each model and those of its Specialties.",
        least=None,
    )
    group_tokens = Number(
        "group tokens", "Order tokens spent beforehand, by which its next activation may be a larger group."
    )


class ModelState(State):
    """One model. Turns are counted from 1; 0 means never."""

    may_retry_fire = Number(
        "fire not put out", "1 after a failed check against fire that may be rolled again."
    )
    falls_tenths = Number(
        "has to fall", "1 after it lost its hold, and the tenths of an inch it falls if they are known."
    )
    locomotion = Number(
        "goes on", "The place of its locomotion in the list, once it was stated; only vehicles print it."
    )
    waded_turn = Number("waded", "The turn in which water took inches off its Move, once in an activation.")
    portal_turn = Number("portal astray", "The turn of a portal that went astray, until its end is chosen.")
    floors_turn = Number(
        "floors in turn", "The turn of a power that throws to the ground, until the choice is made."
    )
    telekinesis_turn = Number("Telekinesis in turn", "The turn in which it last used Telekinesis.")
    fahz_jiin_rerolls = Number("Fahz Jiin re-rolls", "Failed dice that Fahz Jiin has let it roll again.")
    failed_check = Number("failed check", "1 and its net 1s while it may still roll a failed check again.")
    smoke_turn = Number("smoke in turn", "The turn in which it made smoke.")
    hiding_cover = Number("cover where it hid", "The cover of the place where it hid.")
    motion_turn = Number("In Motion in turn", "The turn that a vehicle begins In Motion.")
    maneuver_points = Number("Maneuver points", "Points of its Maneuver check.")
    maneuver_turn = Number("Maneuver check in turn", "The turn of its Maneuver check.")
    drive_owed_turn = Number(
        "Move to drive in turn",
        "The turn in which an attack contained a Move that a vehicle may still drive.",
    )
    passengers_burnt_turn = Number(
        "passengers burnt in turn", "The turn in which a vehicle's passengers suffered its fire."
    )
    collision_turn = Number(
        "stopped by a collision in turn", "The turn in which a collision ended a vehicle's path."
    )
    passengers = Number("carries", "How many passengers a vehicle carries, as agreed.")
    uplink = Number("uplink", "Its uplink check: 0 not needed, 1 due, 2 passed with limits.")
    climate = Number("heat or cold here", "Grade of the severe heat or cold where it is.")
    climate_turn = Number("heat or cold in turn", "The turn of its last test against heat or cold.")
    water_depth = Number("water depth", "Depth of the water it is in, in tenths of an inch.")
    height_in_water = Number("tall in water", "Its own height in water, in tenths of an inch.")
    underwater_turn = Number("under water since", "The turn in which it went under water.")
    fire_turn = Number(
        "hit by fire in turn", "The turn in which fire or acid last hit it, or was fought instead."
    )
    was_leader = Number("was leader", "1 if it led its crew when it left play.")
    called_turn = Number("called in turn", "The turn in which its leader last tried to call it from reserve.")
    began_turn = Number("began to act", "The turn in which it took an action with a cost.")
    failed_check_entry = Number(
        "check failed in entry", "The entry of its last failed check, if a relic may help."
    )
    wild_inches = Number("out of control inches", "Inches that a vehicle out of control still has to move.")
    explodes = Number("explodes", "1 if a vehicle still has to explode.")
    falls_from_air = Number("falls out of the air", "1 if a vehicle still has to fall out of the air.")


class PlaceState(State):
    """A place of a mission."""

    side = Number("side", "The side for whose mission the place is.")
    stored = Number("stored", "Successes of its searches.")
    last_turn = Number("last", "The turn of its last search.")
    closed = Number("closed", "1 if nothing more is found there.")


class AbsenteeState(State):
    """A captive or another model that is away from its crew."""

    sought_by = Number("sought by", "The side whose captive it is.")
    held_by = Number("held by", "The side that holds it.")
    came_along = Number("along", "1 if it came along.")
