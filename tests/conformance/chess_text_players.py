"""Players of chess in the two dialects of text lines: the peer-to-peer protocol and Miniature."""

from __future__ import annotations

from tests.conformance.chess_players import ChessPlayer, Lines


class PeerToPeerPlayer(ChessPlayer):
    """An adapter of the chess peer-to-peer protocol: two modes, and every move crosses twice."""

    dialect = "chess-p2p"
    listener = "chess-p2p,bot_after=never"

    def sit(self, white: bool, first: str, seconds: int = 300) -> None:
        self.lines = Lines(self.port)
        self.lines.until("hallo ")
        self._first, self._playing, self._goes = first if white else "", False, True
        self.lines.say(f"myname {self.name}", "new", f"level 0 {seconds} 0")
        self.lines.say(*([f"move {first}"] if white else []), "go")
        if white:
            self.lines.until("text your game is proposed")

    def begin(self) -> None:
        """ "Only when a 'go' has been sent to as well as received": a second go is answered by accepted.

        The sender of go expects the receiver to move: Black is told it together with White's first move.
        """
        if self._first:
            self._answer()
            self.lines.until(f"move {self._first}")
        else:
            self.lines.until("level ")

    def _answer(self) -> None:
        if self.lines.until("go", "accepted") == "go":
            self.lines.say("accepted")
        self._playing, self._goes = True, False

    def move(self, move: str) -> None:
        if move == self._first:
            self._first = ""
            return
        self.lines.say(f"move {move}")
        if not self._playing:
            self.lines.say(*(["go"] if self._goes else []))
            self._answer()
        assert self.lines.until("move ", "setboard ") == f"move {move}"

    def hears(self, move: str) -> None:
        """ "and in that case echo it back to the peer"."""
        assert self.lines.until("move ") == f"move {move}"
        if not self._playing:
            self._answer()
        self.lines.say(f"move {move}")

    def asks(self, what: str) -> None:
        self.lines.say(what)

    def hears_ask(self, what: str) -> None:
        while what not in self.lines.until(what, "text "):
            pass

    def agrees(self, what: str) -> None:
        self.lines.say("text accept")

    def adjourned(self) -> None:
        assert self.lines.until("result ").startswith("result * ")

    def resumes(self) -> None:
        self.lines.say("go")

    def resumed(self, on_move: bool) -> None:
        self._playing = False
        if on_move:
            self._answer()
        else:
            self.lines.until("name ")  # behind the moves until now

    def ended(self) -> str:
        return self.lines.until("result ").split()[1]

    def close(self) -> None:
        self.lines.say("quit")
        self.lines.close()


class MiniaturePlayer(ChessPlayer):
    """A client of the Miniature draft."""

    dialect = "miniature"
    listener = "miniature,bot_after=never,time=1"

    def sit(self, white: bool, first: str, seconds: int = 300) -> None:
        self.lines = Lines(self.port)
        self.lines.until("welcome ")
        time = f"{seconds // 60} 0 " if seconds >= 60 else ""  # less than a minute is the listener's usual time
        self.lines.say(f"tell gateway name {self.name}", f"seek {time}u {'w' if white else 'b'}")
        if white:
            self.lines.until("tell gateway nobody else is here")

    def begin(self) -> None:
        self.lines.until("tell gateway game ")

    def move(self, move: str) -> None:
        self.lines.say(f"move {move[:2]}-{move[2:]}")

    def hears(self, move: str) -> None:
        """ "move e2-e4; fen ..."."""
        assert self.lines.until("move ").split(";")[0] == f"move {move[:2]}-{move[2:]}"

    def asks(self, what: str) -> None:
        self.lines.say(what)

    def hears_ask(self, what: str) -> None:
        self.lines.until(what)

    def agrees(self, what: str) -> None:
        """The same word."""
        self.asks(what)

    def adjourned(self) -> None:
        self.lines.until("tell gateway the game is adjourned")

    def resumes(self) -> None:
        self.lines.say("play")

    def resumed(self, on_move: bool) -> None:
        self.lines.until("tell gateway the game goes on")

    def ended(self) -> str:
        return self.lines.until("result ").split()[1]

    def close(self) -> None:
        self.lines.close()
