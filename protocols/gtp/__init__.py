"""The Go Text Protocol, version 2, both ways: the gateway answers Go GUIs, and commands engines that dial in.

Both sides:   codec.py lines, commands, answers; vertices.py points and colours; times.py clocks; table.py what is known
              of the table; offered.py settings as words and back, a listener's limits
A GUI's:      gui.py the dialect gtp-gui; gui_talk.py its connection's memory; gui_set_up.py, gui_play.py, gui_score.py,
              gui_menu.py the commands served
An engine's:  engine.py the dialect gtp-engine; engine_talk.py questions and answers; engine_board.py set-up, replay,
              undo, genmove; engine_match.py greetings and challenges; engine_words.py takebacks, talk, dead stones

Source: the GTP version 2 draft; the six commands for play on servers as they were posted to its list; kgsGtp's commands
(kgs-*), which succeeded them.
"""
