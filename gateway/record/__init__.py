"""Reads the record: audit.py proves it, played.py and shown.py read games of it, exported.py writes them to files.

event_schema.py describes its events for other programs, as a JSON Schema, which json_schema.py derives from classes.
"""
