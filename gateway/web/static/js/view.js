/**
 * Draws what stands around the board: seats with their clocks and badges, the heading, the line to the server.
 */
import {spoken} from "./clock.js";
import {byId, filled, make, renew, write} from "./dom.js";
import {face} from "./face.js";
import {seconds} from "./socket.js";
import {givesTime, rematchButtons} from "./offers.js";
import {ratingWords, side, stakesWords} from "./words.js";

/** The seats around the board, the page's own or the first below it. */
export function drawSeats(app) {
  const {table, below, look: {corners}} = app, count = table.seats.length, bar = (seat) => barOf(app, seat);
  const order = [...Array(count).keys()].map((at) => (below + at) % count), half = Math.ceil(count / 2);
  if (corners.length) order.sort((one, other) => corners[one][1].localeCompare(corners[other][1]));
  const near = order.filter((seat, at) => corners.length ? corners[seat][0] === "near" : at < half);
  const focused = document.activeElement?.closest(".more");
  renew(byId("near"), near.map(bar));
  renew(byId("far"), order.filter((seat) => !near.includes(seat)).map(bar));
  if (focused && !focused.isConnected) document.querySelector(".seats .more")?.focus({preventScroll: true});
  for (const bar of document.querySelectorAll(".seat")) bar.classList.toggle("turn", table.turn === Number(bar.dataset.seat));
  drawClocks(app);
}

/** A seat; beside the clock of an only opponent what gives it time. */
function barOf(app, seat) {
  const bar = filled("seat-template", shown(app, seat)), more = app.table.seats.length === 2 ? givesTime(app, seat) : null;
  if (more) bar.querySelector(".clock").before(more);
  return bar;
}

/**
 * A seat as the server told it last (pages/seats.py), with what events have said since. What was told of another player
 * than the one who sits there now, or of one who has gone since, is left out.
 */
function shown(app, at) {
  const {table, data: {words, seats}} = app, {seat, side, fill, right} = seats[at], told = app.seats[at];
  const name = table.seats[at].name || table.players[at] || words.nobody, kind = words.kinds[table.seats[at].kind];
  return {...(told?.name === name && told.kind === kind && told), seat, side, fill, right, name, kind,
    ...(app.stakes && {rating: ratingWords(app.stakes, at)}), gave_up: table.game?.withdrawn.includes(at) ? words.gave_up : "",
    ...(at === table.seat && {you: "you", program: "", lag: ""})};
}

/** The clocks' texts; the seats stand already. */
export function drawClocks(app) {
  for (const bar of document.querySelectorAll(".seat")) {
    const seat = Number(bar.dataset.seat), clock = bar.querySelector(".clock");
    const left = app.clocks.left(seat, app.serverNow());
    if (left === null) continue;
    const more = app.clocks.told.periods?.[seat] ? ` ×${app.clocks.told.periods[seat]}` : "";
    const turns = app.clocks.told.moves?.[seat] ? ` /${app.clocks.told.moves[seat]}` : "";
    write(clock, face(left) + more + turns);
    clock.classList.toggle("running", app.clocks.told.running === seat);
    clock.classList.toggle("short", app.clocks.short(seat, app.serverNow()));
  }
}

/** What the game came to, and the ways from there. The links out of the page stand below while the game goes on. */
export function drawEnding(app) {
  const {table, number} = app, over = table.status === "over", out = byId("exports");
  byId("ending").classList.toggle("over", over);
  byId("ending").classList.toggle("first", table.status === "playing" && Boolean(app.moves?.setup?.length));
  if (out.closest("#ending") !== (over ? byId("ending") : null)) byId(over ? "ending" : "side").append(out);
  for (const link of document.querySelectorAll("[data-way]")) {
    if (number !== null) link.href = link.dataset.way.replace("{}", number);
  }
  write(byId("stakes"), app.stakes && !over ? stakesWords(app.stakes, table.seat) : "");
  write(byId("rated"), over ? app.rated : "");
  renew(byId("rematch"), rematchButtons(app));
}

/** What the page says about its line to the server. */
const LINES = {
  open: "", lost: "Connection lost. Trying again…",
  replaced: "The game is open in another window.", yours: "You play in this game.", ended: "",
};

export function drawLine(app) {
  const {state, lineText: text, table, lostAt} = app, place = byId("link");
  let said = !text || ["open", "replaced"].includes(state) ? LINES[state] : text;
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

/** A game that is over is shared in a dialog; without it the link leads to a page. The page of a shared game has none. */
export function drawShare({number, ticket}) {
  const link = byId("share");
  if (!link) return;
  link.onclick = async (event) => {
    event.preventDefault();
    const {openShare} = await import("./share.js").catch(() => ({openShare: () => location.assign(link.href)}));
    openShare(number, ticket);
  };
}
