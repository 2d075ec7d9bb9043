"""House bots: the thinking with a counted clock, the worker and the pool with real processes."""
