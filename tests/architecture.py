"""The import rules of the house (DESIGN, "Who may import whom"), read from the source without running it.

`violations(root)` gives one sentence per breach. Every import counts, also one inside a function, under
TYPE_CHECKING, or by name through `import_module` and `apps.get_model`. A string that names a module, a model or a page
of an app counts too, wherever it is written: a name in a variable reaches as far as an import. The templates in the
folder of an app follow the rules of that app.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SITE = "clubsite"
# Lower app first: an app imports itself and the apps before it.
APPS = ("ratings", "tournaments")

PURE = {"ratings": {"mahjong"}, "tournaments": {"seating", "standings"}}
# Lower layer first: a module imports itself and the layers before its own. `pure` means the modules in PURE.
LAYERS = (
    {"pure"},
    {"reading"},  # READING: reads uploaded files; may use openpyxl, knows no database
    {"competitions"},  # pages that the app above registers: knows addresses, but no model
    {"models"},
    {"migrations"},
    {"rights"},
    {"queries"},
    {"services"},
    {"forms", "tables", "demo"},
    {"sections", "waiting"},  # what the app adds to pages of the app below, and what waits at a desk
    {"templatetags"},
    {"workbooks"},  # the same lists as files, in the same words
    {"views", "management", "middleware", "sitemaps"},
    {"admin"},  # wires pages into the admin site, as urls does into the public site
    {"urls", "desk_urls"},
    {"apps"},
)
# The modules of an app's `imports` that read files. The others there plan and write: they are services.
READING = {
    "columns",
    "corrections",
    "game_rows",
    "headless",
    "limits",
    "own_rows",
    "person_rows",
    "read",
    "sheets",
    "values",
    "xlsx",
}
# The site may name an app only where it wires addresses; an app reads settings through django.conf.
WIRING = {"urls"}
NOT_FOR_APPS = {"settings", "urls", "wsgi"}
LISTS_OF_APPS = {"settings"}

NAME_OF_AN_APP = re.compile(rf"({'|'.join(APPS)})([.:][A-Za-z_]\w*)+")
LOADED = re.compile(r"{%\s*load\s+(?:[\w\s]+\sfrom\s+)?([\w\s]+?)\s*%}")
NAMED = re.compile(rf"""["']((?:{"|".join(APPS)})(?::\w+|/[\w/]+\.html))["']""")

NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "mixins", "mixin", "misc"}
# Pure modules take the time and the dice as arguments.
CLOCK_AND_DICE = {"time", "secrets", "uuid"}
CLOCK_READINGS = {"now", "utcnow", "today"}
IMPORTS_BY_NAME = {"import_module", "import_string", "__import__", "get_model", "get_app_config"}


@dataclass(frozen=True)
class Module:
    path: Path
    parts: tuple[str, ...]  # ("ratings", "services", "hanchans")
    tree: ast.Module

    @property
    def package(self) -> str:
        return self.parts[0]

    @property
    def subject(self) -> str | None:
        """What the module is within its app: `services` for ratings/services.py and ratings/services/hanchans.py."""
        return self.parts[1] if len(self.parts) > 1 else None

    @property
    def pure(self) -> bool:
        return self.subject in PURE.get(self.package, ())

    def at(self, node: ast.AST) -> str:
        return f"{self.path.as_posix()}:{getattr(node, 'lineno', 1)}"


@dataclass(frozen=True)
class Import:
    node: ast.AST
    target: tuple[str, ...]  # ("ratings", "models", "Club"): the module, and perhaps a name in it

    def __str__(self) -> str:
        return ".".join(self.target)


def violations(root: Path) -> list[str]:
    found = [
        f"{path.relative_to(root).as_posix()}: a name like {name!r} does not say what is inside"
        for package in (SITE, *APPS, "tests")
        for path in sorted((root / package).rglob("*"))
        if (name := path.name.removesuffix(".py")) in NAMES_THAT_SAY_NOTHING
    ]
    for module in modules(root):
        for rule in RULES:
            found += rule(module)
    return found + list(templates_know_no_app_above(root))


def modules(root: Path) -> Iterator[Module]:
    for package in (SITE, *APPS):
        for path in sorted((root / package).rglob("*.py")):
            place = path.relative_to(root)
            parts = place.with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            yield Module(place, parts, ast.parse(path.read_text(encoding="utf-8"), filename=str(path)))


def imports(module: Module) -> Iterator[Import]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node, tuple(alias.name.split(".")))
        elif isinstance(node, ast.ImportFrom):
            base = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                own_package = module.parts if module.path.name == "__init__.py" else module.parts[:-1]
                base = own_package[: len(own_package) - node.level + 1] + base
            for alias in node.names:
                yield Import(node, (*base, alias.name))
        elif isinstance(node, ast.Call) and name_of(node.func) in IMPORTS_BY_NAME:
            words = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            if words and isinstance(words[0], str):
                yield Import(node, tuple(words[0].split(".")))


def name_of(function: ast.expr) -> str | None:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else None


def kind_of(parts: tuple[str, ...]) -> str | None:
    """The name of a module in the list of layers: ("ratings", "imports", "xlsx") is reading."""
    package, subject = parts[0], parts[1] if len(parts) > 1 else None
    if subject == "imports":
        return "reading" if len(parts) > 2 and parts[2] in READING else "services"
    return "pure" if subject in PURE.get(package, ()) else subject


def layer(parts: tuple[str, ...]) -> int | None:
    kind = kind_of(parts)
    return next((height for height, kinds in enumerate(LAYERS) if kind in kinds), None)


def every_module_has_a_layer(module: Module) -> Iterator[str]:
    if module.package in APPS and module.subject and layer(module.parts) is None:
        yield f"{module.path.as_posix()}: {module.subject} is in no layer; give it one in tests/architecture.py"


def apps_import_downward(module: Module) -> Iterator[str]:
    if module.package not in APPS:
        return
    for used in imports(module):
        package, subject = used.target[0], used.target[1] if len(used.target) > 1 else None
        where = f"{module.at(used.node)}: {'.'.join(module.parts)} imports {used}"
        if package == "tests":
            yield f"{where}, and the product knows no tests"
        elif package == SITE and subject in NOT_FOR_APPS:
            yield f"{where}, which is the site's own affair"
        elif package in APPS and APPS.index(package) > APPS.index(module.package):
            yield f"{where}, and {package} stands above {module.package}"
        elif package in APPS and isinstance(used.node, ast.Import | ast.ImportFrom):
            yield from climb(module, used.target, where)


def climb(module: Module, target: tuple[str, ...], where: str) -> Iterator[str]:
    if len(target) < 2 or target[1] == "*" or (height := layer(target)) is None:
        yield f"{where}, which names no module of a known layer"
        return
    own = layer(module.parts) if module.subject else -1
    if own is None or height < own or kind_of(target) == kind_of(module.parts):
        return
    # The same layer of the lower app is below: tournaments.models may know ratings.models.
    if height > own or target[0] == module.package:
        yield f"{where}, which is not below it"


def pure_modules_are_pure(module: Module) -> Iterator[str]:
    if not module.pure:
        return
    for used in imports(module):
        first = used.target[0]
        where = f"{module.at(used.node)}: the pure module {'.'.join(module.parts)}"
        if first not in APPS and first not in sys.stdlib_module_names:
            yield f"{where} imports {used}, which is not in the standard library"
        elif first in CLOCK_AND_DICE or (first == "random" and used.target[1:] not in ((), ("Random",))):
            yield f"{where} imports {used}: clock and dice are handed in"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and (
            node.attr in CLOCK_READINGS
            or (isinstance(node.value, ast.Name) and node.value.id == "random" and node.attr != "Random")
        ):
            yield (
                f"{module.at(node)}: the pure module {'.'.join(module.parts)} uses {ast.unparse(node)}: "
                "clock and dice are handed in"
            )


def texts_name_no_app_above(module: Module) -> Iterator[str]:
    """Dotted names of modules and models, and names of pages (`tournaments:event`)."""
    if module.package not in APPS:
        return
    for node, text in texts(module):
        package = text.partition(".")[0].partition(":")[0]
        if APPS.index(package) > APPS.index(module.package):
            yield f"{module.at(node)}: {'.'.join(module.parts)} names {text}, and {package} is above it"


def texts(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Strings that name something of an app, without those that `imports` already reads."""
    read = {id(argument) for used in imports(module) if isinstance(used.node, ast.Call) for argument in used.node.args}
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in read:
            continue
        if NAME_OF_AN_APP.fullmatch(node.value):
            yield node, node.value


def templates_know_no_app_above(root: Path) -> Iterator[str]:
    """A template loads no tag library, includes no template and links to no page of an app above its own.

    Templates outside the folders of the apps belong to the site and may know no app except the lowest one, because the
    frame of the site is the frame of that app's pages.
    """
    libraries = {library.stem: app for app in APPS for library in (root / app / "templatetags").glob("*.py")}
    for path in sorted((root / "templates").rglob("*.html")):
        place = path.relative_to(root)
        own = APPS.index(place.parts[1]) if place.parts[1] in APPS else 0
        text = path.read_text(encoding="utf-8")
        named = {f"loads {name}": libraries.get(name) for loaded in LOADED.findall(text) for name in loaded.split()}
        named |= {f"names {name}": re.split("[:/]", name)[0] for name in NAMED.findall(text)}
        for what, app in named.items():
            if app in APPS and APPS.index(app) > own:
                yield f"{place.as_posix()}: {what}, and {app} is above it"


def the_site_knows_no_app(module: Module) -> Iterator[str]:
    if module.package != SITE or module.subject in WIRING:
        return
    for used in imports(module):
        if used.target[0] in (*APPS, "tests"):
            yield f"{module.at(used.node)}: {'.'.join(module.parts)} imports {used}, and the site knows no app"
    if module.subject in LISTS_OF_APPS:
        return
    for node, text in texts(module):
        yield f"{module.at(node)}: {'.'.join(module.parts)} names {text}, and the site knows no app"


def there_are_no_signals(module: Module) -> Iterator[str]:
    if "signals" in module.parts:
        yield f"{module.path.as_posix()}: no signals; what must happen is called by a service"
    for used in imports(module):
        if "signals" in used.target or used.target[:2] == ("django", "dispatch"):
            yield f"{module.at(used.node)}: imports {used}: no signals; what must happen is called by a service"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr == "signals":
            yield f"{module.at(node)}: uses {ast.unparse(node)}: no signals; what must happen is called by a service"


def models_save_as_django_saves(module: Module) -> Iterator[str]:
    if module.subject != "models":
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef) and node.name in ("save", "delete"):
            yield f"{module.at(node)}: overrides {node.name}(): derived values are written by services"


RULES = (
    every_module_has_a_layer,
    apps_import_downward,
    texts_name_no_app_above,
    pure_modules_are_pure,
    the_site_knows_no_app,
    there_are_no_signals,
    models_save_as_django_saves,
)
