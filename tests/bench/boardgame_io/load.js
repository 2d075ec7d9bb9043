// Two clients at each of so many matches of server.js, each of which moves as soon as it is its turn:
// node load.js PORT MATCHES SECONDS prints the moves a second.
const { io } = require("socket.io-client");

const [port, matches, seconds] = process.argv.slice(2).map(Number);
let moves = 0;
let ready = 0;

function sit(match, player) {
  const socket = io(`http://127.0.0.1:${port}/marks`, { transports: ["websocket"], forceNew: true });
  let seen = -1;
  const follow = (state) => {
    if (state._stateID <= seen) return;
    seen = state._stateID;
    if (state.ctx.currentPlayer !== player) return;
    moves += 1;
    const payload = { type: "mark", args: [state.G.moves % 64], playerID: player };
    socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, match, player);
  };
  socket.on("connect", () => socket.emit("sync", match, player, undefined, 2));
  socket.on("sync", (_, { state }) => {
    ready += 1;
    socket.begin = () => follow(state);
    if (ready === 2 * matches) sockets.forEach((each) => each.begin());
  });
  socket.on("update", (_, state) => follow(state));
  return socket;
}

const sockets = [];
for (let match = 0; match < matches; match += 1) {
  for (const player of ["0", "1"]) sockets.push(sit(`match-${match}`, player));
}

setTimeout(() => {
  const before = moves;
  setTimeout(() => {
    console.log(`${matches} matches: ${Math.round((moves - before) / seconds)} moves/s`);
    process.exit(moves > before ? 0 : 1);
  }, 1000 * seconds);
}, 3000);
