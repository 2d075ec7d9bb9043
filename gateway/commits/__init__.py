"""Waits for the record: commit_queue.py hands steps to the writer thread and wakes tables when they are stored."""
