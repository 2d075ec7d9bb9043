"""HTTP: what browsers, monitors and scripts ask.

    app.py     the pages as a Starlette application
    guard.py   serves an application so that no request, however broken, reaches a game
    stream.py  a TCP stream with a deadline on every send and a cap on what comes in
    log.py     what Hypercorn has to say, through structlog

Arrow: imports server, lobby and what lies below them; only the command line imports this package.
"""
