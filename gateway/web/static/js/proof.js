/**
 * Proves the record of a table: every digest from its event and the one before, every die and draw from the secret.
 *
 * The layout of the bytes and the formula of the dice are those of docs/record.md. It touches no document.
 */
import {hex, hmac, joined, sha256, unhex} from "./sha256.js";

const SIDES = 6;
const WORD = 2 ** 32;
const utf8 = new TextEncoder();

/** The name that stands for that of a deleted account, and the kinds of events that name a person. */
const FORMER = "former player", NAMING = ["SeatTaken", "Said"];

/**
 * @typedef {{table: number, seq: number, at: string, kind: string, digest: string, body: string | null,
 *            said: any, renamed?: boolean}} Event  `body` is as it is recorded, null where it is not for this reader;
 *     `said` is its JSON; `renamed`: it is shown with another name than the one that is recorded.
 * @typedef {{number: number | null, seq: number, value: number, message: string, word: number, fair: number, of: number}} Die
 *     `number` null: not a roll but by how many of the seats the players moved on, who drew them; `of` are its values.
 * @typedef {{event: Event, previous: string, head: string, digest: string, dice: Die[]}} Step
 */

/** The event of a line of the record. @param {string} line @returns {Event} */
export function read(line) {
  const event = JSON.parse(line);
  if (!("body" in event)) return {...event, body: null, said: null};
  const mark = '"body":';
  return {...event, body: line.slice(line.indexOf(mark) + mark.length, line.lastIndexOf("}")), said: event.body};
}

/** True if the digest is of another body than the one that is shown: a deleted account's name stood there. @param {Event} event */
export function isRenamed({kind, renamed, said}) {
  return renamed === true && NAMING.includes(kind) && said?.name === FORMER;
}

/** Microseconds since 1970-01-01T00:00:00Z of "2026-11-20T11:48:05.350352Z". @param {string} at */
function microseconds(at) {
  const seconds = Date.parse(`${at.slice(0, 19)}Z`);
  return BigInt(seconds) * 1000n + BigInt(at.slice(20, 26));
}

/** Table, seq and time as three numbers of eight bytes, big-endian. @param {Event} event */
function head(event) {
  const view = new DataView(new ArrayBuffer(24));
  view.setBigInt64(0, BigInt(event.table));
  view.setBigInt64(8, BigInt(event.seq));
  view.setBigInt64(16, microseconds(event.at));
  return new Uint8Array(view.buffer);
}

/** The roll of this number, and how it came. @param {Uint8Array} secret @param {number} number */
export function rolled(secret, number) {
  const {fair, ...how} = drawn(secret, `roll ${number}`, SIDES);
  return {...how, fair: fair + 1};
}

/** A number below `of`, and how it came. @param {Uint8Array} secret @param {string} named @param {number} of */
export function drawn(secret, named, of) {
  for (let again = 0; ; again += 1) {
    const message = again ? `${named} again ${again}` : named;
    const words = new DataView(hmac(secret, utf8.encode(message)).buffer);
    for (let at = 0; at < 32; at += 4) {
      const word = words.getUint32(at);
      if (word < WORD - WORD % of) return {message, word, fair: word % of, of};
    }
  }
}

/** Takes a record line by line. `failure` is the first thing that is wrong: nothing behind it can be proved. */
export class Proof {
  /** @param {number} table the one whose record it is to be; 0: the one of the first line */
  constructor(table) {
    this.table = table;
    this.digest = hex(new Uint8Array(32));
    this.events = 0;
    this.hidden = 0;
    this.renamed = 0;
    this.rolls = 0;
    this.proved = 0;
    this.commitment = "";
    this.seats = 0;
    this.rematch = false;
    /** @type {{value: number, seq: number} | null} */
    this.turned = null;
    /** @type {{number: number, value: number, seq: number}[]} */
    this.pending = [];
    /** @type {{seq: number, why: string, dice: boolean} | null} */
    this.failure = null;
  }

  /** The step of the next line. @param {string} line @returns {Step} */
  take(line) {
    const event = read(line), previous = this.digest;
    this.table ||= event.table;
    const start = head(event), step = {event, previous, head: hex(start), digest: event.digest, dice: []};
    if (event.seq !== this.events + 1) return this.fail(step, `event ${event.seq} stands where ${this.events + 1} is due`);
    if (event.table !== this.table) return this.fail(step, `it belongs to table ${event.table}`);
    if (event.body === null) {
      this.hidden += 1;
    } else if (isRenamed(event)) {
      this.renamed += 1;
    } else {
      step.digest = hex(sha256(joined(unhex(previous), start, utf8.encode(`${event.kind}\0${event.body}`))));
      if (step.digest !== event.digest) return this.fail(step, "its digest does not fit its content and the events before it");
    }
    this.dice(step);
    if (this.failure) return step;
    this.events += 1;
    this.digest = step.digest;
    return step;
  }

  /** @param {Step} step @param {string} why @returns {Step} */
  fail(step, why, {seq = step.event.seq, dice = false} = {}) {
    this.failure = {seq, why, dice};
    return step;
  }

  /** @param {Step} step */
  dice(step) {
    const {kind, said, seq} = step.event;
    if (kind === "Agreed") {
      this.rematch = said.proposal[0] === "Rematch";
    } else if (kind === "SeatsTurned") {
      this.turned = this.rematch ? {value: said.by, seq} : null;
    } else if (kind === "GameStarted") {
      this.commitment = said.commitment;
      this.seats = said.settings.seats;
      this.rematch = false;
      this.pending = [];
    } else if (kind === "DiceRolled") {
      this.rolls += 1;
      this.pending.push({number: said.number, value: said.value, seq});
      if (said.number !== this.pending.length) this.fail(step, `roll ${said.number} stands where ${this.pending.length} is due`, {dice: true});
    } else if (kind === "GameEnded" && (this.pending.length || said.secret)) {
      this.reveal(step, said.secret);
      this.pending = [];
      this.turned = null;
    }
  }

  /** @param {Step} step @param {string} revealed in hexadecimal */
  reveal(step, revealed) {
    const secret = unhex(revealed);
    if (!revealed) return this.fail(step, "the game has ended without revealing the secret of its dice", {dice: true});
    if (hex(sha256(secret)) !== this.commitment) {
      return this.fail(step, "it reveals another secret than the game began with", {dice: true});
    }
    if (this.turned && this.seats > 2) {
      const die = {number: null, ...this.turned, ...drawn(secret, "seats", this.seats)};
      step.dice.push(die);
      if (die.fair !== die.value) {
        return this.fail(step, `the seats turned by ${die.value}; the secret gives ${die.fair}`, {seq: die.seq, dice: true});
      }
    }
    for (const {number, value, seq} of this.pending) {
      const die = {number, value, seq, ...rolled(secret, number)};
      step.dice.push(die);
      if (die.fair !== value) return this.fail(step, `roll ${number} shows ${value}; the secret gives ${die.fair}`, {seq, dice: true});
      this.proved += 1;
    }
    return step;
  }
}
