"""Independent clients against the running server: whole games, and each sentence of the documents it serves.

The clients (ggzboard_emulator.py, spec_client.py) import nothing of
the project; the players (brains.py, players.py) borrow its rules to choose moves and to compare boards.
"""
