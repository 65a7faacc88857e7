"""Lists from which a rule set selects some items: code -> label."""

from __future__ import annotations

from ratings.mahjong.problems import gettext_noop

_ = gettext_noop

YAKUMAN = (
    ("big_four_winds", _("big four winds")),
    ("suuankou_tanki", _("four concealed triplets on a pair wait")),
    ("thirteen_wait", _("thirteen orphans on thirteen tiles")),
    ("nine_wait", _("nine gates on nine tiles")),
)
ABORTIVE_DRAWS = (
    ("nine_terminals", _("nine terminals and honours")),
    ("four_winds", _("four of one wind")),
    ("four_kans", _("four kans by several players")),
    ("four_riichi", _("four riichi")),
)
PAO = (
    ("daisangen", _("big three dragons")),
    ("shousuushi", _("little four winds")),
    ("daisuushi", _("big four winds")),
    ("suukantsu", _("four kans")),
)
EXTRA_YAKU = (
    ("sanrenkou", "sanrenkou"),
    ("daisharin", "daisharin"),
    ("sanshoku_shou_doukou", "sanshoku shou doukou"),
    ("suurenkou", "suurenkou"),
    ("isshoku_yonjun", "isshoku yonjun"),
    ("shiisanpuutaa", "shiisanpuutaa"),
    ("eight_honba", _("eight honba")),
)
