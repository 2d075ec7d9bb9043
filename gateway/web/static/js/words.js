/**
 * Says in words what happens at a table: for the live region, the list of news and the heading. No document.
 */
import {SEAT} from "./fold.js";
import {spoken} from "./clock.js";

/** The name of a seat on the board, with a capital: "Black". */
export function side(look, seat) {
  const name = look?.sides?.[seat] ?? `player ${seat + 1}`;
  return name[0].toUpperCase() + name.slice(1);
}

/** Who plays at a seat, to another player or to a spectator: "Your opponent", "Ann", "Black". */
export function person(look, {seat, seats, players}, at) {
  return seat !== null && seats.length === 2 ? "Your opponent" : players[at] || side(look, at);
}

/** The name of a square, as the game writes it. */
export function square(look, at) {
  return look?.names?.[at] || String(at);
}

function says(look, piece, owner) {
  const words = look?.pieces?.[piece]?.says ?? piece;
  return owner && words.startsWith(`${owner} `) ? words.slice(owner.length + 1) : words;
}

/**
 * One move: "knight f3 takes e5, check"; where the server knows no rules, the text that was made.
 * @param {Map<number, string>} before the board before the move
 */
function moveWords(look, step, before) {
  const {move, changes, seat} = step, owner = look?.sides?.[seat] ?? "";
  if (move.from === null && move.to === null) return move.piece || "passes";
  const piece = move.from === null ? move.piece : before.get(move.from) ?? move.piece;
  const kind = says(look, piece, owner), name = kind && kind !== owner ? `${kind} ` : "";
  const words = [];
  if (move.to === null) words.push(`takes ${name || "piece "}off ${square(look, move.from)}`);
  else if (move.from === null) words.push(`${name && `${name}on `}${square(look, move.to)}`);
  else {
    const taken = before.get(move.to);
    words.push(`${name}${square(look, move.from)} ${taken ? "takes" : "to"} ${square(look, move.to)}`);
    const now = changes.find(([at]) => at === move.to)?.[1];
    if (now && now !== piece) words.push(`becomes ${says(look, now, owner)}`);
  }
  const lost = changes.filter(([at, now]) => now === null && at !== move.from && at !== move.to && before.has(at));
  const owned = (at) => look?.pieces?.[before.get(at)]?.side === seat && lost.length === 1;
  if (lost.length && !owned(lost[0][0])) {
    words.push(lost.length < 4 ? `${lost.map(([at]) => square(look, at)).join(", ")} taken` : `${lost.length} taken`);
  }
  if (step.alarm !== null && step.alarm !== undefined) words.push("check");
  return words.join(", ");
}

const OFFERS = {
  Start: "wants to begin", Draw: "offers a draw", Takeback: "asks to take back", Adjourn: "proposes to adjourn",
  Abort: "asks to abort the game",  Resume: "is ready to go on", Rematch: "wants another game", Score: "proposes a score", End: "says the game is over",
};
const NOUNS = {Abort: "abort", Adjourn: "adjournment", Resume: "going on"};

/** What is said of others, said of you: "offers a draw" is "offer a draw". */
export function yours(words) {
  return words.replace(/^(\w+?)s\b/, "$1").replace(/^i\b/, "are");
}

/** What a proposal asks for: "asks to take back 2 moves". */
export function offerWords({what, fields}) {
  const count = fields?.plies ?? 0, dead = fields?.dead?.length ?? 0;
  if (what === "Takeback") return `${OFFERS[what]} ${count === 1 ? "the last move" : `${count} moves`}`;
  if (what === "Score") return dead ? `proposes ${dead} dead` : "proposes that nothing is dead";
  return OFFERS[what] ?? "proposes something";
}

const ENDS = {
  resignation: "by resignation", agreement: "by agreement", time: "on time", abandonment: "the other side left",
  forfeit: "by forfeit", claim: "by a claim",
};

/** How a game ended: "Ann won, checkmate"; to a player "You won". As `end_words` of pages/words.py has it. */
export function outcomeWords(look, {seat, players}, {winner, reason, detail}) {
  const won = winner === seat ? "You won"
    : seat !== null && look.sides.length === 2 ? "You lost" : `${players[winner] || side(look, winner ?? 0)} won`;
  const who = reason === "void" ? "No result" : winner === null ? "Draw" : won;
  const points = /^[A-Z]\+([\d.]+)$/.exec(detail), why = detail || ENDS[reason] || "";
  if (points) return `${who} by ${points[1]} points`;
  if (/^\d+-\d+$/.test(why)) return `${who} ${why}`;
  return `${who}${/^(by|on) /.test(why) ? " " : why && ", "}${why}`;
}

const points = ({rating, provisional}) => `${rating}${provisional ? "?" : ""}`;
const signed = (by) => `${by < 0 ? "−" : "+"}${Math.abs(by)}`;

/** What a rated game may change for the page's player: "Rated: win +8, draw −1, loss −10.", or why it cannot count. */
export function stakesWords({players, why, text}, seat) {
  const mine = players.find((player) => player.seat === seat);
  if (why) return `Not rated: ${text}.`;
  return mine?.win === undefined ? "" : `Rated: win\u00a0${signed(mine.win)}, draw\u00a0${signed(mine.draw)}, loss\u00a0${signed(mine.loss)}.`;
}

/** A seat's rating as its game began: "(1741?)". */
export function ratingWords(stakes, seat) {
  const told = stakes?.players.find((player) => player.seat === seat);
  return told ? `(${points(told.rating)})` : "";
}

/** What a rated game has changed: "Ratings: anna 1500? → 1741? (+241), bert …", or why it does not count. */
export function ratedWords({players, why, text}) {
  const change = ({name, before, after}) =>
    `${name} ${points(before)}\u00a0→\u00a0${points(after)}\u00a0(${signed(after.rating - before.rating)})`;
  return why ? `Not rated: ${text}.` : `Ratings: ${players.map(change).join(", ")}.`;
}

/**
 * What one event says, after it was folded; "" where it is not worth a word.
 * @param {Map<number, string>} before the board before it
 */
export function eventWords(look, table, event, before) {
  const {kind, body} = event;
  const who = (seat) => seat === table.seat ? "You" : person(look, table, seat);
  const verb = (seat, words) => seat === table.seat ? yours(words) : words;
  switch (kind) {
    case "MoveMade": {
      const step = table.game?.steps.at(-1);
      return step ? `${side(look, body.seat)}: ${moveWords(look, step, before)}.` : "";
    }
    case "DiceRolled":
      return `${table.idle === null ? "" : `${side(look, table.idle)} cannot move. `}${side(look, body.seat)} rolled ${body.value}.`;
    case "SeatTaken": return seatTaken(look, table, body);
    case "SeatLeft": return `${who(body.seat)} ${body.kind === SEAT.RESERVED ? "is away" : "has left"}.`;
    case "SeatsTurned": return table.seat === null ? "The players changed sides." : `You play ${look?.sides?.[table.seat]}.`;
    case "GameStarted":
      return `The game begins.${table.seat === null ? "" : ` You play ${look?.sides?.[table.seat]}.`}`;
    case "Proposed": {
      const [what, fields] = body.proposal;
      return what === "Start" && !table.game ? "" : `${who(body.seat)} ${verb(body.seat, offerWords({what, fields}))}.`;
    }
    case "Agreed": return body.proposal[0] === "Start" ? "" : "Agreed.";
    case "Declined": return `${who(body.seat)} ${verb(body.seat, "declines")} the ${NOUNS[body.kind] ?? body.kind.toLowerCase()}.`;
    case "MovesTakenBack": return `${body.plies === 1 ? "The last move was" : `${body.plies} moves were`} taken back.`;
    case "SeatWithdrawn": return `${who(body.seat)} gave up. The others play on.`;
    case "GameSettling": return "Play has stopped. Mark what is dead, and agree on it.";
    case "GameAdjourned": return "The game is adjourned.";
    case "GameResumed": return "The game goes on.";
    case "GameEnded": return `${outcomeWords(look, table, body.outcome)}.`;
    case "TableClosed": return "The table is closed.";
    default: return "";
  }
}

function seatTaken(look, table, {seat, kind, name}) {
  if (seat === table.seat) return "";
  if (kind === SEAT.RESERVED) return "";
  return `${name} sits down as ${look?.sides?.[seat] ?? `player ${seat + 1}`}.`;
}

/** Whose turn it is, for the heading: "Your turn", "Black to move". */
export function turnWords(look, table) {
  if (table.status === "over" && table.game?.outcome) return outcomeWords(look, table, table.game.outcome);
  if (table.status === "adjourned") return "Adjourned";
  if (table.status === "settling") return "Play has stopped";
  if (table.status === "waiting") return waits(table);
  if (table.turn === null) return "";
  return table.turn === table.seat ? "Your turn" : `${side(look, table.turn)} to move`;
}

function waits(table) {
  if (table.closed) return "The game did not begin";
  const open = table.seats.filter((seat) => seat.kind === SEAT.OPEN || seat.kind === SEAT.RESERVED).length;
  return open > 1 ? `Waiting for ${open} players` : open ? "Waiting for an opponent" : "Waiting for the start";
}

/** "4 minutes 12", for "Your turn, …". */
export function leftWords(seconds) {
  return seconds === null ? "" : `, ${spoken(seconds)}`;
}
