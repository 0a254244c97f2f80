"""Whether Discord takes a scheduled event that takes place outside its channels."""

from __future__ import annotations

from datetime import datetime

from bot.local.refusals import Problems
from bot.local.seen import Json

MAX_EVENTS = 100
"""Events of a guild that are not over."""

FIELDS = (
    *("name", "description", "scheduled_start_time", "scheduled_end_time"),
    *("privacy_level", "entity_type", "entity_metadata"),
)


def check_event(form: Json, now_seconds: float) -> Json:
    """Return the fields of an event. Raises Refused for what Discord does not take."""
    problems = Problems()
    problems.length(("name",), form.get("name"), 1, 100)
    problems.length(("description",), form.get("description") or "", 0, 1000)
    metadata = form.get("entity_metadata") or {}
    problems.length(("entity_metadata", "location"), metadata.get("location"), 1, 100)
    if (form.get("privacy_level"), form.get("entity_type")) != (2, 3):
        problems.wrong(("entity_type",), "The entity type must be 3 and the privacy level 2.")
    start, end = (_moment(problems, form, name) for name in FIELDS[2:4])
    if start and start <= now_seconds:
        problems.wrong(("scheduled_start_time",), "Cannot schedule event in the past.")
    if end and end <= start:
        problems.wrong(("scheduled_end_time",), "The end must be after the start.")
    problems.raise_if_any()
    return {name: form.get(name) for name in FIELDS}


def _moment(problems: Problems, form: Json, name: str) -> float:
    try:
        return datetime.fromisoformat(str(form.get(name))).timestamp()
    except ValueError:
        problems.add((name,), "BASE_TYPE_REQUIRED", "This field is required")
        return 0.0
