"""The figures as a host has them: read by hand after moves in every dialect, and by a real Prometheus.

Needs Debian's package prometheus, which brings promtool.
"""
