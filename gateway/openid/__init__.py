"""Knows people by an OpenID Connect provider, for those who log in with an account that they have elsewhere.

    provider.py    the provider of the settings: where browsers are sent, and what comes of their way back
    discovery.py   its configuration and its keys, read when they are needed and kept for an hour
    id_tokens.py   the checks of an ID token, by joserfc
    fetching.py    one short HTTP request from trio
    sealing.py     what a browser keeps for us between two pages, sealed

Arrow: imports gateway.config and gateway.net. What a person's account is, gateway.store.linking knows; pages bring both
together (gateway/web/pages/openid.py).
"""
