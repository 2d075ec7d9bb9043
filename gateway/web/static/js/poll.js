/**
 * Talks to the server by requests where WebSockets are refused: /api/lines, in the words of a WebSocket.
 *
 * The first message opens the line, each further one is a POST, in their order; long polls bring what the server says.
 * Any request that fails ends it, as a broken connection does.
 */
import {CONNECTING, OPEN} from "./socket.js";

const WAIT_S = 25;

const CLOSED = 3;

export class PolledLine {
  constructor() {
    this.readyState = CONNECTING;
    /** @type {() => void} */ this.onopen = () => {};
    /** @type {() => void} */ this.onclose = () => {};
    /** @type {(told: {data: Object}) => void} */ this.onmessage = () => {};
    this.key = "";
    this.unsent = [];
    this.sending = false;
    this.abort = new AbortController();
    queueMicrotask(() => {
      if (this.readyState !== CONNECTING) return;
      this.readyState = OPEN;
      this.onopen();
    });
  }

  /** @param {string} text */
  send(text) {
    this.unsent.push(text);
    if (!this.sending) void this.sendAll();
  }

  async sendAll() {
    this.sending = true;
    try {
      while (this.unsent.length && this.readyState === OPEN) {
        const answer = await this.ask("POST", this.key ? "/api/line" : "/api/lines", {body: this.unsent.shift()});
        if (this.key) continue;
        this.key = (await answer.json()).line;
        void this.hear();
      }
    } catch {
      this.end();
    }
    this.sending = false;
  }

  /** Until the line ends. */
  async hear() {
    for (let open = true; open;) {
      const told = await this.ask("GET", `/api/line?wait=${WAIT_S}`).then((answer) => answer.json()).catch(() => null);
      for (const data of told?.messages ?? []) if (this.readyState === OPEN) this.onmessage({data});
      open = told?.open && this.readyState === OPEN;
    }
    this.end();
  }

  /** A request that stands for nothing any more is given up with its line: a browser has few at a time. */
  async ask(method, path, more) {
    const headers = {"content-type": "application/json"};
    if (this.key) headers.authorization = `Line ${this.key}`;
    const answer = await fetch(path, {method, headers, cache: "no-store", signal: this.abort.signal, ...more});
    if (!answer.ok) throw new TypeError(String(answer.status));
    return answer;
  }

  end() {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.onclose();
  }

  /** Hangs up, also while the page is left. */
  close() {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.abort.abort();
    if (this.key) this.hangUp();
  }

  hangUp() {
    this.ask("DELETE", "/api/line", {keepalive: true, signal: null}).catch(() => {});
  }
}
