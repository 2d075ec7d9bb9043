/**
 * A game in a frame of another site: its board, and buttons that go through its moves. Nothing is asked of the server.
 */
import {Board} from "./board.js";
import {byId, write} from "./dom.js";
import {fold, fresh, lastSquares, positionAt} from "./fold.js";
import {Replay} from "./replay.js";

const {look, events} = JSON.parse(byId("page-data").textContent);

const table = fresh();
for (const event of events) fold(table, event);

if (table.game) {
  const {game} = table;
  const board = new Board(byId("board"), look, {announce: (text) => write(byId("live"), text)});
  const replay = new Replay((ply) => {
    const at = ply ?? game.ply;
    board.show(positionAt(game, at), {last: lastSquares(game, at), animate: ply !== null});
    write(byId("at"), `Move ${at} of ${game.ply}`);
  });
  replay.listGame(game, look.sides);
  replay.go(null);
}
