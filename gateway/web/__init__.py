"""HTTP: what browsers, monitors and scripts ask.

    app.py     the pages as a Starlette application
    guard.py   serves an application so that no request, however broken, reaches a game
    api.py, api_register.py  the JSON API: what looks, and what registers; routes.py wires them together
    askers.py, refusals.py  who asks the API, and how it refuses; unbanned.py, forwarded.py  for whom, and whose address
    stream.py  a TCP stream that reads in turn, with a deadline on every send and a cap on what comes in
    secure.py  HTTP's listeners, and TLS for them
    gamesman.py, gamesman_office.py  GAMESMAN: headers in and out; whose game a request is about
    log.py     what Hypercorn has to say, through structlog

Arrow: imports server, lobby and what lies below them; only the command line imports this package.
"""
