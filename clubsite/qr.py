"""QR codes as inline SVG, with an address of this site that a phone can open from paper or from the wall."""

from __future__ import annotations

from functools import lru_cache

import segno
from django.conf import settings
from django.http import HttpRequest
from django.utils.html import escape
from django.utils.safestring import SafeString


def address(request: HttpRequest, path: str) -> str:
    """An absolute URL: with UMAOKA_BASE_URL if it is set, else with the host of this request."""
    return settings.BASE_URL + path if settings.BASE_URL else request.build_absolute_uri(path)


def _drawing(text: str) -> str:
    code = segno.make(text, error="m", micro=False)
    return str(code.svg_inline(omitsize=True, border=2, svgclass=None, lineclass=None, light="#fff", dark="#000"))


_remembered_drawing = lru_cache(maxsize=512)(_drawing)  # the same tables and events on every print-out


def code(text: str, label: str) -> SafeString:
    """The code with a quiet border, black on white in every theme. `label` describes it for screen readers."""
    return _labelled(_remembered_drawing(text), label)


def secret_code(text: str, label: str) -> SafeString:
    """Like `code`, for a text that must not stay in memory after it was shown."""
    return _labelled(_drawing(text), label)


def _labelled(drawing: str, label: str) -> SafeString:
    return SafeString(drawing.replace("<svg ", f'<svg class="qr" role="img" aria-label="{escape(label)}" ', 1))
