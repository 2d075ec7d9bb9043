"""Which of the player's keys make sense just now: the others are not offered, and do nothing.

Not here: which key is which (player_app.py). Pure.
"""

from __future__ import annotations

from gateway.clients.mirror import Mirror, Phase
from gateway.clients.selection import Selection


def useful(action: str, parameters: tuple[object, ...], mirror: Mirror, selection: Selection, *, up: bool) -> bool:
    """Whether this action of the app does something now; ``up``: there is a connection. Rolls are never taken back.

    A spectator, who has no seat, plays, says and proposes nothing.
    """
    seated = mirror.seat is not None
    playing, over = mirror.phase is Phase.PLAYING and up and seated, mirror.phase is Phase.OVER and seated
    running, settling = playing and not mirror.adjourned, mirror.settling.going_on
    match action, parameters:
        case "pass", _:
            return mirror.my_turn and selection.can_pass
        case "set_up", _:
            return mirror.my_turn and bool(selection.pieces) and bool(mirror.usual_setup())
        case "say", _:
            return up and seated
        case "propose", ("rematch",):
            return over and up
        case (("settle" | "play_on"), _):
            return running and settling
        case "propose", _:
            return running and not settling
        case "resign", _:
            return running
        case "take_back", _:
            return running and not settling and not (mirror.game and mirror.game.has_dice)
        case "adjourn", _:
            return playing
        case (("accept" | "decline"), _):
            return bool(mirror.offers.theirs) and up and seated
        case "seat", _:
            return mirror.displaced and not up
        case "again", _:
            return over and not mirror.offers.theirs
        case _:
            return True
