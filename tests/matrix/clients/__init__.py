"""One client class for every dialect, in the module of its name with "_" for "-"; tests/matrix/client.py finds them."""
