"""Pages, public ones and those for staff.

Views fetch, call and render; they hold no arithmetic and no queries of their own.
"""
