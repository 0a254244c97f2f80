"""JSON in one canonical form: what is equal is written alike, so that it can be hashed and compared."""

from __future__ import annotations

import json

compact = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
"""A value as JSON, keys in order, nothing between."""
