"""How a time is shown to people on a clock. Not here: time controls, which each place writes in its own way."""

from __future__ import annotations


def span(seconds: float) -> str:
    """Minutes and seconds, hours before them where there are any; what is left of a second is not shown."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
