"""Rules: one file a game, pure functions over immutable positions. base.py says what a game must offer."""
