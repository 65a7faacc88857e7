"""Numbers and signs as the house writes them (LOOK: Numbers)."""

from django import template

register = template.Library()
