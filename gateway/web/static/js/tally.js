/**
 * Draws what each seat has taken and what counts for it, beside the names: the same as gateway/web/pages/seats.py.
 */
import {make} from "./dom.js";
import {figure, pieceOf} from "./draw.js";
import {icon} from "./field.js";

/**
 * The seats around the board get what a position says of them.
 * @param {Object} look @param {{taken?: Object<string, number>, text?: string}[] | null} tally By seat.
 */
export function drawTally(look, tally) {
  for (const bar of document.querySelectorAll(".seat")) {
    const place = bar.querySelector(".tally"), own = tally?.[Number(bar.dataset.seat)] ?? {}, told = JSON.stringify(own);
    if (!place || place.told === told) continue;
    place.told = told;
    place.replaceChildren(...drawn(look, own));
  }
}

function drawn(look, {taken = {}, text = ""}) {
  const kinds = Object.entries(taken).map(([words, many]) => [pieceOf(look, words), many]), found = [];
  if (kinds.length) {
    const said = kinds.map(([{says}, many]) => says + (many > 1 ? ` ×${many}` : "")).join(", ");
    found.push(make("span", {class: "taken", role: "img", "aria-label": `Taken: ${said}`},
      ...kinds.flatMap(([piece, many]) => [icon(figure(piece)), many > 1 ? make("b", {}, `${many}`) : null])));
  }
  if (text) found.push(make("span", {}, text));
  return found;
}
