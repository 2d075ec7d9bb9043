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
        self.lines.say("remove" if what == "takeback" else what)

    def hears_ask(self, what: str) -> None:
        words = {"takeback": ("remove",), "draw": ("draw", "text "), "adjourn": ("adjourn", "text ")}[what]
        while what not in (line := self.lines.until(*words)) and line != "remove":
            pass

    def agrees(self, what: str) -> None:
        """ "undo: Sent (twice) as confirmation of the 'remove' command from peer"; words for the rest."""
        if what == "takeback":
            self.lines.say("undo", "undo")
        else:
            self.lines.say("text accept")

    def declines(self) -> None:
        self.lines.say("text decline")

    def hears_no(self, what: str) -> None:
        while "declines" not in self.lines.until("text "):
            pass
        if what == "takeback":
            self.lines.until("setboard ")  # where the table stands: this side had taken its moves back already

    def taken_back(self, asker: bool) -> None:
        """ "will try to renegociate a game start by sending a new 'go'"."""
        if asker:
            assert [self.lines.until("undo"), self.lines.until("undo")] == ["undo", "undo"]
        self._playing, self._goes = False, asker

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

    def resigns(self, white: bool) -> None:
        self.lines.say("result 0-1 {White resigns}" if white else "result 1-0 {Black resigns}")

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
        promotion = f"={move[4].upper()}" if move[4:] else ""
        self.lines.say(f"move {move[:2]}-{move[2:4]}{promotion}")

    def hears(self, move: str) -> None:
        """ "move e2-e4; fen ...": the squares, or castling in words."""
        told = self.lines.until("move ").split(";")[0].removeprefix("move ")
        castling = {"e8g8": "O-O", "e1c1": "O-O-O"}.get(move)
        plain = told.replace("-", "").replace("=", "").lower()
        assert told == castling or plain == move

    def asks(self, what: str) -> None:
        self.lines.say("takeback 2" if what == "takeback" else what)

    def hears_ask(self, what: str) -> None:
        self.lines.until(what)

    def agrees(self, what: str) -> None:
        """ "answered by "takeback n" (the same n) to accept"."""
        self.asks(what)

    def declines(self) -> None:
        self.lines.say("tell gateway decline")

    def hears_no(self, what: str) -> None:
        while "decline" not in self.lines.until("tell gateway "):
            pass

    def taken_back(self, asker: bool) -> None:
        self.lines.until("takeback 2" if asker else "tell gateway clock ")

    def adjourned(self) -> None:
        self.lines.until("tell gateway the game is adjourned")

    def resumes(self) -> None:
        self.lines.say("play")

    def resumed(self, on_move: bool) -> None:
        self.lines.until("tell gateway the game goes on")

    def resigns(self, white: bool) -> None:
        self.lines.say("resign")

    def ended(self) -> str:
        return self.lines.until("result ").split()[1]

    def close(self) -> None:
        self.lines.close()
