"""Templates and what fills them: every page and every part of one is drawn here.

Templates escape whatever they are given. Nothing else in the page writes HTML.
"""

from __future__ import annotations

import secrets
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
    auto_reload=False,
)
_TEMPLATES.globals["once"] = lambda: secrets.token_urlsafe(12)


ABOUT = "Adjutant rolls the dice, works out the odds and keeps the record; you move the models."
"""The description for people who see the page for the first time."""

_TEMPLATES.globals["about"] = ABOUT


def is_loopback(host: str) -> bool:
    """Return whether only this machine can come there."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


_TEMPLATES.globals["is_own"] = lambda address: is_loopback(urlsplit(address).hostname or "")


def drawn(template: str, **values: Any) -> Markup:
    """Return a template's HTML, which other templates take as it is."""
    return Markup(_TEMPLATES.get_template(f"{template}.html").render(values))  # noqa: S704 - escaped there


def page(template: str, **values: Any) -> web.Response:
    """Return a whole page."""
    return web.Response(text=drawn(template, **values), content_type="text/html")
