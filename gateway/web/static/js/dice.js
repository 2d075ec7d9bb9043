/**
 * Draws the dice beside the names, as each seat rolled last, and says in words whose roll it was. A late module.
 */
import {byId, draw, write} from "./dom.js";
import {settings} from "./settings.js";
import {side} from "./words.js";

const ROLL_MS = 500;

/** By value, the pips: column and row of each, from 0 to 2. */
const PIPS = ["", "11", "0022", "001122", "00022022", "0002112022", "000102202122"];

/** Draws what the table knows of rolls. `app.rolled` is a seat whose roll is new: its die rolls. */
export function drawDice(app) {
  const {table, look, rolled} = app, {roller, idle} = table, place = byId("dice");
  const rolls = table.game && table.status !== "over" ? table.rolls : [];
  app.rolled = null;
  for (const bar of document.querySelectorAll(".seat")) {
    const seat = Number(bar.dataset.seat), values = rolls[seat] ?? [], dice = bar.querySelector(".rolled");
    if (dice.told !== `${values}`) {
      dice.told = `${values}`;
      dice.replaceChildren(...values.map(die));
      dice.setAttribute("role", "img");
      dice.setAttribute("aria-label", `rolled ${values.join(", ")}`);
    }
    if (seat === rolled && values.length) roll(dice.lastChild);
  }
  place.hidden = !rolls[roller];
  if (place.hidden) return;
  const who = (seat) => seat === table.seat ? "You" : side(look, seat);
  write(place, `${idle === null ? "" : `${who(idle)} cannot move. `}${who(roller)} rolled ${rolls[roller].at(-1)}.`);
}

function die(value) {
  const pips = PIPS[value].match(/../g).map(([x, y]) => `M${6 + x * 6} ${6 + y * 6}h0`).join("");
  return draw("svg", {class: "die", viewBox: "0 0 24 24"}, draw("rect", {x: 1, y: 1, width: 22, height: 22, rx: 5}), draw("path", {d: pips}));
}

/** The die turns over and comes to lie, unless the player wants nothing to move. */
function roll(shown) {
  if (!settings.animate || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  shown.animate([
    {transform: "translateY(-10px) rotate(-1turn) scale(0.7)"}, {transform: "translateY(3px) rotate(-0.3turn)", offset: 0.6}, {transform: "none"},
  ], {duration: ROLL_MS, easing: "ease-out"});
}
