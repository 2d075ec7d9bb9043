"""The dialect igs: the Internet Go Server's text protocol, for qGo, CGoban and programs that NNGS served.

    names.py      names of at most ten letters and digits
    reading.py    games and switches as clients type them
    words.py      games, clocks, people and ends in the words of these servers
    score.py      what a finished position counts for each side
    seen.py       a table as a connection follows it
    desk.py       what the parts of a connection share
    login.py      the conversation before somebody is here
    lobby.py      matches: offered, accepted, declined, withdrawn
    lists.py      who is here, what is played, which games wait
    play.py       what is asked at a board, and told of each event
    settling.py   the dead stones, when both have passed
    watching.py   games that are looked on at
    shown.py      its bytes as readable lines
    help.py       what there is to type
    dialect.py    the state machine, and the form of answers

Source: what clients of today send and wait for, and the help texts of NNGS. This package imports protocols.core and
protocols.go_words only.
"""
