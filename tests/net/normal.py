"""Normalised HTML: one element per line, single blanks, without the values that differ from request to request."""

from __future__ import annotations

import re

from lxml import etree, html

KEYS = ("csrfmiddlewaretoken", "submit_key", "key")
BLANKS = re.compile(r"\s+")


def normalise(page: str) -> str:
    """Return the page in normalised form.

    Blanks beside an element are left out, so a blank added or removed beside an inline element is not noticed.
    """
    lines: list[str] = []
    _write(html.document_fromstring(f"<div>{page}</div>" if "<body" not in page else page), 0, lines)
    return "\n".join(lines) + "\n"


def _write(element: etree._Element, depth: int, lines: list[str]) -> None:
    indent = " " * depth
    if not isinstance(element.tag, str):
        lines.append(f"{indent}<!---->")
    else:
        lines.append(f"{indent}<{element.tag}{_attributes(element)}>")
        _text(element.text, depth + 1, lines)
        for child in element:
            _write(child, depth + 1, lines)
    _text(element.tail, depth, lines)


def _attributes(element: etree._Element) -> str:
    found = {name: BLANKS.sub(" ", value).strip() for name, value in element.attrib.items()}
    if found.get("name") in KEYS and "value" in found:
        found["value"] = "…"
    found.pop("hx-headers", None)
    return "".join(f' {name}="{value}"' for name, value in sorted(found.items()))


def _text(text: str | None, depth: int, lines: list[str]) -> None:
    folded = BLANKS.sub(" ", text or "").strip()
    if folded:
        lines.append(f"{' ' * depth}{folded}")
