"""Boards in pages: a game's look as data for the browser, and positions as SVG that the server writes."""
