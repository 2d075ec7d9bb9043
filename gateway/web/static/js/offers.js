/**
 * Shows what can be said beside a move: offers and their answers, resigning, a usual set-up, starting.
 *
 * What is possible follows from the table alone; what the server makes of it comes back as events.
 */
import {SEAT, offered, own} from "./fold.js";
import {spoken} from "./clock.js";
import {face} from "./face.js";
import {make, write} from "./dom.js";
import {offerWords, person, side, yours} from "./words.js";

/**
 * The answers to the offers of others, each with its buttons.
 * @returns {HTMLElement[]}
 */
export function offerPanels(app) {
  const {table, look, counting} = app, panels = [];
  if (table.status === "settling" && counting) panels.push(counting.panel());
  if (table.seat === null) return panels;
  for (const offer of table.offers) {
    if (offer.seat === table.seat || offer.what === "Score") continue;
    if (offer.what === "Start" && own(table, "Start")) continue;
    const accept = () => app.say(answer(offer)), decline = () => app.say({type: "decline", what: word(offer)});
    panels.push(panel(`${person(look, table, offer.seat)} ${offerWords(offer)}.`, [
      button("Accept", accept, true, ""), button("Decline", decline, false, "")]));
  }
  for (const mine of table.offers) {
    if (mine.seat !== table.seat || mine.what === "Score" || (mine.what === "Start" && table.status === "waiting")) continue;
    const withdraw = () => app.say({type: "decline", what: word(mine)});
    panels.push(panel(`You ${yours(offerWords(mine))}. Waiting for an answer.`, [
      button("Withdraw", withdraw)]));
  }
  if (untimed(app)) {
    panels.push(panel(`No clock runs before your first move. Make it within ${spoken(table.house.first_move_s)}.`, []));
  }
  table.seats.forEach((_, seat) => lost(app, seat, panels));
  if (table.status === "playing" && app.moves?.setup?.length) {
    panels.push(panel("Place your pieces.", [button("Usual set-up", () => app.setUp(), true)]));
  }
  if (goesOn(app)) panels.push(panel(`${app.tally?.[table.seat]?.text || "Your turn goes on"}.`, [passing(app, true)]));
  if (table.status === "adjourned" && !offered(table, "Resume") && !own(table, "Resume")) {
    panels.push(panel("The game is adjourned.", [
      button("Go on", () => app.say({type: "propose", what: "resume"}), true)]));
  }
  return panels;
}

/** Is it the page's player's first turn, which the house times no clock for? */
function untimed({table, clocks}) {
  return table.status === "playing" && table.turn === table.seat && table.house?.first_move_s && clocks.told?.running === null;
}

/** Has the page's player moved already, and may end the turn? */
function goesOn({table, moves}) {
  return table.status === "playing" && moves?.pass && table.turn === table.seat && table.game.steps.at(-1)?.seat === table.seat;
}

function passing(app, primary = false) {
  return button(app.look.passing, () => app.choose({from: null, to: null, piece: ""}), primary, primary ? "" : "small");
}

/** A seat whose player has lost the connection, and what can be done meanwhile. `drawKept` says for how long. */
function lost(app, seat, panels) {
  const {table, look} = app;
  if (app.kept(seat) === null || seat === table.seat || table.status !== "playing") return;
  const more = stoodIn(app) && table.seats.length === 2 && !own(table, "Adjourn")
    ? [button("Adjourn instead", () => app.say({type: "propose", what: "adjourn"}))] : [];
  panels.push(panel("", more, [make("p", {class: "asks", "data-kept": seat})]));
}

/** Does a house bot come in place of a player who stays away? It agrees to adjourn, so the game waits for that player. */
function stoodIn({table, look}) {
  return table.house?.abandoned === "bot" && look.judged;
}

/** The seconds that lost seats are kept, and what comes then: texts beside buttons, which stay as they are. */
export function drawKept(app) {
  const {table, look} = app, two = table.seats.length === 2;
  const then = !stoodIn(app) ? two ? "you win" : "the others play on"
    : two && own(table, "Adjourn") ? "the game is adjourned, and waits for its player" : "the computer plays on";
  for (const place of document.querySelectorAll("[data-kept]")) {
    const seat = Number(place.dataset.kept), left = face(app.kept(seat) ?? 0);
    const move = table.turn === table.seat ? " You may move meanwhile." : "";
    write(place, `${person(look, table, seat)} is away, ${left} to come back. Then ${then}.${move}`);
  }
}

/** The wire's word for a proposal. */
function word({what}) {
  return what.toLowerCase();
}

function answer(offer) {
  const {what, fields} = offer, said = {type: "propose", what: word(offer)};
  if (what === "Takeback") said.plies = fields.plies;
  if (what === "Start" && fields.settings) said.settings = fields.settings;
  if (what === "End") said.winner = fields.winner ?? null;
  return said;
}

/**
 * The buttons below the moves.
 * @returns {HTMLElement[]}
 */
export function actionButtons(app) {
  const {table, look} = app, {status, game} = table, found = [];
  if (table.seat === null || table.closed) return [];
  const propose = (what, more = {}) => () => app.say({type: "propose", what, ...more});
  if (status === "playing") {
    const myTurn = table.turn === table.seat;
    if (app.moves?.pass && myTurn && !goesOn(app)) found.push(passing(app));
    found.push(...endings(app));
    const plies = takeback(table);
    if (plies && !own(table, "Takeback") && !offered(table, "Takeback")) {
      found.push(button("Take back", propose("takeback", {plies})));
    }
    if (!own(table, "Adjourn") && !offered(table, "Adjourn")) found.push(button("Adjourn", propose("adjourn")));
    const more = table.seats.length > 2 ? givesTime(app, null) : null;
    if (more) found.push(more);
    if (!look.judged) found.push(...unjudged(app));
    if (mayAbort(table)) found.push(button("Abort the game", propose("abort")));
    else if (!game.withdrawn.includes(table.seat)) found.push(button("Resign", () => app.resign(), false, "small danger"));
  }
  if (status === "waiting" && !own(table, "Start") && !offered(table, "Start")) {
    found.push(button("Start", propose("start"), true));
  }
  return found;
}

/** Seconds that one press gives to the opponents. */
const GIVEN_S = 15;

/** What gives the opponent at `seat` more time, null for the others; null: no clock runs for the game, or there is none. */
export function givesTime(app, seat) {
  const {table} = app, time = table.settings?.time;
  const plays = table.status === "playing" && table.seat !== null && !table.closed && !table.game.withdrawn.includes(table.seat);
  if (!plays || seat === table.seat || !time || time.kind === "per-move") return null;
  const whom = seat === null ? "the others" : table.seats[seat].name || table.players[seat];
  const given = button(`+${GIVEN_S} s`, () => app.giveTime(GIVEN_S), false, "small more");
  given.append(make("span", {class: "visually-hidden"}, ` for ${whom}`));
  return given;
}

/** Another game with the same players, as long as nobody has asked for it. */
export function rematchButtons(app) {
  const {table} = app;
  const asks = table.seat !== null && !table.closed && table.status === "over" && someoneElse(table)
    && !own(table, "Rematch") && !offered(table, "Rematch");
  return asks ? [button("Rematch", () => app.say({type: "propose", what: "rematch"}), true)] : [];
}

/** An end that the rules let this player claim, and a draw to offer where none is claimed. */
function endings(app) {
  const {table, moves} = app, found = [], winner = moves?.claim_winner ?? null;
  if (moves?.claim) {
    const words = `Claim ${winner === null ? "a draw" : "the game"}: ${moves.claim}`;
    found.push(button(words, () => app.say({type: "claim", winner}), true));
    if (winner === null) return found;
  }
  if (table.seats.length === 2 && !own(table, "Draw") && !offered(table, "Draw")) {
    found.push(button("Offer a draw", () => app.say({type: "propose", what: "draw"})));
  }
  return found;
}

/** Without rules the players say how it ended. */
function unjudged(app) {
  const {table, look} = app;
  const claim = (winner) => () => app.say({type: "claim", winner});
  const found = look.sides.map((_, seat) => button(`${side(look, seat)} has won`, claim(seat)));
  if (table.game.ply) found.push(button("Dispute the last move", () => app.say({type: "dispute", text: "illegal"})));
  return found;
}

/** Has the page's player not moved yet? Then the game can end without a loser; where both must agree, Resign comes back. */
function mayAbort(table) {
  const moved = table.game.steps.some((step) => step.move && step.seat === table.seat);
  return table.seats.length === 2 && !moved && !own(table, "Abort");
}

/** The moves to take back: the page's last one and what came after it; 0: it has made none. */
function takeback(table) {
  const {steps, ply} = table.game;
  const last = steps.findLast((step) => step.move && step.seat === table.seat);
  return last ? ply - last.ply + 1 : 0;
}

function someoneElse(table) {
  return table.seats.some(({kind}, seat) => seat !== table.seat && (kind === SEAT.PLAYER || kind === SEAT.BOT || kind === SEAT.RESERVED));
}

export function button(text, onclick, primary = false, more = "small") {
  return make("button", {type: "button", class: `button${primary ? " primary" : ""} ${more}`.trim(), onclick}, text);
}

export function panel(text, buttons, more = []) {
  return make("div", {class: "panel"}, text ? make("p", {class: "asks"}, text) : null, ...more,
    buttons.length ? make("div", {class: "row"}, ...buttons) : null);
}
