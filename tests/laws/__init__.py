"""Laws hold for every installed game and dialect.

A new plug-in is tested here without editing a file.
"""
