/**
 * The page of a table: plays, looks on and replays. Wires the line to the server, the folded events, and what is drawn.
 */
import {Board} from "./board.js";
import {Chat, Voice} from "./chat.js";
import {isMuted} from "./mute.js";
import {Clocks, Offset} from "./clock.js";
import {byId, make, renew, write} from "./dom.js";
import {watchedFrom} from "./draw.js";
import {openElsewhere} from "./elsewhere.js";
import {fold, fresh, lastSquares, offered, own, positionAt} from "./fold.js";
import {actionButtons, button, drawKept, offerPanels} from "./offers.js";
import {beginWith} from "./begin.js";
import {Replay} from "./replay.js";
import {applySettings, openSettings, settings, showDialog} from "./settings.js";
import {Link, seconds} from "./socket.js";
import {Sound} from "./sound.js";
import {drawTally} from "./tally.js";
import {keepTicket, ticketOf} from "./tickets.js";
import {countTurns} from "./turns.js";
import {drawClocks, drawEnding, drawLine, drawSeats, drawShare} from "./view.js";
import {eventWords, leftWords, outcomeWords, ratedWords, side, stakesWords, turnWords} from "./words.js";

const SEATS_MS = 5000, TICK_MS = 100, LOST = "No connection";

/** Events that change the present board. */
const BOARD = new Set(["GameStarted", "MoveMade", "MovesTakenBack", "SeatWithdrawn"]);

/** Events after which others are at the table, or are lost. */
const SEATS = new Set(["SeatTaken", "SeatLeft"]);

/** Events after which other squares can be chosen than before. */
const STOPS = new Set(["GameSettling", "GameResumed", "GameAdjourned", "GameEnded"]);

class TablePage {
  constructor(data) {
    this.data = data;
    this.number = data.table ?? null;
    this.ticket = this.number === null ? "" : ticketOf(this.number);
    this.table = fresh();
    this.clocks = new Clocks();
    this.offset = new Offset();
    this.voice = new Voice();
    this.sound = new Sound();
    this.moves = null;
    /** The seats as the server told them last. @type {any[]} */ this.seats = data.seats ?? [];
    /** The seat whose roll has just been told. @type {number | null} */ this.rolled = null;
    /** What the position that is looked at says of each seat. */ this.tally = data.position?.tally;
    /** What is marked, and said of the score, once play has stopped (counting.js). */ this.counting = null;
    /** What a rated game may change, as it began. @type {any} */ this.stakes = null;
    /** What the ratings of the players came to. */ this.rated = "";
    /** The same of a game that was over when the page was drawn. @type {any} */ this.ratedBefore = data.rated ?? null;
    /** Squares that decided the game. @type {number[]} */ this.won = [];
    /** The frame before which everything is drawn. @type {number | null} */ this.frame = null;
    /** Has the page's player just given time, and heard nothing of it yet? */ this.gave = false;
    this.ids = 0;
    this.invited = null;
    this.title = document.title;
    applySettings();
    this.sound.on = settings.sound;
  }

  /** The look is known: the board is made alive. */
  show(look) {
    this.look = look;
    this.board = new Board(byId("board"), look, {
      seat: null, choose: (move) => this.choose(move), announce: (text) => this.voice.say(text),
    });
    if (this.data.position) this.board.show(this.data.position, {animate: false});
    document.querySelector(".table").style.setProperty("--ratio", byId("board").style.getPropertyValue("--ratio") || "1");
    if (look.dice) this.loadDice();
    this.replay = new Replay(() => this.drawBoard(true));
    this.chat = new Chat((to, text) => this.say({type: "say", to, text}));
    for (const part of document.querySelectorAll(".needs-script:not(#move-form, #replay)")) part.hidden = false;
    byId("open-settings").onclick = () => openSettings(() => this.changed());
    byId("move-form").onsubmit = (event) => {
      event.preventDefault();
      this.playText();
    };
    document.addEventListener("keydown", (event) => this.key(event));
    setInterval(() => this.tick(), TICK_MS);
    if (byId("analyse")) byId("analyse").onclick = () => this.analyse();
    if (this.data.events?.length) this.finished(this.data.events);
  }

  /** Few games have dice. */
  async loadDice() {
    this.dice = await import("./dice.js").catch(() => null);
    this.draw();
  }

  /** Nothing more happens at this table: all of it stands in the page. */
  finished(events) {
    for (const event of events) fold(this.table, event);
    this.table.closed = true;
    this.table.seat = this.data.seat ?? null;
    this.won = this.data.won;
    this.afterAll();
  }

  connect(first) {
    this.first = first;
    this.link = new Link({
      hello: () => this.hello(),
      message: (told) => this.receive(told),
      state: (state, text) => this.lineState(state, text),
      plays: () => this.table.seat !== null,
    });
    setInterval(() => this.askSeats(), SEATS_MS);
  }

  /** The first words of a connection: go on behind the last event, or ask for what the page is for. */
  hello() {
    this.resuming = this.number !== null;
    if (!this.resuming) return [{type: "hello", v: 1}, this.first];
    const said = {type: "hello", v: 1, table: this.number};
    if (this.table.seq) said.after = this.table.seq;
    if (!this.watching) {
      if (this.ticket) said.ticket = this.ticket;
      else if (this.data.yours) said.account = true;
    }
    return [said];
  }

  receive(told) {
    const act = {
      welcome: () => this.offset.guess(told.now, seconds()),
      pong: () => told.sent && this.offset.hear(told.now, told.sent, seconds()),
      seated: () => this.seated(told),
      event: () => this.event(told),
      turn: () => this.turn(told),
      moves: () => this.legal(told),
      rejected: () => this.rejected(told),
      answered: () => told.lines.forEach((line) => this.chat.note(line)),
      named: () => this.chat.note(told.text),
      stakes: () => this.toldStakes(told),
      rated: () => this.toldRatings(told),
      unmatched: () => told.others?.forEach((line) => this.chat.note(line)),
    }[told.type];
    act?.();
  }

  serverNow() {
    return seconds() + this.offset.s;
  }

  lineState(state, text) {
    if (state === "lost" && this.state !== state && this.link) this.lostAt = this.link.heard;
    this.state = state;
    this.lineText = text;
    drawLine(this);
    this.board?.busy(state === "lost" && this.table.seq ? LOST : "");
    if (state === "replaced") this.watch();
  }

  /** The seat is played elsewhere: this page looks on, where it may. */
  watch() {
    this.table.seat = null;
    this.moves = null;
    this.watching = true;
    this.draw();
    if (!this.table.private) setTimeout(() => this.watching && this.link.connect(), 500);
  }

  /** A seat of this account is here: it is taken by one press. Until then the page looks on, where it may. */
  offerSeat() {
    this.watching = true;
    if (!this.data.private) this.connect(null);
    this.lineState("yours", "");
  }

  playHere() {
    this.watching = false;
    this.table.seq = 0;
    if (this.link) this.link.connect();
    else this.connect(null);
  }

  seated(told) {
    const {table, seat, ticket, events} = told;
    if (events.length || this.number !== table) {
      this.table = fresh();
      this.chat.clear();
      for (const event of events) {
        fold(this.table, event);
        this.retell(event);
      }
    }
    this.number = table;
    // a page that goes on is told of turned seats as of all else that it has missed
    if (events.length || this.table.seat === null || seat === null) this.table.seat = seat;
    this.table.seq = Math.max(this.table.seq, told.seq ?? 0);
    if (ticket) this.ticket = ticket;
    if (seat !== null && this.ticket) keepTicket(table, this.ticket);
    if (!location.pathname.startsWith("/table/") || location.hash === "#play") history.replaceState(null, "", `/table/${table}`);
    this.joined?.();
    if (this.table.status === "over") this.askWon();
    if (!this.watching) this.lineState("open", "");
    this.afterAll();
    this.askSeats();
    const waits = seat !== null && this.table.status === "waiting" && !own(this.table, "Start");
    if (waits && this.resuming) this.say({type: "propose", what: "start"});
    this.resuming = false;
  }

  /** Past events fill the talk, and say nothing aloud. */
  retell(event) {
    if (event.kind === "Said") this.chat.said(this.table, this.look, event.body);
    if (event.kind === "GameEnded") this.chat.note(`${outcomeWords(this.look, this.table, event.body.outcome)}.`);
  }

  afterAll() {
    if (this.ratedBefore && this.table.status === "over") this.rated ||= ratedWords(this.ratedBefore);
    this.ratedBefore = null;
    if (this.otherLook()) return;
    this.clocks.hear(this.table.clock);
    this.sit();
    this.replay.listGame(this.table.game, this.look.sides);
    this.replay.fromAddress();
    this.drawBoard(false);
    this.draw();
  }

  /** The page's seat is another one: its side is below, and its moves are chosen. */
  sit() {
    this.below = this.table.seat ?? watchedFrom(this.look);
    this.board.seat = this.table.seat;
    this.board.turn(this.below);
  }

  event(event) {
    if (!event.body) return void fold(this.table, event);
    const {game} = this.table, before = event.kind === "MoveMade" && game ? new Map(game.board) : new Map();
    const turned = this.table.seat;
    if (!fold(this.table, event)) return;
    this.tell(event, before);
    if (event.kind === "GameStarted" && this.otherLook()) return;
    if (event.kind !== "Said") this.refused("");
    if (this.table.seat !== turned) this.sit();
    if (event.clock) this.clocks.hear(event.clock);
    if (BOARD.has(event.kind)) this.boardChanged(event);
    else if (STOPS.has(event.kind)) this.drawBoard(false);
    if (event.kind === "GameEnded") this.askWon();
    if (SEATS.has(event.kind)) this.askSeats();
    this.draw();
  }

  toldStakes(told) {
    this.stakes = told;
    this.voice.say(stakesWords(told, this.table.seat));
    this.draw();
  }

  /** Told behind the end of a rated game, when another one may have begun. */
  toldRatings(told) {
    const words = ratedWords(told);
    if (this.table.status === "over") this.rated = words;
    this.voice.say(words);
    this.chat.note(words);
    this.draw();
  }

  boardChanged({kind}) {
    this.moves = null;
    this.counting = null;
    this.won = [];
    if (kind === "GameStarted") this.replay.ply = null, this.rated = "", this.stakes = null;
    this.replay.listGame(this.table.game, this.look.sides);
    if (this.replay.ply === null) this.drawBoard(true);
  }

  /** A game with another rule set or size needs the page of another board. */
  otherLook() {
    const {look, table: {settings: played}} = this;
    if (!played) return false;
    const same = played.variant === look.variant && played.width === look.width && played.height === look.height
      && played.seats === look.sides.length;
    if (!same) location.reload();
    return !same;
  }

  tell(event, before) {
    const {table, look} = this, {kind, body} = event;
    if (kind === "Said") {
      this.chat.said(table, look, body);
      const who = body.name || table.seats[body.seat]?.name || "Server";
      if (body.seat === table.seat && this.gave) this.voice.say(`${body.text}.`), this.gave = false;
      if (body.seat !== table.seat && !isMuted(who)) this.voice.say(`${who} says: ${body.text}`);
      return;
    }
    if (kind === "DiceRolled") {
      this.rolled = body.seat;
      this.drawBoard(false);
    }
    const words = eventWords(look, table, event, before);
    this.voice.say(words);
    if (kind !== "MoveMade" && kind !== "DiceRolled") this.chat.note(words);
    if (kind === "Proposed" && body.proposal[0] === "Score" && body.seat !== table.seat && !own(table, "Score")) {
      this.counting?.mark(body.proposal[1].dead ?? []);
    }
    const tone = {MoveMade: body.seat === table.seat ? "move" : "theirs", GameStarted: "start", GameEnded: "end",
      Proposed: body.seat === table.seat ? null : "offer"}[kind];
    if (tone) this.sound.play(kind === "MoveMade" && table.game.alarm !== null ? "check" : tone);
  }

  turn({seat, clock, seq}) {
    if (!fold(this.table, {kind: "TurnStarted", seq, clock, body: {seat}})) return;
    this.clocks.hear(clock ?? null);
    if (seat === this.table.seat && seat !== null) {
      this.voice.say(`Your turn${leftWords(this.clocks.left(seat, this.serverNow()))}.`);
    }
    this.draw();
  }

  legal(told) {
    this.moves = told.legal?.length || told.pass || told.claim || told.setup?.length ? told : null;
    this.offerMoves();
    this.draw();
  }

  offerMoves() {
    const {table, moves} = this, present = this.replay.ply === null && table.seat !== null;
    if (present && table.status === "settling") return this.board.offer([], {mode: "mark"});
    const playing = present && table.status === "playing";
    const mine = playing && moves && moves.ply === table.game.ply;
    this.board.offer(mine ? moves.legal : null, {mode: "play", premove: playing && !mine});
  }

  /** A move of the board, or a square marked as dead. */
  choose(move) {
    if (this.table.status === "settling") return this.counting?.toggle(move.to);
    const {from, to, piece} = move, id = this.chosen = this.ids += 1;
    if (!this.say({type: "play", move: {source: from, target: to, piece}, ply: this.table.game?.ply ?? 0, id})) this.board.refuse();
  }

  playText() {
    const field = byId("move-text"), text = field.value.trim();
    if (!text) return;
    const id = this.ids += 1;
    this.typed = {id, text};
    if (this.say({type: "play", text, ply: this.table.game?.ply ?? 0, id})) field.value = "";
  }

  /** The usual set-up, piece after piece. */
  setUp() {
    const ply = this.table.game.ply;
    this.moves.setup.forEach((move, at) => this.say({type: "play", move, ply: ply + at, id: this.ids += 1}));
  }

  rejected(told) {
    if (this.resuming) return this.turnedAway(told);
    if (this.number === null) return this.failed?.(told.text);
    if (this.typed?.id === told.id && told.id !== undefined && !byId("move-text").value) byId("move-text").value = this.typed.text;
    this.refused(told.text);
    this.voice.say(`Refused: ${told.text}`);
    if (told.id === undefined || told.id === this.chosen) this.board.refuse();
  }

  /**
   * The table does not take the page in. One that cannot just now is asked again in a while; whoever waited there asks
   * anew; without the ticket one may still look on.
   */
  turnedAway({why, text}) {
    if (why === "overload") return this.link.goodbye({text});
    if (this.first && !this.first.ticket && this.table.status === "waiting" && this.table.seq) {
      Object.assign(this, {number: null, ticket: "", resuming: false});
      return void this.say(this.first);
    }
    if (!this.watching && (this.ticket || this.data.yours)) {
      this.ticket = "";
      this.data.yours = false;
      return void this.say({type: "watch", table: this.number});
    }
    this.refused(text);
    this.link.stop("ended", text);
  }

  refused(text) {
    const place = byId("refused");
    place.hidden = !text;
    write(place, text);
  }

  resign() {
    const abort = this.table.seats.length === 2 && !own(this.table, "Abort") && !offered(this.table, "Abort");
    showDialog("Resign?", ["The game ends, and the other side wins."], [
      ["Play on", null], ...(abort ? [["Ask to abort", () => this.say({type: "propose", what: "abort"}), false]] : []), ["Resign", () => this.say({type: "resign"}), true]]);
  }

  /** The opponents have more time for the game; what the table says of it is read to this page's player, too. */
  giveTime(seconds) {
    this.gave = this.say({type: "give", seconds});
  }

  /** Says something to the server; without a line the player is told. */
  say(message) {
    const sent = this.link?.send(message) ?? false;
    if (!sent) this.refused("There is no connection just now.");
    return sent;
  }

  drawBoard(animate) {
    const {table: {game, status}, replay: {ply}} = this;
    if (game && this.analysis?.draw(animate && settings.animate)) return;
    if (game) {
      const position = positionAt(game, ply ?? game.ply);
      if ((status === "settling" || (status === "over" && game.settled)) && (ply ?? game.ply) === game.ply) this.count(position);
      this.tally = position.tally;
      drawTally(this.look, this.tally);
      if (ply === null) position.won = this.won;
      const last = position.won?.length ? [] : lastSquares(game, ply ?? game.ply);
      this.board.show(position, {last, animate: animate && settings.animate});
    }
    this.offerMoves();
  }

  /** Play has stopped, or did before the score: few games need the module that counts. */
  async count(position) {
    if (this.counting) return void this.counting.add(position);
    try {
      const {Counting} = await import("./counting.js");
      this.counting ??= new Counting(this);
    } catch {
      return void this.refused("The score cannot be shown here. Load the page anew.");
    }
    this.drawBoard(false);
    this.draw();
  }

  /** Everything around the board, once for all that a frame shows; nobody sees the frames of a hidden page. */
  draw() {
    if (document.hidden) this.drawNow();
    else this.frame ??= requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    this.frame = null;
    const {table, look} = this;
    if (!look || !table.seats.length) return;
    drawSeats(this);
    drawTally(this.look, this.tally);
    this.dice?.drawDice(this);
    const status = turnWords(look, table), playing = table.status === "playing";
    write(byId("status"), status + (playing && table.game.alarm !== null ? ", check" : ""));
    const mine = playing && table.turn === table.seat && table.seat !== null;
    byId("status").classList.toggle("mine", mine);
    drawShare(this);
    document.title = mine ? `● Your turn · ${this.title}` : `${status || this.title} · ${this.title}`;
    drawEnding(this);
    const panels = offerPanels(this);
    if (this.invited && table.status === "waiting") panels.unshift(this.invited);
    renew(byId("offers"), panels);
    drawKept(this);
    renew(byId("actions"), [...actionButtons(this), ...this.ways()]);
    if (byId("analyse")) byId("analyse").hidden = table.status !== "over" || !look.judged || !table.game.ply;
    byId("move-form").hidden = table.seat === null || !playing;
    this.chat.allow(table.seat !== null, Boolean(this.link) && !table.closed, Boolean(table.house?.observers_speak));
    this.replay.scroll();
  }

  /** Ways from here: the board turned, the seat taken elsewhere, another game. */
  ways() {
    const {table, ticket} = this, found = [];
    if (table.seats.length === 2) found.push(button("Turn board", () => this.turnBoard()));
    if (table.seat !== null && ticket && table.status !== "over") {
      found.push(button("Continue elsewhere", () => openElsewhere(ticket, table.seats[table.seat].name, this.data.dialects ?? [])));
    }
    return found;
  }

  turnBoard() {
    this.below = (this.below + 1) % 2;
    this.board.turn(this.below);
    this.drawBoard(false);
    this.draw();
  }

  async analyse() {
    const {Analysis} = await import("./analysis.js");
    this.analysis ??= new Analysis(this);
    this.analysis.open();
  }

  changed() {
    this.sound.on = settings.sound;
    this.sound.play("move");
    this.drawBoard(false);
  }

  key(event) {
    const typing = event.target.closest?.("input, textarea, select, dialog");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (byId("move-form").hidden) return;
    event.preventDefault();
    byId("move-text").focus();
  }

  /** Seconds that a seat is kept whose player, or whose page, is not connected. */
  kept(seat) {
    const {until} = this.seats[seat] ?? {};
    return until ? Math.max(0, until - seconds()) : null;
  }

  tick() {
    if (this.state === "lost") drawLine(this);
    drawKept(this);
    if (!this.clocks.told) return;
    drawClocks(this);
    const due = this.table.seat === null ? null : this.clocks.warning(this.table.seat, this.serverNow());
    if (due !== null) {
      this.voice.say(`${due} seconds left.`);
      this.sound.play("low");
    }
  }

  async askSeats() {
    if (this.number === null || document.visibilityState !== "visible" || this.state !== "open") return;
    const seats = await this.ask(`/table/${this.number}/seats`);
    if (seats) this.heardSeats(seats);
  }

  /** The game is over: which squares decided it, its rules know. */
  async askWon() {
    const told = await this.ask(`/api/tables/${this.number}`);
    if (this.table.status !== "over" || !told) return;
    this.won = told.decisive;
    this.drawBoard(false);
  }

  /** What the server answers to the page's player; null: nothing just now. */
  async ask(address) {
    const headers = this.ticket ? {authorization: `Ticket ${this.ticket}`} : {};
    try {
      const answer = await fetch(address, {headers, cache: "no-store"});
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  heardSeats(seats) {
    const text = JSON.stringify(seats);
    if (text === this.seatsText) return;
    this.seatsText = text;
    for (const seat of seats) seat.until = seat.kept_s === undefined ? 0 : seconds() + seat.kept_s;
    this.seats = seats;
    this.draw();
  }
}

const data = JSON.parse(byId("page-data").textContent);
const page = new TablePage(data);
beginWith(page, data);
countTurns();
