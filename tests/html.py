"""Pages as tests read them: blanks that only lay out a template are left out."""

from __future__ import annotations

import re


def tight(page: str) -> str:
    """One blank for several, and none beside a tag: `<th> Now </th>` reads `<th>Now</th>`."""
    return re.sub(r" *(<[^>]*>) *", r"\1", re.sub(r"[ \t\r\n]+", " ", page))
