"""The pages for people: drawn by the server, readable without script, alive with it.

    frame.py    the frame of every page; assets.py its files; refusing.py pages about what is refused
    site.py     wires the pages: one line for each file
    seats.py    a seat as every page shows it
    cards.py, open_tables.py  the boards that are played and the tables that wait, as lists show them
    examples.py positions in play, for pictures; addresses.py, words.py  links, and what is played in words

Every other file is one page, whose ``routes`` are for the application. It gets the objects it uses, not the whole
server. Templates are in ``templates``, one a page; styles and scripts in ``static``.
"""
