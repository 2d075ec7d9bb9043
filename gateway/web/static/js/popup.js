/**
 * Asks for a choice beside a square: what a pawn becomes, which piece to place, whether a move is meant.
 */
import {make} from "./dom.js";

/**
 * @param {HTMLElement} stage What the choice stands in, and is kept inside of.
 * @param {HTMLElement} cell The square it belongs to.
 * @param {string} title Spoken.
 * @param {{value: string, text: string, picture?: Element, primary?: boolean}[]} options
 * @returns {{answer: Promise<string | null>, close: () => void}} null: nothing was chosen.
 */
export function ask(stage, cell, title, options) {
  let settle;
  const answer = new Promise((resolve) => { settle = resolve; });
  const buttons = options.map(({value, text, picture, primary}) => make("button",
    {type: "button", class: `button${primary ? " primary" : ""}${picture ? " pictured" : ""}`, "aria-label": picture ? text : null,
      title: picture ? text : null, onclick: () => done(value)}, picture ?? text));
  const box = make("div", {class: "choice", role: "dialog", "aria-label": title}, ...buttons);
  const outside = (event) => box.contains(event.target) || done(null);

  function done(value) {
    document.removeEventListener("pointerdown", outside, true);
    box.remove();
    cell.focus({preventScroll: true});
    settle(value);
  }

  box.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement);
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else if (event.key === "Escape") done(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  stage.append(box);
  place(box, stage, cell);
  buttons[0].focus({preventScroll: true});
  document.addEventListener("pointerdown", outside, true);
  return {answer, close: () => box.isConnected && done(null)};
}

/** Puts the box over the square, or just below it, inside the stage. */
function place(box, stage, cell) {
  const frame = stage.getBoundingClientRect(), square = cell.getBoundingClientRect(), own = box.getBoundingClientRect();
  const left = square.left + square.width / 2 - own.width / 2 - frame.left;
  let top = square.bottom + 4 - frame.top;
  if (top + own.height > frame.height) top = square.top - own.height - 4 - frame.top;
  box.style.left = `${Math.max(0, Math.min(left, frame.width - own.width))}px`;
  box.style.top = `${Math.max(0, top)}px`;
}
