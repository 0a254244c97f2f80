"""Discord's checks of a message: contents, embeds, flags, mentions, files.

Owns the limits of a message in its final form, so that an edit is judged by what it leads to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from bot.local.checks.components import check_components
from bot.local.refusals import Problems, Refused
from bot.local.seen import COMPONENTS_V2, EPHEMERAL, Json

SUPPRESS_EMBEDS, SUPPRESS_NOTIFICATIONS = 1 << 2, 1 << 12
MAX_CONTENT, MAX_EMBEDS, MAX_EMBED_TEXT, MAX_ATTACHMENTS = 2000, 10, 6000, 10
_EMBED_TEXTS = {"title": 256, "description": 4096}
_EMBED_PARTS = {"footer": ("text", 2048), "author": ("name", 256)}
_URL_SCHEMES = ("http", "https")
_PING_KINDS = {"users", "roles", "everyone"}

Path = tuple[str | int, ...]


def check_message(
    body: Json,
    *,
    allowed_flags: int,
    file_names: Sequence[str] = (),
    path: Path = (),
    standing: Mapping[str, Any] | None = None,
) -> None:
    """Refuse a new message, or an edit of `standing` (its content, embeds, components, flags) by `body`.

    `file_names` are the files that the message has afterwards, `path` is where errors are reported. Raises
    Refused: 50035 with the nested errors, or 50006 for a message without anything in it.
    """
    problems = Problems()
    old_body = standing or {}
    flags = _flags(problems, body, allowed_flags, path) | (old_body.get("flags", 0) & COMPONENTS_V2)
    v2 = bool(flags & COMPONENTS_V2)
    after = {
        key: body[key] if key in body else old_body.get(key) for key in ("content", "embeds", "components")
    }
    _content(problems, after["content"], path)
    _embeds(problems, after["embeds"], path)
    _mentions(problems, body.get("allowed_mentions"), path)
    if len(file_names) > MAX_ATTACHMENTS:
        problems.add((*path, "attachments"), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    if "poll" in body and v2:
        problems.wrong(
            (*path, "poll"), "The 'poll' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
        )
    if v2:
        for key in ("content", "embeds"):
            if after[key]:
                problems.wrong(
                    (*path, key),
                    f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
                    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                )
    check_components(problems, after["components"], v2=v2, file_names=file_names, path=(*path, "components"))
    problems.raise_if_any()
    if not any((after["content"], after["embeds"], after["components"], file_names, body.get("poll"))):
        raise Refused(400, 50006)


def _flags(problems: Problems, body: Json, allowed: int, path: Path) -> int:
    flags = body.get("flags") or 0
    if not isinstance(flags, int) or flags & ~allowed:
        problems.wrong((*path, "flags"), "Invalid flags for this message", "MESSAGE_FLAGS_INVALID")
        return 0
    return flags


def _content(problems: Problems, content: object, path: Path) -> None:
    if content is None:
        return
    if not isinstance(content, str):
        problems.add((*path, "content"), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
    else:
        problems.length((*path, "content"), content, 0, MAX_CONTENT)


def _mentions(problems: Problems, mentions: object, path: Path) -> None:
    if not isinstance(mentions, dict):
        return
    inner_path = (*path, "allowed_mentions")
    parse = mentions.get("parse") or []
    for index, kind in enumerate(parse):
        if kind not in _PING_KINDS:
            problems.wrong(
                (*inner_path, "parse", index), "Value must be one of {'everyone', 'roles', 'users'}."
            )
    for key in ("users", "roles"):
        listed = mentions.get(key) or []
        problems.length((*inner_path, key), listed, 0, 100)
        if listed and key in parse:
            problems.wrong(
                inner_path,
                f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.',
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
            )


def _embeds(problems: Problems, embeds: object, path: Path) -> None:
    if not embeds:
        return
    inner_path = (*path, "embeds")
    if not isinstance(embeds, list | tuple) or not problems.length(inner_path, embeds, 0, MAX_EMBEDS):
        return
    total = sum(_embed(problems, embed, (*inner_path, index)) for index, embed in enumerate(embeds))
    if total > MAX_EMBED_TEXT:
        problems.add(inner_path, "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def _embed(problems: Problems, embed: object, inner_path: Path) -> int:
    """Check one embed; how many characters it counts for."""
    if not isinstance(embed, dict):
        problems.add(inner_path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        return 0
    total = 0
    for key, limit in _EMBED_TEXTS.items():
        total += _text(problems, embed.get(key), limit, (*inner_path, key))
    for key, (inner, limit) in _EMBED_PARTS.items():
        part = embed.get(key)
        if isinstance(part, dict):
            total += _text(problems, part.get(inner), limit, (*inner_path, key, inner), needed=True)
            _urls(problems, part, ("url", "icon_url"), (*inner_path, key))
    total += _fields(problems, embed.get("fields") or [], (*inner_path, "fields"))
    colour = embed.get("color")
    if colour is not None and not (isinstance(colour, int) and 0 <= colour <= 0xFFFFFF):
        problems.add(
            (*inner_path, "color"), "NUMBER_TYPE_MAX", "int value should be less than or equal to 16777215."
        )
    _urls(problems, embed, ("url",), inner_path)
    for key in ("image", "thumbnail"):
        part = embed.get(key)
        if isinstance(part, dict):
            _urls(problems, part, ("url",), (*inner_path, key))
    if not total and not any(embed.get(key) for key in ("image", "thumbnail", "video")):
        problems.add((*inner_path, "description"), "BASE_TYPE_REQUIRED", "This field is required")
    return total


def _fields(problems: Problems, fields: Sequence[Any], inner_path: Path) -> int:
    problems.length(inner_path, fields, 0, 25)
    total = 0
    for index, field in enumerate(fields):
        total += _text(problems, field.get("name"), 256, (*inner_path, index, "name"), needed=True)
        total += _text(problems, field.get("value"), 1024, (*inner_path, index, "value"), needed=True)
    return total


def _text(problems: Problems, text: object, limit: int, inner_path: Path, *, needed: bool = False) -> int:
    if text is None and not needed:
        return 0
    if not isinstance(text, str) or (needed and not text.strip()):
        problems.add(inner_path, "BASE_TYPE_REQUIRED", "This field is required")
        return 0
    problems.length(inner_path, text, 0, limit)
    return len(text.strip())


def _urls(problems: Problems, part: Json, keys: Sequence[str], inner_path: Path) -> None:
    for key in keys:
        url = part.get(key)
        if url is None:
            continue
        scheme = urlsplit(str(url)).scheme
        if scheme == "attachment" and key != "url":
            continue
        if scheme not in _URL_SCHEMES and not (
            scheme == "attachment" and inner_path[-1] in ("image", "thumbnail")
        ):
            problems.add(
                (*inner_path, key), "URL_TYPE_INVALID_SCHEME", f'Scheme "{scheme}" is not supported.'
            )
        elif len(str(url)) > 2048:
            problems.add((*inner_path, key), "BASE_TYPE_MAX_LENGTH", "Must be 2048 or fewer in length.")


MESSAGE_FLAGS = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2
ANSWER_FLAGS = MESSAGE_FLAGS | EPHEMERAL
EDIT_FLAGS = SUPPRESS_EMBEDS | COMPONENTS_V2
