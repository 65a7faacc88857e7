"""Every page of the demo as normalised HTML, to compare two states of the code: `python -m tests.net FOLDER`.

Run it once before a change of templates or modules and once after, over the same database, then compare the two
folders with `diff -r`. Requests are answered inside a transaction that is rolled back, so forms are sent too, both as
they are and emptied. This is not part of the test suite: it shows what a change did, not whether a page is right.
"""
