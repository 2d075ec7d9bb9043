"""Who somebody is: accounts that own names, and the host's token.

    passwords.py  argon2id: a password to what is stored of it, and the check
    logins.py     names and passwords that come in by the network: checked in few threads, and not too often
    tokens.py     random secrets that stand in for a password
    token.py      the host's secret for the API

Arrow: imports the store and gateway.net; the web and the command line import this package.
"""
