/**
 * Keeps a page's conversation with the server going: over a WebSocket, over sleep and other networks, from the last event.
 *
 * A page is told `message` for each object of the server and `state` when the line changes; `hello` says how to begin.
 * Where sockets are refused the same messages go by requests (poll.js).
 *
 * @typedef {"open" | "lost" | "replaced" | "ended"} LineState
 */
/** The states of a line, as WebSocket has them. */
export const CONNECTING = 0;
export const OPEN = 1;

const PING_S = {true: 4, false: 15}, PONG_S = 3, FIRST_S = 0.5, LONGEST_S = 15, REFUSED = 3, AGAIN_S = 60;
const FORBIDDEN = 403;

/** Goodbyes after which the page does not come back by itself, and the state that the line is in then. */
const ENDS = {version: "ended", closed: "ended", replaced: "replaced"};

export class Link {
  /**
   * @param {{hello: () => Object[], message: (told: Object) => void, plays: () => boolean,
   *          state: (state: LineState, text: string) => void}} page
   *     `hello` gives the first messages of each connection. A page that plays is pinged, and asks itself, within seconds.
   */
  constructor(page) {
    this.page = page;
    this.tries = 0;
    this.refused = 0;
    this.heard = 0;
    this.numbers = 0;
    /** The ping that must be answered soon: the answer to an earlier one says nothing. */ this.asked = 0;
    this.pings = new Map();
    /** @type {WebSocket | PolledLine | null} */ this.socket = null;
    /** True where the server answers requests and refuses sockets. */ this.polls = false;
    /** What lines of requests are made of, where one was needed. */ this.PolledLine = null;
    this.stopped = false;
    const wake = () => document.visibilityState === "visible" && this.wake();
    for (const name of ["pageshow", "online", "offline"]) addEventListener(name, wake);
    document.addEventListener("visibilitychange", wake);
    // A line that is not there yet is hung up by the browser, which writes a warning where the page does it.
    addEventListener("pagehide", (event) => !event.persisted && this.socket?.readyState === OPEN && this.socket.close());
    setInterval(() => this.beat(), 1000);
    this.connect();
  }

  /** Opens a socket, or a line of requests; the one before is forgotten. */
  connect() {
    clearTimeout(this.timer);
    this.drop();
    this.stopped = false;
    this.heard = seconds();
    if (this.polls) this.takeLine(new this.PolledLine());
    else this.takeSocket(begun() ?? dialled());
  }

  takeSocket(socket) {
    let opened = false;
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      opened = true;
      this.refused = 0;
      this.reachable = false;
      this.greet();
    };
    socket.onmessage = ({data}) => this.socket === socket && this.receive(JSON.parse(data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (!opened) this.refused += 1;
      this.later();
    };
    if (socket.readyState === OPEN) queueMicrotask(socket.onopen);
  }

  /** While requests carry the messages, a socket is tried now and then. */
  takeLine(line) {
    this.socket = line;
    line.onopen = () => this.socket === line && this.greet();
    line.onmessage = ({data}) => this.socket === line && this.receive(data);
    line.onclose = () => {
      if (this.socket !== line) return;
      this.socket = null;
      this.polls = false;
      this.later();
    };
    this.timer = setTimeout(() => this.probe(line), 1000 * AGAIN_S);
  }

  /** Takes a socket in the place of `line`, if one opens: the seat goes over to it without being lost. */
  probe(line) {
    const socket = dialled();
    socket.onopen = () => {
      if (this.socket !== line) return socket.close();
      this.polls = false;
      this.takeSocket(socket);
      setTimeout(() => line.close(), 1000 * PONG_S);
    };
    socket.onclose = () => {
      if (this.socket === line) this.timer = setTimeout(() => this.probe(line), 1000 * AGAIN_S);
    };
  }

  greet() {
    const [hello, ...more] = this.page.hello();
    for (const first of [{...hello, beat: true}, ...more]) this.send(first);
    this.ping();
  }

  receive(told) {
    this.heard = seconds();
    if (told.type === "pong") {
      told.sent = this.pings.get(told.n);
      this.pings.delete(told.n);
      if (told.n >= this.asked) clearTimeout(this.awaited);
    }
    if (told.type === "goodbye") return this.goodbye(told);
    if (told.type === "seated" || told.type === "event") this.tries = 0;
    this.page.message(told);
  }

  goodbye({why, text}) {
    if (ENDS[why]) return this.stop(ENDS[why], text);
    this.drop();
    this.later(text);
  }

  /** Hangs up and stays away until `connect`. */
  stop(state, text) {
    this.stopped = true;
    clearTimeout(this.timer);
    this.drop();
    this.page.state(state, text);
  }

  drop() {
    clearTimeout(this.awaited);
    this.pings.clear();
    const {socket} = this;
    this.socket = null;
    socket?.close();
  }

  /** Tries again after a while that doubles, with a part of chance so that many pages do not come at once. */
  later(text = "") {
    if (this.stopped) return;
    const wait = Math.min(LONGEST_S, FIRST_S * 2 ** this.tries) * (0.5 + Math.random() / 2);
    this.tries = Math.min(this.tries + 1, 10);
    this.page.state("lost", text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.again(), 1000 * wait);
  }

  /**
   * Where sockets are refused: is the server there at all? Where it answers, one more socket is tried, for it may have been
   * away until now; where that is refused too, requests carry the messages. A banned page is told why, and stays away.
   */
  async again() {
    if (this.refused >= REFUSED) {
      const answer = await fetch("/healthz", {cache: "no-store"}).catch(() => null);
      const {message} = answer?.status === FORBIDDEN ? await answer.json().catch(() => ({})) : {};
      if (this.stopped || this.socket) return;
      if (message) return this.stop("ended", message);
      if (answer?.ok && !this.reachable) this.tries = 0;
      const polls = Boolean(answer?.ok && this.reachable);
      if (polls) this.PolledLine ??= (await import("./poll.js").catch(() => ({PolledLine: null}))).PolledLine;
      if (this.stopped || this.socket) return;
      this.polls = polls && Boolean(this.PolledLine);
      this.reachable = answer?.ok ?? false;
    }
    this.connect();
  }

  /** Sends a message; false: the line is down, and the message is not kept. */
  send(message) {
    if (this.socket?.readyState !== OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  ping() {
    const n = this.numbers += 1;
    this.pings.set(n, seconds());
    this.pinged = seconds();
    return this.send({type: "ping", n});
  }

  beat() {
    if (this.socket?.readyState !== OPEN) return;
    const asked = seconds() - this.pinged;
    if (this.heard >= this.pinged) return void (asked >= PING_S[this.page.plays()] && this.ping());
    if (asked > PONG_S) this.lose();
  }

  /** The page is seen again or the network is back: is anybody there? */
  wake() {
    if (this.stopped) return;
    if (this.socket?.readyState !== OPEN) {
      if (this.socket?.readyState !== CONNECTING) this.connect();
      return;
    }
    this.ping();
    this.asked = this.numbers;
    clearTimeout(this.awaited);
    this.awaited = setTimeout(() => this.lose(), PONG_S * 1000);
  }

  lose() {
    this.drop();
    this.tries = 0;
    this.page.state("lost", "");
    this.connect();
  }
}

/** The line that dial.js has begun, once; null: there is none, or it has been hung up. @returns {WebSocket | null} */
function begun() {
  const {early} = globalThis;
  globalThis.early = null;
  return early?.readyState <= OPEN ? early : null;
}

function dialled() {
  return new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
}

/** Seconds on a line that does not go back. */
export function seconds() {
  return performance.now() / 1000;
}
