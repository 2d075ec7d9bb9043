/**
 * Counts the clocks of a table down between two words of the server, and says when little is left. No document.
 *
 * The server's clock is told as seconds left at the server's time `now`; pages keep an offset to it from `ping`.
 *
 * @typedef {{left: number[], running: number | null, now: number, periods?: number[], period_s?: number[],
 *            moves?: number[]}} Told
 */

import {many} from "./face.js";

/** Seconds left at which a running clock of the page's own seat is spoken. */
const WARNINGS = [60, 30, 10];

/** Seconds below which a running clock is marked. */
const SHORT_S = 20;

/** The offset of the server's clock to ours, from answers to `ping`: the quickest answer counts most. */
export class Offset {
  constructor() {
    this.s = 0;
    this.best = Infinity;
  }

  /** The server said `now` for a question sent at `sent` and answered at `got`, all in seconds. */
  hear(now, sent, got) {
    const trip = got - sent;
    if (trip > this.best * 1.5 && this.best < 1) return;
    this.best = Math.min(this.best, trip);
    this.s = now - (sent + got) / 2;
  }

  /** The first word of a connection: better than nothing until a ping is answered. */
  guess(now, got) {
    if (this.best === Infinity) this.s = now - got;
  }
}

/** The clocks of one table. */
export class Clocks {
  constructor() {
    /** @type {Told | null} */ this.told = null;
    this.warned = new Set();
  }

  /** @param {Told | null} told */
  hear(told) {
    if (told?.running !== this.told?.running) this.warned.clear();
    this.told = told;
  }

  /** Seconds left of a seat's main time or period at the server's time `now`, never below 0; null without a clock. */
  left(seat, now) {
    const told = this.told;
    if (!told || told.left?.[seat] === undefined || told.left[seat] === null) return null;
    const used = told.running === seat ? Math.max(0, now - told.now) : 0;
    return Math.max(0, told.left[seat] - used);
  }

  /** Whether a seat's clock runs and little is left. */
  short(seat, now) {
    const left = this.left(seat, now);
    return this.told?.running === seat && left !== null && left < SHORT_S;
  }

  /** The warning that is due for `seat`, in seconds, each once a turn; null: none. */
  warning(seat, now) {
    const left = this.told?.running === seat ? this.left(seat, now) : null;
    if (left === null) return null;
    const due = WARNINGS.filter((at) => left <= at && !this.warned.has(at));
    if (!due.length) return null;
    due.forEach((at) => this.warned.add(at));
    return left > Math.min(...due) - 5 ? Math.min(...due) : null;
  }
}

/** "2 days 4 hours", "4 minutes 12", "1 hour 2 minutes", "9 seconds": for a voice. */
export function spoken(seconds) {
  const whole = Math.floor(seconds + 1e-6), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  if (hours > 23) return many(Math.floor(hours / 24), "day") + (hours % 24 ? ` ${many(hours % 24, "hour")}` : "");
  if (hours) return `${many(hours, "hour")} ${many(minutes, "minute")}`;
  if (minutes) return many(minutes, "minute") + (whole % 60 ? ` ${whole % 60}` : "");
  return many(whole, "second");
}

/** A time control in words, to be read before sitting down: the text forms of time_text.py. */
function control(time) {
  if (!time) return "no clock";
  const {main_s: main, increment_s: more, moves, period_s: period, periods} = time;
  switch (time.kind) {
    case "fischer": return `${spoken(main)} each, ${spoken(more)} more for every turn`;
    case "moves": return `${spoken(main)} for every ${moves} turns` + (more ? `, ${spoken(more)} more for every turn` : "");
    case "per-move": return `${spoken(period)} for every turn`;
    case "canadian": return `${spoken(main)} each, then ${spoken(period)} for every ${moves} turns`;
    case "byoyomi": return `${spoken(main)} each, then ${periods} periods of ${spoken(period)}`;
    default: return `${spoken(main)} each for the whole game`;
  }
}
