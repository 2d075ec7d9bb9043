"""The vocabulary every dialect, game and table share, and nothing else.

    model.py     what a seat, a move, an outcome, a clock and a table's settings are
    commands.py  what a peer asks: imperative, none names its own seat
    proposals.py proposals that need every seat's agreement
    events.py    what happened: past tense, stored, then told
    told.py      events, and the two messages that are told to one connection and never stored
    errors.py    what can be wrong, by cause
    dialect.py   the call shape of a dialect: receive_data, send, data_to_send
    squares.py   square numbers (y * width + x, y = 0 the top row) to coordinates and back
    opcodes.py   messages of a number and fields, as GGZ's protocols use them: one declaration, four uses, of which
                 opcode_codec.py is parse and build, ggzcomm.py the text form and the XML, opcode_dialect.py the dialect
    standing.py  which proposals stand after an event: for the kernel and for the dialects
    followed.py  a table as a dialect follows it: players, board, turn, dice, clock, proposals
    text.py      any command or event as one readable line, and back
    time_text.py time controls and clocks as people write and read them
    line_text.py bytes as readable lines, and back
    transcript.py the lines of a recorded conversation

Standard library and construct only. Arrow: everything may import this package, it imports nothing of ours.
"""
