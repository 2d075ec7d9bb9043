"""Laws: what must hold for every installed game and dialect, by whoever wrote it.

Not here: any rule of one game or message of one dialect; a new plug-in is tested here without editing a file.
"""
