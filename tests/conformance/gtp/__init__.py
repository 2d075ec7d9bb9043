"""Go over GTP with a server process: real gnugos, GUIs as tests drive them, and engines that misbehave."""
