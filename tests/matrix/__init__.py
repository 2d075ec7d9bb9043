"""The matrix."""
