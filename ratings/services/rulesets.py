"""Rule sets of a club: copied by value, changed, imported. A version that a game uses is never changed again."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.text import slugify

from ratings.mahjong import rulesets
from ratings.mahjong.names import objection_to_name
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.mahjong.rulesets import files
from ratings.mahjong.rulesets.files import RuleFile
from ratings.models import Club, RuleSet, Season
from ratings.services.editing import refuse_if_changed
from ratings.services.seasons import touch

_ = gettext_noop


def copy_preset(club: Club, key: str, name: str) -> RuleSet:
    """Copy the values of a preset into the first version of a new set."""
    return add_rule_set(club, files.of_preset(rulesets.PRESETS[key]), name)


@transaction.atomic
def own_copy_of_preset(club: Club, key: str) -> RuleSet:
    """Return the club's newest copy of a preset with unchanged rules and ranges, or make a new copy."""
    content = files.of_preset(rulesets.PRESETS[key])
    for rule_set in RuleSet.objects.filter(club=club, preset=key).order_by("-version"):
        if (rule_set.rules, rule_set.allowed_ranges) == (content.rules, content.ranges):
            return rule_set
    return add_rule_set(club, content)


def as_file(rule_set: RuleSet) -> RuleFile:
    return RuleFile(
        name=rule_set.name,
        rules=rule_set.rules,
        preset=rule_set.preset,
        notes=rule_set.notes,
        paragraphs=rule_set.paragraphs,
        ranges=rule_set.allowed_ranges,
    )


@transaction.atomic
def add_rule_set(club: Club, content: RuleFile, name: str = "", parent: RuleSet | None = None) -> RuleSet:
    """Create the first version of a new set of the club. `parent` is the set that it was copied from, if any."""
    name = (name or content.name).strip()
    if not name:
        raise Refused(Problem(_("The rule set needs a name."), code="no_name"))
    _check_name(name)
    Club.objects.select_for_update().get(pk=club.pk)  # two copies made at once must not get the same address
    return RuleSet.objects.create(
        club=club, name=name, slug=_free_slug(club, name), version=1, parent=parent, **_columns(content)
    )


@transaction.atomic
def change_rule_set(rule_set: RuleSet, content: RuleFile, *, seen: int | None = None) -> RuleSet:
    """Change a version that no game uses, or make the next version of a frozen one. Return the version with the change.

    All seasons that use this version are locked, so that no game is recorded with it at the same time. `seen` is the
    number of the last change of any version that the user saw; after a later one nothing is stored.
    """
    touch(Season.objects.filter(rule_set=rule_set.pk).values_list("pk", flat=True))
    current = RuleSet.objects.select_for_update().get(pk=rule_set.pk)
    refuse_if_changed(newest_version(current), seen)
    name, columns = content.name.strip() or current.name, _columns(content)
    _check_name(name)
    if name == current.name and columns == _as_it_reads(current):
        return current
    if current.is_frozen:
        return RuleSet.objects.create(
            club=current.club,
            name=name,
            slug=current.slug,
            version=newest_version(current).version + 1,
            parent=current,
            **columns,
        )
    for key, value in {"name": name, **columns}.items():
        setattr(current, key, value)
    current.save()
    return current


def newest_version(rule_set: RuleSet) -> RuleSet:
    """Return the newest version of the same set."""
    versions = RuleSet.objects.filter(club=rule_set.club_id, slug=rule_set.slug)
    return versions.order_by("-version")[0]


def _check_name(name: str) -> None:
    if problem := objection_to_name(name):
        raise Refused(problem)


def _as_it_reads(rule_set: RuleSet) -> dict[str, Any]:
    """Return its columns as they would be written today: an older version lacks parameters that were added since."""
    columns = {key: getattr(rule_set, key) for key in ("preset", "parameters", "notes", "paragraphs", "ranges")}
    return {**columns, "parameters": rulesets.write(rulesets.read(rule_set.parameters))}


def _columns(content: RuleFile) -> dict[str, Any]:
    columns = content.write()
    del columns["name"]
    return columns


def _free_slug(club: Club, name: str) -> str:
    """Return an address made from the name; `rules` for a name without Latin letters. A taken address gets a number."""
    wanted = slugify(name)[:40] or "rules"
    taken = set(RuleSet.objects.filter(club=club, slug__startswith=wanted).values_list("slug", flat=True))
    slug, number = wanted, 1
    while slug in taken:
        number += 1
        slug = f"{wanted}-{number}"
    return slug
