"""The dialect ics: the chess servers' telnet protocol, as FICS speaks it, for XBoard, PyChess, eboard and people.

    timeseal.py   lines that a client has sealed with the time of its clock
    names.py      names of letters only, for clients that can show no others
    reading.py    what people and clients type: games, numbers, moves
    writing.py    games, kinds, ratings, ends in the words of FICS
    board.py      a position as "style 12", and drawn for a terminal
    seen.py       a table as a connection follows it
    desk.py       what the parts of a connection share
    login.py      the conversation before somebody is here
    lobby.py      seeks and challenges
    lists.py      who is here, what is played, what is set
    play.py       what is asked at a board, and told of each event
    channel.py    shouts, and the channel
    watching.py   games that are looked on at
    tidings.py    news of games of others, and of who comes and goes
    shown.py      its bytes as readable lines
    help.py       what there is to type
    dialect.py    the state machine, and the form of answers

Source: what clients of today send and wait for, and FICS's own help texts. This package imports protocols.core and
protocols.chess_words only.
"""
