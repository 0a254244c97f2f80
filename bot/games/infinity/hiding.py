"""How troopers hide when they are deployed: the state that their skills allow, and arriving in it."""

from __future__ import annotations

from bot.games.infinity import veils
from bot.table.encounter import Encounter
from rules.systems.infinity.profile import Profile, Skill
from rules.systems.infinity.trooper import Condition, Trooper


def best_state(profile: Profile) -> Condition | None:
    """Return the best state that these skills let a trooper be deployed in, None for a plain figure."""
    if profile.has(Skill.TO_CAMOUFLAGE):
        return Condition.HIDDEN_DEPLOYMENT
    if profile.has(Skill.CAMOUFLAGE) or profile.has(Skill.LIMITED_CAMOUFLAGE):
        return Condition.CAMOUFLAGED
    return Condition.IMPERSONATION if profile.has(Skill.IMPERSONATION) else None


def deploy_best(encounter: Encounter, one: Trooper) -> None:
    """Deploy a trooper as hidden as its skills allow, so that its arrival tells nothing."""
    state = best_state(one.profile)
    row = encounter.model(one.id)
    if state is Condition.HIDDEN_DEPLOYMENT:
        veils.hide(encounter, row)
    elif state is not None:
        veils.become_marker(encounter, row, state)
