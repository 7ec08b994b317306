"""A filter as part of an address: readable where it is harmless, encoded where it is a person's text.

Home Assistant refuses query strings that hold what looks like an attack, such as `../`, before they reach the panel.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from urllib.parse import urlencode

from ..diagnostics.query import Filter

_HARMLESS = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ENCODED = "x"
_LONGEST = 8192


def query_of(wanted: Filter) -> str:
    """The query string of a filter, empty where nothing is set."""
    values = wanted.query()
    plain = {name: value for name, value in values.items() if _HARMLESS.fullmatch(value) and name != "q"}
    rest = {name: value for name, value in values.items() if name not in plain}
    return urlencode({**plain, **({_ENCODED: _encode(rest)} if rest else {})})


def filter_of(query: Mapping[str, str]) -> Filter:
    """The filter of a query string; what cannot be read counts as not set."""
    return Filter.from_query({**{n: v for n, v in query.items() if n != "q"}, **_decode(query.get(_ENCODED, ""))})


def _encode(values: Mapping[str, str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(values, separators=(",", ":")).encode()).decode().rstrip("=")


def _decode(text: str) -> dict[str, str]:
    if not text or len(text) > _LONGEST:
        return {}
    try:
        values = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return {}
    return {n: v for n, v in values.items() if isinstance(v, str)} if isinstance(values, dict) else {}
