"""Authenticates: accounts that own names, and the host's token.

    logins.py       hashes passwords, and checks names, passwords and tokens from the network: in few threads, rarely
    forgotten.py    another password by a one-time link, of the host or by mail
    mail.py         mail addresses of accounts, and who asks for a link
    guest_seats.py  gives accounts the seats that their people took as guests
    registering.py  makes accounts: names that are free, invitations, who may
    tokens.py       random secrets that stand in for a password; the admin token
    issuing.py      new tokens: their names, scopes and ends

Arrow: imports the store and gateway.net; the web and the command line import this package.
"""
