"""Pages, public ones and those inside the admin site.

Views fetch, call and render; they hold no arithmetic and no queries of their own.
"""
