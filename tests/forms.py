"""Forms of a page as a browser sees them: their target, what they send, and which fields can be filled in."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

NOT_TYPED = ("submit", "button", "reset", "image")
TICKS = ("checkbox", "radio")


@dataclass
class Field:
    name: str
    kind: str  # an input's type, or "select", "textarea"
    values: list[str]  # what it sends unchanged; nothing for an unticked checkbox
    options: list[str] = field(default_factory=list)


@dataclass
class Form:
    action: str
    method: str
    fields: list[Field] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def data(self, **changed: str) -> dict[str, list[str]]:
        """What the form sends; names with a dash are given with two underscores: `s0__points="311"`."""
        sent: dict[str, list[str]] = {}
        for each in self.fields:
            if each.values and each.kind != "file":
                sent.setdefault(each.name, []).extend(each.values)
        return sent | {name.replace("__", "-"): [value] for name, value in changed.items()}

    def names(self) -> set[str]:
        return {each.name for each in self.fields}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.form: Form | None = None
        self.open: Field | None = None  # a select or textarea being read
        self.first: str | None = None  # a select without a choice sends its first option

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.form = Form(found.get("action", ""), found.get("method", "get").lower())
            self.forms.append(self.form)
        elif self.form is not None and tag in ("input", "button"):
            self._control(self.form, tag, found)
        elif self.form is not None and tag in ("select", "textarea") and found.get("name"):
            self.open, self.first = Field(found["name"], "many" if "multiple" in found else tag, []), None
            self.form.fields.append(self.open)
        elif tag == "option" and self.open is not None:
            self.open.options.append(found.get("value", ""))
            if "selected" in found:
                self.open.values.append(found.get("value", ""))

    def _control(self, form: Form, tag: str, found: dict[str, str]) -> None:
        name, kind = found.get("name", ""), found.get("type", "text" if tag == "input" else "submit")
        if kind in NOT_TYPED:
            form.buttons.append((name, found.get("value", "")))
        elif name and kind in TICKS:
            value = found.get("value", "on")
            known = next((each for each in form.fields if each.name == name), None)
            if known is None:
                known = Field(name, kind, [])
                form.fields.append(known)
            known.options.append(value)
            known.values += [value] if "checked" in found else []
        elif name:
            form.fields.append(Field(name, kind, [found.get("value", "")]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "select" and self.open is not None:
            if self.open.kind == "select" and not self.open.values:
                self.open.values = self.open.options[:1]
            self.open = None
        elif tag == "textarea" and self.open is not None:
            # A browser leaves out a line break that directly follows the tag.
            self.open.values = ["".join(self.open.values).removeprefix("\r\n").removeprefix("\n")]
            self.open = None

    def handle_data(self, data: str) -> None:
        if self.open is not None and self.open.kind == "textarea":
            self.open.values.append(data)


def forms(page: str) -> list[Form]:
    reader = _Reader()
    reader.feed(page)
    return reader.forms
