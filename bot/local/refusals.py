"""How Discord says no: status, code, message, and the nested list of what is wrong with a form.

Owns the shape of errors and the codes with their texts. Knows nothing about when they apply.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.local.seen import Json

_TEXTS = {
    0: "401: Unauthorized",
    10003: "Unknown Channel",
    10004: "Unknown Guild",
    10007: "Unknown Member",
    10008: "Unknown Message",
    10013: "Unknown User",
    10014: "Unknown Emoji",
    10015: "Unknown Webhook",
    10070: "Unknown Guild Scheduled Event",
    10062: "Unknown interaction",
    10063: "Unknown application command",
    20012: "You are not authorized to perform this action on this application",
    30003: "Maximum number of pins reached for the channel (250)",
    30008: "Maximum number of emojis reached (2000)",
    30034: "Max number of daily application command creates has been reached (200)",
    30038: "Maximum number of uncompleted guild scheduled events reached (100)",
    30046: "Maximum number of edits to messages older than 1 hour reached. Try again later.",
    40005: "Request entity too large",
    40094: "This interaction has exceeded the maximum number of follow up messages.",
    40333: "internal network error",
    40060: "Interaction has already been acknowledged.",
    50001: "Missing Access",
    50003: "Cannot execute action on a DM channel",
    50005: "Cannot edit a message authored by another user",
    50006: "Cannot send an empty message",
    50007: "Cannot send messages to this user",
    50013: "Missing Permissions",
    50019: "A message can only be pinned to the channel it was sent in",
    50024: "Cannot execute action on this channel type",
    50027: "Invalid Webhook Token",
    50034: "You can only bulk delete messages that are under 14 days old.",
    50035: "Invalid Form Body",
    50083: "Thread is archived",
    50109: "The request body contains invalid JSON.",
    160004: "A thread has already been created for this message",
    160005: "Thread is locked",
}


class Refused(Exception):
    """An answer with an error status; `body` is Discord's JSON."""

    def __init__(
        self, status: int, code: int, *, errors: Json | None = None, extra: Mapping[str, Any] | None = None
    ) -> None:
        text = _TEXTS.get(code, f"{status}: Error")
        super().__init__(f"{status} {code}: {text}")
        self.status = status
        self.code = code
        self.body: Json = {"message": text, "code": code, **(extra or {})}
        if errors is not None:
            self.body["errors"] = errors

    @property
    def fields(self) -> list[str]:
        """Return where a form is wrong, as dotted paths such as "embeds.0.title"."""
        return list(_paths(self.body.get("errors", {}), ""))


class Problems:
    """What is wrong with one form, by path; `raise_if_any` turns it into a 50035."""

    def __init__(self) -> None:
        self.errors: Json = {}

    def __bool__(self) -> bool:
        return bool(self.errors)

    def add(self, path: tuple[str | int, ...], code: str, message: str) -> None:
        """Note one fault at `path`."""
        node = self.errors
        for key in path:
            node = node.setdefault(str(key), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def length(self, path: tuple[str | int, ...], value: object, low: int, high: int) -> bool:
        """Note a text or list outside low..high, or of a wrong type; True when it is fine."""
        if not isinstance(value, str | list | tuple):
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
            return False
        size = len(value)
        if low <= size <= high:
            return True
        if size == 0:
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif size > high and low == 0:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
        else:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        return False

    def wrong(self, path: tuple[str | int, ...], message: str, code: str = "BASE_TYPE_CHOICES") -> None:
        """Note a value that is not allowed there."""
        self.add(path, code, message)

    def raise_if_any(self) -> None:
        """Refuse the form when anything was noted."""
        if self.errors:
            raise Refused(400, 50035, errors=self.errors)


def _paths(node: Json, prefix: str) -> list[str]:
    paths = [prefix] if "_errors" in node else []
    for key, inner in node.items():
        if key != "_errors":
            paths += _paths(inner, f"{prefix}.{key}" if prefix else key)
    return paths
