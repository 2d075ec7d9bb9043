/**
 * Keeps the tickets of the seats that this browser has taken: in its storage, and in a cookie for the addresses of each
 * table, by which the server knows a player of a private game. A ticket never stands in an address but behind `#`.
 */
import {kept} from "./dom.js";

/** Seats remembered: the oldest is forgotten. */
const MOST = 40;

/** Seconds that a browser keeps a cookie: the longest there is. */
const LASTS_S = 34_560_000;

/** The account that is logged in; "" none. */
const account = document.documentElement.dataset.account ?? "";

/** @returns {[number, string, string?][]} table, ticket, and the account that took the seat, the newest last */
function all() {
  try {
    return JSON.parse(kept.get("seats", "[]"));
  } catch {
    return [];
  }
}

/** Table and ticket of each seat that guests took in this browser, or the account that is logged in. */
export function tickets() {
  return all().filter(([, , whose]) => !whose || whose === account).map(([table, ticket]) => [table, ticket]);
}

/** Whose seats this browser holds, and at which tables, as one text. */
export function seatsHeld() {
  return `${account}:${tickets().map(([table]) => table)}`;
}

/** The ticket of this browser's seat at a table; "": it has none. */
export function ticketOf(table) {
  return tickets().find(([number]) => number === table)?.[1] ?? "";
}

/** The seats at these tables are the account's: whoever comes next at this browser does not find them. */
export function ofAccount(tables) {
  kept.set("seats", JSON.stringify(all().map((seat) => tables.includes(seat[0]) ? [seat[0], seat[1], account] : seat)));
}

export function keepTicket(table, ticket) {
  kept.set("seats", JSON.stringify([...all().filter(([number]) => number !== table), [table, ticket, account]].slice(-MOST)));
  const secure = location.protocol === "https:" ? ";secure" : "";
  for (const path of ["table", "api/tables"]) {
    document.cookie = `boardgate-seat=${encodeURIComponent(ticket)};path=/${path}/${table};max-age=${LASTS_S};samesite=lax${secure}`;
  }
}

/** A secret of this browser's own, which becomes the ticket of a seat that it is invited to. */
export function newKey() {
  return crypto.getRandomValues(new Uint32Array(5)).join("-");
}
