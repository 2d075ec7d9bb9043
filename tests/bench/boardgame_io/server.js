// A boardgame.io server with one game without an end: whose turn it is marks the next cell. Matches are kept in memory.
const { Server, Origins } = require("boardgame.io/server");

const game = {
  name: "marks",
  setup: () => ({ cells: Array(64).fill(null), moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark({ G, playerID }, cell) {
      if (cell !== G.moves % 64) return "INVALID_MOVE";
      G.cells[cell] = playerID;
      G.moves += 1;
    },
  },
};

const quiet = () => {};
console.info = quiet;
Server({ games: [game], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]), () => console.log("ready"));
