/**
 * Begins a page: looks on or goes on at a table, asks for a game, invites a friend, or takes the seat of a ticket.
 */
import {byId, kept, make, write} from "./dom.js";
import {invitation} from "./elsewhere.js";
import {lookOf} from "./looks.js";
import {button} from "./offers.js";
import {settings} from "./settings.js";
import {keepTicket, newKey, ticketOf} from "./tickets.js";

/** Behind the address of a table: the link was pressed to play on there. */
const PLAY = "#play";

const SILENT = "The server does not answer. Try again.";

/** Begins what the page is for. */
export function beginWith(page, data) {
  if (data.page === "seat") return takeSeat(page);
  page.show(data.look);
  if (data.page === "play") return askForGame(page, data.wish);
  if (data.yours && !page.ticket && location.hash !== PLAY) page.offerSeat();
  else if (data.live) {
    const {table, tickets} = lastInvitation();
    if (table === data.table && page.ticket) page.invited = invitations(tickets);
    page.connect(null);
  }
}

/**
 * A game with a clock that was not chosen here says its time before the player sits down; who has invited a friend from
 * the same address, to a game that has not begun, is asked first: the friend may wait there.
 */
async function askForGame(page, wish) {
  page.failed = (text) => failed(page, text);
  const chosenHere = document.referrer.startsWith(`${location.origin}/`);
  const begin = () => (wish.against === "friend" ? inviteFriend(page, wish) : join(page, wish));
  const asks = (text, ...buttons) => {
    write(byId("status"), "Ready?");
    byId("offers").replaceChildren(make("div", {class: "panel"}, make("p", {class: "asks"}, text),
      make("p", {}, byId("settings-line").textContent), make("div", {class: "row"}, ...buttons)));
  };
  const sits = (text, primary) => button(text, () => {
    byId("offers").replaceChildren();
    begin();
  }, primary);
  const earlier = wish.against === "friend" ? await invitedBefore() : null;
  if (earlier !== null) {
    return asks("You have invited a friend to such a game. It has not begun.",
      button("Go to that game", () => location.replace(`/table/${earlier}`), true), sits("Invite another friend", false));
  }
  if (wish.time === "none" || chosenHere) return begin();
  asks("This game has a clock.", sits("Sit down", true));
}

/** The invitation that was made last in this browser: the address where, the table, and the tickets of its links. */
function lastInvitation() {
  try {
    return JSON.parse(kept.get("invited", "{}"));
  } catch {
    return {};
  }
}

/** The table to which a friend was invited from this address, as long as its game has not begun; else null. */
async function invitedBefore() {
  const {address, table} = lastInvitation(), ticket = ticketOf(table);
  if (address !== location.pathname + location.search || !ticket) return null;
  try {
    const answer = await fetch(`/api/tables/${table}`, {headers: {authorization: `Ticket ${ticket}`}, cache: "no-store"});
    return answer.ok && (await answer.json()).state === "open" ? table : null;
  } catch {
    return null;
  }
}

function invitations(tickets) {
  return make("div", {}, ...tickets.map(invitation));
}

function join(page, wish, more = {}) {
  const {game, variant, time, seats, options, against, side} = wish;
  const said = {type: "join", game, variant, time, options: {...options}, ready: true, ...more};
  if (seats) said.options.seats = String(seats);
  if (against !== "anyone" && against !== "friend") said.against = against;
  if (side !== null) said.side = side;
  if (settings.name) said.name = settings.name;
  write(byId("status"), against === "anyone" ? "Waiting for an opponent" : "Sitting down");
  page.connect(said);
}

/** A private table with two tickets: one is ours, the other stands in the link. */
async function inviteFriend(page, wish) {
  const {game, variant, time, options, side, watched, observers_speak} = wish;
  const body = JSON.stringify({game, variant, time, options, seats: Array(wish.seats).fill("open"), private: true, watched,
    ...(observers_speak && {observers_speak})});
  write(byId("status"), "Opening a table");
  try {
    const answer = await fetch("/api/tables", {method: "POST", headers: {"content-type": "application/json"}, body});
    const told = await answer.json();
    if (!answer.ok) return failed(page, told.message);
    const mine = side ?? Math.floor(Math.random() * told.tickets.length);
    const others = told.tickets.filter((_, seat) => seat !== mine);
    kept.set("invited", JSON.stringify({address: location.pathname + location.search, table: told.id, tickets: others}));
    page.invited = invitations(others);
    sit(page, told.id, game, told.tickets[mine], settings.name);
  } catch {
    failed(page, SILENT);
  }
}

/** Takes the seat of a ticket. Where that is an invitation the seat gets a key of this browser's, which is kept before. */
function sit(page, table, game, ticket, name) {
  const key = newKey(), said = {type: "join", game, ticket, key, ready: true};
  page.ticket = ticket;
  keepTicket(table, key);
  if (name) said.name = name;
  page.connect(said);
}

/** No game came of it. */
function failed(page, text) {
  page.link?.stop("ended", "");
  write(byId("status"), "No game");
  byId("offers").replaceChildren(make("div", {class: "panel"}, make("p", {class: "asks"}, text),
    make("div", {class: "row"}, make("a", {class: "button primary", href: "/"}, "Back to the lobby"),
      button("Try again", () => location.reload()))));
}

/** `/seat#TICKET`: the seat's game is shown, then the seat is taken. */
function takeSeat(page) {
  const form = byId("seat-form"), wrong = byId("seat-wrong"), taking = byId("seat-take");
  const given = decodeURIComponent(location.hash.slice(1));
  const {ticket: field, name} = form.elements;
  name.value = settings.name;
  page.failed = (text) => {
    page.link?.stop("ended", "");
    byId("seat-notice").hidden = false;
    byId("seat-table").hidden = true;
    taking.disabled = false;
    write(wrong, text);
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    write(wrong, "");
    taking.disabled = true;
    const seat = await seatOf(page, field.value.trim());
    if (seat) sitDown(page, seat, field.value.trim(), name.value.trim());
    else taking.disabled = false;
  };
  addEventListener("hashchange", () => location.reload());
  if (given) lookAt(page, given, field, name);
}

/** A seat in a link: at once for who was in it, and where nothing runs; else after its player has read of the clock. */
async function lookAt(page, ticket, field, name) {
  field.value = ticket;
  field.closest(".field").hidden = true;
  const seat = await seatOf(page, ticket);
  if (byId("seat-take").disabled) return; // its player was quicker, and has pressed the button
  if (!seat) field.value = "";
  if (!seat) return void (field.closest(".field").hidden = false);
  const held = seat.names?.[seat.seat], back = ticketOf(seat.table) === ticket;
  if (back || seat.state !== "open" || (!seat.timed && (held || settings.name))) return sitDown(page, seat, ticket, settings.name);
  const others = seat.names.filter((other, at) => other && at !== seat.seat);
  write(byId("seat-notice").querySelector("h1"), `${seat.title}${others.length ? ` with ${others.join(", ")}` : ""}`);
  write(byId("seat-text"), `You play ${seat.side}. ${seat.settings}.`);
  byId("seat-name-field").hidden = Boolean(held);
  name.focus();
}

/** A player has sat down by this invitation: from this browser, or another one. */
function usedUp({table, watched}) {
  const address = `/table/${table}`;
  if (ticketOf(table)) return location.replace(address);
  write(byId("seat-notice").querySelector("h1"), "This invitation is used up");
  write(byId("seat-text"), `Another player has sat down by it. ${watched ? "You may look on." : "The game is private."}`);
  byId("seat-form").replaceChildren(make("a", {class: "button primary", href: watched ? address : "/"},
    watched ? "Look on" : "Go to the lobby"));
}

async function seatOf(page, ticket) {
  try {
    const answer = await fetch("/api/seat", {headers: {authorization: `Ticket ${ticket}`}, cache: "no-store"});
    const told = await answer.json();
    if (answer.ok) return told;
    write(byId("seat-wrong"), answer.status === 401 ? "This ticket stands for no seat here. It may be used up." : told.message);
  } catch {
    write(byId("seat-wrong"), SILENT);
  }
  return null;
}

/** Once: a second connection would take the seat of the first. */
async function sitDown(page, seat, ticket, name) {
  byId("seat-take").disabled = true;
  if (seat.state === "used") return usedUp(seat);
  if (!seat.private) {
    keepTicket(seat.table, ticket);
    return location.replace(`/table/${seat.table}`);
  }
  const look = await lookOf(seat.look).catch(() => null);
  if (!look) return page.failed(SILENT);
  byId("seat-notice").hidden = true;
  byId("seat-table").hidden = false;
  page.title = seat.title;
  page.data.dialects = seat.dialects;
  page.data.position = seat.position;
  page.data.seats = seat.seats;
  byId("heading").replaceWith(make("h1", {id: "heading"}, seat.title));
  write(byId("settings-line"), seat.settings);
  byId("again").dataset.way = seat.again;
  byId("exports").firstElementChild.after(...seat.formats.map((form) =>
    make("a", {"data-way": `/api/tables/{}/export?format=${form}`, download: true}, form)));
  page.show(look);
  sit(page, seat.table, seat.game, ticket, name);
}
