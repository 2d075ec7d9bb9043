"""CGOS with a server process: clients as real ones behave, with engines of the tests and with GNU Go."""
