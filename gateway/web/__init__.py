"""HTTP: what browsers, monitors and scripts ask.

    app.py     the pages as a Starlette application
    guard.py   serves an application so that no request, however broken, reaches a game
    api.py, api_game.py, api_play.py, api_stream.py, api_register.py  the JSON API: what looks, tells all of a game,
               plays, streams and registers; routes.py wires them, reading.py reads the record for them
    openapi.py, operations.py, shapes.py, rating_shapes.py  the API's document, derived from the code
    message_schema.py      the messages of the dialect web
    api_bytes.py  a table's wires as transcripts, live; wires_here.py has those of this server
    cors.py    lets pages of other sites ask the API
    askers.py, refusals.py  identify the API's askers, and refuse; forwarded.py  listeners behind a reverse proxy
    sessions.py, forms.py, origin.py  browsers' cookies and what is kept of them, the forms of pages, whose pages ask
    pages/     the pages for people
    stream.py  HTTP's listeners, and a TCP stream that reads in turn, with a deadline on every send and a cap on input
    http_dialects.py, http_sessions.py  dialects that HTTP carries: requests and waits; the connection of each seat
    metrics.py GET /metrics
    rasterizer.py  a program that draws the pictures which other sites show beside links

Arrow: imports ops, lobby and what lies below them; only the command line imports this package.
"""
