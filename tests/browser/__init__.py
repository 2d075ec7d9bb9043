"""The pages in chromium, driven by playwright, against a running server: every page, whole games, two people."""
