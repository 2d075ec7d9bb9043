/**
 * Folds the events of a table into what a page shows: seats, board, hands, turn, dice, moves, offers.
 *
 * It knows no rules and touches no document: the board is what GameStarted says and what each event changes.
 *
 * @typedef {{seq?: number, kind: string, body: any, [more: string]: any}} Event
 * @typedef {[number, (string | null)][]} Changes
 * @typedef {{from: number | null, to: number | null, piece: string}} Move
 * @typedef {{ply: number, seat: number, move: Move | null, notation: string, changes: Changes,
 *            hands: Object[] | null, alarm: number | null, tally: Object[] | null, left: number | null}} Step
 *     One change of the board: a move, or (move null) the withdrawal of a seat after `ply` moves.
 * @typedef {{seat: number, what: string, fields: Object}} Offer
 * @typedef {{kind: number, name: string}} Seat
 */

/** The kinds of a seat's holder, as the record numbers them. */
export const SEAT = {NONE: 0, OPEN: 1, BOT: 2, PLAYER: 3, RESERVED: 4, ABANDONED: 5};

/** Events after which the proposals that stood were made for another position. */
const LAPSING = new Set(["SeatsTurned", "GameStarted", "MovesTakenBack", "SeatWithdrawn", "GameAdjourned",
  "GameResumed", "GameEnded"]);

/** Proposals to play now: no absent player is ready to. */
const READY = new Set(["Start", "Resume", "Rematch"]);

/** One table before its first event. `seat` is the page's own by its present number, null for an observer. */
export function fresh() {
  return {
    seq: 0, seat: null, settings: null, house: null, private: false,
    /** @type {Seat[]} */ seats: [],
    /** The last player of each seat: seats empty after a game. @type {string[]} */ players: [],
    /** "waiting" | "playing" | "settling" | "adjourned" | "over"; closed: nothing more will happen. */
    status: "waiting", closed: false,
    /** @type {Game | null} */ game: null,
    turn: null, roller: null,
    /** @type {number[]} */ dice: [],
    /** By seat, what it rolled last, as often as nothing moved. @type {number[][]} */ rolls: [],
    /** The seat whose last roll moved nothing, once another one has rolled. @type {number | null} */ idle: null,
    clock: null,
    /** Open proposals, oldest first. @type {Offer[]} */ offers: [],
  };
}

/** @typedef {ReturnType<typeof newGame>} Game */
function newGame(body, event) {
  return {
    /** @type {[number, string][]} */ start: body.board,
    startTold: beside(event),
    board: new Map(body.board), ...beside(event),
    /** @type {Step[]} */ steps: [], ply: 0, outcome: null,
    /** @type {number[]} */ withdrawn: [],
    /** The claim by which the game was scored. @type {number[] | null} */ settled: null,
  };
}

/** A field that the wire adds to an event, beside its body or in it. */
function more(event, name) {
  return event[name] ?? event.body[name] ?? null;
}

/** What an event says of the position that came of it. */
function beside(event) {
  return {hands: more(event, "hands"), alarm: more(event, "alarm"), tally: more(event, "tally")};
}

const steps = {
  TableOpened(table, body) {
    seatsOf(table, body.settings);
    table.house = body.house;
    table.private = body.house?.private ?? false;
  },
  SeatTaken(table, body) {
    sit(table, body.seat, {kind: body.kind, name: body.name});
    if (body.seat < table.seats.length) table.players[body.seat] = body.name;
  },
  SeatLeft(table, body) {
    sit(table, body.seat, {kind: body.kind, name: body.kind === SEAT.OPEN ? "" : table.seats[body.seat]?.name ?? ""});
  },
  SeatsTurned(table, body) {
    const count = table.seats.length;
    const turned = (values) => values.map((_, seat) => values[(seat - body.by + count * 2) % count]);
    table.seats = turned(table.seats);
    table.players = turned(table.players);
    if (table.seat !== null && count) table.seat = (table.seat + body.by) % count;
  },
  GameStarted(table, body, event) {
    seatsOf(table, body.settings);
    Object.assign(table, {status: "playing", game: newGame(body, event), turn: null, roller: null, dice: [],
      rolls: [], idle: null, clock: null});
  },
  TurnStarted(table, body, event) {
    table.turn = body.seat;
    hear(table, event.clock);
  },
  ClockSet(table, body, event) {
    hear(table, event.clock);
  },
  DiceRolled(table, body) {
    const other = body.seat !== table.roller;
    table.idle = other && table.dice.length ? table.roller : null;
    if (other) Object.assign(table, {roller: body.seat, dice: []});
    table.dice.push(body.value);
    table.rolls[body.seat] = [...table.dice];
  },
  MoveMade(table, body, event) {
    const {game} = table;
    if (!game) return;
    const move = {from: body.move.source, to: body.move.target, piece: body.move.piece ?? ""};
    game.ply = body.ply;
    table.turn = null;
    change(table, event, {ply: body.ply, seat: body.seat, move, notation: more(event, "notation") ?? ""});
  },
  MovesTakenBack(table, body, event) {
    const {game} = table;
    if (!game) return;
    Object.assign(table, {status: "playing", turn: null});
    game.ply = body.ply;
    game.steps = game.steps.filter((step) => step.ply <= body.ply);
    apply(game.board, more(event, "changes") ?? []);
    Object.assign(game, beside(event));
    table.dice = [];
  },
  SeatWithdrawn(table, body, event) {
    const {game, dice, turn} = table;
    if (!game) return;
    game.withdrawn.push(body.seat);
    change(table, event, {ply: game.ply, seat: body.seat, move: null, notation: ""});
    // The roll of the seat to move still stands.
    if (turn === body.seat) table.turn = null;
    else table.dice = dice;
  },
  Agreed({game}, {proposal: [what, fields]}) {
    if (game && what === "Score") game.settled = fields.dead ?? [];
  },
  GameSettling: (table) => Object.assign(table, {status: "settling", turn: null}),
  GameAdjourned: (table) => Object.assign(table, {status: "adjourned", turn: null}),
  GameResumed: (table) => Object.assign(table, {status: "playing", turn: null}),
  GameEnded(table, body) {
    Object.assign(table, {status: "over", turn: null});
    if (table.game) table.game.outcome = body.outcome;
  },
  TableClosed: (table) => Object.assign(table, {closed: true, turn: null}),
};

function seatsOf(table, settings) {
  table.settings = settings;
  while (table.seats.length < settings.seats) {
    table.seats.push({kind: SEAT.OPEN, name: ""});
    table.players.push("");
  }
}

function sit(table, at, seat) {
  if (at < table.seats.length) table.seats[at] = seat;
}

/** A clock was told (clock.js has its form): the move before it gets what its mover has left, for the list of moves. */
function hear(table, clock) {
  if (!clock) return;
  table.clock = clock;
  const last = table.game?.steps.at(-1);
  if (last && last.left === null) last.left = clock.left[last.seat] ?? null;
}

function change(table, event, step) {
  const {game} = table;
  const changes = more(event, "changes") ?? [];
  Object.assign(game, beside(event));
  apply(game.board, changes);
  game.steps.push({...step, changes, ...beside(event), left: null});
  table.dice = [];
}

function apply(board, changes) {
  for (const [square, piece] of changes) {
    if (piece === null) board.delete(square);
    else board.set(square, piece);
  }
}

/** Takes one event in. An event that is known already, by its `seq`, changes nothing; true: it was new. */
export function fold(table, event) {
  if (event.seq) {
    if (event.seq <= table.seq) return false;
    table.seq = event.seq;
  }
  const before = table.offers;
  steps[event.kind]?.(table, event.body, event);
  table.offers = standing(before, event);
  return true;
}

/** The open proposals after an event: as protocols/core/standing.py has them. */
function standing(offers, {kind, body}) {
  if (kind === "Proposed") {
    const [what, fields] = body.proposal;
    return [...offers.filter((made) => made.seat !== body.seat || made.what !== what), {seat: body.seat, what, fields}];
  }
  if (kind === "Agreed") return offers.filter((made) => made.what !== body.proposal[0]);
  if (kind === "SeatLeft") {
    const stays = (made) => body.kind === SEAT.RESERVED && !READY.has(made.what);
    return offers.filter((made) => made.seat !== body.seat || stays(made));
  }
  if (kind === "MoveMade") return moved(offers, body.seat);
  if (kind === "Declined") {
    const own = offers.some((made) => made.seat === body.seat && made.what === body.kind);
    return offers.filter((made) => made.what !== body.kind || (own && made.seat !== body.seat));
  }
  return LAPSING.has(kind) ? [] : offers;
}

/** A move answers what others propose; what its seat has proposed stands, a takeback for the position that it named. */
function moved(offers, seat) {
  const agreed = (made) => offers.some((own) => own.seat === seat && own.what === made.what
    && JSON.stringify(own.fields) === JSON.stringify(made.fields));
  const outrun = (made) => made.what === "Takeback" ? {...made, fields: {plies: made.fields.plies + 1}} : made;
  return offers.filter(agreed).map(outrun);
}

/**
 * The position of a game after `ply` moves, as the board takes it.
 * @param {Game} game
 */
export function positionAt(game, ply) {
  if (ply >= game.ply) return position(game.board, game);
  const board = new Map(game.start);
  let told = game.startTold;
  for (const step of game.steps) {
    if (step.ply > ply) break;
    apply(board, step.changes);
    told = step;
  }
  return position(board, told);
}

function position(board, {hands, alarm, tally}) {
  return {board: [...board], hands, alarm, tally, dead: []};
}

/** The moves of a game, oldest first. */
export function movesOf(game) {
  return game ? game.steps.filter((step) => step.move) : [];
}

/** The squares that the `ply`-th move went from and to. */
export function lastSquares(game, ply) {
  const step = game?.steps.findLast((made) => made.move && made.ply <= ply);
  return step ? [step.move.from, step.move.to].filter((at) => at !== null) : [];
}

/** An open proposal of a kind by another seat than `seat`, the latest; null: there is none. */
export function offered(table, what, seat = table.seat) {
  return table.offers.findLast((made) => made.what === what && made.seat !== seat) ?? null;
}

/** The page's own open proposal of a kind. */
export function own(table, what) {
  return table.offers.find((made) => made.what === what && made.seat === table.seat) ?? null;
}
