"""Transcripts: conversations with a peer as text files, replayed whole, byte by byte and in threes.

The ``..`` lines are given, not what a table would answer; protocols/core/transcript.py defines single lines.

``tests/transcripts/<dialect>/*.txt``. Kept are remarks, blank lines, ``@ option=value`` at the top, ``>>``
(consecutive lines arrive in one piece; a blank line or a remark parts them), ``>> eof``, ``+>`` and ``==`` (messages
that wait for an answer, in dialects that are ``in_turn``) and ``..``. Regenerated are
``=>``, ``!!``, ``<<`` and ``-- closing``, which follow the input they come of; what connecting alone causes follows
the options.

A fatal message stands in a piece of its own: commands that came before it must not depend on how the bytes arrived.

What a dialect's files show is said in remarks, which together name every word of COVERS::

    # covers: first-square, pass
    # lacks: pass - the wire has no word for it

    python -m tests.transcripts update [FILES]
"""
