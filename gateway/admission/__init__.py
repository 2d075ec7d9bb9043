"""Limits connections and the requests of each: for dialects, HTTP and the relay alike.

admission.py           asked before anything is made for a new connection
connection_limiter.py  counts connections, in total and by address
ban_enforcer.py        refuses and closes banned addresses and names
authentication.py      logs connections in to accounts
ticket_guessing.py     resolves tickets, and delays addresses that guess
table_limits.py        limits chat by seat and address, bytes stored by address
address_costs.py       what each address costs: the heaviest of a minute, for the host
fair_throttle.py       shares the time of expensive work between addresses
token_bucket.py        rates with bursts, by key
backoff.py             growing waits after failures
"""
