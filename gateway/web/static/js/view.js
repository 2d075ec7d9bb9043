/**
 * Draws what stands around the board: seats with their clocks and badges, the die, the heading, the line to the server.
 */
import {SEAT} from "./fold.js";
import {spoken, text as clockText} from "./clock.js";
import {byId, draw, make, renew, write} from "./dom.js";
import {seconds} from "./socket.js";
import {side} from "./words.js";

const KINDS = {[SEAT.BOT]: "house bot", [SEAT.RESERVED]: "away", [SEAT.ABANDONED]: "gone"};

/** The seats around the board, the page's own or the first below it. */
export function drawSeats(app) {
  const {table, below} = app, count = table.seats.length;
  const order = [...Array(count).keys()].map((at) => (below + at) % count);
  const near = Math.ceil(count / 2);
  renew(byId("near"), order.slice(0, near).map((seat) => seatBar(app, seat)));
  renew(byId("far"), order.slice(near).map((seat) => seatBar(app, seat)));
  for (const bar of document.querySelectorAll(".seat")) bar.classList.toggle("moving", table.turn === Number(bar.dataset.seat));
  drawClocks(app);
}

function seatBar(app, seat) {
  const {table, look} = app, {kind, name} = table.seats[seat];
  const shown = name || table.players[seat] || "open seat";
  const words = [KINDS[kind], seat === table.seat ? "you" : ""].filter(Boolean);
  const {dialect, program, lag_ms: lag, state} = app.presence?.find((found) => found.seat === seat) ?? {};
  const badges = words.map((word) => make("span", {class: "badge"}, word));
  if (dialect && kind !== SEAT.BOT && seat !== table.seat) {
    const way = program ? `${program} over ${dialect}` : dialect;
    const delay = lag === null || lag === undefined ? "" : `, ${Math.round(lag)} ms`;
    badges.push(make("span", {class: "badge", title: `${way}${delay}${state ? `, ${state}` : ""}`}, way + delay));
  }
  const withdrawn = table.game?.withdrawn.includes(seat) ? make("span", {class: "badge"}, "gave up") : null;
  return make("div", {class: "seat", "data-seat": seat}, emblem(look, seat),
    make("span", {class: "who", title: shown}, make("span", {class: "name"}, shown), " ",
      make("span", {class: "plays muted"}, look.sides[seat])),
    make("span", {class: "badges"}, ...badges, withdrawn), make("span", {class: "clock", hidden: true}));
}

/** A small disc in the colours of a seat's pieces. */
function emblem(look, seat, size = 20) {
  const piece = Object.values(look.pieces).find((one) => one.side === seat) ?? look.plain?.[seat] ?? {fill: "#888"};
  return draw("svg", {class: "emblem", viewBox: "0 0 20 20", width: size, height: size, "aria-hidden": "true"},
    draw("circle", {cx: 10, cy: 10, r: 8.5, fill: piece.fill}));
}

/** The clocks' texts; the seats stand already. */
export function drawClocks(app) {
  for (const bar of document.querySelectorAll(".seat")) {
    const seat = Number(bar.dataset.seat), clock = bar.querySelector(".clock");
    const left = app.clocks.left(seat, app.serverNow());
    clock.hidden = left === null;
    if (left === null) continue;
    const more = app.clocks.told.periods?.[seat] ? ` ×${app.clocks.told.periods[seat]}` : "";
    const turns = app.clocks.told.moves?.[seat] ? ` /${app.clocks.told.moves[seat]}` : "";
    write(clock, clockText(left) + more + turns);
    clock.classList.toggle("running", app.clocks.told.running === seat);
    clock.classList.toggle("short", app.clocks.short(seat, app.serverNow()));
  }
}

/** Whose roll it was that the board shows. */
export function drawDice(app) {
  const {table, look, roll} = app, shown = roll && table.game && table.status !== "over";
  byId("dice").hidden = !shown;
  if (shown) write(byId("dice"), `${roll.seat === table.seat ? "You" : side(look, roll.seat)} rolled ${roll.value}.`);
}

/** What the page says about its line to the server. */
const LINES = {
  open: "", lost: "Connection lost. Trying again…",
  replaced: "This seat is open elsewhere.", yours: "A seat here is yours.", ended: "",
};

export function drawLine(app) {
  const {state, lineText: text, table, lostAt} = app, place = byId("link");
  let said = text && state !== "open" ? text : LINES[state];
  if (state === "lost" && table.seat !== null && table.status === "playing" && table.house) {
    said += ` Your seat is kept for ${spoken(Math.max(0, lostAt + table.house.grace_s - seconds()))}.`;
  }
  place.hidden = !said;
  if (said === place.said) return;
  place.said = said;
  place.classList.toggle("bad", state === "lost" || state === "replaced");
  place.replaceChildren(said);
  if (state === "replaced" || state === "yours") {
    place.append(" ", make("button", {type: "button", class: "button small", id: "play-here", onclick: () => app.playHere()}, "Play here"));
  }
}
