"""How dates and times are written and read in each language, where Django's own formats do not fit.

Django looks here first (FORMAT_MODULE_PATH). Every language writes a day as `16 November 2026`, short `16 Nov 2026`,
and a time by the 24-hour clock. English is British: 5 November can never be read as 11 May.
"""
