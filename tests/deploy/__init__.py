"""What deploy/ and docs/ promise to hosts, tried on the programs that hosts use: systemd, containers, Prometheus.

compose/      docs/compose.md typed as it stands, on a container engine of the tests' own
systemd/      the unit on a machine of the tests' own, and what systemd-analyze says of it
prometheus/   alarms, configuration and dashboard, read by Prometheus

test_new_debian.py is the composition on the next Debian, with another PostgreSQL.
"""
