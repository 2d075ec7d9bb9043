/**
 * Keeps the tickets of the seats that this browser has taken. A ticket never stands in an address but behind `#`.
 */
import {kept} from "./dom.js";

/** Seats remembered: the oldest is forgotten. */
const MOST = 40;

/** @returns {[number, string][]} table and ticket, the newest last */
function all() {
  try {
    return JSON.parse(kept.get("seats", "[]"));
  } catch {
    return [];
  }
}

/** The ticket of this browser's seat at a table; "": it has none. */
export function ticketOf(table) {
  return all().find(([number]) => number === table)?.[1] ?? "";
}

export function keepTicket(table, ticket) {
  kept.set("seats", JSON.stringify([...all().filter(([number]) => number !== table), [table, ticket]].slice(-MOST)));
}

export function dropTicket(table) {
  kept.set("seats", JSON.stringify(all().filter(([number]) => number !== table)));
}
