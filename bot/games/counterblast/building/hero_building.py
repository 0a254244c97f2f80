"""Building a Hero or a vehicle step by step: only what is legal is offered, every refusal says why.

The draft is kept with the crew until it is finished into a member. What is legal is decided by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.building.crews import faction_of, traits_kept
from bot.games.counterblast.building.draft_texts import draft_of, fault_words, items_of
from bot.games.counterblast.building.hero_drafts import (
    BuyBuilt,
    DiscardHero,
    FinishHero,
    Measure,
    affordable_first,
    crew_lines,
    draft_lines,
    hero_crew,
    keep,
    kept,
    mark_of,
    measured,
    measured_at_home,
    measured_to_begin,
    require_none_begun,
    to_give_back,
    to_take,
    trail_of,
)
from bot.games.counterblast.building.hero_steps import (
    STEPS,
    added,
    offers_in_step,
    removed,
    step_back,
    thing_named,
    way_back,
)
from bot.games.counterblast.building.rulebook import crew_doubts, parts
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.rows import CrewRow, MemberRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.handlers import Place, handles
from bot.table.names import checked_name
from bot.table.rosters.crew_state import DRAFT
from bot.table.rosters.crews import OfYourCrew, member
from rules.refusals import InvalidInput, Missing
from rules.systems.counterblast.building.builder import draft_faults, unchecked_features
from rules.systems.counterblast.building.crew import powers_allowed
from rules.systems.counterblast.building.draft import (
    ModelDraft,
    new_hero,
    profile_of,
    spent,
    template_of,
    upgrade_points,
)
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Size, Template, as_size
from rules.wording import times, together

PAGE = 25
BASES = ("S", "M", "L")
KINDS = ("cavalry", "flyer", "mech", "tracked", "wheeled")
"""Kinds of vehicles."""


def _types(context: Asking) -> Sequence[Template]:
    return tuple(load().templates)


@dataclass(frozen=True, slots=True)
class StartHero(OfYourCrew):
    """Start building a Hero or a vehicle with 10 Upgrade Points.

    type: a Hero's type, or the vehicle. base: empty for the type's first. kind: of a vehicle.
    """

    command = "hero.new"
    typed = "hero new"
    titled = "New Hero or vehicle"

    type: Template = fields.among("Type of model", _types, lambda one: one.name, what="type", needed=True)
    name: str = fields.text("Name of the model", None)
    base: Size | None = fields.one_of("Base size", {base: as_size(base) for base in BASES})
    kind: str | None = fields.one_of("Kind of vehicle (vehicles only)", KINDS)


@dataclass(frozen=True, slots=True)
class EditMember(OfYourCrew):
    """Change a member's equipment or spend its Upgrade Points."""

    command = "hero.edit"
    typed = "hero edit"
    titled = "Change a member"

    member: MemberRow = member("Crew member")


@dataclass(frozen=True, slots=True)
class ShowDraft(OfYourCrew):
    """Show the model you are building and what you can add next."""

    command = "hero.show"
    typed = "hero show"
    titled = "Show the model"


@dataclass(frozen=True, slots=True)
class OpenStep(OfYourCrew):
    """Show what may be chosen next in one step: raise, feature and so on; back: what may be given back."""

    command = "hero.step"

    step: str = ""
    page: int = 0
    back: bool = False


@dataclass(frozen=True, slots=True)
class TakeThing(OfYourCrew):
    """Add one thing of a step, by its key."""

    command = "hero.take"

    step: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class GiveBack(OfYourCrew):
    """Remove one thing, by its step and key."""

    command = "hero.back"

    key: str = ""


Thing = tuple[str, str]
"""A step of the draft, and the key of what is taken there or given back."""


def _thing(context: Asking, text: str, *, removing: bool = False) -> Thing:
    step, slash, key = text.partition("/")
    if slash and step in STEPS:
        return step, key
    _, draft, _ = kept(hero_crew(context.act))
    return thing_named(draft, text, back=removing)


def _returned(context: Asking, text: str) -> Thing:
    return _thing(context, text, removing=True)


@dataclass(frozen=True, slots=True)
class NameThing(OfYourCrew):
    """Add an upgrade, Feature, weapon, gear or power to your model."""

    command = "hero.add"
    typed = "hero add"
    titled = "Add to the model"

    thing: Thing = fields.sought(
        "Upgrade, Feature, weapon, gear or power", to_take, _thing, written="/".join, needed=True
    )
    back: bool = False


@dataclass(frozen=True, slots=True)
class NameReturned(NameThing):
    """Remove something from the model you are building."""

    command = "hero.remove"
    typed = "hero remove"
    titled = "Remove"

    thing: Thing = fields.sought(
        "Upgrade, Feature, weapon, gear or power", to_give_back, _returned, written="/".join, needed=True
    )
    back: bool = True


@dataclass(frozen=True, slots=True)
class StepBack(OfYourCrew):
    """Undo the last addition or removal."""

    command = "hero.return"


# ------------------------------------------------------------------------------------------- begun


@handles(StartHero, Place.CREW, beforehand=measured_to_begin)
def start(act: Act, action: StartHero) -> Reply:
    """Start from a type's template, with 10 Upgrade Points. Rules: CB-BUILD-01, CB-BUILD-02, CB-VEH-40."""
    crew = hero_crew(act)
    require_none_begun(act, crew)
    template = action.type
    name = checked_name(action.name or template.name)
    kind = (action.kind or "wheeled") if template.key == "vehicle" else ""
    draft = new_hero(template.key, name, size=action.base, kind=kind)
    keep(crew, name, draft, 0)
    return panel(act, crew, (f"You are now building {name} ({template.name}).",))


@handles(EditMember, Place.CREW, beforehand=measured_at_home)
def edit(act: Act, action: EditMember) -> Reply:
    """Edit a built member, or a printed Hero's equipment. Rules: CB-GEAR-05, CB-CAMP-07."""
    crew = hero_crew(act)
    require_none_begun(act, crew)
    edited = action.member
    draft = draft_of(edited.profile, traits_kept(crew), faction_of(crew))
    keep(crew, edited.name, draft, edited.id)
    return panel(act, crew, (f"You can now change {edited.name}.",))


def building(crew: CrewRow) -> Button:
    """Return the button that begins a Hero or a vehicle, or continues the one that is being built."""
    if crew.traits.get(DRAFT):
        return Button(f"{kept(crew)[0]}...", ShowDraft(crew.scope), anytime=True)
    return Button("Build...", StartHero(crew.scope), anytime=True, asks=True)


# ------------------------------------------------------------------------------------------- shown


def panel(act: Act, crew: CrewRow, head: tuple[str, ...] = ()) -> Reply:
    """Return the draft in one message, with a button for each step that has something to offer."""
    name, draft, member = kept(crew)
    faults = [fault_words(fault) for fault in draft_faults(draft)]
    lines = [*head, *draft_lines(name, draft), *faults]
    measure: Measure = act.extra
    lines += crew_lines(measure, crew.name, draft, member)
    unsure = unchecked_features(draft)
    if unsure:
        lines.append(
            "Check the rulebook, because I can't tell whether a model of this type can have "
            f"{together(unsure)}."
        )
    row = template_of(draft)
    weapons, gear = items_of(draft)
    base = load().templates[draft.template] if draft.template else draft.base
    lines += crew_doubts([base, *parts(profile_of(draft), weapons, gear)])
    steps = [step for step in STEPS if step != "free" or (row and row.free_choices > len(draft.picks))]
    if not powers_allowed(profile_of(draft), gear, draft.crew):
        steps.remove("power")
    buttons = [Button(f"{STEPS[step]}...", OpenStep(crew.scope, step), anytime=True) for step in steps]
    buttons += [
        Button("Remove...", OpenStep(crew.scope, "", back=True), anytime=True),
        *([Button("Undo last step", StepBack(crew.scope), anytime=True)] if trail_of(crew) else []),
        *_finishing(crew, measure, draft, member),
        Button("Discard", DiscardHero(crew.scope), anytime=True),
    ]
    return Reply(tuple(lines), private=True, buttons=tuple(buttons), replaces=True)


def _finishing(crew: CrewRow, measure: Measure, draft: ModelDraft, member: int) -> list[Button]:
    if not measure.campaign:
        return [Button("Finish", FinishHero(crew.scope), "main", anytime=True)]
    if member or mark_of(crew.traits) == measure.bought:
        return []
    price = times(measure.price(draft), "point")
    return [Button(f"Buy for {price}", BuyBuilt(measure.campaign), "main", anytime=True)]


@handles(ShowDraft, Place.CREW, beforehand=measured)
def show(act: Act, action: ShowDraft) -> Reply:
    """Show it to its owner."""
    return panel(act, hero_crew(act))


@handles(OpenStep, Place.CREW, beforehand=measured)
def open_step(act: Act, action: OpenStep) -> Reply:
    """Open a step with only what is legal now and its price; the rest is explained when asked by name.

    Choices that the crew can afford in its possible campaigns come first; others come last, marked.
    """
    crew = hero_crew(act)
    name, draft, member = kept(crew)
    if action.back:
        offers = [
            (f"{offer.step}/{offer.key}", offer.label, offer.note)
            for offer in offers_in_step(draft, "", back=True)
        ]
        act_on: Action = GiveBack(crew.scope)
        prompt = "Remove"
    else:
        if action.step not in STEPS:
            raise Missing(f"Choose one of these steps: {', '.join(STEPS)}.")
        offers = affordable_first(act.extra, draft, member, action.step)
        act_on = TakeThing(crew.scope, action.step)
        prompt = STEPS[action.step]
    on_page = offers[action.page * PAGE : (action.page + 1) * PAGE]
    back_to = replace(action, page=action.page - 1) if action.page else ShowDraft(crew.scope)
    back_button = Button("Back", back_to, anytime=True)
    if not on_page:
        none = (
            f"There is nothing to remove from {name}."
            if action.back
            else f"You can't add anything of this kind to {name} now."
        )
        return Reply((none,), private=True, buttons=(back_button,), replaces=True)
    choices = tuple(Choice(label, key, note) for key, label, note in on_page)
    has_more = len(offers) > (action.page + 1) * PAGE
    next_page = replace(action, page=action.page + 1)
    points_left = upgrade_points(draft) - spent(draft)
    return Reply(
        (
            f"Choose what to {'remove from' if action.back else 'add to'} {name} "
            f"({times(len(offers), 'choice')}).",
            f"You have {times(points_left, 'Upgrade Point')} left.",
            *crew_lines(act.extra, crew.name, draft, member),
        ),
        private=True,
        buttons=(*([Button("More", next_page, anytime=True)] if has_more else []), back_button),
        menus=(Menu(prompt, act_on, "key", choices, anytime=True),),
        replaces=True,
    )


# ------------------------------------------------------------------------------------------- changed


def _changed(act: Act, step: str, key: str, *, removing: bool = False) -> Reply:
    """One thing more, or less; how it is taken back is kept as far as that leads to what was."""
    crew = hero_crew(act)
    name, old_draft, member = kept(crew)
    after, label = (removed if removing else added)(old_draft, step, key)
    undo_step = way_back(step, key, back=removing)
    keep(
        crew,
        name,
        after,
        member,
        [*trail_of(crew), undo_step] if step_back(after, undo_step) == old_draft else [],
    )
    sentence = f"{label} removed from {name}" if removing else f"{label} added to {name}"
    return _panel_after(act, crew, old_draft, after, sentence)


def _panel_after(act: Act, crew: CrewRow, old_draft: ModelDraft, after: ModelDraft, sentence: str) -> Reply:
    points = profile_of(after).points - profile_of(old_draft).points
    return panel(act, crew, (f"{sentence} ({points:+d} {'point' if abs(points) == 1 else 'points'}).",))


@handles(TakeThing, Place.CREW, beforehand=measured)
def take(act: Act, action: TakeThing) -> Reply:
    """Buy it. Raises Forbidden with the rule for what is not legal."""
    return _changed(act, action.step, action.key)


@handles(GiveBack, Place.CREW, beforehand=measured)
def give_back(act: Act, action: GiveBack) -> Reply:
    """Return it; its points are free again."""
    step, _, key = action.key.partition("/")
    return _changed(act, step, key, removing=True)


@handles(StepBack, Place.CREW, beforehand=measured)
def return_step(act: Act, action: StepBack) -> Reply:
    """Undo the last step, whether something was taken or returned, as often as there were steps."""
    crew = hero_crew(act)
    name, old_draft, member = kept(crew)
    trail = trail_of(crew)
    after = step_back(old_draft, trail[-1]) if trail else None
    if after is None:
        raise InvalidInput(f"You haven't changed {name} yet, so there is no step to undo.")
    keep(crew, name, after, member, trail[:-1])
    return _panel_after(act, crew, old_draft, after, "Your last step has been undone")


@handles(NameReturned, Place.CREW, beforehand=measured)
@handles(NameThing, Place.CREW, beforehand=measured)
def name_thing(act: Act, action: NameThing) -> Reply:
    """Name it, whatever it is."""
    crew, (step, key) = hero_crew(act), action.thing
    act.canonical = GiveBack(crew.scope, f"{step}/{key}") if action.back else TakeThing(crew.scope, step, key)
    return _changed(act, step, key, removing=action.back)
