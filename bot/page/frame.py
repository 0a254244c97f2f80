"""The frame of every page: its head, its landmarks, and the parts that stand on more than one."""

from __future__ import annotations

import secrets
from html import escape

from aiohttp import web


def page(title: str, body: str, *, script: str = "", kind: str = "", data: str = "") -> web.Response:
    """A whole page."""
    run = f'<script src="/static/{script}" defer></script>' if script else ""
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">'
        f"<title>{escape(title)}</title>"
        f'<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/page.css">{run}</head>'
        f'<body class="{kind}"{data}>{body}</body></html>'
    )
    return web.Response(text=text, content_type="text/html")


def hidden(token: str) -> str:
    """What every form carries: its reader's token, and a word that makes it count once."""
    once = secrets.token_urlsafe(12)
    return (
        f'<input type="hidden" name="token" value="{token}"><input type="hidden" name="once" value="{once}">'
    )
